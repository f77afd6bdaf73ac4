/* SPDX-License-Identifier: MIT
 *
 * What scene texts are refused for, and where.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "scene/library.h"
#include "scene/scene.h"
#include "support/notes.h"
#include "support/stream_generator.h"

static enum agpu_status load(const char *text, size_t size, struct notes *notes)
{
    const struct agpu_diag_sink sink = {note, notes};
    struct ag_scene *scene;
    const enum agpu_status status = ag_scene_load("folder/test.scene", text, size, 0, &sink, &scene);
    assert_int_equal(status == AGPU_OK, scene != NULL);
    ag_scene_destroy(scene);
    return status;
}

struct bad_scene {
    const char *text; /* behind the first line */
    enum agpu_diag_code code;
    uint32_t line, column;
};

static const struct bad_scene bad_scenes[] = {
    {"frame 1",                                  AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"\n  title",                                AGPU_DIAG_SCENE_SYNTAX,    3, 3 },
    {"title x",                                  AGPU_DIAG_SCENE_SYNTAX,    2, 7 },
    {"title \"x\" y",                            AGPU_DIAG_SCENE_SYNTAX,    2, 11},
    {"blob @a",                                  AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"blob a : u8 1",                            AGPU_DIAG_SCENE_SYNTAX,    2, 6 },
    {"blob @a : u8 1 ; blob @a : u8 2",          AGPU_DIAG_SCENE_NAME,      2, 23},
    {"blob @a : u8 300",                         AGPU_DIAG_ABI_TEXT_VALUE,  2, 14},
    {"blob @a : file \"none.bin\"",              AGPU_DIAG_FILE_UNREADABLE, 2, 16},
    {"mem @m size=4",                            AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"mem @m at=0",                              AGPU_DIAG_SCENE_VALUE,     2, 1 },
    {"mem @m at=0 size=2 : u32 1",               AGPU_DIAG_SCENE_VALUE,     2, 1 },
    {"mem @m at=0xFFFFFFFFFFFFFFFF size=2",      AGPU_DIAG_SCENE_VALUE,     2, 1 },
    {"mem @m at=0x700000000 size=2",             AGPU_DIAG_SCENE_VALUE,     2, 1 },
    {"mem @m at=0 size=8 ; mem @n at=4 size=8",  AGPU_DIAG_SCENE_VALUE,     2, 22},
    {"mem @m at=0 size=0x80000000",              AGPU_DIAG_SCENE_VALUE,     2, 13},
    {"alloc 1 @m",                               AGPU_DIAG_SCENE_NAME,      2, 9 },
    {"blob @m : u8 1 ; alloc 1 @m",              AGPU_DIAG_SCENE_VALUE,     2, 26},
    {"mem @m at=0 size=8 ; alloc 1 @m writable", AGPU_DIAG_SCENE_SYNTAX,    2, 33},
    {"alloc x",                                  AGPU_DIAG_SCENE_VALUE,     2, 7 },
    {"scanout colour=1",                         AGPU_DIAG_SCENE_NAME,      2, 9 },
    {"scanout format=RGBA",                      AGPU_DIAG_SCENE_VALUE,     2, 9 },
    {"reg NOTHING 1",                            AGPU_DIAG_SCENE_NAME,      2, 5 },
    {"reg DOORBELL",                             AGPU_DIAG_SCENE_SYNTAX,    2, 5 },
    {"tick -1",                                  AGPU_DIAG_SCENE_VALUE,     2, 6 },
    {"shader @s file=\"none.dxbc\"",             AGPU_DIAG_FILE_UNREADABLE, 2, 11},
    {"shader @s",                                AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"submit fence",                             AGPU_DIAG_SCENE_NAME,      2, 8 },
    {"submit flags=LATER",                       AGPU_DIAG_SCENE_VALUE,     2, 8 },
    {"submit abi=1.x",                           AGPU_DIAG_SCENE_VALUE,     2, 8 },
    {"submit {\n DRAW\n",                        AGPU_DIAG_ABI_TEXT_SYNTAX, 4, 1 },
    {"submit {\n  DRAWN\n}",                     AGPU_DIAG_ABI_TEXT_NAME,   3, 3 },
    {"submit {\n  UPLOAD_RESOURCE : @none\n}",   AGPU_DIAG_ABI_TEXT_NAME,   3, 21},
    {"submit {\n submit {\n }\n}",               AGPU_DIAG_ABI_TEXT_SYNTAX, 3, 2 },
    {"}",                                        AGPU_DIAG_ABI_TEXT_SYNTAX, 2, 1 },
    {"title \"x\" {\n}",                         AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"expect",                                   AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"expect luck",                              AGPU_DIAG_SCENE_NAME,      2, 8 },
    {"expect pixel 1 2 3 4 5",                   AGPU_DIAG_SCENE_SYNTAX,    2, 22},
    {"expect pixel 1 2 3 4 5 256",               AGPU_DIAG_SCENE_VALUE,     2, 24},
    {"expect pixel 1 2 3 4 5 6 near=1",          AGPU_DIAG_SCENE_SYNTAX,    2, 26},
    {"expect count 1 2 3 4 5 6",                 AGPU_DIAG_SCENE_SYNTAX,    2, 22},
    {"expect mem @m u8 1",                       AGPU_DIAG_SCENE_NAME,      2, 12},
    {"expect buffer $b 0 u9 1",                  AGPU_DIAG_SCENE_VALUE,     2, 20},
    {"expect buffer $b 0 u8",                    AGPU_DIAG_SCENE_SYNTAX,    2, 20},
    {"expect buffer $b 0 u32 0 equal",           AGPU_DIAG_SCENE_VALUE,     2, 26},
    {"expect mem",                               AGPU_DIAG_SCENE_SYNTAX,    2, 8 },
    {"expect texel $t 0 0 u8 0 unordered",       AGPU_DIAG_SCENE_SYNTAX,    2, 26},
    {"expect texels $t 0 0 1 0 u8 0",            AGPU_DIAG_SCENE_VALUE,     2, 24},
    {"expect texels $t[0,0,0] 0 0 1 1 u8 0",     AGPU_DIAG_SCENE_SYNTAX,    2, 15},
    {"expect irq TIMER",                         AGPU_DIAG_SCENE_NAME,      2, 12},
    {"expect error OOPS",                        AGPU_DIAG_SCENE_NAME,      2, 14},
    {"expect error OOB diag=no.such",            AGPU_DIAG_SCENE_NAME,      2, 18},
    {"shader @s library",                        AGPU_DIAG_SCENE_SYNTAX,    2, 11},
    {"shader @s library none.vs_4_0",            AGPU_DIAG_SCENE_NAME,      2, 19},
    {"shader @s library \"white.ps_4_0\"",       AGPU_DIAG_SCENE_NAME,      2, 19},
    {"shader @s library white.ps_4_0 {\n}",      AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"shader @s library white.ps_4_0 x",         AGPU_DIAG_SCENE_SYNTAX,    2, 32},
    {"shader @s tokens file=\"x\"",              AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"expect warning",                           AGPU_DIAG_SCENE_SYNTAX,    2, 8 },
    {"expect warning no.such",                   AGPU_DIAG_SCENE_NAME,      2, 16},
    {"expect warning exec.undefined-draw tol=1", AGPU_DIAG_SCENE_NAME,      2, 36},
    {"expect warning NONE packet=1",             AGPU_DIAG_SCENE_SYNTAX,    2, 21},
    {"reg IRQ_ENABLE R8G8B8A8_UNORM",            AGPU_DIAG_SCENE_VALUE,     2, 16},
    {"expect counter luck == 1",                 AGPU_DIAG_SCENE_NAME,      2, 16},
    {"expect image \"none.png\"",                AGPU_DIAG_FILE_UNREADABLE, 2, 14},
    {"todo \"x\" submit",                        AGPU_DIAG_SCENE_SYNTAX,    2, 6 },
    {"requires limit.x",                         AGPU_DIAG_SCENE_SYNTAX,    2, 10},
    {"requires driver>=a",                       AGPU_DIAG_SCENE_VALUE,     2, 18},
    {"without",                                  AGPU_DIAG_SCENE_SYNTAX,    2, 1 },
    {"without 4",                                AGPU_DIAG_SCENE_SYNTAX,    2, 9 },
    {"without clip-distance",                    AGPU_DIAG_SCENE_VALUE,     2, 9 },
};

static void errors_have_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(bad_scenes); i++) {
        const struct bad_scene *bad = &bad_scenes[i];
        struct notes notes = {0};
        char text[256];
        snprintf(text, sizeof text, "aerogpu-scene 1\n%s", bad->text);
        const enum agpu_status status = load(text, strlen(text), &notes);
        if (status != AGPU_REFUSED || notes.code != bad->code || notes.line != bad->line ||
            notes.column != bad->column)
            print_error("%s: %u:%u %s %s\n", bad->text, notes.line, notes.column, agpu_diag_slug(notes.code),
                        notes.message);
        assert_int_equal(status, AGPU_REFUSED);
        assert_int_equal(notes.code, bad->code);
        assert_int_equal(notes.line, bad->line);
        assert_int_equal(notes.column, bad->column);
    }
}

static void first_line_is_checked(void **state)
{
    (void)state;
    struct notes notes = {0};
    assert_int_equal(load("", 0, &notes), AGPU_REFUSED);
    assert_int_equal(load("title \"x\"", 9, &notes), AGPU_REFUSED);
    memset(&notes, 0, sizeof notes);
    assert_int_equal(load("aerogpu-scene 2", 15, &notes), AGPU_REFUSED);
    assert_int_equal(notes.column, 15);
    assert_int_equal(load("\x7f\x45LF", 4, &notes), AGPU_REFUSED);
}

static const char shader[] = "aerogpu-scene 1\n"
                             "shader @ps asm {\n"
                             "  ps_4_0\n"
                             "  .out SV_Target0 o0.xyzw float\n"
                             "  dcl_output o0.xyzw\n"
                             "  mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)\n"
                             "  %s\n"
                             "}\n"
                             "submit {\n"
                             "  CREATE_SHADER_DXBC shader_handle=$ps stage=PIXEL : @ps\n"
                             "}\n";

static void shaders_are_assembled(void **state)
{
    (void)state;
    struct notes notes = {0};
    char text[512];
    snprintf(text, sizeof text, shader, "ret");
    assert_int_equal(load(text, strlen(text), &notes), AGPU_OK);
    snprintf(text, sizeof text, shader, "return");
    assert_int_equal(load(text, strlen(text), &notes), AGPU_REFUSED);
    assert_int_equal(notes.line, 7);
}

/* Every shader of the library, whole and as tokens. */
static void the_library_is_sound(void **state)
{
    (void)state;
    struct notes notes = {0};
    assert_true(scene_library_count > 10);
    for (size_t i = 0; i < scene_library_count; i++) {
        char text[256];
        const char *name = scene_library[i].name;
        assert_ptr_equal(scene_library_find(name, strlen(name)), &scene_library[i]);
        assert_true(i == 0 || strcmp(scene_library[i - 1].name, name) < 0);
        snprintf(text, sizeof text,
                 "aerogpu-scene 1\nshader @a library %s\nshader @b tokens library %s\nblob @c : @a\n"
                 "blob @d : @b+4\n",
                 name, name);
        if (load(text, strlen(text), &notes) != AGPU_OK)
            fail_msg("%s: %s", name, notes.message);
    }
    assert_null(scene_library_find("white.ps_4_", 11));
}

static void generated_data_and_all_statements(void **state)
{
    (void)state;
    struct notes notes = {0};
    static const char text[] =
        "aerogpu-scene 1 # the version\n"
        "title \"everything\" ; requires depth-clip-control limit.maxTextureDimension2D>=8192 ext "
        "driver!=none\n"
        "without clip-distances dual-source-blending\n"
        "blob @noise : noise bytes=64 seed=3\n"
        "blob @tail : @noise+32\n"
        "mem @m at=0x1000 size=0x1000 : checker width=4 height=4\n"
        "alloc 7 @m+16 size=64 readonly ; unalloc 7\n"
        "scanout width=4 height=4 format=B8G8R8X8_UNORM pitch=16 fb=@m\n"
        "reg IRQ_ENABLE 0x80000003 ; tick ; tick 2\n"
        "submit context=2 fence=0x10 flags=PRESENT|NO_IRQ abi=1.3 alloc=none nowait {\n"
        "  UPLOAD_RESOURCE resource_handle=$b offset_bytes=@m : @tail\n"
        "}\n"
        "todo \"not yet\" expect fence 1\n"
        "expect error NONE ; expect irq NONE ; expect texel $b[0,0] 0 0 f16 1 ulps=1\n";
    const enum agpu_status status = load(text, sizeof text - 1, &notes);
    if (status != AGPU_OK)
        print_error("%u:%u %s\n", notes.line, notes.column, notes.message);
    assert_int_equal(status, AGPU_OK);
    assert_int_equal(notes.count, 0);
}

static void features_that_are_not_used(void **state)
{
    (void)state;
    static const char text[] = "aerogpu-scene 1\nwithout clip-distances dual-source-blending\n"
                               "without depth-clip-control\n";
    struct ag_scene *scene = NULL;
    uint32_t count = 0;
    assert_int_equal(ag_scene_load("t", text, sizeof text - 1, 0, NULL, &scene), AGPU_OK);
    const char *const *names = ag_scene_without(scene, &count);
    assert_int_equal(count, 3);
    assert_string_equal(names[0], "clip-distances");
    assert_string_equal(names[1], "dual-source-blending");
    assert_string_equal(names[2], "depth-clip-control");
    ag_scene_destroy(scene);
}

/* Damage anywhere gives a scene or diagnostics, and nothing else. */
static void damaged_scenes_are_survived(void **state)
{
    (void)state;
    static const char good[] =
        "aerogpu-scene 1\nblob @a : f32 1 -2 0x10\nmem @m at=0x1000 size=64 : @a\nalloc 1 @m readonly\n"
        "shader @s asm {\n  ps_4_0\n  ret\n}\nscanout width=4 fb=@m\n"
        "submit fence=1 flags=PRESENT {\n SET_VERTEX_BUFFERS bindings=[{buffer=$b}] ; DEBUG_MARKER "
        "text=\"x\\x00\"\n}\n"
        "expect pixel 1 2 3 4 5 6 tol=1 ; expect buffer $b 0 u32 1 2 unordered\nexpect mem @m+4 f32 "
        "f32:7F800000\n"
        "requires limit.a>=4 driver!=x\n";
    struct random_source random = {7};
    for (int round = 0; round < 4000; round++) {
        struct notes notes = {0};
        const size_t size = random_chance(&random, 3) ? random_below(&random, sizeof good) : sizeof good - 1;
        /* An exact copy, so that a checker sees every read past its end. */
        char *text = malloc(size != 0 ? size : 1);
        assert_non_null(text);
        memcpy(text, good, size);
        for (unsigned i = 0; size > 16 && i < 1 + random_below(&random, 4); i++) {
            static const char hard[] = "{}[]$@:=;#\"\\\n|+-.0x \x80";
            text[16 + random_below(&random, (uint32_t)size - 16)] = hard[random_below(&random, sizeof hard)];
        }
        const enum agpu_status status = load(text, size, &notes);
        assert_true(status == AGPU_OK || (status == AGPU_REFUSED && notes.count != 0));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(first_line_is_checked),
        cmocka_unit_test(shaders_are_assembled),
        cmocka_unit_test(the_library_is_sound),
        cmocka_unit_test(generated_data_and_all_statements),
        cmocka_unit_test(features_that_are_not_used),
        cmocka_unit_test(damaged_scenes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
