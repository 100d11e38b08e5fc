/* lua_program - a compiled graph, and running it. */

#include "bind.h"

#include <stdatomic.h>
#include <string.h>

static pod_program *check_program(lua_State *L, int index)
{
    pod_program **box = luaL_checkudata(L, index, POD_LUA_PROGRAM);
    luaL_argcheck(L, *box, index, "the program is closed");
    return *box;
}

/* What program:run() needs of the program's graph, which is gone by then. Follows the program in its box. */
typedef struct program_box {
    pod_program *program;
    pod_context *context; /* shared */
    size_t parameter_count, output_count;
} program_box;

/* compile(context, graph, {matmul_precision = , no_fusion = }?) */
static int program_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_graph *graph = pod_lua_check_graph(L, 2);
    pod_compile_options options = {0};
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        lua_getfield(L, 3, "matmul_precision");
        options.matmul_precision = luaL_optstring(L, -1, NULL);
        lua_getfield(L, 3, "no_fusion");
        options.no_fusion = lua_toboolean(L, -1);
    }
    program_box *box = pod_lua_newuserdata(L, sizeof *box);
    *box = (program_box){0};
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
    program_box *box = luaL_checkudata(L, 1, POD_LUA_PROGRAM);
    const program_box content = *box;
    *box = (program_box){0};
    pod_lua_end(L, end_program, content.program);
    pod_lua_end(L, end_context, content.context);
    return 0;
}

/* ---- what print ops hand out: kept during the run, given to Lua after it -------------------------------- */

#define PRINT_LIMIT 1024

typedef struct printed {
    char label[64];
    pod_buffer *value;
} printed;

typedef struct print_list {
    atomic_flag busy; /* guards the rest */
    pod_context *context;
    size_t count, dropped;
    printed entries[PRINT_LIMIT];
} print_list;

static void keep_print(void *print_context, const char *label, const pod_buffer *value)
{
    print_list *list = print_context;
    pod_buffer *copy;
    if (pod_buffer_new(list->context, pod_buffer_dtype(value), pod_buffer_shape(value), &copy, NULL) != POD_OK)
        return;
    memcpy(pod_buffer_data(copy), pod_buffer_data(value), pod_buffer_bytes(value));
    while (atomic_flag_test_and_set_explicit(&list->busy, memory_order_acquire)) {
    }
    if (list->count < PRINT_LIMIT) {
        printed *entry = &list->entries[list->count++];
        strncpy(entry->label, label ? label : "", sizeof entry->label - 1);
        entry->label[sizeof entry->label - 1] = '\0';
        entry->value = copy;
        copy = NULL;
    } else {
        list->dropped++;
    }
    atomic_flag_clear_explicit(&list->busy, memory_order_release);
    pod_buffer_release(copy);
}

/* Pushes an array of {label, buffer}, and frees the list. */
static void push_prints(lua_State *L, print_list *list)
{
    lua_newtable(L);
    for (size_t i = 0; list && i < list->count; i++) {
        lua_newtable(L);
        lua_pushstring(L, list->entries[i].label);
        lua_rawseti(L, -2, 1);
        *pod_lua_new_buffer_box(L) = list->entries[i].value;
        list->entries[i].value = NULL;
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static int print_list_collect(lua_State *L)
{
    print_list *list = lua_touserdata(L, 1);
    for (size_t i = 0; i < list->count; i++)
        pod_buffer_release(list->entries[i].value);
    list->count = 0;
    return 0;
}

/* ---- infeeds ---------------------------------------------------------------------------------------------- */

const pod_infeed *pod_lua_to_infeed(lua_State *L, int index)
{
    if (!lua_isuserdata(L, index) || !lua_getmetatable(L, index))
        return NULL;
    lua_getfield(L, -1, "__infeed");
    bool is_infeed = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return is_infeed ? lua_touserdata(L, index) : NULL;
}

/* An infeed that asks a Lua function, on the thread that runs the program: it returns an array of buffers,
 * or nil at the end. */
typedef struct function_infeed {
    lua_State *L;
    int function; /* stack index */
    int failure;  /* stack index that receives the error value of a failed call */
} function_infeed;

static pod_status function_next(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    function_infeed *infeed = context;
    lua_State *L = infeed->L;
    lua_pushvalue(L, infeed->function);
    if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
        lua_replace(L, infeed->failure);
        error->status = POD_ERROR_CALLBACK;
        strcpy(error->message, "the infeed function failed");
        return POD_ERROR_CALLBACK;
    }
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return POD_END;
    }
    size_t i = 0;
    for (; i < count && lua_type(L, -1) == LUA_TTABLE; i++) {
        pod_lua_geti(L, lua_gettop(L), i + 1);
        pod_buffer *buffer = pod_lua_to_buffer(L, lua_gettop(L));
        slots[i] = buffer ? pod_buffer_retain(buffer) : NULL;
        lua_pop(L, 1);
        if (!buffer)
            break;
    }
    lua_pop(L, 1);
    if (i == count)
        return POD_OK;
    for (size_t j = 0; j < i; j++)
        pod_buffer_release(slots[j]);
    error->status = POD_ERROR_CALLBACK;
    strcpy(error->message, "the infeed function returned no array of buffers, one a slot");
    return POD_ERROR_CALLBACK;
}

/* ---- running ------------------------------------------------------------------------------------------------ */

static void check_run_options(lua_State *L, int index, pod_run_options *options)
{
    lua_getfield(L, index, "steps");
    if (!lua_isnil(L, -1))
        options->steps = pod_lua_check_int64(L, -1, "steps");
    lua_getfield(L, index, "infeed_first");
    if (!lua_isnil(L, -1))
        options->infeed_first = (size_t)pod_lua_check_within(L, -1, "infeed_first", 0, INT32_MAX);
    lua_getfield(L, index, "infeed_count");
    if (!lua_isnil(L, -1))
        options->infeed_count = (size_t)pod_lua_check_within(L, -1, "infeed_count", 0, INT32_MAX);
    lua_pop(L, 3);
}

static pod_buffer **check_arguments(lua_State *L, int index, size_t count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    pod_buffer **arguments = pod_lua_newuserdata(L, (count + 1) * sizeof *arguments);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, index, i + 1);
        arguments[i] = lua_toboolean(L, -1) ? pod_lua_check_buffer(L, lua_gettop(L)) : NULL;
        lua_pop(L, 1);
    }
    return arguments;
}

static void push_report(lua_State *L, const pod_run_report *report)
{
    lua_newtable(L);
    pod_lua_push_int64(L, report->steps);
    lua_setfield(L, -2, "steps");
    lua_pushboolean(L, report->interrupted);
    lua_setfield(L, -2, "interrupted");
    lua_pushboolean(L, report->ended);
    lua_setfield(L, -2, "ended");
}

/* Puts the results into boxes made before the run, so that nothing is lost when Lua has no memory. */
static void take_results(lua_State *L, int table, pod_buffer **results, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, table, (int)i + 1);
        pod_buffer **box = lua_touserdata(L, -1);
        lua_pop(L, 1);
        *box = results[i];
        bytes += results[i] ? pod_buffer_bytes(results[i]) : 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (results[i])
            continue;
        lua_pushboolean(L, 0);
        lua_rawseti(L, table, (int)i + 1);
    }
    pod_lua_charge(L, bytes);
}

static print_list *push_print_list(lua_State *L, pod_context *context)
{
    print_list *list = pod_lua_newuserdata(L, sizeof *list);
    memset(list, 0, sizeof *list);
    atomic_flag_clear(&list->busy);
    list->context = context;
    lua_newtable(L);
    lua_pushcfunction(L, print_list_collect);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return list;
}

/* program:run(arguments, {steps, infeed, infeed_first, infeed_count, print}?) -> results, report, prints.
 * arguments: array of buffers, false for what the infeed gives; results: array of buffers, false for
 * aliases; infeed: a userdata that is an infeed, or a function that returns an array of buffers or
 * nil; print = true collects what print ops hand out, as {label, buffer} */
static int program_run(lua_State *L)
{
    check_program(L, 1);
    const program_box box = *(const program_box *)lua_touserdata(L, 1);
    lua_settop(L, 3);
    pod_run_options options = {.tells_writes = true}; /* buffer:set() and buffer:write() do */
    function_infeed function = {L, 0, 0};
    pod_infeed function_adapter = {.next = function_next, .context = &function};
    print_list *prints = NULL;
    if (!lua_isnil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        check_run_options(L, 3, &options);
        lua_getfield(L, 3, "print");
        if (lua_toboolean(L, -1)) {
            options.print_context = prints = push_print_list(L, box.context);
            options.print = keep_print;
        }
        lua_getfield(L, 3, "infeed");
        options.infeed = pod_lua_to_infeed(L, lua_gettop(L));
        if (lua_isfunction(L, -1)) {
            function.function = lua_gettop(L);
            lua_pushnil(L);
            function.failure = lua_gettop(L);
            options.infeed = &function_adapter;
        } else if (!options.infeed && !lua_isnil(L, -1)) {
            return luaL_error(L, "option 'infeed' must be an infeed or a function, not %s", luaL_typename(L, -1));
        }
    }
    pod_buffer **arguments = check_arguments(L, 2, box.parameter_count);
    pod_buffer **results = pod_lua_newuserdata(L, (box.output_count + 1) * sizeof *results);
    memset(results, 0, (box.output_count + 1) * sizeof *results);
    lua_createtable(L, (int)box.output_count, 0);
    int table = lua_gettop(L);
    for (size_t i = 0; i < box.output_count; i++) {
        pod_lua_new_buffer_box(L);
        lua_rawseti(L, table, (int)i + 1);
    }
    luaL_checkstack(L, LUA_MINSTACK, "infeed");
    pod_run_report report = {0};
    pod_error error;
    pod_status status = pod_program_run(box.program, arguments, results, &options, &report, &error);
    if (status < 0 && function.failure && !lua_isnil(L, function.failure)) {
        lua_pushvalue(L, function.failure);
        return lua_error(L);
    }
    /* The report tells of the interrupt from here on: it is not to stop the next run as well. */
    if (report.interrupted)
        pod_context_clear_interrupt(box.context);
    pod_lua_check(L, status, &error);
    take_results(L, table, results, box.output_count);
    lua_pushvalue(L, table);
    push_report(L, &report);
    push_prints(L, prints);
    return 3;
}

#define FEW_ARGUMENTS 64

/* program:call(arguments) -> results, interrupted: one step of arguments that are all given, as run() does it, without
 * its options and tables: for what is called often */
static int program_call(lua_State *L)
{
    check_program(L, 1);
    const program_box box = *(const program_box *)lua_touserdata(L, 1);
    const pod_run_options options = {.tells_writes = true};
    pod_buffer *few[FEW_ARGUMENTS], **arguments = few;
    lua_settop(L, 2);
    luaL_checktype(L, 2, LUA_TTABLE);
    if (box.parameter_count + box.output_count > FEW_ARGUMENTS)
        arguments = pod_lua_newuserdata(L, (box.parameter_count + box.output_count) * sizeof *arguments);
    pod_buffer **results = arguments + box.parameter_count;
    lua_createtable(L, (int)box.output_count, 0);
    const int table = lua_gettop(L);
    for (size_t i = 0; i < box.output_count; i++) {
        pod_lua_new_buffer_box(L);
        lua_rawseti(L, table, (int)i + 1);
    }
    /* Last: from here on no finaliser runs, which could close one. */
    for (size_t i = 0; i < box.parameter_count; i++) {
        pod_lua_geti(L, 2, i + 1);
        arguments[i] = pod_lua_check_buffer(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    pod_run_report report;
    pod_error error;
    const pod_status status = pod_program_run(box.program, arguments, results, &options, &report, &error);
    if (report.interrupted)
        pod_context_clear_interrupt(box.context);
    pod_lua_check(L, status, &error);
    take_results(L, table, results, box.output_count);
    lua_settop(L, table);
    lua_pushboolean(L, report.interrupted);
    return 2;
}

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
    lua_pushboolean(L, stats.from_cache);
    lua_setfield(L, -2, "from_cache");
    return 1;
}

/* program:print() -> instructions, buffers and bytes as text */
static int program_print(lua_State *L)
{
    pod_program *program = check_program(L, 1);
    program_box *box = lua_touserdata(L, 1);
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
    pod_instruction_time *times = pod_lua_newuserdata(L, (count + 1) * sizeof *times);
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
    program_box *box = luaL_checkudata(L, 1, POD_LUA_PROGRAM);
    if (box->program)
        lua_pushfstring(L, "moonpod.program (%d parameters, %d outputs)", (int)box->parameter_count,
                        (int)box->output_count);
    else
        lua_pushliteral(L, "moonpod.program (closed)");
    return 1;
}

static const luaL_Reg program_methods[] = {{"run", program_run},
                                           {"call", program_call},
                                           {"stats", program_stats},
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
