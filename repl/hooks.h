#ifndef MOONPOD_REPL_HOOKS_H
#define MOONPOD_REPL_HOOKS_H

/* hooks - what the line editor asks of Lua: whether an entry is whole, and how it could go on. Nothing is raised and no
 * code of the user is called. */

#include <lua.h>

#include "editor/line_editor.h"

/* Fills in the functions and what they are called with. */
void hooks_set(lua_State *L, line_settings *settings);

/* (folder): the names in a folder, at most so many, as an array; those of folders end in "/". Nothing where it cannot
 * be read. A function for Lua. */
int hooks_list_folder(lua_State *L);

#endif
