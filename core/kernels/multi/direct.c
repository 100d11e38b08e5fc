/*
 * The kernels of direct.h. This file is compiled with products and additions contracted to fused ones where
 * the family has them.
 */

#pragma GCC diagnostic ignored "-Wpsabi"

#include "kernels/direct.h"

#include "kernels/block_formats.h"

#include <string.h>

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

/* With two vectors side by side, so many sums, a row of vectors and one more fill 16 registers. */
#define MOST_ROWS 6

#define DIRECT_INLINE static inline __attribute__((always_inline))

typedef float floats __attribute__((vector_size(LANES * 4)));

DIRECT_INLINE floats load(const float *from)
{
    floats x;
    memcpy(&x, from, sizeof x);
    return x;
}

static void widen(float *to, pod_dtype dtype, const void *from, int64_t count)
{
    read_floats(dtype, from, 0, to, count);
}

/* `rows` places by `vectors` vectors of columns; both are constants wherever this is inlined. */
DIRECT_INLINE void convolve_tile(int rows, int vectors, float *tile, const float *weights,
                                 int64_t columns, const float *line, int64_t step,
                                 const int64_t *offsets, int64_t k)
{
    floats sums[MOST_ROWS][2] = {0};
    for (int64_t at = 0; at < k; at++) {
        const float *x = line + offsets[at];
        floats row[2];
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++)
            row[j] = load(weights + at * columns + j * LANES);
#pragma GCC unroll 6
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
            for (int j = 0; j < vectors; j++)
                sums[i][j] += x[i * step] * row[j];
    }
#pragma GCC unroll 6
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++)
            memcpy(tile + i * columns + j * LANES, &sums[i][j], sizeof(floats));
}

DIRECT_INLINE void convolve_rows(int vectors, float *tile, const float *weights, int64_t columns,
                                 const float *line, int64_t step, const int64_t *offsets, int64_t k,
                                 int64_t places)
{
    for (; places >= MOST_ROWS; places -= MOST_ROWS) {
        convolve_tile(MOST_ROWS, vectors, tile, weights, columns, line, step, offsets, k);
        tile += MOST_ROWS * columns;
        line += MOST_ROWS * step;
    }
    for (; places >= 2; places -= 2) {
        convolve_tile(2, vectors, tile, weights, columns, line, step, offsets, k);
        tile += 2 * columns;
        line += 2 * step;
    }
    if (places > 0)
        convolve_tile(1, vectors, tile, weights, columns, line, step, offsets, k);
}

static void convolve(float *tile, const float *weights, int64_t columns, const float *line,
                     int64_t step, const int64_t *offsets, int64_t k, int64_t places)
{
    int64_t column = 0;
    for (; column + 2 * LANES <= columns; column += 2 * LANES)
        convolve_rows(2, tile + column, weights + column, columns, line, step, offsets, k, places);
    if (column < columns)
        convolve_rows(1, tile + column, weights + column, columns, line, step, offsets, k, places);
}

/* `rows` of k by `vectors` vectors of columns, over all places. */
DIRECT_INLINE void accumulate_tile(int rows, int vectors, float *to, const float *given,
                                   int64_t columns, const float *line, int64_t step,
                                   const int64_t *offsets, int64_t places)
{
    floats sums[MOST_ROWS][2];
    const float *x[MOST_ROWS];
#pragma GCC unroll 6
    for (int i = 0; i < rows; i++) {
        x[i] = line + offsets[i];
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++)
            sums[i][j] = load(to + i * columns + j * LANES);
    }
    for (int64_t at = 0; at < places; at++, given += columns) {
        floats row[2];
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++)
            row[j] = load(given + j * LANES);
#pragma GCC unroll 6
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
            for (int j = 0; j < vectors; j++)
                sums[i][j] += x[i][at * step] * row[j];
    }
#pragma GCC unroll 6
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++)
            memcpy(to + i * columns + j * LANES, &sums[i][j], sizeof(floats));
}

DIRECT_INLINE void accumulate_columns(int vectors, float *to, const float *given, int64_t columns,
                                      const float *line, int64_t step, const int64_t *offsets,
                                      int64_t k, int64_t places)
{
    int64_t blocks = (k + MOST_ROWS - 1) / MOST_ROWS;
    for (int64_t block = 0, at = 0; block < blocks; block++) {
        int64_t rows = (block + 1) * k / blocks - at;
        float *sums = to + at * columns;
        const int64_t *from = offsets + at;
        switch (rows) {
        case 6:
            accumulate_tile(6, vectors, sums, given, columns, line, step, from, places);
            break;
        case 5:
            accumulate_tile(5, vectors, sums, given, columns, line, step, from, places);
            break;
        case 4:
            accumulate_tile(4, vectors, sums, given, columns, line, step, from, places);
            break;
        default:
            for (int64_t i = 0; i < rows; i++)
                accumulate_tile(1, vectors, sums + i * columns, given, columns, line, step,
                                from + i, places);
        }
        at += rows;
    }
}

static void accumulate(float *sums, const float *given, int64_t columns, const float *line,
                       int64_t step, const int64_t *offsets, int64_t k, int64_t places)
{
    int64_t column = 0;
    for (; column + 2 * LANES <= columns; column += 2 * LANES)
        accumulate_columns(2, sums + column, given + column, columns, line, step, offsets, k,
                           places);
    if (column < columns)
        accumulate_columns(1, sums + column, given + column, columns, line, step, offsets, k,
                           places);
}

extern const pod_direct_kernels POD_FAMILY_TABLE;

const pod_direct_kernels POD_FAMILY_TABLE = {
    .widen = widen,
    .convolve = convolve,
    .accumulate = accumulate,
};
