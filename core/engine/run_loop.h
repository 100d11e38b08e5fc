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

/* Takes tiles of a product: the context of pod_run_take_tile(). */
typedef struct pod_tile_taker {
    pod_worker *worker;
    const pod_loop *loop;
    int64_t first_row; /* of the loop's rows: where the product begins */
    char *scratch;
} pod_tile_taker;

/* The epilogue of a pod_dot_call or a pod_convolution_call: runs the loop on a tile. */
void pod_run_take_tile(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                       int64_t columns);

/* Returns whether a kernel can do to sums in its registers what the loop does to their tiles; *finish then says what.
 */
bool pod_run_finishes_sums(const pod_tile_taker *taker, pod_sums_finish *finish);

/* Rows that Adam updates: weight, m, v and gradient, and where the new weight, m and v go; strides in elements. */
typedef struct pod_adam_rows {
    const float *from[4];
    float *to[3];
    int64_t from_strides[4], to_strides[3], rows, width;
    float alpha;
    float *scratch; /* for rows x width elements: may be the gradient's own, when it is no tile */
} pod_adam_rows;

/* Row by row, or all at once where all rows lie one behind the other or are short. */
void pod_run_adam(const pod_kernels *kernels, const pod_loop_adam *adam, pod_adam_rows all);

/* Returns whether what a loop packs is no longer in a cache when the step reads it. */
bool pod_run_pack_streams(const pod_worker *worker, const pod_loop_pack *pack);

/* Packs what rows row .. end - 1 of a rectangle have stored; not those packs whose bits are in `done`. */
void pod_run_packs(pod_worker *worker, const pod_loop *loop, const pod_rectangle *rectangle, int64_t row, int64_t end,
                   uint64_t done);

/* Each does what pod_run_rectangle() does, in a way of its own; false, and nothing is done, when the loop was not
 * planned so (program/loop_plans.h), or the rectangle's width or rows by address forbid it. By a table of results
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
