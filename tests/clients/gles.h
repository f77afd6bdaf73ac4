/* SPDX-License-Identifier: MIT
 *
 * What the programs of OpenGL ES share: a context on a small surface without a window for each case, checks
 * of pixels, and the picture that a case leaves. Values come from the OpenGL ES specifications.
 */
#ifndef CLIENTS_GLES_H
#define CLIENTS_GLES_H

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#include <GLES2/gl2ext.h>
#include <stdbool.h>
#include <stddef.h>

#define EDGE 64 /* of the surface, which rows count from below */

struct gles_case {
    const char *name;
    void (*run)(void);
};

/* Runs all cases, or those that the arguments name; the exit status. */
int gles_main(int argc, char **argv, int version, const struct gles_case *cases, size_t count);

/* Says that the case has failed, and why. */
void gles_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Vertex attributes 0, 1 and 2 are `position`, `other` and `more`. */
GLuint gles_program(const char *vertex, const char *fragment);
/* The same with varyings that transform feedback keeps. */
GLuint gles_feedback_program(const char *vertex, const char *fragment, const char *const *varyings,
                             GLsizei count, GLenum mode);
GLint gles_uniform(GLuint program, const char *name);

/* A rectangle in clip space at a depth; attribute `other` goes from 0, 0 to 1, 1. */
void gles_rectangle(float left, float bottom, float right, float top, float depth);
#define gles_fill() gles_rectangle(-1, -1, 1, 1, 0)
/* A buffer of four bytes elements bound to attribute `index`. */
GLuint gles_attribute(GLuint index, GLint size, const float *values, size_t count);
GLuint gles_texture(GLenum target, GLenum filter, GLenum wrap);

void gles_read(int x, int y, unsigned char pixel[4]);
/* Fails unless the pixel is as near as `tolerance` to a colour of four bytes, red in the highest. */
void gles_expect(int x, int y, unsigned colour, int tolerance);
void gles_expect_int(const char *what, long value, long wanted);
void gles_expect_float(const char *what, double value, double wanted, double tolerance);

/* A vertex shader that hands `other` on, and a fragment shader with one colour. */
extern const char *const gles_plain_vertex, *const gles_colour_fragment, *const gles_texture_fragment;

#endif
