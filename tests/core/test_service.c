/* The data service within one process: dispatcher, workers and consumer on threads. tests/lua/service_spec.lua has the
 * processes, and what happens when they are killed. */

#include "data_cases.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "moonpod/service.h"
#include "test_path.h"

static pod_context *context;
static pod_error error;
static pod_service_dispatcher *dispatcher;
static pod_service_worker *workers[3];

static bool is_absent(void)
{
    pod_service_dispatcher *made;
    const pod_status status = pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &made, &error);
    pod_service_dispatcher_close(made);
    return status == POD_ERROR_UNSUPPORTED;
}

static void start(int count)
{
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &dispatcher, &error));
    const pod_worker_options options = {.dispatcher = pod_service_dispatcher_address(dispatcher)};
    for (int i = 0; i < count; i++)
        ASSERT_OK(pod_service_worker_open(context, &options, &workers[i], &error));
}

static void stop(void)
{
    for (int i = 0; i < 3; i++)
        pod_service_worker_close(workers[i]);
    memset(workers, 0, sizeof workers);
    pod_service_dispatcher_close(dispatcher);
    dispatcher = NULL;
}

static pod_dataset *distribute(pod_dataset *input, pod_distribute_options options)
{
    pod_dataset *dataset = NULL;
    options.service = pod_service_dispatcher_address(dispatcher);
    ASSERT_OK(pod_dataset_distribute(input, &options, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

TEST(elements_come_in_the_order_that_is_asked_for)
{
    start(2);
    expect_elements("0 1 2 3 4 5 6 7 8 9 10 11",
                    distribute(range_of(context, 12), (pod_distribute_options){.in_order = true, .split_size = 2}));
    expect_elements("[0 1 2] [3 4 5] [6 7]", distribute(batch(range_of(context, 8), 3, false),
                                                        (pod_distribute_options){.in_order = true, .split_size = 1}));
    stop();
}

TEST(each_element_comes_once_in_every_pass)
{
    enum { ELEMENTS = 5000 };
    start(3);
    pod_dataset *remote = distribute(shuffle(range_of(context, ELEMENTS), 100, 7), (pod_distribute_options){0});
    ASSERT_EQ(ELEMENTS, pod_dataset_cardinality(remote));
    pod_dataset_iterator *iterator = open_iterator(remote);
    for (int pass = 0; pass < 3; pass++) {
        unsigned char seen[ELEMENTS] = {0};
        pod_buffer *element;
        pod_status status;
        while ((status = pod_dataset_iterator_next(iterator, &element, &error)) == POD_OK) {
            seen[*(const int64_t *)pod_buffer_data(element)]++;
            pod_buffer_release(element);
        }
        ASSERT_EQ(POD_END, status);
        for (int i = 0; i < ELEMENTS; i++)
            ASSERT_EQ(1, seen[i]);
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(remote);
    stop();
}

/* Two at one name would take it from each other; nobody else's process may open it. */
TEST(one_process_listens_at_an_address)
{
    struct stat found;
    char path[256], address[300];
    pod_service_dispatcher *second;
    test_path(path, sizeof path, "listens");
    (void)snprintf(address, sizeof address, "ipc://%s", path);
    const pod_dispatcher_options options = {.address = address};
    ASSERT_OK(pod_service_dispatcher_open(context, &options, &dispatcher, &error));
    ASSERT_EQ(0, stat(path, &found));
    ASSERT_EQ(0600, found.st_mode & 0777);
    ASSERT_FAILS(POD_ERROR_IO, "another process does", pod_service_dispatcher_open(context, &options, &second, &error));
    stop();
    ASSERT_OK(pod_service_dispatcher_open(context, &options, &dispatcher, &error));
    stop();
}

/* Without keys only this machine is talked to, whatever a name looks like. */
TEST(without_keys_only_addresses_of_this_machine_are_taken)
{
    static const char *const foreign[] = {"tcp://0.0.0.0:*", "tcp://10.0.0.1:5050", "tcp://127.example.org:5050",
                                          "tcp://127.0.0.1.example.org:5050", "tcp://localhost.example.org:5050"};
    pod_service_worker *worker;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        const pod_worker_options options = {.dispatcher = foreign[i], .address = "tcp://127.0.0.1:*"};
        ASSERT_FAILS(POD_ERROR_ARGUMENT, "is not on this machine alone: without keys",
                     pod_service_dispatcher_open(context, &(pod_dispatcher_options){.address = foreign[i]}, &dispatcher,
                                                 &error));
        ASSERT_FAILS(POD_ERROR_ARGUMENT, "is not on this machine alone: without keys",
                     pod_service_worker_open(context, &options, &worker, &error));
    }
}

TEST_MAIN(context = test_context(NULL); if (is_absent()) puts("skipped: this build has no data service"); else {
    RUN(elements_come_in_the_order_that_is_asked_for);
    RUN(each_element_comes_once_in_every_pass);
    RUN(one_process_listens_at_an_address);
    RUN(without_keys_only_addresses_of_this_machine_are_taken);
} pod_context_release(context))
