/* child - runs a function in a child process and reads its answer. */

#define _GNU_SOURCE /* pipe2() */
#include "child.h"

#include "base/context.h"
#include "base/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    STACK_BYTES = 256 << 20, /* compilers recurse */
    LOOK_MILLISECONDS = 50,  /* how often the parent looks for an interrupt */
    FIRST_OTHER_FILE = 3,
};

/* The two ends of a pipe. */
typedef struct pipe_ends {
    int from, to;
} pipe_ends;

/* The last of what the child has written to its standard streams. */
typedef struct last_words {
    char text[512];
    size_t size;
} last_words;

/* ---- in the child --------------------------------------------------------------------------------- */

static void *run(void *at)
{
    const pod_pjrt_child *child = at;
    child->work(child->at);
    return NULL;
}

static void run_on_large_stack(const pod_pjrt_child *child)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
        pthread_create(&thread, &attributes, run, (void *)child) == 0)
        pthread_join(thread, NULL);
    else
        run((void *)child);
}

/* The files of the host are not the plugin's. */
static void close_others(int kept)
{
    if (kept > FIRST_OTHER_FILE)
        pod_system_close_files(FIRST_OTHER_FILE, (unsigned)kept - 1);
    pod_system_close_files((unsigned)kept + 1, ~0u);
}

static _Noreturn void be_child(const pod_pjrt_child *child, pid_t parent, pipe_ends answer, pipe_ends noise)
{
    (void)setpgid(0, 0); /* Ctrl-C is for the parent, which ends us */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    for (int i = 1; i < NSIG; i++)
        (void)signal(i, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    (void)pthread_sigmask(SIG_SETMASK, &none, NULL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int empty = open("/dev/null", O_RDONLY);
    if (empty < 0 || dup2(empty, STDIN_FILENO) < 0 || dup2(noise.to, STDOUT_FILENO) < 0 ||
        dup2(noise.to, STDERR_FILENO) < 0)
        _exit(1);
    const int kept = fcntl(answer.to, F_DUPFD_CLOEXEC, FIRST_OTHER_FILE);
    if (kept < 0)
        _exit(1);
    close_others(kept);
    run_on_large_stack(child);
    const char *at = child->answer;
    size_t left = child->answer_size;
    while (left > 0) {
        const ssize_t written = write(kept, at, left);
        if (written < 0 && errno != EINTR)
            _exit(1);
        if (written > 0) {
            at += written;
            left -= (size_t)written;
        }
    }
    _exit(0);
}

/* ---- in the parent -------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

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

static bool read_answer(int from, const pod_pjrt_child *child, size_t *got)
{
    const ssize_t size = read(from, (char *)child->answer + *got, child->answer_size - *got);
    if (size > 0)
        *got += (size_t)size;
    return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Reads both pipes until the answer is there whole, or will not come. */
static pod_status listen_to(pod_context *context, const pod_pjrt_child *child, struct pollfd files[2],
                            last_words *noise, size_t *got, pod_error *error)
{
    const double end = now() + child->seconds;
    while (files[0].fd >= 0 && *got < child->answer_size) {
        if (pod_context_is_interrupted(context))
            return pod_error_set(error, POD_ERROR_INTERRUPTED, "interrupted while %s compiled", child->what);
        if (now() > end)
            return pod_error_set(error, POD_ERROR_STATE, "%s had no answer in %d s, and was ended", child->what,
                                 child->seconds);
        if (poll(files, 2, LOOK_MILLISECONDS) <= 0)
            continue;
        if (files[1].revents != 0 && !read_noise(files[1].fd, noise))
            files[1].fd = -1;
        if (files[0].revents != 0 && !read_answer(files[0].fd, child, got))
            files[0].fd = -1;
    }
    while (files[1].fd >= 0 && poll(&files[1], 1, 0) > 0 && read_noise(files[1].fd, noise))
        continue;
    return POD_OK;
}

/* The last line that is not empty. */
static const char *last_line(last_words *noise, int *size)
{
    size_t end = noise->size;
    while (end > 0 && (noise->text[end - 1] == '\n' || noise->text[end - 1] == ' '))
        end--;
    size_t begin = end;
    while (begin > 0 && noise->text[begin - 1] != '\n')
        begin--;
    *size = (int)(end - begin);
    return noise->text + begin;
}

static pod_status tell_death(const pod_pjrt_child *child, int state, last_words *noise, pod_error *error)
{
    int size;
    const char *line = last_line(noise, &size);
    const char *before = size > 0 ? "; its last words: " : "";
    if (WIFSIGNALED(state))
        return pod_error_set(error, POD_ERROR_STATE, "%s ended its process by signal %d (%s)%s%.*s", child->what,
                             WTERMSIG(state), strsignal(WTERMSIG(state)), before, size, line);
    return pod_error_set(error, POD_ERROR_STATE, "%s ended its process with code %d and no answer%s%.*s", child->what,
                         WEXITSTATUS(state), before, size, line);
}

static pod_status follow(pod_context *context, const pod_pjrt_child *child, pid_t process, int answer, int noise_from,
                         pod_error *error)
{
    struct pollfd files[2] = {{.fd = answer, .events = POLLIN}, {.fd = noise_from, .events = POLLIN}};
    last_words noise = {.size = 0};
    size_t got = 0;
    pod_status status = listen_to(context, child, files, &noise, &got, error);
    (void)kill(-process, SIGKILL); /* with what it has started; of one that has ended nothing is left */
    int state = 0;
    while (waitpid(process, &state, 0) < 0 && errno == EINTR)
        continue;
    if (status == POD_OK && got < child->answer_size)
        status = tell_death(child, state, &noise, error);
    return status;
}

pod_status pod_pjrt_run_child(pod_context *context, const pod_pjrt_child *child, pod_error *error)
{
    int files[4];
    if (pipe2(files, O_CLOEXEC) != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "no pipe to %s: %s", child->what, strerror(errno));
    if (pipe2(files + 2, O_CLOEXEC) != 0) {
        const int why = errno;
        close(files[0]);
        close(files[1]);
        return pod_error_set(error, POD_ERROR_SYSTEM, "no pipe to %s: %s", child->what, strerror(why));
    }
    const pid_t self = getpid(), process = fork();
    if (process == 0)
        be_child(child, self, (pipe_ends){files[0], files[1]}, (pipe_ends){files[2], files[3]});
    const int why = errno;
    close(files[1]);
    close(files[3]);
    pod_status status;
    if (process < 0) {
        status = pod_error_set(error, POD_ERROR_SYSTEM, "no process for %s: %s", child->what, strerror(why));
    } else {
        (void)setpgid(process, process);
        status = follow(context, child, process, files[0], files[2], error);
    }
    close(files[0]);
    close(files[2]);
    return status;
}
