#ifndef POD_COMPILE_LOWER_H
#define POD_COMPILE_LOWER_H

/*
 * lower - from an ir to instructions over slots. lower.c walks the nodes and asks one function an op;
 * the files lower_*.c hold those functions. A function here that returns false has kept the error.
 */

#include "program/instructions.h"
#include "ir/ir.h"

typedef struct pod_lowering {
    pod_context *context;
    pod_arena *memory;  /* of the program: what lives as long as it */
    pod_arena *scratch; /* of the compilation */
    const pod_kernels *kernels;
    const pod_compile_options *options;
    pod_slot *slots;
    uint32_t slot_count, slot_room;
    uint32_t level;         /* of regions */
    uint64_t literal_bytes; /* handed out so far */
    struct pod_literal *literals;
    size_t fused;        /* nodes inside others' loops */
    pod_function *entry; /* of the program; NULL: none */
    pod_error *error;
} pod_lowering;

/* Elements to be copied into the program's literals. */
typedef struct pod_literal {
    struct pod_literal *next;
    const void *elements;
    uint64_t offset, bytes;
    pod_dtype dtype;
    bool splat; /* one element, to be repeated */
} pod_literal;

/* A function that is being made: instructions in topological order. */
typedef struct pod_lowered {
    pod_lowering *owner;
    const pod_ir *ir;
    uint32_t *slots;     /* of each value of the ir; POD_SLOT_END at first */
    uint32_t *registers; /* of each value of the ir, while a loop is made: see lower_loop.c */
    uint32_t *positions; /* of each node of the ir: see lower_pooling.c */
    pod_instruction **instructions;
    uint32_t count, room;
    struct pod_pack_list **packs; /* of each slot that is a base: what was packed of it; see lower_product.c */
    uint32_t pack_room;
} pod_lowered;

/* Keeps "no memory" as the error; returns false. */
bool pod_lower_no_memory(pod_lowering *lowering);

/* Makes a slot in the arena for a value of this type, or POD_SLOT_END. The shape is borrowed from the
 * compilation and copied into the program. */
uint32_t pod_lower_slot(pod_lowering *lowering, pod_dtype dtype, const pod_shape *shape);

/* Makes a slot that lies where `base` lies. */
uint32_t pod_lower_view(pod_lowering *lowering, uint32_t base, pod_dtype dtype, const pod_shape *shape);

/* Returns the slot in whose place a slot lies. */
uint32_t pod_lower_base(const pod_lowering *lowering, uint32_t slot);

/* Adds an instruction with room for its slots; NULL when there is no memory. */
pod_instruction *pod_lower_add(pod_lowered *function, pod_instruction_kind kind, uint32_t operands, uint32_t results);

/* Adds a copy of the bytes of one slot to another of the same size. */
bool pod_lower_copy(pod_lowered *function, uint32_t from, uint32_t to);

/* Adds the instruction for a node by its reference kernel; results get slots of their own. */
bool pod_lower_kernel(pod_lowered *function, const pod_ir_node *node);

/* The same with another slot as operand 0, or with one more result, where these are not POD_SLOT_END. */
bool pod_lower_kernel_with(pod_lowered *function, const pod_ir_node *node, uint32_t operand, uint32_t result);

/* Adds what a node by itself becomes; its operands have slots. */
bool pod_lower_node(pod_lowered *function, const pod_ir_node *node);

/* Keeps a constant as a literal, or fills it in each time when it is a large repetition. */
bool pod_lower_constant(pod_lowered *function, const pod_ir_node *node);

/* cond, while, reduce, check, print. */
bool pod_lower_control(pod_lowered *function, const pod_ir_node *node);

/* Makes the function of an ir whose parameter i lies in parameters[i]. outputs[i] receives the slot of
 * output i: targets[i] where that is not POD_SLOT_END (whole once the function has run), else any. */
pod_function *pod_lower_function(pod_lowering *lowering, const pod_ir *ir, const uint32_t *parameters,
                                 const uint32_t *targets, uint32_t *outputs);

/* Of `parts` equal parts of an instruction's rows, how many its product wants at least for a pass over b; 1: it is
 * none. */
int64_t pod_pass_parts(const pod_instruction *one, int64_t parts);

/* Orders the instructions in phases. */
pod_function *pod_schedule(pod_lowered *function);

/* Lets slots that live within one group lie in each other's places. */
bool pod_recycle_slots(pod_lowering *lowering, const pod_function *function);

/* Gives every arena slot its offset; returns the bytes of the arena in *bytes. */
bool pod_plan_buffers(pod_lowering *lowering, const pod_function *function, uint64_t *bytes);

#endif
