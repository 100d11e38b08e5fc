#ifndef POD_EXCHANGE_READ_PRODUCT_H
#define POD_EXCHANGE_READ_PRODUCT_H

/* read_product - what products of matrices and convolutions have in common. */

#include "exchange/translate.h"

/* Returns the highest precision that is asked for either operand. */
pod_precision pod_exchange_call_precision(const pod_call *call);

/* True for two operands of one type that is multiplied with; else the call was given up on. */
bool pod_exchange_call_is_product(pod_call *call);

#endif
