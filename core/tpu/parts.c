/* parts - see passes.h (R4). */

#include "tpu/passes.h"

/* What a value is computed from: the one array of a product, where `count` is 1. */
typedef struct part_sources {
    pod_ref source;
    uint32_t count;
} part_sources;

static void add_source(pod_tpu_lowering *lowering, pod_ref value, void *context)
{
    part_sources *sources = context;
    if (pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_CONSTANT)
        return;
    sources->source = value;
    sources->count += lowering->values[value].of_product ? 1 : 2;
}

/* What is computed for a concatenation from a product's value alone is made with that. */
static void join_parts(pod_tpu_lowering *lowering, const pod_ir_node *concatenation)
{
    for (uint32_t i = 0; i < concatenation->input_count; i++) {
        const pod_ref part = pod_tpu_inputs(lowering, concatenation)[i];
        pod_tpu_value *value = &lowering->values[part];
        part_sources sources = {.count = 0};
        if (!value->stored || value->of_product || value->joined || value->is_output ||
            pod_tpu_kind_of(lowering, part) != POD_TPU_KIND_ELEMENTWISE)
            continue;
        pod_tpu_visit_sources(lowering, pod_tpu_maker(lowering, part), add_source, &sources);
        if (sources.count == 1 && lowering->values[sources.source].elements == value->elements)
            value->joined = lowering->ir->values[sources.source].node + 1;
    }
}

bool pod_tpu_pass_parts(pod_tpu_lowering *lowering)
{
    for (uint32_t i = 0; i < lowering->ir->node_count && pod_tpu_has(lowering, POD_TPU_JOINED_PARTS); i++)
        if (lowering->ir->nodes[i].op == POD_OP_CONCATENATE)
            join_parts(lowering, &lowering->ir->nodes[i]);
    return true;
}
