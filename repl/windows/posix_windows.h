#ifndef MOONPOD_REPL_WINDOWS_POSIX_WINDOWS_H
#define MOONPOD_REPL_WINDOWS_POSIX_WINDOWS_H

/*
 * posix_windows - what sessions call of POSIX, for Windows, under its names: the build includes it in front of each of
 * their files there. Signals are two: Ctrl-C, which the console tells on a thread of its own, and a timer; both call
 * their handlers there, which must do nothing that a handler of POSIX may not do.
 */

#ifdef _WIN32

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

#define O_CLOEXEC  _O_NOINHERIT
#define O_NONBLOCK _O_BINARY /* files have it in no other sense, and no '\r' is put into those of sessions */
#define LOCK_EX    2
#define F_GETFD    1

#define SIGALRM     14
#define SIGUSR1     30 /* never comes */
#define SIGXFSZ     31 /* never comes */
#define SA_RESTART  1
#define ITIMER_REAL 0

/* Names of our own; those of the C library are others there. */
#define sigaction     pod_sigaction
#define sigemptyset   pod_sigemptyset
#define setitimer     pod_setitimer
#define alarm         pod_alarm
#define getline       pod_getline
#define pread         pod_pread
#define flock         pod_flock
#define fsync         pod_fsync
#define fcntl         pod_fcntl
#define memmem        pod_memmem
#define isatty        pod_isatty
#define mkdir         pod_mkdir
#define clock_gettime pod_clock_gettime
#define signal        pod_signal

typedef int pod_signals;

struct pod_sigaction {
    void (*sa_handler)(int);
    int sa_flags;
    pod_signals sa_mask;
};

struct itimerval {
    struct timeval it_interval, it_value;
};

int pod_sigaction(int number, const struct pod_sigaction *action, struct pod_sigaction *before);
int pod_sigemptyset(pod_signals *set);
int pod_setitimer(int which, const struct itimerval *time, struct itimerval *before);
unsigned pod_alarm(unsigned seconds);

/* An event of Windows that is set when Ctrl-C was caught, until somebody has waited for it. */
void *pod_press_event(void);

ssize_t pod_getline(char **line, size_t *capacity, FILE *from);
ssize_t pod_pread(int file, void *bytes, size_t size, long long offset);
int pod_flock(int file, int how);
int pod_fsync(int file);
int pod_fcntl(int file, int command);

void *pod_memmem(const void *in, size_t size, const void *what, size_t length);

int pod_isatty(int file);
int pod_mkdir(const char *path, int mode);
int pod_clock_gettime(int which, struct timespec *now);
void (*pod_signal(int number, void (*handler)(int)))(int);

#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC 1
#endif

#endif

#endif
