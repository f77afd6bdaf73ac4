/* SPDX-License-Identifier: MIT */
#include "ir/definition.h"

uint32_t ag_ir_define(struct ag_ir_definitions *definitions, uint32_t component)
{
    struct ag_ir_definition node = {
        .parent = (uint32_t)definitions->all.count, .component = component, .variable = AG_IR_NONE};
    if (!ag_vec_push(&definitions->all, node)) {
        ag_ir_no_memory(definitions->program);
        return 0;
    }
    return node.parent;
}

uint32_t ag_ir_define_phi(struct ag_ir_definitions *definitions, uint32_t component)
{
    uint32_t phi = ag_ir_define(definitions, component);
    if (definitions->program->status == AGPU_OK)
        definitions->all.data[phi].is_phi = true;
    return phi;
}

static uint32_t find_root(struct ag_ir_definitions *definitions, uint32_t node)
{
    struct ag_ir_definition *nodes = definitions->all.data;
    while (nodes[node].parent != node) {
        nodes[node].parent = nodes[nodes[node].parent].parent;
        node = nodes[node].parent;
    }
    return node;
}

struct ag_ir_definition *ag_ir_web_of(struct ag_ir_definitions *definitions, uint32_t definition)
{
    return &definitions->all.data[find_root(definitions, definition)];
}

static void unite(struct ag_ir_definitions *definitions, uint32_t a, uint32_t b)
{
    a = find_root(definitions, a);
    b = find_root(definitions, b);
    if (a == b)
        return;
    const uint32_t root = a < b ? a : b;
    struct ag_ir_definition *low = &definitions->all.data[root],
                            *high = &definitions->all.data[a < b ? b : a];
    high->parent = root;
    low->is_initial = low->is_initial || high->is_initial;
}

void ag_ir_activate(struct ag_ir_definitions *definitions, uint32_t node)
{
    if (definitions->program->status != AGPU_OK || !definitions->all.data[node].is_phi ||
        definitions->all.data[node].active)
        return;
    if (!ag_vec_push(&definitions->stack, node))
        ag_ir_no_memory(definitions->program);
    while (definitions->stack.count > 0) {
        uint32_t at = definitions->stack.data[--definitions->stack.count];
        struct ag_ir_definition *n = &definitions->all.data[at];
        if (!n->is_phi || n->active)
            continue;
        n->active = true;
        for (const struct ag_ir_predecessor *p = n->predecessors; p != NULL; p = p->next) {
            unite(definitions, at, p->node);
            if (!ag_vec_push(&definitions->stack, p->node))
                ag_ir_no_memory(definitions->program);
        }
    }
}

void ag_ir_reach(struct ag_ir_definitions *definitions, uint32_t phi, uint32_t node)
{
    if (phi == node || definitions->program->status != AGPU_OK)
        return;
    struct ag_ir_predecessor *p = AG_ARENA_NEW(definitions->program->arena, struct ag_ir_predecessor);
    if (p == NULL) {
        ag_ir_no_memory(definitions->program);
        return;
    }
    p->node = node;
    p->next = definitions->all.data[phi].predecessors;
    definitions->all.data[phi].predecessors = p;
    if (definitions->all.data[phi].active) {
        unite(definitions, phi, node);
        ag_ir_activate(definitions, node);
    }
}

void ag_ir_definitions_fini(struct ag_ir_definitions *definitions)
{
    ag_vec_fini(&definitions->all);
    ag_vec_fini(&definitions->stack);
}
