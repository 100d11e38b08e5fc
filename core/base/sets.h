#ifndef POD_BASE_SETS_H
#define POD_BASE_SETS_H

/*
 * sets - which of many numbered things belong together: a forest in which each has a parent, and the root of a tree,
 * its own parent, stands for all of them.
 *
 *     for (uint32_t i = 0; i < count; i++)
 *         parents[i] = i;                   -- each by itself
 *     pod_set_join(parents, 3, 5);          -- pod_set_of(parents, 5) is 3 now
 */

#include <stdint.h>

/* The one that stands for the set of `one`; shortens the way there. */
static inline uint32_t pod_set_of(uint32_t *parents, uint32_t one)
{
    while (parents[one] != one)
        one = parents[one] = parents[parents[one]];
    return one;
}

/* Adds the set of `from` to that of `to`, whose root goes on to stand for all. */
static inline void pod_set_join(uint32_t *parents, uint32_t to, uint32_t from)
{
    parents[pod_set_of(parents, from)] = pod_set_of(parents, to);
}

#endif
