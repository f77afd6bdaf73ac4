/* SPDX-License-Identifier: MIT
 *
 * What OpenGL ES 3 has beyond version 2, drawn and read back. usage: gles3.exe [CASE...]
 */
#include "gles.h"

#include <stdint.h>
#include <string.h>

enum { RED = 0xff0000ff, GREEN = 0x00ff00ff, BLUE = 0x0000ffff, WHITE = 0xffffffff, NOTHING = 0 };

#define HEAD "#version 300 es\nprecision highp float; precision highp int;\n"
#define SAMPLERS                                                                                             \
    "precision highp sampler3D; precision highp sampler2DArray; precision highp isampler2D; precision "      \
    "highp usampler2D;"                                                                                      \
    "precision highp sampler2DShadow;\n"
#define VERTEX                                                                                               \
    HEAD "in vec4 position; in vec2 other; out vec2 v; void main() { v = other; gl_Position = position; }"

static GLuint use(const char *fragment)
{
    return gles_program(VERTEX, fragment);
}

static GLuint framebuffer(GLuint texture)
{
    GLuint name;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    if (texture != 0)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return name;
}

static GLuint storage(GLenum format, GLsizei width, GLsizei height)
{
    const GLuint texture = gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    return texture;
}

/* The surface again, whole. */
static void back(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, EDGE, EDGE);
}

static GLuint buffer(GLenum target, const void *data, size_t size)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, (GLsizeiptr)size, data, GL_DYNAMIC_DRAW);
    return name;
}

/* ---- Targets ------------------------------------------------------------------------------------------- */

static void four_targets(void)
{
    static const GLenum places[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_NONE,
                                    GL_COLOR_ATTACHMENT3};
    static const unsigned wanted[] = {RED, GREEN, 0x11111111, BLUE};
    const GLfloat old[] = {0x11 / 255.f, 0x11 / 255.f, 0x11 / 255.f, 0x11 / 255.f};
    use(HEAD
        "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 c;"
        "layout(location = 3) out vec4 d; void main() { a = vec4(1, 0, 0, 1); b = vec4(0, 1, 0, 1); c = "
        "vec4(1); d = vec4(0, 0, 1, 1); }");
    framebuffer(0);
    for (GLenum i = 0; i < 4; i++) {
        static const GLenum all[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2,
                                     GL_COLOR_ATTACHMENT3};
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D,
                               storage(GL_RGBA8, 8, 8), 0);
        glDrawBuffers((GLsizei)i + 1, all);
        glClearBufferfv(GL_COLOR, (GLint)i, old);
    }
    glDrawBuffers(4, places);
    glViewport(0, 0, 8, 8);
    gles_fill();
    for (GLenum i = 0; i < 4; i++) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        gles_expect(4, 4, wanted[i], 0);
    }
    back();
}

static void targets_of_integers(void)
{
    GLuint unsigned_pixel[4] = {0};
    GLint signed_pixel[4] = {0};
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    use(HEAD "layout(location = 0) out uvec4 a; layout(location = 1) out ivec4 b;"
             "void main() { a = uvec4(4000000000u, 1u, 2u, 3u); b = ivec4(-2000000000, -1, 7, 0); }");
    framebuffer(storage(GL_RGBA32UI, 4, 4));
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, storage(GL_RGBA32I, 4, 4), 0);
    glDrawBuffers(2, both);
    glViewport(0, 0, 4, 4);
    gles_fill();
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(1, 1, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, unsigned_pixel);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(1, 1, 1, 1, GL_RGBA_INTEGER, GL_INT, signed_pixel);
    gles_expect_int("the unsigned red", (long)(unsigned_pixel[0] - 4000000000u), 0);
    gles_expect_int("the unsigned alpha", (long)unsigned_pixel[3], 3);
    gles_expect_int("the signed red", signed_pixel[0], -2000000000);
    gles_expect_int("the signed green", signed_pixel[1], -1);
    glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){9, 8, 7, 4294967295u});
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(3, 3, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, unsigned_pixel);
    gles_expect_int("the cleared red", (long)unsigned_pixel[0], 9);
    gles_expect_int("the cleared alpha", (long)(unsigned_pixel[3] - 4294967295u), 0);
    back();
}

static void texture_of_targets_kinds(void)
{
    /* Formats of textures that are drawn into, or only sampled, and what a shader reads of them. */
    static const struct {
        GLenum internal, format, type;
        unsigned char texel[8];
        unsigned wanted;
    } kinds[] = {
        {GL_R8,             GL_RED,  GL_UNSIGNED_BYTE,                {0x80},                                           0x800000ff},
        {GL_RG8,            GL_RG,   GL_UNSIGNED_BYTE,                {0x80, 0x40},                                     0x804000ff},
        {GL_RGBA8_SNORM,    GL_RGBA, GL_BYTE,                         {127, 64, 0x81, 127},                             0xff8100ff},
        {GL_RGB10_A2,       GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV,  {0xff, 0x03, 0xf0, 0xff},                         0xff00ffff},
        {GL_R16F,           GL_RED,  GL_HALF_FLOAT,                   {0x00, 0x38},                                     0x800000ff},
        {GL_RGBA16F,        GL_RGBA, GL_HALF_FLOAT,                   {0x00, 0x38, 0x00, 0x34, 0x00, 0xbc, 0x00, 0x3c}, 0x804000ff},
        {GL_R11F_G11F_B10F, GL_RGB,  GL_UNSIGNED_INT_10F_11F_11F_REV, {0x80, 0x03, 0x1a, 0x78},                         0x8040ffff},
        {GL_RGB9_E5,        GL_RGB,  GL_UNSIGNED_INT_5_9_9_9_REV,     {0x80, 0x80, 0x00, 0x80},                         0x804000ff},
        {GL_SRGB8_ALPHA8,   GL_RGBA, GL_UNSIGNED_BYTE,                {188, 0, 255, 128},                               0x8000ff80},
        {GL_R32F,           GL_RED,  GL_FLOAT,                        {0, 0, 0, 0x3f},                                  0x800000ff},
        {GL_RG16F,          GL_RG,   GL_HALF_FLOAT,                   {0x00, 0x38, 0x00, 0x34},                         0x804000ff},
    };
    const int count = sizeof kinds / sizeof *kinds;
    use(HEAD "uniform sampler2D t; in vec2 v; out vec4 o; void main() { o = texture(t, v); }");
    for (int i = 0; i < count; i++) {
        gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)kinds[i].internal, 1, 1, 0, kinds[i].format, kinds[i].type,
                     kinds[i].texel);
        gles_rectangle(-1 + 2.f * (float)i / (float)count, -1, -1 + 2.f * (float)(i + 1) / (float)count, 1,
                       0);
        gles_expect((2 * i + 1) * EDGE / (2 * count), 20, kinds[i].wanted, 2);
    }
}

static void srgb_targets(void)
{
    use(HEAD "out vec4 o; void main() { o = vec4(0.5, 0.25, 1, 0.5); }");
    framebuffer(storage(GL_SRGB8_ALPHA8, 4, 4));
    glViewport(0, 0, 4, 4);
    gles_fill();
    gles_expect(1, 1, 0xbc89ff80, 1);
    back();
    glBlendFunc(GL_ONE, GL_ONE);
    gles_fill();
    gles_expect(1, 1, 0x8040ff80, 1);
}

static void multisamples(void)
{
    GLuint renderbuffer, names[2];
    static const float corners[] = {-1, -1, 1, -1, -1, 1};
    unsigned char middle[4];
    use(HEAD "out vec4 o; void main() { o = vec4(1, 0, 0, 1); }");
    names[0] = framebuffer(0);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 64, 64);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    gles_expect_int("the framebuffer's status", (long)glCheckFramebufferStatus(GL_FRAMEBUFFER),
                    GL_FRAMEBUFFER_COMPLETE);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    gles_attribute(0, 2, corners, 6);
    glDisableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    names[1] = framebuffer(storage(GL_RGBA8, 64, 64));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, names[0]);
    glBlitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, names[1]);
    gles_expect(5, 5, RED, 0);
    gles_expect(60, 60, BLUE, 0);
    gles_read(32, 31, middle); /* on the edge: some of both, all of one */
    if (middle[0] < 32 || middle[0] > 223)
        gles_fail("the edge is %02x%02x%02x%02x", middle[0], middle[1], middle[2], middle[3]);
    gles_expect_float("red and blue of the edge", middle[0] + middle[2], 255, 1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    back();
}

static void blits(void)
{
    const GLuint source = framebuffer(storage(GL_RGBA8, 8, 8));
    glViewport(0, 0, 8, 8);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 4, 4);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    back();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
    glBlitFramebuffer(0, 0, 8, 8, 0, 0, 32, 32, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBlitFramebuffer(0, 0, 8, 8, 64, 32, 32, 0, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST); /* mirrored in both directions */
    glBlitFramebuffer(0, 0, 8, 8, 0, 32, 32, 64, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    back();
    gles_expect(15, 15, GREEN, 0);
    gles_expect(16, 15, RED, 0);
    gles_expect(47, 17, RED, 0);
    gles_expect(48, 16, GREEN, 0);
    gles_expect(3, 35, GREEN, 1);
    gles_expect(29, 60, RED, 1);
    gles_expect(15, 35, 0x649b00ff, 24); /* between the texels of both */
}

static void depth_textures(void)
{
    static const GLenum formats[] = {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F,
                                     GL_DEPTH24_STENCIL8};
    for (int i = 0; i < 4; i++) {
        const GLuint depth = storage(formats[i], 16, 16);
        framebuffer(0);
        glFramebufferTexture2D(GL_FRAMEBUFFER, i == 3 ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                               GL_TEXTURE_2D, depth, 0);
        glViewport(0, 0, 16, 16);
        glEnable(GL_DEPTH_TEST);
        glClearDepthf(1);
        glClear(GL_DEPTH_BUFFER_BIT);
        use(HEAD "void main() {}");
        gles_rectangle(-1, -1, 0, 1, -0.5f);
        glDisable(GL_DEPTH_TEST);
        back();
        glBindTexture(GL_TEXTURE_2D, depth);
        use(HEAD SAMPLERS "uniform sampler2D t; in vec2 v; out vec4 o; void main() { o = vec4(texture(t, "
                          "v).r, 0, 0, 1); }");
        gles_rectangle(-1, -1 + 0.5f * (float)i, 0, -0.5f + 0.5f * (float)i, 0);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_GREATER);
        use(HEAD SAMPLERS "uniform sampler2DShadow t; in vec2 v; out vec4 o; void main() { o = vec4(0, "
                          "texture(t, vec3(v, 0.5)), 0, 1); }");
        gles_rectangle(0, -1 + 0.5f * (float)i, 1, -0.5f + 0.5f * (float)i, 0);
        gles_expect(8, 5 + 16 * i, 0x400000ff, 1);
        gles_expect(24, 5 + 16 * i, RED, 0);
        gles_expect(40, 5 + 16 * i, GREEN, 0); /* 0.5 > 0.25 */
        gles_expect(56, 5 + 16 * i, 0x000000ff, 0);
    }
}

/* ---- Buffers ------------------------------------------------------------------------------------------- */

static void uniform_blocks(void)
{
    static float values[64 + 4] = {1, 0, 0, 1}; /* a second block 256 bytes behind */
    GLint alignment = 0;
    const GLuint program = use(HEAD "layout(std140) uniform block { vec4 tone; }; layout(std140) uniform "
                                    "more { float weights[2]; vec3 sum; };"
                                    "out vec4 o; void main() { o = tone * weights[1] + vec4(sum, 0); }");
    static const float weights[] = {9, 9, 9, 9, 0.5f, 9, 9, 9, 0, 0.2f, 0.4f};
    memcpy(values + 64, (const float[]){0, 1, 0, 1}, 16);
    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    gles_expect_int("256 modulo the alignment of ranges", 256 % alignment, 0);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "block"), 3);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "more"), 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer(GL_UNIFORM_BUFFER, weights, sizeof weights));
    const GLuint tones = buffer(GL_UNIFORM_BUFFER, values, sizeof values);
    glBindBufferRange(GL_UNIFORM_BUFFER, 3, tones, 0, 16);
    gles_rectangle(-1, -1, 0, 1, 0);
    glBindBufferRange(GL_UNIFORM_BUFFER, 3, tones, 256, 16);
    gles_rectangle(0, -1, 1, 0, 0);
    glBindBuffer(GL_UNIFORM_BUFFER, tones);
    glBufferSubData(GL_UNIFORM_BUFFER, 256, 16, (const float[]){0, 0, 1, 2});
    gles_rectangle(0, 0, 1, 1, 0);
    gles_expect(10, 10, 0x80336680, 1);
    gles_expect(50, 10, 0x00b36680, 1);
    gles_expect(50, 50, 0x0033e6ff, 1);
}

static void feed_back(GLenum mode, bool is_one_buffer)
{
    static const char *const varyings[] = {"twice", "number"};
    static const float input[] = {1, 2, 3, 4, 5, 6};
    GLuint results[2];
    gles_feedback_program(
        HEAD "in vec2 position; out vec2 twice; flat out int number;"
             "void main() { twice = position * 2.0; number = gl_VertexID + 10; gl_Position = vec4(0); }",
        HEAD "out vec4 o; void main() { o = vec4(1); }", varyings, 2, mode);
    gles_attribute(0, 2, input, 6);
    for (GLuint i = 0; i < 2; i++) {
        results[i] = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, NULL, 64);
        if (i == 0 || !is_one_buffer)
            glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, results[i]);
    }
    GLuint query, written = 0;
    glGenQueries(1, &query);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 2);
    glDrawArrays(GL_POINTS, 2, 1); /* behind the first two */
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glDisable(GL_RASTERIZER_DISCARD);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
    gles_expect_int("the written primitives", (long)written, 3);
    for (int i = 0; i < 3; i++) {
        const size_t stride = is_one_buffer ? 12 : 8;
        glBindBuffer(GL_COPY_READ_BUFFER, results[0]);
        const unsigned char *map = glMapBufferRange(GL_COPY_READ_BUFFER, 0, 64, GL_MAP_READ_BIT);
        float twice[2] = {0};
        int32_t number = 0;
        if (map == NULL) {
            gles_fail("no map");
            return;
        }
        memcpy(twice, map + stride * (size_t)i, 8);
        memcpy(&number, map + stride * (size_t)i + 8, 4);
        glUnmapBuffer(GL_COPY_READ_BUFFER);
        if (!is_one_buffer) {
            glBindBuffer(GL_COPY_READ_BUFFER, results[1]);
            map = glMapBufferRange(GL_COPY_READ_BUFFER, 0, 64, GL_MAP_READ_BIT);
            memcpy(&number, map + 4 * i, 4);
            glUnmapBuffer(GL_COPY_READ_BUFFER);
        }
        gles_expect_float("x", twice[0], 2 * input[2 * i], 0);
        gles_expect_float("y", twice[1], 2 * input[2 * i + 1], 0);
        /* The number of a vertex is that within its draw's arrays. */
        gles_expect_int("the number", number, 10 + i);
    }
}

static void feedback_into_one_buffer(void)
{
    feed_back(GL_INTERLEAVED_ATTRIBS, true);
}

static void feedback_into_two_buffers(void)
{
    feed_back(GL_SEPARATE_ATTRIBS, false);
}

static void feedback_is_drawn(void)
{
    static const char *const varyings[] = {"gl_Position"};
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    gles_feedback_program(HEAD "in vec2 position; void main() { gl_Position = vec4(position * 0.5, 0, 1); }",
                          HEAD "out vec4 o; void main() { o = vec4(1); }", varyings, 1,
                          GL_INTERLEAVED_ATTRIBS);
    gles_attribute(0, 2, corners, 8);
    const GLuint result = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, NULL, 64);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, result);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 4);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gles_program(HEAD "in vec4 position; void main() { gl_Position = position; }",
                 HEAD "out vec4 o; void main() { o = vec4(0, 1, 0, 1); }");
    glBindBuffer(GL_ARRAY_BUFFER, result);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gles_expect(16, 16, GREEN, 0);
    gles_expect(47, 47, GREEN, 0);
    gles_expect(15, 30, NOTHING, 0);
}

static void maps_and_copies(void)
{
    static const unsigned char bytes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const GLuint from = buffer(GL_COPY_READ_BUFFER, bytes, sizeof bytes);
    buffer(GL_COPY_WRITE_BUFFER, NULL, 16);
    unsigned char *map =
        glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, 16, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (map != NULL)
        memset(map, 0xee, 16);
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 2, 5, 3);
    map = glMapBufferRange(GL_COPY_READ_BUFFER, 1, 4, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
    if (map != NULL)
        map[1] = 99;
    glFlushMappedBufferRange(GL_COPY_READ_BUFFER, 1, 1);
    glUnmapBuffer(GL_COPY_READ_BUFFER);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 2, 0, 1);
    map = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, 16, GL_MAP_READ_BIT);
    if (map == NULL) {
        gles_fail("no map");
        return;
    }
    gles_expect_int("byte 0", map[0], 99);
    gles_expect_int("byte 4", map[4], 0xee);
    gles_expect_int("byte 5", map[5], 2);
    gles_expect_int("byte 7", map[7], 4);
    gles_expect_int("byte 8", map[8], 0xee);
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    glBindBuffer(GL_COPY_READ_BUFFER, from);
}

static void pixels_in_buffers(void)
{
    static unsigned char texels[4 * 4 * 4 + 16];
    for (int i = 0; i < 16; i++)
        memcpy(texels + 16 + 4 * i, (const unsigned char[]){(unsigned char)(i * 16), 0, 255, 255}, 4);
    use(HEAD "uniform sampler2D t; in vec2 v; out vec4 o; void main() { o = texture(t, v); }");
    storage(GL_RGBA8, 4, 4);
    const GLuint upload = buffer(GL_PIXEL_UNPACK_BUFFER, texels, sizeof texels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, (void *)16);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gles_fill();
    const GLuint download = buffer(GL_PIXEL_PACK_BUFFER, NULL, 64 * 4 * 2);
    glReadPixels(0, 40, 64, 1, GL_RGBA, GL_UNSIGNED_BYTE, (void *)256);
    const unsigned char *const map = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 256, 256, GL_MAP_READ_BIT);
    if (map == NULL)
        gles_fail("no map");
    for (int i = 0; map != NULL && i < 4; i++)
        gles_expect_int("the red", map[16 * i * 4 + 32], (8 + i) * 16);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glDeleteBuffers(2, (const GLuint[]){upload, download});
}

/* ---- Textures ------------------------------------------------------------------------------------------ */

static void volumes(void)
{
    unsigned char texels[4 * 2 * 2 * 4];
    const GLuint program = use(HEAD SAMPLERS "uniform sampler3D t; uniform float z; in vec2 v; out vec4 o; "
                                             "void main() { o = texture(t, vec3(v, z)); }");
    for (int i = 0; i < 16; i++)
        memcpy(texels + 4 * i,
               (const unsigned char[]){(unsigned char)(i % 2 * 255), (unsigned char)(i / 2 % 2 * 255),
                                       (unsigned char)(i / 4 * 80), 255},
               4);
    gles_texture(GL_TEXTURE_3D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 2, 2, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_REPEAT);
    const GLint z = gles_uniform(program, "z");
    glUniform1f(z, 0.6f);
    gles_rectangle(-1, -1, 0, 1, 0);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 1, 0, 3, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    (const unsigned char[]){1, 2, 3, 4});
    glUniform1f(z, 1.9f);
    gles_rectangle(0, -1, 1, 1, 0);
    gles_expect(5, 5, 0x0000a0ff, 0);
    gles_expect(25, 50, 0xffffa0ff, 0);
    gles_expect(40, 5, 0x0000f0ff, 0);
    gles_expect(60, 5, 0x01020304, 0);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glUniform1f(z, 0.5f);
    gles_rectangle(-1, -1, 0, 1, 0);
    gles_expect(1, 1, 0x000078ff, 12); /* between the slices 1 and 2 */
}

static void slices_are_targets(void)
{
    const GLuint volume = gles_texture(GL_TEXTURE_3D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    GLuint name;
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA8, 4, 4, 4);
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    glViewport(0, 0, 4, 4);
    for (int slice = 0; slice < 4; slice++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, volume, 0, slice);
        glClearColor((float)slice / 3, 1, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    back();
    use(HEAD SAMPLERS "uniform sampler3D t; in vec2 v; out vec4 o; void main() { o = texelFetch(t, ivec3(0, "
                      "0, int(v.x * 4.0)), 0); }");
    gles_fill();
    for (int slice = 0; slice < 4; slice++)
        gles_expect(8 + 16 * slice, 9, (unsigned)(slice * 85) << 24 | 0xff00ff, 0);
}

static void arrays_of_textures(void)
{
    unsigned char texels[4 * 3];
    const GLuint program = use(HEAD SAMPLERS "uniform sampler2DArray t; uniform float layer; in vec2 v; out "
                                             "vec4 o; void main() { o = texture(t, vec3(v, layer)); }");
    for (int i = 0; i < 3; i++)
        memcpy(texels + 4 * i, (const unsigned char[]){(unsigned char)(i * 100), 0, 0, 255}, 4);
    gles_texture(GL_TEXTURE_2D_ARRAY, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 1, 1, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    static const float layers[] = {0.4f, 1.4f, 1.6f, 7};
    static const unsigned wanted[] = {0x000000ff, 0x640000ff, 0xc80000ff, 0xc80000ff};
    for (int i = 0; i < 4; i++) {
        glUniform1f(gles_uniform(program, "layer"), layers[i]);
        gles_rectangle(-1 + 0.5f * (float)i, -1, -0.5f + 0.5f * (float)i, 1, 0);
        gles_expect(8 + 16 * i, 9, wanted[i], 0);
    }
}

static void fetches_and_sizes(void)
{
    static const GLint integers[] = {-5, 100000, 7, -1};
    use(HEAD SAMPLERS
        "uniform isampler2D t; in vec2 v; out vec4 o; void main() { ivec2 size = textureSize(t, 0);"
        "int x = texelFetch(t, ivec2(1, 0), 0).r; int y = texture(t, vec2(0.1, 0.9)).r;"
        "o = vec4(x == 100000 ? 1.0 : 0.0, y == 7 ? 1.0 : 0.0, size == ivec2(2, 2) ? 1.0 : 0.0, "
        "texelFetch(t, ivec2(1, 1), 0) == ivec4(-1, 0, 0, 1) ? 1.0 : 0.0); }");
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32I, 2, 2, 0, GL_RED_INTEGER, GL_INT, integers);
    gles_fill();
    gles_expect(30, 30, WHITE, 0);
}

static void levels_by_shader(void)
{
    unsigned char texels[64];
    use(HEAD "uniform sampler2D t; in vec2 v; out vec4 o; void main() {"
             "if (v.x < 0.25) o = textureLod(t, v, 1.0); else if (v.x < 0.5) o = textureLod(t, v, 7.0);"
             "else if (v.x < 0.75) o = textureGrad(t, v, vec2(0.5, 0), vec2(0, 0.5)); else o = "
             "textureLodOffset(t, vec2(0.625, 0.1), 0.0, ivec2(1, 0)); }");
    gles_texture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_CLAMP_TO_EDGE);
    for (int level = 0; level < 3; level++) {
        for (int i = 0; i < 16; i++)
            memcpy(texels + 4 * i,
                   (const unsigned char[]){(unsigned char)(level * 80),
                                           (unsigned char)(level == 0 ? i * 10 : 0), 0, 255},
                   4);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 4 >> level, 4 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    }
    gles_fill();
    gles_expect(8, 8, 0x500000ff, 0);
    gles_expect(24, 8, 0xa00000ff, 0);
    gles_expect(40, 8, 0x500000ff, 0); /* half of four texels a pixel: level 1 */
    gles_expect(56, 8, 0x001e00ff, 0); /* texel 3 of the first row */
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    gles_fill();
    gles_expect(24, 8, 0x500000ff, 0);
    gles_expect(56, 8, 0x500000ff, 0);
}

static void swizzles_and_samplers(void)
{
    static const unsigned char texels[] = {10, 20, 30, 40, 50, 60, 70, 80};
    GLuint samplers[2];
    use(HEAD
        "uniform sampler2D t; in vec2 v; out vec4 o; void main() { o = texture(t, vec2(v.x * 2.0, 0.5)); }");
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_BLUE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_ONE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, GL_ZERO);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, GL_RED);
    glGenSamplers(2, samplers);
    glSamplerParameteri(samplers[0], GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glSamplerParameteri(samplers[0], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(samplers[0], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gles_rectangle(-1, -1, 1, 0, 0);
    glBindSampler(0, samplers[0]);
    gles_rectangle(-1, 0, 1, 1, 0);
    gles_expect(8, 8, 0x1eff000a, 0);
    gles_expect(56, 8, 0x46ff0032, 0);
    gles_expect(40, 40, 0x46ff0032, 0);
    gles_expect(56, 40, 0x1eff000a, 0);
}

/* ---- Vertices and shaders ------------------------------------------------------------------------------ */

static void instances(void)
{
    static const float corners[] = {0, 0, 0.5f, 0, 0, 0.5f, 0.5f, 0.5f}, tones[] = {0.2f, 0.6f};
    gles_program(HEAD "in vec2 position; in float other; flat out vec4 tone; void main() {"
                      "tone = vec4(other, float(gl_InstanceID) / 3.0, 0, 1); gl_Position = vec4(position + "
                      "vec2(-1.0 + 0.5 * float(gl_InstanceID), 0), 0, 1); }",
                 HEAD "flat in vec4 tone; out vec4 o; void main() { o = tone; }");
    gles_attribute(0, 2, corners, 8);
    gles_attribute(1, 1, tones, 2);
    glVertexAttribDivisor(1, 2);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
    static const unsigned wanted[] = {0x330000ff, 0x335500ff, 0x99aa00ff, 0x99ff00ff};
    for (int i = 0; i < 4; i++)
        gles_expect(8 + 16 * i, 40, wanted[i], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElementsInstanced(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, (const GLushort[]){0, 1, 2}, 2);
    gles_expect(18, 34, 0x335500ff, 1);
    gles_expect(30, 46, NOTHING, 0);
}

static void restarts(void)
{
    static const float corners[] = {-1, -1, -0.5f, -1, -1, 1, -0.5f, 1, 0.5f, -1, 1, -1, 0.5f, 1, 1, 1};
    static const GLubyte indices[] = {0, 1, 2, 3, 255, 4, 5, 6, 7};
    gles_program(HEAD "in vec2 position; void main() { gl_Position = vec4(position, 0, 1); }",
                 HEAD "out vec4 o; void main() { o = vec4(0, 1, 0, 1); }");
    gles_attribute(0, 2, corners, 16);
    buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof indices);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_BYTE, NULL);
    gles_expect(8, 30, GREEN, 0);
    gles_expect(56, 30, GREEN, 0);
    gles_expect(32, 30, NOTHING, 0);
}

static void integer_attributes(void)
{
    static const GLint numbers[] = {-7, 100000, -7, 100000, -7, 100000, -7, 100000};
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    static const GLuint packed[] = {1023u << 10 | 3u << 30, 1023u << 10 | 3u << 30, 1023u << 10 | 3u << 30,
                                    1023u << 10 | 3u << 30};
    gles_program(
        HEAD "in vec2 position; in ivec2 other; in vec4 more; flat out int good; out vec4 tone; void main() {"
             "good = other == ivec2(-7, 100000) ? 1 : 0; tone = more; gl_Position = vec4(position, 0, 1); }",
        HEAD "flat in int good; in vec4 tone; out vec4 o; void main() { o = vec4(float(good), tone.gba); }");
    gles_attribute(0, 2, corners, 8);
    buffer(GL_ARRAY_BUFFER, numbers, sizeof numbers);
    glEnableVertexAttribArray(1);
    glVertexAttribIPointer(1, 2, GL_INT, 0, NULL);
    buffer(GL_ARRAY_BUFFER, packed, sizeof packed);
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_INT_2_10_10_10_REV, GL_TRUE, 0, NULL);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gles_expect(30, 30, 0xffff00ff, 0);
}

static void vertex_arrays(void)
{
    static const float left[] = {-1, -1, 0, -1, -1, 1, 0, 1}, right[] = {0, -1, 1, -1, 0, 1, 1, 1};
    GLuint arrays[2];
    const GLuint program =
        gles_program(HEAD "in vec2 position; void main() { gl_Position = vec4(position, 0, 1); }",
                     HEAD "uniform vec4 tone; out vec4 o; void main() { o = tone; }");
    glGenVertexArrays(2, arrays);
    glBindVertexArray(arrays[0]);
    gles_attribute(0, 2, left, 8);
    glBindVertexArray(arrays[1]);
    gles_attribute(0, 2, right, 8);
    glBindVertexArray(arrays[0]);
    glUniform4f(gles_uniform(program, "tone"), 1, 0, 0, 1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(arrays[1]);
    glUniform4f(gles_uniform(program, "tone"), 0, 0, 1, 1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gles_expect(31, 9, RED, 0);
    gles_expect(32, 9, BLUE, 0);
}

static void functions_of_shaders(void)
{
    const GLuint program = use(
        HEAD
        "uniform uint u; uniform int i; uniform float f; uniform mat3 m; out vec4 o; void main() { int good "
        "= 0;"
        "if ((u >> 4u) == 0x0fffffffu && (i >> 1) == -2 && (u ^ 1u) == 0xfffffffeu && ~u == 0u) good |= 1;"
        "if (floatBitsToUint(f) == 0x40200000u && intBitsToFloat(0x3f800000) == 1.0 && trunc(-f) == -2.0 && "
        "round(f + 0.25) == 3.0) good |= 2;"
        "if (packHalf2x16(vec2(1.0, -2.0)) == 0xc0003c00u && unpackSnorm2x16(0x80017fffu) == vec2(1.0, "
        "-1.0)) good |= 4;"
        "if (abs(determinant(m) - 6.0) < 0.001 && abs(inverse(m)[1][1] - 0.5) < 0.001 && transpose(m)[0][2] "
        "== 4.0) good |= 8;"
        "if (u % 7u == 3u && i / 2 == -1 && isnan(0.0 * f) == false && isinf(f / (f - 2.5))) good |= 16;"
        "float whole; if (modf(f, whole) == 0.5 && whole == 2.0 && sinh(0.0) == 0.0 && sign(-f) == -1.0) "
        "good |= 32;"
        "o = vec4(float(good) / 255.0, 0, 0, 1); }");
    static const float matrix[] = {1, 0, 0, 0, 2, 0, 4, 0, 3};
    glUniform1ui(gles_uniform(program, "u"), 0xffffffffu);
    glUniform1i(gles_uniform(program, "i"), -3);
    glUniform1f(gles_uniform(program, "f"), 2.5f);
    glUniformMatrix3fv(gles_uniform(program, "m"), 1, GL_FALSE, matrix);
    gles_fill();
    gles_expect(30, 30, 0x3f0000ff, 0);
}

static void derivatives(void)
{
    use(HEAD
        "in vec2 v; out vec4 o; void main() { float x = v.x * 64.0; float y = v.y * v.y * 0.0 + v.y * 32.0;"
        "o = vec4(dFdx(x), dFdy(y), fwidth(x + y) / 2.0, 1); }");
    gles_fill();
    gles_expect(20, 20, 0xff80bfff, 2);
}

static void queries(void)
{
    GLuint names[2], results[2] = {7, 7};
    const GLuint program =
        gles_program(VERTEX, HEAD "uniform vec4 tone; out vec4 o; void main() { o = tone; }");
    glUniform4f(gles_uniform(program, "tone"), 1, 1, 0, 1);
    glGenQueries(2, names);
    glEnable(GL_DEPTH_TEST);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, names[0]);
    gles_rectangle(-1, -1, 0, 0, -0.5f);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glBeginQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, names[1]);
    gles_rectangle(-1, -1, 0, 0, 0.5f);
    glEndQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE);
    for (int i = 0; i < 2; i++)
        glGetQueryObjectuiv(names[i], GL_QUERY_RESULT, &results[i]);
    gles_expect_int("the query of what is seen", (long)results[0], 1);
    gles_expect_int("the query of what is hidden", (long)results[1], 0);
    const GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    const GLenum waited = glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 5000000000u);
    if (waited != GL_ALREADY_SIGNALED && waited != GL_CONDITION_SATISFIED)
        gles_fail("the wait came to %x", waited);
    glDeleteSync(sync);
}

static void clears_of_parts(void)
{
    framebuffer(storage(GL_RGBA16F, 8, 8));
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                           storage(GL_DEPTH32F_STENCIL8, 8, 8), 0);
    glViewport(0, 0, 8, 8);
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){2, -1, 0.5f, 1});
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25f, 3);
    glClearBufferiv(GL_STENCIL, 0, (const GLint[]){0x105});
    float pixel[4] = {0};
    glReadPixels(2, 2, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    gles_expect_float("red", pixel[0], 2, 0);
    gles_expect_float("green", pixel[1], -1, 0);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 5, 0xff);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    use(HEAD "out vec4 o; void main() { o = vec4(0.5); }");
    gles_fill(); /* 0.5 > 0.25 */
    glReadPixels(2, 2, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    gles_expect_float("red of the draw", pixel[0], 0.5, 0);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, (const GLenum[]){GL_DEPTH_STENCIL_ATTACHMENT});
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_DEPTH_TEST);
    back();
}

static void minimum_and_maximum(void)
{
    const GLuint program =
        gles_program(VERTEX, HEAD "uniform vec4 tone; out vec4 o; void main() { o = tone; }");
    glClearColor(0.4f, 0.4f, 0.4f, 0.4f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendEquationSeparate(GL_MIN, GL_MAX);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glUniform4f(gles_uniform(program, "tone"), 0.2f, 0.6f, 0.4f, 0.8f);
    gles_fill();
    gles_expect(30, 30, 0x336666cc, 1);
}

#define CASE(name)                                                                                           \
    {                                                                                                        \
#name, name                                                                                          \
    }

int main(int argc, char **argv)
{
    static const struct gles_case cases[] = {
        CASE(four_targets),
        CASE(targets_of_integers),
        CASE(texture_of_targets_kinds),
        CASE(srgb_targets),
        CASE(multisamples),
        CASE(blits),
        CASE(depth_textures),
        CASE(uniform_blocks),
        CASE(feedback_into_one_buffer),
        CASE(feedback_into_two_buffers),
        CASE(feedback_is_drawn),
        CASE(maps_and_copies),
        CASE(pixels_in_buffers),
        CASE(volumes),
        CASE(slices_are_targets),
        CASE(arrays_of_textures),
        CASE(fetches_and_sizes),
        CASE(levels_by_shader),
        CASE(swizzles_and_samplers),
        CASE(instances),
        CASE(restarts),
        CASE(integer_attributes),
        CASE(vertex_arrays),
        CASE(functions_of_shaders),
        CASE(derivatives),
        CASE(queries),
        CASE(clears_of_parts),
        CASE(minimum_and_maximum),
    };
    return gles_main(argc, argv, 3, cases, sizeof cases / sizeof *cases);
}
