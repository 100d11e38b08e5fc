/* find_finish - finds by their steps the loops behind products that the kernel of kernels/finish.h can do. */

#include "program/loop_plans.h"

#include <string.h>

/* A bias, a scale and a shift, a residual, a bounded relu of three steps, and five roundings. */
#define MOST_STEPS 12

/* The steps of a loop, taken from the first to the last. */
typedef struct reading {
    const pod_kernels *kernels;
    const pod_loop *loop;
    uint32_t at;    /* the next step */
    uint32_t value; /* the register of what has become of the tile */
} reading;

/* The load that a register has before step `at`. */
static const pod_loop_load *load_of(const reading *r, uint32_t at, uint32_t of, pod_access access)
{
    const pod_loop_load *last = NULL;
    for (uint32_t i = 0; i < r->loop->load_count && r->loop->loads[i].at <= at; i++)
        if (r->loop->loads[i].result == of)
            last = &r->loop->loads[i];
    return last && last->access == access ? last : NULL;
}

static const pod_loop_step *step_of(const reading *r, uint32_t at, pod_block_op op)
{
    const pod_loop_step *step = at < r->loop->step_count ? &r->loop->steps[at] : NULL;
    bool is = step && step->kind == POD_STEP_BLOCK && step->function == r->kernels->element[op][POD_CLASS_F32];
    return is ? step : NULL;
}

static bool is_float(pod_dtype dtype)
{
    return dtype == POD_F32 || dtype == POD_BF16;
}

/* Floats of an array that lies as the result does. */
static bool is_operand(const pod_loop_load *load)
{
    return load && is_float(load->dtype) && !load->in_memory && load->slot != POD_SLOT_END;
}

static bool is_zero(const pod_loop_load *load)
{
    return load && load->slot == POD_SLOT_END && load->element == 0;
}

/* Goes on behind a step with its result. */
static bool take(reading *r, const pod_loop_step *step)
{
    r->value = step->result;
    r->at++;
    return true;
}

/* A step of an op on the value alone. */
static bool take_one(reading *r, pod_block_op op)
{
    const pod_loop_step *step = step_of(r, r->at, op);
    return step && step->a == r->value && take(r, step);
}

/* A step of a sum or product of the value and what is loaded with this access, in either order. */
static const pod_loop_load *take_with(reading *r, pod_block_op op, pod_access access)
{
    const pod_loop_step *step = step_of(r, r->at, op);
    if (!step || (step->a != r->value && step->b != r->value))
        return NULL;
    const pod_loop_load *load = load_of(r, r->at, step->a == r->value ? step->b : step->a, access);
    return is_operand(load) && take(r, step) ? load : NULL;
}

/* The product with a scale of each column and the sum with a shift. */
static bool take_scale(reading *r, pod_loop_finish *what)
{
    what->scale = take_with(r, POD_BLOCK_OP_MULTIPLY, POD_ACCESS_COLUMN);
    what->shift = what->scale ? take_with(r, POD_BLOCK_OP_ADD, POD_ACCESS_COLUMN) : NULL;
    return !what->scale || what->shift;
}

static bool take_relu(reading *r)
{
    const pod_loop_step *step = step_of(r, r->at, POD_BLOCK_OP_MAXIMUM);
    return step && step->a == r->value && is_zero(load_of(r, r->at, step->b, POD_ACCESS_SCALAR)) && take(r, step);
}

/* The three steps "value >= bound", "max(value, 0)" and "the first ? bound : the second"; returns the bound, which is
 * positive; 0: they are not these. */
static float take_bounded_relu(reading *r)
{
    const pod_loop_step *compare = step_of(r, r->at, POD_BLOCK_OP_GE);
    const pod_loop_step *select = step_of(r, r->at + 2, POD_BLOCK_OP_SELECT);
    reading behind = *r;
    behind.at++;
    if (!compare || !select || compare->a != r->value || compare->result == r->value || !take_relu(&behind) ||
        behind.value == compare->result || select->a != compare->result || select->c != behind.value ||
        select->b == compare->result || select->b == behind.value)
        return 0;
    const pod_loop_load *bound = load_of(r, r->at, compare->b, POD_ACCESS_SCALAR);
    const pod_loop_load *chosen = load_of(r, r->at + 2, select->b, POD_ACCESS_SCALAR);
    if (!bound || !chosen || bound->slot != POD_SLOT_END || chosen->slot != POD_SLOT_END ||
        bound->element != chosen->element || bound->dtype != POD_F32 || chosen->dtype != POD_F32)
        return 0;
    float most;
    const uint32_t bits = (uint32_t)bound->element;
    memcpy(&most, &bits, sizeof most);
    if (!(most > 0))
        return 0;
    *r = behind;
    take(r, select);
    return most;
}

/* The two steps "mask > 0" and "that ? value : 0". */
static const pod_loop_load *take_mask(reading *r)
{
    const pod_loop_step *compare = step_of(r, r->at, POD_BLOCK_OP_GT);
    const pod_loop_step *select = step_of(r, r->at + 1, POD_BLOCK_OP_SELECT);
    if (!compare || !select || select->a != compare->result || select->b != r->value || compare->result == r->value)
        return NULL;
    const pod_loop_load *mask = load_of(r, r->at, compare->a, POD_ACCESS_DENSE);
    if (!is_operand(mask) || !is_zero(load_of(r, r->at, compare->b, POD_ACCESS_SCALAR)) ||
        !is_zero(load_of(r, r->at + 1, select->c, POD_ACCESS_SCALAR)))
        return NULL;
    r->value = select->result;
    r->at += 2;
    return mask;
}

static const pod_loop_load *take_slope(reading *r)
{
    const pod_loop_step *step = step_of(r, r->at, POD_BLOCK_OP_GELU_GRADIENT_ROUGH);
    const pod_loop_load *at = step && step->b == r->value ? load_of(r, r->at, step->a, POD_ACCESS_DENSE) : NULL;
    return is_operand(at) && take(r, step) ? at : NULL;
}

/* Finds what is stored of the result and, in a register that it does not take, of what gelu is taken of. */
static bool find_stores(const pod_loop *loop, uint32_t before, uint32_t value, pod_loop_finish *what)
{
    for (uint32_t i = 0; i < loop->store_count; i++) {
        const pod_loop_store *store = &loop->stores[i];
        if (store->by_rows || !is_float(store->dtype))
            return false;
        if (store->source == value && !what->store)
            what->store = store;
        else if (what->gelu && store->source == before && store->dtype == POD_BF16 && !what->before)
            what->before = store;
        else
            return false;
    }
    return what->store != NULL;
}

static bool is_column_sum(const pod_loop *loop, const pod_loop_fold *fold)
{
    return fold->fold == POD_FOLD_SUM && fold->class_ == POD_CLASS_F32 && !fold->by_rows &&
           fold->inner == loop->columns && loop->columns > 1 && fold->partial_rows % POD_PACK_UNIT == 0;
}

bool pod_program_find_finish(const pod_kernels *kernels, const pod_loop *loop, pod_loop_finish *what)
{
    reading r = {.kernels = kernels, .loop = loop};
    *what = (pod_loop_finish){0};
    if (loop->store_count > 2 || loop->fold_count > 1 || loop->step_count > MOST_STEPS)
        return false;
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].access == POD_ACCESS_TILE)
            what->tile = &loop->loads[i];
    what->fold = loop->fold_count ? &loop->folds[0] : NULL;
    if (!what->tile || what->tile->in_memory || (what->fold && !is_column_sum(loop, what->fold)))
        return false;
    r.value = what->tile->result;
    what->rounds.tile = take_one(&r, POD_BLOCK_OP_ROUND_BF16);
    what->bias = take_with(&r, POD_BLOCK_OP_ADD, POD_ACCESS_COLUMN);
    what->rounds.bias = take_one(&r, POD_BLOCK_OP_ROUND_BF16);
    if (!take_scale(&r, what))
        return false;
    what->rounds.shift = take_one(&r, POD_BLOCK_OP_ROUND_BF16);
    what->add = take_with(&r, POD_BLOCK_OP_ADD, POD_ACCESS_DENSE);
    what->rounds.add = take_one(&r, POD_BLOCK_OP_ROUND_BF16);
    what->most = take_bounded_relu(&r);
    what->relu = what->most > 0 || take_relu(&r);
    if (!what->relu)
        what->mask = take_mask(&r);
    const uint32_t before = r.value;
    if (!what->relu && !what->mask)
        what->gelu = take_one(&r, POD_BLOCK_OP_GELU_ROUGH);
    if (!what->relu && !what->mask && !what->gelu)
        what->slope_at = take_slope(&r);
    what->rounds.result = take_one(&r, POD_BLOCK_OP_ROUND_BF16);
    return r.at == loop->step_count && find_stores(loop, before, r.value, what) &&
           (!what->before || before != r.value) && (!what->fold || what->fold->source == r.value);
}
