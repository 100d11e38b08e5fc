/*
 * mxu - see lowering.h: what products take of the device's multiply units.
 *
 * An MXU of D x D keeps a tile of weights and takes rows of D elements through it, eight a register; the next tile is
 * loaded meanwhile (jax-ml/scaling-book, appendix B, which has D cycles for that). Fewer rows than D / 2 save nothing:
 * libtpu 0.0.52 says 64 cycles a tile of 128 x 128 for products of 8 to 32 rows in bf16. So a product [m, k] x [k, n]
 * takes ceil(k / D) ceil(n / D) tiles of max(m, D / 2) cycles, m in eights, and once a fill and a drain. Groups of a
 * convolution, whose rows are of the same pixels, share a tile. */

#include "tpu/lowering.h"

#include <math.h>

#define ROWS 8 /* of a register */

/* The passes over bf16 that a product of f32 takes by its precision. */
#define PASSES_HIGH    3
#define PASSES_HIGHEST 6

/* A product as matrices: `count` times [m, k] x [k, n]. */
typedef struct pod_tpu_matmul {
    double count, m, k, n;
    bool groups; /* of the same rows */
} pod_tpu_matmul;

/* How many of the products one tile takes. */
static double packed(const pod_tpu_matmul *p, const pod_tpu_mxus *mxus)
{
    const double wider = p->k > p->n ? p->k : p->n;
    return p->groups && wider < mxus->size ? floor(mxus->size / wider) : 1;
}

/* Cycles of so many MXUs, of which each takes tiles of its own. */
static double cycles_of(const pod_tpu_matmul *p, const pod_tpu_mxus *mxus)
{
    const double rows = ceil(p->m / ROWS) * ROWS;
    const double tiles = ceil(p->count / packed(p, mxus)) * ceil(p->k / mxus->size) * ceil(p->n / mxus->size);
    return ceil(tiles / mxus->count) * (rows > mxus->size / 2 ? rows : mxus->size / 2) + 2 * mxus->size;
}

static pod_tpu_matmul dot_of(const pod_tpu_lowering *lowering, const pod_ir_node *node, double flops)
{
    const pod_attributes *attributes = node->attributes;
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    const pod_shape *left = lowering->ir->values[inputs[0]].shape;
    pod_tpu_matmul p = {.count = 1, .k = 1};
    for (int32_t i = 0; i < attributes->lhs_contract.count; i++)
        p.k *= (double)left->dims[attributes->lhs_contract.axes[i]];
    for (int32_t i = 0; i < attributes->lhs_batch.count; i++)
        p.count *= (double)left->dims[attributes->lhs_batch.axes[i]];
    p.m = (double)lowering->values[inputs[0]].elements / p.k / p.count;
    p.n = flops / 2 / p.k / p.count / p.m;
    return p;
}

/* A convolution multiplies patches of the window's size by filters. Its gradients have the channels, and the pixels,
 * in the place of those. */
static pod_tpu_matmul convolution_of(const pod_tpu_lowering *lowering, const pod_ir_node *node, double flops)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    const pod_window *window = &node->attributes->window;
    const bool weights = node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
    const pod_shape *kernel = lowering->ir->values[weights ? node->value_first : inputs[1]].shape;
    const double groups = window->groups > 0 ? (double)window->groups : 1;
    const double channels = (double)kernel->dims[window->rank];
    const double filters = (double)kernel->dims[window->rank + 1] / groups;
    double taps = 1;
    for (int32_t i = 0; i < window->rank; i++)
        taps *= (double)window->size[i];
    const double pixels = flops / 2 / groups / channels / filters / taps;
    if (weights)
        return (pod_tpu_matmul){.count = groups, .m = taps * channels, .k = pixels, .n = filters};
    if (node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT)
        return (pod_tpu_matmul){.count = groups, .m = pixels, .k = taps * filters, .n = channels, .groups = true};
    return (pod_tpu_matmul){.count = groups, .m = pixels, .k = taps * channels, .n = filters, .groups = true};
}

static double passes_of(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (lowering->ir->values[pod_tpu_inputs(lowering, node)[0]].dtype != POD_F32)
        return 1;
    const pod_precision precision = node->attributes->precision;
    return precision == POD_PRECISION_HIGHEST ? PASSES_HIGHEST : precision == POD_PRECISION_HIGH ? PASSES_HIGH : 1;
}

double pod_tpu_mxu_flops(const pod_tpu_lowering *lowering, const pod_ir_node *node, double flops)
{
    const pod_tpu_mxus *mxus = &lowering->target->mxus;
    if (!(flops > 0))
        return 0;
    const pod_tpu_matmul p =
        node->op == POD_OP_DOT ? dot_of(lowering, node, flops) : convolution_of(lowering, node, flops);
    const pod_tpu_matmul swapped = {.count = p.count, .m = p.n, .k = p.k, .n = p.m};
    const double cycles = cycles_of(&p, mxus), other = cycles_of(&swapped, mxus);
    return 2 * mxus->count * mxus->size * mxus->size * (cycles < other ? cycles : other) * passes_of(lowering, node);
}
