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

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)

#define pod_add_overflows(a, b, sum)             __builtin_add_overflow(a, b, sum)
#define pod_subtract_overflows(a, b, difference) __builtin_sub_overflow(a, b, difference)
#define pod_multiply_overflows(a, b, product)    __builtin_mul_overflow(a, b, product)

#else

#define POD_CHECKED_SIGNED(name, type, unsigned_type, least, most)                                                     \
    static inline bool pod_add_##name(type a, type b, type *sum)                                                       \
    {                                                                                                                  \
        *sum = (type)((unsigned_type)a + (unsigned_type)b);                                                            \
        return b < 0 ? a < least - b : a > most - b;                                                                   \
    }                                                                                                                  \
    static inline bool pod_subtract_##name(type a, type b, type *difference)                                           \
    {                                                                                                                  \
        *difference = (type)((unsigned_type)a - (unsigned_type)b);                                                     \
        return b < 0 ? a > most + b : a < least + b;                                                                   \
    }                                                                                                                  \
    static inline bool pod_multiply_##name(type a, type b, type *product)                                              \
    {                                                                                                                  \
        *product = (type)((unsigned_type)a * (unsigned_type)b);                                                        \
        return a > 0   ? b > 0 ? a > most / b : b < least / a                                                          \
               : a < 0 ? b > 0 ? a < least / b : b < 0 && b < most / a                                                 \
                       : false;                                                                                        \
    }

#define POD_CHECKED_UNSIGNED(name, type, most)                                                                         \
    static inline bool pod_add_##name(type a, type b, type *sum)                                                       \
    {                                                                                                                  \
        *sum = a + b;                                                                                                  \
        return a > most - b;                                                                                           \
    }                                                                                                                  \
    static inline bool pod_subtract_##name(type a, type b, type *difference)                                           \
    {                                                                                                                  \
        *difference = a - b;                                                                                           \
        return a < b;                                                                                                  \
    }                                                                                                                  \
    static inline bool pod_multiply_##name(type a, type b, type *product)                                              \
    {                                                                                                                  \
        *product = a * b;                                                                                              \
        return b > 0 && a > most / b;                                                                                  \
    }

POD_CHECKED_SIGNED(long, long, unsigned long, LONG_MIN, LONG_MAX)
POD_CHECKED_SIGNED(long_long, long long, unsigned long long, LLONG_MIN, LLONG_MAX)
POD_CHECKED_UNSIGNED(unsigned_long, unsigned long, ULONG_MAX)
POD_CHECKED_UNSIGNED(unsigned_long_long, unsigned long long, ULLONG_MAX)

#define POD_CHECKED(what, a, b, result)                                                                                \
    _Generic((result), long *                                                                                          \
             : pod_##what##_long, long long *                                                                          \
             : pod_##what##_long_long, unsigned long *                                                                 \
             : pod_##what##_unsigned_long, unsigned long long *                                                        \
             : pod_##what##_unsigned_long_long)(a, b, result)

#define pod_add_overflows(a, b, sum)             POD_CHECKED(add, a, b, sum)
#define pod_subtract_overflows(a, b, difference) POD_CHECKED(subtract, a, b, difference)
#define pod_multiply_overflows(a, b, product)    POD_CHECKED(multiply, a, b, product)

#endif

/* Returns whether `count` things from `first` on lie within `length`. */
static inline bool pod_lies_within(uint64_t first, uint64_t count, uint64_t length)
{
    return first <= length && count <= length - first;
}

#endif
