/* SPDX-License-Identifier: MIT
 *
 * ID3DUserDefinedAnnotation, and the same as methods of ID3D11DeviceContext2: marks become text in the
 * stream.
 */
#include "guest/d3d11/context.h"

enum { MOST_MARK_CHARACTERS = 255 };

/* Characters beyond ASCII are written as a question mark. */
static void mark(struct rt_context *context, const WCHAR *label)
{
    char text[MOST_MARK_CHARACTERS + 1];
    uint32_t length = 0;
    if (!label)
        return;
    for (; label[length] && length < MOST_MARK_CHARACTERS; length++)
        text[length] = label[length] < 0x80 ? (char)label[length] : '?';
    text[length] = 0;
    umd_set_marker(context->umd, text, length);
}

BOOL STDMETHODCALLTYPE rt_context_is_annotation_enabled(ID3D11DeviceContext4 *self)
{
    (void)self;
    return FALSE;
}

void STDMETHODCALLTYPE rt_context_set_marker_int(ID3D11DeviceContext4 *self, const WCHAR *label, int data)
{
    struct rt_context *context = rt_enter(self);
    (void)data;
    mark(context, label);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_begin_event_int(ID3D11DeviceContext4 *self, const WCHAR *label, int data)
{
    rt_context_set_marker_int(self, label, data);
}

void STDMETHODCALLTYPE rt_context_end_event(ID3D11DeviceContext4 *self)
{
    (void)self;
}

RT_UNKNOWN_METHODS(ID3DUserDefinedAnnotation)

static ID3D11DeviceContext4 *context_of(ID3DUserDefinedAnnotation *self)
{
    return (ID3D11DeviceContext4 *)&RT_OBJECT(self)->faces[0];
}

RT_METHOD(void) set_marker(ID3DUserDefinedAnnotation *self, LPCWSTR name)
{
    rt_context_set_marker_int(context_of(self), name, 0);
}

/* The depth of events is that of a tool that shows them; there is none, for which -1 is the answer. */
RT_METHOD(INT) begin_event(ID3DUserDefinedAnnotation *self, LPCWSTR name)
{
    set_marker(self, name);
    return -1;
}

RT_METHOD(INT) end_event(ID3DUserDefinedAnnotation *self)
{
    (void)self;
    return -1;
}

RT_METHOD(BOOL) get_status(ID3DUserDefinedAnnotation *self)
{
    (void)self;
    return FALSE;
}

const ID3DUserDefinedAnnotationVtbl rt_annotation_methods = {
    RT_UNKNOWN_SLOTS(ID3DUserDefinedAnnotation),
    .BeginEvent = begin_event,
    .EndEvent = end_event,
    .SetMarker = set_marker,
    .GetStatus = get_status,
};
