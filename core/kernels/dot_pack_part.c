/*
 * dot_pack_part - packs a part of b: of its rows along k, and of its columns. Whole panels go where they belong at
 * once; lanes of a panel are packed beside and then put between the others. Where they go is the same for all families:
 * for each k_unit of k there are `width` lanes of k_unit elements, in groups of vector_columns lanes (dot.h).
 */

#include "kernels/dot.h"
#include "base/sizes.h"

#include <string.h>

/* Elements along k that are packed beside at a time: a multiple of every k_unit. */
#define PIECE_K 64

/* Bytes of the largest panel of so many elements. */
#define PIECE_BYTES (PIECE_K * 64 * 4)

/* Lanes lane .. lane + fill - 1 of a panel that is `width` wide, of which the first `columns` are columns of b. */
static void pack_lanes(const pod_dot_family *family, char *panel, int64_t width, int64_t lane, int64_t fill,
                       int64_t columns, pod_dtype dtype, const char *b, const pod_dot_part *part)
{
    _Alignas(64) char beside[PIECE_BYTES];
    int64_t unit_bytes = family->k_unit * family->packed_bytes;
    int64_t room = pod_round_up(fill, family->vector_columns);
    int64_t bytes = (int64_t)pod_dtype_size(dtype);
    for (int64_t k = part->k_begin; k < part->k_end; k += PIECE_K) {
        int64_t piece = pod_smaller(PIECE_K, part->k_end - k);
        family->pack_b(beside, room, dtype, b + (k - part->k_begin) * part->k_stride * bytes, columns, piece,
                       part->k_stride, part->column_stride);
        char *to = panel + (k / family->k_unit * width + lane) * unit_bytes;
        const char *from = beside;
        for (int64_t done = 0; done < piece; done += family->k_unit) {
            memcpy(to, from, (size_t)(fill * unit_bytes));
            to += width * unit_bytes;
            from += room * unit_bytes;
        }
    }
}

/* Whole panels of b, past the caches. */
static void stream_panel(const pod_dot_family *family, char *panel, int64_t width, int64_t columns, pod_dtype dtype,
                         const char *from, const pod_dot_part *part)
{
    _Alignas(64) char beside[PIECE_BYTES];
    const int64_t k_bytes = width * family->packed_bytes, bytes = (int64_t)pod_dtype_size(dtype);
    for (int64_t k = part->k_begin; k < part->k_end; k += PIECE_K) {
        const int64_t piece = pod_smaller(PIECE_K, part->k_end - k);
        family->pack_b(beside, width, dtype, from + (k - part->k_begin) * part->k_stride * bytes, columns, piece,
                       part->k_stride, part->column_stride);
        family->stream(panel + k * k_bytes, beside, (size_t)(pod_round_up(piece, family->k_unit) * k_bytes));
    }
}

void pod_kernel_dot_pack_part(const pod_dot_kernels *kernels, void *packed, pod_dtype dtype, const void *first,
                              const pod_dot_part *part)
{
    const pod_dot_family *family = kernels->family;
    int64_t bytes = (int64_t)pod_dtype_size(dtype), panel_columns = family->panel_columns;
    int64_t column_bytes = pod_round_up(part->k, family->k_unit) * family->packed_bytes;
    for (int64_t column = part->column_begin, end; column < part->column_end; column = end) {
        int64_t begin = column / panel_columns * panel_columns;
        int64_t width = pod_round_up(pod_smaller(panel_columns, part->n - begin), family->vector_columns);
        end = pod_smaller(part->column_end, begin + panel_columns);
        int64_t lane = column - begin, columns = end - column;
        int64_t fill = end == part->n ? width - lane : columns; /* behind the last column are zeros */
        char *panel = (char *)packed + begin * column_bytes;
        const char *from = (const char *)first + (column - part->column_begin) * part->column_stride * bytes;
        if (fill == width && part->streams && family->stream && (uintptr_t)packed % 64 == 0)
            stream_panel(family, panel, width, columns, dtype, from, part);
        else if (fill == width)
            family->pack_b(panel + part->k_begin * width * family->packed_bytes, width, dtype, from, columns,
                           part->k_end - part->k_begin, part->k_stride, part->column_stride);
        else
            pack_lanes(family, panel, width, lane, fill, columns, dtype, from, part);
    }
}
