/* SPDX-License-Identifier: MIT
 *
 * When contents pass between processes. Those with a keyed mutex pass with the mutex (keyed_mutex.c). Those
 * without one are published by Flush(), Present() and Signal() of whoever has written them, and taken in
 * front of each submission.
 */
#ifndef RT_D3D11_EXCHANGE_H
#define RT_D3D11_EXCHANGE_H

#include "guest/d3d11/share.h"

/* Makes the contents of a share that another process may open from now on. What cannot have contents is
 * shared within the process alone. */
void rt_exchange_offer(struct rt_resource *resource);
/* The share has no members any more. */
void rt_exchange_withdraw(struct rt_contents *contents);

/* Around opening what another process has, so that a thread looks whether this process has it meanwhile: two
 * copies of it would not know of each other. */
void rt_exchange_begin(void);
void rt_exchange_end(void);
/* A resource of a device for a share of another process. E_INVALIDARG: there is no such share. */
HRESULT rt_exchange_open(ID3D11Device5 *device, const struct rt_token *token, bool has_nt_handle,
                         struct rt_resource **out);

/* Whether another process offers a share. */
bool rt_exchange_is_offered(const struct rt_token *token);

/* Of all shares without a keyed mutex. */
void rt_exchange_publish(void);
/* Waits for fences and takes, for a struct rt_device that submits. */
void rt_exchange_before_submission(void *device);

/* Whether a device of this process may have written it. */
bool rt_exchange_is_written(const struct rt_share *share);

/* Listens to other processes. The lock of the process is held. */
bool rt_exchange_listen(void);

#endif
