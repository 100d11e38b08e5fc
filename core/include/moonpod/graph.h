#ifndef MOONPOD_GRAPH_H
#define MOONPOD_GRAPH_H

/*
 * graph - one core's computation, as nodes.
 *
 * A graph is built by calls that return nodes. A call that cannot be made (shapes that do not fit,
 * no memory) returns the graph's invalid node, and the graph keeps the first error; calls on an
 * invalid node return it unchanged. So a whole model is built without a check in between, and
 * pod_graph_check() at the end tells the one thing that went wrong first:
 *
 *     pod_graph *graph;
 *     status = pod_graph_new(context, "step", &graph, &error);
 *     pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {32, 784}}, "x");
 *     pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {784, 10}}, "w");
 *     pod_node *y = pod_graph_tanh(graph, pod_graph_matmul(graph, x, w));
 *     pod_graph_add_output(graph, y);
 *     status = pod_graph_check(graph, &error);
 *
 * Nodes belong to their graph and live as long as it does. Primitive ops are those of the op table
 * (core/graph/ops.def; pod_op); they follow StableHLO: no broadcasting, no type promotion. The named
 * builders (moonpod/builders.h) add NumPy's broadcasting.
 *
 * Threads: a graph is for one thread at a time.
 */

#include "moonpod/tensor.h"

POD_BEGIN_C

typedef struct pod_graph pod_graph;
typedef struct pod_node pod_node;

/* The primitive ops, in the order of the op table. pod_op_count() tells how many there are. */
typedef int32_t pod_op;

/* Returns the name of a primitive op ("dot"); NULL for a number that is none. */
POD_API const char *pod_op_name(pod_op op);

/* Finds a primitive op by name; -1 when there is none such. */
POD_API pod_op pod_op_from_name(const char *name);

/* Returns the number of primitive ops: they are 0 to count - 1. */
POD_API pod_op pod_op_count(void);

/* Returns how many operands an op has that goes by elements: exp has 1, add has 2, others have 0. Its operands have one
 * type and one shape, and each element of its result depends on theirs at the same place alone. */
POD_API int32_t pod_op_elementwise_operands(pod_op op);

/* Returns whether such an op takes operands of a type. */
POD_API bool pod_op_takes(pod_op op, pod_dtype dtype);

/* A list of axes, in the meaning of its op. */
typedef struct pod_axes {
    int32_t count;
    int32_t axes[POD_MAX_RANK];
} pod_axes;

#define POD_MAX_SPATIAL 3

/* The window of a convolution or pooling, over the spatial axes of [batch, spatial..., channels]
 * (kernels are [spatial..., channels / groups, filters]). Zero strides and dilations mean 1, zero
 * groups mean 1. */
typedef struct pod_window {
    int32_t rank; /* spatial axes: 1 to 3 */
    int64_t size[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL];
    int64_t pad_low[POD_MAX_SPATIAL];
    int64_t pad_high[POD_MAX_SPATIAL];
    int64_t dilation[POD_MAX_SPATIAL]; /* of the kernel */
    int64_t groups;                    /* feature groups of a convolution */
} pod_window;

typedef enum pod_comparison {
    POD_COMPARE_EQ,
    POD_COMPARE_NE,
    POD_COMPARE_LT,
    POD_COMPARE_LE,
    POD_COMPARE_GT,
    POD_COMPARE_GE
} pod_comparison;

typedef enum pod_reduction {
    POD_REDUCE_SUM,
    POD_REDUCE_PRODUCT,
    POD_REDUCE_MAX,
    POD_REDUCE_MIN,
    POD_REDUCE_MEAN,  /* of collectives only: divides by the replicas that have rows */
    POD_REDUCE_ASSIGN /* of scatter only: the update replaces the element */
} pod_reduction;

/* The names of comparisons ("eq", ...) and of reductions ("sum", ...) in the order of their types, NULL behind them. */
POD_API const char *const *pod_comparison_names(void);
POD_API const char *const *pod_reduction_names(void);

/* How exactly a product of f32 is computed. What is lost is a share of the sum of |a||b| of an element. */
typedef enum pod_precision {
    POD_PRECISION_DEFAULT, /* what the program is compiled with */
    POD_PRECISION_HIGH,    /* three bf16 passes where they are faster than f32: 2^-15 at most, a root
                            * mean square of 2^-18 or so; else as the highest */
    POD_PRECISION_HIGHEST, /* as exactly as f32; where six bf16 passes are faster they are taken, which are
                            * more exact but read and make no subnormal numbers */
    POD_PRECISION_ROUNDED  /* one pass over operands rounded to bf16, as on a TPU: 2^-7 at most, a root mean
                            * square of 2^-9 or so */
} pod_precision;

/* The type of a value that no operand tells: a result of an `opaque` node. `element` is a pod_element
 * (moonpod/chip.h); where pod_dtype has none like it, `dtype` is a stand-in, and for values that are no
 * arrays (tokens) `element` is 0 and the shape (0). */
typedef struct pod_value_type {
    pod_dtype dtype;
    int32_t element;
    pod_shape shape;
} pod_value_type;

/* Holds what an op needs besides its operands. Each op reads only the fields that its row in the op table
 * names (see core/graph/ops.def, which documents every op); the others are zero. */
typedef struct pod_attributes {
    pod_dtype dtype;
    pod_shape shape;
    pod_axes axes;
    int32_t axis;
    int64_t count;
    pod_axes lhs_batch, rhs_batch, lhs_contract, rhs_contract;         /* dot */
    int64_t low[POD_MAX_RANK], high[POD_MAX_RANK], step[POD_MAX_RANK]; /* slice, pad */
    pod_window window;
    pod_comparison comparison;
    pod_reduction reduction;
    bool flag;
    uint64_t seed;
    double values[4];
    pod_precision precision; /* dot, convolutions */
    int32_t element;         /* parameter: the pod_element that dtype is a stand-in for; else 0 */
    const char *name;        /* borrowed for the call; the graph keeps a copy */
    /* constant: elements; opaque: pod_value_type[count]; borrowed for the call; the graph keeps a copy */
    const void *data;
} pod_attributes;

/* Makes an empty graph. `name` is copied. On success *graph is the caller's, to end with
 * pod_graph_free(); on failure it is NULL. */
POD_API POD_CHECKED pod_status pod_graph_new(pod_context *context, const char *name, pod_graph **graph,
                                             pod_error *error);

/* Frees a graph with its nodes and regions. NULL is allowed. */
POD_API void pod_graph_free(pod_graph *graph);

/* Returns the first error of building, or POD_OK. */
POD_API POD_CHECKED pod_status pod_graph_check(const pod_graph *graph, pod_error *error);

/* Forgets the first error, so that an interactive user can go on. Invalid nodes stay invalid. */
POD_API void pod_graph_clear_error(pod_graph *graph);

/* Sets the place in the user's source ("model.lua:12") and the scope ("dense_1") that nodes made
 * from now on remember. Both are copied; NULL means none. */
POD_API void pod_graph_set_location(pod_graph *graph, const char *location);
POD_API void pod_graph_set_scope(pod_graph *graph, const char *scope);

/* Sets the precision of products made from now on that ask for POD_PRECISION_DEFAULT, those of composites among
 * them. */
POD_API void pod_graph_set_precision(pod_graph *graph, pod_precision precision);

/* Adds a primitive op. `regions` are graphs whose parameters and outputs fit the op (call, cond,
 * while, reduce); they are taken, also when the call fails. Nodes with several results are read
 * through pod_graph_result(). */
POD_API pod_node *pod_graph_apply(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t input_count,
                                  const pod_attributes *attributes, pod_graph *const *regions, size_t region_count);

/* Adds a node with the op, attributes, regions (copied), location and scope of `node`, which may be another graph's,
 * and the given operands. Types are inferred anew, so operands may differ from the original's. A parameter becomes a
 * parameter. Elements of constants are shared. */
POD_API pod_node *pod_graph_copy_node(pod_graph *graph, const pod_node *node, pod_node *const *inputs);

/* Copies a whole graph with outputs and aliases. The copy is the caller's, to end with pod_graph_free(); NULL when
 * there is no memory. */
POD_API pod_graph *pod_graph_copy(const pod_graph *graph, pod_error *error);

/* Copies the nodes of `source`, another graph, but for its parameters, in whose place arguments[0 ..] are; results[i]
 * receives what output i became. */
POD_API void pod_graph_inline(pod_graph *graph, const pod_graph *source, pod_node *const *arguments,
                              pod_node **results);

/* Adds a parameter; they are numbered in the order of their adding. */
POD_API pod_node *pod_graph_parameter(pod_graph *graph, pod_dtype dtype, const pod_shape *shape, const char *name);

/* Adds a constant of given elements (row-major, copied). */
POD_API pod_node *pod_graph_constant(pod_graph *graph, pod_dtype dtype, const pod_shape *shape, const void *data);

/* Adds a constant with every element `value`, converted to `dtype`; rank 0 when shape is NULL. */
POD_API pod_node *pod_graph_scalar(pod_graph *graph, pod_dtype dtype, double value, const pod_shape *shape);

/* Returns result `index` of a node with several results (of one with one result: itself for 0). */
POD_API pod_node *pod_graph_result(pod_graph *graph, pod_node *node, size_t index);

/* Makes a node an output; outputs are numbered in the order of their adding. */
POD_API void pod_graph_add_output(pod_graph *graph, pod_node *node);

/* Says that output `output` is the new value of parameter `parameter` (same type and shape): a
 * program then updates that argument's buffer in place. */
POD_API void pod_graph_set_alias(pod_graph *graph, size_t output, size_t parameter);

POD_API size_t pod_graph_parameter_count(const pod_graph *graph);
POD_API size_t pod_graph_output_count(const pod_graph *graph);
POD_API pod_node *pod_graph_get_parameter(const pod_graph *graph, size_t index);
POD_API pod_node *pod_graph_get_output(const pod_graph *graph, size_t index);

/* Returns how many nodes a graph has. */
POD_API size_t pod_graph_node_count(const pod_graph *graph);

/* Holds what a node is. Strings and arrays are borrowed from the graph. */
typedef struct pod_node_description {
    pod_op op;
    uint32_t id; /* nodes of a graph are numbered in the order of their adding, operands first */
    uint32_t input_count, result_count, region_count;
    pod_node *const *inputs;
    pod_graph *const *regions;
    const pod_attributes *attributes;
    const char *location; /* NULL when none */
    const char *scope;    /* NULL when none */
} pod_node_description;

POD_API pod_node_description pod_node_describe(const pod_node *node);

/* Returns whether a node checks or prints, itself or in its regions: that happens whether results are used or not. */
POD_API bool pod_node_has_effect(const pod_node *node);

/* Returns type and shape of result `index` of a node; POD_DTYPE_NONE for the invalid node. */
POD_API pod_dtype pod_node_dtype(const pod_node *node, size_t index);
POD_API const pod_shape *pod_node_shape(const pod_node *node, size_t index);

/* True for anything but the invalid node. */
POD_API bool pod_node_is_valid(const pod_node *node);

/* Returns node number `id`; NULL when there is none such. */
POD_API pod_node *pod_graph_get_node(const pod_graph *graph, uint32_t id);

/* Writes the graph as text, one node a line, into a block that is the caller's, to free with
 * pod_text_free(). NULL when there is no memory. */
POD_API char *pod_graph_print(const pod_graph *graph);
POD_API void pod_text_free(pod_context *context, char *text);

/* Checks every node of a finished graph against the op table again (shapes, types, regions, order).
 * Building already does; this finds graphs that a pass or a reader broke. */
POD_API POD_CHECKED pod_status pod_graph_verify(const pod_graph *graph, pod_error *error);

/* Adds the nodes that compute d(sum of target * seed) / d(source) for each source; seed NULL means
 * ones. gradients[i] is NULL where the target does not depend on source i through a differentiable
 * path. Fails with POD_ERROR_UNSUPPORTED, naming op and source line, where an op on the path has no
 * gradient. */
POD_API POD_CHECKED pod_status pod_graph_gradient(pod_graph *graph, pod_node *target, pod_node *seed,
                                                  pod_node *const *sources, size_t source_count, pod_node **gradients,
                                                  pod_error *error);

/* As pod_graph_gradient(), of what was made since the graph had `since` nodes: a node before them counts as a
 * constant, unless it is a source. So a tape has no part in what was computed before it began. */
POD_API POD_CHECKED pod_status pod_graph_gradient_since(pod_graph *graph, size_t since, pod_node *target,
                                                        pod_node *seed, pod_node *const *sources, size_t source_count,
                                                        pod_node **gradients, pod_error *error);

/* Makes a copy of a graph for finding where Inf and NaN come from. A run of it fails at an op that
 * makes them out of finite operands, with the op's name, scope and source line. Bodies of composites
 * are not looked into. With `parameters`, NaN in a parameter fails the run as well. On success *checked
 * is the caller's. */
POD_API POD_CHECKED pod_status pod_graph_check_numbers(const pod_graph *graph, bool parameters, pod_graph **checked,
                                                       pod_error *error);

/* How a parameter or an output lies over the replicas. */
typedef enum pod_placement {
    POD_MIRRORED,   /* one value, the same on every replica */
    POD_SPLIT,      /* one global value whose rows (axis 0) are the replicas' shards in order */
    POD_PER_REPLICA /* a leading axis of one value a replica; rows that pad a short shard are 0 */
} pod_placement;

/* Holds what pod_graph_replicate() needs. */
typedef struct pod_replicate_options {
    int64_t replicas;                          /* 1 to 65536 */
    const pod_placement *parameter_placements; /* one a parameter; borrowed for the call */
    const pod_placement *output_placements;    /* one an output; borrowed for the call */
    int64_t global_rows;                       /* rows of the POD_SPLIT parameters; each replica's shard has at most
                                                * ceil(global_rows / replicas) rows, which is the size of axis 0 of such
                                                * parameters in the core's graph: consecutive rows, full shards first,
                                                * then a short one, then empty ones */
} pod_replicate_options;

/* Makes from the graph of one core the graph of all replicas on this host. Batch reductions use the
 * true number of rows of each shard; collectives become reductions over the replica axis and, where
 * the algebra is exact, merge into their producers. An op for which that cannot be done exactly is
 * refused with its line. On success *replicated is the caller's. */
POD_API POD_CHECKED pod_status pod_graph_replicate(const pod_graph *graph, const pod_replicate_options *options,
                                                   pod_graph **replicated, pod_error *error);

/* Makes from a function of one element the function of `rows` elements at once: every parameter and
 * output gains a leading axis, except parameters for which `mapped` is false (NULL: all mapped). */
POD_API POD_CHECKED pod_status pod_graph_map(const pod_graph *graph, int64_t rows, const bool *mapped,
                                             pod_graph **result, pod_error *error);

POD_END_C

#endif
