/* Training steps of small models: fused programs agree with the oracle as far as rounding allows, and
 * give the same bits on any number of threads. */

#include "engine/run_state.h"
#include "trained_models.h"

static pod_error error;

static void check_same_bits(const char *what, const pod_buffer *x, const pod_buffer *y)
{
    ASSERT_EQ(x == NULL, y == NULL);
    if (x && memcmp(pod_buffer_data(x), pod_buffer_data(y), pod_buffer_bytes(x)) != 0)
        FAIL("%s has other bits on another number of threads", what);
}

static void check_model(const char *name, pod_node *(*make)(model *, pod_dtype), pod_dtype compute, bool adam,
                        double relative)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = build(context, make, compute, adam);
    pod_array arguments[MOST_VALUES], expected[MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    make_arguments(graph, arguments);
    ASSERT_OK(evaluate_graph(graph, arguments, expected, &error));
    outcome one = program_run(context, graph, arguments, false, 1, 1);
    for (size_t i = 0; i < one.outputs; i++) {
        const int64_t alias = graph->aliases[i];
        compare_arrays(name, i, &expected[i], alias >= 0 ? one.arguments[alias] : one.results[i], relative);
    }
    for (int threads = 2; threads <= 5; threads++) {
        outcome many = program_run(context, graph, arguments, false, threads, 1);
        for (size_t i = 0; i < one.outputs; i++)
            check_same_bits("a result", one.results[i], many.results[i]);
        for (size_t i = 0; i < parameters; i++)
            check_same_bits("a weight", one.arguments[i], many.arguments[i]);
        outcome_release(&many);
    }
    outcome_release(&one);
    evaluate_free(expected, pod_graph_output_count(graph));
    evaluate_free(arguments, parameters);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(dense_networks_train)
{
    check_model("dense f32", dense_model, POD_F32, false, 2e-5);
    check_model("dense bf16", dense_model, POD_BF16, false, 6e-2);
    check_model("dense f32 by adam", dense_model, POD_F32, true, 2e-5);
    check_model("dense bf16 by adam", dense_model, POD_BF16, true, 6e-2);
}

/* Steps done in a run, and between runs changes of the first weight from outside. */
static void run_and_change(pod_program *program, pod_buffer **arguments, int64_t runs, const pod_run_options *options)
{
    pod_buffer *results[MOST_VALUES];
    for (int turn = 0; turn < 3; turn++) {
        for (int64_t i = 0; i < runs; i++) {
            ASSERT_OK(pod_program_run(program, arguments, results, options, NULL, &error));
            ASSERT_EQ(options->tells_writes, program->run_state->packed);
            for (size_t j = 0; j < program->output_count; j++)
                pod_buffer_release(results[j]);
        }
        for (uint32_t i = 0; i < program->parameter_count; i++) {
            float *elements = pod_buffer_data(arguments[i]);
            if (strcmp(program->parameters[i].name, "w") != 0)
                continue;
            for (size_t j = 0; j < pod_buffer_bytes(arguments[i]) / sizeof *elements; j++)
                elements[j] *= 0.5f;
            if (options->tells_writes)
                pod_buffer_note_write(arguments[i]);
        }
    }
}

/* In which steps are done in runs. */
#define WAYS 5

/* A weight that is kept packed from step to step is the weight itself, whoever changes it. */
static void check_kept(pod_node *(*make)(model *, pod_dtype), pod_dtype compute, bool adam)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = build(context, make, compute, adam);
    pod_array arrays[MOST_VALUES];
    pod_buffer *arguments[WAYS][MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    make_arguments(graph, arrays);
    for (int threads = 1; threads <= 3; threads++) {
        pod_program *program;
        ASSERT_OK(pod_context_set_threads(context, threads, &error));
        ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
        ASSERT_EQ(compute == POD_BF16 || pod_kernel_dot_packed_b_bytes(&program->kernels->dot_f32, 1, 1) > 0,
                  program->entry != NULL);
        const int64_t runs[WAYS] = {6, 1, 2, 6, 3};
        const pod_run_options options[WAYS] = {{.steps = 1},
                                               {.steps = 6},
                                               {.steps = 3},
                                               {.steps = 1, .tells_writes = true},
                                               {.steps = 2, .tells_writes = true}};
        for (int way = 0; way < WAYS; way++) {
            for (size_t i = 0; i < parameters; i++)
                arguments[way][i] = buffer_of(context, &arrays[i]);
            run_and_change(program, arguments[way], runs[way], &options[way]);
        }
        for (size_t i = 0; i < parameters; i++)
            for (int way = WAYS - 1; way >= 0; way--) {
                check_same_bits("a weight", arguments[0][i], arguments[way][i]);
                pod_buffer_release(arguments[way][i]);
            }
        pod_program_free(program);
    }
    evaluate_free(arrays, parameters);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(weights_that_stay_packed_are_the_weights)
{
    check_kept(dense_model, POD_BF16, true);
    check_kept(dense_model, POD_F32, true);
    check_kept(dense_model, POD_BF16, false);
    check_kept(text_model, POD_BF16, true);
    check_kept(image_model, POD_F32, true);
}

/* What a run keeps packed is used by the next one with the same variables, and by no other. */
TEST(runs_use_what_the_last_one_packed)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = build(context, dense_model, POD_BF16, true);
    pod_array arrays[MOST_VALUES];
    pod_buffer *arguments[2][MOST_VALUES], *results[MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    const pod_run_options options = {.tells_writes = true};
    pod_program *program;
    make_arguments(graph, arrays);
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    for (size_t i = 0; i < parameters; i++)
        for (int j = 0; j < 2; j++)
            arguments[j][i] = buffer_of(context, &arrays[i]);
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        for (int i = 0; i < 4; i++) {
            ASSERT_OK(pod_program_run(program, arguments[i / 2], results, &options, NULL, &error));
            for (size_t j = 0; j < program->output_count; j++)
                pod_buffer_release(results[j]);
            for (uint32_t j = 0; spoilt && i == 0 && j < program->slot_count; j++)
                if (program->slots[j].kept)
                    memset(program->run_state->pointers[j], 0, program->slots[j].bytes);
        }
        bool same = true;
        for (size_t i = 0; i < parameters; i++)
            same = same && memcmp(pod_buffer_data(arguments[0][i]), pod_buffer_data(arguments[1][i]),
                                  pod_buffer_bytes(arguments[0][i])) == 0;
        ASSERT_EQ(!spoilt, same);
    }
    for (size_t i = 0; i < parameters; i++)
        for (int j = 0; j < 2; j++)
            pod_buffer_release(arguments[j][i]);
    pod_program_free(program);
    evaluate_free(arrays, parameters);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* A network that predicts: a convolution, its normalisation, a product. Everything but x is a weight. */
static pod_graph *new_predictor(pod_context *context, pod_dtype compute)
{
    model m = {0};
    ASSERT_OK(pod_graph_new(context, "predicts", &m.graph, &error));
    pod_graph *g = m.graph;
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(1, 9, 8, 16), "x");
    x = convolve(&m, x, 16, 24, 1);
    pod_node *mean = weight(&m, SHAPE(24)), *variance = weight(&m, SHAPE(24));
    x = pod_graph_multiply(g, pod_graph_subtract(g, x, mean), pod_graph_rsqrt(g, pod_graph_exp(g, variance)));
    x = dense(&m, pod_graph_reshape(g, x, SHAPE(24, 72)), 72, 200, compute);
    pod_graph_add_output(g, pod_graph_convert(g, x, POD_F32));
    ASSERT_OK(pod_graph_check(g, &error));
    return g;
}

typedef struct predictor {
    pod_program *program;
    pod_buffer *arguments[MOST_VALUES];
} predictor;

/* Runs two programs on arguments of the same elements; returns whether they give the same. */
static bool predict_the_same(predictor *one, predictor *other, const pod_run_options *options)
{
    pod_buffer *results[2];
    ASSERT_OK(pod_program_run(one->program, one->arguments, &results[0], options, NULL, &error));
    ASSERT_OK(pod_program_run(other->program, other->arguments, &results[1], options, NULL, &error));
    const bool same =
        memcmp(pod_buffer_data(results[0]), pod_buffer_data(results[1]), pod_buffer_bytes(results[0])) == 0;
    pod_buffer_release(results[0]);
    pod_buffer_release(results[1]);
    return same;
}

static void spoil_kept(const pod_program *program)
{
    for (uint32_t i = 0; i < program->slot_count; i++)
        if (program->slots[i].kept)
            memset(program->run_state->pointers[i], 0, program->slots[i].bytes);
}

static void change(predictor *one, size_t argument, bool notes)
{
    ((float *)pod_buffer_data(one->arguments[argument]))[7] += 0.25f;
    if (notes)
        pod_buffer_note_write(one->arguments[argument]);
}

static pod_status no_next(void *context, pod_buffer **slots, size_t count, pod_error *failure)
{
    (void)context, (void)slots, (void)count, (void)failure;
    return POD_END;
}

static void check_held(pod_dtype compute, int threads)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = new_predictor(context, compute);
    pod_array arrays[MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    bool held[MOST_VALUES];
    predictor plain, holding;
    const pod_run_options notes = {.tells_writes = true}, silent = {0};
    make_arguments(graph, arrays);
    for (size_t i = 0; i < parameters; i++) {
        held[i] = i > 0;
        plain.arguments[i] = buffer_of(context, &arrays[i]);
        holding.arguments[i] = buffer_of(context, &arrays[i]);
    }
    ASSERT_OK(pod_context_set_threads(context, threads, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &plain.program, &error));
    ASSERT_OK(pod_program_compile(context, graph, &(pod_compile_options){.held = held}, &holding.program, &error));
    const bool packs = compute == POD_BF16 || pod_kernel_dot_packed_b_bytes(&plain.program->kernels->dot_f32, 1, 1) > 0;
    ASSERT(!plain.program->entry);
    ASSERT_EQ(packs, holding.program->entry != NULL);
    for (size_t i = 0; i < parameters; i++) {
        change(&plain, i, true);
        change(&holding, i, i > 0);
        ASSERT(predict_the_same(&plain, &holding, &notes));
        ASSERT(predict_the_same(&plain, &holding, &notes));
    }
    spoil_kept(holding.program); /* what is kept is what is read, until an argument was written to */
    ASSERT_EQ(!packs, predict_the_same(&plain, &holding, &notes));
    pod_buffer_note_write(holding.arguments[1]);
    ASSERT(predict_the_same(&plain, &holding, &notes));
    change(&plain, 2, false);
    change(&holding, 2, false);
    ASSERT(predict_the_same(&plain, &holding, &silent));
    pod_buffer_release(holding.arguments[1]); /* another buffer, which was never written to */
    holding.arguments[1] = buffer_of(context, &arrays[1]);
    ASSERT(predict_the_same(&plain, &holding, &notes) == false);
    const pod_infeed infeed = {.next = no_next};
    const pod_run_options fed = {.infeed = &infeed, .infeed_first = 1, .infeed_count = 1};
    pod_buffer *result;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "is held; it cannot come from an infeed",
                 pod_program_run(holding.program, holding.arguments, &result, &fed, NULL, &error));
    for (size_t i = 0; i < parameters; i++) {
        pod_buffer_release(plain.arguments[i]);
        pod_buffer_release(holding.arguments[i]);
    }
    pod_program_free(plain.program);
    pod_program_free(holding.program);
    evaluate_free(arrays, parameters);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(what_is_made_of_held_arguments_is_made_when_they_change)
{
    for (int threads = 1; threads <= 3; threads++) {
        check_held(POD_F32, threads);
        check_held(POD_BF16, threads);
    }
}

TEST(networks_of_images_train)
{
    check_model("images", image_model, POD_F32, false, 2e-5);
}

TEST(networks_of_text_train)
{
    check_model("text f32", text_model, POD_F32, false, 5e-5);
    check_model("text bf16", text_model, POD_BF16, false, 6e-2);
}

TEST(a_label_that_is_no_class_fails_the_step)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = build(context, dense_model, POD_F32, false);
    pod_program *program;
    pod_buffer *arguments[MOST_VALUES], *results[MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    for (size_t i = 0; i < parameters; i++) {
        const pod_node *p = pod_graph_get_parameter(graph, i);
        ASSERT_OK(pod_buffer_new(context, pod_node_dtype(p, 0), pod_node_shape(p, 0), &arguments[i], &error));
    }
    ((int32_t *)pod_buffer_data(arguments[1]))[150] = 10;
    ASSERT_FAILS(POD_ERROR_VALUE, "label 10 of example 150 is not one of the classes 0 to 9",
                 pod_program_run(program, arguments, results, NULL, NULL, &error));
    for (size_t i = 0; i < parameters; i++)
        pod_buffer_release(arguments[i]);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* Threads take pieces of a phase in any order; what is told is the first failure in the program's. */
TEST(the_first_label_that_is_no_class_is_told)
{
    enum { ROWS = 20000, CLASSES = 40, FIRST = 7001 };
    pod_context *context = test_context(&(pod_context_options){.threads = 5});
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "loss", &graph, &error));
    pod_node *inputs[] = {pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {ROWS, CLASSES}}, "logits"),
                          pod_graph_parameter(graph, POD_S32, &(pod_shape){1, {ROWS}}, "labels")};
    pod_graph_add_output(graph, pod_graph_composite(graph, "sparse_softmax_cross_entropy", inputs, 2, NULL));
    pod_program *program;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_buffer *arguments[2], *result;
    for (size_t i = 0; i < 2; i++)
        ASSERT_OK(
            pod_buffer_new(context, pod_node_dtype(inputs[i], 0), pod_node_shape(inputs[i], 0), &arguments[i], &error));
    for (int row = FIRST; row < ROWS; row++)
        ((int32_t *)pod_buffer_data(arguments[1]))[row] = CLASSES;
    for (int run = 0; run < 50; run++)
        ASSERT_FAILS(POD_ERROR_VALUE, "label 40 of example 7001 is not one of the classes 0 to 39",
                     pod_program_run(program, arguments, &result, NULL, NULL, &error));
    for (size_t i = 0; i < 2; i++)
        pod_buffer_release(arguments[i]);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* The loss itself may not be asked for: it is computed nowhere then. */
TEST(a_label_that_is_no_class_fails_a_gradient_without_its_loss)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "gradient", &graph, &error));
    pod_node *inputs[] = {pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {2, 4}}, "logits"),
                          pod_graph_parameter(graph, POD_S32, &(pod_shape){1, {2}}, "labels"),
                          pod_graph_parameter(graph, POD_F32, &(pod_shape){1, {2}}, "g")};
    pod_graph_add_output(graph, pod_graph_composite(graph, "sparse_softmax_cross_entropy_gradient", inputs, 3, NULL));
    pod_program *program;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_buffer *arguments[3], *result;
    for (size_t i = 0; i < 3; i++)
        ASSERT_OK(
            pod_buffer_new(context, pod_node_dtype(inputs[i], 0), pod_node_shape(inputs[i], 0), &arguments[i], &error));
    ((int32_t *)pod_buffer_data(arguments[1]))[1] = -1;
    ASSERT_FAILS(POD_ERROR_VALUE, "label -1 of example 1 is not one of the classes 0 to 3",
                 pod_program_run(program, arguments, &result, NULL, NULL, &error));
    for (size_t i = 0; i < 3; i++)
        pod_buffer_release(arguments[i]);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* ---- what is held is what was planned --------------------------------------------------------------------- */

static uint64_t held(pod_context *context)
{
    return pod_context_memory(context).current_bytes;
}

/* A program that adds one, for what a run on so many threads leaves in the context: they stay. */
static void start_threads(pod_context *context, int threads)
{
    pod_graph *g;
    pod_program *program;
    pod_buffer *argument, *result;
    ASSERT_OK(pod_context_set_threads(context, threads, &error));
    ASSERT_OK(pod_graph_new(context, "one", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(3), "x");
    pod_graph_add_output(g, pod_graph_add(g, x, pod_graph_scalar(g, POD_F32, 1, NULL)));
    ASSERT_OK(pod_program_compile(context, g, NULL, &program, &error));
    ASSERT_OK(pod_buffer_new(context, POD_F32, SHAPE(3), &argument, &error));
    ASSERT_OK(pod_program_run(program, &argument, &result, NULL, NULL, &error));
    pod_buffer_release(argument);
    pod_buffer_release(result);
    pod_program_free(program);
    pod_graph_free(g);
}

/* Runs a program, keeps nothing, and compares plan, the program's count and how the context's grows. */
static void check_account(pod_context *context, pod_program *program, pod_buffer *const *arguments, int threads,
                          int64_t steps)
{
    pod_buffer *results[MOST_VALUES];
    const pod_run_options how = {.steps = steps};
    start_threads(context, threads);
    const uint64_t before = held(context) - pod_program_get_stats(program).held_bytes;
    const uint64_t planned = pod_program_planned_bytes(program, threads, steps);
    ASSERT_OK(pod_program_run(program, arguments, results, &how, NULL, &error));
    const pod_program_stats stats = pod_program_get_stats(program);
    ASSERT_EQ(planned, stats.planned_bytes);
    ASSERT_EQ(planned, stats.allocated_bytes);
    uint64_t handed_over = 0;
    for (size_t i = 0; i < program->output_count; i++)
        if (results[i])
            handed_over += pod_buffer_held_bytes(results[i]);
    ASSERT_EQ(before + stats.held_bytes + handed_over, held(context));
    ASSERT_EQ(planned, stats.held_bytes + (steps > 1 ? 2 : 1) * handed_over);
    for (size_t i = 0; i < program->output_count; i++)
        pod_buffer_release(results[i]);
}

static void check_accounts(pod_node *(*make)(model *, pod_dtype), pod_dtype compute)
{
    pod_context *context = test_context(&(pod_context_options){.short_run_nanoseconds = -1}); /* all take part */
    pod_graph *graph = build(context, make, compute, true);
    pod_buffer *arguments[MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    for (size_t i = 0; i < parameters; i++) {
        const pod_node *p = pod_graph_get_parameter(graph, i);
        ASSERT_OK(pod_buffer_new(context, pod_node_dtype(p, 0), pod_node_shape(p, 0), &arguments[i], &error));
    }
    start_threads(context, 3);
    const uint64_t before = held(context);
    pod_program *program;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_program_stats stats = pod_program_get_stats(program);
    ASSERT_EQ(stats.planned_bytes, stats.allocated_bytes);
    ASSERT_EQ(before + stats.held_bytes, held(context));
    ASSERT(stats.code_bytes > 0 && stats.scratch_bytes > 0);
    for (int threads = 1; threads <= 3; threads++) {
        check_account(context, program, arguments, threads, 1);
        ASSERT(pod_program_get_stats(program).allocated_bytes > stats.allocated_bytes);
        stats = pod_program_get_stats(program);
    }
    check_account(context, program, arguments, 3, 5);
    pod_program_free(program);
    ASSERT_EQ(before, held(context));
    for (size_t i = 0; i < parameters; i++)
        pod_buffer_release(arguments[i]);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(what_programs_hold_is_what_was_planned)
{
    check_accounts(dense_model, POD_F32);
    check_accounts(dense_model, POD_BF16);
    check_accounts(image_model, POD_F32);
    check_accounts(text_model, POD_F32);
    check_accounts(text_model, POD_BF16);
}

TEST_MAIN(RUN(what_programs_hold_is_what_was_planned); RUN(dense_networks_train); RUN(networks_of_images_train);
          RUN(networks_of_text_train); RUN(weights_that_stay_packed_are_the_weights);
          RUN(runs_use_what_the_last_one_packed); RUN(what_is_made_of_held_arguments_is_made_when_they_change);
          RUN(a_label_that_is_no_class_fails_the_step); RUN(a_label_that_is_no_class_fails_a_gradient_without_its_loss);
          RUN(the_first_label_that_is_no_class_is_told))
