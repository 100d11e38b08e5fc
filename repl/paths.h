#ifndef MOONPOD_REPL_PATHS_H
#define MOONPOD_REPL_PATHS_H

/* paths - where the executable's own modules are: beside it where it is installed, else in the checkout that it was
 * built from. */

#include <lua.h>
#include <stdbool.h>

/* Lets require find them, behind what package.path and package.cpath have. */
void paths_add(lua_State *L);

/* Leaves the function of a module, or the message where it cannot be loaded; returns whether it is there. */
bool paths_push_function(lua_State *L, const char *module, const char *name);

/* Leaves the table "moonpod.host", by which the module knows the executable. */
void paths_push_host(lua_State *L);

/* Leaves the path of the executable; false, with nothing, where it is not known. */
bool paths_push_program(lua_State *L);

/* The same of its folder. */
bool paths_push_folder(lua_State *L);

#endif
