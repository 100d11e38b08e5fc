#ifndef POD_BASE_SIZES_H
#define POD_BASE_SIZES_H

/* sizes - arithmetic of sizes, blocks and parts. Units and parts are positive; what overflows is the caller's to check.
 */

#include <stddef.h>
#include <stdint.h>

static inline int64_t pod_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t pod_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How many parts of at most `part` it takes to hold `total`, which is not negative. */
static inline int64_t pod_part_count(int64_t total, int64_t part)
{
    return (total + part - 1) / part;
}

/* The least multiple of `unit` that is no less than `value`, which is not negative. */
static inline int64_t pod_round_up(int64_t value, int64_t unit)
{
    return pod_part_count(value, unit) * unit;
}

/* The same of bytes, or of an address. */
static inline size_t pod_round_up_bytes(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Cuts `total` into equal parts of at most `most`, each a multiple of `unit`; returns a part's size. */
static inline int64_t pod_even_part(int64_t total, int64_t most, int64_t unit)
{
    int64_t parts = pod_part_count(total, most);
    return parts <= 1 ? pod_round_up(total, unit) : pod_round_up(pod_part_count(total, parts), unit);
}

/* Cuts `total` into equal parts of at least about `least` so that those of two threads, the first half of them and the
 * others, are as large as can be had; returns a part's size. */
static inline int64_t pod_fair_part(int64_t total, int64_t least)
{
    int64_t best = total, larger = total;
    for (int64_t parts = pod_part_count(total, least); parts > 1; parts--) {
        const int64_t part = pod_part_count(total, parts);
        const int64_t half = (pod_part_count(total, part) + 1) / 2 * part;
        if (half < larger)
            best = part, larger = half;
    }
    return best;
}

#endif
