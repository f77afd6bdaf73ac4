/* SPDX-License-Identifier: MIT */
#include "aerogpu/executor.h"

void agpu_executor_destroy(struct agpu_executor *executor)
{
    if (executor != NULL)
        executor->destroy(executor);
}
