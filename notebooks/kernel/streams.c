#define _GNU_SOURCE /* pipe2 */

#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "editor/utf8.h"
#include "json_text.h"
#include "threads.h"

/* Output that comes bit by bit is published together: so many milliseconds long, or so many bytes. */
enum { GATHER = 40, MOST = 32 * 1024 };

/* As many reads take what a pipe held when a flush was asked for. A process that a cell has left behind may write for
 * ever: it is not waited for. */
enum { MOST_READS = 64 };

typedef struct stream {
    const char *name;
    int file;
    size_t size;
    char bytes[MOST];
} stream;

static struct {
    kernel_shared *shared;
    pthread_t thread;
    bool runs;
    int command[2]; /* bytes: 'f' flush, 'e' end */
    stream stream[2];
    long long since; /* when the oldest byte came that is not published yet, in milliseconds */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned long asked, done; /* flushes */
    char *parent;              /* the header, or NULL */
    size_t parent_size;
} all = {.stream = {{.name = "stdout", .file = -1}, {.name = "stderr", .file = -1}},
         .lock = PTHREAD_MUTEX_INITIALIZER,
         .changed = PTHREAD_COND_INITIALIZER};

static long long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Publishes what a stream has; the beginning of a character waits for its end, but at the last. */
static void publish(stream *from, bool last)
{
    static char content[JSON_TEXT_ROOM(MOST) + 64];
    size_t size = from->size;
    for (size_t back = 1; !last && back <= 3 && back <= size; back++)
        if (((unsigned char)from->bytes[size - back] & 0xC0) != 0x80) { /* where the last character begins */
            if (utf8_is_cut(from->bytes + size - back, back))
                size -= back;
            break;
        }
    if (size == 0)
        return;
    size_t end = (size_t)snprintf(content, 64, "{\"name\":\"%s\",\"text\":", from->name);
    end += json_text_write(content + end, from->bytes, size);
    content[end++] = '}';
    pthread_mutex_lock(&all.lock);
    const wire_frame parent = all.parent != NULL ? (wire_frame){all.parent, all.parent_size} : channel_text("{}");
    (void)channel_publish(all.shared, "stream", parent, (wire_frame){content, end});
    pthread_mutex_unlock(&all.lock);
    memmove(from->bytes, from->bytes + size, from->size - size);
    from->size -= size;
}

static void publish_all(bool last)
{
    for (int i = 0; i < 2; i++)
        publish(&all.stream[i], last);
    all.since = 0;
}

/* Reads what is there, once; false where nothing is. What is in the other stream stands before it. */
static bool read_some(int number)
{
    stream *to = &all.stream[number];
    if (to->size >= MOST - 8)
        publish(to, false);
    const ssize_t got = read(to->file, to->bytes + to->size, MOST - to->size);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    if (all.stream[1 - number].size > 0)
        publish(&all.stream[1 - number], false);
    to->size += (size_t)got;
    if (all.since == 0)
        all.since = milliseconds();
    return true;
}

/* Does what was asked for; false: to end. */
static bool obey(void)
{
    char commands[64];
    const ssize_t got = read(all.command[0], commands, sizeof commands);
    if (got <= 0)
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    for (int i = 0; i < 2; i++)
        for (int reads = 0; reads < MOST_READS && read_some(i); reads++)
            continue;
    publish_all(true);
    pthread_mutex_lock(&all.lock);
    all.done = all.asked;
    pthread_cond_broadcast(&all.changed);
    pthread_mutex_unlock(&all.lock);
    return memchr(commands, 'e', (size_t)got) == NULL;
}

static void *run(void *argument)
{
    (void)argument;
    struct pollfd from[] = {
        {all.stream[0].file, POLLIN, 0}, {all.stream[1].file, POLLIN, 0}, {all.command[0], POLLIN, 0}};
    for (bool goes_on = true; goes_on;) {
        const long long left = all.since == 0 ? -1 : all.since + GATHER - milliseconds();
        if (poll(from, 3, left < -1 ? 0 : (int)left) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++)
            if ((from[i].revents & POLLIN) != 0)
                (void)read_some(i);
        if (all.since != 0 && milliseconds() - all.since >= GATHER)
            publish_all(false);
        if ((from[2].revents & POLLIN) != 0)
            goes_on = obey();
    }
    return NULL;
}

/* A pipe whose end for reading does not block stands behind a descriptor. */
static bool put_pipe(stream *behind, int descriptor)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    behind->file = ends[0];
    const bool put = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && dup2(ends[1], descriptor) == descriptor;
    close(ends[1]);
    return put;
}

int streams_begin(kernel_shared *shared)
{
    const int log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    all.shared = shared;
    if (log < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || pipe2(all.command, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    close(nothing);
    fflush(stdout);
    if (!put_pipe(&all.stream[0], STDOUT_FILENO) || !put_pipe(&all.stream[1], STDERR_FILENO))
        return -1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what a long cell prints is seen while it runs */
    all.runs = threads_begin(&all.thread, run, NULL);
    return all.runs ? log : -1;
}

static void command(char what)
{
    fflush(stdout);
    fflush(stderr);
    pthread_mutex_lock(&all.lock);
    const unsigned long mine = ++all.asked;
    while (write(all.command[1], &what, 1) < 0 && errno == EINTR)
        continue;
    while (all.done < mine)
        pthread_cond_wait(&all.changed, &all.lock);
    pthread_mutex_unlock(&all.lock);
}

void streams_flush(void)
{
    if (all.runs)
        command('f');
}

void streams_set_parent(wire_frame header)
{
    char *copy = malloc(header.size + 1);
    streams_flush();
    if (copy != NULL)
        memcpy(copy, header.bytes, header.size);
    pthread_mutex_lock(&all.lock);
    free(all.parent);
    all.parent = copy;
    all.parent_size = header.size;
    pthread_mutex_unlock(&all.lock);
}

void streams_end(void)
{
    if (!all.runs)
        return;
    command('e');
    pthread_join(all.thread, NULL);
    all.runs = false;
    free(all.parent);
    all.parent = NULL;
}
