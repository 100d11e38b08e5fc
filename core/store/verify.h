#ifndef POD_STORE_VERIFY_H
#define POD_STORE_VERIFY_H

/*
 * verify - the proof that a program touches no memory but its own: of each slot, instruction, loop, group and phase.
 * What it proves is what the engine relies on.
 */

#include "graph/node.h"
#include "program/compiled.h"

typedef struct pod_verifier {
    const pod_program *program;
    const pod_compile_options *options;
    pod_arena *scratch;
    pod_graph *graph; /* in which types of kernels' results are found out */
    const char *what; /* the rule that was broken */
} pod_verifier;

/* Proves a program. False, with `what`, when it may touch memory that is not its own, or was made for
 * other kernels. Sets the kernels that instructions call where they are NULL. */
bool pod_store_verify_program(pod_verifier *v);

bool pod_store_verify_instruction(pod_verifier *v, pod_instruction *one);

/* Proves a loop that an instruction of the program runs, on the tiles of a product or (tile false) by itself. */
bool pod_store_verify_loop(pod_verifier *v, const pod_loop *loop, bool tile);

/* Keeps the rule that was broken; returns false. */
bool pod_store_verify_fail(pod_verifier *v, const char *what);

/* The slot; NULL, with the rule kept, when there is none such, it has no place or it has fewer bytes than
 * `count` elements of `size` bytes. count < 0 means that it could not be computed. */
const pod_slot *pod_store_verify_slot(pod_verifier *v, uint32_t slot, int64_t count, int64_t size);

/* The same for a slot that is written: no constant of the program, and no argument unless an output is an alias
 * of it. */
const pod_slot *pod_store_verify_written(pod_verifier *v, uint32_t slot, int64_t count, int64_t size);

/* The product of sizes, -1 where one is negative or the product too large; -1 goes through. */
int64_t pod_store_verify_times(int64_t a, int64_t b);

/* One more than the farthest element offset + sum of strides[i] * (0 .. sizes[i] - 1), or 0 where some size is
 * 0; -1 where an element lies before the first or the sum is too large. */
int64_t pod_store_verify_reach(int64_t offset, int count, const int64_t *sizes, const int64_t *strides);

#endif
