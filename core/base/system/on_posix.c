/* on_posix - what the systems of POSIX have: see system.h. */

#ifndef _WIN32

#include "base/system/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH /* of Linux */
#define O_PATH O_RDONLY
#endif

/* ---- threads --------------------------------------------------------------------------------------- */

/* What an instruction raises goes to the thread that runs it, and ends the process where that blocks it. */
static const int faults[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};

int pod_thread_start(uv_thread_t *thread, size_t stack, void (*run)(void *argument), void *argument)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = stack};
    sigset_t sent, before;
    sigfillset(&sent);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&sent, faults[i]);
    pthread_sigmask(SIG_SETMASK, &sent, &before);
    const int failure = uv_thread_create_ex(thread, &options, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

void pod_thread_yield(void)
{
    (void)sched_yield();
}

/* ---- processes --------------------------------------------------------------------------------------- */

static atomic_uint generation = 1;
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void begin_child(void)
{
    atomic_fetch_add(&generation, 1);
    pod_process_unlock();
}

static void watch(void)
{
    (void)pthread_atfork(pod_process_lock, pod_process_unlock, begin_child);
}

void pod_process_lock(void)
{
    (void)pthread_once(&watched, watch);
    (void)pthread_mutex_lock(&lock);
}

void pod_process_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

unsigned pod_process_generation(void)
{
    (void)pthread_once(&watched, watch);
    return atomic_load_explicit(&generation, memory_order_relaxed);
}

/* ---- files ------------------------------------------------------------------------------------------- */

void pod_system_use_slashes(char *path)
{
    (void)path;
}

bool pod_system_is_absolute(const char *path)
{
    return *path == '/';
}

bool pod_system_is_plain(const char *path)
{
    (void)path;
    return true;
}

static void close_folder(int folder)
{
    if (folder >= 0)
        (void)close(folder);
}

/* Opens the folder that the last part of a path lies in; *name is that part. Where there is no root it is the path, and
 * *folder AT_FDCWD. Returns 0 or one of libuv's errors; *folder is closed by close_folder() also then. */
static int open_folder_of(const char *root, const char *path, int *folder, const char **name)
{
    char above[4096];
    *folder = AT_FDCWD;
    *name = path;
    if (root == NULL)
        return 0;
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length >= sizeof above)
        return UV_ENAMETOOLONG;
    *name = path + length;
    snprintf(above, sizeof above, "%.*s", (int)length, path);
    const int opened = pod_system_open_below(root, above, O_PATH | O_DIRECTORY, 0);
    if (opened < 0)
        return opened;
    *folder = opened;
    return 0;
}

int pod_system_rename(const char *root, const char *from, const char *to)
{
    const char *old, *new;
    int old_folder, new_folder = AT_FDCWD;
    int result = open_folder_of(root, from, &old_folder, &old);
    if (result == 0)
        result = open_folder_of(root, to, &new_folder, &new);
    if (result == 0 && renameat(old_folder, old, new_folder, new) != 0)
        result = uv_translate_sys_error(errno);
    close_folder(old_folder);
    close_folder(new_folder);
    return result;
}

int pod_system_remove(const char *root, const char *path)
{
    const char *name;
    int folder, result = open_folder_of(root, path, &folder, &name);
    if (result == 0 && unlinkat(folder, name, 0) != 0 &&
        ((errno != EISDIR && errno != EPERM) || unlinkat(folder, name, AT_REMOVEDIR) != 0))
        result = uv_translate_sys_error(errno);
    close_folder(folder);
    return result;
}

int pod_system_make_folder(const char *root, const char *path, int mode)
{
    const char *name;
    int folder, result = open_folder_of(root, path, &folder, &name);
    if (result == 0 && mkdirat(folder, name, (mode_t)mode) != 0)
        result = uv_translate_sys_error(errno);
    close_folder(folder);
    return result;
}

int pod_system_mode(const char *root, const char *path)
{
    const char *name;
    struct stat about;
    int folder, result = open_folder_of(root, path, &folder, &name);
    if (result == 0)
        result = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 ? (int)(about.st_mode & 0777)
                                                                         : uv_translate_sys_error(errno);
    close_folder(folder);
    return result;
}

bool pod_system_is_folder(const char *root, const char *path)
{
    struct stat about;
    if (root == NULL)
        return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    const int folder = pod_system_open_below(root, path, O_PATH | O_DIRECTORY, 0);
    close_folder(folder);
    return folder >= 0;
}

void pod_system_each_name(const char *root, const char *path, void (*each)(void *context, const char *name),
                          void *context)
{
    const int folder = pod_system_open(root, path, O_RDONLY | O_DIRECTORY, 0);
    DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
    if (entries == NULL) {
        close_folder(folder);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
        each(context, entry->d_name);
    (void)closedir(entries);
}

int pod_system_lock(int file)
{
    int result;
    do
        result = flock(file, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno == EWOULDBLOCK ? UV_EAGAIN : uv_translate_sys_error(errno);
}

int pod_system_leave_streams(int file)
{
    if (file < 0 || file > STDERR_FILENO)
        return file;
    const int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int failure = moved < 0 ? uv_translate_sys_error(errno) : 0;
    (void)close(file);
    return moved >= 0 ? moved : failure;
}

int pod_system_sync_names(const char *folder)
{
    uv_fs_t request;
    const int file = pod_system_open(NULL, folder, UV_FS_O_RDONLY | UV_FS_O_DIRECTORY, 0);
    if (file < 0)
        return file == UV_EACCES ? 0 : file; /* one may write in a folder without seeing its names */
    const int result = uv_fs_fsync(NULL, &request, file, NULL);
    uv_fs_req_cleanup(&request);
    (void)close(file);
    return result == UV_EINVAL || result == UV_ENOTSUP ? 0 : result; /* file systems without it */
}

bool pod_system_wait_for_bytes(int file, int milliseconds)
{
    struct pollfd waited = {.fd = file, .events = POLLIN};
    const int found = poll(&waited, 1, milliseconds);
    return found > 0 || (found < 0 && errno != EINTR); /* reading tells what else is wrong */
}

int pod_system_match(const char *pattern, const char *name)
{
    const int result = fnmatch(pattern, name, FNM_PERIOD);
    return result == 0 ? 0 : result == FNM_NOMATCH ? UV_ENOENT : UV_ENOMEM;
}

/* ---- libraries --------------------------------------------------------------------------------------- */

const char *const pod_system_openblas[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
    "/usr/local/opt/openblas/lib/libopenblas.dylib",
    "libopenblas.dylib",
#else
#if defined(__x86_64__)
    "/usr/lib/x86_64-linux-gnu/openblas-serial/libopenblas.so.0",
#elif defined(__aarch64__)
    "/usr/lib/aarch64-linux-gnu/openblas-serial/libopenblas.so.0",
#elif defined(__riscv)
    "/usr/lib/riscv64-linux-gnu/openblas-serial/libopenblas.so.0",
#elif defined(__powerpc64__)
    "/usr/lib/powerpc64le-linux-gnu/openblas-serial/libopenblas.so.0",
#endif
    "/usr/lib/openblas-serial/libopenblas.so.0",
    "/usr/lib64/openblas-serial/libopenblas.so.0",
    "libopenblas.so.0",
    "libopenblas.so",
#endif
    NULL,
};

#endif
