/* SPDX-License-Identifier: MIT
 *
 * ID3D11CommandList, FinishCommandList and ExecuteCommandList.
 */
#include "guest/d3d11/context.h"

#include <stdlib.h>

RT_CHILD_METHODS(ID3D11CommandList)

RT_METHOD(UINT) get_flags(ID3D11CommandList *self)
{
    return ((struct rt_command_list *)RT_OBJECT(self))->flags;
}

static const ID3D11CommandListVtbl methods = {
    RT_CHILD_SLOTS(ID3D11CommandList),
    .GetContextFlags = get_flags,
};

static void destroy(struct rt_object *object)
{
    struct rt_command_list *list = (struct rt_command_list *)object;
    umd_destroy_command_list(object->device->umd, list->umd);
    rt_uses_clear(&list->uses, object->device);
    rt_object_fini(object);
    free(list);
}

static const struct rt_class list_class = {RT_CLASS_COMMAND_LIST, {&methods}, destroy, NULL};

static void use(void *user, struct rt_object **slot)
{
    rt_context_use(user, *slot);
}

/* The next list begins with nothing bound, or with what is bound now. */
static void begin_next(struct rt_context *context, bool restores)
{
    if (!restores) {
        rt_bindings_clear(context->bindings);
        return;
    }
    rt_bindings_visit(context->bindings, use, context);
    rt_context_apply(context);
}

static HRESULT finish(struct rt_context *context, bool restores, ID3D11CommandList **out)
{
    struct rt_command_list *list = calloc(1, sizeof(*list));
    HRESULT result = context->is_out_of_memory || !list ? E_OUTOFMEMORY : S_OK;
    struct umd_command_list *umd = NULL;
    /* The driver's list ends in any case: what was recorded is not in the next one. */
    const HRESULT ended = rt_result(umd_create_command_list(context->umd, &umd));
    if (SUCCEEDED(result))
        result = ended;
    if (SUCCEEDED(result)) {
        rt_object_init(&list->object, &list_class, context->object.device);
        list->umd = umd;
        list->uses = context->uses;
        list->flags = context->flags;
        context->uses = (struct rt_uses){0};
        *out = (ID3D11CommandList *)&list->object.faces[0];
    } else {
        if (SUCCEEDED(ended))
            umd_destroy_command_list(context->object.device->umd, umd);
        rt_uses_clear(&context->uses, context->object.device);
        free(list);
    }
    context->is_out_of_memory = false;
    rt_uses_clear(&context->discarded, context->object.device);
    begin_next(context, restores);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_context_finish_command_list(ID3D11DeviceContext4 *self, BOOL restores,
                                                         ID3D11CommandList **out)
{
    struct rt_context *context = rt_enter(self);
    ID3D11CommandList *list = NULL;
    HRESULT result = DXGI_ERROR_INVALID_CALL;
    if (context->is_deferred) {
        result = finish(context, restores != FALSE, &list);
        /* Without a place for the list, what was recorded is dropped. */
        if (SUCCEEDED(result) && !out)
            rt_object_release(RT_OBJECT(list));
    }
    if (out)
        *out = list;
    rt_leave(context);
    return result;
}

void STDMETHODCALLTYPE rt_context_execute_command_list(ID3D11DeviceContext4 *self, ID3D11CommandList *given,
                                                       BOOL restores)
{
    struct rt_context *context = rt_enter(self);
    struct rt_command_list *list = (struct rt_command_list *)rt_own_object(context, given);
    if (list) {
        rt_context_use(context, &list->object);
        umd_execute_command_list(context->umd, list->umd, restores != FALSE);
        if (!restores)
            rt_bindings_clear(context->bindings);
    }
    rt_leave(context);
}
