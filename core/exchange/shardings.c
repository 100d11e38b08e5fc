/* shardings - see shardings.h. */

#include "exchange/shardings.h"

#include <stdio.h>
#include <string.h>

#include "base/growth.h"

/* ---- the mesh -------------------------------------------------------------------------------- */

typedef struct mesh_search {
    pod_exchange_module *module;
    pod_syntax_module *syntax;
    int64_t cuts[2 * POD_SHARDING_PIECES]; /* strides at which some sharding divides the order of devices, descending */
    int32_t count;
    bool any; /* sharding stands anywhere */
    int64_t devices;
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
    if ((at < search->count && search->cuts[at] == stride) || search->count == 2 * POD_SHARDING_PIECES)
        return;
    memmove(search->cuts + at + 1, search->cuts + at, (size_t)(search->count - at) * sizeof *search->cuts);
    search->cuts[at] = stride;
    search->count++;
}

static void add_pieces(mesh_search *search, const pod_sharding_pieces *pieces)
{
    for (int32_t i = 0; i < pieces->count; i++) {
        add_cut(search, pieces->list[i].stride);
        add_cut(search, pieces->list[i].stride * pieces->list[i].size);
    }
}

static void add_sharding(mesh_search *search, pod_span text, const pod_syntax_type *type)
{
    pod_sharding_pieces pieces;
    if (text.length == 0)
        return;
    search->any = true;
    if (!pod_exchange_read_sharding(search->syntax, text, type->shape.rank, &pieces)) {
        keep_reason(search->module, "a sharding that is not understood here: ", text);
        return;
    }
    add_pieces(search, &pieces);
    search->devices = pieces.devices > search->devices ? pieces.devices : search->devices;
}

/* A part that is divided by hand. */
static void add_manual(mesh_search *search, const pod_syntax_op *op)
{
    pod_sharding_pieces pieces;
    if (!pod_exchange_read_manual_axes(search->syntax, op, &pieces)) {
        keep_reason(search->module, "a part of it is divided by hand in a form that is not read: ", op->name);
        return;
    }
    add_pieces(search, &pieces);
    const pod_syntax_value *in = pod_exchange_shardings_of(op, "in_shardings", op->operand_count)->first;
    const pod_syntax_value *out = pod_exchange_shardings_of(op, "out_shardings", op->result_count)->first;
    for (uint32_t i = 0; i < op->operand_count; i++, in = in->next)
        add_sharding(search, in->text, &search->syntax->values[op->operands[i]]);
    for (uint32_t i = 0; i < op->result_count; i++, out = out->next)
        add_sharding(search, out->text, &search->syntax->values[op->first_result + i]);
}

static void add_region(mesh_search *search, const pod_syntax_region *region)
{
    for (const pod_syntax_op *op = region->first; op; op = op->next) {
        const pod_passage passage = pod_exchange_passage_of(op);
        if (passage == POD_PASSAGE_NOTE && op->result_count > 0)
            add_sharding(search, pod_exchange_constraint_of(op), &search->syntax->values[op->first_result]);
        else if (passage == POD_PASSAGE_BODY)
            add_manual(search, op);
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

static pod_sharding lay_on_mesh(const pod_exchange_module *module, const pod_sharding_pieces *pieces)
{
    pod_sharding sharding = {.given = true, .open = pieces->open ? UINT32_MAX : 0};
    memset(sharding.axes, -1, sizeof sharding.axes);
    for (int32_t m = 0; m < module->division.mesh.rank; m++)
        for (int32_t i = 0; i < pieces->count; i++) {
            const pod_sharding_piece *piece = &pieces->list[i];
            if (module->strides[m] >= piece->stride && module->strides[m] < piece->stride * piece->size)
                sharding.axes[m] = (int8_t)piece->axis;
        }
    return sharding;
}

static pod_sharding sharding_on(const pod_exchange_module *module, const pod_syntax_module *syntax, pod_span text,
                                int32_t rank)
{
    pod_sharding_pieces pieces;
    const bool given = text.length > 0 && pod_exchange_read_sharding(syntax, text, rank, &pieces);
    return given ? lay_on_mesh(module, &pieces) : (pod_sharding){0};
}

bool pod_exchange_find_mesh(pod_exchange_module *module, pod_syntax_module *syntax, const pod_syntax_function *function)
{
    mesh_search search = {.module = module, .syntax = syntax};
    const pod_syntax_region *body = &function->body;
    if (module->about.local)
        return true;
    for (uint32_t i = 0; i < body->argument_count && function->argument_attributes; i++)
        add_sharding(&search, pod_exchange_sharding_of(function->argument_attributes[i]),
                     &syntax->values[body->first_value + i]);
    for (uint32_t i = 0; i < function->result_count && function->result_attributes; i++)
        add_sharding(&search, pod_exchange_sharding_of(function->result_attributes[i]), &function->results[i]);
    for (const pod_syntax_function *at = syntax->functions; at; at = at->next)
        add_region(&search, &at->body);
    if (module->about.partitions < 2 && search.devices > 1)
        module->about.partitions = search.devices; /* torch_xla does not say it */
    if (module->about.partitions < 2) {
        module->about.undivided = NULL;
        return true;
    }
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

/* Keeps a sharding of which axes of the mesh (bits) are as the text says; returns its number. */
static uint32_t keep_sharding(pod_translator *t, pod_span text, int32_t rank, uint32_t closed)
{
    pod_exchange_module *module = t->module;
    const uint32_t number = module->division.constraint_count;
    if (!pod_arena_grow(&module->arena, &module->constraints, &module->constraint_room, (size_t)number + 1,
                        (pod_growth){sizeof *module->constraints, .first = 16})) {
        pod_exchange_syntax_no_memory(t->syntax);
        return number;
    }
    module->constraints[number] = sharding_on(module, t->syntax, text, rank);
    module->constraints[number].open |= ~closed;
    module->division.constraints = module->constraints;
    return module->division.constraint_count++;
}

static pod_node *make_node(pod_translator *t, pod_graph *graph, pod_node *value, const char *name,
                           const pod_value_type *type, uint32_t number, uint32_t manual)
{
    const pod_attributes attributes = {.name = pod_graph_intern(t->module->graph, name),
                                       .count = 1,
                                       .data = type,
                                       .seed = number,
                                       .flag = manual == 0,
                                       .axis = (int32_t)manual};
    return pod_graph_result(graph, pod_graph_apply(graph, POD_OP_OPAQUE, &value, 1, &attributes, NULL, 0), 0);
}

static pod_value_type type_of(const pod_node *value)
{
    const pod_type *type = pod_node_type(value);
    return (pod_value_type){type->dtype, (int32_t)pod_node_element(value, 0), type->shape};
}

static pod_node *give_sharding(pod_translator *t, pod_graph *graph, pod_node *value, pod_span text, uint32_t closed)
{
    const pod_value_type type = type_of(value);
    return make_node(t, graph, value, POD_SHARDING_NODE, &type, keep_sharding(t, text, type.shape.rank, closed), 0);
}

pod_node *pod_exchange_give_sharding(pod_translator *t, pod_graph *graph, pod_node *value, pod_span text)
{
    return t->module->about.divided && text.length > 0 ? give_sharding(t, graph, value, text, UINT32_MAX) : value;
}

static uint32_t manual_axes(const pod_translator *t, const pod_syntax_op *op)
{
    pod_sharding_pieces pieces;
    uint32_t axes = 0;
    if (!pod_exchange_read_manual_axes(t->syntax, op, &pieces))
        return 0;
    const pod_sharding manual = lay_on_mesh(t->module, &pieces);
    for (int32_t m = 0; m < t->module->division.mesh.rank; m++)
        axes |= manual.axes[m] >= 0 ? 1u << m : 0;
    return axes;
}

void pod_exchange_pass_by_hand(pod_call *call, pod_node **values, const pod_syntax_type *types, uint32_t count,
                               bool out)
{
    pod_translator *t = call->translator;
    const uint32_t axes = manual_axes(t, call->op);
    if (axes == 0) /* a mesh of one device */
        return;
    const pod_syntax_value *one =
        pod_exchange_shardings_of(call->op, out ? "out_shardings" : "in_shardings", count)->first;
    for (uint32_t i = 0; i < count; i++, one = one->next) {
        const pod_value_type to = {types[i].dtype, (int32_t)types[i].element, types[i].shape};
        if (out)
            values[i] = make_node(t, call->graph, values[i], POD_LEAVE_NODE, &to,
                                  keep_sharding(t, one->text, to.shape.rank, axes), axes);
        else
            values[i] = make_node(t, call->graph, give_sharding(t, call->graph, values[i], one->text, axes),
                                  POD_ENTER_NODE, &to, 0, axes);
    }
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
