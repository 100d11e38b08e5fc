#ifndef POD_KERNELS_DOT_H
#define POD_KERNELS_DOT_H

/*
 * dot - what the kernels of matrix products share. A family gives a small set of functions over packed
 * operands (pod_dot_family); pod_kernel_dot_drive() cuts a product into blocks that fit the caches and
 * calls them. The tables of each family are declared at the end.
 *
 * Packed operands: both sides are packed along k in words of 4 bytes: one f32, or a pair of bf16 with
 * consecutive k. A *panel* of `width` lanes (rows of a, or columns of b) is stored [word][lane], so that
 * the kernel reads one lane of a (broadcast) and vectors of lanes of b. Rows of a whose words lie in memory
 * as the kernel reads them are not packed at all (reads_rows).
 *
 * Every element of a result is summed by one accumulator over k in rising order, and an accumulator
 * that is stored and loaded again keeps its bits; so no blocking chosen here or by a caller changes
 * a result.
 */

#include "kernels/kernels.h"

/* What becomes of a tile whose sums have all k: element (0, 0) of it is row `row`, column `column` of the result. */
typedef struct pod_tile_end {
    const pod_sums_finish *finish;
    int64_t row, column;
} pod_tile_end;

typedef struct pod_dot_family {
    int64_t tile_rows;      /* rows that multiply() computes at once */
    int64_t panel_columns;  /* columns that multiply() computes at once */
    int64_t vector_columns; /* a narrow last panel is stored with a multiple of this many columns */
    int64_t k_unit;         /* k is padded with zeros to a multiple of this */
    int64_t packed_bytes;   /* bytes of an element of a packed operand with all its parts: 2, 4 or 6 */
    int64_t a_bytes;        /* bytes of an element of a: 2 or 4 */
    /* Blocking: rows of a packed at once, k packed at once, k that one call of multiply() takes
     * (multiples of k_unit), and columns whose sums are finished and handed on together. */
    int64_t row_block, k_chunk, k_block, column_group;

    /* Whether multiply() can read rows of a where they lie, if k_stride is 1 and k a multiple of k_unit. */
    bool reads_rows;
    /* What runs of pieces (pod_dot_pieces) are a multiple of; 0: none are read. Their elements have packed_bytes. */
    int64_t piece_unit;
    /* Packs up to tile_rows rows of a, k elements each, at `packed`, the next tile_rows at packed +
     * tile_bytes and so on; missing rows and k up to k_unit become 0. */
    void (*pack_a)(void *packed, int64_t tile_bytes, const void *a, int64_t rows, int64_t k, int64_t row_stride,
                   int64_t k_stride);
    /* Packs up to panel_columns columns of b in the same way, `width` columns wide. In a panel of up to word_columns, a
     * word of k follows another wherever the first begins. */
    int64_t word_columns;
    void (*pack_b)(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns, int64_t k,
                   int64_t k_stride, int64_t column_stride);
    /* Copies whole lines of 64 bytes, aligned to them, past the caches; other threads see them after the next barrier.
     * NULL: there is no such copy. */
    void (*stream)(void *to, const void *from, size_t bytes);
    /* c[rows, columns] = (or, to accumulate, +=) a tile of a times a panel of b over k padded elements.
     * May write whole tiles: c has tile_rows rows and a multiple of vector_columns columns.
     * a_row_bytes is 0 for a packed a, else the distance of its rows as they lie.
     * `next` is memory wanted soon: next_bytes to prefetch. `end`, where it is not NULL: sums go there and not to c;
     * for families that finish. */
    void (*multiply)(float *c, int64_t c_stride, const void *a, int64_t a_row_bytes, const void *b, int64_t k,
                     int64_t rows, int64_t columns, bool accumulate, const pod_tile_end *end, const char *next,
                     int64_t next_bytes);
    /* The same of an a in pieces: rows[0 .. tile_rows - 1] are where `count` runs of k elements, at runs[0] and so on,
     * are counted from. NULL where piece_unit is 0, and where products are not driven by pod_kernel_dot_drive(). */
    void (*multiply_pieces)(float *c, int64_t c_stride, const char *const *rows, const int64_t *runs, int64_t count,
                            const void *b, int64_t k, int64_t row_count, int64_t columns, bool accumulate,
                            const pod_tile_end *end);
    bool finishes; /* whether these know what a pod_tile_end asks for, of a result of f32 */
    /* Called around a run that is not begun by its caller; may be NULL. */
    void (*begin)(void);
    void (*end)(void);
} pod_dot_family;

/* The functions of pod_dot_kernels that call those of a family. */
size_t pod_kernel_dot_scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call);
void pod_kernel_dot_drive(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                          int64_t column_begin, int64_t column_end, void *scratch);

/* Hands a finished tile to the call's epilogue and stores what it leaves in the result. */
void pod_kernel_dot_finish(const pod_dot_call *call, float *tile, int64_t stride, int64_t row, int64_t column,
                           int64_t rows, int64_t columns);

/* Returns whether a call is given up before its next block of rows. */
static inline bool pod_kernel_dot_stops(const pod_dot_call *call)
{
    return call->stops != NULL && call->stops(call->stops_context);
}

/* pass_rows of kernels that compute as long as that much of b takes from the L3 cache to L2. */
#define POD_PASS_ROWS 128

/* Defines the table `kernels` of a family that pod_kernel_dot_drive() drives. */
#define POD_DOT_TABLE(kernels, of_family, granularity, least, rows, columns, time)                                     \
    const pod_dot_kernels kernels = {                                                                                  \
        .row_granularity = granularity,                                                                                \
        .least_rows = least,                                                                                           \
        .row_block = rows,                                                                                             \
        .pass_rows = (rows) < POD_PASS_ROWS ? (rows) : POD_PASS_ROWS,                                                  \
        .panel_columns = columns,                                                                                      \
        .family = &(of_family),                                                                                        \
        .scratch_bytes = pod_kernel_dot_scratch_bytes,                                                                 \
        .run = pod_kernel_dot_drive,                                                                                   \
        .nanoseconds = time,                                                                                           \
    }

/* The tables. Those of a family that the build leaves out do not exist: see choose.c. */
extern const pod_dot_kernels pod_dot_f32_portable, pod_dot_bf16_portable;
extern const pod_dot_kernels pod_dot_f32_neon, pod_dot_bf16_neon, pod_dot_bf16_neonbf16;
extern const pod_dot_kernels pod_dot_f32_avx2, pod_dot_bf16_avx2;
extern const pod_dot_kernels pod_dot_f32_avx512, pod_dot_bf16_avx512;
extern const pod_dot_kernels pod_dot_bf16_avx512bf16;
extern const pod_dot_kernels pod_dot_bf16_amx;
extern const pod_dot_kernels pod_few_portable, pod_few_neon, pod_few_avx2, pod_few_avx512;
extern const pod_dot_kernels pod_dot_f32_six_amx, pod_dot_f32_three_amx;

#endif
