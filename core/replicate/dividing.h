#ifndef POD_REPLICATE_DIVIDING_H
#define POD_REPLICATE_DIVIDING_H

/*
 * dividing - what the parts of pod_graph_of_device() share. Of a graph that is to be run each device takes what is its
 * own by where it stands in the mesh. For plans that does not show: sizes are those of the first device.
 */

#include "replicate/parting.h"

/* A value in another parting. */
typedef struct pod_reparted {
    struct pod_reparted *next;
    pod_node *node;
    pod_parting parting;
} pod_reparted;

typedef struct pod_dividing {
    pod_arena *arena;
    const pod_mesh *mesh;
    const pod_parted_graph *parted;
    pod_graph *graph; /* that is made */
    bool runs, alone;
    pod_parting *made;     /* of the nodes with several results: as they were computed */
    pod_reparted **others; /* of each node */
    pod_error *error;
} pod_dividing;

/* ---- repart.c ---- */

bool pod_replicate_partings_alike(const pod_parting *a, const pod_parting *b);

/* Whether several axes of the mesh divide one axis of a value. */
bool pod_replicate_is_nested(const pod_mesh *mesh, const pod_parting *parting);

/* A collective of the devices along axis `m` of the mesh. */
pod_node *pod_replicate_exchange(const pod_dividing *to, pod_op op, pod_node *x, int32_t m, pod_attributes attributes);

/* Where a device's part of axis `axis` of a value begins, which has `size` entries in all: an s32 scalar. */
pod_node *pod_replicate_own_start(const pod_dividing *to, const pod_parting *parting, int32_t axis, int64_t size);

/* Brings a value from one parting to another. */
pod_node *pod_replicate_repart(const pod_dividing *to, pod_node *x, const pod_parting *from, const pod_parting *wanted);

/* An operand in the parting that an op wants, made once. */
pod_node *pod_replicate_operand_in(const pod_dividing *to, const pod_node *operand, pod_node *have,
                                   const pod_parting *wanted);

/* ---- own_parts.c: ops of a graph that runs ---- */

/* Tells whether parts of a fold of this op can be joined, and how: those of a sum are added. */
bool pod_replicate_joins(const pod_node *node, pod_reduction *reduction);

/* Numbers that count along an axis, random bits, and how long an axis is, of which a device has a part; NULL: the node
 * is none of these. `made` is the parting that its result gets. */
pod_node *pod_replicate_own_leaf(const pod_dividing *to, const pod_node *node, pod_node **inputs, pod_parting *made);

/* Looks up, or adds to, rows that devices divide, by their numbers among all; NULL: the node does neither. `inputs`
 * stand as `wanted` says; along the axes of the mesh in `partial` (bits) each device makes a part of the sum. */
pod_node *pod_replicate_own_rows(const pod_dividing *to, const pod_node *node, pod_node **inputs,
                                 const pod_parting *wanted, uint32_t partial);

#endif
