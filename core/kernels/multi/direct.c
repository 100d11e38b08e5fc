/*
 * The kernels of direct.h. This file is compiled with products and additions contracted to fused ones where
 * the family, but the portable one, has them.
 */

#include "base/sizes.h"
#include "kernels/direct.h"

#include "kernels/block_formats.h"
#include "kernels/finish_sums.h"
#include "kernels/unroll.h"

#if defined(__AVX512F__)
#include "kernels/direct_avx512.h"
#endif

/* With two vectors side by side, sums of so many places, or of so many rows of k, a row of vectors and one more fill
 * the registers. */
#if defined(__AVX512F__)
#define MOST_ROWS 12
#define MOST_SUMS 9
#else
#define MOST_ROWS 6
#define MOST_SUMS 6
#endif

#define DIRECT_INLINE static inline __attribute__((always_inline))

static void widen(float *to, pod_dtype dtype, const void *from, int64_t count)
{
    read_floats(dtype, from, 0, to, count);
}

/* Holds what tiles of places by columns are made of. */
typedef struct run_of_places {
    const float *weights;
    int64_t columns;
    const float *line;
    int64_t step;
    const int64_t *offsets;
    int64_t k;
} run_of_places;

/* Where sums go: tile, as they are, or what `finish` makes of them, from row `row` on. */
typedef struct target {
    float *tile;
    const pod_sums_finish *finish;
    int64_t row;
} target;

/* Finishes and stores vectors of columns from `column` on of rows `row` on of the result. */
DIRECT_INLINE void finish_places(int rows, int vectors, bool narrow, const pod_sums_finish *finish, int64_t row,
                                 int64_t column, floats sums[][2])
{
    POD_UNROLL (2, int j = 0; j < vectors; j++) {
        floats of_column[MOST_ROWS];
        POD_UNROLL (12, int i = 0; i < rows; i++)
            of_column[i] = sums[i][j];
        if (!narrow) {
            store_sums(finish, row, column + j * LANES, of_column, rows, rows);
            continue;
        }
        finish_sums(finish, row, column + j * LANES, of_column, rows, rows);
        POD_UNROLL (12, int i = 0; i < rows; i++)
            sums[i][j] = of_column[i];
    }
    if (!narrow)
        return;
    uint16_t *to = (uint16_t *)finish->to + row * finish->stride + column;
    POD_UNROLL (12, int i = 0; i < rows; i++, to += finish->stride)
        if (vectors == 2) {
            const double_halves both = narrow_two(sums[i][0], sums[i][1]);
            memcpy(to, &both, sizeof both);
        } else {
            const halves one = narrow_one(sums[i][0]);
            memcpy(to, &one, sizeof one);
        }
}

/* `rows` places by `vectors` vectors of columns; both are constants wherever this is inlined, as is whether there is
 * something to finish, and whether that narrows. */
DIRECT_INLINE void convolve_tile(int rows, int vectors, bool finishes, bool narrow, const target *to,
                                 const run_of_places *of, int64_t place, int64_t column)
{
    floats sums[MOST_ROWS][2] = {0};
    const float *line = of->line + place * of->step;
    for (int64_t at = 0; at < of->k; at++) {
        const float *x = line + of->offsets[at];
        floats row[2];
        POD_UNROLL (2, int j = 0; j < vectors; j++)
            row[j] = load(of->weights + at * of->columns + column + j * LANES);
        POD_UNROLL (12, int i = 0; i < rows; i++)
            POD_UNROLL (2, int j = 0; j < vectors; j++)
                sums[i][j] += x[i * of->step] * row[j];
    }
    if (finishes) {
        finish_places(rows, vectors, narrow, to->finish, to->row + place, column, sums);
        return;
    }
    POD_UNROLL (12, int i = 0; i < rows; i++)
        POD_UNROLL (2, int j = 0; j < vectors; j++)
            memcpy(to->tile + (place + i) * of->columns + column + j * LANES, &sums[i][j], sizeof(floats));
}

DIRECT_INLINE void convolve_rows(int vectors, bool finishes, bool narrow, const target *to, const run_of_places *of,
                                 int64_t places, int64_t column)
{
    int64_t at = 0;
    for (; places - at >= MOST_ROWS; at += MOST_ROWS)
        convolve_tile(MOST_ROWS, vectors, finishes, narrow, to, of, at, column);
    for (; places - at >= 4; at += 4)
        convolve_tile(4, vectors, finishes, narrow, to, of, at, column);
    for (; places > at; at++)
        convolve_tile(1, vectors, finishes, narrow, to, of, at, column);
}

DIRECT_INLINE void convolve_all(bool finishes, bool narrow, const target *to, const run_of_places *of, int64_t places)
{
    int64_t column = 0;
    for (; column + 2 * LANES <= of->columns; column += 2 * LANES)
        convolve_rows(2, finishes, narrow, to, of, places, column);
    if (column < of->columns)
        convolve_rows(1, finishes, narrow, to, of, places, column);
}

static void convolve(float *tile, const float *weights, int64_t columns, const float *line, int64_t step,
                     const int64_t *offsets, int64_t k, int64_t places)
{
    const run_of_places of = {weights, columns, line, step, offsets, k};
    convolve_all(false, false, &(target){.tile = tile}, &of, places);
}

static void convolve_finished(const pod_sums_finish *finish, int64_t row, const float *weights, int64_t columns,
                              const float *line, int64_t step, const int64_t *offsets, int64_t k, int64_t places)
{
    const run_of_places of = {weights, columns, line, step, offsets, k};
    if (finish->dtype == POD_BF16)
        convolve_all(true, true, &(target){.finish = finish, .row = row}, &of, places);
    else
        convolve_all(true, false, &(target){.finish = finish, .row = row}, &of, places);
}

/* `rows` of k by `vectors` vectors of columns, over all places. */
DIRECT_INLINE void accumulate_tile(int rows, int vectors, float *to, const float *given, int64_t columns,
                                   const float *line, int64_t step, const int64_t *offsets, int64_t places)
{
    floats sums[MOST_SUMS][2];
    const float *x[MOST_SUMS];
    POD_UNROLL (9, int i = 0; i < rows; i++) {
        x[i] = line + offsets[i];
        POD_UNROLL (2, int j = 0; j < vectors; j++)
            sums[i][j] = load(to + i * columns + j * LANES);
    }
    for (int64_t at = 0; at < places; at++, given += columns) {
        floats row[2];
        POD_UNROLL (2, int j = 0; j < vectors; j++)
            row[j] = load(given + j * LANES);
        POD_UNROLL (9, int i = 0; i < rows; i++)
            POD_UNROLL (2, int j = 0; j < vectors; j++)
                sums[i][j] += x[i][at * step] * row[j];
    }
    POD_UNROLL (9, int i = 0; i < rows; i++)
        POD_UNROLL (2, int j = 0; j < vectors; j++)
            memcpy(to + i * columns + j * LANES, &sums[i][j], sizeof(floats));
}

/* Rows of k that are taken over all places at once. */
DIRECT_INLINE int64_t rows_together(int64_t rows)
{
    if ((rows == 9 && MOST_SUMS >= 9) || rows == 6 || rows == 5)
        return rows;
    return rows >= 4 ? 4 : 1;
}

DIRECT_INLINE void accumulate_columns(int vectors, float *to, const float *given, int64_t columns, const float *line,
                                      int64_t step, const int64_t *offsets, int64_t k, int64_t places)
{
    int64_t blocks = pod_part_count(k, MOST_SUMS);
    for (int64_t block = 0, at = 0; block < blocks; block++)
        for (int64_t end = (block + 1) * k / blocks, taken; at < end; at += taken) {
            float *sums = to + at * columns;
            const int64_t *from = offsets + at;
            taken = rows_together(end - at);
            if (taken == 9)
                accumulate_tile(9, vectors, sums, given, columns, line, step, from, places);
            else if (taken == 6)
                accumulate_tile(6, vectors, sums, given, columns, line, step, from, places);
            else if (taken == 5)
                accumulate_tile(5, vectors, sums, given, columns, line, step, from, places);
            else if (taken == 4)
                accumulate_tile(4, vectors, sums, given, columns, line, step, from, places);
            else
                accumulate_tile(1, vectors, sums, given, columns, line, step, from, places);
        }
}

static void accumulate(float *sums, const float *given, int64_t columns, const float *line, int64_t step,
                       const int64_t *offsets, int64_t k, int64_t places)
{
    int64_t column = 0;
    for (; column + 2 * LANES <= columns; column += 2 * LANES)
        accumulate_columns(2, sums + column, given + column, columns, line, step, offsets, k, places);
    if (column < columns)
        accumulate_columns(1, sums + column, given + column, columns, line, step, offsets, k, places);
}

#if LANES == POD_DIRECT_TABLE

/* `rows` of k by one vector of columns, over all windows. */
DIRECT_INLINE void windows_tile(int rows, bool narrow, float *to, int64_t columns, int64_t column,
                                const pod_direct_windows *of, const int32_t *offsets, int64_t windows)
{
    floats sums[MOST_SUMS];
    integers first;
    memcpy(&first, of->first, sizeof first);
    POD_UNROLL (9, int i = 0; i < rows; i++)
        sums[i] = load(to + i * columns + column);
    for (int64_t window = 0; window < windows; window++) {
        int64_t at = window * columns + column;
        floats given, table = load(of->tables + window * POD_DIRECT_TABLE);
        bytes_16 positions;
        memcpy(&positions, of->positions + at, sizeof positions);
        integers place = pick_integers_16(first, (integers)widen_16_bytes(positions));
        if (narrow) {
            halves_16 stored;
            memcpy(&stored, (const uint16_t *)of->given + at, sizeof stored);
            given = (floats)(widen_16_halves(stored) << 16);
        } else {
            given = load((const float *)of->given + at);
        }
        POD_UNROLL (9, int i = 0; i < rows; i++)
            sums[i] += pick_16(table, place + offsets[i]) * given;
    }
    POD_UNROLL (9, int i = 0; i < rows; i++)
        memcpy(to + i * columns + column, &sums[i], sizeof(floats));
}

DIRECT_INLINE void windows_rows(bool narrow, float *sums, int64_t columns, const pod_direct_windows *of, int64_t k,
                                int64_t windows)
{
    for (int64_t column = 0; column < columns; column += LANES)
        for (int64_t at = 0, taken; at < k; at += taken) {
            float *to = sums + at * columns;
            taken = k - at == 9 ? 9 : k - at >= 4 ? 4 : 1;
            if (taken == 9)
                windows_tile(9, narrow, to, columns, column, of, of->offsets + at, windows);
            else if (taken == 4)
                windows_tile(4, narrow, to, columns, column, of, of->offsets + at, windows);
            else
                windows_tile(1, narrow, to, columns, column, of, of->offsets + at, windows);
        }
}

static void accumulate_windows(float *sums, int64_t columns, const pod_direct_windows *of, int64_t k, int64_t windows)
{
    if (of->dtype == POD_BF16)
        windows_rows(true, sums, columns, of, k, windows);
    else
        windows_rows(false, sums, columns, of, k, windows);
}

#endif

extern const pod_direct_kernels POD_FAMILY_TABLE;

const pod_direct_kernels POD_FAMILY_TABLE = {
    .widen = widen,
    .convolve = convolve,
    .convolve_finished = convolve_finished,
    .accumulate = accumulate,
#if LANES == POD_DIRECT_TABLE
    .accumulate_windows = accumulate_windows,
#endif
};
