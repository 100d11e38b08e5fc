#include "grad/gradient.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "graph/infer.h"

/*
 * The walk. First it marks, in the order of the nodes, what depends on a source through differentiable ops; then it
 * goes back from the targets: at a node, all its users have been there, and the parts of its cotangent are complete.
 */

/* One part of a cotangent: what one use of the value hands back. */
typedef struct pod_cotangent_part {
    struct pod_cotangent_part *next; /* in the order of arrival */
    pod_node *node;
} pod_cotangent_part;

typedef struct pod_parts {
    pod_cotangent_part *first, *last;
} pod_parts;

typedef struct pod_cotangent_walk {
    const pod_gradient_request *request;
    pod_graph *graph;
    uint32_t first, end; /* nodes that are walked */
    uint32_t since;      /* nodes before it that are no sources count as constants */
    uint32_t born;       /* nodes from here on were made by this gradient */
    bool *active;        /* by node */
    uint32_t *slots;     /* by node: where the parts of its results start */
    pod_parts *parts;    /* by result */
    pod_parts *outside;  /* by source: parts of sources before `first` */
    pod_arena arena;     /* of all of it, and what rules take */
} pod_cotangent_walk;

void pod_gradient_refuse(pod_pullback *back, const char *why)
{
    const char *at = back->node->location;
    pod_error_set(back->error, POD_ERROR_UNSUPPORTED, "gradient of %s: %s%s%s%s", pod_op_name(back->node->op), why,
                  at ? " (" : "", at ? at : "", at ? ")" : "");
}

void *pod_gradient_room(pod_pullback *back, size_t count, size_t size)
{
    void *room = pod_arena_array(back->arena, count, size);
    if (!room)
        (void)pod_error_memory(back->error, "a gradient", count * size);
    return room;
}

pod_node *pod_gradient_in_operand_type(const pod_pullback *back)
{
    return pod_graph_convert(back->graph, back->cotangents[0], pod_node_dtype(back->node->inputs[0], 0));
}

pod_node *pod_gradient_equal_mask(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_convert(graph, pod_graph_compare(graph, POD_COMPARE_EQ, a, b), pod_node_dtype(a, 0));
}

pod_node *pod_gradient_or_zero(const pod_pullback *back, uint32_t result)
{
    return back->cotangents[result] ? back->cotangents[result]
                                    : pod_graph_scalar(back->graph, pod_node_dtype(back->node, result), 0,
                                                       pod_node_shape(back->node, result));
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void append_part(pod_cotangent_walk *walk, pod_parts *parts, pod_node *node)
{
    pod_cotangent_part *part = pod_arena_allocate(&walk->arena, sizeof(*part));
    if (!part) {
        pod_graph_fail(walk->graph, POD_ERROR_MEMORY, "gradient: there is no memory");
        return;
    }
    part->node = node;
    if (parts->last)
        parts->last->next = part;
    else
        parts->first = part;
    parts->last = part;
    assert(!part->next);
}

static bool is_walked(const pod_cotangent_walk *walk, const pod_node *node)
{
    return node->id >= walk->first && node->id < walk->end;
}

/* The place of a node among the sources; their number when it is none. */
static size_t find_source(const pod_cotangent_walk *walk, const pod_node *node)
{
    size_t i = 0;
    while (i < walk->request->source_count && walk->request->sources[i] != node)
        i++;
    return i;
}

/* Hands a cotangent to result `index` of a node, or to a source before the walked nodes. */
static void hand_to(pod_cotangent_walk *walk, const pod_node *node, uint32_t index, pod_node *cotangent)
{
    if (is_walked(walk, node)) {
        assert(index < node->result_count);
        append_part(walk, &walk->parts[walk->slots[node->id - walk->first] + index], cotangent);
        return;
    }
    const size_t source = find_source(walk, node);
    if (source < walk->request->source_count)
        append_part(walk, &walk->outside[source], cotangent);
}

/* Adds up parts; NULL for none. */
static pod_node *sum_parts(pod_cotangent_walk *walk, const pod_parts *parts)
{
    pod_node *sum = NULL;
    for (const pod_cotangent_part *part = parts->first; part; part = part->next)
        sum = sum ? pod_graph_add(walk->graph, sum, part->node) : part->node;
    return sum;
}

/* ---- what depends on the sources ------------------------------------------------------------- */

/* Returns whether a gradient may flow into an operand. */
static bool is_active(const pod_cotangent_walk *walk, const pod_node *node)
{
    if (is_walked(walk, node))
        return walk->active[node->id - walk->first];
    return find_source(walk, node) < walk->request->source_count;
}

static bool has_float(const pod_node *node)
{
    for (uint32_t i = 0; i < node->result_count; i++)
        if (pod_dtype_is_float(node->results[i].dtype))
            return true;
    return false;
}

/* Returns whether some operand of a node asks for a gradient: sources may be leaves or in between. A source
 * that is constant almost everywhere (stop_gradient) or from before is an end. */
static bool leads_on(const pod_cotangent_walk *walk, const pod_node *node)
{
    if (node->id < walk->since || pod_op_get(node->op)->gradient == POD_GRADIENT_ZERO)
        return false;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (is_active(walk, node->inputs[i]))
            return true;
    return false;
}

static void mark_active(pod_cotangent_walk *walk)
{
    const pod_gradient_request *request = walk->request;
    for (size_t i = 0; i < request->source_count; i++) {
        const pod_node *source = request->sources[i];
        if (is_walked(walk, source))
            walk->active[source->id - walk->first] = has_float(source);
    }
    for (uint32_t id = walk->first; id < walk->end; id++)
        if (!walk->active[id - walk->first])
            walk->active[id - walk->first] =
                has_float(walk->graph->nodes[id]) && leads_on(walk, walk->graph->nodes[id]);
}

/* ---- converts to 16 bits --------------------------------------------------------------------- */

/* Ops that add up in f32 and can give that as it is. */
static bool sums_wide(pod_op op)
{
    return op == POD_OP_DOT || op == POD_OP_REDUCE_SUM || op == POD_OP_CONVOLUTION ||
           op == POD_OP_CONVOLUTION_INPUT_GRADIENT || op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
}

/* Returns g in a wider type. Where g is a sum that this gradient made and that was rounded to 16
 * bits, the sum is made again without rounding; the rounded one is then unused. */
static pod_node *widen(pod_cotangent_walk *walk, pod_node *g, pod_dtype dtype, int depth)
{
    pod_graph *graph = walk->graph;
    if (g->op < 0 || g->id < walk->born || depth == 4)
        return pod_graph_convert(graph, g, dtype);
    if (g->op == POD_OP_WITH_ROWS)
        return pod_graph_with_rows(graph, widen(walk, g->inputs[0], dtype, depth + 1), g->inputs[1]);
    if (g->op == POD_OP_RESHAPE || g->op == POD_OP_TRANSPOSE) {
        pod_node *wide = widen(walk, g->inputs[0], dtype, depth + 1);
        return pod_graph_copy_node(graph, g, &wide);
    }
    if (!sums_wide(g->op) || dtype != POD_F32)
        return pod_graph_convert(graph, g, dtype);
    pod_attributes attributes = *g->attributes;
    attributes.dtype = dtype;
    return pod_graph_copy_node_with(graph, g, g->inputs, &attributes);
}

static bool narrows(const pod_node *node)
{
    if (node->op != POD_OP_CONVERT)
        return false;
    pod_dtype from = node->inputs[0]->results[0].dtype, to = node->results[0].dtype;
    return pod_dtype_is_float(from) && pod_dtype_is_float(to) && pod_dtype_size(from) > pod_dtype_size(to) &&
           pod_dtype_size(to) == 2;
}

/* Weights are kept in f32 and converted to 16 bits for products: their cotangents are added in f32. */
static void walk_narrowing(pod_cotangent_walk *walk, const pod_node *node, const pod_parts *parts)
{
    const pod_node *input = node->inputs[0];
    for (const pod_cotangent_part *part = parts->first; part; part = part->next)
        hand_to(walk, input, 0, widen(walk, part->node, input->results[0].dtype, 0));
}

/* ---- going back ------------------------------------------------------------------------------ */

static void run_rule(pod_cotangent_walk *walk, pod_pullback *back)
{
    const pod_node *node = back->node;
    assert(node->id < walk->born); /* rules add nodes, which are not walked */
    pod_pullback_rule rule = pod_gradient_rule(node->op);
    if (!rule) {
        pod_gradient_refuse(back, "it has none; put stop_gradient where it counts as a constant");
        return;
    }
    rule(back);
    for (uint32_t i = 0; i < node->input_count && back->error->status == POD_OK; i++) {
        if (back->needed[i] && back->operands[i])
            hand_to(walk, node->inputs[i], 0, pod_gradient_with_rows_of(node, i, back->operands[i]));
    }
}

/* Adds up the cotangents of a node and hands them on to its operands. */
static pod_status walk_node(pod_cotangent_walk *walk, pod_node *node, pod_error *error)
{
    pod_parts *parts = &walk->parts[walk->slots[node->id - walk->first]];
    pod_error own = {.status = POD_OK};
    pod_pullback back = {.graph = walk->graph, .node = node, .arena = &walk->arena, .error = &own};
    bool any = false;
    if (node->op == POD_OP_RESULT) {
        pod_node *sum = sum_parts(walk, parts);
        if (sum)
            hand_to(walk, node->inputs[0], (uint32_t)node->attributes->axis, sum);
        return POD_OK;
    }
    if (narrows(node)) {
        walk_narrowing(walk, node, parts);
        return POD_OK;
    }
    pod_node **cotangents = pod_gradient_room(&back, node->result_count, sizeof(*cotangents));
    bool *needed = pod_gradient_room(&back, node->input_count, sizeof(*needed));
    back.operands = pod_gradient_room(&back, node->input_count, sizeof(*back.operands));
    back.cotangents = cotangents;
    back.needed = needed;
    for (uint32_t i = 0; i < node->result_count && own.status == POD_OK; i++) {
        cotangents[i] = sum_parts(walk, &parts[i]);
        any |= cotangents[i] != NULL;
    }
    for (uint32_t i = 0; i < node->input_count && any; i++)
        needed[i] = is_active(walk, node->inputs[i]);
    if (any)
        run_rule(walk, &back);
    return own.status == POD_OK ? POD_OK : pod_error_set(error, own.status, "%s", own.message);
}

static bool has_parts(const pod_cotangent_walk *walk, const pod_node *node)
{
    const pod_parts *parts = &walk->parts[walk->slots[node->id - walk->first]];
    for (uint32_t i = 0; i < node->result_count; i++)
        if (parts[i].first)
            return true;
    return false;
}

/* A source's gradient: the sum of its parts, once, also where the walk goes on behind it. */
static void keep_gradients(pod_cotangent_walk *walk, const pod_node *node)
{
    const pod_gradient_request *request = walk->request;
    const size_t source = find_source(walk, node);
    if (source == request->source_count)
        return;
    pod_parts *parts = &walk->parts[walk->slots[node->id - walk->first]];
    pod_node *sum = request->gradients[source] = sum_parts(walk, parts);
    if (sum) { /* one part from now on */
        assert(parts->first);
        parts->last = parts->first;
        *parts->first = (pod_cotangent_part){.node = sum};
    }
}

/* The scope of a node's gradient: its own, but for the part "again" of what is computed a second time, which gradients
 * of that are not. `text` has room for a changed one. */
static const char *once(const char *scope, char *text, size_t size)
{
    static const char part[] = "again/";
    const char *at = scope ? strstr(scope, part) : NULL;
    if (!at || (at != scope && at[-1] != '/') || strlen(scope) >= size)
        return scope;
    memcpy(text, scope, (size_t)(at - scope));
    strcpy(text + (at - scope), at + sizeof part - 1);
    return text;
}

static pod_status walk_back(pod_cotangent_walk *walk, pod_error *error)
{
    pod_graph *graph = walk->graph;
    const char *location = graph->location, *scope = graph->scope;
    pod_status status = POD_OK;
    for (uint32_t id = walk->end; id-- > walk->first && status == POD_OK;) {
        pod_node *node = graph->nodes[id];
        assert(node->id == id); /* what hands to a node comes behind it */
        if (graph->error.status != POD_OK)
            break;
        if (!walk->active[id - walk->first] || !has_parts(walk, node))
            continue;
        char text[256];
        pod_graph_set_place(graph, node->location, once(node->scope, text, sizeof text));
        keep_gradients(walk, node);
        if (leads_on(walk, node))
            status = walk_node(walk, node, error);
    }
    pod_graph_set_place(graph, location, scope);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool allocate_walk(pod_cotangent_walk *walk)
{
    size_t count = walk->end - walk->first, results = 0;
    walk->active = pod_arena_array(&walk->arena, count, sizeof(*walk->active));
    walk->slots = pod_arena_array(&walk->arena, count, sizeof(*walk->slots));
    for (size_t i = 0; i < count && walk->slots; i++) {
        walk->slots[i] = (uint32_t)results;
        results += walk->graph->nodes[walk->first + i]->result_count;
    }
    walk->parts = pod_arena_array(&walk->arena, results, sizeof(*walk->parts));
    walk->outside = pod_arena_array(&walk->arena, walk->request->source_count, sizeof(*walk->outside));
    return walk->active && walk->slots && walk->parts && walk->outside;
}

pod_status pod_gradient_walk(const pod_gradient_request *request, pod_error *error)
{
    pod_graph *graph = request->graph;
    pod_cotangent_walk walk = {
        .request = request,
        .graph = graph,
        .first = request->first,
        .since = request->since,
        .end = graph->node_count,
        .born = graph->node_count,
    };
    pod_arena_init(&walk.arena, graph->context);
    for (size_t i = 0; i < request->source_count; i++)
        request->gradients[i] = NULL;
    pod_status status = POD_OK;
    if (!allocate_walk(&walk)) {
        status = pod_error_memory(error, "a gradient", 0);
    } else {
        mark_active(&walk);
        for (size_t i = 0; i < request->target_count; i++)
            if (request->seeds[i])
                hand_to(&walk, request->targets[i], 0,
                        pod_graph_with_rows(graph, request->seeds[i], request->targets[i]));
        status = walk_back(&walk, error);
        for (size_t i = 0; i < request->source_count && status == POD_OK; i++) {
            if (walk.outside[i].first)
                request->gradients[i] = sum_parts(&walk, &walk.outside[i]);
        }
    }
    pod_arena_clear(&walk.arena);
    return status;
}

/* ---- the public function --------------------------------------------------------------------- */

static pod_status check_value(const pod_graph *graph, const pod_node *node, const char *what, size_t index,
                              pod_error *error)
{
    if (!node || node->graph != graph)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "gradient: %s %zu is not a node of graph '%s'", what, index,
                             graph->name);
    if (node->op < 0)
        return pod_error_set(error, POD_ERROR_STATE, "gradient: %s %zu could not be made (an earlier call failed)",
                             what, index);
    if (node->result_count != 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "gradient: %s %zu is a %s with %u results; take one of them",
                             what, index, pod_op_name(node->op), node->result_count);
    return POD_OK;
}

static pod_status check_seed(const pod_node *target, const pod_node *seed, pod_error *error)
{
    char first[POD_TYPE_TEXT_SIZE], second[POD_TYPE_TEXT_SIZE];
    const pod_type *want = &target->results[0], *have = &seed->results[0];
    if (pod_graph_type_equal(have, want))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_SHAPE, "gradient: the seed is %s, but the target is %s",
                         pod_graph_type_format(have, first), pod_graph_type_format(want, second));
}

static pod_status check_request(const pod_graph *graph, const pod_node *target, const pod_node *seed,
                                pod_node *const *sources, size_t count, pod_error *error)
{
    pod_status status = pod_graph_check(graph, error);
    if (status == POD_OK)
        status = check_value(graph, target, "target", 0, error);
    for (size_t i = 0; i < count && status == POD_OK; i++)
        status = check_value(graph, sources[i], "source", i, error);
    if (status == POD_OK && seed)
        status = check_value(graph, seed, "seed", 0, error);
    if (status == POD_OK && seed)
        status = check_seed(target, seed, error);
    if (status == POD_OK && !pod_dtype_is_float(target->results[0].dtype))
        return pod_error_set(error, POD_ERROR_DTYPE, "gradient: the target is %s, but must be a float",
                             pod_dtype_name(target->results[0].dtype));
    return status;
}

/* Nodes before the first source cannot depend on one. */
static uint32_t first_source(const pod_graph *graph, pod_node *const *sources, size_t count)
{
    uint32_t first = graph->node_count;
    for (size_t i = 0; i < count; i++) {
        if (first > sources[i]->id)
            first = sources[i]->id;
    }
    return first;
}

/* A source that is there twice has one gradient, for both. */
static void share_gradients(pod_node *const *sources, size_t count, pod_node **gradients)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i && !gradients[i]; j++) {
            if (sources[j] == sources[i])
                gradients[i] = gradients[j];
        }
    }
}

pod_status pod_graph_gradient(pod_graph *graph, pod_node *target, pod_node *seed, pod_node *const *sources,
                              size_t source_count, pod_node **gradients, pod_error *error)
{
    return pod_graph_gradient_since(graph, 0, target, seed, sources, source_count, gradients, error);
}

pod_status pod_graph_gradient_since(pod_graph *graph, size_t since, pod_node *target, pod_node *seed,
                                    pod_node *const *sources, size_t source_count, pod_node **gradients,
                                    pod_error *error)
{
    for (size_t i = 0; i < source_count; i++)
        gradients[i] = NULL;
    pod_status status = check_request(graph, target, seed, sources, source_count, error);
    if (status != POD_OK || source_count == 0)
        return status;
    if (!seed)
        seed = pod_graph_full_like(graph, target, 1);
    pod_gradient_request request = {
        .graph = graph,
        .first = first_source(graph, sources, source_count),
        .since = since < graph->node_count ? (uint32_t)since : graph->node_count,
        .targets = &target,
        .seeds = &seed,
        .target_count = 1,
        .sources = sources,
        .source_count = source_count,
        .gradients = gradients,
    };
    status = pod_gradient_walk(&request, error);
    if (status == POD_OK)
        status = pod_graph_check(graph, error);
    if (status == POD_OK)
        share_gradients(sources, source_count, gradients);
    for (size_t i = 0; i < source_count && status != POD_OK; i++)
        gradients[i] = NULL;
    return status;
}
