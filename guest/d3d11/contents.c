/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/contents.h"

#include "guest/d3d11/format.h"
#include "guest/d3d11/gpu.h"
#include "guest/d3d11/link.h"

#include <stdlib.h>
#include <string.h>

struct header {
    struct rt_link_header link;
    struct rt_contents_desc desc;
    _Atomic uint32_t version; /* counts what was published */
    struct rt_contents_mutex mutex;
};

/* Where the texels begin: subresource by subresource, rows without a gap. */
#define TEXELS_OFFSET 4096u
#define PIECE_BYTES 256u
_Static_assert(sizeof(struct header) <= TEXELS_OFFSET, "the header has a page");

struct rt_contents {
    unsigned users; /* under the lock of the process */
    struct rt_link link;
    struct rt_contents_desc desc;
    uint64_t bytes; /* of the texels */
    /* Under the mutex of the porter. */
    uint64_t token;
    struct umd_resource_desc umd_desc;
    struct umd_resource *opened, *staging; /* the porter's; NULL before they are needed */
    uint8_t *known;                        /* the texels as they were published or taken last */
    _Atomic uint32_t seen;                 /* the version of them */
};

/* The device of the process that carries texels, as long as there are contents. */
static struct {
    unsigned users; /* under the lock of the process, as is the mutex's making */
    bool has_mutex;
    struct rt_mutex mutex;
    struct umd_device *umd;
} porter;

static struct header *header_of(const struct rt_contents *contents)
{
    return (struct header *)(void *)contents->link.section.bytes;
}

static uint8_t *texels_of(const struct rt_contents *contents)
{
    return contents->link.section.bytes + TEXELS_OFFSET;
}

/* ---- The porter ---------------------------------------------------------------------------------------- */

static bool hire_porter(void)
{
    bool is_there;
    rt_process_lock();
    if (!porter.has_mutex)
        rt_mutex_init(&porter.mutex);
    porter.has_mutex = true;
    porter.users++;
    rt_process_unlock();
    rt_mutex_lock(&porter.mutex);
    if (!porter.umd) {
        struct umd_adapter *const adapter = rt_gpu_open();
        if (adapter && umd_create_device(adapter, &porter.umd) != UMD_OK) {
            porter.umd = NULL;
            rt_gpu_close();
        }
    }
    is_there = porter.umd != NULL;
    rt_mutex_unlock(&porter.mutex);
    return is_there;
}

static void dismiss_porter(void)
{
    bool is_last;
    rt_mutex_lock(&porter.mutex);
    rt_process_lock();
    is_last = --porter.users == 0;
    rt_process_unlock();
    if (is_last && porter.umd) {
        umd_destroy_device(porter.umd);
        porter.umd = NULL;
        rt_gpu_close();
    }
    rt_mutex_unlock(&porter.mutex);
}

/* Under the mutex: the resource as the porter's device has it, and memory that the processor reads. */
static bool prepare(struct rt_contents *contents)
{
    struct umd_resource_desc desc = contents->umd_desc;
    if (!contents->opened &&
        umd_open_shared_resource(porter.umd, &desc, contents->token, &contents->opened) != UMD_OK)
        contents->opened = NULL;
    desc.usage = UMD_USAGE_STAGING;
    desc.bind_flags = desc.misc_flags = desc.structure_stride = 0;
    desc.cpu_access = UMD_CPU_READ | UMD_CPU_WRITE;
    if (!contents->staging && umd_create_resource(porter.umd, &desc, NULL, &contents->staging) != UMD_OK)
        contents->staging = NULL;
    if (!contents->known)
        contents->known = calloc(1, (size_t)contents->bytes);
    return contents->opened && contents->staging && contents->known;
}

/* ---- Where texels are ---------------------------------------------------------------------------------- */

struct rows {
    UINT slices, rows;
    size_t bytes; /* of a row */
};

static struct rows rows_of(const struct rt_contents_desc *desc, UINT subresource)
{
    const DXGI_FORMAT format = (DXGI_FORMAT)desc->format;
    const UINT mip = subresource % desc->mips;
    if (desc->dimension == D3D11_RESOURCE_DIMENSION_BUFFER)
        return (struct rows){1, 1, desc->width};
    const UINT across = rt_format_block_width(format), down = rt_format_block_height(format);
    return (struct rows){rt_mip_size(desc->depth, mip), (rt_mip_size(desc->height, mip) + down - 1) / down,
                         (size_t)((rt_mip_size(desc->width, mip) + across - 1) / across) *
                             rt_format_block_bytes(format)};
}

/* 0: more than there can be. Each number is that of a resource that exists. */
static uint64_t texel_bytes(const struct rt_contents_desc *desc)
{
    uint64_t bytes = 0;
    for (UINT i = 0; i < desc->mips * desc->layers; i++) {
        const struct rows rows = rows_of(desc, i);
        bytes += (uint64_t)rows.slices * rows.rows * rows.bytes;
    }
    return bytes <= SIZE_MAX / 2 ? bytes : 0;
}

/* Calls a function for each row of the mapped staging resource, with the place of the row among the texels.
 */
typedef void (*on_row)(struct rt_contents *contents, uint64_t place, uint8_t *mapped, size_t bytes,
                       void *user);

static bool walk(struct rt_contents *contents, enum umd_map type, on_row visit, void *user)
{
    struct umd_context *const context = umd_immediate_context(porter.umd);
    uint64_t place = 0;
    for (UINT i = 0; i < contents->desc.mips * contents->desc.layers; i++) {
        const struct rows rows = rows_of(&contents->desc, i);
        struct umd_mapped_subresource mapped;
        if (umd_resource_map(context, contents->staging, i, type, 0, &mapped) != UMD_OK)
            return false;
        for (UINT slice = 0; slice < rows.slices; slice++) {
            for (UINT row = 0; row < rows.rows; row++, place += rows.bytes)
                visit(contents, place,
                      (uint8_t *)mapped.data + (size_t)slice * mapped.depth_pitch +
                          (size_t)row * mapped.row_pitch,
                      rows.bytes, user);
        }
        umd_resource_unmap(context, contents->staging, i);
    }
    return true;
}

/* ---- Publishing ---------------------------------------------------------------------------------------- */

/* What is other than it was goes into the section; what others have written beside it stays. Pieces of a row
 * that nobody else has written go as a whole. */
static void publish_piece(uint8_t *common, uint8_t *known, const uint8_t *mapped, size_t bytes)
{
    if (memcmp(common, known, bytes) == 0) {
        memcpy(common, mapped, bytes);
    } else {
        for (size_t i = 0; i < bytes; i++)
            if (known[i] != mapped[i])
                common[i] = mapped[i];
    }
    memcpy(known, mapped, bytes);
}

static void publish_row(struct rt_contents *contents, uint64_t place, uint8_t *mapped, size_t bytes,
                        void *user)
{
    uint8_t *const known = contents->known + place, *const common = texels_of(contents) + place;
    bool *const is_other = user;
    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        const size_t piece = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;
        if (memcmp(known + at, mapped + at, piece) == 0)
            continue;
        publish_piece(common + at, known + at, mapped + at, piece);
        *is_other = true;
    }
}

/* Under the porter's mutex. The GPU is waited for before the section is locked. */
static bool publish(struct rt_contents *contents)
{
    struct header *const header = header_of(contents);
    struct umd_context *const context = umd_immediate_context(porter.umd);
    bool is_other = false, good;
    if (!prepare(contents))
        return false;
    umd_resource_copy(context, contents->staging, contents->opened);
    if (umd_wait_idle(context) != UMD_OK || !rt_link_lock(&contents->link))
        return false;
    good = walk(contents, UMD_MAP_READ, publish_row, &is_other);
    if (is_other) {
        const uint32_t before = atomic_fetch_add(&header->version, 1);
        if (before == atomic_load(&contents->seen))
            atomic_store(&contents->seen, before + 1);
    }
    rt_link_unlock(&contents->link);
    return good;
}

bool rt_contents_publish(struct rt_contents *contents)
{
    bool good;
    rt_mutex_lock(&porter.mutex);
    good = publish(contents);
    rt_mutex_unlock(&porter.mutex);
    return good;
}

/* ---- Taking -------------------------------------------------------------------------------------------- */

bool rt_contents_are_newer(const struct rt_contents *contents)
{
    return !atomic_load(&contents->link.is_broken) &&
           atomic_load(&header_of(contents)->version) != atomic_load(&contents->seen);
}

static void take_row(struct rt_contents *contents, uint64_t place, uint8_t *mapped, size_t bytes, void *user)
{
    (void)user;
    memcpy(mapped, contents->known + place, bytes);
}

/* Under the porter's mutex. */
static void take(struct rt_contents *contents)
{
    struct umd_context *const context = umd_immediate_context(porter.umd);
    if (!prepare(contents) || !rt_link_lock(&contents->link))
        return;
    memcpy(contents->known, texels_of(contents), (size_t)contents->bytes);
    atomic_store(&contents->seen, atomic_load(&header_of(contents)->version));
    rt_link_unlock(&contents->link);
    if (!walk(contents, UMD_MAP_WRITE, take_row, NULL))
        return;
    umd_resource_copy(context, contents->opened, contents->staging);
    umd_flush(context, NULL);
}

void rt_contents_take(struct rt_contents *contents, bool keeps)
{
    rt_mutex_lock(&porter.mutex);
    if (rt_contents_are_newer(contents)) {
        if (keeps)
            publish(contents);
        take(contents);
    }
    rt_mutex_unlock(&porter.mutex);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void destroy(struct rt_contents *contents)
{
    if (porter.umd) {
        rt_mutex_lock(&porter.mutex);
        umd_destroy_resource(porter.umd, contents->opened);
        umd_destroy_resource(porter.umd, contents->staging);
        umd_flush(umd_immediate_context(porter.umd), NULL);
        rt_mutex_unlock(&porter.mutex);
    }
    dismiss_porter();
    rt_link_close(&contents->link);
    free(contents->known);
    free(contents);
}

static struct rt_contents *allocate(void)
{
    struct rt_contents *const contents = calloc(1, sizeof(*contents));
    if (!contents)
        return NULL;
    contents->users = 1;
    if (hire_porter())
        return contents;
    destroy(contents);
    return NULL;
}

static struct rt_contents_desc describe(const struct rt_resource *resource)
{
    return (struct rt_contents_desc){resource->dimension,  resource->format,     resource->width,
                                     resource->height,     resource->depth,      resource->mips,
                                     resource->layers,     resource->usage,      resource->bind_flags,
                                     resource->cpu_access, resource->misc_flags, resource->structure_stride};
}

static void bind(struct rt_contents *contents, const struct rt_resource *resource, uint64_t token)
{
    contents->umd_desc = rt_resource_describe(resource);
    contents->token = token;
}

HRESULT rt_contents_make(const struct rt_resource *resource, uint64_t token, struct rt_contents **out)
{
    struct rt_contents *contents;
    *out = NULL;
    if (resource->samples.Count > 1)
        return DXGI_ERROR_UNSUPPORTED;
    contents = allocate();
    if (!contents)
        return E_OUTOFMEMORY;
    contents->desc = describe(resource);
    contents->bytes = texel_bytes(&contents->desc);
    if (!contents->bytes || !rt_link_make(&contents->link, RT_LINK_RESOURCE, rt_link_name(token),
                                          TEXELS_OFFSET + contents->bytes)) {
        destroy(contents);
        return E_OUTOFMEMORY;
    }
    header_of(contents)->desc = contents->desc;
    bind(contents, resource, token);
    *out = contents;
    return S_OK;
}

HRESULT rt_contents_open(const struct rt_token *token, struct rt_contents **out)
{
    struct rt_contents *const contents = allocate();
    *out = NULL;
    if (!contents)
        return E_OUTOFMEMORY;
    if (!rt_link_open(&contents->link, RT_LINK_RESOURCE, rt_link_name(token->number), token->maker,
                      TEXELS_OFFSET)) {
        destroy(contents);
        return E_INVALIDARG;
    }
    contents->desc = header_of(contents)->desc;
    if (!rt_link_ask(&contents->link)) {
        rt_debug_output("a shared handle names a resource of a process that does not answer");
        destroy(contents);
        return E_INVALIDARG;
    }
    *out = contents;
    return S_OK;
}

HRESULT rt_contents_bind(struct rt_contents *contents, const struct rt_resource *resource, uint64_t token)
{
    /* Numbers that the resource has, too, are good; it was not made by all of them. */
    const struct rt_contents_desc made = describe(resource);
    if (memcmp(&made, &contents->desc, sizeof(made)) != 0)
        return E_INVALIDARG;
    contents->bytes = texel_bytes(&contents->desc);
    if (!contents->bytes || contents->link.section.size - TEXELS_OFFSET < contents->bytes)
        return E_INVALIDARG;
    bind(contents, resource, token);
    rt_contents_take(contents, false);
    return S_OK;
}

void rt_contents_hold(struct rt_contents *contents)
{
    contents->users++;
}

void rt_contents_let_go(struct rt_contents *contents)
{
    bool is_last;
    if (!contents)
        return;
    rt_process_lock();
    is_last = --contents->users == 0;
    rt_process_unlock();
    if (is_last)
        destroy(contents);
}

const struct rt_contents_desc *rt_contents_desc(const struct rt_contents *contents)
{
    return &contents->desc;
}

struct rt_link *rt_contents_link(struct rt_contents *contents)
{
    return &contents->link;
}

struct rt_contents_mutex *rt_contents_mutex(struct rt_contents *contents)
{
    return &header_of(contents)->mutex;
}
