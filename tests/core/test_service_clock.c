/* The data service by a clock of the test: where it jumps, as when a machine was suspended, nobody was silent; where it
 * goes on, consumers and jobs of which nothing is heard are forgotten. */

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

/* ---- a dispatcher that is asked by hand ---- */

enum { LISTENER = 1000000 }; /* who asks what time it is, and has no job */

/* Says something to the dispatcher and waits for its answer. */
static pod_header ask(void *socket, pod_header question, const pod_bytes *frames, size_t count)
{
    pod_envelope envelope;
    bool sound = false;
    ASSERT(pod_service_send(socket, NULL, &question, frames, count));
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    ASSERT(pod_zmq.poll(&item, 1, 30000) == 1);
    ASSERT(pod_service_receive(socket, false, &envelope, &sound) && sound);
    const pod_header answer = envelope.header;
    if (answer.kind == POD_SAYS_REFUSED)
        printf("# refused: %.*s\n", (int)pod_service_frame(&envelope, 0).size,
               (const char *)pod_service_frame(&envelope, 0).data);
    pod_service_drop(&envelope);
    return answer;
}

/* Joins a job that consumers share; returns it. */
static int64_t join(void *socket, int64_t consumer)
{
    const pod_bytes frames[] = {{"shared", 6}, {"pipeline", 8}};
    const pod_header answer =
        ask(socket, (pod_header){.kind = POD_SAYS_JOIN, .numbers = {consumer, 0, 0, 10, 5}}, frames, 2);
    ASSERT_EQ(POD_SAYS_JOINED, answer.kind);
    return answer.numbers[0];
}

/* Asks for a split, and says that those of `done` are done. Returns it; -1: none now; -2: there is no such job. */
static int64_t take_split(void *socket, int64_t consumer, int64_t job, const char *done, size_t done_count)
{
    static int64_t request;
    static const char next[8] = {0};
    const pod_bytes frames[] = {{done, 8 * done_count}, {next, sizeof next}};
    const pod_header answer =
        ask(socket, (pod_header){.kind = POD_SAYS_ASK, .numbers = {consumer, job, ++request, 0, 0, 5, -1}}, frames, 2);
    if (answer.kind == POD_SAYS_UNKNOWN)
        return -2;
    ASSERT_EQ(POD_SAYS_SPLIT, answer.kind);
    return answer.numbers[1];
}

/* Lets so many seconds pass for a dispatcher that looks at the clock all the while: a step is less than what it takes
 * for a machine that slept. */
static void pass_seconds(void *socket, int seconds)
{
    for (int i = 0; i < seconds; i++) {
        atomic_fetch_add(&jumped, UINT64_C(1000000000));
        (void)ask(socket, (pod_header){.kind = POD_SAYS_BEAT, .numbers = {LISTENER, -1}}, NULL, 0);
    }
    (void)ask(socket, (pod_header){.kind = POD_SAYS_BEAT, .numbers = {LISTENER, -1}}, NULL, 0); /* it has looked now */
}

static void *open_dispatcher(void *zmq, pod_service_dispatcher **dispatcher)
{
    void *socket = pod_zmq.socket(zmq, ZMQ_DEALER);
    const int none = 0;
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, dispatcher, &error));
    pod_zmq.setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
    ASSERT_EQ(0, pod_zmq.connect(socket, pod_service_dispatcher_address(*dispatcher)));
    return socket;
}

static void close_dispatcher(void *zmq, void *socket, pod_service_dispatcher *dispatcher)
{
    pod_zmq.close(socket);
    (void)pod_zmq.ctx_term(zmq);
    pod_service_dispatcher_close(dispatcher);
}

TEST(a_consumer_is_dead_behind_two_minutes_of_silence)
{
    pod_service_dispatcher *dispatcher;
    void *zmq = pod_zmq.ctx_new(), *socket = open_dispatcher(zmq, &dispatcher);
    const int64_t job = join(socket, 1);
    ASSERT_EQ(job, join(socket, 2));
    ASSERT_EQ(0, take_split(socket, 1, job, "", 0));
    for (int64_t split = 1; split < 5; split++)
        ASSERT_EQ(split, take_split(socket, 2, job, "", 0));
    pass_seconds(socket, 110);
    ASSERT_EQ(-1, take_split(socket, 2, job, "", 0)); /* the first is in hand, and this one is heard again */
    pass_seconds(socket, 15);
    ASSERT_EQ(0, take_split(socket, 2, job, "", 0)); /* it comes again, to another */
    ASSERT_EQ(-1, take_split(socket, 2, job, "", 0));
    close_dispatcher(zmq, socket, dispatcher);
}

TEST(a_job_is_forgotten_behind_five_minutes_without_a_consumer)
{
    static const char first[8] = {0};
    pod_service_dispatcher *dispatcher;
    void *zmq = pod_zmq.ctx_new(), *socket = open_dispatcher(zmq, &dispatcher);
    const int64_t job = join(socket, 1);
    ASSERT_EQ(0, take_split(socket, 1, job, "", 0));
    ASSERT_EQ(1, take_split(socket, 1, job, first, 1));
    ASSERT(pod_service_send(socket, NULL, &(pod_header){.kind = POD_SAYS_LEAVE, .numbers = {1, job}}, NULL, 0));
    pass_seconds(socket, 290);
    ASSERT_EQ(job, join(socket, 2)); /* it goes on: what was done is done, what was in hand comes again */
    ASSERT_EQ(1, take_split(socket, 2, job, "", 0));
    ASSERT_EQ(2, take_split(socket, 2, job, "", 0));
    pass_seconds(socket, 290);
    ASSERT_EQ(1, take_split(socket, 3, job, "", 0)); /* who asks keeps it, and 2 is dead since */
    pass_seconds(socket, 310);
    ASSERT_EQ(-2, take_split(socket, 3, job, "", 0));
    const int64_t other = join(socket, 3); /* the name begins anew */
    ASSERT(other != job);
    ASSERT_EQ(0, take_split(socket, 3, other, "", 0));
    close_dispatcher(zmq, socket, dispatcher);
}

/* Registers a worker. */
static void register_worker(void *socket, int64_t worker, const char *address)
{
    const pod_bytes frame = {address, strlen(address)};
    const pod_header question = {.kind = POD_SAYS_REGISTER, .numbers = {worker}};
    ASSERT_EQ(POD_SAYS_REGISTERED, ask(socket, question, &frame, 1).kind);
}

/* Asks for a split that a worker is to make, of a job of two lanes. Returns the lane that it has; -1: none. */
static int64_t lane_of(void *socket, int64_t job, int64_t worker)
{
    static int64_t request = 1000;
    static const char nexts[16] = {0};
    const pod_bytes frames[] = {{"", 0}, {nexts, sizeof nexts}};
    const pod_header answer =
        ask(socket, (pod_header){.kind = POD_SAYS_ASK, .numbers = {1, job, ++request, 0, worker, 5, -1}}, frames, 2);
    ASSERT_EQ(POD_SAYS_SPLIT, answer.kind);
    return answer.numbers[3];
}

TEST(a_worker_of_static_splits_has_a_successor_at_its_address_or_behind_ten_seconds)
{
    const pod_bytes names[] = {{"static", 6}, {"pipeline", 8}};
    pod_service_dispatcher *dispatcher;
    void *zmq = pod_zmq.ctx_new(), *socket = open_dispatcher(zmq, &dispatcher);
    const pod_header join = {.kind = POD_SAYS_JOIN, .numbers = {1, 0, 0, 10, 5, 0, 2}};
    const int64_t job = ask(socket, join, names, 2).numbers[0];
    pass_seconds(socket, 11); /* so that it knows who is there */
    register_worker(socket, 21, "ipc:///a");
    register_worker(socket, 22, "ipc:///b");
    register_worker(socket, 23, "ipc:///c");
    ASSERT_EQ(0, lane_of(socket, job, 21));
    ASSERT_EQ(1, lane_of(socket, job, 22));
    ASSERT_EQ(-1, lane_of(socket, job, 23));
    register_worker(socket, 24, "ipc:///b"); /* the second has died, and another is where it was */
    ASSERT_EQ(1, lane_of(socket, job, 24));
    pass_seconds(socket, 8); /* the first is not heard any more */
    register_worker(socket, 23, "ipc:///c");
    register_worker(socket, 24, "ipc:///b");
    ASSERT_EQ(-1, lane_of(socket, job, 23));
    pass_seconds(socket, 3);
    ASSERT_EQ(0, lane_of(socket, job, 23));
    ASSERT_EQ(1, lane_of(socket, job, 24));
    close_dispatcher(zmq, socket, dispatcher);
}

TEST_MAIN(context = test_context(NULL);
          if (pod_service_load(context, NULL) != POD_OK) puts("skipped: this build has no data service"); else {
              RUN(consumers_that_share_a_job_have_each_element_once_through_jumps);
              RUN(a_consumer_is_dead_behind_two_minutes_of_silence);
              RUN(a_job_is_forgotten_behind_five_minutes_without_a_consumer);
              RUN(a_worker_of_static_splits_has_a_successor_at_its_address_or_behind_ten_seconds);
          } pod_context_release(context))
