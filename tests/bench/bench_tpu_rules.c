/*
 * bench_tpu_rules [held_out | RULE...] - what each rule of core/tpu is worth: how many of the programs whose answers
 * are kept are predicted within 5 % (or 4 MB) only with it, and only without it; how many miss by at least 1 % of their
 * need less, and more; by chip. It counts as well for the programs that the rule was made from
 * (tests/golden/tpu_rules.def) left out.
 *
 * held_out: how near programs are to rules that were made without them. Run in the project's folder:
 * ./dev bench tpu_rules.
 */

#include "moonpod/exchange.h"
#include "tpu/lowering.h"

#include "formats/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name; /* in capitals */
    int section;
    const char *text;
} rules[] = {
#define RULE(name, section, where, text) {#name, section, text},
#include "tpu/rules.def"
#undef RULE
};

typedef struct answer {
    const char *program, *chip;
    int64_t argument, output, alias, temp;
} answer;

static const answer answers[] = {
#define MEMORY(program, chip, argument, output, alias, temp) {program, chip, argument, output, alias, temp},
#include "../golden/tpu_memory.def"
#include "../golden/tpu_data_parallel.def"
#include "../golden/tpu_memory_later.def"
#undef MEMORY
};

/* The number of rows before those that were asked for after the rules were made. */
static const size_t rows_before_later = 0
#define MEMORY(program, chip, argument, output, alias, temp) +1
#include "../golden/tpu_memory.def"
#include "../golden/tpu_data_parallel.def"
#undef MEMORY
    ;

/* The batches in which programs came to be kept, and those that rules were made from. */
typedef struct batch {
    int number;
    const char *program;
} batch;

static const batch batches[] = {
#define KEPT_IN(batch, program) {batch, program},
#define MADE_FROM(rule, first, last)
#include "../golden/tpu_rules.def"
#undef KEPT_IN
#undef MADE_FROM
};

static const struct {
    int first, last;
} origins[POD_TPU_RULES] = {
#define KEPT_IN(batch, program)
#define MADE_FROM(rule, first, last) [POD_TPU_##rule] = {first, last},
#include "../golden/tpu_rules.def"
#undef KEPT_IN
#undef MADE_FROM
};

static const char *const chips[] = {"v3", "v4", "v5e", "v5p", "v6e", "v7x"};

#define ROWS  (sizeof answers / sizeof answers[0])
#define CHIPS (sizeof chips / sizeof chips[0])
#define CLEAR 0.01 /* of the need: what a miss is less by counts as better */

static double misses[ROWS]; /* with all rules, of the need */
static pod_graph *graphs[ROWS];

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static pod_graph *read_graph(pod_context *context, const char *name)
{
    char path[256], *text = NULL;
    pod_error error;
    pod_reader *reader;
    pod_exchange_module *module;
    size_t capacity = 0, length = 0, got = 0;
    snprintf(path, sizeof path, "tests/golden/tpu_programs/%s.mlir.gz", name);
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_GZIP, &reader, &error);
    if (status != POD_OK)
        fail(path, error.message);
    for (; status == POD_OK; length += got) {
        if (capacity - length < 4096) {
            capacity = capacity * 2 + 65536;
            text = realloc(text, capacity);
        }
        status = pod_format_reader_read(reader, text + length, capacity - length, &got, &error);
        got = status == POD_OK ? got : 0;
    }
    pod_format_reader_close(reader);
    if (status != POD_END || pod_exchange_read(context, text, length, name, &module, &error) != POD_OK)
        fail(path, error.message);
    pod_graph *graph = pod_exchange_take_graph(module);
    pod_exchange_free(module);
    free(text);
    return graph;
}

static int64_t need_of(const answer *row)
{
    return row->argument + row->output - row->alias + row->temp;
}

/* By how much of the need a prediction is off. */
static double miss_without(size_t row, const bool *off)
{
    pod_error error;
    pod_tpu_plan *plan;
    if (pod_tpu_lower_without(graphs[row], pod_chip_find(answers[row].chip), NULL, off, &plan, &error) != POD_OK)
        fail(answers[row].program, error.message);
    const double need = (double)need_of(&answers[row]);
    const double off_by = fabs((double)pod_tpu_plan_memory(plan)->need_bytes - need) / need;
    pod_tpu_plan_free(plan);
    return off_by;
}

static bool is_near(size_t row, double miss)
{
    return miss <= 0.05 || miss * (double)need_of(&answers[row]) <= 4000000;
}

/* Whether a rule was made from a row: not from those that were asked for later. */
static bool is_origin(pod_tpu_rule rule, size_t row)
{
    for (size_t i = 0; row < rows_before_later && i < sizeof batches / sizeof batches[0]; i++)
        if (strcmp(batches[i].program, answers[row].program) == 0)
            return batches[i].number >= origins[rule].first && batches[i].number <= origins[rule].last;
    return false;
}

/* What a rule does to some rows. */
typedef struct effect {
    int gains, losses, better, worse;
} effect;

static void count(effect *e, size_t row, double without)
{
    const bool near = is_near(row, misses[row]), was = is_near(row, without);
    e->gains += near && !was;
    e->losses += was && !near;
    e->better += without - misses[row] >= CLEAR;
    e->worse += misses[row] - without >= CLEAR;
}

static const char *lower_case(const char *name, char text[64])
{
    size_t i = 0;
    for (; name[i] && i < 63; i++)
        text[i] = (char)tolower((unsigned char)name[i]);
    text[i] = '\0';
    return text;
}

static void measure_rule(pod_tpu_rule rule, bool verbose)
{
    bool off[POD_TPU_RULES] = {false};
    effect by_chip[CHIPS] = {{0}}, others = {0};
    int moved = 0;
    char name[64];
    off[rule] = true;
    if (verbose)
        printf("    %s\n", rules[rule].text);
    for (size_t row = 0; row < ROWS; row++) {
        const double without = miss_without(row, off);
        size_t chip = 0;
        while (strcmp(chips[chip], answers[row].chip) != 0)
            chip++;
        moved += without != misses[row];
        count(&by_chip[chip], row, without);
        if (!is_origin(rule, row))
            count(&others, row, without);
        if (verbose && without != misses[row])
            printf("    %-40s %-4s %6.2f %% with, %6.2f %% without\n", answers[row].program, answers[row].chip,
                   100 * misses[row], 100 * without);
    }
    printf("| %s | R%d |", lower_case(rules[rule].name, name), rules[rule].section);
    for (size_t chip = 0; chip < CHIPS; chip++)
        printf(" +%d -%d (%d, %d) |", by_chip[chip].gains, by_chip[chip].losses, by_chip[chip].better,
               by_chip[chip].worse);
    printf(" %d | +%d -%d (%d, %d) |\n", moved, others.gains, others.losses, others.better, others.worse);
    fflush(stdout);
}

/* The batch in which a program came to be kept; 0: later than all rules. */
static int batch_of(size_t row)
{
    for (size_t i = 0; row < rows_before_later && i < sizeof batches / sizeof batches[0]; i++)
        if (strcmp(batches[i].program, answers[row].program) == 0)
            return batches[i].number;
    return 0;
}

/* Batches while most rules were made: of them little was held out. */
#define FIRST_BATCHES 4

/* How near each program is to the rules that were made without it: those that were made from its batch or a later one
 * are off. */
static void print_held_out(void)
{
    printf(
        "\nWith the rules alone that were made before a program was kept (from batch %d on), and with all rules for\n"
        "programs that were asked for later:\n",
        FIRST_BATCHES + 1);
    for (size_t chip = 0; chip < CHIPS; chip++) {
        int all = 0, near = 0, later = 0, later_near = 0;
        for (size_t row = 0; row < ROWS; row++) {
            const int from = batch_of(row);
            bool off[POD_TPU_RULES] = {false};
            if (strcmp(chips[chip], answers[row].chip) != 0 || (from > 0 && from <= FIRST_BATCHES))
                continue;
            for (int rule = 0; from > 0 && rule < POD_TPU_RULES; rule++)
                off[rule] = origins[rule].last >= from;
            const bool is = is_near(row, miss_without(row, off));
            all += from > 0;
            near += from > 0 && is;
            later += from == 0;
            later_near += from == 0 && is;
        }
        printf("%s: %d of %d; asked for later: %d of %d\n", chips[chip], near, all, later_near, later);
    }
}

static void print_summary(void)
{
    for (size_t chip = 0; chip < CHIPS; chip++) {
        int all = 0, near = 0;
        double worst = 0;
        for (size_t row = 0; row < ROWS; row++)
            if (strcmp(chips[chip], answers[row].chip) == 0) {
                all++;
                near += is_near(row, misses[row]);
                worst = fmax(worst, misses[row]);
            }
        printf("%s: %d of %d within 5 %% or 4 MB, worst miss %.1f %%\n", chips[chip], near, all, 100 * worst);
    }
}

int main(int count_of_names, char **names)
{
    pod_error error;
    pod_context *context;
    if (pod_context_new(&(pod_context_options){.threads = 1}, &context, &error) != POD_OK)
        fail("no context", error.message);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t before = 0; before < row && !graphs[row]; before++)
            if (strcmp(answers[before].program, answers[row].program) == 0)
                graphs[row] = graphs[before];
        if (!graphs[row])
            graphs[row] = read_graph(context, answers[row].program);
        misses[row] = miss_without(row, NULL);
    }
    print_summary();
    if (count_of_names == 2 && strcmp(names[1], "held_out") == 0) {
        print_held_out();
        return 0;
    }
    printf("\nOf programs near only with a rule, and only without it (and of those whose miss is at least 1 %% of the\n"
           "need less with it, and more); how many it moves; and the same of programs that it was not made from.\n\n"
           "| rule | | v3 | v4 | v5e | v6e | v7x | moves | others |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int rule = 0; rule < POD_TPU_RULES; rule++) {
        char name[64];
        bool asked = count_of_names == 1;
        for (int i = 1; i < count_of_names; i++)
            asked = asked || strcmp(names[i], lower_case(rules[rule].name, name)) == 0;
        if (asked)
            measure_rule((pod_tpu_rule)rule, count_of_names > 1);
    }
    return 0; /* what is left goes with the process */
}
