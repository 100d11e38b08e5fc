/* compiler - what installed compilers of accelerators say of a program. */

#include "bind.h"

#define MEMORY(member) POD_LUA_FIELD(pod_compiled_memory, member)
static const pod_lua_field memory_fields[] = {
    MEMORY(fits),    MEMORY(need), MEMORY(arguments), MEMORY(outputs), MEMORY(temporaries),
    MEMORY(aliases), MEMORY(code), MEMORY(major),     MEMORY(minor),   {0},
};

static void copy_text(lua_State *L, int index, const char *name, char *to, size_t room)
{
    lua_getfield(L, index, name);
    if (lua_type(L, -1) == LUA_TSTRING)
        snprintf(to, room, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
}

pod_compiled_memory pod_lua_check_compiled(lua_State *L, int index)
{
    pod_compiled_memory compiled = {0};
    luaL_checktype(L, index, LUA_TTABLE);
    pod_lua_read_fields(L, index, &compiled, memory_fields);
    copy_text(L, index, "version", compiled.version, sizeof compiled.version);
    copy_text(L, index, "refusal", compiled.refusal, sizeof compiled.refusal);
    return compiled;
}

static void push_kernel(lua_State *L, const void *from, size_t index)
{
    static const pod_lua_field fields[] = {
        POD_LUA_FIELD(pod_compiled_kernel, cycles), POD_LUA_FIELD(pod_compiled_kernel, line), {0}};
    const pod_compiled_kernel *kernel = (const pod_compiled_kernel *)from + index;
    lua_createtable(L, 0, 3);
    pod_lua_set_fields(L, kernel, fields);
    pod_lua_set_text(L, "name", kernel->name);
}

/* Sets `time` of the table on top. */
static void push_time(lua_State *L, const pod_compiled_time *time)
{
#define TIME(member) POD_LUA_FIELD(pod_compiled_time, member)
    static const pod_lua_field fields[] = {
        TIME(cycles), TIME(kernels), TIME(without), TIME(loops), TIME(flops), TIME(bytes), TIME(transcendentals), {0},
    };
    lua_createtable(L, 0, 8);
    pod_lua_set_fields(L, time, fields);
    pod_lua_push_array(L, (size_t)time->count, push_kernel, time->longest);
    lua_setfield(L, -2, "longest");
    lua_setfield(L, -2, "time");
}

/* compiled_memory(context, plugin, topology, module, { replicas =, partitions =, seconds =, times = }) -> { arguments
 * =, outputs =, temporaries =, aliases =, code =, major =, minor =, version =, time = } */
static int compiled_memory(lua_State *L, pod_error *error)
{
#define QUESTION(member) POD_LUA_FIELD(pod_compiler_question, member)
    static const pod_lua_field asked[] = {
        QUESTION(replicas), QUESTION(partitions), QUESTION(seconds), QUESTION(times), {0}};
    pod_context *context = pod_lua_check_context(L, 1);
    pod_compiler_question question = {.plugin = pod_lua_check_text(L, 2), .topology = pod_lua_check_text(L, 3)};
    question.module = luaL_checklstring(L, 4, &question.module_size);
    luaL_checktype(L, 5, LUA_TTABLE);
    pod_lua_read_fields(L, 5, &question, asked);
    pod_compiled_memory memory;
    pod_lua_check(L, pod_compiler_memory(context, &question, &memory, error), error);
    lua_createtable(L, 0, 8);
    pod_lua_set_fields(L, &memory, memory_fields);
    pod_lua_set_text(L, "version", memory.version);
    pod_lua_set_text(L, "refusal", memory.refusal);
    if (question.times && memory.fits)
        push_time(L, &memory.time);
    return 1;
}

static const pod_lua_function functions[] = {{"compiled_memory", .failing = compiled_memory}, {0}};

const pod_lua_part pod_lua_compiler_part = {.functions = functions};
