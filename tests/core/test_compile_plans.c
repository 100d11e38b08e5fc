/* What plans of programs are: not seen in results, but in memory and time. */

#include "program/compiled.h"
#include "graph_setup.h"
#include "kernels/direct.h"

static pod_program *compile(setup *s)
{
    pod_program *program;
    ASSERT_OK(pod_graph_check(s->graph, &error));
    ASSERT_OK(pod_program_compile(s->context, s->graph, NULL, &program, &error));
    return program;
}

/* A right operand that is computed and rounded to bf16 is kept as bf16: only a parameter is rounded as it is packed. */
TEST(what_is_rounded_for_a_product_is_kept_rounded)
{
    for (int computed = 0; computed < 2; computed++) {
        setup s = setup_new("plans");
        pod_graph *g = s.graph;
        pod_node *x = parameter(&s, POD_BF16, &(pod_shape){2, {96, 160}});
        pod_node *w = parameter(&s, POD_F32, &(pod_shape){2, {160, 128}});
        w = pod_graph_convert(g, computed ? pod_graph_tanh(g, w) : w, POD_BF16);
        pod_graph_add_output(g, pod_graph_matmul(g, x, w));
        pod_program *program = compile(&s);
        int packs = 0;
        for (uint32_t i = 0; i < program->function->instruction_count; i++) {
            const pod_instruction *one = program->function->instructions[i];
            const pod_loop *loop = one->kind == POD_DO_LOOP ? one->loop : NULL;
            if (one->kind == POD_DO_PACK) {
                ASSERT_EQ(computed ? POD_BF16 : POD_F32, one->pack.dtype);
                packs++;
            }
            for (uint32_t j = 0; loop && j < loop->pack_count; j++, packs++)
                ASSERT_EQ(computed ? POD_BF16 : POD_F32, loop->packs[j].dtype);
        }
        ASSERT(packs <= 1);
        pod_program_free(program);
        setup_free(&s);
    }
}

/* Two instructions that hand rows on take few at a time: what lies between them stays in the cache. */
TEST(chunks_of_two_instructions_fit_the_cache)
{
    setup s = setup_new("plans");
    pod_graph *g = s.graph;
    pod_node *x = parameter(&s, POD_F32, &(pod_shape){2, {20000, 64}});
    pod_node *sums = pod_graph_apply(g, POD_OP_CUMULATIVE_SUM, &x, 1, &(pod_attributes){.axis = 1}, NULL, 0);
    pod_graph_add_output(g, pod_graph_tanh(g, sums));
    pod_program *program = compile(&s);
    const pod_function *function = program->function;
    ASSERT_EQ(1, function->group_count);
    ASSERT_EQ(2, function->groups[0].count);
    ASSERT(function->groups[0].chunk * (20000 / function->groups[0].parts) * 64 * 4 * 3 <= 1 << 20);
    pod_program_free(program);
    setup_free(&s);
}

/* Threads share the work by what it costs: every instruction that has rows costs something. */
TEST(instructions_cost_something)
{
    for (int kind = 0; kind < 2; kind++) {
        setup s = setup_new("plans");
        pod_graph *g = s.graph;
        const pod_dtype dtype = kind == 0 ? POD_F32 : POD_BF16;
        pod_node *images = parameter(&s, dtype, &(pod_shape){4, {8, 12, 12, 3}});
        pod_node *kernel = parameter(&s, dtype, &(pod_shape){4, {3, 3, 3, 16}});
        pod_node *w = parameter(&s, dtype, &(pod_shape){2, {10 * 10 * 16, 24}});
        const pod_attributes window = {.window = {2, {3, 3}, {1, 1}, {0}, {0}, {1, 1}, 1}};
        pod_node *x = pod_graph_apply(g, POD_OP_CONVOLUTION, (pod_node *[]){images, kernel}, 2, &window, NULL, 0);
        x = pod_graph_reshape(g, pod_graph_composite(g, "relu", &x, 1, NULL), &(pod_shape){2, {8, 10 * 10 * 16}});
        pod_node *y = pod_graph_matmul(g, x, pod_graph_tanh(g, w));
        pod_node *loss = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, y, y), NULL, false);
        pod_node *gradients[3];
        ASSERT_OK(pod_graph_check(g, &error));
        ASSERT_OK(pod_graph_gradient(g, loss, NULL, s.nodes, 3, gradients, &error));
        for (int i = 0; i < 3; i++)
            pod_graph_add_output(g, gradients[i]);
        pod_program *program = compile(&s);
        for (uint32_t i = 0; i < program->function->instruction_count; i++) {
            const pod_instruction *one = program->function->instructions[i];
            if (one->rows > 0 && !(one->row_cost > 0))
                FAIL("instruction %u, a %s, costs %g", i, pod_instruction_kind_name(one->kind), one->row_cost);
        }
        pod_program_free(program);
        setup_free(&s);
    }
}

/* A phase that writes a variable in place cannot be left half done; others can. */
TEST(phases_that_write_variables_commit)
{
    for (int updates = 0; updates < 2; updates++) {
        setup s = setup_new("plans");
        pod_node *x = parameter(&s, POD_F32, &(pod_shape){2, {40, 24}});
        pod_graph_add_output(s.graph, pod_graph_tanh(s.graph, x));
        if (updates)
            pod_graph_set_alias(s.graph, 0, 0);
        pod_program *program = compile(&s);
        ASSERT_EQ(1, program->function->phase_count);
        ASSERT_EQ(updates, program->function->phases[0].commits);
        pod_program_free(program);
        setup_free(&s);
    }
}

/* A variable of which a part is written anew is written there, where nothing wants what it was later: nothing else
 * reads it; the part is made of it; an output is made of what it was. */
TEST(parts_of_variables_are_written_in_place)
{
    for (int reads = 0; reads < 3; reads++) {
        setup s = setup_new("plans");
        pod_graph *g = s.graph;
        pod_node *kept = parameter(&s, POD_F32, &(pod_shape){3, {4, 32, 8}});
        pod_node *update = parameter(&s, POD_F32, &(pod_shape){3, {4, 1, 8}});
        pod_node *at = parameter(&s, POD_S32, &(pod_shape){0});
        if (reads == 1)
            update = pod_graph_reduce(g, "reduce_sum", kept, &(pod_axes){1, {1}}, true);
        pod_node *made = pod_graph_apply(g, POD_OP_DYNAMIC_UPDATE_SLICE, (pod_node *[]){kept, update, at, at, at}, 5,
                                         &(pod_attributes){0}, NULL, 0);
        pod_graph_add_output(g, made);
        pod_graph_set_alias(g, 0, 0);
        pod_graph_add_output(g, reads == 2 ? pod_graph_tanh(g, kept) : pod_graph_tanh(g, made));
        pod_program *program = compile(&s);
        int copies = 0;
        for (uint32_t i = 0; i < program->function->instruction_count; i++)
            copies += program->function->instructions[i]->kind == POD_DO_COPY;
        ASSERT_EQ(reads == 2, copies > 0);
        pod_program_free(program);
        setup_free(&s);
    }
}

/* Stands in for looking up windows where the family cannot; programs with it are not run. */
static void accumulate_nothing(float *sums, int64_t columns, const pod_direct_windows *of, int64_t k, int64_t windows)
{
    (void)sums, (void)columns, (void)of, (void)k, (void)windows;
}

/* How many gradients of max poolings a first layer's gradient leaves, with windows of this padding and dilation. */
static int poolings_left(bool looks_up, int64_t pad, int64_t dilation)
{
    setup s = setup_new("plans");
    pod_graph *g = s.graph;
    const pod_kernels *table;
    ASSERT_OK(pod_kernel_choose_family(NULL, &table, &error));
    pod_kernels *kernels = (pod_kernels *)(uintptr_t)table; /* which is no constant: tests may change it */
    const pod_direct_kernels *own = kernels->direct;
    pod_direct_kernels changed = *own;
    changed.accumulate_windows = looks_up ? accumulate_nothing : NULL;
    pod_node *images = pod_graph_parameter(g, POD_F32, &(pod_shape){4, {64, 28, 28, 1}}, "images");
    s.nodes[0] = pod_graph_parameter(g, POD_F32, &(pod_shape){4, {3, 3, 1, 16}}, "kernel");
    const pod_attributes window = {.window = {2, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}};
    const pod_attributes pool = {.window = {2, {2, 2}, {2, 2}, {pad, pad}, {pad, pad}, {dilation, dilation}, 1}};
    pod_node *x = pod_graph_apply(g, POD_OP_CONVOLUTION, (pod_node *[]){images, s.nodes[0]}, 2, &window, NULL, 0);
    x = pod_graph_composite(g, "relu", &x, 1, NULL);
    x = pod_graph_apply(g, POD_OP_POOL_MAX, &x, 1, &pool, NULL, 0);
    pod_node *loss = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, x, x), NULL, false), *gradient;
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, s.nodes, 1, &gradient, &error));
    pod_graph_add_output(g, gradient);
    kernels->direct = &changed;
    pod_program *program = compile(&s);
    kernels->direct = own;
    int left = 0;
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        left += program->function->instructions[i]->op == POD_OP_POOL_MAX_GRADIENT;
    pod_program_free(program);
    setup_free(&s);
    return left;
}

/* A first layer reads through its pooling where the family can and windows lie side by side. */
TEST(first_layers_read_through_their_pooling)
{
    ASSERT_EQ(0, poolings_left(true, 0, 1));
    ASSERT_EQ(1, poolings_left(false, 0, 1));
    ASSERT_EQ(1, poolings_left(true, 1, 1));
    ASSERT_EQ(1, poolings_left(true, 0, 2));
}

TEST_MAIN(RUN(what_is_rounded_for_a_product_is_kept_rounded); RUN(chunks_of_two_instructions_fit_the_cache);
          RUN(instructions_cost_something); RUN(phases_that_write_variables_commit);
          RUN(parts_of_variables_are_written_in_place); RUN(first_layers_read_through_their_pooling))
