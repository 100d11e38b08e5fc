#ifndef POD_BIND_DATASET_ACCESS_H
#define POD_BIND_DATASET_ACCESS_H

/* What the files about datasets share. */

#include "bind.h"

#include <moonpod/data.h>

#include <stdatomic.h>

extern const pod_lua_kind pod_lua_dataset_kind;

/* Returns the dataset at `index`, borrowed; raises when it is none or closed. */
pod_dataset *pod_lua_check_dataset(lua_State *L, int index);

/* Pushes an empty box for a dataset. */
pod_dataset **pod_lua_new_dataset_box(lua_State *L);

/* Reads {{dtype =, shape =, text =}...} at `index` into a block that stays on the stack. */
pod_component *pod_lua_check_components(lua_State *L, int index, size_t *count);

/* Pushes {{dtype =, shape =, text =}...}. */
void pod_lua_push_components(lua_State *L, const pod_component *components, size_t count);

/* Reads an array of buffers at `index` into a block that stays on the stack. */
pod_buffer **pod_lua_check_buffers(lua_State *L, int index, size_t *count);

/* Reads `deterministic`: nil, true or false. */
pod_order pod_lua_check_order(lua_State *L, int index);

/* Callbacks into Lua run on the thread, and in the coroutine, that asks for elements. A Lua state has one
 * of these: iterators set L while they run, callbacks read it; NULL: no Lua may run now. */
typedef struct pod_lua_caller {
    lua_State *L;
    atomic_int shares;
} pod_lua_caller;

/* Returns the state's caller, shared; raises without memory. */
pod_lua_caller *pod_lua_get_caller(lua_State *L);
void pod_lua_release_caller(pod_lua_caller *caller);

#endif
