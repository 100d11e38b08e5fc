#ifndef POD_EXCHANGE_WRITE_H
#define POD_EXCHANGE_WRITE_H

/*
 * write - graphs as StableHLO text, in the generic form. What StableHLO says otherwise than the op
 * table carries `moonpod.` attributes from which the reader makes the same node again (marked.c);
 * what it cannot say is a custom_call with them. */

#include "base/text.h"
#include "graph/node.h"

/* Devices that one program is for, by partitions. */
typedef struct pod_exchange_target {
    int32_t devices;   /* 1 and up */
    const int8_t *cut; /* of each parameter the axis that is divided among them in equal parts, or -1; NULL: of none.
                        * An output that is an alias of one is divided so, too. All else each device has whole */
} pod_exchange_target;

/* As pod_exchange_write(), without marks of ours. An op that StableHLO has not is refused with its name and
 * place (POD_ERROR_UNSUPPORTED). */
POD_CHECKED pod_status pod_exchange_write_for(const pod_graph *graph, const pod_exchange_target *target, char **text,
                                              pod_error *error);

/* A graph that is being written: main's, a function's or a region's. */
typedef struct pod_frame {
    const pod_graph *graph;
    uint32_t number;               /* in the names of its values */
    const struct pod_frame *outer; /* where `operands` are values; NULL: parameters are arguments */
    pod_node *const *operands;     /* that the parameters stand for */
} pod_frame;

typedef struct pod_module_writer pod_module_writer;

struct pod_module_writer {
    pod_text text;
    pod_context *context;
    /* pod_exchange_write_node(), for the nodes of regions. */
    void (*write_node)(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
    const pod_node **functions; /* nodes whose bodies are written behind main */
    size_t function_room;
    uint32_t function_count, frames;
    const pod_exchange_target *target; /* NULL: the text is for whoever reads it */
    const pod_node *refused;           /* the first that the target cannot run */
};

#define POD_EXCHANGE_VALUE_SIZE 48

/* "%v0_3", "%v0_4#1"; returns `text`. */
const char *pod_exchange_value_text(const pod_frame *frame, const pod_node *node, char text[POD_EXCHANGE_VALUE_SIZE]);

/* The first of the barriers that are written as one op with this one: those of its number that come one after the
 * other. Any other node is its own first. */
const pod_node *pod_exchange_first_of_barrier(const pod_node *node);

/* The same, written. */
void pod_exchange_write_value(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

/* "tensor<2x3xf32>" of a result */
void pod_exchange_write_type(pod_module_writer *writer, const pod_node *node, size_t index);

/* Values, and the types of their first results, with commas between them. */
void pod_exchange_write_values(pod_module_writer *writer, const pod_frame *frame, pod_node *const *nodes,
                               uint32_t count);
void pod_exchange_write_types(pod_module_writer *writer, pod_node *const *nodes, uint32_t count);

#define POD_EXCHANGE_TYPE_SIZE 256

/* The same of an element type and a shape (NULL: a scalar), and of a scalar of a dtype. Both return `text`, or a text
 * that stays. */
const char *pod_exchange_type_text(int32_t element, const pod_shape *shape, char text[POD_EXCHANGE_TYPE_SIZE]);
const char *pod_exchange_scalar_text(pod_dtype dtype, char text[POD_EXCHANGE_TYPE_SIZE]);

/* A pattern in which $0 .. $9 stand for words. */
void pod_exchange_write_filled(pod_module_writer *writer, const char *pattern, const char *const *words);

/* A text in quotes. */
void pod_exchange_write_quoted(pod_module_writer *writer, const char *text);

/* "array<i64: 1, 2>" */
void pod_exchange_write_integers(pod_module_writer *writer, const int64_t *values, int32_t count);
void pod_exchange_write_axes(pod_module_writer *writer, const pod_axes *axes);

/* "{moonpod.op = "..", ..}": the whole node. */
void pod_exchange_write_mark(pod_module_writer *writer, const pod_node *node);

/* The ops and the return of a region, between "({" and "})". */
void pod_exchange_write_region(pod_module_writer *writer, const pod_frame *frame, const char *terminator);

/* "{^bb0(%a3_0: T, ..): ..}": a region whose parameters are its arguments. */
void pod_exchange_write_block(pod_module_writer *writer, const pod_graph *graph);

/* Queues a function for the body of a call, or for with_rows, which gives its first operand; returns its number. */
uint32_t pod_exchange_write_function(pod_module_writer *writer, const pod_node *node);

/* Writes a node as ops. */
void pod_exchange_write_node(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

/* " loc(..)" where the node knows its place. */
void pod_exchange_write_location(pod_module_writer *writer, const pod_node *node);

/* Writes " <{key = .., ..}>"; nothing for an op that has no properties in the table of properties.c. */
void pod_exchange_write_properties(pod_module_writer *writer, const pod_node *node);

#endif
