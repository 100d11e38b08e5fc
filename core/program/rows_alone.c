/*
 * rows_alone - what is known of the memory that an instruction touches while it runs some of its rows. This does not
 * believe `parts`, as it is also what a stored program is judged by (verify_program.c): it looks at what the engine
 * does.
 */

#include "base/checked.h"
#include "graph/ops.h"
#include "program/instructions.h"

#include <assert.h>

static bool is_whole(const pod_slot *slot, int64_t rows, int64_t row_elements, pod_dtype dtype)
{
    uint64_t bytes;
    return rows > 0 && row_elements >= 0 && !pod_multiply_overflows((uint64_t)rows, (uint64_t)row_elements, &bytes) &&
           !pod_multiply_overflows(bytes, (uint64_t)pod_dtype_size(dtype), &bytes) && bytes == slot->bytes;
}

/* Returns whether a loop that runs some rows touches those rows of a slot alone. */
static bool loop_keeps_rows(const pod_slot *slots, const pod_loop *loop, uint32_t slot)
{
    for (uint32_t i = 0; i < loop->load_count; i++) {
        const pod_loop_load *load = &loop->loads[i];
        if (load->slot != slot)
            continue;
        bool rows = load->access == POD_ACCESS_ROWS || load->access == POD_ACCESS_ROW;
        if ((!rows && load->access != POD_ACCESS_DENSE) || load->offset != 0 ||
            !is_whole(&slots[slot], loop->rows, rows ? 1 : loop->columns, load->dtype))
            return false;
    }
    for (uint32_t i = 0; i < loop->step_count; i++)
        for (int j = 0; loop->steps[i].adam && j < 3; j++)
            if (loop->steps[i].adam->slots[j] == slot)
                return false;
    for (uint32_t i = 0; i < loop->store_count; i++) {
        const pod_loop_store *store = &loop->stores[i];
        if (store->slot == slot &&
            !is_whole(&slots[slot], loop->rows, store->by_rows ? 1 : loop->columns, store->dtype))
            return false;
    }
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        const pod_loop_fold *fold = &loop->folds[i];
        if (fold->slot == slot && (!fold->by_rows || !is_whole(&slots[slot], loop->rows, fold->inner, fold->dtype)))
            return false;
    }
    for (uint32_t i = 0; i < loop->pack_count; i++) { /* packed from the rows that it has just stored or read */
        const pod_loop_pack *pack = &loop->packs[i];
        if (pack->slot == slot ||
            (pack->source == slot && !is_whole(&slots[slot], loop->rows, loop->columns, pack->dtype)))
            return false;
    }
    return true;
}

/* Images of the left operand and of the result, or of both operands of a kernel's gradient. */
static bool convolution_keeps_rows(const pod_slot *slots, const pod_instruction *one, uint32_t slot)
{
    const pod_convolution_detail *c = &one->convolution;
    const pod_window_sizes *s = &c->call.sizes;
    const pod_slot *of = &slots[slot];
    const int64_t x = pod_kernel_volume(s->in) * s->channels;
    const int64_t g = pod_kernel_volume(c->call.is_pooled ? c->call.pooling.out : s->out) * s->filters;
    if (!c->images || one->slots[c->shared] == slot)
        return false;
    if (c->call.kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return (!c->call.is_pooled || one->slots[c->positions] != slot || is_whole(of, s->batch, g, POD_U8)) &&
               (one->slots[c->left] != slot || is_whole(of, s->batch, x, c->call.dtype)) &&
               (one->slots[c->right] != slot || is_whole(of, s->batch, g, c->call.dtype));
    bool turned = c->call.kind == POD_CONVOLVE_INPUT_GRADIENT;
    if (one->slots[c->right] == slot ||
        (one->slots[c->left] == slot && !is_whole(of, s->batch, turned ? g : x, c->call.dtype)))
        return false;
    if (c->epilogue)
        return c->epilogue->rows % one->rows == 0 && loop_keeps_rows(slots, c->epilogue, slot);
    return one->slots[one->operand_count] != slot || is_whole(of, s->batch, turned ? x : g, POD_F32);
}

/* Rows of a product that is one matrix. */
static bool product_keeps_rows(const pod_slot *slots, const pod_instruction *one, uint32_t slot)
{
    const pod_product_detail *p = &one->product;
    pod_dtype dtype = p->a_bytes == 4 ? POD_F32 : POD_BF16;
    if (p->outer != 1 || p->inner != 1 || p->by_columns || one->slots[1] == slot)
        return false;
    if (one->slots[0] == slot && (p->a_offset != 0 || p->call.a_k_stride != 1 || p->call.a_row_stride != p->call.k ||
                                  !is_whole(&slots[slot], p->call.m, p->call.k, dtype)))
        return false;
    if (p->epilogue)
        return p->epilogue->rows == one->rows && loop_keeps_rows(slots, p->epilogue, slot);
    return one->slots[2] != slot || is_whole(&slots[slot], p->call.m, p->call.n, POD_F32);
}

/* Units of a composite are those of one batch after the other: axis 0 of the first operand and of all that has batches.
 * A unit keeps to its batch, so parts must be whole batches. */
static bool composite_keeps_batches(const pod_slot *slots, const pod_instruction *one, uint32_t slot, int64_t parts)
{
    const pod_shape *shape = slots[slot].shape, *first = slots[one->slots[0]].shape;
    return shape->rank > 0 && shape->rank == first->rank && shape->dims[0] == first->dims[0] && shape->dims[0] > 0 &&
           parts > 0 && one->rows % shape->dims[0] == 0 && shape->dims[0] % parts == 0 &&
           is_whole(&slots[slot], shape->dims[0], pod_shape_elements(shape) / shape->dims[0], slots[slot].dtype);
}

/* A kernel that is sliced is given those rows and no others. */
static bool kernel_keeps_rows(const pod_slot *slots, const pod_instruction *one, uint32_t slot, int64_t parts)
{
    if (one->op == POD_OP_CALL)
        return composite_keeps_batches(slots, one, slot, parts);
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++)
        if (one->slots[i] == slot && one->parts[i] != one->rows)
            return false;
    return one->kernel.sliced && one->rows > 1;
}

bool pod_program_rows_alone(const pod_slot *slots, const pod_instruction *one, uint32_t at, int64_t parts)
{
    assert(at < one->operand_count + one->result_count && parts > 0);
    uint32_t slot = one->slots[at];
    switch (one->kind) {
    case POD_DO_KERNEL:
        return kernel_keeps_rows(slots, one, slot, parts);
    case POD_DO_LOOP:
        return !one->loop->table && one->rows == one->loop->rows && loop_keeps_rows(slots, one->loop, slot);
    case POD_DO_CONVOLUTION:
        return convolution_keeps_rows(slots, one, slot);
    case POD_DO_PRODUCT:
        return product_keeps_rows(slots, one, slot);
    default:
        return false;
    }
}
