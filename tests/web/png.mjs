// SPDX-License-Identifier: MIT
//
// PNG files with 8 bits a channel, not interlaced, to the form that the scene runner takes: "RGBA", width, height, rows.

import zlib from 'node:zlib';

const CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}; // by colour type

function paeth(left, above, corner) {
    const estimate = left + above - corner;
    const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
    return a <= b && a <= c ? left : b <= c ? above : corner;
}

function unfilter(bytes, width, height, channels) {
    const pitch = width * channels;
    const rows = Buffer.alloc(pitch * height);
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

export function decodePicture(file) {
    const parts = [];
    let width, height, channels;
    for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
        const length = file.readUInt32BE(at), type = file.toString('latin1', at + 4, at + 8);
        const data = file.subarray(at + 8, at + 8 + length);
        if (type === 'IHDR') {
            [width, height, channels] = [data.readUInt32BE(0), data.readUInt32BE(4), CHANNELS[data[9]]];
            if (data[8] !== 8 || channels === undefined || data[12] !== 0)
                throw new Error('a PNG of a kind that is not read here');
        } else if (type === 'IDAT') {
            parts.push(data);
        }
    }
    const rows = unfilter(zlib.inflateSync(Buffer.concat(parts)), width, height, channels);
    const decoded = Buffer.alloc(12 + width * height * 4, 255);
    decoded.write('RGBA', 0, 'latin1');
    decoded.writeUInt32LE(width, 4);
    decoded.writeUInt32LE(height, 8);
    for (let i = 0; i < width * height; i++) {
        const colour = channels >= 3 ? 3 : 1;
        for (let c = 0; c < 3; c++)
            decoded[12 + i * 4 + c] = rows[i * channels + (colour === 3 ? c : 0)];
        if (channels === 4 || channels === 2)
            decoded[12 + i * 4 + 3] = rows[i * channels + channels - 1];
    }
    return decoded;
}
