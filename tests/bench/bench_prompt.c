/*
 * bench_prompt PROGRAM - what somebody at a terminal waits for, in milliseconds: from the start of a session to its
 * prompt, and from a key to its echo, in a short entry, in one of 1 MB, and while a training goes on in the background.
 * `./dev bench prompt` runs it. The median tells what the program takes, the worst what else the machine was doing.
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

enum { STARTS = 30, KEYS = 100, SETTLED = 300, QUIET = 40 /* ms without output */, PASTE = 1 << 20 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int start(const char *program, int *terminal)
{
    struct winsize size = {.ws_row = 40, .ws_col = 100};
    const pid_t child = forkpty(terminal, NULL, NULL, &size);
    if (child == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("MOONPOD_HISTORY", "off", 1);
        execl(program, program, "-E", "-i", (char *)NULL);
        _exit(127);
    }
    return child;
}

/* Reads what comes within so many milliseconds; returns its size. */
static size_t take(int terminal, char *bytes, size_t room, int wait)
{
    struct pollfd input = {.fd = terminal, .events = POLLIN};
    if (poll(&input, 1, wait) <= 0)
        return 0;
    const ssize_t got = read(terminal, bytes, room);
    return got > 0 ? (size_t)got : 0;
}

static void settle(int terminal, int wait)
{
    char bytes[65536];
    while (take(terminal, bytes, sizeof bytes, wait) > 0)
        continue;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *what, double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    printf("%-44s best %7.2f  median %7.2f  worst %7.2f ms\n", what, times[0], times[count / 2], times[count - 1]);
    fflush(stdout);
}

static void stop(int child, int terminal)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(terminal);
}

static bool measure_starts(const char *program)
{
    double times[STARTS];
    for (int i = 0; i < STARTS; i++) {
        char bytes[4096];
        size_t size = 0;
        int terminal;
        const double begun = now();
        const int child = start(program, &terminal);
        while (memmem(bytes, size, "> ", 2) == NULL) {
            const size_t got = size < sizeof bytes ? take(terminal, bytes + size, sizeof bytes - size, 5000) : 0;
            if (got == 0)
                return false;
            size += got;
        }
        times[i] = now() - begun;
        stop(child, terminal);
    }
    report("start to prompt", times, STARTS);
    return true;
}

/* Times keys one after the other: until the first of what they make seen comes. */
static void measure_keys(int terminal, const char *what, const char *key)
{
    double times[KEYS];
    for (int i = 0; i < KEYS; i++) {
        char bytes[65536];
        const double begun = now();
        (void)!write(terminal, key, strlen(key));
        (void)take(terminal, bytes, sizeof bytes, 5000);
        times[i] = now() - begun;
        settle(terminal, QUIET);
    }
    report(what, times, KEYS);
}

/* Pastes lines of code; a pseudo-terminal takes few bytes at a time, so what comes back is read meanwhile. */
static void paste(int terminal)
{
    static char text[PASTE + 256];
    size_t size = (size_t)sprintf(text, "\033[200~");
    for (int i = 0; size < PASTE; i++)
        size +=
            (size_t)sprintf(text + size, "x%d = { %d, 'some text to paste', { a = 1 } } -- a comment\n", i % 100, i);
    size += (size_t)sprintf(text + size, "\033[201~");
    for (size_t at = 0; at < size;) {
        const size_t left = size - at;
        const ssize_t wrote = write(terminal, text + at, left < 1024 ? left : 1024);
        if (wrote > 0)
            at += (size_t)wrote;
        settle(terminal, 0);
    }
    settle(terminal, SETTLED);
}

static void press(int terminal, const char *key)
{
    (void)!write(terminal, key, strlen(key));
    settle(terminal, SETTLED);
}

/* Reads for so many milliseconds, whatever comes, or until a text has come; returns whether it has. */
static bool take_until(int terminal, const char *text, double milliseconds)
{
    char bytes[65536];
    size_t size = 0;
    for (const double end = now() + milliseconds; now() < end;) {
        const size_t got = take(terminal, bytes + size, sizeof bytes - size, (int)(end - now()) + 1);
        size += got;
        if (text != NULL && memmem(bytes, size, text, strlen(text)) != NULL)
            return true;
        if (size > sizeof bytes / 2) { /* what is cut apart at its end may be the text's begin */
            memmove(bytes, bytes + size - 64, 64);
            size = 64;
        }
    }
    return false;
}

/* The same while all cores train: from a key to its echo, a letter that is nowhere else on the screen. */
static bool measure_beside_run(const char *program)
{
    static const char code[] = "m = pod.models.sequential { pod.layers.dense(512, { input_shape = { 256 } }), "
                               "pod.layers.dense(256) } m:compile { optimizer = 'sgd', loss = 'mse' } "
                               "r = m:fit(pod.ones { 4096, 256 }, pod.ones { 4096, 256 }, "
                               "{ batch_size = 256, epochs = 1000000, verbose = 0, background = true });\r";
    static const char letters[] = "QZVWYUOINXRT";
    enum { LETTERS = sizeof letters - 1 };
    double times[KEYS];
    int terminal;
    const int child = start(program, &terminal);
    settle(terminal, SETTLED);
    (void)!write(terminal, code, strlen(code));
    bool seen = take_until(terminal, "epoch 2/", 20000);
    for (int i = 0; i < KEYS && seen; i++) {
        const char letter[2] = {letters[i % LETTERS]};
        const double begun = now();
        (void)!write(terminal, letter, 1);
        seen = take_until(terminal, letter, 5000);
        times[i] = now() - begun;
        (void)take_until(terminal, NULL, QUIET + i % 7); /* at no fixed place of a slice */
        if (i % LETTERS == LETTERS - 1) {
            (void)!write(terminal, "\025", 1); /* deletes the line */
            (void)take_until(terminal, NULL, SETTLED);
        }
    }
    if (seen)
        report("key to screen, beside a run on all cores", times, KEYS);
    stop(child, terminal);
    return seen;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: bench_prompt PROGRAM\n", stderr);
        return EXIT_FAILURE;
    }
    if (!measure_starts(argv[1])) {
        fprintf(stderr, "bench_prompt: %s shows no prompt\n", argv[1]);
        return EXIT_FAILURE;
    }
    int terminal;
    const int child = start(argv[1], &terminal);
    settle(terminal, SETTLED);
    measure_keys(terminal, "key to screen", "x");
    press(terminal, "\025"); /* deletes the line */
    paste(terminal);
    measure_keys(terminal, "key to screen, at the end of 1 MB", "x");
    measure_keys(terminal, "the same, a row up", "\033[A");
    press(terminal, "\033<");
    measure_keys(terminal, "the same, at the start", "y");
    measure_keys(terminal, "the same, deleted again", "\177");
    stop(child, terminal);
    if (!measure_beside_run(argv[1])) {
        fprintf(stderr, "bench_prompt: %s shows no key while a run goes on\n", argv[1]);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
