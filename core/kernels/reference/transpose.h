#ifndef POD_KERNELS_REFERENCE_TRANSPOSE_H
#define POD_KERNELS_REFERENCE_TRANSPOSE_H

/* The squares that transpositions are made of. */

#include <stddef.h>
#include <stdint.h>

/* Rows and columns of a square: the lines of cache that it touches on both sides fit the first
 * level. */
#define POD_SQUARE 32

/* Transposes `rows` x `columns` elements, each at most POD_SQUARE: element (row, column) goes from
 * from[column * from_step + row] to to[row * to_row + column]. */
void pod_kernel_transpose_square(size_t element, void *to, int64_t to_row, const void *from, int64_t from_step,
                                 int64_t rows, int64_t columns);

#endif
