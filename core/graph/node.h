#ifndef POD_GRAPH_NODE_H
#define POD_GRAPH_NODE_H

/*
 * Graphs from the inside: for the passes that read nodes and make new graphs of old ones.
 *
 * A graph only grows. Nodes are numbered in the order of their adding and operands come first, so a
 * loop over the numbers is a walk in topological order; nothing walks a graph by recursion, except
 * over regions, whose nesting is bounded (POD_MAX_REGION_DEPTH).
 *
 * Everything that a node points to lies in its graph's arena, apart from the elements of constants:
 * those are shared buffers, so that copies of a graph do not copy weights.
 */

#include "moonpod/builders.h"

#include "base/arena.h"
#include "graph/names.h"
#include "graph/ops.h"

/* Regions within regions within regions: more is refused while building. */
#define POD_MAX_REGION_DEPTH 64

/* Most operands and results of one node. */
#define POD_MAX_OPERANDS 65536

/* Holds what a value is. */
typedef struct pod_type {
    pod_dtype dtype;
    pod_shape shape;
} pod_type;

struct pod_node {
    pod_graph *graph;
    pod_op op; /* -1: the invalid node */
    uint32_t id;
    uint32_t input_count, result_count, region_count;
    pod_node **inputs; /* results of an operand with several are read through `result` nodes */
    pod_type *results;
    pod_graph **regions;
    const pod_attributes *attributes; /* fields that the op does not read are zero */
    pod_buffer *constant;             /* elements of a constant that is not one repeated element; else NULL */
    const char *location;             /* interned in the graph; NULL when none */
    const char *scope;
};

struct pod_graph {
    pod_context *context; /* shared */
    pod_arena arena;
    const char *name;
    pod_node **nodes;
    uint32_t node_count;
    size_t node_room;
    pod_node **parameters;
    uint32_t parameter_count;
    size_t parameter_room;
    pod_node **outputs;
    int64_t *aliases;  /* one an output: the parameter it is the new value of, or -1 */
    pod_shape *wholes; /* of a device's part of a program, by output: the array that it is a part of, where nobody says
                        * how that is divided, else itself; NULL: all are themselves */
    uint32_t output_count;
    size_t output_room, alias_room;
    uint32_t depth; /* levels of regions below */
    const char *location, *scope;
    pod_precision precision; /* of products that ask for none */
    pod_names names;
    pod_error error; /* the first one; status POD_OK when none */
    pod_node invalid;
};

/* Returns the graph's invalid node after keeping an error, unless an earlier one is kept. The
 * place in the source is added to the message. */
pod_node *pod_graph_fail(pod_graph *graph, pod_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps a copy of an error that was found elsewhere, unless an earlier one is kept; returns the
 * invalid node. */
pod_node *pod_graph_fail_with(pod_graph *graph, const pod_error *error);

/* Keeps the error that there is no memory, unless an earlier one is kept; returns the invalid node. */
pod_node *pod_graph_fail_memory(pod_graph *graph);

/* Returns the string as the graph keeps it: equal strings have one address. NULL for NULL, and when
 * there is no memory (the graph then keeps that error). */
const char *pod_graph_intern(pod_graph *graph, const char *text);

/* Sets location and scope of nodes made from now on. */
void pod_graph_set_place(pod_graph *graph, const char *location, const char *scope);

/* Returns the type of result 0 of a node; its dtype is POD_DTYPE_NONE for the invalid node. */
const pod_type *pod_node_type(const pod_node *node);

/* Returns the elements of a constant: all of them, or one when its flag is set; borrowed. */
const void *pod_node_constant_data(const pod_node *node);

/* Returns whether a node is a constant of one repeated element (or has one element), and that
 * element as a double. */
bool pod_node_is_splat(const pod_node *node, double *value);

/* Adds a constant that shares a buffer instead of copying it. The graph shares it once more. */
pod_node *pod_graph_constant_buffer(pod_graph *graph, pod_buffer *buffer);

/* As pod_graph_copy_node(), with other attributes. */
pod_node *pod_graph_copy_node_with(pod_graph *graph, const pod_node *node, pod_node *const *inputs,
                                   const pod_attributes *attributes);

/* Makes a copy of region `index` of a node; NULL after a failure. */
typedef pod_graph *(*pod_region_copier)(const pod_node *node, uint32_t index, pod_error *error);

/* The same with copies of regions that another function makes (NULL: as they are). */
pod_node *pod_graph_copy_node_by(pod_graph *graph, const pod_node *node, pod_node *const *inputs,
                                 const pod_attributes *attributes, pod_region_copier copy);

/* As pod_graph_inline(), without the prints and checks of the body: for computing it a second time. */
void pod_graph_inline_pure(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, pod_node **results);

/* Adds to `graph` what a node of another one becomes there, with the copies of its operands. mapped[id] is what the
 * node of that number has become. */
typedef pod_node *(*pod_node_copier)(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                                     pod_node *const *mapped);

/* Copies all nodes: what each has become, by its number, to be freed with pod_free(); NULL, with the error kept in the
 * graph, when there is no memory. */
pod_node **pod_graph_copy_nodes(pod_graph *graph, const pod_graph *source, pod_node_copier copy, void *context);

/* As pod_graph_copy(), with nodes as that function makes them. */
pod_graph *pod_graph_copy_by(const pod_graph *graph, pod_node_copier copy, void *context, pod_error *error);

/* Copies the fields that an op reads and leaves the others zero. */
void pod_graph_take_attributes(pod_attributes *to, const pod_attributes *from, uint32_t fields);

/* Returns whether two nodes of one op have the same attributes. Names count where they mean
 * something (call, check, print); constants are equal when their elements are. */
bool pod_node_same_attributes(const pod_node *a, const pod_node *b);

/* Returns the floating point operations that a node costs, by its class in the op table; a
 * multiply-add counts 2, a transcendental function 1. A while loop counts its `count`, or 1. */
double pod_node_flops(const pod_node *node);

/* Holds what is asked of an op without regions: its floating point operations, where it takes axes. */
typedef struct pod_op_sizes {
    pod_op op;
    const pod_attributes *attributes;
    const pod_shape *result, *first, *second, *last; /* of the first result; of operands: NULL where there is none */
    uint32_t input_count;
} pod_op_sizes;

double pod_op_flops(const pod_op_sizes *sizes);
pod_op_sizes pod_node_sizes(const pod_node *node);

#endif
