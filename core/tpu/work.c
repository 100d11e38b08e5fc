/* work - see lowering.h: what a kernel computes, for the worth of places on the chip (R12). */

#include "tpu/lowering.h"

/* Steps of the vector unit that an element of an elementwise op takes. Measured in kernels of v6e that compute GELU,
 * SiLU and their gradients; the functions that those do not have are guesses. */
static double steps_of(pod_op op)
{
    switch (op) {
    case POD_OP_LOGISTIC:
    case POD_OP_POWER:
    case POD_OP_ERF:
        return 40;
    case POD_OP_EXP:
    case POD_OP_EXPM1:
    case POD_OP_LOG:
    case POD_OP_LOG1P:
    case POD_OP_DIVIDE:
    case POD_OP_SQRT:
    case POD_OP_RSQRT:
        return 16;
    case POD_OP_TANH:
        return 8;
    case POD_OP_CONVERT:
        return 0;
    default:
        return 2;
    }
}

static void add_steps(pod_tpu_work *work, int64_t elements, double steps)
{
    uint32_t at = 0;
    while (at < work->count && work->elements[at] != elements)
        at++;
    if (at == POD_TPU_WORK_SIZES)
        at = 0;
    if (at == work->count) {
        work->elements[at] = elements;
        work->steps[at] = 0;
        work->count++;
    }
    work->steps[at] += (double)elements * steps;
}

void pod_tpu_count_work(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    pod_tpu_value *made = &lowering->values[node->value_first];
    if (node->value_count == 0 || made->counted == lowering->kernel_count)
        return;
    made->counted = lowering->kernel_count;
    if (pod_tpu_is_product(node->op)) {
        lowering->work.flops += pod_tpu_product_flops(lowering, node);
        lowering->work.product = (uint32_t)(node - lowering->ir->nodes) + 1;
    } else if (lowering->kinds[node - lowering->ir->nodes] == POD_TPU_KIND_ELEMENTWISE) {
        add_steps(&lowering->work, made->elements, steps_of(node->op));
    } else if (pod_tpu_is_reduction(node->op)) {
        add_steps(&lowering->work, lowering->values[pod_tpu_inputs(lowering, node)[0]].elements, 1);
    }
}
