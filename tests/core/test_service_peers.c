/* The data service among peers that are not as they should be: without keys, of another version, or wrong about what
 * was given to whom. */

#include "data_cases.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "service_rig.h"
#include "test_path.h"

/* The version of this end, as texts say it. */
#define TEXT_OF(number) #number
#define SPELL(number)   TEXT_OF(number)
#define SPOKEN          SPELL(POD_SERVICE_PROTOCOL)

static pod_context *context;
static pod_error error;
static char folder[64], path[80];

static void begin(void)
{
    test_path(folder, sizeof folder, "peers");
    ASSERT_EQ(0, mkdir(folder, 0700));
    (void)snprintf(path, sizeof path, "%s/s", folder);
}

static void end(void)
{
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    ASSERT_EQ(0, system(command));
}

/* ---- keys ---- */

/* Waits until a connection is refused. */
static void wait_for_refusal(void *monitor)
{
    zmq_msg_t frame;
    for (uint16_t event = 0; event == 0;) {
        pod_zmq.msg_init(&frame);
        ASSERT(pod_zmq.msg_recv(&frame, monitor, 0) >= 0);
        if (pod_zmq.msg_more(&frame) != 0)
            event = pod_little_u16(pod_zmq.msg_data(&frame));
        pod_zmq.msg_close(&frame);
    }
}

/* Says to a server who it is, with a pair of keys that the server does not know or, where `own` is NULL, without; it is
 * refused, and hears nothing. */
static void knock(const char *address, const char *server, const char *own, const char *secret, pod_header header,
                  const pod_bytes *frames, size_t count)
{
    const int events = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                       ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL;
    const int none = 0;
    void *zmq = pod_zmq.ctx_new(), *socket = pod_zmq.socket(zmq, ZMQ_DEALER);
    pod_zmq.setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
    if (own != NULL) {
        pod_zmq.setsockopt(socket, ZMQ_CURVE_SERVERKEY, server, 41);
        pod_zmq.setsockopt(socket, ZMQ_CURVE_PUBLICKEY, own, 41);
        pod_zmq.setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret, 41);
    }
    ASSERT_EQ(0, pod_zmq.socket_monitor(socket, "inproc://watch", events));
    void *monitor = rig_socket(zmq, ZMQ_PAIR, "inproc://watch");
    ASSERT_EQ(0, pod_zmq.connect(socket, address));
    (void)pod_service_send(socket, NULL, &header, frames, count);
    wait_for_refusal(monitor);
    zmq_msg_t frame;
    pod_zmq.msg_init(&frame);
    ASSERT(pod_zmq.msg_recv(&frame, socket, ZMQ_DONTWAIT) < 0);
    pod_zmq.msg_close(&frame);
    (void)pod_zmq.socket_monitor(socket, NULL, 0);
    pod_zmq.close(monitor);
    pod_zmq.close(socket);
    (void)pod_zmq.ctx_term(zmq);
}

static int64_t count_jobs(const char *state)
{
    sqlite3 *file;
    sqlite3_stmt *question;
    ASSERT_EQ(SQLITE_OK, pod_sqlite.open_v2(state, &file, SQLITE_OPEN_READWRITE, NULL));
    ASSERT_EQ(SQLITE_OK, pod_sqlite.prepare_v2(file, "SELECT count(*) FROM jobs", -1, &question, NULL));
    ASSERT_EQ(SQLITE_ROW, pod_sqlite.step(question));
    const int64_t count = pod_sqlite.column_int64(question, 0);
    (void)pod_sqlite.finalize(question);
    (void)pod_sqlite.close_v2(file);
    return count;
}

TEST(a_peer_without_the_key_gets_no_byte_and_no_state)
{
    char keys[80], own[41], secret[41], server[41];
    pod_bytes text;
    pod_service_dispatcher *dispatcher;
    pod_service_worker *worker;
    begin();
    (void)snprintf(keys, sizeof keys, "%s/keys", folder);
    ASSERT_OK(pod_service_keys_new(context, keys, &error));
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){.state = path, .keys = keys}, &dispatcher,
                                          &error));
    const char *address = pod_service_dispatcher_address(dispatcher);
    ASSERT_OK(
        pod_service_worker_open(context, &(pod_worker_options){.dispatcher = address, .keys = keys}, &worker, &error));
    (void)strcat(keys, "/dispatcher.public");
    ASSERT_OK(pod_file_read(context, keys, &text, &error));
    memcpy(server, text.data, 40);
    server[40] = '\0';
    pod_bytes_free(context, &text);
    ASSERT_EQ(0, pod_zmq.curve_keypair(own, secret));
    const pod_header join = {.kind = POD_SAYS_JOIN, .numbers = {9, 0, 0, 10, 100, 0}}, open = {.kind = POD_SAYS_OPEN};
    const pod_bytes names[] = {{"job", 3}, {"pipeline", 8}};
    knock(address, server, NULL, NULL, join, names, 2);
    knock(address, server, own, secret, join, names, 2);
    knock(pod_service_worker_address(worker), server, NULL, NULL, open, names, 1);
    pod_service_worker_close(worker);
    pod_service_dispatcher_close(dispatcher);
    ASSERT_EQ(0, count_jobs(path));
    end();
}

/* ---- versions ---- */

/* Asks a server in another version; *text receives why it refuses. */
static void ask_in_version(const char *address, uint32_t version, char *text, size_t size)
{
    unsigned char header[POD_SERVICE_HEADER_SIZE];
    zmq_msg_t frame;
    pod_envelope *answer = calloc(1, sizeof *answer);
    bool sound;
    void *zmq = pod_zmq.ctx_new(), *socket = rig_socket(zmq, ZMQ_DEALER, address);
    pod_service_write_header(&(pod_header){.kind = POD_SAYS_BEAT}, header);
    pod_put_little_u32(header + 4, version);
    pod_zmq.msg_init_size(&frame, sizeof header);
    memcpy(pod_zmq.msg_data(&frame), header, sizeof header);
    ASSERT(pod_zmq.msg_send(&frame, socket, 0) >= 0);
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    ASSERT_EQ(1, pod_zmq.poll(&item, 1, -1));
    ASSERT(pod_service_receive(socket, false, answer, &sound) && sound);
    ASSERT_EQ(POD_SAYS_REFUSED, answer->header.kind);
    ASSERT(pod_service_frame_text(answer, 0, text, size));
    pod_service_drop(answer);
    pod_zmq.close(socket);
    (void)pod_zmq.ctx_term(zmq);
    free(answer);
}

TEST(servers_refuse_another_version_and_say_both)
{
    char text[256];
    pod_service_dispatcher *dispatcher;
    pod_service_worker *worker;
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &dispatcher, &error));
    const pod_worker_options options = {.dispatcher = pod_service_dispatcher_address(dispatcher)};
    ASSERT_OK(pod_service_worker_open(context, &options, &worker, &error));
    ask_in_version(pod_service_dispatcher_address(dispatcher), 99, text, sizeof text);
    ASSERT_TEXT("it speaks version 99 of the data service, this end version " SPOKEN, text);
    ask_in_version(pod_service_worker_address(worker), 99, text, sizeof text);
    ASSERT_TEXT("it speaks version 99 of the data service, this end version " SPOKEN, text);
    pod_service_worker_close(worker);
    pod_service_dispatcher_close(dispatcher);
}

/* ---- consumers, and what others say to them ---- */

static service_rig *rig;

static void run(void (*answer)(service_rig *rig, int socket, pod_envelope *from), size_t workers)
{
    begin();
    rig = calloc(1, sizeof *rig);
    *rig = (service_rig){.dataset = range_of(context, 1000), .split_size = 1000, .workers = workers, .answer = answer};
    ASSERT(rig_run(rig, path));
    pod_dataset_release(rig->dataset);
    error = rig->error;
    const pod_status status = rig->status;
    free(rig);
    ASSERT(status < 0);
    end();
}

/* Answers with a header of another version. */
static void say_in_version(service_rig *to, int socket, const pod_envelope *from, uint32_t version)
{
    unsigned char header[POD_SERVICE_HEADER_SIZE];
    zmq_msg_t frame, *sender = (zmq_msg_t *)(uintptr_t)&from->sender;
    pod_service_write_header(&(pod_header){.kind = POD_SAYS_OPENED}, header);
    pod_put_little_u32(header + 4, version);
    const pod_bytes frames[] = {{pod_zmq.msg_data(sender), pod_zmq.msg_size(sender)}, {header, sizeof header}};
    for (int i = 0; i < 2; i++) {
        pod_zmq.msg_init_size(&frame, frames[i].size);
        memcpy(pod_zmq.msg_data(&frame), frames[i].data, frames[i].size);
        ASSERT(pod_zmq.msg_send(&frame, to->sockets[socket], i == 0 ? ZMQ_SNDMORE : 0) >= 0);
    }
}

static void worker_of_another_version(service_rig *to, int socket, pod_envelope *from)
{
    if (socket == RIG_WORKERS)
        say_in_version(to, socket, from, 99);
    else
        rig_answer(to, socket, from);
}

static void dispatcher_of_another_version(service_rig *to, int socket, pod_envelope *from)
{
    say_in_version(to, socket, from, 99);
}

TEST(a_consumer_refuses_another_version_and_says_both)
{
    run(worker_of_another_version, 1);
    ASSERT_CONTAINS("it speaks version 99 of the data service, this end version " SPOKEN, error.message);
    run(dispatcher_of_another_version, 1);
    ASSERT_CONTAINS("speaks version 99 of the data service, this end version " SPOKEN, error.message);
}

static void workers_that_end(service_rig *to, int socket, pod_envelope *from)
{
    if (from->header.kind == POD_SAYS_READ)
        rig_say(to, socket, from, (pod_header){.kind = POD_SAYS_DATA, .numbers = {from->header.numbers[0]}});
    else if (from->header.kind == POD_SAYS_ASK && to->splits > 0)
        rig_say(to, socket, from, (pod_header){.kind = POD_SAYS_SPLIT, .numbers = {from->header.numbers[2], -1, 0}});
    else
        rig_answer(to, socket, from);
}

TEST(an_element_that_ends_every_worker_is_an_error)
{
    run(workers_that_end, 100);
    ASSERT_CONTAINS("16 workers were lost one after the other at element 0 of split 0", error.message);
}

static void others_have_splits(service_rig *to, int socket, pod_envelope *from)
{
    if (from->header.kind == POD_SAYS_ASK)
        rig_say(to, socket, from, (pod_header){.kind = POD_SAYS_SPLIT, .numbers = {from->header.numbers[2], -1, 3}});
    else
        rig_answer(to, socket, from);
}

TEST(splits_of_its_own_job_that_others_have_are_an_error)
{
    run(others_have_splits, 1);
    ASSERT_CONTAINS("has given splits of this consumer's own job to others", error.message);
}

TEST_MAIN(context = test_context(NULL);
          if (pod_service_load(context, NULL) != POD_OK) puts("skipped: this build has no data service"); else {
              RUN(a_peer_without_the_key_gets_no_byte_and_no_state);
              RUN(servers_refuse_another_version_and_say_both);
              RUN(a_consumer_refuses_another_version_and_says_both);
              RUN(an_element_that_ends_every_worker_is_an_error);
              RUN(splits_of_its_own_job_that_others_have_are_an_error);
          } pod_context_release(context))
