/* verify_instruction - proves for each kind of instruction that the farthest element it reads and writes lies in
 * its slot, and that it has the scratch which its kernel wants: see verify.h. */

#ifndef NDEBUG

#include "base/sizes.h"
#include "ir/slice_rows.h"
#include "verify/verify.h"

#include <math.h>

/* No size of a convolution is larger: sums of products of two stay in range. */
#define MOST_SIZE ((int64_t)1 << 30)

/* Steps that finding the lattices of an input gradient may take. */
#define MOST_SEARCH ((int64_t)1 << 22)

static int64_t size_of(pod_dtype dtype)
{
    return (int64_t)pod_dtype_size(dtype);
}

static bool counts(pod_verifier *v, const pod_instruction *one, uint32_t operands, uint32_t results)
{
    return (one->operand_count == operands && one->result_count == results) ||
           pod_verify_fail(v, "an instruction has not the slots that it needs");
}

/* ---- kernels ------------------------------------------------------------------------------------------ */

/* Returns whether the kernel may be called for some rows at a time: see slice_rows.c. */
static bool may_slice(const pod_verifier *v, const pod_instruction *one)
{
    const pod_slot *slots = v->program->slots;
    const uint32_t operands = one->operand_count;
    const pod_op_sizes sizes = {
        .op = one->op,
        .attributes = one->kernel.attributes,
        .result = slots[one->slots[operands]].shape,
        .first = operands > 0 ? slots[one->slots[0]].shape : NULL,
        .second = operands > 1 ? slots[one->slots[1]].shape : NULL,
        .last = operands > 0 ? slots[one->slots[operands - 1]].shape : NULL,
        .input_count = operands,
    };
    if (!pod_ir_can_slice(&sizes))
        return false;
    for (uint32_t i = 0; i < operands + one->result_count; i++) {
        const pod_shape *shape = slots[one->slots[i]].shape;
        bool cut = i >= operands || pod_ir_is_sliced(&sizes, i);
        if (one->parts[i] != (cut ? one->rows : 1) || (cut && (shape->rank < 1 || shape->dims[0] != one->rows)))
            return false;
    }
    return true;
}

/* Positions of maxima (see lower_single.c) have a byte for each window. */
static bool are_positions(const pod_slot *positions, const pod_slot *windows)
{
    return positions->dtype == POD_U8 && pod_shape_equal(positions->shape, windows->shape);
}

/* Returns whether a gradient of a max pooling reads positions for x, whose type is that of the result. */
static bool reads_positions(const pod_slot *slots, const pod_instruction *one)
{
    return one->op == POD_OP_POOL_MAX_GRADIENT && one->operand_count == 2 && one->result_count == 1 &&
           slots[one->slots[1]].dtype != POD_U8 && are_positions(&slots[one->slots[0]], &slots[one->slots[1]]);
}

/* Returns whether a max pooling gives positions, too. */
static bool gives_positions(const pod_slot *slots, const pod_instruction *one)
{
    const uint32_t *results = one->slots + one->operand_count;
    return one->op == POD_OP_POOL_MAX && one->result_count == 2 &&
           are_positions(&slots[results[1]], &slots[results[0]]);
}

/* Returns whether the op gives results of these types: its rule of shapes decides. */
static bool infers(pod_verifier *v, const pod_instruction *one)
{
    const pod_slot *slots = v->program->slots;
    const uint32_t *results = one->slots + one->operand_count;
    bool given = reads_positions(slots, one), made = gives_positions(slots, one);
    pod_node **inputs = pod_verify_array(v, one->operand_count, sizeof *inputs);
    if (!inputs || !v->graph)
        return false;
    for (uint32_t i = 0; i < one->operand_count; i++) {
        const pod_slot *slot = &slots[given && i == 0 ? results[0] : one->slots[i]];
        inputs[i] = pod_graph_parameter(v->graph, slot->dtype, slot->shape, NULL);
    }
    const pod_node *node =
        pod_graph_apply(v->graph, one->op, inputs, one->operand_count, one->kernel.attributes, NULL, 0);
    if (node->op < 0 || node->result_count + made != one->result_count)
        return false;
    for (uint32_t i = 0; i < node->result_count; i++) {
        const pod_slot *slot = &slots[one->slots[one->operand_count + i]];
        if (slot->dtype != node->results[i].dtype || !pod_shape_equal(slot->shape, &node->results[i].shape))
            return false;
    }
    return true;
}

/* Returns whether an instruction has the scratch that it wants, and no more than rounding adds. */
static bool keeps_scratch(pod_verifier *v, const pod_instruction *one, uint64_t wanted)
{
    return (one->scratch_bytes >= wanted && one->scratch_bytes - wanted <= 64) ||
           pod_verify_fail(v, "an instruction has other scratch than it wants");
}

/* Returns whether the kernel is the one that is found anew, with its units and scratch. */
static bool verify_kernel(pod_verifier *v, const pod_instruction *one)
{
    bool composite = one->op == POD_OP_CALL;
    const char *name = composite ? one->name : pod_op_name(one->op);
    uint32_t count = one->operand_count + one->result_count;
    pod_array *arrays = pod_verify_array(v, count, sizeof *arrays);
    if (!arrays || !name || (!composite && (!pod_kernel_reference_kernel(name) || !infers(v, one))))
        return pod_verify_fail(v, "a kernel is called for types that it does not take");
    for (uint32_t i = 0; i < count; i++) {
        const pod_slot *slot = &v->program->slots[one->slots[i]];
        arrays[i] = (pod_array){.dtype = slot->dtype, .shape = *slot->shape};
    }
    pod_kernel_call call = {
        one->kernel.attributes,        arrays, one->operand_count, arrays + one->operand_count, one->result_count, NULL,
        .kernels = v->program->kernels};
    const pod_kernel *kernel = composite               ? pod_kernel_of_composite(name, &call)
                               : v->options->no_fusion ? pod_kernel_reference_kernel(name)
                                                       : pod_kernel_find(v->program->kernels, name, &call);
    if (!kernel)
        return pod_verify_fail(v, "a kernel is called for types that it does not take");
    int64_t units = pod_kernel_units(kernel, &call);
    uint64_t scratch = pod_kernel_scratch_bytes(kernel, &call);
    if (one->kernel.sliced ? !may_slice(v, one) : one->rows != units)
        return pod_verify_fail(v, "a kernel is cut where it cannot be");
    bool positions = reads_positions(v->program->slots, one) || gives_positions(v->program->slots, one);
    if (positions && kernel == pod_kernel_reference_kernel(name))
        return pod_verify_fail(v, "a pooling has positions that its kernel does not know");
    if (one->kernel.kernel != kernel)
        return pod_verify_fail(v, "an instruction calls another kernel than its op has");
    return keeps_scratch(v, one, scratch);
}

/* ---- moving and folding -------------------------------------------------------------------------------- */

static bool verify_copy(pod_verifier *v, const pod_instruction *one)
{
    if (!counts(v, one, 1, 1))
        return false;
    const pod_slot *from = &v->program->slots[one->slots[0]];
    if (one->rows > pod_part_count((int64_t)from->bytes, POD_COPY_ROW))
        return pod_verify_fail(v, "a copy has too many rows");
    return pod_verify_slot(v, one->slots[1], (int64_t)from->bytes, 1);
}

static bool verify_combine(pod_verifier *v, const pod_instruction *one)
{
    const pod_combine_detail *c = &one->combine;
    if (!counts(v, one, 1, 1))
        return false;
    if (c->dtype == POD_DTYPE_NONE || pod_kernel_class_of(c->dtype) != c->class_ || c->partials < 1 ||
        one->rows > c->columns || !v->program->kernels->element[pod_fold_elements[c->fold]][c->class_])
        return pod_verify_fail(v, "partial sums are combined by no function");
    return keeps_scratch(v, one, POD_BLOCK * 8) && /* as much as the widest class wants */
           pod_verify_slot(v, one->slots[0], pod_verify_times(c->partials, c->columns),
                           (int64_t)pod_kernel_class_size(c->class_)) &&
           pod_verify_slot(v, one->slots[1], c->columns, size_of(c->dtype));
}

static bool verify_cross_entropy(pod_verifier *v, const pod_instruction *one)
{
    const pod_cross_entropy_detail *c = &one->cross_entropy;
    const uint32_t *results = one->slots + one->operand_count;
    if (!counts(v, one, c->gradient ? 3 : 2, (uint32_t)c->gradient + c->loss))
        return false;
    int64_t elements = pod_verify_times(one->rows, c->classes);
    if ((c->dtype != POD_F32 && c->dtype != POD_BF16) || c->classes < 1)
        return pod_verify_fail(v, "cross-entropy has no classes");
    return keeps_scratch(v, one, c->loss ? 0 : POD_BLOCK * sizeof(float)) &&
           pod_verify_slot(v, one->slots[0], elements, size_of(c->dtype)) &&
           pod_verify_slot(v, one->slots[1], one->rows, 4) &&
           (!c->gradient || pod_verify_slot(v, one->slots[2], one->rows, 4)) &&
           (!c->loss || pod_verify_slot(v, results[0], one->rows, 4)) &&
           (!c->gradient || pod_verify_slot(v, results[c->loss], elements, size_of(c->dtype)));
}

/* ---- products ------------------------------------------------------------------------------------------ */

/* Elements up to which an operand of a product is read: batches, then a matrix. */
static int64_t matrix_reach(int64_t offset, const int64_t batches[2], const int64_t strides[2], const int64_t matrix[4])
{
    const int64_t sizes[4] = {batches[0], batches[1], matrix[0], matrix[1]};
    const int64_t steps[4] = {strides[0], strides[1], matrix[2], matrix[3]};
    for (int i = 0; i < 4; i++)
        if (sizes[i] < 0 || sizes[i] > INT64_MAX / 64 || steps[i] < 0)
            return -1;
    return pod_verify_reach(offset, 4, sizes, steps);
}

static bool is_matrix(int64_t row_stride, int64_t column_stride)
{
    return row_stride == 1 || column_stride == 1;
}

static int64_t panels_of(const pod_dot_kernels *kernels, int64_t n)
{
    return pod_part_count(n, kernels->panel_columns);
}

static bool verify_pack(pod_verifier *v, const pod_instruction *one)
{
    const pod_pack_detail *p = &one->pack;
    const int64_t batches[2] = {p->outer, p->inner}, strides[2] = {p->outer_stride, p->inner_stride};
    const int64_t matrix[4] = {p->k, p->n, p->k_stride, p->column_stride};
    bool is_f32 = p->kernels != &v->program->kernels->dot_bf16;
    if (!counts(v, one, 1, 1))
        return false;
    int64_t reach = matrix_reach(p->offset, batches, strides, matrix);
    int64_t all = pod_verify_times(p->outer, p->inner);
    if (reach < 0 || all < 0 || !is_matrix(p->k_stride, p->column_stride) || pod_verify_times(p->k, p->n) < 0 ||
        p->k > MOST_SIZE * 64 || p->n > MOST_SIZE * 64 || (p->dtype != POD_F32 && (p->dtype != POD_BF16 || is_f32)))
        return pod_verify_fail(v, "an operand is packed that is not one");
    uint64_t bytes = pod_kernel_dot_packed_b_bytes(p->kernels, p->k, p->n);
    if (!bytes || p->packed_bytes != pod_round_up_bytes(bytes, 64) || p->packed_bytes > INT64_MAX ||
        one->rows > (p->outer > 1 ? p->outer : panels_of(p->kernels, p->n)))
        return pod_verify_fail(v, "an operand is packed for other kernels");
    return pod_verify_slot(v, one->slots[0], reach, size_of(p->dtype)) &&
           pod_verify_slot(v, one->slots[1], all, (int64_t)p->packed_bytes);
}

/* Returns whether what a loop packs comes in whole pieces: it is then that of a product with the same kernels (NULL: of
 * none). */
static bool verify_packs(pod_verifier *v, const pod_instruction *one, const pod_loop *loop,
                         const pod_dot_kernels *kernels)
{
    if (loop->pack_count && one->unit % POD_PACK_UNIT != 0)
        return pod_verify_fail(v, "a loop packs pieces that are too small");
    for (uint32_t i = 0; i < loop->pack_count; i++)
        if (kernels && loop->packs[i].kernels != kernels)
            return pod_verify_fail(v, "a loop packs for other kernels than those that it follows");
    return true;
}

/* What takes the tiles of a result of rows x columns: an epilogue, or the slot behind the operands. */
static bool verify_taker(pod_verifier *v, const pod_instruction *one, const pod_loop *epilogue, int64_t rows,
                         int64_t columns, uint64_t scratch)
{
    if (!epilogue)
        return one->result_count == 1 && keeps_scratch(v, one, scratch) &&
               pod_verify_slot(v, one->slots[one->operand_count], pod_verify_times(rows, columns), 4);
    if (epilogue->rows != rows || epilogue->columns != columns || scratch > INT64_MAX ||
        epilogue->scratch_bytes > INT64_MAX)
        return pod_verify_fail(v, "a loop does not fit the product that it follows");
    return keeps_scratch(v, one, scratch + epilogue->scratch_bytes) && pod_verify_loop(v, epilogue, true);
}

static bool verify_product(pod_verifier *v, const pod_instruction *one)
{
    const pod_product_detail *p = &one->product;
    const pod_dot_call *call = &p->call;
    const int64_t batches[2] = {p->outer, p->inner};
    const int64_t a_strides[2] = {p->a_outer_stride, p->a_inner_stride};
    const int64_t b_strides[2] = {p->b_outer_stride, p->b_inner_stride};
    const int64_t a[4] = {call->m, call->k, call->a_row_stride, call->a_k_stride};
    const int64_t b[4] = {call->k, call->n, call->b_k_stride, call->b_column_stride};
    bool is_f32 = p->kernels != &v->program->kernels->dot_bf16;
    int64_t a_reach = matrix_reach(p->a_offset, batches, a_strides, a);
    int64_t b_reach = matrix_reach(p->b_offset, batches, b_strides, b);
    int64_t all = pod_verify_times(p->outer, p->inner);
    if (one->operand_count < 2 || a_reach < 0 || all < 1 || p->a_bytes != (is_f32 ? 4 : 2) || !is_matrix(a[2], a[3]) ||
        !is_matrix(b[2], b[3]) || call->m > MOST_SIZE * 64 || call->n > MOST_SIZE * 64 || call->k > MOST_SIZE * 64 ||
        call->result_stride != call->n || pod_verify_times(call->m, call->n) < 0 ||
        pod_verify_times(call->k, call->n) < 0)
        return pod_verify_fail(v, "a product has no good sizes");
    uint64_t packed = pod_kernel_dot_packed_b_bytes(p->kernels, call->k, call->n);
    uint64_t scratch = pod_round_up_bytes(p->kernels->scratch_bytes(p->kernels, call), 64);
    if (p->packed_bytes != pod_round_up_bytes(packed, 64) || p->packed_bytes > INT64_MAX || p->scratch_bytes != scratch)
        return pod_verify_fail(v, "a product was made for other kernels");
    int64_t rows = p->by_columns ? panels_of(p->kernels, call->n) : p->outer > 1 ? p->outer : call->m;
    int64_t least = p->kernels->least_rows ? p->kernels->least_rows : p->kernels->row_granularity;
    int64_t unit = p->by_columns || p->outer > 1 ? 1 : least;
    if (one->rows > rows || one->unit % unit != 0 || (p->by_columns && all != 1))
        return pod_verify_fail(v, "a product has no good rows");
    bool fits = pod_verify_slot(v, one->slots[0], a_reach, (int64_t)p->a_bytes) &&
                (p->packed_bytes ? pod_verify_slot(v, one->slots[1], all, (int64_t)p->packed_bytes)
                                 : pod_verify_slot(v, one->slots[1], b_reach, (int64_t)p->a_bytes));
    if (p->epilogue && p->epilogue->pack_count && (p->by_columns || all != 1 || p->outer != 1))
        return pod_verify_fail(v, "a product packs that does not come by rows");
    return fits && (!p->epilogue || verify_packs(v, one, p->epilogue, p->kernels)) &&
           verify_taker(v, one, p->epilogue, pod_verify_times(all, call->m), call->n, p->scratch_bytes);
}

/* ---- convolutions ---------------------------------------------------------------------------------------- */

static int64_t at_least_one(int64_t size)
{
    return size > 1 ? size : 1;
}

/* Products of any of the sizes stay in range, and few steps find the lattices. */
static bool verify_sizes(const pod_window_sizes *s, bool turned)
{
    int64_t lattices = 1, strides = 0, in = 64, out = 64, taps = 4096;
    if (s->batch < 0 || s->batch > MOST_SIZE || s->channels < 1 || s->channels > MOST_SIZE || s->filters < 1 ||
        s->filters > MOST_SIZE || s->groups < 1)
        return false;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        if (s->in[i] < 0 || s->in[i] > MOST_SIZE || s->out[i] < 0 || s->out[i] > MOST_SIZE || s->size[i] < 1 ||
            s->size[i] > MOST_SIZE || s->stride[i] < 1 || s->stride[i] > MOST_SIZE || s->dilation[i] < 1 ||
            s->dilation[i] > MOST_SIZE || s->pad[i] < -MOST_SIZE || s->pad[i] > MOST_SIZE)
            return false;
        lattices = pod_verify_times(lattices, s->stride[i]);
        strides += s->stride[i];
        in = pod_verify_times(in, at_least_one(s->in[i]));
        out = pod_verify_times(out, at_least_one(s->out[i]));
        taps = pod_verify_times(taps, s->size[i]);
    }
    int64_t widths = s->channels * s->filters, images = at_least_one(s->batch);
    int64_t search = turned ? pod_verify_times(lattices, strides) : 0;
    return search >= 0 && search <= MOST_SEARCH && s->channels % s->groups == 0 && s->filters % s->groups == 0 &&
           pod_verify_times(taps, widths) >= 0 && pod_verify_times(pod_verify_times(in, images), s->channels) >= 0 &&
           pod_verify_times(pod_verify_times(out, images), s->filters) >= 0;
}

static int64_t volume(int64_t first, const int64_t axes[POD_MAX_SPATIAL], int64_t last)
{
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        first = pod_verify_times(first, axes[i]);
    return pod_verify_times(first, last);
}

/* The farthest row that units of the instruction stand for. */
static bool verify_units(const pod_convolution_detail *c, const pod_instruction *one, int64_t rows)
{
    int64_t units = pod_kernel_convolution_units(&c->call, c->phase);
    if (c->images && c->call.kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return c->phase == 2 && pod_kernel_convolution_part_images(&c->call) > 0 && one->rows > 0 &&
               one->rows == c->call.sizes.batch && c->call_images == 0 && c->unit_rows == 0;
    if (c->images)
        return one->rows == c->call.sizes.batch && one->rows > 0 && c->image_rows == rows / one->rows &&
               rows % one->rows == 0 && c->call_images >= 0 && c->call_images <= MOST_SIZE && c->unit_rows == 0;
    if (c->unit_rows)
        return c->unit_rows > 0 && c->unit_rows <= MOST_SIZE && c->call_images == 0 &&
               one->rows / c->unit_rows + (one->rows % c->unit_rows != 0) <= units;
    return c->call_images == 0 && one->rows <= units;
}

static bool verify_convolution(pod_verifier *v, const pod_instruction *one)
{
    const pod_convolution_detail *c = &one->convolution;
    const pod_window_sizes *s = &c->call.sizes;
    const pod_kernels *kernels = v->program->kernels;
    uint32_t slots = one->operand_count + one->result_count;
    bool is_f32 = c->call.dtype == POD_F32, is_last = c->shared < one->operand_count;
    bool by_parts = c->call.kind == POD_CONVOLVE_KERNEL_GRADIENT;
    bool turned = c->call.kind == POD_CONVOLVE_INPUT_GRADIENT;
    if ((!is_f32 && c->call.dtype != POD_BF16) || c->left >= slots || c->right >= slots || c->shared >= slots ||
        is_f32 == (c->call.dot == &kernels->dot_bf16) || !verify_sizes(s, turned) ||
        is_last != (c->phase == (by_parts ? 3 : 2)))
        return pod_verify_fail(v, "a convolution has no good sizes");
    bool pooled = c->call.is_pooled;
    int64_t x = volume(s->batch, s->in, s->channels);
    int64_t g = volume(s->batch, pooled ? c->call.pooling.out : s->out, s->filters);
    int64_t kernel = volume(s->channels / s->groups, s->size, s->filters), size = is_f32 ? 4 : 2;
    int64_t columns = turned ? s->channels : s->filters;
    int64_t result = turned ? x : by_parts ? kernel : g;
    if (x < 0 || g < 0 || kernel < 0 || c->call.result_stride != columns)
        return pod_verify_fail(v, "a convolution has no good sizes");
    if (pooled && (c->phase != 2 || !c->images || c->positions >= slots || !pod_kernel_convolution_pools(&c->call) ||
                   !pod_verify_slot(v, one->slots[c->positions], g, 1)))
        return pod_verify_fail(v, "a convolution reads through no pooling");
    uint64_t scratch = pod_round_up_bytes(pod_kernel_convolution_scratch_bytes(&c->call), 64);
    uint64_t shared = pod_kernel_convolution_shared_bytes(&c->call);
    if (scratch != c->scratch_bytes || shared > INT64_MAX || !verify_units(c, one, result / columns))
        return pod_verify_fail(v, "a convolution was made for other kernels");
    /* The phases before the last read the right operand alone, or both for the kernel's gradient; the last reads
     * what they left, or also the left one. */
    bool reads_left = by_parts ? !is_last : is_last, reads_right = by_parts ? !is_last : true;
    if ((reads_left && !pod_verify_slot(v, one->slots[c->left], turned ? g : x, size)) ||
        (reads_right && !pod_verify_slot(v, one->slots[c->right], by_parts ? g : kernel, size)) ||
        !pod_verify_slot(v, one->slots[c->shared], (int64_t)shared, 1))
        return false;
    if (c->epilogue && c->epilogue->pack_count)
        return pod_verify_fail(v, "a convolution packs what it makes");
    return is_last ? verify_taker(v, one, c->epilogue, result / columns, columns, scratch)
                   : keeps_scratch(v, one, scratch);
}

/* ---- control ------------------------------------------------------------------------------------------ */

static bool verify_reduce(pod_verifier *v, const pod_instruction *one)
{
    const pod_region_detail *region = &one->region;
    if (!counts(v, one, 2, 1))
        return false;
    const pod_slot *source = &v->program->slots[one->slots[0]];
    const pod_axes *axes = &region->attributes->axes;
    int64_t size = size_of(source->dtype), kept = 1;
    bool reduced[POD_MAX_RANK] = {false};
    for (int32_t i = 0; i < axes->count; i++) {
        int32_t axis = axes->axes[i];
        if (axis < 0 || axis >= source->shape->rank || reduced[axis])
            return pod_verify_fail(v, "a reduction has no such axis");
        reduced[axis] = true;
    }
    for (int32_t i = 0; i < source->shape->rank; i++)
        kept = reduced[i] ? kept : pod_verify_times(kept, source->shape->dims[i]);
    return region->functions[0] && pod_verify_slot(v, one->slots[1], 1, size) &&
           pod_verify_slot(v, one->slots[2], kept, size) && pod_verify_written(v, region->parameters[0], 1, size) &&
           pod_verify_written(v, region->parameters[1], 1, size) && pod_verify_slot(v, region->outputs[0][0], 1, size);
}

static bool verify_branch(pod_verifier *v, const pod_instruction *one)
{
    const pod_region_detail *region = &one->region;
    if (one->operand_count < 1 || !region->functions[0] || !region->functions[1] || region->most_turns < 0)
        return pod_verify_fail(v, "a branch has no regions");
    uint32_t predicate = one->kind == POD_DO_COND ? one->slots[0] : region->outputs[0][0];
    return pod_verify_slot(v, predicate, 1, 1);
}

static bool verify_loop(pod_verifier *v, const pod_instruction *one)
{
    if (one->rows > one->loop->rows)
        return pod_verify_fail(v, "a loop has too many rows");
    return keeps_scratch(v, one, one->loop->scratch_bytes) && verify_packs(v, one, one->loop, NULL) &&
           pod_verify_loop(v, one->loop, false);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

/* Results lie in slots that may be written: no argument is, unless an output is an alias of it. */
static bool verify_slots(pod_verifier *v, const pod_instruction *one)
{
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        bool written = i >= one->operand_count;
        if (!(written ? pod_verify_written : pod_verify_slot)(v, one->slots[i], 0, 1))
            return false;
    }
    return true;
}

static bool verify_detail(pod_verifier *v, const pod_instruction *one)
{
    switch (one->kind) {
    case POD_DO_KERNEL:
        return verify_kernel(v, one);
    case POD_DO_COPY:
        return keeps_scratch(v, one, 0) && verify_copy(v, one);
    case POD_DO_LOOP:
        return verify_loop(v, one);
    case POD_DO_COMBINE:
        return verify_combine(v, one);
    case POD_DO_PACK:
        return keeps_scratch(v, one, 0) && verify_pack(v, one);
    case POD_DO_PRODUCT:
        return verify_product(v, one);
    case POD_DO_CONVOLUTION:
        return verify_convolution(v, one);
    case POD_DO_CROSS_ENTROPY:
        return verify_cross_entropy(v, one);
    case POD_DO_CHECK:
    case POD_DO_PRINT:
        return keeps_scratch(v, one, 0) && counts(v, one, 1, 0);
    case POD_DO_REDUCE:
        return keeps_scratch(v, one, 0) && verify_reduce(v, one);
    case POD_DO_COND:
    case POD_DO_WHILE:
        return keeps_scratch(v, one, 0) && verify_branch(v, one);
    case POD_DO_MEET:
        return pod_verify_meet(v, one);
    case POD_DO_COUNT:
        break;
    }
    return pod_verify_fail(v, "there is no such instruction");
}

bool pod_verify_instruction(pod_verifier *v, const pod_instruction *one)
{
    if (one->rows < 0 || one->rows > INT64_MAX / 64 || one->unit < 1 || !isfinite(one->row_cost) ||
        one->scratch_bytes > INT64_MAX / 64)
        return pod_verify_fail(v, "an instruction has no good rows");
    return verify_slots(v, one) && (verify_detail(v, one) || pod_verify_fail(v, "an instruction makes no sense"));
}

#endif
