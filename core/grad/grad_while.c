#include <assert.h>
#include <string.h>

#include "grad/gradient.h"

/*
 * The gradient of a while loop, in two loops. The first runs the loop again and keeps, for each
 * iteration, the states that the gradient of the body reads, in stacks of `count` places. The
 * second runs from the last iteration to the first and applies the gradient of the body.
 *
 * States that the body hands on unchanged (weights) are not stacked.
 */

typedef struct pod_while_gradient {
    pod_pullback *back;
    pod_graph *graph;
    const pod_node *node;
    uint32_t states;
    const pod_graph *condition, *body;
    bool *active;          /* by state: a cotangent flows through it */
    bool *unchanged;       /* by state: the body hands it on */
    bool *read;            /* by state: the gradient of the body reads it */
    pod_graph *gradient;   /* of the body: (states, active cotangents) -> active cotangents */
    uint32_t active_count; /* of active */
    pod_node *iterations;  /* s32: how often the loop ran */
    pod_node **stacks;     /* by state: what it was in each iteration; NULL where not kept */
} pod_while_gradient;

static bool is_stacked(const pod_while_gradient *loop, uint32_t state)
{
    return loop->read[state] && !loop->unchanged[state];
}

/* ---- what flows where ------------------------------------------------------------------------ */

static bool is_float(const pod_node *node)
{
    return pod_dtype_is_float(pod_node_dtype(node, 0));
}

/* Marks what in the body depends on active states; returns whether more states became active. */
static bool spread_activity(pod_while_gradient *loop, bool *marks)
{
    const pod_graph *body = loop->body;
    bool more = false;
    for (uint32_t i = 0; i < body->node_count; i++) {
        const pod_node *node = body->nodes[i];
        marks[i] = node->op == POD_OP_PARAMETER && loop->active[node->attributes->axis];
        if (pod_op_get(node->op)->gradient == POD_GRADIENT_ZERO)
            continue;
        for (uint32_t j = 0; j < node->input_count; j++)
            marks[i] |= marks[node->inputs[j]->id];
    }
    for (uint32_t i = 0; i < loop->states; i++) {
        if (!loop->active[i] && marks[body->outputs[i]->id] && is_float(body->outputs[i])) {
            loop->active[i] = true;
            more = true;
        }
    }
    return more;
}

/* A state is active when a gradient is asked for what goes in, or when an active state goes into
 * it. */
static bool find_active(pod_while_gradient *loop)
{
    bool *marks = pod_gradient_room(loop->back, loop->body->node_count, sizeof(*marks));
    if (!marks)
        return false;
    for (uint32_t i = 0; i < loop->states; i++) {
        loop->active[i] = loop->back->needed[i] && is_float(loop->node->inputs[i]);
        loop->unchanged[i] = loop->body->outputs[i] == loop->body->parameters[i];
    }
    while (spread_activity(loop, marks))
        ;
    for (uint32_t i = 0; i < loop->states; i++)
        loop->active_count += loop->active[i];
    return true;
}

static void mark_read(pod_while_gradient *loop, const pod_node *node)
{
    if (node->op == POD_OP_PARAMETER && (uint32_t)node->attributes->axis < loop->states)
        loop->read[node->attributes->axis] = true;
}

/* Which of the states the gradient of the body reads. */
static void find_read(pod_while_gradient *loop)
{
    const pod_graph *gradient = loop->gradient;
    for (uint32_t i = 0; i < gradient->node_count; i++) {
        const pod_node *node = gradient->nodes[i];
        for (uint32_t j = 0; j < node->input_count; j++)
            mark_read(loop, node->inputs[j]);
    }
    for (uint32_t i = 0; i < gradient->output_count; i++)
        mark_read(loop, gradient->outputs[i]);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static pod_shape stack_shape(const pod_type *type, int64_t count)
{
    pod_shape shape = {.rank = type->shape.rank + 1, .dims = {count}};
    for (int32_t i = 0; i < type->shape.rank && i + 1 < POD_MAX_RANK; i++)
        shape.dims[i + 1] = type->shape.dims[i];
    return shape;
}

/* Starts of a slice: place `at` of the stack, then zeros. */
static size_t add_starts(pod_graph *graph, pod_node **inputs, size_t count, int32_t rank, pod_node *at)
{
    inputs[count++] = at;
    for (int32_t i = 1; i < rank && i < POD_MAX_RANK; i++)
        inputs[count++] = pod_graph_scalar(graph, POD_S32, 0, NULL);
    return count;
}

static pod_node *push(pod_graph *graph, pod_node *stack, pod_node *at, pod_node *value)
{
    pod_node *inputs[2 + POD_MAX_RANK] = {stack};
    if (!pod_node_is_valid(value) || !pod_node_is_valid(stack))
        return &graph->invalid;
    pod_shape one = stack_shape(pod_node_type(value), 1);
    inputs[1] = pod_graph_reshape(graph, value, &one);
    size_t count = add_starts(graph, inputs, 2, one.rank, at);
    return pod_graph_apply(graph, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, count, NULL, NULL, 0);
}

static pod_node *read_stack(pod_graph *graph, pod_node *stack, pod_node *at, const pod_type *type)
{
    pod_node *inputs[1 + POD_MAX_RANK] = {stack};
    pod_attributes attributes = {.shape = stack_shape(type, 1)};
    size_t count = add_starts(graph, inputs, 1, attributes.shape.rank, at);
    pod_node *slice = pod_graph_apply(graph, POD_OP_DYNAMIC_SLICE, inputs, count, &attributes, NULL, 0);
    return pod_graph_reshape(graph, slice, &type->shape);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A loop in the making. Its state: a counter (s32), then what is added. */
typedef struct pod_new_loop {
    pod_graph *condition, *body;
    pod_node **start;   /* operands of the loop */
    pod_node **inside;  /* parameters of its body */
    pod_node **outside; /* parameters of its condition */
    size_t count;
} pod_new_loop;

static void add_state(pod_new_loop *made, pod_node *start)
{
    const pod_type *type = pod_node_type(start);
    made->start[made->count] = start;
    made->inside[made->count] = pod_graph_parameter(made->body, type->dtype, &type->shape, NULL);
    made->outside[made->count] = pod_graph_parameter(made->condition, type->dtype, &type->shape, NULL);
    made->count++;
}

static bool begin_loop(pod_while_gradient *loop, pod_new_loop *made, size_t states)
{
    pod_graph *graph = loop->graph;
    pod_error error = {0};
    *made = (pod_new_loop){0};
    made->start = pod_gradient_room(loop->back, 3 * states, sizeof(*made->start));
    if (!made->start)
        return false;
    made->inside = made->start + states;
    made->outside = made->inside + states;
    if (pod_graph_new(graph->context, "gradient", &made->condition, &error) != POD_OK ||
        pod_graph_new(graph->context, "gradient", &made->body, &error) != POD_OK) {
        pod_graph_fail_with(graph, &error);
        pod_graph_free(made->condition);
        return false;
    }
    pod_graph_set_location(made->body, loop->node->location);
    pod_graph_set_location(made->condition, loop->node->location);
    return true;
}

/* Adds the loop to the graph; its number of iterations is bounded as the original's. */
static pod_node *end_loop(pod_while_gradient *loop, pod_new_loop *made)
{
    pod_attributes attributes = {.count = loop->node->attributes->count};
    pod_graph *regions[] = {made->condition, made->body};
    assert(made->body->parameter_count == made->count || made->body->error.status != POD_OK);
    return pod_graph_apply(loop->graph, POD_OP_WHILE, made->start, made->count, &attributes, regions, 2);
}

/* (counter, states, stacks): runs the body, pushes states, counts up. */
static void run_and_stack(pod_while_gradient *loop)
{
    pod_graph *graph = loop->graph;
    pod_new_loop made;
    int64_t count = loop->node->attributes->count;
    if (!begin_loop(loop, &made, 1 + 2 * (size_t)loop->states))
        return;
    add_state(&made, pod_graph_scalar(graph, POD_S32, 0, NULL));
    for (uint32_t i = 0; i < loop->states; i++)
        add_state(&made, loop->node->inputs[i]);
    for (uint32_t i = 0; i < loop->states; i++) {
        const pod_type *type = pod_node_type(loop->node->inputs[i]);
        pod_shape shape = stack_shape(type, count);
        if (is_stacked(loop, i))
            add_state(&made, pod_graph_scalar(graph, type->dtype, 0, &shape));
    }
    pod_node *go_on, *counter = made.inside[0];
    pod_graph_inline_pure(made.condition, loop->condition, made.outside + 1, &go_on);
    pod_node *room = pod_graph_scalar(made.condition, POD_S32, (double)count, NULL);
    room = pod_graph_compare(made.condition, POD_COMPARE_LT, made.outside[0], room);
    pod_graph_add_output(made.condition, pod_graph_and(made.condition, go_on, room));
    pod_graph_add_output(made.body, pod_graph_offset(made.body, counter, 1));
    size_t next = 1 + (size_t)loop->states;
    pod_node **results = made.outside; /* room: the condition is complete */
    pod_graph_inline_pure(made.body, loop->body, made.inside + 1, results);
    for (uint32_t i = 0; i < loop->states; i++)
        pod_graph_add_output(made.body, results[i]);
    for (uint32_t i = 0; i < loop->states; i++) {
        if (is_stacked(loop, i))
            pod_graph_add_output(made.body, push(made.body, made.inside[next++], counter, made.inside[1 + i]));
    }
    pod_node *ran = end_loop(loop, &made);
    loop->iterations = pod_graph_result(graph, ran, 0);
    next = 1 + (size_t)loop->states;
    for (uint32_t i = 0; i < loop->states; i++) {
        if (is_stacked(loop, i))
            loop->stacks[i] = pod_graph_result(graph, ran, next++);
    }
}

/* Fills `arguments` with what the body's gradient takes, inside the loop back: states from stacks
 * or carried along, then the cotangents. */
static void gather_arguments(const pod_while_gradient *loop, pod_new_loop *made, pod_node **arguments)
{
    pod_graph *body = made->body;
    size_t carried = 1 + (size_t)loop->active_count;
    for (uint32_t i = 0; i < loop->states; i++) {
        const pod_type *type = pod_node_type(loop->body->parameters[i]);
        if (!loop->read[i])
            arguments[i] = pod_graph_scalar(body, type->dtype, 0, &type->shape);
        else if (loop->unchanged[i])
            arguments[i] = made->inside[carried++];
        else
            arguments[i] = read_stack(body, made->inside[carried++], made->inside[0], type);
    }
    memcpy(arguments + loop->states, made->inside + 1, loop->active_count * sizeof(*arguments));
}

/* (counter, cotangents, unchanged states and stacks): applies the gradient of the body, counts
 * down. */
static void run_back(pod_while_gradient *loop, pod_node **room)
{
    pod_graph *graph = loop->graph;
    pod_new_loop made;
    if (!begin_loop(loop, &made, 1 + 2 * (size_t)loop->states))
        return;
    add_state(&made, pod_graph_offset(graph, loop->iterations, -1));
    for (uint32_t i = 0; i < loop->states; i++) {
        if (loop->active[i])
            add_state(&made, pod_gradient_or_zero(loop->back, i));
    }
    for (uint32_t i = 0; i < loop->states; i++) {
        if (loop->read[i])
            add_state(&made, is_stacked(loop, i) ? loop->stacks[i] : loop->node->inputs[i]);
    }
    pod_node *zero = pod_graph_scalar(made.condition, POD_S32, 0, NULL);
    pod_graph_add_output(made.condition, pod_graph_compare(made.condition, POD_COMPARE_GE, made.outside[0], zero));
    pod_node **results = room + 2 * (size_t)loop->states;
    gather_arguments(loop, &made, room);
    pod_graph_inline(made.body, loop->gradient, room, results);
    pod_graph_add_output(made.body, pod_graph_offset(made.body, made.inside[0], -1));
    for (uint32_t i = 0; i < loop->active_count; i++)
        pod_graph_add_output(made.body, results[i]);
    for (size_t i = 1 + (size_t)loop->active_count; i < made.count; i++)
        pod_graph_add_output(made.body, made.inside[i]);
    pod_node *ran = end_loop(loop, &made);
    size_t next = 1;
    for (uint32_t i = 0; i < loop->states; i++) {
        if (loop->active[i])
            loop->back->operands[i] = pod_graph_result(graph, ran, next++);
    }
    assert(next == 1 + (size_t)loop->active_count);
}

/* ---- the rule -------------------------------------------------------------------------------- */

void pod_gradient_while(pod_pullback *back)
{
    const pod_node *node = back->node;
    const size_t states = node->input_count;
    if (node->attributes->count <= 0 || node->attributes->count > INT32_MAX) {
        pod_gradient_refuse(back, "the most iterations it may run must be known; give the loop its count "
                                  "(maximum_iterations)");
        return;
    }
    bool *flags = pod_gradient_room(back, 3 * states, sizeof(*flags));
    pod_node **room = pod_gradient_room(back, 4 * states, sizeof(*room));
    if (!flags || !room)
        return;
    pod_while_gradient loop = {
        .back = back,
        .graph = back->graph,
        .node = node,
        .states = node->input_count,
        .condition = node->regions[0],
        .body = node->regions[1],
        .active = flags,
        .unchanged = flags + states,
        .read = flags + 2 * states,
        .stacks = room + 3 * states,
    };
    if (find_active(&loop))
        loop.gradient = pod_gradient_of_body(back, loop.body, loop.active, loop.active);
    if (!loop.gradient)
        return;
    find_read(&loop);
    run_and_stack(&loop);
    if (back->error->status == POD_OK && pod_graph_check(loop.graph, NULL) == POD_OK)
        run_back(&loop, room);
    pod_graph_free(loop.gradient);
}
