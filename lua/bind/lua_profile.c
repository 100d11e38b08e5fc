/* lua_profile - where the time of steps goes: moonpod/profile.h. */

#include "program_access.h"

#include <moonpod/profile.h>

static void end(void *profile)
{
    pod_profile_free(profile);
}

static void describe(lua_State *L, void *profile)
{
    lua_pushfstring(L, "%d steps", (int)pod_profile_get_facts(profile).steps);
}

static const pod_lua_kind profile_kind = {"moonpod.profile", "profile", .end = end, .describe = describe};

static pod_profile *check_profile(lua_State *L)
{
    return pod_lua_check_open(L, 1, &profile_kind);
}

/* profile_start(context) */
static int start(lua_State *L, pod_error *error)
{
    return pod_profile_start(pod_lua_check_context(L, 1), error);
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
static int stop(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    return pod_lua_results(pod_profile_stop(context, pod_lua_new_box(L, &profile_kind), error), 1);
}

/* profile_take(context) -> profile: what was recorded so far */
static int take(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    return pod_lua_results(pod_profile_take(context, pod_lua_new_box(L, &profile_kind), error), 1);
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

/* Sets a time in seconds. */
static void set_seconds(lua_State *L, const char *key, uint64_t nanoseconds)
{
    pod_lua_set_number(L, key, (double)nanoseconds * 1e-9);
}

static void set_parts(lua_State *L, const uint64_t *times)
{
    lua_createtable(L, 0, POD_PARTS);
    for (int i = 0; i < POD_PARTS; i++)
        set_seconds(L, pod_profile_part_name((pod_profile_part)i), times[i]);
    lua_setfield(L, -2, "parts");
}

static void push_step(lua_State *L, const void *profile, size_t index)
{
    const pod_profile_step step = pod_profile_get_step(profile, index);
    lua_createtable(L, 0, 7);
    set_seconds(L, "began", step.began - pod_profile_get_facts(profile).began);
    set_seconds(L, "seconds", step.ended - step.began);
    pod_lua_set_integer(L, "program", (int64_t)step.program + 1);
    pod_lua_set_integer(L, "lane", (int64_t)step.lane + 1);
    pod_lua_set_integer(L, "rows", (int64_t)step.rows);
    pod_lua_set_integer(L, "memory", (int64_t)step.memory);
    set_parts(L, step.parts);
}

static void push_lane(lua_State *L, const void *profile, size_t index)
{
#define LANE(member) POD_LUA_FIELD(pod_profile_lane, member)
    static const pod_lua_field fields[] = {
        LANE(name),   LANE(number),           LANE(events),       LANE(lost),
        LANE(cycles), LANE(cpu_instructions), LANE(cache_misses), {0},
    };
    const pod_profile_lane lane = pod_profile_get_lane(profile, index);
    lua_createtable(L, 0, 9);
    pod_lua_set_fields(L, &lane, fields);
    set_seconds(L, "began", lane.began - pod_profile_get_facts(profile).began);
    set_parts(L, lane.parts);
}

static void push_name(lua_State *L, const pod_profile_name *name)
{
#define NAME(member) POD_LUA_FIELD(pod_profile_name, member)
    static const pod_lua_field fields[] = {NAME(text), NAME(calls), NAME(amount), NAME(rows), NAME(bytes), {0}};
    lua_createtable(L, 0, 10);
    pod_lua_set_fields(L, name, fields);
    pod_lua_set_text(L, "part", pod_profile_part_name(name->part));
    set_seconds(L, "total", name->total);
    set_seconds(L, "self", name->self);
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
        pod_lua_set_integer(L, "number", (int64_t)i);
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

/* What a program keeps in memory, by the instructions that make it first and use it last, from 1. */
static void push_value(lua_State *L, const void *values, size_t index)
{
#define VALUE(member) POD_LUA_FIELD(pod_profile_value, member)
    static const pod_lua_field fields[] = {VALUE(kept), VALUE(bytes), VALUE(offset), {0}};
    const pod_profile_value *value = (const pod_profile_value *)values + index;
    lua_createtable(L, 0, 6);
    pod_lua_set_fields(L, value, fields);
    pod_lua_set_text(L, "place", pod_profile_place_name(value->place));
    pod_lua_set_integer(L, "first", (int64_t)value->first + 1);
    pod_lua_set_integer(L, "last", (int64_t)value->last + 1);
}

static void push_instruction(lua_State *L, const void *times, size_t index)
{
    pod_lua_push_instruction(L, times, index);
    set_seconds(L, "seconds", ((const pod_instruction_time *)times)[index].nanoseconds);
}

static void push_program(lua_State *L, const void *profile, size_t index)
{
    const pod_profile_program program = pod_profile_get_program(profile, index);
    const size_t count = pod_profile_get_values(profile, index, NULL, 0);
    pod_instruction_time *times = pod_lua_new_array(L, program.instructions + 1, sizeof *times);
    pod_profile_value *values = pod_lua_new_array(L, count + 1, sizeof *values);
    (void)pod_profile_get_times(profile, index, times, program.instructions);
    (void)pod_profile_get_values(profile, index, values, count);
    pod_lua_push_array(L, program.instructions, push_instruction, times);
    pod_lua_set_integer(L, "steps", (int64_t)program.steps);
    pod_lua_set_integer(L, "runs", (int64_t)program.runs);
    set_seconds(L, "seconds", program.nanoseconds);
    set_seconds(L, "waiting", program.waiting);
    pod_lua_set_array(L, "values", count, push_value, values);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

static void push_part_name(lua_State *L, const void *profile, size_t index)
{
    (void)profile;
    lua_pushstring(L, pod_profile_part_name((pod_profile_part)index));
}

/* profile:read() -> {seconds =, steps_lost =, events =, events_lost =, threads_lost =, main_lane =, steps = {...},
 * threads =, cpus =, isa =, page_faults =, disk_faults =, preemptions =, lanes = {...}, names = {...}, programs =
 * {...}}: times in seconds since the start */
static int profile_read(lua_State *L)
{
#define FACT(member) POD_LUA_FIELD(pod_profile_facts, member)
    static const pod_lua_field fields[] = {
        FACT(steps_lost),
        FACT(events),
        FACT(events_lost),
        FACT(threads_lost),
        FACT(threads),
        FACT(cpus),
        FACT(isa),
        FACT(free_memory),
        FACT(no_counters),
        FACT(page_faults),
        FACT(disk_faults),
        FACT(preemptions),
        {0},
    };
    const pod_profile *profile = check_profile(L);
    const pod_profile_facts facts = pod_profile_get_facts(profile);
    lua_createtable(L, 0, 19);
    pod_lua_set_fields(L, &facts, fields);
    set_seconds(L, "seconds", facts.ended - facts.began);
    pod_lua_set_integer(L, "main_lane", (int64_t)facts.main_lane + 1);
    pod_lua_set_array(L, "parts", POD_PARTS, push_part_name, profile);
    pod_lua_set_array(L, "steps", facts.steps, push_step, profile);
    pod_lua_set_array(L, "lanes", facts.lanes, push_lane, profile);
    pod_lua_set_array(L, "programs", facts.programs, push_program, profile);
    push_names(L, profile, &facts);
    lua_setfield(L, -2, "names");
    return 1;
}

/* profile:events(lane, first) -> {kind, part, name, program, index, amount, began, seconds, kind, ...}: eight values
 * for each of the next events from number `first` on, 0 the oldest; none behind the last. `name` and `program` count
 * from 1, as in what read() gives (0: none), and so does an instruction's index. */
static int profile_events(lua_State *L)
{
    enum { BLOCK = 256, VALUES = 8 };
    pod_profile *profile = check_profile(L);
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

static int write_file(lua_State *L, write_function *write, pod_error *error)
{
    return write(check_profile(L), pod_lua_check_text(L, 2), error);
}

/* profile:write_chrome(path) */
static int profile_write_chrome(lua_State *L, pod_error *error)
{
    return write_file(L, pod_profile_write_chrome, error);
}

/* profile:write_perfetto(path) */
static int profile_write_perfetto(lua_State *L, pod_error *error)
{
    return write_file(L, pod_profile_write_perfetto, error);
}

/* profile:write_pprof(path) */
static int profile_write_pprof(lua_State *L, pod_error *error)
{
    return write_file(L, pod_profile_write_pprof, error);
}

/* profile:write_xplane(path, flops a second, bytes a second): what the machine does at most; 0: not known */
static int profile_write_xplane(lua_State *L, pod_error *error)
{
    const pod_profile_roofs roofs = {pod_lua_check_number(L, 3, "flops"), pod_lua_check_number(L, 4, "bytes")};
    return pod_profile_write_xplane(check_profile(L), &roofs, pod_lua_check_text(L, 2), error);
}

static const pod_lua_function profile_methods[] = {{"read", .plain = profile_read},
                                                   {"events", .plain = profile_events},
                                                   {"write_chrome", .failing = profile_write_chrome},
                                                   {"write_perfetto", .failing = profile_write_perfetto},
                                                   {"write_pprof", .failing = profile_write_pprof},
                                                   {"write_xplane", .failing = profile_write_xplane},
                                                   {0}};

static const pod_lua_function functions[] = {{"profile_start", .failing = start},
                                             {"profile_is_on", .plain = is_on},
                                             {"profile_stop", .failing = stop},
                                             {"profile_take", .failing = take},
                                             {"profile_enter", .plain = enter},
                                             {"profile_leave", .plain = leave},
                                             {0}};

const pod_lua_part pod_lua_profile_part = {.functions = functions, .kind = &profile_kind, .methods = profile_methods};
