#ifndef POD_TESTS_TEST_SYSTEM_H
#define POD_TESTS_TEST_SYSTEM_H

/* test_system - what tests want of a system and systems have by different names. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32

#include <windows.h>

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

#include <sys/mman.h>
#include <unistd.h>

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
