/*
 * Counts the allocations of a whole process: loaded with LD_PRELOAD it stands in front of malloc and its friends and
 * writes the count to the file that MALLOC_COUNT names when the process ends.
 */

#include <fcntl.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;

void *malloc(size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    *pointer = memalign(alignment, size);
    return *pointer != NULL ? 0 : ENOMEM;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("MALLOC_COUNT");
    if (path == NULL)
        return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%lu\n", atomic_load(&count));
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        if (write(file, text, (size_t)length) < 0)
            _exit(1);
        close(file);
    }
}
