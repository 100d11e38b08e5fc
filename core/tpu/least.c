/* least - see lowering.h. The compiler may compute values again, in other kernels and another order than were planned.
 * But what a product reads is in memory while it runs, and so is what is stored of it; of other kernels each result is.
 */

#include "tpu/walks.h"

#include <limits.h>

#define FARTHEST 1024 /* values looked at to find what one is computed from */

typedef struct least {
    pod_tpu_lowering *lowering;
    uint32_t *counted;  /* of values: the last count that they are in */
    uint32_t *operands; /* of values: the last kernel + 1 whose product reads them */
    uint32_t count;     /* counts that were begun */
} least;

/* Tells whether an op can be computed inside whatever reads its result. */
static bool computes_anywhere(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_tpu_kind kind = lowering->kinds[node - lowering->ir->nodes];
    return kind == POD_TPU_KIND_ELEMENTWISE || kind == POD_TPU_KIND_MOVE || kind == POD_TPU_KIND_BARRIER ||
           pod_tpu_is_view(node);
}

static bool is_at_hand(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, value);
    return kind == POD_TPU_KIND_LEAF || kind == POD_TPU_KIND_CONSTANT;
}

static void walk_to_inputs(pod_tpu_walk *walk, const pod_ir_node *node)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        pod_tpu_walk_to(walk, pod_tpu_inputs(walk->lowering, node)[i]);
}

/* Returns what has to be in HBM for a value: it, or in its place what it is computed from and is not counted yet. */
static int64_t count_value(least *l, pod_ref value)
{
    pod_tpu_lowering *lowering = l->lowering;
    const pod_tpu_value *v = &lowering->values[value];
    int64_t sources = 0;
    uint32_t seen = 0;
    if (!v->stored || v->free || lowering->on_chip[v->storage])
        return 0;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    pod_ref next = value;
    do {
        const pod_ir_node *node = pod_tpu_maker(lowering, next);
        if (++seen > FARTHEST)
            return 0;
        if (computes_anywhere(lowering, node)) {
            walk_to_inputs(&walk, node);
        } else if (!is_at_hand(lowering, next) && l->counted[next] != l->count) {
            l->counted[next] = l->count;
            sources =
                pod_tpu_sum(sources, next == value ? v->bytes.padded : pod_tpu_stored_bits(lowering, next) / CHAR_BIT);
        }
    } while (pod_tpu_walk_next(&walk, &next));
    return sources < v->bytes.padded ? sources : v->bytes.padded;
}

/* Marks what a product reads, itself or through ops that are computed in it; false where another product or sum is. */
static bool mark_operands(least *l, const pod_ir_node *product, uint32_t mark)
{
    pod_tpu_lowering *lowering = l->lowering;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    pod_ref next;
    walk_to_inputs(&walk, product);
    while (pod_tpu_walk_next(&walk, &next)) {
        const pod_ir_node *node = pod_tpu_maker(lowering, next);
        if (lowering->values[next].stored)
            l->operands[next] = mark;
        else if (computes_anywhere(lowering, node))
            walk_to_inputs(&walk, node);
        else if (!is_at_hand(lowering, next))
            return false;
    }
    return true;
}

/* Returns what is there while a kernel's only product runs; 0 where it may be several kernels. */
static int64_t count_product(least *l, uint32_t number)
{
    const pod_tpu_lowering *lowering = l->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[number];
    if (kernel->result_count != 1 || kernel->work.product == 0 ||
        !mark_operands(l, &lowering->ir->nodes[kernel->work.product - 1], number + 1))
        return 0;
    l->count++;
    int64_t bytes = count_value(l, lowering->results[kernel->result_first]);
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        if (l->operands[read] == number + 1)
            bytes = pod_tpu_sum(bytes, count_value(l, read));
    }
    return bytes;
}

bool pod_tpu_least(pod_tpu_lowering *lowering, int64_t *bytes)
{
    const uint32_t values = lowering->ir->value_count;
    least l = {.lowering = lowering,
               .counted = pod_tpu_array(lowering, values, sizeof *l.counted),
               .operands = pod_tpu_array(lowering, values, sizeof *l.operands)};
    *bytes = 0;
    if (!l.counted || !l.operands)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        l.count++;
        const int64_t one = count_value(&l, lowering->results[i]);
        *bytes = one > *bytes ? one : *bytes;
    }
    for (uint32_t k = 0; k < lowering->kernel_count; k++) {
        const int64_t one = count_product(&l, k);
        *bytes = one > *bytes ? one : *bytes;
    }
    return true;
}
