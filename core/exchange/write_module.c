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

static void write_parameters(pod_module_writer *w, const pod_graph *graph, uint32_t frame, bool outer)
{
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_node *node = graph->parameters[i];
        int64_t alias = outer ? alias_of(graph, i) : -1;
        pod_text_format(&w->text, "%s%%a%u_%u: ", i > 0 ? ", " : "", frame, i);
        pod_exchange_write_type(w, node, 0);
        if (alias >= 0)
            pod_text_format(&w->text, " {tf.aliasing_output = %lld : i32}", (long long)alias);
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
    pod_exchange_write_types(w, graph->outputs, graph->output_count);
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
    pod_text_append(&w->text, " attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 "
                              ": i32} {\n");
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

pod_status pod_exchange_write(const pod_graph *graph, char **text, pod_error *error)
{
    pod_module_writer w = {.context = graph->context, .write_node = pod_exchange_write_node};
    *text = NULL;
    const pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_text_init(&w.text, graph->context);
    write_functions(&w, graph);
    pod_free(graph->context, w.functions);
    *text = pod_text_take(&w.text);
    return *text ? POD_OK : pod_error_memory(error, "a module as text", 0);
}
