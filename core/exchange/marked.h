#ifndef POD_EXCHANGE_MARKED_H
#define POD_EXCHANGE_MARKED_H

/* marked - ops that the writer gave attributes from which the node is made again. */

#include "exchange/translate.h"

/* Returns whether an op has them. */
bool pod_exchange_is_marked(const pod_call *call);

/* Makes the node that the attributes tell. */
pod_outcome pod_exchange_read_marked(pod_call *call);

#endif
