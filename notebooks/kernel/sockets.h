#ifndef MOONPOD_KERNEL_SOCKETS_H
#define MOONPOD_KERNEL_SOCKETS_H

/* sockets - opens what a connection file names, and nothing else. */

#include <lua.h>

#include "calls.h"

/* Reads the file, binds the sockets, begins the threads that have heartbeat and iopub. False, with a line in the log,
 * where that fails. Raises what the file has wrong. */
bool sockets_open(lua_State *L, const char *path, kernel_state *kernel);

/* Closes all, once the threads of shell and control have ended; what was published is sent before. */
void sockets_close(kernel_state *kernel);

#endif
