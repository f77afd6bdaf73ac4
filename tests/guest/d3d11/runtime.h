/* SPDX-License-Identifier: MIT
 *
 * A Direct3D 11 device over a host in the same process, and what tests of the runtime need again and again.
 */
#ifndef RT_TESTS_GUEST_D3D11_RUNTIME_H
#define RT_TESTS_GUEST_D3D11_RUNTIME_H

#define COBJMACROS
#include "guest/d3d11/com.h"
#include "guest/d3d11/exports.h"
#include "tests/guest/rig.h"
#include "tests/support/test.h"

#define SIDE 16u

extern ID3D11Device *device;
extern ID3D11DeviceContext *context;
/* Presents that the host has got, and the first texel of the newest. */
extern unsigned runtime_present_count;
extern uint8_t runtime_present_texel[4];

/* Runs tests on a driver: 77 where it is not installed. Each test has a device of its own. */
int runtime_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests, size_t count);
int runtime_begin(void **state);
int runtime_begin_10(void **state); /* feature level 10_0 */
int runtime_end(void **state);

#define RUNTIME_TEST(function) cmocka_unit_test_setup_teardown(function, runtime_begin, runtime_end)
#define RUNTIME_TEST_10(function) cmocka_unit_test_setup_teardown(function, runtime_begin_10, runtime_end)

ULONG count_of(void *interface_pointer);
void *interface_of(void *object, REFIID iid);

/* The bytes of an assembled listing, which the caller gives to runtime_free(). */
void *runtime_assemble(const char *listing, SIZE_T *size);
void runtime_free(void *bytes);
ID3D11VertexShader *runtime_vs(const char *listing);
ID3D11PixelShader *runtime_ps(const char *listing);

D3D11_TEXTURE2D_DESC texture_desc(UINT bind_flags);
ID3D11Texture2D *runtime_texture(const D3D11_TEXTURE2D_DESC *desc);
/* A target that other devices may open, and the number of GetSharedHandle by which they do. */
ID3D11Texture2D *runtime_shared_texture(UINT misc_flags);
HANDLE number_of(void *object);
ID3D11Buffer *runtime_buffer(UINT size, D3D11_USAGE usage, UINT bind_flags, const void *data);

/* A texel of R8G8B8A8, through a staging texture: 0xAABBGGRR. */
UINT runtime_texel(ID3D11DeviceContext *of, ID3D11Texture2D *texture, UINT x, UINT y);

/* Pixels of the first texel of a texture; the other shaders are the rig's. */
extern const char texture_ps[];

#endif
