/* context_new - makes contexts: see context.h. */

#include "base/context_parts.h"
#include "base/system/system.h"
#include "base/workers.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_THREADS_LIMIT 64

/* The allocator of hosts that give none. Blocks are taken and freed, never given another size (context.c). */
static void *default_resize(void *kept, void *pointer, size_t old_size, size_t new_size)
{
    if (new_size == 0) {
        pod_kept_blocks_free(kept, pointer, old_size);
        return NULL;
    }
    void *block = pod_kept_blocks_take(kept, new_size);
    if (!block) {
        block = malloc(new_size);
        if (block && new_size >= POD_LARGE_BLOCK)
            pod_huge_pages_advise(block, new_size);
    }
    return block;
}

static pod_status choose_threads(int wanted, int *threads, pod_error *error)
{
    if (wanted < 0 || wanted > POD_THREADS_LIMIT)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "option 'threads' is %d; it must be 1 to %d, or 0 for the CPUs that "
                             "this process may use",
                             wanted, POD_THREADS_LIMIT);
    *threads = wanted;
    if (wanted == 0) {
        const int cpus = pod_cpu_count();
        *threads = cpus < DEFAULT_THREADS_LIMIT ? cpus : DEFAULT_THREADS_LIMIT;
    }
    return POD_OK;
}

static pod_status choose_short_run(int64_t wanted, int64_t *short_run, pod_error *error)
{
    const char *text = wanted == 0 ? getenv("MOONPOD_SHORT_RUN") : NULL;
    *short_run = wanted;
    if (text == NULL || *text == '\0')
        return POD_OK;
    char *end;
    const long long given = strtoll(text, &end, 10);
    if (*end != '\0' || given < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "MOONPOD_SHORT_RUN is '%.64s'; it must be a number of nanoseconds, or 0 for no run", text);
    *short_run = given > 0 ? given : -1;
    return POD_OK;
}

pod_status pod_context_new(const pod_context_options *options, pod_context **context_out, pod_error *error)
{
    static const pod_context_options defaults;
    pod_cpu_family family;
    int threads;
    int64_t short_run = 0;

    *context_out = NULL;
    if (!options)
        options = &defaults;
    pod_status status = choose_threads(options->threads, &threads, error);
    if (status == POD_OK)
        status = pod_cpu_choose_family(options->isa, &family, error);
    if (status == POD_OK)
        status = choose_short_run(options->short_run_nanoseconds, &short_run, error);
    if (status != POD_OK)
        return status;

    const pod_allocator allocator = options->allocator;
    pod_context *context =
        allocator.resize ? allocator.resize(allocator.context, NULL, 0, sizeof *context) : malloc(sizeof *context);
    if (!context)
        return pod_error_memory(error, "a context", sizeof *context);
    memset(context, 0, sizeof *context);
    context->allocator = allocator.resize ? allocator : (pod_allocator){default_resize, &context->kept};
    context->log = options->log;
    context->log_context = options->log_context;
    context->family = family;
    context->short_run = short_run;
    context->all_threads = options->all_threads;
    context->account = options->account ? pod_context_retain(options->account) : NULL;
    atomic_init(&context->shares, 1);
    atomic_init(&context->threads, threads);
    pod_context_set_unpacked_bytes(context, options->unpacked_bytes);
    if (!pod_context_count_taken(context, sizeof *context)) /* the limit is set behind it: it counts */
        return pod_error_memory(error, "a context", sizeof *context);
    pod_context_set_memory_limit(context, options->memory_limit);

    context->end_workers = pod_workers_free;
    context->workers = pod_workers_new(context);
    if (!context->workers) {
        pod_context_release(context);
        return pod_error_memory(error, "a context's worker", 0);
    }
    if (options->files)
        status = pod_context_set_files(context, options->files, error);
    if (status != POD_OK) {
        pod_context_release(context);
        return status;
    }
    *context_out = context;
    return POD_OK;
}

/* The allocator of a context that stands beside another. */
static void *resize_in_parent(void *parent, void *pointer, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size > 0)
        return pod_reallocate(parent, pointer, new_size);
    pod_free(parent, pointer);
    return NULL;
}

pod_status pod_context_new_beside(pod_context *parent, int threads, pod_context **context, pod_error *error)
{
    const pod_context_options options = {
        .allocator = {resize_in_parent, parent},
        .log = parent->log,
        .log_context = parent->log_context,
        .threads = threads,
        .isa = pod_context_isa(parent),
        .unpacked_bytes = pod_context_unpacked_bytes(parent),
        .short_run_nanoseconds = parent->short_run,
    };
    const pod_status status = pod_context_new(&options, context, error);
    if (status == POD_OK)
        (*context)->parent = pod_context_retain(parent);
    return status;
}
