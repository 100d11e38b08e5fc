#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/system/host/host_system.h"
#include "diverted.h"
#include "interrupt.h"

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static struct termios before;     /* as the terminal was; signal handlers put it back */
static struct termios changed;    /* as it is while lines are edited */
static volatile sig_atomic_t raw; /* terminal_begin() was called */
static volatile sig_atomic_t resized, continued;
static void (*_Atomic watcher)(bool there_is); /* NULL: nobody watches */

static const int ending[] = {SIGTERM, SIGHUP, SIGQUIT};
static struct sigaction ending_before[sizeof ending / sizeof ending[0]], resize_before, continue_before;

bool terminal_can_edit(void)
{
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

bool terminal_has_colours(terminal_colours asked)
{
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    if (asked != COLOURS_AUTO)
        return asked == COLOURS_ALWAYS;
    return isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0') && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

static void tell_watcher(void)
{
    void (*tell)(bool) = atomic_load(&watcher);
    if (tell != NULL)
        tell(true);
}

static void on_resize(int number)
{
    (void)number;
    resized = 1;
    tell_watcher();
}

static void on_input(int number)
{
    (void)number;
    tell_watcher();
}

static void on_continue(int number)
{
    (void)number;
    continued = 1;
}

/* A signal that ends the process: the terminal is put back first. */
static void on_end(int number)
{
    if (raw) {
        diverted_end_at_once();
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
        (void)!write(STDOUT_FILENO, paste_off, sizeof paste_off - 1);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* The process ends within work that goes on at the prompt. */
static void end_at_exit(void)
{
    if (raw)
        terminal_end();
}

bool terminal_begin(void)
{
    static bool is_known;
    if (!is_known)
        is_known = atexit(end_at_exit) == 0;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    changed = before;
    changed.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    changed.c_cflag |= CS8;
    changed.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
    changed.c_cc[VMIN] = 1;
    changed.c_cc[VTIME] = 0;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        interrupt_handle(ending[i], on_end, 0, &ending_before[i]);
    interrupt_handle(SIGWINCH, on_resize, 0, &resize_before);
    interrupt_handle(SIGCONT, on_continue, 0, &continue_before);
    raw = 1;
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &changed) != 0) {
        terminal_end();
        return false;
    }
    diverted_begin();
    diverted_write(paste_on, sizeof paste_on - 1);
    return true;
}

void terminal_end(void)
{
    diverted_write(paste_off, sizeof paste_off - 1);
    diverted_end();
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    raw = 0;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        sigaction(ending[i], &ending_before[i], NULL);
    sigaction(SIGWINCH, &resize_before, NULL);
    sigaction(SIGCONT, &continue_before, NULL);
}

void terminal_signals(bool on)
{
    struct termios now = changed;
    now.c_lflag |= on ? (tcflag_t)(ISIG | NOFLSH) : 0;   /* keys before Ctrl-C are not lost */
    now.c_cc[VSUSP] = now.c_cc[VQUIT] = _POSIX_VDISABLE; /* these stay keys */
    (void)tcsetattr(STDIN_FILENO, TCSANOW, on ? &now : &changed);
}

void terminal_watch(void (*tell)(bool there_is))
{
    atomic_store(&watcher, tell);
    if (tell != NULL)
        tell(false);
#ifdef O_ASYNC
    const int flags = fcntl(STDIN_FILENO, F_GETFL);
    if (tell != NULL) { /* the handler stays: a signal may be on its way when nobody watches any more */
        interrupt_handle(SIGIO, on_input, SA_RESTART, NULL);
        (void)fcntl(STDIN_FILENO, F_SETOWN, getpid());
    }
    if (flags >= 0)
        (void)fcntl(STDIN_FILENO, F_SETFL, tell != NULL ? flags | O_ASYNC : flags & ~O_ASYNC);
#endif
}

terminal_event terminal_wait(int milliseconds)
{
    struct pollfd watched_ends[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                    {.fd = diverted_source(), .events = POLLIN}};
    const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    sigset_t watched, others, waiting;
    sigemptyset(&watched);
    sigaddset(&watched, SIGWINCH);
    sigaddset(&watched, SIGCONT);
    sigprocmask(SIG_BLOCK, &watched, &others); /* let in by waiting alone, so that none is missed before it */
    waiting = others;
    sigaddset(&waiting, SIGUSR1); /* of profiles: no reason to leave what is typed */
    sigaddset(&waiting, SIGALRM);
    sigaddset(&waiting, SIGIO); /* waiting tells */
    const bool written = diverted_begin_wait();
    const struct timespec at_once = {0}, *until = written ? &at_once : milliseconds < 0 ? NULL : &time;
    const int ready = resized || continued ? -1 : pod_host_poll(watched_ends, 2, until, &waiting);
    diverted_end_wait();
    const bool interrupted = ready < 0 && !resized && !continued && errno == EINTR;
    sigprocmask(SIG_SETMASK, &others, NULL);
    if (continued) {
        continued = 0;
        return TERMINAL_CONTINUED;
    }
    if (resized) {
        resized = 0;
        return TERMINAL_RESIZED;
    }
    if (interrupted)
        return TERMINAL_SIGNAL;
    if (watched_ends[0].revents != 0)
        return TERMINAL_INPUT;
    return ready > 0 || written ? TERMINAL_OUTPUT : TERMINAL_NOTHING;
}

long terminal_read(char *bytes, size_t size)
{
    return read(STDIN_FILENO, bytes, size);
}

void terminal_size(size_t *columns, size_t *rows)
{
    struct winsize size;
    *columns = 80;
    *rows = 24;
    if (ioctl(diverted_terminal(), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        *columns = size.ws_col;
        *rows = size.ws_row;
    }
}

void terminal_stop_process(void)
{
    raise(SIGTSTP);
}
