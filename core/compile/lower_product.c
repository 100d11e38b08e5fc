/*
 * lower_product - products: where operands lie, packing of b, the product itself. a is read by rows
 * where it lies; b is packed once and shared by all threads.
 */

#include "base/growth.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/lower.h"
#include "compile/operands.h"

#include <string.h>

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
    bool a_strided = pod_compile_product_operand(fusion, node, 0, &s->a);
    bool b_strided = pod_compile_product_operand(fusion, node, 1, &s->b);
    s->a_slot = a_strided ? function->slots[s->a.base] : pod_compile_value_slot(function, fusion, inputs[0]);
    s->b_slot = b_strided ? function->slots[s->b.base] : pod_compile_value_slot(function, fusion, inputs[1]);
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

/* Holds what was packed of the values at one place, the last first. */
typedef struct pod_pack_list {
    struct pod_pack_list *next;
    const pod_instruction *pack;
} pod_pack_list;

/* Returns where what is packed of a slot is kept; NULL when there is no memory. */
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
    pod_compile_matrix_strides(&s->b, &detail.k_stride, &detail.column_stride);
    pod_compile_batch_strides(&s->b, &detail.outer_stride, &detail.inner_stride);
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
    made->parts[0] = batched && pod_compile_outer_parts(&s->b, &owner->slots[s->b_slot]) ? s->outer : 1;
    made->parts[1] = batched ? s->outer : 1;
    made->row_cost = POD_COST_PACKED * (double)(s->k * s->n * s->outer * s->inner) / (double)made->rows;
    return packed;
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
    pod_compile_matrix_strides(&s->a, &detail->call.a_row_stride, &detail->call.a_k_stride);
    pod_compile_batch_strides(&s->a, &detail->a_outer_stride, &detail->a_inner_stride);
    pod_compile_matrix_strides(&s->b, &detail->call.b_k_stride, &detail->call.b_column_stride);
    pod_compile_batch_strides(&s->b, &detail->b_outer_stride, &detail->b_inner_stride);
    detail->scratch_bytes = pod_round_up_bytes(kernels->scratch_bytes(kernels, &detail->call), 64);
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

/* The products of the table for this one. */
static const pod_dot_kernels *choose_kernels(const pod_kernels *all, const pod_ir_node *node, bool is_f32,
                                             const shape_of_product *s)
{
    const bool rough = node->attributes->precision == POD_PRECISION_HIGH;
    return is_f32 && s->m <= POD_DOT_FEW_ROWS
               ? &all->dot_f32_few
               : pod_kernel_dot_choose(all, is_f32 ? POD_F32 : POD_BF16, rough, s->m, s->n, s->k);
}

/* Rows of a unit: of few, tiles of the kernel. */
static int64_t unit_of(const pod_dot_kernels *kernels, int64_t rows)
{
    const bool are_few = rows < POD_WANTED_UNITS * kernels->row_granularity;
    return are_few && kernels->least_rows ? kernels->least_rows : kernels->row_granularity;
}

/* How the rows of a product are cut: into batches, rows of a, or panels of b. */
static void cut_product(pod_instruction *made, const shape_of_product *s)
{
    const pod_dot_kernels *kernels = made->product.kernels;
    const int64_t partial_rows = pod_compile_partial_rows(made->product.epilogue);
    made->product.by_columns =
        s->outer == 1 && s->m < 2 * kernels->row_granularity && s->n > 2 * kernels->panel_columns;
    made->rows = s->outer > 1 ? s->outer : s->m;
    made->unit = s->outer > 1 ? 1 : unit_of(kernels, s->m);
    if (made->product.by_columns) {
        made->rows = pod_part_count(s->n, kernels->panel_columns);
        made->unit = 1;
    }
    if (!made->product.by_columns && partial_rows > made->unit)
        made->unit = partial_rows;
}

/* The slots of a and b, and the parts into which they fall with the rows. */
static void place_operands(const pod_lowering *owner, pod_instruction *made, const shape_of_product *s, uint32_t b,
                           bool packed)
{
    made->slots[0] = s->a_slot;
    made->slots[1] = b;
    bool by_rows = s->outer == 1 && s->a.offset == 0 && made->product.call.a_k_stride == 1 &&
                   made->product.call.a_row_stride * s->m == pod_shape_elements(owner->slots[s->a_slot].shape);
    by_rows = by_rows || (s->outer > 1 && pod_compile_outer_parts(&s->a, &owner->slots[s->a_slot]));
    by_rows = by_rows && !made->product.by_columns;
    made->parts[0] = by_rows ? made->rows : 1;
    bool b_parts = s->outer > 1 && (packed || pod_compile_outer_parts(&s->b, &owner->slots[s->b_slot]));
    made->parts[1] = b_parts ? s->outer : 1;
}

/* Returns what a row of the product takes, without its loop. */
static double row_cost(const pod_kernels *all, const pod_instruction *made, const shape_of_product *s)
{
    double cost = (double)(s->m * s->n * s->k * s->outer * s->inner) / (double)made->rows *
                  pod_kernel_dot_nanoseconds(all, made->product.kernels);
    if (made->product.call.a_k_stride != 1) /* a is transposed as it is packed */
        cost += POD_COST_PACKED * (double)(s->m * s->k * s->outer * s->inner) / (double)made->rows;
    return cost;
}

bool pod_lower_product(pod_lowered *function, const pod_fusion *fusion, uint32_t node, pod_loop *epilogue)
{
    pod_lowering *owner = function->owner;
    const pod_ir_node *from = &function->ir->nodes[node];
    shape_of_product s;
    if (!measure(function, fusion, from, &s))
        return false;
    bool is_f32 = function->ir->values[pod_ir_inputs(function->ir, from)[0]].dtype == POD_F32;
    const pod_dot_kernels *kernels = choose_kernels(owner->kernels, from, is_f32, &s);
    size_t bytes = pod_kernel_dot_packed_b_bytes(kernels, s.k, s.n);
    uint32_t b = bytes ? lower_pack(function, &s, kernels, bytes) : s.b_slot;
    uint32_t loads = epilogue ? pod_compile_loop_operand_count(epilogue) : 0;
    uint32_t results = epilogue ? pod_compile_loop_result_count(epilogue) : 1;
    pod_instruction *made = b == POD_SLOT_END ? NULL : pod_lower_add(function, POD_DO_PRODUCT, 2 + loads, results);
    if (!made)
        return false;
    fill_product(&made->product, &s, kernels, bytes > 0, epilogue);
    made->product.packed_bytes = bytes ? pod_round_up_bytes(bytes, 64) : 0;
    made->product.a_bytes = is_f32 ? 4 : 2;
    made->name = name_of(owner->kernels, kernels);
    made->op = from->op;
    cut_product(made, &s);
    place_operands(owner, made, &s, b, bytes > 0);
    made->row_cost = row_cost(owner->kernels, made, &s);
    made->scratch_bytes = made->product.scratch_bytes;
    return pod_compile_loop_takes(function, made, epilogue, 2, !made->product.by_columns, from->value_first);
}
