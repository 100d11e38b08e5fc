/* certainty - see certainty.h. The numbers are those of the kept programs: margins.def is made of them. */

#include "tpu/certainty.h"

#include <string.h>

#define UNMET_ALLOWANCE 1.5

typedef struct known_row {
    const char *chip;
    pod_tpu_program_kind kind;
    pod_tpu_known known;
} known_row;

static const known_row rows[] = {
#define MARGIN(chip, below, above)
#define KEPT(chip, kind, count, miss) {chip, POD_TPU_PROGRAM_##kind, {count, miss}},
#define MET(kinds)
#include "tpu/margins.def"
#undef MARGIN
#undef KEPT
#undef MET
};

/* What nine of ten programs that were new to their plans needed less and more. */
static const struct {
    const char *chip;
    double below, above;
} margins[] = {
#define MARGIN(chip, below, above) {chip, below, above},
#define KEPT(chip, kind, count, miss)
#define MET(kinds)
#include "tpu/margins.def"
#undef MARGIN
#undef KEPT
#undef MET
};

/* Which kinds some program has at once. */
static const uint32_t met[] = {
#define MARGIN(chip, below, above)
#define KEPT(chip, kind, count, miss)
#define MET(kinds) kinds,
#include "tpu/margins.def"
#undef MARGIN
#undef KEPT
#undef MET
};

const char *pod_tpu_program_kind_name(pod_tpu_program_kind kind)
{
    static const char *const names[POD_TPU_PROGRAM_KINDS] = {
        "dense", "convolutions", "attention", "tables", "loops", "inference", "sorts", "exchanges", "divided"};
    return kind < POD_TPU_PROGRAM_KINDS ? names[kind] : NULL;
}

/* Kinds that say what a program is made of. */
#define STRUCTURES (1u << POD_TPU_PROGRAM_CONVOLUTIONS | 1u << POD_TPU_PROGRAM_ATTENTION | 1u << POD_TPU_PROGRAM_TABLES)

static uint32_t kinds_of_nodes(const pod_ir *ir)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (pod_tpu_is_convolution(node->op))
            kinds |= 1u << POD_TPU_PROGRAM_CONVOLUTIONS;
        if (node->op == POD_OP_DOT && node->attributes->lhs_batch.count > 0)
            kinds |= 1u << POD_TPU_PROGRAM_ATTENTION;
        if (node->op == POD_OP_WHILE)
            kinds |= 1u << POD_TPU_PROGRAM_LOOPS;
        if (node->op == POD_OP_SORT || node->op == POD_OP_TOP_K)
            kinds |= 1u << POD_TPU_PROGRAM_SORTS;
        if (node->op == POD_OP_ALL_REDUCE || pod_tpu_is_opaque(node, "stablehlo.all_reduce"))
            kinds |= 1u << POD_TPU_PROGRAM_EXCHANGES;
        for (uint32_t r = 0; r < node->region_count; r++)
            kinds |= kinds_of_nodes(node->regions[r]);
    }
    return kinds;
}

static uint32_t kinds_of(const pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    if (lowering->devices > 0) /* what its parts are made of says less than that they are parts */
        return 1u << POD_TPU_PROGRAM_DIVIDED;
    uint32_t kinds = kinds_of_nodes(ir);
    for (uint32_t i = 0; i < ir->node_count; i++)
        if (ir->nodes[i].value_count == 1 && lowering->tables[ir->nodes[i].value_first].copied)
            kinds |= 1u << POD_TPU_PROGRAM_TABLES;
    if (!lowering->training)
        kinds |= 1u << POD_TPU_PROGRAM_INFERENCE;
    return kinds & STRUCTURES ? kinds : kinds | 1u << POD_TPU_PROGRAM_DENSE;
}

int64_t pod_tpu_near_bytes(const pod_chip *chip)
{
    return chip->vmem_bytes * chip->cores / chip->devices + chip->cmem_bytes;
}

int64_t pod_tpu_room(const pod_tpu_memory *memory, const pod_tpu_certainty *certainty)
{
    return (int64_t)((double)(memory->limit_bytes - certainty->margin_bytes) / (1 + certainty->margin));
}

void pod_tpu_judge(const pod_tpu_lowering *lowering, pod_tpu_certainty *certainty)
{
    pod_tpu_known known[POD_TPU_PROGRAM_KINDS] = {{0}};
    *certainty = (pod_tpu_certainty){.kinds = kinds_of(lowering), .kept = INT32_MAX};
    certainty->devices = lowering->devices;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].chip, lowering->target->generation) == 0)
            known[rows[i].kind] = rows[i].known;
    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++)
        certainty->met = certainty->met || met[i] == certainty->kinds;
    for (uint32_t kind = 0; kind < POD_TPU_PROGRAM_KINDS; kind++) {
        if (!(certainty->kinds & 1u << kind))
            continue;
        certainty->kept = known[kind].count < certainty->kept ? known[kind].count : certainty->kept;
        certainty->miss = known[kind].miss > certainty->miss ? known[kind].miss : certainty->miss;
    }
    const double allowance = certainty->met ? 1 : UNMET_ALLOWANCE;
    for (size_t i = 0; i < sizeof margins / sizeof margins[0]; i++)
        if (strcmp(margins[i].chip, lowering->target->generation) == 0) {
            certainty->margin = allowance * margins[i].above;
            certainty->margin_below = allowance * margins[i].below;
        }
}
