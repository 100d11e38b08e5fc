/* read_chains - reads a loop's steps as values and operations of chains, if they are all such. */

#include "program/chain_plan.h"

#include "base/sizes.h"

#include <math.h>
#include <string.h>

static pod_chain_value *add_value(pod_chain_plan *p, pod_chain_value_kind kind, uint32_t into)
{
    if (p->value_count == POD_CHAIN_VALUES || into >= POD_CHAIN_REGISTERS)
        return NULL;
    p->current[into] = p->value_count;
    pod_chain_value *made = &p->values[p->value_count++];
    *made = (pod_chain_value){.kind = kind, .chain = p->chain};
    return made;
}

static bool add_action(pod_chain_plan *p, pod_chain_op op, uint8_t result, uint8_t a, uint8_t b)
{
    if (p->action_count == POD_CHAIN_ACTIONS)
        return false;
    p->actions[p->action_count++] = (pod_chain_action){op, result, a, b, p->chain};
    return true;
}

/* The chain at hand becomes one before which a value of rows is there. */
static void wait_for(pod_chain_plan *p, uint8_t of)
{
    if (of != POD_NO_VALUE && p->values[of].kind == POD_VALUE_OF_ROW && p->values[of].chain > p->chain)
        p->chain = p->values[of].chain;
}

/* An f32 for each row at hand. */
static bool make_row_value(pod_chain_plan *p, pod_chain_value *made)
{
    const int64_t bytes = pod_round_up(POD_CHAIN_ROWS * (int64_t)sizeof(float), 64);
    made->operand = POD_CHAIN_ROW;
    made->row_bytes = sizeof(float);
    made->of_block = true;
    p->scratch_left -= bytes;
    return p->scratch_left >= 0;
}

static bool read_scalar(pod_chain_plan *p, const pod_loop_load *load)
{
    pod_chain_value *made = add_value(p, POD_VALUE_OF_ROW, load->result);
    if (!made || pod_kernel_class_of(load->dtype) != POD_CLASS_F32 || !make_row_value(p, made))
        return false;
    made->chain = 0;
    made->load = load;
    made->row_bytes = 0; /* the same for all rows, but there for each, where steps on rows read it */
    if (load->slot == POD_SLOT_END) {
        float element;
        p->kernels->load[load->dtype](&element, &load->element, 1);
        made->zero = element == 0 && !signbit(element);
    }
    return true;
}

/* A view whose columns lie one behind the other. */
static bool read_view(pod_chain_value *made, const pod_loop_load *load, int64_t columns)
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
    while (together == columns && dims > 1 && load->shape.dims[dims - 1] == 1)
        dims--;
    if (together % columns != 0 || (together == columns && dims == 0))
        return false;
    const bool within = together > columns; /* the last dimension has rows one behind the other */
    made->row_dims = within ? dims : dims - 1;
    made->is_view = true;
    made->period = within ? together / columns : load->shape.dims[dims - 1];
    made->row_bytes = (within ? columns : load->strides[dims - 1]) * size;
    return true;
}

static bool read_load(pod_chain_plan *p, const pod_loop_load *load)
{
    if (load->access == POD_ACCESS_SCALAR)
        return read_scalar(p, load);
    const bool of_row = load->access == POD_ACCESS_ROW || load->access == POD_ACCESS_ROWS;
    pod_chain_value *made = add_value(p, of_row ? POD_VALUE_OF_ROW : POD_VALUE_STORED, load->result);
    const bool truth = load->dtype == POD_BOOL;
    if (!made || load->in_memory || (p->split > 1 && (of_row || load->access == POD_ACCESS_COLUMN)) ||
        (load->dtype != POD_F32 && ((load->dtype != POD_BF16 && !truth) || of_row)))
        return false;
    const int64_t size = (int64_t)pod_dtype_size(load->dtype);
    made->operand = truth ? POD_CHAIN_BYTES : load->dtype == POD_F32 ? POD_CHAIN_F32 : POD_CHAIN_BF16;
    made->chain = 0;
    made->load = load;
    if (load->access == POD_ACCESS_TILE)
        return p->tile && load->dtype == POD_F32;
    if (load->slot == POD_SLOT_END)
        return false;
    switch (load->access) {
    case POD_ACCESS_DENSE:
        made->row_bytes = p->columns * size;
        return true;
    case POD_ACCESS_COLUMN:
        return true;
    case POD_ACCESS_STRIDED:
        return read_view(made, load, p->columns);
    case POD_ACCESS_ROW:
    case POD_ACCESS_ROWS:
        made->operand = POD_CHAIN_ROW;
        made->row_bytes = size;
        return true;
    default:
        return false;
    }
}

static uint8_t value_of(const pod_chain_plan *p, uint32_t from)
{
    return from < POD_CHAIN_REGISTERS ? p->current[from] : POD_NO_VALUE;
}

/* Returns whether a value has f32 or bf16 elements. */
static bool has_floats(const pod_chain_plan *p, uint8_t of)
{
    return of != POD_NO_VALUE && p->values[of].kind != POD_VALUE_POSITIVE && p->values[of].operand != POD_CHAIN_BYTES;
}

/* An operation of elements. */
static bool read_operation(pod_chain_plan *p, pod_chain_op op, const pod_loop_step *step, bool two)
{
    const uint8_t a = value_of(p, step->a), b = two ? value_of(p, step->b) : POD_NO_VALUE;
    if (!has_floats(p, a) || (two && !has_floats(p, b)))
        return false;
    wait_for(p, a);
    wait_for(p, b);
    pod_chain_value *made = add_value(p, POD_VALUE_MADE, step->result);
    return made && add_action(p, op, (uint8_t)(p->value_count - 1), a, b);
}

static bool is_step(const pod_chain_plan *p, const pod_loop_step *step, pod_block_op op)
{
    return step->function == p->kernels->element[op][POD_CLASS_F32];
}

static bool is_zero(const pod_chain_plan *p, uint32_t from)
{
    const uint8_t of = value_of(p, from);
    return of != POD_NO_VALUE && p->values[of].zero;
}

/* Returns whether a value is above 0. */
static bool read_comparison(pod_chain_plan *p, const pod_loop_step *step)
{
    const uint8_t of = value_of(p, step->a);
    if (!has_floats(p, of) || !is_zero(p, step->b))
        return false;
    pod_chain_value *made = add_value(p, POD_VALUE_POSITIVE, step->result);
    if (made)
        made->of = of;
    return made != NULL;
}

/* A value where a truth value is true, or another value above 0; else 0. */
static bool read_choice(pod_chain_plan *p, const pod_loop_step *step)
{
    const uint8_t by = value_of(p, step->a), of = value_of(p, step->b);
    if (by == POD_NO_VALUE || !has_floats(p, of) || !is_zero(p, step->c))
        return false;
    const pod_chain_value *choice = &p->values[by];
    const bool positive = choice->kind == POD_VALUE_POSITIVE;
    if (!positive && choice->operand != POD_CHAIN_BYTES)
        return false;
    const uint8_t b = positive ? choice->of : by;
    wait_for(p, of);
    wait_for(p, b);
    pod_chain_value *made = add_value(p, POD_VALUE_MADE, step->result);
    return made &&
           add_action(p, positive ? POD_CHAIN_WHERE_POSITIVE : POD_CHAIN_WHERE, (uint8_t)(p->value_count - 1), of, b);
}

static bool read_block_step(pod_chain_plan *p, const pod_loop_step *step)
{
    static const struct {
        pod_block_op op;
        pod_chain_op as;
        bool two;
    } known[] = {{POD_BLOCK_OP_ADD, POD_CHAIN_ADD, true},
                 {POD_BLOCK_OP_SUBTRACT, POD_CHAIN_SUBTRACT, true},
                 {POD_BLOCK_OP_MULTIPLY, POD_CHAIN_MULTIPLY, true},
                 {POD_BLOCK_OP_NEGATE, POD_CHAIN_NEGATE, false},
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

static bool read_row_step(pod_chain_plan *p, const pod_loop_step *step)
{
    pod_row_action *made = &p->row_actions[p->row_action_count];
    *made = (pod_row_action){step->function, 0, {value_of(p, step->a), value_of(p, step->b), value_of(p, step->c)}};
    uint8_t there = 0;
    for (int i = 0; i < 3; i++) {
        if (made->operands[i] == POD_NO_VALUE) {
            const uint32_t from[3] = {step->a, step->b, step->c};
            if (from[i] != UINT32_MAX)
                return false;
            continue;
        }
        const pod_chain_value *operand = &p->values[made->operands[i]];
        if (operand->kind != POD_VALUE_OF_ROW)
            return false;
        there = operand->chain > there ? operand->chain : there;
    }
    pod_chain_value *result = add_value(p, POD_VALUE_OF_ROW, step->result);
    if (!result || !make_row_value(p, result))
        return false;
    result->chain = there;
    made->result = (uint8_t)(p->value_count - 1);
    p->row_action_count++;
    return true;
}

/* Returns whether registers of rows that this function makes are f32, from such. */
static bool is_row_function(const pod_kernels *kernels, pod_block_function function)
{
    static const pod_block_op known[] = {POD_BLOCK_OP_ADD,    POD_BLOCK_OP_SUBTRACT,     POD_BLOCK_OP_MULTIPLY,
                                         POD_BLOCK_OP_DIVIDE, POD_BLOCK_OP_NEGATE,       POD_BLOCK_OP_SQRT,
                                         POD_BLOCK_OP_RSQRT,  POD_BLOCK_OP_ROUND_BF16,   POD_BLOCK_OP_EXP,
                                         POD_BLOCK_OP_LOG,    POD_BLOCK_OP_MULTIPLY_ADD, POD_BLOCK_OP_COPY};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (kernels->element[known[i]][POD_CLASS_F32] == function)
            return true;
    return false;
}

static bool read_fold_step(pod_chain_plan *p, const pod_loop_step *step)
{
    const uint8_t a = value_of(p, step->a), b = value_of(p, step->b);
    if (step->fold != POD_FOLD_SUM || step->class_ != POD_CLASS_F32 || (uint32_t)step->first != 0 ||
        !has_floats(p, a) || (step->b != UINT32_MAX && !has_floats(p, b)))
        return false;
    wait_for(p, a);
    wait_for(p, b);
    if (p->sums[p->chain] != POD_NO_VALUE)
        p->chain++;
    pod_chain_value *made = add_value(p, POD_VALUE_OF_ROW, step->result);
    if (!made || p->chain + 1 >= POD_CHAINS || !make_row_value(p, made))
        return false;
    made->chain = p->chain + 1;
    p->sums[p->chain] = (uint8_t)(p->value_count - 1);
    const pod_chain_op op = b == POD_NO_VALUE ? POD_CHAIN_SUM : a == b ? POD_CHAIN_SUM_SQUARES : POD_CHAIN_SUM_PRODUCTS;
    return add_action(p, op, POD_NO_VALUE, a, a == b ? POD_NO_VALUE : b);
}

static bool read_by_row_step(pod_chain_plan *p, const pod_loop_step *step)
{
    static const pod_chain_op as[POD_BY_ROW_COUNT] = {
        [POD_BY_ROW_ADD] = POD_CHAIN_ADD,
        [POD_BY_ROW_SUBTRACT] = POD_CHAIN_SUBTRACT,
        [POD_BY_ROW_MULTIPLY] = POD_CHAIN_MULTIPLY,
    };
    const uint8_t b = value_of(p, step->b); /* there is one: what a step reads, another step or a load gave */
    return step->by_row != POD_BY_ROW_DIVIDE && p->values[b].kind == POD_VALUE_OF_ROW &&
           read_operation(p, as[step->by_row], step, true);
}

static bool read_step(pod_chain_plan *p, const pod_loop_step *step)
{
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
        if (step->result >= POD_CHAIN_REGISTERS || !has_floats(p, value_of(p, step->a)))
            return false;
        p->current[step->result] = p->current[step->a];
        return true;
    case POD_STEP_ADAM:
    case POD_STEP_KINDS:
        break;
    }
    return false;
}

/* Folds and stores read what registers hold in the end. */
static bool read_ends(pod_chain_plan *p)
{
    const pod_loop *loop = p->loop;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        const pod_loop_fold *fold = &loop->folds[i];
        p->column_sums[i] = value_of(p, fold->source);
        if (fold->fold != POD_FOLD_SUM || fold->class_ != POD_CLASS_F32 || fold->by_rows != (p->split > 1) ||
            (fold->by_rows && fold->dtype != POD_F32) || fold->inner != p->columns || p->columns == 1 ||
            !has_floats(p, p->column_sums[i]) || p->values[p->column_sums[i]].kind == POD_VALUE_OF_ROW)
            return false;
    }
    for (uint32_t i = 0; i < loop->store_count; i++) {
        const pod_loop_store *store = &loop->stores[i];
        const uint8_t source = value_of(p, store->source);
        if (!has_floats(p, source) || (store->by_rows && p->split > 1) ||
            (store->by_rows && p->values[source].kind != POD_VALUE_OF_ROW) ||
            (!store->by_rows &&
             (p->values[source].kind == POD_VALUE_OF_ROW || (store->dtype != POD_F32 && store->dtype != POD_BF16))))
            return false;
    }
    return true;
}

bool pod_program_read_chains(pod_chain_plan *p)
{
    const pod_loop *loop = p->loop;
    p->value_count = p->chain = 0;
    p->action_count = p->row_action_count = 0;
    memset(p->current, POD_NO_VALUE, sizeof p->current);
    memset(p->sums, POD_NO_VALUE, sizeof p->sums);
    if (loop->step_count > POD_CHAIN_VALUES / 2 || loop->load_count > POD_CHAIN_VALUES / 2 ||
        loop->fold_count > POD_CHAIN_ENDS || loop->store_count > POD_CHAIN_ENDS)
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
