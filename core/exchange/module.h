#ifndef POD_EXCHANGE_MODULE_H
#define POD_EXCHANGE_MODULE_H

/* module - what pod_exchange_read() gives, from the inside. */

#include "base/arena.h"
#include "graph/node.h"
#include "moonpod/exchange.h"

struct pod_exchange_module {
    pod_context *context; /* shared */
    pod_arena arena;      /* all strings and lists */
    pod_graph *graph;
    pod_exchange_description about;
    pod_exchange_parameter *parameters;
    pod_exchange_output *outputs;
    pod_exchange_unknown *unknowns;
    uint32_t unknown_room;
    pod_division division;
    int64_t strides[POD_MESH_AXES]; /* of the axes of the mesh, in the order of devices */
    pod_sharding *constraints;
    uint32_t constraint_room;
};

#endif
