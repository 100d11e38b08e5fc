/* on_windows - what Windows has: see system.h. */

#ifdef _WIN32

#include "base/system/system.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- threads --------------------------------------------------------------------------------------- */

int pod_thread_start(uv_thread_t *thread, size_t stack, void (*run)(void *argument), void *argument)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = stack};
    return uv_thread_create_ex(thread, &options, run, argument);
}

void pod_thread_yield(void)
{
    (void)SwitchToThread();
}

/* Priorities stand for nices, which are kept beside them: there are fewer. */

static _Thread_local int nice_of_thread;

int pod_thread_nice(void)
{
    return nice_of_thread;
}

bool pod_thread_set_nice(int nice)
{
    const int priority = nice <= 0   ? THREAD_PRIORITY_NORMAL
                         : nice < 10 ? THREAD_PRIORITY_BELOW_NORMAL
                         : nice < 19 ? THREAD_PRIORITY_LOWEST
                                     : THREAD_PRIORITY_IDLE;
    if (!SetThreadPriority(GetCurrentThread(), priority))
        return false;
    nice_of_thread = nice < 19 ? nice : 19;
    return true;
}

/* ---- processes: none is forked ----------------------------------------------------------------------- */

static SRWLOCK lock = SRWLOCK_INIT;

void pod_process_lock(void)
{
    AcquireSRWLockExclusive(&lock);
}

void pod_process_unlock(void)
{
    ReleaseSRWLockExclusive(&lock);
}

unsigned pod_process_generation(void)
{
    return 1;
}

/* ---- files ------------------------------------------------------------------------------------------- */

#define PATH_ROOM 4096 /* bytes of a path with its root */

void pod_system_use_slashes(char *path)
{
    for (; *path != '\0'; path++)
        if (*path == '\\')
            *path = '/';
}

bool pod_system_is_absolute(const char *path)
{
    return *path == '/' || (*path != '\0' && path[1] == ':');
}

/* Returns whether a part of a path, up to a point in it, is the name of a device. */
static bool is_device(const char *part, size_t length)
{
    static const char *const names[] = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"};
    const size_t stem = strcspn(part, "./ ");
    if (stem > length)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == stem && _strnicmp(part, names[i], stem) == 0)
            return true;
    /* COM1, LPT9; also with a digit that is written high, of two bytes */
    return stem >= 4 && stem <= 5 && (_strnicmp(part, "COM", 3) == 0 || _strnicmp(part, "LPT", 3) == 0);
}

/* A ':' leads to a drive or to a stream within a file; points and blanks at a part's end do not count. */
bool pod_system_is_plain(const char *path)
{
    if (strpbrk(path, ":\\") != NULL)
        return false;
    for (const char *part = path; *part != '\0'; part += strspn(part, "/")) {
        const size_t length = strcspn(part, "/");
        const bool is_here = length == 1 && *part == '.';
        if (length > 0 && !is_here && (strchr(". ", part[length - 1]) != NULL || is_device(part, length)))
            return false;
        part += length;
    }
    return true;
}

/* Writes the path below a root; NULL where it is too long. */
static const char *join(char joined[PATH_ROOM], const char *root, const char *path)
{
    if (root == NULL)
        return path;
    return snprintf(joined, PATH_ROOM, "%s/%s", root, path) < PATH_ROOM ? joined : NULL;
}

/* A name that another thread gives the same moment, or a file that somebody looks at, is refused there for a while. */
enum { RENAME_TRIES = 50, RENAME_WAIT = 10 /* milliseconds */ };

int pod_system_rename(const char *root, const char *from, const char *to)
{
    uv_fs_t request;
    char joined[PATH_ROOM], joined_to[PATH_ROOM];
    from = join(joined, root, from);
    to = join(joined_to, root, to);
    if (from == NULL || to == NULL)
        return UV_ENAMETOOLONG;
    int result = 0;
    for (int tries = 0; tries < RENAME_TRIES; tries++) {
        result = uv_fs_rename(NULL, &request, from, to, NULL);
        uv_fs_req_cleanup(&request);
        if (result != UV_EPERM && result != UV_EACCES && result != UV_EBUSY)
            break;
        Sleep(RENAME_WAIT);
    }
    return result;
}

int pod_system_remove(const char *root, const char *path)
{
    uv_fs_t request;
    char joined[PATH_ROOM];
    path = join(joined, root, path);
    if (path == NULL)
        return UV_ENAMETOOLONG;
    int result = uv_fs_unlink(NULL, &request, path, NULL);
    uv_fs_req_cleanup(&request);
    if (result == UV_EPERM || result == UV_EACCES || result == UV_EISDIR) {
        result = uv_fs_rmdir(NULL, &request, path, NULL);
        uv_fs_req_cleanup(&request);
    }
    return result;
}

int pod_system_make_folder(const char *root, const char *path, int mode)
{
    uv_fs_t request;
    char joined[PATH_ROOM];
    path = join(joined, root, path);
    if (path == NULL)
        return UV_ENAMETOOLONG;
    const int result = uv_fs_mkdir(NULL, &request, path, mode, NULL);
    uv_fs_req_cleanup(&request);
    return result;
}

/* Returns the kind and permissions of what a path leads to, or below 0 one of libuv's errors. */
static int look_at(const char *root, const char *path, int (*look)(uv_loop_t *, uv_fs_t *, const char *, uv_fs_cb))
{
    uv_fs_t request;
    char joined[PATH_ROOM];
    path = join(joined, root, path);
    if (path == NULL)
        return UV_ENAMETOOLONG;
    int result = look(NULL, &request, path, NULL);
    if (result == 0)
        result = (int)request.statbuf.st_mode;
    uv_fs_req_cleanup(&request);
    return result;
}

int pod_system_mode(const char *root, const char *path)
{
    const int result = look_at(root, path, uv_fs_lstat);
    return result < 0 ? result : result & 0777;
}

bool pod_system_is_folder(const char *root, const char *path)
{
    const int result = look_at(root, path, root == NULL ? uv_fs_stat : uv_fs_lstat);
    return result >= 0 && (result & S_IFMT) == S_IFDIR;
}

void pod_system_each_name(const char *root, const char *path, void (*each)(void *context, const char *name),
                          void *context)
{
    uv_fs_t request;
    uv_dirent_t entry;
    char joined[PATH_ROOM];
    path = join(joined, root, path);
    if (path == NULL)
        return;
    if (uv_fs_scandir(NULL, &request, path, 0, NULL) > 0)
        while (uv_fs_scandir_next(&request, &entry) == 0)
            each(context, entry.name);
    uv_fs_req_cleanup(&request);
}

/* Locks a byte that is in no file, so that all may read and write those which are. */
int pod_system_lock(int file)
{
    OVERLAPPED place = {.OffsetHigh = 0x7fffffff};
    const HANDLE handle = (HANDLE)uv_get_osfhandle(file);
    if (LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
        return 0;
    const DWORD failure = GetLastError();
    return failure == ERROR_LOCK_VIOLATION || failure == ERROR_IO_PENDING ? UV_EAGAIN
                                                                          : uv_translate_sys_error((int)failure);
}

int pod_system_leave_streams(int file)
{
    int low[3], count = 0;
    if (file < 0)
        return file;
    while (file >= 0 && file <= 2) { /* each copy takes the lowest number that is free */
        low[count++] = file;
        file = _dup(file);
    }
    while (count > 0)
        (void)_close(low[--count]);
    return file == -1 ? UV_EMFILE : file;
}

/* Renaming waits for the disk here. */
int pod_system_sync_names(const char *folder)
{
    (void)folder;
    return 0;
}

/* Reading waits itself, and is not interrupted. */
bool pod_system_wait_for_bytes(int file, int milliseconds)
{
    (void)file, (void)milliseconds;
    return true;
}

/* Compares a character with a set, of which "[" is read. *end receives what is behind it; NULL: it is no set. */
static bool is_in_set(const char *set, char character, const char **end)
{
    bool found = false;
    const bool is_other = *set == '!' || *set == '^';
    const char *at = set + is_other;
    do {
        if (*at == '\0') {
            *end = NULL;
            return false;
        }
        const bool is_range = at[1] == '-' && at[2] != ']' && at[2] != '\0';
        found |= is_range ? *at <= character && character <= at[2] : *at == character;
        at += is_range ? 3 : 1;
    } while (*at != ']');
    *end = at + 1;
    return found != is_other;
}

static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *resumed = NULL; /* the last '*', and what it ends before */
    for (;;) {
        const char *next = pattern + 1;
        bool fits = *name != '\0' && *pattern != '\0' && *pattern != '*';
        if (*pattern == '*') {
            star = next;
            resumed = name;
            pattern = next;
            continue;
        }
        if (fits && *pattern == '[') {
            const bool is_in = is_in_set(pattern + 1, *name, &next);
            fits = next != NULL ? is_in : *name == '[';
            next = next != NULL ? next : pattern + 1;
        } else if (fits && *pattern == '\\' && pattern[1] != '\0') {
            fits = pattern[1] == *name;
            next = pattern + 2;
        } else if (fits) {
            fits = *pattern == '?' || *pattern == *name;
        }
        if (fits) {
            pattern = next;
            name++;
        } else if (*pattern == '\0' && *name == '\0') {
            return true;
        } else if (star == NULL || *resumed == '\0') {
            return false;
        } else {
            pattern = star;
            name = ++resumed;
        }
    }
}

int pod_system_match(const char *pattern, const char *name)
{
    if (*name == '.' && *pattern != '.' && strncmp(pattern, "\\.", 2) != 0)
        return UV_ENOENT;
    return matches(pattern, name) ? 0 : UV_ENOENT;
}

/* ---- libraries --------------------------------------------------------------------------------------- */

const char *const pod_system_openblas[] = {"libopenblas.dll", NULL};

#endif
