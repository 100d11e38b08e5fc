/*
 * Random programs against oracles: see programs.h.
 *
 *     fuzz_programs [--count N] [--seed N] [--seconds N] [--one SEED] [--write DIRECTORY]
 *                   [--kind gradients|planted] [--plugin PATH [--devices N]]
 *     fuzz_programs --only NUMBER,NUMBER...
 *     fuzz_programs --measure ROUNDS [--seed N]
 *
 * Runs N programs (20,000) of the numbers from a seed on (1), or as many as there is time for. A program that fails is
 * made small, as long as it fails in the same way, and printed as a test. The last line says how many passed and
 * failed. With --write nothing is compared: programs, arguments and what results may be are written for xla.py. Of kind
 * gradients are programs that are differentiated: see gradients.c. Of kind planted are programs with a fault each, to
 * try the oracle: see plant.c. With --plugin programs run on devices of this plugin of PJRT.
 */

#include "programs.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "moonpod/exchange.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#define LEAST_FOUND 92 /* of 100 planted faults; the others are smaller than what errors make of the results */

static double patience;                                /* when making smaller ends */
static char first_failure[4 * POD_ERROR_MESSAGE_SIZE]; /* of the program that is made smaller, without numbers */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What failed and how, in which way and family: the text with # for each number. A variable's failure is an output's
 * where the program is made smaller. Infinite and no number stay as they are: they are another kind of failure. */
static void without_numbers(const char *text, char *to, size_t size)
{
    static const char variable[] = "parameter ", output[] = "output ";
    size_t used = 0;
    while (*text && used + sizeof output < size) {
        if (is_digit(*text) || (*text == '-' && is_digit(text[1]))) {
            for (text++; is_digit(*text) || *text == '.' || (text[-1] == 'e' && (*text == '-' || *text == '+')) ||
                         (*text == 'e' && (text[1] == '-' || text[1] == '+'));)
                text++;
            to[used++] = '#';
        } else if (strncmp(text, variable, sizeof variable - 1) == 0) {
            memcpy(to + used, output, sizeof output - 1);
            text += sizeof variable - 1;
            used += sizeof output - 1;
        } else {
            to[used++] = *text++;
        }
    }
    to[used] = '\0';
}

static long refused; /* by the plugin */

static const char *check_on_devices(machine *m, const program *p)
{
    (void)m;
    return devices_check(p, &refused);
}

static const char *(*check)(machine *, const program *) = program_check;

/* Whether a smaller program fails in time as the first one did: another failure is another program's. */
static const char *fails_alike(machine *m, const program *p)
{
    char own[sizeof first_failure];
    const char *wrong = seconds() < patience ? check(m, p) : NULL;
    if (!wrong)
        return NULL;
    without_numbers(wrong, own, sizeof own);
    return strcmp(own, first_failure) == 0 ? wrong : NULL;
}

/* Says what fails, as small as it gets in some seconds. */
static void show(machine *m, program *p, const char *wrong, double limit)
{
    printf("# program %llu: %s\n", (unsigned long long)p->seed, wrong);
    fflush(stdout);
    patience = seconds() + limit;
    without_numbers(wrong, first_failure, sizeof first_failure);
    program_shrink(m, p, fails_alike);
    const char *still = check(m, p);
    printf("# made small: %s\n", still ? still : "it does not fail any more");
    program_write(p, stdout);
    fflush(stdout);
}

/* Seed.mlir is the program; seed.txt has a line for each argument and output: type and sizes; seed.bin has the elements
 * of arguments, and the least and largest values of outputs as f64. */
static void write_exchange(const program *p, const char *directory)
{
    char path[1024], *text;
    pod_error error;
    if (pod_exchange_write(p->graph, &text, &error) != POD_OK)
        return;
    FILE *files[3];
    static const char *const endings[] = {"mlir", "txt", "bin"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%llu.%s", directory, (unsigned long long)p->seed, endings[i]);
        files[i] = fopen(path, "wb");
        if (!files[i]) {
            fprintf(stderr, "fuzz_programs: %s cannot be written\n", path);
            exit(2);
        }
    }
    fputs(text, files[0]);
    outcome expected;
    pod_array bounds[2][MOST_OUTPUTS];
    oracle_run(p, NULL, 0, &expected);
    if (expected.status == POD_OK)
        oracle_bounds(p, &expected, bounds[0], bounds[1]);
    for (uint32_t i = 0; i < p->graph->parameter_count + expected.output_count; i++) {
        const bool output = i >= p->graph->parameter_count;
        const uint32_t at = output ? i - p->graph->parameter_count : i;
        const pod_array *array = output ? &expected.outputs[at] : &p->arguments[at];
        const size_t count = (size_t)pod_shape_elements(&array->shape);
        if (expected.status != POD_OK)
            break;
        fprintf(files[1], "%s %s", output ? "output" : "argument", pod_dtype_name(array->dtype));
        for (int32_t j = 0; j < array->shape.rank; j++)
            fprintf(files[1], " %lld", (long long)array->shape.dims[j]);
        fputs("\n", files[1]);
        for (int j = 0; j < 2 && output; j++) {
            fwrite(bounds[j][at].data, 8, count, files[2]);
            array_free(&bounds[j][at]);
        }
        if (!output)
            fwrite(array->data, pod_dtype_size(array->dtype), count, files[2]);
    }
    for (int i = 0; i < 3; i++)
        fclose(files[i]);
    outcome_free(&expected);
    pod_text_free(p->graph->context, text);
}

/* The number of program `index`: of a list, which is read on, or counted from a seed. */
static uint64_t next_number(const char **list, uint64_t seed, uint64_t index)
{
    char *rest;
    if (!*list)
        return seed + index;
    const uint64_t number = strtoull(*list, &rest, 10);
    *list = *rest == ',' ? rest + 1 : rest;
    return number;
}

static uint64_t count_numbers(const char *list)
{
    uint64_t count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 20000;
    double limit = 0;
    long passed = 0, failed = 0;
    bool large = false, differentiates = false, plants = false;
    planted faults = {0};
    int64_t rounds = 0;
    long known[2] = {0, 0};
    const char *directory = NULL, *list = NULL, *plugin = NULL;
    long devices = 1;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--count") == 0) {
            count = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--seconds") == 0) {
            limit = strtod(value, NULL);
            count = UINT64_MAX;
        } else if (strcmp(argv[i], "--one") == 0) {
            seed = strtoull(value, NULL, 10);
            count = 1;
            large = true;
        } else if (strcmp(argv[i], "--only") == 0) {
            list = value;
            count = count_numbers(list);
        } else if (strcmp(argv[i], "--write") == 0) {
            directory = value;
        } else if (strcmp(argv[i], "--plugin") == 0) {
            plugin = value;
        } else if (strcmp(argv[i], "--devices") == 0) {
            devices = strtol(value, NULL, 10);
        } else if (strcmp(argv[i], "--measure") == 0) {
            rounds = strtoll(value, NULL, 10);
            count = 0;
        } else if (strcmp(argv[i], "--kind") == 0 && strcmp(value, "gradients") == 0) {
            differentiates = true;
        } else if (strcmp(argv[i], "--kind") == 0 && strcmp(value, "planted") == 0) {
            plants = true;
        } else {
            fprintf(stderr, "usage: fuzz_programs [--count N] [--seed N] [--seconds N] [--one SEED] "
                            "[--only SEED,SEED...] [--write DIRECTORY] [--kind gradients|planted] [--measure ROUNDS] "
                            "[--plugin PATH] [--devices N]\n");
            return 2;
        }
        i++;
    }
    machine m;
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* arrays come and go */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
    machine_open(&m);
    if (plugin) {
        devices_open(m.one[0], plugin, (int32_t)devices);
        check = check_on_devices;
    }
    const double start = seconds();
    if (rounds > 0) {
        long counts[2] = {0, 0};
        measure_ops(&m, seed, rounds, counts);
        passed = counts[0];
        failed = counts[1];
    }
    for (uint64_t i = 0; i < count && failed < 20 && (limit == 0 || seconds() - start < limit); i++) {
        program p;
        if (differentiates) {
            const char *wrong = gradients_check(m.one[0], seed + i, known);
            if (wrong)
                printf("# program %llu: %s\n", (unsigned long long)(seed + i), wrong);
            *(wrong ? &failed : &passed) += 1;
            continue;
        }
        program_make(&p, m.one[0], next_number(&list, seed, i),
                     directory ? PROGRAM_EXCHANGE
                     : plugin  ? PROGRAM_DEVICES
                               : PROGRAM_ANY);
        if (directory) {
            write_exchange(&p, directory);
            program_free(&p);
            continue;
        }
        if (large) {
            program_write(&p, stdout);
            fflush(stdout);
        }
        const char *sampled;
        const long before = oracle_explained(&sampled);
        const char *wrong = plants ? plant_check(&p, &faults) : check(&m, &p);
        if (!plants && oracle_explained(NULL) > before) /* to be looked at: intervals are wide */
            printf("# program %llu is explained by intervals alone: %s\n", (unsigned long long)p.seed, sampled);
        if (wrong && plants)
            printf("# program %llu: %s\n", (unsigned long long)p.seed, wrong);
        if (wrong && !plants)
            show(&m, &p, wrong, large ? 600 : 15);
        *(wrong ? &failed : &passed) += 1;
        program_free(&p);
    }
    if (plugin)
        devices_close();
    machine_close(&m);
    failed += faults.found * 100 < faults.planted * LEAST_FOUND;
    if (plugin)
        printf("# %ld were refused\n", refused);
    else if (differentiates)
        printf("# slopes told: %ld of first order, %ld of second\n", known[0], known[1]);
    else if (plants)
        printf("# %ld faults planted that change a result, %ld found, %ld explained by intervals alone\n",
               faults.planted, faults.found, faults.explained);
    else if (!directory && count > 0)
        ways_print(stdout);
    if (oracle_explained(NULL) > 0)
        printf("# %ld results explained by intervals, but by no sample\n", oracle_explained(NULL));
    if (rounds == 0)
        printf("# %ld programs from %llu on, %.1f s, %.0f a second\n", passed + failed, (unsigned long long)seed,
               seconds() - start, (double)(passed + failed) / (seconds() - start));
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed > 0;
}
