/* Modules, functions and what all ops have: values, types, marks, places. */

#include "base/growth.h"
#include "exchange/write.h"
#include <stdio.h>
#include <string.h>
#include "base/context.h"
#include "base/error.h"
#include "moonpod/exchange.h"

static int64_t alias_of(const pod_graph *graph, uint32_t parameter)
{
    for (uint32_t i = 0; i < graph->output_count; i++) {
        if (graph->aliases[i] == (int64_t)parameter)
            return i;
    }
    return -1;
}

/* " {mhlo.sharding = "{devices=[8,1]<=[8]}"" and what follows: of a value that is cut along an axis, or is whole. */
static void write_sharding(pod_module_writer *w, const pod_node *node, int32_t axis, const char *behind)
{
    pod_text_append(&w->text, " {mhlo.sharding = \"{");
    if (axis >= 0) {
        for (int32_t i = 0; i < node->results[0].shape.rank; i++)
            pod_text_format(&w->text, "%s%d", i > 0 ? "," : "devices=[", i == axis ? w->target->devices : 1);
        pod_text_format(&w->text, "]<=[%d]", w->target->devices);
    } else {
        pod_text_append(&w->text, "replicated");
    }
    pod_text_format(&w->text, "}\"%s", behind);
}

/* The types of the results; of the module's own, how devices have them. */
static void write_results(pod_module_writer *w, const pod_graph *graph, bool outer)
{
    if (!outer || !w->target || w->target->devices == 1) {
        pod_exchange_write_types(w, graph->outputs, graph->output_count);
        return;
    }
    for (uint32_t i = 0; i < graph->output_count; i++) {
        pod_text_append(&w->text, i > 0 ? ", " : "");
        pod_exchange_write_type(w, graph->outputs[i], 0);
        const int64_t alias = graph->aliases[i];
        write_sharding(w, graph->outputs[i], alias >= 0 && w->target->cut ? w->target->cut[alias] : -1, "}");
    }
}

static void write_parameters(pod_module_writer *w, const pod_graph *graph, uint32_t frame, bool outer)
{
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_node *node = graph->parameters[i];
        int64_t alias = outer ? alias_of(graph, i) : -1;
        pod_text_format(&w->text, "%s%%a%u_%u: ", i > 0 ? ", " : "", frame, i);
        pod_exchange_write_type(w, node, 0);
        const bool is_divided = outer && w->target && w->target->devices > 1;
        if (is_divided)
            write_sharding(w, node, w->target->cut ? w->target->cut[i] : -1, alias >= 0 ? ", " : "}");
        if (alias >= 0)
            pod_text_format(&w->text, "%stf.aliasing_output = %lld : i32}", is_divided ? "" : " {", (long long)alias);
        if (outer && node->attributes->name) {
            pod_text_append(&w->text, " loc(");
            pod_exchange_write_quoted(w, node->attributes->name);
            pod_text_append(&w->text, ")");
        }
    }
}

static void write_body(pod_module_writer *w, const pod_graph *graph, const char *head, bool outer)
{
    pod_frame frame = {.graph = graph, .number = w->frames++};
    pod_text_format(&w->text, "func.func %s(", head);
    write_parameters(w, graph, frame.number, outer);
    pod_text_append(&w->text, ") -> (");
    write_results(w, graph, outer);
    pod_text_append(&w->text, ") {\n");
    pod_exchange_write_region(w, &frame, "func.return");
    pod_text_append(&w->text, "}\n");
}

/* What with_rows is to whoever knows no rows: its first operand. */
static void write_first_operand(pod_module_writer *w, const pod_node *node, const char *head)
{
    char types[3][POD_EXCHANGE_TYPE_SIZE];
    const pod_node *const nodes[] = {node->inputs[0], node->inputs[1], node};
    for (int i = 0; i < 3; i++)
        pod_exchange_type_text((int32_t)pod_node_element(nodes[i], 0), &nodes[i]->results[0].shape, types[i]);
    pod_text_format(&w->text, "func.func %s(%%x: %s, %%like: %s) -> (%s) {\n\"func.return\"(%%x) : (%s) -> ()\n}\n",
                    head, types[0], types[1], types[2], types[2]);
}

static void write_functions(pod_module_writer *w, const pod_graph *graph)
{
    char head[48];
    pod_text_append(&w->text, "module @");
    pod_exchange_write_quoted(w, graph->name);
    pod_text_format(&w->text, " attributes {mhlo.num_partitions = %d : i32, mhlo.num_replicas = 1 : i32} {\n",
                    w->target ? w->target->devices : 1);
    write_body(w, graph, "public @main", true);
    for (uint32_t i = 0; i < w->function_count; i++) {
        const pod_node *node = w->functions[i];
        snprintf(head, sizeof head, "private @f%u", i);
        if (node->op == POD_OP_WITH_ROWS)
            write_first_operand(w, node, head);
        else
            write_body(w, node->regions[0], head, false);
    }
    pod_text_append(&w->text, "}\n");
}

static pod_status refuse(const pod_node *node, pod_error *error)
{
    const char *name =
        node->op == POD_OP_OPAQUE && node->attributes->name ? node->attributes->name : pod_op_name(node->op);
    return pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s%sop '%s' is not done on devices: StableHLO has none like it",
                         node->location ? node->location : "", node->location ? ": " : "", name);
}

pod_status pod_exchange_write_for(const pod_graph *graph, const pod_exchange_target *target, char **text,
                                  pod_error *error)
{
    pod_module_writer w = {.context = graph->context, .write_node = pod_exchange_write_node, .target = target};
    *text = NULL;
    const pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_text_init(&w.text, graph->context);
    write_functions(&w, graph);
    pod_free(graph->context, w.functions);
    if (target && w.refused) {
        pod_text_clear(&w.text);
        return refuse(w.refused, error);
    }
    *text = pod_text_take(&w.text);
    return *text ? POD_OK : pod_error_memory(error, "a module as text", 0);
}

pod_status pod_exchange_write(const pod_graph *graph, char **text, pod_error *error)
{
    return pod_exchange_write_for(graph, NULL, text, error);
}
