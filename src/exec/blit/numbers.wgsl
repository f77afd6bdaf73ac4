// SPDX-License-Identifier: MIT
//
// Conversion between the components of a format and numbers of shaders. The build puts this file in front of every
// kernel that converts texels or elements. `number` is enum ag_number.

fn float_of(raw: u32, bits: u32) -> u32 {
    let mantissa_bits = select(bits - 5u, 10u, bits == 16u);
    let sign = select(0u, (raw & 0x8000u) << 16u, bits == 16u);
    let mantissa = extractBits(raw, 0u, mantissa_bits);
    let exponent = extractBits(raw, mantissa_bits, 5u);
    if (exponent == 31u) { return sign | 0x7F800000u | (mantissa << (23u - mantissa_bits)); }
    if (exponent == 0u) {
        let step = bitcast<f32>((113u - mantissa_bits) << 23u);
        return sign | bitcast<u32>(f32(mantissa) * step);
    }
    return sign | ((exponent + 112u) << 23u) | (mantissa << (23u - mantissa_bits));
}
// The least and the largest value are exact (D3D11.3 3.2.3.5), although drivers divide with a small error.
fn normalized(value: i32, whole: i32) -> f32 {
    return select(select(f32(value) / f32(whole), 1.0, value == whole), -1.0, value <= -whole);
}
fn number_of(raw: u32, bits: u32, number: u32) -> u32 {
    let extended = bitcast<i32>(raw << (32u - bits)) >> (32u - bits);
    switch (number) {
        case 0u: { if (bits == 32u) { return raw; } return float_of(raw, bits); }
        case 1u: { return bitcast<u32>(normalized(i32(raw), i32((1u << bits) - 1u))); }
        case 2u: { return bitcast<u32>(normalized(extended, i32((1u << (bits - 1u)) - 1u))); }
        case 4u: { return bitcast<u32>(extended); }
        default: { return raw; }
    }
}

// Rounds a small float towards zero. A negative number becomes 0 in a format without sign (D3D11.3 3.2.2). What is NaN
// keeps its upper bits, so that texels which a view of halves leaves alone are the same in other formats.
fn small_float(value: u32, bits: u32) -> u32 {
    let mantissa_bits = select(bits - 5u, 10u, bits == 16u);
    let sign = select(0u, (value >> 16u) & 0x8000u, bits == 16u);
    let size = value & 0x7FFFFFFFu;
    let infinity = 31u << mantissa_bits;
    if (size > 0x7F800000u) {
        let payload = extractBits(size, 23u - mantissa_bits, mantissa_bits);
        return sign | infinity | select(payload, 1u << (mantissa_bits - 1u), payload == 0u);
    }
    if (bits != 16u && value != size) { return 0u; }
    if (size == 0x7F800000u) { return sign | infinity; }
    let exponent = size >> 23u;
    if (exponent >= 143u) { return sign | (infinity - 1u); }
    let rest = 23u - mantissa_bits;
    if (exponent >= 113u) {
        return sign | ((exponent - 112u) << mantissa_bits) | ((size & 0x7FFFFFu) >> rest);
    }
    let lost = 113u - exponent + rest;
    if (lost > 24u) { return sign; }
    return sign | (((size & 0x7FFFFFu) | 0x800000u) >> lost);
}
fn within(value: u32, least: f32) -> f32 {
    if ((value & 0x7FFFFFFFu) > 0x7F800000u) { return 0.0; }
    return clamp(bitcast<f32>(value), least, 1.0);
}
fn packed_number(value: u32, bits: u32, number: u32) -> u32 {
    let mask = 0xFFFFFFFFu >> (32u - bits);
    switch (number) {
        case 0u: { if (bits == 32u) { return value; } return small_float(value, bits); }
        case 1u: { return u32(within(value, 0.0) * f32(mask) + 0.5); }
        case 2u: {
            let scaled = within(value, -1.0) * f32(mask >> 1u);
            return bitcast<u32>(i32(scaled + select(0.5, -0.5, scaled < 0.0))) & mask;
        }
        case 3u: { return min(value, mask); }
        case 4u: {
            let most = bitcast<i32>(mask >> 1u);
            return bitcast<u32>(clamp(bitcast<i32>(value), -most - 1, most)) & mask;
        }
        default: { return value; }
    }
}
