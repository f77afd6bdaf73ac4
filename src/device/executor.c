/* SPDX-License-Identifier: MIT
 *
 * The part of the executor interface that does not depend on the executor.
 */
#include "aerogpu/executor.h"

void agpu_executor_destroy(struct agpu_executor *executor)
{
    if (executor != NULL)
        executor->destroy(executor);
}
