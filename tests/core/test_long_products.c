/* Products that take long: an interrupt ends them between two blocks of their rows. */

#include "graph/build.h"
#include "kernels/kernels.h"
#include "program/instructions.h"
#include "program_run.h"

#include <time.h>

static pod_error error;

enum { BATCHES = 2, ROWS = 2048, COLUMNS = 1024, MOST_K = 1 << 15 };

typedef struct product {
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
    pod_buffer *arguments[2];
} product;

/* `batches` products of a [rows, k] times b [k, columns], of zeros. */
static product product_new(pod_dtype dtype, int64_t batches, int64_t rows, int64_t k, int64_t columns)
{
    const pod_shape shapes[2] = {{3, {batches, rows, k}}, {3, {batches, k, columns}}};
    product p = {.context = test_context(&(pod_context_options){.threads = 1})};
    pod_node *operands[2];
    ASSERT_OK(pod_graph_new(p.context, "test", &p.graph, &error));
    for (int i = 0; i < 2; i++) {
        operands[i] = pod_graph_parameter(p.graph, dtype, &shapes[i], NULL);
        ASSERT_OK(pod_buffer_new(p.context, dtype, &shapes[i], &p.arguments[i], &error));
    }
    const pod_attributes lists = {
        .lhs_batch = {1, {0}}, .rhs_batch = {1, {0}}, .lhs_contract = {1, {2}}, .rhs_contract = {1, {1}}};
    pod_graph_add_output(p.graph, pod_graph_dot(p.graph, operands[0], operands[1], &lists));
    ASSERT_OK(pod_graph_check(p.graph, &error));
    ASSERT_OK(pod_program_compile(p.context, p.graph, NULL, &p.program, &error));
    return p;
}

static void product_free(product *p)
{
    pod_buffer_release(p->arguments[0]);
    pod_buffer_release(p->arguments[1]);
    pod_program_free(p->program);
    pod_graph_free(p->graph);
    pod_context_release(p->context);
}

/* Gives b, and perhaps interrupts the step that begins. */
typedef struct operand_feed {
    const product *of;
    bool interrupts;
} operand_feed;

static pod_status feed(void *context, pod_buffer **slots, size_t count, pod_error *problem)
{
    (void)count, (void)problem;
    const operand_feed *given = context;
    slots[0] = pod_buffer_retain(given->of->arguments[1]);
    if (given->interrupts)
        pod_context_interrupt(given->of->context);
    return POD_OK;
}

/* What a run did: seconds of the processor, and the last element of the first batch of its result, which was all ones.
 */
typedef struct product_outcome {
    double seconds;
    float last;
    pod_run_report report;
} product_outcome;

static product_outcome product_run(const product *p, bool interrupts)
{
    product_outcome made;
    pod_buffer *result, *given;
    const pod_shape shape = {3, {BATCHES, ROWS, COLUMNS}};
    ASSERT_OK(pod_buffer_new(p->context, POD_F32, &shape, &given, &error));
    float *elements = pod_buffer_data(given);
    for (int i = 0; i < BATCHES * ROWS * COLUMNS; i++)
        elements[i] = 1;
    operand_feed of = {.of = p, .interrupts = interrupts};
    const pod_infeed infeed = {.next = feed, .context = &of};
    const pod_run_options how = {.infeed = &infeed, .infeed_first = 1, .infeed_count = 1, .result_buffers = &given};
    pod_buffer *arguments[2] = {p->arguments[0], NULL};
    const clock_t began = clock();
    ASSERT_OK(pod_program_run(p->program, arguments, &result, &how, &made.report, &error));
    made.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    made.last = elements[ROWS * COLUMNS - 1];
    ASSERT(made.report.interrupted == interrupts && made.report.steps == !interrupts && (result == NULL) == interrupts);
    if (result)
        pod_buffer_release(result);
    pod_buffer_release(given);
    (void)pod_context_clear_interrupt(p->context);
    return made;
}

/* A batch is the least that threads share, and has many blocks of rows. A step that is interrupted has 50 ms to end by
 * itself: a batch of the last of these takes longer. */
TEST(an_interrupt_ends_a_product_between_blocks_of_its_rows)
{
    double seconds = 0;
    for (int64_t k = 256; seconds < BATCHES * 0.1 && k <= MOST_K; k *= 2) {
        product p = product_new(POD_F32, BATCHES, ROWS, k, COLUMNS);
        seconds = product_run(&p, false).seconds;
        if (seconds >= BATCHES * 0.1) {
            ASSERT_NUMBER(1, product_run(&p, true).last);
            ASSERT_NUMBER(0, product_run(&p, false).last);
        }
        product_free(&p);
    }
}

/* Types that have no kernel of their own take a hundred times as long an element. */
TEST(chunks_of_slow_products_are_short)
{
    enum { SIZE = 2048 };
    const pod_dtype dtypes[] = {POD_F64, POD_S32, POD_S64};
    for (int i = 0; i < 3; i++) {
        product p = product_new(dtypes[i], 1, SIZE, SIZE, SIZE);
        const pod_function *function = p.program->function;
        int found = 0;
        for (uint32_t j = 0; j < function->group_count; j++) {
            const pod_group *group = &function->groups[j];
            const pod_instruction *one = function->instructions[group->first];
            if (one->kind != POD_DO_KERNEL || one->op != POD_OP_DOT)
                continue;
            ASSERT(group->chunk * (one->rows / group->parts) * SIZE * SIZE < 100000000);
            found++;
        }
        ASSERT_EQ(1, found);
        product_free(&p);
    }
}

TEST_MAIN(RUN(an_interrupt_ends_a_product_between_blocks_of_its_rows); RUN(chunks_of_slow_products_are_short))
