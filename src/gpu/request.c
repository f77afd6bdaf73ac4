/* SPDX-License-Identifier: MIT */
#include "gpu/request.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "gpu/blob_cache.h"

struct ag_gpu_request {
    struct ag_gpu_request *next, **place; /* in the link's list; place is null when the request is given up */
    struct ag_device_link *link;
    void (*give_up)(void *user);
    void *user;
};

struct ag_device_link *ag_device_link_create(struct agpu_gpu *gpu)
{
    struct ag_device_link *const link = calloc(1, sizeof *link);
    if (link != NULL)
        *link = (struct ag_device_link){.gpu = gpu, .references = 1};
    return link;
}

void ag_device_link_take(struct ag_device_link *link)
{
    link->references++;
}

void ag_device_link_release(struct ag_device_link *link)
{
    if (link == NULL || --link->references != 0)
        return;
    ag_blob_cache_destroy(link->blobs);
    free(link);
}

static void leave_list(struct ag_gpu_request *request)
{
    *request->place = request->next;
    if (request->next != NULL)
        request->next->place = request->place;
    request->place = NULL;
}

void ag_device_link_cut(struct ag_device_link *link)
{
    link->gpu = NULL;
    ag_blob_cache_cut(link->blobs);
    while (link->requests != NULL) {
        struct ag_gpu_request *const request = link->requests;
        leave_list(request);
        request->give_up(request->user);
    }
}

struct ag_gpu_request *ag_gpu_request_begin(struct ag_device_link *link, void (*give_up)(void *user),
                                            void *user)
{
    struct ag_gpu_request *const request = link->gpu != NULL ? calloc(1, sizeof *request) : NULL;
    if (request == NULL)
        return NULL;
    *request = (struct ag_gpu_request){
        .next = link->requests,
        .place = &link->requests,
        .link = link,
        .give_up = give_up,
        .user = user,
    };
    if (link->requests != NULL)
        link->requests->place = &request->next;
    link->requests = request;
    ag_device_link_take(link);
    return request;
}

void *ag_gpu_request_end(struct ag_gpu_request *request)
{
    void *const user = request->place != NULL ? request->user : NULL;
    if (request->place != NULL)
        leave_list(request);
    ag_device_link_release(request->link);
    free(request);
    return user;
}

/* ---- Abandoned devices -------------------------------------------------------------------------------- */

struct ag_abandonments {
    atomic_uint references; /* of the gpu, and of each abandoned device */
};

struct ag_abandonments *ag_abandonments_create(void)
{
    struct ag_abandonments *const abandonments = calloc(1, sizeof *abandonments);
    if (abandonments != NULL)
        atomic_init(&abandonments->references, 1);
    return abandonments;
}

void ag_abandonments_take(struct ag_abandonments *abandonments)
{
    atomic_fetch_add(&abandonments->references, 1);
}

void ag_abandonments_release(struct ag_abandonments *abandonments)
{
    if (abandonments != NULL && atomic_fetch_sub(&abandonments->references, 1) == 1)
        free(abandonments);
}

uint32_t ag_abandonments_count(const struct ag_abandonments *abandonments)
{
    return atomic_load(&abandonments->references) - 1;
}
