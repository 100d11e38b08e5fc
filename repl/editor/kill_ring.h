#ifndef MOONPOD_REPL_KILL_RING_H
#define MOONPOD_REPL_KILL_RING_H

/* kill_ring - what was cut last, for yanking: a few texts, of a bounded number of bytes. */

#include <stdbool.h>
#include <stddef.h>

#include "editor/byte_string.h"

enum { KILL_RING_TEXTS = 16 };

typedef struct kill_ring {
    byte_string texts[KILL_RING_TEXTS]; /* the newest first */
    size_t most;                        /* bytes of all */
} kill_ring;

/* Adds a text. */
void kill_ring_add(kill_ring *ring, const char *bytes, size_t size);

/* Adds to the newest text, at its end or its start: for cuts one after the other. */
void kill_ring_extend(kill_ring *ring, const char *bytes, size_t size, bool at_end);

/* The newest becomes the oldest. */
void kill_ring_rotate(kill_ring *ring);

void kill_ring_free(kill_ring *ended);

#endif
