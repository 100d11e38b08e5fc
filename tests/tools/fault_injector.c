/*
 * Makes calls of the system fail: loaded with LD_PRELOAD it stands in front of the C library's functions in a whole
 * process, all threads. As the Lua module "fault_injector" the same file tells which call fails:
 *
 *     local injector = require "fault_injector"
 *     injector.arm("full disk", 3, 1)          -- the third write from here on
 *     local ok, message = pcall(something)
 *     local injected, calls = injector.disarm()
 *
 * Nothing fails while it is not armed. Calls that the C library makes itself are not seen.
 */

#define _GNU_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <link.h>
#include <linux/magic.h>
#include <lualib.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- which call fails ---------------------------------------------------------------------------------- */

/* What is counted together. */
typedef enum site {
    ALLOCATION,
    OPEN,
    READ,
    WRITE,
    SYNC,
    CLOSE,
    RENAME,
    FOLDER,
    LOOK,
    MAP,
    THREAD,
    LOCK,
    LIBRARY,
    SITES
} site;

typedef enum outcome { FAILS, IS_SHORT, SIGNALS } outcome;

static const struct fault {
    const char *name;
    site at; /* SITES: any */
    outcome outcome;
    int error;
} faults[] = {
    {"allocation", ALLOCATION, FAILS, ENOMEM},
    {"open", OPEN, FAILS, EMFILE},
    {"read", READ, FAILS, EIO},
    {"short read", READ, IS_SHORT, 0},
    {"interrupted read", READ, FAILS, EINTR},
    {"full disk", WRITE, FAILS, ENOSPC},
    {"write", WRITE, FAILS, EIO},
    {"short write", WRITE, IS_SHORT, 0},
    {"interrupted write", WRITE, FAILS, EINTR},
    {"sync", SYNC, FAILS, EIO},
    {"close", CLOSE, FAILS, EIO},
    {"rename", RENAME, FAILS, EACCES},
    {"folder", FOLDER, FAILS, EACCES},
    {"look", LOOK, FAILS, EACCES},
    {"map", MAP, FAILS, ENOMEM},
    {"thread", THREAD, FAILS, EAGAIN},
    {"lock", LOCK, FAILS, ENOMEM},
    {"library", LIBRARY, FAILS, ENOMEM},
    {"signal", SITES, SIGNALS, 0},
};

static const struct fault *_Atomic armed; /* NULL: no call fails */
static atomic_long first, last;           /* the calls that fail: written before `armed` */
static atomic_long calls, injected;
static atomic_bool traces; /* prints where a fault is injected */

static void print_stack(void)
{
    void *frames[40];
    backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
    (void)!write(STDERR_FILENO, "\n", 1);
}

/* Where the code of a sanitizer lies, and of the C library where there is one: what they need for themselves is not to
 * fail. */
static struct range {
    uintptr_t begin, end;
} spared[4];
static size_t spared_count;

static int find_spared(struct dl_phdr_info *library, size_t size, void *pass)
{
    const char *name = library->dlpi_name;
    const bool sanitizer = strstr(name, "libasan") != NULL;
    (void)size;
    if (!sanitizer && (spared_count == 0 || strstr(name, "/libc.so") == NULL))
        return 0;
    if (sanitizer != (*(int *)pass == 0) || spared_count == sizeof spared / sizeof *spared)
        return 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        const uintptr_t begin = library->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0)
            spared[spared_count++] = (struct range){begin, begin + part->p_memsz};
    }
    return 0;
}

__attribute__((constructor)) static void find_all_spared(void)
{
    for (int pass = 0; pass < 2; pass++)
        dl_iterate_phdr(find_spared, &pass);
}

static bool is_spared(const void *caller)
{
    for (size_t i = 0; i < spared_count; i++)
        if ((uintptr_t)caller >= spared[i].begin && (uintptr_t)caller < spared[i].end)
            return true;
    return false;
}

/* Whether this call at a site has the fault that is armed. */
static bool is_hit(site at, const void *caller, outcome *how)
{
    const struct fault *fault = atomic_load(&armed);
    if (fault == NULL || (fault->at != at && fault->at != SITES) || is_spared(caller))
        return false;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (number < atomic_load(&first) || number > atomic_load(&last))
        return false;
    atomic_fetch_add(&injected, 1);
    if (atomic_exchange(&traces, false))
        print_stack();
    if (fault->outcome == SIGNALS) {
        raise(SIGINT);
        return false;
    }
    *how = fault->outcome;
    if (fault->error != 0)
        errno = fault->error;
    return true;
}

/* Whether this call fails, with errno set. */
static bool fails_for(const void *caller, site at)
{
    outcome how;
    return is_hit(at, caller, &how) && how == FAILS;
}

/* Whether a transfer fails; makes it shorter where it is to be short. */
static bool transfer_fails_for(const void *caller, site at, size_t *size)
{
    outcome how;
    if (!is_hit(at, caller, &how))
        return false;
    if (how == IS_SHORT && *size > 1)
        *size /= 2;
    return how == FAILS;
}

#define fails(at)                fails_for(__builtin_return_address(0), at)
#define transfer_fails(at, size) transfer_fails_for(__builtin_return_address(0), at, size)

/* ---- a loss of power ----------------------------------------------------------------------------------- */

/*
 * With POD_POWER_LOSS=FOLDER what is on the disk for good is kept in FOLDER: of each file that was synced its bytes
 * (iNUMBER, by its inode), of each folder its names with their inodes (dNUMBER). What is not there is lost with the
 * power: tests/faults/power_loss.lua makes of it what is found behind that. With POD_POWER_STOP=N the process ends at
 * the Nth call that changes files.
 */
static void note_synced(int file)
{
    char name[400], part[420], from[40], buffer[1 << 16];
    struct stat about;
    const char *folder = getenv("POD_POWER_LOSS");
    if (folder == NULL || fstat(file, &about) != 0)
        return;
    const bool is_folder = S_ISDIR(about.st_mode);
    snprintf(name, sizeof name, "%s/%c%llu", folder, is_folder ? 'd' : 'i', (unsigned long long)about.st_ino);
    snprintf(part, sizeof part, "%s.new", name);
    snprintf(from, sizeof from, "/proc/self/fd/%d", file);
    const int to = (int)syscall(SYS_openat, AT_FDCWD, part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (is_folder) {
        DIR *entries = opendir(from);
        for (const struct dirent *one; entries != NULL && (one = readdir(entries)) != NULL;)
            if (one->d_name[0] != '.')
                dprintf(to, "%llu %s\n", (unsigned long long)one->d_ino, one->d_name);
        if (entries != NULL)
            (void)closedir(entries);
    } else {
        const int source = (int)syscall(SYS_openat, AT_FDCWD, from, O_RDONLY, 0);
        for (long got; (got = syscall(SYS_read, source, buffer, sizeof buffer)) > 0;)
            if (syscall(SYS_write, to, buffer, got) != got)
                _exit(98);
        (void)syscall(SYS_close, source);
    }
    (void)syscall(SYS_close, to);
    (void)syscall(SYS_renameat, AT_FDCWD, part, AT_FDCWD, name);
}

/* A file that was just made has the number of one that is gone, maybe: nothing of it was synced. */
static void note_made(int file)
{
    char name[400];
    struct stat about;
    const char *folder = getenv("POD_POWER_LOSS");
    if (folder == NULL || file < 0 || fstat(file, &about) != 0 || about.st_size > 0 || !S_ISREG(about.st_mode))
        return;
    snprintf(name, sizeof name, "%s/i%llu", folder, (unsigned long long)about.st_ino);
    (void)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

static void count_change(void)
{
    static atomic_long changes;
    const char *stop = getenv("POD_POWER_STOP");
    if (stop != NULL && atomic_fetch_add(&changes, 1) + 1 == atol(stop))
        _exit(137);
}

/* ---- the functions behind ------------------------------------------------------------------------------ */

/* Finds the next function of a name. dlsym takes no memory where it finds one. */
static void *behind(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        _exit(99);
    return function;
}

/* Declares `real`, the function `name` behind this one. */
#define REAL(result, name, ...)                                                                                        \
    static result (*_Atomic real_##name)(__VA_ARGS__);                                                                 \
    result (*real)(__VA_ARGS__) = atomic_load(&real_##name);                                                           \
    if (real == NULL) {                                                                                                \
        real = (result(*)(__VA_ARGS__))behind(#name);                                                                  \
        atomic_store(&real_##name, real);                                                                              \
    }

/* ---- memory ---------------------------------------------------------------------------------------------- */

void *malloc(size_t size)
{
    REAL(void *, malloc, size_t)
    return fails(ALLOCATION) ? NULL : real(size);
}

void *calloc(size_t count, size_t size)
{
    REAL(void *, calloc, size_t, size_t)
    return fails(ALLOCATION) ? NULL : real(count, size);
}

void *realloc(void *pointer, size_t size)
{
    REAL(void *, realloc, void *, size_t)
    return size > 0 && fails(ALLOCATION) ? NULL : real(pointer, size);
}

void *memalign(size_t alignment, size_t size)
{
    REAL(void *, memalign, size_t, size_t)
    return fails(ALLOCATION) ? NULL : real(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    REAL(void *, aligned_alloc, size_t, size_t)
    return fails(ALLOCATION) ? NULL : real(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    REAL(int, posix_memalign, void **, size_t, size_t)
    return fails(ALLOCATION) ? ENOMEM : real(pointer, alignment, size);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    REAL(void *, mmap, void *, size_t, int, int, int, off_t)
    return fails(MAP) ? MAP_FAILED : real(address, length, protection, flags, file, offset);
}

/* ---- files ----------------------------------------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    REAL(int, open, const char *, int, ...)
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    if (fails(OPEN))
        return -1;
    if ((flags & O_CREAT) == 0)
        return real(path, flags, mode);
    count_change();
    const int file = real(path, flags, mode);
    note_made(file);
    return file;
}

int open64(const char *path, int flags, ...)
{
    REAL(int, open64, const char *, int, ...)
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    if (fails(OPEN))
        return -1;
    if ((flags & O_CREAT) == 0)
        return real(path, flags, mode);
    count_change();
    const int file = real(path, flags, mode);
    note_made(file);
    return file;
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(FILE *, fopen, const char *, const char *)
    return fails(OPEN) ? NULL : real(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    REAL(FILE *, fopen64, const char *, const char *)
    return fails(OPEN) ? NULL : real(path, mode);
}

ssize_t read(int file, void *bytes, size_t size)
{
    REAL(ssize_t, read, int, void *, size_t)
    return transfer_fails(READ, &size) ? -1 : real(file, bytes, size);
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t offset)
{
    REAL(ssize_t, pread64, int, void *, size_t, off64_t)
    return transfer_fails(READ, &size) ? -1 : real(file, bytes, size, offset);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    return pread64(file, bytes, size, offset);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *from)
{
    REAL(size_t, fread, void *, size_t, size_t, FILE *)
    size_t whole = size * count;
    return transfer_fails(READ, &whole) ? 0 : real(bytes, size, whole < size * count ? whole / size : count, from);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    REAL(ssize_t, write, int, const void *, size_t)
    count_change();
    return transfer_fails(WRITE, &size) ? -1 : real(file, bytes, size);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
    return transfer_fails(WRITE, &size) ? -1 : real(file, bytes, size, offset);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *to)
{
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *)
    return fails(WRITE) ? 0 : real(bytes, size, count, to);
}

int fsync(int file)
{
    REAL(int, fsync, int)
    if (fails(SYNC))
        return -1;
    count_change();
    const int result = real(file);
    note_synced(file);
    return result;
}

int fflush(FILE *file)
{
    REAL(int, fflush, FILE *)
    return fails(SYNC) ? EOF : real(file);
}

int close(int file)
{
    REAL(int, close, int)
    const int result = real(file);
    return fails(CLOSE) ? -1 : result;
}

int fclose(FILE *file)
{
    REAL(int, fclose, FILE *)
    const int result = real(file);
    return fails(CLOSE) ? EOF : result;
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *)
    return fails(RENAME) ? -1 : real(from, to);
}

int renameat(int old_folder, const char *from, int new_folder, const char *to)
{
    REAL(int, renameat, int, const char *, int, const char *)
    count_change();
    return fails(RENAME) ? -1 : real(old_folder, from, new_folder, to);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, mkdir, const char *, mode_t)
    return fails(FOLDER) ? -1 : real(path, mode);
}

DIR *opendir(const char *path)
{
    REAL(DIR *, opendir, const char *)
    return fails(FOLDER) ? NULL : real(path);
}

int scandir(const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    REAL(int, scandir, const char *, struct dirent ***, int (*)(const struct dirent *),
         int (*)(const struct dirent **, const struct dirent **))
    return fails(FOLDER) ? -1 : real(path, entries, filter, compare);
}

int scandir64(const char *path, struct dirent64 ***entries, int (*filter)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
    REAL(int, scandir64, const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
         int (*)(const struct dirent64 **, const struct dirent64 **))
    return fails(FOLDER) ? -1 : real(path, entries, filter, compare);
}

int stat64(const char *path, struct stat64 *what)
{
    REAL(int, stat64, const char *, struct stat64 *)
    return fails(LOOK) ? -1 : real(path, what);
}

int fstat64(int file, struct stat64 *what)
{
    REAL(int, fstat64, int, struct stat64 *)
    return fails(LOOK) ? -1 : real(file, what);
}

/* Whether a file is one of /proc, which no system fails to close: libuv, which reads there how much memory is free,
 * ends the process if one does. */
static bool is_of_kernel(int file)
{
    struct statfs system;
    return fstatfs(file, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* libuv closes and looks at files by the numbers of system calls. */
long syscall(long number, ...)
{
    REAL(long, syscall, long, ...)
    long values[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        values[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_statx && fails(LOOK))
        return -1;
    const bool may_fail = number == SYS_close && !is_of_kernel((int)values[0]);
    const long result = real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
    return may_fail && fails(CLOSE) ? -1 : result;
}

/* ---- threads and libraries --------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    return fails(THREAD) ? EAGAIN : real(thread, attributes, run, argument);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    REAL(int, pthread_mutex_init, pthread_mutex_t *, const pthread_mutexattr_t *)
    return fails(LOCK) ? ENOMEM : real(mutex, attributes);
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    REAL(int, pthread_cond_init, pthread_cond_t *, const pthread_condattr_t *)
    return fails(LOCK) ? ENOMEM : real(condition, attributes);
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    REAL(int, pthread_key_create, pthread_key_t *, void (*)(void *))
    return fails(LOCK) ? EAGAIN : real(key, destroy);
}

void *dlopen(const char *path, int mode)
{
    REAL(void *, dlopen, const char *, int)
    return fails(LIBRARY) ? NULL : real(path, mode);
}

/* ---- Lua ----------------------------------------------------------------------------------------------------- */

/* arm(fault, first, count): the calls from `first` on fail, `count` of them; 0: all */
static int inject_arm(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    const long from = (long)luaL_checkinteger(L, 2), count = (long)luaL_checkinteger(L, 3);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (strcmp(faults[i].name, name) != 0)
            continue;
        atomic_store(&calls, 0);
        atomic_store(&injected, 0);
        atomic_store(&first, from);
        atomic_store(&last, count == 0 ? LONG_MAX : from + count - 1);
        atomic_store(&armed, &faults[i]);
        return 0;
    }
    return luaL_error(L, "there is no fault '%s'", name);
}

/* disarm() -> faults injected, calls seen */
static int inject_disarm(lua_State *L)
{
    atomic_store(&armed, NULL);
    lua_pushinteger(L, atomic_load(&injected));
    lua_pushinteger(L, atomic_load(&calls));
    return 2;
}

/* trace(): the next fault prints the stack of its call */
static int trace_next(lua_State *L)
{
    void *frames[1];
    (void)L;
    (void)!backtrace(frames, 1); /* loads what it needs */
    atomic_store(&traces, true);
    return 0;
}

/* bytes() -> bytes of memory that the process has in use */
static int used_bytes(lua_State *L)
{
    size_t (*of_sanitizer)(void) = (size_t(*)(void))dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes");
    const struct mallinfo2 info = mallinfo2();
    lua_pushinteger(L, (lua_Integer)(of_sanitizer != NULL ? of_sanitizer() : info.uordblks + info.hblkhd));
    return 1;
}

static atomic_long lost; /* finalisers that Lua could not call */

static void on_warning(void *unused, const char *part, int more)
{
    (void)unused;
    (void)more;
    if (strcmp(part, "__gc") == 0) /* "error in ", "__gc", " (", why, ")" */
        atomic_fetch_add(&lost, 1);
}

/* lost() -> finalisers that Lua has not called, or not to their end, so far */
static int lost_finalisers(lua_State *L)
{
    lua_pushinteger(L, atomic_load(&lost));
    return 1;
}

/* entries(path) -> array of the names in a folder, sorted; nil where there is none */
static int folder_entries(lua_State *L)
{
    struct dirent **entries;
    const int count = scandir(luaL_checkstring(L, 1), &entries, NULL, alphasort);
    if (count < 0)
        return 0;
    lua_newtable(L);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(entries[i]->d_name, ".") != 0 && strcmp(entries[i]->d_name, "..") != 0) {
            lua_pushstring(L, entries[i]->d_name);
            lua_rawseti(L, -2, ++kept);
        }
        free(entries[i]);
    }
    free(entries);
    return 1;
}

/* make_folder(path) */
static int make_folder(lua_State *L)
{
    lua_pushboolean(L, mkdir(luaL_checkstring(L, 1), 0777) == 0);
    return 1;
}

/* What runs in a state of its own. */
typedef struct errand {
    const char *chunk, *argument;
    size_t size;
    char result[4096]; /* what it returned, or its error */
} errand;

static void keep_text(lua_State *L, errand *given)
{
    const char *text = lua_tolstring(L, -1, &given->size);
    given->size = text == NULL ? 0 : given->size < sizeof given->result ? given->size : sizeof given->result;
    memcpy(given->result, text != NULL ? text : "", given->size);
}

static int do_errand(lua_State *L)
{
    errand *given = lua_touserdata(L, 1);
    luaL_openlibs(L);
    if (luaL_loadstring(L, given->chunk) != LUA_OK)
        return lua_error(L);
    lua_pushstring(L, given->argument);
    lua_call(L, 1, 1);
    keep_text(L, given);
    return 0;
}

/* run_state(chunk, argument) -> the text that the chunk gave for the argument, in a Lua state of its own */
static int run_state(lua_State *L)
{
    errand given = {.chunk = luaL_checkstring(L, 1), .argument = luaL_checkstring(L, 2)};
    lua_State *inner = luaL_newstate();
    if (inner == NULL)
        return luaL_error(L, "not enough memory for a state");
    lua_pushcfunction(inner, do_errand);
    lua_pushlightuserdata(inner, &given);
    const int status = lua_pcall(inner, 1, 0, 0);
    if (status != LUA_OK) {
        keep_text(inner, &given);
        atomic_store(&armed, NULL); /* where all memory fails Lua loses finalisers of a state that it closes */
    }
    lua_close(inner);
    lua_pushlstring(L, given.result, given.size);
    return status != LUA_OK ? lua_error(L) : 1;
}

/* ---- a host's way to interrupt -------------------------------------------------------------------------------- */

typedef struct pod_context pod_context;
static pod_context *_Atomic oldest; /* lives as long as the process */

int pod_context_new(const void *options, pod_context **context, void *error)
{
    REAL(int, pod_context_new, const void *, pod_context **, void *)
    const int status = real(options, context, error);
    pod_context *none = NULL;
    (void)atomic_compare_exchange_strong(&oldest, &none, *context);
    return status;
}

/* The library's function, found before a signal comes. */
static void (*_Atomic interrupt)(pod_context *context);

static void on_signal(int number)
{
    (void)number;
    if (atomic_load(&oldest) != NULL)
        atomic_load (&interrupt)(atomic_load(&oldest));
}

/* catch_signals(): from here on SIGINT interrupts the first context, as a host's handler would */
static int catch_signals(lua_State *L)
{
    (void)L;
    atomic_store(&interrupt, (void (*)(pod_context *))behind("pod_context_interrupt"));
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    return 0;
}

/* ---- ends that are none ------------------------------------------------------------------------------------------ */

static char label[256]; /* what is being tried */

static void on_end(int number)
{
    const char *what = number == SIGALRM ? "it hangs: " : "the process died: ";
    (void)!write(STDERR_FILENO, what, strlen(what));
    (void)!write(STDERR_FILENO, label, strlen(label));
    (void)!write(STDERR_FILENO, "\n", 1);
    signal(number, SIG_DFL);
    raise(number);
}

/* watch(text, seconds): names what comes, should the process die, and ends it where it takes longer */
static int watch(lua_State *L)
{
    snprintf(label, sizeof label, "%s", luaL_checkstring(L, 1));
    static const int ends[] = {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], on_end);
    alarm((unsigned)luaL_checkinteger(L, 2));
    return 0;
}

int luaopen_fault_injector(lua_State *L)
{
    static const luaL_Reg functions[] = {{"arm", inject_arm},
                                         {"disarm", inject_disarm},
                                         {"bytes", used_bytes},
                                         {"lost", lost_finalisers},
                                         {"trace", trace_next},
                                         {"entries", folder_entries},
                                         {"make_folder", make_folder},
                                         {"run_state", run_state},
                                         {"catch_signals", catch_signals},
                                         {"watch", watch},
                                         {NULL, NULL}};
    lua_setwarnf(L, on_warning, NULL);
    luaL_newlib(L, functions);
    return 1;
}
