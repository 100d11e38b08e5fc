/*
 * Counts the allocations of a whole process, all threads, from step 100 to step 200 of a run that an infeed feeds:
 * loaded with LD_PRELOAD it stands in front of malloc and its friends, and writes the count to the file that
 * MALLOC_COUNT names.
 */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <moonpod/program.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;

void *malloc(size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    *pointer = memalign(alignment, size);
    return *pointer != NULL ? 0 : ENOMEM;
}

/* ---- from step to step ------------------------------------------------------------------------------ */

enum { FIRST_STEP = 100, LAST_STEP = 200 };

static pod_infeed inner;
static long steps;
static unsigned long at_first;

static void report(unsigned long allocations)
{
    const char *path = getenv("MALLOC_COUNT");
    if (path == NULL)
        return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%lu\n", allocations);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        if (write(file, text, (size_t)length) < 0)
            _exit(1);
        close(file);
    }
}

static void count_step(void)
{
    if (steps == FIRST_STEP)
        at_first = atomic_load(&count);
    else if (steps == LAST_STEP)
        report(atomic_load(&count) - at_first);
    steps++;
}

static pod_status counted_next(void *context, pod_buffer **slots, size_t number, pod_error *error)
{
    (void)context;
    count_step();
    return inner.next(inner.context, slots, number, error);
}

static pod_status counted_next_rows(void *context, const bool *by_rows, pod_buffer **slots, pod_infeed_rows *rows,
                                    size_t number, pod_error *error)
{
    (void)context;
    count_step();
    return inner.next_rows(inner.context, by_rows, slots, rows, number, error);
}

/* Stands in front of the library's: the infeed is asked once before each step, so that is where steps are told
 * apart. */
pod_status pod_program_run(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                           const pod_run_options *options, pod_run_report *run_report, pod_error *error)
{
    typedef pod_status (*run_function)(pod_program *, pod_buffer *const *, pod_buffer **, const pod_run_options *,
                                       pod_run_report *, pod_error *);
    pod_infeed counted = {.next = counted_next};
    const run_function run = (run_function)dlsym(RTLD_NEXT, "pod_program_run");
    if (options == NULL || options->infeed == NULL)
        return run(program, arguments, results, options, run_report, error);
    pod_run_options changed = *options;
    inner = *options->infeed;
    counted.next_rows = inner.next_rows != NULL ? counted_next_rows : NULL;
    changed.infeed = &counted;
    steps = 0;
    return run(program, arguments, results, &changed, run_report, error);
}
