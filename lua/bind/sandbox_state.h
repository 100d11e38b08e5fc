#ifndef POD_BIND_SANDBOX_STATE_H
#define POD_BIND_SANDBOX_STATE_H

/* sandbox_state - what a sandbox is, for the file that makes and runs them and the one that asks for their limits. */

#include "sandbox.h"

#include <stdatomic.h>

#define LONGEST_SOURCE 1024

struct pod_sandbox {
    lua_State *state;     /* NULL: closed */
    pod_context *policy;  /* has the files, and the account of threads and time; what is made in the state has others */
    pod_context *current; /* the newest made in the state: borrowed, NULL where there is none */
    _Atomic uint64_t held, most_held, peak;
    _Atomic uint64_t deadline; /* nanoseconds of the clock; 0: none yet */
    uint64_t left;             /* instructions of this run */
    int threads;
    const char *stopped; /* what a run was stopped by; NULL: by nothing */
    bool running;
    char prelude[LONGEST_SOURCE]; /* the source of its functions, as Lua has it; empty while the state is made */
    pod_lua_sandbox_host host;    /* while a run is under way; of others the count of functions alone is kept */
};

/* Nanoseconds of the clock of deadlines. */
uint64_t pod_lua_sandbox_now(void);

/* Returns whether the time of a run is up. */
bool pod_lua_sandbox_is_late(const pod_sandbox *box);

/* The allocator of a sandbox: counts, and refuses what is too much. */
void *pod_lua_sandbox_resize(void *context, void *pointer, size_t old_size, size_t new_size);

/* Has a hook look at the time and the instructions of a run. */
void pod_lua_sandbox_watch(lua_State *state);

#endif
