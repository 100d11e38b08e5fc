/*
 * fuzz_program - changes stored programs, makes their checksum right again and runs what is still taken for one: it must
 * stay within its own memory.
 *
 *     fuzz_program N [SEED]       N changed programs of each case; SEED (default 1) and N give the same again
 *
 * Built with sanitizers by tests/fuzz/run.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/stored_cases.h"

static uint64_t state;

static uint64_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 16;
}

/* Changes a few places: bits, bytes, and numbers of 4 or 8 bytes to what limits look like. */
static void change(unsigned char *bytes, size_t size)
{
    static const uint64_t limits[] = {0, 1, UINT32_MAX, INT32_MAX, INT64_MAX, UINT64_MAX, 1u << 20};
    for (uint64_t times = 1 + next() % 3; times > 0; times--) {
        const size_t at = 56 + (size_t)next() % (size - 56);
        const uint64_t number = limits[next() % 7];
        const size_t width = next() % 2 ? 8 : 4;
        switch (next() % 4) {
        case 0:
            bytes[at] ^= (unsigned char)(1 << next() % 8);
            break;
        case 1:
            bytes[at] = (unsigned char)next();
            break;
        case 2:
            bytes[at]++;
            break;
        default:
            if (at + width <= size)
                memcpy(bytes + at, &number, width);
        }
    }
    seal(bytes, size);
}

/* Fuzzes one case; returns how many changed programs ran, or -1 when the case cannot be made. */
static long fuzz(int number, long count)
{
    static const pod_compile_options options;
    const char *what;
    pod_context *context = NULL;
    pod_graph *graph = NULL;
    pod_program *program = NULL;
    pod_stored_target target;
    pod_arena memory;
    size_t size = 0;
    long ran = -1;
    if (pod_context_new(&(pod_context_options){.threads = 1}, &context, NULL) != POD_OK)
        return -1;
    pod_arena_init(&memory, context);
    graph = stored_case(context, number);
    unsigned char *bytes = NULL, *changed = NULL;
    if (graph && pod_program_compile(context, graph, NULL, &program, NULL) == POD_OK &&
        pod_stored_target_make(&target, context, &memory, graph, &options))
        bytes = pod_program_to_bytes(program, &target, &size, &what);
    if (bytes)
        changed = pod_allocate(context, size);
    if (changed)
        ran = 0;
    for (long i = 0; changed && i < count; i++) {
        memcpy(changed, bytes, size);
        change(changed, size);
        pod_program *loaded = pod_program_from_bytes(context, &target, changed, size, &what);
        ran += loaded != NULL;
        if (loaded)
            run_anyhow(context, loaded);
        pod_program_free(loaded);
    }
    pod_free(context, changed);
    pod_free(context, bytes);
    pod_arena_clear(&memory);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
    return ran;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 100;
    long ran = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int number = 0; number < STORED_CASES; number++) {
        const long more = fuzz(number, count);
        if (more < 0) {
            fprintf(stderr, "fuzz_program: case %d cannot be stored\n", number);
            return EXIT_FAILURE;
        }
        ran += more;
    }
    printf("fuzz_program: %ld changed programs, %ld were run\n", count * STORED_CASES, ran);
    return EXIT_SUCCESS;
}
