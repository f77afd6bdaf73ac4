/* SPDX-License-Identifier: MIT
 *
 * What OpenGL ES 2 can do, drawn and read back. usage: gles2.exe [CASE...]
 */
#include "gles.h"

#include <string.h>

enum {
    RED = 0xff0000ff,
    GREEN = 0x00ff00ff,
    BLUE = 0x0000ffff,
    WHITE = 0xffffffff,
    BLACK = 0x000000ff,
    NOTHING = 0
};

static GLint use_colour(void)
{
    return gles_uniform(gles_program(gles_plain_vertex, gles_colour_fragment), "colour");
}

static void set_colour(GLint location, unsigned colour)
{
    glUniform4f(location, (float)(colour >> 24) / 255, (float)(colour >> 16 & 255) / 255,
                (float)(colour >> 8 & 255) / 255, (float)(colour & 255) / 255);
}

static void clear_to(float red, float green, float blue, float alpha)
{
    glClearColor(red, green, blue, alpha);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* Two texels by two: red, green below blue, white. */
static void upload_four(void)
{
    static const unsigned char texels[] = {255, 0, 0,   255, 0,   255, 0,   255,
                                           0,   0, 255, 255, 255, 255, 255, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

/* ---- Clears -------------------------------------------------------------------------------------------- */

static void clear(void)
{
    clear_to(0.25f, 0.5f, 0.75f, 1);
    gles_expect(5, 5, 0x4080bfff, 1);
    clear_to(-1, 2, 0.5f, 0.2f); /* clamped */
    gles_expect(63, 63, 0x00ff8033, 1);
}

static void clear_with_masks(void)
{
    clear_to(1, 1, 1, 1);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    clear_to(0, 0, 0, 0);
    gles_expect(5, 5, 0x00ff00ff, 0);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(8, 16, 4, 2);
    clear_to(1, 0, 0, 1);
    glDisable(GL_SCISSOR_TEST);
    gles_expect(8, 16, RED, 0);
    gles_expect(11, 17, RED, 0);
    gles_expect(12, 17, 0x00ff00ff, 0);
    gles_expect(8, 18, 0x00ff00ff, 0);
}

static void clear_of_stencil_bits(void)
{
    const GLint colour = use_colour();
    clear_to(0, 0, 0, 1);
    glClearStencil(0xff);
    glClear(GL_STENCIL_BUFFER_BIT);
    glStencilMask(0x0f);
    glClearStencil(0x21);
    glClear(GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0xf1, 0xff);
    set_colour(colour, GREEN);
    gles_fill();
    gles_expect(20, 20, GREEN, 0);
}

/* ---- Primitives ---------------------------------------------------------------------------------------- */

static void triangle(void)
{
    static const float corners[] = {-1, -1, 1, -1, -1, 1};
    const GLint colour = use_colour();
    gles_attribute(0, 2, corners, 6);
    set_colour(colour, RED);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gles_expect(0, 0, RED, 0);
    gles_expect(30, 30, RED, 0);
    gles_expect(34, 34, NOTHING, 0);
    gles_expect(0, 62, RED, 0);
}

static void strips_and_fans(void)
{
    static const float corners[] = {-1, -1, 0, -1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 1, 1, 1};
    const GLint colour = use_colour();
    gles_attribute(0, 2, corners, 16);
    set_colour(colour, RED);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
    set_colour(colour, BLUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 4, 4);
    gles_expect(2, 29, RED, 0);
    gles_expect(29, 2, RED, 0);
    gles_expect(60, 60, BLUE, 0);
    gles_expect(34, 61, BLUE, 0);
    gles_expect(10, 50, NOTHING, 0);
    gles_expect(50, 10, NOTHING, 0);
}

static void indices(void)
{
    static const float corners[] = {-1, -1, 1, -1, 1, 1, -1, 1};
    static const GLubyte bytes[] = {9, 0, 1, 2, 0, 2, 3};
    static const GLushort shorts[] = {0, 1, 2};
    const GLint colour = use_colour();
    GLuint buffer;
    gles_attribute(0, 2, corners, 8);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof bytes, bytes, GL_STATIC_DRAW);
    set_colour(colour, RED);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, (void *)1);
    gles_expect(10, 50, RED, 0);
    gles_expect(50, 10, RED, 0);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof shorts, shorts, GL_DYNAMIC_DRAW);
    set_colour(colour, BLUE);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL);
    gles_expect(50, 10, BLUE, 0);
    gles_expect(10, 50, RED, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0); /* indices of the program's own memory */
    set_colour(colour, GREEN);
    glDrawElements(GL_TRIANGLE_FAN, 4, GL_UNSIGNED_BYTE, bytes + 3 - 2);
    gles_expect(50, 10, GREEN, 0);
}

static void lines(void)
{
    static const float ends[] = {-1, -0.984375f, 1, -0.984375f, 1, 0.984375f, -1, 0.984375f};
    const GLint colour = use_colour();
    gles_attribute(0, 2, ends, 8);
    set_colour(colour, GREEN);
    glDrawArrays(GL_LINES, 0, 2);
    gles_expect(1, 0, GREEN, 0);
    gles_expect(62, 0, GREEN, 0);
    gles_expect(30, 1, NOTHING, 0);
    glDrawArrays(GL_LINE_LOOP, 0, 4);
    gles_expect(30, 63, GREEN, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_LINE_STRIP, 2, 2);
    gles_expect(30, 63, GREEN, 0);
    gles_expect(30, 0, NOTHING, 0);
}

static void points(void)
{
    static const float places[] = {0, 0, -0.5f, -0.5f};
    gles_program(
        "attribute vec2 position; void main() { gl_Position = vec4(position, 0, 1); gl_PointSize = 16.0; }",
        "precision mediump float; void main() { gl_FragColor = vec4(gl_PointCoord, 1, 1); }");
    gles_attribute(0, 2, places, 4);
    glDrawArrays(GL_POINTS, 0, 2);
    /* The coordinate is 0, 0 at the upper left corner of a point. */
    gles_expect(24, 39, 0x0808ffff, 8);
    gles_expect(39, 24, 0xf7f7ffff, 8);
    gles_expect(24, 24, 0x08f7ffff, 8);
    gles_expect(40, 30, NOTHING, 0);
    gles_expect(8, 8, 0x08f7ffff, 8);
    gles_expect(7, 8, NOTHING, 0);
}

static void culling(void)
{
    const GLint colour = use_colour();
    glEnable(GL_CULL_FACE);
    set_colour(colour, RED);
    gles_rectangle(-1, -1, 0, 1, 0); /* counter-clockwise: a front */
    gles_rectangle(1, -1, 0, 1, 0);
    gles_expect(10, 10, RED, 0);
    gles_expect(50, 10, NOTHING, 0);
    glFrontFace(GL_CW);
    gles_rectangle(1, -1, 0, 1, 0);
    gles_expect(50, 10, RED, 0);
    glCullFace(GL_FRONT_AND_BACK);
    set_colour(colour, BLUE);
    gles_fill();
    gles_expect(50, 10, RED, 0);
}

static void vertex_formats(void)
{
    static const GLshort corners[] = {-32767, -32767, 32767, -32767, -32767, 32767, 32767, 32767};
    static const GLubyte colours[] = {255, 0, 51, 255, 255, 0, 51, 255, 255, 0, 51, 255, 255, 0, 51, 255};
    GLuint buffers[2];
    gles_program("attribute vec4 position; attribute vec4 other; attribute vec4 more; varying vec4 v;"
                 "void main() { v = other + more; gl_Position = position; }",
                 "precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }");
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_SHORT, GL_TRUE, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ARRAY_BUFFER, sizeof colours, colours, GL_STATIC_DRAW);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 3, GL_UNSIGNED_BYTE, GL_TRUE, 4, NULL);
    glVertexAttrib4f(2, 0, 1, 0, 0); /* a constant attribute */
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gles_expect(3, 3, 0xffff33ff, 1);
    glVertexAttribPointer(1, 3, GL_BYTE, GL_FALSE, 4, NULL); /* -1, 0, 51 */
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gles_expect(60, 60, 0x00ffffff, 1);
}

static void buffers_that_change(void)
{
    static const float left[] = {-1, -1, 0, -1, -1, 1, 0, 1}, right[] = {0, -1, 1, -1, 0, 1, 1, 1};
    const GLint colour = use_colour();
    gles_attribute(0, 2, left, 8);
    set_colour(colour, RED);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof right, right);
    set_colour(colour, BLUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gles_expect(31, 10, RED, 0);
    gles_expect(32, 10, BLUE, 0);
}

static void instances(void)
{
    static const float corners[] = {-1, -1, 0, -1, -1, 0, 0, 0}, offsets[] = {0, 0, 1, 1};
    PFNGLVERTEXATTRIBDIVISORANGLEPROC set_divisor =
        (PFNGLVERTEXATTRIBDIVISORANGLEPROC)(void *)eglGetProcAddress("glVertexAttribDivisorANGLE");
    PFNGLDRAWARRAYSINSTANCEDANGLEPROC draw =
        (PFNGLDRAWARRAYSINSTANCEDANGLEPROC)(void *)eglGetProcAddress("glDrawArraysInstancedANGLE");
    if (!set_divisor || !draw) {
        gles_fail("no instances");
        return;
    }
    gles_program("attribute vec2 position; attribute vec2 other; void main() { gl_Position = vec4(position + "
                 "other, 0, 1); }",
                 "precision mediump float; void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
    gles_attribute(0, 2, corners, 8);
    gles_attribute(1, 2, offsets, 4);
    set_divisor(1, 1);
    draw(GL_TRIANGLE_STRIP, 0, 4, 2);
    gles_expect(10, 10, GREEN, 0);
    gles_expect(50, 50, GREEN, 0);
    gles_expect(50, 10, NOTHING, 0);
    gles_expect(10, 50, NOTHING, 0);
}

/* ---- Shaders ------------------------------------------------------------------------------------------- */

static void uniforms(void)
{
    static const float array[] = {0, 0, 0, 0.2f, 0.4f, 0.6f}, matrix[] = {0, 1, -1, 0};
    const GLuint program =
        gles_program("attribute vec2 position; uniform mat2 turn; void main() { gl_Position = vec4(turn * "
                     "position, 0, 1); }",
                     "precision mediump float; struct light { vec3 tone; float weight; }; uniform light "
                     "lamp; uniform vec3 tones[2];"
                     "uniform int which; uniform bool flag; void main() { vec3 sum = lamp.tone * lamp.weight;"
                     "for (int i = 0; i < 2; i++) if (i == which) sum += tones[i]; gl_FragColor = vec4(sum, "
                     "flag ? 1.0 : 0.0); }");
    static const float corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
    gles_attribute(0, 2, corners, 8);
    glUniformMatrix2fv(gles_uniform(program, "turn"), 1, GL_FALSE, matrix);
    glUniform3f(gles_uniform(program, "lamp.tone"), 0.4f, 0.2f, 0);
    glUniform1f(gles_uniform(program, "lamp.weight"), 0.5f);
    glUniform3fv(gles_uniform(program, "tones"), 2, array);
    glUniform1i(gles_uniform(program, "which"), 1);
    glUniform1i(gles_uniform(program, "flag"), 7);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    /* A quarter turn to the left: the rectangle is in the upper left corner. */
    gles_expect(10, 50, 0x668099ff, 1);
    gles_expect(50, 50, NOTHING, 0);
    gles_expect(10, 10, NOTHING, 0);
}

static void perspective(void)
{
    static const float corners[] = {-1, -1, 0, 1, 3, -3, 0, 3, -1, 1, 0, 1, 3, 3, 0, 3};
    static const float others[] = {0, 0, 1, 0, 0, 1, 1, 1};
    gles_program(gles_plain_vertex,
                 "precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(v.x, 0, 0, 1); }");
    gles_attribute(0, 4, corners, 16);
    gles_attribute(1, 2, others, 8);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    /* Half way over the screen: (0.5 * 1 / 3) / (0.5 * 1 / 1 + 0.5 * 1 / 3) = 0.25. */
    gles_expect(32, 32, 0x420000ff, 2);
    gles_expect(0, 32, 0x010000ff, 1);
    gles_expect(63, 32, 0xf90000ff, 2);
}

static void fragment_places(void)
{
    gles_program(
        gles_plain_vertex,
        "precision highp float; varying vec2 v; void main() { if (gl_FragCoord.x > 48.0) discard;"
        "gl_FragColor = vec4(gl_FragCoord.xy / 64.0, gl_FragCoord.z, gl_FrontFacing ? 1.0 : 0.0); }");
    gles_rectangle(-1, -1, 1, 1, -0.5f);
    gles_expect(0, 0, 0x020240ff, 1);
    gles_expect(40, 10, 0xa12a40ff, 1);
    gles_expect(47, 63, 0xbdfd40ff, 1);
    gles_expect(48, 10, NOTHING, 0);
}

static void flow(void)
{
    const GLuint program = gles_program(
        gles_plain_vertex,
        "precision highp float; varying vec2 v; uniform float steps; float f(float x) { if (x > 0.5) return "
        "1.0 - x; return x; }"
        "void main() { float sum = 0.0; for (int i = 0; i < 16; i++) { if (float(i) >= steps) break;"
        "if (mod(float(i), 2.0) == 1.0) continue; sum += 0.125; } gl_FragColor = vec4(sum, f(v.x), f(0.25), "
        "1); }");
    glUniform1f(gles_uniform(program, "steps"), 7);
    gles_fill();
    gles_expect(32, 32, 0x807e40ff, 2); /* four steps of the seven */
    gles_expect(0, 5, 0x800240ff, 1);
    gles_expect(63, 5, 0x800240ff, 1);
}

static void functions_of_shaders(void)
{
    gles_program(
        gles_plain_vertex,
        "precision highp float; varying vec2 v; void main() { float x = v.x * 0.0 + 2.25;"
        "vec3 n = normalize(vec3(x - 2.25 + 3.0, 4, 0)); gl_FragColor = vec4(fract(x), n.x, n.y,"
        "clamp(pow(x - 0.25, 2.0) - 3.5, 0.0, 1.0)); if (dot(reflect(n, vec3(0, 1, 0)), vec3(0, 1, 0)) > 0.0)"
        "gl_FragColor = vec4(0); }");
    gles_fill();
    gles_expect(20, 20, 0x4099cc80, 1);
}

/* ---- Textures ------------------------------------------------------------------------------------------ */

static void textures(void)
{
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    upload_four();
    gles_fill();
    gles_expect(10, 10, RED, 0);
    gles_expect(50, 10, GREEN, 0);
    gles_expect(10, 50, BLUE, 0);
    gles_expect(50, 50, WHITE, 0);
}

static void filters(void)
{
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_texture(GL_TEXTURE_2D, GL_LINEAR, GL_CLAMP_TO_EDGE);
    upload_four();
    gles_fill();
    gles_expect(0, 0, RED, 1);
    gles_expect(63, 63, WHITE, 1);
    /* At 32.5 of 64: weights 0.484 and 0.516. */
    gles_expect(32, 0, 0x7c8300ff, 2);
    gles_expect(0, 32, 0x7c0083ff, 2);
}

static void wraps(void)
{
    static const GLenum modes[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
    static const unsigned wanted[3][4] = {
        {RED, GREEN, RED,   GREEN},
        {RED, GREEN, GREEN, GREEN},
        {RED, GREEN, GREEN, RED  }
    };
    gles_program("attribute vec4 position; attribute vec2 other; varying vec2 v;"
                 "void main() { v = other * 2.0; gl_Position = position; }",
                 gles_texture_fragment);
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    upload_four();
    for (int mode = 0; mode < 3; mode++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, (GLint)modes[mode]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, (GLint)modes[mode]);
        gles_fill();
        for (int i = 0; i < 4; i++)
            gles_expect(8 + 16 * i, 5, wanted[mode][i], 0);
    }
}

static void mipmaps(void)
{
    static unsigned char texels[64 * 64 * 4];
    gles_program(gles_plain_vertex, gles_texture_fragment);
    for (int i = 0; i < 64 * 64; i++) {
        texels[4 * i] = ((i ^ (i >> 6)) & 1) ? 255 : 0; /* a chessboard in red */
        texels[4 * i + 1] = texels[4 * i + 3] = 255;
    }
    gles_texture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_REPEAT);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    gles_rectangle(-1, -1, -0.75f, -0.75f, 0);
    gles_expect(4, 4, 0x80ff00ff, 2);
    gles_expect(8, 4, NOTHING, 0);
}

static void levels_of_their_own(void)
{
    unsigned char texels[4 * 4 * 4];
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_texture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_CLAMP_TO_EDGE);
    for (int level = 0; level < 3; level++) {
        for (int i = 0; i < 16; i++)
            memcpy(texels + 4 * i, (const unsigned char[]){(unsigned char)(level * 80), 255, 0, 255}, 4);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 4 >> level, 4 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    }
    gles_rectangle(-1, -1, -0.875f, -0.875f, 0); /* four pixels, two pixels, one pixel wide */
    gles_rectangle(0, -1, 0.0625f, -0.9375f, 0);
    gles_rectangle(0.5f, -1, 0.53125f, -0.96875f, 0);
    gles_expect(1, 1, 0x00ff00ff, 0);
    gles_expect(33, 1, 0x50ff00ff, 0);
    gles_expect(48, 0, 0xa0ff00ff, 0);
}

static void texture_formats(void)
{
    static const unsigned char grey[] = {77, 77, 77, 77}, alpha[] = {128, 128, 128, 128},
                               both[] = {10, 20, 10, 20, 10, 20, 10, 20};
    static const GLushort rgb565[] = {0xf800, 0x07e0, 0x001f, 0xffff},
                          rgba4444[] = {0xf008, 0xf008, 0xf008, 0xf008},
                          rgba5551[] = {0x07c1, 0x07c1, 0x07c0, 0x07c0};
    static const unsigned char rgb[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 2, 2, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, grey);
    gles_fill();
    gles_expect(9, 9, 0x4d4d4dff, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, 2, 2, 0, GL_ALPHA, GL_UNSIGNED_BYTE, alpha);
    gles_fill();
    gles_expect(9, 9, 0x00000080, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE_ALPHA, 2, 2, 0, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, both);
    gles_fill();
    gles_expect(9, 9, 0x0a0a0a14, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 2, 2, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, rgb565);
    gles_fill();
    gles_expect(9, 9, RED, 0);
    gles_expect(50, 9, GREEN, 0);
    gles_expect(9, 50, BLUE, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, rgba4444);
    gles_fill();
    gles_expect(9, 9, 0xff000088, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, rgba5551);
    gles_fill();
    gles_expect(9, 9, GREEN, 0);
    gles_expect(9, 50, 0x00ff0000, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 2, 2, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    gles_fill();
    gles_expect(9, 9, 0x010203ff, 0);
    gles_expect(50, 50, 0x0a0b0cff, 0);
}

static void parts_of_textures(void)
{
    static const unsigned char one[] = {255, 255, 0, 255};
    const GLint colour = use_colour();
    set_colour(colour, GREEN);
    gles_rectangle(0, -1, 1, 1, 0);
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 30, 0, 4, 4, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, one);
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_fill();
    gles_expect(5, 5, NOTHING, 0);
    gles_expect(20, 5, NOTHING, 0);
    gles_expect(40, 5, GREEN, 0);
    gles_expect(60, 60, 0xffff00ff, 0);
}

static void copies_into_parts(void)
{
    const GLint colour = use_colour();
    set_colour(colour, GREEN);
    gles_rectangle(0, -1, 1, 1, 0);
    gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    upload_four();
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 1, 31, 20, 2, 1);
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_fill();
    gles_expect(5, 5, RED, 0);
    gles_expect(40, 5, GREEN, 0);
    gles_expect(5, 40, NOTHING, 0);
    gles_expect(40, 40, GREEN, 0);
}

static void cube_map(void)
{
    static const float directions[6][3] = {
        {1,   .1f, .1f},
        {-1,  .1f, .1f},
        {.1f, 1,   .1f},
        {.1f, -1,  .1f},
        {.1f, .1f, 1  },
        {.1f, .1f, -1 }
    };
    const GLuint program = gles_program(
        gles_plain_vertex, "precision mediump float; uniform samplerCube t; uniform vec3 direction; void "
                           "main() { gl_FragColor = textureCube(t, direction); }");
    gles_texture(GL_TEXTURE_CUBE_MAP, GL_NEAREST, GL_CLAMP_TO_EDGE);
    for (unsigned face = 0; face < 6; face++) {
        const unsigned char texel[4] = {(unsigned char)(face * 40), (unsigned char)(255 - face * 40), 7, 255};
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texel);
    }
    for (unsigned face = 0; face < 6; face++) {
        const float left = -1 + (float)face / 3;
        glUniform3fv(gles_uniform(program, "direction"), 1, directions[face]);
        gles_rectangle(left, -1, left + 1.f / 3, 1, 0);
    }
    for (unsigned face = 0; face < 6; face++)
        gles_expect(5 + (int)face * 64 / 6, 30, (face * 40) << 24 | (255 - face * 40) << 16 | 0x07ff, 0);
}

static void many_textures(void)
{
    char name[8] = "t0";
    const GLuint program = gles_program(
        gles_plain_vertex,
        "precision mediump float; uniform sampler2D t0, t1, t2, t3, t4, t5, t6, t7; varying vec2 v;"
        "void main() { gl_FragColor = texture2D(t0, v) + texture2D(t1, v) + texture2D(t2, v) + texture2D(t3, "
        "v)"
        "+ texture2D(t4, v) + texture2D(t5, v) + texture2D(t6, v) + texture2D(t7, v); }");
    for (int i = 0; i < 8; i++) {
        const unsigned char texel[4] = {(unsigned char)(1 << i), (unsigned char)(i == 3 ? 255 : 0), 0,
                                        (unsigned char)(i == 5 ? 255 : 0)};
        name[1] = (char)('0' + i);
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
        glUniform1i(gles_uniform(program, name), i);
    }
    gles_fill();
    gles_expect(33, 33, 0xffff00ff, 1);
}

/* ---- Tests and blending -------------------------------------------------------------------------------- */

static void depth(void)
{
    const GLint colour = use_colour();
    glEnable(GL_DEPTH_TEST);
    set_colour(colour, GREEN);
    gles_rectangle(-1, -1, 0, 1, -0.5f);
    set_colour(colour, RED);
    gles_rectangle(-1, -1, 1, 1, 0.5f);
    gles_expect(10, 10, GREEN, 0);
    gles_expect(50, 10, RED, 0);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_FALSE);
    set_colour(colour, BLUE);
    gles_rectangle(-1, 0, 1, 1, 0.5f);
    gles_expect(50, 50, BLUE, 0);
    gles_expect(10, 50, BLUE, 0);
    glDepthFunc(GL_EQUAL); /* the depths are those from before */
    set_colour(colour, WHITE);
    gles_rectangle(-1, -1, 1, 1, -0.5f);
    gles_expect(10, 50, WHITE, 0);
    gles_expect(50, 50, BLUE, 0);
}

static void depth_range_and_offset(void)
{
    const GLint colour = use_colour();
    glEnable(GL_DEPTH_TEST);
    glDepthRangef(0.5f, 1);
    set_colour(colour, GREEN);
    gles_rectangle(-1, -1, 1, 1, -1); /* 0.5 */
    glDepthRangef(0, 1);
    set_colour(colour, RED);
    gles_rectangle(-1, -1, 0, 1, 0.25f); /* 0.625 */
    gles_expect(10, 10, GREEN, 0);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(0, -4);
    gles_rectangle(0, -1, 1, 0, 0);
    gles_expect(50, 10, RED, 0);
    glPolygonOffset(0, 4);
    gles_rectangle(0, 0, 1, 1, 0);
    gles_expect(50, 50, GREEN, 0);
}

static void stencil(void)
{
    const GLint colour = use_colour();
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 5, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    gles_rectangle(-1, -1, 1, 0, 0);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    gles_rectangle(-1, -1, 0, 1, 0); /* 6 below, 1 above */
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_EQUAL, 6, 0xff);
    set_colour(colour, RED);
    gles_fill();
    glStencilFunc(GL_EQUAL, 0x11, 0x01); /* bit 0: 5 and 1 */
    set_colour(colour, BLUE);
    gles_fill();
    gles_expect(10, 10, RED, 0);
    gles_expect(50, 10, BLUE, 0);
    gles_expect(10, 50, BLUE, 0);
    gles_expect(50, 50, NOTHING, 0);
}

static void stencil_of_both_faces(void)
{
    const GLint colour = use_colour();
    glEnable(GL_STENCIL_TEST);
    glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR_WRAP);
    glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_DECR_WRAP);
    glStencilFunc(GL_ALWAYS, 0, 0xff);
    set_colour(colour, NOTHING);
    gles_rectangle(-1, -1, 0, 1, 0);
    gles_rectangle(1, -1, 0, 1, 0);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_EQUAL, 1, 0xff);
    set_colour(colour, GREEN);
    gles_fill();
    glStencilFunc(GL_EQUAL, 255, 0xff);
    set_colour(colour, BLUE);
    gles_fill();
    gles_expect(10, 10, GREEN, 0);
    gles_expect(50, 10, BLUE, 0);
}

static void blending(void)
{
    const GLint colour = use_colour();
    clear_to(1, 0, 0, 1);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    set_colour(colour, 0x00ff0080);
    gles_rectangle(-1, -1, 0, 0, 0);
    gles_expect(10, 10, 0x7f8000bf, 2);
    glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
    set_colour(colour, 0x001122ff);
    gles_rectangle(0, -1, 1, 0, 0);
    gles_expect(50, 10, 0xff112200, 1);
    glBlendEquationSeparate(GL_FUNC_REVERSE_SUBTRACT, GL_FUNC_ADD);
    glBlendFunc(GL_CONSTANT_COLOR, GL_ONE);
    glBlendColor(0.5f, 0.5f, 0.5f, 0);
    set_colour(colour, WHITE);
    gles_rectangle(-1, 0, 0, 1, 0);
    gles_expect(10, 50, 0x7f0000ff, 2);
}

static void scissor_and_masks(void)
{
    const GLint colour = use_colour();
    clear_to(0, 0, 0, 1);
    glEnable(GL_SCISSOR_TEST);
    glScissor(16, 16, 16, 8);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    set_colour(colour, WHITE);
    gles_fill();
    gles_expect(16, 16, 0xff00ffff, 0);
    gles_expect(31, 23, 0xff00ffff, 0);
    gles_expect(32, 23, BLACK, 0);
    gles_expect(31, 24, BLACK, 0);
    gles_expect(15, 16, BLACK, 0);
}

static void viewport(void)
{
    const GLint colour = use_colour();
    glViewport(-32, 16, 64, 32);
    set_colour(colour, RED);
    gles_rectangle(-4, -1, 4, 1, 0); /* clipped by the volume, not by the viewport's edge on the surface */
    gles_expect(0, 16, RED, 0);
    gles_expect(31, 47, RED, 0);
    gles_expect(32, 20, NOTHING, 0);
    gles_expect(10, 15, NOTHING, 0);
    gles_expect(10, 48, NOTHING, 0);
}

/* ---- Framebuffers -------------------------------------------------------------------------------------- */

static void framebuffer(void)
{
    GLuint buffers[2], framebuffer;
    const GLuint target = gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
    const GLint colour = use_colour();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glGenRenderbuffers(2, buffers);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 32, 32);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[0]);
    gles_expect_int("the framebuffer's status", (long)glCheckFramebufferStatus(GL_FRAMEBUFFER),
                    GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, 32, 32);
    glEnable(GL_DEPTH_TEST);
    clear_to(0, 1, 1, 1);
    set_colour(colour, 0xffff00ff);
    gles_rectangle(-1, -1, 1, 0, 0);
    set_colour(colour, RED);
    gles_rectangle(-1, -1, 0, 1, 0.5f);
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, EDGE, EDGE);
    gles_program(gles_plain_vertex, gles_texture_fragment);
    gles_fill();
    gles_expect(10, 10, 0xffff00ff, 0);
    gles_expect(10, 50, RED, 0);
    gles_expect(50, 50, 0x00ffffff, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer); /* 565: five bits of red */
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, 32, 32);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[1]);
    clear_to(0.2f, 1, 0, 0);
    gles_expect(3, 3, 0x31ff00ff, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void target_becomes_texture(void)
{
    /* Each of two textures is drawn into from the other: 1, then 2, 4, ... of 255. */
    GLuint textures[2], framebuffer;
    const GLuint program =
        gles_program(gles_plain_vertex, "precision mediump float; varying vec2 v; uniform sampler2D t; void "
                                        "main() { gl_FragColor = texture2D(t, v) * 2.0; }");
    static const unsigned char one[] = {1, 0, 0, 255};
    glGenFramebuffers(1, &framebuffer);
    for (int i = 0; i < 2; i++) {
        textures[i] = gles_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, one);
    }
    glUniform1i(gles_uniform(program, "t"), 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 6; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i % 2]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1 - i % 2], 0);
        gles_fill();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    gles_fill();
    gles_expect(30, 30, 0x800000ff, 0);
}

#define CASE(name)                                                                                           \
    {                                                                                                        \
#name, name                                                                                          \
    }

int main(int argc, char **argv)
{
    static const struct gles_case cases[] = {
        CASE(clear),
        CASE(clear_with_masks),
        CASE(clear_of_stencil_bits),
        CASE(triangle),
        CASE(strips_and_fans),
        CASE(indices),
        CASE(lines),
        CASE(points),
        CASE(culling),
        CASE(vertex_formats),
        CASE(buffers_that_change),
        CASE(instances),
        CASE(uniforms),
        CASE(perspective),
        CASE(fragment_places),
        CASE(flow),
        CASE(functions_of_shaders),
        CASE(textures),
        CASE(filters),
        CASE(wraps),
        CASE(mipmaps),
        CASE(levels_of_their_own),
        CASE(texture_formats),
        CASE(parts_of_textures),
        CASE(copies_into_parts),
        CASE(cube_map),
        CASE(many_textures),
        CASE(depth),
        CASE(depth_range_and_offset),
        CASE(stencil),
        CASE(stencil_of_both_faces),
        CASE(blending),
        CASE(scissor_and_masks),
        CASE(viewport),
        CASE(framebuffer),
        CASE(target_becomes_texture),
    };
    return gles_main(argc, argv, 2, cases, sizeof cases / sizeof *cases);
}
