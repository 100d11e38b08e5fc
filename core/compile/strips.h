#ifndef POD_COMPILE_STRIPS_H
#define POD_COMPILE_STRIPS_H

/*
 * strips - values that a thread makes and reads again at once are kept in its own block of memory, which stays in the
 * cache, and never exist as a whole: see strips.c and rows_alone.c.
 */

#include "compile/lower.h"

/* Whether an instruction that runs some of its rows touches, of its slot number `at`, those same rows and nothing else:
 * where row r of n begins at byte r / n of the slot. It is run for some of `parts` equal parts of its rows, one or more. */
bool pod_rows_alone(const pod_slot *slots, const pod_instruction *one, uint32_t at, int64_t parts);

/* Cuts the groups of a scheduled function into strips, and moves slots into the threads' blocks, of which each has *bytes;
 * false when there is no memory. */
bool pod_cut_strips(pod_lowering *lowering, pod_function *function, uint64_t *bytes);

#endif
