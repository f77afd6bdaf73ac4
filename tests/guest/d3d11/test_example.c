/* SPDX-License-Identifier: MIT
 *
 * An example's picture, drawn natively: the same source as the Windows program's, the same expectations.
 *
 *     test_example DRIVER EXPECTATIONS
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

#include "guest/examples/example.h"

enum { TOLERANCE = 2 };

static const char *expectations;

static void is_near(int x, int y, UINT texel, const int wanted[3])
{
    for (int i = 0; i < 3; i++)
        if (abs((int)(texel >> 8 * i & 255) - wanted[i]) > TOLERANCE)
            fail_msg("(%d, %d) is %08x instead of %d %d %d", x, y, texel, wanted[0], wanted[1], wanted[2]);
}

static void the_picture_is_as_expected(void **state)
{
    (void)state;
    const D3D11_TEXTURE2D_DESC desc = {
        .Width = EXAMPLE_SIDE,
        .Height = EXAMPLE_SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = D3D11_BIND_RENDER_TARGET,
    };
    struct example e = {.device = device, .context = context, .buffer = runtime_texture(&desc)};
    int x, y, wanted[3], count = 0;
    char line[256];
    FILE *file = fopen(expectations, "r");
    assert_non_null(file);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)e.buffer, NULL, &e.target),
                     S_OK);
    /* The second frame begins with what the first has left behind. */
    assert_int_equal(example_draw(&e), S_OK);
    assert_int_equal(example_draw(&e), S_OK);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%d %d %d %d %d", &x, &y, &wanted[0], &wanted[1], &wanted[2]), 5);
        is_near(x, y, runtime_texel(context, e.buffer, (UINT)x, (UINT)y), wanted);
        count++;
    }
    fclose(file);
    assert_true(count >= 4);
    ID3D11DeviceContext_ClearState(context);
    example_release(e.target);
    example_release(e.buffer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(the_picture_is_as_expected),
    };
    if (argc < 3)
        return 1;
    expectations = argv[2];
    return runtime_main(argc, argv, "guest/example", tests, 1);
}
