/* SPDX-License-Identifier: MIT
 *
 * Data and interfaces that a program leaves with an object under GUIDs of its own. An interface is referenced
 * as long as it is there.
 */
#ifndef RT_D3D11_PRIVATE_DATA_H
#define RT_D3D11_PRIVATE_DATA_H

#include "guest/d3d11/com.h"

#include <stdatomic.h>

struct rt_private_item;

struct rt_private_data {
    atomic_flag busy; /* held for the few instructions that look at the list */
    struct rt_private_item *first;
};

void rt_private_data_init(struct rt_private_data *data);
void rt_private_data_fini(struct rt_private_data *data);

/* The methods of ID3D11DeviceChild and IDXGIObject. */
HRESULT rt_private_data_set(struct rt_private_data *data, REFGUID guid, UINT size, const void *bytes);
HRESULT rt_private_data_set_interface(struct rt_private_data *data, REFGUID guid, const IUnknown *unknown);
HRESULT rt_private_data_get(struct rt_private_data *data, REFGUID guid, UINT *size, void *bytes);

#endif
