/*
 * Whole programs: what a plan says of their HBM beside what the compiler answered. The output has the tables of
 * the record of comparisons, behind "# ", and core/tpu/margins.def, behind "#! ".
 */

#include "test.h"

#include <math.h>

#include "formats/reader.h"
#include "moonpod/divide.h"
#include "moonpod/exchange.h"
#include "moonpod/tpu.h"
#include "tpu/certainty.h"

typedef struct answer {
    const char *program, *chip;
    int64_t argument, output, alias, temp;
} answer;

static const answer answers[] = {
#define MEMORY(program, chip, argument, output, alias, temp) {program, chip, argument, output, alias, temp},
#include "../golden/tpu_memory.def"
#undef MEMORY
};

static const answer data_parallel[] = {
#define MEMORY(program, chip, argument, output, alias, temp) {program, chip, argument, output, alias, temp},
#include "../golden/tpu_data_parallel.def"
#undef MEMORY
};

static const answer divided[] = {
#define MEMORY(program, chip, argument, output, alias, temp) {program, chip, argument, output, alias, temp},
#include "../golden/tpu_divided.def"
#undef MEMORY
};

static const answer later[] = {
#define MEMORY(program, chip, argument, output, alias, temp) {program, chip, argument, output, alias, temp},
#include "../golden/tpu_memory_later.def"
#undef MEMORY
};

/* Programs that need more than a chip has by the plan that was made before the compiler was asked. */
static const struct {
    const char *program, *chip;
    int64_t need, least; /* then */
    int64_t asked;       /* what the compiler says that it needs */
    bool fits;
} pressed[] = {
#define PRESSED(program, chip, need, least, asked, fits) {program, chip, need, least, asked, fits},
#include "../golden/tpu_pressure.def"
#undef PRESSED
};

#define COUNT(rows) (sizeof rows / sizeof rows[0])

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
    ASSERT_OK(pod_format_reader_open(context, path, POD_COMPRESSION_GZIP, &reader, &error));
    pod_status status = POD_OK;
    for (*length = 0; status == POD_OK; *length += got) {
        if (capacity - *length < 4096) {
            capacity = capacity * 2 + 65536;
            text = realloc(text, capacity);
        }
        status = pod_format_reader_read(reader, text + *length, capacity - *length, &got, &error);
        got = status == POD_OK ? got : 0;
    }
    pod_format_reader_close(reader);
    ASSERT_EQ(POD_END, status);
    return text;
}

/* Outputs take over what may be taken over, as where a program does not say by which. */
static void choose_aliases(const pod_exchange_module *module, pod_graph *graph)
{
    const pod_exchange_description about = pod_exchange_describe(module);
    bool taken[256] = {false};
    ASSERT(about.output_count <= sizeof taken);
    for (size_t i = 0; i < about.parameter_count; i++) {
        const pod_node *parameter = pod_graph_get_parameter(graph, i);
        size_t k = 0;
        while (k < about.output_count &&
               (taken[k] ||
                !pod_shape_equal(pod_node_shape(parameter, 0), pod_node_shape(pod_graph_get_output(graph, k), 0))))
            k++;
        if (!pod_exchange_get_parameter(module, i).donated || k == about.output_count)
            continue;
        taken[k] = true;
        pod_graph_set_alias(graph, k, i);
    }
}

/* The graph of one device; *devices: of how many, 0 where the compiler divides nothing. */
static pod_graph *read_graph(pod_context *context, const char *name, int32_t *devices)
{
    pod_error error;
    pod_exchange_module *module;
    size_t length;
    char *text = read_program(context, name, &length);
    ASSERT_OK(pod_exchange_read(context, text, length, name, &module, &error));
    pod_graph *graph = NULL;
    const pod_division *division = pod_exchange_division(module);
    *devices = division ? (int32_t)pod_exchange_describe(module).partitions : 0;
    if (division) {
        ASSERT_OK(pod_graph_of_device(pod_exchange_graph(module), division, &graph, &error));
        choose_aliases(module, graph);
    } else {
        graph = pod_exchange_take_graph(module);
    }
    pod_exchange_free(module);
    free(text);
    return graph;
}

typedef struct prediction {
    pod_tpu_memory memory;
    pod_tpu_certainty certainty; /* its doubt is gone with the plan */
} prediction;

/* Whether a need is within 5 % or 4 MB. */
static bool is_near(const answer *row, const pod_tpu_memory *memory)
{
    const int64_t off = llabs(memory->need_bytes - need_of(row));
    return off <= 4000000 || off <= need_of(row) / 20;
}

static prediction lower_row(const pod_graph *graph, const answer *row, int32_t devices)
{
    pod_error error;
    pod_tpu_plan *plan;
    const pod_tpu_options options = {.devices = devices};
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(row->chip), &options, &plan, &error));
    prediction made = {*pod_tpu_plan_memory(plan), *pod_tpu_plan_certainty(plan)};
    ASSERT(pod_tpu_plan_verdict(plan) != POD_TPU_DOES_NOT_FIT);
    ASSERT(made.memory.least_bytes <= need_of(row));
    made.certainty.doubt = NULL;
    pod_tpu_plan_free(plan);
    ASSERT_EQ(row->argument, made.memory.argument_bytes);
    if (devices > 0) /* the compiler may divide a result otherwise than the argument that it is the new value of */
        return made;
    ASSERT_EQ(row->output, made.memory.output_bytes);
    ASSERT_EQ(row->alias, made.memory.alias_bytes);
    return made;
}

static const char *const chips[] = {"v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"};

/* Which chips the rows have answers of: the columns of their table. */
static bool columns[COUNT(chips)];

static void print_head(const answer *rows, size_t count)
{
    printf("# | program |");
    for (size_t c = 0; c < COUNT(chips); c++) {
        columns[c] = false;
        for (size_t i = 0; i < count; i++)
            columns[c] = columns[c] || strcmp(rows[i].chip, chips[c]) == 0;
        if (columns[c])
            printf(" %s |", chips[c]);
    }
    printf("\n# |---|");
    for (size_t c = 0; c < COUNT(chips); c++)
        printf("%s", columns[c] ? "---|" : "");
    printf("\n");
}

/* One line of the table: rows first .. end - 1 are of one program. */
static void print_line(const answer *rows, const prediction *made, size_t first, size_t end)
{
    printf("# | %s |", rows[first].program);
    for (size_t c = 0; c < COUNT(chips); c++) {
        size_t at = first;
        if (!columns[c])
            continue;
        while (at < end && strcmp(rows[at].chip, chips[c]) != 0)
            at++;
        if (at == end) {
            printf(" \u2013 |");
            continue;
        }
        const double need = (double)need_of(&rows[at]);
        const pod_tpu_memory *memory = &made[at].memory;
        const double off = 100 * ((double)memory->need_bytes - need) / need;
        printf(" %.1f / %.1f %+.1f%s |", (double)memory->temp_bytes / 1e6, (double)rows[at].temp / 1e6, off,
               is_near(&rows[at], memory) ? "" : " !");
    }
    printf("\n");
}

/* ---- margins ---------------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {"DENSE",     "CONVOLUTIONS", "ATTENTION", "TABLES", "LOOPS",
                                         "INFERENCE", "SORTS",        "EXCHANGES", "DIVIDED"};

/* Programs by kind, planned before any rule knew them. */
enum {
#define BIT(kind) kind = 1 << POD_TPU_PROGRAM_##kind
    BIT(DENSE),
    BIT(CONVOLUTIONS),
    BIT(ATTENTION),
    BIT(TABLES),
    BIT(LOOPS),
    BIT(INFERENCE),
    BIT(SORTS),
    BIT(EXCHANGES),
    BIT(DIVIDED)
};

/* A plan and the compiler's answer. */
typedef struct sample {
    const char *chip;
    uint32_t kinds;
    double off; /* the compiler's need above the plan's, beyond what lies near the cores, as a share of that */
    bool small; /* it is no more than some times what lies near the cores, which decides about it */
    int set;    /* of programs that were planned before any rule knew them; -1: it is a kept one */
} sample;

#define SMALL 4

static sample sample_of(const char *chip, uint32_t kinds, int64_t planned, int64_t asked)
{
    const int64_t more = asked - planned, near = pod_tpu_near_bytes(pod_chip_find(chip));
    const int64_t beyond = more > near ? more - near : more < -near ? more + near : 0;
    return (sample){.chip = chip,
                    .kinds = kinds,
                    .set = -1,
                    .off = (double)beyond / (double)planned,
                    .small = planned < SMALL * near && asked < SMALL * near};
}

static sample samples[1000];
static size_t sample_count;

static void add_sample(sample one)
{
    ASSERT(sample_count < COUNT(samples));
    samples[sample_count++] = one;
}

#define SETS 4 /* of tpu_unseen.def */

static void add_unseen(int set, const char *chip, uint32_t kinds, int64_t planned, int64_t asked)
{
    sample one = sample_of(chip, kinds, planned, asked);
    ASSERT(set < SETS);
    one.set = set;
    add_sample(one);
}

static void add_all_unseen(void)
{
#define UNSEEN(set, program, chip, kinds, planned, asked)                                                              \
    add_unseen(set, chip, kinds, INT64_C(planned), INT64_C(asked));
#include "../golden/tpu_unseen.def"
#undef UNSEEN
}

static void count_row(const answer *row, const prediction *made)
{
    add_sample(sample_of(row->chip, made->certainty.kinds, made->memory.need_bytes, need_of(row)));
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In thousandths, rounded up, as in the table. */
static double rounded(double share)
{
    return ceil(share * 1000) / 1000;
}

/* A program that sorts says how far others that sort are off, and nothing of those that do not: scratch of sorts is not
 * modelled. One that donates nothing says nothing of steps that train, which keep other values in other layouts, but
 * for what they exchange. */
static bool counts_for(const sample *one, uint32_t kind)
{
    uint32_t kinds = one->kinds;
    if (kinds & SORTS)
        kinds = SORTS;
    else if (kinds & INFERENCE)
        kinds &= INFERENCE | EXCHANGES;
    return kinds & 1u << kind;
}

/* How many samples of a kind a chip has, and by how much the worst was off. What plans were off by on one chip, beyond
 * what lies near the cores, may be so on each: of large programs there are answers for one alone. Only v7x keeps
 * otherwise than any other. */
static pod_tpu_known known_of(const char *chip, uint32_t kind)
{
    pod_tpu_known known = {0};
    for (size_t i = 0; i < sample_count; i++) {
        const sample *one = &samples[i];
        const bool here = strcmp(chip, one->chip) == 0;
        if (!counts_for(one, kind))
            continue;
        known.count += here;
        if (!one->small && (here || strcmp(one->chip, "v7x") != 0))
            known.miss = fmax(known.miss, rounded(fabs(one->off)));
    }
    return known;
}

/* What programs need less and more than their plans, as shares of these. */
typedef struct range {
    double below, above;
} range;

/* The narrowest range that nine of ten numbers are in, by the ratio of its ends; it has 0. Sorts them. */
static range nine_of_ten(double *numbers, size_t count)
{
    const size_t within = (9 * count + 9) / 10;
    range best = {1, INFINITY};
    double least = INFINITY;
    qsort(numbers, count, sizeof numbers[0], compare_numbers);
    for (size_t i = 0; within > 0 && i + within <= count; i++) {
        const double low = fmin(numbers[i], 0), high = fmax(numbers[i + within - 1], 0);
        if ((1 + high) / (1 + low) < least) {
            least = (1 + high) / (1 + low);
            best = (range){rounded(-low), rounded(high)};
        }
    }
    return best;
}

/* A chip that keeps otherwise than the others, of which there are answers enough for a range of its own. */
#define FEWEST_OWN 20

/* What programs that were new to their plans needed. Their kinds do not tell: a range for each of loops, inference,
 * divided programs and training holds for no more of a set that it was not made from. Nor do chips, but for v7x. */
static range margin_of(const char *chip, int without_set)
{
    static double all[COUNT(samples)], own[COUNT(samples)];
    size_t count = 0, own_count = 0;
    const bool apart = strcmp(chip, "v7x") == 0;
    for (size_t i = 0; i < sample_count; i++) {
        const sample *one = &samples[i];
        const bool here = apart && strcmp(one->chip, chip) == 0;
        if (one->set < 0 || one->set == without_set || one->small)
            continue;
        if (here)
            own[own_count++] = one->off;
        else if (strcmp(one->chip, "v7x") != 0)
            all[count++] = one->off;
    }
    range found = nine_of_ten(all, count);
    if (own_count >= FEWEST_OWN) {
        const range of_it = nine_of_ten(own, own_count);
        found = (range){fmax(found.below, of_it.below), fmax(found.above, of_it.above)};
    }
    return found;
}

static bool is_met(uint32_t kinds)
{
    for (size_t i = 0; i < sample_count; i++)
        if (samples[i].kinds == kinds)
            return true;
    return false;
}

/* Compares each row; near[i] tells whether row i is. */
static void compare_rows(const answer *rows, size_t count, bool *near)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    prediction *made = calloc(count, sizeof *made);
    print_head(rows, count);
    for (size_t first = 0, end; first < count; first = end) {
        int32_t devices;
        pod_graph *graph = read_graph(context, rows[first].program, &devices);
        for (end = first; end < count && strcmp(rows[end].program, rows[first].program) == 0; end++) {
            made[end] = lower_row(graph, &rows[end], devices);
            near[end] = is_near(&rows[end], &made[end].memory);
            count_row(&rows[end], &made[end]);
        }
        print_line(rows, made, first, end);
        pod_graph_free(graph);
    }
    free(made);
    pod_context_release(context);
}

TEST(needs_of_whole_programs_are_near_the_compilers)
{
    static const struct {
        const char *chip;
        int percent;
    } wanted[] = {{"v3", 95}, {"v4", 80}, {"v5e", 90}, {"v6e", 90}};
    bool near[COUNT(answers)];
    compare_rows(answers, COUNT(answers), near);
    ASSERT(COUNT(answers) >= 90);
    for (size_t i = 0; i < COUNT(wanted); i++) {
        int all = 0, good = 0;
        for (size_t k = 0; k < COUNT(answers); k++)
            if (strcmp(wanted[i].chip, answers[k].chip) == 0) {
                all++;
                good += near[k];
            }
        printf("# %s: %d of %d within 5 %% or 4 MB\n", wanted[i].chip, good, all);
        ASSERT(all > 0 && good * 100 >= all * wanted[i].percent);
    }
}

TEST(needs_of_one_device_of_several_are_near_the_compilers)
{
    bool near[COUNT(data_parallel)];
    int good = 0;
    compare_rows(data_parallel, COUNT(data_parallel), near);
    for (size_t i = 0; i < COUNT(data_parallel); i++)
        good += near[i];
    printf("# data parallel: %d of %zu within 5 %% or 4 MB\n", good, COUNT(data_parallel));
    ASSERT(COUNT(data_parallel) == 17 && good >= 16);
}

/* The margin is what is kept of the rest. */
TEST(arguments_of_divided_programs_are_the_compilers)
{
    bool near[COUNT(divided)];
    compare_rows(divided, COUNT(divided), near);
    ASSERT(COUNT(divided) >= 4);
}

TEST(needs_that_no_rule_was_made_from_are_mostly_near_the_compilers)
{
    bool near[COUNT(later)];
    size_t good = 0;
    compare_rows(later, COUNT(later), near);
    for (size_t i = 0; i < COUNT(later); i++)
        good += near[i];
    printf("# asked for later: %zu of %zu within 5 %% or 4 MB\n", good, COUNT(later));
    ASSERT(COUNT(later) >= 20 && good * 2 >= COUNT(later));
}

/* The compiler is not held to the plan: near the limit it computes values again. */
TEST(no_verdict_is_wrong_where_the_compiler_is_pressed)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_error error;
    size_t fitted = 0, sure = 0, near = 0;
    for (size_t i = 0; i < COUNT(pressed); i++) {
        pod_tpu_plan *plan;
        int32_t devices;
        pod_graph *graph = read_graph(context, pressed[i].program, &devices);
        ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(pressed[i].chip), NULL, &plan, &error));
        const pod_tpu_memory *memory = pod_tpu_plan_memory(plan);
        const pod_tpu_verdict verdict = pod_tpu_plan_verdict(plan),
                              wrong = pressed[i].fits ? POD_TPU_DOES_NOT_FIT : POD_TPU_FITS;
        printf("# | %s | %s | %.2f | %.2f | %.2f | %.2f | %s |\n", pressed[i].program, pressed[i].chip,
               (double)memory->need_bytes / (double)memory->limit_bytes,
               (double)memory->relieved_bytes / (double)memory->limit_bytes,
               (double)memory->least_bytes / (double)memory->limit_bytes,
               (double)pressed[i].asked / (double)memory->limit_bytes, pressed[i].fits ? "fits" : "refused");
        ASSERT(verdict != wrong);
        ASSERT(memory->least_bytes <= pressed[i].asked + pressed[i].asked / 1000); /* refusals are rounded */
        ASSERT(pressed[i].need > memory->limit_bytes && pressed[i].least < pressed[i].need + 1);
        fitted += pressed[i].fits;
        sure += verdict != POD_TPU_CANNOT_SAY;
        near += fabs((double)memory->relieved_bytes / (double)pressed[i].asked - 1) <= 0.05;
        pod_tpu_plan_free(plan);
        pod_graph_free(graph);
    }
    printf("# pressed: %zu of %zu are made to fit, %zu needs are within 5 %% of what is left, %zu verdicts are sure\n",
           fitted, COUNT(pressed), near, sure);
    ASSERT(near * 2 >= COUNT(pressed));
    ASSERT(COUNT(pressed) >= 16);
    pod_context_release(context);
}

/* A plan that leaves 8 % of the limit, of a program that can be relieved of more and of one that cannot. */
TEST(what_the_compiler_can_compute_again_makes_up_for_the_margin)
{
    static const struct {
        const char *program;
        pod_tpu_verdict wanted;
    } cases[] = {{"pressure_vgg_bf16", POD_TPU_FITS}, {"pressure_gram", POD_TPU_CANNOT_SAY}};
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_error error;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t devices;
        pod_tpu_plan *plan;
        pod_graph *graph = read_graph(context, cases[i].program, &devices);
        pod_chip chip = *pod_chip_find("v5e");
        ASSERT_OK(pod_tpu_lower(graph, &chip, NULL, &plan, &error));
        chip.hbm_limit_bytes = (int64_t)((double)pod_tpu_plan_memory(plan)->need_bytes / 0.92);
        pod_tpu_plan_free(plan);
        ASSERT_OK(pod_tpu_lower(graph, &chip, NULL, &plan, &error));
        const pod_tpu_memory *memory = pod_tpu_plan_memory(plan);
        const double most = (double)memory->need_bytes * (1 + pod_tpu_plan_certainty(plan)->margin);
        ASSERT(most > (double)memory->limit_bytes);
        ASSERT_EQ(cases[i].wanted, pod_tpu_plan_verdict(plan));
        pod_tpu_plan_free(plan);
        pod_graph_free(graph);
    }
    pod_context_release(context);
}

/* ---- which run after those above, whose plans they count --------------------------------------------------- */

TEST(margins_are_those_of_the_known_programs)
{
    static const char made_of[] = "core/tpu/margins.def";
    add_all_unseen();
    char line[256], wanted[256][256];
    size_t count = 0;
    for (size_t i = 0; i < COUNT(chips); i++) {
        const range margin = margin_of(chips[i], -1);
        snprintf(wanted[count++], sizeof line, "MARGIN(\"%s\", %.3f, %.3f)\n", chips[i], margin.below, margin.above);
    }
    for (size_t i = 0; i < COUNT(chips); i++)
        for (uint32_t kind = 0; kind < POD_TPU_PROGRAM_KINDS; kind++) {
            const pod_tpu_known known = known_of(chips[i], kind);
            if (known.count > 0)
                snprintf(wanted[count++], sizeof line, "KEPT(\"%s\", %s, %d, %.3f)\n", chips[i], kind_names[kind],
                         (int)known.count, known.miss);
        }
    for (uint32_t kinds = 0; kinds < 1u << POD_TPU_PROGRAM_KINDS; kinds++)
        if (is_met(kinds))
            snprintf(wanted[count++], sizeof line, "MET(0x%02x)\n", (unsigned)kinds);
    printf("#! /* What nine of ten programs that were new to their plans needed less and more, by chip; how many are "
           "kept of\n"
           "#!  * each kind, and how far the worst was off; which kinds some program has at once (certainty.h). Made "
           "by\n"
           "#!  *\n"
           "#!  *     build/release/tests/test_tpu_programs | sed -n 's/^#! //p' > core/tpu/margins.def\n"
           "#!  */\n");
    for (size_t i = 0; i < count; i++)
        printf("#! %s", wanted[i]);
    FILE *file = fopen(made_of, "r");
    ASSERT(file != NULL);
    size_t same = 0;
    while (fgets(line, sizeof line, file))
        if (strchr(" /", line[0]) == NULL)
            same += same < count && strcmp(line, wanted[same]) == 0;
    fclose(file);
    ASSERT_EQ(count, same);
}

/* How many samples of a set, and of a chip where one is named, are within the margin that the other sets give. */
static size_t count_inside(int set, const char *chip, size_t *all)
{
    size_t inside = 0;
    for (size_t i = 0; i < sample_count; i++) {
        const sample *one = &samples[i];
        if (one->set != set || (chip && strcmp(chip, one->chip) != 0))
            continue;
        const range margin = margin_of(one->chip, set);
        (*all)++;
        inside += -one->off <= margin.below && one->off <= margin.above;
    }
    return inside;
}

/* Kept programs say nothing of margins, and those of a set nothing of its own. */
TEST(most_needs_are_within_margins_that_others_give)
{
    size_t kept = 0, new = 0, held = 0;
    const size_t kept_inside = count_inside(-1, NULL, &kept);
    printf("# inside, kept: %zu/%zu\n", kept_inside, kept);
    ASSERT(kept_inside * 10 >= kept * 9);
    for (int set = 0; set < SETS; set++) {
        printf("# inside, set %d:", set);
        for (size_t c = 0; c < COUNT(chips); c++) {
            size_t all = 0;
            const size_t inside = count_inside(set, chips[c], &all);
            if (all > 0)
                printf(" %s %zu/%zu,", chips[c], inside, all);
            new += all;
            held += inside;
        }
        printf("\n");
    }
    printf("# inside, all sets: %zu/%zu\n", held, new);
    ASSERT(held * 100 >= new * 80);
}

TEST_MAIN(RUN(needs_of_whole_programs_are_near_the_compilers);
          RUN(needs_of_one_device_of_several_are_near_the_compilers);
          RUN(arguments_of_divided_programs_are_the_compilers);
          RUN(needs_that_no_rule_was_made_from_are_mostly_near_the_compilers);
          RUN(no_verdict_is_wrong_where_the_compiler_is_pressed);
          RUN(what_the_compiler_can_compute_again_makes_up_for_the_margin);
          RUN(margins_are_those_of_the_known_programs); RUN(most_needs_are_within_margins_that_others_give))
