#ifndef POD_COMPILE_LOWERED_H
#define POD_COMPILE_LOWERED_H

/*
 * lowered - a program, and a function of it, while they are made: slots and instructions, to which lower_*.c add. A
 * function here that returns false has kept the error.
 */

#include "ir/ir.h"
#include "program/instructions.h"

typedef struct pod_lowering {
    pod_context *context;
    pod_arena *memory;  /* of the program: what lives as long as it */
    pod_arena *scratch; /* of the compilation */
    const pod_kernels *kernels;
    const pod_compile_options *options;
    pod_slot *slots;
    uint32_t slot_count, slot_room;
    uint32_t level;         /* of regions */
    bool predicts;          /* arguments may be held, and none is updated */
    uint64_t literal_bytes; /* handed out so far */
    struct pod_literal *literals;
    size_t fused;        /* nodes inside others' loops */
    pod_function *entry; /* of the program; NULL: none */
    /* pod_lower_function(), for the regions of instructions. */
    pod_function *(*lower_region)(struct pod_lowering *lowering, const pod_ir *ir, const uint32_t *parameters,
                                  const uint32_t *targets, uint32_t *outputs);
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
    uint32_t *slots;               /* of each value of the ir; POD_SLOT_END at first */
    uint32_t *registers, *rounded; /* of each value of the ir, while a loop is made: see lower_loop.c */
    uint32_t *positions;           /* of each node of the ir: see lower_single.c */
    pod_instruction **instructions;
    uint32_t count, room;
    struct pod_pack_list **packs; /* of each slot that is a base: what was packed of it; see lower_product.c */
    uint32_t pack_room;
} pod_lowered;

/* Returns whether the compilation goes on; false, with the error kept, where the context is interrupted. Asked between
 * passes, and for each unit of the longest of them. */
bool pod_lower_goes_on(pod_lowering *lowering);

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

/* Makes the slot of a value of the ir that an instruction makes; POD_SLOT_END when there is no memory. */
uint32_t pod_lower_result(pod_lowered *function, pod_ref value);

/* Who writes to the place of a slot, and who last reads it. */
typedef struct pod_slot_users {
    uint32_t writers, last_writer;
    uint32_t last_reader; /* 1 + its number; 0: none */
} pod_slot_users;

/* Finds that of each slot that is a base; NULL, with the error kept, when there is no memory. */
pod_slot_users *pod_lower_slot_users(const pod_lowered *function);

#endif
