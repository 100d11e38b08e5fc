/* watch - see watch.h. */

#define _GNU_SOURCE /* accept4() */
#include "backends/mpi/watch.h"

#include "backends/mpi/watcher.h"
#include "base/error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

#define MOST_ADDRESSES 8
#define PATIENCE       2 /* seconds for a connection */

/* Where rank 0 is found, and what shows that who connects belongs to the job. */
typedef struct meeting_point {
    uint8_t secret[16];
    uint32_t addresses[MOST_ADDRESSES]; /* of the host, as in sockaddr_in; 0: no more */
    uint16_t port;                      /* 0: there is none */
} meeting_point;

/* What a rank says first. */
typedef struct greeting {
    uint8_t secret[16];
    int32_t rank;
} greeting;

static struct sockaddr_in address_of(uint32_t host, uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = host};
}

/* A name without a file. Ranks on rank 0's host connect there: such a line ends at once with its rank, where the end of
 * one through the network may come after that of a rank which a launcher has ended for it. */
static socklen_t local_address(const meeting_point *point, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int size = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "moonpod-ranks-");
    for (size_t i = 0; i < sizeof point->secret; i++)
        size += snprintf(address->sun_path + 1 + size, 3, "%02x", point->secret[i]);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
}

/* ---- rank 0 ---- */

static void write_addresses(meeting_point *point)
{
    uv_interface_address_t *all = NULL;
    int count = 0, written = 0;
    if (uv_interface_addresses(&all, &count) != 0)
        return;
    for (int i = 0; i < count && written < MOST_ADDRESSES; i++)
        if (!all[i].is_internal && all[i].address.address4.sin_family == AF_INET)
            point->addresses[written++] = all[i].address.address4.sin_addr.s_addr;
    uv_free_interface_addresses(all, count);
}

/* Listens; returns the socket, or -1. */
static int make_point(const pod_mpi_ranks *ranks, meeting_point *point)
{
    struct sockaddr_in any = address_of(htonl(INADDR_ANY), 0);
    socklen_t size = sizeof any;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return -1;
    if (uv_random(NULL, NULL, point->secret, sizeof point->secret, 0, NULL) != 0 ||
        bind(listener, (struct sockaddr *)&any, size) != 0 || listen(listener, ranks->about.count) != 0 ||
        getsockname(listener, (struct sockaddr *)&any, &size) != 0) {
        (void)close(listener);
        return -1;
    }
    write_addresses(point);
    point->port = any.sin_port;
    return listener;
}

/* The same for ranks on this host. */
static int make_local_point(const pod_mpi_ranks *ranks, const meeting_point *point)
{
    struct sockaddr_un address;
    const socklen_t size = local_address(point, &address);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 ||
        (bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, ranks->about.count) == 0))
        return listener;
    (void)close(listener);
    return -1;
}

static void limit_waiting(int line)
{
    const struct timeval limit = {PATIENCE, 0};
    (void)setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

/* A host that is gone, or cannot be reached any more, ends its lines within 10 s. */
static void look_after(int line)
{
    static const int names[] = {TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT}, values[] = {3, 2, 3}, on = 1;
    (void)setsockopt(line, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    for (int i = 0; i < 3; i++)
        (void)setsockopt(line, IPPROTO_TCP, names[i], &values[i], sizeof values[i]);
}

/* Takes the lines of `expected` ranks, which have connected already; what else has is dropped. */
static void take_lines(const pod_mpi_ranks *ranks, const meeting_point *point, const int listeners[2], int32_t expected,
                       int *lines)
{
    struct pollfd ready[2] = {{.fd = listeners[0], .events = POLLIN}, {.fd = listeners[1], .events = POLLIN}};
    while (expected > 0 && poll(ready, 2, PATIENCE * 1000) > 0) {
        greeting said = {.rank = -1};
        const int line = accept4(ready[ready[0].revents == 0].fd, NULL, NULL, SOCK_CLOEXEC);
        if (line < 0)
            continue;
        limit_waiting(line);
        if (recv(line, &said, sizeof said, MSG_WAITALL) != sizeof said ||
            memcmp(said.secret, point->secret, sizeof said.secret) != 0 || said.rank <= 0 ||
            said.rank >= ranks->about.count || lines[said.rank] >= 0) {
            (void)close(line);
            continue;
        }
        look_after(line);
        lines[said.rank] = line;
        expected--;
    }
}

static pod_status start(pod_mpi_ranks *ranks, int *lines, pod_error *error)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "no connection to a process that watches the ranks");
    lines[0] = pair[1];
    const pod_mpi_watcher watcher = {ranks->about.count, lines, ranks->hosts};
    const bool started = pod_mpi_watcher_start(&watcher);
    (void)close(pair[1]);
    if (!started) {
        (void)close(pair[0]);
        return pod_error_set(error, POD_ERROR_SYSTEM, "no process can be started that watches the ranks");
    }
    ranks->line = pair[0];
    return POD_OK;
}

/* ---- the other ranks ---- */

static int connect_to(const struct sockaddr *to, socklen_t size, const meeting_point *point, int32_t rank)
{
    greeting own = {.rank = rank};
    memcpy(own.secret, point->secret, sizeof own.secret);
    const int line = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (line < 0)
        return -1;
    limit_waiting(line);
    if (connect(line, to, size) == 0 && send(line, &own, sizeof own, MSG_NOSIGNAL) == sizeof own)
        return line;
    (void)close(line);
    return -1;
}

static int find_point(const pod_mpi_ranks *ranks, const meeting_point *point)
{
    if (point->port == 0)
        return -1;
    if (strcmp(ranks->hosts[ranks->about.rank], ranks->hosts[0]) == 0) {
        struct sockaddr_un here;
        const socklen_t size = local_address(point, &here);
        return connect_to((const struct sockaddr *)&here, size, point, ranks->about.rank);
    }
    int line = -1;
    for (int i = 0; line < 0 && i < MOST_ADDRESSES && point->addresses[i] != 0; i++) {
        const struct sockaddr_in there = address_of(point->addresses[i], point->port);
        line = connect_to((const struct sockaddr *)&there, sizeof there, point, ranks->about.rank);
    }
    return line;
}

/* ---- all ---- */

static pod_status begin_at(pod_mpi_ranks *ranks, int *lines, meeting_point *points, const int listeners[2],
                           meeting_point *own, pod_error *error)
{
    const int32_t count = ranks->about.count, rank = ranks->about.rank;
    pod_status status = pod_ranks_gather(&ranks->base, own, sizeof *own, points, error);
    if (status != POD_OK)
        return status;
    ranks->line = rank == 0 ? -1 : find_point(ranks, &points[0]);
    const int has_line = ranks->line >= 0;
    status = pod_ranks_gather(&ranks->base, &has_line, sizeof has_line, lines, error);
    int32_t expected = 0;
    for (int32_t i = 0; i < count; i++) {
        expected += lines[i] > 0;
        lines[i] = -1;
    }
    if (status != POD_OK || rank != 0)
        return status;
    take_lines(ranks, own, listeners, expected, lines);
    return start(ranks, lines, error);
}

pod_status pod_mpi_watch_begin(pod_mpi_ranks *ranks, pod_error *error)
{
    const size_t count = (size_t)ranks->about.count;
    meeting_point own = {.port = 0};
    meeting_point *points = pod_allocate_zeroed(ranks->context, count, sizeof *points);
    int *lines = pod_allocate_zeroed(ranks->context, count, sizeof *lines);
    int listeners[2] = {-1, -1};
    if (ranks->about.rank == 0 && (listeners[0] = make_point(ranks, &own)) >= 0)
        listeners[1] = make_local_point(ranks, &own);
    const pod_status status = points && lines ? begin_at(ranks, lines, points, listeners, &own, error)
                                              : pod_error_memory(error, "a process that watches the ranks", 0);
    for (size_t i = 1; lines != NULL && i < count; i++)
        if (lines[i] > 0)
            (void)close(lines[i]); /* the process has it */
    for (int i = 0; i < 2; i++)
        if (listeners[i] >= 0)
            (void)close(listeners[i]);
    pod_free(ranks->context, points);
    pod_free(ranks->context, lines);
    return status;
}

void pod_mpi_watch_note(const pod_mpi_ranks *ranks, const char *path)
{
    const size_t size = strlen(path) + 1;
    if (ranks->line >= 0 && ranks->about.rank == 0 && size <= POD_MPI_WATCHED_PATH &&
        path[0] != POD_MPI_WATCHED_FAREWELL)
        (void)send(ranks->line, path, size, MSG_NOSIGNAL);
}

void pod_mpi_watch_end(pod_mpi_ranks *ranks)
{
    const char word = POD_MPI_WATCHED_FAREWELL;
    if (ranks->line < 0)
        return;
    (void)send(ranks->line, &word, 1, MSG_NOSIGNAL);
    (void)close(ranks->line);
    ranks->line = -1;
}
