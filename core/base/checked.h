#ifndef POD_BASE_CHECKED_H
#define POD_BASE_CHECKED_H

/*
 * checked - arithmetic of sizes, offsets and counts that come from outside: from Lua, files, texts, the network.
 * Nothing else multiplies or adds those; lint looks for it.
 *
 *     if (pod_multiply_overflows(rows, row_bytes, &bytes) || !pod_lies_within(first, bytes, length))
 *         refuse();
 *
 * pod_add_overflows(), pod_subtract_overflows() and pod_multiply_overflows() take two integers of one type, and the
 * address of one of that type for the result, which is of no use where they return true.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define pod_add_overflows(a, b, sum)             __builtin_add_overflow(a, b, sum)
#define pod_subtract_overflows(a, b, difference) __builtin_sub_overflow(a, b, difference)
#define pod_multiply_overflows(a, b, product)    __builtin_mul_overflow(a, b, product)

/* Returns whether `count` things from `first` on lie within `length`. */
static inline bool pod_lies_within(uint64_t first, uint64_t count, uint64_t length)
{
    return first <= length && count <= length - first;
}

#endif
