/* run_adam - Adam over rows of a block: see run_loop.h. */

#include "engine/run_loop.h"

#include "base/sizes.h"

#include <string.h>

/* A vector's elements: rows that are no multiple would end in a part of one. */
#define LANES 16

/* Rows that are asked from memory before they are needed: parts of long rows lie on pages of their own, where no
 * prefetcher of the machine goes. */
#define ROWS_AHEAD 16

/* Puts short rows one behind the other. */
static void join_rows(float *to, const float *from, int64_t stride, int64_t rows, int64_t width)
{
    const int64_t whole = pod_round_up(width, LANES);
    for (int64_t row = 0; row < rows; row++, from += stride) {
        /* What a vector writes too much the next row covers. */
        if (whole <= stride && row * width + whole <= rows * width)
            for (int64_t i = 0; i < whole; i += LANES)
                memcpy(to + row * width + i, from + i, LANES * sizeof *to);
        else
            memcpy(to + row * width, from, (size_t)width * sizeof *to);
    }
}

static void fetch_rows(const pod_adam_rows *all)
{
    for (int i = 0; i < 3; i++) {
        const char *next = (const char *)(all->from[i] + ROWS_AHEAD * all->from_strides[i]);
        for (int64_t at = 0; at < all->width * 4; at += 64)
            __builtin_prefetch(next + at, 0, 2);
    }
}

void pod_run_adam(const pod_kernels *kernels, const pod_loop_adam *adam, pod_adam_rows all)
{
    bool joined = true;
    for (int i = 0; i < 3; i++)
        joined = joined && all.from_strides[i] == all.width && all.to_strides[i] == all.width;
    if (joined && all.from_strides[3] != all.width && all.width % LANES != 0) {
        join_rows(all.scratch, all.from[3], all.from_strides[3], all.rows, all.width);
        all.from[3] = all.scratch;
        all.from_strides[3] = all.width;
    }
    if (joined && all.from_strides[3] == all.width) {
        all.width *= all.rows;
        all.rows = 1;
    }
    for (int64_t row = 0; row < all.rows; row++) {
        if (!joined)
            fetch_rows(&all);
        kernels->adam(all.to, all.from, all.alpha, adam->rest_1, adam->rest_2, adam->epsilon, (size_t)all.width);
        for (int i = 0; i < 4; i++)
            all.from[i] += all.from_strides[i];
        for (int i = 0; i < 3; i++)
            all.to[i] += all.to_strides[i];
    }
}
