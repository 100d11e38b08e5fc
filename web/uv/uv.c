/* uv - see uv.h. */

#include <uv.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <emscripten/heap.h>

/* ---- errors ------------------------------------------------------------------------------------------ */

const char *uv_strerror(int code)
{
    return code == UV_EOF ? "end of file" : strerror(-code);
}

int uv_translate_sys_error(int code)
{
    return code <= 0 ? code : -code;
}

/* What a function of the C library returned, as libuv gives it. */
static int result_of(long returned)
{
    return returned < 0 ? -errno : (int)returned;
}

/* ---- threads ----------------------------------------------------------------------------------------- */

int uv_mutex_init(uv_mutex_t *mutex)
{
    *mutex = 0;
    return 0;
}

void uv_mutex_destroy(uv_mutex_t *mutex)
{
    (void)mutex;
}

void uv_mutex_lock(uv_mutex_t *mutex)
{
    (void)mutex;
}

void uv_mutex_unlock(uv_mutex_t *mutex)
{
    (void)mutex;
}

int uv_cond_init(uv_cond_t *condition)
{
    *condition = 0;
    return 0;
}

void uv_cond_destroy(uv_cond_t *condition)
{
    (void)condition;
}

void uv_cond_signal(uv_cond_t *condition)
{
    (void)condition;
}

void uv_cond_broadcast(uv_cond_t *condition)
{
    (void)condition;
}

void uv_cond_wait(uv_cond_t *condition, uv_mutex_t *mutex)
{
    (void)condition, (void)mutex;
    fputs("moonpod: a thread is waited for where there is one alone\n", stderr);
    abort();
}

int uv_cond_timedwait(uv_cond_t *condition, uv_mutex_t *mutex, uint64_t nanoseconds)
{
    (void)nanoseconds;
    uv_cond_wait(condition, mutex);
    return UV_ENOTSUP;
}

int uv_thread_create_ex(uv_thread_t *thread, const uv_thread_options_t *options, void (*run)(void *argument),
                        void *argument)
{
    (void)thread, (void)options, (void)run, (void)argument;
    return UV_ENOTSUP;
}

int uv_thread_join(uv_thread_t *thread)
{
    (void)thread;
    return UV_EINVAL;
}

uv_thread_t uv_thread_self(void)
{
    return 1;
}

void uv_once(uv_once_t *once, void (*run)(void))
{
    if (*once == UV_ONCE_INIT) {
        *once = 1;
        run();
    }
}

unsigned uv_available_parallelism(void)
{
    return 1;
}

/* ---- time, memory, the machine -------------------------------------------------------------------------- */

uint64_t uv_hrtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void uv_sleep(unsigned milliseconds)
{
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&time, NULL);
}

int uv_gettimeofday(uv_timeval64_t *now)
{
    struct timeval time;
    gettimeofday(&time, NULL);
    *now = (uv_timeval64_t){time.tv_sec, (int32_t)time.tv_usec};
    return 0;
}

int uv_getrusage(uv_rusage_t *usage)
{
    *usage = (uv_rusage_t){0};
    return UV_ENOTSUP;
}

uint64_t uv_get_free_memory(void)
{
    return emscripten_get_heap_max() - emscripten_get_heap_size();
}

int uv_os_gethostname(char *name, size_t *size)
{
    static const char here[] = "web";
    if (*size < sizeof here)
        return -ENOBUFS;
    memcpy(name, here, sizeof here);
    *size = sizeof here - 1;
    return 0;
}

int uv_os_getpid(void)
{
    return 1;
}

int uv_os_setenv(const char *name, const char *value)
{
    return result_of(setenv(name, value, 1));
}

int uv_os_unsetenv(const char *name)
{
    return result_of(unsetenv(name));
}

/* ---- libraries ---------------------------------------------------------------------------------------- */

int uv_dlopen(const char *path, uv_lib_t *library)
{
    (void)path;
    library->handle = NULL;
    return -1;
}

int uv_dlsym(uv_lib_t *library, const char *name, void **found)
{
    (void)library, (void)name;
    *found = NULL;
    return -1;
}

void uv_dlclose(uv_lib_t *library)
{
    (void)library;
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void begin(uv_fs_t *request)
{
    request->ptr = NULL;
    request->count = request->next = 0;
}

void uv_fs_req_cleanup(uv_fs_t *request)
{
    char **names = request->ptr;
    for (size_t i = 0; i < request->count; i++)
        free(names[i]);
    free(request->ptr);
    begin(request);
}

uv_buf_t uv_buf_init(char *base, unsigned length)
{
    return (uv_buf_t){base, length};
}

int uv_fs_open(uv_loop_t *loop, uv_fs_t *request, const char *path, int flags, int mode, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    return result_of(open(path, flags | O_CLOEXEC, mode));
}

int uv_fs_close(uv_loop_t *loop, uv_fs_t *request, uv_file file, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    return result_of(close(file));
}

/* One buffer is all that is ever given. */
int uv_fs_read(uv_loop_t *loop, uv_fs_t *request, uv_file file, const uv_buf_t *buffers, unsigned count, int64_t offset,
               uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    if (count != 1)
        return UV_EINVAL;
    return result_of(offset < 0 ? read(file, buffers->base, buffers->len)
                                : pread(file, buffers->base, buffers->len, offset));
}

int uv_fs_write(uv_loop_t *loop, uv_fs_t *request, uv_file file, const uv_buf_t *buffers, unsigned count,
                int64_t offset, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    if (count != 1)
        return UV_EINVAL;
    return result_of(offset < 0 ? write(file, buffers->base, buffers->len)
                                : pwrite(file, buffers->base, buffers->len, offset));
}

static int take_stat(uv_fs_t *request, int returned, const struct stat *about)
{
    const int result = result_of(returned);
    begin(request);
    if (result == 0)
        request->statbuf = (uv_stat_t){.st_dev = about->st_dev,
                                       .st_mode = about->st_mode,
                                       .st_nlink = about->st_nlink,
                                       .st_ino = about->st_ino,
                                       .st_size = (uint64_t)about->st_size};
    return result;
}

int uv_fs_fstat(uv_loop_t *loop, uv_fs_t *request, uv_file file, uv_fs_cb done)
{
    struct stat about;
    (void)loop, (void)done;
    const int returned = fstat(file, &about);
    return take_stat(request, returned, &about);
}

int uv_fs_lstat(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb done)
{
    struct stat about;
    (void)loop, (void)done;
    const int returned = lstat(path, &about);
    return take_stat(request, returned, &about);
}

int uv_fs_fsync(uv_loop_t *loop, uv_fs_t *request, uv_file file, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    return result_of(fsync(file));
}

int uv_fs_ftruncate(uv_loop_t *loop, uv_fs_t *request, uv_file file, int64_t size, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    return result_of(ftruncate(file, size));
}

int uv_fs_fchmod(uv_loop_t *loop, uv_fs_t *request, uv_file file, int mode, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    return result_of(fchmod(file, (mode_t)mode));
}

int uv_fs_realpath(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb done)
{
    (void)loop, (void)done;
    begin(request);
    request->ptr = realpath(path, NULL);
    return request->ptr != NULL ? 0 : -errno;
}

int uv_fs_readlink(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb done)
{
    char target[4096];
    (void)loop, (void)done;
    begin(request);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return -errno;
    target[length] = '\0';
    request->ptr = strdup(target);
    return request->ptr != NULL ? 0 : UV_ENOMEM;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads the names in a folder, in their order. Returns 0 or an error. */
static int read_names(uv_fs_t *request, DIR *folder)
{
    size_t room = 0;
    char **names = NULL;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (request->count == room) {
            room = room * 2 + 16;
            char **more = realloc(names, room * sizeof *names);
            if (more == NULL)
                return UV_ENOMEM;
            request->ptr = names = more;
        }
        names[request->count] = strdup(entry->d_name);
        if (names[request->count] == NULL)
            return UV_ENOMEM;
        request->count++;
    }
    if (request->count > 0)
        qsort(names, request->count, sizeof *names, compare);
    return 0;
}

int uv_fs_scandir(uv_loop_t *loop, uv_fs_t *request, const char *path, int flags, uv_fs_cb done)
{
    (void)loop, (void)flags, (void)done;
    begin(request);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -errno;
    const int result = read_names(request, folder);
    (void)closedir(folder);
    if (result == 0)
        return (int)request->count;
    uv_fs_req_cleanup(request);
    return result;
}

int uv_fs_scandir_next(uv_fs_t *request, uv_dirent_t *entry)
{
    if (request->next == request->count)
        return UV_EOF;
    entry->name = ((char **)request->ptr)[request->next++];
    return 0;
}
