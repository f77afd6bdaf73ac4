// SPDX-License-Identifier: MIT
//
// What both ways of drawing a frame share: sizes, and what the draws' constants and textures hold.

export const WIDTH = 256, HEIGHT = 128, BYTES_IN_PIXEL = 4;
export const DRAWS = 5000, TEXTURES = 64, CONSTANT_BYTES = 64;

// A small triangle, which the constants move.
export const CORNERS = Float32Array.of(-0.02, -0.03, 0.02, -0.03, 0, 0.03);

const all = Array.from({length: DRAWS}, (_, i) => {
    const constants = new Float32Array(CONSTANT_BYTES / 4);
    constants.set([(i % 100) / 50 - 0.99, Math.floor(i / 100) / 25 - 0.97, 0, 0, (i % 7) / 6, (i % 11) / 10, (i % 13) / 12, 1]);
    return new Uint8Array(constants.buffer);
});

export const constantsOf = (i) => all[i];
export const texelsOf = (i) => Uint8Array.of(255 - 2 * i, 2 * i, 128, 255);

export const ROWS = [
    {name: 'one', what: '1 draw', draws: 1},
    {name: 'draws', what: '5,000 draws, nothing changes'},
    {name: 'constants', what: '... with 64 bytes of new constants each', hasConstants: true},
    {name: 'textures', what: '... and a texture each', hasConstants: true, hasTextures: true},
];
