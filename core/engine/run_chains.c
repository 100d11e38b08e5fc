/*
 * run_chains - loops of sums, products and folds of f32 by the kernel of kernels/chains.h: some rows at a time, a chain
 * for the steps up to each fold of rows. Nothing but what a later chain reads is kept for whole rows. Every other loop
 * is left to run_loop.c.
 */

#include "engine/loop_chains.h"

#include "kernels/dot.h"
#include "base/sizes.h"

#include <string.h>

/* Bytes of what is kept of rows that are taken together. */
#define KEPT_BYTES ((int64_t)16 * 1024)

/* ---- writing chains ------------------------------------------------------------------------------ */

static bool add_step(pod_chain_plan *p, uint8_t chain, pod_chain_op op, const pod_chain_value *operand, uint8_t source)
{
    if (p->step_counts[chain] == POD_CHAIN_STEPS)
        return false;
    const int32_t at = p->step_counts[chain]++;
    pod_chain_step *made = &p->steps[chain][at];
    *made = (pod_chain_step){.op = (uint8_t)op};
    p->sources[chain][at] = source;
    if (operand) {
        made->operand = (uint8_t)operand->operand;
        made->row_bytes = operand->row_bytes;
        made->at = operand->at;
    }
    return true;
}

/* A step that reads a value. */
static bool add_reading(pod_chain_plan *p, uint8_t chain, pod_chain_op op, uint8_t of)
{
    pod_chain_value *operand = &p->values[of];
    if (operand->kind == POD_VALUE_MADE) {
        operand->kept = true;
        operand->whole |= operand->chain != chain;
    }
    return add_step(p, chain, op, operand, of);
}

static bool bring(pod_chain_plan *p, uint8_t chain, uint8_t of, uint8_t *at_hand)
{
    if (*at_hand == of)
        return true;
    *at_hand = of;
    return add_reading(p, chain, POD_CHAIN_LOAD, of);
}

/* Sums of columns of a value that is at hand. */
static bool add_column_sums(pod_chain_plan *p, uint8_t chain, uint8_t of)
{
    for (uint32_t i = 0; i < p->loop->fold_count; i++) {
        if (p->column_sums[i] != of)
            continue;
        char *sums = pod_slot_memory(p->worker, p->loop->folds[i].slot);
        const pod_chain_value operand = {.operand = POD_CHAIN_F32, .at = sums + p->r->column * (int64_t)sizeof(float)};
        if (!add_step(p, chain, POD_CHAIN_SUM_COLUMNS, &operand, POD_NO_VALUE))
            return false;
        p->steps[chain][p->step_counts[chain] - 1].row_bytes = -(int64_t)i - 1; /* which fold, until rows are known */
    }
    return true;
}

/* What was made is at hand: it is kept and summed. */
static bool finish_value(pod_chain_plan *p, uint8_t chain, uint8_t of)
{
    const pod_chain_value *made = &p->values[of];
    if (made->kept && !add_step(p, chain, POD_CHAIN_STORE_F32, made, of))
        return false;
    return add_column_sums(p, chain, of);
}

static bool write_action(pod_chain_plan *p, const pod_chain_action *what, uint8_t *at_hand)
{
    pod_chain_op op = what->op;
    uint8_t a = what->a, b = what->b;
    const bool may_turn = op == POD_CHAIN_ADD || op == POD_CHAIN_SUBTRACT || op == POD_CHAIN_MULTIPLY ||
                          op == POD_CHAIN_SUM_PRODUCTS;
    if (may_turn && *at_hand == b && *at_hand != a) {
        a = what->b;
        b = what->a;
        op = op == POD_CHAIN_SUBTRACT ? POD_CHAIN_SUBTRACT_FROM : op;
    }
    if (!bring(p, what->chain, a, at_hand))
        return false;
    if (a == b && op == POD_CHAIN_MULTIPLY) {
        op = POD_CHAIN_SQUARE;
        b = POD_NO_VALUE;
    }
    if (b != POD_NO_VALUE ? !add_reading(p, what->chain, op, b) : !add_step(p, what->chain, op, NULL, POD_NO_VALUE))
        return false;
    if (what->result == POD_NO_VALUE)
        return true;
    *at_hand = what->result;
    return finish_value(p, what->chain, what->result);
}

/* Stores come behind all that the last chain reads: they may go where something was read. */
static bool write_stores(pod_chain_plan *p, uint8_t *at_hand)
{
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        if (store->by_rows)
            continue;
        const int64_t size = (int64_t)pod_dtype_size(store->dtype);
        const pod_chain_value to = {
            .operand = store->dtype == POD_F32 ? POD_CHAIN_F32 : POD_CHAIN_BF16,
            .at = (char *)pod_slot_memory(p->worker, store->slot) + p->r->column * size,
            .row_bytes = p->columns * size,
        };
        if (!bring(p, p->chain, p->current[store->source], at_hand) ||
            !add_step(p, p->chain, store->dtype == POD_F32 ? POD_CHAIN_STORE_F32 : POD_CHAIN_STORE_BF16, &to,
                      POD_NO_VALUE))
            return false;
    }
    return true;
}

/* Writes all chains; values that are found to be kept are only kept the next time. */
static bool write_chains(pod_chain_plan *p)
{
    memset(p->step_counts, 0, sizeof p->step_counts);
    uint8_t at_hand = POD_NO_VALUE, chain = 0;
    for (uint8_t i = 0; i < p->value_count; i++) {
        if (p->values[i].kind != POD_VALUE_STORED)
            continue;
        for (uint32_t j = 0; j < p->loop->fold_count; j++)
            if (p->column_sums[j] == i) {
                if (!bring(p, 0, i, &at_hand) || !add_column_sums(p, 0, i))
                    return false;
                break;
            }
    }
    for (int i = 0; i < p->action_count; i++) {
        if (p->actions[i].chain != chain)
            at_hand = POD_NO_VALUE;
        chain = p->actions[i].chain;
        if (!write_action(p, &p->actions[i], &at_hand))
            return false;
    }
    if (chain != p->chain)
        at_hand = POD_NO_VALUE;
    return write_stores(p, &at_hand);
}

/* Gives room to what is kept; says how many rows are taken at a time. */
static bool place_values(pod_chain_plan *p)
{
    const int64_t near_bytes = POD_CHAIN_NEAR_LANES * (int64_t)sizeof(float);
    int64_t row_bytes = 0, most = p->room_end - p->room;
    for (uint8_t i = 0; i < p->value_count; i++) {
        if (p->values[i].whole)
            row_bytes += p->width * (int64_t)sizeof(float);
        else if (p->values[i].kept)
            most -= near_bytes;
    }
    p->rows = POD_CHAIN_ROWS;
    while (p->rows > 1 && (p->rows * row_bytes > KEPT_BYTES || p->rows * row_bytes > most))
        p->rows /= 2;
    for (uint8_t i = 0; i < p->value_count; i++) {
        pod_chain_value *one = &p->values[i];
        if (!one->kept)
            continue;
        one->of_block = one->whole;
        one->operand = one->whole ? POD_CHAIN_F32 : POD_CHAIN_NEAR;
        one->row_bytes = one->whole ? p->width * (int64_t)sizeof(float) : 0;
        one->at = pod_chain_take_room(p, one->whole ? p->rows * one->row_bytes : near_bytes);
        if (!one->at)
            return false;
    }
    return true;
}

/* Whether rows one behind the other can be taken as one: nothing is summed or read a row, and what is not the same for
 * all rows has no gaps. */
static bool are_together(pod_chain_plan *p)
{
    if (p->chain > 0 || p->sums[0] != POD_NO_VALUE || p->row_action_count > 0 || p->width != p->columns)
        return false;
    p->repeated_count = 0;
    for (uint8_t i = 0; i < p->value_count; i++) {
        const pod_chain_value *one = &p->values[i];
        const int64_t size = one->operand == POD_CHAIN_F32 ? 4 : one->operand == POD_CHAIN_BF16 ? 2 : 1;
        p->repeated[i] = POD_NO_VALUE;
        if (one->kind == POD_VALUE_OF_ROW && one->row_bytes != 0)
            return false;
        if (one->kind != POD_VALUE_STORED || one->row_bytes == p->width * size)
            continue;
        if (one->row_bytes != 0 || p->repeated_count == POD_CHAIN_REPEATED)
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
static int64_t find_narrow(pod_chain_plan *p)
{
    const int64_t rows = POD_CHAIN_NEAR_LANES / p->width;
    return rows > 1 && rows * p->width == POD_CHAIN_NEAR_LANES && are_together(p) ? rows : 1;
}

static bool make_plan(pod_chain_plan *p)
{
    /* A value that is kept without need is found here as well: then it is just stored. */
    if (!pod_read_chains(p) || !write_chains(p) || !place_values(p) || !write_chains(p))
        return false;
    p->narrow = find_narrow(p);
    if (p->narrow > 1)
        p->rows = INT64_MAX;
    return true;
}

/* ---- running ------------------------------------------------------------------------------------- */

static char *place_of(const pod_chain_plan *p, uint8_t of, int64_t row)
{
    const pod_chain_value *one = &p->values[of];
    if (!one->view)
        return one->at + (one->of_block || one->kind == POD_VALUE_MADE ? 0 : row * one->row_bytes);
    int64_t offset = 0;
    char *at = one->at + row % one->period * one->row_bytes;
    row /= one->period;
    for (int32_t i = one->row_dims - 1; i >= 0; i--) {
        offset += row % one->view->shape.dims[i] * one->view->strides[i];
        row /= one->view->shape.dims[i];
    }
    return at + offset * (int64_t)pod_dtype_size(one->view->dtype);
}

/* The end of the rows from `row` on that lie evenly in all views. */
static int64_t view_end(const pod_chain_plan *p, int64_t row, int64_t end)
{
    for (uint8_t i = 0; i < p->value_count; i++) {
        const pod_chain_value *one = &p->values[i];
        if (!one->view)
            continue;
        const int64_t stop = (row / one->period + 1) * one->period;
        end = stop < end ? stop : end;
    }
    return end;
}

/* The operands of a chain at these rows. */
static void set_rows(pod_chain_plan *p, uint8_t chain, int64_t row)
{
    for (int32_t i = 0; i < p->step_counts[chain]; i++) {
        pod_chain_step *step = &p->steps[chain][i];
        const uint8_t source = p->sources[chain][i];
        if (source != POD_NO_VALUE) {
            step->at = place_of(p, source, row);
        }
    }
}

static void run_row_actions(const pod_chain_plan *p, uint8_t chain, int64_t row, int64_t rows)
{
    for (int i = 0; i < p->row_action_count; i++) {
        const pod_row_action *what = &p->row_actions[i];
        if (p->values[what->result].chain != chain)
            continue;
        const void *from[3] = {NULL, NULL, NULL};
        for (int j = 0; j < 3; j++)
            if (what->operands[j] != POD_NO_VALUE)
                from[j] = place_of(p, what->operands[j], row);
        what->function(p->values[what->result].at, from[0], from[1], from[2], (size_t)rows);
    }
}

/* Makes a step one of several rows that lie one behind the other. */
static void widen_step(pod_chain_plan *p, pod_chain_step *step, uint8_t source)
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

/* Where stores and sums of columns are at these rows. together: p->narrow rows are one, which `rows` is a multiple
 * of. */
static void run_chain(pod_chain_plan *p, uint8_t index, int64_t row, int64_t rows, bool together)
{
    pod_chain_step steps[POD_CHAIN_STEPS];
    const int32_t count = p->step_counts[index];
    set_rows(p, index, row);
    memcpy(steps, p->steps[index], (size_t)count * sizeof *steps);
    for (int32_t i = 0; i < count; i++) {
        pod_chain_step *step = &steps[i];
        if (p->sources[index][i] == POD_NO_VALUE && step->op == POD_CHAIN_SUM_COLUMNS) {
            const pod_loop_fold *fold = &p->loop->folds[-step->row_bytes - 1];
            const int64_t chunk = fold->by_rows ? p->split : fold->chunk;
            step->row_bytes = 0;
            step->at += row / chunk * fold->inner * (int64_t)sizeof(float);
            step->first = row % chunk == 0 && !fold->by_rows;
        } else if (p->sources[index][i] == POD_NO_VALUE) {
            step->at += row * step->row_bytes;
        }
        if (together)
            widen_step(p, step, p->sources[index][i]);
    }
    const uint8_t sums = p->sums[index];
    const pod_chain chain = {.rows = together ? rows / p->narrow : rows,
                             .columns = together ? p->width * p->narrow : p->width,
                             .narrow = together ? p->width : 0,
                             .count = count,
                             .steps = steps,
                             .sums = sums == POD_NO_VALUE ? NULL : (float *)p->values[sums].at};
    p->kernels->chain(&chain);
}

/* The elements that the folds of a row of the loop begin with. */
static void begin_folds(const pod_chain_plan *p, int64_t row)
{
    for (uint32_t i = 0; i < p->loop->fold_count; i++) {
        const pod_loop_fold *fold = &p->loop->folds[i];
        float first, *to = (float *)pod_slot_memory(p->worker, fold->slot) + row * fold->inner;
        memcpy(&first, &fold->first, sizeof first);
        for (int64_t j = 0; j < fold->inner; j++)
            to[j] = first;
    }
}

static void run_rows(pod_chain_plan *p, int64_t row, int64_t rows)
{
    if (p->split > 1 && row % p->split == 0)
        begin_folds(p, row / p->split);
    if (p->narrow > 1) {
        const int64_t together = rows / p->narrow * p->narrow;
        if (together)
            run_chain(p, 0, row, together, true);
        if (rows > together)
            run_chain(p, 0, row + together, rows - together, false);
        return;
    }
    for (uint8_t i = 0; i <= p->chain; i++) {
        run_row_actions(p, i, row, rows);
        run_chain(p, i, row, rows, false);
    }
    for (uint8_t i = p->chain + 1; i < POD_CHAINS; i++)
        run_row_actions(p, i, row, rows);
    for (uint32_t i = 0; i < p->loop->store_count; i++) {
        const pod_loop_store *store = &p->loop->stores[i];
        if (store->by_rows)
            p->kernels->store[store->dtype]((char *)pod_slot_memory(p->worker, store->slot) +
                                                (size_t)row * pod_dtype_size(store->dtype),
                                            place_of(p, p->current[store->source], row), (size_t)rows);
    }
}

/* The columns of all sums that are made of each row, which repeat along it; else 0. */
static int64_t inner_columns(const pod_loop *loop)
{
    int64_t inner = 0;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        if (!loop->folds[i].by_rows || (inner != 0 && loop->folds[i].inner != inner))
            return 0;
        inner = loop->folds[i].inner;
    }
    return inner;
}

static int64_t end_of_chunk(const pod_chain_plan *p, int64_t row, int64_t end)
{
    const int64_t stop = (row / p->split + 1) * p->split;
    return p->split == 1 ? pod_chunk_end(p->loop, row, end) : stop < end ? stop : end;
}

bool pod_run_chains(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                    const pod_rectangle *r, char *scratch)
{
    const int64_t inner = inner_columns(loop);
    int64_t width = r->column_end - r->column, split = 1;
    if (inner > 1 && inner < width && width == loop->columns && loop->pack_count == 0 && !tile) {
        split = width / inner;
        width = inner;
    }
    if (!worker->run->program->kernels->chain || width % POD_CHAIN_LANES != 0)
        return false;
    pod_chain_plan p; /* large: pod_read_chains() sets what is read */
    p.worker = worker;
    p.kernels = worker->run->program->kernels;
    p.loop = loop;
    p.tile = tile;
    p.r = r;
    p.width = width;
    p.split = split;
    p.columns = loop->columns / split;
    p.room = scratch;
    p.room_end = scratch + (size_t)loop->register_count * loop->register_bytes + POD_LOOP_STAGING;
    if (!make_plan(&p))
        return false;
    const int64_t first = r->row * split, last = r->row_end * split;
    const int64_t strip = loop->pack_count ? POD_PACK_GRAIN : last - first;
    for (int64_t row = first, end; row < last; row = end) {
        end = last - row < strip ? last : row + strip;
        for (int64_t at = row, stop; at < end; at = stop) {
            stop = view_end(&p, at, end_of_chunk(&p, at, end));
            stop = stop - at > p.rows ? at + p.rows : stop;
            run_rows(&p, at, stop - at);
        }
        pod_run_packs(worker, loop, r, row, end, 0);
    }
    return true;
}
