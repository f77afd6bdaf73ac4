/* SPDX-License-Identifier: MIT
 *
 * The part of the executor interface that does not depend on the executor.
 */
#include "aerogpu/executor.h"

#include "device/state.h"

bool agpu_executor_has_more(struct agpu_executor *executor)
{
    return AG_EXECUTOR_HAS(executor, has_more) && executor->has_more != NULL && executor->has_more(executor);
}

void agpu_executor_visit_contexts(struct agpu_executor *executor,
                                  void (*visit)(void *user, const struct agpu_context_counters *counters),
                                  void *user)
{
    if (AG_EXECUTOR_HAS(executor, visit_contexts) && executor->visit_contexts != NULL)
        executor->visit_contexts(executor, visit, user);
}

void agpu_executor_destroy(struct agpu_executor *executor)
{
    if (executor != NULL)
        executor->destroy(executor);
}
