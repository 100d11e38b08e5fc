/*
 * run_finish - loops behind products that do no more than the kernel of kernels/finish.h: found by their steps, and run
 * by it, some rows at a time.
 */

#include "engine/run_loop.h"

#include "kernels/dot.h"

/* What a loop does to a tile, in this order. NULL: nothing of the kind. */
typedef struct found {
    const pod_loop_load *tile, *bias, *add, *mask, *slope_at;
    bool relu, gelu;
    const pod_loop_fold *fold;
    const pod_loop_store *store, *before; /* before: of what gelu is taken of */
} found;

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
    bool is = step && step->kind == POD_STEP_BLOCK && !step->adam &&
              step->function == r->kernels->element[op][POD_CLASS_F32];
    return is ? step : NULL;
}

static bool is_float(pod_dtype dtype)
{
    return dtype == POD_F32 || dtype == POD_BF16;
}

static bool is_zero(const pod_loop_load *load)
{
    return load && load->slot == POD_SLOT_END && load->element == 0;
}

/* A step that adds what is loaded with this access to the value, in either order. */
static const pod_loop_load *take_addition(reading *r, pod_access access)
{
    const pod_loop_step *step = step_of(r, r->at, POD_BLOCK_OP_ADD);
    if (!step || (step->a != r->value && step->b != r->value))
        return NULL;
    const pod_loop_load *load = load_of(r, r->at, step->a == r->value ? step->b : step->a, access);
    if (!load || !is_float(load->dtype) || load->slot == POD_SLOT_END || load->apart)
        return NULL;
    r->value = step->result;
    r->at++;
    return load;
}

static bool take_relu(reading *r)
{
    const pod_loop_step *step = step_of(r, r->at, POD_BLOCK_OP_MAXIMUM);
    if (!step || step->a != r->value || !is_zero(load_of(r, r->at, step->b, POD_ACCESS_SCALAR)))
        return false;
    r->value = step->result;
    r->at++;
    return true;
}

/* The two steps "mask > 0" and "that ? value : 0". */
static const pod_loop_load *take_mask(reading *r)
{
    const pod_loop_step *compare = step_of(r, r->at, POD_BLOCK_OP_GT);
    const pod_loop_step *select = step_of(r, r->at + 1, POD_BLOCK_OP_SELECT);
    if (!compare || !select || select->a != compare->result || select->b != r->value ||
        compare->result == r->value)
        return NULL;
    const pod_loop_load *mask = load_of(r, r->at, compare->a, POD_ACCESS_DENSE);
    if (!mask || !is_float(mask->dtype) || mask->apart || mask->slot == POD_SLOT_END ||
        !is_zero(load_of(r, r->at, compare->b, POD_ACCESS_SCALAR)) ||
        !is_zero(load_of(r, r->at + 1, select->c, POD_ACCESS_SCALAR)))
        return NULL;
    r->value = select->result;
    r->at += 2;
    return mask;
}

static bool take_gelu(reading *r)
{
    const pod_loop_step *step = step_of(r, r->at, POD_BLOCK_OP_GELU_ROUGH);
    if (!step || step->a != r->value)
        return false;
    r->value = step->result;
    r->at++;
    return true;
}

static const pod_loop_load *take_slope(reading *r)
{
    const pod_loop_step *step = step_of(r, r->at, POD_BLOCK_OP_GELU_GRADIENT_ROUGH);
    const pod_loop_load *at = step && step->b == r->value ? load_of(r, r->at, step->a, POD_ACCESS_DENSE) : NULL;
    if (!at || !is_float(at->dtype) || at->apart || at->slot == POD_SLOT_END)
        return NULL;
    r->value = step->result;
    r->at++;
    return at;
}

/* Finds what is stored of the result and, in a register that it does not take, of what gelu is taken of. */
static bool find_stores(const pod_loop *loop, uint32_t before, uint32_t value, found *what)
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
           fold->inner == loop->columns && loop->columns > 1 && fold->chunk % POD_PACK_GRAIN == 0;
}

static bool find(const pod_kernels *kernels, const pod_loop *loop, found *what)
{
    reading r = {.kernels = kernels, .loop = loop};
    *what = (found){0};
    if (loop->store_count > 2 || loop->fold_count > 1 || loop->step_count > 5)
        return false;
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].access == POD_ACCESS_TILE)
            what->tile = &loop->loads[i];
    what->fold = loop->fold_count ? &loop->folds[0] : NULL;
    if (!what->tile || what->tile->apart || (what->fold && !is_column_sum(loop, what->fold)))
        return false;
    r.value = what->tile->result;
    what->bias = take_addition(&r, POD_ACCESS_COLUMN);
    what->add = take_addition(&r, POD_ACCESS_DENSE);
    what->relu = take_relu(&r);
    if (!what->relu)
        what->mask = take_mask(&r);
    const uint32_t before = r.value;
    if (!what->relu && !what->mask)
        what->gelu = take_gelu(&r);
    if (!what->relu && !what->mask && !what->gelu)
        what->slope_at = take_slope(&r);
    return r.at == loop->step_count && find_stores(loop, before, r.value, what) &&
           (!what->before || before != r.value) && (!what->fold || what->fold->source == r.value);
}

/* An element of what lies as the loop's elements do. NULL: its rows lie apart. */
static const char *element_of(pod_worker *worker, const pod_loop *loop, const pod_loop_load *load,
                              int64_t row, int64_t column)
{
    const char *from = pod_slot_memory(worker, load->slot);
    if (!from)
        return NULL;
    return from + (size_t)(load->offset + row * loop->columns + column) * pod_dtype_size(load->dtype);
}

/* The pack that the kernel does; its number, or 64. */
static uint32_t find_pack(const pod_worker *worker, const pod_loop *loop, const found *what)
{
    for (uint32_t i = 0; i < loop->pack_count && i < 64; i++) {
        const pod_loop_pack *pack = &loop->packs[i];
        const pod_dot_family *family = pack->kernels->family;
        if (pack->source == what->store->slot && pack->dtype == POD_BF16 && !pack->turned &&
            (!pack->kept || worker->run->keeps) && family->packed_bytes == 2 &&
            (family->k_unit == 2 || family->k_unit == POD_PACK_GRAIN) &&
            family->vector_columns == POD_FINISH_LANES)
            return i;
    }
    return 64;
}

/* Sets what lies where rows row .. row + rows - 1 do. */
static void set_rows(pod_worker *worker, const pod_loop *loop, const found *what, pod_finish *f,
                     int64_t row, int64_t rows, int64_t column)
{
    f->rows = rows;
    f->add = what->add ? element_of(worker, loop, what->add, row, column) : NULL;
    f->mask = what->mask ? element_of(worker, loop, what->mask, row, column) : NULL;
    f->slope_at = what->slope_at ? element_of(worker, loop, what->slope_at, row, column) : NULL;
    f->before = what->before ? (uint16_t *)pod_slot_memory(worker, what->before->slot) + row * loop->columns + column
                             : NULL;
    f->result = (char *)pod_slot_memory(worker, what->store->slot) +
                (size_t)(row * loop->columns + column) * pod_dtype_size(f->dtype);
    if (!what->fold)
        return;
    f->first = row % what->fold->chunk == 0;
    f->sums = (float *)pod_slot_memory(worker, what->fold->slot) +
              row / what->fold->chunk * loop->columns + column;
}

static void set_pack(pod_worker *worker, const pod_loop *loop, uint32_t index, pod_finish *f,
                     int64_t row, int64_t column)
{
    f->pack.packed = NULL;
    if (index == 64 || f->rows != POD_PACK_GRAIN)
        return;
    const pod_loop_pack *pack = &loop->packs[index];
    f->pack = (pod_finish_pack){
        .packed = pod_slot_memory(worker, pack->slot),
        .streams = pod_pack_streams(worker, pack),
        .k = loop->rows,
        .n = loop->columns,
        .k_begin = row,
        .column = column,
        .k_unit = pack->kernels->family->k_unit,
        .panel_columns = pack->kernels->family->panel_columns,
    };
}

bool pod_run_finish(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                    const pod_rectangle *r, char *scratch)
{
    const pod_kernels *kernels = worker->run->program->kernels;
    const int64_t width = r->column_end - r->column;
    found what;
    if (width % POD_FINISH_LANES != 0 || width > loop->block || !find(kernels, loop, &what) ||
        (what.add && !pod_slot_memory(worker, what.add->slot)) ||
        (what.mask && !pod_slot_memory(worker, what.mask->slot)) ||
        (what.slope_at && !pod_slot_memory(worker, what.slope_at->slot)))
        return false;
    const uint32_t packed = find_pack(worker, loop, &what);
    pod_finish f = {.tile_stride = tile->stride,
                    .columns = width,
                    .add_dtype = what.add ? what.add->dtype : POD_F32,
                    .mask_dtype = what.mask       ? what.mask->dtype
                                  : what.slope_at ? what.slope_at->dtype
                                                  : POD_F32,
                    .dtype = what.store->dtype,
                    .relu = what.relu,
                    .gelu = what.gelu,
                    .stride = loop->columns};
    if (what.bias) {
        const size_t size = pod_dtype_size(what.bias->dtype);
        const char *from = pod_slot_memory(worker, what.bias->slot);
        kernels->load[what.bias->dtype](scratch, from + (size_t)(what.bias->offset + r->column) * size,
                                        (size_t)width);
        f.bias = (const float *)scratch;
    }
    for (int64_t row = r->row, end; row < r->row_end; row = end) {
        end = (row / POD_PACK_GRAIN + 1) * POD_PACK_GRAIN;
        end = end < r->row_end ? end : r->row_end;
        f.tile = tile->data + (row - tile->row) * tile->stride + (r->column - tile->column);
        set_rows(worker, loop, &what, &f, row, end - row, r->column);
        set_pack(worker, loop, packed, &f, row, r->column);
        f.ahead = r->row_end - end;
        kernels->finish(&f);
        pod_run_packs(worker, loop, r, row, end, f.pack.packed ? UINT64_C(1) << packed : 0);
    }
    return true;
}
