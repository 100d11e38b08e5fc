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
            if (inputs[i] == from)
                return true;
            if (!v->stored && v->elements == lowering->values[from].elements &&
                pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_ELEMENTWISE)
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

typedef struct makers_of_values {
    uint32_t *kernels; /* by value */
    bool *joined;
} makers_of_values;

/* Tells whether all that a kernel makes is elementwise. */
static bool is_elementwise(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    bool all = true;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        all = all && pod_tpu_kind_of(lowering, lowering->results[kernel->result_first + i]) == POD_TPU_KIND_ELEMENTWISE;
    return all;
}

/* Finds which kernel makes each value, and of which values kernels without products read an element for an element, and
 * nothing else of that size: what those make is made with the value, where elementwise ops or a product make that. */
static void find_makers(const pod_tpu_lowering *lowering, makers_of_values *makers)
{
    for (uint32_t k = 0; k < lowering->kernel_count; k++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[k];
        const int64_t elements = lowering->values[lowering->results[kernel->result_first]].elements;
        uint32_t count = 0;
        pod_ref alike = 0;
        for (uint32_t i = 0; i < kernel->result_count; i++)
            makers->kernels[lowering->results[kernel->result_first + i]] = k;
        for (uint32_t i = kernel->read_first; i < kernel->read_first + kernel->read_count; i++)
            if (lowering->values[lowering->reads[i]].elements >= elements) {
                alike = lowering->reads[i];
                count++;
            }
        if (count == 1 && kernel->work.flops <= 0 && lowering->values[alike].elements == elements &&
            is_elementwise(lowering, kernel))
            makers->joined[alike] =
                lowering->values[alike].product > 0 || pod_tpu_kind_of(lowering, alike) == POD_TPU_KIND_ELEMENTWISE;
    }
}

/* Tells whether a value is one of several results: those that its kernel has, or what others make of it alone, or sums
 * of its rows that a dot makes with it. */
static bool is_one_of_several(const pod_tpu_lowering *lowering, pod_ref value, const makers_of_values *makers)
{
    const uint32_t product = lowering->values[value].product;
    return lowering->kernels[makers->kernels[value]].result_count > 1 || makers->joined[value] ||
           (product && lowering->ir->nodes[product - 1].op == POD_OP_DOT && rows_are_reduced(lowering, value, 0));
}

/* Tells whether a value is rows that were looked up: those come as a matrix, of which this is a view. */
static bool comes_as_matrix(const pod_tpu_lowering *lowering, pod_ref value)
{
    return pod_tpu_maker(lowering, value)->op == POD_OP_GATHER && lowering->ir->values[value].shape->rank > 2;
}

/* A result takes over the buffer of an equal operand that ends there, that is all its kernel made, on the core, and
 * from which elementwise ops lead to it. Of several results only those of products do, and those of kernels that make
 * elementwise values alone. */
static void overwrite_operand(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, pod_ref result,
                              const makers_of_values *makers, int32_t step)
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
        if (!lowering->on_chip[there->storage] && !comes_as_matrix(lowering, read) &&
            pod_tpu_dies_in(lowering, read, step) && there->bytes.padded == made->bytes.padded &&
            there->elements == made->elements && there->type.element == made->type.element &&
            !is_one_of_several(lowering, read, makers) &&
            !pod_tpu_is_offloaded(lowering, &lowering->kernels[makers->kernels[read]]) &&
            leads_elementwise(lowering, read, result) && !is_read_by_product(lowering, read, result)) {
            pod_tpu_take_over(lowering, result, read);
            return;
        }
    }
}

static void overwrite_operands(pod_tpu_lowering *lowering, const makers_of_values *makers)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref result = lowering->results[kernel->result_first + i];
            if (pod_tpu_takes_heap(lowering, result))
                overwrite_operand(lowering, kernel, result, makers, (int32_t)step);
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
    makers_of_values makers = {.kernels = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *makers.kernels),
                               .joined = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *makers.joined)};
    if (!pod_tpu_has_memory(lowering))
        return false;
    if (pod_tpu_has(lowering, POD_TPU_OVERWRITES)) {
        find_makers(lowering, &makers);
        overwrite_operands(lowering, &makers);
    }
    return true;
}
