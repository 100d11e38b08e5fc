/* nurse - see nurse.h. */

#define _GNU_SOURCE /* MSG_CMSG_CLOEXEC */
#include "nurse.h"

#include "base/error.h"
#include "base/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STACK_BYTES = 256 << 20, /* compilers recurse */
    FIRST_OTHER_FILE = 3,
};

bool pod_pjrt_read_all(int from, void *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        const ssize_t more = read(from, (char *)to + got, size - got);
        if (more == 0 || (more < 0 && errno != EINTR))
            return false;
        got += more > 0 ? (size_t)more : 0;
    }
    return true;
}

/* ---- in the child --------------------------------------------------------------------------------- */

/* What a child has of its parent, and the socket by which it is asked. */
typedef struct child_self {
    const pod_pjrt_children *children;
    int file;
} child_self;

/* Writes all; false where the parent is gone. */
static bool write_all(int to, const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t more = send(to, (const char *)from + done, size - done, MSG_NOSIGNAL);
        if (more < 0 && errno != EINTR)
            return false;
        done += more > 0 ? (size_t)more : 0;
    }
    return true;
}

static bool answer(const child_self *self, const pod_bytes *request)
{
    const pod_pjrt_child *of = &self->children->of;
    pod_pjrt_message_head head = {.size = 0};
    pod_text text;
    pod_text_init(&text, self->children->context);
    pod_status status = of->work(of->at, request, &text, &head.error);
    if (status == POD_OK && text.failed)
        status = pod_error_memory(&head.error, "an answer", 0);
    head.error.status = status;
    head.size = status == POD_OK ? text.length : 0;
    const bool is_told =
        write_all(self->file, &head, sizeof head) && write_all(self->file, text.data, (size_t)head.size);
    pod_text_clear(&text);
    return is_told;
}

/* Answers one request; false where there will be no other. */
static bool answer_next(const child_self *self)
{
    pod_pjrt_message_head head;
    pod_context *context = self->children->context;
    if (!pod_pjrt_read_all(self->file, &head, sizeof head) || head.size > POD_PJRT_LARGEST_MESSAGE)
        return false;
    char *bytes = pod_allocate(context, (size_t)head.size + 1);
    const bool is_told = bytes != NULL && pod_pjrt_read_all(self->file, bytes, (size_t)head.size) &&
                         answer(self, &(pod_bytes){bytes, (size_t)head.size});
    pod_free(context, bytes);
    return is_told;
}

static void *answer_all(void *at)
{
    while (answer_next(at))
        continue;
    return NULL;
}

static void answer_on_large_stack(child_self *self)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
        pthread_create(&thread, &attributes, answer_all, self) == 0)
        pthread_join(thread, NULL);
    else
        (void)answer_all(self);
}

/* The files of the host are not the plugin's. */
static void close_others(int kept)
{
    if (kept > FIRST_OTHER_FILE)
        pod_system_close_files(FIRST_OTHER_FILE, (unsigned)kept - 1);
    pod_system_close_files((unsigned)kept + 1, ~0u);
}

static _Noreturn void be_child(const pod_pjrt_children *children, pid_t nurse, const int files[2])
{
    (void)setpgid(0, 0); /* what it starts ends with it */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != nurse)
        _exit(1);
    sigset_t none;
    sigemptyset(&none);
    (void)pthread_sigmask(SIG_SETMASK, &none, NULL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    /* the host may have closed its standard streams: these files have no number of theirs */
    const int kept = fcntl(files[0], F_DUPFD_CLOEXEC, FIRST_OTHER_FILE);
    const int noise = fcntl(files[1], F_DUPFD_CLOEXEC, FIRST_OTHER_FILE);
    const int empty = open("/dev/null", O_RDONLY);
    if (kept < 0 || noise < 0 || empty < 0 || dup2(empty, STDIN_FILENO) < 0 || dup2(noise, STDOUT_FILENO) < 0 ||
        dup2(noise, STDERR_FILENO) < 0)
        _exit(1);
    close_others(kept);
    answer_on_large_stack(&(child_self){children, kept});
    _exit(0);
}

/* ---- in the nurse --------------------------------------------------------------------------------- */

static void end_process_group(pid_t process)
{
    if (process > 0)
        (void)kill(-process, SIGKILL);
}

/* Hears what the parent wants, with the files that came; -1: there is no parent any more. */
static int hear_parent(int parent, int files[2])
{
    char byte;
    pod_pjrt_sent_files sent;
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &sent, .msg_controllen = sizeof sent};
    ssize_t size;
    while ((size = recvmsg(parent, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        continue;
    if (size <= 0)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    files[0] = files[1] = -1;
    if (head != NULL && head->cmsg_len == CMSG_LEN(2 * sizeof(int)))
        memcpy(files, CMSG_DATA(head), 2 * sizeof(int));
    return byte;
}

/* Tells the parent how a child ended. */
static void tell_parent(int parent, int state)
{
    if (!write_all(parent, &state, sizeof state))
        _exit(0);
}

/* Returns the child; 0 where none can be made, which is told. */
static pid_t fork_child(const pod_pjrt_children *children, int parent, const int files[2])
{
    errno = EMFILE; /* files that did not come */
    const pid_t nurse = getpid(), child = files[0] >= 0 ? fork() : -1;
    if (child == 0)
        be_child(children, nurse, files);
    if (child < 0)
        tell_parent(parent, -errno);
    else
        (void)setpgid(child, child);
    (void)close(files[0]);
    (void)close(files[1]);
    return child > 0 ? child : 0;
}

_Noreturn void pod_pjrt_be_nurse(const pod_pjrt_children *children, int parent)
{
    (void)setpgid(0, 0); /* Ctrl-C is for the parent */
    for (int i = 1; i < NSIG; i++)
        (void)signal(i, SIG_DFL);
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    (void)pthread_sigmask(SIG_SETMASK, &ends, NULL);
    close_others(parent);
    struct pollfd files[2] = {{.fd = parent, .events = POLLIN},
                              {.fd = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK), .events = POLLIN}};
    pid_t child = 0;
    while (files[1].fd >= 0) {
        int of_child[2], state;
        struct signalfd_siginfo ended;
        if (poll(files, 2, -1) < 0)
            continue;
        if (read(files[1].fd, &ended, sizeof ended) > 0 && child > 0 && waitpid(child, &state, WNOHANG) == child) {
            end_process_group(child);
            child = 0;
            tell_parent(parent, state);
        }
        if (files[0].revents == 0)
            continue;
        const int wanted = hear_parent(parent, of_child);
        if (wanted == POD_PJRT_MAKE_CHILD)
            child = fork_child(children, parent, of_child);
        else
            end_process_group(child);
        if (wanted < 0)
            _exit(0);
    }
    _exit(1);
}
