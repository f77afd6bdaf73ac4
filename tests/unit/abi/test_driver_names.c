/* SPDX-License-Identifier: MIT
 *
 * A guest driver that knows the names of the ABI compiles against these headers, and gets its numbers.
 */
#include "../../support/test.h"

#include "aerogpu_alloc.h"
#include "aerogpu_cmd.h"
#include "aerogpu_dbgctl_escape.h"
#include "aerogpu_escape.h"
#include "aerogpu_pci.h"
#include "aerogpu_ring.h"
#include "aerogpu_umd_private.h"
#include "aerogpu_wddm_alloc.h"
#include "aerogpu_win7_abi.h"
#include "driver_names.h"

#define VALUE(name, value) {#name, (uint64_t)(name), (value)},
#define SIZE(type, size) {#type, sizeof(type), (size)},

static const struct {
    const char *name;
    uint64_t is, shall_be;
} rows[] = {DRIVER_NAMES(VALUE) DRIVER_STRUCTURES(SIZE)};

AEROGPU_STATIC_ASSERT(sizeof(aerogpu_escape_header) == 16); /* without words, as drivers write it */

static void names_have_their_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].is != rows[i].shall_be)
            fail_msg("%s is 0x%llx, not 0x%llx", rows[i].name, (unsigned long long)rows[i].is,
                     (unsigned long long)rows[i].shall_be);
    }
}

/* Types without `struct`, and two names of one word. */
static void types_have_their_names(void **state)
{
    (void)state;
    aerogpu_escape_map_shared_handle_inout map = {
        {1,           AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE, sizeof map, 0},
        5, {7},
        0
    };
    aerogpu_escape_dump_vblank_inout vblank = {
        {0, 0, 0, 0},
        0, 0, 0, 0, 0, 0, 9, 0
    };
    aerogpu_wddm_alloc_private_data allocation = {.alloc_id = 3};
    AEROGPU_DMA_PRIV dma = {.Type = AEROGPU_SUBMIT_PRESENT};
    aerogpu_umd_private_v1 adapter = {.device_mmio_magic = AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU};
    assert_int_equal(map.debug_token, 7);
    assert_int_equal(map.share_token, 7);
    assert_int_equal(vblank.vblank_period_ns, 9);
    assert_int_equal(allocation.alloc_id, 3);
    assert_int_equal(dma.Type, 2);
    assert_int_equal(adapter.device_mmio_magic, 0x55504741);
}

static void surfaces_are_described(void **state)
{
    (void)state;
    const uint64_t desc = AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(0xFFFFFFFF, 0x12345, 0x18001);
    assert_true(desc == UINT64_C(0x80012345FFFFFFFF));
    assert_true(AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(desc));
    assert_false(AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(UINT64_C(0x7FFFFFFFFFFFFFFF)));
    assert_int_equal(AEROGPU_WDDM_ALLOC_PRIV_DESC_FORMAT(desc), 0xFFFFFFFF);
    assert_int_equal(AEROGPU_WDDM_ALLOC_PRIV_DESC_WIDTH(desc), 0x2345);
    assert_int_equal(AEROGPU_WDDM_ALLOC_PRIV_DESC_HEIGHT(desc), 0x0001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_their_values),
        cmocka_unit_test(types_have_their_names),
        cmocka_unit_test(surfaces_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
