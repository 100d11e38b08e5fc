/* kept_blocks - see kept_blocks.h. */

#include "base/kept_blocks.h"

#include "base/poison.h"

#include <stdlib.h>

static void lock(pod_kept_blocks *kept)
{
    while (atomic_flag_test_and_set_explicit(&kept->busy, memory_order_acquire)) {
    }
}

static void unlock(pod_kept_blocks *kept)
{
    atomic_flag_clear_explicit(&kept->busy, memory_order_release);
}

/* Empties a place; returns what was there. */
static void *empty(pod_kept_blocks *kept, unsigned place)
{
    void *block = kept->places[place].block;
    if (block)
        kept->bytes -= kept->places[place].size;
    kept->places[place].block = NULL;
    return block;
}

void *pod_kept_blocks_take(pod_kept_blocks *kept, size_t size)
{
    void *block = NULL;
    if (size < POD_LARGE_BLOCK)
        return NULL;
    lock(kept);
    for (unsigned i = 0; i < POD_KEPT_PLACES && !block; i++)
        if (kept->places[i].block && kept->places[i].size == size)
            block = empty(kept, i);
    unlock(kept);
    if (block)
        ASAN_UNPOISON_MEMORY_REGION(block, size); /* whatever who had it before said of it, too */
    return block;
}

void pod_kept_blocks_free(pod_kept_blocks *kept, void *block, size_t size)
{
    if (size < POD_LARGE_BLOCK || size > POD_MOST_KEPT || !block) {
        free(block);
        return;
    }
    ASAN_POISON_MEMORY_REGION(block, size);
    void *ended[POD_KEPT_PLACES];
    unsigned count = 0;
    lock(kept);
    const unsigned place = kept->oldest;
    do { /* the oldest are next */
        ended[count++] = empty(kept, kept->oldest);
        kept->oldest = (kept->oldest + 1) % POD_KEPT_PLACES;
    } while (kept->bytes + size > POD_MOST_KEPT);
    kept->places[place].block = block;
    kept->places[place].size = size;
    kept->bytes += size;
    unlock(kept);
    while (count > 0)
        free(ended[--count]);
}

void pod_kept_blocks_end(pod_kept_blocks *kept)
{
    for (unsigned i = 0; i < POD_KEPT_PLACES; i++)
        free(empty(kept, i));
}
