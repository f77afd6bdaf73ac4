/* SPDX-License-Identifier: MIT
 *
 * ID3D11InfoQueue, and ID3D11Debug beside it.
 */
#include "guest/d3d11/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LIMIT 1024u

struct rt_stored_message {
    D3D11_MESSAGE_CATEGORY category;
    D3D11_MESSAGE_SEVERITY severity;
    D3D11_MESSAGE_ID id;
    SIZE_T size; /* of the text with its terminator */
    char text[];
};

/* ---- What the runtime says ----------------------------------------------------------------------------- */

static const struct {
    D3D11_MESSAGE_ID id;
    D3D11_MESSAGE_SEVERITY severity;
    D3D11_MESSAGE_CATEGORY category;
    const char *text;
} known[] = {
#define HAZARD(name, text)                                                                                   \
    {                                                                                                        \
        D3D11_MESSAGE_ID_DEVICE_##name##_HAZARD, D3D11_MESSAGE_SEVERITY_WARNING,                             \
            D3D11_MESSAGE_CATEGORY_STATE_SETTING, text                                                       \
    }
#define DROPPED(name, what, text)                                                                            \
    {                                                                                                        \
        D3D11_MESSAGE_ID_##name, D3D11_MESSAGE_SEVERITY_ERROR, D3D11_MESSAGE_CATEGORY_##what, text           \
    }
    HAZARD(VSSETSHADERRESOURCES,
           "VSSetShaderResources: a resource is bound as an output, its slot becomes NULL"),
    HAZARD(HSSETSHADERRESOURCES,
           "HSSetShaderResources: a resource is bound as an output, its slot becomes NULL"),
    HAZARD(DSSETSHADERRESOURCES,
           "DSSetShaderResources: a resource is bound as an output, its slot becomes NULL"),
    HAZARD(GSSETSHADERRESOURCES,
           "GSSetShaderResources: a resource is bound as an output, its slot becomes NULL"),
    HAZARD(PSSETSHADERRESOURCES,
           "PSSetShaderResources: a resource is bound as an output, its slot becomes NULL"),
    HAZARD(CSSETSHADERRESOURCES,
           "CSSetShaderResources: a resource is bound as an output, its slot becomes NULL"),
    HAZARD(IASETVERTEXBUFFERS, "IASetVertexBuffers: a buffer is bound as an output, its slot becomes NULL"),
    HAZARD(IASETINDEXBUFFER, "IASetIndexBuffer: the buffer is bound as an output, the slot becomes NULL"),
    DROPPED(OMSETRENDERTARGETS_INVALIDVIEW, STATE_SETTING,
            "OMSetRenderTargets: views differ in samples or slices, or overlap; the call is dropped"),
    DROPPED(DEVICE_CSSETUNORDEREDACCESSVIEWS_INVALIDVIEW, STATE_SETTING,
            "CSSetUnorderedAccessViews: views overlap; the call is dropped"),
    DROPPED(DEVICE_RSSETVIEWPORTS_INVALIDVIEWPORT, STATE_SETTING,
            "RSSetViewports: a viewport is not allowed; the call is dropped"),
    DROPPED(
        DEVICE_SOSETTARGETS_OFFSET_UNALIGNED, STATE_SETTING,
        "SOSetTargets: too many buffers, one of them twice, or an offset is no multiple of 4; the call is "
        "dropped"),
    DROPPED(DEVICE_DISPATCH_THREADGROUPCOUNT_OVERFLOW, EXECUTION,
            "Dispatch: more than 65535 thread groups in a dimension; the call is dropped"),
    DROPPED(QUERY_BEGIN_UNSUPPORTED, EXECUTION, "Begin: the query has no begin; the call is dropped"),
    DROPPED(
        COPYRESOURCE_INVALIDSOURCE, RESOURCE_MANIPULATION,
        "CopyResource: resources are not alike, or the destination cannot be written; the call is dropped"),
    DROPPED(COPYSUBRESOURCEREGION_INVALIDSOURCEBOX, RESOURCE_MANIPULATION,
            "CopySubresourceRegion: the region is not one of both resources; the call is dropped"),
    DROPPED(UPDATESUBRESOURCE_INVALIDDESTINATIONBOX, RESOURCE_MANIPULATION,
            "UpdateSubresource: the box is not one of the subresource, or it cannot be written; the call is "
            "dropped"),
    DROPPED(DEVICE_RESOLVESUBRESOURCE_FORMAT_INVALID, RESOURCE_MANIPULATION,
            "ResolveSubresource: textures or format cannot be resolved; the call is dropped"),
    DROPPED(DEVICE_GENERATEMIPS_RESOURCE_INVALID, RESOURCE_MANIPULATION,
            "GenerateMips: the resource has no D3D11_RESOURCE_MISC_GENERATE_MIPS; the call is dropped"),
    DROPPED(CLEARUNORDEREDACCESSVIEWFLOAT_INVALIDFORMAT, EXECUTION,
            "ClearUnorderedAccessViewFloat: the view has no format of floats; the call is dropped"),
    {D3D11_MESSAGE_ID_CORRUPTED_PARAMETER1, D3D11_MESSAGE_SEVERITY_CORRUPTION,
                              D3D11_MESSAGE_CATEGORY_MISCELLANEOUS, "an object belongs to another device; the call is dropped"},
#undef HAZARD
#undef DROPPED
};

/* ---- The queue ----------------------------------------------------------------------------------------- */

void rt_info_queue_init(struct rt_info_queue *queue, bool is_on)
{
    *queue = (struct rt_info_queue){.is_on = is_on, .limit = DEFAULT_LIMIT};
    rt_mutex_init(&queue->mutex);
}

static void clear(struct rt_info_queue *queue)
{
    for (UINT64 i = 0; i < queue->count; i++)
        free(queue->messages[i]);
    free(queue->messages);
    queue->messages = NULL;
    queue->count = 0;
}

void rt_info_queue_fini(struct rt_info_queue *queue)
{
    clear(queue);
    while (queue->storage)
        rt_filter_pop(&queue->storage);
    while (queue->retrieval)
        rt_filter_pop(&queue->retrieval);
    free(queue->break_ids);
    rt_mutex_fini(&queue->mutex);
}

static bool passes(const struct rt_filter *filter, const struct rt_stored_message *message)
{
    return rt_filter_passes(filter, message->category, message->severity, message->id);
}

/* The oldest message goes when the limit is reached. */
static HRESULT store(struct rt_info_queue *queue, struct rt_stored_message *message)
{
    struct rt_stored_message **grown;
    if (queue->limit == 0 || !passes(queue->storage, message)) {
        queue->denied++;
        free(message);
        return S_OK;
    }
    queue->allowed++;
    if (queue->count >= queue->limit) {
        free(queue->messages[0]);
        queue->count--;
        queue->discarded++;
        memmove(queue->messages, queue->messages + 1, (size_t)queue->count * sizeof(*queue->messages));
    }
    grown = realloc(queue->messages, (size_t)(queue->count + 1) * sizeof(*grown));
    if (!grown) {
        free(message);
        return E_OUTOFMEMORY;
    }
    queue->messages = grown;
    grown[queue->count++] = message;
    return S_OK;
}

/* Which of the break_ids it is; break_id_count: none. */
static UINT break_id_of(const struct rt_info_queue *queue, D3D11_MESSAGE_ID id)
{
    UINT i = 0;
    while (i < queue->break_id_count && queue->break_ids[i] != id)
        i++;
    return i;
}

static bool breaks_on_id(const struct rt_info_queue *queue, D3D11_MESSAGE_ID id)
{
    return break_id_of(queue, id) < queue->break_id_count;
}

static bool breaks_on(const struct rt_info_queue *queue, const struct rt_stored_message *message)
{
    return ((unsigned)message->category <= D3D11_MESSAGE_CATEGORY_SHADER &&
            queue->breaks_on_category[message->category]) ||
           ((unsigned)message->severity <= D3D11_MESSAGE_SEVERITY_MESSAGE &&
            queue->breaks_on_severity[message->severity]) ||
           breaks_on_id(queue, message->id);
}

static HRESULT add(struct rt_info_queue *queue, D3D11_MESSAGE_CATEGORY category,
                   D3D11_MESSAGE_SEVERITY severity, D3D11_MESSAGE_ID id, const char *text)
{
    const size_t size = strlen(text) + 1;
    struct rt_stored_message *message = malloc(sizeof(*message) + size);
    HRESULT result;
    if (!message)
        return E_OUTOFMEMORY;
    *message = (struct rt_stored_message){category, severity, id, size};
    memcpy(message->text, text, size);
    rt_mutex_lock(&queue->mutex);
    /* What is not stored is not shown to debuggers, and stops nobody. */
    const bool is_heard = passes(queue->storage, message);
    if (is_heard && !queue->is_muted) {
        rt_debug_output(text);
        rt_debug_output("\n");
    }
    const bool breaks = is_heard && breaks_on(queue, message);
    result = store(queue, message);
    rt_mutex_unlock(&queue->mutex);
    if (breaks)
        rt_debug_break();
    return result;
}

void rt_message_add(struct rt_info_queue *queue, D3D11_MESSAGE_ID id)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].id == id)
            add(queue, known[i].category, known[i].severity, id, known[i].text);
}

/* ---- Methods ------------------------------------------------------------------------------------------- */

RT_UNKNOWN_METHODS(ID3D11InfoQueue)

static struct rt_info_queue *queue_of(ID3D11InfoQueue *self)
{
    return &rt_device_of(self)->messages;
}

RT_METHOD(HRESULT) set_limit(ID3D11InfoQueue *self, UINT64 limit)
{
    struct rt_info_queue *queue = queue_of(self);
    rt_mutex_lock(&queue->mutex);
    queue->limit = limit;
    if (queue->count > limit) {
        const UINT64 surplus = queue->count - limit;
        for (UINT64 i = 0; i < surplus; i++)
            free(queue->messages[i]);
        queue->count = limit;
        queue->discarded += surplus;
        memmove(queue->messages, queue->messages + surplus, (size_t)limit * sizeof(*queue->messages));
    }
    rt_mutex_unlock(&queue->mutex);
    return S_OK;
}

RT_METHOD(void) clear_messages(ID3D11InfoQueue *self)
{
    struct rt_info_queue *queue = queue_of(self);
    rt_mutex_lock(&queue->mutex);
    clear(queue);
    rt_mutex_unlock(&queue->mutex);
}

/* The message with that number among those that the filter lets through. */
static const struct rt_stored_message *retrieve(const struct rt_info_queue *queue, UINT64 index)
{
    for (UINT64 i = 0; i < queue->count; i++)
        if (passes(queue->retrieval, queue->messages[i]) && index-- == 0)
            return queue->messages[i];
    return NULL;
}

RT_METHOD(HRESULT) get_message(ID3D11InfoQueue *self, UINT64 index, D3D11_MESSAGE *out, SIZE_T *size)
{
    struct rt_info_queue *queue = queue_of(self);
    const struct rt_stored_message *message;
    HRESULT result = S_OK;
    if (!size)
        return E_INVALIDARG;
    rt_mutex_lock(&queue->mutex);
    message = retrieve(queue, index);
    if (!message) {
        result = DXGI_ERROR_NOT_FOUND;
    } else if (!out) {
        *size = sizeof(*out) + message->size;
        result = S_FALSE;
    } else if (*size < sizeof(*out) + message->size) {
        result = E_INVALIDARG;
    } else {
        char *text = (char *)(out + 1);
        memcpy(text, message->text, message->size);
        *out = (D3D11_MESSAGE){message->category, message->severity, message->id, text, message->size};
    }
    rt_mutex_unlock(&queue->mutex);
    return result;
}

#define COUNT(name, field)                                                                                   \
    RT_METHOD(UINT64) name(ID3D11InfoQueue *self)                                                            \
    {                                                                                                        \
        return queue_of(self)->field;                                                                        \
    }
COUNT(count_allowed, allowed)
COUNT(count_denied, denied)
COUNT(count_stored, count)
COUNT(count_discarded, discarded)
COUNT(get_limit, limit)

RT_METHOD(UINT64) count_retrievable(ID3D11InfoQueue *self)
{
    struct rt_info_queue *queue = queue_of(self);
    UINT64 count = 0;
    rt_mutex_lock(&queue->mutex);
    for (UINT64 i = 0; i < queue->count; i++)
        count += passes(queue->retrieval, queue->messages[i]);
    rt_mutex_unlock(&queue->mutex);
    return count;
}

#define FILTER_METHODS(name, stack)                                                                          \
    RT_METHOD(HRESULT) name##_add(ID3D11InfoQueue *self, D3D11_INFO_QUEUE_FILTER *filter)                    \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        HRESULT result;                                                                                      \
        rt_mutex_lock(&queue->mutex);                                                                        \
        result = rt_filter_append(&queue->stack, filter);                                                    \
        rt_mutex_unlock(&queue->mutex);                                                                      \
        return result;                                                                                       \
    }                                                                                                        \
    RT_METHOD(HRESULT) name##_get(ID3D11InfoQueue *self, D3D11_INFO_QUEUE_FILTER *filter, SIZE_T *size)      \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        HRESULT result;                                                                                      \
        rt_mutex_lock(&queue->mutex);                                                                        \
        result = rt_filter_get(queue->stack, filter, size);                                                  \
        rt_mutex_unlock(&queue->mutex);                                                                      \
        return result;                                                                                       \
    }                                                                                                        \
    RT_METHOD(void) name##_clear(ID3D11InfoQueue *self)                                                      \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        rt_mutex_lock(&queue->mutex);                                                                        \
        rt_filter_pop(&queue->stack);                                                                        \
        rt_mutex_unlock(&queue->mutex);                                                                      \
    }                                                                                                        \
    RT_METHOD(HRESULT) name##_push_empty(ID3D11InfoQueue *self)                                              \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        HRESULT result;                                                                                      \
        rt_mutex_lock(&queue->mutex);                                                                        \
        result = rt_filter_push(&queue->stack) ? S_OK : E_OUTOFMEMORY;                                       \
        rt_mutex_unlock(&queue->mutex);                                                                      \
        return result;                                                                                       \
    }                                                                                                        \
    RT_METHOD(HRESULT) name##_push_copy(ID3D11InfoQueue *self)                                               \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        HRESULT result;                                                                                      \
        rt_mutex_lock(&queue->mutex);                                                                        \
        result = rt_filter_push_copy(&queue->stack);                                                         \
        rt_mutex_unlock(&queue->mutex);                                                                      \
        return result;                                                                                       \
    }                                                                                                        \
    RT_METHOD(HRESULT) name##_push(ID3D11InfoQueue *self, D3D11_INFO_QUEUE_FILTER *filter)                   \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        HRESULT result = E_INVALIDARG;                                                                       \
        rt_mutex_lock(&queue->mutex);                                                                        \
        if (filter)                                                                                          \
            result =                                                                                         \
                rt_filter_push(&queue->stack) ? rt_filter_append(&queue->stack, filter) : E_OUTOFMEMORY;     \
        rt_mutex_unlock(&queue->mutex);                                                                      \
        return result;                                                                                       \
    }                                                                                                        \
    RT_METHOD(UINT) name##_size(ID3D11InfoQueue *self)                                                       \
    {                                                                                                        \
        return rt_filter_stack_size(queue_of(self)->stack);                                                  \
    }

FILTER_METHODS(storage, storage)
FILTER_METHODS(retrieval, retrieval)

RT_METHOD(HRESULT)
add_message(ID3D11InfoQueue *self, D3D11_MESSAGE_CATEGORY category, D3D11_MESSAGE_SEVERITY severity,
            D3D11_MESSAGE_ID id, LPCSTR text)
{
    return text ? add(queue_of(self), category, severity, id, text) : E_INVALIDARG;
}

RT_METHOD(HRESULT)
add_application_message(ID3D11InfoQueue *self, D3D11_MESSAGE_SEVERITY severity, LPCSTR text)
{
    return add_message(self, D3D11_MESSAGE_CATEGORY_APPLICATION_DEFINED, severity,
                       D3D11_MESSAGE_ID_STRING_FROM_APPLICATION, text);
}

/* Settings by small numbers. */
#define BREAK_METHODS(name, type, field)                                                                     \
    RT_METHOD(HRESULT) set_##name(ID3D11InfoQueue *self, type number, BOOL enable)                           \
    {                                                                                                        \
        struct rt_info_queue *queue = queue_of(self);                                                        \
        if ((unsigned)number >= sizeof(queue->field) / sizeof(queue->field[0]))                              \
            return E_INVALIDARG;                                                                             \
        rt_mutex_lock(&queue->mutex);                                                                        \
        queue->field[number] = enable != FALSE;                                                              \
        rt_mutex_unlock(&queue->mutex);                                                                      \
        return S_OK;                                                                                         \
    }                                                                                                        \
    RT_METHOD(BOOL) get_##name(ID3D11InfoQueue *self, type number)                                           \
    {                                                                                                        \
        const struct rt_info_queue *queue = queue_of(self);                                                  \
        return (unsigned)number < sizeof(queue->field) / sizeof(queue->field[0]) && queue->field[number];    \
    }
BREAK_METHODS(break_category, D3D11_MESSAGE_CATEGORY, breaks_on_category)
BREAK_METHODS(break_severity, D3D11_MESSAGE_SEVERITY, breaks_on_severity)

/* Under the mutex. */
static HRESULT break_on(struct rt_info_queue *queue, D3D11_MESSAGE_ID id)
{
    D3D11_MESSAGE_ID *grown = realloc(queue->break_ids, (queue->break_id_count + 1) * sizeof(*grown));
    if (!grown)
        return E_OUTOFMEMORY;
    queue->break_ids = grown;
    grown[queue->break_id_count++] = id;
    return S_OK;
}

RT_METHOD(HRESULT) set_break_id(ID3D11InfoQueue *self, D3D11_MESSAGE_ID id, BOOL enable)
{
    struct rt_info_queue *queue = queue_of(self);
    HRESULT result = S_OK;
    rt_mutex_lock(&queue->mutex);
    const UINT i = break_id_of(queue, id);
    if (enable && i == queue->break_id_count)
        result = break_on(queue, id);
    else if (!enable && i < queue->break_id_count)
        queue->break_ids[i] = queue->break_ids[--queue->break_id_count];
    rt_mutex_unlock(&queue->mutex);
    return result;
}

RT_METHOD(BOOL) get_break_id(ID3D11InfoQueue *self, D3D11_MESSAGE_ID id)
{
    struct rt_info_queue *queue = queue_of(self);
    rt_mutex_lock(&queue->mutex);
    const BOOL breaks = breaks_on_id(queue, id);
    rt_mutex_unlock(&queue->mutex);
    return breaks;
}

RT_METHOD(void) set_mute(ID3D11InfoQueue *self, BOOL mute)
{
    queue_of(self)->is_muted = mute != FALSE;
}

RT_METHOD(BOOL) get_mute(ID3D11InfoQueue *self)
{
    return queue_of(self)->is_muted;
}

const ID3D11InfoQueueVtbl rt_info_queue_methods = {
    RT_UNKNOWN_SLOTS(ID3D11InfoQueue),
    .SetMessageCountLimit = set_limit,
    .ClearStoredMessages = clear_messages,
    .GetMessage = get_message,
    .GetNumMessagesAllowedByStorageFilter = count_allowed,
    .GetNumMessagesDeniedByStorageFilter = count_denied,
    .GetNumStoredMessages = count_stored,
    .GetNumStoredMessagesAllowedByRetrievalFilter = count_retrievable,
    .GetNumMessagesDiscardedByMessageCountLimit = count_discarded,
    .GetMessageCountLimit = get_limit,
    .AddStorageFilterEntries = storage_add,
    .GetStorageFilter = storage_get,
    .ClearStorageFilter = storage_clear,
    .PushEmptyStorageFilter = storage_push_empty,
    .PushCopyOfStorageFilter = storage_push_copy,
    .PushStorageFilter = storage_push,
    .PopStorageFilter = storage_clear,
    .GetStorageFilterStackSize = storage_size,
    .AddRetrievalFilterEntries = retrieval_add,
    .GetRetrievalFilter = retrieval_get,
    .ClearRetrievalFilter = retrieval_clear,
    .PushEmptyRetrievalFilter = retrieval_push_empty,
    .PushCopyOfRetrievalFilter = retrieval_push_copy,
    .PushRetrievalFilter = retrieval_push,
    .PopRetrievalFilter = retrieval_clear,
    .GetRetrievalFilterStackSize = retrieval_size,
    .AddMessage = add_message,
    .AddApplicationMessage = add_application_message,
    .SetBreakOnCategory = set_break_category,
    .SetBreakOnSeverity = set_break_severity,
    .SetBreakOnID = set_break_id,
    .GetBreakOnCategory = get_break_category,
    .GetBreakOnSeverity = get_break_severity,
    .GetBreakOnID = get_break_id,
    .SetMuteDebugOutput = set_mute,
    .GetMuteDebugOutput = get_mute,
};

/* ---- ID3D11Debug --------------------------------------------------------------------------------------- */

RT_UNKNOWN_METHODS(ID3D11Debug)

/* What is so here in any case. */
#define DEBUG_FEATURES                                                                                       \
    ((UINT)D3D11_DEBUG_FEATURE_NEVER_DISCARD_OFFERED_RESOURCE |                                              \
     D3D11_DEBUG_FEATURE_AVOID_BEHAVIOR_CHANGING_DEBUG_AIDS |                                                \
     D3D11_DEBUG_FEATURE_DISABLE_TILED_RESOURCE_MAPPING_TRACKING_AND_VALIDATION)

RT_METHOD(HRESULT) set_feature_mask(ID3D11Debug *self, UINT mask)
{
    if (mask & ~DEBUG_FEATURES)
        return E_NOTIMPL;
    rt_device_of(self)->messages.debug_features = mask;
    return S_OK;
}

RT_METHOD(UINT) get_feature_mask(ID3D11Debug *self)
{
    return rt_device_of(self)->messages.debug_features;
}

RT_METHOD(HRESULT) set_delay(ID3D11Debug *self, UINT milliseconds)
{
    (void)self;
    return milliseconds ? E_NOTIMPL : S_OK;
}

RT_METHOD(UINT) get_delay(ID3D11Debug *self)
{
    (void)self;
    return 0;
}

RT_METHOD(HRESULT) set_swap_chain(ID3D11Debug *self, IDXGISwapChain *swap_chain)
{
    (void)self;
    return swap_chain ? E_NOTIMPL : S_OK;
}

RT_METHOD(HRESULT) get_swap_chain(ID3D11Debug *self, IDXGISwapChain **swap_chain)
{
    (void)self;
    if (!swap_chain)
        return E_INVALIDARG;
    *swap_chain = NULL;
    return S_OK;
}

RT_METHOD(HRESULT) validate(ID3D11Debug *self, ID3D11DeviceContext *context)
{
    (void)self;
    return context ? E_NOTIMPL : E_INVALIDARG;
}

RT_METHOD(HRESULT) report_live_objects(ID3D11Debug *self, D3D11_RLDO_FLAGS flags)
{
    struct rt_device *device = rt_device_of(self);
    char text[96];
    (void)flags;
    snprintf(text, sizeof(text), "the device has %u references",
             (unsigned)atomic_load(&device->object.public_count));
    return add(&device->messages, D3D11_MESSAGE_CATEGORY_STATE_CREATION, D3D11_MESSAGE_SEVERITY_INFO,
               D3D11_MESSAGE_ID_LIVE_DEVICE, text);
}

const ID3D11DebugVtbl rt_debug_methods = {
    RT_UNKNOWN_SLOTS(ID3D11Debug),
    .SetFeatureMask = set_feature_mask,
    .GetFeatureMask = get_feature_mask,
    .SetPresentPerRenderOpDelay = set_delay,
    .GetPresentPerRenderOpDelay = get_delay,
    .SetSwapChain = set_swap_chain,
    .GetSwapChain = get_swap_chain,
    .ValidateContext = validate,
    .ReportLiveDeviceObjects = report_live_objects,
    .ValidateContextForDispatch = validate,
};
