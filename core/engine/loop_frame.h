#ifndef POD_ENGINE_LOOP_FRAME_H
#define POD_ENGINE_LOOP_FRAME_H

/* loop_frame - what a loop that runs block by block has in hand: see run_blocks.c, and run_loads.c for what it loads.
 */

#include "engine/run_loop.h"

/* Registers point into `blocks`, or where a load found its elements lying as they should. */
typedef struct pod_loop_frame {
    pod_worker *worker;
    const pod_kernels *kernels;
    const pod_loop *loop;
    const pod_result_tile *tile; /* NULL: none */
    char *blocks, *staging;
    char **registers;
} pod_loop_frame;

/* A block: rows row .. row + rows - 1, columns column .. column + width - 1. */
typedef struct pod_loop_block {
    int64_t row, rows, column, width;
} pod_loop_block;

/* The register's own memory. */
static inline char *pod_run_own_block(const pod_loop_frame *f, uint32_t index)
{
    return f->blocks + (size_t)index * f->loop->register_bytes;
}

static inline char *pod_run_frame_memory(const pod_loop_frame *f, uint32_t slot)
{
    return pod_run_slot_memory(f->worker, slot);
}

/* Fills a register with the elements of a block. */
void pod_run_load(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b);

#endif
