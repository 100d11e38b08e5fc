/* handle - boxes of what the core makes, and their metatables: see bind.h. */

#include "sandbox.h"

#include <string.h>

#define METHODS "__methods"

/* handle.name in a sandbox: for Moonpod's modules alone, or a script has a method called by whatever calls its
 * functions. */
static int method_of(lua_State *L)
{
    pod_lua_sandbox_check_caller(L);
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

/* Takes the content out of the box that is the first argument. */
static void *take_content(lua_State *L, const pod_lua_kind *kind)
{
    char *box = luaL_checkudata(L, 1, kind->name);
    void **place = (void **)(void *)(box + kind->place), *content = *place;
    *place = NULL;
    return content;
}

static int close_box(lua_State *L)
{
    const pod_lua_kind *kind = lua_touserdata(L, lua_upvalueindex(POD_LUA_FIRST_UPVALUE));
    pod_lua_end(L, kind->end, take_content(L, kind));
    return 0;
}

static int collect_box(lua_State *L)
{
    const pod_lua_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    void *content = take_content(L, kind);
    if (content)
        kind->end(content);
    return 0;
}

static int box_tostring(lua_State *L)
{
    const pod_lua_kind *kind = lua_touserdata(L, lua_upvalueindex(POD_LUA_FIRST_UPVALUE));
    char *box = luaL_checkudata(L, 1, kind->name);
    void *content = *(void **)(void *)(box + kind->place);
    lua_pushstring(L, kind->name);
    if (content && !kind->describe)
        return 1;
    if (content)
        kind->describe(L, content);
    else
        lua_pushliteral(L, "closed");
    lua_pushfstring(L, "%s (%s)", lua_tostring(L, -2), lua_tostring(L, -1));
    return 1;
}

/* Pushes a function of the module that knows the kind. */
static void push_of_kind(lua_State *L, lua_CFunction function, const pod_lua_kind *kind)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)kind);
    pod_lua_push_closure(L, function, 1);
}

/* Pushes what the collector calls: no function of the module. */
static void push_collector(lua_State *L, const pod_lua_kind *kind)
{
    if (kind->close) {
        lua_pushcfunction(L, kind->collect ? kind->collect : kind->close);
        return;
    }
    lua_pushlightuserdata(L, (void *)(uintptr_t)kind);
    lua_pushcclosure(L, collect_box, 1);
}

void pod_lua_open_kind(lua_State *L, const pod_lua_kind *kind, const pod_lua_function *methods)
{
    const lua_CFunction close = kind->close ? kind->close : close_box;
    luaL_newmetatable(L, kind->name);
    lua_newtable(L);
    if (methods)
        pod_lua_set_functions(L, methods);
    push_of_kind(L, close, kind);
    lua_setfield(L, -2, "close");
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, METHODS);
    if (pod_lua_sandbox_of(L))
        lua_pushcclosure(L, method_of, 1);
    lua_setfield(L, -2, "__index");
    push_collector(L, kind);
    lua_setfield(L, -2, "__gc");
    push_of_kind(L, close, kind);
    lua_setfield(L, -2, "__close");
    push_of_kind(L, box_tostring, kind);
    lua_setfield(L, -2, "__tostring");
    pod_lua_set_text(L, "__name", kind->name);
    pod_lua_set_text(L, "__metatable", kind->name);
    lua_pop(L, 1);
}

static void add_methods(lua_State *L, const pod_lua_kind *kind, const pod_lua_function *methods)
{
    luaL_getmetatable(L, kind->name);
    lua_getfield(L, -1, METHODS);
    pod_lua_set_functions(L, methods);
    lua_pop(L, 2);
}

void pod_lua_open_part(lua_State *L, const pod_lua_part *part)
{
    if (part->kind)
        pod_lua_open_kind(L, part->kind, part->methods);
    if (part->of)
        add_methods(L, part->of, part->more);
    if (part->open)
        part->open(L);
    if (part->functions)
        pod_lua_set_functions(L, part->functions);
}

void *pod_lua_new_box(lua_State *L, const pod_lua_kind *kind)
{
    const size_t size = kind->size ? kind->size : sizeof(void *);
    void *box = pod_lua_newuserdata(L, size);
    memset(box, 0, size);
    pod_lua_setmetatable(L, kind->name);
    return box;
}

void *pod_lua_check_open(lua_State *L, int index, const pod_lua_kind *kind)
{
    char *box = luaL_checkudata(L, index, kind->name);
    void *content = *(void **)(void *)(box + kind->place);
    if (!content)
        pod_lua_closed(L, index, kind->what);
    return content;
}

void pod_lua_closed(lua_State *L, int index, const char *what)
{
    if (index < 0) /* within an argument: its place on the stack tells nobody anything */
        luaL_error(L, "the %s is closed", what);
    luaL_argerror(L, index, lua_pushfstring(L, "the %s is closed", what));
}

/* ---- texts of the core on their way into strings of Lua ---- */

static int text_collect(lua_State *L)
{
    pod_lua_text *box = luaL_checkudata(L, 1, "moonpod.text");
    pod_text_free(box->context, box->text);
    pod_bytes_free(box->context, &box->bytes);
    pod_context_release(box->context);
    *box = (pod_lua_text){0};
    return 0;
}

static const pod_lua_kind text_kind = {"moonpod.text", "text", .size = sizeof(pod_lua_text), .close = text_collect};

const pod_lua_part pod_lua_text_part = {.kind = &text_kind};

pod_lua_text *pod_lua_new_text(lua_State *L, pod_context *context)
{
    pod_lua_text *box = pod_lua_new_box(L, &text_kind);
    box->context = pod_context_retain(context);
    return box;
}

int pod_lua_push_text(lua_State *L, pod_lua_text *box, pod_status status)
{
    if (status < 0)
        return status;
    if (box->text != NULL)
        lua_pushstring(L, box->text);
    else
        lua_pushlstring(L, box->bytes.data, box->bytes.size);
    pod_text_free(box->context, box->text);
    pod_bytes_free(box->context, &box->bytes);
    box->text = NULL;
    return 1;
}
