/* SPDX-License-Identifier: MIT */
#include "gles.h"

#include "client_frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EGL_PLATFORM_ANGLE_ANGLE
#define EGL_PLATFORM_ANGLE_ANGLE 0x3202
#define EGL_PLATFORM_ANGLE_TYPE_ANGLE 0x3203
#define EGL_PLATFORM_ANGLE_TYPE_D3D11_ANGLE 0x3208
#endif

const char *const gles_plain_vertex = "attribute vec4 position; attribute vec2 other; varying vec2 v;"
                                      "void main() { v = other; gl_Position = position; }";
const char *const gles_colour_fragment =
    "precision mediump float; uniform vec4 colour; void main() { gl_FragColor = colour; }";
const char *const gles_texture_fragment = "precision mediump float; varying vec2 v; uniform sampler2D t; "
                                          "void main() { gl_FragColor = texture2D(t, v); }";

static struct {
    const char *name;
    int failures;
    EGLDisplay display;
    EGLConfig config;
} state;

void gles_fail(const char *format, ...)
{
    va_list arguments;
    printf("fail %s: ", state.name);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    state.failures++;
}

/* ---- Programs ------------------------------------------------------------------------------------------ */

static void attach(GLuint program, GLenum stage, const char *text)
{
    const GLuint shader = glCreateShader(stage);
    GLint good = 0;
    char log[1000] = "";
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        gles_fail("a shader: %s", log);
    }
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

GLuint gles_feedback_program(const char *vertex, const char *fragment, const char *const *varyings,
                             GLsizei count, GLenum mode)
{
    static const char *const attributes[] = {"position", "other", "more"};
    const GLuint program = glCreateProgram();
    GLint good = 0;
    char log[1000] = "";
    attach(program, GL_VERTEX_SHADER, vertex);
    attach(program, GL_FRAGMENT_SHADER, fragment);
    for (GLuint i = 0; i < 3; i++)
        glBindAttribLocation(program, i, attributes[i]);
#ifdef CLIENT_ES3
    if (count > 0)
        glTransformFeedbackVaryings(program, count, varyings, mode);
#else
    (void)varyings;
    (void)count;
    (void)mode;
#endif
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        gles_fail("a program: %s", log);
    }
    glUseProgram(program);
    return program;
}

GLuint gles_program(const char *vertex, const char *fragment)
{
    return gles_feedback_program(vertex, fragment, NULL, 0, 0);
}

GLint gles_uniform(GLuint program, const char *name)
{
    const GLint location = glGetUniformLocation(program, name);
    if (location < 0)
        gles_fail("no uniform %s", name);
    return location;
}

/* ---- Drawing ------------------------------------------------------------------------------------------- */

GLuint gles_attribute(GLuint index, GLint size, const float *values, size_t count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *values), values, GL_STATIC_DRAW);
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, 0, NULL);
    return buffer;
}

void gles_rectangle(float left, float bottom, float right, float top, float depth)
{
    const float positions[] = {left, bottom, depth, right, bottom, depth,
                               left, top,    depth, right, top,    depth};
    const float others[] = {0, 0, 1, 0, 0, 1, 1, 1};
    const GLuint buffers[] = {gles_attribute(0, 3, positions, 12), gles_attribute(1, 2, others, 8)};
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDeleteBuffers(2, buffers);
}

GLuint gles_texture(GLenum target, GLenum filter, GLenum wrap)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, (GLint)(filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR));
    glTexParameteri(target, GL_TEXTURE_WRAP_S, (GLint)wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, (GLint)wrap);
    return texture;
}

/* ---- Checks -------------------------------------------------------------------------------------------- */

void gles_read(int x, int y, unsigned char pixel[4])
{
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
}

void gles_expect(int x, int y, unsigned colour, int tolerance)
{
    unsigned char pixel[4] = {0};
    bool is_near = true;
    gles_read(x, y, pixel);
    for (int i = 0; i < 4; i++)
        is_near = is_near && abs(pixel[i] - (int)(colour >> (24 - 8 * i) & 255)) <= tolerance;
    if (!is_near)
        gles_fail("pixel %d,%d is %02x%02x%02x%02x instead of %08x", x, y, pixel[0], pixel[1], pixel[2],
                  pixel[3], colour);
}

void gles_expect_int(const char *what, long value, long wanted)
{
    if (value != wanted)
        gles_fail("%s is %ld instead of %ld", what, value, wanted);
}

void gles_expect_float(const char *what, double value, double wanted, double tolerance)
{
    if (!(value >= wanted - tolerance && value <= wanted + tolerance))
        gles_fail("%s is %g instead of %g", what, value, wanted);
}

/* ---- Cases --------------------------------------------------------------------------------------------- */

/* The picture of the surface, its upper row first; `pass` is said with it. */
static void write_picture(void)
{
    static unsigned char pixels[EDGE * EDGE * 4];
    unsigned char row[EDGE * 4];
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, EDGE, EDGE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int y = 0; y < EDGE / 2; y++) {
        unsigned char *const low = pixels + (size_t)y * sizeof row;
        unsigned char *const high = pixels + (size_t)(EDGE - 1 - y) * sizeof row;
        memcpy(row, low, sizeof row);
        memcpy(low, high, sizeof row);
        memcpy(high, row, sizeof row);
    }
    client_write_picture(state.name, pixels, EDGE, EDGE, sizeof row);
}

static void run_case(const struct gles_case *one, int version)
{
    const EGLint size[] = {EGL_WIDTH, EDGE, EGL_HEIGHT, EDGE, EGL_NONE};
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    const EGLSurface surface = eglCreatePbufferSurface(state.display, state.config, size);
    const EGLContext context = eglCreateContext(state.display, state.config, EGL_NO_CONTEXT, attributes);
    state.name = one->name;
    state.failures = 0;
    if (!eglMakeCurrent(state.display, surface, surface, context)) {
        gles_fail("no context: EGL error %x", eglGetError());
        return;
    }
    glViewport(0, 0, EDGE, EDGE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    one->run();
    for (GLenum error = glGetError(); error != GL_NO_ERROR; error = glGetError())
        gles_fail("OpenGL error %x", error);
    write_picture();
    eglMakeCurrent(state.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(state.display, context);
    eglDestroySurface(state.display, surface);
    fflush(stdout);
}

static bool open_display(int version)
{
    const EGLint platform[] = {EGL_PLATFORM_ANGLE_TYPE_ANGLE, EGL_PLATFORM_ANGLE_TYPE_D3D11_ANGLE, EGL_NONE};
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             version >= 3 ? EGL_OPENGL_ES3_BIT_KHR : EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_DEPTH_SIZE,
                             24,
                             EGL_STENCIL_SIZE,
                             8,
                             EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)(void *)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLint count = 0;
    state.display =
        get_display ? get_display(EGL_PLATFORM_ANGLE_ANGLE, EGL_DEFAULT_DISPLAY, platform) : EGL_NO_DISPLAY;
    return state.display != EGL_NO_DISPLAY && eglInitialize(state.display, NULL, NULL) &&
           eglChooseConfig(state.display, wanted, &state.config, 1, &count) && count == 1;
}

int gles_main(int argc, char **argv, int version, const struct gles_case *cases, size_t count)
{
    if (!open_display(version)) {
        printf("fail display: EGL error %x\n", eglGetError());
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_wanted = argc <= 1;
        for (int a = 1; a < argc; a++)
            is_wanted = is_wanted || strcmp(argv[a], cases[i].name) == 0;
        if (is_wanted)
            run_case(&cases[i], version);
    }
    eglTerminate(state.display);
    client_say_done();
    return 0;
}
