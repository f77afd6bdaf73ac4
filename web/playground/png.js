// SPDX-License-Identifier: MIT
//
// PNG files with 8 bits a channel, not interlaced, in the form that scenes take in a browser: "RGBA", width, height, rows.
// The page's own decoder would change colours.

const CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}; // by colour type
const HEADER_BYTES = 12;

function paeth(left, above, corner) {
    const estimate = left + above - corner;
    const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
    return a <= b && a <= c ? left : b <= c ? above : corner;
}

function unfilter(bytes, width, height, channels) {
    const pitch = width * channels;
    const rows = new Uint8Array(pitch * height);
    for (let y = 0; y < height; y++) {
        const filter = bytes[y * (pitch + 1)];
        for (let x = 0; x < pitch; x++) {
            const at = y * pitch + x;
            const left = x >= channels ? rows[at - channels] : 0;
            const above = y > 0 ? rows[at - pitch] : 0;
            const corner = x >= channels && y > 0 ? rows[at - pitch - channels] : 0;
            const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
            rows[at] = bytes[y * (pitch + 1) + 1 + x] + guess;
        }
    }
    return rows;
}

async function inflate(parts) {
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function decodePicture(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const parts = [];
    let width, height, channels;
    for (let at = 8; at < file.length; at += 12 + view.getUint32(at)) {
        const length = view.getUint32(at), type = String.fromCharCode(...file.subarray(at + 4, at + 8));
        if (type === 'IHDR') {
            [width, height, channels] = [view.getUint32(at + 8), view.getUint32(at + 12), CHANNELS[file[at + 17]]];
            if (file[at + 16] !== 8 || channels === undefined || file[at + 20] !== 0)
                throw new Error('a PNG of a kind that is not read here');
        } else if (type === 'IDAT') {
            parts.push(file.slice(at + 8, at + 8 + length));
        }
    }
    const rows = unfilter(await inflate(parts), width, height, channels);
    const decoded = new Uint8Array(HEADER_BYTES + width * height * 4).fill(255);
    decoded.set(new TextEncoder().encode('RGBA'));
    new DataView(decoded.buffer).setUint32(4, width, true);
    new DataView(decoded.buffer).setUint32(8, height, true);
    for (let i = 0; i < width * height; i++) {
        for (let c = 0; c < 3; c++)
            decoded[HEADER_BYTES + i * 4 + c] = rows[i * channels + (channels >= 3 ? c : 0)];
        if (channels === 4 || channels === 2)
            decoded[HEADER_BYTES + i * 4 + 3] = rows[i * channels + channels - 1];
    }
    return decoded;
}
