#ifndef POD_BIND_BIND_H
#define POD_BIND_BIND_H

/*
 * What the files of the module moonpod.core share. One file a userdata; each has an open function that
 * adds its metatable to the registry and its functions to the module table on top of the stack.
 *
 * Userdata are boxes: a pointer that is NULL while there is nothing in it (not made yet, closed). The box gets
 * its metatable first and its content last, so a failure in between leaks nothing. `close`, __gc and
 * __close are one function that may run twice.
 *
 * While a function of the module runs, Lua may run: what the function calls, metamethods of its arguments, finalisers
 * whenever Lua takes memory. All of it may close what the function uses. So contents that are closed then are out of
 * their box, but live until the outermost function has returned (guard.c): a function reads a box once and goes on with
 * what was in it.
 */

#include "lcompat.h"

#include <moonpod/chip.h>
#include <moonpod/formats.h>
#include <moonpod/graph.h>
#include <moonpod/program.h>

#define POD_LUA_CONTEXT "moonpod.context"
#define POD_LUA_BUFFER  "moonpod.buffer"
#define POD_LUA_GRAPH   "moonpod.graph"
#define POD_LUA_PROGRAM "moonpod.program"

/* Open functions, in the order in which luaopen_moonpod_core() calls them. */
void pod_lua_open_module(lua_State *L);
void pod_lua_open_text(lua_State *L);
void pod_lua_open_compiled(lua_State *L);
void pod_lua_open_context(lua_State *L);
void pod_lua_open_buffer(lua_State *L);
void pod_lua_open_graph(lua_State *L);
void pod_lua_open_program(lua_State *L);
void pod_lua_open_dataset(lua_State *L);
void pod_lua_open_dataset_stages(lua_State *L);
void pod_lua_open_dataset_decode(lua_State *L);
void pod_lua_open_dataset_callbacks(lua_State *L);
void pod_lua_open_worker(lua_State *L);
void pod_lua_open_formats(lua_State *L);

/* text_bucket(text, count, key, key) -> which of `count` buckets the text falls in, from 0; keys may be nil. Of 0: the
 * high and the low 32 bits of its hash */
int pod_lua_text_bucket(lua_State *L);

void pod_lua_open_named_arrays(lua_State *L);
void pod_lua_open_events(lua_State *L);
void pod_lua_open_chips(lua_State *L);
void pod_lua_open_chip(lua_State *L);
void pod_lua_open_exchange(lua_State *L);
void pod_lua_open_exported(lua_State *L);
void pod_lua_open_tpu(lua_State *L);
void pod_lua_open_compatibility(lua_State *L);
void pod_lua_open_profile(lua_State *L);
void pod_lua_open_sandbox(lua_State *L, lua_CFunction open);
void pod_lua_open_coroutines(lua_State *L);

/* Pushes a function of the module; all that Lua may call is made by this and the next two. */
void pod_lua_push_function(lua_State *L, lua_CFunction function);

/* The same with `count` values from the top of the stack, in their place, as its upvalues from the first of its own. */
#define POD_LUA_FIRST_UPVALUE 3
void pod_lua_push_closure(lua_State *L, lua_CFunction function, int count);

/* Adds functions to the table on top of the stack. */
void pod_lua_set_functions(lua_State *L, const luaL_Reg *functions);

/* Ends the content of a box that is closed: now, or once no function of the module is under way that may use it. What
 * the collector closes is ended now: nothing has it any more. NULL is allowed. Returns whether it is ended. */
bool pod_lua_end(lua_State *L, void (*end)(void *content), void *content);

/* Registers a metatable: methods (also reached by __index), and `close` as close, __gc and __close. Scripts see its
 * name in its place: whoever could call __gc on what is in use would end it there and then. */
void pod_lua_new_metatable(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction close,
                           lua_CFunction to_string);

/* Adds methods to those of such a metatable. */
void pod_lua_add_methods(lua_State *L, const char *name, const luaL_Reg *methods);

/* ---- errors --------------------------------------------------------------------------------------- */

/* Raises the error's message. Does not return; the int is for `return`. */
int pod_lua_raise(lua_State *L, const pod_error *error);

/* Raises unless status is POD_OK or POD_END. */
void pod_lua_check(lua_State *L, pod_status status, const pod_error *error);

/* ---- arguments ------------------------------------------------------------------------------------- */

/*
 * Numbers of Lua become numbers of C here alone. What the module itself counts with has a range that is said; lint
 * finds sums and products of others.
 */

/* The most bytes, elements or places that there are: with the size of an element they fit in an int64. */
#define POD_LUA_MOST_SIZE ((int64_t)1 << 48)

/* Returns the integer at `index`, a size, count or place of what is in memory, from 0 to POD_LUA_MOST_SIZE; raises,
 * naming `what`, when it is none. */
int64_t pod_lua_check_size(lua_State *L, int index, const char *what);

/* Returns the text at `index`, a path or a name; raises where it is none, or has a zero byte, at which C would take it
 * to end. The second returns `absent` for nil. */
const char *pod_lua_check_text(lua_State *L, int index);
const char *pod_lua_optional_text(lua_State *L, int index, const char *absent);

/* The same where it must be from `least` to `most`. */
int64_t pod_lua_check_within(lua_State *L, int index, const char *what, int64_t least, int64_t most);

/* The same of any value: of what is only kept, or given to the core, which looks itself. */
int64_t pod_lua_check_any(lua_State *L, int index, const char *what);

/* The same of a field of the table at `table`; 0 where there is none. */
int64_t pod_lua_check_any_field(lua_State *L, int table, const char *name);

/* Returns the number at `index`, which may be no finite one. */
double pod_lua_check_number(lua_State *L, int index, const char *what);

/* The same where it must be from `least` to `most`. */
double pod_lua_check_real(lua_State *L, int index, const char *what, double least, double most);

/* Returns the length of the array at `index`, less than INT_MAX. */
size_t pod_lua_length(lua_State *L, int index);

/* Pushes a block for so many things of a size, which are not cleared; raises where there is no memory. */
void *pod_lua_new_array(lua_State *L, size_t count, size_t size);

/* Returns what the module itself has put at `index`, where nobody else can. */
int64_t pod_lua_to_own(lua_State *L, int index);

/* Returns the number at `index`; 0 where there is none. */
double pod_lua_to_number(lua_State *L, int index);

/* Returns the dtype named at `index`; raises, listing the names, when there is none such. */
pod_dtype pod_lua_check_dtype(lua_State *L, int index);

/* Reads an array of sizes at `index`. */
void pod_lua_check_shape(lua_State *L, int index, pod_shape *shape);

/* Reads an array of axes at `index`. */
void pod_lua_check_axes(lua_State *L, int index, pod_axes *axes);

/* Pushes a shape as an array. */
void pod_lua_push_shape(lua_State *L, const pod_shape *shape);

/* Reads attributes from the table at `index` (nil: all zero). Strings and data stay borrowed from the
 * table's values, which the caller keeps on the stack. */
void pod_lua_check_attributes(lua_State *L, int index, pod_attributes *attributes);

/* Raises, naming `what`, where the value on top of the stack, an entry or a field of an argument, is not of a type of
 * Lua; numbers pass for strings. */
void pod_lua_check_top(lua_State *L, int type, const char *what);

/* Returns the position of the string at `index` in `names` (ends with NULL); raises, listing the names,
 * when it is not among them. */
int pod_lua_check_name(lua_State *L, int index, const char *what, const char *const *names);

/* ---- objects ------------------------------------------------------------------------------------------ */

/* Each returns the open object at `index`, borrowed; raises an argument error otherwise. */
pod_context *pod_lua_check_context(lua_State *L, int index);
pod_buffer *pod_lua_check_buffer(lua_State *L, int index);
pod_graph *pod_lua_check_graph(lua_State *L, int index);

/* Returns the chip that the name at `index`, of a generation, a chip that was added or a slice, is of. It stays in
 * place as long as the state: chips that were added are never changed. Raises for none. */
const pod_chip *pod_lua_check_chip(lua_State *L, int index);

/* Finds a slice by its name, also of a chip that was added: see pod_slice_find(). */
pod_status pod_lua_find_slice(lua_State *L, const char *name, pod_slice *slice, pod_error *error);

/* Takes the open graph at `index` out of its box: the caller's. Nothing may raise between this and its use. */
pod_graph *pod_lua_take_graph(lua_State *L, int index);

/* Returns the buffer at `index` or NULL when it is no open buffer. */
pod_buffer *pod_lua_to_buffer(lua_State *L, int index);

/* Pushes a share of a context that the state did not make. */
void pod_lua_push_context(lua_State *L, pod_context *context);

/* Pushes an empty box for a buffer; the caller then stores a buffer that is its own. */
pod_buffer **pod_lua_new_buffer_box(lua_State *L);

/* Pushes an empty box for a graph. */
pod_graph **pod_lua_new_graph_box(lua_State *L);

/* A text or bytes of the core on their way into a string: in a box on the stack that is made first, so that they are
 * freed also where Lua has no memory for the string. */
typedef struct pod_lua_text {
    pod_context *context; /* shared */
    char *text;           /* or NULL, and */
    pod_bytes bytes;
} pod_lua_text;

/* Pushes a box with nothing in it. */
pod_lua_text *pod_lua_new_text(lua_State *L, pod_context *context);

/* Pushes what is in the box as a string, and frees it. Returns 1. */
int pod_lua_push_text(lua_State *L, pod_lua_text *box);

/* Tells the collector that `bytes` of memory hang on a userdata made just now. */
void pod_lua_charge(lua_State *L, size_t bytes);

/* Elements as Lua values. */
void pod_lua_push_element(lua_State *L, pod_dtype dtype, const void *data, size_t index);

/* Stores a number or boolean as an element of an array; raises where the type does not hold it (see
 * pod_element_from_real()). */
void pod_lua_store_element(lua_State *L, int index, pod_dtype dtype, void *data, size_t place);

/*
 * Infeeds. A userdata whose metatable has the field `__infeed = true` starts with a pod_infeed: that is
 * how other files give programs their input. Returns NULL for any other value.
 */
const pod_infeed *pod_lua_to_infeed(lua_State *L, int index);

#endif
