#ifndef POD_ENGINE_RUN_LOOP_H
#define POD_ENGINE_RUN_LOOP_H

/* run_loop - fused loops, by themselves and on the tiles of products. */

#include "engine/execute.h"

/* A part of a product's result in cache: `data` is element (row, column). */
typedef struct pod_result_tile {
    const float *data;
    int64_t stride, row, column;
} pod_result_tile;

typedef struct pod_rectangle {
    int64_t row, row_end, column, column_end;
} pod_rectangle;

/* Runs a loop over some of its elements. `scratch` has loop->scratch_bytes, 64-aligned. */
void pod_run_rectangle(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                       const pod_rectangle *rectangle, char *scratch);

/* Rows that Adam updates: weight, m, v and gradient, and where the new weight, m and v go; strides in elements. */
typedef struct pod_adam_rows {
    const float *from[4];
    float *to[3];
    int64_t from_strides[4], to_strides[3], rows, width;
    float alpha;
    float *room; /* for rows x width elements: may be the gradient's own, when it is no tile */
} pod_adam_rows;

/* Row by row, or all at once where all rows lie one behind the other or are short. */
void pod_run_adam(const pod_kernels *kernels, const pod_loop_adam *adam, pod_adam_rows all);

/* Copies `count` elements that lie `stride` apart; `from` NULL gives offset, offset + stride, ... as
 * s64. */
void pod_run_copy_strided(char *to, const char *from, int64_t offset, int64_t stride, size_t size, int64_t count);

/* Returns whether what a loop packs is no longer in a cache when the step reads it. */
bool pod_run_pack_streams(const pod_worker *worker, const pod_loop_pack *pack);

/* Packs what rows row .. end - 1 of a rectangle have stored; not those packs whose bits are in `done`. */
void pod_run_packs(pod_worker *worker, const pod_loop *loop, const pod_rectangle *rectangle, int64_t row, int64_t end,
                   uint64_t done);

/* Each does what pod_run_rectangle() does, in a way of its own; false, and nothing is done, when the loop was not
 * planned so (program/loop_plans.h), or the rectangle's width or rows that lie apart forbid it. By a table of results
 * by byte; by the kernel of kernels/finish.h; by that of kernels/chains.h; block by block, which all loops can be. */
bool pod_run_table(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                   const pod_rectangle *rectangle, char *scratch);
bool pod_run_finish(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                    const pod_rectangle *rectangle, char *scratch);
bool pod_run_chains(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                    const pod_rectangle *rectangle, char *scratch);
bool pod_run_blocks(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                    const pod_rectangle *rectangle, char *scratch);

#endif
