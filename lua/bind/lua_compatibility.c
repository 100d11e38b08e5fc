/* lua_compatibility - what a chip does with the ops of a graph. */

#include "bind.h"

#include <moonpod/compatibility.h>

static void set_text(lua_State *L, const char *key, const char *text)
{
    if (!text)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

static pod_host_kind check_host(lua_State *L, int index)
{
    static const char *const names[] = {"vm", "node", NULL};
    return luaL_checkoption(L, index, "vm", names) == 0 ? POD_HOST_VM : POD_HOST_NODE;
}

/* compatibility_rules(chip, "vm"|"node") -> {{op =, support =, reason =, instead =}...}, one an op
 * of the op table */
static int rules(lua_State *L)
{
    const pod_chip *chip = pod_lua_check_chip(L, 1);
    pod_host_kind host = check_host(L, 2);
    lua_createtable(L, (int)pod_op_count(), 0);
    for (pod_op op = 0; op < pod_op_count(); op++) {
        pod_op_rule rule = pod_chip_op_rule(chip, host, op);
        lua_createtable(L, 0, 4);
        set_text(L, "op", pod_op_name(op));
        set_text(L, "support", pod_support_name(rule.support));
        set_text(L, "reason", rule.reason);
        set_text(L, "instead", rule.instead);
        lua_rawseti(L, -2, (int)op + 1);
    }
    return 1;
}

static void push_findings(lua_State *L, const pod_compatibility *check)
{
    size_t count = pod_compatibility_count(check);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        const pod_finding *finding = pod_compatibility_finding(check, i);
        lua_createtable(L, 0, 8);
        set_text(L, "support", pod_support_name(finding->support));
        set_text(L, "kind", finding->kind);
        set_text(L, "op", finding->op);
        set_text(L, "location", finding->location);
        set_text(L, "scope", finding->scope);
        set_text(L, "reason", finding->reason);
        set_text(L, "instead", finding->instead);
        pod_lua_push_int64(L, (int64_t)finding->count);
        lua_setfield(L, -2, "count");
        lua_rawseti(L, -2, (int)i + 1);
    }
}

/* Runs with the check in a light userdata, so that it is freed whatever happens. */
static int push_findings_protected(lua_State *L)
{
    push_findings(L, lua_touserdata(L, 1));
    return 1;
}

/* compatibility_check(graph, chip, "vm"|"node") -> {{support =, kind =, op =, location =, scope =,
 * reason =, instead =, count =}...}, nodes */
static int check(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const pod_chip *chip = pod_lua_check_chip(L, 2);
    pod_host_kind host = check_host(L, 3);
    pod_compatibility *found;
    pod_error error;
    pod_lua_check(L, pod_compatibility_check(graph, chip, host, &found, &error), &error);
    lua_pushcfunction(L, push_findings_protected);
    lua_pushlightuserdata(L, found);
    int64_t nodes = (int64_t)pod_compatibility_nodes(found);
    int failed = lua_pcall(L, 1, 1, 0);
    pod_compatibility_free(found);
    if (failed)
        return lua_error(L);
    pod_lua_push_int64(L, nodes);
    return 2;
}

void pod_lua_open_compatibility(lua_State *L)
{
    pod_lua_push_function(L, rules);
    lua_setfield(L, -2, "compatibility_rules");
    pod_lua_push_function(L, check);
    lua_setfield(L, -2, "compatibility_check");
}
