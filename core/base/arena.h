#ifndef POD_BASE_ARENA_H
#define POD_BASE_ARENA_H

/*
 * arena - many small blocks that are freed together.
 *
 *     pod_arena arena = {0};
 *     pod_arena_init(&arena, context);
 *     thing *t = pod_arena_allocate(&arena, sizeof *t);     -- NULL when there is no memory
 *     pod_arena_clear(&arena);
 *
 * For one thread at a time.
 */

#include "base/context.h"

typedef struct pod_arena {
    pod_context *context;           /* borrowed */
    struct pod_arena_chunk *chunks; /* the newest first */
    char *next, *end;               /* what is free in the newest */
    size_t bytes;                   /* given out so far */
    size_t held;                    /* taken from the context for it, counted as they were taken */
} pod_arena;

/* Makes an empty arena; takes no memory yet. */
void pod_arena_init(pod_arena *arena, pod_context *context);

/* Returns `size` zeroed bytes aligned to 16; NULL when there is no memory. Lives until
 * pod_arena_clear(). */
void *pod_arena_allocate(pod_arena *arena, size_t size);

/* The same for count * size bytes; NULL also when the product overflows. */
void *pod_arena_array(pod_arena *arena, size_t count, size_t size);

/* Returns a copy of `size` bytes; NULL when there is no memory. */
void *pod_arena_copy(pod_arena *arena, const void *source, size_t size);

/* Returns a copy of a text; NULL for NULL, and when there is no memory. */
char *pod_arena_string(pod_arena *arena, const char *text);

/* Frees everything; the arena may be used again. */
void pod_arena_clear(pod_arena *arena);

#endif
