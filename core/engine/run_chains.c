/*
 * run_chains - loops of sums, products and folds of f32 by the kernel of kernels/chains.h: some rows at a time, a chain
 * for the steps up to each fold of rows. Nothing but what a later chain reads is kept for whole rows.
 *
 * A loop is read into values (what a register holds from one step to another) and operations on them, which are then
 * written as chains. Every other loop is left to run_loop.c.
 */

#include "engine/run_loop.h"

#include "kernels/dot.h"
#include "kernels/sizes.h"

#include <math.h>
#include <string.h>

#define MOST_VALUES    64
#define MOST_ACTIONS   96
#define MOST_CHAINS    8
#define MOST_REGISTERS 64
#define NO_VALUE       UINT8_MAX

/* Rows that are taken through all chains together, and bytes of what is kept of them. */
#define MOST_ROWS  16
#define KEPT_BYTES ((int64_t)16 * 1024)

typedef enum value_kind {
    VALUE_STORED,   /* lies in memory: `at`, of row 0 of the loop, or of any row */
    VALUE_OF_ROW,   /* an element a row, or for all rows */
    VALUE_MADE,     /* by an operation */
    VALUE_POSITIVE, /* whether the value `of` is: only ever chosen by */
} value_kind;

typedef struct value {
    value_kind kind;
    pod_chain_operand operand; /* how it is read */
    char *at;
    int64_t row_bytes;
    bool of_block;    /* `at` is of the first row of those at hand */
    bool kept;        /* an operation reads it when it is not at hand any more */
    uint8_t chain;    /* MADE: that makes it; OF_ROW: the first before which it is there */
    bool whole;       /* kept for a later chain */
    bool zero;        /* the constant +0 */
    uint8_t of;       /* of POSITIVE */
    int32_t row_dims; /* of a view: those of its dimensions that rows go along */
    const pod_loop_load *view; /* NULL: rows lie row_bytes apart; else those do that only the last of row_dims tells apart */
} value;

/* What a chain does. */
typedef struct action {
    pod_chain_op op; /* LOAD: nothing but what follows `result`: its stores and sums */
    uint8_t result, a, b; /* values; b may be NO_VALUE */
    uint8_t chain;
} action;

/* What is done on elements of rows before a chain. */
typedef struct row_action {
    pod_block_function function;
    uint8_t result, operands[3];
} row_action;

typedef struct plan {
    pod_worker *worker;
    const pod_kernels *kernels;
    const pod_loop *loop;
    const pod_tile *tile;
    const pod_rectangle *r;
    char *room, *room_end; /* that is left */
    uint8_t current[MOST_REGISTERS]; /* the value that a register has */
    value values[MOST_VALUES];
    action actions[MOST_ACTIONS];
    row_action row_actions[MOST_VALUES];
    uint8_t value_count, chain; /* chain: the one at hand, in the end the last */
    int action_count, row_action_count;
    uint8_t sums[MOST_CHAINS];  /* the value that a chain's fold of rows makes */
    uint8_t column_sums[MOST_VALUES]; /* of a fold: what is added */
    pod_chain_step steps[MOST_CHAINS][POD_CHAIN_STEPS];
    uint8_t sources[MOST_CHAINS][POD_CHAIN_STEPS]; /* the value that an operand belongs to, or NO_VALUE */
    int32_t step_counts[MOST_CHAINS];
    int64_t width, rows; /* rows: at a time */
} plan;

/* ---- reading a loop ------------------------------------------------------------------------------ */

static char *take_room(plan *p, int64_t bytes)
{
    char *at = p->room;
    bytes = pod_round_up(bytes, 64);
    if (bytes > p->room_end - p->room)
        return NULL;
    p->room += bytes;
    return at;
}

static value *add_value(plan *p, value_kind kind, uint32_t into)
{
    if (p->value_count == MOST_VALUES || into >= MOST_REGISTERS)
        return NULL;
    p->current[into] = p->value_count;
    value *made = &p->values[p->value_count++];
    *made = (value){.kind = kind, .chain = p->chain};
    return made;
}

static bool add_action(plan *p, pod_chain_op op, uint8_t result, uint8_t a, uint8_t b)
{
    if (p->action_count == MOST_ACTIONS)
        return false;
    p->actions[p->action_count++] = (action){op, result, a, b, p->chain};
    return true;
}

/* The chain at hand becomes one before which a value of rows is there. */
static void wait_for(plan *p, uint8_t of)
{
    if (of != NO_VALUE && p->values[of].kind == VALUE_OF_ROW && p->values[of].chain > p->chain)
        p->chain = p->values[of].chain;
}

/* An f32 for each row at hand. */
static bool make_row_value(plan *p, value *made)
{
    made->operand = POD_CHAIN_ROW;
    made->row_bytes = sizeof(float);
    made->of_block = true;
    made->at = take_room(p, MOST_ROWS * (int64_t)sizeof(float));
    return made->at != NULL;
}

static bool read_scalar(plan *p, const pod_loop_load *load)
{
    value *made = add_value(p, VALUE_OF_ROW, load->result);
    if (!made || pod_class_of(load->dtype) != POD_CLASS_F32 || !make_row_value(p, made))
        return false;
    const char *from = load->slot == POD_SLOT_END
                           ? (const char *)&load->element
                           : (const char *)pod_slot_memory(p->worker, load->slot) +
                                 load->offset * (int64_t)pod_dtype_size(load->dtype);
    made->chain = 0;
    float *to = (float *)made->at;
    p->kernels->load[load->dtype](to, from, 1);
    made->zero = load->slot == POD_SLOT_END && to[0] == 0 && !signbit(to[0]);
    for (int i = 1; i < MOST_ROWS; i++)
        to[i] = to[0];
    return true;
}

/* A view whose columns lie one behind the other. */
static bool read_view(value *made, const pod_loop_load *load, int64_t columns)
{
    const int64_t size = (int64_t)pod_dtype_size(load->dtype);
    int64_t together = 1;
    int32_t dims = load->shape.rank;
    for (; dims > 0 && together < columns; dims--) {
        const int64_t dim = load->shape.dims[dims - 1];
        if (dim > 1 && load->strides[dims - 1] != together)
            return false;
        together *= dim;
    }
    if (together != columns)
        return false;
    made->row_dims = dims;
    made->view = load;
    made->row_bytes = dims > 0 ? load->strides[dims - 1] * size : 0;
    return true;
}

static bool read_load(plan *p, const pod_loop_load *load)
{
    if (load->access == POD_ACCESS_SCALAR)
        return read_scalar(p, load);
    const bool of_row = load->access == POD_ACCESS_ROW || load->access == POD_ACCESS_ROWS;
    value *made = add_value(p, of_row ? VALUE_OF_ROW : VALUE_STORED, load->result);
    const bool truth = load->dtype == POD_BOOL;
    if (!made || load->apart || (load->dtype != POD_F32 && ((load->dtype != POD_BF16 && !truth) || of_row)))
        return false;
    const int64_t size = (int64_t)pod_dtype_size(load->dtype);
    made->operand = truth ? POD_CHAIN_BYTES : load->dtype == POD_F32 ? POD_CHAIN_F32 : POD_CHAIN_BF16;
    made->chain = 0;
    if (load->access == POD_ACCESS_TILE) {
        if (load->dtype != POD_F32)
            return false;
        made->row_bytes = p->tile->stride * size;
        made->at = (char *)(p->tile->data - p->tile->row * p->tile->stride +
                            (p->r->column - p->tile->column));
        return true;
    }
    made->at = load->slot == POD_SLOT_END ? NULL : pod_slot_memory(p->worker, load->slot);
    if (!made->at)
        return false;
    made->at += load->offset * size;
    switch (load->access) {
    case POD_ACCESS_DENSE:
        made->row_bytes = p->loop->columns * size;
        made->at += p->r->column * size;
        return true;
    case POD_ACCESS_COLUMN:
        made->at += p->r->column * size;
        return true;
    case POD_ACCESS_STRIDED:
        made->at += p->r->column * size;
        return read_view(made, load, p->loop->columns);
    case POD_ACCESS_ROW:
    case POD_ACCESS_ROWS:
        made->operand = POD_CHAIN_ROW;
        made->row_bytes = size;
        return true;
    default:
        return false;
    }
}

static uint8_t value_of(const plan *p, uint32_t from)
{
    return from < MOST_REGISTERS ? p->current[from] : NO_VALUE;
}

/* Whether a value has f32 or bf16 elements. */
static bool has_floats(const plan *p, uint8_t of)
{
    return of != NO_VALUE && p->values[of].kind != VALUE_POSITIVE && p->values[of].operand != POD_CHAIN_BYTES;
}

/* An operation of elements. */
static bool read_operation(plan *p, pod_chain_op op, const pod_loop_step *step, bool two)
{
    const uint8_t a = value_of(p, step->a), b = two ? value_of(p, step->b) : NO_VALUE;
    if (!has_floats(p, a) || (two && !has_floats(p, b)))
        return false;
    wait_for(p, a);
    wait_for(p, b);
    value *made = add_value(p, VALUE_MADE, step->result);
    return made && add_action(p, op, (uint8_t)(p->value_count - 1), a, b);
}

static bool is_step(const plan *p, const pod_loop_step *step, pod_block_op op)
{
    return step->function == p->kernels->element[op][POD_CLASS_F32];
}

static bool is_zero(const plan *p, uint32_t from)
{
    const uint8_t of = value_of(p, from);
    return of != NO_VALUE && p->values[of].zero;
}

/* Whether a value is above 0. */
static bool read_comparison(plan *p, const pod_loop_step *step)
{
    const uint8_t of = value_of(p, step->a);
    value *made = has_floats(p, of) && is_zero(p, step->b) ? add_value(p, VALUE_POSITIVE, step->result) : NULL;
    if (made)
        made->of = of;
    return made != NULL;
}

/* A value where a truth value is true, or another value above 0; else 0. */
static bool read_choice(plan *p, const pod_loop_step *step)
{
    const uint8_t by = value_of(p, step->a), of = value_of(p, step->b);
    if (by == NO_VALUE || !has_floats(p, of) || !is_zero(p, step->c))
        return false;
    const value *choice = &p->values[by];
    const bool positive = choice->kind == VALUE_POSITIVE;
    if (!positive && choice->operand != POD_CHAIN_BYTES)
        return false;
    const uint8_t b = positive ? choice->of : by;
    wait_for(p, of);
    wait_for(p, b);
    value *made = add_value(p, VALUE_MADE, step->result);
    return made && add_action(p, positive ? POD_CHAIN_WHERE_POSITIVE : POD_CHAIN_WHERE,
                              (uint8_t)(p->value_count - 1), of, b);
}

static bool read_block_step(plan *p, const pod_loop_step *step)
{
    static const struct {
        pod_block_op op;
        pod_chain_op as;
        bool two;
    } known[] = {{POD_BLOCK_OP_ADD, POD_CHAIN_ADD, true},
                 {POD_BLOCK_OP_SUBTRACT, POD_CHAIN_SUBTRACT, true},
                 {POD_BLOCK_OP_MULTIPLY, POD_CHAIN_MULTIPLY, true},
                 {POD_BLOCK_OP_ROUND_BF16, POD_CHAIN_ROUND, false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_step(p, step, known[i].op))
            return read_operation(p, known[i].as, step, known[i].two);
    if (is_step(p, step, POD_BLOCK_OP_MAXIMUM))
        return is_zero(p, step->b) && read_operation(p, POD_CHAIN_POSITIVE, step, false);
    if (is_step(p, step, POD_BLOCK_OP_GT))
        return read_comparison(p, step);
    return is_step(p, step, POD_BLOCK_OP_SELECT) && read_choice(p, step);
}

static bool read_row_step(plan *p, const pod_loop_step *step)
{
    row_action *made = &p->row_actions[p->row_action_count];
    *made = (row_action){step->function, 0, {value_of(p, step->a), value_of(p, step->b), value_of(p, step->c)}};
    uint8_t there = 0;
    for (int i = 0; i < 3; i++) {
        if (made->operands[i] == NO_VALUE) {
            const uint32_t from[3] = {step->a, step->b, step->c};
            if (from[i] != UINT32_MAX)
                return false;
            continue;
        }
        const value *operand = &p->values[made->operands[i]];
        if (operand->kind != VALUE_OF_ROW)
            return false;
        there = operand->chain > there ? operand->chain : there;
    }
    value *result = add_value(p, VALUE_OF_ROW, step->result);
    if (!result || !make_row_value(p, result))
        return false;
    result->chain = there;
    made->result = (uint8_t)(p->value_count - 1);
    p->row_action_count++;
    return true;
}

/* Whether registers of rows that this function makes are f32, from such. */
static bool is_row_function(const pod_kernels *kernels, pod_block_function function)
{
    static const pod_block_op known[] = {
        POD_BLOCK_OP_ADD,    POD_BLOCK_OP_SUBTRACT, POD_BLOCK_OP_MULTIPLY,     POD_BLOCK_OP_DIVIDE,
        POD_BLOCK_OP_NEGATE, POD_BLOCK_OP_SQRT,     POD_BLOCK_OP_RSQRT,        POD_BLOCK_OP_ROUND_BF16,
        POD_BLOCK_OP_EXP,    POD_BLOCK_OP_LOG,      POD_BLOCK_OP_MULTIPLY_ADD, POD_BLOCK_OP_COPY};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (kernels->element[known[i]][POD_CLASS_F32] == function)
            return true;
    return false;
}

static bool read_fold_step(plan *p, const pod_loop_step *step)
{
    const uint8_t a = value_of(p, step->a), b = value_of(p, step->b);
    if (step->fold != POD_FOLD_SUM || step->class_ != POD_CLASS_F32 || (uint32_t)step->first != 0 ||
        !has_floats(p, a) || (step->b != UINT32_MAX && !has_floats(p, b)))
        return false;
    wait_for(p, a);
    wait_for(p, b);
    if (p->sums[p->chain] != NO_VALUE)
        p->chain++;
    value *made = add_value(p, VALUE_OF_ROW, step->result);
    if (!made || p->chain + 1 >= MOST_CHAINS || !make_row_value(p, made))
        return false;
    made->chain = p->chain + 1;
    p->sums[p->chain] = (uint8_t)(p->value_count - 1);
    const pod_chain_op op = b == NO_VALUE ? POD_CHAIN_SUM
                            : a == b      ? POD_CHAIN_SUM_SQUARES
                                          : POD_CHAIN_SUM_PRODUCTS;
    return add_action(p, op, NO_VALUE, a, a == b ? NO_VALUE : b);
}

static bool read_by_row_step(plan *p, const pod_loop_step *step)
{
    static const pod_chain_op as[POD_BY_ROW_COUNT] = {
        [POD_BY_ROW_ADD] = POD_CHAIN_ADD,
        [POD_BY_ROW_SUBTRACT] = POD_CHAIN_SUBTRACT,
        [POD_BY_ROW_MULTIPLY] = POD_CHAIN_MULTIPLY,
    };
    const uint8_t b = value_of(p, step->b);
    return step->by_row != POD_BY_ROW_DIVIDE && b != NO_VALUE && p->values[b].kind == VALUE_OF_ROW &&
           read_operation(p, as[step->by_row], step, true);
}

static bool read_step(plan *p, const pod_loop_step *step)
{
    if (step->adam)
        return false;
    switch (step->kind) {
    case POD_STEP_BLOCK:
        return read_block_step(p, step);
    case POD_STEP_ROWS:
        return is_row_function(p->kernels, step->function) && read_row_step(p, step);
    case POD_STEP_FOLD:
        return read_fold_step(p, step);
    case POD_STEP_BY_ROW:
        return read_by_row_step(p, step);
    case POD_STEP_SPREAD:
        /* Operands are read by rows as well. */
        if (step->result >= MOST_REGISTERS || !has_floats(p, value_of(p, step->a)))
            return false;
        p->current[step->result] = p->current[step->a];
        return true;
    case POD_STEP_KINDS:
        break;
    }
    return false;
}

/* Folds and stores read what registers hold in the end. */
static bool read_ends(plan *p)
{
    const pod_loop *loop = p->loop;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        const pod_loop_fold *fold = &loop->folds[i];
        p->column_sums[i] = value_of(p, fold->source);
        if (fold->fold != POD_FOLD_SUM || fold->class_ != POD_CLASS_F32 || fold->by_rows ||
            fold->inner != loop->columns || loop->columns == 1 || !has_floats(p, p->column_sums[i]) ||
            p->values[p->column_sums[i]].kind == VALUE_OF_ROW)
            return false;
    }
    for (uint32_t i = 0; i < loop->store_count; i++) {
        const pod_loop_store *store = &loop->stores[i];
        const uint8_t source = value_of(p, store->source);
        if (!has_floats(p, source) || (store->by_rows && p->values[source].kind != VALUE_OF_ROW) ||
            (!store->by_rows && (p->values[source].kind == VALUE_OF_ROW ||
                                 (store->dtype != POD_F32 && store->dtype != POD_BF16))))
            return false;
    }
    return true;
}

static bool read_loop(plan *p)
{
    const pod_loop *loop = p->loop;
    p->value_count = p->chain = 0;
    p->action_count = p->row_action_count = 0;
    memset(p->current, NO_VALUE, sizeof p->current);
    memset(p->sums, NO_VALUE, sizeof p->sums);
    if (loop->step_count > MOST_VALUES / 2 || loop->load_count > MOST_VALUES / 2 || loop->fold_count > 8 ||
        loop->store_count > 8)
        return false;
    uint32_t load = 0;
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].once && !read_load(p, &loop->loads[i]))
            return false;
    for (uint32_t i = 0; i <= loop->step_count; i++) {
        for (; load < loop->load_count && loop->loads[load].at <= i; load++)
            if (!loop->loads[load].once && !read_load(p, &loop->loads[load]))
                return false;
        if (i < loop->step_count && !read_step(p, &loop->steps[i]))
            return false;
    }
    return read_ends(p);
}

/* ---- writing chains ------------------------------------------------------------------------------ */

static bool add_step(plan *p, uint8_t chain, pod_chain_op op, const value *operand, uint8_t source)
{
    if (p->step_counts[chain] == POD_CHAIN_STEPS)
        return false;
    const int32_t at = p->step_counts[chain]++;
    pod_chain_step *made = &p->steps[chain][at];
    *made = (pod_chain_step){.op = (uint8_t)op};
    p->sources[chain][at] = source;
    if (operand) {
        made->operand = (uint8_t)operand->operand;
        made->row_bytes = operand->row_bytes;
        made->at = operand->at;
    }
    return true;
}

/* A step that reads a value. */
static bool add_reading(plan *p, uint8_t chain, pod_chain_op op, uint8_t of)
{
    value *operand = &p->values[of];
    if (operand->kind == VALUE_MADE) {
        operand->kept = true;
        operand->whole |= operand->chain != chain;
    }
    return add_step(p, chain, op, operand, of);
}

static bool bring(plan *p, uint8_t chain, uint8_t of, uint8_t *at_hand)
{
    if (*at_hand == of)
        return true;
    *at_hand = of;
    return add_reading(p, chain, POD_CHAIN_LOAD, of);
}

/* Sums of columns of a value that is at hand. */
static bool add_column_sums(plan *p, uint8_t chain, uint8_t of)
{
    for (uint32_t i = 0; i < p->loop->fold_count; i++) {
        if (p->column_sums[i] != of)
            continue;
        char *sums = pod_slot_memory(p->worker, p->loop->folds[i].slot);
        const value operand = {.operand = POD_CHAIN_F32, .at = sums + p->r->column * (int64_t)sizeof(float)};
        if (!add_step(p, chain, POD_CHAIN_SUM_COLUMNS, &operand, NO_VALUE))
            return false;
        p->steps[chain][p->step_counts[chain] - 1].row_bytes = -(int64_t)i - 1; /* which fold, until rows are known */
    }
    return true;
}

/* What was made is at hand: it is kept and summed. */
static bool finish_value(plan *p, uint8_t chain, uint8_t of)
{
    const value *made = &p->values[of];
    if (made->kept && !add_step(p, chain, POD_CHAIN_STORE_F32, made, of))
        return false;
    return add_column_sums(p, chain, of);
}

static bool write_action(plan *p, const action *what, uint8_t *at_hand)
{
    pod_chain_op op = what->op;
    uint8_t a = what->a, b = what->b;
    const bool may_turn = op == POD_CHAIN_ADD || op == POD_CHAIN_SUBTRACT || op == POD_CHAIN_MULTIPLY ||
                          op == POD_CHAIN_SUM_PRODUCTS;
    if (may_turn && *at_hand == b && *at_hand != a) {
        a = what->b;
        b = what->a;
        op = op == POD_CHAIN_SUBTRACT ? POD_CHAIN_SUBTRACT_FROM : op;
    }
    if (!bring(p, what->chain, a, at_hand))
        return false;
    if (a == b && op == POD_CHAIN_MULTIPLY) {
        op = POD_CHAIN_SQUARE;
        b = NO_VALUE;
    }
    if (b != NO_VALUE ? !add_reading(p, what->chain, op, b) : !add_step(p, what->chain, op, NULL, NO_VALUE))
        return false;
    if (what->result == NO_VALUE)
        return true;
    *at_hand = what->result;
    return finish_value(p, what->chain, what->result);
}

/* Stores come behind all that the last chain reads: they may go where something was read. */
static bool write_stores(plan *p, uint8_t *at_hand)
{
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        if (store->by_rows)
            continue;
        const int64_t size = (int64_t)pod_dtype_size(store->dtype);
        const value to = {
            .operand = store->dtype == POD_F32 ? POD_CHAIN_F32 : POD_CHAIN_BF16,
            .at = (char *)pod_slot_memory(p->worker, store->slot) + p->r->column * size,
            .row_bytes = p->loop->columns * size,
        };
        if (!bring(p, p->chain, p->current[store->source], at_hand) ||
            !add_step(p, p->chain, store->dtype == POD_F32 ? POD_CHAIN_STORE_F32 : POD_CHAIN_STORE_BF16, &to,
                      NO_VALUE))
            return false;
    }
    return true;
}

/* Writes all chains; values that are found to be kept are only kept the next time. */
static bool write_chains(plan *p)
{
    memset(p->step_counts, 0, sizeof p->step_counts);
    uint8_t at_hand = NO_VALUE, chain = 0;
    for (uint8_t i = 0; i < p->value_count; i++) {
        if (p->values[i].kind != VALUE_STORED)
            continue;
        for (uint32_t j = 0; j < p->loop->fold_count; j++)
            if (p->column_sums[j] == i) {
                if (!bring(p, 0, i, &at_hand) || !add_column_sums(p, 0, i))
                    return false;
                break;
            }
    }
    for (int i = 0; i < p->action_count; i++) {
        if (p->actions[i].chain != chain)
            at_hand = NO_VALUE;
        chain = p->actions[i].chain;
        if (!write_action(p, &p->actions[i], &at_hand))
            return false;
    }
    if (chain != p->chain)
        at_hand = NO_VALUE;
    return write_stores(p, &at_hand);
}

/* Gives room to what is kept; says how many rows are taken at a time. */
static bool place_values(plan *p)
{
    const int64_t near_bytes = POD_CHAIN_NEAR_LANES * (int64_t)sizeof(float);
    int64_t row_bytes = 0, most = p->room_end - p->room;
    for (uint8_t i = 0; i < p->value_count; i++) {
        if (p->values[i].whole)
            row_bytes += p->width * (int64_t)sizeof(float);
        else if (p->values[i].kept)
            most -= near_bytes;
    }
    p->rows = MOST_ROWS;
    while (p->rows > 1 && (p->rows * row_bytes > KEPT_BYTES || p->rows * row_bytes > most))
        p->rows /= 2;
    for (uint8_t i = 0; i < p->value_count; i++) {
        value *one = &p->values[i];
        if (!one->kept)
            continue;
        one->of_block = one->whole;
        one->operand = one->whole ? POD_CHAIN_F32 : POD_CHAIN_NEAR;
        one->row_bytes = one->whole ? p->width * (int64_t)sizeof(float) : 0;
        one->at = take_room(p, one->whole ? p->rows * one->row_bytes : near_bytes);
        if (!one->at)
            return false;
    }
    return true;
}

static bool make_plan(plan *p)
{
    /* A value that is kept without need is found here as well: then it is just stored. */
    return read_loop(p) && write_chains(p) && place_values(p) && write_chains(p);
}

/* ---- running ------------------------------------------------------------------------------------- */

static char *place_of(const plan *p, uint8_t of, int64_t row)
{
    const value *one = &p->values[of];
    if (!one->view)
        return one->at + (one->of_block || one->kind == VALUE_MADE ? 0 : row * one->row_bytes);
    int64_t offset = 0;
    for (int32_t i = one->row_dims - 1; i >= 0; i--) {
        offset += row % one->view->shape.dims[i] * one->view->strides[i];
        row /= one->view->shape.dims[i];
    }
    return one->at + offset * (int64_t)pod_dtype_size(one->view->dtype);
}

/* The end of the rows from `row` on that lie evenly in all views. */
static int64_t view_end(const plan *p, int64_t row, int64_t end)
{
    for (uint8_t i = 0; i < p->value_count; i++) {
        const value *one = &p->values[i];
        if (!one->view || one->row_dims == 0)
            continue;
        const int64_t dim = one->view->shape.dims[one->row_dims - 1], stop = (row / dim + 1) * dim;
        end = stop < end ? stop : end;
    }
    return end;
}

/* The operands of a chain at these rows. */
static void set_rows(plan *p, uint8_t chain, int64_t row)
{
    for (int32_t i = 0; i < p->step_counts[chain]; i++) {
        pod_chain_step *step = &p->steps[chain][i];
        const uint8_t source = p->sources[chain][i];
        if (source != NO_VALUE) {
            step->at = place_of(p, source, row);
        }
    }
}

static void run_row_actions(const plan *p, uint8_t chain, int64_t row, int64_t rows)
{
    for (int i = 0; i < p->row_action_count; i++) {
        const row_action *what = &p->row_actions[i];
        if (p->values[what->result].chain != chain)
            continue;
        const void *from[3] = {NULL, NULL, NULL};
        for (int j = 0; j < 3; j++)
            if (what->operands[j] != NO_VALUE)
                from[j] = place_of(p, what->operands[j], row);
        what->function(p->values[what->result].at, from[0], from[1], from[2], (size_t)rows);
    }
}

/* Where stores and sums of columns are at these rows. */
static void run_chain(plan *p, uint8_t index, int64_t row, int64_t rows)
{
    pod_chain_step steps[POD_CHAIN_STEPS];
    const int32_t count = p->step_counts[index];
    set_rows(p, index, row);
    memcpy(steps, p->steps[index], (size_t)count * sizeof *steps);
    for (int32_t i = 0; i < count; i++) {
        pod_chain_step *step = &steps[i];
        if (p->sources[index][i] != NO_VALUE)
            continue;
        if (step->op == POD_CHAIN_SUM_COLUMNS) {
            const pod_loop_fold *fold = &p->loop->folds[-step->row_bytes - 1];
            step->row_bytes = 0;
            step->at += row / fold->chunk * fold->inner * (int64_t)sizeof(float);
            step->first = row % fold->chunk == 0;
        } else {
            step->at += row * step->row_bytes;
        }
    }
    const uint8_t sums = p->sums[index];
    const pod_chain chain = {.rows = rows,
                             .columns = p->width,
                             .count = count,
                             .steps = steps,
                             .sums = sums == NO_VALUE ? NULL : (float *)p->values[sums].at};
    p->kernels->chain(&chain);
}

static void run_rows(plan *p, int64_t row, int64_t rows)
{
    for (uint8_t i = 0; i <= p->chain; i++) {
        run_row_actions(p, i, row, rows);
        run_chain(p, i, row, rows);
    }
    for (uint8_t i = p->chain + 1; i < MOST_CHAINS; i++)
        run_row_actions(p, i, row, rows);
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        if (store->by_rows)
            p->kernels->store[store->dtype]((char *)pod_slot_memory(p->worker, store->slot) +
                                                (size_t)row * pod_dtype_size(store->dtype),
                                            place_of(p, p->current[store->source], row), (size_t)rows);
    }
}

bool pod_run_chains(pod_worker *worker, const pod_loop *loop, const pod_tile *tile,
                    const pod_rectangle *r, char *scratch)
{
    const int64_t width = r->column_end - r->column;
    if (!worker->run->program->kernels->chain || width % POD_CHAIN_LANES != 0)
        return false;
    plan p; /* large: read_loop() sets what is read */
    p.worker = worker;
    p.kernels = worker->run->program->kernels;
    p.loop = loop;
    p.tile = tile;
    p.r = r;
    p.width = width;
    p.room = scratch;
    p.room_end = scratch + (size_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING;
    if (!make_plan(&p))
        return false;
    const int64_t strip = loop->pack_count ? POD_PACK_GRAIN : r->row_end - r->row;
    for (int64_t row = r->row, end; row < r->row_end; row = end) {
        end = r->row_end - row < strip ? r->row_end : row + strip;
        for (int64_t at = row, stop; at < end; at = stop) {
            stop = view_end(&p, at, pod_chunk_end(loop, at, end));
            stop = stop - at > p.rows ? at + p.rows : stop;
            run_rows(&p, at, stop - at);
        }
        pod_run_packs(worker, loop, r, row, end, 0);
    }
    return true;
}
