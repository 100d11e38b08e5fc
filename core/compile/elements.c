/* elements - which block function and which fold an op is. */

#include "compile/node_kinds.h"
#include "ir/rewrite.h"

#include <string.h>

/* Of ops that loops compute; the op table says which these are. */
static const struct {
    bool has;
    pod_block_op element;
} elements[POD_OP_COUNT] = {
#define ELEMENT_FUSED(NAME)                                         .has = true, .element = POD_BLOCK_OP_##NAME
#define ELEMENT_KERNEL(NAME)                                        .has = false
#define ELEMENT_WHOLE(NAME)                                         .has = false
#define POD_OP_ROW(NAME, name, operands, results, shape, each, ...) [POD_OP_##NAME] = {ELEMENT_##each(NAME)},
#include "graph/ops.def"
#undef POD_OP_ROW
};

static const pod_block_op comparisons[] = {
    [POD_COMPARE_EQ] = POD_BLOCK_OP_EQ, [POD_COMPARE_NE] = POD_BLOCK_OP_NE, [POD_COMPARE_LT] = POD_BLOCK_OP_LT,
    [POD_COMPARE_LE] = POD_BLOCK_OP_LE, [POD_COMPARE_GT] = POD_BLOCK_OP_GT, [POD_COMPARE_GE] = POD_BLOCK_OP_GE,
};

/* Composites that are one function of a block; in [1] the same for bf16. */
static const struct {
    const char *name;
    uint32_t inputs;
    pod_block_op plain[2], flagged[2]; /* by attributes->flag */
} composites[] = {
    {"gelu", 1, {POD_BLOCK_OP_GELU, POD_BLOCK_OP_GELU_ROUGH}, {POD_BLOCK_OP_GELU_TANH, POD_BLOCK_OP_GELU_TANH_ROUGH}},
    {"gelu_gradient",
     2,
     {POD_BLOCK_OP_GELU_GRADIENT, POD_BLOCK_OP_GELU_GRADIENT_ROUGH},
     {POD_BLOCK_OP_GELU_TANH_GRADIENT, POD_BLOCK_OP_GELU_TANH_GRADIENT_ROUGH}},
};

bool pod_compile_element_of_call(const pod_attributes *attributes, uint32_t inputs, pod_dtype dtype,
                                 pod_block_op *element)
{
    int rough = dtype == POD_BF16;
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++) {
        if (!attributes->name || inputs != composites[i].inputs || strcmp(attributes->name, composites[i].name) != 0)
            continue;
        *element = attributes->flag ? composites[i].flagged[rough] : composites[i].plain[rough];
        return true;
    }
    return false;
}

/* Shifts of narrow integers must not see the bits above their type, nor shift by its own width. */
static bool is_narrow_shift(const pod_ir_node *node, pod_dtype dtype)
{
    return (node->op == POD_OP_SHIFT_LEFT || node->op == POD_OP_SHIFT_RIGHT ||
            node->op == POD_OP_SHIFT_RIGHT_ARITHMETIC) &&
           pod_dtype_size(dtype) < 4;
}

/* Conversions that block functions do as the op does: between floats, from integers to floats and to
 * wider integers, to 32- and 64-bit integers from floats, and to bool. */
static bool can_convert(pod_dtype from, pod_dtype to, const pod_kernels *kernels)
{
    pod_class from_class = pod_kernel_class_of(from), to_class = pod_kernel_class_of(to);
    if (to == POD_BOOL)
        return kernels->element[POD_BLOCK_OP_NE][from_class] != NULL;
    if (from_class != to_class && !kernels->convert[from_class][to_class])
        return false;
    if (pod_dtype_is_float(to))
        return true;
    if (pod_dtype_is_float(from))
        return pod_dtype_size(to) >= 4;
    bool to_unsigned = to >= POD_U8 && to <= POD_U64;
    bool from_signed = from >= POD_S8 && from <= POD_S64;
    return from == POD_BOOL || (pod_dtype_size(to) > pod_dtype_size(from) && !(to_unsigned && from_signed));
}

bool pod_compile_element_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels,
                            pod_block_op *element, pod_class *class_)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    bool call = node->op == POD_OP_CALL && node->input_count > 0 &&
                pod_compile_element_of_call(node->attributes, node->input_count, ir->values[inputs[0]].dtype, element);
    bool other = node->op == POD_OP_CONVERT || node->op == POD_OP_COMPARE;
    if (!elements[node->op].has && !call && !other)
        return false;
    pod_dtype dtype = ir->values[inputs[node->op == POD_OP_SELECT ? 1 : 0]].dtype;
    *class_ = pod_kernel_class_of(dtype);
    if (node->op == POD_OP_CONVERT) {
        *element = POD_BLOCK_OP_COPY;
        return can_convert(dtype, ir->values[node->value_first].dtype, kernels);
    }
    if (node->op == POD_OP_COMPARE)
        *element = comparisons[node->attributes->comparison];
    else if (!call)
        *element = elements[node->op].element;
    if (node->op == POD_OP_NOT && dtype == POD_BOOL)
        *element = POD_BLOCK_OP_LOGICAL_NOT;
    return !is_narrow_shift(node, dtype) && kernels->element[*element][*class_] != NULL;
}

bool pod_compile_fold_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels, pod_fold *fold)
{
    static const struct {
        bool has;
        pod_fold fold;
    } folds[POD_OP_COUNT] = {
        [POD_OP_REDUCE_SUM] = {true, POD_FOLD_SUM}, [POD_OP_REDUCE_PRODUCT] = {true, POD_FOLD_PRODUCT},
        [POD_OP_REDUCE_MAX] = {true, POD_FOLD_MAX}, [POD_OP_REDUCE_MIN] = {true, POD_FOLD_MIN},
        [POD_OP_REDUCE_AND] = {true, POD_FOLD_AND}, [POD_OP_REDUCE_OR] = {true, POD_FOLD_OR},
    };
    if (!folds[node->op].has)
        return false;
    *fold = folds[node->op].fold;
    pod_dtype from = ir->values[pod_ir_inputs(ir, node)[0]].dtype;
    pod_dtype to = ir->values[node->value_first].dtype;
    bool logical = node->op == POD_OP_REDUCE_AND || node->op == POD_OP_REDUCE_OR;
    return pod_kernel_class_of(from) == pod_kernel_class_of(to) && (!logical || from == POD_BOOL) &&
           kernels->fold[*fold][pod_kernel_class_of(from)] != NULL;
}

pod_reduction_split pod_compile_reduction_split(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_shape *shape = ir->values[pod_ir_inputs(ir, node)[0]].shape;
    const pod_axes *axes = &node->attributes->axes;
    bool reduced[POD_MAX_RANK] = {false};
    for (int32_t i = 0; i < axes->count; i++)
        reduced[axes->axes[i]] = true;
    int64_t sizes[3] = {1, 1, 1};
    int part = 0;
    for (int32_t i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == 1)
            continue;
        if (reduced[i] != (part == 1))
            part++;
        if (part > 2)
            return (pod_reduction_split){0};
        sizes[part] *= shape->dims[i];
    }
    return (pod_reduction_split){sizes[0], sizes[1], sizes[2]};
}

bool pod_compile_is_product(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    pod_dtype a = ir->values[inputs[0]].dtype, b = ir->values[inputs[1]].dtype;
    return a == b && pod_ir_is_product_type(a) && pod_ir_is_product_type(ir->values[node->value_first].dtype) &&
           pod_ir_is_normal_dot(node->attributes, ir->values[inputs[0]].shape, ir->values[inputs[1]].shape);
}
