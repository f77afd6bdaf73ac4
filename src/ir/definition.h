/* SPDX-License-Identifier: MIT
 *
 * Definitions of register components, and the webs that reads make of them (pass_webs.c). Functions note in
 * the program that memory is exhausted.
 */
#ifndef AG_IR_DEFINITION_H
#define AG_IR_DEFINITION_H

#include "base/vec.h"
#include "ir/ir.h"

/* A definition that reaches a phi node. */
struct ag_ir_predecessor {
    struct ag_ir_predecessor *next;
    uint32_t node;
};

/* A definition of a register component: an assignment, a phi or the initial zero. */
struct ag_ir_definition {
    uint32_t parent;    /* the union-find forest; the root stands for the web */
    uint32_t component; /* register * 4 + component */
    /* active: something reads the phi, so that its predecessors are in its web. is_initial: the web contains
     * the value zero that the component has before any assignment. */
    bool is_phi, active, is_initial;
    struct ag_ir_predecessor *predecessors;
    uint32_t variable; /* of the web, kept at the root */
};

struct ag_ir_definitions {
    struct ag_ir_program *program;
    AG_VEC(struct ag_ir_definition) all;
    AG_VEC(uint32_t) stack; /* of ag_ir_activate() */
};

/* Adds a definition, or a phi that nothing reaches yet; returns its index. */
uint32_t ag_ir_define(struct ag_ir_definitions *definitions, uint32_t component);
uint32_t ag_ir_define_phi(struct ag_ir_definitions *definitions, uint32_t component);
/* A definition reaches the phi. */
void ag_ir_reach(struct ag_ir_definitions *definitions, uint32_t phi, uint32_t definition);
/* Something reads the definition: every phi that it depends on is united with its predecessors. */
void ag_ir_activate(struct ag_ir_definitions *definitions, uint32_t definition);
/* The definition that stands for the web. */
struct ag_ir_definition *ag_ir_web_of(struct ag_ir_definitions *definitions, uint32_t definition);
void ag_ir_definitions_fini(struct ag_ir_definitions *definitions);

#endif
