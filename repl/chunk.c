#include "chunk.h"

#include <lauxlib.h>
#include <string.h>

bool chunk_is_muted(lua_State *L)
{
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return length > 0 && text[length - 1] == ';';
}

int chunk_load_expression(lua_State *L)
{
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == ';'))
        length--;
    /* Within the scope of such a variable no call is a tail call, which would leave the entry's line behind. */
    lua_pushliteral(L, "local __entry <close> = nil return ");
    lua_pushlstring(L, text, length);
    lua_concat(L, 2);
    const char *chunk = lua_tolstring(L, -1, &length);
    const int status = luaL_loadbuffer(L, chunk, length, "=stdin");
    if (status == LUA_OK) {
        lua_remove(L, -2); /* the text with "return" */
        lua_remove(L, -2); /* the text */
    } else {
        lua_pop(L, 2);
    }
    return status;
}

bool chunk_is_incomplete(lua_State *L, int status)
{
    static const char mark[] = "<eof>";
    if (status != LUA_ERRSYNTAX)
        return false;
    size_t length;
    const char *message = lua_tolstring(L, -1, &length);
    return length >= sizeof mark - 1 && strcmp(message + length - (sizeof mark - 1), mark) == 0;
}

bool chunk_is_whole(lua_State *L, const char *text, size_t size)
{
    const int top = lua_gettop(L);
    if (size == 0 || text[0] == '=' || text[0] == '!')
        return true;
    if (text[0] == '%') { /* a command of the session: what it measures may have more lines */
        const size_t word = size > 7 && memcmp(text, "%timeit", 7) == 0 ? 7 : 5;
        if (size <= word || memcmp(text, "%timeit", word) != 0)
            return true;
        text += word;
        size -= word;
    }
    lua_pushlstring(L, text, size);
    int status = chunk_load_expression(L);
    if (status != LUA_OK)
        status = luaL_loadbuffer(L, text, size, "=stdin");
    const bool whole = !chunk_is_incomplete(L, status);
    lua_settop(L, top);
    return whole;
}
