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

#include "fields.h"

#include <moonpod/chip.h>
#include <moonpod/compiler.h>
#include <moonpod/formats.h>
#include <moonpod/graph.h>
#include <moonpod/program.h>

#define POD_LUA_CONTEXT "moonpod.context"
#define POD_LUA_BUFFER  "moonpod.buffer"
#define POD_LUA_GRAPH   "moonpod.graph"
#define POD_LUA_PROGRAM "moonpod.program"

/* text_bucket(text, count, key, key) -> which of `count` buckets the text falls in, from 0; keys may be nil. Of 0: the
 * high and the low 32 bits of its hash */
int pod_lua_text_bucket(lua_State *L);

/* A function of the module that may fail: it returns how many values it has pushed, or fills in the error and returns
 * its status, below 0, which is raised. */
typedef int pod_lua_failing(lua_State *L, pod_error *error);

/* A function of the module and its name; a table of them, which stays in place, ends with one that has none. */
typedef struct pod_lua_function {
    const char *name;
    lua_CFunction plain; /* which raises what fails, or */
    pod_lua_failing *failing;
} pod_lua_function;

/* Returns what such a function does: the count where the status is none of a failure. */
static inline int pod_lua_results(pod_status status, int count)
{
    return status < 0 ? (int)status : count;
}

/* Pushes a function of the module; all that Lua may call is made by this and the next two. */
void pod_lua_push_function(lua_State *L, lua_CFunction function);

/* The same with `count` values from the top of the stack, in their place, as its upvalues from the first of its own. */
#define POD_LUA_FIRST_UPVALUE 3
void pod_lua_push_closure(lua_State *L, lua_CFunction function, int count);

/* Adds functions to the table on top of the stack. */
void pod_lua_set_functions(lua_State *L, const pod_lua_function *functions);

/* Ends the content of a box that is closed: now, or once no function of the module is under way that may use it. What
 * the collector closes is ended now: nothing has it any more. NULL is allowed. */
void pod_lua_end(lua_State *L, void (*end)(void *content), void *content);

/* Whether the function of the module that runs was called within another. */
bool pod_lua_is_nested(lua_State *L);

/* ---- handles -------------------------------------------------------------------------------------- */

/* What all boxes of a kind are. */
typedef struct pod_lua_kind {
    const char *name;                              /* of the metatable, "moonpod.graph" */
    const char *what;                              /* what messages call one: "graph" */
    size_t size;                                   /* of a box; 0: it is a pointer to its content alone */
    size_t place;                                  /* of that pointer in it */
    void (*end)(void *content);                    /* ends the content of a box that is closed or collected; or */
    lua_CFunction close, collect;                  /* what does that; NULL for the latter: as the former */
    void (*describe)(lua_State *L, void *content); /* pushes what tostring() says of an open one, or is NULL */
} pod_lua_kind;

/* Makes its metatable: methods (NULL: none; also reached by __index), with close() among them, __gc, __close and
 * __tostring. Scripts see its name in its place: whoever could call __gc on what is in use would end it there and then.
 */
void pod_lua_open_kind(lua_State *L, const pod_lua_kind *kind, const pod_lua_function *methods);

/* What a file adds to the module. Each may be NULL. */
typedef struct pod_lua_part {
    const pod_lua_function *functions;
    const pod_lua_kind *kind; /* and its methods */
    const pod_lua_function *methods;
    const pod_lua_kind *of; /* another's, with more methods */
    const pod_lua_function *more;
    void (*open)(lua_State *L); /* what else there is to do, before functions are added */
} pod_lua_part;

extern const pod_lua_part pod_lua_module_part, pod_lua_text_part, pod_lua_compiled_part, pod_lua_context_part,
    pod_lua_buffer_part, pod_lua_graph_part, pod_lua_graph_build_part, pod_lua_graph_copy_part, pod_lua_program_part,
    pod_lua_run_part, pod_lua_bound_part, pod_lua_dataset_part, pod_lua_iterator_part, pod_lua_dataset_stages_part,
    pod_lua_dataset_decode_part, pod_lua_dataset_callbacks_part, pod_lua_worker_part, pod_lua_formats_part,
    pod_lua_named_arrays_part, pod_lua_events_part, pod_lua_chips_part, pod_lua_chip_part, pod_lua_compiler_part,
    pod_lua_exchange_part, pod_lua_exported_part, pod_lua_tpu_part, pod_lua_compatibility_part, pod_lua_profile_part,
    pod_lua_accelerator_part, pod_lua_service_part, pod_lua_service_worker_part, pod_lua_ranks_part;
/* Reads what compiled_memory() has returned. */
pod_compiled_memory pod_lua_check_compiled(lua_State *L, int index);
void pod_lua_open_sandbox(lua_State *L, lua_CFunction open);
void pod_lua_open_coroutines(lua_State *L);

/* Adds a part to the table on top of the stack. */
void pod_lua_open_part(lua_State *L, const pod_lua_part *part);

/* Pushes a box with nothing in it. */
void *pod_lua_new_box(lua_State *L, const pod_lua_kind *kind);

/* Returns the content of the box at `index`, borrowed; raises where that is no open box of the kind. */
void *pod_lua_check_open(lua_State *L, int index, const pod_lua_kind *kind);

/* Raises that the argument at an index, or what lies within one (a negative index), is closed. */
void pod_lua_closed(lua_State *L, int index, const char *what);

/* ---- errors --------------------------------------------------------------------------------------- */

/* Raises the error's message. Does not return; the int is for `return`. */
int pod_lua_raise(lua_State *L, const pod_error *error);

/* Raises unless status is POD_OK or POD_END. */
void pod_lua_check(lua_State *L, pod_status status, const pod_error *error);

/* Fills in an error from a callback, and returns the status. */
pod_status pod_lua_refuse(pod_error *error, pod_status status, const char *message);

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

/* An entry of an array on its way into C: on top of the stack. Strings and userdata that are on the stack from it on
 * when it was read live as long as the block, whatever becomes of the table: C may point into them. */
typedef struct pod_lua_entry {
    void *into;          /* all zero at first */
    size_t index;        /* from 0 */
    const void *context; /* the caller's */
} pod_lua_entry;
typedef void pod_lua_read(lua_State *L, const pod_lua_entry *entry);

/* Reads the array at `index` into a block of entries of a size, which stays on the stack. */
void *pod_lua_check_array(lua_State *L, int index, size_t size, size_t *count, pod_lua_read *read, const void *context);

/* The same of the first `count` entries of a table: for who has made room for as many, since when a finaliser may have
 * added more. */
void *pod_lua_check_entries(lua_State *L, int index, size_t size, size_t count, pod_lua_read *read,
                            const void *context);

/* Reads the first `count` booleans of the array at `index` into a block that stays on the stack; NULL for nil. */
const bool *pod_lua_check_flags(lua_State *L, int index, size_t count);

/* Pushes what push(), which is not a function of the module, makes of `content`, so that the caller may free that
 * whatever happens. Returns false, with the error pushed, where it raised. */
bool pod_lua_push_protected(lua_State *L, lua_CFunction push, void *content);

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

/* Reads attributes from the table at `index` (nil: all zero). Pushes two values, of which strings and data are
 * borrowed; none for nil. */
void pod_lua_check_attributes(lua_State *L, int index, pod_attributes *attributes);

/* Raises, naming `what`, where the value on top of the stack, an entry or a field of an argument, is not of a type of
 * Lua. A number is no string: nobody would keep what it becomes. */
void pod_lua_check_top(lua_State *L, int type, const char *what);

/* Returns the position of the string at `index` in `names` (ends with NULL); raises, listing the names,
 * when it is not among them. */
int pod_lua_check_name(lua_State *L, int index, const char *what, const char *const *names);

/* Raises that what is at `index` is no `what`: "unknown dtype 'f3'; dtypes are ..." */
void pod_lua_raise_unknown(lua_State *L, int index, const char *what, const char *are, const char *const *names);

/* ---- objects ------------------------------------------------------------------------------------------ */

/* Each returns the open object at `index`, borrowed; raises an argument error otherwise. */
pod_context *pod_lua_check_context(lua_State *L, int index);
pod_buffer *pod_lua_check_buffer(lua_State *L, int index);
pod_graph *pod_lua_check_graph(lua_State *L, int index);

/* The same of a buffer whose elements the caller does not look at: they may be on a device alone. Every other way to a
 * buffer (pod_lua_check_buffer(), pod_lua_to_buffer()) fetches them first. */
pod_buffer *pod_lua_check_held(lua_State *L, int index);

/* Returns the chip that the name at `index`, of a generation, a chip that was added or a slice, is of. It stays in
 * place as long as the state: chips that were added are never changed. Raises for none. */
const pod_chip *pod_lua_check_chip(lua_State *L, int index);

/* Finds a slice by its name, also of a chip that was added: see pod_slice_find(). */
pod_status pod_lua_find_slice(lua_State *L, const char *name, pod_slice *slice, pod_error *error);

/* Takes the open graph at `index` out of its box: the caller's. Nothing may raise between this and its use. Within
 * another call of the module, which may use it as well, a copy; without memory for that NULL. */
pod_graph *pod_lua_take_graph(lua_State *L, int index, pod_error *error);

/* Returns the buffer at `index` or NULL when it is no open buffer. */
pod_buffer *pod_lua_to_buffer(lua_State *L, int index);

/* Takes the first `count` buffers out of the array on top of the stack, each shared, and pops it; false, with none
 * taken, where there is no such array. Raises nothing. */
bool pod_lua_take_buffers(lua_State *L, size_t count, pod_buffer **buffers);

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

/* Pushes what is in the box as a string, and frees it. Returns 1; the status where that is of a failure. */
int pod_lua_push_text(lua_State *L, pod_lua_text *box, pod_status status);

/* Tells the collector that `bytes` of memory of a context (NULL: of one not known) hang on a userdata made just now. It
 * collects all garbage where the context holds much more than after it did so last. */
void pod_lua_charge(lua_State *L, const pod_context *context, size_t bytes);

/* Elements as Lua values. */
void pod_lua_push_element(lua_State *L, pod_dtype dtype, const void *data, size_t index);

/* Stores a number or boolean as an element of an array; raises where the type does not hold it (see
 * pod_element_from_real()). */
void pod_lua_store_element(lua_State *L, int index, pod_dtype dtype, void *data, size_t place);

/* Finds the shape of the nested arrays at `index` by going into each first entry; returns the type of Lua of the
 * innermost. */
int pod_lua_infer_shape(lua_State *L, int index, pod_shape *shape);

/* Stores the elements of the nested arrays on top of the stack, which have this shape or raise. */
void pod_lua_store_nested(lua_State *L, const pod_shape *shape, pod_dtype dtype, void *data);

/* Pushes elements as nested arrays, or one value where there are no axes. */
void pod_lua_push_nested(lua_State *L, const pod_buffer *buffer);

/*
 * Infeeds. A userdata whose metatable has the field `__infeed = true` starts with a pod_infeed: that is
 * how other files give programs their input. Returns NULL for any other value.
 */
const pod_infeed *pod_lua_to_infeed(lua_State *L, int index);

#endif
