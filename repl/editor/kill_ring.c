#include "editor/kill_ring.h"

#include <string.h>

/* Forgets the oldest texts beyond the bytes that may be held; the newest stays. */
static void drop_oldest(kill_ring *ring)
{
    size_t held = ring->texts[0].size;
    for (size_t i = 1; i < KILL_RING_TEXTS; i++) {
        held += ring->texts[i].size;
        if (held > ring->most) {
            held -= ring->texts[i].size;
            byte_string_free(&ring->texts[i]);
        }
    }
}

void kill_ring_add(kill_ring *ring, const char *bytes, size_t size)
{
    byte_string added = {0};
    if (size == 0 || !byte_string_add(&added, bytes, size))
        return;
    byte_string_free(&ring->texts[KILL_RING_TEXTS - 1]);
    memmove(ring->texts + 1, ring->texts, (KILL_RING_TEXTS - 1) * sizeof ring->texts[0]);
    ring->texts[0] = added;
    drop_oldest(ring);
}

void kill_ring_extend(kill_ring *ring, const char *bytes, size_t size, bool at_end)
{
    byte_string *newest = &ring->texts[0];
    if (newest->size + size <= ring->most)
        (void)byte_string_splice(newest, at_end ? newest->size : 0, 0, bytes, size);
    drop_oldest(ring);
}

void kill_ring_rotate(kill_ring *ring)
{
    size_t count = 0;
    while (count < KILL_RING_TEXTS && ring->texts[count].size > 0)
        count++;
    if (count < 2)
        return;
    const byte_string first = ring->texts[0];
    memmove(ring->texts, ring->texts + 1, (count - 1) * sizeof first);
    ring->texts[count - 1] = first;
}

void kill_ring_free(kill_ring *ended)
{
    for (size_t i = 0; i < KILL_RING_TEXTS; i++)
        byte_string_free(&ended->texts[i]);
}
