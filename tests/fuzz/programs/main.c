/*
 * Random programs against oracles: see programs.h.
 *
 *     fuzz_programs [--count N] [--seed N] [--seconds N] [--one SEED]
 *
 * Runs N programs (20,000) of the numbers from a seed on (1), or as many as there is time for. A program that fails is
 * made small and printed as a test. The last line says how many passed and failed.
 */

#include "programs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Says what fails, as small as it gets. */
static void show(machine *m, program *p, const char *wrong)
{
    printf("# program %llu: %s\n", (unsigned long long)p->seed, wrong);
    program_shrink(m, p, program_check);
    const char *still = program_check(m, p);
    printf("# made small: %s\n", still ? still : "it does not fail any more");
    program_write(p, stdout);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 20000;
    double limit = 0;
    long passed = 0, failed = 0;
    bool large = false;
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
        } else {
            fprintf(stderr, "usage: fuzz_programs [--count N] [--seed N] [--seconds N] [--one SEED]\n");
            return 2;
        }
        i++;
    }
    machine m;
    machine_open(&m);
    const double start = seconds();
    for (uint64_t i = 0; i < count && failed < 20 && (limit == 0 || seconds() - start < limit); i++) {
        program p;
        program_make(&p, m.one[0], seed + i, PROGRAM_ANY);
        if (large) {
            char *text = pod_graph_print(p.graph);
            puts(text);
            fflush(stdout);
            pod_text_free(m.one[0], text);
        }
        const char *wrong = program_check(&m, &p);
        if (wrong)
            show(&m, &p, wrong);
        *(wrong ? &failed : &passed) += 1;
        program_free(&p);
    }
    machine_close(&m);
    printf("# %ld programs from %llu on, %.1f s\n", passed + failed, (unsigned long long)seed, seconds() - start);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed > 0;
}
