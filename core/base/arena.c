#include "base/arena.h"

#include "base/arena_apart.h"
#include "base/checked.h"
#include "base/poison.h"
#include "base/sizes.h"

#include <assert.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)16 << 10)
#define ALIGNMENT   16

/* Under ASan what lies behind the bytes of a block is out of bounds. */
#ifdef __SANITIZE_ADDRESS__
#define MARGIN ALIGNMENT
#else
#define MARGIN 0
#endif

bool pod_arenas_apart;

typedef struct pod_arena_chunk {
    struct pod_arena_chunk *older;
    size_t reserved;
    _Alignas(ALIGNMENT) char memory[];
} pod_arena_chunk;

_Static_assert(sizeof(pod_arena_chunk) % ALIGNMENT == 0, "memory of a chunk is aligned");

void pod_arena_init(pod_arena *arena, pod_context *context)
{
    *arena = (pod_arena){.context = context};
}

/* Makes a block of what has room for it. */
static void *hand_out(char *memory, size_t size, size_t room)
{
    memset(memory, 0, room);
    ASAN_POISON_MEMORY_REGION(memory + size, room - size);
    return memory;
}

/* Blocks larger than a chunk get one of their own, behind the newest, which stays in use. */
static void *allocate_apart(pod_arena *arena, size_t size, size_t room)
{
    pod_arena_chunk *chunk = pod_allocate(arena->context, sizeof *chunk + room);
    if (!chunk)
        return NULL;
    arena->held += pod_block_bytes(chunk);
    if (arena->chunks) {
        chunk->older = arena->chunks->older;
        arena->chunks->older = chunk;
    } else {
        chunk->older = NULL;
        arena->chunks = chunk;
        arena->next = arena->end = chunk->memory + room;
    }
    arena->bytes += room - MARGIN;
    return hand_out(chunk->memory, size, room);
}

void *pod_arena_allocate(pod_arena *arena, size_t size)
{
    assert(arena->context && arena->next <= arena->end);
    if (size > SIZE_MAX / 2)
        return NULL;
    const size_t room = (size > 0 ? pod_round_up_bytes(size, ALIGNMENT) : ALIGNMENT) + MARGIN;
    if (room > CHUNK_BYTES / 4 || pod_arenas_apart)
        return allocate_apart(arena, size, room);
    if ((size_t)(arena->end - arena->next) < room) {
        pod_arena_chunk *chunk = pod_allocate(arena->context, sizeof *chunk + CHUNK_BYTES);
        if (!chunk)
            return NULL;
        arena->held += pod_block_bytes(chunk);
        chunk->older = arena->chunks;
        arena->chunks = chunk;
        arena->next = chunk->memory;
        arena->end = chunk->memory + CHUNK_BYTES;
    }
    char *block = arena->next;
    arena->next += room;
    assert(arena->next <= arena->end && (uintptr_t)block % ALIGNMENT == 0);
    arena->bytes += room - MARGIN;
    return hand_out(block, size, room);
}

void *pod_arena_array(pod_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    return pod_multiply_overflows(count, size, &bytes) ? NULL : pod_arena_allocate(arena, bytes);
}

void *pod_arena_copy(pod_arena *arena, const void *source, size_t size)
{
    assert(source || size == 0);
    void *copy = pod_arena_allocate(arena, size);
    if (copy && size > 0)
        memcpy(copy, source, size);
    return copy;
}

char *pod_arena_string(pod_arena *arena, const char *text)
{
    return text ? pod_arena_copy(arena, text, strlen(text) + 1) : NULL;
}

void pod_arena_clear(pod_arena *arena)
{
    while (arena->chunks) {
        pod_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->older;
        pod_free(arena->context, chunk);
    }
    pod_arena_init(arena, arena->context);
}
