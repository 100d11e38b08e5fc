#include "sockets.h"

#include "gate.h"
#include "paths.h"
#include "threads.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    MOST_ASKED = 1 << 16, /* bytes of a heartbeat or of a topic; libzmq leaves a peer that sends larger frames */
    MOST_UNREAD = 4,      /* messages of a front end that the gate has not looked at: the others wait with it */
    MOST_WAITING = 10000, /* messages for a subscriber that does not read */
    MOST_FILE = 1 << 16
};

static struct {
    pthread_t heartbeat, iopub, gate;
    bool has_heartbeat, has_iopub, has_gate;
    threads_iopub publisher;
    gate requests;
} threads;

/* Leaves what protocol.connection() makes of a file. */
static void push_connection(lua_State *L, const char *path)
{
    char text[MOST_FILE];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        luaL_error(L, "the connection file '%s' cannot be read: %s", path, strerror(errno));
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    if (!paths_push_function(L, "moonpod.notebook.protocol", "connection"))
        lua_error(L);
    lua_pushlstring(L, text, size);
    lua_call(L, 1, 1);
}

static void set(void *socket, int option, int value)
{
    (void)zmq_setsockopt(socket, option, &value, sizeof value);
}

/* A socket that listens at the endpoint that the table on top names; NULL, with a line in the log, when it fails. */
static void *open_socket(lua_State *L, void *context, int type, const char *name)
{
    const int64_t most = type == ZMQ_ROUTER ? CHANNEL_MOST_BYTES : MOST_ASKED;
    void *socket = zmq_socket(context, type);
    lua_getfield(L, -1, name);
    const char *endpoint = lua_tostring(L, -1);
    lua_pop(L, 1);
    if (socket == NULL)
        return NULL;
    set(socket, ZMQ_LINGER, CHANNEL_LINGER);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
    if (strchr(endpoint, '[') != NULL)
        set(socket, ZMQ_IPV6, 1);
    if (type == ZMQ_ROUTER) { /* a front end that comes back has its old identity */
        set(socket, ZMQ_ROUTER_HANDOVER, 1);
        set(socket, ZMQ_RCVHWM, MOST_UNREAD);
    }
    if (type == ZMQ_XPUB) {
        set(socket, ZMQ_SNDHWM, MOST_WAITING);
        set(socket, ZMQ_XPUB_VERBOSE, 1);
    }
    if (zmq_bind(socket, endpoint) == 0)
        return socket;
    channel_log("%s cannot listen at %s: %s", name, endpoint, zmq_strerror(errno));
    zmq_close(socket);
    return NULL;
}

static bool open_iopub(lua_State *L, kernel_state *kernel)
{
    void *inside = zmq_socket(kernel->shared.context, ZMQ_PULL);
    void *socket = open_socket(L, kernel->shared.context, ZMQ_XPUB, "iopub");
    threads.publisher = (threads_iopub){&kernel->shared, socket, inside};
    threads.has_iopub = socket != NULL && inside != NULL && zmq_bind(inside, CHANNEL_INSIDE) == 0 &&
                        channel_open_publisher(&kernel->shared) &&
                        threads_begin(&threads.iopub, threads_publish, &threads.publisher);
    if (threads.has_iopub)
        return true;
    channel_close_socket(socket);
    channel_close_socket(inside);
    return false;
}

static bool open_heartbeat(lua_State *L, kernel_state *kernel)
{
    void *socket = open_socket(L, kernel->shared.context, ZMQ_REP, "hb");
    threads.has_heartbeat = socket != NULL && threads_begin(&threads.heartbeat, threads_heartbeat, socket);
    if (!threads.has_heartbeat)
        channel_close_socket(socket);
    return threads.has_heartbeat;
}

/* A PAIR without a bound: what goes through it was signed, or is an answer. */
static void *open_pair(void *context)
{
    void *pair = zmq_socket(context, ZMQ_PAIR);
    set(pair, ZMQ_LINGER, CHANNEL_LINGER);
    set(pair, ZMQ_SNDHWM, 0);
    set(pair, ZMQ_RCVHWM, 0);
    return pair;
}

static bool open_channel(lua_State *L, kernel_state *kernel, channel *opened, gate_way *way)
{
    char endpoint[64];
    (void)snprintf(endpoint, sizeof endpoint, "inproc://%s", opened->name);
    opened->shared = &kernel->shared;
    opened->socket = open_pair(kernel->shared.context);
    *way = (gate_way){opened->name, open_socket(L, kernel->shared.context, ZMQ_ROUTER, opened->name),
                      open_pair(kernel->shared.context)};
    return opened->socket != NULL && way->outside != NULL && way->inside != NULL &&
           zmq_bind(way->inside, endpoint) == 0 && zmq_connect(opened->socket, endpoint) == 0;
}

static bool open_requests(lua_State *L, kernel_state *kernel)
{
    gate *requests = &threads.requests;
    requests->shared = &kernel->shared;
    threads.has_gate = open_channel(L, kernel, &kernel->shell, &requests->ways[0]) &&
                       open_channel(L, kernel, &kernel->control, &requests->ways[1]) &&
                       open_channel(L, kernel, &kernel->ask, &requests->ways[2]) &&
                       threads_begin(&threads.gate, gate_run, requests);
    return threads.has_gate;
}

static bool prepare_shared(lua_State *L, kernel_shared *shared)
{
    unsigned char random[sizeof shared->session / 2];
    size_t size;
    lua_getfield(L, -1, "key");
    const char *key = lua_tolstring(L, -1, &size);
    if (size > sizeof shared->key)
        return luaL_error(L, "the connection file: its key has more than %d bytes", (int)sizeof shared->key);
    memcpy(shared->key, key, size);
    shared->key_size = size;
    lua_pop(L, 1);
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(shared->session + 2 * i, 3, "%02x", random[i]);
    shared->context = zmq_ctx_new();
    return shared->context != NULL;
}

bool sockets_open(lua_State *L, const char *path, kernel_state *kernel)
{
    push_connection(L, path);
    kernel->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return prepare_shared(L, &kernel->shared) && kernel->wake >= 0 && open_iopub(L, kernel) &&
           open_heartbeat(L, kernel) && open_requests(L, kernel) &&
           channel_publish(&kernel->shared, "status", channel_text("{}"),
                           channel_text("{\"execution_state\":\"starting\"}")); /* before anything is answered */
}

void sockets_close(kernel_state *kernel)
{
    if (kernel->shared.context == NULL)
        return;
    if (threads.has_iopub && zmq_send(kernel->shared.publisher, "", 0, 0) == 0)
        pthread_join(threads.iopub, NULL);
    channel_close_socket(kernel->shared.publisher);
    channel_close(&kernel->shell);
    channel_close(&kernel->control);
    channel_close(&kernel->ask);
    if (threads.has_gate)
        pthread_join(threads.gate, NULL);
    else
        gate_close(&threads.requests);
    zmq_ctx_shutdown(kernel->shared.context);
    if (threads.has_heartbeat)
        pthread_join(threads.heartbeat, NULL);
    zmq_ctx_term(kernel->shared.context);
    close(kernel->wake);
}
