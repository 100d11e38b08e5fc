#ifndef MOONPOD_DIVIDE_H
#define MOONPOD_DIVIDE_H

/*
 * divide - what one of many devices runs of a program whose arrays are divided among them.
 *
 * Devices stand in a mesh. Each axis of the mesh divides at most one axis of a value. Where shardings are given they
 * hold; from there they go through the ops in both directions, as in a compiler that partitions a program. Where
 * operands do not stand as an op needs them, values are gathered, sliced or exchanged; sums of parts are added up over
 * the devices.
 */

#include "moonpod/graph.h"

POD_BEGIN_C

#define POD_MESH_AXES 6

/* Most devices of a mesh. */
#define POD_MESH_DEVICES (1 << 20)

typedef struct pod_mesh {
    int32_t rank;
    int64_t sizes[POD_MESH_AXES];
} pod_mesh;

/* How a value is divided: the axis of the value that each axis of the mesh divides; -1: each device has all of it. */
typedef struct pod_sharding {
    bool given;    /* else the compiler chooses */
    uint32_t open; /* axes of the mesh (bits) that the compiler may let divide something where they divide nothing */
    int8_t axes[POD_MESH_AXES];
    bool stored; /* a parameter lies so, and that says nothing of what is computed with it: ops take it whole, unless
                  * something else has them divided (weights that are divided along the axis of the batch) */
} pod_sharding;

/* Names of opaque nodes. One gives the sharding of its operand; the attribute `seed` is its number. The others lead
 * into a part that is divided by hand along axes of the mesh (`axis`: bits), and out of it, to a sharding. */
#define POD_SHARDING_NODE "sharding"
#define POD_ENTER_NODE    "sharding.enter"
#define POD_LEAVE_NODE    "sharding.leave"

typedef struct pod_division {
    pod_mesh mesh;
    const pod_sharding *parameters;  /* one a parameter */
    const pod_sharding *outputs;     /* one an output, as it is wanted; NULL: they come as they are computed */
    const pod_sharding *constraints; /* by number */
    uint32_t constraint_count;
    /* The graph is to be run, by pod_graph_replicate() with as many replicas: each device, in the order of the mesh, of
     * which the last axis is the fastest, takes and gives what is its own. Else it is for plans: sizes are right, and
     * which device has which part does not show. */
    bool runs;
    /* A plan that is compiled, for the memory that it takes: no device is asked, and what others would give is as large
     * as theirs. */
    bool alone;
} pod_division;

/* Makes the graph that one device runs. An op that cannot be divided is refused with its name and place. Aliases of
 * outputs that are divided otherwise than their parameter are gone. On success *divided is the caller's. */
POD_API POD_CHECKED pod_status pod_graph_of_device(const pod_graph *graph, const pod_division *division,
                                                   pod_graph **divided, pod_error *error);

POD_END_C

#endif
