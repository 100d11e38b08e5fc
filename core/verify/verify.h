#ifndef POD_VERIFY_VERIFY_H
#define POD_VERIFY_VERIFY_H

/*
 * verify - the proof that a program touches no memory but its own: of each slot, instruction, loop, group and phase.
 * What it proves is what the engine relies on. Builds with asserts prove each program that is compiled.
 */

#include "graph/node.h"
#include "program/compiled.h"

typedef struct pod_verifier {
    const pod_program *program;
    const pod_compile_options *options;
    pod_arena *scratch;
    pod_graph *graph; /* in which types of kernels' results are found out */
    const char *what; /* the rule that was broken */
    bool lacks_memory;
} pod_verifier;

#ifndef NDEBUG
/* Proves a program that was compiled with these options. POD_ERROR_STATE, with the rule that was broken, when it may
 * touch memory that is not its own, or was made for other kernels. */
POD_CHECKED pod_status pod_verify_program(const pod_program *program, const pod_compile_options *options,
                                          pod_error *error);
#else
#define pod_verify_program(program, options, error) POD_OK
#endif

/* The same, slots first, then functions. False with `what`. */
bool pod_verify_whole(pod_verifier *v);

bool pod_verify_instruction(pod_verifier *v, const pod_instruction *one);

/* Proves an instruction in which ranks meet. */
bool pod_verify_meet(pod_verifier *v, const pod_instruction *one);

/* Proves a loop that an instruction of the program runs, on the tiles of a product or (tile false) by itself. */
bool pod_verify_loop(pod_verifier *v, const pod_loop *loop, bool tile);

/* An array of the scratch; NULL, with the rule kept, where there is no memory. */
void *pod_verify_array(pod_verifier *v, size_t count, size_t size);

/* Keeps the rule that was broken; returns false. */
bool pod_verify_fail(pod_verifier *v, const char *what);

/* Proves that there is such a slot, that it has a place and no fewer bytes than `count` elements of `size` bytes;
 * false, with the rule kept, when that is not so. count < 0 means that it could not be computed. */
bool pod_verify_slot(pod_verifier *v, uint32_t slot, int64_t count, int64_t size);

/* The same for a slot that is written: no constant of the program, and no argument unless an output is an alias
 * of it. */
bool pod_verify_written(pod_verifier *v, uint32_t slot, int64_t count, int64_t size);

/* The product of sizes, -1 where one is negative or the product too large; -1 goes through. */
int64_t pod_verify_times(int64_t a, int64_t b);

/* One more than the farthest element offset + sum of strides[i] * (0 .. sizes[i] - 1), or 0 where some size is
 * 0; -1 where an element lies before the first or the sum is too large. */
int64_t pod_verify_reach(int64_t offset, int count, const int64_t *sizes, const int64_t *strides);

#endif
