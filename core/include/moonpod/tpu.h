#ifndef MOONPOD_TPU_H
#define MOONPOD_TPU_H

/*
 * tpu - a graph as a TPU's compiler would lay it out in memory.
 *
 * pod_tpu_lower() reads the graph of one core, the same that is trained, and plans it for a chip. It
 * says what is stored and what is fused away, in which layout, in which order, where in the heap. The
 * plan is a table: reports, the memory viewer and the advice read it, and nothing else describes the
 * model.
 *
 *     pod_tpu_plan *plan;
 *     status = pod_tpu_lower(graph, pod_chip_find("v3"), NULL, &plan, &error);
 *     const pod_tpu_memory *memory = pod_tpu_plan_memory(plan);
 *     if (pod_tpu_plan_verdict(plan) == POD_TPU_DOES_NOT_FIT)
 *         for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++)
 *             if (pod_tpu_plan_buffer(plan, i)->bytes.padded > memory->limit_bytes / 10)
 *                 puts(pod_tpu_plan_buffer(plan, i)->name);
 *     pod_tpu_plan_free(plan);
 *
 * Nothing is allocated of what the program would need: only the table. Threads: a plan does not
 * change and may be read from any.
 */

#include "moonpod/chip.h"
#include "moonpod/graph.h"

POD_BEGIN_C

typedef struct pod_tpu_plan pod_tpu_plan;

/* How a graph is lowered. All zero is what a compiler of today does. */
typedef struct pod_tpu_options {
    /* Which parameters' buffers outputs may take over: one flag a parameter, or NULL: those that an
     * output of the graph is an alias of. */
    const bool *donated;
    /* Devices among which the compiler divides the graph's arrays, as it does for a module with shardings; 0 and 1:
     * none. Sizes are those of whole arrays all the same. */
    int32_t partitions;
    /* Why the graph is not that of one of those devices; NULL: it is not said. */
    const char *undivided;
    /* Devices of which the graph is what one runs (moonpod/divide.h); 0 and 1: of none. */
    int32_t devices;
} pod_tpu_options;

/* What a buffer is for. */
typedef enum pod_tpu_use { POD_TPU_ARGUMENT, POD_TPU_OUTPUT, POD_TPU_TEMPORARY, POD_TPU_CONSTANT } pod_tpu_use;

/* A value that gets memory. Strings are borrowed from the graph or the plan. */
typedef struct pod_tpu_buffer {
    const char *name; /* as in XLA's text: "fusion.12", "iota.2", "Arg_0" */
    pod_tpu_use use;
    uint32_t node;        /* the node of the graph whose value it is */
    const char *op;       /* StableHLO's name of that node's op */
    const char *location; /* the user's line; NULL when unknown */
    const char *scope;    /* the layer; NULL when unknown */
    pod_array_type type;  /* with its layout */
    pod_layout_bytes bytes;
    int32_t first_step, last_step; /* of the schedule; arguments and outputs live through all of it */
    int64_t offset;                /* in the heap of temporaries; -1: not there */
    bool on_chip;                  /* in VMEM or CMEM: costs no HBM */
    int64_t alias;                 /* an output in the buffer of this argument; else -1 */
} pod_tpu_buffer;

/* A point of the schedule. */
typedef struct pod_tpu_step {
    uint32_t node;         /* what is computed then */
    pod_layout_bytes live; /* temporaries in HBM that live then */
} pod_tpu_step;

/* What devices do together. */
typedef enum pod_tpu_exchange {
    POD_TPU_EXCHANGE_NONE,
    POD_TPU_ALL_REDUCE,
    POD_TPU_ALL_GATHER,
    POD_TPU_REDUCE_SCATTER,
    POD_TPU_ALL_TO_ALL,
    POD_TPU_PERMUTE, /* each sends to one other */
    POD_TPU_EXCHANGES
} pod_tpu_exchange;

/* Returns "all_reduce", "all_gather" ...; NULL for none. */
POD_API const char *pod_tpu_exchange_name(pod_tpu_exchange exchange);

/* What one kernel computes and moves on one device. Strings are borrowed from the graph or the plan. */
typedef struct pod_tpu_cost {
    const char *name;     /* of what it makes, as a buffer's */
    uint32_t node;        /* of the graph: its dot or convolution, or else what it makes */
    const char *op;       /* StableHLO's name of that */
    const char *location; /* the user's line; NULL when unknown */
    const char *scope;    /* the layer; NULL when unknown */
    int32_t step;         /* of the schedule; of a turn's kernel that of its loop */
    double times;         /* that it runs in one run of the program */
    /* Of one time: */
    double product_flops; /* floating point operations of its dots and convolutions */
    double mxu_flops;     /* those that the MXUs would do at their peak meanwhile: whole tiles, and loads of weights */
    double other_flops;   /* of all else, but for: */
    double transcendentals; /* exponentials, logarithms, roots and their like */
    double padding;         /* by how much the largest array that it touches grows by padding: 1 by nothing */
    double bytes;           /* that it reads and writes, with padding */
    double hbm_bytes;       /* of those what is in HBM */
    double again_bytes;     /* of what is in HBM, those that another operand of its products reads again */
    double narrow_bytes;  /* what is written in 16 bits or fewer an element; of copies what 32 bits would add in HBM */
    double counted_bytes; /* as XLA's cost analysis counts them: of what is looked up whole tiles */
    double elements;      /* of the largest array that it goes through */
    bool copies;          /* into another layout, and computes nothing */
    bool alone;           /* is a single op that computes, and no product */
    bool reduces;         /* makes sums or their like, and no product */
    pod_tpu_exchange exchange;
    double exchanged_bytes; /* of the array that is summed up, gathered or scattered; of others a device's part of it */
    int64_t exchanging;     /* devices that do so together; 0: all */
} pod_tpu_cost;

/* Bytes of HBM on one device. */
typedef struct pod_tpu_memory {
    int64_t argument_bytes, output_bytes, alias_bytes, temp_bytes;
    int64_t need_bytes; /* argument + output - alias + temp */
    /* What is needed once the compiler has computed values again, which it does where more than nine tenths of
     * `limit_bytes` are; else need_bytes. 0: that was not found out. */
    int64_t relieved_bytes;
    uint32_t computed_again; /* kernels, for that */
    int64_t least_bytes;     /* whatever is computed again: arguments, outputs and one temporary */
    int64_t limit_bytes;     /* what a program may use on this chip */
    int64_t reserved_bytes;
    pod_layout_bytes peak;       /* temporaries that live at the peak */
    int32_t peak_step;           /* index of the step where they do */
    int64_t fragmentation_bytes; /* temp_bytes - peak.padded */
    int64_t on_chip_bytes;       /* the peak of what has a place on the chip */
} pod_tpu_memory;

/* Kinds of programs, by what decides about their memory. A program is of one or more. */
typedef enum pod_tpu_program_kind {
    POD_TPU_PROGRAM_DENSE,        /* none of the next three */
    POD_TPU_PROGRAM_CONVOLUTIONS, /* with such */
    POD_TPU_PROGRAM_ATTENTION,    /* with products of batches of matrices */
    POD_TPU_PROGRAM_TABLES,       /* with lookups in tables that are copied for them */
    POD_TPU_PROGRAM_LOOPS,
    POD_TPU_PROGRAM_INFERENCE, /* does not train: no argument is donated */
    POD_TPU_PROGRAM_SORTS,
    POD_TPU_PROGRAM_EXCHANGES, /* sums over devices */
    POD_TPU_PROGRAM_DIVIDED,   /* its arrays are divided among devices by the compiler */
    POD_TPU_PROGRAM_KINDS
} pod_tpu_program_kind;

/* Returns "dense", "convolutions" ...; NULL for none. */
POD_API const char *pod_tpu_program_kind_name(pod_tpu_program_kind kind);

/* How far a plan can be trusted: plans of programs of the same kinds for the same chip were compared with what the
 * compiler said of them, and those answers are kept. */
typedef struct pod_tpu_certainty {
    int32_t devices;      /* of which each runs its part of the program; 0: it is not divided */
    uint32_t kinds;       /* of the program: bits 1 << pod_tpu_program_kind */
    int32_t kept;         /* programs that are kept of them; of the kind that has fewest */
    int64_t margin_bytes; /* what may lie near the cores or not, which small programs are off by: see below */
    double miss;          /* by how much the compiler's need was off the plan's at most, beyond margin_bytes, as a share
                           * of the plan's */
    double margin;        /* what a verdict allows for above the plan, besides margin_bytes, and below it, as shares of
                           * it: nine of ten programs that were new to their plans needed no more and no less */
    double margin_below;
    bool met;          /* some program of just these kinds was compared, on whatever chip; else margins are wider */
    const char *doubt; /* why the plan does not tell what the program needs: it leaves something out, or too few such
                        * programs are kept; NULL where it tells. Borrowed from the plan. */
} pod_tpu_certainty;

/* Whether a program fits. */
typedef enum pod_tpu_verdict {
    POD_TPU_FITS,         /* by more than the margin, or the compiler computes again what is more than there is; with
                           * a doubt, where nothing is left out, by many times what is planned */
    POD_TPU_DOES_NOT_FIT, /* by least_bytes, or by relieved_bytes and more than the margin */
    POD_TPU_CANNOT_SAY    /* between those, or in doubt */
} pod_tpu_verdict;

/* Plans a graph for one device of a chip. `options` may be NULL. On success *plan is the caller's,
 * to end with pod_tpu_plan_free(); on failure it is NULL. The graph must outlive the plan. Fails
 * with POD_ERROR_UNSUPPORTED for a value whose size is not known, and with POD_ERROR_SHAPE past
 * 2^63 - 1 bytes. */
POD_API POD_CHECKED pod_status pod_tpu_lower(const pod_graph *graph, const pod_chip *chip,
                                             const pod_tpu_options *options, pod_tpu_plan **plan, pod_error *error);

/* Frees a plan. NULL is allowed. */
POD_API void pod_tpu_plan_free(pod_tpu_plan *plan);

POD_API const pod_chip *pod_tpu_plan_chip(const pod_tpu_plan *plan);
POD_API const pod_tpu_memory *pod_tpu_plan_memory(const pod_tpu_plan *plan);
POD_API const pod_tpu_certainty *pod_tpu_plan_certainty(const pod_tpu_plan *plan);
POD_API pod_tpu_verdict pod_tpu_plan_verdict(const pod_tpu_plan *plan);

/* All buffers: arguments, outputs, then temporaries in the order of their first step. */
POD_API size_t pod_tpu_plan_buffer_count(const pod_tpu_plan *plan);
POD_API const pod_tpu_buffer *pod_tpu_plan_buffer(const pod_tpu_plan *plan, size_t index);

/* The schedule. */
POD_API size_t pod_tpu_plan_step_count(const pod_tpu_plan *plan);
POD_API const pod_tpu_step *pod_tpu_plan_step(const pod_tpu_plan *plan, size_t index);

POD_END_C

#endif
