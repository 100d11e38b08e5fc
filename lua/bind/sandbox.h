#ifndef POD_BIND_SANDBOX_H
#define POD_BIND_SANDBOX_H

/*
 * sandbox - a Lua state of its own for scripts that nobody trusts: see lua_sandbox.c. A state knows its sandbox by its
 * allocator, which nothing in it can change.
 */

#include "bind.h"

typedef struct pod_sandbox pod_sandbox;

/* Returns the sandbox whose state this is, or NULL. */
pod_sandbox *pod_lua_sandbox_of(lua_State *L);

/* Takes work that no instruction of Lua is counted for from what a run of the sandbox may do, in instructions; raises
 * where that is more than is left. */
void pod_lua_sandbox_spend(lua_State *L, uint64_t work);

/* The options of a context that is made in a sandbox: its allocator, and no more threads than it may have. */
void pod_lua_sandbox_limit_options(lua_State *L, pod_context_options *options);

/* Keeps a context that was made in a sandbox to its files and its time. */
void pod_lua_sandbox_limit_context(lua_State *L, pod_context *context);

/* Raises where a sandbox may not have so many threads. */
void pod_lua_sandbox_check_threads(lua_State *L, int threads);

/* Adds find, match, gmatch and gsub to the table on top of the stack: as those of Lua's string library, but what they
 * do is counted. */
void pod_lua_open_counted_patterns(lua_State *L);

#endif
