#ifndef POD_GRAPH_OP_RULES_H
#define POD_GRAPH_OP_RULES_H

/* op_rules - the rules by which types are inferred: infer_*.c have them, the op table names them. */

#include "graph/infer.h"

typedef bool (*pod_infer_rule)(pod_infer *call);

/* The rule of an op. */
pod_infer_rule pod_op_infer_rule(pod_op op);

/* The rules that the op table names: pod_infer_<rule>(). */
#define POD_RULE_SAME(kinds)                                  pod_infer_elementwise
#define POD_RULE_RULE(rule)                                   pod_infer_##rule
#define POD_RULE_REGIONS(fewest, most, rule)                  pod_infer_##rule
#define POD_OP_ROW(NAME, name, operands, results, shape, ...) bool POD_RULE_##shape(pod_infer *call);
#include "graph/ops.def"
#undef POD_OP_ROW

#endif
