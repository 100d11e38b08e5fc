#include "editor/byte_string.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool byte_string_reserve(byte_string *of, size_t more)
{
    if (more > SIZE_MAX / 4 - of->size)
        return false;
    if (of->size + more <= of->capacity)
        return true;
    size_t capacity = of->capacity < 64 ? 64 : of->capacity;
    while (capacity < of->size + more)
        capacity += capacity / 2;
    char *data = realloc(of->data, capacity);
    if (data == NULL)
        return false;
    of->data = data;
    of->capacity = capacity;
    return true;
}

bool byte_string_add(byte_string *to, const void *bytes, size_t size)
{
    if (!byte_string_reserve(to, size))
        return false;
    if (size > 0)
        memcpy(to->data + to->size, bytes, size);
    to->size += size;
    return true;
}

bool byte_string_add_text(byte_string *to, const char *text)
{
    return byte_string_add(to, text, strlen(text));
}

bool byte_string_splice(byte_string *of, size_t at, size_t erased, const void *bytes, size_t size)
{
    if (size > erased && !byte_string_reserve(of, size - erased))
        return false;
    if (of->data == NULL)
        return true;
    memmove(of->data + at + size, of->data + at + erased, of->size - at - erased);
    if (size > 0)
        memcpy(of->data + at, bytes, size);
    of->size = of->size - erased + size;
    return true;
}

bool byte_string_grow(void *items, size_t *capacity, size_t count, size_t item)
{
    if (count < *capacity)
        return true;
    void *block;
    memcpy(&block, items, sizeof block);
    const size_t wanted = *capacity < 16 ? 32 : *capacity * 2;
    block = realloc(block, wanted * item);
    if (block == NULL)
        return false;
    memcpy(items, &block, sizeof block);
    *capacity = wanted;
    return true;
}

bool byte_string_write(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(file, bytes, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

bool byte_string_read(byte_string *to, int file, size_t most)
{
    while (to->size <= most && byte_string_reserve(to, 4096)) {
        const ssize_t got = read(file, to->data + to->size, to->capacity - to->size);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        to->size += got > 0 ? (size_t)got : 0;
    }
    return false;
}

void byte_string_free(byte_string *ended)
{
    free(ended->data);
    *ended = (byte_string){0};
}
