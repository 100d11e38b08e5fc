/*
 * import - reads a graph into an ir, with the bodies of calls in the place of the calls. Inlined calls
 * are kept on a stack of frames, so their depth costs no C stack.
 */

#include "base/growth.h"
#include "ir/ir.h"
#include "base/error.h"

#include <assert.h>
#include <string.h>

/* A graph that is being read: the top one, or the body of a call. */
typedef struct graph_frame {
    const pod_graph *graph;
    uint32_t next;     /* node to read */
    uint32_t *results; /* of each node read: where its values begin in importer.values */
    struct graph_frame *outer;
    const pod_node *call; /* the call whose body this is; NULL for the top */
    uint32_t call_inputs; /* where the call's inputs begin in importer.values */
    uint32_t outer_id;    /* of the outermost call */
} graph_frame;

typedef struct importer {
    pod_ir *ir;
    pod_arena *arena;
    graph_frame *top;
    pod_ref *values; /* values by node and result */
    uint32_t value_count, value_room;
    pod_call_keeper keep_call;
    pod_precision precision;
    pod_error *error;
} importer;

static pod_status no_memory(importer *in)
{
    return pod_error_set(in->error, POD_ERROR_MEMORY, "no memory to compile the graph");
}

/* Makes room for values; returns where it begins, or POD_REF_NONE. */
static uint32_t pool_take(importer *in, uint32_t count)
{
    if (!pod_arena_grow(in->arena, &in->values, &in->value_room, (size_t)in->value_count + count,
                        (pod_growth){sizeof *in->values, .first = 64}))
        return POD_REF_NONE;
    uint32_t first = in->value_count;
    in->value_count += count;
    return first;
}

static bool push(importer *in, const pod_graph *graph, const pod_node *call, uint32_t call_inputs)
{
    graph_frame *made = pod_arena_array(in->arena, 1, sizeof *made);
    if (!made)
        return false;
    made->graph = graph;
    made->outer = in->top;
    if (call)
        made->outer_id = in->top->call ? in->top->outer_id : call->id;
    made->call = call;
    made->call_inputs = call_inputs;
    made->results = pod_arena_array(in->arena, pod_graph_node_count(graph), sizeof *made->results);
    in->top = made;
    return made->results != NULL;
}

/* The value of an operand in the frame being read. */
static pod_ref value_of(const importer *in, const pod_node *node, uint32_t result)
{
    assert(in->top->results[node->id] + result < in->value_count);
    return in->values[in->top->results[node->id] + result];
}

static bool import_regions(importer *in, const pod_node *node, pod_ir_node *made, pod_status *status)
{
    made->regions = pod_arena_array(in->arena, node->region_count, sizeof *made->regions);
    if (!made->regions)
        return false;
    made->region_count = node->region_count;
    for (uint32_t i = 0; i < node->region_count && *status == POD_OK; i++)
        *status =
            pod_ir_import(in->arena, node->regions[i], in->keep_call, in->precision, &made->regions[i], in->error);
    return true;
}

/* Returns whether a node of a body may keep more than 16 bits: what computes, or moves what may. Casts round
 * everywhere. */
static bool is_wide(const importer *in, const pod_ir_node *node)
{
    bool wide = !pod_ir_keeps_values(node->op);
    for (uint32_t i = 0; i < node->input_count; i++)
        wide = wide || pod_ir_is_wide(in->ir, pod_ir_inputs(in->ir, node)[i]);
    return wide && in->top->call && node->op != POD_OP_CONVERT && node->op != POD_OP_CONSTANT;
}

/* Adds the node as it stands. */
static pod_status import_plain(importer *in, const pod_node *node)
{
    uint32_t made = pod_ir_add(in->ir, node->op, node->input_count, node->result_count, node->attributes);
    uint32_t first = pool_take(in, node->result_count);
    if (made == POD_REF_NONE || first == POD_REF_NONE)
        return no_memory(in);
    pod_ir_node *to = &in->ir->nodes[made];
    to->location = node->location;
    to->scope = node->scope;
    to->source = node;
    to->outer = in->top->call ? in->top->outer_id : node->id;
    if (node->op == POD_OP_CONSTANT)
        to->constant = pod_node_constant_data(node);
    for (uint32_t i = 0; i < node->input_count; i++)
        pod_ir_inputs(in->ir, to)[i] = value_of(in, node->inputs[i], 0);
    for (uint32_t i = 0; i < node->result_count; i++) {
        pod_ir_set_type(in->ir, made, i, pod_node_dtype(node, i), pod_node_shape(node, i));
        in->values[first + i] = to->value_first + i;
    }
    in->top->results[node->id] = first;
    to->wide = is_wide(in, to);
    pod_status status = POD_OK;
    bool with_regions = node->region_count > 0 && node->op != POD_OP_CALL;
    if (with_regions && !import_regions(in, node, to, &status))
        return no_memory(in);
    return status;
}

static pod_status import_parameter(importer *in, const pod_node *node)
{
    if (in->top->call) {
        in->top->results[node->id] = in->top->call_inputs + (uint32_t)node->attributes->axis;
        return POD_OK;
    }
    pod_status status = import_plain(in, node);
    if (status == POD_OK)
        in->ir->parameters[node->attributes->axis] = value_of(in, node, 0);
    return status;
}

/* Enters the body of a call. */
static pod_status import_call(importer *in, const pod_node *node)
{
    if (in->keep_call && in->keep_call(node, in->precision))
        return import_plain(in, node);
    uint32_t inputs = pool_take(in, node->input_count);
    if (inputs == POD_REF_NONE)
        return no_memory(in);
    for (uint32_t i = 0; i < node->input_count; i++)
        in->values[inputs + i] = value_of(in, node->inputs[i], 0);
    return push(in, node->regions[0], node, inputs) ? POD_OK : no_memory(in);
}

static pod_status import_node(importer *in, const pod_node *node)
{
    graph_frame *top = in->top;
    switch (node->op) {
    case POD_OP_PARAMETER:
        return import_parameter(in, node);
    case POD_OP_CALL:
        return import_call(in, node);
    case POD_OP_RESULT:
        top->results[node->id] = top->results[node->inputs[0]->id] + (uint32_t)node->attributes->axis;
        return POD_OK;
    case POD_OP_STOP_GRADIENT:
    case POD_OP_WITH_ROWS:
        top->results[node->id] = top->results[node->inputs[0]->id];
        return POD_OK;
    default:
        return import_plain(in, node);
    }
}

/* What a call gives is rounded to its 16 bits where it is computed, for all readers; views show what they are of. */
static void round_result(const importer *in, pod_ref value)
{
    pod_ir_node *maker = pod_ir_maker(in->ir, value);
    const bool whole = !in->top->outer->call; /* else what a body gives to another one */
    for (bool view = whole; view; maker = pod_ir_maker(in->ir, pod_ir_inputs(in->ir, maker)[0])) {
        maker->wide = false;
        view = maker->op == POD_OP_RESHAPE || maker->op == POD_OP_TRANSPOSE || maker->op == POD_OP_BROADCAST ||
               maker->op == POD_OP_SLICE || maker->op == POD_OP_REVERSE || maker->op == POD_OP_CONVERT;
        if (!view)
            break;
    }
}

/* Leaves the body of a call: its outputs become the call's results. */
static pod_status leave_call(importer *in)
{
    graph_frame *body = in->top;
    assert(body->call && body->outer);
    uint32_t count = (uint32_t)pod_graph_output_count(body->graph);
    uint32_t first = pool_take(in, count);
    if (first == POD_REF_NONE)
        return no_memory(in);
    for (uint32_t i = 0; i < count; i++) {
        in->values[first + i] = value_of(in, pod_graph_get_output(body->graph, i), 0);
        round_result(in, in->values[first + i]);
    }
    in->top = body->outer;
    in->top->results[body->call->id] = first;
    return POD_OK;
}

static pod_status import_nodes(importer *in)
{
    for (;;) {
        graph_frame *top = in->top;
        pod_status status;
        if (top->next < pod_graph_node_count(top->graph)) {
            const pod_node *node = pod_graph_get_node(top->graph, top->next++);
            status = pod_node_is_valid(node) ? import_node(in, node) : POD_OK;
        } else if (top->call) {
            status = leave_call(in);
        } else {
            return POD_OK;
        }
        if (status != POD_OK)
            return status;
    }
}

pod_status pod_ir_import(pod_arena *arena, const pod_graph *graph, pod_call_keeper keep_call, pod_precision precision,
                         pod_ir **ir, pod_error *error)
{
    importer in = {.arena = arena, .keep_call = keep_call, .precision = precision, .error = error};
    uint32_t outputs = (uint32_t)pod_graph_output_count(graph);
    *ir = in.ir =
        pod_ir_new(arena, (uint32_t)pod_graph_node_count(graph), (uint32_t)pod_graph_parameter_count(graph), outputs);
    if (!in.ir || !push(&in, graph, NULL, 0))
        return no_memory(&in);
    pod_status status = import_nodes(&in);
    if (status != POD_OK)
        return status;
    for (uint32_t i = 0; i < outputs; i++) {
        in.ir->outputs[i] = value_of(&in, pod_graph_get_output(graph, i), 0);
        in.ir->aliases[i] = graph->aliases[i];
    }
    return pod_ir_join_meetings(arena, ir) ? POD_OK : no_memory(&in);
}
