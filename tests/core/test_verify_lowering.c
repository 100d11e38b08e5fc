/*
 * What the verifier of lowerings for TPUs (tpu/verify_lowering.c) refuses: one field of a good lowering is changed at a
 * time, after the last pass or that of a name.
 */

#include "graph/build.h"
#include "test.h"
#include "tpu/passes.h"

static pod_error error;
static pod_context *context;
static pod_tpu_target target;

enum {
#define PASS(name) after_##name,
#include "tpu/passes.def"
#undef PASS
    PASSES
};

/* An update of the weights, of which products are in the heap together. */
static pod_graph *make_graph(void)
{
    pod_graph *g;
    const pod_shape square = {2, {1024, 1024}};
    ASSERT_OK(pod_graph_new(context, "whole", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, &square, "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, &square, "w");
    pod_node *y = pod_graph_exp(g, pod_graph_matmul(g, x, w));
    pod_node *z = pod_graph_exp(g, pod_graph_matmul(g, y, w));
    pod_graph_add_output(g, pod_graph_subtract(g, w, pod_graph_matmul(g, z, y)));
    pod_graph_set_alias(g, 0, 1);
    ASSERT_OK(pod_graph_check(g, &error));
    return g;
}

typedef struct trial {
    pod_graph *graph;
    pod_arena arena;
    pod_tpu_lowering lowering;
} trial;

static void begin(trial *t)
{
    pod_ir *ir;
    ASSERT(pod_tpu_find_target(pod_chip_find("v3"), &target));
    t->graph = make_graph();
    pod_arena_init(&t->arena, context);
    t->lowering = (pod_tpu_lowering){.arena = &t->arena, .target = &target, .error = &error};
    ASSERT_OK(pod_ir_import(&t->arena, t->graph, NULL, POD_PRECISION_DEFAULT, &ir, &error));
    error.status = POD_OK;
    ASSERT(pod_tpu_run_passes(&t->lowering, ir));
    ASSERT(t->lowering.kernel_count > 2 && t->lowering.temp_bytes > 0);
}

static bool end(trial *t, size_t pass)
{
    error.status = POD_OK;
    const bool good = pod_tpu_verify(&t->lowering, pass);
    pod_arena_clear(&t->arena);
    pod_graph_free(t->graph);
    return good;
}

/* The first value in the heap. */
static pod_ref in_heap(const pod_tpu_lowering *l)
{
    pod_ref value = 0;
    while (l->offsets[value] < 0)
        value++;
    return value;
}

#define BAD(pass, text, ...)                                                                                           \
    do {                                                                                                               \
        trial t;                                                                                                       \
        begin(&t);                                                                                                     \
        pod_tpu_lowering *l = &t.lowering;                                                                             \
        const pod_ref made = l->results[0], kept = in_heap(l);                                                         \
        (void)made, (void)kept;                                                                                        \
        __VA_ARGS__;                                                                                                   \
        if (end(&t, after_##pass) || error.status != POD_ERROR_STATE || !strstr(error.message, "after " #pass ":") ||  \
            !strstr(error.message, text))                                                                              \
            FAIL("%s: %s", #__VA_ARGS__, error.status == POD_OK ? "passes" : error.message);                           \
    } while (0)

TEST(what_the_passes_make_is_sound)
{
    trial t;
    begin(&t);
    ASSERT(end(&t, after_heap));
}

TEST(values_are_what_they_say)
{
    BAD(read, "the ir is broken", l->ir->nodes[2].op = -1);
    BAD(heap, "is read by others than its users", l->users[0] = l->ir->node_count);
    BAD(heap, "has another's storage or size", l->values[made].elements++);
    BAD(heap, "has another's storage or size", l->values[made].storage = made + 1);
    BAD(heap, "updates what is not donated", l->donated[1] = false);
    BAD(heap, "updates what is not donated", l->values[made].alias = 3);
    BAD(heap, "is an output without a buffer", l->values[l->ir->outputs[0]].stored = false);
    BAD(heap, "stands for what is no product", l->values[made].product = 1);
    BAD(heap, "stands for what is no product", l->scores[made] = l->ir->node_count + 1);
    BAD(heap, "is packed along no axis", l->values[made].packed = 1);
    BAD(heap, "is read as no other value", l->values[made].before = l->ir->value_count + 1);
    BAD(heap, "has no layout or bytes", l->values[made].type.has_layout = false);
    BAD(heap, "has no layout or bytes", l->values[made].bytes.padded = 0);
}

TEST(kernels_make_and_read_what_is_stored)
{
    BAD(heap, "is computed in no kernel's last node", l->leaders[2] = 1);
    BAD(heap, "has its results or reads elsewhere", l->kernels[1].result_first++);
    BAD(heap, "has its results or reads elsewhere", l->kernels[0].read_count++);
    BAD(heap, "has its results or reads elsewhere", l->kernels[1].scratch = -1);
    BAD(heap, "makes what is not stored, or another's", l->results[0] = l->results[l->result_count - 1]);
    BAD(heap, "reads what is not stored", l->shares[0] = -1);
    BAD(kernels, "a stored value has no kernel", l->values[2].stored = true; l->values[2].type = l->values[made].type;
        l->values[2].bytes = l->values[made].bytes);
}

TEST(steps_come_in_order)
{
    BAD(kernel_order, "is not when its results begin", l->order[0] = l->order[1]);
    BAD(kernel_order, "is not when its results begin", l->order[0] = l->kernel_count);
    BAD(kernel_order, "comes before what it reads", l->last_step[made] = 0);
    BAD(heap, "ends before it begins", l->last_step[made] = l->first_step[made] - 2);
}

TEST(the_heap_keeps_blocks_apart)
{
    BAD(heap, "does not fit its storage", l->values[kept].bytes.padded++;
        l->values[l->ir->value_count - 1].storage = kept; l->values[l->ir->value_count - 1].bytes.padded = INT64_MAX);
    BAD(heap, "is outside of the heap", l->temp_bytes = 1);
    BAD(heap, "is outside of the heap", l->offsets[kept] = -1);
    BAD(heap, "blocks of the heap overlap",
        for (pod_ref v = 0; v < l->ir->value_count; v++) l->offsets[v] = l->offsets[v] < 0 ? -1 : 0);
}

TEST_MAIN(context = test_context(NULL); RUN(what_the_passes_make_is_sound); RUN(values_are_what_they_say);
          RUN(kernels_make_and_read_what_is_stored); RUN(steps_come_in_order); RUN(the_heap_keeps_blocks_apart);
          pod_context_release(context))
