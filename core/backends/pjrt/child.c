/* child - see child.h; nurse.c is the other side. */

#define _GNU_SOURCE /* pipe2() */
#include "nurse.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 50 }; /* how often this process looks for an interrupt */

/* ---- what a child writes -------------------------------------------------------------------------- */

/* The last of it. */
typedef struct last_words {
    char text[2048];
    size_t size;
} last_words;

static void hear(last_words *noise, const char *bytes, size_t size)
{
    const size_t room = sizeof noise->text;
    if (size >= room) {
        bytes += size - room;
        size = room;
    }
    if (noise->size + size > room) {
        const size_t goes = noise->size + size - room;
        memmove(noise->text, noise->text + goes, noise->size - goes);
        noise->size -= goes;
    }
    memcpy(noise->text + noise->size, bytes, size);
    noise->size += size;
}

/* Reads what there is; returns whether more may come. */
static bool read_noise(int from, last_words *noise)
{
    char bytes[4096];
    const ssize_t size = read(from, bytes, sizeof bytes);
    if (size > 0)
        hear(noise, bytes, (size_t)size);
    return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

/* The line that says what failed, or the last that is not empty. */
static const char *find_line(const last_words *noise, int *size)
{
    static const char failed[] = "Check failed";
    const char *found = memmem(noise->text, noise->size, failed, sizeof failed - 1);
    size_t end = noise->size;
    if (found != NULL) {
        const char *newline = memchr(found, '\n', noise->size - (size_t)(found - noise->text));
        end = newline != NULL ? (size_t)(newline - noise->text) : end;
    }
    while (end > 0 && (noise->text[end - 1] == '\n' || noise->text[end - 1] == ' '))
        end--;
    size_t begin = end;
    while (begin > 0 && noise->text[begin - 1] != '\n')
        begin--;
    *size = (int)(end - begin);
    return noise->text + begin;
}

/* ---- a child ---------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static pod_status fail_for_system(const pod_pjrt_children *children, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_SYSTEM, "no process for %s: %s", children->of.what, strerror(errno));
}

/* Sends the nurse a byte, with two files where a child is to be made. */
static bool tell_nurse(const pod_pjrt_children *children, const int *files)
{
    pod_pjrt_sent_files sent = {
        {.cmsg_len = CMSG_LEN(2 * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    char byte = files != NULL ? POD_PJRT_MAKE_CHILD : POD_PJRT_END_CHILD;
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (files != NULL) {
        message.msg_control = &sent;
        message.msg_controllen = sizeof sent;
        memcpy(CMSG_DATA(&sent.head), files, 2 * sizeof(int));
    }
    return sendmsg(children->to_nurse, &message, MSG_NOSIGNAL) == 1;
}

static void close_child(pod_pjrt_children *children)
{
    close(children->child);
    close(children->noise);
    children->child = children->noise = -1;
}

/* Ends the child, which may have ended by itself, and returns how it did; negative: an errno, there was none. */
static int end_child(pod_pjrt_children *children, last_words *noise)
{
    int state = SIGKILL;
    if (!tell_nurse(children, NULL) || !pod_pjrt_read_all(children->to_nurse, &state, sizeof state))
        state = SIGKILL; /* with the nurse */
    struct pollfd file = {.fd = children->noise, .events = POLLIN};
    while (noise != NULL && poll(&file, 1, 0) > 0 && read_noise(file.fd, noise))
        continue;
    close_child(children);
    return state;
}

static pod_status begin_child(pod_pjrt_children *children, pod_error *error)
{
    int sockets[2], pipes[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return fail_for_system(children, error);
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        const pod_status status = fail_for_system(children, error);
        close(sockets[0]);
        close(sockets[1]);
        return status;
    }
    children->child = sockets[0];
    children->noise = pipes[0];
    const bool is_told = tell_nurse(children, (const int[]){sockets[1], pipes[1]});
    const pod_status status = is_told ? POD_OK : fail_for_system(children, error);
    close(sockets[1]);
    close(pipes[1]);
    if (!is_told)
        close_child(children); /* the nurse knows of none */
    return status;
}

/* A request that is being sent, and the answer that is being read. */
typedef struct conversation {
    pod_pjrt_children *children;
    const pod_bytes *request;
    pod_pjrt_message_head asked, told;
    size_t sent, got; /* with the heads */
    char *answer;
    bool is_over; /* the child is gone */
    bool has_no_memory;
} conversation;

/* Sends what there is room for. */
static void send_more(conversation *with)
{
    const size_t head = sizeof with->asked;
    const bool in_head = with->sent < head;
    const char *from =
        in_head ? (const char *)&with->asked + with->sent : (const char *)with->request->data + (with->sent - head);
    const size_t size = in_head ? head - with->sent : head + with->request->size - with->sent;
    const ssize_t sent = send(with->children->child, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
        with->sent += (size_t)sent;
    else
        with->is_over = errno != EINTR && errno != EAGAIN;
}

static void read_more(conversation *with)
{
    const size_t head = sizeof with->told;
    const bool in_head = with->got < head;
    char *to = in_head ? (char *)&with->told + with->got : with->answer + (with->got - head);
    const size_t size = in_head ? head - with->got : head + (size_t)with->told.size - with->got;
    const ssize_t got = read(with->children->child, to, size);
    if (got > 0)
        with->got += (size_t)got;
    else
        with->is_over = got == 0 || (errno != EINTR && errno != EAGAIN);
    if (in_head && with->got == head && with->told.size <= POD_PJRT_LARGEST_MESSAGE)
        with->answer = pod_allocate(with->children->context, (size_t)with->told.size + 1);
    with->has_no_memory = with->got >= head && with->answer == NULL;
}

static bool has_answer(const conversation *with)
{
    return with->got >= sizeof with->told && with->got == sizeof with->told + with->told.size;
}

/* Talks until the answer is there whole, or will not come. */
static pod_status talk(conversation *with, int seconds, last_words *noise, pod_error *error)
{
    pod_pjrt_children *children = with->children;
    struct pollfd files[2] = {{.fd = children->child}, {.fd = children->noise, .events = POLLIN}};
    const double end = now() + seconds;
    while (!with->is_over && !has_answer(with)) {
        if (pod_context_is_interrupted(children->context))
            return pod_error_set(error, POD_ERROR_INTERRUPTED, "interrupted while %s compiled", children->of.what);
        if (now() > end)
            return pod_error_set(error, POD_ERROR_STATE,
                                 "%s had no answer in %d s, and was ended; another version of it may have one",
                                 children->of.what, seconds);
        const bool is_sent = with->sent == sizeof with->asked + with->request->size;
        files[0].events = (short)(is_sent ? POLLIN : POLLIN | POLLOUT);
        if (poll(files, 2, LOOK_MILLISECONDS) <= 0)
            continue;
        if (files[1].revents != 0 && !read_noise(files[1].fd, noise))
            files[1].fd = -1;
        if (files[0].revents & (POLLIN | POLLHUP | POLLERR))
            read_more(with);
        else if (files[0].revents & POLLOUT)
            send_more(with);
        if (with->has_no_memory)
            return pod_error_memory(error, "an answer", (size_t)with->told.size);
    }
    return POD_OK;
}

static pod_status tell_death(const pod_pjrt_children *children, int state, const last_words *noise, pod_error *error)
{
    int size;
    if (state < 0) {
        errno = -state;
        return fail_for_system(children, error);
    }
    const char *what = children->of.what, *line = find_line(noise, &size);
    const char *before = size > 0 ? "; its last words: " : "";
    if (WIFSIGNALED(state))
        return pod_error_set(error, POD_ERROR_STATE,
                             "%s ended its process by signal %d (%s)%s%.*s. This process goes on; %s", what,
                             WTERMSIG(state), strsignal(WTERMSIG(state)), before, size, line,
                             WTERMSIG(state) == SIGKILL ? "the system ends what takes too much memory"
                                                        : "another version of it may do what it was asked");
    return pod_error_set(error, POD_ERROR_STATE, "%s ended its process with code %d and no answer%s%.*s", what,
                         WEXITSTATUS(state), before, size, line);
}

/* What the child has sent: its texts may be damaged by what a plugin does to its process. */
static pod_status take_answer(conversation *with, pod_bytes *answer, pod_error *error)
{
    pod_error *told = &with->told.error;
    told->message[sizeof told->message - 1] = '\0';
    if (told->status != POD_OK)
        return pod_error_set(error, told->status < 0 ? told->status : POD_ERROR_STATE, "%s", told->message);
    *answer = (pod_bytes){with->answer, (size_t)with->told.size};
    with->answer = NULL;
    return POD_OK;
}

static pod_status ask(pod_pjrt_children *children, const pod_bytes *request, int seconds, pod_bytes *answer,
                      pod_error *error)
{
    last_words noise = {.size = 0};
    conversation with = {.children = children, .request = request, .asked = {.size = request->size}};
    pod_status status = talk(&with, seconds, &noise, error);
    const bool is_told = status == POD_OK && has_answer(&with);
    const int state = is_told ? 0 : end_child(children, &noise);
    if (is_told)
        status = take_answer(&with, answer, error);
    else if (status == POD_OK)
        status = tell_death(children, state, &noise, error);
    pod_free(children->context, with.answer);
    return status;
}

/* ---- public ---------------------------------------------------------------------------------------- */

pod_status pod_pjrt_begin_children(pod_context *context, const pod_pjrt_child *child, pod_pjrt_children **children,
                                   pod_error *error)
{
    int sockets[2];
    pod_pjrt_children *made = pod_allocate_zeroed(context, 1, sizeof *made);
    *children = NULL;
    if (made == NULL)
        return pod_error_memory(error, "a child process", sizeof *made);
    *made = (pod_pjrt_children){.context = context, .of = *child, .child = -1, .noise = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        const pod_status status = fail_for_system(made, error);
        pod_free(context, made);
        return status;
    }
    made->nurse = fork();
    if (made->nurse == 0)
        pod_pjrt_be_nurse(made, sockets[1]);
    const pod_status status = made->nurse > 0 ? POD_OK : fail_for_system(made, error);
    close(sockets[1]);
    made->to_nurse = sockets[0];
    (void)pthread_mutex_init(&made->asking, NULL);
    if (made->nurse > 0)
        *children = made;
    else
        pod_pjrt_end_children(made);
    return status;
}

pod_status pod_pjrt_ask_child(pod_pjrt_children *children, const pod_bytes *request, int seconds, pod_bytes *answer,
                              pod_error *error)
{
    *answer = (pod_bytes){0};
    (void)pthread_mutex_lock(&children->asking);
    pod_status status = children->child >= 0 ? POD_OK : begin_child(children, error);
    if (status == POD_OK)
        status = ask(children, request, seconds, answer, error);
    (void)pthread_mutex_unlock(&children->asking);
    return status;
}

void pod_pjrt_end_child(pod_pjrt_children *children)
{
    (void)pthread_mutex_lock(&children->asking);
    if (children->child >= 0)
        (void)end_child(children, NULL);
    (void)pthread_mutex_unlock(&children->asking);
}

void pod_pjrt_end_children(pod_pjrt_children *children)
{
    if (children == NULL)
        return;
    if (children->child >= 0)
        (void)end_child(children, NULL);
    close(children->to_nurse);
    while (children->nurse > 0 && waitpid(children->nurse, NULL, 0) < 0 && errno == EINTR)
        continue;
    (void)pthread_mutex_destroy(&children->asking);
    pod_free(children->context, children);
}
