/*
 * verify_lowering - whether a lowering is what lowering.h says, as far as passes have made it. Builds that check
 * themselves (assert) ask it after every pass, others do not have it. */

#include "tpu/passes.h"

#ifndef NDEBUG

#include "base/error.h"

#include <string.h>

enum {
#define PASS(name) after_##name,
#include "tpu/passes.def"
#undef PASS
    after_all
};

static const char *const pass_names[] = {
#define PASS(name) #name,
#include "tpu/passes.def"
#undef PASS
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool is_read_by_users(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        if (user >= lowering->ir->node_count || (i > 0 && user <= lowering->users[v->user_first + i - 1]))
            return false;
        const pod_ir_node *node = &lowering->ir->nodes[user];
        uint32_t at = 0;
        while (at < node->input_count && pod_tpu_inputs(lowering, node)[at] != value)
            at++;
        if (at == node->input_count)
            return false;
    }
    return true;
}

static bool has_good_storage(const pod_tpu_lowering *lowering, uint32_t value)
{
    return lowering->values[value].storage <= value &&
           lowering->values[value].elements == pod_shape_elements(lowering->ir->values[value].shape);
}

static bool has_good_alias(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->alias == 0 ||
           (v->is_output && v->alias <= lowering->ir->parameter_count && lowering->donated[v->alias - 1]);
}

static bool output_is_stored(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const bool there = v->free || lowering->depth > 0; /* a turn may copy it at its end */
    return !v->is_output || (v->stored && there) || pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF;
}

/* Sums of windows count as products. */
static bool has_good_product(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t product = lowering->values[value].product, scores = lowering->scores[value];
    return (product == 0 || (product <= ir->node_count && (pod_tpu_is_product(ir->nodes[product - 1].op) ||
                                                           pod_tpu_is_pooling(&ir->nodes[product - 1])))) &&
           (scores == 0 || (scores <= ir->values[value].node && ir->nodes[scores - 1].op == POD_OP_DOT));
}

static bool has_good_mask(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->packed == 0 || (v->mask && v->packed <= lowering->ir->values[value].shape->rank);
}

static bool stands_for_stored(const pod_tpu_lowering *lowering, uint32_t value)
{
    const uint32_t before = lowering->values[value].before;
    return before == 0 ||
           (before <= lowering->ir->value_count &&
            (lowering->values[before - 1].stored || pod_tpu_kind_of(lowering, before - 1) == POD_TPU_KIND_LEAF));
}

static bool is_measured(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return (!v->stored && pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_LEAF) ||
           (v->type.has_layout && v->type.layout.rank == v->type.shape.rank && v->bytes.unpadded >= 0 &&
            v->bytes.padded >= v->bytes.unpadded);
}

static bool has_good_life(const pod_tpu_lowering *lowering, uint32_t value)
{
    return lowering->first_step[value] >= 0 && lowering->first_step[value] <= lowering->last_step[value] + 1 &&
           lowering->last_step[value] <= (int32_t)lowering->kernel_count;
}

static bool fits_its_storage(const pod_tpu_lowering *lowering, uint32_t value)
{
    const pod_tpu_value *v = &lowering->values[value], *there = &lowering->values[v->storage];
    return there->storage == v->storage && there->bytes.padded >= v->bytes.padded;
}

static bool has_good_offset(const pod_tpu_lowering *lowering, uint32_t value)
{
    const int64_t bytes = lowering->values[value].bytes.padded, offset = lowering->offsets[value];
    if (!pod_tpu_takes_heap(lowering, value) || bytes == 0)
        return offset == -1;
    return offset >= 0 && bytes <= lowering->temp_bytes && offset <= lowering->temp_bytes - bytes;
}

/* ---- nodes and kernels ------------------------------------------------------------------------------------------- */

static bool has_good_leader(const pod_tpu_lowering *lowering, uint32_t node)
{
    const uint32_t leader = lowering->leaders[node];
    return leader >= node && leader < lowering->ir->node_count && lowering->leaders[leader] == leader;
}

static bool has_good_places(const pod_tpu_lowering *lowering, uint32_t index)
{
    const pod_tpu_kernel *kernel = &lowering->kernels[index], *before = kernel - 1;
    const uint32_t results = index ? before->result_first + before->result_count : 0;
    const uint32_t reads = index ? before->read_first + before->read_count : 0;
    return kernel->result_first == results && kernel->result_count > 0 &&
           kernel->result_count <= lowering->result_count - results && kernel->read_first == reads &&
           kernel->read_count <= lowering->read_count - reads && kernel->scratch >= 0;
}

static bool makes_what_is_stored(const pod_tpu_lowering *lowering, uint32_t index)
{
    const pod_tpu_kernel *kernel = &lowering->kernels[index];
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        if (!lowering->values[value].stored || lowering->leaders[lowering->ir->values[value].node] != kernel->node)
            return false;
    }
    return true;
}

static bool reads_what_is_stored(const pod_tpu_lowering *lowering, uint32_t index)
{
    const pod_tpu_kernel *kernel = &lowering->kernels[index];
    for (uint32_t i = kernel->read_first; i < kernel->read_first + kernel->read_count; i++) {
        const pod_ref value = lowering->reads[i];
        const bool leaf = pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF;
        if ((!leaf && !lowering->values[value].stored) || !(lowering->shares[i] >= 0))
            return false;
    }
    return true;
}

/* Results of a step begin in it, so no kernel has two steps. */
static bool begins_what_it_makes(const pod_tpu_lowering *lowering, uint32_t step)
{
    if (lowering->order[step] >= lowering->kernel_count)
        return false;
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
    for (uint32_t i = 0; i < kernel->result_count; i++)
        if (lowering->first_step[lowering->results[kernel->result_first + i]] != (int32_t)step)
            return false;
    return true;
}

static bool comes_after_what_it_reads(const pod_tpu_lowering *lowering, uint32_t step)
{
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
    for (uint32_t i = kernel->read_first; i < kernel->read_first + kernel->read_count; i++) {
        const pod_ref value = lowering->reads[i];
        if (pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_LEAF &&
            (lowering->first_step[value] >= (int32_t)step || lowering->last_step[value] < (int32_t)step))
            return false;
    }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool stores_in_kernels(const pod_tpu_lowering *lowering)
{
    uint32_t stored = 0;
    for (uint32_t v = 0; v < lowering->ir->value_count; v++)
        stored += lowering->values[v].stored && pod_tpu_kind_of(lowering, v) != POD_TPU_KIND_LEAF;
    return stored == lowering->result_count;
}

/* Puts a block among those that are live, ascending; false where it meets one of them. */
static bool enter_block(const pod_tpu_lowering *lowering, pod_ref value, uint32_t *count)
{
    pod_ref *live = lowering->stack;
    uint32_t at = *count;
    while (at > 0 && lowering->offsets[live[at - 1]] > lowering->offsets[value])
        at--;
    if ((at > 0 &&
         lowering->offsets[live[at - 1]] + lowering->values[live[at - 1]].bytes.padded > lowering->offsets[value]) ||
        (at < *count && lowering->offsets[value] + lowering->values[value].bytes.padded > lowering->offsets[live[at]]))
        return false;
    memmove(&live[at + 1], &live[at], (*count - at) * sizeof *live);
    live[at] = value;
    ++*count;
    return true;
}

/* Enters what is in the heap from a step on, of what a kernel made. */
static bool enter_results(const pod_tpu_lowering *lowering, uint32_t made, uint32_t step, uint32_t *count)
{
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[made]];
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        if (lowering->offsets[value] >= 0 && lowering->first_step[value] == (int32_t)step &&
            !enter_block(lowering, value, count))
            return false;
    }
    return true;
}

static bool blocks_lie_apart(const pod_tpu_lowering *lowering)
{
    uint32_t count = 0;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        if ((step > 0 && !enter_results(lowering, step - 1, step, &count)) ||
            !enter_results(lowering, step, step, &count))
            return false;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++)
            if (lowering->last_step[lowering->stack[i]] > (int32_t)step)
                lowering->stack[kept++] = lowering->stack[i];
        count = kept;
    }
    return count == 0;
}

/* ---- what holds from which pass on ------------------------------------------------------------------------------- */

typedef bool lowering_check(const pod_tpu_lowering *lowering, uint32_t index);

typedef struct lowering_rule {
    size_t from, until; /* passes: it holds after the first, and no more after the second */
    const char *what;
    lowering_check *value, *node, *kernel;
    bool (*whole)(const pod_tpu_lowering *lowering);
} lowering_rule;

static const lowering_rule rules[] = {
    {after_read, after_all, "is read by others than its users", .value = is_read_by_users},
    {after_read, after_all, "has another's storage or size", .value = has_good_storage},
    {after_donations, after_all, "updates what is not donated", .value = has_good_alias},
    {after_results, after_all, "is an output without a buffer", .value = output_is_stored},
    {after_products, after_all, "stands for what is no product", .value = has_good_product},
    {after_products, after_all, "is packed along no axis", .value = has_good_mask},
    {after_products, after_all, "is read as no other value", .value = stands_for_stored},
    {after_layouts, after_all, "has no layout or bytes", .value = is_measured},
    {after_joins, after_all, "is computed in no kernel's last node", .node = has_good_leader},
    {after_kernels, after_all, "has its results or reads elsewhere", .kernel = has_good_places},
    {after_kernels, after_all, "makes what is not stored, or another's", .kernel = makes_what_is_stored},
    {after_kernels, after_all, "reads what is not stored", .kernel = reads_what_is_stored},
    {after_kernels, after_all, "a stored value has no kernel", .whole = stores_in_kernels},
    {after_kernel_order, after_on_chip, "is not when its results begin", .kernel = begins_what_it_makes},
    {after_kernel_order, after_take_over, "comes before what it reads", .kernel = comes_after_what_it_reads},
    {after_kernel_order, after_all, "ends before it begins", .value = has_good_life},
    {after_overwrites, after_all, "does not fit its storage", .value = fits_its_storage},
    {after_heap, after_all, "is outside of the heap", .value = has_good_offset},
    {after_heap, after_all, "blocks of the heap overlap", .whole = blocks_lie_apart},
};

static bool fail(const pod_tpu_lowering *lowering, size_t pass, const char *what, const char *of, uint32_t index)
{
    (void)!pod_error_set(lowering->error, POD_ERROR_STATE, "the lowering is broken after %s: %s %u %s",
                         pass_names[pass], of, index, what);
    return false;
}

static bool holds_for_all(const pod_tpu_lowering *lowering, size_t pass, const lowering_rule *r, lowering_check *holds,
                          const char *of, uint32_t count)
{
    for (uint32_t i = 0; holds && i < count; i++)
        if (!holds(lowering, i))
            return fail(lowering, pass, r->what, of, i);
    return true;
}

bool pod_tpu_verify(const pod_tpu_lowering *lowering, size_t pass)
{
    const pod_ir *ir = lowering->ir;
    /* Nodes that the compiler puts in the place of others read and make what their op's rule does not give. */
    if (pass == after_read && pod_ir_verify(ir, false, pass_names[pass], lowering->error) != POD_OK)
        return false;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const lowering_rule *r = &rules[i];
        if (pass < r->from || pass >= r->until)
            continue;
        if (!holds_for_all(lowering, pass, r, r->value, "value", ir->value_count) ||
            !holds_for_all(lowering, pass, r, r->node, "node", ir->node_count) ||
            !holds_for_all(lowering, pass, r, r->kernel, "kernel", lowering->kernel_count))
            return false;
        if (r->whole && !r->whole(lowering))
            return fail(lowering, pass, r->what, "kernel", lowering->kernel_count);
    }
    return true;
}

#endif
