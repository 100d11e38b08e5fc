#include "kernels/dot.h"

#include <string.h>

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Cuts `total` into equal parts of at most `most`, each a multiple of `unit`; returns a part's size. */
static int64_t even_part(int64_t total, int64_t most, int64_t unit)
{
    int64_t parts = (total + most - 1) / most;
    return parts <= 1 ? round_up(total, unit) : round_up((total + parts - 1) / parts, unit);
}

size_t pod_dot_packed_b_bytes(const pod_dot_family *family, int64_t k, int64_t n)
{
    /* Never 0, which would mean that b is not packed. */
    return (size_t)(round_up(n, family->vector_columns) * round_up(k, family->k_unit) *
                        family->packed_bytes +
                    64);
}

void pod_dot_pack_b(const pod_dot_family *family, void *packed, pod_dtype dtype, const void *b,
                    int64_t k, int64_t n, int64_t k_stride, int64_t column_stride,
                    int64_t panel_begin, int64_t panel_end)
{
    int64_t column_bytes = round_up(k, family->k_unit) * family->packed_bytes;
    int64_t element_bytes = (int64_t)pod_dtype_size(dtype);
    for (int64_t panel = panel_begin; panel < panel_end; panel++) {
        int64_t column = panel * family->panel_columns;
        int64_t columns = smaller(family->panel_columns, n - column);
        if (columns <= 0)
            return;
        family->pack_b((char *)packed + column * column_bytes,
                       round_up(columns, family->vector_columns), dtype,
                       (const char *)b + column * column_stride * element_bytes, columns, k,
                       k_stride, column_stride);
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

static blocking block_call(const pod_dot_family *family, int64_t rows, int64_t columns, int64_t k)
{
    blocking result;
    result.rows = even_part(rows, family->row_block, family->tile_rows);
    result.k_chunk = even_part(k > 0 ? k : 1, family->k_chunk, family->k_unit);
    result.columns = even_part(columns, family->column_group, family->panel_columns);
    result.stride = round_up(smaller(result.columns, columns), 16);
    result.a_bytes = round_up(result.rows * result.k_chunk * family->packed_bytes, 64);
    return result;
}

size_t pod_dot_scratch_bytes(const pod_dot_family *family, const pod_dot_call *call)
{
    int64_t rows = smaller(round_up(call->m, family->tile_rows), family->row_block);
    int64_t columns = smaller(round_up(call->n, family->panel_columns), family->column_group);
    int64_t k = smaller(round_up(call->k + 1, family->k_unit), family->k_chunk);
    return (size_t)(round_up(rows * k * family->packed_bytes, 64) +
                    rows * round_up(columns, 16) * (int64_t)sizeof(float) + 128);
}

void pod_dot_finish(const pod_dot_call *call, float *tile, int64_t stride, int64_t row,
                    int64_t column, int64_t rows, int64_t columns)
{
    if (call->epilogue != NULL)
        call->epilogue(call->epilogue_context, tile, stride, row, column, rows, columns);
    if (call->result == NULL)
        return;
    for (int64_t i = 0; i < rows; i++)
        memcpy(call->result + (row + i) * call->result_stride + column, tile + i * stride,
               (size_t)columns * sizeof(float));
}

static void pack_rows(const pod_dot_family *family, const pod_dot_call *call, void *packed,
                      int64_t row, int64_t rows, int64_t k_begin, int64_t k)
{
    int64_t tile_bytes = family->tile_rows * round_up(k, family->k_unit) * family->packed_bytes;
    for (int64_t i = 0; i < rows; i += family->tile_rows) {
        const char *a = (const char *)call->a +
                        ((row + i) * call->a_row_stride + k_begin * call->a_k_stride) *
                            family->a_bytes;
        family->pack_a((char *)packed + i / family->tile_rows * tile_bytes, a,
                       smaller(family->tile_rows, rows - i), k, call->a_row_stride,
                       call->a_k_stride);
    }
}

/* The part of a product that multiply_chunk() computes: rows that are packed, one chunk of k and the
 * columns of a group. */
typedef struct chunk {
    int64_t rows, column, columns, k_begin, k; /* k is padded */
    const char *a;
    float *c;
    int64_t c_stride;
} chunk;

static void multiply_chunk(const pod_dot_family *family, const pod_dot_call *call,
                           const chunk *part)
{
    int64_t bytes = family->packed_bytes;
    int64_t padded_k = round_up(call->k, family->k_unit);
    int64_t tiles = (part->rows + family->tile_rows - 1) / family->tile_rows;
    for (int64_t column = 0; column < part->columns; column += family->panel_columns) {
        int64_t columns = smaller(family->panel_columns, part->columns - column);
        int64_t width = round_up(columns, family->vector_columns);
        const char *panel = (const char *)call->b + (part->column + column) * padded_k * bytes;
        for (int64_t k = 0; k == 0 || k < part->k; k += family->k_block) {
            int64_t block = smaller(family->k_block, part->k - k);
            const char *b = panel + (part->k_begin + k) * width * bytes;
            /* While the tiles of a pass over this block of b, the next one comes nearer. */
            int64_t share = round_up(block * width * bytes / tiles, 64);
            const char *next = b + block * width * bytes;
            for (int64_t row = 0; row < part->rows; row += family->tile_rows) {
                const char *a = part->a + (row * part->k + k * family->tile_rows) * bytes;
                family->multiply(part->c + row * part->c_stride + column, part->c_stride, a, b,
                                 block, smaller(family->tile_rows, part->rows - row), columns,
                                 part->k_begin + k > 0, next, share);
                next += share;
            }
        }
    }
}

void pod_dot_drive(const pod_dot_family *family, const pod_dot_call *call, int64_t row_begin,
                   int64_t row_end, int64_t column_begin, int64_t column_end, void *scratch)
{
    if (row_begin >= row_end || column_begin >= column_end)
        return;
    blocking blocks = block_call(family, row_end - row_begin, column_end - column_begin, call->k);
    char *packed = (char *)(((uintptr_t)scratch + 63) & ~(uintptr_t)63);
    float *tile = (float *)(packed + blocks.a_bytes);
    if (family->begin != NULL)
        family->begin();
    for (int64_t row = row_begin; row < row_end; row += blocks.rows) {
        int64_t rows = smaller(blocks.rows, row_end - row);
        for (int64_t column = column_begin; column < column_end; column += blocks.columns) {
            int64_t columns = smaller(blocks.columns, column_end - column);
            for (int64_t k = 0; k == 0 || k < call->k; k += blocks.k_chunk) {
                int64_t chunk_k = smaller(blocks.k_chunk, call->k - k);
                /* One chunk holds for all groups of columns. */
                if (column == column_begin || blocks.k_chunk < call->k)
                    pack_rows(family, call, packed, row, rows, k, chunk_k);
                chunk part = {rows, column, columns, k, round_up(chunk_k, family->k_unit),
                              packed, tile, blocks.stride};
                multiply_chunk(family, call, &part);
            }
            pod_dot_finish(call, tile, blocks.stride, row, column, rows, columns);
        }
    }
    if (family->end != NULL)
        family->end();
}
