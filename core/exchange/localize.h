#ifndef POD_EXCHANGE_LOCALIZE_H
#define POD_EXCHANGE_LOCALIZE_H

/* localize - modules whose arrays are divided among devices by hand (shard_map, pmap). */

#include "exchange/syntax.h"

/* How an array passes between the whole and one device's part of it. */
typedef enum pod_passage {
    POD_PASSAGE_NONE,  /* the op is no such */
    POD_PASSAGE_NOTE,  /* notes of shardings: the results are the operands */
    POD_PASSAGE_ENTER, /* a call that makes the part of the whole */
    POD_PASSAGE_LEAVE, /* a call that makes the whole of parts */
    POD_PASSAGE_BODY   /* sdy.manual_computation: enters by its region's arguments, leaves by its return */
} pod_passage;

pod_passage pod_exchange_passage_of(const pod_syntax_op *op);

/* Gives arguments and results of a function the types that one device has of them, where all that the
 * function does with whole arrays is to divide them and to join them; it is left as it is otherwise.
 * *local tells which. False when there is no memory, which the lexer has as its error. */
bool pod_exchange_localize(pod_syntax_module *module, pod_syntax_function *function, bool *local);

#endif
