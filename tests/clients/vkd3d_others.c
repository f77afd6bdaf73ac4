/* SPDX-License-Identifier: MIT
 *
 * What vkd3d's shader_runner calls besides its Direct3D 11 executor: executors of others, which run nothing
 * here, and the identifiers of interfaces in the headers that widl made.
 */
#include "config.h"

#define COBJMACROS
#define INITGUID
#define VKD3D_TEST_NO_DEFS
#include "vkd3d_windows.h"

#include "shader_runner.h"

#include "dxcompiler.h"

void run_shader_tests_d3d9(void)
{
}

void run_shader_tests_d3d12(void *compiler)
{
    (void)compiler;
}
