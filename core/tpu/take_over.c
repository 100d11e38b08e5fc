/* take_over - see passes.def (R11). */

#include "tpu/passes.h"
#include "tpu/walks.h"

#include <assert.h>

bool pod_tpu_dies_in(const pod_tpu_lowering *lowering, pod_ref value, int32_t step)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free && lowering->kinds[lowering->ir->values[value].node] != POD_TPU_KIND_LEAF &&
           lowering->last_step[v->storage] == step;
}

void pod_tpu_take_over(pod_tpu_lowering *lowering, pod_ref result, pod_ref from)
{
    const pod_ref storage = lowering->values[from].storage;
    assert(storage <= result && lowering->values[result].storage == result);
    lowering->values[result].storage = storage;
    lowering->last_step[storage] = lowering->last_step[result];
}

/* Tells whether a loop's result that it did not change is where its operand is. */
static bool stays(const pod_tpu_lowering *lowering, pod_ref from, pod_ref result)
{
    const pod_tpu_value *v = &lowering->values[from], *made = &lowering->values[result];
    return v->stored && !v->free && made->stored && !made->free && !made->is_output &&
           lowering->kinds[lowering->ir->values[from].node] != POD_TPU_KIND_LEAF &&
           v->bytes.padded == made->bytes.padded;
}

/* Returns what is stored of an operand that is read through views. */
static pod_ref stored_of(const pod_tpu_lowering *lowering, pod_ref value)
{
    while (!lowering->values[value].stored && pod_tpu_sees_otherwise(pod_tpu_maker(lowering, value)->op))
        value = pod_tpu_inputs(lowering, pod_tpu_maker(lowering, value))[0];
    return value;
}

/* Updates and loops work in the buffers of their operands. */
static void update_in_place(pod_tpu_lowering *lowering, const pod_ir_node *node, int32_t step)
{
    const bool all = node->op == POD_OP_WHILE;
    const bool first = node->op == POD_OP_SCATTER || node->op == POD_OP_DYNAMIC_UPDATE_SLICE;
    for (uint32_t i = 0; i < node->value_count && (all || (first && i == 0)); i++) {
        const pod_ref from = stored_of(lowering, pod_tpu_inputs(lowering, node)[i]);
        const pod_ref result = node->value_first + i;
        if (lowering->carried[result].invariant && stays(lowering, from, result)) {
            const pod_ref storage = lowering->values[from].storage;
            lowering->values[result].storage = storage;
            if (lowering->last_step[result] > lowering->last_step[storage])
                lowering->last_step[storage] = lowering->last_step[result];
        } else if (lowering->values[result].stored && !lowering->values[result].free &&
                   pod_tpu_dies_in(lowering, from, step) &&
                   lowering->values[from].bytes.padded == lowering->values[result].bytes.padded)
            pod_tpu_take_over(lowering, result, from);
    }
}

/* Tells whether a kernel needs other elements of a parameter for an element of what it makes: it cannot be made where
 * the parameter is. */
static bool reads_moved(pod_tpu_lowering *lowering, pod_ref made, pod_ref parameter)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, made);
    if (node->op == POD_OP_WHILE || node->op == POD_OP_DYNAMIC_UPDATE_SLICE || node->op == POD_OP_SCATTER)
        return false;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    do {
        for (uint32_t i = 0; i < node->input_count; i++) {
            const pod_ref from = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[i]);
            if (from == parameter && !pod_tpu_is_elementwise(node))
                return true;
            if (!lowering->values[from].stored && pod_tpu_kind_of(lowering, from) != POD_TPU_KIND_LEAF)
                pod_tpu_walk_to(&walk, from);
        }
    } while (pod_tpu_walk_next_maker(&walk, &node));
    return false;
}

/* What a turn cannot make where it is to be is copied there at its end. */
static void copy_at_end(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->output_count; i++) {
        pod_tpu_value *value = &lowering->values[ir->outputs[i]];
        if (value->stored && value->free && reads_moved(lowering, ir->outputs[i], ir->parameters[i])) {
            value->free = false;
            lowering->last_step[ir->outputs[i]] = (int32_t)lowering->kernel_count - 1;
        }
    }
}

/* Tells whether a value is made by writing into another one, which it gives. */
static bool is_written_into(const pod_tpu_lowering *lowering, pod_ref value, pod_ref *from)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    if (node->op != POD_OP_SCATTER && node->op != POD_OP_DYNAMIC_UPDATE_SLICE)
        return false;
    *from = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[0]);
    return true;
}

/* Updates one after the other, of which the first writes into an argument and the last makes the output in its place:
 * those between are there, too, where nothing else reads what is written over. */
static void update_argument(pod_tpu_lowering *lowering, uint32_t output)
{
    const pod_ir *ir = lowering->ir;
    const pod_tpu_value *last = &lowering->values[ir->outputs[output]];
    if (!last->stored || !last->free || last->alias == 0)
        return;
    const pod_ref argument = ir->parameters[last->alias - 1];
    for (int pass = 0; pass < 2; pass++) {
        pod_ref value = ir->outputs[output], from;
        while (is_written_into(lowering, value, &from) && from != argument) {
            if (pass == 1)
                lowering->values[from].free = true;
            if (!lowering->values[from].stored || lowering->values[from].is_output ||
                lowering->last_step[from] != lowering->first_step[value] ||
                lowering->values[from].bytes.padded != last->bytes.padded)
                return;
            value = from;
        }
        if (!is_written_into(lowering, value, &from) || lowering->last_step[argument] != lowering->first_step[value])
            return;
    }
}

bool pod_tpu_pass_take_over(pod_tpu_lowering *lowering)
{
    if (lowering->depth > 0 && pod_tpu_has(lowering, POD_TPU_COPIED_RESULTS))
        copy_at_end(lowering);
    for (uint32_t i = 0; i < lowering->ir->output_count && pod_tpu_has(lowering, POD_TPU_IN_PLACE); i++)
        update_argument(lowering, i);
    for (uint32_t step = 0; step < lowering->kernel_count && pod_tpu_has(lowering, POD_TPU_IN_PLACE); step++)
        update_in_place(lowering, &lowering->ir->nodes[lowering->kernels[lowering->order[step]].node], (int32_t)step);
    return true;
}
