#ifndef POD_EXCHANGE_LOCATION_H
#define POD_EXCHANGE_LOCATION_H

/* location - what loc(..) says of an op: a place in the user's source and a path of names. */

#include "exchange/translate.h"

/* Sets location and scope of the nodes that come of an op. */
void pod_exchange_translate_location(pod_translator *translator, const pod_syntax_op *op);

/* Returns the scope of the body of a function that is called by an op; NULL when there is no
 * memory, which the graph then tells. */
const char *pod_exchange_call_scope(pod_translator *translator, const pod_syntax_op *op, pod_span callee);

/* Finds the first name that a location gives; false when it gives none. */
bool pod_exchange_location_name(const pod_syntax_module *module, pod_span location, pod_span *name);

#endif
