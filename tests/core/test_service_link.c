/* A consumer whose worker is behind a slow link: a proxy of the test delays each byte, cuts connections, stalls, and
 * carries only so many bytes a second. */

#include "data_cases.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "moonpod/builders.h"
#include "service_rig.h"
#include "test_path.h"

enum { DELAY = 50 /* milliseconds */, MOST_HELD = 1 << 18, MOST_PIPES = 64, TICK = 5 };

/* ---- the proxy: a thread with a loop ---- */

typedef struct piece {
    struct piece *next;
    uint64_t due;
    uv_write_t write;
    uv_buf_t buffer;
} piece;

typedef struct way { /* in one direction */
    uv_tcp_t tcp;    /* that is read */
    struct way *other;
    piece *first, **last;
    size_t held;
    bool reads, open, from_worker;
    size_t may; /* bytes that it may carry now, where there is a rate */
} way;

typedef struct proxy {
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_timer_t tick;
    uv_thread_t thread;
    struct sockaddr_in from, to;
    way *ways[2 * MOST_PIPES];
    size_t count;
    atomic_bool stalls, cuts, ends;
    atomic_size_t rate; /* the most bytes from the worker in a tick; 0: any */
    void *registrar;    /* tells the dispatcher of a worker at the proxy's address, each second */
    char address[64];
    int ticks;
} proxy;

static void free_way(uv_handle_t *handle)
{
    way *self = handle->data;
    while (self->first != NULL) {
        piece *gone = self->first;
        self->first = gone->next;
        free(gone->buffer.base);
        free(gone);
    }
    self->open = false;
}

static void close_pipe(way *self)
{
    for (int i = 0; i < 2; i++, self = self->other)
        if (!uv_is_closing((uv_handle_t *)&self->tcp))
            uv_close((uv_handle_t *)&self->tcp, free_way);
}

static void give_room(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
    (void)handle;
    *buffer = uv_buf_init(malloc(size), (unsigned)size);
}

static void keep(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    way *self = stream->data;
    if (size <= 0) {
        free(buffer->base);
        if (size < 0)
            close_pipe(self);
        return;
    }
    piece *one = calloc(1, sizeof *one);
    *one = (piece){.due = uv_now(stream->loop) + DELAY, .buffer = uv_buf_init(buffer->base, (unsigned)size)};
    *self->last = one;
    self->last = &one->next;
    self->held += (size_t)size;
}

static void written(uv_write_t *write, int status)
{
    piece *one = write->data;
    (void)status;
    free(one->buffer.base);
    free(one);
}

/* Returns whether a way may carry a piece now. */
static bool may_pass(const proxy *self, way *one, size_t size)
{
    if (atomic_load(&self->rate) == 0 || !one->from_worker)
        return true;
    if (one->may < size)
        return false;
    one->may -= size;
    return true;
}

/* Passes on what is due, and reads again where there is room. */
static void move(proxy *self, way *one)
{
    const bool stalls = atomic_load(&self->stalls), reads = !stalls && one->held < MOST_HELD;
    one->may = one->first != NULL ? one->may + atomic_load(&self->rate) : 0;
    while (!stalls && one->first != NULL && one->first->due <= uv_now(&self->loop) &&
           may_pass(self, one, one->first->buffer.len)) {
        piece *due = one->first;
        one->first = due->next;
        if (one->first == NULL)
            one->last = &one->first;
        one->held -= due->buffer.len;
        due->write.data = due;
        if (uv_write(&due->write, (uv_stream_t *)&one->other->tcp, &due->buffer, 1, written) != 0)
            written(&due->write, 0);
    }
    if (reads && !one->reads)
        (void)uv_read_start((uv_stream_t *)&one->tcp, give_room, keep);
    else if (!reads && one->reads)
        (void)uv_read_stop((uv_stream_t *)&one->tcp);
    one->reads = reads;
}

static void register_worker(proxy *self)
{
    const pod_header header = {.kind = POD_SAYS_REGISTER, .numbers = {7}};
    (void)pod_service_send(self->registrar, NULL, &header, &(pod_bytes){self->address, strlen(self->address)}, 1);
}

static void tick(uv_timer_t *timer)
{
    proxy *self = timer->data;
    if (self->ticks++ % (1000 / TICK) == 0)
        register_worker(self);
    const bool cuts = atomic_exchange(&self->cuts, false);
    for (size_t i = 0; i < self->count; i++) {
        way *one = self->ways[i];
        if (cuts && one->open)
            close_pipe(one);
        else if (one->open && !uv_is_closing((uv_handle_t *)&one->tcp) &&
                 !uv_is_closing((uv_handle_t *)&one->other->tcp))
            move(self, one);
    }
    if (atomic_load(&self->ends))
        uv_stop(&self->loop);
}

static void connected(uv_connect_t *connect, int status)
{
    if (status != 0 && !uv_is_closing((uv_handle_t *)connect->handle))
        close_pipe(connect->handle->data);
    free(connect);
}

static void accept_one(uv_stream_t *listener, int status)
{
    proxy *self = listener->data;
    way *both = calloc(2, sizeof *both);
    ASSERT_EQ(0, status);
    ASSERT(self->count + 2 <= 2 * MOST_PIPES);
    for (int i = 0; i < 2; i++) {
        both[i].other = &both[1 - i];
        both[i].last = &both[i].first;
        both[i].open = true;
        both[i].from_worker = i == 1;
        uv_tcp_init(&self->loop, &both[i].tcp);
        both[i].tcp.data = &both[i];
        self->ways[self->count++] = &both[i];
    }
    ASSERT_EQ(0, uv_accept(listener, (uv_stream_t *)&both[0].tcp));
    uv_connect_t *connect = calloc(1, sizeof *connect);
    ASSERT_EQ(0, uv_tcp_connect(connect, &both[1].tcp, (const struct sockaddr *)&self->to, connected));
}

/* libuv writes to connections that were cut as write() does: here, and on no thread of the service, that is an error of
 * the call and no signal. */
static void run_proxy(void *argument)
{
    proxy *self = argument;
    sigset_t broken_pipes;
    sigemptyset(&broken_pipes);
    sigaddset(&broken_pipes, SIGPIPE);
    ASSERT_EQ(0, pthread_sigmask(SIG_BLOCK, &broken_pipes, NULL));
    uv_run(&self->loop, UV_RUN_DEFAULT);
    for (size_t i = 0; i < self->count; i++)
        if (self->ways[i]->open)
            close_pipe(self->ways[i]);
    uv_close((uv_handle_t *)&self->listener, NULL);
    uv_close((uv_handle_t *)&self->tick, NULL);
    uv_run(&self->loop, UV_RUN_DEFAULT);
}

static int port_of(const char *address)
{
    return atoi(strrchr(address, ':') + 1);
}

/* Starts a proxy to a worker. */
static void start_proxy(proxy *self, const char *to)
{
    int size = sizeof self->from;
    ASSERT_EQ(0, uv_loop_init(&self->loop));
    ASSERT_EQ(0, uv_tcp_init(&self->loop, &self->listener));
    ASSERT_EQ(0, uv_ip4_addr("127.0.0.1", 0, &self->from));
    ASSERT_EQ(0, uv_ip4_addr("127.0.0.1", port_of(to), &self->to));
    ASSERT_EQ(0, uv_tcp_bind(&self->listener, (const struct sockaddr *)&self->from, 0));
    ASSERT_EQ(0, uv_listen((uv_stream_t *)&self->listener, 16, accept_one));
    ASSERT_EQ(0, uv_tcp_getsockname(&self->listener, (struct sockaddr *)&self->from, &size));
    ASSERT_EQ(0, uv_timer_init(&self->loop, &self->tick));
    ASSERT_EQ(0, uv_timer_start(&self->tick, tick, TICK, TICK));
    self->listener.data = self->tick.data = self;
    const unsigned char *port = (const unsigned char *)&self->from.sin_port;
    (void)snprintf(self->address, sizeof self->address, "tcp://127.0.0.1:%d", port[0] << 8 | port[1]);
    ASSERT_EQ(0, uv_thread_create(&self->thread, run_proxy, self));
}

static void stop_proxy(proxy *self)
{
    atomic_store(&self->ends, true);
    uv_thread_join(&self->thread);
    for (size_t i = 0; i < self->count; i += 2)
        free(self->ways[i] < self->ways[i + 1] ? self->ways[i] : self->ways[i + 1]);
    ASSERT_EQ(0, uv_loop_close(&self->loop));
    free(self);
}

/* ---- a service whose only worker is behind it ---- */

enum { ROWS = 800, SPLIT = 50 };

static pod_context *context;
static pod_error error;
static pod_service_dispatcher *dispatcher;
static pod_service_worker *worker;
static proxy *link_;
static void *zmq;

static void start(void)
{
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &dispatcher, &error));
    /* it finds no dispatcher: the proxy registers it, at another address */
    char path[64], nobody[80];
    test_path(path, sizeof path, "nobody");
    (void)snprintf(nobody, sizeof nobody, "ipc://%s", path);
    const pod_worker_options options = {.dispatcher = nobody, .address = "tcp://127.0.0.1:*"};
    ASSERT_OK(pod_service_worker_open(context, &options, &worker, &error));
    link_ = calloc(1, sizeof *link_);
    zmq = pod_zmq.ctx_new();
    link_->registrar = rig_socket(zmq, ZMQ_DEALER, pod_service_dispatcher_address(dispatcher));
    start_proxy(link_, pod_service_worker_address(worker));
}

static void stop(void)
{
    void *registrar = link_->registrar;
    pod_service_worker_close(worker);
    pod_service_dispatcher_close(dispatcher);
    stop_proxy(link_);
    pod_zmq.close(registrar);
    (void)pod_zmq.ctx_term(zmq);
}

/* Takes all rows, of 8 kB each; behind every `step` of them something is done to the link. */
static void expect_each_once(int step, void (*disturb)(void))
{
    pod_dataset *rows = batch(repeat(range_of(context, ROWS), 1024), 1024, true), *remote;
    const pod_distribute_options options = {
        .service = pod_service_dispatcher_address(dispatcher), .split_size = SPLIT, .in_order = true};
    ASSERT_OK(pod_dataset_distribute(rows, &options, &remote, &error));
    pod_dataset_iterator *iterator = open_iterator(remote);
    pod_buffer *element;
    pod_status status;
    int64_t next = 0, count = 0;
    while ((status = pod_dataset_iterator_next(iterator, &element, &error)) == POD_OK) {
        ASSERT_EQ(next % ROWS, *(const int64_t *)pod_buffer_data(element));
        next += 1024;
        pod_buffer_release(element);
        if (++count % step == 0)
            disturb();
    }
    if (status != POD_END)
        FAIL("%s", error.message);
    ASSERT_EQ(ROWS, count);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(remote);
    pod_dataset_release(rows);
}

static void do_nothing(void)
{
}

static void cut(void)
{
    atomic_store(&link_->cuts, true);
}

static void stall(void)
{
    atomic_store(&link_->stalls, true);
    uv_sleep(300);
    atomic_store(&link_->stalls, false);
}

TEST(rows_come_over_a_link_that_delays)
{
    start();
    expect_each_once(ROWS, do_nothing);
    stop();
}

TEST(each_row_comes_once_over_a_link_that_is_cut)
{
    start();
    expect_each_once(ROWS / 5, cut);
    stop();
}

TEST(each_row_comes_once_over_a_link_that_stalls)
{
    start();
    expect_each_once(ROWS / 4, stall);
    stop();
}

/* ---- where a stage runs ---- */

enum { WIDTH = 1024 };

/* Numbers, of which a function makes rows of 4 kB. */
static pod_dataset *widened(void)
{
    pod_dataset *numbers = repeat(range_of(context, ROWS), 1 << 20), *wide;
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "widen", &graph, &error));
    pod_node *x = pod_graph_convert(graph, pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x"), POD_F32);
    pod_graph_add_output(graph, pod_graph_broadcast_to(graph, x, &(pod_shape){1, {WIDTH}}));
    ASSERT_OK(pod_dataset_map(numbers, graph, &wide, &error));
    pod_dataset_release(numbers);
    return wide;
}

static pod_stage_stats stats_of(pod_dataset_iterator *iterator)
{
    pod_stage_stats stats[8] = {0};
    double seconds;
    const size_t count = pod_dataset_iterator_get_stage_stats(iterator, stats, 8, &seconds);
    ASSERT(count > 0);
    return stats[count - 1];
}

/* Takes elements, each of which is sound. */
static void take_some(pod_dataset_iterator *iterator, int count)
{
    pod_buffer *element;
    for (int i = 0; i < count; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &element, &error));
        const float *values = pod_buffer_data(element);
        ASSERT_EQ(WIDTH * sizeof *values, pod_buffer_bytes(element));
        ASSERT(values[0] == values[WIDTH - 1] && values[0] >= 0 && values[0] < ROWS);
        pod_buffer_release(element);
    }
}

/* A function that makes much of little moves here, and stays, for that is faster: numbers come in the place of rows,
 * and an element is less than a quarter of what it was. */
TEST(a_stage_that_makes_elements_larger_moves_behind_a_link_that_is_slow)
{
    start();
    atomic_store(&link_->rate, 8192); /* 1.6 MB a second */
    pod_dataset *wide = widened(), *remote;
    const pod_distribute_options options = {.service = pod_service_dispatcher_address(dispatcher), .split_size = SPLIT};
    ASSERT_OK(pod_dataset_distribute(wide, &options, &remote, &error));
    pod_dataset_iterator *iterator = open_iterator(remote);
    const uint64_t began = uv_hrtime(), minute = UINT64_C(60000000000);
    while (strstr(stats_of(iterator).cut, "run here since the link") == NULL && uv_hrtime() - began < minute)
        take_some(iterator, 10);
    take_some(iterator, 1000); /* also those that were on the way as rows */
    const pod_stage_stats then = stats_of(iterator);
    const uint64_t moved = uv_hrtime();
    while (uv_hrtime() - moved < UINT64_C(2200000000)) /* it looks whether that was right, each second */
        take_some(iterator, 100);
    const pod_stage_stats now = stats_of(iterator);
    const int64_t elements = (int64_t)(now.elements - then.elements), bytes = now.received_bytes - then.received_bytes;
    printf("# %s\n# then %lld elements took %lld bytes\n", now.cut, (long long)elements, (long long)bytes);
    ASSERT_CONTAINS("map run here since the link is what takes longest", now.cut);
    ASSERT(elements >= 100 && bytes < WIDTH * elements);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(remote);
    pod_dataset_release(wide);
    stop();
}

TEST_MAIN(context = test_context(NULL);
          if (pod_service_load(context, NULL) != POD_OK) puts("skipped: this build has no data service"); else {
              RUN(rows_come_over_a_link_that_delays);
              RUN(each_row_comes_once_over_a_link_that_is_cut);
              RUN(each_row_comes_once_over_a_link_that_stalls);
              RUN(a_stage_that_makes_elements_larger_moves_behind_a_link_that_is_slow);
          } pod_context_release(context))
