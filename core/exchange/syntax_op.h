#ifndef POD_EXCHANGE_SYNTAX_OP_H
#define POD_EXCHANGE_SYNTAX_OP_H

/* syntax_op - an op while it is read. */

#include "exchange/syntax.h"

/* Holds what is gathered of an op before it is kept. */
typedef struct pod_pending_op {
    pod_syntax_op op;
    uint32_t operand_capacity;
    uint32_t *seconds, second_count, second_capacity; /* operands that come last: of `init:` */
    pod_argument_list arguments;                      /* of `while` */
    pod_type_list operand_types, result_types;
    bool typed; /* operand_types were given */
} pod_pending_op;

/* Reads an operand and adds it. */
bool pod_exchange_add_operand(pod_syntax_module *module, pod_pending_op *pending);

/* Reads one of those that come behind all others. */
bool pod_exchange_add_second_operand(pod_syntax_module *module, pod_pending_op *pending);

/* Reads a region of the op after its '{'. */
bool pod_exchange_parse_region_of(pod_syntax_module *module, pod_syntax_op *op, const pod_argument_list *arguments);

/* Reads what stands in the pretty form between an op's name and the ':' before its types. */
bool pod_exchange_parse_pretty(pod_syntax_module *module, pod_pending_op *pending);

#endif
