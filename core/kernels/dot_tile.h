#ifndef POD_KERNELS_DOT_TILE_H
#define POD_KERNELS_DOT_TILE_H

/*
 * dot_tile - the inner kernel of products, over vectors of the including family's width. A family's file defines,
 * before including it once,
 *
 *     POD_TILE_LANES     words in a vector
 *     POD_TILE_ROWS      4 or 8
 *     POD_TILE_VECTORS   vectors of a panel: 2 or 3
 *     POD_TILE_WORD      the type of a word of a: an f32, or a pair of bf16 as int
 *     POD_TILE_UNIT      elements of k in a word: 1 or 2
 *     POD_TILE_FMA(a, b, c)   a * b + c where a is a word, b and c are pod_tile_vector
 *
 *     POD_TILE_STORE(end, j, sums, tile, rows)   stores vectors, columns j on of `rows` of `tile` rows, as a
 *                                                pod_tile_end says, and
 *     POD_TILE_FETCH(end, i, j)   asks for room for that of row i; not defined: nothing is finished
 *
 * Accumulators, the vectors of b and one of a have to fit the registers.
 */

#include "base/sizes.h"
#include "kernels/dot.h"
#include "kernels/unroll.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TILE_INLINE static inline __attribute__((always_inline, unused))

/* Bytes of an element of k. */
#define TILE_ELEMENT (4 / POD_TILE_UNIT)

typedef float pod_tile_vector __attribute__((vector_size(POD_TILE_LANES * 4)));

/* Where a tile's rows lie: `step` bytes from one word of k to the next in each of `count` runs; runs NULL: in one. */
typedef struct pod_tile_lanes {
    const char *rows[POD_TILE_ROWS];
    int64_t step, count;
    const int64_t *runs;
} pod_tile_lanes;

#if defined(POD_TILE_STORE)
/* Finishes and stores the rows of a tile that are there. */
TILE_INLINE void end_tile(int tile, int vectors, pod_tile_vector sums[][POD_TILE_VECTORS], int64_t rows,
                          const pod_tile_end *end)
{
    POD_UNROLL (4, int j = 0; j < vectors; j++) {
        pod_tile_vector column[POD_TILE_ROWS];
        POD_UNROLL (8, int i = 0; i < tile; i++)
            column[i] = sums[i][j];
        POD_TILE_STORE(end, j * POD_TILE_LANES, column, tile, rows);
    }
}
#endif

/* tile and vectors are constants wherever this is inlined; k counts the words of a run, `rows` of the tile's are
 * there. */
TILE_INLINE void multiply_tile(int tile, int vectors, float *c, int64_t c_stride, const pod_tile_lanes *a,
                               const char *b, int64_t k, int64_t rows, bool accumulate, const pod_tile_end *end)
{
    pod_tile_vector sums[POD_TILE_ROWS][POD_TILE_VECTORS];
#if defined(POD_TILE_STORE)
    if (end)
        POD_UNROLL (8, int i = 0; i < tile; i++)
            POD_UNROLL (4, int j = 0; j < vectors; j++)
                POD_TILE_FETCH(end, i, j * POD_TILE_LANES);
#endif
    POD_UNROLL (8, int i = 0; i < tile; i++)
        POD_UNROLL (4, int j = 0; j < vectors; j++) {
            sums[i][j] = (pod_tile_vector){0};
            if (accumulate)
                memcpy(&sums[i][j], c + i * c_stride + j * POD_TILE_LANES, sizeof(pod_tile_vector));
        }
    for (int64_t run = 0; run < (a->runs ? a->count : 1); run++) {
        const char *lines[POD_TILE_ROWS];
        POD_UNROLL (8, int i = 0; i < tile; i++)
            lines[i] = a->rows[i] + (a->runs ? a->runs[run] * TILE_ELEMENT : 0);
        for (int64_t at = 0; at < k; at++) {
            pod_tile_vector row[POD_TILE_VECTORS];
            POD_UNROLL (4, int j = 0; j < vectors; j++)
                memcpy(&row[j], b + j * (int64_t)sizeof row[j], sizeof row[j]);
            POD_UNROLL (8, int i = 0; i < tile; i++) {
                POD_TILE_WORD word;
                memcpy(&word, lines[i] + at * a->step, sizeof word);
                POD_UNROLL (4, int j = 0; j < vectors; j++)
                    sums[i][j] = (pod_tile_vector)POD_TILE_FMA(word, row[j], sums[i][j]);
            }
            b += vectors * (int64_t)sizeof row[0];
        }
    }
#if defined(POD_TILE_STORE)
    if (end) {
        end_tile(tile, vectors, sums, rows, end);
        return;
    }
#endif
    (void)rows, (void)end;
    POD_UNROLL (8, int i = 0; i < tile; i++)
        POD_UNROLL (4, int j = 0; j < vectors; j++)
            memcpy(c + i * c_stride + j * POD_TILE_LANES, &sums[i][j], sizeof(pod_tile_vector));
}

/* Rows that are not there are computed, too, and do not count. */
TILE_INLINE void multiply_rows(int vectors, float *c, int64_t c_stride, const pod_tile_lanes *a, const char *b,
                               int64_t k, int64_t rows, bool accumulate, const pod_tile_end *end)
{
    if (rows > POD_TILE_ROWS / 2)
        multiply_tile(POD_TILE_ROWS, vectors, c, c_stride, a, b, k, rows, accumulate, end);
    else if (rows > 1)
        multiply_tile(POD_TILE_ROWS / 2, vectors, c, c_stride, a, b, k, rows, accumulate, end);
    else
        multiply_tile(1, vectors, c, c_stride, a, b, k, rows, accumulate, end);
}

TILE_INLINE void multiply_vectors(float *c, int64_t c_stride, const pod_tile_lanes *a, const char *b, int64_t k,
                                  int64_t rows, int64_t columns, bool accumulate, const pod_tile_end *end)
{
    const int64_t vectors = pod_part_count(columns, POD_TILE_LANES);
    if (vectors == 1)
        multiply_rows(1, c, c_stride, a, b, k / POD_TILE_UNIT, rows, accumulate, end);
    else if (POD_TILE_VECTORS > 2 && vectors == 2)
        multiply_rows(2, c, c_stride, a, b, k / POD_TILE_UNIT, rows, accumulate, end);
    else
        multiply_rows(POD_TILE_VECTORS, c, c_stride, a, b, k / POD_TILE_UNIT, rows, accumulate, end);
}

/* pod_dot_family.multiply */
static void pod_kernel_tile_multiply(float *c, int64_t c_stride, const void *a, int64_t a_row_bytes, const void *b,
                                     int64_t k, int64_t rows, int64_t columns, bool accumulate, const pod_tile_end *end,
                                     const char *next, int64_t next_bytes)
{
    for (int64_t at = 0; at < next_bytes; at += 64)
        __builtin_prefetch(next + at, 0, 2);
    pod_tile_lanes at = {.step = 4};
    if (a_row_bytes) {
        POD_UNROLL (8, int i = 0; i < POD_TILE_ROWS; i++)
            at.rows[i] = (const char *)a + (i < rows ? i : rows - 1) * a_row_bytes;
        multiply_vectors(c, c_stride, &at, b, k, rows, columns, accumulate, end);
        return;
    }
    at.step = 4 * POD_TILE_ROWS;
    POD_UNROLL (8, int i = 0; i < POD_TILE_ROWS; i++)
        at.rows[i] = (const char *)a + 4 * i;
    multiply_vectors(c, c_stride, &at, b, k, rows, columns, accumulate, end);
}

/* pod_dot_family.multiply_pieces */
static void pod_kernel_tile_multiply_pieces(float *c, int64_t c_stride, const char *const *rows, const int64_t *runs,
                                            int64_t count, const void *b, int64_t k, int64_t row_count, int64_t columns,
                                            bool accumulate, const pod_tile_end *end)
{
    pod_tile_lanes at = {.step = 4, .count = count, .runs = runs};
    memcpy(at.rows, rows, sizeof at.rows);
    multiply_vectors(c, c_stride, &at, b, k, row_count, columns, accumulate, end);
}

#endif
