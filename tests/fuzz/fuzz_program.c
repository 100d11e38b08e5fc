/* Stored programs whose checksum is right whatever else is not: what is still taken for one stays within its own
 * memory when it runs. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stored_cases.h"

/* An input is a byte, the number of the case, and the program. */

typedef struct stored {
    pod_graph *graph;
    pod_arena memory;
    pod_stored_target target;
} stored;

static bool open_case(stored *one, pod_context *context, int number)
{
    static const pod_compile_options options;
    pod_arena_init(&one->memory, context);
    one->graph = stored_case(context, number);
    return one->graph != NULL && pod_store_target_make(&one->target, context, &one->memory, one->graph, &options);
}

static void close_case(stored *one)
{
    pod_arena_clear(&one->memory);
    pod_graph_free(one->graph);
}

static void write_program(pod_context *context, int number)
{
    stored one;
    pod_program *program = NULL;
    const char *what;
    size_t size = 0;
    if (!open_case(&one, context, number) || pod_program_compile(context, one.graph, NULL, &program, NULL) != POD_OK)
        fuzz_die("program", "a case cannot be stored");
    unsigned char *bytes = pod_store_to_bytes(program, &one.target, &size, &what);
    unsigned char *input = malloc(size + 1);
    if (bytes == NULL || input == NULL)
        fuzz_die("program", "a case cannot be stored");
    input[0] = (unsigned char)number;
    memcpy(input + 1, bytes, size);
    if (size < FUZZ_MOST)
        fuzz_put(input, size + 1);
    free(input);
    pod_free(context, bytes);
    pod_program_free(program);
    close_case(&one);
}

static void write_programs(pod_context *context)
{
    for (int number = 0; number < STORED_CASES; number++)
        write_program(context, number);
}

static void read_program(pod_context *context)
{
    static unsigned char input[FUZZ_MOST];
    const size_t size = fuzz_load(input);
    const char *what;
    stored one;
    if (size < 57) /* there is nothing to seal */
        return;
    if (!open_case(&one, context, input[0] % STORED_CASES))
        fuzz_die("program", "there is no such case");
    unsigned char *bytes = malloc(size - 1);
    memcpy(bytes, input + 1, size - 1);
    seal(bytes, size - 1);
    pod_program *loaded = pod_store_from_bytes(context, &one.target, bytes, size - 1, &what);
    if (loaded != NULL)
        run_anyhow(context, loaded);
    pod_program_free(loaded);
    free(bytes);
    close_case(&one);
}

const fuzz_target fuzz_programs[] = {
    {"program", write_programs, read_program},
    {0},
};
