/* posix_windows - see posix_windows.h. */

#ifdef _WIN32

#include "windows/posix_windows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/system/host/host_system.h"

/* ---- signals ----------------------------------------------------------------------------------------- */

static void (*volatile of_press)(int); /* NULL: SIG_DFL */
static void (*volatile of_alarm)(int);
static HANDLE pressed, timers, timer;

void *pod_press_event(void)
{
    if (pressed == NULL)
        pressed = CreateEventW(NULL, FALSE, FALSE, NULL);
    return pressed;
}

static BOOL WINAPI on_console(DWORD what)
{
    void (*handler)(int) = of_press;
    if (what != CTRL_C_EVENT || handler == NULL)
        return FALSE; /* the process ends */
    handler(SIGINT);
    (void)SetEvent(pod_press_event());
    return TRUE;
}

int pod_sigemptyset(pod_signals *set)
{
    *set = 0;
    return 0;
}

int pod_sigaction(int number, const struct pod_sigaction *action, struct pod_sigaction *before)
{
    static bool is_heard;
    if (before != NULL)
        memset(before, 0, sizeof *before);
    void (*handler)(int) = action->sa_handler == SIG_DFL ? NULL : action->sa_handler;
    if (number == SIGINT) {
        of_press = handler;
        if (!is_heard)
            is_heard = SetConsoleCtrlHandler(on_console, TRUE);
    } else if (number == SIGALRM) {
        of_alarm = handler;
    }
    return 0;
}

void (*pod_signal(int number, void (*handler)(int)))(int)
{
    const struct pod_sigaction action = {.sa_handler = handler};
    (void)pod_sigaction(number, &action, NULL);
    return SIG_DFL;
}

static void CALLBACK on_timer(void *nothing, BOOLEAN over)
{
    (void)nothing, (void)over;
    void (*handler)(int) = of_alarm;
    if (handler != NULL)
        handler(SIGALRM);
}

/* Timers are begun and ended by handlers, which have threads of their own. */
static SRWLOCK lock = SRWLOCK_INIT;

static void set_timer(DWORD first, DWORD each)
{
    AcquireSRWLockExclusive(&lock);
    if (timers == NULL)
        timers = CreateTimerQueue();
    if (timer != NULL)
        (void)DeleteTimerQueueTimer(timers, timer, NULL);
    timer = NULL;
    if (first > 0 && timers != NULL)
        (void)CreateTimerQueueTimer(&timer, timers, on_timer, NULL, first, each, WT_EXECUTEDEFAULT);
    ReleaseSRWLockExclusive(&lock);
}

static DWORD milliseconds_of(const struct timeval *time)
{
    const DWORD milliseconds = (DWORD)time->tv_sec * 1000 + (DWORD)time->tv_usec / 1000;
    return milliseconds == 0 && time->tv_usec > 0 ? 1 : milliseconds;
}

int pod_setitimer(int which, const struct itimerval *time, struct itimerval *before)
{
    (void)which, (void)before;
    set_timer(milliseconds_of(&time->it_value), milliseconds_of(&time->it_interval));
    return 0;
}

unsigned pod_alarm(unsigned seconds)
{
    set_timer(seconds * 1000, 0);
    return 0;
}

int pod_clock_gettime(int which, struct timespec *now)
{
    (void)which;
    const uint64_t nanoseconds = pod_host_nanoseconds();
    now->tv_sec = (time_t)(nanoseconds / 1000000000u);
    now->tv_nsec = (long)(nanoseconds % 1000000000u);
    return 0;
}

/* ---- files -------------------------------------------------------------------------------------------- */

int pod_isatty(int file)
{
    return pod_host_is_terminal(file);
}

int pod_mkdir(const char *path, int mode)
{
    (void)mode; /* folders below a person's own are that person's */
    return _mkdir(path);
}

/* Closing the file takes the lock away. */
int pod_flock(int file, int how)
{
    OVERLAPPED place = {.OffsetHigh = 0x7fffffff};
    (void)how;
    return LockFileEx((HANDLE)_get_osfhandle(file), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place) ? 0 : -1;
}

int pod_fsync(int file)
{
    return _commit(file);
}

ssize_t pod_pread(int file, void *bytes, size_t size, long long offset)
{
    const long long before = _lseeki64(file, 0, SEEK_CUR);
    if (before < 0 || _lseeki64(file, offset, SEEK_SET) < 0)
        return -1;
    const int got = _read(file, bytes, (unsigned)size);
    return _lseeki64(file, before, SEEK_SET) < 0 ? -1 : got;
}

/* F_GETFD alone: whether a number is one of a file. */
int pod_fcntl(int file, int command)
{
    (void)command;
    const intptr_t handle = _get_osfhandle(file);
    return handle == -1 || handle == -2 ? -1 : 0;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

void *pod_memmem(const void *in, size_t size, const void *what, size_t length)
{
    const char *text = in;
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(text + at, what, length) == 0)
            return (void *)(text + at);
    return NULL;
}

static bool reserve(char **line, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return true;
    char *larger = realloc(*line, wanted * 2);
    if (larger == NULL)
        return false;
    *line = larger;
    *capacity = wanted * 2;
    return true;
}

/* A line that a person types, in whatever letters; Ctrl-Z at its begin ends the input. */
static ssize_t read_typed(char **line, size_t *capacity)
{
    enum { ROOM = 4096 };
    wchar_t text[ROOM];
    DWORD count = 0;
    SetLastError(0);
    if (!ReadConsoleW(GetStdHandle(STD_INPUT_HANDLE), text, ROOM, &count, NULL) || count == 0) {
        errno = GetLastError() == ERROR_OPERATION_ABORTED ? EINTR : 0;
        return -1;
    }
    if (text[0] == 0x1a)
        return -1;
    if (count >= 2 && text[count - 2] == L'\r')
        text[--count - 1] = L'\n';
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, (int)count, NULL, 0, NULL, NULL);
    if (size <= 0 || !reserve(line, capacity, (size_t)size + 1))
        return -1;
    (void)WideCharToMultiByte(CP_UTF8, 0, text, (int)count, *line, size, NULL, NULL);
    (*line)[size] = '\0';
    return size;
}

ssize_t pod_getline(char **line, size_t *capacity, FILE *from)
{
    ssize_t size = 0;
    int next = 0;
    if (from == stdin && pod_host_is_terminal(0))
        return read_typed(line, capacity);
    while (next != '\n' && (next = getc(from)) != EOF) {
        if (!reserve(line, capacity, (size_t)size + 2))
            return -1;
        (*line)[size++] = (char)next;
    }
    if (size == 0)
        return -1;
    (*line)[size] = '\0';
    return size;
}

#endif
