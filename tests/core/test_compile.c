/* Compiling: what passes leave, where buffers lie, how long it takes. */

#include "compile/lower.h"
#include "graph/build.h"
#include "graph/composites.h"
#include "program_run.h"
#include "random_graph.h"

#include <time.h>

static pod_error error;

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pod_graph *new_graph(pod_context *context)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    return graph;
}

static pod_program *compile(pod_context *context, pod_graph *graph)
{
    pod_program *program;
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    return program;
}

/* ---- sums over rows ------------------------------------------------------------------------------------- */

/* How many partial sums the columns of so many rows have; 1: none. */
static int64_t partial_sums(pod_context *context, int64_t rows)
{
    int64_t partials = 1;
    pod_graph *graph = new_graph(context);
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(rows, 3), "x");
    pod_graph_add_output(graph,
                         pod_graph_reduce(graph, "reduce_sum", pod_graph_tanh(graph, x), &(pod_axes){1, {0}}, false));
    pod_program *program = compile(context, graph);
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        if (program->function->instructions[i]->kind == POD_DO_COMBINE)
            partials = program->function->instructions[i]->combine.partials;
    pod_program_free(program);
    pod_graph_free(graph);
    return partials;
}

/* So few that adding them costs little, so many that threads share the rows; the same for any number of threads. */
TEST(rows_have_up_to_32_partial_sums)
{
    pod_context *context = test_context(NULL);
    ASSERT_EQ(1, partial_sums(context, POD_PARTIAL_ROWS));
    ASSERT_EQ(2, partial_sums(context, POD_PARTIAL_ROWS + 1));
    ASSERT_EQ(32, partial_sums(context, POD_PARTIAL_ROWS * 32));
    ASSERT_EQ(17, partial_sums(context, POD_PARTIAL_ROWS * 32 + 1));
    ASSERT_EQ(17, partial_sums(context, POD_PARTIAL_ROWS * 33));
    ASSERT_EQ(32, partial_sums(context, POD_PARTIAL_ROWS * 64));
    ASSERT_EQ(17, partial_sums(context, POD_PARTIAL_ROWS * 66));
    pod_context_release(context);
}

/* ---- passes ----------------------------------------------------------------------------------------- */

/* Steps of a program's loops that fill blocks with elements of rows. */
static size_t count_spreads(const pod_program *program)
{
    const pod_function *function = program->function;
    size_t count = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_loop *loop = function->instructions[i]->kind == POD_DO_LOOP ? function->instructions[i]->loop : NULL;
        for (uint32_t j = 0; loop && j < loop->step_count; j++)
            count += loop->steps[j].kind == POD_STEP_SPREAD;
        for (uint32_t j = 0; loop && j < loop->load_count; j++)
            count += loop->loads[j].access == POD_ACCESS_ROW;
    }
    return count;
}

/* Compiles a graph whose one output is `make` of a parameter; returns the instructions, of which no loop spreads
 * rows. */
static size_t instructions_of(pod_node *(*make)(pod_graph *graph, pod_node *x))
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = new_graph(context);
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(40, 50), "x");
    pod_graph_add_output(graph, make(graph, x));
    pod_program *program = compile(context, graph);
    size_t count = pod_program_get_stats(program).instructions;
    ASSERT_EQ(0, count_spreads(program));
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
    return count;
}

static pod_node *chain(pod_graph *g, pod_node *x)
{
    for (int i = 0; i < 20; i++)
        x = pod_graph_tanh(g, pod_graph_add(g, x, pod_graph_scalar(g, POD_F32, i, NULL)));
    return x;
}

static pod_node *dead_and_double(pod_graph *g, pod_node *x)
{
    (void)pod_graph_matmul(g, x, pod_graph_transpose(g, x, NULL));
    return pod_graph_add(g, pod_graph_matmul(g, pod_graph_transpose(g, x, NULL), x),
                         pod_graph_matmul(g, pod_graph_transpose(g, x, NULL), x));
}

static pod_node *turned_twice(pod_graph *g, pod_node *x)
{
    x = pod_graph_transpose(g, pod_graph_transpose(g, x, NULL), NULL);
    x = pod_graph_reshape(g, pod_graph_reshape(g, x, SHAPE(2000)), SHAPE(40, 50));
    return pod_graph_multiply(g, x, pod_graph_scalar(g, POD_F32, 1, NULL));
}

static pod_node *turned_product(pod_graph *g, pod_node *x)
{
    x = pod_graph_matmul(g, pod_graph_transpose(g, x, NULL), x);
    return pod_graph_tanh(g, pod_graph_transpose(g, x, NULL));
}

static pod_node *read_both_ways(pod_graph *g, pod_node *x)
{
    x = pod_graph_matmul(g, pod_graph_transpose(g, x, NULL), x);
    return pod_graph_subtract(g, pod_graph_transpose(g, x, NULL), x);
}

static pod_node *of_constants(pod_graph *g, pod_node *x)
{
    pod_node *c = pod_graph_scalar(g, POD_F32, 2, NULL);
    for (int i = 0; i < 30; i++)
        c = pod_graph_sqrt(g, pod_graph_add(g, c, c));
    return pod_graph_multiply(g, x, c);
}

static pod_node *normalized(pod_graph *g, pod_node *x)
{
    pod_attributes attributes = {.values = {1e-3}};
    return pod_graph_composite(g, "layer_normalization", &x, 1, &attributes);
}

static pod_node *softmax(pod_graph *g, pod_node *x)
{
    return pod_graph_composite(g, "softmax", &x, 1, &(pod_attributes){.axis = 1});
}

/* Of the sum of y tanh(y), for which every term is there. */
static pod_node *normalized_gradient(pod_graph *g, pod_node *x)
{
    pod_node *y = normalized(g, x), *gradient;
    y = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, y, pod_graph_tanh(g, y)), NULL, false);
    ASSERT_OK(pod_graph_gradient(g, y, NULL, &x, 1, &gradient, &error));
    return gradient;
}

static pod_node *gelu(pod_graph *g, pod_node *x)
{
    return pod_graph_composite(g, "gelu", &x, 1, NULL);
}

TEST(rows_that_fit_a_block_are_normalized_in_one_loop)
{
    ASSERT_EQ(1, instructions_of(normalized));
    ASSERT_EQ(1, instructions_of(normalized_gradient));
    ASSERT_EQ(1, instructions_of(softmax));
    ASSERT_EQ(1, instructions_of(gelu));
}

TEST(passes_leave_what_is_needed)
{
    ASSERT_EQ(1, instructions_of(chain));
    pod_context *context = test_context(NULL);
    const bool packs = strcmp(pod_context_isa(context), "portable") != 0; /* OpenBLAS packs for itself */
    pod_context_release(context);
    ASSERT_EQ(packs ? 2 : 1, instructions_of(dead_and_double)); /* pack, product */
    ASSERT_EQ(packs ? 2 : 1, instructions_of(turned_product));
    ASSERT_EQ(packs ? 3 : 2, instructions_of(read_both_ways)); /* and a loop */
    ASSERT_EQ(1, instructions_of(turned_twice));               /* a copy to the result */
    ASSERT_EQ(1, instructions_of(of_constants));
}

/* ---- buffers ---------------------------------------------------------------------------------------- */

typedef struct span {
    uint32_t slot;
    uint64_t begin, end;
    uint32_t first, last; /* phases */
    bool row_by_row;      /* its rows are made and read in one group */
} span;

/* Slots of one function that share bytes in one phase must be the same part of the same rows: recycled
 * places are that, others are not allowed. */
static void check_function(const pod_program *program, const pod_function *function)
{
    span *spans = calloc(program->slot_count, sizeof *spans);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++) {
            const pod_slot *slot = &program->slots[one->slots[j]];
            span *s = &spans[slot->base];
            if (slot->kind != POD_SLOT_ARENA || !slot->bytes)
                continue;
            if (!s->end)
                *s = (span){slot->base, slot->offset, slot->offset + slot->bytes, one->phase, 0, 0};
            s->first = one->phase < s->first ? one->phase : s->first;
            s->last = one->phase > s->last ? one->phase : s->last;
        }
    }
    for (uint32_t i = 0; i < program->slot_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const span *x = &spans[i], *y = &spans[j];
            bool bytes = x->end && y->end && x->begin < y->end && y->begin < x->end;
            if (bytes && x->first <= y->last && y->first <= x->last)
                FAIL("slots %u and %u live together at %llu", i, j, (unsigned long long)x->begin);
        }
    free(spans);
}

static pod_node *shifted_words(pod_graph *g, pod_node *x)
{
    pod_node *words = pod_graph_convert(g, x, POD_S32), *one = pod_graph_scalar(g, POD_S32, 1, NULL);
    pod_node *shifted =
        pod_graph_apply(g, POD_OP_SHIFT_LEFT, (pod_node *[]){words, pod_graph_broadcast_to(g, one, SHAPE(40, 50))}, 2,
                        &(pod_attributes){0}, NULL, 0);
    return pod_graph_add(g, shifted, words);
}

TEST(shifts_of_words_are_steps_of_loops)
{
    ASSERT_EQ(1, instructions_of(shifted_words));
}

/* What is done before the first step of a run is there where weights are packed for all steps. */
TEST(only_what_is_kept_has_an_entry)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = new_graph(context);
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(40, 50), "x");
    pod_graph_add_output(graph, pod_graph_tanh(graph, x));
    pod_program *program = compile(context, graph);
    ASSERT(!program->entry);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* The only instruction of an op in a program. */
static const pod_instruction *instruction_of(const pod_program *program, pod_op op)
{
    const pod_instruction *found = NULL;
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        if (program->function->instructions[i]->op == op) {
            ASSERT(!found);
            found = program->function->instructions[i];
        }
    ASSERT(found);
    return found;
}

/* Columns are written into the rows of a matrix: a row of each belongs to a row of the other. */
TEST(updates_of_whole_rows_are_cut_by_rows)
{
    for (int whole = 0; whole < 2; whole++) {
        pod_context *context = test_context(NULL);
        pod_graph *graph = new_graph(context);
        pod_node *inputs[4] = {pod_graph_parameter(graph, POD_F32, SHAPE(64, 50), "x"),
                               pod_graph_parameter(graph, POD_F32, SHAPE(whole ? 64 : 63, 7), "columns"),
                               pod_graph_parameter(graph, POD_S32, SHAPE(), "row"),
                               pod_graph_parameter(graph, POD_S32, SHAPE(), "column")};
        pod_graph_add_output(
            graph, pod_graph_apply(graph, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, 4, &(pod_attributes){0}, NULL, 0));
        pod_program *program = compile(context, graph);
        ASSERT_EQ(whole, instruction_of(program, POD_OP_DYNAMIC_UPDATE_SLICE)->kernel.sliced);
        pod_program_free(program);
        pod_graph_free(graph);
        pod_context_release(context);
    }
}

/* Running sums of w that only the last phase reads, behind two sums of all of x, are made there, and not before. */
TEST(what_is_used_late_is_made_late)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = new_graph(context);
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(512, 64), "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, SHAPE(512, 64), "w");
    pod_node *sums = pod_graph_apply(graph, POD_OP_CUMULATIVE_SUM, &w, 1, &(pod_attributes){.axis = 1}, NULL, 0);
    for (int i = 0; i < 2; i++)
        x = pod_graph_subtract(graph, x, pod_graph_reduce(graph, "reduce_sum", pod_graph_tanh(graph, x), NULL, false));
    pod_graph_add_output(graph, pod_graph_add(graph, x, sums));
    pod_program *program = compile(context, graph);
    const pod_function *function = program->function;
    ASSERT(function->phase_count >= 3);
    ASSERT_EQ(function->instructions[function->instruction_count - 1]->phase,
              instruction_of(program, POD_OP_CUMULATIVE_SUM)->phase);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(buffers_that_live_together_do_not_overlap)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        pod_context *context = test_context(NULL);
        pod_graph *graph = random_graph_new(context, seed);
        pod_program *program = compile(context, graph);
        check_function(program, program->function);
        pod_program_free(program);
        pod_graph_free(graph);
        pod_context_release(context);
    }
}

/* A deep network without gradients. */
static pod_graph *deep_network(pod_context *context, int layers, int64_t width)
{
    pod_graph *g = new_graph(context);
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(64, width), "x");
    for (int i = 0; i < layers; i++) {
        pod_node *w = pod_graph_parameter(g, POD_F32, SHAPE(width, width), "w");
        x = pod_graph_matmul(g, x, w);
        x = pod_graph_composite(g, "relu", &x, 1, NULL);
    }
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", x, NULL, false));
    return g;
}

TEST(a_forward_pass_needs_memory_for_two_layers)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = deep_network(context, 30, 16);
    pod_program *program = compile(context, graph);
    const pod_program_stats stats = pod_program_get_stats(program);
    ASSERT(stats.arena_bytes <= 3 * 64 * 16 * 4 + 64 * 1024);
    /* At the least a layer's operand and result, which nobody can do without. */
    ASSERT(stats.live_bytes >= 2 * 64 * 16 * 4 && stats.live_bytes <= stats.arena_bytes);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* ---- time ------------------------------------------------------------------------------------------- */

TEST(compiling_is_near_linear_in_nodes)
{
    pod_context *context = test_context(NULL);
    double times[2];
    for (int i = 0; i < 2; i++) {
        pod_graph *graph = deep_network(context, i ? 10000 : 700, 8);
        times[i] = 1e9;
        for (int round = 0; round < 3; round++) {
            double start = seconds();
            pod_program *program = compile(context, graph);
            double time = seconds() - start;
            times[i] = time < times[i] ? time : times[i];
            pod_program_free(program);
        }
        pod_graph_free(graph);
    }
    printf("# 2,100 nodes: %.1f ms, 30,000 nodes: %.1f ms\n", times[0] * 1e3, times[1] * 1e3);
    ASSERT(times[1] < times[0] * 100 + 0.5);
    pod_context_release(context);
}

/* ---- options and texts ------------------------------------------------------------------------------ */

static double product_error(pod_context *context, const char *precision)
{
    pod_graph *g = new_graph(context);
    pod_program *program;
    pod_node *a = pod_graph_parameter(g, POD_F32, SHAPE(64, 300), "a");
    pod_node *b = pod_graph_parameter(g, POD_F32, SHAPE(300, 50), "b");
    pod_graph_add_output(g, pod_graph_matmul(g, a, b));
    const pod_compile_options options = {.matmul_precision = precision};
    ASSERT_OK(pod_program_compile(context, g, &options, &program, &error));
    pod_buffer *arguments[2], *result;
    for (uint32_t i = 0; i < 2; i++) {
        ASSERT_OK(pod_buffer_new(context, POD_F32, i ? SHAPE(300, 50) : SHAPE(64, 300), &arguments[i], &error));
        float *data = pod_buffer_data(arguments[i]);
        uint32_t state = i + 1;
        for (size_t j = 0; j < pod_buffer_bytes(arguments[i]) / 4; j++) {
            state = state * 1664525 + 1013904223;
            data[j] = (float)(state >> 8) / 16777216.0f - 0.5f;
        }
    }
    ASSERT_OK(pod_program_run(program, arguments, &result, NULL, NULL, &error));
    const float *x = pod_buffer_data(arguments[0]), *y = pod_buffer_data(arguments[1]);
    double worst = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 50; j++) {
            double sum = 0;
            for (int k = 0; k < 300; k++)
                sum += (double)x[i * 300 + k] * (double)y[k * 50 + j];
            worst = fmax(worst, fabs(sum - (double)((float *)pod_buffer_data(result))[i * 50 + j]));
        }
    for (int i = 0; i < 2; i++)
        pod_buffer_release(arguments[i]);
    pod_buffer_release(result);
    pod_program_free(program);
    pod_graph_free(g);
    return worst;
}

TEST(the_precision_of_products_is_a_setting)
{
    pod_context *context = test_context(NULL);
    const double highest = product_error(context, NULL), high = product_error(context, "high");
    const double low = product_error(context, "default");
    ASSERT_NUMBER(highest, product_error(context, "highest"));
    ASSERT(highest < 1e-5);
    ASSERT(high < 2e-4);
    ASSERT(low > 1e-3 && low < 0.2);
    pod_graph *graph = deep_network(context, 1, 4);
    pod_program *program;
    const pod_compile_options options = {.matmul_precision = "best"};
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "option 'matmul_precision' is \"best\"",
                 pod_program_compile(context, graph, &options, &program, &error));
    ASSERT(!program);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(a_program_tells_what_it_is)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = deep_network(context, 2, 48);
    pod_program *program = compile(context, graph);
    const pod_program_stats stats = pod_program_get_stats(program);
    ASSERT_EQ(4 * (64 * 48 + 2 * 48 * 48), stats.argument_bytes);
    ASSERT_EQ(4, stats.output_bytes);
    ASSERT_EQ(0, stats.alias_bytes);
    ASSERT(stats.allocated_bytes >= stats.arena_bytes && stats.arena_bytes > 0);
    ASSERT(stats.kernels_fused > 0);
    char *text = pod_program_print(program);
    ASSERT_CONTAINS("phase 0", text);
    ASSERT_CONTAINS("product f32", text);
    ASSERT_CONTAINS("@arena", text);
    pod_text_free(context, text);
    pod_program_free(program);
    pod_program_free(NULL);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(a_collective_is_refused_with_its_place)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = new_graph(context);
    pod_program *program;
    pod_graph_set_location(graph, "model.lua:3");
    pod_graph_add_output(graph, pod_graph_apply(graph, POD_OP_REPLICA_ID, NULL, 0, &(pod_attributes){0}, NULL, 0));
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "model.lua:3: 'replica_id'",
                 pod_program_compile(context, graph, NULL, &program, &error));
    ASSERT(!program);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST_MAIN(RUN(rows_have_up_to_32_partial_sums); RUN(shifts_of_words_are_steps_of_loops);
          RUN(only_what_is_kept_has_an_entry); RUN(updates_of_whole_rows_are_cut_by_rows);
          RUN(what_is_used_late_is_made_late); RUN(rows_that_fit_a_block_are_normalized_in_one_loop);
          RUN(passes_leave_what_is_needed); RUN(buffers_that_live_together_do_not_overlap);
          RUN(a_forward_pass_needs_memory_for_two_layers); RUN(compiling_is_near_linear_in_nodes);
          RUN(the_precision_of_products_is_a_setting); RUN(a_program_tells_what_it_is);
          RUN(a_collective_is_refused_with_its_place))
