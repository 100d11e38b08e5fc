/* local - see local.h. */

#include "service/local.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "base/context.h"
#include "base/text.h"

#define MOST_WORKERS 64

extern char **environ;

struct pod_service_local {
    pod_context *context; /* shared */
    pod_service_dispatcher *dispatcher;
    char folder[128]; /* of its sockets; empty: there is none */
    int life;         /* a pipe that workers read: it ends with this process, however that ends; -1: none */
    uv_mutex_t mutex; /* guards the processes */
    bool has_mutex;
    pid_t workers[MOST_WORKERS]; /* 0: it has ended */
    int count;
};

static pod_status failed(const char *what, int failure, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_SYSTEM, "distribute: cannot %s: %s", what, strerror(failure));
}

/* Makes a folder that nobody else can look into. */
static pod_status make_folder(pod_service_local *self, pod_error *error)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || strlen(parent) > 60) /* a Unix socket's path is short */
        parent = "/tmp";
    (void)snprintf(self->folder, sizeof self->folder, "%s/moonpod-XXXXXX", parent);
    if (mkdtemp(self->folder) != NULL)
        return POD_OK;
    const int failure = errno;
    self->folder[0] = '\0';
    return failed("make a folder for its sockets", failure, error);
}

static void remove_folder(pod_service_local *self)
{
    DIR *folder = self->folder[0] != '\0' ? opendir(self->folder) : NULL;
    if (folder == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    (void)rmdir(self->folder);
}

/* Starts a worker, whose standard input is the end of the pipe. */
static pod_status start_worker(pod_service_local *self, const pod_distribute_options *options, int input,
                               pod_error *error)
{
    const char *program = options->program != NULL ? options->program : "moonpod";
    const char *address = pod_service_dispatcher_address(self->dispatcher);
    const char *words[] = {program,        "data-worker", "--dispatcher", address, "--until-input-ends", "--files",
                           options->files, NULL};
    if (options->files == NULL)
        words[5] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    const int failure =
        posix_spawnp(&self->workers[self->count], program, &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    self->count += failure == 0;
    return failure == 0
               ? POD_OK
               : pod_error_set(error, POD_ERROR_SYSTEM,
                               "distribute: cannot start '%s data-worker': %s; give the path of the executable "
                               "moonpod as `program`",
                               program, strerror(failure));
}

static pod_status start_workers(pod_service_local *self, const pod_distribute_options *options, pod_error *error)
{
    const int64_t wanted = options->workers > 0 ? options->workers : POD_LOCAL_WORKERS;
    int ends[2];
    if (wanted > MOST_WORKERS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "distribute: %lld workers of this machine; at most %d",
                             (long long)wanted, MOST_WORKERS);
    if (pipe(ends) != 0)
        return failed("make a pipe", errno, error);
    for (int i = 0; i < 2; i++) /* no worker has the other end */
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    self->life = ends[1];
    pod_status status = POD_OK;
    for (int64_t i = 0; status == POD_OK && i < wanted; i++)
        status = start_worker(self, options, ends[0], error);
    close(ends[0]);
    return status;
}

pod_status pod_service_local_open(pod_context *context, const pod_distribute_options *options,
                                  pod_service_local **local, pod_error *error)
{
    pod_service_local *self = pod_allocate_zeroed(context, 1, sizeof *self);
    *local = NULL;
    if (self == NULL)
        return pod_error_memory(error, "a local service", sizeof *self);
    self->context = pod_context_retain(context);
    self->life = -1;
    self->has_mutex = uv_mutex_init(&self->mutex) == 0;
    char address[sizeof self->folder + 16];
    pod_status status =
        self->has_mutex ? make_folder(self, error) : pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a mutex");
    (void)snprintf(address, sizeof address, "ipc://%s/d", self->folder);
    if (status == POD_OK)
        status = pod_service_dispatcher_open(context, &(pod_dispatcher_options){.address = address}, &self->dispatcher,
                                             error);
    if (status == POD_OK)
        status = start_workers(self, options, error);
    if (status == POD_OK)
        *local = self;
    else
        pod_service_local_close(self);
    return status;
}

void pod_service_local_close(pod_service_local *self)
{
    if (self == NULL)
        return;
    pod_context *context = self->context;
    for (int i = 0; i < self->count; i++) /* they keep nothing that would have to be saved */
        if (self->workers[i] > 0 && kill(self->workers[i], SIGKILL) == 0)
            while (waitpid(self->workers[i], NULL, 0) < 0 && errno == EINTR)
                continue;
    if (self->life >= 0)
        close(self->life);
    pod_service_dispatcher_close(self->dispatcher);
    remove_folder(self);
    if (self->has_mutex)
        uv_mutex_destroy(&self->mutex);
    pod_free(context, self);
    pod_context_release(context);
}

const char *pod_service_local_address(const pod_service_local *self)
{
    return pod_service_dispatcher_address(self->dispatcher);
}

int pod_service_local_count(pod_service_local *self)
{
    int running = 0;
    uv_mutex_lock(&self->mutex);
    for (int i = 0; i < self->count; i++) {
        if (self->workers[i] > 0 && waitpid(self->workers[i], NULL, WNOHANG) != 0)
            self->workers[i] = 0;
        running += self->workers[i] > 0;
    }
    uv_mutex_unlock(&self->mutex);
    return running;
}
