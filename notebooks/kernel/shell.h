#ifndef MOONPOD_KERNEL_SHELL_H
#define MOONPOD_KERNEL_SHELL_H

/* shell - what the thread of Lua does: runs cells, and between them goes on with what runs in the background. */

#include <lua.h>

#include "calls.h"

/* Answers requests until the kernel is to end. False, with a line in the log, when it cannot begin. */
bool shell_run(lua_State *L, kernel_state *kernel);

#endif
