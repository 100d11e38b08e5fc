#include "kernels/dot.h"

#include "base/sizes.h"

#include <assert.h>
#include <string.h>

static bool packs(const pod_dot_kernels *kernels)
{
    return kernels->family != NULL && (kernels->reads_plain == NULL || !kernels->reads_plain());
}

size_t pod_kernel_dot_packed_b_bytes(const pod_dot_kernels *kernels, int64_t k, int64_t n)
{
    const pod_dot_family *family = kernels->family;
    if (!packs(kernels))
        return 0;
    /* Never 0, which would mean that b is not packed. */
    return (size_t)(pod_round_up(n, family->vector_columns) * pod_round_up(k, family->k_unit) * family->packed_bytes +
                    64);
}

/* Columns that are neighbours in memory are packed for so many k at a time, panel after panel: so the
 * lines and pages of all panels stay near. */
#define PACKED_TOGETHER 64

void pod_kernel_dot_pack_b(const pod_dot_kernels *kernels, void *packed, pod_dtype dtype, const void *b, int64_t k,
                           int64_t n, int64_t k_stride, int64_t column_stride, int64_t panel_begin, int64_t panel_end)
{
    const pod_dot_family *family = kernels->family;
    int64_t first = panel_begin * kernels->panel_columns, last = panel_end * kernels->panel_columns;
    int64_t column_bytes = pod_round_up(k, family->k_unit) * family->packed_bytes;
    int64_t element_bytes = (int64_t)pod_dtype_size(dtype);
    int64_t step = k_stride == 1 ? k : PACKED_TOGETHER;
    for (int64_t at = 0; at < k; at += step)
        for (int64_t column = first; column < pod_smaller(last, n); column += family->panel_columns) {
            int64_t columns = pod_smaller(family->panel_columns, n - column);
            int64_t width = pod_round_up(columns, family->vector_columns);
            char *to = (char *)packed + column * column_bytes + at * width * family->packed_bytes;
            family->pack_b(to, width, dtype, (const char *)b + (at * k_stride + column * column_stride) * element_bytes,
                           columns, pod_smaller(step, k - at), k_stride, column_stride);
        }
}

/* How one call is blocked. */
typedef struct blocking {
    int64_t rows;    /* of a packed at once */
    int64_t k_chunk; /* of a packed at once */
    int64_t columns; /* finished together */
    int64_t stride;  /* of the tile of sums */
    int64_t a_bytes; /* of the packed rows, a multiple of 64 */
} blocking;

/* Elements of a that are packed at once. */
static int64_t packed_at_once(const pod_dot_family *family)
{
    return family->row_block * family->k_chunk;
}

/* Returns whether a is read where it lies. */
static bool is_direct(const pod_dot_family *family, const pod_dot_call *call)
{
    return call->pieces != NULL || (family->reads_rows && call->a_k_stride == 1 && call->k % family->k_unit == 0);
}

/* Distance of tiles of packed rows: a line more than they fill, since lines that are 2^n apart share a set
 * of the cache. */
static int64_t tile_bytes_of(const pod_dot_family *family, int64_t k)
{
    return pod_round_up(family->tile_rows * pod_round_up(k, family->k_unit) * family->packed_bytes, 64) + 64;
}

static blocking block_call(const pod_dot_family *family, const pod_dot_call *call, int64_t rows, int64_t columns)
{
    blocking result;
    int64_t k = call->k > 0 ? call->k : 1, most = family->row_block;
    int64_t whole = packed_at_once(family) / pod_round_up(k, family->k_unit) / family->tile_rows * family->tile_rows;
    result.columns = pod_even_part(columns, family->column_group, family->panel_columns);
    result.k_chunk = pod_even_part(k, family->k_chunk, family->k_unit);
    if (is_direct(family, call)) {
        result.k_chunk = k;
    } else if (result.k_chunk < k && result.columns < columns && whole >= most / 4) {
        /* Fewer rows, all k: so that no chunk is packed again for each group of columns. */
        result.k_chunk = pod_round_up(k, family->k_unit);
        most = pod_smaller(whole, most);
    }
    result.rows = pod_even_part(rows, most, family->tile_rows);
    assert(result.columns % family->panel_columns == 0 && result.rows % family->tile_rows == 0);
    result.stride = pod_round_up(pod_smaller(result.columns, columns), 16);
    result.a_bytes = 0;
    if (!is_direct(family, call))
        result.a_bytes = result.rows / family->tile_rows * tile_bytes_of(family, result.k_chunk);
    return result;
}

size_t pod_kernel_dot_scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call)
{
    const pod_dot_family *family = kernels->family;
    int64_t rows = pod_smaller(pod_round_up(call->m, family->tile_rows), family->row_block);
    int64_t columns = pod_smaller(pod_round_up(call->n, family->panel_columns), family->column_group);
    int64_t packed = pod_smaller(rows * pod_round_up(call->k + 1, family->k_unit), packed_at_once(family));
    packed = call->pieces != NULL ? 0 : packed * family->packed_bytes + rows / family->tile_rows * 128;
    return (size_t)(pod_round_up(packed, 64) + rows * pod_round_up(columns, 16) * (int64_t)sizeof(float) + 128);
}

void pod_kernel_dot_finish(const pod_dot_call *call, float *tile, int64_t stride, int64_t row, int64_t column,
                           int64_t rows, int64_t columns)
{
    if (call->epilogue != NULL)
        call->epilogue(call->epilogue_context, tile, stride, row, column, rows, columns);
    if (call->result == NULL)
        return;
    for (int64_t i = 0; i < rows; i++)
        memcpy(call->result + (row + i) * call->result_stride + column, tile + i * stride,
               (size_t)columns * sizeof(float));
}

/* Packs k elements of each of `rows` rows; those that are columns in memory some k at a time, like b. */
static void pack_rows(const pod_dot_family *family, const pod_dot_call *call, char *packed, int64_t row, int64_t rows,
                      int64_t k_begin, int64_t k)
{
    int64_t lane_bytes = family->tile_rows * family->packed_bytes;
    int64_t tile_bytes = tile_bytes_of(family, k);
    int64_t step = call->a_k_stride == 1 ? k : PACKED_TOGETHER;
    for (int64_t at = 0; at < k; at += step) {
        const char *a =
            (const char *)call->a + (row * call->a_row_stride + (k_begin + at) * call->a_k_stride) * family->a_bytes;
        family->pack_a(packed + at * lane_bytes, tile_bytes, a, rows, pod_smaller(step, k - at), call->a_row_stride,
                       call->a_k_stride);
    }
}

/* The part of a product that multiply_chunk() computes: rows of a, one chunk of k and the columns of a
 * group. */
typedef struct product_chunk {
    int64_t row, rows, column, columns, k_begin, k; /* k is padded */
    const char *a;
    int64_t a_row_bytes;  /* 0: packed */
    int64_t a_tile_bytes; /* of packed tiles */
    float *c;
    int64_t c_stride;
} product_chunk;

static void multiply_chunk(const pod_dot_family *family, const pod_dot_call *call, const product_chunk *part)
{
    int64_t bytes = family->packed_bytes;
    int64_t padded_k = pod_round_up(call->k, family->k_unit);
    int64_t tiles = pod_part_count(part->rows, family->tile_rows);
    assert(part->k_begin + part->k <= padded_k && part->column % family->panel_columns == 0);
    for (int64_t column = 0; column < part->columns; column += family->panel_columns) {
        int64_t columns = pod_smaller(family->panel_columns, part->columns - column);
        int64_t width = pod_round_up(columns, family->vector_columns);
        const char *panel = (const char *)call->b + (part->column + column) * padded_k * bytes;
        for (int64_t k = 0; k == 0 || k < part->k; k += family->k_block) {
            int64_t block = pod_smaller(family->k_block, part->k - k);
            const char *b = panel + (part->k_begin + k) * width * bytes;
            /* While the tiles of a pass over this block of b, the next one comes nearer. */
            int64_t share = pod_round_up(block * width * bytes / tiles, 64);
            const char *next = b + block * width * bytes;
            for (int64_t row = 0; row < part->rows; row += family->tile_rows) {
                int64_t offset = part->a_row_bytes
                                     ? row * part->a_row_bytes + k * family->a_bytes
                                     : row / family->tile_rows * part->a_tile_bytes + k * family->tile_rows * bytes;
                const pod_tile_end end = {call->finish, part->row + row, part->column + column};
                family->multiply(part->c + row * part->c_stride + column, part->c_stride, part->a + offset,
                                 part->a_row_bytes, b, block, pod_smaller(family->tile_rows, part->rows - row), columns,
                                 part->k_begin + k > 0,
                                 call->finish && part->k_begin + k + block == padded_k ? &end : NULL, next, share);
                next += share;
            }
        }
    }
}

/* Rows of pieces at once at most: every family's row_block and a tile. */
#define PIECE_ROWS (128 + 16)

/* Computes the sums of rows row .. row + rows - 1 of an a in pieces for the columns of a group. */
static void multiply_pieces(const pod_dot_family *family, const pod_dot_call *call, int64_t row, int64_t rows,
                            int64_t column, int64_t columns, float *c, int64_t c_stride)
{
    const pod_dot_pieces *pieces = call->pieces;
    const char *at[PIECE_ROWS];
    int64_t count = 0, all = pod_round_up(rows, family->tile_rows), bytes = family->packed_bytes;
    for (int64_t group = row / pieces->width, i = row % pieces->width; count < rows; group++, i = 0) {
        const char *first = (const char *)call->a + pieces->groups[group] * bytes;
        for (; i < pieces->width && count < rows; i++)
            at[count++] = first + i * call->a_row_stride * bytes;
    }
    assert(rows > 0 && all <= PIECE_ROWS);
    for (; count < all; count++)
        at[count] = at[rows - 1];
    assert(call->k % pieces->run_k == 0);
    int64_t runs = call->k / pieces->run_k, padded_k = pod_round_up(call->k, family->k_unit);
    int64_t together = pod_larger(family->k_block / pieces->run_k, 1);
    for (int64_t i = 0; i < columns; i += family->panel_columns) {
        int64_t wide = pod_smaller(family->panel_columns, columns - i);
        int64_t run_bytes = pieces->run_k * pod_round_up(wide, family->vector_columns) * bytes;
        const char *panel = (const char *)call->b + (column + i) * padded_k * bytes;
        for (int64_t run = 0; run < runs; run += together)
            for (int64_t j = 0; j < rows; j += family->tile_rows) {
                const pod_tile_end end = {call->finish, row + j, column + i};
                family->multiply_pieces(c + j * c_stride + i, c_stride, at + j, pieces->runs + run,
                                        pod_smaller(together, runs - run), panel + run * run_bytes, pieces->run_k,
                                        pod_smaller(family->tile_rows, rows - j), wide, run > 0,
                                        call->finish && run + together >= runs ? &end : NULL);
            }
    }
}

bool pod_kernel_dot_finishes(const pod_dot_kernels *kernels)
{
    return packs(kernels) && kernels->run == pod_kernel_dot_drive && kernels->family->finishes;
}

int64_t pod_kernel_dot_piece_unit(const pod_dot_kernels *kernels)
{
    /* A family's table may hand products to kernels that do not pack. */
    return packs(kernels) ? kernels->family->piece_unit : 0;
}

pod_dtype pod_kernel_dot_piece_type(const pod_dot_kernels *kernels)
{
    return kernels->family->packed_bytes == 2 ? POD_BF16 : POD_F32;
}

void pod_kernel_dot_drive(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                          int64_t column_begin, int64_t column_end, void *scratch)
{
    const pod_dot_family *family = kernels->family;
    if (row_begin >= row_end || column_begin >= column_end)
        return;
    blocking blocks = block_call(family, call, row_end - row_begin, column_end - column_begin);
    bool direct = is_direct(family, call);
    int64_t row_bytes = call->a_row_stride * family->a_bytes;
    char *packed = (char *)pod_round_up_bytes((uintptr_t)scratch, 64);
    float *tile = (float *)(packed + blocks.a_bytes);
    if (family->begin != NULL && !call->begun)
        family->begin();
    for (int64_t row = row_begin; row < row_end && !pod_kernel_dot_stops(call); row += blocks.rows) {
        int64_t rows = pod_smaller(blocks.rows, row_end - row);
        for (int64_t column = column_begin; column < column_end; column += blocks.columns) {
            int64_t columns = pod_smaller(blocks.columns, column_end - column);
            if (call->pieces != NULL) {
                multiply_pieces(family, call, row, rows, column, columns, tile, blocks.stride);
                pod_kernel_dot_finish(call, tile, blocks.stride, row, column, rows, columns);
                continue;
            }
            for (int64_t k = 0; k == 0 || k < call->k; k += blocks.k_chunk) {
                int64_t chunk_k = pod_smaller(blocks.k_chunk, call->k - k);
                /* One chunk holds for all groups of columns. */
                if (!direct && (column == column_begin || blocks.k_chunk < call->k))
                    pack_rows(family, call, packed, row, rows, k, chunk_k);
                product_chunk part = {row,
                                      rows,
                                      column,
                                      columns,
                                      k,
                                      pod_round_up(chunk_k, family->k_unit),
                                      direct ? (const char *)call->a + row * row_bytes : packed,
                                      direct ? row_bytes : 0,
                                      tile_bytes_of(family, chunk_k),
                                      tile,
                                      blocks.stride};
                multiply_chunk(family, call, &part);
            }
            pod_kernel_dot_finish(call, tile, blocks.stride, row, column, rows, columns);
        }
    }
    if (family->end != NULL && !call->begun)
        family->end();
}
