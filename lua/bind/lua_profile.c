/* lua_profile - where the time of steps goes: moonpod/profile.h. */

#include "bind.h"

#include <moonpod/profile.h>

#define PROFILE "moonpod.profile"

static pod_profile *check_profile(lua_State *L, int index)
{
    pod_profile **box = luaL_checkudata(L, index, PROFILE);
    luaL_argcheck(L, *box, index, "the profile is closed");
    return *box;
}

static void end_profile(void *profile)
{
    pod_profile_free(profile);
}

static int profile_close(lua_State *L)
{
    pod_profile **box = luaL_checkudata(L, 1, PROFILE);
    pod_profile *profile = *box;
    *box = NULL;
    pod_lua_end(L, end_profile, profile);
    return 0;
}

static int profile_tostring(lua_State *L)
{
    pod_profile **box = luaL_checkudata(L, 1, PROFILE);
    if (*box)
        lua_pushfstring(L, "moonpod.profile (%d steps)", (int)pod_profile_get_facts(*box).steps);
    else
        lua_pushliteral(L, "moonpod.profile (closed)");
    return 1;
}

/* profile_start(context) */
static int start(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_profile_start(pod_lua_check_context(L, 1), &error), &error);
    return 0;
}

/* profile_is_on(context) -> whether, steps since the start */
static int is_on(lua_State *L)
{
    uint64_t steps;
    lua_pushboolean(L, pod_profile_is_on(pod_lua_check_context(L, 1), &steps));
    pod_lua_push_int64(L, (int64_t)steps);
    return 2;
}

/* profile_stop(context) -> profile */
static int stop(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_profile **box = pod_lua_newuserdata(L, sizeof *box);
    pod_error error;
    *box = NULL;
    pod_lua_setmetatable(L, PROFILE);
    pod_lua_check(L, pod_profile_stop(context, box, &error), &error);
    return 1;
}

/* profile_take(context) -> profile: what was recorded so far */
static int take(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_profile **box = pod_lua_newuserdata(L, sizeof *box);
    pod_error error;
    *box = NULL;
    pod_lua_setmetatable(L, PROFILE);
    pod_lua_check(L, pod_profile_take(context, box, &error), &error);
    return 1;
}

/* profile_enter(context, part, name) -> span, for profile_leave(context, span) */
static int enter(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    if (!pod_profile_is_on(context, NULL)) {
        lua_pushnumber(L, 0);
        return 1;
    }
    const char *parts[POD_PARTS + 1] = {NULL};
    for (int i = 0; i < POD_PARTS; i++)
        parts[i] = pod_profile_part_name((pod_profile_part)i);
    const int part = pod_lua_check_name(L, 2, "part", parts);
    lua_pushnumber(L, (lua_Number)pod_profile_enter(context, (pod_profile_part)part, pod_lua_check_text(L, 3)));
    return 1;
}

static int leave(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_profile_leave(context, (uint32_t)pod_lua_check_within(L, 2, "span", 0, UINT32_MAX));
    return 0;
}

/* ---- reading ---- */

static void set_integer(lua_State *L, const char *key, uint64_t value)
{
    pod_lua_push_int64(L, (int64_t)value);
    lua_setfield(L, -2, key);
}

static void set_number(lua_State *L, const char *key, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* Sets a time in seconds. */
static void set_seconds(lua_State *L, const char *key, uint64_t nanoseconds)
{
    set_number(L, key, (double)nanoseconds * 1e-9);
}

static void set_parts(lua_State *L, const uint64_t *times)
{
    lua_createtable(L, 0, POD_PARTS);
    for (int i = 0; i < POD_PARTS; i++)
        set_seconds(L, pod_profile_part_name((pod_profile_part)i), times[i]);
    lua_setfield(L, -2, "parts");
}

static void push_steps(lua_State *L, const pod_profile *profile, const pod_profile_facts *facts)
{
    lua_createtable(L, (int)facts->steps, 0);
    for (size_t i = 0; i < facts->steps; i++) {
        const pod_profile_step step = pod_profile_get_step(profile, i);
        lua_createtable(L, 0, 7);
        set_seconds(L, "began", step.began - facts->began);
        set_seconds(L, "seconds", step.ended - step.began);
        set_integer(L, "program", step.program + 1);
        set_integer(L, "lane", step.lane + 1);
        set_integer(L, "rows", step.rows);
        set_integer(L, "memory", step.memory);
        set_parts(L, step.parts);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_lanes(lua_State *L, const pod_profile *profile, const pod_profile_facts *facts)
{
    lua_createtable(L, (int)facts->lanes, 0);
    for (size_t i = 0; i < facts->lanes; i++) {
        const pod_profile_lane lane = pod_profile_get_lane(profile, i);
        lua_createtable(L, 0, 6);
        set_text(L, "name", lane.name);
        set_integer(L, "number", lane.number);
        set_seconds(L, "began", lane.began - facts->began);
        set_integer(L, "events", lane.events);
        set_integer(L, "lost", lane.lost);
        set_integer(L, "cycles", lane.cycles);
        set_integer(L, "cpu_instructions", lane.cpu_instructions);
        set_integer(L, "cache_misses", lane.cache_misses);
        set_parts(L, lane.parts);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_name(lua_State *L, const pod_profile_name *name)
{
    lua_createtable(L, 0, 7);
    set_text(L, "text", name->text);
    set_text(L, "part", pod_profile_part_name(name->part));
    set_integer(L, "calls", name->calls);
    set_seconds(L, "total", name->total);
    set_seconds(L, "self", name->self);
    set_integer(L, "amount", name->amount);
    set_integer(L, "rows", name->rows);
    set_integer(L, "bytes", name->bytes);
}

/* Names that were met, with their sums on each lane. */
static void push_names(lua_State *L, const pod_profile *profile, const pod_profile_facts *facts)
{
    int count = 0;
    lua_newtable(L);
    for (size_t i = 1; i < facts->names; i++) {
        const pod_profile_name name = pod_profile_get_name(profile, i);
        if (name.calls == 0 && name.self == 0)
            continue;
        push_name(L, &name);
        set_integer(L, "number", i);
        lua_newtable(L);
        for (size_t j = 0; j < facts->lanes; j++) {
            const pod_profile_name on = pod_profile_get_name_on(profile, i, j);
            if (on.calls == 0 && on.self == 0)
                continue;
            push_name(L, &on);
            lua_rawseti(L, -2, (int)j + 1);
        }
        lua_setfield(L, -2, "lanes");
        lua_rawseti(L, -2, ++count);
    }
}

static void push_instruction(lua_State *L, const pod_instruction_time *time)
{
    lua_createtable(L, 0, 17);
    set_text(L, "kind", time->kind);
    set_text(L, "name", time->name);
    set_text(L, "location", time->location);
    set_text(L, "layer", time->layer);
    set_integer(L, "phase", time->phase);
    set_seconds(L, "seconds", time->nanoseconds);
    set_integer(L, "runs", time->runs);
    set_number(L, "flops", time->flops);
    set_number(L, "operations", time->operations);
    set_integer(L, "products", (uint64_t)time->products);
    set_integer(L, "rows", (uint64_t)time->rows);
    set_integer(L, "columns", (uint64_t)time->columns);
    set_integer(L, "depth", (uint64_t)time->depth);
    set_integer(L, "bytes", time->bytes);
    set_integer(L, "variable_bytes", time->variable_bytes);
    set_integer(L, "elements", (uint64_t)time->elements);
    lua_pushboolean(L, time->is_half);
    lua_setfield(L, -2, "is_half");
}

/* What a program keeps in memory, by the instructions that make it first and use it last, from 1. */
static void push_values(lua_State *L, const pod_profile *profile, size_t program)
{
    const size_t count = pod_profile_get_values(profile, program, NULL, 0);
    pod_profile_value *values = pod_lua_new_array(L, count + 1, sizeof *values);
    (void)pod_profile_get_values(profile, program, values, count);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 6);
        set_text(L, "place", pod_profile_place_name(values[i].place));
        lua_pushboolean(L, values[i].kept);
        lua_setfield(L, -2, "kept");
        set_integer(L, "bytes", values[i].bytes);
        set_integer(L, "offset", values[i].offset);
        set_integer(L, "first", values[i].first + 1);
        set_integer(L, "last", values[i].last + 1);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_remove(L, -2);
    lua_setfield(L, -2, "values");
}

static void push_programs(lua_State *L, const pod_profile *profile, const pod_profile_facts *facts)
{
    lua_createtable(L, (int)facts->programs, 0);
    for (size_t i = 0; i < facts->programs; i++) {
        const pod_profile_program program = pod_profile_get_program(profile, i);
        pod_instruction_time *times = pod_lua_new_array(L, program.instructions + 1, sizeof *times);
        (void)pod_profile_get_times(profile, i, times, program.instructions);
        lua_createtable(L, (int)program.instructions, 4);
        set_integer(L, "steps", program.steps);
        set_integer(L, "runs", program.runs);
        set_seconds(L, "seconds", program.nanoseconds);
        set_seconds(L, "waiting", program.waiting);
        push_values(L, profile, i);
        for (size_t j = 0; j < program.instructions; j++) {
            push_instruction(L, &times[j]);
            lua_rawseti(L, -2, (int)j + 1);
        }
        lua_remove(L, -2);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_part_names(lua_State *L)
{
    lua_createtable(L, POD_PARTS, 0);
    for (int i = 0; i < POD_PARTS; i++) {
        lua_pushstring(L, pod_profile_part_name((pod_profile_part)i));
        lua_rawseti(L, -2, i + 1);
    }
}

/* profile:read() -> {seconds =, steps_lost =, events =, events_lost =, threads_lost =, main_lane =, steps = {...},
 * threads =, cpus =, isa =, page_faults =, disk_faults =, preemptions =, lanes = {...}, names = {...}, programs =
 * {...}}: times in seconds since the start */
static int profile_read(lua_State *L)
{
    const pod_profile *profile = check_profile(L, 1);
    const pod_profile_facts facts = pod_profile_get_facts(profile);
    lua_createtable(L, 0, 16);
    set_seconds(L, "seconds", facts.ended - facts.began);
    set_integer(L, "steps_lost", facts.steps_lost);
    set_integer(L, "events", facts.events);
    set_integer(L, "events_lost", facts.events_lost);
    set_integer(L, "threads_lost", facts.threads_lost);
    set_integer(L, "main_lane", facts.main_lane + 1);
    set_integer(L, "threads", (uint64_t)facts.threads);
    set_integer(L, "cpus", (uint64_t)facts.cpus);
    set_text(L, "isa", facts.isa);
    set_integer(L, "free_memory", facts.free_memory);
    set_text(L, "no_counters", facts.no_counters);
    set_integer(L, "page_faults", facts.page_faults);
    set_integer(L, "disk_faults", facts.disk_faults);
    set_integer(L, "preemptions", facts.preemptions);
    push_part_names(L);
    lua_setfield(L, -2, "parts");
    push_steps(L, profile, &facts);
    lua_setfield(L, -2, "steps");
    push_lanes(L, profile, &facts);
    lua_setfield(L, -2, "lanes");
    push_names(L, profile, &facts);
    lua_setfield(L, -2, "names");
    push_programs(L, profile, &facts);
    lua_setfield(L, -2, "programs");
    return 1;
}

/* profile:events(lane, first) -> {kind, part, name, program, index, amount, began, seconds, kind, ...}: eight values
 * for each of the next events from number `first` on, 0 the oldest; none behind the last. `name` and `program` count
 * from 1, as in what read() gives (0: none), and so does an instruction's index. */
static int profile_events(lua_State *L)
{
    enum { BLOCK = 256, VALUES = 8 };
    pod_profile *profile = check_profile(L, 1);
    const pod_profile_facts facts = pod_profile_get_facts(profile);
    const size_t lane = (size_t)pod_lua_check_within(L, 2, "lane", 1, (int64_t)facts.lanes) - 1;
    const size_t first = (size_t)pod_lua_check_within(L, 3, "first event", 0, INT64_MAX);
    pod_profile_event events[BLOCK];
    const size_t count = pod_profile_get_events(profile, lane, first, events, BLOCK);
    lua_createtable(L, (int)count * VALUES, 0);
    for (size_t i = 0; i < count; i++) {
        const pod_profile_event *one = &events[i];
        const double began = one->began < facts.began ? 0 : (double)(one->began - facts.began);
        const double values[VALUES] = {(double)one->kind + 1,
                                       (double)one->part + 1,
                                       (double)one->name,
                                       (double)one->program,
                                       (double)one->index + (one->kind == POD_EVENT_INSTRUCTION),
                                       (double)one->amount,
                                       began * 1e-9,
                                       (double)(one->ended - one->began) * 1e-9};
        for (int j = 0; j < VALUES; j++) {
            lua_pushnumber(L, values[j]);
            lua_rawseti(L, -2, (int)i * VALUES + j + 1);
        }
    }
    return 1;
}

typedef pod_status write_function(const pod_profile *profile, const char *path, pod_error *error);

static int write_file(lua_State *L, write_function *write)
{
    pod_error error;
    pod_lua_check(L, write(check_profile(L, 1), pod_lua_check_text(L, 2), &error), &error);
    return 0;
}

/* profile:write_chrome(path) */
static int profile_write_chrome(lua_State *L)
{
    return write_file(L, pod_profile_write_chrome);
}

/* profile:write_perfetto(path) */
static int profile_write_perfetto(lua_State *L)
{
    return write_file(L, pod_profile_write_perfetto);
}

/* profile:write_pprof(path) */
static int profile_write_pprof(lua_State *L)
{
    return write_file(L, pod_profile_write_pprof);
}

static const luaL_Reg profile_methods[] = {{"read", profile_read},
                                           {"events", profile_events},
                                           {"write_chrome", profile_write_chrome},
                                           {"write_perfetto", profile_write_perfetto},
                                           {"write_pprof", profile_write_pprof},
                                           {NULL, NULL}};

static const luaL_Reg functions[] = {{"profile_start", start},
                                     {"profile_is_on", is_on},
                                     {"profile_stop", stop},
                                     {"profile_take", take},
                                     {"profile_enter", enter},
                                     {"profile_leave", leave},
                                     {NULL, NULL}};

void pod_lua_open_profile(lua_State *L)
{
    pod_lua_new_metatable(L, PROFILE, profile_methods, profile_close, profile_tostring);
    pod_lua_set_functions(L, functions);
}
