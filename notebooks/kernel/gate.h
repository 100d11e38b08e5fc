#ifndef MOONPOD_KERNEL_GATE_H
#define MOONPOD_KERNEL_GATE_H

/*
 * gate - the thread that has the sockets that front ends send requests to. What is signed and was not there before goes
 * to the thread that answers it; all else is dropped as it comes, also while a cell runs. So what nobody has signed
 * waits nowhere in the kernel's memory.
 */

#include "channel.h"

enum { GATE_WAYS = 3 };

typedef struct gate_way {
    const char *name; /* for the log */
    void *outside;    /* ROUTER, to front ends */
    void *inside;     /* PAIR, to the channel */
} gate_way;

typedef struct gate {
    kernel_shared *shared;
    gate_way ways[GATE_WAYS];
    wire_seen seen; /* of all ways */
} gate;

/* Lets messages through, until each channel is closed or the context ends; closes the sockets. The argument is a
 * gate. */
void *gate_run(void *gate);

/* Closes the sockets of a gate that does not run. */
void gate_close(gate *closed);

#endif
