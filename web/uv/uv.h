#ifndef MOONPOD_WEB_UV_H
#define MOONPOD_WEB_UV_H

/*
 * uv - what Moonpod has of libuv elsewhere, for pages of browsers, to which libuv was not brought: names, arguments and
 * results are libuv's. There is one thread, so a lock locks nobody out and no thread can be started; files are those of
 * emscripten's C library, in memory; no library can be loaded. What is not declared here is not called there.
 *
 * The build for the web has this folder among its include directories, no other has.
 */

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>

/* ---- errors ------------------------------------------------------------------------------------------ */

enum {
    UV_EACCES = -EACCES,
    UV_EAGAIN = -EAGAIN,
    UV_EEXIST = -EEXIST,
    UV_EINTR = -EINTR,
    UV_EINVAL = -EINVAL,
    UV_EIO = -EIO,
    UV_EISDIR = -EISDIR,
    UV_ELOOP = -ELOOP,
    UV_EMFILE = -EMFILE,
    UV_ENAMETOOLONG = -ENAMETOOLONG,
    UV_ENOENT = -ENOENT,
    UV_ENOMEM = -ENOMEM,
    UV_ENOTDIR = -ENOTDIR,
    UV_ENOTSUP = -ENOTSUP,
    UV_EOF = -4095,
    UV_EPERM = -EPERM
};

const char *uv_strerror(int code);
int uv_translate_sys_error(int code);

/* ---- threads, of which there is one -------------------------------------------------------------------- */

typedef char uv_mutex_t, uv_cond_t;
typedef uintptr_t uv_thread_t;
typedef int uv_once_t;

typedef struct uv_thread_options_t {
    unsigned flags;
    size_t stack_size;
} uv_thread_options_t;

#define UV_ONCE_INIT             0
#define UV_THREAD_HAS_STACK_SIZE 1

int uv_mutex_init(uv_mutex_t *mutex);
void uv_mutex_destroy(uv_mutex_t *mutex);
void uv_mutex_lock(uv_mutex_t *mutex);
void uv_mutex_unlock(uv_mutex_t *mutex);

int uv_cond_init(uv_cond_t *condition);
void uv_cond_destroy(uv_cond_t *condition);
void uv_cond_signal(uv_cond_t *condition);
void uv_cond_broadcast(uv_cond_t *condition);

/* Nobody could end the wait: both end the program. */
void uv_cond_wait(uv_cond_t *condition, uv_mutex_t *mutex);
int uv_cond_timedwait(uv_cond_t *condition, uv_mutex_t *mutex, uint64_t nanoseconds);

/* UV_ENOTSUP. */
int uv_thread_create_ex(uv_thread_t *thread, const uv_thread_options_t *options, void (*run)(void *argument),
                        void *argument);
int uv_thread_join(uv_thread_t *thread);
uv_thread_t uv_thread_self(void);
void uv_once(uv_once_t *once, void (*run)(void));
unsigned uv_available_parallelism(void);

/* ---- time, memory, the machine --------------------------------------------------------------------------- */

typedef struct uv_timeval64_t {
    int64_t tv_sec;
    int32_t tv_usec;
} uv_timeval64_t;

typedef struct uv_rusage_t {
    uint64_t ru_minflt, ru_majflt, ru_nivcsw;
} uv_rusage_t;

#define UV_MAXHOSTNAMESIZE 256

uint64_t uv_hrtime(void);
void uv_sleep(unsigned milliseconds);
int uv_gettimeofday(uv_timeval64_t *now);
int uv_getrusage(uv_rusage_t *usage); /* UV_ENOTSUP */
uint64_t uv_get_free_memory(void);    /* that the program may still ask for */
int uv_os_gethostname(char *name, size_t *size);
int uv_os_getpid(void);
int uv_os_setenv(const char *name, const char *value);
int uv_os_unsetenv(const char *name);

/* ---- libraries, of which there are none ------------------------------------------------------------------ */

typedef struct uv_lib_t {
    void *handle;
} uv_lib_t;

int uv_dlopen(const char *path, uv_lib_t *library);
int uv_dlsym(uv_lib_t *library, const char *name, void **found);
void uv_dlclose(uv_lib_t *library);

/* ---- files: done when the function returns, so there is never a loop nor a callback ------------------------- */

typedef struct uv_loop_t uv_loop_t;
typedef struct uv_fs_t uv_fs_t;
typedef void (*uv_fs_cb)(uv_fs_t *request);
typedef int uv_file;

typedef struct uv_stat_t {
    uint64_t st_dev, st_mode, st_nlink, st_ino, st_size;
} uv_stat_t;

typedef struct uv_buf_t {
    char *base;
    size_t len;
} uv_buf_t;

typedef struct uv_dirent_t {
    const char *name;
} uv_dirent_t;

struct uv_fs_t {
    uv_stat_t statbuf;
    void *ptr;          /* a path, or the names of a folder; freed by uv_fs_req_cleanup() */
    size_t count, next; /* of names */
};

#define UV_FS_O_RDONLY    O_RDONLY
#define UV_FS_O_WRONLY    O_WRONLY
#define UV_FS_O_RDWR      O_RDWR
#define UV_FS_O_APPEND    O_APPEND
#define UV_FS_O_CREAT     O_CREAT
#define UV_FS_O_EXCL      O_EXCL
#define UV_FS_O_TRUNC     O_TRUNC
#define UV_FS_O_DIRECTORY O_DIRECTORY
#define UV_FS_O_NOFOLLOW  O_NOFOLLOW
#define UV_FS_O_NONBLOCK  O_NONBLOCK

uv_buf_t uv_buf_init(char *base, unsigned length);

int uv_fs_open(uv_loop_t *loop, uv_fs_t *request, const char *path, int flags, int mode, uv_fs_cb done);
int uv_fs_close(uv_loop_t *loop, uv_fs_t *request, uv_file file, uv_fs_cb done);
int uv_fs_read(uv_loop_t *loop, uv_fs_t *request, uv_file file, const uv_buf_t *buffers, unsigned count, int64_t offset,
               uv_fs_cb done);
int uv_fs_write(uv_loop_t *loop, uv_fs_t *request, uv_file file, const uv_buf_t *buffers, unsigned count,
                int64_t offset, uv_fs_cb done);
int uv_fs_fstat(uv_loop_t *loop, uv_fs_t *request, uv_file file, uv_fs_cb done);
int uv_fs_lstat(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb done);
int uv_fs_fsync(uv_loop_t *loop, uv_fs_t *request, uv_file file, uv_fs_cb done);
int uv_fs_ftruncate(uv_loop_t *loop, uv_fs_t *request, uv_file file, int64_t size, uv_fs_cb done);
int uv_fs_fchmod(uv_loop_t *loop, uv_fs_t *request, uv_file file, int mode, uv_fs_cb done);
int uv_fs_realpath(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb done);
int uv_fs_readlink(uv_loop_t *loop, uv_fs_t *request, const char *path, uv_fs_cb done);
int uv_fs_scandir(uv_loop_t *loop, uv_fs_t *request, const char *path, int flags, uv_fs_cb done);
int uv_fs_scandir_next(uv_fs_t *request, uv_dirent_t *entry);
void uv_fs_req_cleanup(uv_fs_t *request);

#endif
