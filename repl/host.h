#ifndef MOONPOD_REPL_HOST_H
#define MOONPOD_REPL_HOST_H

/* host - what commands of a session ask of it: lua/moonpod/session/commands.lua says what is in the table. */

#include <lua.h>
#include <stdbool.h>

#include "editor.h"

/* Leaves the table of a session whose entries come from this editor, which is there until host_drop(). */
void host_push(lua_State *L, editor *of);

/* The session ends: scripts and finalizers find it no longer. */
void host_drop(lua_State *L);

#endif
