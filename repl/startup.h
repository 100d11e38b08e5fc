#ifndef MOONPOD_REPL_STARTUP_H
#define MOONPOD_REPL_STARTUP_H

/* startup - what is run before a script or a session begins. What fails is told; statuses are those of Lua. */

#include <lua.h>
#include <stdbool.h>

int startup_run_text(lua_State *L, const char *text, const char *name);

/* NULL: standard input. */
int startup_run_file(lua_State *L, const char *path);

/* LUA_INIT_5_4, else LUA_INIT: a string, or '@' and a file. */
int startup_run_init(lua_State *L);

/* Tells the module that it runs in an executable of ours, not as a guest: pictures are shown in colours;
 * where the executable lies; and whether a prompt gives trainings in the background their time. */
void startup_set_host(lua_State *L, bool colours, bool prompt);

/* A session begins with the user's own file, $XDG_CONFIG_HOME/moonpod/init.lua or ~/.config/moonpod/init.lua. What is
 * wrong in it is told, and the session goes on. */
void startup_run_own_file(lua_State *L);

#endif
