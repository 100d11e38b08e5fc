/*
 * Values that only a thread's own rows need lie in its block of memory (compile/subgroups.c): never as a whole, with
 * the numbers of the oracle, and with the same bits on any number of threads.
 */

#include "program/compiled.h"
#include "verify/verify.h"
#include "graph/node.h"
#include "graph_setup.h"

/* The mean square of y and its gradients are the outputs. */
static void add_gradients(setup *s, pod_node *y)
{
    pod_graph *g = s->graph;
    pod_node *gradients[MOST_ARGUMENTS];
    pod_node *loss = pod_graph_mean(g, pod_graph_multiply(g, y, y), NULL, false);
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, s->nodes, s->count, gradients, &error));
    pod_graph_add_output(g, loss);
    for (size_t i = 1; i < s->count; i++) /* not of the first one: the data */
        pod_graph_add_output(g, gradients[i]);
}

static bool is_in_block(const pod_program *program, const char *name, bool result)
{
    for (uint32_t i = 0; i < program->function->instruction_count; i++) {
        const pod_instruction *one = program->function->instructions[i];
        uint32_t at = result ? one->operand_count : 0;
        if (one->name && strcmp(one->name, name) == 0 && program->slots[one->slots[at]].kind == POD_SLOT_BLOCK)
            return true;
    }
    return false;
}

static pod_program *compile(const setup *s)
{
    pod_program *program;
    ASSERT_OK(pod_program_compile(s->context, s->graph, NULL, &program, &error));
    return program;
}

static void check(setup *s, const char *what)
{
    check_against_oracle(s->context, s->graph, s->arguments, what, 0x1p-13);
    outcome one = program_run(s->context, s->graph, s->arguments, false, 1, 1);
    for (int threads = 2; threads <= 3; threads++) {
        outcome o = program_run(s->context, s->graph, s->arguments, false, threads, 1);
        for (size_t i = 0; i < o.outputs; i++)
            if (memcmp(pod_buffer_data(one.results[i]), pod_buffer_data(o.results[i]),
                       pod_buffer_bytes(o.results[i])) != 0)
                FAIL("%s: output %zu has other bits on %d threads", what, i, threads);
        outcome_release(&o);
    }
    outcome_release(&one);
    setup_free(s);
}

/* relu(convolution + bias) and the largest of windows. */
typedef struct layer {
    int64_t size, stride, pad, filters, pool;
} layer;

static pod_node *add_layer(setup *s, pod_node *x, const layer *of)
{
    pod_graph *g = s->graph;
    pod_node *kernel =
        parameter(s, POD_F32, &(pod_shape){4, {of->size, of->size, pod_node_shape(x, 0)->dims[3], of->filters}});
    pod_node *bias = parameter(s, POD_F32, &(pod_shape){1, {of->filters}});
    pod_attributes window = {
        .dtype = POD_F32,
        .window = {
            2, {of->size, of->size}, {of->stride, of->stride}, {of->pad, of->pad}, {of->pad, of->pad}, {1, 1}, 1}};
    pod_node *sum = pod_graph_apply(g, POD_OP_CONVOLUTION, (pod_node *[]){x, kernel}, 2, &window, NULL, 0);
    pod_node *shifted = pod_graph_add(g, sum, bias);
    pod_node *active = pod_graph_composite(g, "relu", &shifted, 1, NULL);
    pod_attributes pool = {.window = {2, {of->pool, of->pool}, {of->pool, of->pool}, {0}, {0}, {1, 1}, 1}};
    return pod_graph_apply(g, POD_OP_POOL_MAX, &active, 1, &pool, NULL, 0);
}

/* Two layers, and a product of 32 rows at least, which is why chunks of the group are coarse. */
static void add_model(setup *s, const pod_shape *images, const layer layers[2])
{
    pod_node *x = parameter(s, POD_F32, images);
    for (int i = 0; i < 2; i++)
        x = add_layer(s, x, &layers[i]);
    const pod_shape *last = pod_node_shape(x, 0);
    int64_t width = last->dims[1] * last->dims[2] * last->dims[3];
    x = pod_graph_reshape(s->graph, x, &(pod_shape){2, {images->dims[0], width}});
    pod_node *weights = parameter(s, POD_F32, &(pod_shape){2, {width, 12}});
    add_gradients(s, pod_graph_matmul(s->graph, x, weights));
}

static const layer models[][2] = {
    {{3, 1, 1, 16, 2}, {3, 1, 1, 8, 2}},
    {{3, 1, 0, 32, 2}, {2, 1, 0, 5, 3}},  /* "valid", windows that leave places out */
    {{5, 2, 2, 48, 2}, {3, 1, 1, 17, 1}}, /* strides */
};

static const pod_shape pictures[] = {{4, {544, 16, 12, 1}}, {4, {64, 13, 15, 3}}, {4, {80, 21, 19, 2}}};

TEST(layers_are_those_of_the_oracle)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        setup s = setup_new("subgroups");
        char what[32];
        snprintf(what, sizeof what, "model %zu", i);
        add_model(&s, &pictures[i], models[i]);
        check(&s, what);
    }
}

TEST(what_a_pooling_reads_and_its_gradient_exist_in_blocks_alone)
{
    setup s = setup_new("subgroups");
    const pod_shape images = {4, {512, 28, 28, 1}};
    add_model(&s, &images, models[0]);
    pod_program *program = compile(&s);
    pod_program_stats stats = pod_program_get_stats(program);
    ASSERT(is_in_block(program, "pool_max", false));
    ASSERT(is_in_block(program, "pool_max_gradient", true));
    /* What the first layer's windows give goes to its kernel at once, where the family has that. */
    int poolings = 0;
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        poolings += program->function->instructions[i]->op == POD_OP_POOL_MAX_GRADIENT;
    ASSERT_EQ(program->kernels->direct->accumulate_windows ? 1 : 2, poolings);
    /* The first layer's activations are 25.7 MB, all blocks of a thread a small part of that. */
    ASSERT(stats.arena_bytes < 25690112 && stats.scratch_bytes < 3000000);
    pod_program_free(program);
    setup_free(&s);
}

/* Each is attached to its own layer, one after the other. */
TEST(poolings_of_two_first_layers_exist_in_blocks_alone)
{
    setup s = setup_new("subgroups");
    const pod_shape images = {4, {64, 28, 28, 1}};
    pod_node *x = parameter(&s, POD_F32, &images);
    pod_node *first = add_layer(&s, x, &models[0][0]), *second = add_layer(&s, x, &models[0][0]);
    add_gradients(&s, pod_graph_add(s.graph, first, second));
    pod_program *program = compile(&s);
    int poolings = 0;
    for (uint32_t i = 0; i < program->function->instruction_count; i++)
        poolings += program->function->instructions[i]->op == POD_OP_POOL_MAX_GRADIENT;
    ASSERT_EQ(program->kernels->direct->accumulate_windows ? 0 : 2, poolings);
    pod_program_free(program);
    check(&s, "two first layers");
}

/* The gradient of a first layer's activations, which is the right operand of its weights' gradient alone. */
TEST(what_is_only_packed_lies_in_blocks)
{
    setup s = setup_new("packed alone");
    pod_node *x = parameter(&s, POD_F32, &(pod_shape){2, {2048, 64}});
    pod_node *first = parameter(&s, POD_F32, &(pod_shape){2, {64, 192}});
    pod_node *second = parameter(&s, POD_F32, &(pod_shape){2, {192, 96}});
    pod_node *hidden = pod_graph_matmul(s.graph, x, first);
    hidden = pod_graph_composite(s.graph, "relu", &hidden, 1, NULL);
    add_gradients(&s, pod_graph_matmul(s.graph, hidden, second));
    pod_program *program = compile(&s);
    for (uint32_t i = 0; i < program->function->instruction_count; i++) {
        const pod_instruction *one = program->function->instructions[i];
        const pod_loop *loop = one->kind == POD_DO_PRODUCT ? one->product.epilogue : NULL;
        for (uint32_t j = 0; loop && j < loop->pack_count; j++)
            ASSERT(program->slots[loop->packs[j].source].kind == POD_SLOT_BLOCK);
    }
    pod_program_free(program);
    check(&s, "packed alone");
}

TEST(what_has_other_readers_is_stored)
{
    setup s = setup_new("subgroups");
    pod_node *x = parameter(&s, POD_F32, &(pod_shape){4, {64, 12, 12, 1}});
    pod_node *pooled = add_layer(&s, x, &models[0][0]);
    pod_node *active = pooled->inputs[0];
    pod_node *whole = pod_graph_reduce(s.graph, "reduce_max", active, &(pod_axes){1, {0}}, false);
    add_gradients(&s, pooled);
    pod_graph_add_output(s.graph, active);
    pod_graph_add_output(s.graph, whole);
    pod_program *program = compile(&s);
    ASSERT(!is_in_block(program, "pool_max", false));
    pod_program_free(program);
    check(&s, "other readers");
}

/* The last reader takes some columns of each row: its part needs the same part of the product alone, and both stand in
 * one group, but the rows do not lie one behind the other for it. */
TEST(what_the_last_reader_takes_by_columns_is_stored)
{
    setup s = setup_new("subgroups");
    pod_node *x = parameter(&s, POD_F32, &(pod_shape){2, {16384, 48}});
    pod_node *weights = parameter(&s, POD_F32, &(pod_shape){2, {48, 64}});
    pod_node *hidden = pod_graph_tanh(s.graph, pod_graph_matmul(s.graph, x, weights));
    pod_attributes columns = {.low = {0, 0}, .high = {16384, 24}, .step = {1, 1}};
    pod_node *some = pod_graph_apply(s.graph, POD_OP_SLICE, &hidden, 1, &columns, NULL, 0);
    pod_graph_add_output(s.graph, pod_graph_tanh(s.graph, some));
    pod_program *program = compile(&s);
    const pod_function *function = program->function;
    ASSERT_EQ(2, function->groups[function->group_count - 1].count);
    ASSERT(!is_in_block(program, "dot", true));
    ASSERT_EQ(0, program->block_bytes);
    pod_program_free(program);
    check(&s, "columns");
}

/* x [batches, places, width] times a matrix, plus a bias, as heads of 16. */
static pod_node *heads(setup *s, pod_node *x, bool has_bias)
{
    pod_graph *g = s->graph;
    const int64_t *dims = pod_node_shape(x, 0)->dims, rows = dims[0] * dims[1], width = dims[2];
    pod_node *weights = parameter(s, POD_F32, &(pod_shape){2, {width, width}});
    pod_node *sum = pod_graph_matmul(g, pod_graph_reshape(g, x, &(pod_shape){2, {rows, width}}), weights);
    if (has_bias)
        sum = pod_graph_add(g, sum, parameter(s, POD_F32, &(pod_shape){1, {width}}));
    return pod_graph_reshape(g, sum, &(pod_shape){4, {dims[0], dims[1], width / 16, 16}});
}

static void add_attention(setup *s, const pod_shape *shape)
{
    pod_graph *g = s->graph;
    pod_node *x = parameter(s, POD_F32, shape);
    const int64_t rows = shape->dims[0] * shape->dims[1], width = shape->dims[2];
    pod_node *operands[3] = {heads(s, x, true), heads(s, x, false), heads(s, x, true)};
    pod_attributes attributes = {.axis = 2, .flag = true};
    pod_node *y = pod_graph_composite(g, "attention", operands, 3, &attributes);
    pod_node *weights = parameter(s, POD_F32, &(pod_shape){2, {width, width}});
    add_gradients(s, pod_graph_matmul(g, pod_graph_reshape(g, y, &(pod_shape){2, {rows, width}}), weights));
}

/* Units are heads, but a chunk has whole batches; what the sums of biases read is packed there. Keys have no
 * bias, which would have no effect: its gradient would be what rounding leaves. */
TEST(operands_of_attention_and_their_gradients_exist_in_blocks_alone)
{
    const pod_shape shapes[] = {{3, {512, 32, 32}}, {3, {80, 64, 48}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        setup s = setup_new("subgroups");
        add_attention(&s, &shapes[i]);
        pod_program *program = compile(&s);
        ASSERT(is_in_block(program, "attention", false));
        /* OpenBLAS' products of weights' gradients read all rows, for nothing is packed for them. */
        if (strcmp(pod_context_isa(s.context), "portable") != 0)
            ASSERT(is_in_block(program, "attention_gradient", true));
        pod_program_free(program);
        check(&s, "attention");
    }
}

TEST(hidden_activations_of_products_are_those_of_the_oracle)
{
    setup s = setup_new("subgroups");
    pod_node *x = parameter(&s, POD_F32, &(pod_shape){2, {1024, 40}});
    for (int i = 0; i < 3; i++) {
        pod_node *weights = parameter(&s, POD_F32, &(pod_shape){2, {i ? 72 : 40, 72}});
        x = pod_graph_tanh(s.graph, pod_graph_matmul(s.graph, x, weights));
    }
    pod_graph_add_output(s.graph, x);
    pod_graph_add_output(s.graph, pod_graph_reduce(s.graph, "reduce_sum", x, &(pod_axes){1, {1}}, false));
    add_gradients(&s, x);
    check(&s, "products");
}

/* A program whose blocks are too small, or whose rows lie otherwise, is no good one. */
TEST(blocks_of_programs_are_verified)
{
    setup s = setup_new("subgroups");
    add_model(&s, &(pod_shape){4, {512, 28, 28, 1}}, models[0]);
    const pod_compile_options options = {0};
    int refused = 0;
    pod_program *program = compile(&s);
    for (uint32_t i = 0; i < program->slot_count; i++) {
        pod_slot *slot = &program->slots[i];
        if (slot->kind != POD_SLOT_BLOCK)
            continue;
        const pod_slot kept = *slot;
        for (int change = 0; change < 4; change++) {
            slot->chunk_bytes -= change == 0 ? slot->part_bytes : 0;
            slot->part_bytes += change == 1 ? 64 : 0;
            slot->offset += change == 2 ? program->block_bytes : 0;
            slot->of_subgroup ^= change == 3;
            const bool good = pod_verify_program(program, &options, &error) == POD_OK;
            ASSERT(!good || change == 3); /* a subgroup may be all of a chunk */
            refused += !good;
            *slot = kept;
        }
    }
    ASSERT(refused >= 6);
    program->block_bytes += 8; /* what lies behind it would not be aligned */
    ASSERT_FAILS(POD_ERROR_STATE, "no good size", pod_verify_program(program, &options, &error));
    program->block_bytes -= 8;
    pod_program_free(program);
    setup_free(&s);
}

TEST_MAIN(RUN(layers_are_those_of_the_oracle); RUN(what_a_pooling_reads_and_its_gradient_exist_in_blocks_alone);
          RUN(poolings_of_two_first_layers_exist_in_blocks_alone); RUN(what_is_only_packed_lies_in_blocks);
          RUN(what_has_other_readers_is_stored); RUN(what_the_last_reader_takes_by_columns_is_stored);
          RUN(operands_of_attention_and_their_gradients_exist_in_blocks_alone);
          RUN(hidden_activations_of_products_are_those_of_the_oracle); RUN(blocks_of_programs_are_verified))
