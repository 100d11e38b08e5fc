/* event_graph - graphs and hyperparameters in event files. */

#include "formats/event_file.h"

#include <string.h>

/*
 * GraphDef { 1: Node { 1: name, 2: op, 3: input, 5: entry { 1: key, 2: value } }, 4: { 1: producer } }
 * value of "_output_shapes" { 1: list { 7: shape } }
 */

/* The first version of GraphDef that current TensorFlow reads without a change. */
#define PRODUCER 22

static void put_node(pod_text *text, const pod_event_node *node)
{
    const size_t opened = pod_format_open_message(text, 1);
    pod_format_put_text(text, 1, node->name);
    pod_format_put_text(text, 2, node->op);
    for (size_t i = 0; i < node->input_count; i++)
        pod_format_put_text(text, 3, node->inputs[i]);
    if (node->shape != NULL) {
        const size_t entry = pod_format_open_message(text, 5);
        pod_format_put_text(text, 1, "_output_shapes");
        const size_t value = pod_format_open_message(text, 2), list = pod_format_open_message(text, 1);
        pod_format_event_shape(text, 7, node->shape);
        pod_format_close_message(text, list);
        pod_format_close_message(text, value);
        pod_format_close_message(text, entry);
    }
    pod_format_close_message(text, opened);
}

static pod_status check_node(const pod_event_node *node, pod_error *error)
{
    pod_status status = pod_format_event_check_text("the name of a node", node->name, strlen(node->name), error);
    if (status == POD_OK)
        status = pod_format_event_check_text("the op of a node", node->op, strlen(node->op), error);
    for (size_t i = 0; status == POD_OK && i < node->input_count; i++)
        status = pod_format_event_check_text("the input of a node", node->inputs[i], strlen(node->inputs[i]), error);
    return status;
}

pod_status pod_event_graph(pod_event_writer *writer, size_t count, const pod_event_node *nodes, pod_error *error)
{
    pod_event_draft draft;
    for (size_t i = 0; i < count; i++) {
        const pod_status status = check_node(&nodes[i], error);
        if (status != POD_OK)
            return status;
    }
    pod_format_event_begin_bare(writer, 0, &draft);
    const size_t graph = pod_format_open_message(draft.text, 4);
    for (size_t i = 0; i < count; i++)
        put_node(draft.text, &nodes[i]);
    const size_t versions = pod_format_open_message(draft.text, 4);
    pod_format_put_integer(draft.text, 1, PRODUCER);
    pod_format_close_message(draft.text, versions);
    pod_format_close_message(draft.text, graph);
    return pod_format_event_end(&draft, error);
}

/* ---- hyperparameters ----
 *
 * HParamsPluginData { 2: Experiment | 3: SessionStartInfo | 4: SessionEndInfo }
 * Experiment { 3: created, 4: { 1: name, 4: type }, 5: metric { 1: { 1: group, 2: tag } } }
 * SessionStartInfo { 1: entry { 1: name, 2: Value { 2: number | 3: text | 4: bool } }, 4: group, 5: started }
 * SessionEndInfo { 1: status, 2: ended }
 */

enum { STATUS_SUCCESS = 1, STATUS_FAILURE = 2 };
enum { EXPERIMENT = 2, SESSION_START = 3, SESSION_END = 4 };

/* Writes an event whose plugin has the content, and whose tensor says nothing. Takes the content's memory. */
static pod_status write_content(pod_event_writer *writer, const char *tag, pod_text *content, pod_error *error)
{
    pod_event_draft draft;
    const pod_shape nothing = {1, {0}};
    pod_status status = POD_OK;
    if (content->failed)
        status = pod_error_memory(error, "hyperparameters", content->length);
    if (status == POD_OK)
        status = pod_format_event_begin(writer, 0, tag, "hparams", (pod_bytes){content->data, content->length}, &draft,
                                        error);
    pod_text_clear(content);
    if (status != POD_OK)
        return status;
    pod_format_event_tensor_type(draft.text, POD_TF_FLOAT, &nothing);
    return pod_format_event_end(&draft, error);
}

/* Numbers of DataType are those of the kinds: texts 1, bools 2, numbers 3. */
static int type_of(pod_hparam_kind kind)
{
    return kind == POD_HPARAM_TEXT ? 1 : kind == POD_HPARAM_BOOL ? 2 : 3;
}

static pod_status write_experiment(pod_event_writer *writer, size_t count, const pod_hparam *values,
                                   size_t metric_count, const char *const *metrics, pod_error *error)
{
    pod_text text;
    pod_text_init(&text, pod_format_event_context(writer));
    const size_t experiment = pod_format_open_message(&text, EXPERIMENT);
    pod_format_put_double(&text, 3, pod_format_event_now());
    for (size_t i = 0; i < count; i++) {
        const size_t info = pod_format_open_message(&text, 4);
        pod_format_put_text(&text, 1, values[i].name);
        pod_format_put_integer(&text, 4, type_of(values[i].kind));
        pod_format_close_message(&text, info);
    }
    for (size_t i = 0; i < metric_count; i++) {
        const size_t info = pod_format_open_message(&text, 5), name = pod_format_open_message(&text, 1);
        pod_format_put_text(&text, 2, metrics[i]);
        pod_format_close_message(&text, name);
        pod_format_close_message(&text, info);
    }
    pod_format_close_message(&text, experiment);
    return write_content(writer, "_hparams_/experiment", &text, error);
}

static void put_value(pod_text *text, const pod_hparam *value)
{
    const size_t entry = pod_format_open_message(text, 1);
    pod_format_put_text(text, 1, value->name);
    const size_t opened = pod_format_open_message(text, 2);
    if (value->kind == POD_HPARAM_TEXT)
        pod_format_put_text(text, 3, value->text);
    else if (value->kind == POD_HPARAM_BOOL)
        pod_format_put_integer(text, 4, value->number != 0);
    else
        pod_format_put_double(text, 2, value->number);
    pod_format_close_message(text, opened);
    pod_format_close_message(text, entry);
}

static pod_status check_hparams(size_t count, const pod_hparam *values, size_t metric_count, const char *const *metrics,
                                const char *group, pod_error *error)
{
    pod_status status = pod_format_event_check_text("the group of a run", group, strlen(group), error);
    for (size_t i = 0; status == POD_OK && i < count; i++) {
        const char *text = values[i].kind == POD_HPARAM_TEXT ? values[i].text : "";
        status =
            pod_format_event_check_text("the name of a hyperparameter", values[i].name, strlen(values[i].name), error);
        if (status == POD_OK)
            status = pod_format_event_check_text("a hyperparameter", text, strlen(text), error);
    }
    for (size_t i = 0; status == POD_OK && i < metric_count; i++)
        status = pod_format_event_check_text("the tag of a metric", metrics[i], strlen(metrics[i]), error);
    return status;
}

pod_status pod_event_hparams(pod_event_writer *writer, size_t count, const pod_hparam *values, size_t metric_count,
                             const char *const *metrics, const char *group, pod_error *error)
{
    pod_text text;
    group = group != NULL ? group : "";
    pod_status status = check_hparams(count, values, metric_count, metrics, group, error);
    if (status == POD_OK)
        status = write_experiment(writer, count, values, metric_count, metrics, error);
    if (status != POD_OK)
        return status;
    pod_text_init(&text, pod_format_event_context(writer));
    const size_t start = pod_format_open_message(&text, SESSION_START);
    for (size_t i = 0; i < count; i++)
        put_value(&text, &values[i]);
    pod_format_put_text(&text, 4, group);
    pod_format_put_double(&text, 5, pod_format_event_now());
    pod_format_close_message(&text, start);
    return write_content(writer, "_hparams_/session_start_info", &text, error);
}

pod_status pod_event_hparams_end(pod_event_writer *writer, bool succeeded, pod_error *error)
{
    pod_text text;
    pod_text_init(&text, pod_format_event_context(writer));
    const size_t end = pod_format_open_message(&text, SESSION_END);
    pod_format_put_integer(&text, 1, succeeded ? STATUS_SUCCESS : STATUS_FAILURE);
    pod_format_put_double(&text, 2, pod_format_event_now());
    pod_format_close_message(&text, end);
    return write_content(writer, "_hparams_/session_end_info", &text, error);
}
