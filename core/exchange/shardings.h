#ifndef POD_EXCHANGE_SHARDINGS_H
#define POD_EXCHANGE_SHARDINGS_H

/*
 * shardings - how a module says that its values are divided among devices: `#sdy.sharding<@mesh, [{"data"}, {}]>`
 * and "{devices=[4,2]<=[8]}", or "{devices=[2,2]0,2,1,3}" of torch_xla. All are parts of an order of all devices; what
 * none of them divides is one axis of the mesh.
 */

#include "exchange/translate.h"

/* Most pieces of one sharding. */
#define POD_SHARDING_PIECES 16

/* Devices stand in an order. A piece divides an axis of a value: devices `stride` apart have its next part. */
typedef struct pod_sharding_piece {
    int32_t axis;
    int64_t stride, size;
} pod_sharding_piece;

typedef struct pod_sharding_pieces {
    pod_sharding_piece list[POD_SHARDING_PIECES];
    int32_t count;
    bool open;
    int64_t devices; /* of which tiles tell; 0: they are the mesh's */
} pod_sharding_pieces;

/* Reads a sharding of a value of `rank` axes; false where it is not understood. */
bool pod_exchange_read_sharding(const pod_syntax_module *syntax, pod_span text, int32_t rank,
                                pod_sharding_pieces *pieces);

/* The list of shardings of operands or results of a part that is divided by hand; NULL where it is in another form. */
const pod_syntax_value *pod_exchange_shardings_of(const pod_syntax_op *op, const char *key, uint32_t count);

/* The axes of the mesh along which a part is divided by hand, as pieces of no axis of a value. */
bool pod_exchange_read_manual_axes(const pod_syntax_module *syntax, const pod_syntax_op *op,
                                   pod_sharding_pieces *pieces);

/* Finds the mesh of a module that is divided among devices, and the shardings of the function's parameters. What is
 * not understood is kept as the reason why the module cannot be divided; false when there is no memory. */
bool pod_exchange_find_mesh(pod_exchange_module *module, pod_syntax_module *syntax,
                            const pod_syntax_function *function);

/* Gives a value the sharding that the text says, by a node; the value itself where the module is not to be divided. */
pod_node *pod_exchange_give_sharding(pod_translator *t, pod_graph *graph, pod_node *value, pod_span text);

/* Passes values into a part that is divided by hand (the call's op), or `out` of it, where they are of such types. */
void pod_exchange_pass_by_hand(pod_call *call, pod_node **values, const pod_syntax_type *types, uint32_t count,
                               bool out);

/* The sharding that stands with a parameter or result, or with a constraint; empty where there is none. */
pod_span pod_exchange_sharding_of(const pod_syntax_value *table);
pod_span pod_exchange_constraint_of(const pod_syntax_op *op);

#endif
