/* stored_instruction - instructions and the loops that they run as bytes: see stored.h. */

#include "store/stored.h"

#include "base/error.h"

#include <string.h>

/* ---- functions of blocks ---------------------------------------------------------------------------- */

uint32_t pod_store_block_code(const pod_kernels *kernels, pod_block_function function)
{
    const pod_block_function *elements = &kernels->element[0][0];
    const pod_block_function *converts = &kernels->convert[0][0];
    uint32_t count = POD_BLOCK_OP_COUNT * POD_CLASS_COUNT;
    for (uint32_t i = 0; i < count; i++)
        if (elements[i] == function)
            return i;
    for (uint32_t i = 0; i < POD_CLASS_COUNT * POD_CLASS_COUNT; i++)
        if (converts[i] == function)
            return count + i;
    return POD_BLOCK_CODES;
}

pod_block_function pod_store_block_of_code(const pod_kernels *kernels, uint32_t code)
{
    uint32_t count = POD_BLOCK_OP_COUNT * POD_CLASS_COUNT;
    if (code < count)
        return kernels->element[code / POD_CLASS_COUNT][code % POD_CLASS_COUNT];
    code -= count;
    return kernels->convert[code / POD_CLASS_COUNT][code % POD_CLASS_COUNT];
}

/* ---- loops -------------------------------------------------------------------------------------------- */

static pod_dtype store_dtype(pod_stored *s, pod_dtype dtype)
{
    return (pod_dtype)pod_store_below(s, dtype, POD_DTYPE_END);
}

static void store_load(pod_stored *s, pod_loop_load *load)
{
    load->access = (pod_access)pod_store_below(s, load->access, POD_ACCESS_RANDOM + 1);
    load->slot = pod_store_u32(s, load->slot);
    load->result = pod_store_u32(s, load->result);
    load->at = pod_store_u32(s, load->at);
    load->dtype = store_dtype(s, load->dtype);
    load->element = pod_store_u64(s, load->element);
    load->offset = pod_store_i64(s, load->offset);
    pod_store_shape(s, &load->shape);
    for (int32_t i = 0; i < load->shape.rank; i++)
        load->strides[i] = pod_store_i64(s, load->strides[i]);
    load->seed = pod_store_u64(s, load->seed);
    load->row_elements = pod_store_i64(s, load->row_elements);
    load->once = pod_store_bool(s, load->once);
    load->apart = pod_store_bool(s, load->apart);
}

static float store_float(pod_stored *s, float value)
{
    return (float)pod_store_f64(s, (double)value);
}

static void store_adam(pod_stored *s, pod_loop_step *step)
{
    step->adam = pod_store_array(s, step->adam, 1, sizeof *step->adam);
    if (s->failed)
        return;
    pod_loop_adam *adam = step->adam;
    for (int i = 0; i < 5; i++)
        adam->operands[i] = pod_store_u32(s, adam->operands[i]);
    for (int i = 0; i < 4; i++)
        adam->rows[i] = (pod_rows_apart)pod_store_below(s, adam->rows[i], POD_ROWS_KINDS);
    for (int i = 0; i < 3; i++) {
        adam->results[i] = pod_store_u32(s, adam->results[i]);
        adam->slots[i] = pod_store_u32(s, adam->slots[i]);
    }
    adam->rest_1 = store_float(s, adam->rest_1);
    adam->rest_2 = store_float(s, adam->rest_2);
    adam->epsilon = store_float(s, adam->epsilon);
}

static void store_step(const pod_stored_part *part, pod_loop_step *step)
{
    pod_stored *s = part->stored;
    if (pod_store_bool(s, step->adam != NULL)) {
        step->kind = POD_STEP_ADAM;
        store_adam(s, step);
        return;
    }
    step->kind = (pod_step_kind)pod_store_below(s, step->kind, POD_STEP_ADAM);
    step->result = pod_store_u32(s, step->result);
    step->a = pod_store_u32(s, step->a);
    step->b = pod_store_u32(s, step->b);
    step->c = pod_store_u32(s, step->c);
    if (step->kind == POD_STEP_FOLD || step->kind == POD_STEP_SPREAD) {
        step->fold = (pod_fold)pod_store_below(s, step->fold, POD_FOLD_COUNT);
        step->class_ = (pod_class)pod_store_below(s, step->class_, POD_CLASS_COUNT);
        step->first = pod_store_u64(s, step->first);
        return;
    }
    if (step->kind == POD_STEP_BY_ROW) {
        step->by_row = (pod_by_row)pod_store_below(s, step->by_row, POD_BY_ROW_COUNT);
        return;
    }
    uint32_t code = s->writes ? pod_store_block_code(part->kernels, step->function) : 0;
    if (code == POD_BLOCK_CODES)
        s->failed = true;
    code = pod_store_below(s, code, POD_BLOCK_CODES);
    if (!s->writes)
        step->function = pod_store_block_of_code(part->kernels, code);
}

static void store_fold(pod_stored *s, pod_loop_fold *fold)
{
    fold->slot = pod_store_u32(s, fold->slot);
    fold->source = pod_store_u32(s, fold->source);
    fold->fold = (pod_fold)pod_store_below(s, fold->fold, POD_FOLD_COUNT);
    fold->class_ = (pod_class)pod_store_below(s, fold->class_, POD_CLASS_COUNT);
    fold->dtype = store_dtype(s, fold->dtype);
    fold->by_rows = pod_store_bool(s, fold->by_rows);
    fold->inner = pod_store_i64(s, fold->inner);
    fold->chunk = pod_store_i64(s, fold->chunk);
    fold->first = pod_store_u64(s, fold->first);
    fold->scratch = pod_store_u64(s, fold->scratch);
}

static const pod_dot_kernels *store_dot(const pod_stored_part *part, const pod_dot_kernels *dot)
{
    const pod_dot_kernels *all = part->kernels->dots;
    const uint32_t count = sizeof part->kernels->dots / sizeof *all;
    uint32_t which = part->stored->writes ? (uint32_t)(dot - all) : 0;
    which = pod_store_below(part->stored, which, count);
    if (all[which].run == NULL) { /* the family has none */
        part->stored->failed = true;
        which = 0;
    }
    return &all[which];
}

static void store_loop_pack(const pod_stored_part *part, pod_loop_pack *pack)
{
    pod_stored *s = part->stored;
    pack->slot = pod_store_u32(s, pack->slot);
    pack->source = pod_store_u32(s, pack->source);
    pack->dtype = store_dtype(s, pack->dtype);
    pack->kernels = store_dot(part, pack->kernels);
    pack->turned = pod_store_bool(s, pack->turned);
    pack->kept = pod_store_bool(s, pack->kept);
}

static pod_loop *store_loop(const pod_stored_part *part, const pod_loop *of)
{
    pod_stored *s = part->stored;
    pod_loop *loop = pod_store_array(s, of, 1, sizeof *loop);
    if (s->failed)
        return pod_store_kept(s, loop);
    loop->rows = pod_store_i64(s, loop->rows);
    loop->columns = pod_store_i64(s, loop->columns);
    loop->block = pod_store_i64(s, loop->block);
    loop->register_count = pod_store_u32(s, loop->register_count);
    loop->register_bytes = pod_store_u32(s, loop->register_bytes);
    loop->scratch_bytes = pod_store_u64(s, loop->scratch_bytes);
    loop->load_count = pod_store_count(s, loop->load_count, 41);
    loop->step_count = pod_store_count(s, loop->step_count, 18);
    loop->store_count = pod_store_count(s, loop->store_count, 10);
    loop->fold_count = pod_store_count(s, loop->fold_count, 44);
    loop->loads = pod_store_array(s, loop->loads, loop->load_count, sizeof *loop->loads);
    loop->steps = pod_store_array(s, loop->steps, loop->step_count, sizeof *loop->steps);
    loop->stores = pod_store_array(s, loop->stores, loop->store_count, sizeof *loop->stores);
    loop->folds = pod_store_array(s, loop->folds, loop->fold_count, sizeof *loop->folds);
    for (uint32_t i = 0; i < loop->load_count && !s->failed; i++)
        store_load(s, &loop->loads[i]);
    for (uint32_t i = 0; i < loop->step_count && !s->failed; i++)
        store_step(part, &loop->steps[i]);
    for (uint32_t i = 0; i < loop->store_count && !s->failed; i++) {
        pod_loop_store *store = &loop->stores[i];
        store->slot = pod_store_u32(s, store->slot);
        store->source = pod_store_u32(s, store->source);
        store->dtype = store_dtype(s, store->dtype);
        store->by_rows = pod_store_bool(s, store->by_rows);
    }
    for (uint32_t i = 0; i < loop->fold_count && !s->failed; i++)
        store_fold(s, &loop->folds[i]);
    loop->pack_count = pod_store_count(s, loop->pack_count, 12);
    loop->packs = pod_store_array(s, loop->packs, loop->pack_count, sizeof *loop->packs);
    for (uint32_t i = 0; i < loop->pack_count && !s->failed; i++)
        store_loop_pack(part, &loop->packs[i]);
    return pod_store_kept(s, loop);
}

static pod_loop *store_epilogue(const pod_stored_part *part, const pod_loop *epilogue)
{
    bool given = pod_store_bool(part->stored, epilogue != NULL);
    return given ? store_loop(part, epilogue) : NULL;
}

/* ---- details ------------------------------------------------------------------------------------------ */

static const pod_attributes *store_attributes(pod_stored *s, const pod_attributes *of)
{
    pod_attributes *attributes = pod_store_array(s, of, 1, sizeof *attributes);
    if (!s->failed)
        pod_store_attributes(s, attributes);
    return pod_store_kept(s, attributes);
}

static void store_kernel(pod_stored *s, const pod_instruction *one, pod_kernel_detail *kernel)
{
    kernel->attributes = store_attributes(s, kernel->attributes);
    kernel->sliced = pod_store_bool(s, kernel->sliced);
    if (one->op != POD_OP_CONSTANT || s->failed)
        return;
    pod_attributes *attributes = (pod_attributes *)kernel->attributes;
    size_t size = pod_dtype_size(attributes->dtype);
    void *element = pod_store_array(s, attributes->data, 1, size);
    if (s->failed)
        return;
    pod_store_bytes(s, element, size);
    attributes->data = element;
}

static void store_region(const pod_stored_part *part, pod_instruction *one)
{
    pod_stored *s = part->stored;
    pod_region_detail *region = &one->region;
    pod_stored_part inner = *part;
    inner.depth++;
    int functions = one->kind == POD_DO_REDUCE ? 1 : 2;
    for (int i = 0; i < functions && !s->failed; i++)
        region->functions[i] = part->store_function(&inner, region->functions[i]);
    region->most_turns = pod_store_i64(s, region->most_turns);
    if (one->kind != POD_DO_COND) { /* of the condition, or the region of a reduce: one value */
        region->outputs[0] = pod_store_array(s, region->outputs[0], 1, sizeof(uint32_t));
        if (!s->failed)
            region->outputs[0][0] = pod_store_u32(s, region->outputs[0][0]);
    }
    if (one->kind != POD_DO_REDUCE || s->failed)
        return;
    region->attributes = store_attributes(s, region->attributes);
    region->parameters = pod_store_array(s, region->parameters, 2, sizeof(uint32_t));
    for (int i = 0; i < 2 && !s->failed; i++)
        region->parameters[i] = pod_store_u32(s, region->parameters[i]);
}

static void store_product(const pod_stored_part *part, pod_product_detail *p)
{
    pod_stored *s = part->stored;
    int64_t *const numbers[] = {
        &p->call.m,
        &p->call.n,
        &p->call.k,
        &p->call.a_row_stride,
        &p->call.a_k_stride,
        &p->call.b_k_stride,
        &p->call.b_column_stride,
        &p->call.result_stride,
        &p->outer,
        &p->inner,
        &p->a_offset,
        &p->a_outer_stride,
        &p->a_inner_stride,
        &p->b_offset,
        &p->b_outer_stride,
        &p->b_inner_stride,
    };
    p->kernels = store_dot(part, p->kernels);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = pod_store_i64(s, *numbers[i]);
    p->a_bytes = pod_store_u64(s, p->a_bytes);
    p->by_columns = pod_store_bool(s, p->by_columns);
    p->packed_bytes = pod_store_u64(s, p->packed_bytes);
    p->scratch_bytes = pod_store_u64(s, p->scratch_bytes);
    p->epilogue = store_epilogue(part, p->epilogue);
}

static void store_pack(const pod_stored_part *part, pod_pack_detail *p)
{
    pod_stored *s = part->stored;
    int64_t *const numbers[] = {&p->k,     &p->n,      &p->k_stride,     &p->column_stride, &p->outer,
                                &p->inner, &p->offset, &p->outer_stride, &p->inner_stride};
    p->kernels = store_dot(part, p->kernels);
    p->dtype = store_dtype(s, p->dtype);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = pod_store_i64(s, *numbers[i]);
    p->packed_bytes = pod_store_u64(s, p->packed_bytes);
}

static void store_convolution(const pod_stored_part *part, pod_convolution_detail *c)
{
    pod_stored *s = part->stored;
    pod_convolution_sizes *sizes = &c->call.sizes;
    int64_t *const numbers[] = {&sizes->batch,          &sizes->channels, &sizes->filters, &sizes->groups,
                                &c->call.result_stride, &c->call_images,  &c->image_rows,  &c->unit_rows};
    int64_t *const axes[] = {sizes->in,          sizes->out,      sizes->size,          sizes->stride,
                             sizes->pad,         sizes->dilation, c->call.pooling.size, c->call.pooling.stride,
                             c->call.pooling.out};
    c->call.kind = (pod_convolution_kind)pod_store_below(s, c->call.kind, POD_CONVOLVE_KERNEL_GRADIENT + 1);
    c->call.dtype = store_dtype(s, c->call.dtype);
    c->call.dot = store_dot(part, c->call.dot);
    c->call.direct = part->kernels->direct;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = pod_store_i64(s, *numbers[i]);
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        for (int j = 0; j < POD_MAX_SPATIAL; j++)
            axes[i][j] = pod_store_i64(s, axes[i][j]);
    c->phase = (int)pod_store_below(s, (uint32_t)c->phase, POD_CONVOLUTION_PHASES);
    c->left = pod_store_u32(s, c->left);
    c->right = pod_store_u32(s, c->right);
    c->shared = pod_store_u32(s, c->shared);
    c->positions = pod_store_u32(s, c->positions);
    c->call.is_pooled = pod_store_bool(s, c->call.is_pooled);
    c->images = pod_store_bool(s, c->images);
    c->scratch_bytes = pod_store_u64(s, c->scratch_bytes);
    c->epilogue = store_epilogue(part, c->epilogue);
}

static void store_combine(pod_stored *s, pod_combine_detail *c)
{
    c->fold = (pod_fold)pod_store_below(s, c->fold, POD_FOLD_COUNT);
    c->class_ = (pod_class)pod_store_below(s, c->class_, POD_CLASS_COUNT);
    c->chunks = pod_store_i64(s, c->chunks);
    c->columns = pod_store_i64(s, c->columns);
    c->dtype = store_dtype(s, c->dtype);
}

static void store_cross_entropy(pod_stored *s, pod_cross_entropy_detail *c)
{
    c->dtype = store_dtype(s, c->dtype);
    c->classes = pod_store_i64(s, c->classes);
    c->loss = pod_store_bool(s, c->loss);
    c->gradient = pod_store_bool(s, c->gradient);
}

static void store_detail(const pod_stored_part *part, pod_instruction *one)
{
    pod_stored *s = part->stored;
    switch (one->kind) {
    case POD_DO_KERNEL:
        store_kernel(s, one, &one->kernel);
        break;
    case POD_DO_COPY:
        break;
    case POD_DO_LOOP:
        one->loop = store_loop(part, one->loop);
        break;
    case POD_DO_COMBINE:
        store_combine(s, &one->combine);
        break;
    case POD_DO_PACK:
        store_pack(part, &one->pack);
        break;
    case POD_DO_PRODUCT:
        store_product(part, &one->product);
        break;
    case POD_DO_CONVOLUTION:
        store_convolution(part, &one->convolution);
        break;
    case POD_DO_CROSS_ENTROPY:
        store_cross_entropy(s, &one->cross_entropy);
        break;
    case POD_DO_CHECK:
    case POD_DO_PRINT:
        one->kernel.attributes = store_attributes(s, one->kernel.attributes);
        break;
    case POD_DO_REDUCE:
    case POD_DO_COND:
    case POD_DO_WHILE:
        store_region(part, one);
        break;
    case POD_DO_COUNT:
        s->failed = true;
        break;
    }
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

/* The number of a place or a scope; reading: the text with it. */
static const char *store_place(const pod_stored_part *part, const char *location)
{
    pod_stored *s = part->stored;
    uint32_t number = s->writes && location ? pod_store_places_find(part->places, location) : POD_PLACE_NONE;
    if (s->writes && location && number == POD_PLACE_NONE)
        s->failed = true;
    number = pod_store_u32(s, number);
    if (number != POD_PLACE_NONE && number >= part->places->count)
        s->failed = true;
    if (s->writes || s->failed || number == POD_PLACE_NONE)
        return location;
    const char *made = pod_arena_string(s->memory, part->places->texts[number]);
    s->failed = s->failed || !made;
    return made;
}

void pod_store_instruction(const pod_stored_part *part, pod_instruction *one)
{
    pod_stored *s = part->stored;
    one->kind = (pod_instruction_kind)pod_store_below(s, one->kind, POD_DO_COUNT);
    one->op = (pod_op)pod_store_below(s, (uint32_t)one->op, POD_OP_COUNT);
    one->location = store_place(part, one->location);
    one->layer = store_place(part, one->layer);
    one->flops = pod_store_f64(s, one->flops);
    one->name = pod_store_text(s, one->name);
    one->operand_count = pod_store_count(s, one->operand_count, 12);
    one->result_count = pod_store_count(s, one->result_count, 12);
    size_t count = (size_t)one->operand_count + one->result_count;
    one->slots = pod_store_array(s, one->slots, count, sizeof *one->slots);
    one->parts = pod_store_array(s, one->parts, count, sizeof *one->parts);
    for (size_t i = 0; i < count && !s->failed; i++) {
        one->slots[i] = pod_store_u32(s, one->slots[i]);
        one->parts[i] = pod_store_i64(s, one->parts[i]);
    }
    one->may_fail = pod_store_bool(s, one->may_fail);
    one->phase = pod_store_u32(s, one->phase);
    one->rows = pod_store_i64(s, one->rows);
    one->grain = pod_store_i64(s, one->grain);
    one->row_cost = pod_store_f64(s, one->row_cost);
    one->scratch_bytes = pod_store_u64(s, one->scratch_bytes);
    if (!s->failed)
        store_detail(part, one);
}
