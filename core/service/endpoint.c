/* endpoint - see endpoint.h. */

#include "service/endpoint.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

/* Peers that say nothing for so many milliseconds are taken for gone; a beat goes each second. No beat comes while a
 * frame does, so a frame must come within that time. A machine that is gone is noticed by TCP, and sooner. */
#define BEAT    1000
#define SILENCE 60000

/* Seconds after which TCP asks a silent machine, then again each second so often; milliseconds after which it gives up
 * what nobody acknowledges. */
#define ASKS_AFTER 5
#define ASKS       5
#define GIVES_UP   10000

/* Messages that wait in a socket: credits keep them fewer. */
#define MOST_WAITING 4096

static void set_int(void *socket, int option, int value)
{
    (void)pod_zmq.setsockopt(socket, option, &value, sizeof value);
}

static void set_common(void *socket, const char *address, int64_t most_bytes)
{
    set_int(socket, ZMQ_LINGER, 0);
    set_int(socket, ZMQ_SNDHWM, MOST_WAITING);
    set_int(socket, ZMQ_RCVHWM, MOST_WAITING);
    set_int(socket, ZMQ_HEARTBEAT_IVL, BEAT);
    set_int(socket, ZMQ_HEARTBEAT_TIMEOUT, SILENCE);
    set_int(socket, ZMQ_TCP_KEEPALIVE, 1);
    set_int(socket, ZMQ_TCP_KEEPALIVE_IDLE, ASKS_AFTER);
    set_int(socket, ZMQ_TCP_KEEPALIVE_INTVL, 1);
    set_int(socket, ZMQ_TCP_KEEPALIVE_CNT, ASKS);
    set_int(socket, ZMQ_TCP_MAXRT, GIVES_UP);
    if (strchr(address, '[') != NULL)
        set_int(socket, ZMQ_IPV6, 1);
    (void)pod_zmq.setsockopt(socket, ZMQ_MAXMSGSIZE, &most_bytes, sizeof most_bytes);
}

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the host is a number that begins with 127: a name that begins so may be anybody's. */
static bool is_loopback(const char *address)
{
    const char *host = address + strlen("tcp://");
    return begins_with(address, "tcp://127.") && host[strspn(host, "0123456789.")] == ':';
}

bool pod_service_is_local(const char *address)
{
    static const char *const local[] = {"ipc://", "tcp://localhost:", "tcp://[::1]:"};
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        if (begins_with(address, local[i]))
            return true;
    return is_loopback(address);
}

/* An address is written as libzmq has it, and needs keys where others could reach it. */
static pod_status check_address(const char *address, const pod_service_keys *keys, pod_error *error)
{
    if ((!begins_with(address, "tcp://") && !begins_with(address, "ipc://")) || strlen(address) >= POD_ADDRESS_SIZE)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "'%.200s' is no address of the data service; write tcp://HOST:PORT or ipc://PATH",
                             address);
    if (!keys->used && !pod_service_is_local(address))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "%.200s is not on this machine alone: without keys anybody could read the data there; "
                             "make some with `moonpod data-keys new FOLDER`, and give the folder to each role",
                             address);
    return POD_OK;
}

static pod_status failed(const char *what, const char *address, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_IO, "cannot %s %.200s: %s", what, address, pod_zmq.strerror(errno));
}

/* ---- listening ---- */

static const char door[] = "inproc://zeromq.zap.01";

static pod_status open_door(void *zmq, const pod_service_keys *keys, pod_listener *listener, pod_error *error)
{
    listener->door = pod_zmq.socket(zmq, ZMQ_REP);
    if (listener->door == NULL || pod_zmq.bind(listener->door, door) != 0)
        return failed("guard", door, error);
    set_int(listener->door, ZMQ_LINGER, 0);
    set_int(listener->socket, ZMQ_CURVE_SERVER, 1);
    if (pod_zmq.setsockopt(listener->socket, ZMQ_CURVE_SECRETKEY, keys->secret, POD_KEY_SIZE) != 0 ||
        pod_zmq.setsockopt(listener->socket, ZMQ_ZAP_DOMAIN, "moonpod", 7) != 0)
        return failed("use the keys at", door, error);
    return POD_OK;
}

/* Whether a process listens at a Unix socket. libzmq would take its name away, and the other, when it ends, this one's:
 * then nobody could be reached any more. */
static bool is_taken(const char *address)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *path = address + strlen("ipc://");
    if (!begins_with(address, "ipc://") || *path == '@' || strlen(path) >= sizeof name.sun_path)
        return false;
    memcpy(name.sun_path, path, strlen(path));
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0)
        return false;
    const bool taken = connect(probe, (const struct sockaddr *)&name, sizeof name) == 0 || errno == EAGAIN;
    (void)close(probe);
    return taken;
}

pod_status pod_service_listen(void *zmq, const char *address, const pod_service_keys *keys, int64_t most_bytes,
                              pod_listener *listener, pod_error *error)
{
    *listener = (pod_listener){0};
    pod_status status = check_address(address, keys, error);
    if (status == POD_OK && is_taken(address))
        status = pod_error_set(error, POD_ERROR_IO, "cannot listen at %.200s: another process does", address);
    if (status != POD_OK)
        return status;
    listener->socket = pod_zmq.socket(zmq, ZMQ_ROUTER);
    if (listener->socket == NULL)
        return failed("open", address, error);
    set_common(listener->socket, address, most_bytes);
    set_int(listener->socket, ZMQ_ROUTER_MANDATORY, 1);
    if (keys->used)
        status = open_door(zmq, keys, listener, error);
    if (status != POD_OK)
        return status;
    const mode_t before = umask(0177); /* a Unix socket is its owner's */
    const int bound = pod_zmq.bind(listener->socket, address);
    umask(before);
    size_t size = sizeof listener->address;
    if (bound != 0 || pod_zmq.getsockopt(listener->socket, ZMQ_LAST_ENDPOINT, listener->address, &size) != 0)
        return failed("listen at", address, error);
    return POD_OK;
}

void pod_service_close_listener(pod_listener *listener)
{
    pod_service_close_socket(listener->socket);
    pod_service_close_socket(listener->door);
    *listener = (pod_listener){0};
}

/* What a question at the door has: version, number, domain, address, identity, mechanism, key. */
enum { DOOR_VERSION, DOOR_NUMBER, DOOR_DOMAIN, DOOR_ADDRESS, DOOR_IDENTITY, DOOR_MECHANISM, DOOR_KEY, DOOR_FRAMES };

static bool is_known(zmq_msg_t *mechanism, zmq_msg_t *key, const pod_service_keys *keys)
{
    char text[POD_KEY_SIZE];
    if (pod_zmq.msg_size(mechanism) != 5 || memcmp(pod_zmq.msg_data(mechanism), "CURVE", 5) != 0 ||
        pod_zmq.msg_size(key) != 32 || pod_zmq.z85_encode(text, pod_zmq.msg_data(key), 32) == NULL)
        return false;
    for (int role = 0; role < POD_ROLES; role++)
        if (role != POD_ROLE_DISPATCHER && strcmp(text, keys->public[role]) == 0)
            return true;
    return false;
}

static void say(void *socket, const void *bytes, size_t size, bool more)
{
    zmq_msg_t frame;
    if (pod_zmq.msg_init_size(&frame, size) != 0)
        return;
    if (size > 0)
        memcpy(pod_zmq.msg_data(&frame), bytes, size);
    if (pod_zmq.msg_send(&frame, socket, more ? ZMQ_SNDMORE : 0) < 0)
        pod_zmq.msg_close(&frame);
}

/* Answers one question; false where there was none. */
static bool answer_door(void *socket, const pod_service_keys *keys)
{
    zmq_msg_t frames[DOOR_FRAMES];
    int count = 0;
    for (bool more = true; more;) {
        zmq_msg_t frame;
        pod_zmq.msg_init(&frame);
        if (pod_zmq.msg_recv(&frame, socket, count == 0 ? ZMQ_DONTWAIT : 0) < 0) {
            pod_zmq.msg_close(&frame);
            break;
        }
        more = pod_zmq.msg_more(&frame) != 0;
        if (count < DOOR_FRAMES) {
            pod_zmq.msg_init(&frames[count]);
            pod_zmq.msg_move(&frames[count++], &frame);
        }
        pod_zmq.msg_close(&frame);
    }
    if (count == 0)
        return false;
    const bool known = count == DOOR_FRAMES && is_known(&frames[DOOR_MECHANISM], &frames[DOOR_KEY], keys);
    say(socket, "1.0", 3, true);
    if (count > DOOR_NUMBER)
        say(socket, pod_zmq.msg_data(&frames[DOOR_NUMBER]), pod_zmq.msg_size(&frames[DOOR_NUMBER]), true);
    say(socket, known ? "200" : "400", 3, true);
    say(socket, known ? "OK" : "this key is not known", known ? 2 : 21, true);
    say(socket, "", 0, true);
    say(socket, "", 0, false);
    for (int i = 0; i < count; i++)
        pod_zmq.msg_close(&frames[i]);
    return true;
}

void pod_service_open_door(pod_listener *listener, const pod_service_keys *keys)
{
    while (listener->door != NULL && answer_door(listener->door, keys))
        continue;
}

/* ---- connecting ---- */

pod_status pod_service_connect(void *zmq, const char *address, const pod_service_keys *keys, pod_service_role peer,
                               int64_t most_bytes, void **socket, pod_error *error)
{
    *socket = NULL;
    pod_status status = check_address(address, keys, error);
    if (status != POD_OK)
        return status;
    void *made = pod_zmq.socket(zmq, ZMQ_DEALER);
    if (made == NULL)
        return failed("open", address, error);
    set_common(made, address, most_bytes);
    set_int(made, ZMQ_RECONNECT_IVL, 50);
    set_int(made, ZMQ_RECONNECT_IVL_MAX, 1000);
    bool sound = true;
    if (keys->used)
        sound = pod_zmq.setsockopt(made, ZMQ_CURVE_SERVERKEY, keys->public[peer], POD_KEY_SIZE) == 0 &&
                pod_zmq.setsockopt(made, ZMQ_CURVE_SECRETKEY, keys->secret, POD_KEY_SIZE) == 0 &&
                pod_zmq.setsockopt(made, ZMQ_CURVE_PUBLICKEY, keys->public[keys->role], POD_KEY_SIZE) == 0;
    if (sound && pod_zmq.connect(made, address) == 0) {
        *socket = made;
        return POD_OK;
    }
    status = failed("connect to", address, error);
    pod_service_close_socket(made);
    return status;
}

pod_status pod_service_inside(void *zmq, int type, const char *name, bool binds, void **socket, pod_error *error)
{
    *socket = pod_zmq.socket(zmq, type);
    if (*socket == NULL)
        return failed("open", name, error);
    set_int(*socket, ZMQ_LINGER, 0);
    set_int(*socket, ZMQ_SNDHWM, 0); /* credits bound what is in them */
    set_int(*socket, ZMQ_RCVHWM, 0);
    if ((binds ? pod_zmq.bind : pod_zmq.connect)(*socket, name) == 0)
        return POD_OK;
    const pod_status status = failed("connect to", name, error);
    pod_service_close_socket(*socket);
    *socket = NULL;
    return status;
}

void pod_service_close_socket(void *socket)
{
    if (socket != NULL)
        pod_zmq.close(socket);
}

int64_t pod_service_draw_id(void)
{
    int64_t id = 0;
    if (uv_random(NULL, NULL, &id, sizeof id, 0, NULL) != 0)
        id = (int64_t)uv_hrtime();
    return id & INT64_MAX;
}
