/*
 * Convolutions in compiled programs: by themselves and with what follows them, against the oracle, and
 * bit for bit the same on 1, 2 and 3 threads.
 */

#include "base/arena_apart.h"
#include "program/compiled.h"
#include "graph/node.h"
#include "graph_setup.h"
#include "window_trial.h"

static const window_trial trials[] = {
    /* layers as models have them, padded as "same", with batches that threads share unevenly */
    {2, 13, 1, 32, 1, {28, 28}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 9, 32, 64, 1, {13, 13}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 33, 3, 8, 1, {9, 9}, {3, 3}, {2, 2}, {0, 0}, {1, 1}, {1, 1}},
    {2, 40, 16, 17, 1, {5, 5}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}},
    /* fewer images than threads can share */
    {2, 1, 6, 20, 1, {21, 19}, {3, 5}, {1, 1}, {1, 2}, {1, 2}, {1, 1}},
    {2, 2, 6, 40, 1, {40, 30}, {3, 3}, {2, 1}, {1, 1}, {0, 1}, {1, 1}},
    /* strides, dilations, one-sided and wide padding, groups */
    {2, 7, 7, 10, 1, {9, 11}, {3, 2}, {2, 3}, {0, 1}, {2, 0}, {1, 1}},
    {2, 6, 6, 5, 1, {12, 10}, {3, 3}, {1, 2}, {2, 1}, {2, 3}, {2, 3}},
    {2, 5, 16, 24, 2, {8, 8}, {3, 3}, {2, 2}, {0, 0}, {1, 1}, {1, 1}},
    {2, 11, 12, 8, 4, {5, 6}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}},
    {2, 6, 9, 9, 9, {8, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 4, 2, 3, 1, {3, 3}, {2, 2}, {1, 1}, {3, 3}, {3, 3}, {1, 1}},
    {2, 5, 3, 20, 1, {12, 12}, {4, 4}, {4, 4}, {0, 0}, {0, 0}, {1, 1}},
    /* one axis and three */
    {1, 14, 9, 40, 1, {33}, {5}, {1}, {4}, {0}, {1}},
    {1, 5, 4, 17, 1, {20}, {4}, {3}, {1}, {2}, {2}},
    {1, 3, 6, 7, 1, {24}, {5}, {6}, {3}, {9}, {4}},
    {3, 5, 3, 18, 1, {5, 6, 7}, {2, 3, 3}, {1, 2, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 2}},
    /* no images */
    {2, 0, 3, 5, 1, {6, 6}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
};

#define TRIAL_COUNT (sizeof trials / sizeof *trials)

/* The shapes of x, the kernel and the result. */
typedef struct shapes {
    pod_window window;
    pod_shape x, kernel, result;
} shapes;

static shapes shapes_of(const window_trial *trial)
{
    shapes s = {.window = {.rank = trial->rank, .groups = trial->groups}};
    s.x = s.kernel = s.result = (pod_shape){trial->rank + 2, {trial->batch}};
    for (int i = 0; i < trial->rank; i++) {
        s.window.size[i] = trial->size[i];
        s.window.stride[i] = trial->stride[i];
        s.window.pad_low[i] = trial->low[i];
        s.window.pad_high[i] = trial->high[i];
        s.window.dilation[i] = trial->dilation[i];
        const int64_t reach = (trial->size[i] - 1) * trial->dilation[i] + 1;
        const int64_t padded = trial->in[i] + trial->low[i] + trial->high[i];
        s.x.dims[i + 1] = trial->in[i];
        s.kernel.dims[i] = trial->size[i];
        s.result.dims[i + 1] = (padded - reach) / trial->stride[i] + 1;
    }
    s.x.dims[trial->rank + 1] = trial->channels;
    s.kernel.dims[trial->rank] = trial->channels / trial->groups;
    s.kernel.dims[trial->rank + 1] = s.result.dims[trial->rank + 1] = trial->filters;
    return s;
}

static pod_node *convolve(setup *s, pod_op op, pod_node *left, pod_node *right, const shapes *sizes,
                          const pod_shape *shape, pod_dtype dtype)
{
    pod_attributes attributes = {.window = sizes->window, .dtype = dtype};
    if (op != POD_OP_CONVOLUTION)
        attributes.shape = *shape;
    pod_node *inputs[2] = {left, right};
    return pod_graph_apply(s->graph, op, inputs, 2, &attributes, NULL, 0);
}

/* Results of another number of threads must have the same bits. */
static void check_bits(const setup *s, const char *what)
{
    outcome one = program_run(s->context, s->graph, s->arguments, false, 1, 1);
    for (int threads = 2; threads <= 3; threads++) {
        outcome o = program_run(s->context, s->graph, s->arguments, false, threads, 1);
        for (size_t i = 0; i < o.outputs; i++) {
            const char *a = pod_buffer_data(one.results[i]), *b = pod_buffer_data(o.results[i]);
            const size_t bytes = pod_buffer_bytes(o.results[i]);
            if (bytes && memcmp(a, b, bytes) != 0)
                FAIL("%s: output %zu has other bits on %d threads", what, i, threads);
        }
        outcome_release(&o);
    }
    outcome_release(&one);
}

/* Of a result of this type, relative to its largest element. */
static double tolerance(pod_dtype result)
{
    return result == POD_BF16 ? 0x1p-7 : 0x1p-15;
}

static void check(setup *s, const char *what, double relative)
{
    check_against_oracle(s->context, s->graph, s->arguments, what, relative);
    check_bits(s, what);
    setup_free(s);
}

/* ---- each op by itself ----------------------------------------------------------------------- */

static void check_plain(const window_trial *trial, pod_dtype dtype, pod_dtype result)
{
    char what[64];
    const shapes sizes = shapes_of(trial);
    setup s = setup_new("convolutions");
    snprintf(what, sizeof what, "trial %d, %s -> %s", (int)(trial - trials), pod_dtype_name(dtype),
             pod_dtype_name(result));
    pod_node *x = parameter(&s, dtype, &sizes.x), *kernel = parameter(&s, dtype, &sizes.kernel);
    pod_node *g = parameter(&s, dtype, &sizes.result);
    pod_node *outputs[] = {
        convolve(&s, POD_OP_CONVOLUTION, x, kernel, &sizes, &sizes.result, result),
        convolve(&s, POD_OP_CONVOLUTION_INPUT_GRADIENT, g, kernel, &sizes, &sizes.x, result),
        convolve(&s, POD_OP_CONVOLUTION_KERNEL_GRADIENT, x, g, &sizes, &sizes.kernel, result),
    };
    for (int i = 0; i < 3; i++)
        pod_graph_add_output(s.graph, outputs[i]);
    check(&s, what, tolerance(result));
}

TEST(f32_convolutions_are_those_of_the_oracle)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++)
        check_plain(&trials[i], POD_F32, POD_F32);
}

TEST(bf16_convolutions_are_those_of_the_oracle)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        check_plain(&trials[i], POD_BF16, POD_F32);
        check_plain(&trials[i], POD_BF16, POD_BF16);
    }
}

TEST(convolutions_of_other_types_keep_their_kernels)
{
    check_plain(&trials[6], POD_F64, POD_F64);
    check_plain(&trials[6], POD_F16, POD_F32);
}

/* ---- with what follows ----------------------------------------------------------------------- */

/* relu(convolution + bias), the largest of each 2 x 2, their mean square, and its gradients; sums over
 * rows and the largest of the filters. In bf16, where rounding decides which element is positive or
 * the largest, tanh and the sum take their place. */
static void add_layer(setup *s, const shapes *sizes, pod_dtype dtype)
{
    pod_graph *g = s->graph;
    pod_node *x = parameter(s, dtype, &sizes->x), *kernel = parameter(s, dtype, &sizes->kernel);
    pod_node *bias = parameter(s, dtype, &(pod_shape){1, {sizes->result.dims[3]}});
    pod_node *sum = convolve(s, POD_OP_CONVOLUTION, x, kernel, sizes, &sizes->result, dtype);
    pod_node *shifted = pod_graph_add(g, sum, bias);
    pod_node *active =
        dtype == POD_F32 ? pod_graph_composite(g, "relu", &shifted, 1, NULL) : pod_graph_tanh(g, shifted);
    pod_attributes pool = {.window = {2, {2, 2}, {2, 2}, {0}, {0}, {1, 1}, 1}};
    pod_node *largest =
        pod_graph_apply(g, dtype == POD_F32 ? POD_OP_POOL_MAX : POD_OP_POOL_SUM, &active, 1, &pool, NULL, 0);
    pod_node *wide = pod_graph_convert(g, largest, POD_F32);
    pod_node *loss = pod_graph_mean(g, pod_graph_multiply(g, wide, wide), NULL, false);
    pod_node *gradients[3];
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, s->nodes, 3, gradients, &error));
    pod_graph_add_output(g, loss);
    for (int i = 0; i < 3; i++)
        pod_graph_add_output(g, gradients[i]);
    pod_graph_add_output(
        g, pod_graph_reduce(g, "reduce_sum", pod_graph_convert(g, active, POD_F32), &(pod_axes){3, {0, 1, 2}}, false));
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_max", active, &(pod_axes){1, {3}}, true));
}

static void check_layer(const window_trial *trial, pod_dtype dtype)
{
    char what[64];
    const shapes sizes = shapes_of(trial);
    setup s = setup_new("convolutions");
    snprintf(what, sizeof what, "layer %d, %s", (int)(trial - trials), pod_dtype_name(dtype));
    add_layer(&s, &sizes, dtype);
    check(&s, what, dtype == POD_BF16 ? 0x1p-5 : 0x1p-14);
}

TEST(layers_and_their_gradients_are_those_of_the_oracle)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++)
        if (trials[i].rank == 2 && trials[i].batch > 0)
            check_layer(&trials[i], POD_F32);
}

TEST(layers_of_bf16_are_those_of_the_oracle)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++)
        if (trials[i].rank == 2 && trials[i].batch > 0)
            check_layer(&trials[i], POD_BF16);
}

/* Counts instructions whose first operand has this type. */
static int count_readers(const pod_program *program, const char *name, pod_dtype dtype)
{
    int count = 0;
    for (uint32_t i = 0; i < program->function->instruction_count; i++) {
        const pod_instruction *one = program->function->instructions[i];
        count += strcmp(one->name, name) == 0 && program->slots[one->slots[0]].dtype == dtype;
    }
    return count;
}

/* relu after or before the largest of windows that overlap, touch, or leave places out. */
static void check_pooling(const pod_window *window, pod_dtype dtype)
{
    setup s = setup_new("convolutions");
    pod_graph *g = s.graph;
    pod_node *x = parameter(&s, dtype, &(pod_shape){4, {18, 9, 10, 37}});
    pod_node *bias = parameter(&s, dtype, &(pod_shape){1, {37}});
    pod_node *shifted = pod_graph_add(g, x, bias);
    pod_node *active = pod_graph_composite(g, "relu", &shifted, 1, NULL);
    pod_attributes pool = {.window = *window};
    pod_node *largest = pod_graph_apply(g, POD_OP_POOL_MAX, &active, 1, &pool, NULL, 0);
    pod_node *wide = pod_graph_convert(g, largest, POD_F32);
    pod_node *loss = pod_graph_mean(g, pod_graph_multiply(g, wide, wide), NULL, false);
    pod_node *gradients[2];
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, s.nodes, 2, gradients, &error));
    for (int i = 0; i < 2; i++)
        pod_graph_add_output(g, gradients[i]);
    pod_program *program;
    ASSERT_OK(pod_program_compile(s.context, g, NULL, &program, &error));
    ASSERT_EQ(1, count_readers(program, "pool_max_gradient", POD_U8));
    pod_program_free(program);
    check(&s, "pooling", dtype == POD_BF16 ? 0x1p-6 : 0x1p-14);
}

TEST(gradients_of_max_pooling_need_positions_only)
{
    static const pod_window windows[] = {
        {2, {2, 2}, {2, 2}, {0}, {0}, {1, 1}, 1},       {2, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 1},
        {2, {2, 3}, {2, 3}, {1, 0}, {0, 2}, {1, 1}, 1}, {2, {1, 2}, {3, 2}, {0}, {0}, {1, 1}, 1},
        {2, {2, 2}, {1, 2}, {0}, {0}, {2, 1}, 1},
    };
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        check_pooling(&windows[i], POD_F32);
        check_pooling(&windows[i], POD_BF16);
    }
}

/* Updates of a kernel that convolves again: phases must not overtake each other. */
TEST(a_kernel_made_in_the_program_is_packed_after_it_is_made)
{
    const shapes sizes = shapes_of(&trials[1]);
    setup s = setup_new("convolutions");
    pod_node *x = parameter(&s, POD_F32, &sizes.x), *kernel = parameter(&s, POD_F32, &sizes.kernel);
    for (int i = 0; i < 3; i++) {
        pod_node *y = convolve(&s, POD_OP_CONVOLUTION, x, kernel, &sizes, &sizes.result, POD_F32);
        y = pod_graph_tanh(s.graph, y);
        pod_node *step = convolve(&s, POD_OP_CONVOLUTION_KERNEL_GRADIENT, x, y, &sizes, &sizes.kernel, POD_F32);
        pod_node *rate = pod_graph_scalar(s.graph, POD_F32, 1e-3, NULL);
        kernel = pod_graph_subtract(s.graph, kernel, pod_graph_multiply(s.graph, step, rate));
        x = convolve(&s, POD_OP_CONVOLUTION_INPUT_GRADIENT, y, kernel, &sizes, &sizes.x, POD_F32);
        x = pod_graph_tanh(s.graph, x);
    }
    pod_graph_add_output(s.graph, kernel);
    pod_graph_add_output(s.graph, x);
    check(&s, "updates", 0x1p-8);
}

/* ---- what is used, and memory ---------------------------------------------------------------- */

static int count_kinds(const pod_function *function, pod_instruction_kind kind)
{
    int count = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        count += function->instructions[i]->kind == kind;
    return count;
}

/* Zeros around an operand, by an op of their own, and what reads them without padding. */
static void check_padded(const window_trial *trial)
{
    shapes sizes = shapes_of(trial), plain = sizes;
    setup s = setup_new("padded");
    pod_program *program;
    pod_attributes around = {0};
    for (int i = 0; i < trial->rank; i++) {
        around.low[i + 1] = trial->low[i];
        around.high[i + 1] = trial->high[i];
        plain.window.pad_low[i] = plain.window.pad_high[i] = 0;
    }
    pod_node *x = parameter(&s, POD_F32, &sizes.x), *kernel = parameter(&s, POD_F32, &sizes.kernel);
    pod_node *g = parameter(&s, POD_F32, &sizes.result);
    pod_node *inputs[2] = {x, pod_graph_scalar(s.graph, POD_F32, 0, NULL)};
    x = pod_graph_apply(s.graph, POD_OP_PAD, inputs, 2, &around, NULL, 0);
    pod_graph_add_output(s.graph, convolve(&s, POD_OP_CONVOLUTION, x, kernel, &plain, &sizes.result, POD_F32));
    pod_graph_add_output(s.graph,
                         convolve(&s, POD_OP_CONVOLUTION_KERNEL_GRADIENT, x, g, &plain, &sizes.kernel, POD_F32));
    ASSERT_OK(pod_program_compile(s.context, s.graph, NULL, &program, &error));
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        ASSERT(!program->function->instructions[i]->name || strcmp(program->function->instructions[i]->name, "pad"));
    pod_program_free(program);
    check(&s, "padded", 0x1p-15);
}

TEST(zeros_around_an_operand_are_the_convolutions_own)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++)
        if (trials[i].batch > 0)
            check_padded(&trials[i]);
}

TEST(convolutions_are_products_of_patches)
{
    const shapes sizes = shapes_of(&trials[1]);
    setup s = setup_new("convolutions");
    pod_program *program;
    add_layer(&s, &sizes, POD_BF16);
    ASSERT_OK(pod_program_compile(s.context, s.graph, NULL, &program, &error));
    ASSERT(count_kinds(program->function, POD_DO_CONVOLUTION) >= 3);
    for (uint32_t i = 0; i < program->function->instruction_count; i++) {
        const pod_instruction *one = program->function->instructions[i];
        ASSERT(one->kind != POD_DO_KERNEL || strncmp(one->name, "convolution", 11) != 0);
    }
    pod_program_free(program);
    setup_free(&s);
}

TEST(every_allocation_of_a_layer_may_fail)
{
    pod_arenas_apart = true;
    test_allocator allocator = {.granted = -1};
    const shapes sizes = shapes_of(&trials[8]);
    setup s = {.context = test_context(&(pod_context_options){.threads = 1, .allocator = {test_resize, &allocator}})};
    ASSERT_OK(pod_graph_new(s.context, "layer", &s.graph, &error));
    add_layer(&s, &sizes, POD_F32);
    pod_buffer *arguments[MOST_ARGUMENTS], *results[MOST_VALUES];
    for (size_t i = 0; i < s.count; i++)
        arguments[i] = buffer_of(s.context, &s.arguments[i]);
    pod_program *program = NULL;
    for (long granted = 0;; granted++) {
        const long live = allocator.live;
        allocator.granted = granted;
        pod_status status = pod_program_compile(s.context, s.graph, NULL, &program, &error);
        if (status == POD_OK)
            status = pod_program_run(program, arguments, results, NULL, NULL, &error);
        allocator.granted = -1;
        if (status == POD_OK)
            break;
        ASSERT_EQ(POD_ERROR_MEMORY, status);
        pod_program_free(program);
        program = NULL;
        ASSERT_EQ(live, allocator.live);
        ASSERT(granted < 100000);
    }
    for (size_t i = 0; i < pod_graph_output_count(s.graph); i++)
        pod_buffer_release(results[i]);
    for (size_t i = 0; i < s.count; i++)
        pod_buffer_release(arguments[i]);
    pod_program_free(program);
    setup_free(&s);
    ASSERT_EQ(0, allocator.live);
    pod_arenas_apart = false;
}

/* ---- in programs that predict ---------------------------------------------------------------- */

/* One channel and one filter a group. */
static const window_trial depthwise[] = {
    {2, 1, 70, 70, 70, {40, 33}, {3, 3}, {2, 2}, {0, 1}, {1, 0}, {1, 1}},
    {2, 5, 96, 96, 96, {14, 9}, {5, 5}, {1, 1}, {2, 2}, {2, 2}, {1, 1}},
    {2, 9, 24, 24, 24, {12, 70}, {3, 3}, {1, 1}, {1, 2}, {1, 2}, {1, 2}},
    {2, 3, 1, 1, 1, {9, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {1, 3, 130, 130, 130, {50}, {3}, {1}, {1}, {1}, {2}},
    {3, 2, 16, 16, 16, {5, 6, 7}, {2, 3, 3}, {1, 2, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 1, 48, 48, 48, {20, 35}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 32, 32, 32, {15, 29}, {3, 3}, {2, 2}, {0, 1}, {1, 0}, {1, 1}},
};

/* convolution * scale + shift, added to, positive and at most a bound. */
static void add_prediction(setup *s, const window_trial *trial, pod_dtype dtype)
{
    pod_graph *g = s->graph;
    const shapes sizes = shapes_of(trial);
    const pod_shape columns = {1, {trial->filters}};
    pod_node *x = parameter(s, dtype, &sizes.x), *more = parameter(s, dtype, &sizes.result);
    pod_node *kernel = parameter(s, dtype, &sizes.kernel);
    pod_node *scale = parameter(s, dtype, &columns), *shift = parameter(s, dtype, &columns);
    pod_node *y = convolve(s, POD_OP_CONVOLUTION, x, kernel, &sizes, &sizes.result, dtype);
    y = pod_graph_add(g, pod_graph_add(g, pod_graph_multiply(g, y, scale), shift), more);
    pod_node *bound = pod_graph_scalar(g, dtype, 1.5, NULL);
    pod_node *bounded =
        pod_graph_select(g, pod_graph_compare(g, POD_COMPARE_GE, y, bound),
                         pod_graph_broadcast_to(g, bound, &sizes.result), pod_graph_composite(g, "relu", &y, 1, NULL));
    pod_graph_add_output(g, bounded);
}

/* Held weights and scales change no bit. A depthwise one is one instruction then, with all that follows. */
static void check_prediction(const window_trial *trial, pod_dtype dtype)
{
    const bool held[] = {false, false, true, true, true};
    setup s = setup_new("convolutions");
    add_prediction(&s, trial, dtype);
    check_against_oracle(s.context, s.graph, s.arguments, "a prediction", dtype == POD_BF16 ? 0x1p-5 : 0x1p-14);
    outcome plain = program_run(s.context, s.graph, s.arguments, false, 1, 1);
    pod_program *program;
    ASSERT_OK(pod_program_compile(s.context, s.graph, &(pod_compile_options){.held = held}, &program, &error));
    if (trial->groups == trial->filters)
        ASSERT_EQ(1, program->function->instruction_count);
    for (int threads = 1; threads <= 3; threads++) {
        pod_buffer *result;
        ASSERT_OK(pod_context_set_threads(s.context, threads, &error));
        ASSERT_OK(pod_program_run(program, plain.arguments, &result, NULL, NULL, &error));
        ASSERT_EQ(0, memcmp(pod_buffer_data(plain.results[0]), pod_buffer_data(result), pod_buffer_bytes(result)));
        pod_buffer_release(result);
    }
    pod_program_free(program);
    outcome_release(&plain);
    setup_free(&s);
}

TEST(depthwise_convolutions_hand_their_tiles_over)
{
    for (size_t i = 0; i < sizeof depthwise / sizeof *depthwise; i++) {
        check_prediction(&depthwise[i], POD_F32);
        check_prediction(&depthwise[i], POD_BF16);
    }
    for (size_t i = 0; i < TRIAL_COUNT; i++)
        if (trials[i].batch > 0)
            check_prediction(&trials[i], POD_F32);
}

TEST_MAIN(RUN(depthwise_convolutions_hand_their_tiles_over); RUN(f32_convolutions_are_those_of_the_oracle);
          RUN(bf16_convolutions_are_those_of_the_oracle); RUN(convolutions_of_other_types_keep_their_kernels);
          RUN(layers_and_their_gradients_are_those_of_the_oracle); RUN(layers_of_bf16_are_those_of_the_oracle);
          RUN(gradients_of_max_pooling_need_positions_only);
          RUN(a_kernel_made_in_the_program_is_packed_after_it_is_made); RUN(convolutions_are_products_of_patches);
          RUN(zeros_around_an_operand_are_the_convolutions_own); RUN(every_allocation_of_a_layer_may_fail))
