#ifndef POD_REPLICATE_PARTING_H
#define POD_REPLICATE_PARTING_H

/* parting - how the values of a graph are divided among the devices of a mesh (moonpod/divide.h), from the inside. */

#include "graph/axis_ways.h"
#include "moonpod/divide.h"

/* The axis of a value that each axis of the mesh divides; -1: none. */
typedef struct pod_parting {
    int8_t axes[POD_MESH_AXES];
    bool fixed[POD_MESH_AXES]; /* it is as the program says, also where that is none */
    bool stored;               /* nothing follows from it */
} pod_parting;

typedef struct pod_parted_graph {
    const pod_graph *graph;
    uint32_t *first;                   /* of each node: the number of its first result's parting */
    pod_parting *partings;             /* of each result */
    pod_parting *outputs;              /* as what is around the graph takes them */
    struct pod_parted_graph **regions; /* two a node */
} pod_parted_graph;

/* Follows the shardings of a division through a graph. NULL: there is no memory. */
pod_parted_graph *pod_replicate_part(pod_arena *arena, const pod_graph *graph, const pod_division *division);

/* The parting of result `result` of a node. */
pod_parting *pod_replicate_parting_of(const pod_parted_graph *parted, const pod_node *node, uint32_t result);

/* What an op does with axis `axis` of an operand that axis `m` of the mesh divides; *to: the result's axis, where it
 * is kept. */
pod_axis_fate pod_replicate_part_way(const pod_mesh *mesh, int32_t m, const pod_node *node, uint32_t operand,
                                     int32_t axis, int32_t *to);

/* The axis of an operand that becomes axis `axis` of the result; -1: it has none. */
int32_t pod_replicate_part_source(const pod_mesh *mesh, int32_t m, const pod_node *node, uint32_t operand,
                                  int32_t axis);

/* Whether a node gives the sharding of its operand; whether it leads into what is divided by hand, or (`out`) from it.
 */
bool pod_replicate_is_sharding(const pod_node *node);
bool pod_replicate_is_passage(const pod_node *node, bool out);

/* The size that one device has of a value. */
pod_shape pod_replicate_part_shape(const pod_mesh *mesh, const pod_shape *shape, const pod_parting *parting);

#endif
