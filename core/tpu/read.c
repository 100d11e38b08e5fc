/* read - see passes.def (R1, R14). */

#include "tpu/node_rewrite.h"
#include "tpu/passes.h"

#include "base/error.h"

#include <string.h>

/* A gather or scatter of single elements a row is a select by comparison with a counter. */
static pod_tpu_kind kind_of_node(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ir *ir = lowering->ir;
    if ((node->op == POD_OP_BROADCAST || node->op == POD_OP_RESHAPE) &&
        pod_tpu_kind_of(lowering, pod_tpu_inputs(lowering, node)[0]) == POD_TPU_KIND_CONSTANT)
        return POD_TPU_KIND_CONSTANT;
    if (node->op == POD_OP_SCATTER && node->attributes->count > 0 &&
        node->attributes->axis == ir->values[node->value_first].shape->rank - 1)
        return POD_TPU_KIND_ELEMENTWISE;
    if (node->op == POD_OP_OPAQUE && node->attributes->flag)
        return POD_TPU_KIND_ELEMENTWISE;
    return pod_tpu_kind_of_op(node->op);
}

/* ---- the ir -------------------------------------------------------------------------------------- */

/* Tells whether a value is a parameter, or one in another shape. */
static bool is_of_parameter(const pod_ir *ir, pod_ref value)
{
    const pod_ir_node *maker = pod_ir_maker(ir, value);
    while (maker->op == POD_OP_RESHAPE)
        maker = pod_ir_maker(ir, pod_ir_inputs(ir, maker)[0]);
    return maker->op == POD_OP_PARAMETER;
}

/* Tells whether a node reshapes or converts what it takes to what that is. */
static bool is_same(const pod_ir *ir, const pod_ir_node *node)
{
    if (node->op != POD_OP_RESHAPE && node->op != POD_OP_CONVERT)
        return false;
    const pod_ir_value *made = &ir->values[node->value_first], *taken = &ir->values[pod_ir_inputs(ir, node)[0]];
    return taken->dtype == made->dtype && pod_shape_equal(taken->shape, made->shape);
}

/* What a value is without being reshaped or converted to what it is. */
static pod_ref same_as(const pod_ir *ir, pod_ref value)
{
    while (is_same(ir, pod_ir_maker(ir, value)))
        value = pod_ir_inputs(ir, pod_ir_maker(ir, value))[0];
    return value;
}

bool pod_tpu_passes_on(const pod_ir *body, uint32_t place)
{
    return same_as(body, body->outputs[place]) == body->parameters[place];
}

/* Tells whether a value is what a turn of a loop takes and passes on. */
static bool is_passed_on(const pod_ir *body, pod_ref value)
{
    const pod_ref given = same_as(body, value);
    for (uint32_t i = 0; i < body->output_count && i < body->parameter_count; i++)
        if (body->parameters[i] == given)
            return pod_tpu_passes_on(body, i);
    return false;
}

/* Tells whether a node gives what it takes: pads nothing, or reshapes or converts it to what it is. What is so taken of
 * a parameter may be a result that lies beside it. */
static bool changes_nothing(const pod_tpu_lowering *lowering, const pod_ir *from, const pod_ir_node *node)
{
    bool nothing = node->op == POD_OP_PAD;
    for (int32_t i = 0; nothing && i < from->values[node->value_first].shape->rank; i++)
        nothing = node->attributes->low[i] == 0 && node->attributes->high[i] == 0 && node->attributes->step[i] == 0;
    if (!is_same(from, node))
        return nothing;
    return lowering->depth > 0 ? is_passed_on(from, node->value_first)
                               : !is_of_parameter(from, pod_ir_inputs(from, node)[0]);
}

static bool copy_loop(pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir *from, const pod_ir_node *node,
                      const pod_ref *inputs, pod_ref *map, bool *copied);

/* Adds a node of the same op from the same place; POD_REF_NONE when there is no memory. */
static uint32_t add_like(pod_rewriter *r, const pod_ir_node *node, uint32_t inputs, uint32_t values)
{
    const uint32_t made = pod_ir_add(r->to, node->op, inputs, values, node->attributes);
    if (made == POD_REF_NONE)
        return made;
    pod_ir_node *to = &r->to->nodes[made];
    to->location = node->location;
    to->scope = node->scope;
    to->source = node->source;
    to->outer = node->outer;
    to->wide = node->wide;
    return made;
}

/* Copies a node that reads `inputs`, unless one that is the same is there. */
static bool copy_reading(pod_rewriter *r, const pod_ir *from, const pod_ir_node *node, const pod_ref *inputs,
                         pod_ref *map)
{
    const pod_ir_value *value = &from->values[node->value_first];
    uint64_t hash = 0;
    if (node->value_count == 1) {
        pod_ref found = pod_ir_find_common(&(pod_subject){r, node, inputs, value->dtype, value->shape}, &hash);
        map[node->value_first] = found;
        if (found != POD_REF_NONE)
            return true;
    }
    const uint32_t made = add_like(r, node, node->input_count, node->value_count);
    if (made == POD_REF_NONE)
        return false;
    pod_ir_node *to = &r->to->nodes[made];
    to->constant = node->constant;
    to->regions = node->regions;
    to->region_count = node->region_count;
    if (node->input_count)
        memcpy(pod_ir_inputs(r->to, to), inputs, node->input_count * sizeof *inputs);
    for (uint32_t i = 0; i < node->value_count; i++) {
        pod_ir_set_type(r->to, made, i, value[i].dtype, value[i].shape);
        map[node->value_first + i] = to->value_first + i;
    }
    return pod_ir_enter_common(r, made, hash);
}

/* Copies a node as it is, but that updates which are `turned` (by value) read copies of arguments. */
static bool copy_plain(pod_rewriter *r, const pod_ir *from, const pod_ir_node *node, const bool *turned,
                       pod_ref *inputs, pod_ref *map)
{
    for (uint32_t i = 0; i < node->input_count; i++) {
        inputs[i] = map[pod_ir_inputs(from, node)[i]];
        if (turned && turned[node->value_first] && r->to->values[inputs[i]].shape->rank == 2 &&
            pod_ir_maker(r->to, inputs[i])->op == POD_OP_PARAMETER)
            inputs[i] = pod_tpu_emit_copy(r, inputs[i]);
        if (inputs[i] == POD_REF_NONE)
            return false;
    }
    return copy_reading(r, from, node, inputs, map);
}

/* What is computed last of all that a barrier of several values waits for, if that is not what the node is of: layers
 * that are computed again wait for their gradient by it. Its nodes, one a value, lie one after the other. */
static pod_ref last_awaited(const pod_tpu_lowering *lowering, const pod_ir *from, const pod_ir_node *barrier)
{
    const pod_ir_node *node = barrier, *end = from->nodes + from->node_count;
    const int64_t number = barrier->attributes->count;
    const pod_ref own = pod_ir_inputs(from, barrier)[0];
    pod_ref last = own;
    if (number == 0 || barrier->input_count > 1 || !pod_tpu_has(lowering, POD_TPU_AWAITED))
        return POD_REF_NONE;
    while (node > from->nodes && node[-1].op == POD_OP_BARRIER && node[-1].attributes->count == number)
        node--;
    for (; node < end && node->op == POD_OP_BARRIER && node->attributes->count == number; node++) {
        const pod_ref input = pod_ir_inputs(from, node)[0];
        if (input > last && pod_ir_maker(from, input)->op != POD_OP_PARAMETER)
            last = input;
    }
    return last == own || pod_ir_maker(from, last) > barrier ? POD_REF_NONE : last;
}

/* Copies a node as what the compiler makes of it. */
static bool copy_node(pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir *from, const pod_ir_node *node,
                      pod_ref *inputs, pod_ref *map)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i] = map[pod_ir_inputs(from, node)[i]];
    if (changes_nothing(lowering, from, node)) {
        map[node->value_first] = inputs[0];
        return true;
    }
    if (!pod_tpu_copy_operands(lowering, r, from, node, inputs))
        return false;
    for (uint32_t i = 0; node->op == POD_OP_WHILE && lowering->depth == 0 && i < node->value_count; i++)
        if (is_of_parameter(r->to, inputs[i]) &&
            pod_tpu_copies_carried(lowering, node, &from->values[node->value_first + i], i)) {
            inputs[i] = pod_tpu_emit_copy(r, inputs[i]);
            if (inputs[i] == POD_REF_NONE)
                return pod_tpu_no_memory(lowering);
        }
    pod_ir_node awaiting = *node;
    const pod_ref last = node->op == POD_OP_BARRIER ? last_awaited(lowering, from, node) : POD_REF_NONE;
    if (last != POD_REF_NONE) {
        inputs[awaiting.input_count++] = map[last];
        return copy_reading(r, from, &awaiting, inputs, map);
    }
    bool copied = false;
    if (!copy_loop(lowering, r, from, node, inputs, map, &copied))
        return false;
    if (copied)
        return true;
    pod_ref instead;
    if (!pod_tpu_rewrite_node(lowering, r, from, node, inputs, &instead))
        return false;
    if (instead == POD_REF_NONE)
        return copy_reading(r, from, node, inputs, map);
    map[node->value_first] = instead;
    return true;
}

/* A parameter that is the same as an earlier one is that one. */
static void join_parameter(const pod_ir *from, pod_ref parameter, const uint32_t *same, pod_ref *map)
{
    for (uint32_t k = 0; k < from->parameter_count; k++)
        if (from->parameters[k] == parameter)
            map[parameter] = map[from->parameters[same[k]]];
}

/* Copies a graph, if not plain with what the compiler makes of its nodes; a parameter that is the same as an earlier
 * one is that one; of a plain one with copies for what is turned, if anything is. NULL when there is no memory. */
static pod_ir *copy_graph(pod_tpu_lowering *lowering, const pod_ir *from, const uint32_t *same, bool plain,
                          const bool *turned)
{
    pod_arena *arena = lowering->arena;
    pod_rewriter r = {.arena = arena, .table_mask = 1023};
    r.to = pod_ir_new(arena, from->node_count, from->parameter_count, from->output_count);
    r.table = pod_arena_array(arena, (size_t)r.table_mask + 1, sizeof *r.table);
    bool *live = pod_arena_array(arena, from->node_count, sizeof *live);
    pod_ref *map = pod_arena_array(arena, from->value_count, sizeof *map);
    pod_ref *inputs = pod_arena_array(arena, (size_t)from->input_count + 1, sizeof *inputs);
    if (!r.to || !r.table || !live || !map || !inputs)
        return NULL;
    pod_ir_mark_live(from, live);
    for (uint32_t i = 0; i < from->node_count; i++)
        if (live[i] && !(plain ? copy_plain(&r, from, &from->nodes[i], turned, inputs, map)
                               : copy_node(lowering, &r, from, &from->nodes[i], inputs, map)))
            return NULL;
        else if (same && from->nodes[i].op == POD_OP_PARAMETER)
            join_parameter(from, from->nodes[i].value_first, same, map);
    for (uint32_t i = 0; i < from->parameter_count; i++)
        r.to->parameters[i] = map[from->parameters[i]];
    for (uint32_t i = 0; i < from->output_count; i++) {
        const pod_ref output = map[from->outputs[i]];
        r.to->aliases[i] = from->aliases[i];
        const bool copied = turned ? turned[from->outputs[i]]
                                   : from == lowering->from && pod_tpu_copies_output(lowering, from, from->outputs[i]);
        r.to->outputs[i] = copied ? pod_tpu_emit_copy(&r, output) : output;
        if (r.to->outputs[i] == POD_REF_NONE)
            return NULL;
    }
    return r.to;
}

/* Tells whether what a loop carries is what its body takes and gives, and its condition takes. */
static bool carries_all(const pod_ir_node *node)
{
    if (node->op != POD_OP_WHILE || node->region_count != 2 || node->input_count != node->value_count)
        return false;
    const pod_ir *condition = node->regions[0], *body = node->regions[1];
    return node->value_count > 1 && condition->parameter_count == node->value_count &&
           body->parameter_count == node->value_count && body->output_count == node->value_count;
}

#define MOST_PASSES 8 /* until what a loop carries twice is found */

/* Finds what a loop carries more than once: values that begin as one and that every turn makes anew alike. `same` is
 * set to the first of each; the result is the body without the others, NULL where there are none. */
static bool find_repeated(pod_tpu_lowering *lowering, const pod_ir_node *node, const pod_ref *inputs, uint32_t *same,
                          pod_ir **body)
{
    const uint32_t count = node->value_count;
    uint32_t *next = pod_tpu_array(lowering, count, sizeof *next);
    if (!next)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < count; i++)
        for (same[i] = 0; inputs[same[i]] != inputs[i];)
            same[i]++;
    for (uint32_t pass = 0; pass < MOST_PASSES; pass++) {
        bool any = false, changed = false;
        for (uint32_t i = 0; i < count; i++)
            any = any || same[i] != i;
        *body = NULL;
        if (!any)
            return true;
        *body = copy_graph(lowering, node->regions[1], same, false, NULL);
        if (!*body)
            return pod_tpu_no_memory(lowering);
        for (uint32_t i = 0; i < count; i++) {
            for (next[i] = 0; same[next[i]] != same[i] || (*body)->outputs[next[i]] != (*body)->outputs[i];)
                next[i]++;
            changed = changed || next[i] != same[i];
        }
        memcpy(same, next, count * sizeof *same);
        if (!changed)
            return true;
    }
    *body = NULL;
    return true;
}

/* `gives`: the region's results are what it takes, anew. */
static void drop_repeated(pod_ir *region, const uint32_t *same, bool gives)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < region->parameter_count; i++) {
        if (same[i] != i)
            continue;
        region->parameters[kept] = region->parameters[i];
        if (gives)
            region->outputs[kept] = region->outputs[i];
        kept++;
    }
    region->output_count = gives ? kept : region->output_count;
    region->parameter_count = kept;
}

/* Copies a loop that carries something more than once, as one that does not (R14). */
static bool copy_loop(pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir *from, const pod_ir_node *node,
                      const pod_ref *inputs, pod_ref *map, bool *copied)
{
    if (!pod_tpu_has(lowering, POD_TPU_CARRIED_ONCE) || !carries_all(node))
        return true;
    pod_ir *body = NULL, **regions = pod_tpu_array(lowering, 2, sizeof(pod_ir *));
    uint32_t *same = pod_tpu_array(lowering, node->value_count, sizeof *same), kept = 0;
    if (!pod_tpu_has_memory(lowering))
        return false;
    if (!find_repeated(lowering, node, inputs, same, &body))
        return false;
    if (!body)
        return true;
    regions[1] = body;
    regions[0] = copy_graph(lowering, node->regions[0], same, false, NULL);
    if (!regions[0])
        return pod_tpu_no_memory(lowering);
    drop_repeated(regions[0], same, false);
    drop_repeated(regions[1], same, true);
    for (uint32_t i = 0; i < node->value_count; i++)
        kept += same[i] == i;
    const uint32_t made = add_like(r, node, kept, kept);
    if (made == POD_REF_NONE)
        return false;
    pod_ir_node *to = &r->to->nodes[made];
    to->regions = regions;
    to->region_count = 2;
    kept = 0;
    for (uint32_t i = 0; i < node->value_count; i++) {
        const pod_ir_value *value = &from->values[node->value_first + i];
        if (same[i] != i) {
            map[node->value_first + i] = map[node->value_first + same[i]];
            continue;
        }
        pod_ir_inputs(r->to, to)[kept] = inputs[i];
        pod_ir_set_type(r->to, made, kept, value->dtype, value->shape);
        map[node->value_first + i] = to->value_first + kept++;
    }
    *copied = true;
    return true;
}

/* Drops what nothing reads any more. */
static bool drop_dead(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    bool *live = pod_tpu_array(lowering, ir->node_count, sizeof *live), dead = false;
    if (!live)
        return pod_tpu_no_memory(lowering);
    pod_ir_mark_live(ir, live);
    for (uint32_t i = 0; i < ir->node_count; i++)
        dead = dead || (!live[i] && ir->nodes[i].op != POD_OP_PARAMETER);
    if (dead)
        lowering->ir = copy_graph(lowering, ir, NULL, true, NULL);
    return lowering->ir || pod_tpu_no_memory(lowering);
}

static bool merge(pod_tpu_lowering *lowering, const pod_ir *from)
{
    bool *turned;
    lowering->ir = copy_graph(lowering, from, NULL, false, NULL);
    if (!lowering->ir)
        return pod_tpu_no_memory(lowering);
    if (!drop_dead(lowering) || !pod_tpu_copy_loop_outputs(lowering, lowering->ir) ||
        !pod_tpu_find_turned(lowering, lowering->ir, &turned))
        return false;
    if (turned)
        lowering->ir = copy_graph(lowering, lowering->ir, NULL, true, turned);
    return lowering->ir || pod_tpu_no_memory(lowering);
}

/* ---- who reads what -------------------------------------------------------------------------------- */

static bool list_users(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    pod_tpu_value *values = lowering->values;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < ir->node_count; i++) {
            const pod_ref *inputs = pod_ir_inputs(ir, &ir->nodes[i]);
            for (uint32_t j = 0; j < ir->nodes[i].input_count; j++) {
                pod_tpu_value *value = &values[inputs[j]];
                if (lowering->stamps[inputs[j]] == i + 1)
                    continue;
                lowering->stamps[inputs[j]] = i + 1;
                if (pass == 1)
                    lowering->users[value->user_first + value->user_count] = i;
                value->user_count++;
            }
        }
        memset(lowering->stamps, 0, ir->value_count * sizeof *lowering->stamps);
        uint32_t first = 0;
        for (uint32_t v = 0; v < ir->value_count && pass == 0; v++) {
            values[v].user_first = first;
            first += values[v].user_count;
            values[v].user_count = 0;
        }
    }
    return true;
}

/* Room for what passes find of values: nothing yet. */
static bool make_tables(pod_tpu_lowering *lowering)
{
    const uint32_t count = lowering->ir->value_count;
    lowering->permuted = pod_tpu_array(lowering, count, sizeof *lowering->permuted);
    lowering->turned = pod_tpu_array(lowering, count, sizeof *lowering->turned);
    lowering->scores = pod_tpu_array(lowering, count, sizeof *lowering->scores);
    lowering->pixels = pod_tpu_array(lowering, count, sizeof *lowering->pixels);
    lowering->parts = pod_tpu_array(lowering, count, sizeof *lowering->parts);
    lowering->pairs = pod_tpu_array(lowering, count, sizeof *lowering->pairs);
    lowering->carried = pod_tpu_array(lowering, count, sizeof *lowering->carried);
    lowering->tables = pod_tpu_array(lowering, count, sizeof *lowering->tables);
    lowering->matrices = pod_tpu_array(lowering, count, sizeof *lowering->matrices);
    return pod_tpu_has_memory(lowering);
}

bool pod_tpu_pass_read(pod_tpu_lowering *lowering)
{
    if (!merge(lowering, lowering->from))
        return false;
    const pod_ir *ir = lowering->ir;
    lowering->values = pod_tpu_array(lowering, ir->value_count, sizeof *lowering->values);
    lowering->kinds = pod_tpu_array(lowering, ir->node_count, sizeof *lowering->kinds);
    lowering->users = pod_tpu_array(lowering, ir->input_count, sizeof *lowering->users);
    lowering->stamps = pod_tpu_array(lowering, ir->value_count, sizeof *lowering->stamps);
    lowering->stack = pod_tpu_array(lowering, ir->value_count + 1, sizeof *lowering->stack);
    if (!pod_tpu_has_memory(lowering))
        return false;
    if (!make_tables(lowering))
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++)
        lowering->kinds[i] = kind_of_node(lowering, &ir->nodes[i]);
    for (uint32_t v = 0; v < ir->value_count; v++) {
        lowering->values[v].elements = pod_shape_elements(ir->values[v].shape);
        lowering->values[v].storage = v;
        if (lowering->values[v].elements < 0) {
            (void)!pod_error_set(lowering->error, POD_ERROR_SHAPE,
                                 "the graph has an array of more than 2^63 - 1 elements");
            return false;
        }
    }
    for (uint32_t i = 0; i < ir->output_count; i++)
        lowering->values[ir->outputs[i]].is_output = true;
    return list_users(lowering);
}
