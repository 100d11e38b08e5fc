/* The data service where the clock jumps, as when a machine was suspended: nobody was silent. */

#include "data_cases.h"

#include <time.h>

#include "service/message.h"

/* The library's clock, which this program has in the place of libuv's; it is monotonic, and no other is asked. */
static atomic_ullong jumped;

uint64_t uv_hrtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + atomic_load(&jumped);
}

static pod_context *context;
static pod_error error;

enum { ROWS = 4000 };

static pod_dataset *remote;
static atomic_int seen[ROWS];

/* Takes what is given to one of the consumers; behind its 20th and its 60th element an hour passes. */
static void take_all(bool jumps)
{
    pod_dataset_iterator *iterator = open_iterator(remote);
    pod_buffer *element;
    pod_status status;
    for (int count = 1; (status = pod_dataset_iterator_next(iterator, &element, &error)) == POD_OK; count++) {
        atomic_fetch_add(&seen[*(const int64_t *)pod_buffer_data(element)], 1);
        pod_buffer_release(element);
        if (jumps && (count == 20 || count == 60)) {
            atomic_fetch_add(&jumped, UINT64_C(3600000000000));
            uv_sleep(1500); /* the dispatcher looks for silent ones each second */
        }
    }
    ASSERT_EQ(POD_END, status);
    pod_dataset_iterator_close(iterator);
}

static void other(void *argument)
{
    (void)argument;
    take_all(false);
}

TEST(consumers_that_share_a_job_have_each_element_once_through_jumps)
{
    pod_service_dispatcher *dispatcher;
    pod_service_worker *worker;
    pod_dataset *rows = range_of(context, ROWS);
    uv_thread_t thread;
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &dispatcher, &error));
    const char *address = pod_service_dispatcher_address(dispatcher);
    ASSERT_OK(pod_service_worker_open(context, &(pod_worker_options){.dispatcher = address}, &worker, &error));
    const pod_distribute_options options = {.service = address, .job_name = "shared", .split_size = 40};
    ASSERT_OK(pod_dataset_distribute(rows, &options, &remote, &error));
    ASSERT_EQ(0, uv_thread_create(&thread, other, NULL));
    take_all(true);
    uv_thread_join(&thread);
    for (int i = 0; i < ROWS; i++)
        ASSERT_EQ(1, atomic_load(&seen[i]));
    pod_dataset_release(remote);
    pod_dataset_release(rows);
    pod_service_worker_close(worker);
    pod_service_dispatcher_close(dispatcher);
}

TEST_MAIN(context = test_context(NULL);
          if (pod_service_load(context, NULL) != POD_OK) puts("skipped: this build has no data service");
          else { RUN(consumers_that_share_a_job_have_each_element_once_through_jumps); } pod_context_release(context))
