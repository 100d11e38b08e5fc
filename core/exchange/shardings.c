/* shardings - see shardings.h. */

#include "exchange/shardings.h"

#include <stdio.h>
#include <string.h>

#include "base/growth.h"

enum { MOST_PIECES = 16, MOST_DIMS = 2 * POD_MAX_RANK };

/* Devices stand in an order. A piece divides an axis of a value: devices `stride` apart have its next part. */
typedef struct sharding_piece {
    int32_t axis;
    int64_t stride, size;
} sharding_piece;

typedef struct sharding_pieces {
    sharding_piece list[MOST_PIECES];
    int32_t count;
    bool open;
} sharding_pieces;

/* ---- texts ----------------------------------------------------------------------------------- */

static bool accept(pod_span *text, const char *token)
{
    const size_t length = strlen(token);
    while (text->length > 0 && *text->text == ' ')
        *text = (pod_span){text->text + 1, text->length - 1};
    if (text->length < length || memcmp(text->text, token, length) != 0)
        return false;
    *text = (pod_span){text->text + length, text->length - length};
    return true;
}

static bool take_integer(pod_span *text, int64_t *value)
{
    size_t length = 0;
    accept(text, "");
    while (length < text->length && text->text[length] >= '0' && text->text[length] <= '9')
        length++;
    const bool taken = length > 0 && pod_exchange_span_integer((pod_span){text->text, length}, value) && *value > 0 &&
                       *value <= POD_MESH_DEVICES;
    *text = (pod_span){text->text + length, text->length - length};
    return taken;
}

/* Takes what stands up to a character, and that. */
static bool take_until(pod_span *text, char end, pod_span *taken)
{
    const char *found = text->length > 0 ? memchr(text->text, end, text->length) : NULL;
    if (!found)
        return false;
    *taken = (pod_span){text->text, (size_t)(found - text->text)};
    *text = (pod_span){found + 1, text->length - taken->length - 1};
    return true;
}

/* "4,2]" */
static bool take_integers(pod_span *text, int64_t *values, int32_t *count)
{
    *count = 0;
    do {
        if (*count == MOST_DIMS || !take_integer(text, &values[(*count)++]))
            return false;
    } while (accept(text, ","));
    return accept(text, "]");
}

static bool add_piece(sharding_pieces *pieces, int32_t axis, int64_t stride, int64_t size)
{
    if (size == 1)
        return true;
    if (pieces->count == MOST_PIECES || axis >= POD_MAX_RANK)
        return false;
    pieces->list[pieces->count++] = (sharding_piece){axis, stride, size};
    return true;
}

/* ---- shardings of Shardy --------------------------------------------------------------------- */

typedef struct named_mesh {
    pod_span names[MOST_DIMS];
    int64_t sizes[MOST_DIMS];
    int32_t rank;
} named_mesh;

/* <["data"=4, "model"=2]> */
static bool read_mesh(pod_span text, named_mesh *mesh)
{
    mesh->rank = 0;
    if (!accept(&text, "<") || !accept(&text, "["))
        return false;
    if (accept(&text, "]"))
        return true;
    do {
        if (mesh->rank == MOST_DIMS || !accept(&text, "\"") || !take_until(&text, '"', &mesh->names[mesh->rank]) ||
            !accept(&text, "=") || !take_integer(&text, &mesh->sizes[mesh->rank]))
            return false;
        mesh->rank++;
    } while (accept(&text, ","));
    return accept(&text, "]");
}

/* "data", or "data":(2)4: the part of 4 behind the first 2 of it. */
static bool take_axis(pod_span *text, const named_mesh *mesh, int32_t axis, sharding_pieces *pieces)
{
    pod_span name;
    int64_t stride = 1;
    int32_t at = mesh->rank - 1;
    if (!accept(text, "\"") || !take_until(text, '"', &name))
        return false;
    while (at >= 0 &&
           (name.length != mesh->names[at].length || memcmp(name.text, mesh->names[at].text, name.length) != 0))
        stride *= mesh->sizes[at--];
    if (at < 0)
        return false;
    int64_t before = 1, size = mesh->sizes[at];
    if (accept(text, ":(") && (!take_integer(text, &before) || !accept(text, ")") || !take_integer(text, &size)))
        return false;
    if (mesh->sizes[at] % (before * size) != 0)
        return false;
    return add_piece(pieces, axis, stride * (mesh->sizes[at] / (before * size)), size);
}

/* {"data", "model", ?} */
static bool take_axes(pod_span *text, const named_mesh *mesh, int32_t axis, sharding_pieces *pieces)
{
    int64_t priority;
    if (!accept(text, "{"))
        return false;
    if (!accept(text, "}")) {
        do {
            if (accept(text, "?"))
                pieces->open = true;
            else if (!take_axis(text, mesh, axis, pieces))
                return false;
        } while (accept(text, ","));
        if (!accept(text, "}"))
            return false;
    }
    return !accept(text, "p") || take_integer(text, &priority) || accept(text, "0");
}

/* @mesh, [{"data"}, {}] */
static bool read_named(const pod_syntax_module *syntax, pod_span text, sharding_pieces *pieces)
{
    named_mesh mesh;
    pod_span name, declared;
    int32_t axis = 0;
    if (accept(&text, "@")) {
        if (!take_until(&text, ',', &name) || !pod_exchange_syntax_find_alias(syntax, name, &declared) ||
            !read_mesh(declared, &mesh))
            return false;
    } else if (!accept(&text, "mesh") || !read_mesh(text, &mesh) || !take_until(&text, '>', &name) ||
               !accept(&text, ",")) {
        return false;
    }
    if (!accept(&text, "["))
        return false;
    if (accept(&text, "]"))
        return true;
    do {
        if (!take_axes(&text, &mesh, axis++, pieces))
            return false;
    } while (accept(&text, ","));
    return accept(&text, "]");
}

/* ---- shardings of the older partitioner ------------------------------------------------------ */

/* [4,1,2]<=[2,4]T(1,0) ..: what each axis is divided into, then the devices in the order in which they have parts. */
static bool read_tiles(pod_span text, int32_t rank, sharding_pieces *pieces)
{
    int64_t tiles[MOST_DIMS], sizes[MOST_DIMS] = {1}, strides[MOST_DIMS], order[MOST_DIMS], stride = 1;
    int32_t dims, count = 1, turned = 0;
    if (!accept(&text, "[") || !take_integers(&text, tiles, &dims) || dims < rank || !accept(&text, "<=["))
        return false;
    if (!take_integers(&text, sizes, &count))
        return false;
    for (int32_t i = count; i-- > 0; stride *= sizes[i]) {
        strides[i] = stride;
        order[i] = i;
    }
    if (accept(&text, "T(")) {
        pod_span digit;
        for (; turned < count && text.length > 0; turned++) {
            digit = (pod_span){text.text, 1};
            if (!pod_exchange_span_integer(digit, &order[turned]) || order[turned] >= count)
                return false;
            text = (pod_span){text.text + 1, text.length - 1};
            accept(&text, ",");
        }
    }
    int32_t at = 0;
    int64_t left = sizes[order[0]]; /* of the devices' axis that is being used up */
    for (int32_t axis = 0; axis < rank; axis++)
        for (int64_t tile = tiles[axis]; tile > 1;) {
            while (left == 1 && at + 1 < count)
                left = sizes[order[++at]];
            const int64_t part = tile < left ? tile : left;
            if (part < 2 || tile % part != 0 || left % part != 0)
                return false;
            left /= part;
            tile /= part;
            if (!add_piece(pieces, axis, strides[order[at]] * left, part))
                return false;
        }
    return true;
}

static bool read_sharding(const pod_syntax_module *syntax, pod_span text, int32_t rank, sharding_pieces *pieces)
{
    *pieces = (sharding_pieces){0};
    accept(&text, "#sdy.sharding");
    if (accept(&text, "<"))
        return read_named(syntax, text, pieces);
    if (accept(&text, "{devices="))
        return read_tiles(text, rank, pieces);
    return accept(&text, "{replicated}");
}

/* ---- where they stand ------------------------------------------------------------------------ */

pod_span pod_exchange_sharding_of(const pod_syntax_value *table)
{
    const pod_syntax_value *found = table ? pod_exchange_syntax_find(table, "mhlo.sharding") : NULL;
    if (table && !found)
        found = pod_exchange_syntax_find(table, "sdy.sharding");
    return found ? found->text : (pod_span){0};
}

pod_span pod_exchange_constraint_of(const pod_syntax_op *op)
{
    const pod_syntax_value *found = pod_exchange_syntax_find(&op->attributes, "sharding");
    if (!found)
        found = pod_exchange_syntax_find(&op->attributes, "");
    return found && found->kind == POD_VALUE_RAW ? found->text : pod_exchange_sharding_of(&op->attributes);
}

/* ---- the mesh -------------------------------------------------------------------------------- */

typedef struct mesh_search {
    pod_exchange_module *module;
    pod_syntax_module *syntax;
    int64_t cuts[2 * MOST_PIECES]; /* strides at which some sharding divides the order of devices, descending */
    int32_t count;
    bool any; /* sharding stands anywhere */
} mesh_search;

static void keep_reason(pod_exchange_module *module, const char *what, pod_span text)
{
    char reason[300];
    if (module->about.undivided)
        return;
    snprintf(reason, sizeof reason, "%.190s%.*s", what, (int)(text.length < 100 ? text.length : 100), text.text);
    const char *kept = pod_arena_string(&module->arena, reason);
    module->about.undivided = kept ? kept : what;
}

static void add_cut(mesh_search *search, int64_t stride)
{
    int32_t at = 0;
    while (at < search->count && search->cuts[at] > stride)
        at++;
    if ((at < search->count && search->cuts[at] == stride) || search->count == 2 * MOST_PIECES)
        return;
    memmove(search->cuts + at + 1, search->cuts + at, (size_t)(search->count - at) * sizeof *search->cuts);
    search->cuts[at] = stride;
    search->count++;
}

static void add_sharding(mesh_search *search, pod_span text, const pod_syntax_type *type)
{
    sharding_pieces pieces;
    if (text.length == 0)
        return;
    search->any = true;
    if (!read_sharding(search->syntax, text, type->shape.rank, &pieces)) {
        keep_reason(search->module, "a sharding that is not understood here: ", text);
        return;
    }
    for (int32_t i = 0; i < pieces.count; i++) {
        add_cut(search, pieces.list[i].stride);
        add_cut(search, pieces.list[i].stride * pieces.list[i].size);
    }
}

static void add_region(mesh_search *search, const pod_syntax_region *region)
{
    for (const pod_syntax_op *op = region->first; op; op = op->next) {
        const pod_passage passage = pod_exchange_passage_of(op);
        if (passage == POD_PASSAGE_NOTE && op->result_count > 0)
            add_sharding(search, pod_exchange_constraint_of(op), &search->syntax->values[op->first_result]);
        else if (passage != POD_PASSAGE_NONE)
            keep_reason(search->module, "a part of it is divided by hand: ", op->name);
        for (uint32_t i = 0; i < op->region_count; i++)
            add_region(search, &op->regions[i]);
    }
}

/* Takes the axes of the mesh from the places at which it is cut. */
static bool set_mesh(mesh_search *search)
{
    pod_mesh *mesh = &search->module->division.mesh;
    add_cut(search, 1);
    add_cut(search, search->module->about.partitions);
    for (int32_t i = 0; i + 1 < search->count; i++) {
        if (mesh->rank == POD_MESH_AXES || search->cuts[i] % search->cuts[i + 1] != 0)
            return false;
        search->module->strides[mesh->rank] = search->cuts[i + 1];
        mesh->sizes[mesh->rank++] = search->cuts[i] / search->cuts[i + 1];
    }
    return search->cuts[0] == search->module->about.partitions;
}

static pod_sharding sharding_on(const pod_exchange_module *module, const pod_syntax_module *syntax, pod_span text,
                                int32_t rank)
{
    sharding_pieces pieces;
    pod_sharding sharding = {0};
    memset(sharding.axes, -1, sizeof sharding.axes);
    sharding.given = text.length > 0 && read_sharding(syntax, text, rank, &pieces);
    if (!sharding.given)
        return sharding;
    sharding.open = pieces.open;
    for (int32_t m = 0; m < module->division.mesh.rank; m++)
        for (int32_t i = 0; i < pieces.count; i++) {
            const sharding_piece *piece = &pieces.list[i];
            if (module->strides[m] >= piece->stride && module->strides[m] < piece->stride * piece->size)
                sharding.axes[m] = (int8_t)piece->axis;
        }
    return sharding;
}

bool pod_exchange_find_mesh(pod_exchange_module *module, pod_syntax_module *syntax, const pod_syntax_function *function)
{
    mesh_search search = {.module = module, .syntax = syntax};
    const pod_syntax_region *body = &function->body;
    if (module->about.partitions < 2 || module->about.local)
        return true;
    for (uint32_t i = 0; i < body->argument_count && function->argument_attributes; i++)
        add_sharding(&search, pod_exchange_sharding_of(function->argument_attributes[i]),
                     &syntax->values[body->first_value + i]);
    for (uint32_t i = 0; i < function->result_count && function->result_attributes; i++)
        add_sharding(&search, pod_exchange_sharding_of(function->result_attributes[i]), &function->results[i]);
    for (const pod_syntax_function *at = syntax->functions; at; at = at->next)
        add_region(&search, &at->body);
    if (!module->about.undivided && !search.any)
        return true; /* what one device runs already, or nobody knows */
    if (!module->about.undivided && !set_mesh(&search))
        keep_reason(module, "its shardings are parts of no one mesh", (pod_span){"", 0});
    if (module->about.undivided)
        return true;
    pod_sharding *given = pod_arena_array(&module->arena, (size_t)body->argument_count + 1, sizeof *given);
    if (!given)
        return pod_exchange_syntax_no_memory(syntax);
    for (uint32_t i = 0; i < body->argument_count; i++)
        given[i] = sharding_on(
            module, syntax,
            pod_exchange_sharding_of(function->argument_attributes ? function->argument_attributes[i] : NULL),
            syntax->values[body->first_value + i].shape.rank);
    module->division.parameters = given;
    module->about.divided = true;
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

pod_node *pod_exchange_give_sharding(pod_translator *t, pod_graph *graph, pod_node *value, pod_span text)
{
    pod_exchange_module *module = t->module;
    const pod_type *type = pod_node_type(value);
    if (!module->about.divided || text.length == 0)
        return value;
    const uint32_t number = module->division.constraint_count;
    if (!pod_arena_grow(&module->arena, &module->constraints, &module->constraint_room, (size_t)number + 1,
                        (pod_growth){sizeof *module->constraints, .first = 16})) {
        pod_exchange_syntax_no_memory(t->syntax);
        return value;
    }
    module->constraints[number] = sharding_on(module, t->syntax, text, type->shape.rank);
    module->division.constraints = module->constraints;
    module->division.constraint_count++;
    const pod_value_type same = {type->dtype, (int32_t)pod_node_element(value, 0), type->shape};
    const pod_attributes attributes = {.name = pod_graph_intern(module->graph, POD_SHARDING_NODE),
                                       .count = 1,
                                       .data = &same,
                                       .seed = number,
                                       .flag = true};
    return pod_graph_result(graph, pod_graph_apply(graph, POD_OP_OPAQUE, &value, 1, &attributes, NULL, 0), 0);
}

void pod_exchange_set_part(pod_exchange_module *module, pod_graph *part, const char *undivided)
{
    if (!part) {
        module->about.divided = false;
        keep_reason(module, undivided, (pod_span){"", 0});
        return;
    }
    pod_graph_free(module->graph);
    module->graph = part;
    for (size_t i = 0; i < module->about.parameter_count; i++)
        module->parameters[i].shape = *pod_node_shape(pod_graph_get_parameter(part, i), 0);
    for (size_t i = 0; i < module->about.output_count; i++)
        module->outputs[i].shape = *pod_node_shape(pod_graph_get_output(part, i), 0);
}

const pod_division *pod_exchange_division(const pod_exchange_module *module)
{
    return module->about.divided ? &module->division : NULL;
}
