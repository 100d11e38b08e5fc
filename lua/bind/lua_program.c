/* lua_program - a compiled graph, and running it. */

#include "program_access.h"

static void end(void *program)
{
    pod_program_free(program);
}

static void describe(lua_State *L, void *program)
{
    const pod_lua_program *box = lua_touserdata(L, 1);
    (void)program;
    lua_pushfstring(L, "%d parameters, %d outputs", (int)box->parameter_count, (int)box->output_count);
}

const pod_lua_kind pod_lua_program_kind = {POD_LUA_PROGRAM, "program", .size = sizeof(pod_lua_program), .end = end,
                                           .describe = describe};

const pod_lua_program *pod_lua_check_program(lua_State *L, int index)
{
    (void)pod_lua_check_open(L, index, &pod_lua_program_kind);
    return lua_touserdata(L, index);
}

/* compile(context, graph, {no_fusion =, device = an accelerator, has_rows =, held = a boolean a parameter}?) */
static int compile(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_graph *graph = pod_lua_check_graph(L, 2);
    pod_compile_options options = {0};
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        lua_getfield(L, 3, "no_fusion");
        options.no_fusion = lua_toboolean(L, -1);
        lua_getfield(L, 3, "device");
        options.device = pod_lua_to_device(L, lua_gettop(L));
        lua_getfield(L, 3, "has_rows");
        options.has_rows = pod_lua_check_flags(L, lua_gettop(L), pod_graph_parameter_count(graph));
        lua_getfield(L, 3, "held");
        options.held = pod_lua_check_flags(L, lua_gettop(L), pod_graph_parameter_count(graph));
    }
    pod_lua_program *box = pod_lua_new_box(L, &pod_lua_program_kind);
    *box = (pod_lua_program){.context = context,
                             .parameter_count = pod_graph_parameter_count(graph),
                             .output_count = pod_graph_output_count(graph),
                             .on_device = options.device != NULL};
    pod_lua_check(L, pod_program_compile(context, graph, &options, &box->program, error), error);
    pod_lua_charge(L, context, (size_t)pod_program_get_stats(box->program).allocated_bytes);
    return 1;
}

/* ---- what programs tell ---- */

/* program:stats() -> table with the fields of pod_program_stats */
static int program_stats(lua_State *L)
{
#define STAT(member) POD_LUA_FIELD(pod_program_stats, member)
    static const pod_lua_field fields[] = {
        STAT(instructions),    STAT(nodes),         STAT(kernels_fused),   STAT(arena_bytes),
        STAT(live_bytes),      STAT(literal_bytes), STAT(argument_bytes),  STAT(output_bytes),
        STAT(alias_bytes),     STAT(code_bytes),    STAT(scratch_bytes),   STAT(planned_bytes),
        STAT(allocated_bytes), STAT(held_bytes),    STAT(compile_seconds), {0},
    };
    const pod_program_stats stats = pod_program_get_stats(pod_lua_check_program(L, 1)->program);
    lua_newtable(L);
    pod_lua_set_fields(L, &stats, fields);
    return 1;
}

/* program:print() -> instructions, buffers and bytes as text */
static int program_print(lua_State *L)
{
    const pod_lua_program box = *pod_lua_check_program(L, 1);
    pod_lua_text *text = pod_lua_new_text(L, box.context);
    text->text = pod_program_print(box.program);
    if (!text->text)
        return luaL_error(L, "no memory to print a program");
    return pod_lua_push_text(L, text, POD_OK);
}

/* program:count_time(on) counts how long instructions take, from zero, or no longer */
static int program_count_time(lua_State *L, pod_error *error)
{
    return pod_program_count_time(pod_lua_check_program(L, 1)->program, lua_toboolean(L, 2), error);
}

void pod_lua_push_instruction(lua_State *L, const void *times, size_t index)
{
#define TIME(member) POD_LUA_FIELD(pod_instruction_time, member)
    static const pod_lua_field fields[] = {
        TIME(kind),    TIME(name),  TIME(location), TIME(layer),          TIME(phase),    TIME(nanoseconds),
        TIME(runs),    TIME(flops), TIME(is_half),  TIME(operations),     TIME(products), TIME(rows),
        TIME(columns), TIME(depth), TIME(bytes),    TIME(variable_bytes), TIME(elements), {0},
    };
    lua_createtable(L, 0, 18);
    pod_lua_set_fields(L, (const pod_instruction_time *)times + index, fields);
}

/* program:times() -> {steps =, waiting_nanoseconds =, phases =, [i] = table of pod_lua_push_instruction()}: see
 * pod_program_times */
static int program_times(lua_State *L)
{
    static const pod_lua_field fields[] = {
        POD_LUA_FIELD(pod_program_times, steps),
        POD_LUA_FIELD(pod_program_times, waiting_nanoseconds),
        POD_LUA_FIELD(pod_program_times, phases),
        {0},
    };
    pod_program *program = pod_lua_check_program(L, 1)->program;
    size_t count = pod_program_get_times(program, NULL, 0).instructions;
    pod_instruction_time *times = pod_lua_new_array(L, count + 1, sizeof *times);
    pod_program_times sum = pod_program_get_times(program, times, count);
    pod_lua_push_array(L, count, pod_lua_push_instruction, times);
    pod_lua_set_fields(L, &sum, fields);
    return 1;
}

static const pod_lua_function methods[] = {
    {"stats", .plain = program_stats},
    {"print", .plain = program_print},
    {"count_time", .failing = program_count_time},
    {"times", .plain = program_times},
    {0},
};

static const pod_lua_function functions[] = {
    {"compile", .failing = compile},
    {0},
};

const pod_lua_part pod_lua_program_part = {.functions = functions, .kind = &pod_lua_program_kind, .methods = methods};
