/* loop_instructions - instructions that run loops, and those that combine what folds over rows leave. */

#include "compile/lower.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/node_kinds.h"

#include <assert.h>

static bool reads_memory(const pod_loop_load *load)
{
    return load->slot != POD_SLOT_END;
}

uint32_t pod_compile_loop_operand_count(const pod_loop *loop)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < loop->load_count; i++)
        count += reads_memory(&loop->loads[i]);
    return count;
}

uint32_t pod_compile_loop_result_count(const pod_loop *loop)
{
    return loop->store_count + loop->fold_count;
}

/* Into how many parts an operand falls. Of a strided one the outermost axis counts, where what lies
 * below it, some columns of each row say, keeps within its stride. */
static int64_t parts_of(const pod_loop *loop, const pod_loop_load *load, const pod_slot *slot)
{
    int64_t elements = pod_shape_elements(slot->shape);
    if (load->offset == 0 && load->access == POD_ACCESS_DENSE)
        return elements == loop->rows * loop->columns ? loop->rows : 1;
    if (load->offset == 0 && (load->access == POD_ACCESS_ROW || load->access == POD_ACCESS_ROWS))
        return elements == loop->rows ? loop->rows : 1;
    if (load->access != POD_ACCESS_STRIDED || load->offset < 0 || load->shape.rank < 2)
        return 1;
    int64_t outer = load->shape.dims[0], reach = load->offset;
    for (int32_t i = 1; i < load->shape.rank; i++) {
        if (load->strides[i] < 0)
            return 1;
        reach += load->strides[i] * (load->shape.dims[i] - 1);
    }
    bool whole = outer * load->strides[0] == elements;
    return whole && reach < load->strides[0] && loop->rows % outer == 0 ? outer : 1;
}

/* The slots that a loop reads and writes, from `first` on. */
static void place_slots(const pod_loop *loop, pod_instruction *instruction, uint32_t first,
                        const pod_lowering *lowering)
{
    uint32_t at = first;
    for (uint32_t i = 0; i < loop->load_count; i++) {
        const pod_loop_load *load = &loop->loads[i];
        if (!reads_memory(load))
            continue;
        instruction->slots[at] = load->slot;
        instruction->parts[at++] = parts_of(loop, load, &lowering->slots[load->slot]);
    }
    for (uint32_t i = 0; i < loop->store_count; i++) {
        instruction->slots[at] = loop->stores[i].slot;
        instruction->parts[at++] = loop->rows;
    }
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        instruction->slots[at] = loop->folds[i].slot;
        instruction->parts[at++] = loop->folds[i].by_rows ? loop->rows : 1;
    }
    assert(at == first + pod_compile_loop_operand_count(loop) + pod_compile_loop_result_count(loop));
}

/* Rough nanoseconds that a loop takes for a row. */
static double row_cost(const pod_loop *loop)
{
    double each = POD_COST_LOOP_ELEMENT *
                  (double)(loop->step_count * 2 + loop->load_count + loop->store_count + loop->fold_count);
    return each * (double)loop->columns + POD_COST_LOOP_ROW;
}

int64_t pod_compile_partial_rows(const pod_loop *loop)
{
    for (uint32_t i = 0; loop && i < loop->fold_count; i++)
        if (!loop->folds[i].by_rows)
            return loop->folds[i].partial_rows;
    return 0;
}

bool pod_lower_loop(pod_lowered *function, pod_loop *loop)
{
    uint32_t operands = pod_compile_loop_operand_count(loop), results = pod_compile_loop_result_count(loop);
    pod_instruction *made = pod_lower_add(function, POD_DO_LOOP, operands, results);
    if (!made)
        return false;
    made->name = "";
    made->loop = loop;
    made->rows = loop->rows;
    if (pod_compile_partial_rows(loop))
        made->unit = pod_compile_partial_rows(loop);
    made->row_cost = row_cost(loop);
    made->scratch_bytes = loop->scratch_bytes;
    place_slots(loop, made, 0, function->owner);
    return true;
}

bool pod_compile_loop_takes(pod_lowered *function, pod_instruction *made, const pod_loop *epilogue, uint32_t first,
                            bool by_rows, pod_ref value)
{
    if (!epilogue) {
        made->slots[first] = pod_lower_result(function, value);
        made->parts[first] = by_rows ? made->rows : 1;
        return made->slots[first] != POD_SLOT_END;
    }
    const uint32_t count = pod_compile_loop_operand_count(epilogue) + pod_compile_loop_result_count(epilogue);
    place_slots(epilogue, made, first, function->owner);
    for (uint32_t i = first; i < first + count; i++)
        made->parts[i] = by_rows && made->parts[i] % made->rows == 0 ? made->rows : 1;
    made->row_cost += row_cost(epilogue) * (double)epilogue->rows / (double)made->rows;
    made->scratch_bytes += epilogue->scratch_bytes;
    return true;
}

static bool lower_combine(pod_lowered *function, const pod_loop *loop, const pod_loop_fold *fold, pod_ref value)
{
    pod_instruction *made = pod_lower_add(function, POD_DO_COMBINE, 1, 1);
    uint32_t result = pod_lower_result(function, value);
    if (!made || result == POD_SLOT_END)
        return false;
    made->name = "partials";
    made->slots[0] = fold->slot;
    made->slots[1] = result;
    made->combine = (pod_combine_detail){
        .fold = fold->fold,
        .class_ = fold->class_,
        .partials = pod_part_count(loop->rows, fold->partial_rows),
        .columns = fold->inner,
        .dtype = fold->dtype,
    };
    made->rows = made->parts[1] = fold->inner;
    made->row_cost = POD_COST_PARTIAL_SUM * (double)made->combine.partials + POD_COST_PARTIAL_ROW;
    made->scratch_bytes = POD_BLOCK * 8 + 64;
    return true;
}

/* Folds over rows stand first, in the order of their nodes. */
bool pod_lower_combines(pod_lowered *function, const pod_fusion *fusion, const pod_loop *loop, const uint32_t *members,
                        uint32_t count)
{
    uint32_t fold = 0;
    for (uint32_t i = 0; i < count && pod_compile_partial_rows(loop); i++) {
        const pod_ir_node *node = &fusion->ir->nodes[members[i]];
        if (fusion->roles[members[i]] != POD_ROLE_REDUCTION || !fusion->stored[node->value_first] ||
            pod_compile_reduction_split(fusion->ir, node).rows > 1)
            continue;
        if (!lower_combine(function, loop, &loop->folds[fold++], node->value_first))
            return false;
    }
    return true;
}
