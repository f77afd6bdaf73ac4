/* SPDX-License-Identifier: MIT
 *
 * The table of interfaces, and the identifiers of all of them for the programs that link with the runtime.
 */
#define INITGUID
#include "guest/d3d11/interfaces.h"

#include <d3d10_1.h>

struct interface_row {
    const IID *iid;
    uint8_t class;
    uint8_t face;
};

#define ROW(class_name, face_index, name) {&IID_##name, RT_CLASS_##class_name, face_index},
static const struct interface_row rows[] = {RT_INTERFACES(ROW)};
#undef ROW

int rt_interface_face(enum rt_class_id class, REFIID iid)
{
    if (IsEqualGUID(iid, &IID_IUnknown))
        return 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].class == class && IsEqualGUID(iid, rows[i].iid))
            return rows[i].face;
    return RT_NO_FACE;
}
