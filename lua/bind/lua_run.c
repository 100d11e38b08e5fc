/* lua_run - runs programs: at once, and in slices. */

#include "program_access.h"

#include <stdatomic.h>
#include <string.h>

/* ---- what print ops hand out: kept during the run, given to Lua after it -------------------------------- */

#define PRINT_LIMIT 1024

typedef struct printed {
    char label[64];
    pod_buffer *value;
} printed;

typedef struct print_list {
    atomic_flag busy; /* guards the rest */
    pod_context *context;
    size_t count;
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
    lua_State *L; /* of the call that is under way; NULL: none is */
    int function; /* stack index */
    int failure;  /* stack index that receives the error value of a failed call */
} function_infeed;

static pod_status function_next(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    function_infeed *infeed = context;
    lua_State *L = infeed->L;
    if (!L)
        return pod_lua_refuse(error, POD_ERROR_STATE,
                              "an infeed that is a function is asked only while Lua runs steps");
    lua_pushvalue(L, infeed->function);
    if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
        lua_replace(L, infeed->failure);
        return pod_lua_refuse(error, POD_ERROR_CALLBACK, "the infeed function failed");
    }
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return POD_END;
    }
    if (pod_lua_take_buffers(L, count, slots))
        return POD_OK;
    return pod_lua_refuse(error, POD_ERROR_CALLBACK, "the infeed function returned no array of buffers, one a slot");
}

/* ---- running ------------------------------------------------------------------------------------------------ */

static void check_run_options(lua_State *L, int index, pod_run_options *options)
{
    lua_getfield(L, index, "steps");
    if (!lua_isnil(L, -1))
        options->steps = pod_lua_check_any(L, -1, "steps");
    lua_getfield(L, index, "infeed_first");
    if (!lua_isnil(L, -1))
        options->infeed_first = (size_t)pod_lua_check_within(L, -1, "infeed_first", 0, INT32_MAX);
    lua_getfield(L, index, "infeed_count");
    if (!lua_isnil(L, -1))
        options->infeed_count = (size_t)pod_lua_check_within(L, -1, "infeed_count", 0, INT32_MAX);
    lua_getfield(L, index, "alone");
    options->alone = lua_toboolean(L, -1);
    lua_pop(L, 4);
}

static void read_argument(lua_State *L, const pod_lua_entry *entry)
{
    *(pod_buffer **)entry->into = lua_toboolean(L, -1) ? pod_lua_check_held(L, lua_gettop(L)) : NULL;
}

static void push_report(lua_State *L, const pod_run_report *report)
{
    lua_newtable(L);
    pod_lua_set_integer(L, "steps", report->steps);
    pod_lua_set_boolean(L, "interrupted", report->interrupted);
    pod_lua_set_boolean(L, "ended", report->ended);
}

/* The box of a buffer, NULL for other values: as pod_lua_to_buffer() does it, with the metatable of buffers at hand. */
static pod_buffer **to_buffer_box(lua_State *L, int index, int of_buffers)
{
    pod_buffer **box = lua_touserdata(L, index);
    const bool is_one = box && lua_getmetatable(L, index) && lua_rawequal(L, -1, of_buffers);
    lua_settop(L, index);
    return is_one ? box : NULL;
}

/* Puts the results into boxes made before the run (of_buffers: the place of their metatable), so that nothing is lost
 * when Lua has no memory. A result whose box a finaliser has put something else in the place of is gone. */
static void take_results(lua_State *L, int table, const pod_context *context, pod_buffer **results, size_t count,
                         int of_buffers)
{
    size_t bytes = 0;
    const int top = lua_gettop(L);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, table, (int)i + 1);
        pod_buffer **box = to_buffer_box(L, top + 1, of_buffers);
        bytes += results[i] ? pod_buffer_bytes(results[i]) : 0;
        if (box && !*box)
            *box = results[i];
        else
            pod_buffer_release(results[i]);
        lua_settop(L, top);
    }
    for (size_t i = 0; i < count; i++) {
        if (results[i])
            continue;
        lua_pushboolean(L, 0);
        lua_rawseti(L, table, (int)i + 1);
    }
    pod_lua_charge(L, context, bytes);
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

/* What a run is given: values on the stack keep it. */
typedef struct given_run {
    pod_run_options options;
    const pod_infeed *infeed; /* of a userdata, or NULL */
    int function;             /* stack index of the infeed that is a function; 0: none */
    print_list *prints;
    int prints_at; /* stack index */
    pod_buffer **arguments;
} given_run;

/* Reads the arguments of program:run() and program:begin(): buffers at 2, options at 3. */
static void check_run(lua_State *L, const pod_lua_program *box, given_run *given)
{
    *given = (given_run){.options = {.tells_writes = true}}; /* buffer:set() and buffer:write() do */
    if (!lua_isnil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        check_run_options(L, 3, &given->options);
        lua_getfield(L, 3, "print");
        if (lua_toboolean(L, -1)) {
            given->options.print_context = given->prints = push_print_list(L, box->context);
            given->options.print = keep_print;
            given->prints_at = lua_gettop(L);
        }
        lua_getfield(L, 3, "infeed");
        given->infeed = pod_lua_to_infeed(L, lua_gettop(L));
        if (lua_isfunction(L, -1))
            given->function = lua_gettop(L);
        else if (!given->infeed && !lua_isnil(L, -1))
            luaL_error(L, "option 'infeed' must be an infeed or a function, not %s", luaL_typename(L, -1));
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    given->arguments = pod_lua_check_entries(L, 2, sizeof *given->arguments, box->parameter_count, read_argument, NULL);
}

/* Pushes the metatable of buffers and an array of empty boxes for results; returns room for the results. */
static pod_buffer **push_results(lua_State *L, size_t count)
{
    pod_buffer **results = pod_lua_new_array(L, count + 1, sizeof *results);
    memset(results, 0, (count + 1) * sizeof *results);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        pod_lua_new_buffer_box(L);
        lua_rawseti(L, -2, (int)i + 1);
    }
    luaL_checkstack(L, LUA_MINSTACK, "infeed");
    luaL_getmetatable(L, POD_LUA_BUFFER);
    lua_insert(L, -2);
    return results;
}

/* program:run(arguments, {steps, infeed, infeed_first, infeed_count, alone, print}?) -> results, report, prints.
 * arguments: array of buffers, false for what the infeed gives; results: array of buffers, false for
 * aliases; infeed: a userdata that is an infeed, or a function that returns an array of buffers or
 * nil; print = true collects what print ops hand out, as {label, buffer} */
static int program_run(lua_State *L, pod_error *error)
{
    const pod_lua_program box = *pod_lua_check_program(L, 1);
    given_run given;
    lua_settop(L, 3);
    check_run(L, &box, &given);
    function_infeed function = {L, given.function, 0};
    const pod_infeed function_adapter = {.next = function_next, .context = &function};
    given.options.infeed = given.function ? &function_adapter : given.infeed;
    lua_pushnil(L);
    function.failure = lua_gettop(L);
    pod_buffer **results = push_results(L, box.output_count);
    const int table = lua_gettop(L);
    pod_run_report report = {0};
    pod_status status = pod_program_run(box.program, given.arguments, results, &given.options, &report, error);
    if (status < 0 && !lua_isnil(L, function.failure)) {
        lua_pushvalue(L, function.failure);
        return lua_error(L);
    }
    /* The report tells of the interrupt from here on: it is not to stop the next run as well. */
    if (report.interrupted)
        pod_context_clear_interrupt(box.context);
    pod_lua_check(L, status, error);
    take_results(L, table, box.context, results, box.output_count, table - 1);
    lua_pushvalue(L, table);
    push_report(L, &report);
    push_prints(L, given.prints);
    return 3;
}

#define FEW_ARGUMENTS 64

/* program:call(arguments, results) -> interrupted: one step of arguments that are all given, as run() does it, without
 * its options and tables, into an array of the caller's: for what is called often */
static int program_call(lua_State *L, pod_error *error)
{
    const pod_lua_program box = *pod_lua_check_program(L, 1);
    const pod_run_options options = {.tells_writes = true};
    pod_buffer *few[FEW_ARGUMENTS], **arguments = few;
    lua_settop(L, 3);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    if (box.parameter_count + box.output_count > FEW_ARGUMENTS)
        arguments = pod_lua_new_array(L, box.parameter_count + box.output_count, sizeof *arguments);
    pod_buffer **results = arguments + box.parameter_count;
    luaL_getmetatable(L, POD_LUA_BUFFER);
    const int of_buffers = lua_gettop(L);
    for (size_t i = 0; i < box.output_count; i++) {
        *(pod_buffer **)pod_lua_newuserdata(L, sizeof(pod_buffer *)) = NULL;
        lua_pushvalue(L, of_buffers);
        lua_setmetatable(L, -2);
        lua_rawseti(L, 3, (int)i + 1);
    }
    /* Last: from here on no finaliser runs, which could close one. */
    for (size_t i = 0; i < box.parameter_count; i++) {
        pod_lua_geti(L, 2, i + 1);
        pod_buffer **one = to_buffer_box(L, of_buffers + 1, of_buffers);
        arguments[i] = one && *one ? *one : pod_lua_check_held(L, of_buffers + 1);
        lua_settop(L, of_buffers);
    }
    pod_run_report report;
    const pod_status status = pod_program_run(box.program, arguments, results, &options, &report, error);
    if (report.interrupted)
        pod_context_clear_interrupt(box.context);
    pod_lua_check(L, status, error);
    take_results(L, 3, box.context, results, box.output_count, of_buffers);
    lua_pushboolean(L, report.interrupted);
    return 1;
}

/* ---- in slices ---- */

/* Keeps { program, infeed, print list }. */
typedef struct run_box {
    pod_run *run;
    pod_context *context; /* shared */
    size_t output_count;
    const pod_infeed *infeed; /* in the userdata that is kept; it tells when it is closed */
    function_infeed function; /* of the present call */
    print_list *prints;
} run_box;

enum { KEPT_PROGRAM = 1, KEPT_INFEED, KEPT_PRINTS };

static void end_run(void *run)
{
    pod_run_end(run);
}

static void end_context(void *context)
{
    pod_context_release(context);
}

static int run_close(lua_State *L)
{
    run_box *box = luaL_checkudata(L, 1, "moonpod.run");
    const run_box content = *box;
    box->run = NULL;
    box->context = NULL;
    pod_lua_end(L, end_run, content.run);
    pod_lua_end(L, end_context, content.context);
    return 0;
}

static const pod_lua_kind run_kind = {"moonpod.run", "run", .size = sizeof(run_box), .close = run_close};

static run_box *check_run_box(lua_State *L)
{
    (void)pod_lua_check_open(L, 1, &run_kind);
    return lua_touserdata(L, 1);
}

static pod_status relay_next(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    const run_box *box = context;
    return box->infeed->next(box->infeed->context, slots, count, error);
}

static pod_status relay_rows(void *context, const bool *by_rows, pod_buffer **slots, pod_infeed_rows *rows,
                             size_t count, pod_error *error)
{
    const run_box *box = context;
    if (!box->infeed->next_rows)
        return relay_next(context, slots, count, error);
    return box->infeed->next_rows(box->infeed->context, by_rows, slots, rows, count, error);
}

/* program:begin(arguments, options?) -> a run that is done in slices; arguments and options are those of run() */
static int program_begin(lua_State *L, pod_error *error)
{
    const pod_lua_program of = *pod_lua_check_program(L, 1);
    given_run given;
    lua_settop(L, 3);
    check_run(L, &of, &given);
    lua_createtable(L, 3, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, KEPT_PROGRAM);
    if (!lua_isnil(L, 3)) {
        lua_getfield(L, 3, "infeed");
        lua_rawseti(L, -2, KEPT_INFEED);
    }
    if (given.prints) {
        lua_pushvalue(L, given.prints_at);
        lua_rawseti(L, -2, KEPT_PRINTS);
    }
    run_box *box = pod_lua_newuserdata_with_table(L, sizeof *box);
    *box = (run_box){.output_count = of.output_count, .infeed = given.infeed, .prints = given.prints};
    pod_lua_setmetatable(L, run_kind.name);
    const pod_infeed adapter = given.function         ? (pod_infeed){.next = function_next, .context = &box->function}
                               : given.infeed == NULL ? (pod_infeed){0}
                               : given.infeed->next_rows ? (pod_infeed){relay_next, box, relay_rows}
                                                         : (pod_infeed){.next = relay_next, .context = box};
    given.options.infeed = adapter.next ? &adapter : NULL;
    pod_lua_check(L, pod_run_begin(of.program, given.arguments, &given.options, &box->run, error), error);
    box->context = pod_context_retain(of.context);
    return 1;
}

/* run:step(nanoseconds) -> whether it is over, steps done; 0: to the end */
static int run_step(lua_State *L, pod_error *error)
{
    run_box *box = check_run_box(L);
    pod_run *run = box->run;
    pod_context *context = box->context;
    const int64_t nanoseconds = pod_lua_check_within(L, 2, "the time", 0, INT64_MAX);
    lua_settop(L, 2);
    pod_lua_push_kept_table(L, 1);
    lua_rawgeti(L, 3, KEPT_INFEED);
    lua_pushnil(L);
    box->function = (function_infeed){L, 4, 5};
    luaL_checkstack(L, LUA_MINSTACK, "infeed");
    pod_run_report report;
    const pod_status status = pod_run_step_for(run, (uint64_t)nanoseconds, &report, error);
    box->function.L = NULL;
    if (status < 0 && !lua_isnil(L, 5)) {
        lua_pushvalue(L, 5);
        return lua_error(L);
    }
    if (report.interrupted)
        pod_context_clear_interrupt(context);
    pod_lua_check(L, status, error);
    lua_pushboolean(L, status == POD_END);
    pod_lua_push_int64(L, report.steps);
    return 2;
}

/* run:stop(): the step under way is the last */
static int run_stop(lua_State *L)
{
    pod_run_stop(check_run_box(L)->run);
    return 0;
}

/* run:results() -> results, report, prints, as of program:run(), when it is over; once */
static int run_results(lua_State *L, pod_error *error)
{
    const run_box *box = check_run_box(L);
    pod_run *run = box->run;
    pod_buffer **results = push_results(L, box->output_count);
    const int table = lua_gettop(L);
    pod_run_report report;
    pod_lua_check(L, pod_run_take_results(run, results, error), error);
    take_results(L, table, box->context, results, box->output_count, table - 1);
    pod_lua_check(L, pod_run_step_for(run, 0, &report, error), error); /* which is over: what it did */
    push_report(L, &report);
    push_prints(L, box->prints);
    return 3;
}

static const pod_lua_function of_programs[] = {
    {"run", .failing = program_run}, {"call", .failing = program_call}, {"begin", .failing = program_begin}, {0}};

static const pod_lua_function methods[] = {
    {"step", .failing = run_step}, {"stop", .plain = run_stop}, {"results", .failing = run_results}, {0}};

const pod_lua_part pod_lua_run_part = {
    .kind = &run_kind, .methods = methods, .of = &pod_lua_program_kind, .more = of_programs};
