#include "replicate/replicate_passes.h"

#include "base/error.h"

/* With one replica everything is as in the core's graph. */
static bool is_single(const pod_shards *shards)
{
    return shards->all_replicas == 1 && !shards->mapping;
}

static void set_parameter_forms(pod_plan *plan, const pod_graph_batch_options *options)
{
    const pod_graph *graph = plan->graph;
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        pod_form *form = &pod_replicate_plan_slot(plan, graph->parameters[i])->form;
        *form = POD_UNIFORM_FORM;
        if (is_single(&options->shards))
            continue;
        if (options->parameters[i] == POD_SPLIT)
            *form = POD_JOINED_FORM(0, 1);
        if (options->parameters[i] == POD_PER_REPLICA)
            *form = POD_STACKED_FORM;
    }
}

/* ---- outputs ---- */

/* Returns whether axis 0 of an output that is to be split runs over rows; with the entries a row. */
static bool output_rows(const pod_plan *plan, const pod_node *node, int64_t *multiplier)
{
    const pod_form *form = &pod_replicate_plan_slot(plan, node)->form;
    const pod_shape *shape = &pod_node_type(node)->shape;
    int64_t chunk = plan->session->shards.chunk;
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(form, rows);
    *multiplier = rows[0];
    if (rows[0] == 0 && chunk > 0 && shape->dims[0] == chunk)
        *multiplier = 1;
    return *multiplier != 0 &&
           (form->kind != POD_FORM_JOINED || pod_replicate_form_same_rows(form, 0, *multiplier, shape));
}

static bool request_output(pod_plan *plan, uint32_t output, pod_placement placement)
{
    const pod_node *node = plan->graph->outputs[output];
    const pod_form *form = &pod_replicate_plan_slot(plan, node)->form;
    pod_ask ask = {POD_ASK_NATURAL, 0, 0};
    if (placement == POD_MIRRORED && form->kind != POD_FORM_UNIFORM)
        return pod_replicate_session_fail(
            plan->session, node, POD_ERROR_VALUE,
            "output %u (%s) differs between replicas, but is to be one value for all of them: "
            "aggregate it with all_reduce (sum or mean), or take it with only_first_replica",
            output, pod_op_name(node->op));
    if (placement == POD_SPLIT && pod_node_type(node)->shape.rank == 0)
        return pod_replicate_session_fail(plan->session, node, POD_ERROR_VALUE,
                                          "output %u (%s) is a scalar, which has no rows to split: take it "
                                          "per replica, or aggregate it with all_reduce",
                                          output, pod_op_name(node->op));
    if (placement == POD_SPLIT && !is_single(&plan->session->shards) && output_rows(plan, node, &ask.multiplier))
        ask.kind = POD_ASK_JOINED;
    pod_replicate_plan_request(plan, node, ask);
    return true;
}

static bool request_outputs(pod_plan *plan, const pod_placement *placements)
{
    for (uint32_t i = 0; i < plan->graph->output_count; i++)
        if (!request_output(plan, i, placements[i]))
            return false;
    return pod_replicate_plan_backward(plan);
}

/* One value a replica, as long as a full shard's, with zeros behind short ones. */
static pod_node *stacked_output(pod_emitter *emitter, const pod_node *node)
{
    int64_t rows[POD_MAX_RANK];
    pod_node *x = pod_replicate_emitter_get(emitter, node, POD_AS_STACKED);
    pod_replicate_form_rows(&pod_replicate_plan_slot(emitter->plan, node)->form, rows);
    x = pod_replicate_emit_masked(emitter, x, rows, POD_FILL_ZERO);
    for (int32_t k = 0; k < POD_MAX_RANK - 1; k++)
        if (rows[k] != 0)
            x = pod_replicate_emit_slice(emitter, x, k + 1, 0, emitter->plan->session->shards.full * rows[k]);
    return x;
}

static pod_node *emit_output(pod_emitter *emitter, const pod_node *node, pod_placement placement, bool own)
{
    pod_ask ask = {POD_ASK_NATURAL, 0, 0};
    bool single = is_single(&emitter->plan->session->shards);
    pod_replicate_emitter_place(emitter, node);
    if (placement == POD_PER_REPLICA && own)
        return stacked_output(emitter, node);
    if (placement == POD_PER_REPLICA)
        return pod_replicate_emit_all_replicas(emitter, stacked_output(emitter, node));
    if (placement == POD_MIRRORED || single)
        return pod_replicate_emitter_get(emitter, node, ask);
    ask.kind = POD_ASK_JOINED;
    if (output_rows(emitter->plan, node, &ask.multiplier))
        return pod_replicate_emit_all_rows(emitter, pod_replicate_emitter_get(emitter, node, ask), 0, ask.multiplier);
    return pod_replicate_emit_merge(emitter, pod_replicate_emit_all_replicas(emitter, stacked_output(emitter, node)),
                                    0);
}

static void tell_output_rows(const pod_plan *plan, pod_output_rows *output_rows)
{
    const pod_graph *graph = plan->graph;
    for (uint32_t i = 0; i < graph->output_count; i++)
        pod_replicate_form_rows(&pod_replicate_plan_slot(plan, graph->outputs[i])->form, output_rows[i].entries);
    pod_replicate_totals(plan, output_rows);
}

static void emit_outputs(pod_emitter *emitter, const pod_graph_batch_options *options)
{
    const pod_graph *graph = emitter->plan->graph;
    for (uint32_t i = 0; i < graph->output_count; i++) {
        pod_graph_add_output(emitter->graph,
                             emit_output(emitter, graph->outputs[i], options->outputs[i], options->own));
        int64_t alias = graph->aliases[i];
        bool kept = alias >= 0 && options->parameters[alias] == options->outputs[i];
        if (kept)
            pod_graph_set_alias(emitter->graph, i, (size_t)alias);
    }
}

/* ---- parameters ---- */

static void emit_parameter(pod_emitter *emitter, const pod_node *parameter, pod_placement placement, bool own)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    const pod_type *type = pod_node_type(parameter);
    pod_shape shape = type->shape;
    pod_replicate_emitter_place(emitter, parameter);
    if (placement == POD_PER_REPLICA) {
        shape = pod_replicate_emit_stacked_shape(emitter, &type->shape);
        shape.dims[0] = own ? shards->replicas : shards->all_replicas;
    }
    if (placement == POD_SPLIT)
        shape.dims[0] = shards->all_rows;
    pod_node *value = pod_graph_parameter(emitter->graph, type->dtype, &shape, parameter->attributes->name);
    if (is_single(shards))
        value = pod_graph_reshape(emitter->graph, value, &type->shape);
    else if (placement == POD_SPLIT)
        value = pod_replicate_emit_own_rows(emitter, value, 0, 1);
    else if (placement == POD_PER_REPLICA && !own)
        value = pod_replicate_emit_own_replicas(emitter, value);
    pod_replicate_emitter_bind(emitter, parameter, POD_VIEW_NATURAL, value);
}

static bool check_parameter(pod_batch_session *session, const pod_graph *graph, uint32_t index, pod_placement placement)
{
    const pod_node *parameter = graph->parameters[index];
    const pod_shape *shape = &pod_node_type(parameter)->shape;
    const pod_shards *shards = &session->shards;
    const char *name = parameter->attributes->name ? parameter->attributes->name : "";
    char text[POD_SHAPE_TEXT_SIZE];
    if (placement == POD_PER_REPLICA && shape->rank == POD_MAX_RANK)
        return pod_replicate_session_fail(session, NULL, POD_ERROR_SHAPE,
                                          "parameter %u '%s' has %d axes, and there is no room for one more, "
                                          "the replicas'",
                                          index, name, POD_MAX_RANK);
    if (placement == POD_SPLIT && (shape->rank == 0 || shape->dims[0] != shards->chunk))
        return pod_replicate_session_fail(
            session, NULL, POD_ERROR_SHAPE,
            "parameter %u '%s' has shape %s, but %lld rows over %lld replicas are %lld rows each", index, name,
            pod_shape_format(shape, text), (long long)shards->all_rows, (long long)shards->all_replicas,
            (long long)shards->chunk);
    return true;
}

/* ---- the passes ---- */

static pod_plan *make_plan(pod_batch_session *session, const pod_graph *graph, const pod_graph_batch_options *options)
{
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        if (!check_parameter(session, graph, i, options->parameters[i]))
            return NULL;
    pod_plan *plan = pod_replicate_plan_new(session, graph);
    if (plan == NULL)
        return NULL;
    set_parameter_forms(plan, options);
    pod_replicate_plan_forward(plan);
    if (session->error.status != POD_OK || !request_outputs(plan, options->outputs))
        return NULL;
    return plan;
}

static void emit_plan(pod_plan *plan, const pod_graph_batch_options *options, pod_graph *target)
{
    const pod_graph *graph = plan->graph;
    pod_emitter *emitter = pod_replicate_emitter_new(plan, target);
    if (emitter == NULL)
        return;
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        emit_parameter(emitter, graph->parameters[i], options->parameters[i], options->own);
    pod_replicate_emitter_run(emitter);
    emit_outputs(emitter, options);
    if (options->output_rows != NULL)
        tell_output_rows(plan, options->output_rows);
    pod_graph_set_place(target, NULL, NULL);
}

pod_status pod_replicate_batch(const pod_graph *graph, const pod_graph_batch_options *options, pod_graph **result,
                               pod_error *error)
{
    pod_error inner;
    pod_arena arena;
    pod_graph *target = NULL;
    pod_batch_session session = {
        graph->context, &arena, options->shards, {.status = POD_OK}, pod_replicate_batching_get};
    *result = NULL;
    pod_arena_init(&arena, graph->context);
    pod_plan *plan = make_plan(&session, graph, options);
    if (plan != NULL && pod_graph_new(graph->context, graph->name, &target, &inner) != POD_OK)
        pod_replicate_session_fail(&session, NULL, inner.status, "%s", inner.message);
    if (target != NULL) {
        emit_plan(plan, options, target);
        if (pod_graph_check(target, &inner) != POD_OK)
            pod_replicate_session_fail(&session, NULL, inner.status, "%s", inner.message);
    }
    pod_arena_clear(&arena);
    if (session.error.status != POD_OK) {
        pod_graph_free(target);
        return pod_error_set(error, session.error.status, "%s", session.error.message);
    }
    *result = target;
    return POD_OK;
}
