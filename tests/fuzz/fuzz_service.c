/* The data service. Each of its sockets gets messages that anybody may have sent, and others that differ from them in
 * some bytes; the program goes on, and answers afterwards. What messages carry is read without sockets as well: recipes
 * and blocks of elements. */

#include "fuzz.h"

#ifndef POD_FUZZ_SERVICE

const fuzz_target fuzz_services[] = {{0}};

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/random.h"
#include "input/recipe.h"
#include "moonpod/data.h"
#include "service/consumer_session.h"
#include "service/message.h"
#include "service_rig.h"

/* An input: a letter, which names the socket, then messages. A message: how many frames it has (a byte), and each of
 * them behind two bytes with its size. The header's first number may be MINE: the ticket or the request that is
 * answered; and its version: that of this end, so that inputs that are kept are heard by later ones, too. */
enum {
    DISPATCHER = 'd',
    WORKER = 'w',
    WORKER_OF_DISPATCHER = 'r',
    CONSUMER_OF_DISPATCHER = 'c',
    CONSUMER_OF_WORKER = 'p'
};

#define MINE INT64_C(0x7e7e7e7e7e7e7e7e)

/* Each message comes as it is and in so many variants; fewer from workers, each of which may end a session. */
enum { VARIANTS = 127, VARIANTS_OF_WORKERS = 15, MOST_OF_WORKERS = 160 };

enum { MOST_MESSAGES = 2048, MOST_FRAMES = 4, PATIENCE = 300000 };

typedef struct said {
    pod_bytes frames[MOST_FRAMES];
    size_t count;
    uint64_t variant; /* 0: as it is */
} said;

/* Messages that each socket got, and the frames of them, in the order of their letters here. */
static const char letters[] = {DISPATCHER, WORKER, WORKER_OF_DISPATCHER, CONSUMER_OF_DISPATCHER, CONSUMER_OF_WORKER};
static const char *const sockets[] = {"dispatcher", "worker", "worker, of its dispatcher",
                                      "consumer, of its dispatcher", "consumer, of a worker"};
static unsigned long long messages[sizeof letters], frames_sent[sizeof letters];
static size_t fed; /* the socket that gets them now */

static void tell_count(void)
{
    for (size_t i = 0; i < sizeof letters; i++)
        if (messages[i] > 1000)
            fprintf(stderr, "# service: %s: %llu messages, %llu frames\n", sockets[i], messages[i], frames_sent[i]);
}

/* ---- inputs ---- */

static size_t read_messages(const unsigned char *bytes, size_t size, bool from_workers, said *list)
{
    const size_t variants = from_workers ? VARIANTS_OF_WORKERS : VARIANTS;
    const size_t most = from_workers ? MOST_OF_WORKERS : MOST_MESSAGES;
    size_t count = 0;
    for (size_t at = 0; at < size && count + variants < most;) {
        said message = {.count = bytes[at++] % (MOST_FRAMES + 1)};
        for (size_t i = 0; i < message.count; i++) {
            size_t wanted = at + 2 <= size ? (size_t)bytes[at] << 8 | bytes[at + 1] : 0;
            at = at + 2 <= size ? at + 2 : size;
            wanted = wanted < size - at ? wanted : size - at;
            message.frames[i] = (pod_bytes){bytes + at, wanted};
            at += wanted;
        }
        for (; message.variant <= variants; message.variant++)
            list[count++] = message;
    }
    return count;
}

/* Sends a message; `number` stands where the header has MINE. */
static void send_message(void *socket, zmq_msg_t *receiver, const said *message, int64_t number)
{
    pod_random_stream random;
    pod_random_stream_init(&random, message->variant, message->frames[0].size);
    zmq_msg_t frame;
    if (receiver != NULL) {
        pod_zmq.msg_init_size(&frame, pod_zmq.msg_size(receiver));
        memcpy(pod_zmq.msg_data(&frame), pod_zmq.msg_data(receiver), pod_zmq.msg_size(receiver));
        if (pod_zmq.msg_send(&frame, socket, message->count > 0 ? ZMQ_SNDMORE : 0) < 0)
            pod_zmq.msg_close(&frame);
    }
    for (size_t i = 0; i < message->count; i++) {
        const pod_bytes *from = &message->frames[i];
        pod_zmq.msg_init_size(&frame, from->size);
        unsigned char *to = pod_zmq.msg_data(&frame);
        if (from->size > 0)
            memcpy(to, from->data, from->size);
        if (i == 0 && from->size >= 20 && pod_little_u32(to + 4) == (uint32_t)MINE)
            pod_put_little_u32(to + 4, POD_SERVICE_PROTOCOL);
        if (i == 0 && from->size >= 20 && (int64_t)pod_little_u64(to + 12) == MINE)
            pod_put_little_u64(to + 12, (uint64_t)number);
        if (message->variant > 0 && from->size > 0 && (i > 0 || message->variant % 3 == 0))
            for (uint64_t k = pod_random_below(&random, 3) + 1; k > 0; k--)
                to[pod_random_below(&random, from->size)] = (unsigned char)pod_random_next(&random);
        if (pod_zmq.msg_send(&frame, socket, i + 1 < message->count ? ZMQ_SNDMORE : 0) < 0)
            pod_zmq.msg_close(&frame);
    }
    messages[fed]++;
    frames_sent[fed] += message->count;
}

/* ---- servers ---- */

static void name_socket(char *address, size_t size, const char *name)
{
    (void)snprintf(address, size, "ipc://%s.%s", fuzz_path, name);
}

/* Sends all messages to a socket, and waits until an answer tells that they were heard. */
static void feed(const char *address, const said *list, size_t count)
{
    enum { OTHER_VERSION = 23294 };
    static const char text[] = "it speaks version 23294";
    unsigned char header[POD_SERVICE_HEADER_SIZE];
    const int patience = PATIENCE;
    void *zmq = pod_zmq.ctx_new(), *socket = rig_socket(zmq, ZMQ_DEALER, address);
    pod_zmq.setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
    for (size_t i = 0; i < count; i++)
        send_message(socket, NULL, &list[i], 1);
    pod_service_write_header(&(pod_header){.kind = POD_SAYS_PING}, header);
    pod_put_little_u32(header + 4, OTHER_VERSION);
    send_message(socket, NULL, &(said){.frames = {{header, sizeof header}}, .count = 1}, 0);
    for (bool heard = false; !heard;) {
        zmq_msg_t frame;
        pod_zmq.msg_init(&frame);
        if (pod_zmq.msg_recv(&frame, socket, 0) < 0)
            fuzz_die("service", "it answers no more");
        heard = pod_zmq.msg_size(&frame) > sizeof text && memcmp(pod_zmq.msg_data(&frame), text, sizeof text - 1) == 0;
        pod_zmq.msg_close(&frame);
    }
    pod_zmq.close(socket);
    (void)pod_zmq.ctx_term(zmq);
}

static void feed_dispatcher(pod_context *context, const said *list, size_t count)
{
    pod_service_dispatcher *dispatcher;
    char address[300];
    name_socket(address, sizeof address, "d");
    if (pod_service_dispatcher_open(context, &(pod_dispatcher_options){.address = address}, &dispatcher, NULL) !=
        POD_OK)
        fuzz_die("service", "no dispatcher");
    feed(address, list, count);
    pod_service_dispatcher_close(dispatcher);
}

/* Sends all messages to a worker that registers at a socket. */
static void feed_registered(void *socket, const said *list, size_t count)
{
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    pod_envelope *from = calloc(1, sizeof *from);
    bool sound;
    if (pod_zmq.poll(&item, 1, PATIENCE) != 1 || !pod_service_receive(socket, true, from, &sound) || !sound)
        fuzz_die("service", "a worker does not register");
    for (size_t i = 0; i < count; i++)
        send_message(socket, &from->sender, &list[i], 0);
    pod_service_drop(from);
    free(from);
}

/* By its dispatcher, or by a consumer. */
static void feed_worker(pod_context *context, const said *list, size_t count, bool by_dispatcher)
{
    pod_service_worker *worker;
    char address[300], registrar[300];
    name_socket(address, sizeof address, "w");
    name_socket(registrar, sizeof registrar, "n");
    const pod_worker_options options = {.dispatcher = registrar, .address = address};
    void *zmq = pod_zmq.ctx_new(), *dispatcher = rig_socket(zmq, ZMQ_ROUTER, registrar);
    if (dispatcher == NULL || pod_service_worker_open(context, &options, &worker, NULL) != POD_OK)
        fuzz_die("service", "no worker");
    if (by_dispatcher)
        feed_registered(dispatcher, list, count);
    feed(address, list, by_dispatcher ? 0 : count);
    pod_service_worker_close(worker);
    pod_zmq.close(dispatcher);
    (void)pod_zmq.ctx_term(zmq);
}

/* ---- a consumer: the messages come from a dispatcher and workers of the test ---- */

static pod_dataset *rows_of(pod_context *context)
{
    pod_dataset *range, *rows;
    if (pod_dataset_range(context, 0, 1000, 1, &range, NULL) != POD_OK ||
        pod_dataset_batch(range, &(pod_batch_options){3, false}, &rows, NULL) != POD_OK)
        fuzz_die("service", "no dataset");
    pod_dataset_release(range);
    return rows;
}

typedef struct telling {
    const said *list;
    size_t count, sent;
    bool from_workers;
    int64_t ticket; /* of the last reading that a worker was asked for */
} telling;

/* Sends the next message; behind the last, the dispatcher refuses the consumer. */
static void send_next(service_rig *rig, int socket, pod_envelope *to)
{
    telling *self = rig->of;
    if (self->sent == self->count)
        rig_say(rig, RIG_DISPATCHER, &rig->joined, (pod_header){.kind = POD_SAYS_REFUSED});
    else
        send_message(rig->sockets[socket], &to->sender, &self->list[self->sent++],
                     socket == RIG_DISPATCHER ? to->header.numbers[2] : self->ticket);
}

/* The next message of a worker; who goes on behind it says so, as it is asked for the pipeline. */
static void send_from_worker(service_rig *rig, pod_envelope *to)
{
    telling *self = rig->of;
    if (to->header.kind == POD_SAYS_READ)
        self->ticket = to->header.numbers[0];
    send_next(rig, RIG_WORKERS, to);
    rig_say(rig, RIG_WORKERS, to, (pod_header){.kind = POD_SAYS_WANTED});
}

/* A consumer hears of more workers before it has none left, and need not ask: a session that hears nonsense ends. */
static void add_workers(service_rig *rig)
{
    const telling *self = rig->of;
    const size_t more = rig->workers + 16;
    rig->workers = more <= self->count ? more : self->count + 1;
    rig_tell_workers(rig, &rig->joined, POD_SAYS_WORKERS);
}

static void answer(service_rig *rig, int socket, pod_envelope *from)
{
    telling *self = rig->of;
    const pod_message_kind kind = from->header.kind;
    for (size_t i = 0; kind == POD_SAYS_ASK && !self->from_workers && i <= self->count; i++)
        send_next(rig, socket, from);
    rig->splits %= 334;
    rig_answer(rig, socket, from);
    if ((kind == POD_SAYS_READ || kind == POD_SAYS_RECIPE) && self->from_workers)
        send_from_worker(rig, from);
    if (self->from_workers && (kind == POD_SAYS_BEAT || self->sent + 8 >= rig->workers) && rig->joined.has_sender)
        add_workers(rig);
    else if (kind == POD_SAYS_BEAT && self->sent == self->count)
        send_next(rig, socket, from);
}

static void feed_consumer(pod_context *context, const said *list, size_t count, bool from_workers)
{
    telling self = {.list = list, .count = count, .from_workers = from_workers};
    service_rig *rig = calloc(1, sizeof *rig);
    *rig = (service_rig){.dataset = rows_of(context), .split_size = 1, .workers = 1, .answer = answer, .of = &self};
    if (!rig_run(rig, fuzz_path))
        fuzz_die("service", "no sockets");
    if (rig->status < 0 && rig->error.message[0] == '\0')
        fuzz_die("service", "a failure without a message");
    pod_dataset_release(rig->dataset);
    free(rig);
}

static void read_service(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    static said list[MOST_MESSAGES];
    const size_t size = fuzz_load(bytes);
    if (pod_service_load(context, NULL) != POD_OK || size == 0)
        return;
    static bool counts;
    if (!counts)
        counts = atexit(tell_count) == 0;
    const size_t count = read_messages(bytes + 1, size - 1, bytes[0] == CONSUMER_OF_WORKER, list);
    const char *letter = memchr(letters, bytes[0], sizeof letters);
    fed = letter != NULL ? (size_t)(letter - letters) : 0;
    switch (bytes[0]) {
    case DISPATCHER:
        feed_dispatcher(context, list, count);
        break;
    case WORKER:
    case WORKER_OF_DISPATCHER:
        feed_worker(context, list, count, bytes[0] == WORKER_OF_DISPATCHER);
        break;
    case CONSUMER_OF_DISPATCHER:
    case CONSUMER_OF_WORKER:
        feed_consumer(context, list, count, bytes[0] == CONSUMER_OF_WORKER);
        break;
    default:
        break;
    }
}

/* ---- what is well formed ---- */

typedef struct input {
    unsigned char bytes[FUZZ_MOST];
    size_t size;
} input;

static void add_frame(input *to, const void *bytes, size_t size)
{
    to->bytes[to->size++] = (unsigned char)(size >> 8);
    to->bytes[to->size++] = (unsigned char)size;
    if (size > 0)
        memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void add(input *to, pod_header header, const pod_bytes *frames, size_t count)
{
    unsigned char bytes[POD_SERVICE_HEADER_SIZE];
    pod_service_write_header(&header, bytes);
    pod_put_little_u32(bytes + 4, (uint32_t)MINE);
    to->bytes[to->size++] = (unsigned char)(count + 1);
    add_frame(to, bytes, sizeof bytes);
    for (size_t i = 0; i < count; i++)
        add_frame(to, frames[i].data, frames[i].size);
}

/* A block of rows [0 1 2] [3 4 5], as a worker sends it; *cost receives what it takes of the credit. */
static zmq_msg_t block_of(pod_context *context, bool compress, size_t *cost)
{
    pod_dataset *rows = rows_of(context);
    pod_dataset_iterator *iterator;
    pod_part parts[2];
    zmq_msg_t frame;
    if (pod_dataset_iterator_open(rows, NULL, &iterator, NULL) != POD_OK)
        fuzz_die("service", "no iterator");
    for (int i = 0; i < 2; i++) {
        parts[i].row = POD_WHOLE;
        if (pod_dataset_iterator_next(iterator, &parts[i].buffer, NULL) != POD_OK)
            fuzz_die("service", "no element");
    }
    *cost = POD_BLOCK_BESIDES;
    if (pod_service_block_write(context, rows, parts, 2, 0, compress, &frame, cost, NULL) != POD_OK)
        fuzz_die("service", "no block");
    pod_input_parts_release(parts, 2);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(rows);
    return frame;
}

static void put(input *made)
{
    fuzz_put(made->bytes, made->size);
    made->size = 1;
}

static const pod_bytes job = {"job", 3}, list_of_one = {"7 ipc:///nowhere\n", 17};

static void write_to_dispatcher(input *made)
{
    const pod_bytes names[] = {job, {"pipeline", 8}}, address = {"ipc:///nowhere", 14};
    const pod_bytes lists[] = {{"\0\0\0\0\0\0\0", 8}, {"\0\0\0\0\0\0\0", 8}};
    made->bytes[0] = DISPATCHER;
    add(made, (pod_header){.kind = POD_SAYS_REGISTER, .numbers = {5}}, &address, 1);
    add(made, (pod_header){.kind = POD_SAYS_JOIN, .numbers = {9, 0, 0, 10, 100, 0}}, names, 2);
    add(made, (pod_header){.kind = POD_SAYS_BEAT, .numbers = {9, 1}}, NULL, 0);
    add(made, (pod_header){.kind = POD_SAYS_ASK, .numbers = {9, 1, 1, 1, 5, -1, -1}}, lists, 2);
    add(made, (pod_header){.kind = POD_SAYS_LEAVE, .numbers = {9, 1}}, NULL, 0);
    put(made);
}

static void write_to_worker(input *made, pod_bytes recipe)
{
    char name[POD_PIPELINE_NAME];
    pod_service_pipeline_name(recipe.data, recipe.size, name);
    made->bytes[0] = WORKER;
    add(made, (pod_header){.kind = POD_SAYS_OPEN, .numbers = {1, 1 << 20, 1}}, &(pod_bytes){name, sizeof name - 1}, 1);
    add(made, (pod_header){.kind = POD_SAYS_RECIPE}, &recipe, 1);
    add(made, (pod_header){.kind = POD_SAYS_READ, .numbers = {1, 0, 10, 0, 0, 0, 1, 0}}, NULL, 0);
    add(made, (pod_header){.kind = POD_SAYS_CREDIT, .numbers = {4096}}, NULL, 0);
    put(made);
    made->bytes[0] = WORKER_OF_DISPATCHER;
    add(made, (pod_header){.kind = POD_SAYS_REGISTERED}, NULL, 0);
    add(made, (pod_header){.kind = POD_SAYS_REFUSED}, &job, 1);
    put(made);
}

static void write_to_consumer(pod_context *context, input *made)
{
    static const unsigned char counts[32] = {1, [8] = 1}; /* of the one stage of its pipeline */
    size_t cost;
    made->bytes[0] = CONSUMER_OF_DISPATCHER;
    add(made, (pod_header){.kind = POD_SAYS_JOINED, .numbers = {1}}, &list_of_one, 1);
    add(made, (pod_header){.kind = POD_SAYS_WORKERS, .numbers = {1}}, &list_of_one, 1);
    add(made, (pod_header){.kind = POD_SAYS_SPLIT, .numbers = {MINE, 3}}, NULL, 0);
    add(made, (pod_header){.kind = POD_SAYS_SPLIT, .numbers = {MINE, -1, 2}}, NULL, 0);
    put(made);
    add(made, (pod_header){.kind = POD_SAYS_UNKNOWN, .numbers = {MINE}}, NULL, 0);
    put(made);
    for (int compress = 0; compress < 2; compress++) {
        zmq_msg_t frame = block_of(context, compress != 0, &cost);
        const pod_bytes block = {pod_zmq.msg_data(&frame), pod_zmq.msg_size(&frame)};
        made->bytes[0] = CONSUMER_OF_WORKER;
        add(made, (pod_header){.kind = POD_SAYS_DATA, .numbers = {MINE, 0, 2, (int64_t)cost}}, &block, 1);
        add(made, (pod_header){.kind = POD_SAYS_STATS, .numbers = {5, 7}}, &(pod_bytes){counts, sizeof counts}, 1);
        add(made, (pod_header){.kind = POD_SAYS_ENDED, .numbers = {MINE, 1, 0}}, NULL, 0);
        add(made, (pod_header){.kind = POD_SAYS_WANTED}, NULL, 0);
        add(made, (pod_header){.kind = POD_SAYS_ENDED, .numbers = {MINE, 0, 1}}, NULL, 0);
        put(made);
        pod_zmq.msg_close(&frame);
    }
    add(made, (pod_header){.kind = POD_SAYS_FAILED, .numbers = {MINE, -5}}, &job, 1);
    put(made);
}

static void write_recipe(pod_context *context)
{
    pod_dataset *rows = rows_of(context);
    pod_bytes recipe;
    if (pod_input_recipe_write(rows, false, &recipe, NULL) != POD_OK)
        fuzz_die("recipe", "cannot write");
    fuzz_put(recipe.data, recipe.size);
    pod_bytes_free(context, &recipe);
    pod_dataset_release(rows);
}

static void write_service(pod_context *context)
{
    static input made = {.size = 1};
    pod_dataset *rows = rows_of(context);
    pod_bytes recipe;
    if (pod_service_load(context, NULL) != POD_OK || pod_input_recipe_write(rows, false, &recipe, NULL) != POD_OK)
        fuzz_die("service", "cannot write");
    write_to_dispatcher(&made);
    write_to_worker(&made, recipe);
    write_to_consumer(context, &made);
    pod_bytes_free(context, &recipe);
    pod_dataset_release(rows);
}

/* ---- what messages carry ---- */

static void read_recipe(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    pod_error error = {.message = ""};
    pod_dataset *dataset;
    if (pod_input_recipe_read(context, bytes, fuzz_load(bytes), &dataset, &error) == POD_OK)
        pod_dataset_release(dataset);
    else if (error.message[0] == '\0')
        fuzz_die("recipe", "a failure without a message");
}

static void write_block(pod_context *context)
{
    size_t cost;
    if (pod_service_load(context, NULL) != POD_OK)
        fuzz_die("block", "no libraries");
    for (int compress = 0; compress < 2; compress++) {
        zmq_msg_t frame = block_of(context, compress != 0, &cost);
        fuzz_put(pod_zmq.msg_data(&frame), pod_zmq.msg_size(&frame));
        pod_zmq.msg_close(&frame);
    }
}

/* As elements of shapes that are known and that are not. */
static void read_block(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    static const int64_t sizes[] = {3, -1};
    const size_t size = fuzz_load(bytes);
    pod_part parts[8];
    if (pod_service_load(context, NULL) != POD_OK)
        return;
    for (size_t i = 0; i < 2; i++)
        for (size_t count = 1; count <= 8; count++) {
            const pod_component component = {.dtype = POD_S64, .shape = {.rank = 1, .dims = {sizes[i]}}};
            if (pod_service_block_read(context, &component, bytes, size, count, parts, 1, NULL) == POD_OK)
                pod_input_parts_release(parts, count);
        }
}

const fuzz_target fuzz_services[] = {{"service", write_service, read_service},
                                     {"recipe", write_recipe, read_recipe},
                                     {"block", write_block, read_block},
                                     {0}};

#endif
