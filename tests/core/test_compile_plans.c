/* What plans of programs are: not seen in results, but in memory and time. */

#include "compile/compiled.h"
#include "graph_setup.h"

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

TEST_MAIN(RUN(what_is_rounded_for_a_product_is_kept_rounded); RUN(chunks_of_two_instructions_fit_the_cache))
