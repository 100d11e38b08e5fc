/*
 * counted_patterns - find, match, gmatch and gsub of Lua's string library for sandboxes, and for what may take long in
 * a session: see pattern_match.h.
 */

#include "pattern_match.h"
#include "sandbox.h"

#include <ctype.h>
#include <string.h>

static int code(const char *s)
{
    return (unsigned char)*s;
}

static void push_capture(const pod_lua_matcher *m, int at, const char *s, const char *e)
{
    if (at >= m->level) {
        if (at != 0)
            luaL_error(m->L, "invalid capture index %%%d", at + 1);
        lua_pushlstring(m->L, s, (size_t)(e - s));
    } else if (m->captures[at].length == POD_LUA_POSITION) {
        lua_pushinteger(m->L, m->captures[at].first - m->text + 1);
    } else if (m->captures[at].length == POD_LUA_OPEN) {
        luaL_error(m->L, "unfinished capture");
    } else {
        lua_pushlstring(m->L, m->captures[at].first, (size_t)m->captures[at].length);
    }
}

static int push_captures(const pod_lua_matcher *m, const char *s, const char *e, bool whole)
{
    const int count = m->level == 0 && whole ? 1 : m->level;
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++)
        push_capture(m, i, s, e);
    return count;
}

#define MOST_TEXT 1e18 /* of a place in a text */

/* The offset of argument `index`, from 0; -1: behind the text. */
static ptrdiff_t check_first(lua_State *L, int index, size_t length)
{
    const lua_Number given =
        lua_isnoneornil(L, index) ? 1 : pod_lua_check_real(L, index, "a place", -MOST_TEXT, MOST_TEXT);
    if (given > 0)
        return given <= (lua_Number)length + 1 ? (ptrdiff_t)given - 1 : -1;
    return given == 0 || -given > (lua_Number)length ? 0 : (ptrdiff_t)length + (ptrdiff_t)given;
}

/* Where a plain text lies in another, or NULL. */
static const char *find_plain(lua_State *L, const char *s, const char *end, const char *what, size_t length)
{
    for (; (size_t)(end - s) >= length; s++) {
        const char *next = length > 0 ? memchr(s, *what, (size_t)(end - s) - length + 1) : s;
        if (!next)
            return NULL;
        pod_lua_sandbox_spend(L, 1 + (uint64_t)(next - s) / 64 + length / 64);
        if (memcmp(next, what, length) == 0)
            return next;
        s = next;
    }
    return NULL;
}

static int search(lua_State *L, bool find)
{
    size_t length, pattern_length;
    const char *s = luaL_checklstring(L, 1, &length), *p = luaL_checklstring(L, 2, &pattern_length);
    const ptrdiff_t first = check_first(L, 3, length);
    pod_lua_sandbox_spend(L, 1);
    if (first < 0) {
        lua_pushnil(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) || (!strpbrk(p, "^$*+?.([%-") && strlen(p) == pattern_length))) {
        const char *found = find_plain(L, s + first, s + length, p, pattern_length);
        if (!found) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, found - s + 1);
        lua_pushinteger(L, found - s + (ptrdiff_t)pattern_length);
        return 2;
    }
    pod_lua_matcher m = {.L = L, .text = s, .text_end = s + length, .pattern_end = p + pattern_length};
    const bool anchored = pattern_length > 0 && *p == '^';
    for (const char *at = s + first; at <= m.text_end; at++) {
        const char *e = pod_lua_match(&m, at, p + anchored);
        if (e && find) {
            lua_pushinteger(L, at - s + 1);
            lua_pushinteger(L, e - s);
            return push_captures(&m, at, e, false) + 2;
        }
        if (e)
            return push_captures(&m, at, e, true);
        if (anchored)
            break;
    }
    lua_pushnil(L);
    return 1;
}

static int counted_find(lua_State *L)
{
    return search(L, true);
}

static int counted_match(lua_State *L)
{
    return search(L, false);
}

/* Upvalues: text, pattern, where to go on, where the last match ended. */
static int next_match(lua_State *L)
{
    size_t length, pattern_length;
    const char *s = lua_tolstring(L, lua_upvalueindex(1), &length);
    const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
    const ptrdiff_t from = (ptrdiff_t)pod_lua_to_own(L, lua_upvalueindex(3));
    const ptrdiff_t last = (ptrdiff_t)pod_lua_to_own(L, lua_upvalueindex(4));
    pod_lua_matcher m = {.L = L, .text = s, .text_end = s + length, .pattern_end = p + pattern_length};
    pod_lua_sandbox_spend(L, 1);
    for (const char *at = s + from; at <= m.text_end; at++) {
        const char *e = pod_lua_match(&m, at, p);
        if (!e || e - s == last)
            continue;
        lua_pushinteger(L, e - s);
        lua_replace(L, lua_upvalueindex(3));
        lua_pushinteger(L, e - s);
        lua_replace(L, lua_upvalueindex(4));
        return push_captures(&m, at, e, true);
    }
    return 0;
}

static int counted_gmatch(lua_State *L)
{
    luaL_checkstring(L, 1);
    luaL_checkstring(L, 2);
#if LUA_VERSION_NUM >= 504
    size_t length;
    (void)lua_tolstring(L, 1, &length);
    const ptrdiff_t given = check_first(L, 3, length), first = given < 0 ? (ptrdiff_t)length + 1 : given;
#else
    const ptrdiff_t first = 0;
#endif
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)first);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

/* Adds the replacement, a text with %0 to %9 in it. */
static void add_text(const pod_lua_matcher *m, luaL_Buffer *into, const char *s, const char *e)
{
    size_t length;
    const char *text = lua_tolstring(m->L, 3, &length);
    pod_lua_sandbox_spend(m->L, 1 + length / 64);
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '%') {
            luaL_addchar(into, text[i]);
            continue;
        }
        i++;
        const int digit = i < length ? code(text + i) : 0;
        if (digit == '%') {
            luaL_addchar(into, '%');
        } else if (digit == '0') {
            luaL_addlstring(into, s, (size_t)(e - s));
        } else if (isdigit(digit)) {
            push_capture(m, digit - '1', s, e);
            (void)lua_tostring(m->L, -1);
            luaL_addvalue(into);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds what stands in the place of a match; returns whether that is another text. */
static void add_value(const pod_lua_matcher *m, luaL_Buffer *into, const char *s, const char *e, int kind)
{
    lua_State *L = m->L;
    if (kind != LUA_TFUNCTION && kind != LUA_TTABLE) {
        add_text(m, into, s, e);
        return;
    }
    if (kind == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, s, e, true), 1);
    } else {
        push_capture(m, 0, s, e);
        lua_gettable(L, 3);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        lua_pushlstring(L, s, (size_t)(e - s));
    } else if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
    luaL_addvalue(into);
}

static int counted_gsub(lua_State *L)
{
    size_t length, pattern_length;
    const char *s = luaL_checklstring(L, 1, &length), *p = luaL_checklstring(L, 2, &pattern_length), *last = NULL;
    const int kind = lua_type(L, 3);
    const lua_Number most = lua_isnoneornil(L, 4) ? (lua_Number)length + 1 : pod_lua_check_number(L, 4, "the most");
    luaL_argcheck(L, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
                  "string/function/table expected");
    const bool anchored = pattern_length > 0 && *p == '^';
    lua_Number count = 0;
    luaL_Buffer into;
    luaL_buffinit(L, &into);
    pod_lua_matcher m = {.L = L, .text = s, .text_end = s + length, .pattern_end = p + pattern_length};
    while (count < most) {
        const char *e = pod_lua_match(&m, s, p + anchored);
        if (e && e != last) {
            count++;
            add_value(&m, &into, s, e, kind);
            s = last = e;
        } else if (s < m.text_end) {
            luaL_addchar(&into, *s++);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    luaL_addlstring(&into, s, (size_t)(m.text_end - s));
    luaL_pushresult(&into);
    lua_pushinteger(L, (lua_Integer)count);
    return 2;
}

void pod_lua_open_counted_patterns(lua_State *L)
{
    static const luaL_Reg functions[] = {{"find", counted_find},
                                         {"match", counted_match},
                                         {"gmatch", counted_gmatch},
                                         {"gsub", counted_gsub},
                                         {NULL, NULL}};
    for (const luaL_Reg *one = functions; one->name; one++) {
        lua_pushcfunction(L, one->func);
        lua_setfield(L, -2, one->name);
    }
}
