#ifndef MOONPOD_REPL_SCRIPT_PROFILE_H
#define MOONPOD_REPL_SCRIPT_PROFILE_H

/*
 * script_profile - `moonpod --profile DIR`: a script is recorded from when it first uses Moonpod to its end. And
 * SIGUSR1, which has what a running script did last written into a folder. What is done in Lua is in
 * moonpod/session/profiling.lua.
 */

#include <lua.h>
#include <stdbool.h>

/* Catches SIGUSR1 from now on. */
void profile_catch_signal(void);

/* Has what comes recorded for this folder. Call once, after the module's host is set and before the module is used. */
void profile_begin(lua_State *L, const char *directory);

/* Writes what was recorded, if anything is to be. False when that failed, which is told. */
bool profile_end(lua_State *L);

#endif
