/*
 * Whole programs: what a plan says of their HBM beside what the compiler answered. The output has a
 * table of both.
 */

#include "test.h"

#include "formats/reader.h"
#include "moonpod/exchange.h"
#include "moonpod/tpu.h"

#include <time.h>

typedef struct answer {
    const char *program, *chip;
    int64_t argument, output, alias, temp;
} answer;

static const answer answers[] = {
#define MEMORY(program, chip, argument, output, alias, temp)                                       \
    {program, chip, argument, output, alias, temp},
#include "../golden/tpu_memory.def"
#undef MEMORY
};

#define ANSWER_COUNT (sizeof answers / sizeof answers[0])

static int64_t need_of(const answer *row)
{
    return row->argument + row->output - row->alias + row->temp;
}

/* The text of a program, which the caller frees. */
static char *read_program(pod_context *context, const char *name, size_t *length)
{
    char path[256];
    pod_error error;
    pod_reader *reader;
    char *text = NULL;
    size_t capacity = 0, got = 0;
    snprintf(path, sizeof path, "tests/golden/tpu_programs/%s.mlir.gz", name);
    ASSERT_OK(pod_reader_open(context, path, POD_COMPRESSION_GZIP, &reader, &error));
    pod_status status = POD_OK;
    for (*length = 0; status == POD_OK; *length += got) {
        if (capacity - *length < 4096) {
            capacity = capacity * 2 + 65536;
            text = realloc(text, capacity);
        }
        status = pod_reader_read(reader, text + *length, capacity - *length, &got, &error);
        got = status == POD_OK ? got : 0;
    }
    pod_reader_close(reader);
    ASSERT_EQ(POD_END, status);
    return text;
}

static pod_graph *read_graph(pod_context *context, const char *name)
{
    pod_error error;
    pod_exchange_module *module;
    size_t length;
    char *text = read_program(context, name, &length);
    ASSERT_OK(pod_exchange_read(context, text, length, name, &module, &error));
    pod_graph *graph = pod_exchange_take_graph(module);
    pod_exchange_free(module);
    free(text);
    return graph;
}

/* Programs of a chip whose need is within 5 % or 4 MB, and all of them. */
typedef struct share {
    const char *chip;
    int wanted; /* percent */
    int near, all;
} share;

static share shares[] = {{"v3", 90, 0, 0}, {"v4", 70, 0, 0}, {"v5e", 80, 0, 0}, {"v6e", 70, 0, 0}};

static void count_share(const answer *row, const pod_tpu_memory *memory)
{
    const int64_t off = llabs(memory->need_bytes - need_of(row));
    const bool near = off <= 4000000 || off <= need_of(row) / 20;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        if (strcmp(shares[i].chip, row->chip) == 0) {
            shares[i].near += near;
            shares[i].all++;
        }
}

static void compare_row(const pod_graph *graph, const answer *row)
{
    pod_error error;
    pod_tpu_plan *plan;
    const clock_t began = clock();
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(row->chip), NULL, &plan, &error));
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    const pod_tpu_memory memory = *pod_tpu_plan_memory(plan);
    pod_tpu_plan_free(plan);
    printf("# %-38s %-4s %9.1f %9.1f MB %+7.1f %% %6.1f ms\n", row->program, row->chip,
           (double)memory.temp_bytes / 1e6, (double)row->temp / 1e6,
           100.0 * (double)(memory.need_bytes - need_of(row)) / (double)need_of(row),
           1000 * seconds);
    ASSERT_EQ(row->argument, memory.argument_bytes);
    ASSERT_EQ(row->output, memory.output_bytes);
    ASSERT_EQ(row->alias, memory.alias_bytes);
    count_share(row, &memory);
}

TEST(needs_of_whole_programs_are_near_the_compilers)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_graph *graph = NULL;
    printf("# %-38s %-4s %9s %12s %9s %9s\n", "program", "chip", "our temp", "compiler's", "need",
           "time");
    for (size_t i = 0; i < ANSWER_COUNT; i++) {
        if (i == 0 || strcmp(answers[i].program, answers[i - 1].program) != 0) {
            pod_graph_free(graph);
            graph = read_graph(context, answers[i].program);
        }
        compare_row(graph, &answers[i]);
    }
    pod_graph_free(graph);
    pod_context_release(context);
    ASSERT(ANSWER_COUNT >= 76);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        printf("# %s: %d of %d within 5 %% or 4 MB\n", shares[i].chip, shares[i].near,
               shares[i].all);
        ASSERT(shares[i].all > 0);
        ASSERT(shares[i].near * 100 >= shares[i].all * shares[i].wanted);
    }
}

TEST_MAIN(RUN(needs_of_whole_programs_are_near_the_compilers))
