#ifndef POD_GRAPH_AXIS_WAYS_H
#define POD_GRAPH_AXIS_WAYS_H

/*
 * axis_ways - where an op takes an axis of an operand whose entries fall into rows. The same answers serve all who cut
 * values into rows: replicas that have some of them each, programs that are run for more of them, instructions that
 * make a few at a time.
 */

#include "graph/node.h"

/* What an op does with an operand's axis that runs over rows. */
typedef enum pod_axis_fate {
    POD_AXIS_CUT,    /* nothing that can be told in rows: entries move, mix or fall away */
    POD_AXIS_KEPT,   /* row r of the result depends on row r of such operands alone */
    POD_AXIS_LOCAL,  /* the result has the same rows, which depend on rows before them of the same
                      * shard */
    POD_AXIS_REDUCED /* the op folds over the axis; padding is masked with what changes nothing */
} pod_axis_fate;

typedef struct pod_axis_way {
    pod_axis_fate fate;
    int32_t axis;       /* kept, local: the result's axis */
    int64_t multiplier; /* kept, local: its entries a row */
} pod_axis_way;

/* Tells where an op takes axis `axis` of operand `operand`, which has `multiplier` entries a row. */
pod_axis_way pod_op_axis_way(const pod_op_sizes *sizes, uint32_t operand, int32_t axis, int64_t multiplier);

/* Finds the axis of operand `other` that is folded together with the reduced axis `axis` of operand
 * `operand` (the contracted axis of the other side of a product). False when there is none. */
bool pod_op_axis_pair(pod_op op, const pod_attributes *attributes, uint32_t operand, int32_t axis, uint32_t other,
                      int32_t *other_axis);

#endif
