#ifndef MOONPOD_EXCHANGE_H
#define MOONPOD_EXCHANGE_H

/*
 * exchange - StableHLO modules as text, read into graphs.
 *
 * What JAX, TensorFlow and PyTorch print of a step can be measured here, and run where every op of
 * it is one of the op table:
 *
 *     pod_exchange_module *module;
 *     status = pod_exchange_read(context, text, length, "step.mlir", &module, &error);
 *     pod_exchange_description about = pod_exchange_describe(module);
 *     const pod_graph *graph = pod_exchange_graph(module);
 *     for (size_t i = 0; i < about.unknown_count; i++)
 *         puts(pod_exchange_unknown_op(module, i).name);
 *     pod_exchange_free(module);
 *
 * The graph is that of the function `main` (or the only public one), with the functions that it
 * calls in the place of the calls. One op of the module becomes one node wherever an op of the
 * table means the same. Layouts of convolutions and windows that the table has not are brought to
 * it by `transpose`, `reshape` and `pad` nodes. Constants of one repeated element stay one element.
 * What no op of the table means becomes an `opaque` node of the same operands and result types,
 * named as in the module ("stablehlo.fft"; for calls of foreign code "custom_call @target"). So it
 * can be measured; compiling refuses it. It is listed as unknown where what it needs inside is not
 * known. Sizes that are not written count as their bound. Where a module is divided among devices
 * by hand as a whole (sdy.manual_computation, calls of SPMDFullToShardShape) the graph is what one
 * device runs. A node's location is "step.mlir:12", or the source line that the module's loc()
 * gives; its scope is the name that loc() gives, or the path of functions that it was called
 * through.
 *
 * A module is for one thread at a time.
 */

#include "moonpod/chip.h"
#include "moonpod/divide.h"
#include "moonpod/graph.h"

POD_BEGIN_C

typedef struct pod_exchange_module pod_exchange_module;

/* Reads a module from `length` bytes of text, which are borrowed for the call; `file_name` (NULL:
 * "module") stands in messages and locations. On success *module is the caller's, to end with
 * pod_exchange_free(); on failure it is NULL. Fails with POD_ERROR_FORMAT where the text is no
 * module, POD_ERROR_UNSUPPORTED for shapes that are not static, and what building a graph fails
 * with where operands do not fit; every message begins with "file:line:column: ". */
POD_API POD_CHECKED pod_status pod_exchange_read(pod_context *context, const char *text, size_t length,
                                                 const char *file_name, pod_exchange_module **module, pod_error *error);

/* Frees a module with its graph. NULL is allowed. */
POD_API void pod_exchange_free(pod_exchange_module *module);

/* Returns the graph; borrowed from the module. */
POD_API const pod_graph *pod_exchange_graph(const pod_exchange_module *module);

/* Gives the graph away: it is the caller's, to end with pod_graph_free(). The module then has none,
 * and NULL is returned the second time. */
POD_API pod_graph *pod_exchange_take_graph(pod_exchange_module *module);

/* Holds what a module is. Strings are borrowed from it. */
typedef struct pod_exchange_description {
    const char *name;      /* of the module: "jit_step" */
    const char *function;  /* that was read: "main" */
    int64_t partitions;    /* devices that the arrays are divided among; 1 when not said */
    int64_t replicas;      /* 1 when not said */
    bool local;            /* shapes are those of one device's part: the whole function is divided by hand */
    bool divided;          /* the compiler is to divide it, and it is known how: pod_exchange_division() */
    const char *undivided; /* why it cannot be divided here, where it is for several devices; else NULL */
    size_t parameter_count, output_count;
    size_t unknown_count; /* kinds of ops that became opaque */
} pod_exchange_description;

POD_API pod_exchange_description pod_exchange_describe(const pod_exchange_module *module);

/* Returns how the arrays of the graph are divided among devices, for pod_graph_of_device(); NULL where they are not.
 * Borrowed from the module. */
POD_API const pod_division *pod_exchange_division(const pod_exchange_module *module);

/* Puts the graph of one device in the place of the module's; parameters and outputs then have its shapes. NULL: it
 * could not be divided, for the reason that is given. */
POD_API void pod_exchange_set_part(pod_exchange_module *module, pod_graph *part, const char *undivided);

/* A parameter of the function. Strings are borrowed from the module and NULL where nothing is said.
 */
typedef struct pod_exchange_parameter {
    const char *name; /* from loc(), else "arg0" */
    pod_element element;
    pod_shape shape;
    int64_t alias;        /* the output that takes this buffer over; -1: none */
    bool donated;         /* its buffer may be taken over: alias is given, or the program may choose */
    const char *sharding; /* as the module writes it */
} pod_exchange_parameter;

/* Returns parameter `index`, which must be below parameter_count. */
POD_API pod_exchange_parameter pod_exchange_get_parameter(const pod_exchange_module *module, size_t index);

/* An output of the function. */
typedef struct pod_exchange_output {
    const char *name; /* as JAX gives it ("result[0]['w']"); NULL when not said */
    pod_element element;
    pod_shape shape;
    const char *sharding; /* NULL when not said */
} pod_exchange_output;

/* Returns output `index`, which must be below output_count. */
POD_API pod_exchange_output pod_exchange_get_output(const pod_exchange_module *module, size_t index);

/* A kind of op that became opaque. */
typedef struct pod_exchange_unknown {
    const char *name;      /* as the node's: "stablehlo.fft", "custom_call @target" */
    const char *reason;    /* why no op of the table means it */
    uint32_t line, column; /* of the first one, from 1 */
    uint32_t count;
} pod_exchange_unknown;

/* Returns unknown op `index`, which must be below unknown_count; in the order of their first place.
 */
POD_API pod_exchange_unknown pod_exchange_unknown_op(const pod_exchange_module *module, size_t index);

/* Writes a graph as a module in the generic form, with the function `main`: aliases, names of
 * parameters, places and scopes of nodes are kept. Calls become composites with their body. What
 * StableHLO says otherwise than the op table, or not at all (random bits keyed by row, checks, prints),
 * carries `moonpod.` attributes. pod_exchange_read() makes the same node again of them. A gradient that
 * a call brings along is not written. On success *text is the caller's, to free with pod_text_free();
 * on failure it is NULL. */
POD_API POD_CHECKED pod_status pod_exchange_write(const pod_graph *graph, char **text, pod_error *error);

/* Returns the element type of result `index` of a node of any graph: what the node's dtype is, or a
 * stand-in for (complex64, float8, int4). POD_ELEMENT_NONE for tokens and the like, which take no
 * memory. */
POD_API pod_element pod_node_element(const pod_node *node, size_t index);

POD_END_C

#endif
