#include "replicate/replicate_plan.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"

void *pod_replicate_session_allocate(pod_batch_session *session, size_t count, size_t size)
{
    void *block = pod_arena_array(session->arena, count ? count : 1, size);
    if (block == NULL)
        pod_replicate_session_fail(session, NULL, POD_ERROR_MEMORY,
                                   "replicating a graph needs %zu bytes, and "
                                   "there is no memory",
                                   count * size);
    return block;
}

pod_axis_way pod_replicate_plan_follow(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    const pod_op_sizes sizes = pod_node_sizes(node);
    return pod_op_axis_way(&sizes, operand, axis, multiplier);
}

bool pod_replicate_plan_demand(const pod_node *node, int32_t axis, int64_t multiplier, uint32_t operand,
                               int32_t *operand_axis, int64_t *operand_multiplier)
{
    const pod_shape *shape = &pod_node_type(node->inputs[operand])->shape;
    int64_t rows = pod_node_type(node)->shape.dims[axis] / multiplier;
    assert(axis < pod_node_type(node)->shape.rank && operand < node->input_count);
    for (int32_t k = 0; k < shape->rank; k++) {
        if (rows == 0 || shape->dims[k] % rows != 0 || shape->dims[k] == 0)
            continue;
        pod_axis_way way = pod_replicate_plan_follow(node, operand, k, shape->dims[k] / rows);
        if (way.fate != POD_AXIS_KEPT || way.axis != axis || way.multiplier != multiplier)
            continue;
        *operand_axis = k;
        *operand_multiplier = shape->dims[k] / rows;
        return true;
    }
    return false;
}

bool pod_replicate_session_fail(pod_batch_session *session, const pod_node *node, pod_status status, const char *format,
                                ...)
{
    if (session->error.status != POD_OK)
        return false;
    va_list arguments;
    va_start(arguments, format);
    pod_error_set_va(&session->error, status, format, arguments);
    va_end(arguments);
    if (node != NULL && node->location != NULL)
        pod_error_prepend(&session->error, "%.250s: ", node->location);
    return false;
}

/* Numbers the results: a `result` node reads a slot of its operand. */
static void number_slots(pod_plan *plan)
{
    for (uint32_t i = 0; i < plan->graph->node_count; i++) {
        const pod_node *node = plan->graph->nodes[i];
        if (node->input_count > plan->input_limit)
            plan->input_limit = node->input_count;
        if (node->op == POD_OP_RESULT) {
            uint32_t first = plan->first_slots[node->inputs[0]->id];
            assert(node->inputs[0]->id < i && (uint32_t)node->attributes->axis < node->inputs[0]->result_count);
            plan->first_slots[i] = first + (uint32_t)node->attributes->axis;
            continue;
        }
        plan->first_slots[i] = plan->slot_count;
        plan->slot_count += node->result_count ? node->result_count : 1;
    }
}

pod_plan *pod_replicate_plan_new(pod_batch_session *session, const pod_graph *graph)
{
    uint32_t count = graph->node_count;
    pod_plan *plan = pod_replicate_session_allocate(session, 1, sizeof *plan);
    if (plan == NULL)
        return NULL;
    plan->session = session;
    plan->graph = graph;
    plan->first_slots = pod_replicate_session_allocate(session, count, sizeof *plan->first_slots);
    plan->refusals = pod_replicate_session_allocate(session, count, sizeof *plan->refusals);
    plan->marks = pod_replicate_session_allocate(session, count, sizeof *plan->marks);
    plan->regions = pod_replicate_session_allocate(session, 2 * (size_t)count, sizeof *plan->regions);
    if (plan->first_slots == NULL || plan->refusals == NULL || plan->marks == NULL || plan->regions == NULL)
        return NULL;
    number_slots(plan);
    plan->slots = pod_replicate_session_allocate(session, plan->slot_count, sizeof *plan->slots);
    plan->asks = pod_replicate_session_allocate(session, plan->input_limit, sizeof *plan->asks);
    return plan->slots == NULL || plan->asks == NULL ? NULL : plan;
}

pod_result_plan *pod_replicate_plan_slot(const pod_plan *plan, const pod_node *node)
{
    assert(node->graph == plan->graph && plan->first_slots[node->id] < plan->slot_count);
    return &plan->slots[plan->first_slots[node->id]];
}

const pod_form *pod_replicate_plan_operand_form(const pod_plan *plan, const pod_node *node, uint32_t operand)
{
    return &pod_replicate_plan_slot(plan, node->inputs[operand])->form;
}

void pod_replicate_plan_refuse(pod_plan *plan, const pod_node *node, pod_refusal refusal)
{
    plan->refusals[node->id] = (uint8_t)refusal;
}

pod_ask pod_replicate_ask_for(const pod_form *form)
{
    if (form->kind == POD_FORM_JOINED)
        return (pod_ask){POD_ASK_JOINED, form->axis, form->multiplier};
    return (pod_ask){form->kind == POD_FORM_STACKED ? POD_ASK_STACKED : POD_ASK_NATURAL, 0, 0};
}

/* ---- forward ---- */

/* Along a result axis, of `entries` a row, a uniform node repeats itself when everything that its rows depend on
 * does. */
static bool repeats_along(const pod_plan *plan, const pod_node *node, int32_t axis, int64_t entries)
{
    bool depends = false;
    if (node->results[0].shape.dims[axis] == 0)
        return false;
    for (uint32_t j = 0; j < node->input_count; j++) {
        int32_t operand_axis;
        int64_t multiplier;
        if (!pod_replicate_plan_demand(node, axis, entries, j, &operand_axis, &multiplier))
            continue;
        depends = true;
        if ((pod_replicate_plan_operand_form(plan, node, j)->repeated >> operand_axis & 1) == 0)
            return false;
    }
    return depends || node->op == POD_OP_BROADCAST;
}

static pod_form uniform_form(const pod_plan *plan, const pod_node *node)
{
    pod_form form = POD_UNIFORM_FORM;
    if (node->result_count != 1 || plan->session->shards.mapping)
        return form;
    for (int32_t k = 0; k < node->results[0].shape.rank; k++)
        if (repeats_along(plan, node, k, 1))
            form.repeated |= 1u << k;
    return form;
}

/* Rows may be told as those of another axis where a core has one, but not where the node folds over
 * their own: a replica without rows has a sum too. */
static bool may_move_rows(const pod_plan *plan, const pod_node *node, uint32_t operand, int32_t axis)
{
    const pod_form *form = pod_replicate_plan_operand_form(plan, node, operand);
    return axis == form->axis ||
           pod_replicate_plan_follow(node, operand, form->axis, form->multiplier).fate != POD_AXIS_REDUCED;
}

/* Returns whether operand `operand` can be joined so that its rows are those of a result axis. */
static bool can_join(const pod_plan *plan, const pod_node *node, uint32_t operand, const pod_form *result)
{
    int32_t axis;
    int64_t multiplier;
    const pod_form *form = pod_replicate_plan_operand_form(plan, node, operand);
    if (form->kind == POD_FORM_UNIFORM)
        return true;
    if (!pod_replicate_plan_demand(node, result->axis, result->multiplier, operand, &axis, &multiplier))
        return false;
    const pod_shape *shape = &pod_node_type(node->inputs[operand])->shape;
    return form->kind == POD_FORM_STACKED ||
           (pod_replicate_form_same_rows(form, axis, multiplier, shape) && may_move_rows(plan, node, operand, axis));
}

static bool all_can_join(const pod_plan *plan, const pod_node *node, const pod_form *result)
{
    for (uint32_t j = 0; j < node->input_count; j++)
        if (!can_join(plan, node, j, result))
            return false;
    return true;
}

/* Finds an axis of the result that the first joined operand leads to and the others can too. */
static bool joined_form(const pod_plan *plan, const pod_node *node, pod_form *form)
{
    uint32_t first = 0;
    while (pod_replicate_plan_operand_form(plan, node, first)->kind != POD_FORM_JOINED)
        first++;
    const pod_form *operand = pod_replicate_plan_operand_form(plan, node, first);
    const pod_shape *shape = &pod_node_type(node->inputs[first])->shape;
    for (int32_t k = 0; k < shape->rank; k++) {
        int32_t axis = (operand->axis + k) % shape->rank; /* its own axis first */
        int64_t multiplier = k == 0 ? operand->multiplier : shape->dims[axis];
        if (!pod_replicate_form_same_rows(operand, axis, multiplier, shape) || !may_move_rows(plan, node, first, axis))
            continue;
        pod_axis_way way = pod_replicate_plan_follow(node, first, axis, multiplier);
        *form = POD_JOINED_FORM(way.axis, way.multiplier);
        if (way.fate == POD_AXIS_KEPT && all_can_join(plan, node, form))
            return true;
    }
    return false;
}

pod_form pod_replicate_plan_form_stacked(pod_plan *plan, const pod_node *node)
{
    pod_form form = POD_STACKED_FORM;
    for (uint32_t j = 0; j < node->input_count; j++) {
        int64_t rows[POD_MAX_RANK];
        pod_replicate_form_rows(pod_replicate_plan_operand_form(plan, node, j), rows);
        for (int32_t k = 0; k < POD_MAX_RANK; k++) {
            if (rows[k] == 0)
                continue;
            pod_axis_way way = pod_replicate_plan_follow(node, j, k, rows[k]);
            if (way.fate == POD_AXIS_KEPT || way.fate == POD_AXIS_LOCAL)
                form.rows[way.axis] = way.multiplier;
            if (way.fate == POD_AXIS_CUT && !plan->session->shards.even)
                pod_replicate_plan_refuse(plan, node, POD_REFUSED_UNEVEN);
        }
    }
    for (uint32_t r = 0; r < node->result_count; r++)
        if (node->results[r].shape.rank == POD_MAX_RANK)
            pod_replicate_plan_refuse(plan, node, POD_REFUSED_RANK);
    return form;
}

static bool has_form(const pod_plan *plan, const pod_node *node, pod_form_kind kind)
{
    for (uint32_t j = 0; j < node->input_count; j++)
        if (pod_replicate_plan_operand_form(plan, node, j)->kind == kind)
            return true;
    return false;
}

pod_form pod_replicate_plan_form_by_axes(pod_plan *plan, const pod_node *node)
{
    pod_form form;
    bool joined = has_form(plan, node, POD_FORM_JOINED);
    if (!joined && !has_form(plan, node, POD_FORM_STACKED))
        return uniform_form(plan, node);
    if (joined && joined_form(plan, node, &form))
        return form;
    return pod_replicate_plan_form_stacked(plan, node);
}

static void forward_node(pod_plan *plan, const pod_node *node)
{
    const pod_batching *rule = plan->session->rule(node->op);
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    if (rule->form != NULL) {
        rule->form(plan, node);
    } else {
        pod_form form = pod_replicate_plan_form_by_axes(plan, node);
        for (uint32_t r = 0; r < node->result_count; r++)
            slots[r].form = form;
    }
    if (rule->sum != NULL)
        slots->partial = pod_replicate_plan_sum_way(plan, node, plan->asks) != POD_SUM_OF_NATURAL;
}

void pod_replicate_plan_forward(pod_plan *plan)
{
    for (uint32_t i = 0; i < plan->graph->node_count; i++) {
        const pod_node *node = plan->graph->nodes[i];
        if (node->op != POD_OP_RESULT && node->op != POD_OP_PARAMETER)
            forward_node(plan, node);
    }
}

/* ---- backward ---- */

/* Whether a uniform node can be made longer by the asks of its operands. Where a row is all of an axis a reshape may
 * tell it as a row of another one. */
static bool grows_by_rule(const pod_plan *plan, const pod_node *node, const pod_ask *ask)
{
    return plan->session->rule(node->op)->ask != NULL || node->input_count == 0 ||
           repeats_along(plan, node, ask->axis, ask->multiplier);
}

void pod_replicate_plan_request(pod_plan *plan, const pod_node *node, pod_ask ask)
{
    pod_result_plan *slot = pod_replicate_plan_slot(plan, node);
    if (ask.kind == POD_ASK_NOTHING)
        return;
    if (ask.kind == POD_ASK_SUM) {
        slot->wanted[POD_VIEW_SUM] = true;
        return;
    }
    const bool grows = ask.kind == POD_ASK_JOINED && slot->form.kind == POD_FORM_UNIFORM &&
                       (slot->form.repeated >> ask.axis & 1) != 0 && grows_by_rule(plan, node, &ask);
    bool same = slot->grown_axis == ask.axis && slot->grown_multiplier == ask.multiplier;
    if (!grows || (slot->wanted[POD_VIEW_GROWN] && !same)) {
        slot->wanted[POD_VIEW_NATURAL] = true;
        return;
    }
    slot->wanted[POD_VIEW_GROWN] = true;
    slot->grown_axis = ask.axis;
    slot->grown_multiplier = ask.multiplier;
}

/* Rows of a result joined along an axis need the rows of those operands that have them. */
static void ask_for_rows(const pod_node *node, int32_t axis, int64_t multiplier, pod_ask *asks)
{
    for (uint32_t j = 0; j < node->input_count; j++) {
        asks[j] = POD_AS_NATURAL;
        if (pod_replicate_plan_demand(node, axis, multiplier, j, &asks[j].axis, &asks[j].multiplier))
            asks[j].kind = POD_ASK_JOINED;
    }
}

static void general_asks(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    const pod_result_plan *slot = pod_replicate_plan_slot(plan, node);
    if (view == POD_VIEW_GROWN) {
        ask_for_rows(node, slot->grown_axis, slot->grown_multiplier, asks);
        return;
    }
    if (slot->form.kind == POD_FORM_JOINED) {
        ask_for_rows(node, slot->form.axis, slot->form.multiplier, asks);
        return;
    }
    for (uint32_t j = 0; j < node->input_count; j++) {
        bool uniform = pod_replicate_plan_operand_form(plan, node, j)->kind == POD_FORM_UNIFORM;
        asks[j] = (pod_ask){uniform ? POD_ASK_NATURAL : POD_ASK_STACKED, 0, 0};
    }
}

void pod_replicate_plan_asks(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    const pod_batching *rule = plan->session->rule(node->op);
    if (rule->ask != NULL)
        rule->ask(plan, node, view, asks);
    else
        general_asks(plan, node, view, asks);
}

pod_sum_way pod_replicate_plan_sum_way(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    /* Padding of a value counts in no sum, and what is the same on each replica has none that could be left out. */
    const pod_batching *rule = plan->session->rule(node->op);
    bool padded =
        !plan->session->shards.even && pod_replicate_form_has_rows(&pod_replicate_plan_slot(plan, node)->form);
    return rule->sum == NULL || padded ? POD_SUM_OF_NATURAL : rule->sum(plan, node, asks);
}

/* Turns a refused node that is needed into the session's error. */
static bool fail_refused(pod_plan *plan, const pod_node *node)
{
    pod_batch_session *session = plan->session;
    const long long rows = session->shards.all_rows, replicas = session->shards.all_replicas;
    const char *name = pod_op_name(node->op);
    switch ((pod_refusal)plan->refusals[node->id]) {
    case POD_REFUSED_NOT:
        return true;
    case POD_REFUSED_UNEVEN:
        return pod_replicate_session_fail(
            session, node, POD_ERROR_UNSUPPORTED,
            "'%s' works along the rows of a replica's shard, and %lld rows over %lld replicas leave "
            "short shards, for which it has no exact result; use a batch size that %lld divides, with "
            "drop_remainder = true",
            name, rows, replicas, replicas);
    case POD_REFUSED_RANK:
        return pod_replicate_session_fail(
            session, node, POD_ERROR_UNSUPPORTED,
            "the result of '%s' has %d axes, and there is no room for one more, the replicas'; "
            "merge some with reshape first",
            name, POD_MAX_RANK);
    case POD_REFUSED_EFFECT:
        return pod_replicate_session_fail(
            session, node, POD_ERROR_UNSUPPORTED,
            "'%s' depends on a value that differs between replicas, and holds a collective, a "
            "check or a print that only some replicas would reach; take it out of the branch or "
            "loop, or aggregate the condition",
            name);
    case POD_REFUSED_COUNT:
        return pod_replicate_session_fail(
            session, node, POD_ERROR_VALUE,
            "'%s' was traced for another number of replicas than %lld; trace the step under the "
            "strategy that runs it",
            name, replicas);
    case POD_REFUSED_OPAQUE:
        return pod_replicate_session_fail(session, node, POD_ERROR_UNSUPPORTED,
                                          "'%s' can be read and measured, but not run",
                                          node->attributes->name ? node->attributes->name : name);
    }
    return true;
}

static void request_all(pod_plan *plan, const pod_node *node, const pod_ask *asks)
{
    for (uint32_t j = 0; j < node->input_count; j++)
        pod_replicate_plan_request(plan, node->inputs[j], asks[j]);
}

/* Sums of the natural form turn into a need for that; what has regions asks for the other sums itself. */
static void need_sums(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++) {
        if (!slots[r].wanted[POD_VIEW_SUM])
            continue;
        if (!slots[r].partial)
            slots[r].wanted[POD_VIEW_NATURAL] = true;
        else if (!plan->session->rule(node->op)->need &&
                 pod_replicate_plan_sum_way(plan, node, plan->asks) != POD_SUM_OF_NATURAL)
            request_all(plan, node, plan->asks);
    }
}

static bool backward_node(pod_plan *plan, const pod_node *node)
{
    const pod_batching *rule = plan->session->rule(node->op);
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    bool natural = false;
    need_sums(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        natural |= slots[r].wanted[POD_VIEW_NATURAL];
    if (natural && !fail_refused(plan, node))
        return false;
    if (rule->need != NULL) {
        rule->need(plan, node);
        return plan->session->error.status == POD_OK;
    }
    for (pod_result_view view = POD_VIEW_NATURAL; view <= POD_VIEW_GROWN; view++) {
        if (view == POD_VIEW_NATURAL ? !natural : !slots->wanted[view])
            continue;
        pod_replicate_plan_asks(plan, node, view, plan->asks);
        request_all(plan, node, plan->asks);
    }
    return true;
}

/* What checks or prints is computed where nothing needs its results, too. */
static void want_effect(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    bool wanted = !pod_node_has_effect(node);
    for (uint32_t r = 0; r < node->result_count; r++)
        for (pod_result_view view = 0; view < POD_VIEW_COUNT; view++)
            wanted = wanted || slots[r].wanted[view];
    if (!wanted)
        slots->wanted[POD_VIEW_NATURAL] = true;
}

bool pod_replicate_plan_backward(pod_plan *plan)
{
    for (uint32_t i = plan->graph->node_count; i-- > 0;) {
        const pod_node *node = plan->graph->nodes[i];
        if (node->op == POD_OP_PARAMETER) {
            pod_result_plan *slot = pod_replicate_plan_slot(plan, node);
            slot->wanted[POD_VIEW_NATURAL] |= slot->wanted[POD_VIEW_SUM] && !slot->partial;
            continue;
        }
        if (node->op == POD_OP_RESULT)
            continue;
        want_effect(plan, node);
        if (!backward_node(plan, node))
            return false;
    }
    return plan->session->error.status == POD_OK;
}
