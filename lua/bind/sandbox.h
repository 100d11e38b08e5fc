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

/* The host while a run of a sandbox is under way. */
typedef struct pod_lua_sandbox_host {
    lua_State *state;     /* which waits for the run */
    int functions, count; /* the place on its stack of an array of functions that scripts may call */
    int top;              /* what lies above on its stack is nobody's */
    pod_context *context; /* of copies */
    size_t most_bytes;    /* of one call's arguments */
} pod_lua_sandbox_host;

/* Returns the host of the run that is under way in this state, or NULL. */
const pod_lua_sandbox_host *pod_lua_sandbox_host_of(lua_State *L);

/* The context of what is copied into a sandbox: its own. */
pod_context *pod_lua_sandbox_context(lua_State *L);

/* A function of the sandbox: call_host(i, ...) calls the host's function i on copies, and returns a copy of what that
 * returns: one value. What it raises is raised as a text. */
int pod_lua_sandbox_call_host(lua_State *L);

/* Makes an array of functions at `index` ready for such calls. Returns how many there are. */
int pod_lua_sandbox_keep_functions(lua_State *L, int index);

/* Takes work that no instruction of Lua is counted for from what a run of the sandbox may do, in instructions; raises
 * where that is more than is left. Outside of sandboxes it raises where a session was interrupted. */
void pod_lua_sandbox_spend(lua_State *L, uint64_t work);

/* The options of a context that is made in a sandbox: its allocator, and no more threads than it may have. */
void pod_lua_sandbox_limit_options(lua_State *L, pod_context_options *options);

/* Keeps a context that was made in a sandbox to its files and its time. */
pod_status pod_lua_sandbox_limit_context(lua_State *L, pod_context *context, pod_error *error);

/* Raises unless it is one of Moonpod's modules that calls: a script calls no function of the core itself, whatever it
 * has got hold of. Asked by all of them (guard.c), in the state of a sandbox. */
void pod_lua_sandbox_check_caller(lua_State *L);

/* Raises where a sandbox may not have so many threads. */
void pod_lua_sandbox_check_threads(lua_State *L, int threads);

/* Adds find, match, gmatch and gsub to the table on top of the stack: as those of Lua's string library, but what they
 * do is counted by pod_lua_sandbox_spend(). They have no upvalues. */
void pod_lua_open_counted_patterns(lua_State *L);

#endif
