/* Loops that are functions of a byte: which become tables, and that tables have their bits. */

#include "program_run.h"

static pod_context *context;
static pod_error error;

/* The last loop of a program. */
static pod_instruction *loop_of(const pod_program *program)
{
    pod_instruction *found = NULL;
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        if (program->function->instructions[i]->kind == POD_DO_LOOP)
            found = program->function->instructions[i];
    ASSERT(found);
    return found;
}

static pod_buffer *run(pod_program *program, pod_buffer *argument)
{
    pod_buffer *result;
    ASSERT_OK(pod_program_run(program, &argument, &result, NULL, NULL, &error));
    return result;
}

static pod_node *constant(pod_graph *graph, double value, const pod_shape *shape)
{
    return pod_graph_scalar(graph, POD_F32, value, shape);
}

/* (x / 255 - 0.286) / 0.353, then a root that is no number for some. */
static pod_node *chain(pod_graph *graph, pod_node *x, const pod_shape *shape)
{
    x = pod_graph_divide(graph, pod_graph_convert(graph, x, POD_F32), constant(graph, 255, shape));
    x = pod_graph_subtract(graph, x, constant(graph, 0.286, shape));
    return pod_graph_sqrt(graph, pod_graph_divide(graph, x, constant(graph, 0.353, shape)));
}

static pod_program *compile(pod_dtype from, pod_dtype to, const pod_shape *shape)
{
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "chain", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, from, shape, "x");
    pod_graph_add_output(graph, pod_graph_convert(graph, chain(graph, x, shape), to));
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

TEST(tables_have_the_bits_of_their_loops)
{
    const pod_dtype from[] = {POD_U8, POD_S8, POD_BOOL}, to[] = {POD_BF16, POD_F16};
    const pod_shape shape = {2, {70, 97}};
    for (int threads = 1; threads <= 3; threads++)
        for (int i = 0; i < 6; i++) {
            ASSERT_OK(pod_context_set_threads(context, threads, &error));
            pod_program *program = compile(from[i % 3], to[i / 3], &shape);
            pod_instruction *loop = loop_of(program);
            pod_buffer *x;
            ASSERT_OK(pod_buffer_new(context, from[i % 3], &shape, &x, &error));
            for (int64_t j = 0; j < 70 * 97; j++)
                ((unsigned char *)pod_buffer_data(x))[j] = (unsigned char)(from[i % 3] == POD_BOOL ? j % 2 : j * 5);
            ASSERT(loop->loop->table);
            pod_buffer *fast = run(program, x);
            loop->loop->table = NULL;
            pod_buffer *slow = run(program, x);
            ASSERT(memcmp(pod_buffer_data(fast), pod_buffer_data(slow), pod_buffer_bytes(fast)) == 0);
            pod_buffer_release(fast);
            pod_buffer_release(slow);
            pod_buffer_release(x);
            pod_program_free(program);
        }
}

/* a [32, 256] times what a loop makes of x [256, 96], which the loop packs where the kernels of products pack. */
static pod_program *compile_product(const pod_shape *of_a, const pod_shape *of_x)
{
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "product", &graph, &error));
    pod_node *a = pod_graph_parameter(graph, POD_BF16, of_a, "a"), *x = pod_graph_parameter(graph, POD_U8, of_x, "x");
    x = pod_graph_divide(graph, pod_graph_convert(graph, x, POD_F32), constant(graph, 255, of_x));
    x = pod_graph_convert(graph, pod_graph_subtract(graph, x, constant(graph, 0.286, of_x)), POD_BF16);
    pod_graph_add_output(graph, pod_graph_matmul(graph, a, x));
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

TEST(tables_pack_what_products_read)
{
    const pod_shape shapes[2] = {{2, {32, 256}}, {2, {256, 96}}};
    pod_program *program = compile_product(&shapes[0], &shapes[1]);
    pod_buffer *arguments[2], *fast, *slow;
    ASSERT_OK(pod_buffer_new(context, POD_BF16, &shapes[0], &arguments[0], &error));
    ASSERT_OK(pod_buffer_new(context, POD_U8, &shapes[1], &arguments[1], &error));
    for (int64_t i = 0; i < 32 * 256; i++)
        ((uint16_t *)pod_buffer_data(arguments[0]))[i] = i % 3 == 0 ? 0xbf80 : 0x3f80; /* -1 and 1 */
    for (int64_t i = 0; i < 256 * 96; i++)
        ((unsigned char *)pod_buffer_data(arguments[1]))[i] = (unsigned char)(i * 5);
    ASSERT(loop_of(program)->loop->table);
    ASSERT_OK(pod_program_run(program, arguments, &fast, NULL, NULL, &error));
    loop_of(program)->loop->table = NULL;
    ASSERT_OK(pod_program_run(program, arguments, &slow, NULL, NULL, &error));
    ASSERT(memcmp(pod_buffer_data(fast), pod_buffer_data(slow), pod_buffer_bytes(fast)) == 0);
    pod_buffer_release(fast);
    pod_buffer_release(slow);
    pod_buffer_release(arguments[0]);
    pod_buffer_release(arguments[1]);
    pod_program_free(program);
}

TEST(only_functions_of_one_byte_with_work_to_save_are_tables)
{
    const pod_shape small = {2, {10, 10}}, large = {2, {70, 97}};
    const struct {
        pod_dtype from, to;
        const pod_shape *shape;
    } others[] = {{POD_U8, POD_BF16, &small}, {POD_U8, POD_F32, &large}, {POD_S16, POD_BF16, &large}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        pod_program *program = compile(others[i].from, others[i].to, others[i].shape);
        ASSERT(!loop_of(program)->loop->table);
        pod_program_free(program);
    }
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "two", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_U8, &large, "x");
    pod_node *y = pod_graph_parameter(graph, POD_U8, &large, "y");
    pod_node *sum = pod_graph_add(graph, chain(graph, x, &large), chain(graph, y, &large));
    pod_graph_add_output(graph, pod_graph_convert(graph, sum, POD_BF16));
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    ASSERT(!loop_of(program)->loop->table);
    pod_program_free(program);
    pod_graph_free(graph);
}

TEST_MAIN(context = test_context(NULL); RUN(tables_have_the_bits_of_their_loops); RUN(tables_pack_what_products_read);
          RUN(only_functions_of_one_byte_with_work_to_save_are_tables); pod_context_release(context))
