/* Running programs: steps, infeeds, variables, failures, interrupts, memory. */

#include "base/arena_apart.h"
#include "graph/node.h"
#include "program_run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <uv.h>

static pod_error error;

/* Every call of malloc of this process is counted, where nothing else takes its place. */
static atomic_long mallocs;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern void *__libc_malloc(size_t size);
void *malloc(size_t size);

void *malloc(size_t size)
{
    atomic_fetch_add(&mallocs, 1);
    return __libc_malloc(size);
}
#endif

/* A graph in the making and what runs it. */
typedef struct machine {
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
} machine;

static machine machine_new(int threads)
{
    machine m = {0};
    m.context = test_context(&(pod_context_options){.threads = threads});
    ASSERT_OK(pod_graph_new(m.context, "test", &m.graph, &error));
    return m;
}

static void machine_compile(machine *m)
{
    ASSERT_OK(pod_graph_check(m->graph, &error));
    ASSERT_OK(pod_program_compile(m->context, m->graph, NULL, &m->program, &error));
}

static void machine_free(machine *m)
{
    pod_program_free(m->program);
    pod_graph_free(m->graph);
    pod_context_release(m->context);
}

static pod_node *vector_parameter(machine *m, int64_t size)
{
    return pod_graph_parameter(m->graph, POD_F32, &(pod_shape){1, {size}}, "v");
}

static pod_buffer *vector_of(machine *m, int64_t size, float value)
{
    pod_buffer *buffer;
    ASSERT_OK(pod_buffer_new(m->context, POD_F32, &(pod_shape){1, {size}}, &buffer, &error));
    for (int64_t i = 0; i < size; i++)
        ((float *)pod_buffer_data(buffer))[i] = value + (float)i;
    return buffer;
}

static float element(const pod_buffer *buffer, int64_t index)
{
    return ((const float *)pod_buffer_data(buffer))[index];
}

static void update(machine *m, pod_node *value, size_t parameter)
{
    pod_graph_add_output(m->graph, value);
    pod_graph_set_alias(m->graph, pod_graph_output_count(m->graph) - 1, parameter);
}

/* ---- variables ------------------------------------------------------------------------------------- */

TEST(variables_are_swapped)
{
    for (int steps = 1; steps <= 3; steps++) {
        machine m = machine_new(2);
        pod_node *a = vector_parameter(&m, 100), *b = vector_parameter(&m, 100);
        update(&m, b, 0);
        update(&m, a, 1);
        machine_compile(&m);
        pod_buffer *arguments[2] = {vector_of(&m, 100, 0), vector_of(&m, 100, 1000)};
        const pod_run_options how = {.steps = steps};
        ASSERT_OK(pod_program_run(m.program, arguments, NULL, &how, NULL, &error));
        ASSERT_NUMBER(steps % 2 ? 1099 : 99, element(arguments[0], 99));
        ASSERT_NUMBER(steps % 2 ? 99 : 1099, element(arguments[1], 99));
        pod_buffer_release(arguments[0]);
        pod_buffer_release(arguments[1]);
        machine_free(&m);
    }
}

/* a' = a + b, b' = a - b: whichever is written first, the other must see the old value. */
TEST(variables_that_read_each_other_see_old_values)
{
    machine m = machine_new(3);
    pod_node *a = vector_parameter(&m, 3000), *b = vector_parameter(&m, 3000);
    pod_node *sum = pod_graph_add(m.graph, a, b);
    pod_node *turned = pod_graph_apply(m.graph, POD_OP_REVERSE, &a, 1, &(pod_attributes){.axes = {1, {0}}}, NULL, 0);
    update(&m, sum, 0);
    update(&m, pod_graph_subtract(m.graph, turned, b), 1);
    pod_graph_add_output(m.graph, a); /* the old value */
    machine_compile(&m);
    pod_buffer *arguments[2] = {vector_of(&m, 3000, 0), vector_of(&m, 3000, 10)}, *results[3];
    ASSERT_OK(pod_program_run(m.program, arguments, results, NULL, NULL, &error));
    ASSERT(!results[0] && !results[1]);
    for (int i = 0; i < 3000; i++) {
        ASSERT_NUMBER(2 * i + 10, element(arguments[0], i));
        ASSERT_NUMBER(2999 - i - (i + 10), element(arguments[1], i));
        ASSERT_NUMBER(i, element(results[2], i));
    }
    pod_buffer_release(results[2]);
    pod_buffer_release(arguments[0]);
    pod_buffer_release(arguments[1]);
    machine_free(&m);
}

TEST(a_variable_shifts_within_itself)
{
    machine m = machine_new(2);
    pod_node *a = vector_parameter(&m, 5000);
    pod_attributes shift = {.low = {1}, .high = {5000}, .step = {1}};
    pod_node *tail = pod_graph_apply(m.graph, POD_OP_SLICE, &a, 1, &shift, NULL, 0);
    shift = (pod_attributes){.low = {0}, .high = {1}, .step = {1}};
    pod_node *head = pod_graph_apply(m.graph, POD_OP_SLICE, &a, 1, &shift, NULL, 0);
    pod_node *both[2] = {tail, head};
    update(&m, pod_graph_apply(m.graph, POD_OP_CONCATENATE, both, 2, &(pod_attributes){0}, NULL, 0), 0);
    machine_compile(&m);
    pod_buffer *argument = vector_of(&m, 5000, 0);
    const pod_run_options how = {.steps = 7};
    ASSERT_OK(pod_program_run(m.program, &argument, NULL, &how, NULL, &error));
    ASSERT_NUMBER(7, element(argument, 0));
    ASSERT_NUMBER(6, element(argument, 4999));
    pod_buffer_release(argument);
    machine_free(&m);
}

TEST(a_step_that_fails_leaves_variables_as_they_were)
{
    machine m = machine_new(2);
    pod_node *a = vector_parameter(&m, 2000);
    pod_node *limit = pod_graph_scalar(m.graph, POD_F32, 2002.5, &(pod_shape){1, {2000}});
    pod_node *next = pod_graph_add(m.graph, a, pod_graph_scalar(m.graph, POD_F32, 1, NULL));
    pod_graph_set_location(m.graph, "model.lua:7");
    pod_node *checked[2] = {next, pod_graph_compare(m.graph, POD_COMPARE_LT, next, limit)};
    next = pod_graph_apply(m.graph, POD_OP_CHECK, checked, 2, &(pod_attributes){.name = "too large"}, NULL, 0);
    update(&m, next, 0);
    machine_compile(&m);
    pod_buffer *argument = vector_of(&m, 2000, 0);
    const pod_run_options how = {.steps = 10};
    pod_run_report report;
    ASSERT_FAILS(POD_ERROR_VALUE, "model.lua:7: too large",
                 pod_program_run(m.program, &argument, NULL, &how, &report, &error));
    ASSERT_EQ(3, report.steps);
    ASSERT_NUMBER(2002, element(argument, 1999));
    ASSERT_NUMBER(3, element(argument, 0));
    pod_buffer_release(argument);
    machine_free(&m);
}

/* Nobody needs the value of the check: it is checked all the same. */
TEST(a_check_is_made_whose_value_is_not_needed)
{
    static const int32_t nothing = 0;
    const pod_shape one = {1, {1}}, wide = {2, {1, 11}}, places = {1, {13}};
    machine m = machine_new(1);
    pod_node *x = pod_graph_parameter(m.graph, POD_S64, &one, "x");
    pod_node *inputs[] = {
        pod_graph_apply(m.graph, POD_OP_BROADCAST, &x, 1, &(pod_attributes){.shape = wide, .axes = {1, {0}}}, NULL, 0),
        pod_graph_parameter(m.graph, POD_BOOL, &wide, "truth")};
    pod_node *checked = pod_graph_apply(m.graph, POD_OP_CHECK, inputs, 2, &(pod_attributes){.name = "untrue"}, NULL, 0);
    pod_node *largest = pod_graph_reduce(m.graph, "reduce_max", pod_graph_convert(m.graph, checked, POD_S32),
                                         &(pod_axes){2, {0, 1}}, false);
    pod_node *zero = pod_graph_scalar(m.graph, POD_S32, nothing, &places);
    pod_node *clamped[] = {
        zero, pod_graph_apply(m.graph, POD_OP_BROADCAST, &largest, 1, &(pod_attributes){.shape = places}, NULL, 0),
        zero};
    pod_node *gathered[] = {x, pod_graph_apply(m.graph, POD_OP_CLAMP, clamped, 3, NULL, NULL, 0)};
    pod_graph_add_output(m.graph, pod_graph_apply(m.graph, POD_OP_GATHER, gathered, 2, NULL, NULL, 0));
    machine_compile(&m);
    pod_buffer *arguments[2], *result;
    ASSERT_OK(pod_buffer_new(m.context, POD_S64, &one, &arguments[0], &error));
    ASSERT_OK(pod_buffer_new(m.context, POD_BOOL, &wide, &arguments[1], &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "untrue", pod_program_run(m.program, arguments, &result, NULL, NULL, &error));
    pod_buffer_release(arguments[0]);
    pod_buffer_release(arguments[1]);
    machine_free(&m);
}

static void count_prints(void *context, const char *label, const pod_buffer *value)
{
    (void)label;
    ASSERT_EQ(3, pod_buffer_shape(value)->dims[0]);
    ++*(int *)context;
}

/* A print of a [2, 3] that is turned around. */
static pod_node *print_turned(machine *m, pod_node *x)
{
    pod_node *turned = pod_graph_transpose(m->graph, x, &(pod_axes){2, {1, 0}});
    return pod_graph_apply(m->graph, POD_OP_PRINT, &turned, 1, &(pod_attributes){.name = "x"}, NULL, 0);
}

/* Runs a program of one argument, 0 to 5, that prints once and gives `expected`. */
static void check_printed(machine *m, const double *expected)
{
    int prints = 0;
    pod_buffer *argument, *result;
    machine_compile(m);
    ASSERT_OK(pod_buffer_new(m->context, POD_F32, &(pod_shape){2, {2, 3}}, &argument, &error));
    for (int i = 0; i < 6; i++)
        ((float *)pod_buffer_data(argument))[i] = (float)i;
    const pod_run_options how = {.print = count_prints, .print_context = &prints};
    ASSERT_OK(pod_program_run(m->program, &argument, &result, &how, NULL, &error));
    ASSERT_EQ(1, prints);
    for (int i = 0; i < 6; i++)
        ASSERT_NUMBER(expected[i], element(result, i));
    pod_buffer_release(argument);
    pod_buffer_release(result);
    machine_free(m);
}

/* What is printed is stored in another order than what it is seen in. */
TEST(a_view_that_is_printed_is_printed)
{
    machine m = machine_new(1);
    pod_node *x = pod_graph_parameter(m.graph, POD_F32, &(pod_shape){2, {2, 3}}, "x");
    pod_graph_add_output(m.graph, print_turned(&m, x));
    check_printed(&m, (const double[]){0, 3, 1, 4, 2, 5});
}

/* What reads it flat reads what the print reads. */
TEST(a_view_that_is_printed_is_read_flat)
{
    machine m = machine_new(1);
    pod_node *x = pod_graph_parameter(m.graph, POD_F32, &(pod_shape){2, {2, 3}}, "x");
    pod_node *printed = print_turned(&m, pod_graph_multiply(m.graph, x, x));
    const pod_attributes flat = {.shape = {1, {6}}};
    pod_node *line = pod_graph_apply(m.graph, POD_OP_RESHAPE, &printed, 1, &flat, NULL, 0);
    pod_graph_add_output(m.graph, pod_graph_add(m.graph, line, line));
    check_printed(&m, (const double[]){0, 18, 2, 32, 8, 50});
}

/* ---- infeed ----------------------------------------------------------------------------------------- */

typedef struct feeder {
    machine *m;
    int given, most;
    pod_dtype dtype;
} feeder;

static pod_status feed(void *context, pod_buffer **slots, size_t count, pod_error *out)
{
    feeder *f = context;
    (void)out;
    ASSERT_EQ(1, count);
    if (f->given == f->most)
        return POD_END;
    slots[0] = vector_of(f->m, 50, (float)++f->given);
    return POD_OK;
}

TEST(an_infeed_gives_each_step_its_own_values)
{
    machine m = machine_new(2);
    pod_node *sum = vector_parameter(&m, 50), *x = vector_parameter(&m, 50);
    update(&m, pod_graph_add(m.graph, sum, x), 0);
    pod_graph_add_output(m.graph, pod_graph_negate(m.graph, x));
    machine_compile(&m);
    feeder f = {.m = &m, .most = 5};
    const pod_infeed infeed = {.next = feed, .context = &f};
    pod_run_options how = {.steps = 3, .infeed = &infeed, .infeed_first = 1, .infeed_count = 1};
    pod_run_report report;
    pod_buffer *arguments[2] = {vector_of(&m, 50, 0), NULL}, *results[2];
    ASSERT_OK(pod_program_run(m.program, arguments, results, &how, &report, &error));
    ASSERT_EQ(3, report.steps);
    ASSERT(!report.ended && !report.interrupted);
    ASSERT_NUMBER(6, element(arguments[0], 0));
    ASSERT_NUMBER(-3, element(results[1], 0));
    pod_buffer_release(results[1]);
    ASSERT_OK(pod_program_run(m.program, arguments, results, &how, &report, &error));
    ASSERT_EQ(2, report.steps);
    ASSERT(report.ended);
    ASSERT_NUMBER(15, element(arguments[0], 0));
    ASSERT_NUMBER(-5, element(results[1], 0));
    pod_buffer_release(results[1]);
    ASSERT_OK(pod_program_run(m.program, arguments, results, &how, &report, &error));
    ASSERT_EQ(0, report.steps);
    ASSERT(report.ended && !results[1]);
    pod_buffer_release(arguments[0]);
    machine_free(&m);
}

TEST(arguments_are_checked)
{
    machine m = machine_new(1);
    pod_node *a = vector_parameter(&m, 4);
    pod_graph_add_output(m.graph, pod_graph_negate(m.graph, a));
    machine_compile(&m);
    pod_buffer *argument = NULL, *result = NULL;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "argument 0 'v' is missing",
                 pod_program_run(m.program, &argument, &result, NULL, NULL, &error));
    argument = vector_of(&m, 5, 0);
    ASSERT_FAILS(POD_ERROR_SHAPE, "has shape (5,)", pod_program_run(m.program, &argument, &result, NULL, NULL, &error));
    ASSERT(!result);
    pod_buffer_release(argument);
    ASSERT_OK(pod_buffer_new(m.context, POD_S32, &(pod_shape){1, {4}}, &argument, &error));
    ASSERT_FAILS(POD_ERROR_DTYPE, "has type int32", pod_program_run(m.program, &argument, &result, NULL, NULL, &error));
    const pod_run_options how = {.steps = -1};
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "option 'steps' is -1",
                 pod_program_run(m.program, &argument, &result, &how, NULL, &error));
    pod_buffer_release(argument);
    machine_free(&m);
}

TEST(results_go_to_buffers_that_are_given)
{
    machine m = machine_new(2);
    pod_node *x = vector_parameter(&m, 4);
    pod_graph_add_output(m.graph, pod_graph_add(m.graph, x, x));
    pod_graph_add_output(m.graph, pod_graph_multiply(m.graph, x, x));
    machine_compile(&m);
    pod_buffer *argument = vector_of(&m, 4, 1), *own = vector_of(&m, 4, 90);
    pod_buffer *given[] = {own, NULL}, *results[2];
    pod_run_options options = {.result_buffers = given};
    for (int run = 0; run < 2; run++) {
        ASSERT_OK(pod_program_run(m.program, &argument, results, &options, NULL, &error));
        ASSERT(results[0] == own && results[1] != NULL);
        ASSERT(element(own, 0) == 2 && element(own, 3) == 8 && element(results[1], 3) == 16);
        pod_buffer_release(results[0]);
        pod_buffer_release(results[1]);
        ((float *)pod_buffer_data(own))[3] = -1;
    }
    ASSERT_OK(pod_program_run(m.program, &argument, NULL, &options, NULL, &error));
    ASSERT(element(own, 3) == 8 && pod_buffer_is_unique(own));
    options.steps = 2;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the buffer for result 0",
                 pod_program_run(m.program, &argument, results, &options, NULL, &error));
    options.steps = 1;
    given[1] = given[0] = vector_of(&m, 3, 0);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the buffer for result 0 does not have its type and shape",
                 pod_program_run(m.program, &argument, results, &options, NULL, &error));
    pod_buffer_release(given[0]);
    pod_buffer_release(own);
    pod_buffer_release(argument);
    machine_free(&m);
}

TEST(one_buffer_cannot_be_a_variable_and_something_else)
{
    machine m = machine_new(1);
    pod_node *a = vector_parameter(&m, 4), *b = vector_parameter(&m, 4);
    update(&m, pod_graph_add(m.graph, a, b), 0);
    machine_compile(&m);
    pod_buffer *same = vector_of(&m, 4, 0), *arguments[2] = {same, same};
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the same buffer",
                 pod_program_run(m.program, arguments, NULL, NULL, NULL, &error));
    pod_buffer_release(same);
    machine_free(&m);
}

/* ---- control ---------------------------------------------------------------------------------------- */

/* state -> state + 1 while state < limit, on `threads` threads. */
static pod_node *count_up(machine *m, pod_node *state, double limit)
{
    const pod_shape *shape = pod_node_shape(state, 0);
    pod_graph *condition, *body;
    ASSERT_OK(pod_graph_new(m->context, "condition", &condition, &error));
    ASSERT_OK(pod_graph_new(m->context, "body", &body, &error));
    pod_node *x = pod_graph_parameter(condition, POD_F32, shape, "x");
    pod_node *most = pod_graph_reduce(condition, "reduce_max", x, NULL, false);
    pod_graph_add_output(condition, pod_graph_compare(condition, POD_COMPARE_LT, most,
                                                      pod_graph_scalar(condition, POD_F32, limit, NULL)));
    x = pod_graph_parameter(body, POD_F32, shape, "x");
    pod_graph_add_output(body, pod_graph_add(body, x, pod_graph_scalar(body, POD_F32, 1, NULL)));
    pod_graph *regions[2] = {condition, body};
    return pod_graph_apply(m->graph, POD_OP_WHILE, &state, 1, &(pod_attributes){0}, regions, 2);
}

TEST(a_while_loop_runs_until_its_condition_is_false)
{
    for (int threads = 1; threads <= 3; threads++) {
        machine m = machine_new(threads);
        pod_node *x = vector_parameter(&m, 3000);
        pod_graph_add_output(m.graph, count_up(&m, x, 4000));
        machine_compile(&m);
        pod_buffer *argument = vector_of(&m, 3000, 0), *result;
        ASSERT_OK(pod_program_run(m.program, &argument, &result, NULL, NULL, &error));
        ASSERT_NUMBER(4000, element(result, 2999));
        ASSERT_NUMBER(1001, element(result, 0));
        ASSERT_NUMBER(0, element(argument, 0));
        pod_buffer_release(argument);
        pod_buffer_release(result);
        machine_free(&m);
    }
}

/* A reduce whose region is no single op: a * 0 + (a - b), in order. */
TEST(a_reduce_runs_its_region_in_order)
{
    machine m = machine_new(3);
    pod_node *x = pod_graph_parameter(m.graph, POD_F32, &(pod_shape){3, {4, 5, 3}}, "x");
    pod_graph *region;
    ASSERT_OK(pod_graph_new(m.context, "region", &region, &error));
    pod_node *a = pod_graph_parameter(region, POD_F32, &(pod_shape){0}, "a");
    pod_node *b = pod_graph_parameter(region, POD_F32, &(pod_shape){0}, "b");
    pod_node *half = pod_graph_multiply(region, a, pod_graph_scalar(region, POD_F32, 0.5, NULL));
    pod_graph_add_output(region, pod_graph_subtract(region, half, b));
    pod_node *inputs[2] = {x, pod_graph_scalar(m.graph, POD_F32, 8, NULL)};
    pod_attributes attributes = {.axes = {2, {0, 1}}};
    pod_graph_add_output(m.graph, pod_graph_apply(m.graph, POD_OP_REDUCE, inputs, 2, &attributes, &region, 1));
    machine_compile(&m);
    pod_buffer *argument, *result;
    ASSERT_OK(pod_buffer_new(m.context, POD_F32, &(pod_shape){3, {4, 5, 3}}, &argument, &error));
    float expected[3] = {8, 8, 8};
    for (int i = 0; i < 60; i++) {
        ((float *)pod_buffer_data(argument))[i] = (float)(i * i % 7);
        expected[i % 3] = expected[i % 3] * 0.5f - (float)(i * i % 7);
    }
    ASSERT_OK(pod_program_run(m.program, &argument, &result, NULL, NULL, &error));
    for (int i = 0; i < 3; i++)
        ASSERT_NUMBER(expected[i], element(result, i));
    pod_buffer_release(argument);
    pod_buffer_release(result);
    machine_free(&m);
}

TEST(an_interrupt_ends_a_compilation)
{
    machine m = machine_new(1);
    pod_node *x = vector_parameter(&m, 100);
    update(&m, count_up(&m, x, 10), 0);
    pod_context_interrupt(m.context);
    ASSERT_EQ(POD_ERROR_INTERRUPTED, pod_program_compile(m.context, m.graph, NULL, &m.program, &error));
    ASSERT(m.program == NULL && strstr(error.message, "interrupted"));
    ASSERT(pod_context_clear_interrupt(m.context));
    machine_compile(&m);
    machine_free(&m);
}

static unsigned soon = 30; /* milliseconds */

static void *interrupt_soon(void *context)
{
    uv_sleep(soon);
    pod_context_interrupt(context);
    return NULL;
}

TEST(an_interrupt_ends_a_loop_that_does_not_end)
{
    machine m = machine_new(2);
    pod_node *x = vector_parameter(&m, 100);
    update(&m, count_up(&m, x, 1e30), 0);
    machine_compile(&m);
    pod_buffer *argument = vector_of(&m, 100, 0);
    pthread_t thread;
    pod_run_report report;
    ASSERT_EQ(0, pthread_create(&thread, NULL, interrupt_soon, m.context));
    ASSERT_OK(pod_program_run(m.program, &argument, NULL, NULL, &report, &error));
    pthread_join(thread, NULL);
    ASSERT(report.interrupted);
    ASSERT_EQ(0, report.steps);
    ASSERT_NUMBER(0, element(argument, 0));
    ASSERT(pod_context_clear_interrupt(m.context));
    pod_buffer_release(argument);
    machine_free(&m);
}

TEST(an_interrupt_ends_a_run_between_steps)
{
    machine m = machine_new(2);
    pod_node *x = vector_parameter(&m, 1000);
    update(&m, pod_graph_add(m.graph, x, pod_graph_scalar(m.graph, POD_F32, 1, NULL)), 0);
    pod_graph_add_output(m.graph, pod_graph_negate(m.graph, x));
    machine_compile(&m);
    pod_buffer *argument = vector_of(&m, 1000, 0), *results[2];
    const pod_run_options how = {.steps = INT64_MAX};
    pod_run_report report;
    pthread_t thread;
    for (;; soon *= 2) { /* on a busy machine it may come before the first step */
        ASSERT_EQ(0, pthread_create(&thread, NULL, interrupt_soon, m.context));
        ASSERT_OK(pod_program_run(m.program, &argument, results, &how, &report, &error));
        pthread_join(thread, NULL);
        if (report.steps > 0 || soon > 10000)
            break;
        ASSERT(report.interrupted && !results[1]);
        ASSERT(pod_context_clear_interrupt(m.context));
    }
    ASSERT(report.interrupted && report.steps > 0);
    ASSERT_NUMBER((float)report.steps, element(argument, 0));
    ASSERT_NUMBER(-(float)(report.steps - 1), element(results[1], 0));
    pod_buffer_release(results[1]);
    ASSERT_OK(pod_program_run(m.program, &argument, results, &how, &report, &error));
    ASSERT(report.interrupted && report.steps == 0 && !results[1]); /* still pending */
    pod_context_clear_interrupt(m.context);
    pod_buffer_release(argument);
    machine_free(&m);
}

typedef struct printed {
    int count;
    float values[8];
    char labels[8][16];
} printed;

static void take_print(void *context, const char *label, const pod_buffer *value)
{
    printed *p = context;
    snprintf(p->labels[p->count], sizeof p->labels[0], "%s", label);
    p->values[p->count++] = element(value, 0);
}

/* A branch that only prints, whose result nobody reads. */
TEST(what_a_branch_prints_is_printed)
{
    for (int chosen = 0; chosen < 2; chosen++)
        for (int prints = 0; prints < 2; prints++) {
            machine m = machine_new(1);
            pod_node *x = vector_parameter(&m, 4);
            pod_graph *sides[2];
            for (int i = 0; i < 2; i++) {
                ASSERT_OK(pod_graph_new(m.context, "side", &sides[i], &error));
                pod_node *y = pod_graph_parameter(sides[i], POD_F32, &(pod_shape){1, {4}}, "y");
                if (i == prints)
                    y = pod_graph_apply(sides[i], POD_OP_PRINT, &y, 1, &(pod_attributes){.name = "y"}, NULL, 0);
                pod_graph_add_output(sides[i], y);
            }
            /* The first side is taken where the sum is above 0. */
            pod_node *sum = pod_graph_reduce(m.graph, "reduce_sum", x, NULL, false);
            pod_node *above =
                pod_graph_compare(m.graph, POD_COMPARE_GT, sum, pod_graph_scalar(m.graph, POD_F32, 0, NULL));
            pod_graph_apply(m.graph, POD_OP_COND, (pod_node *[]){above, x}, 2, &(pod_attributes){0}, sides, 2);
            pod_graph_add_output(m.graph, pod_graph_negate(m.graph, x));
            machine_compile(&m);
            printed p = {0};
            pod_buffer *argument = vector_of(&m, 4, chosen == 0 ? 1 : -9), *result = NULL;
            const pod_run_options how = {.steps = 1, .print = take_print, .print_context = &p};
            ASSERT_OK(pod_program_run(m.program, &argument, &result, &how, NULL, &error));
            ASSERT_EQ(chosen == prints, p.count);
            pod_buffer_release(argument);
            pod_buffer_release(result);
            machine_free(&m);
        }
}

TEST(prints_come_in_order)
{
    machine m = machine_new(2);
    pod_node *x = vector_parameter(&m, 10);
    for (int i = 0; i < 3; i++) {
        char label[2] = {(char)('a' + i), 0};
        x = pod_graph_add(m.graph, x, pod_graph_scalar(m.graph, POD_F32, 1, NULL));
        x = pod_graph_apply(m.graph, POD_OP_PRINT, &x, 1, &(pod_attributes){.name = label}, NULL, 0);
    }
    update(&m, x, 0);
    machine_compile(&m);
    printed p = {0};
    pod_buffer *argument = vector_of(&m, 10, 0);
    const pod_run_options how = {.steps = 2, .print = take_print, .print_context = &p};
    ASSERT_OK(pod_program_run(m.program, &argument, NULL, &how, NULL, &error));
    ASSERT_EQ(6, p.count);
    for (int i = 0; i < 6; i++) {
        ASSERT_NUMBER(i + 1, p.values[i]);
        ASSERT_EQ('a' + i % 3, p.labels[i][0]);
    }
    pod_buffer_release(argument);
    machine_free(&m);
}

/* Such a program has no phases, after which threads would meet. */
TEST(steps_that_do_nothing_are_counted_by_all_threads)
{
    machine m = machine_new(3);
    pod_node *kept = vector_parameter(&m, 50);
    (void)vector_parameter(&m, 50);
    update(&m, kept, 0);
    machine_compile(&m);
    feeder f = {.m = &m, .most = 3000};
    const pod_infeed infeed = {.next = feed, .context = &f};
    pod_run_options how = {.steps = 2000, .infeed = &infeed, .infeed_first = 1, .infeed_count = 1};
    pod_run_report report;
    pod_buffer *arguments[2] = {vector_of(&m, 50, 7), NULL};
    ASSERT_OK(pod_program_run(m.program, arguments, NULL, &how, &report, &error));
    ASSERT_EQ(2000, report.steps);
    ASSERT_EQ(2000, f.given);
    ASSERT_OK(pod_program_run(m.program, arguments, NULL, &how, &report, &error));
    ASSERT_EQ(1000, report.steps);
    ASSERT(report.ended);
    ASSERT_NUMBER(7, element(arguments[0], 0));
    pod_buffer_release(arguments[0]);
    machine_free(&m);
}

/* ---- memory ----------------------------------------------------------------------------------------- */

/* A small training step with a loop, products and a variable. */
static void build_step(machine *m)
{
    pod_graph *g = m->graph;
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {64, 20}}, "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {20, 30}}, "w");
    pod_node *y = pod_graph_tanh(g, pod_graph_matmul(g, x, w));
    pod_node *loss = pod_graph_mean(g, pod_graph_multiply(g, y, y), NULL, false), *gradient;
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, &w, 1, &gradient, &error));
    pod_graph_add_output(g, loss);
    pod_node *rate = pod_graph_scalar(g, POD_F32, 0.1, NULL);
    update(m, pod_graph_subtract(g, w, pod_graph_multiply(g, gradient, rate)), 1);
    pod_graph_add_output(g, count_up(m, pod_graph_reduce(g, "reduce_max", x, NULL, false), 5));
}

TEST(steps_take_no_memory)
{
    test_allocator allocator = {.granted = -1};
    machine m = {0};
    m.context = test_context(&(pod_context_options){.threads = 1, .allocator = {test_resize, &allocator}});
    ASSERT_OK(pod_graph_new(m.context, "step", &m.graph, &error));
    build_step(&m);
    machine_compile(&m);
    pod_buffer *arguments[2], *results[3];
    for (uint32_t i = 0; i < 2; i++)
        ASSERT_OK(pod_buffer_new(m.context, POD_F32, pod_node_shape(pod_graph_get_parameter(m.graph, i), 0),
                                 &arguments[i], &error));
    long counts[2], taken[2];
    for (int i = 0; i < 3; i++) { /* the first run takes scratch and starts threads */
        const pod_run_options how = {.steps = i == 2 ? 200 : 2};
        const long before = allocator.allocations;
        const long mallocs_before = mallocs;
        ASSERT_OK(pod_program_run(m.program, arguments, results, &how, NULL, &error));
        if (i > 0) {
            counts[i - 1] = allocator.allocations - before;
            taken[i - 1] = mallocs - mallocs_before;
        }
        pod_buffer_release(results[0]);
        pod_buffer_release(results[2]);
    }
    ASSERT_EQ(counts[0], counts[1]);
    ASSERT_EQ(taken[0], taken[1]);
    for (int i = 0; i < 2; i++)
        pod_buffer_release(arguments[i]);
    machine_free(&m);
    ASSERT_EQ(0, allocator.live);
}

TEST(every_allocation_of_compiling_and_running_may_fail)
{
    pod_arenas_apart = true;
    test_allocator allocator = {.granted = -1};
    machine m = {0};
    m.context = test_context(&(pod_context_options){.threads = 1, .allocator = {test_resize, &allocator}});
    ASSERT_OK(pod_graph_new(m.context, "step", &m.graph, &error));
    build_step(&m);
    pod_buffer *arguments[2], *results[3];
    for (uint32_t i = 0; i < 2; i++)
        ASSERT_OK(pod_buffer_new(m.context, POD_F32, pod_node_shape(pod_graph_get_parameter(m.graph, i), 0),
                                 &arguments[i], &error));
    for (long granted = 0;; granted++) {
        const long live = allocator.live;
        allocator.granted = granted;
        pod_status status = pod_program_compile(m.context, m.graph, NULL, &m.program, &error);
        if (status == POD_OK)
            status = pod_program_run(m.program, arguments, results, NULL, NULL, &error);
        allocator.granted = -1;
        if (status == POD_OK)
            break;
        ASSERT_EQ(POD_ERROR_MEMORY, status);
        pod_program_free(m.program);
        m.program = NULL;
        ASSERT_EQ(live, allocator.live);
        ASSERT(granted < 100000);
    }
    pod_buffer_release(results[0]);
    pod_buffer_release(results[2]);
    for (int i = 0; i < 2; i++)
        pod_buffer_release(arguments[i]);
    machine_free(&m);
    ASSERT_EQ(0, allocator.live);
    pod_arenas_apart = false;
}

TEST(values_without_elements_run)
{
    machine m = machine_new(2);
    pod_node *x = pod_graph_parameter(m.graph, POD_F32, &(pod_shape){2, {0, 5}}, "x");
    pod_node *w = pod_graph_parameter(m.graph, POD_F32, &(pod_shape){2, {5, 3}}, "w");
    pod_graph_add_output(m.graph, pod_graph_tanh(m.graph, pod_graph_matmul(m.graph, x, w)));
    pod_graph_add_output(m.graph, pod_graph_reduce(m.graph, "reduce_sum", x, NULL, false));
    pod_node *gradient;
    pod_node *loss = pod_graph_reduce(m.graph, "reduce_sum", pod_graph_matmul(m.graph, x, w), NULL, false);
    ASSERT_OK(pod_graph_gradient(m.graph, loss, NULL, &w, 1, &gradient, &error));
    pod_graph_add_output(m.graph, gradient);
    machine_compile(&m);
    pod_buffer *arguments[2], *results[3];
    for (uint32_t i = 0; i < 2; i++)
        ASSERT_OK(pod_buffer_new(m.context, POD_F32, pod_node_shape(pod_graph_get_parameter(m.graph, i), 0),
                                 &arguments[i], &error));
    ASSERT_OK(pod_program_run(m.program, arguments, results, NULL, NULL, &error));
    ASSERT_NUMBER(0, element(results[1], 0));
    ASSERT_NUMBER(0, element(results[2], 14));
    for (int i = 0; i < 3; i++)
        pod_buffer_release(results[i]);
    for (int i = 0; i < 2; i++)
        pod_buffer_release(arguments[i]);
    machine_free(&m);
}

TEST_MAIN(RUN(a_check_is_made_whose_value_is_not_needed); RUN(a_view_that_is_printed_is_printed);
          RUN(a_view_that_is_printed_is_read_flat); RUN(variables_are_swapped);
          RUN(variables_that_read_each_other_see_old_values); RUN(a_variable_shifts_within_itself);
          RUN(a_step_that_fails_leaves_variables_as_they_were); RUN(an_infeed_gives_each_step_its_own_values);
          RUN(steps_that_do_nothing_are_counted_by_all_threads); RUN(arguments_are_checked);
          RUN(results_go_to_buffers_that_are_given); RUN(one_buffer_cannot_be_a_variable_and_something_else);
          RUN(a_while_loop_runs_until_its_condition_is_false); RUN(a_reduce_runs_its_region_in_order);
          RUN(an_interrupt_ends_a_compilation); RUN(an_interrupt_ends_a_loop_that_does_not_end);
          RUN(an_interrupt_ends_a_run_between_steps); RUN(prints_come_in_order); RUN(what_a_branch_prints_is_printed);
          RUN(steps_take_no_memory); RUN(every_allocation_of_compiling_and_running_may_fail);
          RUN(values_without_elements_run))
