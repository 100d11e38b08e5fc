/* test_open_close - contexts that come and go in several threads leave nothing behind: no memory, file or thread. With
 * MOONPOD_LONG 1,000 of them. Runs under the sanitizers. */

#include "count_threads.h"
#include "moonpod/formats.h"
#include "program_run.h"
#include "test_path.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define THREADS_OF_SANITIZER 1 /* it starts one of its own with the first of the process */
/* TSan does not see openat2(), by which files are opened below a folder: a number that comes again in another thread
 * looks like a race of its close() to it. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);

const char *__tsan_default_suppressions(void)
{
    return "race:close_folder\nrace:pod_format_hold_unfinished\nrace:end_rename\n";
}
#else
#define THREADS_OF_SANITIZER 0
#endif

#define THREADS 4

/* What each context leaves behind stays in every round. A sanitizer takes its own memory in one of them: TSan 34 MB,
 * when many threads wait. So the round in the middle counts. */
#define ROUNDS 5

static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ASSERT(file);
    ASSERT_EQ(2, fscanf(file, "%ld %ld", &all, &resident));
    fclose(file);
    return resident;
}

#if defined(__SANITIZE_ADDRESS__)
__attribute__((visibility("default"))) const char *__asan_default_options(void);

/* Freed memory is given back, so that what stays is seen: by itself this sanitizer keeps 256 MB of it. */
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=1";
}
#endif

/* Blocks that contexts took from their host, and have not given back. */
static atomic_long blocks;

static void *counted_resize(void *context, void *pointer, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        atomic_fetch_sub(&blocks, pointer != NULL);
        free(pointer);
        return NULL;
    }
    void *block = realloc(pointer, new_size);
    atomic_fetch_add(&blocks, pointer == NULL && block != NULL);
    return block;
}

/* A context that compiles a step, runs it on two threads and writes and reads a file in its folder. */
static void cycle(const char *folder, int thread)
{
    pod_error error;
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
    pod_buffer *state;
    char name[32], *bytes = NULL;
    const pod_context_options options = {.allocator = {counted_resize, NULL},
                                         .threads = 2,
                                         .short_run_nanoseconds = -1,
                                         .files = folder,
                                         .memory_limit = (uint64_t)64 << 20};
    ASSERT_OK(pod_context_new(&options, &context, &error));
    ASSERT_OK(pod_graph_new(context, "cycle", &graph, &error));
    const pod_shape shape = {2, {16, 16}};
    pod_node *x = pod_graph_parameter(graph, POD_F32, &shape, "x");
    pod_graph_add_output(graph, pod_graph_tanh(graph, pod_graph_matmul(graph, x, x)));
    pod_graph_set_alias(graph, 0, 0);
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    ASSERT_OK(pod_buffer_new(context, POD_F32, &shape, &state, &error));
    ASSERT_OK(pod_program_run(program, &state, NULL, &(pod_run_options){.steps = 3}, NULL, &error));
    snprintf(name, sizeof name, "cycle%d", thread);
    ASSERT_OK(pod_file_write(context, name, pod_buffer_data(state), pod_buffer_bytes(state), &error));
    ASSERT_OK(pod_locate_file(context, name, &bytes, &error));
    ASSERT_EQ(0, access(bytes, R_OK));
    pod_text_free(context, bytes);
    pod_buffer_release(state);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

typedef struct thread_of_cycles {
    const char *folder;
    int index, cycles;
} thread_of_cycles;

static void *run_cycles(void *argument)
{
    const thread_of_cycles *own = argument;
    for (int i = 0; i < own->cycles; i++)
        cycle(own->folder, own->index);
    return NULL;
}

static void run_all(const char *folder, int cycles)
{
    pthread_t threads[THREADS];
    thread_of_cycles each[THREADS];
    for (int i = 0; i < THREADS; i++) {
        each[i] = (thread_of_cycles){folder, i, cycles};
        ASSERT_EQ(0, pthread_create(&threads[i], NULL, run_cycles, &each[i]));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static int compare_longs(const void *a, const void *b)
{
    const long left = *(const long *)a, right = *(const long *)b;
    return (left > right) - (left < right);
}

static void *do_nothing(void *argument)
{
    return argument;
}

/* Pages that stay of a thread that did nothing: of an emulator's, as qemu-user leaves them; else none. */
static long pages_of_a_thread(void)
{
    enum { COUNT = 100 };
    pthread_t thread;
    const long before = resident_pages();
    for (int i = 0; i < COUNT; i++) {
        ASSERT_EQ(0, pthread_create(&thread, NULL, do_nothing, NULL));
        pthread_join(thread, NULL);
    }
    const long each = (resident_pages() - before) / COUNT;
    return each > 0 ? each : 0;
}

TEST(contexts_come_and_go_and_leave_nothing)
{
    const int cycles = getenv("MOONPOD_LONG") ? 50 : 10; /* of each thread in a round */
    long grown[ROUNDS];
    char folder[200], file[240];
    const int threads = count_entries("/proc/self/task") + THREADS_OF_SANITIZER;
    test_path(folder, sizeof folder, "cycles");
    ASSERT_EQ(0, mkdir(folder, 0700));
    run_all(folder, 5); /* what a process takes once */
    const int files = count_entries("/proc/self/fd");
    ASSERT_EQ(threads, count_threads(threads));
    const long of_threads = pages_of_a_thread() * (cycles * THREADS + THREADS);
    for (int i = 0; i < ROUNDS; i++) {
        const long pages = resident_pages();
        run_all(folder, cycles);
        ASSERT_EQ(0, atomic_load(&blocks));
        ASSERT_EQ(files, count_entries("/proc/self/fd"));
        ASSERT_EQ(threads, count_threads(threads));
        grown[i] = (resident_pages() - pages - of_threads) * sysconf(_SC_PAGESIZE);
    }
    qsort(grown, ROUNDS, sizeof grown[0], compare_longs);
    printf("%d contexts in %d threads, %d times: %d files, %d threads, %ld KiB more resident (%ld to %ld)\n",
           cycles * THREADS, THREADS, ROUNDS, files, threads, grown[ROUNDS / 2] / 1024, grown[0] / 1024,
           grown[ROUNDS - 1] / 1024);
    ASSERT(grown[ROUNDS / 2] < 4 << 20);
    for (int i = 0; i < THREADS; i++) {
        snprintf(file, sizeof file, "%s/cycle%d", folder, i);
        ASSERT_EQ(0, unlink(file));
    }
    ASSERT_EQ(0, rmdir(folder));
}

TEST_MAIN(RUN(contexts_come_and_go_and_leave_nothing))
