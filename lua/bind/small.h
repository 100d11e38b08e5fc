#ifndef POD_BIND_SMALL_H
#define POD_BIND_SMALL_H

/*
 * small - small results of programs, whose elements lie in the box itself until somebody asks for the buffer: to take a
 * buffer for each from the host, and to give it back when the collector comes by, takes as long as to run a small
 * network.
 */

#include "bind.h"

/* The metatable of boxes whose elements lie in them: as that of buffers, but nothing is to be done when they are
 * collected, which saves the collector a call and a round for each. A box gets the other when its buffer is made. */
#define POD_LUA_SMALL_BUFFER "moonpod.small_buffer"

/* What all results of a program share. */
typedef struct pod_lua_small_type {
    pod_context *context; /* shared; NULL: collected, although a finaliser may still use a box */
    pod_dtype dtype;
    pod_shape shape;
    size_t bytes;
} pod_lua_small_type;

/* A box as any of a buffer, but larger. */
typedef struct pod_lua_small_box {
    pod_buffer *buffer;       /* first: as in every box; NULL: not made yet, or closed */
    pod_lua_small_type *type; /* in the table that the box keeps; NULL: the elements are in the buffer, or closed */
    unsigned char elements[];
} pod_lua_small_box;

/* Puts the type of results like a buffer into the table at `index`, which keeps it. Returns it; NULL where they are not
 * small. Raises an error of memory. */
pod_lua_small_type *pod_lua_new_small_type(lua_State *L, int index, pod_context *context, const pod_buffer *like);

/* Pushes a box without a metatable and with no elements yet. The table at `index` keeps the type. */
pod_lua_small_box *pod_lua_push_small(lua_State *L, int index, pod_lua_small_type *type);

/* The box at `index` where it is a small one, else NULL; it is known to be one of a buffer. */
pod_lua_small_box *pod_lua_to_small(lua_State *L, int index);

/* Whether the value at `index` is a box of a buffer, a small one or another. Takes two places on the stack. */
bool pod_lua_is_box(lua_State *L, int index);

/* Returns the box at `index`; raises an error where the value is none. */
pod_buffer **pod_lua_check_box(lua_State *L, int index);

/* Returns the buffer of the box at `index`, which is known to be one of a buffer, making it where it is not made yet.
 * NULL where it is closed (status POD_OK), or there is no memory. `error` may be NULL. */
pod_buffer *pod_lua_open_box(lua_State *L, int index, pod_error *error);

/* Makes POD_LUA_SMALL_BUFFER of the metatable on top of the stack, which it has all of but what the collector calls. */
void pod_lua_new_small_metatable(lua_State *L);

#endif
