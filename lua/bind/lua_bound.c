/* lua_bound - programs of one tensor that are called again and again: what a call needs is found once. */

#include "program_access.h"
#include "small.h"

#include <string.h>

#define BOUND "moonpod.bound"

/* What the two functions of a bound program share, in a userdata. */
typedef struct bound {
    pod_dtype dtype;
    pod_shape shape;
    int gates;
    lua_Number told_at;       /* the count of changes when it was told its other arguments; -1: never */
    int64_t calls;            /* since that was asked */
    pod_lua_small_type *type; /* of results, where they are small, kept by TYPE; NULL: not known yet */
    pod_buffer *result;       /* of the last call then */
    bool ended;               /* collected, although a finaliser may still call it */
} bound;

/* Upvalues of a bound program, behind those that all functions have. Gates are pairs of a table and a key. */
enum { PROGRAM = POD_LUA_FIRST_UPVALUE, STATE, GIVEN, BUFFERS, SMALLS, TYPE, CHANGES, COUNT, TENSORS, KEY, GATES };

/* Places on the stack of a call. What is above them is taken off seldom: that takes as long as what put it there. */
enum { ARGUMENT = 1, ITS_METATABLE, BOX, METATABLE_OF_BOX, RESULT, RESULT_BOX };

#define PUSHED_AT_ONCE 8

#define MOST_ARGUMENTS 63
#define MOST_GATES     8

/* Whether the value at `index` is a box of a buffer. Pushes up to one value. */
static bool is_box(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TUSERDATA && lua_getmetatable(L, index) &&
           (lua_rawequal(L, -1, lua_upvalueindex(BUFFERS)) || lua_rawequal(L, -1, lua_upvalueindex(SMALLS)));
}

static lua_Number count_changes(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(COUNT));
    lua_rawget(L, lua_upvalueindex(CHANGES));
    return pod_lua_to_number(L, -1);
}

/* Whether nothing has changed since the arguments were told, and all gates are open. */
static bool may_run(lua_State *L, const bound *state)
{
    bool open = count_changes(L) == state->told_at;
    for (int i = 0; open && i < state->gates; i++) {
        lua_pushvalue(L, lua_upvalueindex(GATES + 2 * i + 1));
        lua_rawget(L, lua_upvalueindex(GATES + 2 * i));
        open = !lua_toboolean(L, -1);
    }
    lua_settop(L, RESULT_BOX);
    return open;
}

/* Returns the buffer of the argument, NULL where it is no tensor that has one. */
static const pod_buffer *open_argument(lua_State *L)
{
    lua_settop(L, ARGUMENT);
    if (lua_type(L, ARGUMENT) != LUA_TTABLE || !lua_getmetatable(L, ARGUMENT) ||
        !lua_rawequal(L, ITS_METATABLE, lua_upvalueindex(TENSORS)))
        return NULL;
    lua_pushvalue(L, lua_upvalueindex(KEY));
    lua_rawget(L, ARGUMENT);
    return is_box(L, BOX) ? pod_lua_open_box(L, BOX, NULL) : NULL;
}

/* Pushes a tensor, which finds its type and shape when it is asked for them, and the empty box of its buffer. */
static pod_buffer **push_result(lua_State *L, const bound *state)
{
    pod_buffer **box;
    lua_createtable(L, 0, 1);
    if (state->type)
        box = &pod_lua_push_small(L, lua_upvalueindex(TYPE), state->type)->buffer;
    else
        *(box = pod_lua_newuserdata(L, sizeof *box)) = NULL;
    lua_pushvalue(L, lua_upvalueindex(state->type ? SMALLS : BUFFERS));
    lua_setmetatable(L, RESULT_BOX);
    lua_pushvalue(L, lua_upvalueindex(KEY));
    lua_pushvalue(L, RESULT_BOX);
    lua_rawset(L, RESULT);
    lua_pushvalue(L, lua_upvalueindex(TENSORS));
    lua_setmetatable(L, RESULT);
    return box;
}

/* Puts the result into its box. Where results are small the buffer stays here, for the next. */
static void take_result(lua_State *L, bound *state, pod_context *context, pod_buffer **box, pod_buffer *result)
{
    if (!pod_lua_to_small(L, RESULT_BOX)) {
        *box = result;
        pod_lua_charge(L, context, pod_buffer_bytes(result));
        state->type = pod_lua_new_small_type(L, lua_upvalueindex(TYPE), context, result);
        return;
    }
    memcpy(((pod_lua_small_box *)box)->elements, pod_buffer_data(result), state->type->bytes);
    pod_buffer_release(state->result);
    state->result = result;
}

/* Fills in what a run is given. Returns false where something is not there or of another type. */
static bool read_arguments(lua_State *L, const bound *state, pod_buffer **arguments, size_t count)
{
    arguments[0] = *(pod_buffer **)lua_touserdata(L, BOX);
    for (size_t i = 1; i < count; i++) {
        pod_lua_geti(L, lua_upvalueindex(GIVEN), i + 1);
        pod_buffer *const *one = lua_touserdata(L, -1);
        if (!one || !*one)
            return false;
        arguments[i] = *one;
        if (i % PUSHED_AT_ONCE == 0)
            lua_settop(L, RESULT_BOX);
    }
    return arguments[0] && pod_buffer_dtype(arguments[0]) == state->dtype &&
           pod_shape_equal(pod_buffer_shape(arguments[0]), &state->shape);
}

/* call(tensor) -> tensor; nil where there is more to do than to run; nil and what failed; nil and false when it was
 * interrupted */
static int call_bound(lua_State *L)
{
    const pod_lua_program *of = lua_touserdata(L, lua_upvalueindex(PROGRAM));
    bound *state = lua_touserdata(L, lua_upvalueindex(STATE));
    pod_buffer *arguments[MOST_ARGUMENTS], *result = NULL;
    pod_run_report report;
    pod_error error;
    if (!open_argument(L))
        return 0;
    pod_buffer **made = push_result(L, state);
    /* From here on no finaliser runs, which could close or change what is used. */
    if (!of->program || !may_run(L, state) || !read_arguments(L, state, arguments, of->parameter_count))
        return 0;
    const pod_run_options options = {.result_buffers = state->result ? &state->result : NULL, .tells_writes = true};
    const pod_status status = pod_program_run(of->program, arguments, &result, &options, &report, &error);
    if (report.interrupted)
        pod_context_clear_interrupt(of->context);
    if (status < 0 || report.interrupted || !result) {
        pod_buffer_release(result);
        lua_pushnil(L);
        if (status < 0)
            lua_pushstring(L, error.message);
        else
            lua_pushboolean(L, 0);
        return 2;
    }
    state->calls++;
    take_result(L, state, of->context, made, result);
    lua_settop(L, RESULT);
    return 1;
}

/* tell(arguments) tells the other arguments, in the array of all; they are not kept alive. tell() -> calls since this
 * was asked */
static int tell_bound(lua_State *L)
{
    const pod_lua_program *of = lua_touserdata(L, lua_upvalueindex(PROGRAM));
    bound *state = lua_touserdata(L, lua_upvalueindex(STATE));
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        pod_lua_push_int64(L, state->calls);
        state->calls = 0;
        return 1;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    bool all = true;
    state->told_at = -1;
    for (size_t i = 2; i <= of->parameter_count; i++) {
        pod_lua_geti(L, 1, i);
        all = is_box(L, 2) && all;
        lua_settop(L, 2);
        lua_rawseti(L, lua_upvalueindex(GIVEN), (int)i);
    }
    if (all && !state->ended)
        state->told_at = count_changes(L);
    return 0;
}

static int collect_bound(lua_State *L)
{
    bound *state = lua_touserdata(L, 1);
    pod_buffer_release(state->result);
    *state = (bound){.told_at = -1, .ended = true};
    return 0;
}

/* Pushes what calls share. */
static void push_state(lua_State *L, const bound *from)
{
    bound *state = pod_lua_newuserdata(L, sizeof *state);
    *state = *from;
    if (luaL_newmetatable(L, BOUND)) {
        lua_pushcfunction(L, collect_bound);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
}

/* Pushes an array that does not keep what is in it. */
static void push_weak_array(lua_State *L, size_t count)
{
    lua_createtable(L, (int)count, 0);
    lua_createtable(L, 0, 1);
    pod_lua_set_text(L, "__mode", "v");
    lua_setmetatable(L, -2);
}

/* Pushes a function with the first values of those from `first` on as its upvalues. */
static void push_with(lua_State *L, lua_CFunction function, int first, int count)
{
    for (int i = 0; i < count; i++)
        lua_pushvalue(L, first + i);
    pod_lua_push_closure(L, function, count);
}

/* program:bind(dtype, shape, tensors, changes, gates) -> call, tell: the program as a function of one tensor of a type
 * and shape that gives one, and what tells it its other arguments. It runs while changes.count is what it was then, and
 * of the gates, an array of tables and keys in turn, no table has anything at its key; else a call returns nil.
 * `tensors` is their metatable. nil for a program that has several results, or too many arguments. */
static int program_bind(lua_State *L)
{
    const pod_lua_program *of = pod_lua_check_program(L, 1);
    bound made = {.dtype = pod_lua_check_dtype(L, 2), .told_at = -1};
    pod_lua_check_shape(L, 3, &made.shape);
    for (int i = 4; i <= 6; i++)
        luaL_checktype(L, i, LUA_TTABLE);
    lua_settop(L, 6);
    const size_t gates = pod_lua_length(L, 6);
    if (of->on_device || of->output_count != 1 || of->parameter_count < 1 || of->parameter_count > MOST_ARGUMENTS ||
        gates > 2 * MOST_GATES)
        return 0;
    luaL_checkstack(L, 2 * (GATES + 2 * MOST_GATES), "gates");
    made.gates = (int)gates / 2;
    lua_pushvalue(L, 1);
    push_state(L, &made);
    push_weak_array(L, of->parameter_count);
    luaL_getmetatable(L, POD_LUA_BUFFER);
    luaL_getmetatable(L, POD_LUA_SMALL_BUFFER);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 5);
    lua_pushliteral(L, "count");
    lua_pushvalue(L, 4);
    lua_pushliteral(L, "_buffer");
    for (int i = 0; i < 2 * made.gates; i++) {
        pod_lua_geti(L, 6, (size_t)i + 1);
        luaL_argcheck(L, i % 2 == 1 || lua_type(L, -1) == LUA_TTABLE, 6, "a gate is a table and a key");
    }
    push_with(L, call_bound, 7, GATES - PROGRAM + 2 * made.gates);
    push_with(L, tell_bound, 7, TENSORS - PROGRAM);
    return 2;
}

static const pod_lua_function methods[] = {{"bind", .plain = program_bind}, {0}};

const pod_lua_part pod_lua_bound_part = {.of = &pod_lua_program_kind, .more = methods};
