#ifndef POD_REPLICATE_REPLICATE_REGIONS_H
#define POD_REPLICATE_REPLICATE_REGIONS_H

/*
 * What calls, branches and loops have in common: their regions are planned under the forms of what
 * goes in, and emitted again as regions, or inlined where that is not possible.
 */

#include "replicate/replicate_emit.h"

/* ---- planning ---- */

/* Returns the two plans of a node's regions, to read and set. */
pod_plan **pod_replicate_region_plans(pod_plan *plan, const pod_node *node);

/* Makes the plan of region `index` with parameters of the given forms; NULL when there is no
 * memory. It is not yet forwarded. */
pod_plan *pod_replicate_region_plan(pod_plan *plan, const pod_node *node, uint32_t index, const pod_form *forms);

/* Returns copies of the forms of operands `first` and up, which tell nothing about repetition; NULL
 * when there is no memory. */
pod_form *pod_replicate_region_forms(pod_plan *plan, const pod_node *node, uint32_t first);

/* Returns the slots of a region's parameter and output. */
pod_result_plan *pod_replicate_region_input(const pod_plan *child, uint32_t parameter);
pod_result_plan *pod_replicate_region_output(const pod_plan *child, uint32_t output);

/* Returns whether any result of a node is wanted. */
bool pod_replicate_region_wanted(pod_plan *plan, const pod_node *node);

/* Refuses a node in whose regions something happens that only some replicas would reach. */
void pod_replicate_region_refuse_effects(pod_plan *plan, const pod_node *node);

/* Refuses a node of which a stacked result has no room for the replica axis. */
void pod_replicate_region_refuse_rank(pod_plan *plan, const pod_node *node);

/* ---- emission ---- */

/* Makes the emitter of a region into `target`; NULL when there is no memory. */
pod_emitter *pod_replicate_region_emitter(pod_emitter *emitter, const pod_node *node, pod_plan *child,
                                          pod_graph *target);

/* Makes an empty region named like another; NULL when there is no memory. It is the caller's until
 * pod_graph_apply() takes it. */
pod_graph *pod_replicate_region_new(pod_emitter *emitter, const pod_graph *like);

/* Adds a parameter of a value's type, named like another. */
pod_node *pod_replicate_region_parameter(pod_graph *region, const pod_node *value, const pod_node *like);

/* Returns an output of an emitted region in some form. */
pod_node *pod_replicate_region_result(pod_emitter *inner, uint32_t output, pod_ask ask);

/* Emits a region into `target` with the given values for its parameters; NULL when there is no
 * memory. Values are in natural form, or sums where the parameter is partial. */
pod_emitter *pod_replicate_region_inline(pod_emitter *emitter, const pod_node *node, pod_plan *child, pod_graph *target,
                                         pod_node *const *values);

/* Takes a stacked value from the replicas where the predicate [replicas] is true. */
pod_node *pod_replicate_region_select(pod_emitter *emitter, pod_node *predicate, pod_node *a, pod_node *b);

#endif
