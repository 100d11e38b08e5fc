/* fold_constants - computes nodes whose operands are constants, through their reference kernels. */

#include "ir/rewrite.h"

#include "kernels/reference.h"

/* Results of more elements stay nodes: they would make the program larger, not faster. */
#define FOLD_ELEMENTS 4096
#define FOLD_OPERANDS 8

static bool can_fold(const pod_ir_node *node)
{
    return node->input_count > 0 && node->input_count <= FOLD_OPERANDS && node->op != POD_OP_RANDOM_BITS &&
           node->op != POD_OP_BARRIER && node->op != POD_OP_CHECK && node->op != POD_OP_PRINT &&
           node->op != POD_OP_REDUCE && node->op != POD_OP_GATHER && node->op != POD_OP_SCATTER;
}

/* All operands are constants, whole or of one element. */
static bool gather_operands(const pod_subject *s, bool *all_splats)
{
    *all_splats = true;
    for (uint32_t i = 0; i < s->node->input_count; i++) {
        const pod_ir_node *maker = pod_ir_maker(s->r->to, s->inputs[i]);
        if (maker->op != POD_OP_CONSTANT)
            return false;
        bool splat = maker->attributes->flag || pod_shape_elements(s->r->to->values[s->inputs[i]].shape) == 1;
        *all_splats = *all_splats && splat;
    }
    return true;
}

/* Runs the kernel; scratch lies in the arena. False: the kernel refused or there is no memory. */
static bool run_kernel(const pod_subject *s, pod_array *operands, pod_array *result)
{
    const pod_kernel *kernel = pod_kernel_reference_kernel(pod_op_name(s->node->op));
    if (!kernel)
        return false;
    pod_error error;
    pod_kernel_call call = {s->node->attributes, operands, s->node->input_count, result, 1, &error, .kernels = NULL};
    size_t bytes = pod_kernel_scratch_bytes(kernel, &call);
    char *scratch = pod_arena_allocate(s->r->arena, bytes + 64);
    if (!scratch) {
        s->r->failed = true;
        return false;
    }
    scratch += -(uintptr_t)scratch & 63;
    return pod_kernel_run(kernel, &call, 0, pod_kernel_units(kernel, &call), scratch) == POD_OK;
}

/* An elementwise op on repeated elements gives a repeated element. */
static pod_ref fold_splats(const pod_subject *s)
{
    pod_array operands[FOLD_OPERANDS];
    uint64_t element[2] = {0};
    for (uint32_t i = 0; i < s->node->input_count; i++)
        operands[i] = (pod_array){.dtype = s->r->to->values[s->inputs[i]].dtype,
                                  .data = (void *)pod_ir_maker(s->r->to, s->inputs[i])->constant};
    pod_array result = {.dtype = s->dtype, .data = element};
    if (!run_kernel(s, operands, &result))
        return POD_REF_NONE;
    return pod_ir_rewrite_constant(s->r, s->dtype, s->shape, true, element);
}

/* Operands of one repeated element are written out. */
static bool write_out(pod_rewriter *r, pod_ref value, pod_array *array)
{
    const pod_ir_value *type = &r->to->values[value];
    const pod_ir_node *maker = pod_ir_maker(r->to, value);
    *array = (pod_array){type->dtype, *type->shape, (void *)maker->constant};
    int64_t count = pod_shape_elements(type->shape);
    if (!maker->attributes->flag || count <= 1)
        return true;
    size_t size = pod_dtype_size(type->dtype);
    char *data = count <= FOLD_ELEMENTS ? pod_arena_array(r->arena, (size_t)count, size) : NULL;
    if (!data)
        return false;
    for (int64_t i = 0; i < count; i++)
        for (size_t j = 0; j < size; j++)
            data[(size_t)i * size + j] = ((const char *)maker->constant)[j];
    array->data = data;
    return true;
}

static pod_ref fold_whole(const pod_subject *s)
{
    pod_array operands[FOLD_OPERANDS];
    int64_t count = pod_shape_elements(s->shape);
    if (count > FOLD_ELEMENTS)
        return POD_REF_NONE;
    for (uint32_t i = 0; i < s->node->input_count; i++)
        if (pod_shape_elements(s->r->to->values[s->inputs[i]].shape) > FOLD_ELEMENTS ||
            !write_out(s->r, s->inputs[i], &operands[i]))
            return POD_REF_NONE;
    pod_array result = {s->dtype, *s->shape, pod_arena_array(s->r->arena, (size_t)count, pod_dtype_size(s->dtype))};
    if (!result.data || !run_kernel(s, operands, &result))
        return POD_REF_NONE;
    return pod_ir_rewrite_constant(s->r, s->dtype, s->shape, count == 1, result.data);
}

pod_ref pod_ir_fold_constants(const pod_subject *s)
{
    bool all_splats;
    if (!can_fold(s->node) || !gather_operands(s, &all_splats) || pod_shape_elements(s->shape) == 0)
        return POD_REF_NONE;
    if (all_splats && pod_op_is_elementwise(s->node->op))
        return fold_splats(s);
    if (s->node->op == POD_OP_BROADCAST && all_splats)
        return POD_REF_NONE; /* simplify makes a splat of it */
    return fold_whole(s);
}
