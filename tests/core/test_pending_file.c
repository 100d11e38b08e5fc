/* Files that a thread of their own writes: order, failures, interrupts, forks, the last share. */

#include "file_cases.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* An allocator that makes threads other than the one that made it wait while it is shut. */
typedef struct gate {
    pthread_t owner;
    pthread_mutex_t mutex;
} gate;

static gate keeper = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void *pass_gate(void *context, void *pointer, size_t old_size, size_t new_size)
{
    gate *self = context;
    (void)old_size;
    if (!pthread_equal(pthread_self(), self->owner)) {
        pthread_mutex_lock(&self->mutex);
        pthread_mutex_unlock(&self->mutex);
    }
    if (new_size > 0)
        return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

static pod_context *context;
static pod_error error;

static pod_buffer *filled(pod_context *of, size_t size, int value)
{
    pod_buffer *buffer;
    ASSERT_OK(pod_buffer_new(of, POD_U8, &(pod_shape){1, {(int64_t)size}}, &buffer, &error));
    memset(pod_buffer_data(buffer), value, size);
    return buffer;
}

/* Begins a file of `size` bytes of a value; the list and what is in it is gone when this returns. */
static pod_status begin(pod_context *of, size_t size, int value, pod_pending_file *after, pod_pending_file **file)
{
    char name[] = "bytes", key[] = "key", text[] = "text";
    char *texts[] = {key, text};
    pod_named_buffer entry = {name, filled(of, size, value)};
    const pod_buffer_list list = {.count = 1, .entries = &entry, .text_count = 1, .texts = texts};
    const pod_status status = pod_safetensors_begin(of, path, &list, after, file, &error);
    memset(name, 'x', 5);
    memset(text, 'x', 4);
    pod_buffer_release(entry.buffer);
    return status;
}

static pod_status write_now(pod_context *of)
{
    static char name[] = "bytes";
    pod_named_buffer entry = {name, filled(of, 10, 1)};
    const pod_buffer_list list = {.count = 1, .entries = &entry};
    const pod_status status = pod_safetensors_write(of, path, &list, &error);
    pod_buffer_release(entry.buffer);
    return status;
}

static void expect(size_t size, int value)
{
    pod_buffer_list list;
    ASSERT_OK(pod_safetensors_read(context, path, &list, &error));
    ASSERT_EQ(1, list.count);
    ASSERT_TEXT("bytes", list.entries[0].name);
    ASSERT_TEXT("text", list.texts[1]);
    ASSERT_EQ(size, pod_buffer_bytes(list.entries[0].buffer));
    const unsigned char *bytes = pod_buffer_data(list.entries[0].buffer);
    for (size_t i = 0; i < size; i++)
        ASSERT_EQ(value, bytes[i]);
    pod_buffer_list_clear(&list);
}

TEST(a_file_is_written_behind_its_caller)
{
    pod_pending_file *file;
    ASSERT_OK(begin(context, 1000000, 7, NULL, &file));
    ASSERT_OK(pod_pending_file_wait(file, &error));
    ASSERT(pod_pending_file_is_done(file));
    ASSERT_OK(pod_pending_file_wait(file, &error));
    pod_pending_file_release(file);
    expect(1000000, 7);
    pod_pending_file_release(NULL);
}

TEST(the_later_of_two_files_stays)
{
    for (int round = 0; round < 20; round++) {
        pod_pending_file *files[4] = {NULL};
        for (int i = 0; i < 4; i++)
            ASSERT_OK(begin(context, i == 0 ? 4000000 : 10, i, i > 0 ? files[i - 1] : NULL, &files[i]));
        if (round % 2 == 0) /* those before it may go before they are written */
            for (int i = 0; i < 3; i++)
                pod_pending_file_release(files[i]);
        ASSERT_OK(pod_pending_file_wait(files[3], &error));
        expect(10, 3);
        for (int i = round % 2 == 0 ? 3 : 0; i < 4; i++)
            pod_pending_file_release(files[i]);
    }
}

TEST(the_last_share_waits)
{
    pod_pending_file *file;
    ASSERT_OK(begin(context, 2000000, 9, NULL, &file));
    pod_pending_file_release(file);
    expect(2000000, 9);
}

TEST(what_can_be_known_at_once_fails_at_once)
{
    static char name[] = "a";
    pod_buffer *buffer = filled(context, 1, 0);
    pod_named_buffer entries[] = {{name, buffer}, {name, buffer}};
    const pod_buffer_list list = {.count = 2, .entries = entries}, one = {.count = 1, .entries = entries};
    pod_pending_file *file;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "two arrays are named 'a'",
                 pod_safetensors_begin(context, path, &list, NULL, &file, &error));
    ASSERT(file == NULL);
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, "/nowhere/at/all: cannot create",
                 pod_safetensors_begin(context, "/nowhere/at/all", &one, NULL, &file, &error));
    pod_buffer_release(buffer);
}

/* Files may have so many bytes. */
static void limit_files(rlim_t size)
{
    struct rlimit limit;
    ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &limit));
    limit.rlim_cur = size;
    ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
}

TEST(a_full_disk_is_told_each_time_and_the_old_file_stays)
{
    pod_pending_file *file, *next;
    ASSERT_OK(begin(context, 100, 1, NULL, &file));
    pod_pending_file_release(file);
    signal(SIGXFSZ, SIG_IGN);
    limit_files(300000);
    ASSERT_OK(begin(context, 1000000, 2, NULL, &file));
    for (int i = 0; i < 2; i++)
        ASSERT_FAILS(POD_ERROR_IO, "cannot write", pod_pending_file_wait(file, &error));
    ASSERT_CONTAINS(path, error.message);
    expect(100, 1);
    ASSERT_OK(begin(context, 1000, 3, file, &next)); /* which does not mind what came of the one before it */
    ASSERT_OK(pod_pending_file_wait(next, &error));
    expect(1000, 3);
    pod_pending_file_release(next);
    pod_pending_file_release(file);
    limit_files(RLIM_INFINITY);
}

TEST(an_interrupt_ends_the_waiting_not_the_writing)
{
    keeper.owner = pthread_self();
    pod_context *slow = test_context(&(pod_context_options){.allocator = {pass_gate, &keeper}, .threads = 1});
    pod_pending_file *file;
    pthread_mutex_lock(&keeper.mutex);
    ASSERT_OK(begin(slow, 5000, 4, NULL, &file));
    ASSERT(!pod_pending_file_is_done(file));
    pod_context_interrupt(slow);
    ASSERT_FAILS(POD_ERROR_INTERRUPTED, "interrupted while the file is being written",
                 pod_pending_file_wait(file, &error));
    pthread_mutex_unlock(&keeper.mutex);
    pod_pending_file_release(file);
    expect(5000, 4);
    ASSERT_FAILS(POD_ERROR_INTERRUPTED, "interrupted", write_now(slow));
    expect(5000, 4);
    pod_context_release(slow);
}

/* An allocator of several threads of which one call fails. */
typedef struct poor {
    atomic_long calls, live;
    long fails;
} poor;

static void *resize_poorly(void *of, void *pointer, size_t old_size, size_t new_size)
{
    poor *self = of;
    (void)old_size;
    if (new_size == 0) {
        atomic_fetch_sub(&self->live, pointer != NULL);
        free(pointer);
        return NULL;
    }
    if (atomic_fetch_add(&self->calls, 1) == self->fails)
        return NULL;
    void *block = realloc(pointer, new_size);
    atomic_fetch_add(&self->live, block != NULL && pointer == NULL);
    return block;
}

static pod_status live_poorly(poor *memory)
{
    pod_context *own;
    pod_buffer *buffer;
    pod_pending_file *file = NULL;
    const pod_context_options options = {.allocator = {resize_poorly, memory}, .threads = 1};
    static char name[] = "bytes", key[] = "key", text[] = "text";
    char *texts[] = {key, text};
    pod_status status = pod_context_new(&options, &own, &error);
    if (status != POD_OK)
        return status;
    status = pod_buffer_new(own, POD_U8, &(pod_shape){1, {100}}, &buffer, &error);
    if (status == POD_OK) {
        pod_named_buffer entry = {name, buffer};
        const pod_buffer_list list = {.count = 1, .entries = &entry, .text_count = 1, .texts = texts};
        memset(pod_buffer_data(buffer), 5, 100);
        status = pod_safetensors_begin(own, path, &list, NULL, &file, &error);
        pod_buffer_release(buffer);
    }
    if (status == POD_OK)
        status = pod_pending_file_wait(file, &error);
    pod_pending_file_release(file);
    pod_context_release(own);
    return status;
}

TEST(allocations_of_both_threads_may_fail)
{
    poor memory = {.fails = 0};
    while (live_poorly(&memory) != POD_OK) {
        ASSERT_EQ(POD_ERROR_MEMORY, error.status);
        ASSERT_EQ(0, memory.live);
        ASSERT(memory.calls > memory.fails);
        memory.fails++;
        memory.calls = 0;
    }
    ASSERT(memory.fails > 10);
    ASSERT_EQ(0, memory.live);
    expect(100, 5);
}

/* In a child there is no thread: it is told so, waits for nothing and closes. */
static int in_child(pod_pending_file *file)
{
    pod_pending_file *next = NULL;
    pod_error told;
    const bool refused = pod_pending_file_wait(file, &told) == POD_ERROR_STATE && !pod_pending_file_is_done(file) &&
                         begin(context, 1, 1, file, &next) == POD_ERROR_STATE && next == NULL;
    pod_pending_file_release(file);
    return refused ? 0 : 1;
}

TEST(a_child_of_a_fork_has_no_thread_to_wait_for)
{
    pod_pending_file *file;
    int status = -1;
    keeper.owner = pthread_self();
    pod_context *slow = test_context(&(pod_context_options){.allocator = {pass_gate, &keeper}, .threads = 1});
    pthread_mutex_lock(&keeper.mutex);
    ASSERT_OK(begin(slow, 5000, 6, NULL, &file));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(in_child(file));
    }
    ASSERT_EQ(child, waitpid(child, &status, 0));
    ASSERT_EQ(0, status);
    pthread_mutex_unlock(&keeper.mutex);
    ASSERT_OK(pod_pending_file_wait(file, &error));
    pod_pending_file_release(file);
    pod_context_release(slow);
    expect(5000, 6);
}

TEST_MAIN(context = test_context(NULL); choose_path("pending"); RUN(a_file_is_written_behind_its_caller);
          RUN(the_later_of_two_files_stays); RUN(the_last_share_waits); RUN(allocations_of_both_threads_may_fail);
          RUN(what_can_be_known_at_once_fails_at_once); RUN(a_full_disk_is_told_each_time_and_the_old_file_stays);
          RUN(an_interrupt_ends_the_waiting_not_the_writing); RUN(a_child_of_a_fork_has_no_thread_to_wait_for);
          unlink(path); pod_context_release(context))
