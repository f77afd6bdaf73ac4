/* SPDX-License-Identifier: MIT */
#include "exec/object/dirty_resource.h"

#include <stddef.h>

#include "exec/host/account.h"
#include "exec/object/resource.h"

void ag_dirty_resource_note(struct ag_resource *resource)
{
    struct ag_account *const account = resource->account;
    if (resource->dirty_link || !account)
        return;
    resource->next_dirty = account->dirty;
    resource->dirty_link = &account->dirty;
    if (account->dirty)
        account->dirty->dirty_link = &resource->next_dirty;
    account->dirty = resource;
}

void ag_dirty_resource_forget(struct ag_resource *resource)
{
    if (!resource->dirty_link)
        return;
    *resource->dirty_link = resource->next_dirty;
    if (resource->next_dirty)
        resource->next_dirty->dirty_link = resource->dirty_link;
    resource->next_dirty = NULL;
    resource->dirty_link = NULL;
}
