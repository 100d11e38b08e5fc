#ifndef POD_KERNELS_TRANSPOSE_WORDS_H
#define POD_KERNELS_TRANSPOSE_WORDS_H

/* The block that transpositions of 4-byte elements are made of, in vectors as the compiler makes
 * them for any machine. */

#include <stdint.h>
#include <string.h>

typedef uint32_t four_words __attribute__((vector_size(16)));

/* Transposes a 4 x 4 block of 4-byte elements: steps are in elements, between lines of four. Reads
 * all before it writes. */
static inline void transpose_words(const void *from_, int64_t from_step, void *to_, int64_t to_row)
{
    const char *from = from_;
    char *to = to_;
    four_words a, b, c, d;
    from_step *= 4;
    to_row *= 4;
    memcpy(&a, from, sizeof a);
    memcpy(&b, from + from_step, sizeof b);
    memcpy(&c, from + 2 * from_step, sizeof c);
    memcpy(&d, from + 3 * from_step, sizeof d);
    four_words ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    four_words ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    four_words cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    four_words cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
    memcpy(to, &a, sizeof a);
    memcpy(to + to_row, &b, sizeof b);
    memcpy(to + 2 * to_row, &c, sizeof c);
    memcpy(to + 3 * to_row, &d, sizeof d);
}

#endif
