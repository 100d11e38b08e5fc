#include "patterns.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "paths.h"

/* Steps of a match at most that Lua's own functions do: about a tenth of a second. */
#define MOST_STEPS 1e7

static bool is_text(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TSTRING;
}

static bool is_place(lua_State *L, int index)
{
    return lua_isnoneornil(L, index) || lua_isinteger(L, index);
}

/* The end of the set that begins at p, or where the pattern ends. */
static const char *set_end(const char *p, const char *end)
{
    p += end - p > 1 && p[1] == '^' ? 3 : 2; /* a first ']' is a character of it */
    for (; p < end && *p != ']'; p++)
        p += *p == '%';
    return p < end ? p : end;
}

/* Steps that a match may take at most, roughly: from each place of the text on, as often as what may be longer or
 * shorter can be so. */
static double most_steps(lua_State *L)
{
    size_t length, size;
    (void)lua_tolstring(L, 1, &length);
    const char *p = lua_tolstring(L, 2, &size), *end = p + size;
    const double places = (double)length + 1;
    double steps = size > 0 && *p == '^' ? 1 : places;
    for (; p < end && steps <= MOST_STEPS; p++) {
        if (*p == '%')
            p++;
        else if (*p == '[')
            p = set_end(p, end);
        else if (*p == '*' || *p == '+' || *p == '-')
            steps *= places;
        else if (*p == '?')
            steps *= 2;
    }
    return steps;
}

/* Whether the arguments are such that no function complains about them, and what they ask for may take long. */
static bool may_take_long(lua_State *L, bool replaces)
{
    if (!is_text(L, 1) || !is_text(L, 2) || !is_place(L, replaces ? 4 : 3))
        return false;
    const int kind = lua_type(L, 3);
    if (replaces && kind != LUA_TSTRING && kind != LUA_TNUMBER && kind != LUA_TFUNCTION && kind != LUA_TTABLE)
        return false;
    return most_steps(L) > MOST_STEPS;
}

/* Upvalues: Lua's function, its name, whether it replaces. Whichever does it is called in the place of this one, so
 * that its errors are those of the function that was called. */
static int guarded(lua_State *L)
{
    lua_CFunction own = lua_tocfunction(L, lua_upvalueindex(1));
    if (!may_take_long(L, lua_toboolean(L, lua_upvalueindex(3))))
        return own(L);
    const int top = lua_gettop(L);
    if (paths_push_function(L, "moonpod.core", "asking_patterns")) {
        lua_call(L, 0, 1);
        lua_pushvalue(L, lua_upvalueindex(2));
        lua_rawget(L, -2);
        own = lua_tocfunction(L, -1);
    }
    lua_settop(L, top);
    return own(L);
}

void patterns_guard(lua_State *L)
{
    static const char *const names[] = {"find", "match", "gmatch", "gsub"};
    if (lua_getglobal(L, "string") == LUA_TTABLE)
        for (int i = 0; i < 4; i++) {
            if (lua_getfield(L, -1, names[i]) != LUA_TFUNCTION || lua_tocfunction(L, -1) == NULL) {
                lua_pop(L, 1); /* the user's own */
                continue;
            }
            lua_pushstring(L, names[i]);
            lua_pushboolean(L, i == 3);
            lua_pushcclosure(L, guarded, 3);
            lua_setfield(L, -2, names[i]);
        }
    lua_pop(L, 1);
}
