/* SPDX-License-Identifier: MIT
 *
 * How large the tessellation factors of a hull shader can be, by intervals: what each variable may hold,
 * whatever way the program takes. Shaders mostly clamp their factors, and memory is sized by the largest.
 */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "ir/pass.h"

#define MOST_FACTOR 64
#define MOST_DEPTH 12  /* of expressions that are looked into */
#define MOST_ROUNDS 80 /* in which values may grow by 1, before they may be anything */

/* A value read as a float: what it may be, and whether it may be no number. An interval whose ends are in the
 * wrong order has no number. */
struct range {
    float low, high;
    bool nan;
};

struct bounds {
    const struct ag_ir_program *program;
    struct range (*variables)[4];
    bool grows, any; /* some variable's range grew in this round; ranges that grow become everything */
    struct range factors;
};

static const struct range nothing = {INFINITY, -INFINITY, false};
static const struct range everything = {-INFINITY, INFINITY, true};

static float lower(float a, float b)
{
    return a < b ? a : b;
}

static float higher(float a, float b)
{
    return a > b ? a : b;
}

static struct range from_to(float low, float high)
{
    return isnan(low) || isnan(high) ? everything : (struct range){low, high, false};
}

static struct range join(struct range a, struct range b)
{
    return (struct range){lower(a.low, b.low), higher(a.high, b.high), a.nan || b.nan};
}

static bool is_bounded(struct range range)
{
    return isfinite(range.low) && isfinite(range.high) && !range.nan;
}

/* ---- Operations --------------------------------------------------------------------------------------- */

/* Where one number is a NaN, the result is the other number. */
static struct range least(struct range a, struct range b)
{
    struct range result = {lower(a.low, b.low), lower(a.high, b.high), a.nan && b.nan};
    if (a.nan)
        result.high = higher(result.high, b.high);
    if (b.nan)
        result.high = higher(result.high, a.high);
    return result;
}

static struct range negative(struct range range)
{
    return (struct range){-range.high, -range.low, range.nan};
}

static struct range sum(struct range a, struct range b)
{
    return is_bounded(a) && is_bounded(b) ? from_to(a.low + b.low, a.high + b.high) : everything;
}

/* The exact product lies inside: a driver may round it before it is added to something, or afterwards. */
static struct range times(float a, float b)
{
    const double exact = (double)a * b;
    const float near = (float)exact;
    return from_to((double)near > exact ? nextafterf(near, -INFINITY) : near,
                   (double)near < exact ? nextafterf(near, INFINITY) : near);
}

static struct range product(struct range a, struct range b)
{
    if (!is_bounded(a) || !is_bounded(b))
        return everything;
    return join(join(times(a.low, b.low), times(a.low, b.high)),
                join(times(a.high, b.low), times(a.high, b.high)));
}

static struct range magnitude(struct range range)
{
    const struct range both = join(range, negative(range));
    return (struct range){0, both.high, range.nan};
}

static struct range rounded(struct range range, float (*round)(float))
{
    return (struct range){round(range.low), round(range.high), range.nan};
}

static struct range constant(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return isnan(number) ? (struct range){INFINITY, -INFINITY, true} : from_to(number, number);
}

/* ---- Expressions -------------------------------------------------------------------------------------- */

static struct range range_of(const struct bounds *bounds, const struct ag_ir_expr *expr, uint32_t lane,
                             uint32_t depth);

static struct range argument(const struct bounds *bounds, const struct ag_ir_expr *expr, uint32_t number,
                             uint32_t lane, uint32_t depth)
{
    const struct ag_ir_expr *from = expr->args[number];
    return range_of(bounds, from, from->width == 1 ? 0 : lane, depth + 1);
}

/* Of a vector made of vectors. */
static struct range joined(const struct bounds *bounds, const struct ag_ir_expr *expr, uint32_t lane,
                           uint32_t depth)
{
    uint32_t number = 0;
    while (number + 1 < expr->arg_count && lane >= expr->args[number]->width)
        lane -= expr->args[number++]->width;
    return argument(bounds, expr, number, lane, depth);
}

static struct range variable(const struct bounds *bounds, uint32_t id, uint32_t component)
{
    if (id == AG_IR_NONE)
        return constant(0);
    return bounds->program->variables.data[id].is_input ? everything : bounds->variables[id][component];
}

/* Of operations on floats, and those that pass bits on. All else may give anything. */
static struct range range_of(const struct bounds *bounds, const struct ag_ir_expr *expr, uint32_t lane,
                             uint32_t depth)
{
#define ARGUMENT(number) argument(bounds, expr, number, lane, depth)
    if (depth > MOST_DEPTH)
        return everything;
    switch ((enum ag_ir_op)expr->op) {
    case AG_IR_CONST:
        return constant(expr->u.bits[lane]);
    case AG_IR_READ:
        return variable(bounds, expr->u.id[lane], expr->component[lane]);
    case AG_IR_SWIZZLE:
        return argument(bounds, expr, 0, expr->component[lane], depth);
    case AG_IR_JOIN:
        return joined(bounds, expr, lane, depth);
    case AG_IR_SELECT:
        return join(ARGUMENT(1), ARGUMENT(2));
    case AG_IR_KEEP:
        return ARGUMENT(0);
    case AG_IR_ADD:
        return sum(ARGUMENT(0), ARGUMENT(1));
    case AG_IR_MUL:
        return product(ARGUMENT(0), ARGUMENT(1));
    case AG_IR_MAD:
        return sum(product(ARGUMENT(0), ARGUMENT(1)), ARGUMENT(2));
    case AG_IR_MIN:
        return least(ARGUMENT(0), ARGUMENT(1));
    case AG_IR_MAX:
        return negative(least(negative(ARGUMENT(0)), negative(ARGUMENT(1))));
    case AG_IR_NEG:
        return negative(ARGUMENT(0));
    case AG_IR_ABS:
        return magnitude(ARGUMENT(0));
    case AG_IR_SATURATE:
        return from_to(0, 1);
    case AG_IR_FRC: /* of infinity no number */
        return (struct range){0, 1, true};
    case AG_IR_SIN:
    case AG_IR_COS:
        return (struct range){-1, 1, true};
    case AG_IR_ROUND_NE:
        return rounded(ARGUMENT(0), rintf);
    case AG_IR_ROUND_Z:
        return rounded(ARGUMENT(0), truncf);
    case AG_IR_ROUND_PI:
        return rounded(ARGUMENT(0), ceilf);
    case AG_IR_ROUND_NI:
        return rounded(ARGUMENT(0), floorf);
    default:
        return everything;
    }
#undef ARGUMENT
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

static void add(struct bounds *bounds, struct range *to, struct range range)
{
    const struct range grown = join(*to, range);
    if (grown.low == to->low && grown.high == to->high && grown.nan == to->nan)
        return;
    *to = bounds->any ? everything : grown;
    bounds->grows = true;
}

static void add_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct bounds *bounds = user;
    const struct ag_ir_program *program = bounds->program;
    for (uint32_t lane = 0; stmt->kind == AG_IR_ASSIGN && lane < stmt->value->width; lane++)
        if (stmt->target[lane] != AG_IR_NONE)
            add(bounds, &bounds->variables[stmt->target[lane]][stmt->target_component[lane]],
                range_of(bounds, stmt->value, lane, 0));
    for (size_t i = 0; stmt->outputs != NULL && i < program->outputs.count; i++) {
        const struct ag_ir_output *output = &program->outputs.data[i];
        const struct ag_ir_expr *value = stmt->outputs[i];
        for (uint32_t lane = 0;
             output->kind == AG_IR_OUTPUT_TESS_FACTOR && value != NULL && lane < value->width; lane++)
            bounds->factors = join(bounds->factors, range_of(bounds, value, lane, 0));
    }
}

static uint8_t most_factor(struct range factors)
{
    if (!(factors.high > 1))
        return 1;
    return factors.high < MOST_FACTOR ? (uint8_t)ceilf(factors.high) : MOST_FACTOR;
}

void ag_ir_pass_factors(struct ag_ir_program *program)
{
    struct bounds bounds = {.program = program, .grows = true};
    if (program->flavour != AGPU_FLAVOUR_HULL_PATCH)
        return;
    bounds.variables = ag_arena_alloc_array(program->arena, program->variables.count + 1,
                                            sizeof bounds.variables[0], alignof(struct range));
    if (bounds.variables == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (uint32_t round = 0; bounds.grows; round++) {
        bounds.grows = false;
        bounds.any = round >= MOST_ROUNDS;
        bounds.factors = nothing;
        ag_ir_walk(program->body, add_statement, &bounds);
    }
    program->expansion.most_factor = most_factor(bounds.factors);
}
