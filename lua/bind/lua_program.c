/* lua_program - a compiled graph, and running it. */

#include "program_access.h"

#include <string.h>

const pod_lua_program *pod_lua_check_program(lua_State *L, int index)
{
    const pod_lua_program *box = luaL_checkudata(L, index, POD_LUA_PROGRAM);
    luaL_argcheck(L, box->program, index, "the program is closed");
    return box;
}

static pod_program *check_program(lua_State *L, int index)
{
    return pod_lua_check_program(L, index)->program;
}

/* compile(context, graph, {no_fusion = }?) */
static int program_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_graph *graph = pod_lua_check_graph(L, 2);
    pod_compile_options options = {0};
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        lua_getfield(L, 3, "no_fusion");
        options.no_fusion = lua_toboolean(L, -1);
    }
    pod_lua_program *box = pod_lua_newuserdata(L, sizeof *box);
    *box = (pod_lua_program){0};
    pod_lua_setmetatable(L, POD_LUA_PROGRAM);
    box->parameter_count = pod_graph_parameter_count(graph);
    box->output_count = pod_graph_output_count(graph);
    pod_error error;
    pod_lua_check(L, pod_program_compile(context, graph, &options, &box->program, &error), &error);
    box->context = pod_context_retain(context);
    pod_lua_charge(L, (size_t)pod_program_get_stats(box->program).allocated_bytes);
    return 1;
}

static void end_program(void *program)
{
    pod_program_free(program);
}

static void end_context(void *context)
{
    pod_context_release(context);
}

static int program_close(lua_State *L)
{
    pod_lua_program *box = luaL_checkudata(L, 1, POD_LUA_PROGRAM);
    const pod_lua_program content = *box;
    *box = (pod_lua_program){0};
    pod_lua_end(L, end_program, content.program);
    pod_lua_end(L, end_context, content.context);
    return 0;
}

/* ---- what programs tell ---- */

static void set_number(lua_State *L, const char *field, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, field);
}

static void set_integer(lua_State *L, const char *field, uint64_t value)
{
    pod_lua_push_int64(L, (int64_t)value);
    lua_setfield(L, -2, field);
}

/* program:stats() -> table with the fields of pod_program_stats */
static int program_stats(lua_State *L)
{
    pod_program_stats stats = pod_program_get_stats(check_program(L, 1));
    lua_newtable(L);
    set_integer(L, "instructions", stats.instructions);
    set_integer(L, "nodes", stats.nodes);
    set_integer(L, "kernels_fused", stats.kernels_fused);
    set_integer(L, "arena_bytes", stats.arena_bytes);
    set_integer(L, "literal_bytes", stats.literal_bytes);
    set_integer(L, "argument_bytes", stats.argument_bytes);
    set_integer(L, "output_bytes", stats.output_bytes);
    set_integer(L, "alias_bytes", stats.alias_bytes);
    set_integer(L, "code_bytes", stats.code_bytes);
    set_integer(L, "scratch_bytes", stats.scratch_bytes);
    set_integer(L, "planned_bytes", stats.planned_bytes);
    set_integer(L, "allocated_bytes", stats.allocated_bytes);
    set_integer(L, "held_bytes", stats.held_bytes);
    set_number(L, "compile_seconds", stats.compile_seconds);
    return 1;
}

/* program:print() -> instructions, buffers and bytes as text */
static int program_print(lua_State *L)
{
    pod_program *program = check_program(L, 1);
    pod_lua_program *box = lua_touserdata(L, 1);
    pod_lua_text *text = pod_lua_new_text(L, box->context);
    text->text = pod_program_print(program);
    if (!text->text)
        return luaL_error(L, "no memory to print a program");
    return pod_lua_push_text(L, text);
}

/* program:count_time(on) counts how long instructions take, from zero, or no longer */
static int program_count_time(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_program_count_time(check_program(L, 1), lua_toboolean(L, 2), &error), &error);
    return 0;
}

/* program:times() -> {steps =, waiting_nanoseconds =, phases =, [i] = {kind =, name =, location =, phase =,
 * nanoseconds =, runs =, operations =, products =, rows =, columns =, depth =, bytes =}}: see pod_program_times */
static int program_times(lua_State *L)
{
    pod_program *program = check_program(L, 1);
    size_t count = pod_program_get_times(program, NULL, 0).instructions;
    pod_instruction_time *times = pod_lua_new_array(L, count + 1, sizeof *times);
    pod_program_times sum = pod_program_get_times(program, times, count);
    lua_createtable(L, (int)count, 3);
    set_integer(L, "steps", sum.steps);
    set_integer(L, "waiting_nanoseconds", sum.waiting_nanoseconds);
    set_integer(L, "phases", sum.phases);
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 12);
        lua_pushstring(L, times[i].kind);
        lua_setfield(L, -2, "kind");
        lua_pushstring(L, times[i].name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, times[i].location);
        lua_setfield(L, -2, "location");
        set_integer(L, "phase", times[i].phase);
        set_integer(L, "nanoseconds", times[i].nanoseconds);
        set_integer(L, "runs", times[i].runs);
        set_number(L, "operations", times[i].operations);
        set_integer(L, "products", (uint64_t)times[i].products);
        set_integer(L, "rows", (uint64_t)times[i].rows);
        set_integer(L, "columns", (uint64_t)times[i].columns);
        set_integer(L, "depth", (uint64_t)times[i].depth);
        set_integer(L, "bytes", times[i].bytes);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int program_tostring(lua_State *L)
{
    pod_lua_program *box = luaL_checkudata(L, 1, POD_LUA_PROGRAM);
    if (box->program)
        lua_pushfstring(L, "moonpod.program (%d parameters, %d outputs)", (int)box->parameter_count,
                        (int)box->output_count);
    else
        lua_pushliteral(L, "moonpod.program (closed)");
    return 1;
}

static const luaL_Reg program_methods[] = {{"stats", program_stats},
                                           {"print", program_print},
                                           {"count_time", program_count_time},
                                           {"times", program_times},
                                           {NULL, NULL}};

void pod_lua_open_program(lua_State *L)
{
    pod_lua_new_metatable(L, POD_LUA_PROGRAM, program_methods, program_close, program_tostring);
    pod_lua_push_function(L, program_new);
    lua_setfield(L, -2, "compile");
}
