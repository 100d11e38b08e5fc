/* loops - see passes.def: what loops carry from turn to turn, and what their bodies need (R14). */

#include "tpu/passes.h"

#include <string.h>

#define DEEPEST 4 /* loops in loops whose bodies are planned */

/* The body of a loop whose results are what it carries; NULL for all other nodes. */
static pod_ir *body_of(const pod_ir_node *node)
{
    if (node->op != POD_OP_WHILE || node->region_count != 2)
        return NULL;
    pod_ir *body = node->regions[1];
    const bool good = body->parameter_count == node->value_count && body->output_count == node->value_count &&
                      node->input_count == node->value_count;
    return good ? body : NULL;
}

/* Tells whether an op only picks elements of its first operand, or shapes them anew. */
static bool picks(const pod_ir_node *node)
{
    const pod_op op = node->op;
    return op == POD_OP_DYNAMIC_SLICE || op == POD_OP_GATHER || op == POD_OP_SLICE || op == POD_OP_RESHAPE ||
           op == POD_OP_TRANSPOSE || op == POD_OP_REVERSE || pod_tpu_converts(node);
}

/* Tells whether a dot multiplies a vector in each of its batches. */
static bool has_vectors(const pod_ir *ir, const pod_ir_node *node)
{
    if (node->op != POD_OP_DOT || node->attributes->lhs_batch.count == 0)
        return false;
    const pod_attributes *a = node->attributes;
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    return ir->values[inputs[0]].shape->rank == a->lhs_batch.count + a->lhs_contract.count ||
           ir->values[inputs[1]].shape->rank == a->rhs_batch.count + a->rhs_contract.count;
}

/* Tells whether a turn lets products alone read what is carried at a place, and else only writes parts of it. */
static bool only_feeds_products(pod_tpu_lowering *lowering, const pod_ir *body, uint32_t place, uint32_t depth)
{
    const pod_ref carried = body->parameters[place];
    bool fed = false, *marks = pod_tpu_array(lowering, body->value_count, sizeof *marks);
    if (!marks || depth == DEEPEST)
        return false;
    marks[carried] = true;
    for (uint32_t i = 0; i < body->node_count; i++) {
        const pod_ir_node *node = &body->nodes[i];
        const pod_ref *inputs = pod_ir_inputs(body, node);
        bool first = node->input_count > 0 && marks[inputs[0]], others = false;
        for (uint32_t j = 1; j < node->input_count; j++)
            others = others || marks[inputs[j]];
        if (!first && !others)
            continue;
        if (pod_tpu_is_product(node->op)) {
            if (has_vectors(body, node))
                return false;
            fed = true;
        } else if (body_of(node)) {
            for (uint32_t j = 0; j < node->value_count; j++) {
                if (marks[inputs[j]] && !only_feeds_products(lowering, body_of(node), j, depth + 1))
                    return false;
                marks[node->value_first + j] = marks[inputs[j]];
            }
            fed = true;
        } else if (node->op == POD_OP_CONCATENATE) {
            marks[node->value_first] = true;
        } else if (!others && (picks(node) || (node->op == POD_OP_DYNAMIC_UPDATE_SLICE && inputs[0] == carried))) {
            fed = fed || node->op == POD_OP_DYNAMIC_UPDATE_SLICE;
            marks[node->value_first] = true;
        } else {
            return false;
        }
    }
    for (uint32_t i = 0; i < body->output_count; i++) {
        const pod_ref given = body->outputs[i];
        const pod_op op = pod_ir_maker(body, given)->op;
        const bool same = i == place && (pod_tpu_passes_on(body, i) || op == POD_OP_DYNAMIC_UPDATE_SLICE);
        if (marks[given] && !same)
            return false;
    }
    return fed && marks[body->outputs[place]];
}

#define LANES 128

/* Tells whether a loop is given rows of one tile's width that lie with their steps second in memory, as those that are
 * looked up by [batch, steps] do: a turn picks its step out of such rows in f32. */
static bool has_steps_second(const pod_tpu_lowering *lowering, pod_ref given)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, given);
    if (!pod_tpu_has(lowering, POD_TPU_STEPS_SECOND) || node->op != POD_OP_TRANSPOSE)
        return false;
    const pod_ref from = pod_tpu_inputs(lowering, node)[0];
    const pod_shape *given_shape = lowering->ir->values[given].shape, *shape = lowering->ir->values[from].shape;
    const bool steps_second = shape->rank == 3 && given_shape->dims[0] == shape->dims[1] &&
                              given_shape->dims[1] == shape->dims[0] && given_shape->dims[2] == shape->dims[2];
    const bool looked_up = pod_tpu_maker(lowering, pod_tpu_root(lowering, from))->op == POD_OP_GATHER;
    const bool argument = pod_tpu_kind_of(lowering, from) == POD_TPU_KIND_LEAF;
    return steps_second && ((looked_up && shape->dims[2] <= LANES) || (argument && shape->dims[2] == LANES));
}

static bool read_loop(pod_tpu_lowering *lowering, const pod_ir_node *node, const pod_ir *body)
{
    for (uint32_t i = 0; i < node->value_count; i++) {
        const pod_ref result = node->value_first + i;
        pod_tpu_value *value = &lowering->values[result];
        pod_tpu_carried *carried = &lowering->carried[result];
        carried->invariant = pod_tpu_has(lowering, POD_TPU_LOOP_INVARIANTS) && pod_tpu_passes_on(body, i);
        const pod_ref given = pod_tpu_inputs(lowering, node)[i], from = pod_tpu_root(lowering, given);
        carried->narrow = lowering->ir->values[result].dtype == POD_F32 &&
                          pod_tpu_has(lowering, POD_TPU_LOOPS_FEED_PRODUCTS) && !has_steps_second(lowering, given) &&
                          only_feeds_products(lowering, body, i, 0);
        if (carried->invariant && !carried->narrow && !value->is_output &&
            pod_tpu_kind_of(lowering, from) == POD_TPU_KIND_LEAF)
            value->free = true;
    }
    return pod_tpu_has_memory(lowering);
}

/* Tells whether a value is looked up in a table of which a copy has its rows side by side: they come so, too. */
static bool is_looked_up(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    const pod_ir_value *table =
        node->op == POD_OP_GATHER ? &lowering->ir->values[pod_tpu_inputs(lowering, node)[0]] : NULL;
    return table && table->shape->rank == 2 && pod_tpu_looks_up_copy(lowering, table->dtype, table->shape);
}

/* What a loop or an update of a part makes lies as the rows that are written into it, and so does what that is of. */
static void find_rows_of(pod_tpu_lowering *lowering, const pod_ir_node *node, uint32_t place)
{
    const pod_ir *ir = lowering->ir;
    const pod_ref made = node->value_first + place;
    const pod_ref from = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[place]);
    const pod_shape *shape = ir->values[made].shape, *given = ir->values[from].shape;
    uint8_t rows = (uint8_t)(pod_tpu_row_axis(lowering, ir, lowering->depth, made) + 1);
    if (rows == 0 && is_looked_up(lowering, from) && body_of(node) && pod_tpu_passes_on(body_of(node), place) &&
        given->dims[given->rank - 1] == shape->dims[shape->rank - 1])
        rows = (uint8_t)(shape->rank - 1);
    lowering->carried[made].rows = lowering->depth == 0 && lowering->values[made].is_output ? 0 : rows;
    if (node->op == POD_OP_DYNAMIC_UPDATE_SLICE && rows && picks(pod_tpu_maker(lowering, from))) {
        const pod_ref of = pod_tpu_inputs(lowering, pod_tpu_maker(lowering, from))[0];
        const bool taken = pod_tpu_kind_of(lowering, of) == POD_TPU_KIND_LEAF && lowering->carried[of].rows;
        lowering->carried[made].brought = !taken;
    }
    if (pod_tpu_kind_of(lowering, from) == POD_TPU_KIND_LEAF || lowering->values[from].is_output)
        return;
    if (pod_shape_equal(given, shape))
        lowering->carried[from].rows = rows;
    else if (rows == shape->rank - 1 && given->rank > 1 && given->dims[given->rank - 1] == shape->dims[shape->rank - 1])
        lowering->carried[from].rows = (uint8_t)(given->rank - 1); /* one after the other, too */
}

/* Finds what lies as the rows that dots make: what those are written into, and what loops carry of that. */
static void find_rows(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t places = lowering->depth > 0 ? ir->parameter_count : 0;
    for (uint32_t k = 0; k < places; k++)
        lowering->carried[ir->parameters[k]].rows =
            (uint8_t)(pod_tpu_carried_axis(lowering, ir, lowering->depth - 1, k) + 1);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        const int32_t fewest = node->op == POD_OP_WHILE ? 2 : node->op == POD_OP_DYNAMIC_UPDATE_SLICE ? 3 : INT32_MAX;
        for (uint32_t j = 0; j < node->value_count; j++)
            if (ir->values[node->value_first + j].shape->rank >= fewest)
                find_rows_of(lowering, node, j);
    }
    for (uint32_t k = 0; k < places; k++)
        lowering->carried[ir->outputs[k]].rows = lowering->carried[ir->parameters[k]].rows;
}

bool pod_tpu_pass_loops(pod_tpu_lowering *lowering)
{
    if (pod_tpu_has(lowering, POD_TPU_WRITTEN_ROWS))
        find_rows(lowering);
    for (uint32_t i = 0; i < lowering->ir->node_count; i++) {
        const pod_ir_node *node = &lowering->ir->nodes[i];
        const pod_ir *body = body_of(node);
        if (body && !read_loop(lowering, node, body))
            return false;
    }
    return true;
}

/* An operand of several products of a turn counts once, as each may compute anew what the compiler stores for all. */
static bool share_turns(pod_tpu_lowering *lowering, const pod_tpu_lowering *turn, float **turns)
{
    const uint32_t count = turn->ir->parameter_count;
    uint32_t *places = pod_tpu_array(lowering, turn->ir->value_count, sizeof *places); /* + 1 */
    float *products = pod_tpu_array(lowering, count, sizeof *products);
    float *shares = pod_tpu_array(lowering, count, sizeof *shares);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t k = 0; k < count; k++)
        places[turn->ir->parameters[k]] = k + 1;
    for (uint32_t j = 0; j < turn->kernel_count; j++) {
        const pod_tpu_kernel *kernel = &turn->kernels[j];
        for (uint32_t i = kernel->read_first; i < kernel->read_first + kernel->read_count; i++) {
            const uint32_t place = places[turn->reads[i]];
            if (place && kernel->work.product == 0)
                shares[place - 1] += turn->shares[i];
            else if (place && turn->shares[i] > products[place - 1])
                products[place - 1] = turn->shares[i];
        }
    }
    for (uint32_t k = 0; k < count; k++)
        shares[k] += products[k];
    *turns = shares;
    return true;
}

bool pod_tpu_plan_body(pod_tpu_lowering *lowering, pod_tpu_kernel *kernel)
{
    pod_ir *body = body_of(&lowering->ir->nodes[kernel->node]);
    if (!body || lowering->depth == DEEPEST || !pod_tpu_has(lowering, POD_TPU_LOOP_BODIES))
        return true;
    pod_tpu_lowering *inner = pod_tpu_array(lowering, 1, sizeof *inner);
    if (!inner)
        return false;
    *inner = (pod_tpu_lowering){
        .arena = lowering->arena, .target = lowering->target, .depth = lowering->depth + 1, .error = lowering->error};
    for (uint32_t i = 0; i < body->output_count; i++)
        body->aliases[i] = i;
    if (!pod_tpu_run_passes(inner, body))
        return false;
    kernel->scratch = inner->temp_bytes;
    kernel->turn = inner;
    lowering->result_tables += inner->result_tables;
    return share_turns(lowering, inner, &kernel->turns);
}
