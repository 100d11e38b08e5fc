/*
 * run_packs - packs what a loop has stored as right operands of products: see run_loop.h. What is packed as bf16 is
 * rounded once for all its packs, a few rows and columns at a time, which then are in L1.
 */

#include "engine/run_loop.h"

#include "kernels/dot.h"

#include <assert.h>

#define PIECE_COLUMNS 128

/* A step with so many bytes of temporaries drives what it packs for its end out of the caches. */
#define STREAMED_ARENA ((uint64_t)64 << 20)

bool pod_run_pack_streams(const pod_worker *worker, const pod_loop_pack *pack)
{
    return !pack->kept && worker->run->program->arena_bytes >= STREAMED_ARENA;
}

/* Rows row .. row_end - 1 of columns column .. column_end - 1, of which the first element is at `first`; rows are
 * `stride` elements apart there. */
static void pack(pod_worker *worker, const pod_loop *loop, const pod_loop_pack *pack, pod_dtype dtype,
                 const void *first, int64_t stride, const pod_rectangle *r)
{
    pod_dot_part part = {loop->rows, loop->columns, stride, 1, r->row, r->row_end, r->column, r->column_end, false};
    if (pack->turned)
        part =
            (pod_dot_part){loop->columns, loop->rows, 1, stride, r->column, r->column_end, r->row, r->row_end, false};
    part.streams = pod_run_pack_streams(worker, pack);
    pod_kernel_dot_pack_part(pack->kernels, pod_run_slot_memory(worker, pack->slot), dtype, first, &part);
}

static const char *stored_at(pod_worker *worker, const pod_loop *loop, const pod_loop_pack *pack,
                             const pod_rectangle *r)
{
    const char *from = pod_run_slot_memory(worker, pack->source);
    return from + (size_t)(r->row * loop->columns + r->column) * pod_dtype_size(pack->dtype);
}

static bool is_rounded(const pod_loop_pack *pack)
{
    return pack->dtype == POD_F32 && pack->kernels->family->packed_bytes == 2;
}

/* The packs whose bits are in `which`, all of the slot `source`. */
static void round_and_pack(pod_worker *worker, const pod_loop *loop, const pod_loop_pack *one, uint64_t which,
                           const pod_rectangle *all)
{
    _Alignas(64) uint16_t rounded[POD_PACK_UNIT * PIECE_COLUMNS];
    pod_rectangle r = *all;
    for (; r.row < all->row_end; r.row = r.row_end) {
        r.row_end = all->row_end - r.row < POD_PACK_UNIT ? all->row_end : r.row + POD_PACK_UNIT;
        for (r.column = all->column; r.column < all->column_end; r.column = r.column_end) {
            r.column_end = all->column_end - r.column < PIECE_COLUMNS ? all->column_end : r.column + PIECE_COLUMNS;
            const char *from = stored_at(worker, loop, one, &r);
            for (int64_t row = r.row; row < r.row_end; row++, from += (size_t)loop->columns * sizeof(float))
                worker->run->program->kernels->store[POD_BF16](rounded + (row - r.row) * PIECE_COLUMNS, from,
                                                               (size_t)(r.column_end - r.column));
            for (uint32_t i = 0; i < loop->pack_count; i++)
                if (i < 64 && which >> i & 1)
                    pack(worker, loop, &loop->packs[i], POD_BF16, rounded, PIECE_COLUMNS, &r);
        }
    }
}

void pod_run_packs(pod_worker *worker, const pod_loop *loop, const pod_rectangle *rectangle, int64_t row, int64_t end,
                   uint64_t done)
{
    const pod_rectangle r = {row, end, rectangle->column, rectangle->column_end};
    assert(!loop->pack_count || (rectangle->row <= row && row <= end && end <= rectangle->row_end));
    for (uint32_t i = 0; i < loop->pack_count; i++) {
        const pod_loop_pack *one = &loop->packs[i];
        if ((i < 64 && done >> i & 1) || (one->kept && !worker->run->keeps))
            continue;
        uint64_t together = 0;
        for (uint32_t j = i; j < loop->pack_count && j < 64 && is_rounded(one); j++) {
            const pod_loop_pack *other = &loop->packs[j];
            if (other->source == one->source && is_rounded(other) && (!other->kept || worker->run->keeps))
                together |= (UINT64_C(1) << j) & ~done;
        }
        if (together)
            round_and_pack(worker, loop, one, together, &r);
        else
            pack(worker, loop, one, one->dtype, stored_at(worker, loop, one, &r), loop->columns, &r);
        done |= together;
    }
}
