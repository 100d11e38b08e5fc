/* margin - see margin.h. The numbers are what nine of ten programs of a kind stayed within when the rules
 * were compared with a compiler (docs/memory.md), or more where programs that nobody had looked at went further; v5p and v7x
 * had few programs. */

#include "tpu/margin.h"

#include <string.h>

/* What decides about a program's memory. */
typedef enum program_kind { DENSE, CONVOLUTIONS, ATTENTION, TABLES, LOOPS, KINDS } program_kind;

typedef struct margin_row {
    const char *chip;
    double margins[KINDS];
} margin_row;

static const margin_row rows[] = {
    {"v2", {0.05, 0.10, 0.15, 0.15, 0.15}},  {"v3", {0.05, 0.10, 0.15, 0.15, 0.15}},
    {"v4", {0.17, 0.25, 0.15, 0.20, 0.22}},  {"v5e", {0.20, 0.21, 0.15, 0.33, 0.16}},
    {"v5p", {0.15, 0.15, 0.20, 0.20, 0.20}}, {"v6e", {0.27, 0.20, 0.20, 0.25, 0.15}},
    {"v7x", {0.33, 0.30, 0.25, 0.33, 0.26}},
};

#define LARGEST_MARGIN 0.33

static program_kind kind_of(const pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    bool convolutions = false, batched = false, tables = false, loops = false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_op op = ir->nodes[i].op;
        convolutions = convolutions || pod_tpu_is_convolution(op);
        batched = batched || (op == POD_OP_DOT && ir->nodes[i].attributes->lhs_batch.count > 0);
        tables = tables || (ir->nodes[i].value_count == 1 &&
                            lowering->values[ir->nodes[i].value_first].copied);
        loops = loops || op == POD_OP_WHILE;
    }
    if (tables)
        return TABLES;
    if (batched)
        return ATTENTION;
    if (convolutions)
        return CONVOLUTIONS;
    return loops ? LOOPS : DENSE;
}

double pod_tpu_margin(const pod_tpu_lowering *lowering)
{
    const program_kind kind = kind_of(lowering);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].chip, lowering->chip->name) == 0)
            return rows[i].margins[kind];
    return LARGEST_MARGIN;
}
