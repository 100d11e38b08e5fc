/* exchanges - see passes.def: what cores sum over all of them at once. */

#include "tpu/passes.h"

#define MOST_EXCHANGED ((int64_t)128 << 20) /* bytes of one exchange */
#define OPEN_EXCHANGES 4                    /* the last ones, that others may join */

typedef struct exchange {
    uint32_t node; /* the last that joined */
    int64_t bytes;
    pod_dtype dtype;
    uint8_t needs; /* what its sums need of the open ones, a bit of each */
} exchange;

typedef struct exchanges {
    pod_tpu_lowering *lowering;
    exchange open[OPEN_EXCHANGES];
    uint32_t count;
    uint8_t *needs; /* of values: as those of exchanges, with the one that makes the value */
} exchanges;

/* What is needed, with what those exchanges need in turn. */
static uint8_t all_needs(const exchanges *e, uint8_t needs)
{
    for (uint32_t turn = 0; turn < OPEN_EXCHANGES; turn++)
        for (uint32_t i = 0; i < e->count; i++)
            needs |= needs & 1u << i ? e->open[i].needs : 0;
    return needs;
}

/* Tells whether a sum over cores may be exchanged with others: of one type, not too large together, none needed for it.
 * Nor is one that waits for what others of them need: two exchanges would wait for each other. */
static bool may_join(const exchanges *e, uint32_t at, pod_ref value, uint8_t needs)
{
    const exchange *open = &e->open[at];
    return open->dtype == e->lowering->ir->values[value].dtype &&
           open->bytes <= MOST_EXCHANGED - e->lowering->values[value].bytes.padded && !(all_needs(e, needs) & 1u << at);
}

/* The last exchange is open no more: what needs it needs what it does. */
static void close_last(exchanges *e)
{
    const uint32_t last = --e->count;
    const uint8_t bit = (uint8_t)(1u << last), its = e->open[last].needs;
    for (uint32_t i = 0; i < last; i++)
        if (e->open[i].needs & bit)
            e->open[i].needs = (uint8_t)((e->open[i].needs & ~bit) | its);
    for (uint32_t v = 0; v < e->lowering->ir->value_count; v++)
        if (e->needs[v] & bit)
            e->needs[v] = (uint8_t)((e->needs[v] & ~bit) | its);
}

/* Puts a sum into the first exchange that it may join, or a new one, and that to what the sum needs. */
static void enter(exchanges *e, uint32_t node, uint8_t *needs)
{
    pod_tpu_lowering *lowering = e->lowering;
    const pod_ref value = lowering->ir->nodes[node].value_first;
    uint32_t at = 0;
    while (at < e->count && !may_join(e, at, value, *needs))
        at++;
    if (at < e->count) {
        lowering->values[value].joined = e->open[at].node + 1;
    } else {
        if (e->count == OPEN_EXCHANGES) {
            const uint8_t bit = 1u << (OPEN_EXCHANGES - 1);
            const uint8_t its = e->open[OPEN_EXCHANGES - 1].needs;
            close_last(e);
            *needs = (uint8_t)(*needs & bit ? (*needs & ~bit) | its : *needs);
        }
        at = e->count++;
        e->open[at] = (exchange){.dtype = lowering->ir->values[value].dtype};
    }
    e->open[at].bytes += lowering->values[value].bytes.padded;
    e->open[at].node = node;
    e->open[at].needs |= *needs;
    *needs |= (uint8_t)(1u << at);
}

bool pod_tpu_pass_exchanges(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    if (!pod_tpu_has(lowering, POD_TPU_JOINED_EXCHANGES))
        return true;
    exchanges e = {.lowering = lowering, .needs = pod_tpu_array(lowering, ir->value_count, sizeof *e.needs)};
    if (!e.needs)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        uint8_t needs = 0;
        for (uint32_t j = 0; j < node->input_count; j++)
            needs |= e.needs[pod_tpu_inputs(lowering, node)[j]];
        if (node->op == POD_OP_ALL_REDUCE && node->value_count > 0 && lowering->values[node->value_first].stored)
            enter(&e, i, &needs);
        for (uint32_t j = 0; j < node->value_count; j++)
            e.needs[node->value_first + j] = needs;
    }
    return true;
}
