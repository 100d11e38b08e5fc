/*
 * bench_ctrl_c PROGRAM FILE PRESSES WAIT SEED KIND... - presses Ctrl-C on a terminal, at random moments of what a
 * session runs, once each, and prints for each kind how long it took until the prompt was back, in milliseconds.
 * tests/lua/ctrl_c_spec.lua runs it; FILE, which the session runs first, is from there, too, and gives it
 *
 *     start(kind)    prints "<begun>", and goes on for ever
 *     check(kind)    prints "<sound>", or what is wrong
 *     _PROMPT        "ready> ", which stands nowhere else
 *
 * WAIT: milliseconds after "<begun>" within which a press comes. Exits with 1 where one press was not enough.
 */

#define _GNU_SOURCE /* forkpty() */

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What comes before a prompt that waits for an entry. */
#define PROMPT "\033[?2004h"

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { HANG = 20000, /* ms: a guard, no measure */ MOST = 100000 };

typedef struct session {
    int terminal;
    char seen[1 << 16]; /* since the last key */
    size_t size;
} session;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static pid_t start(const char *program, session *of)
{
    struct winsize size = {.ws_row = 40, .ws_col = 100};
    const pid_t child = forkpty(&of->terminal, NULL, NULL, &size);
    if (child == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("NO_COLOR", "1", 1);
        setenv("MOONPOD_HISTORY", "off", 1);
        execl(program, program, "-E", "-i", (char *)NULL);
        _exit(127);
    }
    return child;
}

static void type(session *of, const char *text)
{
    of->size = 0;
    (void)!write(of->terminal, text, strlen(text));
}

/* Whether texts have come, each behind the one before it. */
static bool has_come(const session *of, const char *const *texts)
{
    const char *at = of->seen;
    for (; at != NULL && *texts != NULL; texts++)
        at = memmem(at, of->size - (size_t)(at - of->seen), *texts, strlen(*texts));
    return at != NULL;
}

/* Reads until texts have come, NULL behind the last; false: they do not. */
static bool wait_for(session *of, const char *const *texts)
{
    const double begun = now();
    for (;;) {
        if (has_come(of, texts))
            return true;
        struct pollfd input = {.fd = of->terminal, .events = POLLIN};
        const double left = begun + HANG - now();
        if (left <= 0 || poll(&input, 1, (int)left + 1) <= 0)
            return false;
        if (of->size == sizeof of->seen) /* the newer half stays */
            memmove(of->seen, of->seen + sizeof of->seen / 2, of->size = sizeof of->seen / 2);
        const ssize_t got = read(of->terminal, of->seen + of->size, sizeof of->seen - of->size);
        if (got <= 0)
            return false;
        of->size += (size_t)got;
    }
}

static bool fail(const session *of, const char *kind, int press, double moment, const char *what)
{
    printf("%s, press %d after %.2f ms: %s; the session shows\n%.*s\n", kind, press, moment, what, (int)of->size,
           of->seen);
    return false;
}

static unsigned long next_random(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Starts what a kind runs, and presses once. */
static bool press_once(session *of, const char *kind, int press, double moment, double *took)
{
    char line[256];
    (void)snprintf(line, sizeof line, "start '%s'\r", kind);
    type(of, line);
    if (!wait_for(of, TEXTS("<begun>")))
        return fail(of, kind, press, moment, "it has not begun");
    const struct timespec time = {0, (long)(moment * 1e6)};
    nanosleep(&time, NULL);
    const double begun = now();
    type(of, "\003");
    /* What a run in the background says stands above a prompt that is drawn anew: the next prompt is waited for. */
    if (!wait_for(of, TEXTS("interrupted", PROMPT, "ready> ")))
        return fail(of, kind, press, moment, "one press has not stopped it");
    *took = now() - begun;
    (void)snprintf(line, sizeof line, "check '%s'\r", kind);
    type(of, line);
    return wait_for(of, TEXTS(PROMPT, "ready> ")) && has_come(of, TEXTS("<sound>"))
               ? true
               : fail(of, kind, press, moment, "it has not left what it should");
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool press_kind(session *of, const char *kind, int presses, int wait, unsigned long *random)
{
    static double times[MOST];
    for (int i = 0; i < presses; i++) {
        const double moment = (double)(next_random(random) % 1000000) * 1e-6 * wait;
        if (!press_once(of, kind, i + 1, moment, &times[i]))
            return false;
    }
    qsort(times, (size_t)presses, sizeof *times, compare);
    printf("%-12s %5d presses: median %7.2f  worst %7.2f ms\n", kind, presses, times[presses / 2], times[presses - 1]);
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    static session of;
    if (argc < 7) {
        fputs("usage: bench_ctrl_c PROGRAM FILE PRESSES WAIT SEED KIND...\n", stderr);
        return EXIT_FAILURE;
    }
    const int presses = atoi(argv[3]), wait = atoi(argv[4]);
    unsigned long random = 88172645463325252UL ^ strtoul(argv[5], NULL, 10);
    char line[4096];
    const pid_t child = start(argv[1], &of);
    (void)snprintf(line, sizeof line, "dofile '%s'\r", argv[2]);
    bool sound = presses > 0 && presses <= MOST && wait > 0 && wait < 1000 && wait_for(&of, TEXTS("> "));
    type(&of, line);
    if (sound && !wait_for(&of, TEXTS("ready> ")))
        sound = fail(&of, "start", 0, 0, "the session shows no prompt");
    for (int i = 6; i < argc && sound; i++)
        sound = press_kind(&of, argv[i], presses, wait, &random);
    if (sound) { /* it ends where it is told to, and not before */
        int status = -1;
        type(&of, "%quit\r");
        while (read(of.terminal, of.seen, sizeof of.seen) > 0)
            continue;
        sound = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!sound)
            printf("the session has ended with status %d\n", status);
    } else {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return sound ? EXIT_SUCCESS : EXIT_FAILURE;
}
