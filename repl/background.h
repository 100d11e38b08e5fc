#ifndef MOONPOD_REPL_BACKGROUND_H
#define MOONPOD_REPL_BACKGROUND_H

/* background - what goes on while a session waits for keys: trainings that fit began with { background = true }. */

#include <lua.h>

#include "editor.h"

/* Lets the editor give them time. */
void background_set(lua_State *L, editor_options *options);

/* How many go on. */
int background_count(lua_State *L);

/* Ends them all, as Ctrl-C at an empty prompt does. */
void background_interrupt(lua_State *L);

#endif
