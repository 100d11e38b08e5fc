/* lua_compatibility - what a chip does with the ops of a graph. */

#include "bind.h"

#include <moonpod/compatibility.h>

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
        pod_lua_set_text(L, "op", pod_op_name(op));
        pod_lua_set_text(L, "support", pod_support_name(rule.support));
        pod_lua_set_text(L, "reason", rule.reason);
        pod_lua_set_text(L, "instead", rule.instead);
        lua_rawseti(L, -2, (int)op + 1);
    }
    return 1;
}

static void push_finding(lua_State *L, const void *check, size_t index)
{
    const pod_finding *finding = pod_compatibility_finding(check, index);
    lua_createtable(L, 0, 9);
    pod_lua_set_text(L, "support", pod_support_name(finding->support));
    pod_lua_set_text(L, "kind", finding->kind);
    pod_lua_set_text(L, "op", finding->op);
    pod_lua_set_text(L, "location", finding->location);
    pod_lua_set_text(L, "scope", finding->scope);
    pod_lua_set_text(L, "reason", finding->reason);
    pod_lua_set_text(L, "instead", finding->instead);
    pod_lua_set_integer(L, "count", (int64_t)finding->count);
    if (finding->labels >= 0)
        pod_lua_set_integer(L, "labels", finding->labels + 1);
}

/* Runs with the check in a light userdata, so that it is freed whatever happens. */
static int push_findings(lua_State *L)
{
    const pod_compatibility *check = lua_touserdata(L, 1);
    pod_lua_push_array(L, pod_compatibility_count(check), push_finding, check);
    return 1;
}

/* compatibility_check(graph, chip, "vm"|"node") -> {{support =, kind =, op =, location =, scope =,
 * reason =, instead =, count =, labels = parameter from 1 or nil}...}, nodes */
static int check(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const pod_chip *chip = pod_lua_check_chip(L, 2);
    pod_host_kind host = check_host(L, 3);
    pod_compatibility *found;
    pod_lua_check(L, pod_compatibility_check(graph, chip, host, &found, error), error);
    const int64_t nodes = (int64_t)pod_compatibility_nodes(found);
    const bool pushed = pod_lua_push_protected(L, push_findings, found);
    pod_compatibility_free(found);
    if (!pushed)
        return lua_error(L);
    pod_lua_push_int64(L, nodes);
    return 2;
}

static const pod_lua_function functions[] = {
    {"compatibility_rules", .plain = rules}, {"compatibility_check", .failing = check}, {0}};

const pod_lua_part pod_lua_compatibility_part = {.functions = functions};
