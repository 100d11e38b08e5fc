#ifndef POD_KERNELS_BLOCK_LOOPS_H
#define POD_KERNELS_BLOCK_LOOPS_H

/* The loops of the block kernels. Included by multi/blocks.c, once a family. */

#include <stddef.h>

/* Each macro defines a function over a block from an expression of p, q and r, the elements of its
 * operands. The pragma says that the result may be an operand but overlaps it in no other way. */
#define LOOP _Pragma("GCC ivdep") for (size_t i = 0; i < count; i++)

#define MAP_1(name, to_type, type, expression)                                                                         \
    static void name(void *result, const void *a, const void *b, const void *c, size_t count)                          \
    {                                                                                                                  \
        to_type *to = result;                                                                                          \
        const type *from = a;                                                                                          \
        (void)b;                                                                                                       \
        (void)c;                                                                                                       \
        LOOP                                                                                                           \
        {                                                                                                              \
            type p = from[i];                                                                                          \
            to[i] = (to_type)(expression);                                                                             \
        }                                                                                                              \
    }

#define MAP_2(name, to_type, type, expression)                                                                         \
    static void name(void *result, const void *a, const void *b, const void *c, size_t count)                          \
    {                                                                                                                  \
        to_type *to = result;                                                                                          \
        const type *left = a, *right = b;                                                                              \
        (void)c;                                                                                                       \
        LOOP                                                                                                           \
        {                                                                                                              \
            type p = left[i], q = right[i];                                                                            \
            to[i] = (to_type)(expression);                                                                             \
        }                                                                                                              \
    }

#define MAP_3(name, type, first_type, expression)                                                                      \
    static void name(void *result, const void *a, const void *b, const void *c, size_t count)                          \
    {                                                                                                                  \
        type *to = result;                                                                                             \
        const first_type *first = a;                                                                                   \
        const type *second = b, *third = c;                                                                            \
        LOOP                                                                                                           \
        {                                                                                                              \
            first_type p = first[i];                                                                                   \
            type q = second[i], r = third[i];                                                                          \
            to[i] = (type)(expression);                                                                                \
        }                                                                                                              \
    }

#endif
