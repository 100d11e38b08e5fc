#ifndef POD_REPLICATE_REPLICATE_EMIT_H
#define POD_REPLICATE_REPLICATE_EMIT_H

/*
 * Emission of a planned graph into a graph of all replicas, and the small pieces that rules build
 * with. Nodes that fail to build leave the target graph's first error; nothing is checked in
 * between.
 */

#include "graph/build.h"
#include "replicate/replicate_plan.h"

/* The emitted views of one slot, and what was made of them; NULL until needed. */
typedef struct pod_value {
    pod_node *views[POD_VIEW_COUNT];
    pod_node *stacked;
    pod_node *joined; /* from a natural form that is not */
    int32_t joined_axis;
    int64_t joined_multiplier;
} pod_value;

#define POD_EMITTER_MASKS 4

typedef struct pod_emitter {
    pod_plan *plan;
    pod_graph *graph;  /* the target */
    pod_value *values; /* of each slot */
    pod_node **inputs; /* scratch, as many as a node has operands */
    bool *stacked;     /* scratch, as many */
    pod_ask *asks;     /* scratch, as many */
    struct {
        int64_t multiplier;
        pod_node *mask;
    } masks[POD_EMITTER_MASKS]; /* the last ones made */
    uint32_t next_mask;
    const char *location, *scope; /* of nodes that have none: those of the call they were in */
    struct pod_emitter *outer;    /* of the graph that a region is in; NULL: none */
    bool repeats;                 /* rows that differ and are the same on every core lie once for each core */
} pod_emitter;

/* Values of all bits that reductions start from. */
typedef enum pod_fill {
    POD_FILL_ZERO, /* and false */
    POD_FILL_ONE,  /* and true */
    POD_FILL_LOWEST,
    POD_FILL_HIGHEST
} pod_fill;

/* Makes the emitter of a plan; NULL when there is no memory. */
pod_emitter *pod_replicate_emitter_new(pod_plan *plan, pod_graph *target);

/* Gives a parameter's view its value. */
void pod_replicate_emitter_bind(pod_emitter *emitter, const pod_node *parameter, pod_result_view view, pod_node *value);

/* Emits every view that is wanted; parameters are bound. */
void pod_replicate_emitter_run(pod_emitter *emitter);

/* Returns the value of a node in some form; what it is made from was wanted. */
pod_node *pod_replicate_emitter_get(pod_emitter *emitter, const pod_node *node, pod_ask ask);

/* Returns the emitted views of a node's first result. */
pod_value *pod_replicate_emitter_value(pod_emitter *emitter, const pod_node *node);

/* Sets location and scope of what is emitted next to those of a node. */
void pod_replicate_emitter_place(pod_emitter *emitter, const pod_node *node);

/* ---- forms ---- */

/* Makes the stacked value of a uniform one with the core's shape. */
pod_node *pod_replicate_emit_repeat(pod_emitter *emitter, pod_node *x);

/* Brings all operands to stacked form. */
void pod_replicate_emit_stack_all(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked);

/* Returns x with every axis that runs over the rows filled beyond a short shard's rows. `rows` is
 * for the axes without the replica axis. */
pod_node *pod_replicate_emit_masked(pod_emitter *emitter, pod_node *x, const int64_t rows[POD_MAX_RANK], pod_fill fill);

/* The same for operand `operand` of a node, whose rows are those of its form. */
pod_node *pod_replicate_emit_masked_operand(pod_emitter *emitter, const pod_node *node, uint32_t operand, pod_node *x,
                                            pod_fill fill);

/* Sums a stacked value over the replicas. */
pod_node *pod_replicate_emit_stacked_sum(pod_emitter *emitter, pod_node *x, const int64_t rows[POD_MAX_RANK]);

/* Emits a node once for each replica, on its part of each stacked operand, and stacks the results.
 */
pod_node *pod_replicate_emit_unrolled(pod_emitter *emitter, const pod_node *node, pod_node **inputs,
                                      const bool *stacked);

/* ---- pieces ---- */

/* Emits a node on operands with a replica axis in front: its attributes count one axis more. */
pod_node *pod_replicate_emit_behind(pod_emitter *emitter, const pod_node *node, pod_node **inputs);

pod_node *pod_replicate_emit_op(pod_emitter *emitter, pod_op op, pod_node *const *inputs, size_t count,
                                const pod_attributes *attributes);

/* A constant of one repeated element. */
pod_node *pod_replicate_emit_fill(pod_emitter *emitter, pod_dtype dtype, const pod_shape *shape, pod_fill fill);
pod_node *pod_replicate_emit_number(pod_emitter *emitter, pod_dtype dtype, const pod_shape *shape, int64_t value);
pod_node *pod_replicate_emit_broadcast(pod_emitter *emitter, pod_node *x, const pod_shape *shape, const int32_t *axes);
pod_node *pod_replicate_emit_slice(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t low, int64_t high);
pod_node *pod_replicate_emit_pad_end(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t count);
pod_node *pod_replicate_emit_reduce(pod_emitter *emitter, pod_op op, pod_node *x, int32_t axis);

/* Moves axis `from` to place `to`. */
pod_node *pod_replicate_emit_move(pod_emitter *emitter, pod_node *x, int32_t from, int32_t to);

/* Refuses a value that would have more axes than there may be, by that of the replicas or elements. */
pod_node *pod_replicate_emit_no_room(pod_emitter *emitter);

/* Merges axis `axis` with the one behind it, or splits it so that the first part has `size`. */
pod_node *pod_replicate_emit_merge(pod_emitter *emitter, pod_node *x, int32_t axis);
pod_node *pod_replicate_emit_split(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t size);

/* Writes a shape with one more axis in front, of one entry a replica. */
pod_shape pod_replicate_emit_stacked_shape(const pod_emitter *emitter, const pod_shape *shape);

/* Returns a list of axes counted one further, behind a replica axis in front; with that one first
 * when `lead` is set. */
pod_axes pod_replicate_emit_shifted(const pod_axes *axes, bool lead);

/* ---- ranks: each returns x where there is one ---- */

/* The sum, product, maximum or minimum over the ranks of what each has. */
pod_node *pod_replicate_emit_over_ranks(pod_emitter *emitter, pod_node *x, pod_reduction reduction);

/* From what all ranks have to what this one has: its rows along an axis of `multiplier` entries a row, its part of what
 * has a replica axis in front. */
pod_node *pod_replicate_emit_own_rows(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t multiplier);
pod_node *pod_replicate_emit_own_replicas(pod_emitter *emitter, pod_node *x);

/* The other way round: what all ranks have of what this one has. */
pod_node *pod_replicate_emit_all_rows(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t multiplier);
pod_node *pod_replicate_emit_all_replicas(pod_emitter *emitter, pod_node *x);

/* ---- stacked rules, by family of ops ---- */

pod_stacked_rule pod_stacked_shifted; /* of ops without a rule */
pod_stacked_rule pod_stacked_pad;
pod_stacked_rule pod_stacked_cumulative;
pod_stacked_rule pod_stacked_dynamic_slice;
pod_stacked_rule pod_stacked_dynamic_update;
pod_stacked_rule pod_stacked_gather;
pod_stacked_rule pod_stacked_scatter;
pod_stacked_rule pod_stacked_reduction;
pod_stacked_rule pod_stacked_region_reduction;
pod_stacked_rule pod_stacked_dot;
pod_stacked_rule pod_stacked_convolution;
pod_stacked_rule pod_stacked_pool;

pod_fold_rule pod_fold_reduction;
pod_fold_rule pod_fold_dot;
pod_fold_rule pod_fold_kernel_gradient;

pod_emit_rule pod_emit_check;
pod_emit_rule pod_emit_with_rows;
pod_emit_rule pod_emit_random;
pod_emit_rule pod_emit_dimension;
pod_emit_rule pod_emit_collective;

pod_control_rule pod_emit_call;
pod_control_rule pod_emit_cond;
pod_control_rule pod_emit_while;

/* ---- collectives of groups: replicate_groups.c ---- */

/* Whether a collective is one of groups of the replicas; its form, and what it is along the replica axis. */
bool pod_replicate_is_grouped(const pod_plan *plan, const pod_node *node);
void pod_replicate_group_form(pod_plan *plan, const pod_node *node);
pod_node *pod_replicate_emit_grouped(pod_emitter *emitter, const pod_node *node, pod_node *x);

#endif
