/* exchanges - see passes.def: what cores sum over all of them at once. */

#include "tpu/passes.h"
#include "tpu/walks.h"

#define MOST_EXCHANGED ((int64_t)128 << 20) /* bytes of one exchange */
#define OPEN_EXCHANGES 4                    /* the last ones, that others may join */

typedef struct exchange {
    uint32_t node; /* the last that joined */
    int64_t bytes;
    pod_dtype dtype;
} exchange;

/* Tells whether a sum over cores may be exchanged with others: of one type, not too large together, none needed for it.
 */
static bool may_join(pod_tpu_lowering *lowering, const exchange *e, uint32_t node)
{
    const pod_ref value = lowering->ir->nodes[node].value_first;
    return e->dtype == lowering->ir->values[value].dtype &&
           e->bytes <= MOST_EXCHANGED - lowering->values[value].bytes.padded &&
           !pod_tpu_leads_to(lowering, lowering->ir->nodes[e->node].value_first, node);
}

bool pod_tpu_pass_exchanges(pod_tpu_lowering *lowering)
{
    exchange open[OPEN_EXCHANGES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < lowering->ir->node_count && pod_tpu_has(lowering, POD_TPU_JOINED_EXCHANGES); i++) {
        const pod_ir_node *node = &lowering->ir->nodes[i];
        if (node->op != POD_OP_ALL_REDUCE || node->value_count == 0 || !lowering->values[node->value_first].stored)
            continue;
        uint32_t at = 0;
        while (at < count && !may_join(lowering, &open[at], i))
            at++;
        if (at < count) {
            lowering->values[node->value_first].joined = open[at].node + 1;
        } else {
            at = count < OPEN_EXCHANGES ? count++ : OPEN_EXCHANGES - 1;
            open[at] = (exchange){.dtype = lowering->ir->values[node->value_first].dtype};
        }
        open[at].bytes += lowering->values[node->value_first].bytes.padded;
        open[at].node = i;
    }
    return true;
}
