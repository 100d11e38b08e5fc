#ifndef POD_BIND_PATTERN_MATCH_H
#define POD_BIND_PATTERN_MATCH_H

/*
 * pattern_match - matches texts with Lua's patterns, as its manual has them in 6.4.1, and counts each step as work of a
 * sandbox: a pattern may take exponential time.
 */

#include "bind.h"

#define POD_LUA_MOST_CAPTURES 32
#define POD_LUA_POSITION      (-2) /* the length of a capture of a place */
#define POD_LUA_OPEN          (-1) /* that of one whose end is not found yet */

typedef struct pod_lua_matcher {
    lua_State *L;
    const char *text, *text_end, *pattern_end;
    int depth, level; /* of calls; captures so far */
    uint64_t steps;
    struct {
        const char *first;
        ptrdiff_t length;
    } captures[POD_LUA_MOST_CAPTURES];
} pod_lua_matcher;

/* Returns the end of what the pattern from p on matches at s, or NULL. Raises for a pattern that is none. */
const char *pod_lua_match(pod_lua_matcher *m, const char *s, const char *p);

#endif
