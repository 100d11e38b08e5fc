#ifndef MOONPOD_KERNEL_CONTROL_THREAD_H
#define MOONPOD_KERNEL_CONTROL_THREAD_H

/* control_thread - the thread that answers while a cell runs: interrupts, shutdown, kernel_info. It has a state of Lua
 * of its own, for the protocol alone. */

#include <lua.h>

#include "calls.h"

/* Leaves what a kernel tells of itself, as protocol.new() takes it. */
void control_push_about(lua_State *L);

/* Makes the thread's state, which finds modules as that of cells does; NULL, with a line in the log, when it fails. */
lua_State *control_new(kernel_state *kernel);

typedef struct control_thread {
    kernel_state *kernel;
    lua_State *L; /* the thread's own, and closed by it */
} control_thread;

/* Answers until the kernel ends. What does not end then, within some seconds, it ends with the process. The argument is
 * a control_thread. */
void *control_run(void *thread);

#endif
