/*
 * graph_build - the methods of graphs that add nodes: all return id, dtype, shape, and the number of results where
 * there are several.
 */

#include "graph_access.h"

#include <moonpod/builders.h>

/* Takes the graphs of the array at `index`, which are to be part of `graph`, into a block that stays on the stack. */
static pod_graph **take_regions(lua_State *L, const pod_graph *graph, int index, size_t *count)
{
    if (!lua_isnoneornil(L, index))
        luaL_checktype(L, index, LUA_TTABLE);
    *count = lua_isnoneornil(L, index) ? 0 : pod_lua_length(L, index);
    pod_graph **regions = pod_lua_new_array(L, *count + 1, sizeof *regions);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        regions[i] = pod_lua_check_graph(L, lua_gettop(L));
        luaL_argcheck(L, regions[i] != graph, index, "a graph is no region of its own");
        for (size_t j = 0; j < i; j++)
            luaL_argcheck(L, regions[j] != regions[i], index, "a graph is one region alone; give a copy of it");
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < *count; i++) {
        pod_error error;
        pod_lua_geti(L, index, i + 1);
        regions[i] = pod_lua_take_graph(L, lua_gettop(L), &error);
        lua_pop(L, 1);
        if (regions[i])
            continue;
        while (i-- > 0)
            pod_graph_free(regions[i]);
        pod_lua_raise(L, &error);
    }
    return regions;
}

/* graph:apply(op, inputs, attributes?, regions?): regions are taken */
static int graph_apply(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = pod_lua_check_text(L, 2);
    lua_settop(L, 5);
    pod_op op = pod_op_from_name(name);
    if (op < 0)
        return luaL_error(L, "there is no primitive op '%s'", name);
    pod_attributes attributes;
    pod_lua_check_attributes(L, 4, &attributes);
    size_t input_count, region_count;
    pod_node **inputs = pod_lua_check_nodes(L, graph, 3, &input_count);
    pod_graph **regions = take_regions(L, graph, 5, &region_count);
    pod_node *node = pod_graph_apply(graph, op, inputs, input_count, &attributes, regions, region_count);
    return pod_lua_push_node(L, graph, node);
}

/* graph:composite(name, inputs, attributes?) */
static int graph_composite(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = pod_lua_check_text(L, 2);
    lua_settop(L, 4);
    pod_attributes attributes;
    pod_lua_check_attributes(L, 4, &attributes);
    size_t count;
    pod_node **inputs = pod_lua_check_nodes(L, graph, 3, &count);
    return pod_lua_push_node(L, graph, pod_graph_composite(graph, name, inputs, count, &attributes));
}

/* graph:parameter(dtype, shape, name?) */
static int graph_parameter(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_dtype dtype = pod_lua_check_dtype(L, 2);
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    const char *name = pod_lua_optional_text(L, 4, NULL);
    return pod_lua_push_node(L, graph, pod_graph_parameter(graph, dtype, &shape, name));
}

/* graph:constant(buffer) */
static int graph_constant(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_buffer *buffer = pod_lua_check_buffer(L, 2);
    return pod_lua_push_node(
        L, graph,
        pod_graph_constant(graph, pod_buffer_dtype(buffer), pod_buffer_shape(buffer), pod_buffer_data(buffer)));
}

/* graph:scalar(dtype, value, shape?) */
static int graph_scalar(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_dtype dtype = pod_lua_check_dtype(L, 2);
    char element[8];
    pod_shape shape = {0};
    if (!lua_isnoneornil(L, 4))
        pod_lua_check_shape(L, 4, &shape);
    pod_lua_store_element(L, 3, dtype, element, 0);
    if (shape.rank == 0) /* exact, where a double is not */
        return pod_lua_push_node(L, graph, pod_graph_constant(graph, dtype, NULL, element));
    const double value = lua_type(L, 3) == LUA_TBOOLEAN ? lua_toboolean(L, 3) : pod_lua_to_number(L, 3);
    return pod_lua_push_node(L, graph, pod_graph_scalar(graph, dtype, value, &shape));
}

/* graph:result(node, index counted from 0) */
static int graph_result(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *node = pod_lua_check_node(L, graph, 2);
    size_t index = (size_t)pod_lua_check_within(L, 3, "index", 0, INT32_MAX);
    return pod_lua_push_node(L, graph, pod_graph_result(graph, node, index));
}

/* Finds an op by element of so many operands; -1 when there is none of that name. */
static pod_op find_elementwise(const char *name, int32_t operands)
{
    pod_op op = pod_op_from_name(name);
    return pod_op_elementwise_operands(op) == operands ? op : -1;
}

/* graph:unary(name, x) */
static int graph_unary(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = pod_lua_check_text(L, 2);
    pod_node *x = pod_lua_check_node(L, graph, 3);
    pod_op op = find_elementwise(name, 1);
    if (op < 0)
        return luaL_error(L, "there is no function of one operand '%s'", name);
    return pod_lua_push_node(L, graph, pod_graph_elementwise(graph, op, &x, 1));
}

/* graph:binary(name, a, b): the operands broadcast */
static int graph_binary(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = pod_lua_check_text(L, 2);
    pod_node *inputs[2] = {pod_lua_check_node(L, graph, 3), pod_lua_check_node(L, graph, 4)};
    pod_op op = find_elementwise(name, 2);
    if (op < 0)
        return luaL_error(L, "there is no function of two operands '%s'", name);
    return pod_lua_push_node(L, graph, pod_graph_elementwise(graph, op, inputs, 2));
}

/* graph:compare("lt", a, b) */
static int graph_compare(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_comparison comparison = (pod_comparison)pod_lua_check_name(L, 2, "comparison", pod_comparison_names());
    pod_node *a = pod_lua_check_node(L, graph, 3);
    pod_node *b = pod_lua_check_node(L, graph, 4);
    return pod_lua_push_node(L, graph, pod_graph_compare(graph, comparison, a, b));
}

/* graph:select(predicate, a, b) */
static int graph_select(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *predicate = pod_lua_check_node(L, graph, 2);
    pod_node *a = pod_lua_check_node(L, graph, 3);
    pod_node *b = pod_lua_check_node(L, graph, 4);
    return pod_lua_push_node(L, graph, pod_graph_select(graph, predicate, a, b));
}

/* graph:convert(x, dtype) */
static int graph_convert(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    return pod_lua_push_node(L, graph, pod_graph_convert(graph, x, pod_lua_check_dtype(L, 3)));
}

/* graph:reshape(x, shape) */
static int graph_reshape(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    return pod_lua_push_node(L, graph, pod_graph_reshape(graph, x, &shape));
}

/* graph:broadcast_to(x, shape) */
static int graph_broadcast_to(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    return pod_lua_push_node(L, graph, pod_graph_broadcast_to(graph, x, &shape));
}

/* graph:transpose(x, axes?) */
static int graph_transpose(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_axes axes;
    bool given = !lua_isnoneornil(L, 3);
    if (given)
        pod_lua_check_axes(L, 3, &axes);
    return pod_lua_push_node(L, graph, pod_graph_transpose(graph, x, given ? &axes : NULL));
}

/* graph:matmul(a, b) */
static int graph_matmul(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *a = pod_lua_check_node(L, graph, 2);
    pod_node *b = pod_lua_check_node(L, graph, 3);
    return pod_lua_push_node(L, graph, pod_graph_matmul(graph, a, b));
}

/* graph:reduce(op, x, axes?, keep?) */
static int graph_reduce(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *op = pod_lua_check_text(L, 2);
    pod_node *x = pod_lua_check_node(L, graph, 3);
    pod_axes axes;
    bool given = !lua_isnoneornil(L, 4);
    if (given)
        pod_lua_check_axes(L, 4, &axes);
    return pod_lua_push_node(L, graph, pod_graph_reduce(graph, op, x, given ? &axes : NULL, lua_toboolean(L, 5)));
}

/* graph:mean(x, axes?, keep?) */
static int graph_mean(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_axes axes;
    bool given = !lua_isnoneornil(L, 3);
    if (given)
        pod_lua_check_axes(L, 3, &axes);
    return pod_lua_push_node(L, graph, pod_graph_mean(graph, x, given ? &axes : NULL, lua_toboolean(L, 4)));
}
static const pod_lua_function methods[] = {{"apply", .plain = graph_apply},
                                           {"composite", .plain = graph_composite},
                                           {"parameter", .plain = graph_parameter},
                                           {"constant", .plain = graph_constant},
                                           {"scalar", .plain = graph_scalar},
                                           {"result", .plain = graph_result},
                                           {"unary", .plain = graph_unary},
                                           {"binary", .plain = graph_binary},
                                           {"compare", .plain = graph_compare},
                                           {"select", .plain = graph_select},
                                           {"convert", .plain = graph_convert},
                                           {"reshape", .plain = graph_reshape},
                                           {"broadcast_to", .plain = graph_broadcast_to},
                                           {"transpose", .plain = graph_transpose},
                                           {"matmul", .plain = graph_matmul},
                                           {"reduce", .plain = graph_reduce},
                                           {"mean", .plain = graph_mean},
                                           {0}};

const pod_lua_part pod_lua_graph_build_part = {.of = &pod_lua_graph_kind, .more = methods};
