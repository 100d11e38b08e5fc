/* overwrites - see passes.def (R11). */

#include "tpu/candidates.h"
#include "tpu/passes.h"
#include "tpu/walks.h"

bool pod_tpu_takes_heap(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free && v->storage == value && !lowering->on_chip[value];
}

/* Tells whether ops that are computed in a value's kernel lead from another value to it, an element for an element. */
static bool leads_elementwise(pod_tpu_lowering *lowering, pod_ref from, pod_ref to)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, to);
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    do {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        for (uint32_t i = 0; i < node->input_count; i++) {
            const pod_tpu_value *v = &lowering->values[inputs[i]];
            const pod_ir_node *maker = pod_tpu_maker(lowering, inputs[i]);
            if (inputs[i] == from)
                return true;
            if (!v->stored && v->elements == lowering->values[from].elements &&
                (pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_ELEMENTWISE || maker->op == POD_OP_RESHAPE))
                pod_tpu_walk_to(&walk, inputs[i]);
        }
    } while (pod_tpu_walk_next_maker(&walk, &node));
    return false;
}

#define MOST_NESTED 8 /* products that are computed with a value */

/* Tells whether a product that is computed with a value reads another one: it needs more of that than an element for an
 * element. */
static bool is_read_by_product(pod_tpu_lowering *lowering, pod_ref from, pod_ref to)
{
    const pod_ir_node *products[MOST_NESTED], *node = pod_tpu_maker(lowering, to);
    uint32_t found = 0;
    pod_ref value;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    do {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        if (pod_tpu_is_product(node->op) && found < MOST_NESTED)
            products[found++] = node;
        for (uint32_t i = 0; i < node->input_count && !pod_tpu_is_product(node->op); i++)
            if (!lowering->values[inputs[i]].stored && pod_tpu_kind_of(lowering, inputs[i]) != POD_TPU_KIND_LEAF)
                pod_tpu_walk_to(&walk, inputs[i]);
    } while (pod_tpu_walk_next_maker(&walk, &node));
    for (uint32_t i = 0; i < found; i++) {
        pod_tpu_sources sources = pod_tpu_sources_of(lowering, products[i]);
        while (pod_tpu_next_source(&sources, &value))
            if (value == from)
                return true;
    }
    return false;
}

/* Tells whether rows are summed of what is computed from a value, an element from an element. */
static bool rows_are_reduced(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count && depth < 8; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        const pod_tpu_value *made = &lowering->values[node->value_first];
        const int32_t last = lowering->ir->values[value].shape->rank - 1;
        for (int32_t j = 0; pod_tpu_is_reduction(node->op) && j < node->attributes->axes.count; j++)
            if (node->attributes->axes.axes[j] == last)
                return true;
        if (lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE && !made->stored && made->elements == v->elements &&
            rows_are_reduced(lowering, node->value_first, depth + 1))
            return true;
    }
    return false;
}

/* Tells whether a value is one of several results: those that its kernel has, or sums of its rows that a dot makes with
 * it. */
static bool is_one_of_several(const pod_tpu_lowering *lowering, pod_ref value, const uint32_t *makers)
{
    const uint32_t product = lowering->values[value].product;
    return lowering->kernels[makers[value]].result_count > 1 ||
           (product && lowering->ir->nodes[product - 1].op == POD_OP_DOT && rows_are_reduced(lowering, value, 0));
}

/* Tells whether all that a kernel makes is elementwise. */
static bool is_elementwise(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    bool all = true;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        all = all && pod_tpu_kind_of(lowering, lowering->results[kernel->result_first + i]) == POD_TPU_KIND_ELEMENTWISE;
    return all;
}

/* A result takes over the buffer of an equal operand that ends there, that no other kernel has read (but for lookups in
 * a table's copy), that is all its kernel made, on the core, and from which elementwise ops lead to it. Of several
 * results only those of products do, and those of kernels that make elementwise values alone. */
static void overwrite_operand(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, pod_ref result,
                              const uint32_t *readers, const uint32_t *makers, int32_t step)
{
    const pod_tpu_value *made = &lowering->values[result];
    if (kernel->result_count > 1 && kernel->work.flops <= 0 && !is_elementwise(lowering, kernel))
        return;
    const bool exchanged = lowering->devices > 0 && pod_tpu_maker(lowering, result)->op == POD_OP_ALL_REDUCE;
    if (made->free || !made->stored || (pod_tpu_kind_of(lowering, result) != POD_TPU_KIND_ELEMENTWISE && !exchanged))
        return;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        const pod_tpu_value *there = &lowering->values[read];
        if ((readers[read] == 1 || lowering->tables[read].held) && !lowering->on_chip[there->storage] &&
            pod_tpu_dies_in(lowering, read, step) && there->bytes.padded == made->bytes.padded &&
            there->elements == made->elements && there->type.element == made->type.element &&
            !is_one_of_several(lowering, read, makers) &&
            !pod_tpu_is_offloaded(lowering, &lowering->kernels[makers[read]]) &&
            leads_elementwise(lowering, read, result) && !is_read_by_product(lowering, read, result)) {
            pod_tpu_take_over(lowering, result, read);
            return;
        }
    }
}

static void overwrite_operands(pod_tpu_lowering *lowering, uint32_t *readers, uint32_t *makers)
{
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        for (uint32_t i = 0; i < lowering->kernels[k].result_count; i++)
            makers[lowering->results[lowering->kernels[k].result_first + i]] = k;
    for (uint32_t i = 0; i < lowering->read_count; i++)
        readers[lowering->reads[i]]++;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref result = lowering->results[kernel->result_first + i];
            if (pod_tpu_takes_heap(lowering, result))
                overwrite_operand(lowering, kernel, result, readers, makers, (int32_t)step);
        }
    }
    for (pod_ref value = 0; value < lowering->ir->value_count; value++) {
        pod_tpu_value *v = &lowering->values[value];
        while (lowering->values[v->storage].storage != v->storage)
            v->storage = lowering->values[v->storage].storage;
    }
}

bool pod_tpu_pass_overwrites(pod_tpu_lowering *lowering)
{
    uint32_t *readers = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *readers);
    uint32_t *makers = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *makers);
    if (!pod_tpu_has_memory(lowering))
        return false;
    if (pod_tpu_has(lowering, POD_TPU_OVERWRITES))
        overwrite_operands(lowering, readers, makers);
    return true;
}
