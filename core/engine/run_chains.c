/*
 * run_chains - loops of sums, products and folds of f32 by the kernel of kernels/chains.h, as program/loop_plans.h has
 * found them to be: some rows at a time, one chain after the other. Every other loop is left to run_loop.c.
 */

#include "engine/run_loop.h"

#include "base/sizes.h"
#include "kernels/dot.h"
#include "program/loop_plans.h"

#include <assert.h>
#include <string.h>

/* Bytes of what is kept of rows that are taken together. */
#define KEPT_BYTES ((int64_t)16 * 1024)

/* Operands of narrow loops that are the same for all rows, at most: they are repeated. */
#define REPEATED 8

/* Where a value lies: `at` is of row 0 of the loop, or of any row, or of the first row of those at hand. */
typedef struct chain_buffer {
    char *at;
    int64_t row_bytes;
} chain_buffer;

/* A plan in the memory of a step. */
typedef struct chain_run {
    pod_worker *worker;
    const pod_kernels *kernels;
    const pod_loop *loop;
    const pod_loop_chains *plan;
    const pod_result_tile *tile;
    const pod_rectangle *r;
    char *scratch, *scratch_end;                          /* what is left of it */
    int64_t width, rows;                                  /* rows: at a time */
    int64_t narrow;                                       /* rows that a chain takes as one; 1: none */
    char *stores[POD_CHAIN_ENDS], *folds[POD_CHAIN_ENDS]; /* column r->column of row 0 */
    chain_buffer buffers[POD_CHAIN_VALUES];
    uint8_t repeated_count, repeated[POD_CHAIN_VALUES]; /* which repeated operand a value is, or POD_NO_VALUE */
    const char *repeated_from[REPEATED];
    _Alignas(64) char repeats[REPEATED][POD_CHAIN_NEAR_LANES * sizeof(float)];
} chain_run;

/* ---- buffers --------------------------------------------------------------------------------------------- */

/* Bytes of the scratch, 64-aligned; NULL: there are no more. */
static char *take_scratch(chain_run *p, int64_t bytes)
{
    char *at = p->scratch;
    bytes = pod_round_up(bytes, 64);
    if (bytes > p->scratch_end - p->scratch)
        return NULL;
    p->scratch += bytes;
    return at;
}

/* A scalar is there for each row at hand. */
static void fill_scalar(const chain_run *p, const pod_loop_load *load, float *to)
{
    const char *from = load->slot == POD_SLOT_END ? (const char *)&load->element
                                                  : (const char *)pod_run_slot_memory(p->worker, load->slot) +
                                                        load->offset * (int64_t)pod_dtype_size(load->dtype);
    p->kernels->load[load->dtype](to, from, 1);
    for (int i = 1; i < POD_CHAIN_ROWS; i++)
        to[i] = to[0];
}

/* Returns where a load reads; NULL: rows by address. */
static char *address_of_load(const chain_run *p, const pod_loop_load *load)
{
    const int64_t size = (int64_t)pod_dtype_size(load->dtype);
    if (load->access == POD_ACCESS_TILE)
        return (char *)(p->tile->data - p->tile->row * p->tile->stride + (p->r->column - p->tile->column));
    char *at = pod_run_slot_memory(p->worker, load->slot);
    const bool by_column = load->access != POD_ACCESS_ROW && load->access != POD_ACCESS_ROWS;
    return at ? at + (load->offset + (by_column ? p->r->column : 0)) * size : NULL;
}

/* Buffers of what is loaded, and of what steps on rows make. */
static bool find_loads(chain_run *p)
{
    for (int32_t i = 0; i < p->plan->value_count; i++) {
        const pod_chain_value *one = &p->plan->values[i];
        chain_buffer *to = &p->buffers[i];
        const bool scalar = one->load && one->load->access == POD_ACCESS_SCALAR;
        to->row_bytes = one->row_bytes;
        to->at = NULL;
        if (one->kind != POD_VALUE_STORED && one->kind != POD_VALUE_OF_ROW)
            continue;
        to->at = one->load && !scalar ? address_of_load(p, one->load)
                                      : take_scratch(p, POD_CHAIN_ROWS * (int64_t)sizeof(float));
        if (!to->at)
            return false;
        if (scalar)
            fill_scalar(p, one->load, (float *)to->at);
        else if (one->load && one->load->access == POD_ACCESS_TILE)
            to->row_bytes = p->tile->stride * (int64_t)sizeof(float);
    }
    return true;
}

/* Takes scratch for what is kept; says how many rows are taken at a time. */
static bool find_kept(chain_run *p)
{
    const int64_t near_bytes = POD_CHAIN_NEAR_LANES * (int64_t)sizeof(float);
    const int64_t kept_bytes = p->width * (int64_t)sizeof(float);
    int64_t row_bytes = 0, most = p->scratch_end - p->scratch;
    for (int32_t i = 0; i < p->plan->value_count; i++) {
        if (p->plan->values[i].whole)
            row_bytes += kept_bytes;
        else if (p->plan->values[i].kept)
            most -= near_bytes;
    }
    p->rows = POD_CHAIN_ROWS;
    while (p->rows > 1 && (p->rows * row_bytes > KEPT_BYTES || p->rows * row_bytes > most))
        p->rows /= 2;
    for (int32_t i = 0; i < p->plan->value_count; i++) {
        const pod_chain_value *one = &p->plan->values[i];
        if (!one->kept)
            continue;
        p->buffers[i].row_bytes = one->whole ? kept_bytes : 0;
        p->buffers[i].at = take_scratch(p, one->whole ? p->rows * kept_bytes : near_bytes);
        if (!p->buffers[i].at)
            return false;
    }
    return true;
}

static void find_ends(chain_run *p)
{
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        p->stores[i] = (char *)pod_run_slot_memory(p->worker, store->slot) +
                       (store->by_rows ? 0 : p->r->column * (int64_t)pod_dtype_size(store->dtype));
    }
    for (uint32_t i = 0; i < p->loop->fold_count; i++)
        p->folds[i] =
            (char *)pod_run_slot_memory(p->worker, p->loop->folds[i].slot) + p->r->column * (int64_t)sizeof(float);
}

/* Returns whether rows one behind the other can be taken as one: nothing is summed or read a row, and what is not the
 * same for all rows has no gaps. */
static bool are_together(chain_run *p)
{
    const pod_loop_chains *plan = p->plan;
    if (plan->last > 0 || plan->chains[0].sums != POD_NO_VALUE || plan->row_action_count > 0 ||
        p->width != plan->columns)
        return false;
    p->repeated_count = 0;
    for (int32_t i = 0; i < plan->value_count; i++) {
        const pod_chain_value *one = &plan->values[i];
        const int64_t row_bytes = p->buffers[i].row_bytes;
        const int64_t size = one->operand == POD_CHAIN_F32 ? 4 : one->operand == POD_CHAIN_BF16 ? 2 : 1;
        p->repeated[i] = POD_NO_VALUE;
        if (one->kind == POD_VALUE_OF_ROW && row_bytes != 0)
            return false;
        if (one->kind != POD_VALUE_STORED || row_bytes == p->width * size)
            continue;
        if (row_bytes != 0 || p->repeated_count == REPEATED)
            return false;
        p->repeated_from[p->repeated_count] = NULL;
        p->repeated[i] = p->repeated_count++;
    }
    for (uint32_t i = 0; i < p->loop->store_count; i++)
        if (p->loop->stores[i].by_rows)
            return false;
    return true;
}

/* Rows that a chain takes as one. */
static int64_t find_narrow(chain_run *p)
{
    const int64_t rows = POD_CHAIN_NEAR_LANES / p->width;
    return rows > 1 && rows * p->width == POD_CHAIN_NEAR_LANES && are_together(p) ? rows : 1;
}

static bool find_buffers(chain_run *p)
{
    if (!find_loads(p) || !find_kept(p))
        return false;
    find_ends(p);
    p->narrow = find_narrow(p);
    if (p->narrow > 1)
        p->rows = INT64_MAX;
    return true;
}

/* ---- running ------------------------------------------------------------------------------------- */

static char *address_of(const chain_run *p, uint8_t of, int64_t row)
{
    const pod_chain_value *one = &p->plan->values[of];
    const chain_buffer *where = &p->buffers[of];
    if (!one->is_view)
        return where->at + (one->of_block || one->kind == POD_VALUE_MADE ? 0 : row * where->row_bytes);
    const pod_loop_load *view = one->load;
    int64_t offset = 0;
    char *at = where->at + row % one->period * where->row_bytes;
    row /= one->period;
    for (int32_t i = one->row_dims - 1; i >= 0; i--) {
        offset += row % view->shape.dims[i] * view->strides[i];
        row /= view->shape.dims[i];
    }
    return at + offset * (int64_t)pod_dtype_size(view->dtype);
}

/* The end of the rows from `row` on that lie evenly in all views. */
static int64_t view_end(const chain_run *p, int64_t row, int64_t end)
{
    for (int32_t i = 0; i < p->plan->value_count; i++) {
        const pod_chain_value *one = &p->plan->values[i];
        if (!one->is_view)
            continue;
        const int64_t stop = (row / one->period + 1) * one->period;
        end = stop < end ? stop : end;
    }
    return end;
}

static void run_row_actions(const chain_run *p, uint8_t chain, int64_t row, int64_t rows)
{
    for (int32_t i = 0; i < p->plan->row_action_count; i++) {
        const pod_row_action *what = &p->plan->row_actions[i];
        if (p->plan->values[what->result].chain != chain)
            continue;
        const void *from[3] = {NULL, NULL, NULL};
        for (int j = 0; j < 3; j++)
            if (what->operands[j] != POD_NO_VALUE)
                from[j] = address_of(p, what->operands[j], row);
        what->function(p->buffers[what->result].at, from[0], from[1], from[2], (size_t)rows);
    }
}

/* Makes a step one of several rows that lie one behind the other. */
static void widen_step(chain_run *p, pod_chain_step *step, uint8_t source)
{
    step->row_bytes *= p->narrow;
    const uint8_t index = source == POD_NO_VALUE ? POD_NO_VALUE : p->repeated[source];
    if (index == POD_NO_VALUE)
        return;
    char *to = p->repeats[index];
    const int64_t bytes = p->width * (step->operand == POD_CHAIN_F32 ? 4 : step->operand == POD_CHAIN_BF16 ? 2 : 1);
    if (p->repeated_from[index] != step->at)
        for (int64_t i = 0; i < p->narrow; i++)
            memcpy(to + i * bytes, step->at, (size_t)bytes);
    p->repeated_from[index] = step->at;
    step->at = to;
}

/* A step at these rows. */
static pod_chain_step make_step(const chain_run *p, const pod_planned_step *step, int64_t row)
{
    pod_chain_step made = {.op = step->op, .operand = step->operand};
    if (step->source != POD_NO_VALUE) {
        made.row_bytes = p->buffers[step->source].row_bytes;
        made.at = address_of(p, step->source, row);
    } else if (step->op == POD_CHAIN_SUM_COLUMNS) {
        const pod_loop_fold *fold = &p->loop->folds[step->end];
        const int64_t rows = fold->by_rows ? p->plan->split : fold->partial_rows;
        made.at = p->folds[step->end] + row / rows * fold->inner * (int64_t)sizeof(float);
        made.first = row % rows == 0 && !fold->by_rows;
    } else if (step->op == POD_CHAIN_STORE_F32 || step->op == POD_CHAIN_STORE_BF16) {
        made.row_bytes = p->plan->columns * (step->op == POD_CHAIN_STORE_F32 ? 4 : 2);
        made.at = p->stores[step->end] + row * made.row_bytes;
    }
    return made;
}

/* together: p->narrow rows are one, which `rows` is a multiple of. */
static void run_chain(chain_run *p, uint8_t index, int64_t row, int64_t rows, bool together)
{
    pod_chain_step steps[POD_CHAIN_STEPS];
    const pod_planned_chain *planned = &p->plan->chains[index];
    assert(planned->count <= POD_CHAIN_STEPS);
    for (int32_t i = 0; i < planned->count; i++) {
        steps[i] = make_step(p, &planned->steps[i], row);
        if (together)
            widen_step(p, &steps[i], planned->steps[i].source);
    }
    const pod_chain chain = {.rows = together ? rows / p->narrow : rows,
                             .columns = together ? p->width * p->narrow : p->width,
                             .narrow = together ? p->width : 0,
                             .count = planned->count,
                             .steps = steps,
                             .sums = planned->sums == POD_NO_VALUE ? NULL : (float *)p->buffers[planned->sums].at};
    p->kernels->chain(&chain);
}

/* The elements that the folds of a row of the loop begin with. */
static void begin_folds(const chain_run *p, int64_t row)
{
    for (uint32_t i = 0; i < p->loop->fold_count; i++) {
        const pod_loop_fold *fold = &p->loop->folds[i];
        float first, *to = (float *)p->folds[i] + row * fold->inner;
        memcpy(&first, &fold->first, sizeof first);
        for (int64_t j = 0; j < fold->inner; j++)
            to[j] = first;
    }
}

static void run_rows(chain_run *p, int64_t row, int64_t rows)
{
    const int64_t split = p->plan->split;
    if (split > 1 && row % split == 0)
        begin_folds(p, row / split);
    if (p->narrow > 1) {
        const int64_t together = rows / p->narrow * p->narrow;
        if (together)
            run_chain(p, 0, row, together, true);
        if (rows > together)
            run_chain(p, 0, row + together, rows - together, false);
        return;
    }
    for (uint8_t i = 0; i <= p->plan->last; i++) {
        run_row_actions(p, i, row, rows);
        run_chain(p, i, row, rows, false);
    }
    for (uint8_t i = p->plan->last + 1; i < POD_CHAINS; i++)
        run_row_actions(p, i, row, rows);
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        if (store->by_rows)
            p->kernels->store[store->dtype](p->stores[i] + (size_t)row * pod_dtype_size(store->dtype),
                                            address_of(p, p->plan->store_sources[i], row), (size_t)rows);
    }
}

static int64_t end_of_partial(const chain_run *p, int64_t row, int64_t end)
{
    const int64_t split = p->plan->split, stop = (row / split + 1) * split;
    return split == 1 ? pod_program_partial_end(p->loop, row, end) : stop < end ? stop : end;
}

bool pod_run_chains(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                    char *scratch)
{
    const pod_loop_chains *plan = loop->chains;
    if (!plan || (r->column_end - r->column) / plan->split % POD_CHAIN_LANES != 0)
        return false;
    chain_run p; /* large: find_buffers() sets what is read */
    const int64_t split = plan->split;
    p.worker = worker;
    p.kernels = worker->run->program->kernels;
    p.loop = loop;
    p.plan = plan;
    p.tile = tile;
    p.r = r;
    p.width = (r->column_end - r->column) / split;
    p.scratch = scratch;
    p.scratch_end = scratch + (size_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING;
    if (!find_buffers(&p))
        return false;
    const int64_t first = r->row * split, last = r->row_end * split;
    const int64_t piece = loop->pack_count ? POD_PACK_UNIT : last - first;
    for (int64_t row = first, end; row < last; row = end) {
        end = last - row < piece ? last : row + piece;
        for (int64_t at = row, stop; at < end; at = stop) {
            stop = view_end(&p, at, end_of_partial(&p, at, end));
            stop = stop - at > p.rows ? at + p.rows : stop;
            run_rows(&p, at, stop - at);
        }
        pod_run_packs(worker, loop, r, row, end, 0);
    }
    return true;
}
