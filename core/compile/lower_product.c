/*
 * lower_product - products: where operands lie, packing of b, the product itself. a is read by rows
 * where it lies; b is packed once and shared by all threads.
 */

#include "base/growth.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/lower_group.h"

#include <string.h>

/* Strides of the last two axes of an operand; false when neither is 1 or one is not positive. */
static bool matrix_strides(const pod_view *view, int64_t *outer, int64_t *inner)
{
    int32_t rank = view->shape.rank;
    *outer = view->shape.dims[rank - 2] == 1 ? 1 : view->strides[rank - 2];
    *inner = view->shape.dims[rank - 1] == 1 ? 1 : view->strides[rank - 1];
    for (int32_t i = 0; i < rank; i++)
        if (view->strides[i] < 0)
            return false;
    return *outer > 0 && *inner > 0 && (*outer == 1 || *inner == 1);
}

/* All batch axes but the first must lie like one. */
static bool batch_strides(const pod_view *view, int64_t *outer, int64_t *inner)
{
    int32_t batches = view->shape.rank - 2;
    *outer = batches > 0 ? view->strides[0] : 0;
    *inner = batches > 1 ? view->strides[batches - 1] : 0;
    for (int32_t i = 1; i + 1 < batches; i++)
        if (view->strides[i] != view->strides[i + 1] * view->shape.dims[i + 1])
            return false;
    return true;
}

static bool can_read(const pod_view *view)
{
    int64_t outer, inner;
    return matrix_strides(view, &outer, &inner) && batch_strides(view, &outer, &inner);
}

/* A bf16 copy of f32 parameters need not be stored for b of a product of bf16: packing converts. */
static bool see_through_convert(const pod_fusion *f, pod_view *view)
{
    const pod_ir *ir = f->ir;
    const pod_ir_node *maker = pod_ir_maker(ir, view->base);
    if (maker->op != POD_OP_CONVERT || ir->values[view->base].dtype != POD_BF16)
        return false;
    const pod_view *inner = &f->views[pod_ir_inputs(ir, maker)[0]];
    const pod_ir_value *base = &ir->values[inner->base];
    if (f->roles[base->node] != POD_ROLE_LEAF || base->dtype != POD_F32 || !pod_view_is_dense(inner) ||
        pod_shape_elements(base->shape) != pod_shape_elements(ir->values[view->base].shape))
        return false;
    view->base = inner->base;
    return true;
}

bool pod_product_operand(const pod_fusion *fusion, const pod_ir_node *node, uint32_t operand, pod_view *view)
{
    const pod_fusion *f = fusion;
    const pod_ir *ir = f->ir;
    pod_ref value = pod_ir_inputs(ir, node)[operand];
    pod_dtype dtype = ir->values[value].dtype;
    *view = f->views[value];
    bool generated = pod_is_generated(f, view);
    bool converted = operand == 1 && dtype == POD_BF16 && see_through_convert(f, view);
    if (!generated && can_read(view) && (converted || ir->values[view->base].dtype == dtype))
        return true;
    *view = pod_view_dense(value, ir->values[value].shape);
    return false;
}

/* ---- instructions --------------------------------------------------------------------------------- */

/* Sizes and places of one product. */
typedef struct shape_of_product {
    int64_t outer, inner; /* batches: the first axis, and the others */
    int64_t m, n, k;
    pod_view a, b;
    uint32_t a_slot, b_slot;
} shape_of_product;

static bool measure(pod_lowered *function, const pod_fusion *fusion, const pod_ir_node *node, shape_of_product *s)
{
    const pod_ref *inputs = pod_ir_inputs(function->ir, node);
    bool a_strided = pod_product_operand(fusion, node, 0, &s->a);
    bool b_strided = pod_product_operand(fusion, node, 1, &s->b);
    s->a_slot = a_strided ? function->slots[s->a.base] : pod_value_slot(function, fusion, inputs[0]);
    s->b_slot = b_strided ? function->slots[s->b.base] : pod_value_slot(function, fusion, inputs[1]);
    int32_t rank = s->a.shape.rank;
    s->outer = rank > 2 ? s->a.shape.dims[0] : 1;
    s->inner = 1;
    for (int32_t i = 1; i < rank - 2; i++)
        s->inner *= s->a.shape.dims[i];
    s->m = s->a.shape.dims[rank - 2];
    s->k = s->a.shape.dims[rank - 1];
    s->n = s->b.shape.dims[rank - 1];
    return s->a_slot != POD_SLOT_END && s->b_slot != POD_SLOT_END;
}

static bool is_same_pack(const pod_pack_detail *x, const pod_pack_detail *y)
{
    return x->kernels == y->kernels && x->dtype == y->dtype && x->k == y->k && x->n == y->n &&
           x->k_stride == y->k_stride && x->column_stride == y->column_stride && x->outer == y->outer &&
           x->inner == y->inner && x->offset == y->offset && x->outer_stride == y->outer_stride &&
           x->inner_stride == y->inner_stride;
}

/* What was packed of the values at one place, the last first. */
typedef struct pod_pack_list {
    struct pod_pack_list *next;
    const pod_instruction *pack;
} pod_pack_list;

/* Where what is packed of a slot is kept; NULL when there is no memory. */
static pod_pack_list **packs_of(pod_lowered *function, uint32_t slot)
{
    uint32_t base = pod_lower_base(function->owner, slot);
    return pod_arena_grow(function->owner->scratch, &function->packs, &function->pack_room, (size_t)base + 1,
                          (pod_growth){sizeof *function->packs, .first = 1024})
               ? &function->packs[base]
               : NULL;
}

/* Adds the instruction that packs b, unless one has done so; returns the slot of what it makes. */
static uint32_t lower_pack(pod_lowered *function, const shape_of_product *s, const pod_dot_kernels *kernels,
                           size_t bytes)
{
    pod_lowering *owner = function->owner;
    pod_pack_detail detail = {
        .kernels = kernels,
        .dtype = owner->slots[s->b_slot].dtype,
        .k = s->k,
        .n = s->n,
        .outer = s->outer,
        .inner = s->inner,
        .offset = s->b.offset,
        .packed_bytes = pod_round_up_bytes(bytes, 64),
    };
    matrix_strides(&s->b, &detail.k_stride, &detail.column_stride);
    batch_strides(&s->b, &detail.outer_stride, &detail.inner_stride);
    pod_pack_list **known = packs_of(function, s->b_slot);
    for (const pod_pack_list *one = known ? *known : NULL; one; one = one->next)
        if (is_same_pack(&one->pack->pack, &detail))
            return one->pack->slots[1];
    pod_shape shape = {2, {s->outer * s->inner, (int64_t)detail.packed_bytes}};
    uint32_t packed = pod_lower_slot(owner, POD_U8, &shape);
    pod_instruction *made = packed == POD_SLOT_END ? NULL : pod_lower_add(function, POD_DO_PACK, 1, 1);
    pod_pack_list *more = pod_arena_array(owner->scratch, 1, sizeof *more);
    if (!made || !known || !more) {
        pod_lower_no_memory(owner);
        return POD_SLOT_END;
    }
    *more = (pod_pack_list){*known, made};
    *known = more;
    int64_t panels = pod_part_count(s->n, kernels->panel_columns);
    made->name = "b";
    made->slots[0] = s->b_slot;
    made->slots[1] = packed;
    made->pack = detail;
    bool batched = s->outer > 1;
    made->rows = batched ? s->outer : panels;
    made->parts[0] = batched && pod_outer_parts(&s->b, &owner->slots[s->b_slot]) ? s->outer : 1;
    made->parts[1] = batched ? s->outer : 1;
    made->row_cost = POD_COST_PACKED * (double)(s->k * s->n * s->outer * s->inner) / (double)made->rows;
    return packed;
}

/* Whether batch axis 0 cuts the memory of an operand into equal parts. */
bool pod_outer_parts(const pod_view *view, const pod_slot *slot)
{
    int64_t reach = 0;
    for (int32_t i = 1; i < view->shape.rank; i++)
        reach += view->strides[i] * (view->shape.dims[i] - 1);
    return view->offset == 0 && reach < view->strides[0] &&
           view->strides[0] * view->shape.dims[0] == pod_shape_elements(slot->shape);
}

static void fill_product(pod_product_detail *detail, const shape_of_product *s, const pod_dot_kernels *kernels,
                         bool packed, pod_loop *epilogue)
{
    *detail = (pod_product_detail){
        .kernels = kernels,
        .call = {.m = s->m, .n = s->n, .k = s->k, .result_stride = s->n},
        .outer = s->outer,
        .inner = s->inner,
        .a_offset = s->a.offset,
        .b_offset = packed ? 0 : s->b.offset,
        .epilogue = epilogue,
    };
    matrix_strides(&s->a, &detail->call.a_row_stride, &detail->call.a_k_stride);
    batch_strides(&s->a, &detail->a_outer_stride, &detail->a_inner_stride);
    matrix_strides(&s->b, &detail->call.b_k_stride, &detail->call.b_column_stride);
    batch_strides(&s->b, &detail->b_outer_stride, &detail->b_inner_stride);
    detail->scratch_bytes = pod_round_up_bytes(kernels->scratch_bytes(&detail->call), 64);
}

/* How listings call a product. */
static const char *name_of(const pod_kernels *kernels, const pod_dot_kernels *dot)
{
    if (dot == &kernels->dot_bf16)
        return "bf16";
    if (dot == &kernels->dot_f32)
        return "f32";
    if (dot == &kernels->dot_f32_few)
        return "f32 of few rows";
    return dot == &kernels->dot_f32_six ? "f32 in six passes" : "f32 in three passes";
}

bool pod_lower_product(pod_lowered *function, const pod_fusion *fusion, uint32_t node, pod_loop *epilogue)
{
    pod_lowering *owner = function->owner;
    const pod_ir_node *from = &function->ir->nodes[node];
    shape_of_product s;
    if (!measure(function, fusion, from, &s))
        return false;
    bool is_f32 = function->ir->values[pod_ir_inputs(function->ir, from)[0]].dtype == POD_F32;
    const bool rough = from->attributes->precision == POD_PRECISION_HIGH;
    const pod_dot_kernels *kernels =
        is_f32 && s.m <= POD_DOT_FEW_ROWS
            ? &owner->kernels->dot_f32_few
            : pod_dot_choose(owner->kernels, is_f32 ? POD_F32 : POD_BF16, rough, s.m, s.n, s.k);
    size_t bytes = kernels->packed_b_bytes(s.k, s.n);
    uint32_t b = bytes ? lower_pack(function, &s, kernels, bytes) : s.b_slot;
    uint32_t loads = epilogue ? pod_loop_operand_count(epilogue) : 0;
    uint32_t results = epilogue ? pod_loop_result_count(epilogue) : 1;
    pod_instruction *made = b == POD_SLOT_END ? NULL : pod_lower_add(function, POD_DO_PRODUCT, 2 + loads, results);
    if (!made)
        return false;
    fill_product(&made->product, &s, kernels, bytes > 0, epilogue);
    made->product.packed_bytes = pod_round_up_bytes(bytes, 64);
    if (!bytes)
        made->product.packed_bytes = 0;
    made->name = name_of(owner->kernels, kernels);
    made->op = from->op;
    made->product.a_bytes = is_f32 ? 4 : 2;
    made->product.by_columns = s.outer == 1 && s.m < 2 * kernels->row_granularity && s.n > 2 * kernels->panel_columns;
    made->rows = s.outer > 1 ? s.outer : s.m;
    made->grain = s.outer > 1 ? 1 : kernels->row_granularity;
    if (made->product.by_columns) {
        made->rows = pod_part_count(s.n, kernels->panel_columns);
        made->grain = 1;
    }
    for (uint32_t i = 0; epilogue && !made->product.by_columns && i < epilogue->fold_count; i++)
        if (!epilogue->folds[i].by_rows && epilogue->folds[i].chunk > made->grain)
            made->grain = epilogue->folds[i].chunk;
    made->slots[0] = s.a_slot;
    made->slots[1] = b;
    bool by_rows = s.outer == 1 && s.a.offset == 0 && made->product.call.a_k_stride == 1 &&
                   made->product.call.a_row_stride * s.m == pod_shape_elements(owner->slots[s.a_slot].shape);
    by_rows = by_rows || (s.outer > 1 && pod_outer_parts(&s.a, &owner->slots[s.a_slot]));
    by_rows = by_rows && !made->product.by_columns;
    made->parts[0] = by_rows ? made->rows : 1;
    bool b_parts = s.outer > 1 && (bytes || pod_outer_parts(&s.b, &owner->slots[s.b_slot]));
    made->parts[1] = b_parts ? s.outer : 1;
    made->row_cost = (double)(s.m * s.n * s.k * s.outer * s.inner) / (double)made->rows *
                     pod_dot_nanoseconds(owner->kernels, kernels);
    if (made->product.call.a_k_stride != 1) /* a is transposed as it is packed */
        made->row_cost += POD_COST_PACKED * (double)(s.m * s.k * s.outer * s.inner) / (double)made->rows;
    made->scratch_bytes = made->product.scratch_bytes;
    if (epilogue) {
        pod_loop_slots(epilogue, made, 2, 2 + loads, owner);
        for (uint32_t i = 2; i < 2 + loads + results; i++)
            made->parts[i] = !made->product.by_columns && made->parts[i] % made->rows == 0 ? made->rows : 1;
        made->row_cost += pod_loop_row_cost(epilogue) * (double)epilogue->rows / (double)made->rows;
        made->scratch_bytes += epilogue->scratch_bytes;
    } else {
        made->slots[2] = pod_group_result(function, from->value_first);
        made->parts[2] = made->product.by_columns ? 1 : made->rows;
        if (made->slots[2] == POD_SLOT_END)
            return false;
    }
    return true;
}
