#ifndef POD_REPLICATE_REPLICATE_PLAN_H
#define POD_REPLICATE_REPLICATE_PLAN_H

/*
 * What is decided about a graph before anything is emitted: the natural form of every value, and
 * which views of it are needed.
 *
 *   forward    natural forms, from the parameters on
 *   backward   what the outputs need, and so of which nodes: views
 *   emission   (replicate_emit.h) in node order, each view once
 *
 * A view of a value is its natural form, its sum over the replicas, or, of a uniform value that is
 * the same in every row, the value with one axis grown to the global batch. All other forms are
 * made of the natural one by reshapes where they are used.
 */

#include "replicate/forms.h"

/* Holds what all plans of one call share. */
typedef struct pod_batch_session {
    pod_context *context;
    pod_arena *arena; /* everything that plans and emitters point to */
    pod_shards shards;
    pod_error error; /* the first failure; status POD_OK when none */
    /* pod_replicate_batching_get(): rules know plans, which find rules by it alone. */
    const struct pod_batching *(*rule)(pod_op op);
} pod_batch_session;

typedef enum pod_result_view { POD_VIEW_NATURAL, POD_VIEW_GROWN, POD_VIEW_SUM, POD_VIEW_COUNT } pod_result_view;

/* What a view of a node needs of one of its operands. */
typedef enum pod_ask_kind {
    POD_ASK_NOTHING,
    POD_ASK_NATURAL, /* in whatever form it is */
    POD_ASK_JOINED,  /* joined along axis */
    POD_ASK_STACKED,
    POD_ASK_SUM
} pod_ask_kind;

typedef struct pod_ask {
    pod_ask_kind kind;
    int32_t axis;
    int64_t multiplier;
} pod_ask;

#define POD_AS_NOTHING ((pod_ask){POD_ASK_NOTHING, 0, 0})
#define POD_AS_NATURAL ((pod_ask){POD_ASK_NATURAL, 0, 0})
#define POD_AS_STACKED ((pod_ask){POD_ASK_STACKED, 0, 0})
#define POD_AS_SUM     ((pod_ask){POD_ASK_SUM, 0, 0})

/* How the sum over the replicas of a node's value is made. */
typedef enum pod_sum_way {
    POD_SUM_OF_NATURAL, /* from the natural form */
    POD_SUM_SAME_OP,    /* by the op itself on other views of its operands */
    POD_SUM_FOLD        /* by the op with the replica axis folded in */
} pod_sum_way;

/* One result of one node. */
typedef struct pod_result_plan {
    pod_form form;
    bool partial;                /* the sum is not made from the natural form; as settled forwards */
    bool carried;                /* a loop carries the sum, and there is no natural form; settled backwards */
    bool wanted[POD_VIEW_COUNT]; /* which views are needed */
    int32_t grown_axis;          /* where the grown view is wanted */
    int64_t grown_multiplier;
} pod_result_plan;

/* Why a node cannot be computed in its natural form. */
typedef enum pod_refusal {
    POD_REFUSED_NOT,
    POD_REFUSED_UNEVEN, /* inexact for a short shard */
    POD_REFUSED_RANK,   /* no room for the replica axis */
    POD_REFUSED_EFFECT, /* an effect or a collective that only some replicas would reach */
    POD_REFUSED_COUNT,  /* a collective traced for another number of replicas */
    POD_REFUSED_OPAQUE  /* an op that is only read */
} pod_refusal;

typedef struct pod_plan {
    pod_batch_session *session;
    const pod_graph *graph;
    uint32_t *first_slots; /* of each node; a `result` node has the slot that it reads */
    pod_result_plan *slots;
    uint32_t slot_count;
    uint32_t input_limit;      /* most operands of a node */
    pod_ask *asks;             /* input_limit of them: scratch */
    uint8_t *refusals;         /* pod_refusal of each node */
    struct pod_plan **regions; /* two of each node: plans of its regions, or NULL */
    uint8_t *marks;            /* of each node, for the rules of control flow */
} pod_plan;

struct pod_emitter;

/* What is special about an op: see pod_batching. */
typedef void pod_form_rule(pod_plan *plan, const pod_node *node);
typedef void pod_need_rule(pod_plan *plan, const pod_node *node);
typedef void pod_ask_rule(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks);
typedef pod_sum_way pod_sum_rule(pod_plan *plan, const pod_node *node, pod_ask *asks);
typedef pod_node *pod_emit_rule(struct pod_emitter *emitter, const pod_node *node, pod_result_view view,
                                pod_node **inputs);
typedef void pod_control_rule(struct pod_emitter *emitter, const pod_node *node);
typedef pod_node *pod_stacked_rule(struct pod_emitter *emitter, const pod_node *node, pod_node **inputs,
                                   const bool *stacked);
typedef pod_node *pod_fold_rule(struct pod_emitter *emitter, const pod_node *node, pod_node **inputs);

/* The batching rule of one op. */
typedef struct pod_batching {
    pod_stacked_rule *stacked; /* emits the op with a leading replica axis. Operands that are not stacked are
                                * uniform. NULL: with all of them stacked, and attributes that count one axis more */
    pod_form_rule *form;       /* sets the natural forms of the results; NULL: by where axes go */
    pod_ask_rule *ask;         /* what a view needs of the operands; NULL: by where axes go */
    pod_emit_rule *emit;       /* emits the natural or grown view, or a merged sum; NULL: by form */
    pod_sum_rule *sum;         /* how the sum over the replicas merges; NULL: it does not */
    pod_fold_rule *fold;       /* emits a sum of stacked operands; with POD_SUM_FOLD */
    pod_need_rule *need;       /* control flow: asks for what the wanted results need */
    pod_control_rule *control; /* control flow: emits all wanted results */
} pod_batching;

/* Returns the batching rule of an op. */
const pod_batching *pod_replicate_batching_get(pod_op op);

/* Returns where `node` takes an axis of an operand. */
pod_axis_way pod_replicate_plan_follow(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier);

/* Finds the axis of operand `operand` whose row r is what row r of result axis `axis` depends on.
 * False when there is none: the operand is the same for all rows. */
bool pod_replicate_plan_demand(const pod_node *node, int32_t axis, int64_t multiplier, uint32_t operand,
                               int32_t *operand_axis, int64_t *operand_multiplier);

/* Makes the plan of a graph with uniform parameters; NULL when there is no memory. */
pod_plan *pod_replicate_plan_new(pod_batch_session *session, const pod_graph *graph);

/* Returns the slot of a node's value (of its first result). */
pod_result_plan *pod_replicate_plan_slot(const pod_plan *plan, const pod_node *node);

/* Returns the natural form of operand `operand` of a node. */
const pod_form *pod_replicate_plan_operand_form(const pod_plan *plan, const pod_node *node, uint32_t operand);

/* Sets the natural forms of all nodes; those of the parameters are set. */
void pod_replicate_plan_forward(pod_plan *plan);

/* Asks for the needs of everything wanted so far. False after a failure, which the session keeps.
 */
bool pod_replicate_plan_backward(pod_plan *plan);

/* Asks for a value in some form. */
void pod_replicate_plan_request(pod_plan *plan, const pod_node *node, pod_ask ask);

/* Fills in what a view of a node needs of its operands. */
void pod_replicate_plan_asks(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks);

/* Returns how the sum over the replicas of a node's value is made, and fills in the asks. */
pod_sum_way pod_replicate_plan_sum_way(pod_plan *plan, const pod_node *node, pod_ask *asks);

/* Returns the natural form of a node from those of its operands, by the op's axis rule, and refuses
 * the node where that is not exact. */
pod_form pod_replicate_plan_form_by_axes(pod_plan *plan, const pod_node *node);

/* Returns the stacked form of a node, with the axes that run over rows. */
pod_form pod_replicate_plan_form_stacked(pod_plan *plan, const pod_node *node);

/* Notes that a node cannot be computed in its natural form; an error once that is needed. */
void pod_replicate_plan_refuse(pod_plan *plan, const pod_node *node, pod_refusal refusal);

/* Keeps a failure in the session, behind the place of a node (NULL: none), unless an earlier one is kept; returns
 * false.
 */
bool pod_replicate_session_fail(pod_batch_session *session, const pod_node *node, pod_status status, const char *format,
                                ...) __attribute__((format(printf, 4, 5)));

/* Returns zeroed memory that lives as long as the session; NULL when there is none, and the session
 * keeps that error. */
void *pod_replicate_session_allocate(pod_batch_session *session, size_t count, size_t size);

/* Returns the ask for a value in a form. */
pod_ask pod_replicate_ask_for(const pod_form *form);

/* Sum rules: by family of ops. */
pod_sum_rule pod_sum_unary; /* linear in operand 0, other operands uniform */
pod_sum_rule pod_sum_each;  /* linear in all operands together */
pod_sum_rule pod_sum_divide;
pod_sum_rule pod_sum_convert;
pod_sum_rule pod_sum_check;
pod_sum_rule pod_sum_select;
pod_sum_rule pod_sum_pad;
pod_sum_rule pod_sum_reduction;
pod_sum_rule pod_sum_product; /* dot, convolution_kernel_gradient: bilinear, folds over rows */
pod_sum_rule pod_sum_bilinear;
pod_sum_rule pod_sum_scatter;
pod_sum_rule pod_sum_dimension;
pod_sum_rule pod_sum_with_rows;

/* Form rules. */
pod_form_rule pod_form_of_leaf;
pod_form_rule pod_form_of_opaque;
pod_form_rule pod_form_of_check;
pod_form_rule pod_form_of_with_rows;
pod_form_rule pod_form_of_random;
pod_form_rule pod_form_of_dimension;
pod_form_rule pod_form_of_collective;
pod_form_rule pod_form_of_call;
pod_form_rule pod_form_of_cond;
pod_form_rule pod_form_of_while;

/* Ask rules. */
pod_ask_rule pod_ask_of_check;
pod_ask_rule pod_ask_of_with_rows;
pod_ask_rule pod_ask_of_random;
pod_ask_rule pod_ask_of_dimension;
pod_ask_rule pod_ask_of_collective;

/* Need rules. */
pod_need_rule pod_need_of_call;
pod_need_rule pod_need_of_cond;
pod_need_rule pod_need_of_while;

#endif
