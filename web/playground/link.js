// SPDX-License-Identifier: MIT
//
// Addresses that hold what is open: a demo's name, or the bytes of the input, and how many packets have run.

const LONGEST = 2000000; // of addresses in browsers

async function through(bytes, transform) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}

function toBase64(bytes) {
    let text = '';
    for (const byte of bytes)
        text += String.fromCharCode(byte);
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text) {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

export async function linkOfInput({demo, name, kind, bytes}, at) {
    const parts = new URLSearchParams();
    if (demo !== undefined) {
        parts.set('demo', demo);
    } else {
        parts.set('name', name);
        parts.set('kind', kind);
        parts.set('data', toBase64(await through(bytes, new CompressionStream('deflate-raw'))));
    }
    if (at !== undefined)
        parts.set('at', at);
    const link = `#${parts}`;
    if (link.length > LONGEST)
        throw new Error('The input is too large for an address');
    return link;
}

// {demo, at} or {name, kind, bytes, at}, or null.
export async function inputOfLink(hash) {
    const parts = new URLSearchParams(hash.slice(1));
    const at = parts.has('at') ? Number(parts.get('at')) : undefined;
    if (parts.has('demo'))
        return {demo: parts.get('demo'), at};
    if (!parts.has('data'))
        return null;
    const bytes = await through(fromBase64(parts.get('data')), new DecompressionStream('deflate-raw'));
    return {name: parts.get('name') ?? 'input', kind: parts.get('kind') ?? 'scene', bytes, at};
}
