#ifndef POD_BIND_COPIED_VALUES_H
#define POD_BIND_COPIED_VALUES_H

/*
 * copied_values - values of one Lua state for another: nil, booleans, numbers, strings, plain tables of them, buffers.
 */

#include "bind.h"

#define POD_LUA_COPY_DEPTH 100                          /* tables nested deeper are not copied */
#define POD_LUA_COPY_STACK (4 * POD_LUA_COPY_DEPTH + 8) /* places that a copy takes of the stack of either state */

/* Keeps in a state the names that copying out of it looks for. */
void pod_lua_open_copied_values(lua_State *L);

typedef struct pod_lua_copier {
    lua_State *from, *to;
    pod_context *context;  /* of the copies of buffers */
    size_t entries, bytes; /* that were copied so far */
    size_t most_bytes;     /* that copies may take */
} pod_lua_copier;

/* Pushes a copy of the value at `index`, which is no place from the end. Raises in the state that it goes to; what is
 * on the other's stack then is the caller's to drop. The state that it comes from must have POD_LUA_COPY_STACK places:
 * Lua 5.1 raises there where it has no memory for them. */
void pod_lua_copy_value(pod_lua_copier *copier, int index);

#endif
