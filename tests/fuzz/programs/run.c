/* run - programs in all ways: plain kernels without fusion, each family of kernels, eagerly node by node, on one thread
 * and on three, and written as StableHLO and read again. */

#include "programs.h"

#include <stdlib.h>
#include <string.h>

#include "program/compiled.h"
#include "evaluate.h"
#include "moonpod/exchange.h"
#include "moonpod/program.h"

void machine_open(machine *m)
{
    static const char *const families[] = {"portable", "neon", "neonbf16", "avx2", "avx512", "avx512bf16", "amx"};
    pod_error error;
    m->families = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        pod_context **one = &m->one[m->families], **three = &m->three[m->families];
        if (pod_context_new(&(pod_context_options){.isa = families[i], .threads = 1}, one, &error) != POD_OK)
            continue;
        if (pod_context_new(&(pod_context_options){.isa = families[i], .threads = 3, .short_run_nanoseconds = -1},
                            three, &error) != POD_OK)
            abort();
        m->families++;
    }
}

void machine_close(machine *m)
{
    for (int i = 0; i < m->families; i++) {
        pod_context_release(m->one[i]);
        pod_context_release(m->three[i]);
    }
}

/* ---- one run -------------------------------------------------------------------------------------------- */

static pod_array taken(pod_buffer *buffer)
{
    pod_error error;
    if (pod_buffer_settle(buffer, &error) != POD_OK) /* a device has it */
        abort();
    pod_array made = array_new(pod_buffer_dtype(buffer), pod_buffer_shape(buffer));
    if (pod_buffer_bytes(buffer))
        memcpy(made.data, pod_buffer_data(buffer), pod_buffer_bytes(buffer));
    return made;
}

static pod_buffer *given(pod_context *context, const pod_array *array)
{
    pod_buffer *made;
    pod_error error;
    if (pod_buffer_new(context, array->dtype, &array->shape, &made, &error) != POD_OK)
        abort();
    if (pod_buffer_bytes(made))
        memcpy(pod_buffer_data(made), array->data, pod_buffer_bytes(made));
    return made;
}

static void fail(outcome *o, pod_status status, const pod_error *error)
{
    o->status = status;
    snprintf(o->message, sizeof o->message, "%s", error->message);
}

static void count_print(void *context, const char *label, const pod_buffer *value)
{
    (void)label;
    (void)value;
    ++*(long *)context;
}

void program_run_compiled(pod_context *context, pod_program *compiled, const program *p, outcome *o)
{
    pod_buffer *arguments[MOST_PARAMETERS], *results[MOST_OUTPUTS] = {NULL};
    pod_error error = {0};
    const pod_graph *g = p->graph;
    *o = (outcome){.output_count = g->output_count, .parameter_count = g->parameter_count};
    for (uint32_t i = 0; i < g->parameter_count; i++)
        arguments[i] = given(context, &p->arguments[i]);
    const pod_run_options options = {.steps = p->steps, .print = count_print, .print_context = &o->prints};
    const pod_status status = pod_program_run(compiled, arguments, results, &options, NULL, &error);
    if (status != POD_OK)
        fail(o, status, &error);
    for (uint32_t i = 0; i < g->output_count; i++) {
        if (results[i])
            o->outputs[i] = taken(results[i]);
        pod_buffer_release(results[i]);
    }
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        o->arguments[i] = taken(arguments[i]);
        pod_buffer_release(arguments[i]);
    }
}

static pod_program *compile(pod_context *context, const pod_graph *graph, bool no_fusion, outcome *o)
{
    pod_program *made = NULL;
    pod_error error = {0};
    const pod_status status =
        pod_program_compile(context, graph, &(pod_compile_options){.no_fusion = no_fusion}, &made, &error);
    if (status != POD_OK) {
        *o = (outcome){0};
        fail(o, status, &error);
    }
    return made;
}

/* ---- eagerly ---------------------------------------------------------------------------------------------- */

/* A program of one node, with its operands as parameters. */
static pod_status run_node(pod_context *context, const pod_node *node, const pod_array *inputs, pod_array *results,
                           pod_error *error)
{
    pod_graph *g;
    program one = {.steps = 1};
    pod_node *operands[POD_MAX_RANK + 64];
    if (pod_graph_new(context, "node", &g, error) != POD_OK || node->input_count > MOST_PARAMETERS)
        abort();
    for (uint32_t i = 0; i < node->input_count; i++) {
        operands[i] = pod_graph_parameter(g, inputs[i].dtype, &inputs[i].shape, "p");
        one.arguments[i] = inputs[i];
    }
    pod_node *made = pod_graph_copy_node(g, node, operands);
    for (uint32_t i = 0; i < node->result_count; i++)
        pod_graph_add_output(g, pod_graph_result(g, made, i));
    one.graph = g;
    outcome o;
    pod_status status = pod_graph_check(g, error);
    pod_program *compiled = status == POD_OK ? compile(context, g, false, &o) : NULL;
    if (compiled) {
        program_run_compiled(context, compiled, &one, &o);
        for (uint32_t i = 0; i < node->result_count && o.status == POD_OK; i++) {
            evaluate_free(&results[i], 1);
            results[i] = o.outputs[i];
            o.outputs[i].data = NULL;
        }
        outcome_free(&o);
    }
    status = status == POD_OK ? o.status : status;
    if (status != POD_OK)
        pod_error_set(error, status, "%s", o.message);
    pod_program_free(compiled);
    pod_graph_free(g);
    return status;
}

/* All nodes, one program each. */
static pod_status run_nodes(pod_context *context, const pod_graph *g, const pod_array *parameters, pod_array *outputs,
                            pod_error *error)
{
    uint32_t total = 0, *firsts = calloc(g->node_count + 1, sizeof *firsts);
    for (uint32_t i = 0; i < g->node_count; total += g->nodes[i++]->result_count)
        firsts[i] = total;
    pod_array *values = calloc(total + 1, sizeof *values);
    pod_status status = POD_OK;
    for (uint32_t i = 0; i < g->node_count && status == POD_OK; i++) {
        const pod_node *node = g->nodes[i];
        pod_array *results = values + firsts[i], inputs[POD_MAX_RANK + 64];
        if (node->op == POD_OP_PARAMETER || node->op == POD_OP_RESULT) {
            status = evaluate_into(node, parameters, firsts, values, error);
            continue;
        }
        for (uint32_t j = 0; j < node->input_count; j++)
            inputs[j] = values[firsts[node->inputs[j]->id]];
        status = run_node(context, node, inputs, results, error);
    }
    for (uint32_t i = 0; i < g->output_count && status == POD_OK; i++)
        outputs[i] = evaluate_copy(&values[firsts[g->outputs[i]->id]]);
    evaluate_free(values, total);
    free(values);
    free(firsts);
    return status;
}

static void run_eagerly(pod_context *context, const program *p, outcome *o)
{
    const pod_graph *g = p->graph;
    pod_error error = {0};
    *o = (outcome){.output_count = g->output_count, .parameter_count = g->parameter_count};
    for (uint32_t i = 0; i < g->parameter_count; i++)
        o->arguments[i] = evaluate_copy(&p->arguments[i]);
    for (int64_t step = 0; step < p->steps && o->status == POD_OK; step++) {
        evaluate_free(o->outputs, o->output_count);
        const pod_status status = run_nodes(context, g, o->arguments, o->outputs, &error);
        if (status != POD_OK)
            fail(o, status, &error);
        for (uint32_t i = 0; i < g->output_count && status == POD_OK; i++)
            if (g->aliases[i] >= 0)
                memcpy(o->arguments[g->aliases[i]].data, o->outputs[i].data,
                       (size_t)pod_shape_elements(&o->outputs[i].shape) * pod_dtype_size(o->outputs[i].dtype));
    }
}

/* ---- as StableHLO ------------------------------------------------------------------------------------------ */

/* The graph that is read from what is written of a program; NULL, with why (NULL: it cannot be written). */
static pod_graph *reread(pod_context *context, const program *p, const char **why)
{
    static char message[POD_ERROR_MESSAGE_SIZE];
    pod_error error;
    char *text;
    pod_exchange_module *module;
    *why = NULL;
    const pod_status status = pod_exchange_write(p->graph, &text, &error);
    if (status != POD_OK) {
        *why = status == POD_ERROR_UNSUPPORTED ? NULL : message;
        snprintf(message, sizeof message, "%s", error.message);
        return NULL;
    }
    pod_graph *made = NULL;
    *why = message;
    if (pod_exchange_read(context, text, strlen(text), "program.mlir", &module, &error) != POD_OK) {
        snprintf(message, sizeof message, "%s", error.message);
    } else {
        if (pod_exchange_describe(module).unknown_count > 0)
            snprintf(message, sizeof message, "%s: %s", pod_exchange_unknown_op(module, 0).name,
                     pod_exchange_unknown_op(module, 0).reason);
        else
            made = pod_exchange_take_graph(module);
        pod_exchange_free(module);
    }
    pod_text_free(context, text);
    return made;
}

/* ---- all ways ----------------------------------------------------------------------------------------------- */

static char report[4 * POD_ERROR_MESSAGE_SIZE];

static const char *say(const char *family, const char *way, const char *what)
{
    char kept[3 * POD_ERROR_MESSAGE_SIZE];
    snprintf(kept, sizeof kept, "%s", what);
    snprintf(report, sizeof report, "%s, %s: %s", family, way, kept);
    return report;
}

const char *program_run_once(pod_context *context, const program *p, outcome *o)
{
    pod_program *compiled = compile(context, p->graph, false, o);
    if (!compiled)
        return o->message;
    program_run_compiled(context, compiled, p, o);
    pod_program_free(compiled);
    return NULL;
}

/* How many programs went each way. */
enum {
    WAY_PLAIN,
    WAY_FUSED,
    WAY_THREADS,
    WAY_EAGERLY,
    WAY_EXCHANGE,
    WAY_REPLICAS,
    WAY_SHARDS,
    WAY_DIVIDED,
    WAY_PADDING,
    WAYS
};
static long gone[WAYS], went_of;

void ways_print(FILE *to)
{
    static const char *const names[WAYS] = {"without fusion",     "fused",        "on three threads",
                                            "node by node",       "as StableHLO", "on replicas or mapped",
                                            "on uneven replicas", "divided",      "filled up"};
    for (int i = 0; i < WAYS; i++)
        fprintf(to, "# %s: %ld, %.1f a program\n", names[i], gone[i],
                (double)gone[i] / (double)(went_of ? went_of : 1));
}

/* Ways that take long take turns: each program goes `every` second, third ... of them, by its number. */
static bool has_turn(const program *p, uint64_t turn, uint64_t every)
{
    return (p->seed + turn) % every == 0;
}

static const char *check_threads(pod_context *context, const program *p, const outcome *fused)
{
    outcome other;
    pod_program *compiled = compile(context, p->graph, false, &other);
    if (!compiled)
        return say(pod_context_isa(context), "compiling for three threads", other.message);
    gone[WAY_THREADS]++;
    program_run_compiled(context, compiled, p, &other);
    const char *wrong = same_bits(fused, &other);
    wrong = wrong ? say(pod_context_isa(context), "on three threads", wrong) : NULL;
    outcome_free(&other);
    pod_program_free(compiled);
    return wrong;
}

static const char *check_eagerly(pod_context *context, const program *p, outcome *expected)
{
    outcome other;
    gone[WAY_EAGERLY]++;
    run_eagerly(context, p, &other);
    const char *wrong = oracle_compare(p, expected, &other);
    wrong = wrong ? say(pod_context_isa(context), "eagerly", wrong) : NULL;
    outcome_free(&other);
    return wrong;
}

/* The program as it comes back from StableHLO. */
static const char *check_exchange(pod_context *context, const program *p, outcome *expected)
{
    outcome other;
    const char *wrong;
    program read = *p;
    read.graph = reread(context, p, &wrong);
    if (!read.graph)
        return wrong ? say(pod_context_isa(context), "written and read", wrong) : NULL;
    gone[WAY_EXCHANGE]++;
    pod_program *compiled = compile(context, read.graph, false, &other);
    if (compiled)
        program_run_compiled(context, compiled, &read, &other);
    wrong = compiled ? oracle_compare(p, expected, &other) : other.message;
    wrong = wrong ? say(pod_context_isa(context), "written and read", wrong) : NULL;
    if (compiled)
        outcome_free(&other);
    pod_program_free(compiled);
    pod_graph_free(read.graph);
    return wrong;
}

/* Whether a program prints within a branch or a loop, which rounding may decide otherwise. */
static bool prints_within(const pod_graph *g, bool inside)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_node *node = g->nodes[i];
        if (inside && node->op == POD_OP_PRINT)
            return true;
        for (uint32_t j = 0; j < node->region_count; j++)
            if (prints_within(node->regions[j], inside || node->op == POD_OP_COND || node->op == POD_OP_WHILE))
                return true;
    }
    return false;
}

/* Compares the results of a compiled program, and how often it printed. */
static const char *compare_run(const program *p, outcome *expected, const outcome *got)
{
    static char text[64];
    const char *wrong = oracle_compare(p, expected, got);
    if (wrong || expected->status != POD_OK || got->prints == expected->prints || prints_within(p->graph, false))
        return wrong;
    snprintf(text, sizeof text, "%ld values are printed, expected %ld", got->prints, expected->prints);
    return text;
}

/* One family: fused on one thread and on three, and eagerly. */
static const char *check_family(machine *m, int family, const program *p, outcome *expected)
{
    pod_context *one = m->one[family];
    outcome fused;
    pod_program *compiled = compile(one, p->graph, false, &fused);
    if (!compiled)
        return say(pod_context_isa(one), "compiling", fused.message);
    gone[WAY_FUSED]++;
    program_run_compiled(one, compiled, p, &fused);
    const char *wrong = compare_run(p, expected, &fused);
    wrong = wrong ? say(pod_context_isa(one), "fused", wrong) : NULL;
    if (!wrong && has_turn(p, (uint64_t)family + 1, 2))
        wrong = check_threads(m->three[family], p, &fused);
    pod_program_free(compiled);
    outcome_free(&fused);
    if (!wrong && has_turn(p, (uint64_t)family, 4))
        wrong = check_eagerly(one, p, expected);
    if (!wrong && has_turn(p, (uint64_t)family + 1, 4))
        wrong = check_exchange(one, p, expected);
    if (!wrong && has_turn(p, (uint64_t)family + 2, 4))
        wrong = replicas_check(one, p, &gone[WAY_REPLICAS]);
    if (!wrong && has_turn(p, (uint64_t)family + 3, 4))
        wrong = shards_check(one, p, &gone[WAY_SHARDS]);
    if (!wrong && has_turn(p, (uint64_t)family + 1, 4))
        wrong = divided_check(one, p, &gone[WAY_DIVIDED]);
    if (!wrong && has_turn(p, (uint64_t)family, 4))
        wrong = padding_check(one, p, &gone[WAY_PADDING]);
    return wrong;
}

static const char *check_plain(machine *m, const program *p, outcome *expected)
{
    outcome plain;
    pod_program *compiled = compile(m->one[0], p->graph, true, &plain);
    if (!compiled)
        return say("plain", "compiling", plain.message);
    gone[WAY_PLAIN]++;
    program_run_compiled(m->one[0], compiled, p, &plain);
    const char *wrong = compare_run(p, expected, &plain);
    wrong = wrong ? say("plain", "without fusion", wrong) : NULL;
    outcome_free(&plain);
    pod_program_free(compiled);
    return wrong;
}

const char *program_check(machine *m, const program *p)
{
    outcome expected;
    went_of++;
    oracle_run(p, NULL, 0, &expected);
    const char *wrong = has_turn(p, 0, 2) ? check_plain(m, p, &expected) : NULL;
    for (int i = m->families - 1; i >= 0 && !wrong; i--)
        if (i == m->families - 1 || has_turn(p, (uint64_t)i, 2))
            wrong = check_family(m, i, p, &expected);
    outcome_free(&expected);
    return wrong;
}
