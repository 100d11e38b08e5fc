/*
 * lower_convolution - convolutions and their gradients by the kernels of products: one instruction a
 * phase of core/kernels/convolution.h. The phase that makes the result is cut into images (or rows of
 * the kernel's gradient), and its tiles go through the loop that follows, as a product's do.
 */

#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/lower.h"
#include "compile/operands.h"
#include "compile/node_kinds.h"

#include "kernels/special.h"

/* Of the result, for one call. */
#define FEWEST_ROWS 256

static int64_t volume(const int64_t axes[POD_MAX_SPATIAL])
{
    int64_t all = 1;
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        all *= axes[i];
    return all;
}

/* The kernels for the matrix product that a group of a convolution is: see kernels/convolution.h. */
static const pod_dot_kernels *choose_dot(const pod_kernels *kernels, const pod_convolution_call *call, bool rough)
{
    const pod_window_sizes *s = &call->sizes;
    const int64_t taps = volume(s->size), images = s->batch;
    const int64_t channels = s->channels / s->groups, filters = s->filters / s->groups;
    const pod_dtype dtype = call->dtype;
    switch (call->kind) {
    case POD_CONVOLVE:
        return pod_kernel_dot_choose(kernels, dtype, rough, images * volume(s->out), filters, taps * channels);
    case POD_CONVOLVE_INPUT_GRADIENT:
        return pod_kernel_dot_choose(kernels, dtype, rough, images * volume(s->in), channels,
                                     taps * filters / volume(s->stride));
    default:
        return pod_kernel_dot_choose(kernels, dtype, rough, taps * channels, filters, images * volume(s->out));
    }
}

static pod_convolution_call make_call(const pod_lowered *function, const pod_ir_node *node)
{
    const pod_ir *ir = function->ir;
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    const pod_shape *left = ir->values[inputs[0]].shape, *right = ir->values[inputs[1]].shape;
    const pod_shape *result = ir->values[node->value_first].shape;
    const pod_kernels *kernels = function->owner->kernels;
    pod_convolution_call call = {.dtype = ir->values[inputs[0]].dtype};
    const pod_window *window = &node->attributes->window;
    call.direct = kernels->direct;
    call.depthwise = kernels->depthwise_way;
    call.winograd = kernels->winograd;
    if (node->op == POD_OP_CONVOLUTION) {
        call.kind = POD_CONVOLVE;
        call.sizes = pod_kernel_window_sizes(window, left, right, result);
    } else if (node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT) {
        call.kind = POD_CONVOLVE_INPUT_GRADIENT;
        call.sizes = pod_kernel_window_sizes(window, result, right, left);
    } else {
        call.kind = POD_CONVOLVE_KERNEL_GRADIENT;
        call.sizes = pod_kernel_window_sizes(window, left, result, right);
    }
    call.dot = choose_dot(kernels, &call, node->attributes->precision == POD_PRECISION_HIGH);
    call.result_stride = result->dims[result->rank - 1];
    return call;
}

/* Multiply-adds of the product phase. */
static double products_of(const pod_convolution_call *call)
{
    int64_t products, rows, columns, depth;
    pod_kernel_convolution_products(call, 2, &products, &rows, &columns, &depth);
    return (double)products * (double)rows * (double)columns * (double)depth;
}

/* Where the operands of a convolution and what its phases share lie. */
typedef struct places {
    uint32_t left, right, shared;
} places;

static pod_instruction *add_phase(pod_lowered *function, const pod_convolution_call *call, int phase, uint32_t operands,
                                  uint32_t results)
{
    pod_instruction *made = pod_lower_add(function, POD_DO_CONVOLUTION, operands, results);
    if (!made)
        return NULL;
    static const char *const names[] = {"turn", "pack", "product", "sum"};
    made->name = names[phase];
    made->convolution.call = *call;
    made->convolution.phase = phase;
    made->rows = pod_kernel_convolution_units(call, phase);
    made->scratch_bytes = pod_round_up_bytes(pod_kernel_convolution_scratch_bytes(call), 64);
    made->convolution.scratch_bytes = made->scratch_bytes;
    return made;
}

/* Partial sums of a kernel's gradient are made image by image. */
static void cut_into_images(pod_instruction *made, int64_t part_images)
{
    made->rows = made->convolution.call.sizes.batch;
    made->unit = part_images;
    made->convolution.images = true;
    for (int i = 0; i < 3; i++)
        made->parts[i] = made->rows;
    made->parts[3] = made->rows / part_images;
}

/* Phases that write what is shared. */
static bool lower_first_phases(pod_lowered *function, const pod_convolution_call *call, int last, const places *at)
{
    for (int phase = 0; phase < last; phase++) {
        if (!pod_kernel_convolution_units(call, phase))
            continue;
        bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
        pod_instruction *made = add_phase(function, call, phase, 3, 1);
        if (!made)
            return false;
        made->slots[0] = by_parts ? at->left : at->right;
        made->slots[1] = at->right;
        made->slots[2] = phase > 0 && !by_parts ? at->shared : at->right;
        made->slots[3] = at->shared;
        made->convolution.left = 0;
        made->convolution.right = 1;
        made->convolution.shared = 3;
        int64_t images = pod_kernel_convolution_part_images(call);
        if (images)
            cut_into_images(made, images);
        double work = by_parts ? POD_COST_CONVOLUTION_FLOP * products_of(call)
                               : POD_COST_PACKED * (double)pod_shape_elements(function->owner->slots[at->right].shape);
        made->row_cost = work / (double)made->rows;
    }
    return true;
}

/* Images that one call takes where b is not packed: the product is then made of pieces whose bits
 * depend on where they begin. 0: any number will do. */
static int64_t images_of_call(const pod_convolution_call *call, int64_t image_rows)
{
    const pod_window_sizes *s = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t columns = (turned ? s->channels : s->filters) / s->groups, images = 1;
    if (pod_kernel_dot_packed_b_bytes(call->dot, 1, columns) > 0)
        return 0;
    while (images < s->batch && images * image_rows < FEWEST_ROWS)
        images *= 2;
    return images;
}

/* Images a unit: whole calls, and whole partial sums of a fold over rows; all images where no fewer are both. */
static int64_t images_of_unit(const pod_loop *epilogue, int64_t image_rows, int64_t least, int64_t images)
{
    int64_t unit = least, partial_rows = pod_compile_partial_rows(epilogue);
    while (partial_rows && unit < images && unit * image_rows % partial_rows != 0)
        unit *= 2;
    return unit < images ? unit : images;
}

/* Rows of the last phase: images where there are enough; the rows of a kernel's gradient; else units. */
static void set_rows(pod_instruction *made, const pod_loop *epilogue, int64_t result_rows)
{
    const pod_window_sizes *sizes = &made->convolution.call.sizes;
    if (made->convolution.call.kind == POD_CONVOLVE_KERNEL_GRADIENT) {
        int64_t least = pod_part_count(result_rows, made->rows);
        int64_t unit = 32 > least ? 32 : least, partial_rows = pod_compile_partial_rows(epilogue);
        made->convolution.unit_rows = 32;
        made->rows = result_rows;
        made->unit = partial_rows > unit ? partial_rows : unit;
    } else if (sizes->batch >= POD_FEWEST_IMAGES) {
        int64_t image_rows = result_rows / sizes->batch;
        made->convolution.images = true;
        made->convolution.call_images = images_of_call(&made->convolution.call, image_rows);
        made->rows = sizes->batch;
        int64_t together = pod_kernel_convolution_images(&made->convolution.call);
        if (made->convolution.call_images)
            together = made->convolution.call_images;
        made->unit = images_of_unit(epilogue, image_rows, together, made->rows);
    }
}

static bool lower_last_phase(pod_lowered *function, const pod_convolution_call *call, int phase, const places *at,
                             const pod_ir_node *node, pod_loop *epilogue)
{
    uint32_t loads = epilogue ? pod_compile_loop_operand_count(epilogue) : 0;
    uint32_t results = epilogue ? pod_compile_loop_result_count(epilogue) : 1;
    pod_instruction *made = add_phase(function, call, phase, 3 + loads, results);
    if (!made)
        return false;
    bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    const pod_shape *shape = function->ir->values[node->value_first].shape;
    int64_t result_rows = pod_shape_elements(shape) / shape->dims[shape->rank - 1];
    made->op = node->op;
    made->slots[0] = by_parts ? at->shared : at->left;
    made->slots[1] = by_parts ? at->shared : at->right;
    made->slots[2] = at->shared;
    made->convolution.left = 0;
    made->convolution.right = 1;
    made->convolution.shared = 2;
    made->convolution.epilogue = epilogue;
    set_rows(made, epilogue, result_rows);
    made->convolution.image_rows = result_rows / (made->rows ? made->rows : 1);
    bool whole = made->convolution.images || by_parts;
    made->parts[0] = made->convolution.images ? made->rows : 1;
    const double flop = pod_kernel_convolution_is_depthwise(call) ? POD_COST_DEPTHWISE_FLOP : POD_COST_CONVOLUTION_FLOP;
    made->row_cost = (by_parts ? (double)pod_shape_elements(shape) * POD_COST_KERNEL_SUM *
                                     (double)pod_kernel_convolution_units(call, 2)
                               : flop * products_of(call)) /
                     (double)made->rows;
    return pod_compile_loop_takes(function, made, epilogue, 3, whole, node->value_first);
}

bool pod_lower_convolution(pod_lowered *function, const pod_fusion *fusion, uint32_t index, pod_loop *epilogue)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    const pod_ref *inputs = pod_ir_inputs(function->ir, node);
    pod_convolution_call call = make_call(function, node);
    size_t shared = pod_kernel_convolution_shared_bytes(&call);
    pod_shape bytes = {1, {(int64_t)(shared ? shared : 1)}};
    places at = {
        .left = pod_compile_value_slot(function, fusion, inputs[0]),
        .right = pod_compile_value_slot(function, fusion, inputs[1]),
        .shared = pod_lower_slot(function->owner, POD_U8, &bytes),
    };
    if (at.left == POD_SLOT_END || at.right == POD_SLOT_END || at.shared == POD_SLOT_END)
        return false;
    int last = call.kind == POD_CONVOLVE_KERNEL_GRADIENT ? 3 : 2;
    return lower_first_phases(function, &call, last, &at) &&
           lower_last_phase(function, &call, last, &at, node, epilogue);
}
