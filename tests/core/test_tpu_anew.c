/* What several kernels read: stored, or computed anew in each of them. */

#include "tpu_setup.h"

#define ROWS_BYTES (1024 * 256 * 4)

static const pod_tpu_memory *lower(void)
{
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find("v3"), NULL, &plan, &error));
    return pod_tpu_plan_memory(plan);
}

/* How many temporaries have so many bytes. */
static int count_of(int64_t bytes)
{
    int count = 0;
    for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++) {
        const pod_tpu_buffer *buffer = pod_tpu_plan_buffer(plan, i);
        count += buffer->use == POD_TPU_TEMPORARY && buffer->bytes.padded == bytes;
    }
    return count;
}

static pod_node *parameter(int64_t rows, int64_t columns)
{
    return pod_graph_parameter(graph, POD_F32, SHAPE(2, {rows, columns}), "p");
}

/* Lets kernels read h that wait for each other, as each reads the sum of what the one before it made; `also` is read
 * beside it. */
static void read_often(pod_node *h, int kernels, pod_node *also)
{
    pod_node *sum = NULL;
    for (int i = 0; i < kernels; i++) {
        pod_node *read = pod_graph_multiply(graph, h, parameter(1024, 256));
        read = also ? pod_graph_multiply(graph, read, also) : read;
        read = sum ? pod_graph_multiply(graph, read, sum) : read;
        sum = pod_graph_reduce(graph, "reduce_sum", read, NULL, true);
        pod_graph_add_output(graph, read);
    }
}

/* As the compiler: a sum of two is computed anew by three kernels, which read 6 arrays then; else they read 3, and the
 * kernel that stores it reads 2 and writes 1. By four kernels it is stored. What they read anyway does not count. */
TEST(what_moves_less_is_done)
{
    static const struct {
        int arrays, kernels;
        bool shared, stored;
    } cases[] = {{1, 6, false, false}, {2, 3, false, false}, {2, 4, false, true}, {3, 2, false, false},
                 {3, 3, false, true},  {4, 2, false, true},  {3, 4, true, false}, {3, 5, true, true},
                 {4, 2, true, false},  {4, 3, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up();
        pod_node *x = parameter(1024, 256), *h = x;
        for (int k = 1; k < cases[i].arrays; k++)
            h = pod_graph_add(graph, h, parameter(1024, 256));
        read_often(pod_graph_tanh(graph, h), cases[i].kernels, cases[i].shared ? x : NULL);
        lower();
        ASSERT_EQ(cases[i].stored, count_of(ROWS_BYTES));
        tear_down();
    }
}

/* As the compiler: sin(a + b) is stored where three kernels besides tanh of its sum with c read it, which is then
 * computed anew by three; where two read it, it is the other way round. */
TEST(what_saves_most_is_decided_first)
{
    for (int kernels = 2; kernels <= 3; kernels++) {
        set_up();
        pod_node *s = pod_graph_exp(graph, pod_graph_add(graph, parameter(1024, 256), parameter(1024, 256)));
        read_often(s, kernels, NULL);
        read_often(pod_graph_tanh(graph, pod_graph_add(graph, s, parameter(1024, 256))), 3, NULL);
        lower();
        ASSERT_EQ(1, count_of(ROWS_BYTES));
        for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++) {
            const pod_tpu_buffer *buffer = pod_tpu_plan_buffer(plan, i);
            if (buffer->use == POD_TPU_TEMPORARY && buffer->bytes.padded == ROWS_BYTES)
                ASSERT_TEXT(kernels == 3 ? "exponential" : "tanh", buffer->op);
        }
        tear_down();
    }
}

TEST_MAIN(RUN(what_moves_less_is_done); RUN(what_saves_most_is_decided_first))
