#ifndef POD_IR_IR_H
#define POD_IR_IR_H

/*
 * ir - a graph while it is compiled: flat arrays of nodes and values that passes read in order and
 * write anew. A pass is a walk over the nodes of one ir that adds to another one; so every pass is
 * linear, and an operand always stands before its users.
 *
 * Nodes with several results have several values (there is no result op here), and bodies of calls
 * are inlined unless a kernel takes the whole call. Everything lives in the arena of the
 * compilation; attributes are borrowed from the graph or made in the arena.
 *
 * A 16-bit value is rounded where it is made and is one value for all readers, in a register or in memory. What is
 * interior to the body of a call alone is `wide`: it may keep what f32 holds until it is stored. What a call gives is
 * never wide.
 *
 * A function that returns false or NULL has run out of memory.
 */

#include "base/arena.h"
#include "graph/node.h"
#include "kernels/reference.h"

typedef uint32_t pod_ref; /* a value of an ir */
#define POD_REF_NONE UINT32_MAX

typedef struct pod_ir pod_ir;

typedef struct pod_ir_value {
    pod_dtype dtype;
    uint32_t node;   /* that makes it */
    uint32_t result; /* which of the node's results it is */
    const pod_shape *shape;
} pod_ir_value;

typedef struct pod_ir_node {
    pod_op op;
    uint32_t input_first, input_count; /* in pod_ir.inputs */
    uint32_t value_first, value_count; /* in pod_ir.values */
    uint32_t region_count;
    pod_ir **regions;
    const pod_attributes *attributes;
    const void *constant;   /* elements of a constant: one when attributes->flag is set; borrowed */
    const pod_node *source; /* the node that was read; NULL for one that a pass made */
    uint32_t outer;         /* id in the imported graph: the source's, or that of the outermost call */
    const char *location;   /* NULL when none */
    const char *scope;      /* NULL when none */
    bool wide;              /* within the body of a call: loops may keep in f32 what it computes of 16 bits */
} pod_ir_node;

struct pod_ir {
    pod_arena *arena; /* borrowed */
    pod_ir_node *nodes;
    pod_ir_value *values;
    pod_ref *inputs;
    uint32_t node_count, node_room;
    uint32_t value_count, value_room;
    uint32_t input_count, input_room;
    pod_ref *parameters, *outputs;
    int64_t *aliases; /* of each output: the parameter that it updates, or -1 */
    uint32_t parameter_count, output_count;
};

/* Makes an empty ir with room for that many nodes (it grows). */
pod_ir *pod_ir_new(pod_arena *arena, uint32_t nodes, uint32_t parameters, uint32_t outputs);

/* Adds a node with room for its inputs and results, which the caller then fills through
 * pod_ir_inputs() and pod_ir_set_type(). Returns its number, or POD_REF_NONE. */
uint32_t pod_ir_add(pod_ir *ir, pod_op op, uint32_t inputs, uint32_t results, const pod_attributes *attributes);

/* Adds a node with one result. */
pod_ref pod_ir_emit(pod_ir *ir, pod_op op, const pod_ref *inputs, uint32_t input_count,
                    const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape);

/* Sets the type of a node's result. The shape is borrowed: it lives as long as the arena. */
void pod_ir_set_type(pod_ir *ir, uint32_t node, uint32_t result, pod_dtype dtype, const pod_shape *shape);

/* The inputs of a node; valid until the next node is added. */
pod_ref *pod_ir_inputs(const pod_ir *ir, const pod_ir_node *node);

/* What is asked of a node without regions: see pod_op_flops(). */
pod_op_sizes pod_ir_sizes(const pod_ir *ir, const pod_ir_node *node);

/* The node that makes a value. */
pod_ir_node *pod_ir_maker(const pod_ir *ir, pod_ref value);

/* The elements of a value, its bytes, and its array without them. */
int64_t pod_ir_elements(const pod_ir *ir, pod_ref value);
int64_t pod_ir_bytes(const pod_ir *ir, pod_ref value);
pod_array pod_ir_array(const pod_ir *ir, pod_ref value);

/* Returns whether a type is a float of 16 bits. */
static inline bool pod_ir_is_narrow(pod_dtype dtype)
{
    return dtype == POD_BF16 || dtype == POD_F16;
}

/* Returns whether the products of the kernels take a type. */
static inline bool pod_ir_is_product_type(pod_dtype dtype)
{
    return dtype == POD_F32 || dtype == POD_BF16;
}

/* The way of an operand of a node in which ranks meet, where it is gathered: a pod_reduction else. */
#define POD_IR_GATHERS (-1)

/* Returns whether ranks meet in a node: they all come to it. After import it is an all_reduce of any operands, whose
 * attributes have `count` ranks and as `data` the way of each (int32_t). Where `axis` is POD_IR_BEGINS a later node
 * ends it, whose `data` is NULL: its operands are all values that were begun, in this order, and then what they were
 * made of; its values are those that were begun. */
bool pod_ir_meets(const pod_ir_node *node);

#define POD_IR_BEGINS 1

/* Makes one node of all the places where ranks could meet at the same time, but for those within regions: import does,
 * of regions too. Of much it makes several, which begin in the order in which their values are made, and one that ends
 * them. False: no memory. */
bool pod_ir_join_meetings(pod_arena *arena, pod_ir **ir);

/* Returns whether an op gives nothing but elements of its operands, or those with another sign. */
bool pod_ir_keeps_values(pod_op op);

/* Returns whether a value may hold more than its 16-bit type: a cast to that type is to round it. */
bool pod_ir_is_wide(const pod_ir *ir, pod_ref value);

/* The element of a constant of one repeated element as a double; false for others. */
bool pod_ir_splat(const pod_ir *ir, pod_ref value, double *element);

/* Returns whether a kernel takes a call whole; `precision` is that of f32 products that ask for none. */
typedef bool (*pod_call_keeper)(const pod_node *call, pod_precision precision);

/* Reads a graph: inlines calls except those that a kernel takes whole, which `keep_call` tells (NULL:
 * none). Nested regions become irs of their own. */
POD_CHECKED pod_status pod_ir_import(pod_arena *arena, const pod_graph *graph, pod_call_keeper keep_call,
                                     pod_precision precision, pod_ir **ir, pod_error *error);

#ifndef NDEBUG
/* Whether an ir is what this file says, after the pass of that name: see verify_ir.c. Says what is broken. `types`: its
 * values have the types that the rules of their ops give, too. */
POD_CHECKED pod_status pod_ir_verify(const pod_ir *ir, bool types, const char *pass, pod_error *error);
#else
#define pod_ir_verify(ir, types, pass, error) POD_OK
#endif

#endif
