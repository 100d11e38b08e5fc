#ifndef MOONPOD_REPL_PATTERNS_H
#define MOONPOD_REPL_PATTERNS_H

/*
 * patterns - Ctrl-C within a match of a pattern. Lua's own functions hear of nothing before they return, and a match
 * may take longer than anybody lives: those that could take long are made by the module's, which ask as they go.
 */

#include <lua.h>

/* Puts guarded functions in the places of string.find, match, gmatch and gsub. What does not take long is done by
 * Lua's own, as before. */
void patterns_guard(lua_State *L);

#endif
