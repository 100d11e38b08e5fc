/* doubts - see certainty.h: what a plan leaves out of a program, so that it cannot say whether that fits. */

#include "tpu/certainty.h"

#include <stdio.h>

#define NEGLIGIBLE 256 /* of the need: what less than this part of it is cannot decide */

typedef struct doubt {
    const pod_tpu_lowering *lowering;
    int64_t negligible; /* bytes */
    char *text;
} doubt;

const char *pod_tpu_place(const pod_ir_node *node, char text[POD_TPU_PLACE_SIZE])
{
    text[0] = '\0';
    if (node->location)
        snprintf(text, POD_TPU_PLACE_SIZE, " at %.80s", node->location);
    return text;
}

/* Returns what all nodes of a region make, and the regions within; in the bits of the graph, unpadded. */
static int64_t bytes_within(const pod_ir *region)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < region->node_count; i++) {
        const pod_ir_node *node = &region->nodes[i];
        for (uint32_t j = 0; j < node->value_count; j++) {
            const pod_ir_value *value = &region->values[node->value_first + j];
            const int64_t elements = pod_shape_elements(value->shape);
            const int64_t size = (int64_t)pod_dtype_size(value->dtype);
            if (elements < 0 || elements > INT64_MAX / 16)
                return INT64_MAX;
            bytes = pod_tpu_sum(bytes, elements * size);
        }
        for (uint32_t r = 0; r < node->region_count; r++)
            bytes = pod_tpu_sum(bytes, bytes_within(node->regions[r]));
    }
    return bytes;
}

static bool has_branches(const doubt *d, const pod_ir *ir)
{
    char where[POD_TPU_PLACE_SIZE], bytes[POD_BYTES_TEXT_SIZE];
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        for (uint32_t r = 0; r < node->region_count; r++) {
            const int64_t within = node->op == POD_OP_COND ? bytes_within(node->regions[r]) : 0;
            if (within > d->negligible) {
                snprintf(d->text, POD_TPU_DOUBT_SIZE,
                         "a branch%s computes values of %s in all, and temporaries inside of branches are not planned",
                         pod_tpu_place(node, where), pod_bytes_format(within, bytes));
                return true;
            }
            if (has_branches(d, node->regions[r]))
                return true;
        }
    }
    return false;
}

bool pod_tpu_is_exchange(const pod_ir_node *node)
{
    static const char *const names[] = {"stablehlo.all_gather", "stablehlo.all_to_all", "stablehlo.reduce_scatter",
                                        "stablehlo.collective_permute", "stablehlo.collective_broadcast"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (pod_tpu_is_opaque(node, names[i]))
            return true;
    return node->op == POD_OP_REDUCE_SCATTER || node->op == POD_OP_ALL_GATHER || node->op == POD_OP_ALL_TO_ALL ||
           node->op == POD_OP_COLLECTIVE_PERMUTE;
}

static bool has_foreign_ops(const doubt *d, const pod_ir *ir)
{
    char where[POD_TPU_PLACE_SIZE];
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if ((pod_tpu_is_exchange(node) && d->lowering->devices == 0) ||
            (node->op == POD_OP_OPAQUE && node->attributes->axis)) {
            const char *name = node->op == POD_OP_OPAQUE ? node->attributes->name : pod_op_stablehlo_name(node->op);
            snprintf(d->text, POD_TPU_DOUBT_SIZE, "what %.60s%s needs inside is not known", name ? name : "an op",
                     pod_tpu_place(node, where));
            return true;
        }
        for (uint32_t r = 0; r < node->region_count; r++)
            if (has_foreign_ops(d, node->regions[r]))
                return true;
    }
    return false;
}

#define FEWEST_IMAGES 8

/* Few images are divided into parts, in which convolutions compute (XLA's space to batch). */
static bool has_few_images(const doubt *d, const pod_ir *ir)
{
    char where[POD_TPU_PLACE_SIZE];
    for (uint32_t i = 0; i < ir->node_count && pod_tpu_has(d->lowering, POD_TPU_FEW_IMAGES); i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (node->op == POD_OP_CONVOLUTION) {
            const pod_ir_value *made = &ir->values[node->value_first];
            const int64_t images = made->shape->dims[0];
            if (images < FEWEST_IMAGES &&
                pod_shape_elements(made->shape) * (int64_t)pod_dtype_size(made->dtype) > d->negligible) {
                snprintf(d->text, POD_TPU_DOUBT_SIZE,
                         "a convolution%s has %d images, and what is made of fewer than %d in parts is not planned",
                         pod_tpu_place(node, where), (int)images, FEWEST_IMAGES);
                return true;
            }
        }
        for (uint32_t r = 0; r < node->region_count; r++)
            if (has_few_images(d, node->regions[r]))
                return true;
    }
    return false;
}

static bool has_long_rows(const doubt *d)
{
    const bool long_rows = d->lowering->long_rows && pod_tpu_has(d->lowering, POD_TPU_LONG_MASKS);
    if (long_rows)
        snprintf(d->text, POD_TPU_DOUBT_SIZE, "what a %s keeps of masks of scores of so long rows is not known",
                 d->lowering->target->generation);
    return long_rows;
}

static void name_kinds(uint32_t kinds, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t kind = 0; kind < POD_TPU_PROGRAM_KINDS && length < size; kind++)
        if (kinds & 1u << kind)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
                                       pod_tpu_program_kind_name((pod_tpu_program_kind)kind));
}

static bool has_few_kept(const doubt *d, const pod_tpu_certainty *certainty)
{
    char kinds[96];
    if (certainty->kept >= POD_TPU_FEWEST_KEPT)
        return false;
    name_kinds(certainty->kinds, kinds, sizeof kinds);
    snprintf(
        d->text, POD_TPU_DOUBT_SIZE,
        "of kept programs of its kinds (%s) %d %s compared with the compiler for a %s, and fewer than %d say little",
        kinds, (int)certainty->kept, certainty->kept == 1 ? "was" : "were", d->lowering->target->generation,
        POD_TPU_FEWEST_KEPT);
    return true;
}

pod_tpu_doubt_kind pod_tpu_doubt(const pod_tpu_lowering *lowering, const pod_tpu_certainty *certainty,
                                 int32_t partitions, const char *undivided, int64_t need, char text[POD_TPU_DOUBT_SIZE])
{
    const doubt d = {.lowering = lowering, .negligible = need / NEGLIGIBLE, .text = text};
    text[0] = '\0';
    if (partitions > 1) {
        snprintf(text, POD_TPU_DOUBT_SIZE,
                 "the compiler divides its arrays among %d devices, and sizes here are those of whole arrays%s%.180s",
                 (int)partitions, undivided ? ": " : "", undivided ? undivided : "");
        return POD_TPU_LEFT_OUT;
    }
    if (has_branches(&d, lowering->ir) || has_foreign_ops(&d, lowering->ir))
        return POD_TPU_LEFT_OUT;
    return has_few_images(&d, lowering->ir) || has_long_rows(&d) || has_few_kept(&d, certainty) ? POD_TPU_PLANNED_BADLY
                                                                                                : POD_TPU_NO_DOUBT;
}
