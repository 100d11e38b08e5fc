#ifndef MOONPOD_KERNEL_CALLS_H
#define MOONPOD_KERNEL_CALLS_H

/* calls - what Lua calls of C: lua/moonpod/notebook/protocol.lua and kernel.lua say what each function does. */

#include <lua.h>
#include <pthread.h>

#include "channel.h"

typedef struct kernel_state {
    kernel_shared shared;
    channel shell, control;
    channel ask;          /* stdin: identities are those of the shell's request */
    pthread_t lua_thread; /* which signals are for */
    int wake;             /* eventfd: the thread of Lua looks whether it is to end */
    _Atomic bool is_ending, has_ended;
} kernel_state;

/* Leaves a table of what any thread may call that answers on this channel. Both outlive it. */
void calls_push(lua_State *L, kernel_state *kernel, channel *answered);

/* Adds what the thread of Lua has besides to the table on top. */
void calls_add_session(lua_State *L, kernel_state *kernel);

/* Answers the request of a channel: calls `answer` (a function on top, which stays) with its parts, and whether it
 * was held. */
void calls_answer(lua_State *L, const channel *asked);

/* Has the kernel end when what runs has ended. */
void calls_leave(kernel_state *kernel);

/* Ends what runs, as Ctrl-C does. */
void calls_interrupt(kernel_state *kernel);

#endif
