#ifndef POD_COMPILE_STRIPS_H
#define POD_COMPILE_STRIPS_H

/*
 * strips - values that a thread makes and reads again at once are kept in its own block of memory, which stays in the
 * cache, and never exist as a whole: see strips.c and program/rows_alone.c.
 */

#include "compile/lower.h"

/* Cuts the groups of a scheduled function into strips, and moves slots into the threads' blocks, of which each has
 * *bytes; false when there is no memory. */
bool pod_cut_strips(pod_lowering *lowering, pod_function *function, uint64_t *bytes);

#endif
