/* SPDX-License-Identifier: MIT
 *
 * Where clients come in, without a server behind it.
 */
#include "../support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/endpoint.h"

#define REQUESTS 100u

struct taken {
    uint32_t count;
    uint64_t last;
};

static enum aerogpu_shared_result take(void *user, uint64_t size, int socket, uint64_t name)
{
    struct taken *const taken = user;
    assert_int_equal(size, 8192);
    assert_int_equal(socket, -1);
    assert_int_equal(name, taken->last + 1);
    taken->last = name;
    taken->count++;
    return AEROGPU_SHARED_RESULT_QUOTA;
}

/* Whoever writes requests without end would keep the server from all others. */
static void a_look_takes_some_requests(void **state)
{
    (void)state;
    char folder[] = P_tmpdir "/aerogpu-endpoint-XXXXXX";
    struct ag_folder_endpoint endpoint;
    struct taken taken = {0};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(ag_folder_endpoint_open(&endpoint, folder, NULL), AGPU_OK);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const struct aerogpu_shared_request request = {AEROGPU_SHARED_MAGIC, AEROGPU_SHARED_VERSION, 8192,
                                                       i + 1};
        assert_int_equal(write(endpoint.requests, &request, sizeof request), sizeof request);
    }
    ag_folder_endpoint_look(&endpoint, take, &taken);
    assert_in_range(taken.count, 1, REQUESTS / 2);
    for (uint32_t i = 0; i < REQUESTS; i++)
        ag_folder_endpoint_look(&endpoint, take, &taken);
    assert_int_equal(taken.count, REQUESTS);
    ag_folder_endpoint_close(&endpoint);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_takes_some_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
