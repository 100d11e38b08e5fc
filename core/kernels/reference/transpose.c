#include "kernels/reference/transpose.h"

#include "kernels/transpose_words.h"

#include <string.h>

/*
 * A square goes through a local copy: lines of both sides are touched as wholes, one after the
 * other, because lines that are a power of two apart push each other out of the cache. Whole blocks
 * are transposed in vectors of 16 bytes, as the compiler makes them for any machine; what is left
 * over element by element.
 */

typedef uint16_t eight_halves __attribute__((vector_size(16)));

/* Transposes an 8 x 8 block of 2-byte elements: three times, each row is interleaved with the one
 * half a block further. */
static inline void transpose_halves(const uint16_t *from, int64_t from_step, uint16_t *to, int64_t to_row)
{
    eight_halves rows[8], next[8];
    for (int i = 0; i < 8; i++)
        memcpy(&rows[i], from + i * from_step, sizeof rows[i]);
    for (int stage = 0; stage < 3; stage++) {
        for (int i = 0; i < 4; i++) {
            next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(rows, next, sizeof rows);
    }
    for (int i = 0; i < 8; i++)
        memcpy(to + i * to_row, &rows[i], sizeof rows[i]);
}

#define SQUARE_ROW (POD_SQUARE + 8) /* elements between rows of the local copy */

/* `block` is the function and the size of whole blocks; columns and rows beyond them go one by one.
 */
#define SQUARE(type, size, block)                                                                                      \
    {                                                                                                                  \
        type square[POD_SQUARE * SQUARE_ROW];                                                                          \
        const type *source = from;                                                                                     \
        int64_t whole_rows = rows / size * size, whole_columns = columns / size * size;                                \
        for (int64_t column = 0; column < whole_columns; column += size) {                                             \
            for (int64_t row = 0; row < whole_rows; row += size)                                                       \
                block(source + column * from_step + row, from_step, square + row * SQUARE_ROW + column, SQUARE_ROW);   \
        }                                                                                                              \
        for (int64_t column = 0; column < columns; column++) {                                                         \
            for (int64_t row = column < whole_columns ? whole_rows : 0; row < rows; row++)                             \
                square[row * SQUARE_ROW + column] = source[column * from_step + row];                                  \
        }                                                                                                              \
        for (int64_t row = 0; row < rows; row++)                                                                       \
            memcpy((type *)to + row * to_row, square + row * SQUARE_ROW, (size_t)columns * sizeof(type));              \
        break;                                                                                                         \
    }

#define ONE_ELEMENT(from, from_step, to, to_row) *(to) = *(from)

void pod_kernel_transpose_square(size_t element, void *to, int64_t to_row, const void *from, int64_t from_step,
                                 int64_t rows, int64_t columns)
{
    switch (element) {
    case 1:
        SQUARE(uint8_t, 1, ONE_ELEMENT)
    case 2:
        SQUARE(uint16_t, 8, transpose_halves)
    case 4:
        SQUARE(uint32_t, 4, transpose_words)
    default:
        SQUARE(uint64_t, 1, ONE_ELEMENT)
    }
}
