#ifndef POD_BIND_FIELDS_H
#define POD_BIND_FIELDS_H

/* fields - fields of tables of Lua, and of structs of C that become them. */

#include "lcompat.h"

#include <moonpod/tensor.h>

#include <stdbool.h>
#include <stddef.h>

/* Each sets a field of the table on top of the stack. */
void pod_lua_set_integer(lua_State *L, const char *name, int64_t value);
void pod_lua_set_number(lua_State *L, const char *name, double value);
void pod_lua_set_boolean(lua_State *L, const char *name, bool value);
void pod_lua_set_text(lua_State *L, const char *name, const char *text); /* NULL: no field */

/* Push arrays: the first of `count` values, of which push() pushes each, from 0. */
typedef void pod_lua_push(lua_State *L, const void *from, size_t index);
void pod_lua_push_array(lua_State *L, size_t count, pod_lua_push *push, const void *from);
void pod_lua_push_shape(lua_State *L, const pod_shape *shape);
void pod_lua_push_sizes(lua_State *L, const int32_t *sizes, int32_t count);
void pod_lua_push_integers(lua_State *L, const int64_t *values, size_t count);

/* The same as fields of the table on top of the stack. */
void pod_lua_set_shape(lua_State *L, const char *name, const pod_shape *shape);
void pod_lua_set_sizes(lua_State *L, const char *name, const int32_t *sizes, int32_t count);
void pod_lua_set_array(lua_State *L, const char *name, size_t count, pod_lua_push *push, const void *from);

typedef enum pod_lua_type {
    POD_LUA_BOOL,
    POD_LUA_INT32,
    POD_LUA_UINT32,
    POD_LUA_INT64, /* or uint64_t: what Lua counts is less than either's half */
    POD_LUA_REAL,
    POD_LUA_TEXT
} pod_lua_type;

/* A member of a struct, which is a field of the same name in Lua. A table of them ends with one without a name. */
typedef struct pod_lua_field {
    const char *name;
    pod_lua_type type;
    size_t offset;
} pod_lua_field;

/* int and long long have 32 and 64 bits on all systems, long is either. */
/* clang-format off: it knows no _Generic */
#define POD_LUA_FIELD(of, member)                                                                                      \
    {                                                                                                                  \
#member, _Generic(((of *)0)->member, bool: POD_LUA_BOOL, int: POD_LUA_INT32, unsigned: POD_LUA_UINT32, \
                       long: sizeof(long) == 8 ? POD_LUA_INT64 : POD_LUA_INT32, \
                       unsigned long: sizeof(long) == 8 ? POD_LUA_INT64 : POD_LUA_UINT32, \
                       long long: POD_LUA_INT64, unsigned long long: POD_LUA_INT64, double: POD_LUA_REAL, \
                       const char *: POD_LUA_TEXT), offsetof(of, member)               \
    }
/* clang-format on */

/* Sets them all in the table on top of the stack. */
void pod_lua_set_fields(lua_State *L, const void *from, const pod_lua_field *fields);

/* Sets those alone that are not 0. */
void pod_lua_set_known_fields(lua_State *L, const void *from, const pod_lua_field *fields);

/* Whether all of them are the same in two structs; of texts the same in memory. */
bool pod_lua_fields_equal(const void *a, const void *b, const pod_lua_field *fields);

/* Reads those that the table at `index` has; numbers of 32 bits from 0, texts not at all. */
void pod_lua_read_fields(lua_State *L, int index, void *into, const pod_lua_field *fields);

#endif
