/* A child of fork() has none of its parent's threads: it is told so, and can close what it inherits. */

#include "data_cases.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base/system/system.h"
#include "base/workers.h"

static pod_error error;

static void count_in(void *calls, int thread, int threads)
{
    (void)thread;
    (void)threads;
    atomic_fetch_add((atomic_int *)calls, 1);
}

/* Runs `checks` in a child, which has half a minute, and returns its exit status: 0 when all hold. */
static int in_child(bool (*checks)(void *argument), void *argument)
{
    int status = -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(checks(argument) ? 0 : 1);
    }
    ASSERT(child > 0);
    ASSERT_EQ(child, waitpid(child, &status, 0));
    return status;
}

static bool cannot_run_but_closes(void *context)
{
    atomic_int calls = 0;
    pod_error told;
    const bool refused = pod_workers_run(context, count_in, &calls, &told) == POD_ERROR_STATE &&
                         strstr(told.message, "a context started threads before this process was forked") != NULL;
    pod_context_release(context);
    return refused && calls == 0;
}

TEST(a_child_cannot_run_on_its_parents_threads_but_closes)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 3});
    atomic_int calls = 0;
    ASSERT_OK(pod_workers_run(context, count_in, &calls, &error));
    ASSERT_EQ(0, in_child(cannot_run_but_closes, context));
    ASSERT_OK(pod_workers_run(context, count_in, &calls, &error));
    ASSERT_EQ(6, calls);
    pod_context_release(context);
}

static bool runs_and_closes(void *context)
{
    atomic_int calls = 0;
    const bool ran = pod_workers_run(context, count_in, &calls, NULL) == POD_OK;
    pod_context_release(context);
    return ran && calls == 1;
}

TEST(a_child_goes_on_where_there_were_no_threads)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    atomic_int calls = 0;
    ASSERT_OK(pod_workers_run(context, count_in, &calls, &error));
    ASSERT_EQ(0, in_child(runs_and_closes, context));
    pod_context_release(context);
}

static bool cannot_ask_but_closes(void *iterator)
{
    pod_buffer *element;
    pod_error told;
    const bool refused = pod_dataset_iterator_next(iterator, &element, &told) == POD_ERROR_STATE &&
                         strstr(told.message, "the iterator started threads before") != NULL &&
                         pod_dataset_iterator_rewind(iterator, &told) == POD_ERROR_STATE;
    pod_dataset_iterator_close(iterator);
    return refused;
}

TEST(a_child_cannot_ask_an_iterator_with_threads_but_closes_it)
{
    pod_buffer *element;
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_dataset *dataset = prefetch(range_of(context, 100), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    ASSERT_OK(pod_dataset_iterator_next(iterator, &element, &error));
    pod_buffer_release(element);
    ASSERT_EQ(0, in_child(cannot_ask_but_closes, iterator));
    ASSERT_OK(pod_dataset_iterator_next(iterator, &element, &error));
    ASSERT_EQ(1, *(int64_t *)pod_buffer_data(element));
    pod_buffer_release(element);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    pod_context_release(context);
}

static atomic_bool held, was_held;

static void *hold_the_lock(void *argument)
{
    pod_process_lock();
    atomic_store(&held, true);
    atomic_store(&was_held, true);
    usleep(100000);
    atomic_store(&held, false);
    pod_process_unlock();
    return argument;
}

static bool takes_the_lock(void *argument)
{
    (void)argument;
    pod_process_lock();
    const bool free = !atomic_load(&held);
    pod_process_unlock();
    return free;
}

TEST(a_child_finds_the_lock_of_the_process_free)
{
    pthread_t thread;
    pthread_attr_t detached; /* no child could join it */
    ASSERT_EQ(0, pthread_attr_init(&detached));
    ASSERT_EQ(0, pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED));
    ASSERT_EQ(0, pthread_create(&thread, &detached, hold_the_lock, NULL));
    ASSERT_EQ(0, pthread_attr_destroy(&detached));
    while (!atomic_load(&was_held)) /* it may be free again before this thread looks */
        usleep(1000);
    ASSERT_EQ(0, in_child(takes_the_lock, NULL));
}

TEST(there_are_as_many_contexts_as_memory_allows)
{
    enum { CONTEXTS = 2000 }; /* a process has 1024 keys of threads */
    static pod_context *contexts[CONTEXTS];
    atomic_int calls = 0;
    for (int i = 0; i < CONTEXTS; i++)
        contexts[i] = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_workers_run(contexts[CONTEXTS - 1], count_in, &calls, &error));
    ASSERT_EQ(1, calls);
    for (int i = 0; i < CONTEXTS; i++)
        pod_context_release(contexts[i]);
}

TEST_MAIN(RUN(a_child_cannot_run_on_its_parents_threads_but_closes); RUN(a_child_goes_on_where_there_were_no_threads);
          RUN(a_child_cannot_ask_an_iterator_with_threads_but_closes_it);
          RUN(a_child_finds_the_lock_of_the_process_free); RUN(there_are_as_many_contexts_as_memory_allows))
