#ifndef POD_COMPILE_FUSE_H
#define POD_COMPILE_FUSE_H

/*
 * fuse - decides which nodes run in one loop.
 *
 * Every node has a stage: one more than its operands', except that an elementwise node (or a reduction
 * of one) stays in the stage of operands whose loop it can join. So what lies between two nodes of one
 * stage is in their loop or nowhere, and loops never wait for each other in a circle. A loop may begin
 * with one matrix product, whose tiles it takes while they are in cache.
 *
 * Where rows fit a block, what a loop has folded of a row is there for the steps behind: mean, variance
 * and what they normalise are one loop.
 *
 * Loops run over `rows` x `columns` elements, counted row-major; which shape they have does not matter,
 * so reshapes cost nothing.
 */

#include "compile/fusion.h"

/* Decides for all nodes. Returns false when there is no memory. */
bool pod_compile_fuse(pod_fusion *fusion, pod_arena *arena, const pod_ir *ir, const pod_kernels *kernels);

/* Moves nodes to the loops that use them: see sink.c. False when there is no memory. */
bool pod_compile_sink_nodes(pod_fusion *fusion);

/* Sets `stored` of all values by what is recomputed. */
void pod_compile_find_stored(pod_fusion *fusion);

/* Sets `recomputed` by what would be stored without: see recompute.c. False when there is no memory. */
bool pod_compile_find_recomputed(pod_fusion *fusion);

#endif
