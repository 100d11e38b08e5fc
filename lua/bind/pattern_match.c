/* pattern_match - see pattern_match.h. */

#include "pattern_match.h"
#include "sandbox.h"

#include <ctype.h>
#include <string.h>

#define MOST_DEPTH    200
#define STEPS_AT_ONCE 1024

static const char *match(pod_lua_matcher *m, const char *s, const char *p);

static void count_step(pod_lua_matcher *m)
{
    if (++m->steps < STEPS_AT_ONCE)
        return;
    m->steps = 0;
    pod_lua_sandbox_spend(m->L, STEPS_AT_ONCE);
}

static int code(const char *s)
{
    return (unsigned char)*s;
}

/* The end of the single character class that begins at p. */
static const char *class_end(const pod_lua_matcher *m, const char *p)
{
    if (p == m->pattern_end)
        luaL_error(m->L, "malformed pattern (ends with '%%')");
    const char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end)
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[')
        return p;
    if (p < m->pattern_end && *p == '^')
        p++;
    do { /* the first ']' is a character of the set */
        if (p == m->pattern_end)
            luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p++ == '%') {
            if (p == m->pattern_end)
                luaL_error(m->L, "malformed pattern (missing ']')");
            p++;
        }
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

static bool is_of_letter(int c, int letter)
{
    bool is;
    switch (tolower(letter)) {
    case 'a':
        is = isalpha(c);
        break;
    case 'c':
        is = iscntrl(c);
        break;
    case 'd':
        is = isdigit(c);
        break;
    case 'g':
        is = isgraph(c);
        break;
    case 'l':
        is = islower(c);
        break;
    case 'p':
        is = ispunct(c);
        break;
    case 's':
        is = isspace(c);
        break;
    case 'u':
        is = isupper(c);
        break;
    case 'w':
        is = isalnum(c);
        break;
    case 'x':
        is = isxdigit(c);
        break;
    case 'z':
        is = c == 0;
        break;
    default:
        return letter == c;
    }
    return isupper(letter) ? !is : is;
}

/* Whether c is in the set that begins at p ('[') and whose ']' is at `last`. */
static bool is_of_set(int c, const char *p, const char *last)
{
    bool is = true;
    if (p[1] == '^') {
        is = false;
        p++;
    }
    while (++p < last) {
        if (*p == '%') {
            if (is_of_letter(c, code(++p)))
                return is;
        } else if (p[1] == '-' && p + 2 < last) {
            if (code(p) <= c && c <= code(p + 2))
                return is;
            p += 2;
        } else if (code(p) == c) {
            return is;
        }
    }
    return !is;
}

static bool is_single(pod_lua_matcher *m, const char *s, const char *p, const char *end)
{
    count_step(m);
    if (s >= m->text_end)
        return false;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return is_of_letter(code(s), code(p + 1));
    case '[':
        return is_of_set(code(s), p, end - 1);
    default:
        return code(p) == code(s);
    }
}

static const char *match_balance(pod_lua_matcher *m, const char *s, const char *p)
{
    if (p >= m->pattern_end - 1)
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->text_end || *s != *p)
        return NULL;
    const char opens = p[0], closes = p[1];
    int depth = 1;
    while (++s < m->text_end) {
        count_step(m);
        if (*s == closes) {
            if (--depth == 0)
                return s + 1;
        } else if (*s == opens) {
            depth++;
        }
    }
    return NULL;
}

static const char *match_most(pod_lua_matcher *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t count = 0;
    while (is_single(m, s + count, p, end))
        count++;
    for (; count >= 0; count--) {
        const char *found = match(m, s + count, end + 1);
        if (found)
            return found;
    }
    return NULL;
}

static const char *match_fewest(pod_lua_matcher *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *found = match(m, s, end + 1);
        if (found || !is_single(m, s, p, end))
            return found;
    }
}

static const char *begin_capture(pod_lua_matcher *m, const char *s, const char *p, ptrdiff_t kind)
{
    if (m->level >= POD_LUA_MOST_CAPTURES)
        luaL_error(m->L, "too many captures");
    m->captures[m->level].first = s;
    m->captures[m->level].length = kind;
    m->level++;
    const char *found = match(m, s, p);
    if (!found)
        m->level--;
    return found;
}

static const char *end_capture(pod_lua_matcher *m, const char *s, const char *p)
{
    int at = m->level - 1;
    while (at >= 0 && m->captures[at].length != POD_LUA_OPEN)
        at--;
    if (at < 0)
        luaL_error(m->L, "invalid pattern capture");
    m->captures[at].length = s - m->captures[at].first;
    const char *found = match(m, s, p);
    if (!found)
        m->captures[at].length = POD_LUA_OPEN;
    return found;
}

static const char *match_again(const pod_lua_matcher *m, const char *s, int digit)
{
    const int at = digit - '1';
    if (at < 0 || at >= m->level || m->captures[at].length == POD_LUA_OPEN)
        luaL_error(m->L, "invalid capture index %%%d", at + 1);
    const ptrdiff_t length = m->captures[at].length;
    if (length == POD_LUA_POSITION) /* Lua has it too long for any text */
        return NULL;
    pod_lua_sandbox_spend(m->L, (uint64_t)length / 64);
    if (m->text_end - s < length || memcmp(m->captures[at].first, s, (size_t)length) != 0)
        return NULL;
    return s + length;
}

/* %f[set]: where a character of the set follows one that is none. */
static const char *match_frontier(pod_lua_matcher *m, const char *s, const char *p)
{
    p += 2;
    if (p >= m->pattern_end || *p != '[')
        luaL_error(m->L, "missing '[' after '%%f' in pattern");
    const char *end = class_end(m, p);
    const int before = s == m->text ? 0 : code(s - 1), here = s < m->text_end ? code(s) : 0;
    return !is_of_set(before, p, end - 1) && is_of_set(here, p, end - 1) ? match(m, s, end) : NULL;
}

/* A single character with what stands behind it; *go_on where the match goes on behind it, at the returned place. */
static const char *match_item(pod_lua_matcher *m, const char *s, const char **pattern, bool *go_on)
{
    const char *p = *pattern, *end = class_end(m, p);
    const char suffix = end < m->pattern_end ? *end : '\0';
    if (suffix == '*')
        return match_most(m, s, p, end);
    if (suffix == '-')
        return match_fewest(m, s, p, end);
    const bool is = is_single(m, s, p, end);
    if (suffix == '+')
        return is ? match_most(m, s + 1, p, end) : NULL;
    if (suffix == '?') {
        const char *found = is ? match(m, s + 1, end + 1) : NULL;
        if (found)
            return found;
        *go_on = true;
        *pattern = end + 1;
        return s;
    }
    *go_on = is;
    *pattern = end;
    return is ? s + 1 : NULL;
}

/* What the special forms of a pattern match; *is_special: whether p begins one. */
static const char *match_special(pod_lua_matcher *m, const char *s, const char *p, bool *is_special)
{
    const char next = p + 1 < m->pattern_end ? p[1] : '\0';
    *is_special = true;
    if (*p == '(')
        return next == ')' ? begin_capture(m, s, p + 2, POD_LUA_POSITION) : begin_capture(m, s, p + 1, POD_LUA_OPEN);
    if (*p == ')')
        return end_capture(m, s, p + 1);
    if (*p == '$' && p + 1 == m->pattern_end)
        return s == m->text_end ? s : NULL;
    if (*p == '%' && next == 'b') {
        const char *behind = match_balance(m, s, p + 2);
        return behind ? match(m, behind, p + 4) : NULL;
    }
    if (*p == '%' && next == 'f')
        return match_frontier(m, s, p);
    if (*p == '%' && isdigit((unsigned char)next)) {
        const char *behind = match_again(m, s, next);
        return behind ? match(m, behind, p + 2) : NULL;
    }
    *is_special = false;
    return NULL;
}

/* The end of what the pattern p matches at s, or NULL. */
static const char *match(pod_lua_matcher *m, const char *s, const char *p)
{
    if (++m->depth > MOST_DEPTH)
        luaL_error(m->L, "pattern too complex");
    const char *found = s;
    for (bool go_on = true; go_on && p != m->pattern_end;) {
        bool is_special;
        count_step(m);
        found = match_special(m, s, p, &is_special);
        if (is_special)
            break;
        go_on = false;
        found = match_item(m, s, &p, &go_on);
        s = found;
    }
    m->depth--;
    return found;
}

const char *pod_lua_match(pod_lua_matcher *m, const char *s, const char *p)
{
    m->level = m->depth = 0;
    return match(m, s, p);
}
