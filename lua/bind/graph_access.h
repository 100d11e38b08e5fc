#ifndef POD_BIND_GRAPH_ACCESS_H
#define POD_BIND_GRAPH_ACCESS_H

/* What the files about graphs share: nodes are their ids in Lua. */

#include "bind.h"

extern const pod_lua_kind pod_lua_graph_kind;

/* Returns node `id` at `index` of the arguments; raises when the graph has none such. */
pod_node *pod_lua_check_node(lua_State *L, pod_graph *graph, int index);

/* Reads an array of ids at `index` into a block that stays on top of the stack. */
pod_node **pod_lua_check_nodes(lua_State *L, pod_graph *graph, int index, size_t *count);

/* Raises where a graph has not so many parameters and outputs: there were as many, but when room for what is told of
 * them was made, a finaliser added some. */
void pod_lua_check_counts(lua_State *L, const pod_graph *graph, size_t parameters, size_t outputs);

/* Pushes an array of the ids of nodes, false for NULL. */
void pod_lua_push_ids(lua_State *L, pod_node *const *nodes, size_t count);

/* Raises the graph's first error, if any, and clears it. */
void pod_lua_check_built(lua_State *L, pod_graph *graph);

/* Pushes id, dtype and shape of a node just made, and its number of results where there are several; raises
 * instead when it could not be made. */
int pod_lua_push_node(lua_State *L, pod_graph *graph, pod_node *node);

#endif
