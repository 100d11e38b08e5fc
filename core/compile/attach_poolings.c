/*
 * attach_poolings - a max pooling gives its gradient to one place of each window. Where that is read by the gradient of
 * a first layer's kernel alone, what each window gives is multiplied with what its place read (kernels/direct.h), and
 * the gradient of what was pooled, mostly zeros, never exists: for one channel and windows of 2 x 2 a quarter of the
 * products.
 */

#include "base/sizes.h"
#include "compile/lower.h"

static uint32_t base_of(const pod_lowered *function, uint32_t slot)
{
    return pod_lower_base(function->owner, slot);
}

static bool region_uses(const pod_lowered *function, const pod_function *region, uint32_t base);

static bool uses(const pod_lowered *function, const pod_instruction *one, uint32_t base)
{
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++)
        if (base_of(function, one->slots[i]) == base)
            return true;
    return region_uses(function, pod_instruction_region(one, 0), base) ||
           region_uses(function, pod_instruction_region(one, 1), base);
}

static bool region_uses(const pod_lowered *function, const pod_function *region, uint32_t base)
{
    for (uint32_t i = 0; region && i < region->instruction_count; i++)
        if (uses(function, region->instructions[i], base))
            return true;
    return false;
}

/* The only other instruction that uses what one makes; NULL: none, or several. */
static pod_instruction *only_reader(const pod_lowered *function, uint32_t index, uint32_t base)
{
    pod_instruction *found = NULL;
    for (uint32_t i = 0; i < function->count; i++) {
        if (i == index || !function->instructions[i] || !uses(function, function->instructions[i], base))
            continue;
        if (found)
            return NULL;
        found = function->instructions[i];
    }
    return found;
}

static bool is_gradient_by_positions(const pod_lowered *function, const pod_instruction *one)
{
    const pod_slot *slots = function->owner->slots;
    return one->kind == POD_DO_KERNEL && one->op == POD_OP_POOL_MAX_GRADIENT && one->operand_count == 2 &&
           one->result_count == 1 && slots[one->slots[0]].dtype == POD_U8 && slots[one->slots[1]].dtype != POD_U8 &&
           slots[base_of(function, one->slots[2])].kind == POD_SLOT_ARENA;
}

/* Lets the reader take what the gradient of a pooling takes, when it can. */
static bool attach(const pod_lowered *function, const pod_instruction *pooling, pod_instruction *reader)
{
    pod_convolution_detail *c = &reader->convolution;
    const pod_window *window = &pooling->kernel.attributes->window;
    const pod_slot *slots = function->owner->slots;
    if (reader->kind != POD_DO_CONVOLUTION || !c->images || c->call.is_pooled ||
        c->call.kind != POD_CONVOLVE_KERNEL_GRADIENT || reader->slots[c->right] != pooling->slots[2] ||
        slots[pooling->slots[1]].dtype != c->call.dtype)
        return false;
    pod_convolution_call call = c->call;
    const pod_shape *out = slots[pooling->slots[1]].shape;
    int missing = POD_MAX_SPATIAL - window->rank;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        int axis = i - missing;
        bool given = axis >= 0;
        if (given && (window->pad_low[axis] != 0 || window->dilation[axis] > 1))
            return false;
        call.pooling.size[i] = given && window->size[axis] > 0 ? window->size[axis] : 1;
        call.pooling.stride[i] = given && window->stride[axis] > 0 ? window->stride[axis] : 1;
        call.pooling.out[i] = given ? out->dims[axis + 1] : 1;
    }
    if (!pod_kernel_convolution_pools(&call))
        return false;
    call.is_pooled = true;
    c->call = call;
    c->scratch_bytes = pod_round_up_bytes(pod_kernel_convolution_scratch_bytes(&call), 64);
    reader->scratch_bytes = c->scratch_bytes;
    c->positions = 2; /* where the right operand stood once more: see lower_convolution.c */
    reader->slots[c->right] = pooling->slots[1];
    reader->slots[c->positions] = pooling->slots[0];
    return true;
}

void pod_compile_attach_poolings(pod_lowered *function)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        const pod_instruction *one = function->instructions[i];
        pod_instruction *reader =
            is_gradient_by_positions(function, one) ? only_reader(function, i, base_of(function, one->slots[2])) : NULL;
        if (!reader || !attach(function, one, reader))
            continue;
        function->owner->slots[base_of(function, one->slots[2])].kind = POD_SLOT_NONE;
        function->instructions[i] = NULL;
    }
    for (uint32_t i = 0; i < function->count; i++)
        if (function->instructions[i])
            function->instructions[kept++] = function->instructions[i];
    function->count = kept;
}
