/*
 * A graph for another size of one of its axes: a batch. Sizes follow along all axes that are one with it
 * (axis_marks.h), wherever they stand: in shapes of attributes, limits of slices, constants whose entries along it are
 * equal. Numbers that a program computed from the size, such as the divisor of a mean, stay as they were.
 */

#include "moonpod/replicate.h"

#include "base/error.h"
#include "graph/build.h"
#include "replicate/axis_marks.h"

#include <string.h>

typedef struct pod_rescaling {
    pod_axis_walk *walk;
    const pod_marked_graph *marked;
    int64_t size;
} pod_rescaling;

static pod_graph *rescale_graph(const pod_rescaling *outer, const pod_marked_graph *marked, pod_error *error);

static pod_shape resized_result(const pod_rescaling *to, const pod_node *node, uint32_t result)
{
    return pod_replicate_resized(&node->results[result].shape, pod_replicate_mark_of(to->marked, node, result),
                                 to->walk->size, to->size);
}

/* ---- constants ---- */

/* The entries of a constant along the axis, as many as there are to be; NULL, with the error kept, where they differ.
 */
static char *resize_constant(const pod_rescaling *to, const pod_node *node, const pod_shape *shape)
{
    const pod_axis_mark *mark = pod_replicate_mark_of(to->marked, node, 0);
    const pod_shape *from = &node->results[0].shape;
    const int64_t was = to->walk->size, elements = pod_shape_elements(shape);
    if (elements < 0) {
        pod_replicate_refuse(to->walk, node, "has too many entries for another size of this axis");
        return NULL;
    }
    size_t outer = (size_t)mark->before, block = (size_t)mark->after * pod_dtype_size(node->results[0].dtype);
    for (int32_t k = 0; k < mark->axis; k++)
        outer *= (size_t)from->dims[k];
    for (int32_t k = mark->axis + 1; k < from->rank; k++)
        block *= (size_t)from->dims[k];
    const char *data = pod_node_constant_data(node);
    for (size_t i = 0; i < outer; i++)
        for (size_t r = 1; r < (size_t)was; r++)
            if (memcmp(data + i * (size_t)was * block, data + (i * (size_t)was + r) * block, block) != 0) {
                pod_replicate_refuse(to->walk, node, "has other numbers for each entry of this axis");
                return NULL;
            }
    char *made = pod_arena_array(&to->walk->arena, (size_t)elements + 1, pod_dtype_size(node->results[0].dtype));
    for (size_t i = 0; made != NULL && i < outer; i++)
        for (size_t r = 0; r < (size_t)to->size; r++)
            memcpy(made + (i * (size_t)to->size + r) * block, data + i * (size_t)was * block, block);
    if (made == NULL)
        pod_error_set(to->walk->error, POD_ERROR_MEMORY, "there is no memory for a constant of another size");
    return made;
}

/* ---- attributes ---- */

/* Of slice and pad, which take or add whole turns of the axis: see axis_marks.c. */
static void resize_range(const pod_rescaling *to, const pod_node *node, pod_attributes *attributes)
{
    const pod_axis_mark *mark = pod_replicate_mark_of(to->marked, node->inputs[0], 0);
    const pod_axis_mark *result = pod_replicate_mark_of(to->marked, node, 0);
    if (mark->before == 0 && result->before > 0 && node->op == POD_OP_PAD &&
        attributes->low[result->axis] == 0) /* the gradient of the first entry */
        attributes->high[result->axis] +=
            resized_result(to, node, 0).dims[result->axis] - node->results[0].shape.dims[result->axis];
    if (mark->before == 0 || result->before == 0)
        return;
    attributes->low[mark->axis] = pod_replicate_turns(attributes->low[mark->axis], to->walk->size, to->size);
    attributes->high[mark->axis] = pod_replicate_turns(attributes->high[mark->axis], to->walk->size, to->size);
}

/* The types of an op that is only read. */
static bool resize_types(const pod_rescaling *to, const pod_node *node, pod_attributes *attributes)
{
    pod_value_type *types = pod_arena_array(&to->walk->arena, node->result_count, sizeof *types);
    if (types == NULL) {
        pod_error_set(to->walk->error, POD_ERROR_MEMORY, "there is no memory for types of another size");
        return false;
    }
    for (uint32_t i = 0; i < node->result_count; i++) {
        types[i] = ((const pod_value_type *)node->attributes->data)[i];
        types[i].shape = resized_result(to, node, i);
    }
    attributes->data = types;
    return true;
}

static bool resize_attributes(const pod_rescaling *to, const pod_node *node, pod_attributes *attributes)
{
    const pod_shape shape = resized_result(to, node, 0);
    if (pod_op_get(node->op)->reads & POD_FIELD_SHAPE && pod_shape_equal(&attributes->shape, &node->results[0].shape))
        attributes->shape = shape;
    if (node->op == POD_OP_SLICE || node->op == POD_OP_PAD)
        resize_range(to, node, attributes);
    if (node->op == POD_OP_OPAQUE)
        return resize_types(to, node, attributes);
    if (node->op == POD_OP_CONSTANT && !attributes->flag && !pod_shape_equal(&shape, &node->results[0].shape))
        return (attributes->data = resize_constant(to, node, &shape)) != NULL;
    if (node->op == POD_OP_CONSTANT)
        attributes->data = pod_node_constant_data(node);
    return true;
}

/* ---- nodes ---- */

static bool is_resized(const pod_rescaling *to, const pod_node *node, const pod_node *made)
{
    bool same = made->result_count == node->result_count;
    for (uint32_t i = 0; same && i < node->result_count; i++) {
        const pod_shape shape = resized_result(to, node, i);
        same = made->results[i].dtype == node->results[i].dtype && pod_shape_equal(&made->results[i].shape, &shape);
    }
    return same || pod_replicate_refuse(to->walk, node, "does not follow another size of this axis");
}

/* Applies an op with regions of the other size. */
static pod_node *apply(const pod_rescaling *to, pod_graph *graph, const pod_node *node, pod_node *const *inputs,
                       const pod_attributes *attributes)
{
    pod_graph *regions[2] = {NULL, NULL};
    for (uint32_t k = 0; k < node->region_count; k++) {
        regions[k] = rescale_graph(to, to->marked->regions[2 * (size_t)node->id + k], to->walk->error);
        if (regions[k] == NULL) {
            pod_graph_free(regions[0]);
            return pod_graph_fail_with(graph, to->walk->error);
        }
    }
    const char *location = graph->location, *scope = graph->scope;
    pod_graph_set_place(graph, node->location, node->scope);
    pod_node *made =
        pod_graph_apply(graph, node->op, inputs, node->input_count, attributes, regions, node->region_count);
    pod_graph_set_place(graph, location, scope);
    return made;
}

static pod_node *rescale_node(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                              pod_node *const *mapped)
{
    const pod_rescaling *to = context;
    pod_attributes attributes = *node->attributes;
    (void)mapped;
    if (graph->error.status != POD_OK)
        return &graph->invalid;
    const bool whole = node->op == POD_OP_CONSTANT && pod_replicate_mark_of(to->marked, node, 0)->before == 0;
    if (whole)
        return pod_graph_copy_node(graph, node, inputs);
    if (!resize_attributes(to, node, &attributes))
        return pod_graph_fail_with(graph, to->walk->error);
    pod_node *made = apply(to, graph, node, inputs, &attributes);
    if (graph->error.status == POD_OK && !is_resized(to, node, made))
        return pod_graph_fail_with(graph, to->walk->error);
    return made;
}

static pod_graph *rescale_graph(const pod_rescaling *outer, const pod_marked_graph *marked, pod_error *error)
{
    pod_rescaling to = {outer->walk, marked, outer->size};
    return pod_graph_copy_by(marked->graph, rescale_node, &to, error);
}

/* ---- the function ---- */

pod_status pod_graph_rescale(const pod_graph *graph, const pod_batch_axis *axis, int64_t size, pod_graph **result,
                             pod_error *error)
{
    *result = NULL;
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (axis->parameter >= graph->parameter_count || axis->axis < 0 ||
        axis->axis >= graph->parameters[axis->parameter]->results[0].shape.rank)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the graph has no axis %d of parameter %u", axis->axis,
                             axis->parameter);
    const int64_t was = graph->parameters[axis->parameter]->results[0].shape.dims[axis->axis];
    const int64_t parts = axis->parts > 1 ? axis->parts : 1;
    if (was % parts != 0 || size % parts != 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "an axis of %lld parts cannot have %lld entries",
                             (long long)parts, (long long)size);
    if (size < 1 || was < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "an axis of %lld entries cannot have %lld", (long long)was,
                             (long long)size);
    pod_error found = {0};
    pod_axis_walk walk = {.error = &found, .counts = axis->counts};
    pod_arena_init(&walk.arena, graph->context);
    const pod_marked_graph *marked = pod_replicate_mark_axis(&walk, graph, axis->parameter, axis->axis, parts);
    if (marked != NULL)
        *result = rescale_graph(&(pod_rescaling){&walk, marked, size / parts}, marked, &found);
    pod_arena_clear(&walk.arena);
    if (*result == NULL && error != NULL)
        *error = found;
    return *result != NULL ? POD_OK : found.status;
}
