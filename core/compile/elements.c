/* elements - which block function and which fold an op is. */

#include "compile/fuse.h"
#include "ir/rewrite.h"

#include <string.h>

/* By op; those not here are 0, which is COPY, and told apart by has_element. */
static const struct {
    bool has;
    pod_block_op element;
} elements[POD_OP_COUNT] = {
    [POD_OP_NEGATE] = {true, POD_BLOCK_OP_NEGATE},
    [POD_OP_ABS] = {true, POD_BLOCK_OP_ABS},
    [POD_OP_SIGN] = {true, POD_BLOCK_OP_SIGN},
    [POD_OP_EXP] = {true, POD_BLOCK_OP_EXP},
    [POD_OP_EXPM1] = {true, POD_BLOCK_OP_EXPM1},
    [POD_OP_LOG] = {true, POD_BLOCK_OP_LOG},
    [POD_OP_LOG1P] = {true, POD_BLOCK_OP_LOG1P},
    [POD_OP_SQRT] = {true, POD_BLOCK_OP_SQRT},
    [POD_OP_RSQRT] = {true, POD_BLOCK_OP_RSQRT},
    [POD_OP_SIN] = {true, POD_BLOCK_OP_SIN},
    [POD_OP_COS] = {true, POD_BLOCK_OP_COS},
    [POD_OP_TAN] = {true, POD_BLOCK_OP_TAN},
    [POD_OP_TANH] = {true, POD_BLOCK_OP_TANH},
    [POD_OP_LOGISTIC] = {true, POD_BLOCK_OP_LOGISTIC},
    [POD_OP_ERF] = {true, POD_BLOCK_OP_ERF},
    [POD_OP_ERF_INV] = {true, POD_BLOCK_OP_ERF_INV},
    [POD_OP_FLOOR] = {true, POD_BLOCK_OP_FLOOR},
    [POD_OP_CEIL] = {true, POD_BLOCK_OP_CEIL},
    [POD_OP_ROUND] = {true, POD_BLOCK_OP_ROUND},
    [POD_OP_IS_FINITE] = {true, POD_BLOCK_OP_IS_FINITE},
    [POD_OP_NOT] = {true, POD_BLOCK_OP_NOT},
    [POD_OP_CONVERT] = {true, POD_BLOCK_OP_COPY},
    [POD_OP_ADD] = {true, POD_BLOCK_OP_ADD},
    [POD_OP_SUBTRACT] = {true, POD_BLOCK_OP_SUBTRACT},
    [POD_OP_MULTIPLY] = {true, POD_BLOCK_OP_MULTIPLY},
    [POD_OP_DIVIDE] = {true, POD_BLOCK_OP_DIVIDE},
    [POD_OP_REMAINDER] = {true, POD_BLOCK_OP_REMAINDER},
    [POD_OP_POWER] = {true, POD_BLOCK_OP_POWER},
    [POD_OP_MAXIMUM] = {true, POD_BLOCK_OP_MAXIMUM},
    [POD_OP_MINIMUM] = {true, POD_BLOCK_OP_MINIMUM},
    [POD_OP_ATAN2] = {true, POD_BLOCK_OP_ATAN2},
    [POD_OP_AND] = {true, POD_BLOCK_OP_AND},
    [POD_OP_OR] = {true, POD_BLOCK_OP_OR},
    [POD_OP_XOR] = {true, POD_BLOCK_OP_XOR},
    [POD_OP_SHIFT_LEFT] = {true, POD_BLOCK_OP_SHIFT_LEFT},
    [POD_OP_SHIFT_RIGHT] = {true, POD_BLOCK_OP_SHIFT_RIGHT},
    [POD_OP_SHIFT_RIGHT_ARITHMETIC] = {true, POD_BLOCK_OP_SHIFT_RIGHT_ARITHMETIC},
    [POD_OP_COMPARE] = {true, POD_BLOCK_OP_EQ},
    [POD_OP_SELECT] = {true, POD_BLOCK_OP_SELECT},
    [POD_OP_CLAMP] = {true, POD_BLOCK_OP_CLAMP},
};

static const pod_block_op comparisons[] = {
    [POD_COMPARE_EQ] = POD_BLOCK_OP_EQ, [POD_COMPARE_NE] = POD_BLOCK_OP_NE,
    [POD_COMPARE_LT] = POD_BLOCK_OP_LT, [POD_COMPARE_LE] = POD_BLOCK_OP_LE,
    [POD_COMPARE_GT] = POD_BLOCK_OP_GT, [POD_COMPARE_GE] = POD_BLOCK_OP_GE,
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

bool pod_element_of_call(const pod_attributes *attributes, uint32_t inputs, pod_dtype dtype, pod_block_op *element)
{
    int rough = dtype == POD_BF16;
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++) {
        if (!attributes->name || inputs != composites[i].inputs ||
            strcmp(attributes->name, composites[i].name) != 0)
            continue;
        *element = attributes->flag ? composites[i].flagged[rough] : composites[i].plain[rough];
        return true;
    }
    return false;
}

/* Shifts of narrow integers must not see the bits above their type, nor shift by its own width. */
static bool is_narrow_shift(const pod_ir_node *node, pod_dtype dtype)
{
    return node->op >= POD_OP_SHIFT_LEFT && node->op <= POD_OP_SHIFT_RIGHT_ARITHMETIC &&
           pod_dtype_size(dtype) < 4;
}

/* Conversions that block functions do as the op does: between floats, from integers to floats and to
 * wider integers, to 32- and 64-bit integers from floats, and to bool. */
static bool can_convert(pod_dtype from, pod_dtype to, const pod_kernels *kernels)
{
    pod_class from_class = pod_class_of(from), to_class = pod_class_of(to);
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
    return from == POD_BOOL ||
           (pod_dtype_size(to) > pod_dtype_size(from) && !(to_unsigned && from_signed));
}

bool pod_element_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels,
                    pod_block_op *element, pod_class *class_)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    bool call = node->op == POD_OP_CALL && node->input_count > 0 &&
                pod_element_of_call(node->attributes, node->input_count, ir->values[inputs[0]].dtype, element);
    if (!elements[node->op].has && !call)
        return false;
    pod_dtype dtype = ir->values[inputs[node->op == POD_OP_SELECT ? 1 : 0]].dtype;
    *class_ = pod_class_of(dtype);
    if (!call)
        *element = elements[node->op].element;
    if (node->op == POD_OP_CONVERT)
        return can_convert(dtype, ir->values[node->value_first].dtype, kernels);
    if (node->op == POD_OP_COMPARE)
        *element = comparisons[node->attributes->comparison];
    if (node->op == POD_OP_NOT && dtype == POD_BOOL)
        *element = POD_BLOCK_OP_LOGICAL_NOT;
    return !is_narrow_shift(node, dtype) && kernels->element[*element][*class_] != NULL;
}

bool pod_fold_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels,
                 pod_fold *fold)
{
    static const pod_fold folds[] = {
        [POD_OP_REDUCE_SUM - POD_OP_REDUCE_SUM] = POD_FOLD_SUM,
        [POD_OP_REDUCE_PRODUCT - POD_OP_REDUCE_SUM] = POD_FOLD_PRODUCT,
        [POD_OP_REDUCE_MAX - POD_OP_REDUCE_SUM] = POD_FOLD_MAX,
        [POD_OP_REDUCE_MIN - POD_OP_REDUCE_SUM] = POD_FOLD_MIN,
        [POD_OP_REDUCE_AND - POD_OP_REDUCE_SUM] = POD_FOLD_AND,
        [POD_OP_REDUCE_OR - POD_OP_REDUCE_SUM] = POD_FOLD_OR,
    };
    if (node->op < POD_OP_REDUCE_SUM || node->op > POD_OP_REDUCE_OR)
        return false;
    *fold = folds[node->op - POD_OP_REDUCE_SUM];
    pod_dtype from = ir->values[pod_ir_inputs(ir, node)[0]].dtype;
    pod_dtype to = ir->values[node->value_first].dtype;
    bool logical = node->op == POD_OP_REDUCE_AND || node->op == POD_OP_REDUCE_OR;
    return pod_class_of(from) == pod_class_of(to) && (!logical || from == POD_BOOL) &&
           kernels->fold[*fold][pod_class_of(from)] != NULL;
}

bool pod_reduction_split(const pod_ir *ir, const pod_ir_node *node, int64_t *rows, int64_t *columns,
                         int64_t *inner)
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
            return false;
        sizes[part] *= shape->dims[i];
    }
    *rows = sizes[0];
    *columns = sizes[1];
    *inner = sizes[2];
    return true;
}

static bool is_product_type(pod_dtype dtype)
{
    return dtype == POD_F32 || dtype == POD_BF16;
}

bool pod_is_product(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    pod_dtype a = ir->values[inputs[0]].dtype, b = ir->values[inputs[1]].dtype;
    return a == b && is_product_type(a) &&
           is_product_type(ir->values[node->value_first].dtype) &&
           pod_is_normal_dot(node->attributes, ir->values[inputs[0]].shape,
                             ir->values[inputs[1]].shape);
}
