#ifndef POD_PROGRAM_INSTRUCTIONS_H
#define POD_PROGRAM_INSTRUCTIONS_H

/*
 * instructions - what compiling makes and the engine runs: slots (where values lie), instructions over
 * slots, and functions: lists of phases of instructions.
 *
 * A *slot* is a value's place: in the program's arena, in an argument, in a result buffer or in the
 * literals. Regions of cond, while and reduce are functions over the same slots, so a region reads its
 * operands where they lie.
 *
 * A *phase* holds *groups* that do not depend on each other; the instructions of a group share a grid
 * of rows and each row of an instruction depends on the same rows of those before it in its group (or
 * on earlier phases). Threads take ranges of a group's units, each of `unit` parts of the rows, and run
 * them through all its instructions; there are barriers only between phases. A *serial* phase holds one instruction
 * that all threads enter together (cond, while) or that the running thread does alone (print, meet).
 */

#include "program/loop.h"
#include "kernels/convolution.h"
#include "kernels/kernels.h"
#include "kernels/reference.h"
#include "moonpod/program.h"
#include "program/meetings.h"

typedef struct pod_function pod_function;

typedef enum pod_slot_kind {
    POD_SLOT_NONE,      /* never stored: lives inside a loop */
    POD_SLOT_ARENA,     /* at `offset` of the arena */
    POD_SLOT_BLOCK,     /* at `offset` of each thread's block: the rows that it is at, in `chunk_bytes` bytes */
    POD_SLOT_PARAMETER, /* the buffer of argument `index` */
    POD_SLOT_OUTPUT,    /* the buffer of result `index` */
    POD_SLOT_LITERAL    /* at `offset` of the literals */
} pod_slot_kind;

#define POD_SLOT_END UINT32_MAX

/* Bytes of scratch that a thread has besides what instructions need: its state, with an error. */
#define POD_THREAD_BYTES (sizeof(pod_error) + 128)

typedef struct pod_slot {
    pod_slot_kind kind;
    pod_dtype dtype;
    const pod_shape *shape;
    uint32_t base;  /* the slot in whose place this one lies, itself for most; a view of it may
                     * have another type and shape */
    uint32_t index; /* of the argument or result */
    uint32_t level; /* how many regions deep it was made */
    bool kept;      /* lives from step to step of a run */
    uint64_t offset, bytes;
    /* Of POD_SLOT_BLOCK: bytes of a part and of a chunk, those of the subgroup, or of the group when the slot
     * outlives a subgroup. */
    uint64_t part_bytes, chunk_bytes;
    bool of_subgroup;
} pod_slot;

/* X(enumerator, name in listings) */
#define POD_INSTRUCTION_LIST(X)                                                                                        \
    X(KERNEL, "kernel")                                                                                                \
    X(COPY, "copy")                                                                                                    \
    X(LOOP, "loop")                                                                                                    \
    X(COMBINE, "combine")                                                                                              \
    X(PACK, "pack")                                                                                                    \
    X(PRODUCT, "product")                                                                                              \
    X(CONVOLUTION, "convolution")                                                                                      \
    X(CROSS_ENTROPY, "cross_entropy")                                                                                  \
    X(CHECK, "check")                                                                                                  \
    X(REDUCE, "reduce")                                                                                                \
    X(PRINT, "print")                                                                                                  \
    X(COND, "cond")                                                                                                    \
    X(WHILE, "while")                                                                                                  \
    X(MEET, "meet")

typedef enum pod_instruction_kind {
#define X(enumerator, name) POD_DO_##enumerator,
    POD_INSTRUCTION_LIST(X)
#undef X
        POD_DO_COUNT
} pod_instruction_kind;

/* Bytes of a row of a copy. */
#define POD_COPY_ROW 4096

/* A kernel call whose arrays are the instruction's slots. A kernel that is `sliced` is called on the rows
 * of a unit: of all results and of the operands whose parts are rows. */
typedef struct pod_kernel_detail {
    const pod_kernel *kernel;
    const pod_attributes *attributes;
    bool sliced;
} pod_kernel_detail;

/* What ranks do together (program/meetings.h): each operand has a way and a result, which all get. One that only begins
 * is ended by a later one, which has no ways: its results are those of what was begun, and its operands what they were
 * begun with, so that this stays until then, and the results again. */
typedef struct pod_meet_detail {
    const pod_meeting_way *ways; /* of each operand; NULL: all was begun before */
    bool finishes;               /* whether it waits for the others */
    int64_t ranks;               /* for which the program was made */
    uint64_t agreed;             /* see pod_meeting */
} pod_meet_detail;

/* Regions run by cond (two), while (condition, body) and reduce (one). */
typedef struct pod_region_detail {
    const pod_attributes *attributes;
    pod_function *functions[2];
    int64_t most_turns;   /* while: ends after as many, whatever its condition says; 0: no bound */
    uint32_t *parameters; /* reduce: slots of accumulator and element */
    uint32_t *outputs[2]; /* slots of what each region gives */
} pod_region_detail;

/* result[m, n] = a * b for each of outer * inner batches, by one kind of product. Strides and offsets in
 * elements. Rows of the instruction are the outer batches, or those of the matrix when there is one. */
typedef struct pod_product_detail {
    const pod_dot_kernels *kernels;
    pod_dot_call call; /* without pointers */
    int64_t outer, inner;
    int64_t a_offset, a_outer_stride, a_inner_stride;
    int64_t b_offset, b_outer_stride, b_inner_stride; /* of plain b */
    uint64_t a_bytes;                                 /* of an element of a and of plain b */
    bool by_columns;                                  /* rows of the instruction are panels of columns: m is small */
    pod_loop *epilogue;                               /* NULL: the sums are stored as f32 */
    uint64_t packed_bytes;                            /* of one packed b; 0: b is plain */
    uint64_t scratch_bytes;                           /* of the product; the epilogue's lies behind it */
} pod_product_detail;

/* A phase of a convolution: see kernels/convolution.h. */
typedef struct pod_convolution_detail {
    pod_convolution_call call; /* without pointers */
    int phase;
    uint32_t left, right, shared; /* among the slots */
    uint32_t positions;           /* of a call that is pooled, alike */
    bool images;                  /* rows of the instruction are images */
    int64_t call_images;          /* images that one call takes; 0: any number */
    int64_t image_rows;           /* of the result, for one of them */
    int64_t unit_rows;            /* rows of the instruction that are one unit; 0: each is one */
    pod_loop *epilogue;           /* of the last phase; NULL: the sums are stored as f32 */
    uint64_t scratch_bytes;       /* of the convolution; the epilogue's lies behind it */
} pod_convolution_detail;

/* Packs b of a product, for each batch. Rows are the outer batches, or panels of columns. */
typedef struct pod_pack_detail {
    const pod_dot_kernels *kernels;
    pod_dtype dtype;
    int64_t k, n, k_stride, column_stride;
    int64_t outer, inner, offset, outer_stride, inner_stride;
    uint64_t packed_bytes;
} pod_pack_detail;

/* Adds the partial results of rows in their order: [partials, columns] -> [columns]. */
typedef struct pod_combine_detail {
    pod_fold fold;
    pod_class class_;
    int64_t partials, columns;
    pod_dtype dtype;
} pod_combine_detail;

/* Softmax cross-entropy of labels: operands logits [rows, classes], labels [rows] and, for the gradient,
 * a factor [rows]; results loss [rows], gradient [rows, classes]. */
typedef struct pod_cross_entropy_detail {
    pod_dtype dtype; /* of logits and gradient */
    int64_t classes;
    bool loss, gradient; /* which are made */
} pod_cross_entropy_detail;

typedef struct pod_instruction {
    pod_instruction_kind kind;
    pod_op op;
    const char *location; /* of the node it came from; NULL when none */
    const char *layer;    /* its scope; NULL when none */
    double flops;         /* of one step: see pod_node_flops() */
    const char *name;     /* of the op or composite, for listings and messages */
    uint32_t *slots;      /* operands, then results */
    uint32_t operand_count, result_count;
    /* Of each slot: into how many equal parts it falls so that part p of the rows needs or makes part p
     * of the slot and nothing else. Divides rows; 1: any row may need or make any element. */
    int64_t *parts;
    bool may_fail;   /* for values found bad while running */
    uint32_t phase;  /* where it runs: for listings */
    int64_t rows;    /* of the grid; 1: one unit */
    int64_t unit;    /* a thread takes multiples of this many rows */
    double row_cost; /* rough nanoseconds a row */
    uint64_t scratch_bytes;
    union {
        pod_kernel_detail kernel;
        pod_region_detail region;
        pod_product_detail product;
        pod_pack_detail pack;
        pod_convolution_detail convolution;
        pod_combine_detail combine;
        pod_meet_detail meet;
        pod_cross_entropy_detail cross_entropy;
        pod_loop *loop;
    };
} pod_instruction;

/* The name in listings. */
const char *pod_instruction_kind_name(pod_instruction_kind kind);

/* True for what all threads enter together, or the running thread does alone: a phase of its own. */
bool pod_instruction_is_serial(const pod_instruction *instruction);

/* True where ranks meet in it, or in its regions: all ranks come to such instructions in one order. */
bool pod_instruction_meets(const pod_instruction *instruction);

/* True for cond, while and reduce, whose `region` is set. */
bool pod_instruction_has_regions(const pod_instruction *instruction);

/* Its region 0 or 1; NULL: it has none such. */
pod_function *pod_instruction_region(const pod_instruction *instruction, int index);

/* The loop that it runs, or that takes its tiles; NULL: none. */
pod_loop *pod_instruction_loop(const pod_instruction *instruction);

/* How many of its operands are not that loop's. */
uint32_t pod_instruction_own_operands(const pod_instruction *instruction);

/* Bytes of scratch that a thread needs for an instruction, without its regions. */
uint64_t pod_instruction_scratch(const pod_instruction *instruction);

/* Instructions of a group that are taken through smaller chunks together. */
typedef struct pod_subgroup {
    uint32_t first, count; /* instructions */
    int64_t parts;         /* of each instruction's rows: a multiple of the group's */
    int64_t chunk;         /* such parts at a time */
} pod_subgroup;

typedef struct pod_group {
    uint32_t first, count;   /* instructions */
    int64_t parts;           /* of each instruction's rows, which it divides (or rows, when alone) */
    int64_t unit;            /* parts of a unit, which no two threads share */
    int64_t chunk;           /* parts taken through all instructions at a time: a multiple of unit */
    double unit_cost;        /* of a unit through all instructions */
    double cost_before;      /* of the groups of the phase before it */
    pod_subgroup *subgroups; /* that its instructions fall into; NULL: all of it is one */
    uint32_t subgroup_count;
} pod_group;

typedef struct pod_phase {
    uint32_t first, count; /* groups */
    bool serial;
    bool commits; /* writes arguments in place: no longer left half-done */
    double cost;
    double piece_cost; /* of the least that a thread takes at once */
} pod_phase;

struct pod_function {
    pod_instruction **instructions; /* in the order of phases and groups */
    pod_group *groups;
    pod_phase *phases;
    uint32_t instruction_count, group_count, phase_count;
};

/* Returns whether an instruction that runs some of its rows touches, of its slot number `at`, those same rows and
 * nothing else: where row r of n begins at byte r / n of the slot. It is run for some of `parts` equal parts of its
 * rows, one or more. */
bool pod_program_rows_alone(const pod_slot *slots, const pod_instruction *one, uint32_t at, int64_t parts);

#endif
