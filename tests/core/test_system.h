#ifndef POD_TESTS_TEST_SYSTEM_H
#define POD_TESTS_TEST_SYSTEM_H

/* test_system - what tests want of a system and systems have by different names. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

/* Makes a folder of a name that ends in XXXXXX, in whose place it writes what is free. */
static inline bool system_make_folder(char *name)
{
    for (unsigned i = 0; i < 1000000; i++) {
        (void)snprintf(name + strlen(name) - 6, 7, "%06u", i);
        if (CreateDirectoryA(name, NULL))
            return true;
        if (GetLastError() != ERROR_ALREADY_EXISTS)
            return false;
    }
    return false;
}

/* Where temporary files are. */
static inline const char *system_temporary(void)
{
    const char *folder = getenv("TEMP");
    return folder != NULL ? folder : ".";
}

static HANDLE system_timer;
static void (*system_timer_calls)(int);

static inline void CALLBACK system_timer_ended(void *nothing, BOOLEAN ended)
{
    (void)nothing, (void)ended;
    system_timer_calls(0);
}

/* Calls a function after so much work of the process, or time where the system does not count that, as a signal or on a
 * thread of its own; 0: not any more. */
static inline void system_set_timer(int microseconds, void (*call)(int))
{
    if (system_timer != NULL)
        (void)DeleteTimerQueueTimer(NULL, system_timer, INVALID_HANDLE_VALUE);
    system_timer = NULL;
    system_timer_calls = call;
    if (microseconds > 0)
        (void)CreateTimerQueueTimer(&system_timer, NULL, system_timer_ended, NULL, (DWORD)microseconds / 1000, 0,
                                    WT_EXECUTEONLYONCE);
}

/* Sets a variable of the environment; the library sees it. */
static inline void system_set_variable(const char *name, const char *value)
{
    (void)_putenv_s(name, value);
}

/* Memory whose address is a multiple of 64. */
static inline void *system_aligned_new(size_t bytes)
{
    return _aligned_malloc(bytes, 64);
}

static inline void system_aligned_free(void *block)
{
    _aligned_free(block);
}

/* Whole pages, of which the last may not be touched; *bytes is rounded up to what they have before it. NULL where there
 * is no memory. */
static inline void *system_pages_new(size_t *bytes)
{
    const size_t page = 4096;
    DWORD before;
    *bytes = (*bytes + page - 1) / page * page;
    char *base = VirtualAlloc(NULL, *bytes + page, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    return base != NULL && VirtualProtect(base + *bytes, page, PAGE_NOACCESS, &before) ? base : NULL;
}

static inline void system_pages_free(void *base, size_t bytes)
{
    (void)bytes;
    (void)VirtualFree(base, 0, MEM_RELEASE);
}

#else

#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static inline bool system_make_folder(char *name)
{
    return mkdtemp(name) != NULL;
}

static inline const char *system_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL ? folder : "/tmp";
}

static inline void system_set_timer(int microseconds, void (*call)(int))
{
    const struct itimerval timer = {.it_value = {.tv_usec = microseconds}};
    signal(SIGVTALRM, call);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static inline void system_set_variable(const char *name, const char *value)
{
    (void)setenv(name, value, 1);
}

static inline void *system_aligned_new(size_t bytes)
{
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static inline void system_aligned_free(void *block)
{
    free(block);
}

static inline void *system_pages_new(size_t *bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *bytes = (*bytes + page - 1) / page * page;
    char *base = mmap(NULL, *bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return base != MAP_FAILED && mprotect(base + *bytes, page, PROT_NONE) == 0 ? base : NULL;
}

static inline void system_pages_free(void *base, size_t bytes)
{
    (void)munmap(base, bytes + (size_t)sysconf(_SC_PAGESIZE));
}

#endif

#endif
