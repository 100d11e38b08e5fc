#ifndef MOONPOD_REPL_CHUNK_H
#define MOONPOD_REPL_CHUNK_H

/* chunk - what a person typed as a chunk of Lua: an expression, statements, or the beginning of them. */

#include <lua.h>
#include <stdbool.h>

/* Whether the text on top ends in ';', which mutes the printing of values. */
bool chunk_is_muted(lua_State *L);

/* The text on top as an expression, "return ...". Replaces it by a function on success; else leaves it and returns a
 * status that is not LUA_OK. */
int chunk_load_expression(lua_State *L);

/* Whether loading gave `status` and the message on top because the text is not at its end. */
bool chunk_is_incomplete(lua_State *L, int status);

/* Whether a text that may begin with '=' can be run, or is wrong: not whole is what goes on in another line. Raises
 * where there is no memory. */
bool chunk_is_whole(lua_State *L, const char *text, size_t size);

#endif
