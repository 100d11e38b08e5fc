/* lower_kernel - one instruction for one node, by the kernel of its op. */

#include "compile/compile_costs.h"
#include "compile/lower.h"
#include "ir/slice_rows.h"

#include "base/error.h"
#include "kernels/special.h"

#include <assert.h>

/* Copies attributes and what they point to into the program. */
static const pod_attributes *keep_attributes(pod_lowering *lowering, const pod_ir_node *node)
{
    pod_attributes *kept = pod_arena_copy(lowering->memory, node->attributes, sizeof *kept);
    if (!kept)
        return NULL;
    if (kept->name && !(kept->name = pod_arena_string(lowering->memory, kept->name)))
        return NULL;
    if (node->constant) /* only splats come here: other constants are literals */
        kept->data = pod_arena_copy(lowering->memory, node->constant, pod_dtype_size(kept->dtype));
    return node->constant && !kept->data ? NULL : kept;
}

static bool fill_slots(pod_lowered *function, const pod_ir_node *node, uint32_t operand, uint32_t result,
                       pod_instruction *made)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        made->slots[i] =
            i == 0 && operand != POD_SLOT_END ? operand : function->slots[pod_ir_inputs(function->ir, node)[i]];
    if (result != POD_SLOT_END)
        made->slots[node->input_count + node->value_count] = result;
    for (uint32_t i = 0; i < node->value_count; i++) {
        made->slots[node->input_count + i] = pod_lower_result(function, node->value_first + i);
        if (made->slots[node->input_count + i] == POD_SLOT_END)
            return false;
    }
    return true;
}

/* Finds the kernel for a call like this one, and asks for its units and scratch. */
static bool find_kernel(pod_lowering *lowering, pod_instruction *made)
{
    uint32_t count = made->operand_count + made->result_count;
    pod_array *arrays = pod_arena_array(lowering->scratch, count, sizeof *arrays);
    if (!arrays)
        return pod_lower_no_memory(lowering);
    for (uint32_t i = 0; i < count; i++) {
        const pod_slot *slot = &lowering->slots[made->slots[i]];
        arrays[i] = (pod_array){.dtype = slot->dtype, .shape = *slot->shape};
    }
    pod_kernel_call call = {made->kernel.attributes, arrays, made->operand_count,         arrays + made->operand_count,
                            made->result_count,      NULL,   .kernels = lowering->kernels};
    const pod_kernel *kernel = made->op == POD_OP_CALL        ? pod_kernel_of_composite(made->name, &call)
                               : lowering->options->no_fusion ? pod_kernel_reference_kernel(made->name)
                                                              : pod_kernel_find(lowering->kernels, made->name, &call);
    made->kernel.kernel = kernel;
    if (!kernel)
        return true;
    made->rows = pod_kernel_units(kernel, &call);
    made->scratch_bytes = pod_kernel_scratch_bytes(kernel, &call);
    return true;
}

/* Cuts the call into rows where the op allows it. */
static void slice(const pod_ir *ir, const pod_ir_node *node, pod_instruction *made)
{
    const pod_op_sizes sizes = pod_ir_sizes(ir, node);
    if (!pod_ir_can_slice(&sizes))
        return;
    made->kernel.sliced = true;
    made->rows = ir->values[node->value_first].shape->dims[0];
    for (uint32_t i = 0; i < made->operand_count; i++)
        made->parts[i] = pod_ir_is_sliced(&sizes, i) ? made->rows : 1;
    for (uint32_t i = 0; i < made->result_count; i++)
        made->parts[made->operand_count + i] = made->rows;
}

/* Units of a composite are those of one batch (axis 0 of all that has batches) after the other. */
static void cut_batches(const pod_lowering *lowering, const pod_ir_node *node, pod_instruction *made)
{
    const pod_slot *first = &lowering->slots[made->slots[0]];
    int64_t batches = first->shape->rank > 0 ? first->shape->dims[0] : 1;
    assert(made->operand_count > 0 && made->rows > 0);
    for (uint32_t i = 0; i < made->operand_count + made->result_count; i++) {
        const pod_shape *shape = lowering->slots[made->slots[i]].shape;
        bool is_cut = shape->rank == first->shape->rank && shape->dims[0] == batches;
        made->parts[i] = is_cut && made->rows % batches == 0 ? batches : 1;
    }
    if (node->source)
        made->row_cost = pod_node_flops(node->source) / POD_COMPOSITE_FLOPS_A_NANOSECOND / (double)made->rows;
}

static bool refuse(pod_lowering *lowering, const pod_ir_node *node)
{
    if (node->op == POD_OP_OPAQUE) {
        pod_error_set(lowering->error, POD_ERROR_UNSUPPORTED,
                      "%s%s'%s' can be read and measured, but not run: no op of the table means it",
                      node->location ? node->location : "", node->location ? ": " : "",
                      node->attributes->name ? node->attributes->name : "opaque");
        return false;
    }
    pod_error_set(lowering->error, POD_ERROR_UNSUPPORTED,
                  "%s%s'%s' has no meaning in a program of one host: replicate the graph first",
                  node->location ? node->location : "", node->location ? ": " : "", pod_op_name(node->op));
    return false;
}

bool pod_lower_kernel(pod_lowered *function, const pod_ir_node *node, uint32_t operand, uint32_t result)
{
    pod_lowering *owner = function->owner;
    pod_instruction *made =
        pod_lower_add(function, POD_DO_KERNEL, node->input_count, node->value_count + (result != POD_SLOT_END));
    if (!made)
        return false;
    made->op = node->op;
    made->name =
        node->op == POD_OP_CALL ? pod_arena_string(owner->memory, node->attributes->name) : pod_op_name(node->op);
    made->location = pod_arena_string(owner->memory, node->location);
    made->may_fail = node->op == POD_OP_GATHER || node->op == POD_OP_SCATTER;
    made->kernel.attributes = keep_attributes(owner, node);
    if (!made->kernel.attributes || !made->name || (node->location && !made->location))
        return pod_lower_no_memory(owner);
    if (!fill_slots(function, node, operand, result, made) || !find_kernel(owner, made))
        return false;
    if (!made->kernel.kernel)
        return refuse(owner, node);
    if (node->op == POD_OP_CALL) {
        cut_batches(owner, node, made);
        return true;
    }
    if (!owner->options->no_fusion)
        slice(function->ir, node, made);
    uint64_t bytes = 1;
    for (uint32_t i = 0; i < made->operand_count + made->result_count; i++)
        bytes += owner->slots[made->slots[i]].bytes;
    double each = node->op == POD_OP_CONCATENATE || node->op == POD_OP_PAD ? POD_COST_LINE_BYTE : POD_COST_KERNEL_BYTE;
    const pod_op_sizes sizes = pod_ir_sizes(function->ir, node);
    const double by_flops = POD_COST_KERNEL_FLOP * pod_op_flops(&sizes), by_bytes = each * (double)bytes;
    made->row_cost = (by_flops > by_bytes ? by_flops : by_bytes) / (double)(made->rows > 0 ? made->rows : 1);
    return true;
}
