#ifndef POD_EXCHANGE_SHARDINGS_H
#define POD_EXCHANGE_SHARDINGS_H

/*
 * shardings - how a module says that its values are divided among devices: `#sdy.sharding<@mesh, [{"data"}, {}]>`
 * and "{devices=[4,2]<=[8]}". Both are parts of an order of all devices; what none of them divides is one axis of
 * the mesh.
 */

#include "exchange/translate.h"

/* Finds the mesh of a module that is divided among devices, and the shardings of the function's parameters. What is
 * not understood is kept as the reason why the module cannot be divided; false when there is no memory. */
bool pod_exchange_find_mesh(pod_exchange_module *module, pod_syntax_module *syntax,
                            const pod_syntax_function *function);

/* Gives a value the sharding that the text says, by a node; the value itself where the module is not to be divided. */
pod_node *pod_exchange_give_sharding(pod_translator *t, pod_graph *graph, pod_node *value, pod_span text);

/* The sharding that stands with a parameter or result, or with a constraint; empty where there is none. */
pod_span pod_exchange_sharding_of(const pod_syntax_value *table);
pod_span pod_exchange_constraint_of(const pod_syntax_op *op);

#endif
