/* SPDX-License-Identifier: MIT
 *
 * Translates a vertex and a pixel shader for one pipeline, and writes the modules with what a pipeline layout
 * needs to know as comments in front. Without files it assembles a pair first.
 *
 *     translate [VERTEX PIXEL]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/translate.h"

static const char vertex_sample[] = "vs_4_0\n"
                                    ".in POSITION0 v0.xyzw float\n"
                                    ".in NORMAL0 v1.xyz float\n"
                                    ".in TEXCOORD0 v2.xy float\n"
                                    ".out SV_Position0 o0.xyzw float position\n"
                                    ".out NORMAL0 o1.xyz float\n"
                                    ".out TEXCOORD0 o2.xy float\n"
                                    "dcl_constantbuffer CB1[1], immediateIndexed\n"
                                    "dcl_input v0.xyzw\n"
                                    "dcl_input v1.xyz\n"
                                    "dcl_input v2.xy\n"
                                    "dcl_output_siv o0.xyzw, position\n"
                                    "dcl_output o1.xyz\n"
                                    "dcl_output o2.xy\n"
                                    "mul o0.xyzw, v0.xyzw, cb1[0].xyzw\n"
                                    "mov o1.xyz, v1.xyzx\n"
                                    "mov o2.xy, v2.xyxx\n"
                                    "ret\n";

/* It reads no NORMAL, so that the vertex shader that is linked with it does not write one. */
static const char pixel_sample[] = "ps_4_0\n"
                                   ".in SV_Position0 v0.xyzw float position read=0x0\n"
                                   ".in NORMAL0 v1.xyz float read=0x0\n"
                                   ".in TEXCOORD0 v2.xy float\n"
                                   ".out SV_Target0 o0.xyzw float\n"
                                   "dcl_sampler s0, mode_default\n"
                                   "dcl_resource_texture2d (float,float,float,float) t3\n"
                                   "dcl_input_ps linear v2.xy\n"
                                   "dcl_output o0.xyzw\n"
                                   "sample o0.xyzw, v2.xyxx, t3.xyzw, s0\n"
                                   "ret\n";

static void print_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", agpu_diag_slug(diag->code), diag->message);
}

static struct agpu_shader *assemble(const char *text, const struct agpu_diag_sink *sink)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct agpu_shader *shader = NULL;
    if (agpu_assemble(text, strlen(text), sink, &bytes, &size) == AGPU_OK)
        agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, sink, &shader);
    agpu_free(bytes);
    return shader;
}

static struct agpu_shader *load(const char *path, const struct agpu_diag_sink *sink)
{
    static uint8_t bytes[1 << 20];
    struct agpu_shader *shader = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, sink, &shader);
    return shader;
}

/* Registers of D3D and where the module has them. What no instruction uses has no binding. */
static void print_bindings(const struct agpu_module *module)
{
    static const char registers[] = {'b', 't', 's', 'u'};
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        printf("// @group(%u) @binding(%u): ", binding->group, binding->binding);
        if (binding->space == AGPU_SPACE_INTERNAL)
            printf("data of the executor");
        else
            printf("%c%u", registers[binding->space], binding->slot);
        if (binding->bytes != 0)
            printf(", at least %llu bytes", (unsigned long long)binding->bytes);
        putchar('\n');
    }
}

static bool translate(const struct agpu_shader *shader, const struct agpu_shader *partner,
                      const struct agpu_diag_sink *sink)
{
    const struct agpu_translate_options options = {.size = sizeof options, .linked = partner};
    struct agpu_module *module = NULL;
    if (agpu_translate(shader, &options, sink, &module) != AGPU_OK)
        return false;
    print_bindings(module);
    printf("%s\n", module->wgsl);
    agpu_module_destroy(module);
    return true;
}

int main(int argc, char **argv)
{
    const struct agpu_diag_sink sink = {print_diag, NULL};
    const bool has_files = argc > 2;
    struct agpu_shader *vertex = has_files ? load(argv[1], &sink) : assemble(vertex_sample, &sink);
    struct agpu_shader *pixel = has_files ? load(argv[2], &sink) : assemble(pixel_sample, &sink);
    const bool good =
        vertex != NULL && pixel != NULL && translate(vertex, pixel, &sink) && translate(pixel, vertex, &sink);
    agpu_shader_destroy(vertex);
    agpu_shader_destroy(pixel);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
