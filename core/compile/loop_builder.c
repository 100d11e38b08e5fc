/* loop_builder - see loop_builder.h. */

#include "compile/loop_builder.h"
#include "base/growth.h"

#include "ir/ir.h"

#include <assert.h>
#include <string.h>

uint32_t pod_compile_builder_register(pod_loop_builder *b, pod_class class_)
{
    b->wide = b->wide || pod_kernel_class_size(class_) == 8;
    return b->registers++;
}

void *pod_compile_builder_more(pod_loop_builder *b, void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (pod_arena_grow(b->function->owner->memory, &list, room, (size_t)count + 1, (pod_growth){size, .first = 8}))
        return list;
    b->failed = true;
    return NULL;
}

uint32_t pod_compile_builder_load(pod_loop_builder *b, const pod_loop_load *load)
{
    pod_loop *loop = b->loop;
    loop->loads = pod_compile_builder_more(b, loop->loads, loop->load_count, &b->loads, sizeof *loop->loads);
    if (b->failed)
        return 0;
    pod_loop_load *made = &loop->loads[loop->load_count++];
    *made = *load;
    made->at = loop->step_count;
    assert(loop->load_count < 2 || made[-1].at <= made->at); /* loads are done in their order */
    made->result = pod_compile_builder_register(b, pod_kernel_class_of(load->dtype));
    return made->result;
}

uint32_t pod_compile_builder_scalar(pod_loop_builder *b, pod_dtype dtype, double value)
{
    pod_loop_load load = {.access = POD_ACCESS_SCALAR, .slot = POD_SLOT_END, .dtype = dtype};
    pod_convert(POD_F64, &value, dtype, &load.element, 1);
    return pod_compile_builder_load(b, &load);
}

/* How the elements of a view lie over rows x columns. */
static void classify(const pod_loop *loop, const pod_view *view, pod_loop_load *load)
{
    pod_view flat = pod_ir_view_collapse(view);
    int32_t rank = flat.shape.rank;
    load->offset = flat.offset;
    load->shape = flat.shape;
    if (rank == 0) /* one element: the walk wants an axis */
        load->shape = (pod_shape){1, {1}};
    memcpy(load->strides, flat.strides, sizeof load->strides);
    bool all_still = true;
    for (int32_t i = 0; i < rank; i++)
        all_still = all_still && flat.strides[i] == 0;
    load->access = POD_ACCESS_STRIDED;
    if (loop->rows * loop->columns == 1 && flat.offset == 0)
        load->access = POD_ACCESS_DENSE;
    else if (all_still)
        load->access = POD_ACCESS_SCALAR;
    else if (rank == 1 && flat.strides[0] == 1)
        load->access = POD_ACCESS_DENSE;
    else if (rank == 2 && flat.strides[0] == 0 && flat.strides[1] == 1 && flat.shape.dims[1] == loop->columns)
        load->access = POD_ACCESS_COLUMN;
    else if (rank == 2 && flat.strides[0] == 1 && flat.strides[1] == 0 && flat.shape.dims[0] == loop->rows)
        load->access = POD_ACCESS_ROW;
}

uint32_t pod_compile_builder_view(pod_loop_builder *b, const pod_view *view)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *maker = pod_ir_maker(ir, view->base);
    pod_loop_load load = {.dtype = ir->values[view->base].dtype, .slot = POD_SLOT_END};
    classify(b->loop, view, &load);
    double element;
    bool splat = pod_ir_splat(ir, view->base, &element);
    if (splat) {
        load.access = POD_ACCESS_SCALAR;
        memcpy(&load.element, maker->constant, pod_dtype_size(load.dtype));
    } else if (view->counts) {
        load.access = POD_ACCESS_COUNT;
    } else {
        load.slot = b->function->slots[view->base];
    }
    return pod_compile_builder_load(b, &load);
}

uint32_t pod_compile_builder_step(pod_loop_builder *b, pod_block_function function, pod_class result, uint32_t x,
                                  uint32_t y, uint32_t z)
{
    pod_loop *loop = b->loop;
    loop->steps = pod_compile_builder_more(b, loop->steps, loop->step_count, &b->steps, sizeof *loop->steps);
    if (b->failed)
        return 0;
    uint32_t made = pod_compile_builder_register(b, result);
    loop->steps[loop->step_count++] = (pod_loop_step){.function = function, .result = made, .a = x, .b = y, .c = z};
    return made;
}

uint32_t pod_compile_builder_element(pod_loop_builder *b, pod_block_op element, pod_class class_, uint32_t x,
                                     uint32_t y, uint32_t z)
{
    return pod_compile_builder_step(b, b->fusion->kernels->element[element][class_],
                                    pod_kernel_block_op_tests(element) ? POD_CLASS_S32 : class_, x, y, z);
}

void pod_compile_builder_computed(pod_loop_builder *b, pod_ref value)
{
    const pod_ir *ir = b->fusion->ir;
    const bool narrow = pod_ir_is_narrow(ir->values[value].dtype) && !pod_ir_is_wide(ir, value);
    b->rounded_of[value] = narrow ? POD_UNROUNDED : POD_NO_REGISTER;
}

bool pod_compile_builder_is_unrounded(const pod_loop_builder *b, pod_ref value)
{
    return b->rounded_of[value] != POD_NO_REGISTER || pod_ir_is_wide(b->fusion->ir, value);
}

uint32_t pod_compile_builder_rounded(pod_loop_builder *b, pod_ref value, bool rows)
{
    if (b->rounded_of[value] == POD_NO_REGISTER)
        return b->register_of[value];
    if (b->rounded_of[value] != POD_UNROUNDED)
        return b->rounded_of[value];
    const bool bf16 = b->fusion->ir->values[value].dtype == POD_BF16;
    const uint32_t made =
        pod_compile_builder_element(b, bf16 ? POD_BLOCK_OP_ROUND_BF16 : POD_BLOCK_OP_ROUND_F16, POD_CLASS_F32,
                                    b->register_of[value], POD_NO_REGISTER, POD_NO_REGISTER);
    if (rows && !b->failed)
        b->loop->steps[b->loop->step_count - 1].kind = POD_STEP_ROWS;
    b->rounded_of[value] = made;
    return made;
}
