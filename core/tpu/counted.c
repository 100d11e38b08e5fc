/* counted - see costs.h: the bytes of a kernel as XLA's cost analysis counts them, by the answers of libtpu 0.0.52
 * (of its optimised modules the sum over all instructions is what it says of the whole). */

#include "tpu/costs.h"
#include "tpu/walks.h"

#include <string.h>

#define LANES         128
#define TILE_ROWS     8
#define MOST_PRODUCTS 8 /* of a kernel that are looked at */

/* ---- lookups ---------------------------------------------------------------------------------------------------- */

/* Bytes of a value whose axes lie in their order. */
static double row_major_bytes(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_value *v = &lowering->ir->values[value];
    pod_array_type type = {.element = pod_element_from_dtype(v->dtype), .shape = *v->shape};
    pod_layout_bytes bytes;
    return pod_tpu_lay_out(lowering, &type, POD_LAYOUT_ROW_MAJOR, &bytes, NULL) ? (double)bytes.padded : 0;
}

/* Of single elements that places of several numbers pick, a tile each; the numbers are in the lanes. */
static double picked_bytes(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref places = pod_tpu_inputs(lowering, node)[1];
    const pod_shape *shape = lowering->ir->values[places].shape;
    const double numbers = shape->rank > 0 ? (double)shape->dims[shape->rank - 1] : 1;
    const double made = row_major_bytes(lowering, node->value_first);
    const bool single =
        (double)lowering->values[node->value_first].elements * numbers <= (double)lowering->values[places].elements;
    return made + row_major_bytes(lowering, places) + made * (single ? TILE_ROWS * LANES : 1);
}

/* Tells whether the rows of a matrix, shorter than the lanes, lie side by side in these. */
static bool lies_across_lanes(const pod_tpu_lowering *lowering, pod_ref table)
{
    const pod_layout *layout = &lowering->values[table].type.layout;
    const pod_shape *shape = lowering->ir->values[table].shape;
    return shape->rank == 2 && layout->minor_to_major[0] == 0 && shape->dims[1] > 1 && shape->dims[1] < LANES;
}

/* Of rows that are looked up the tiles that they are in, where single elements are rows of lanes. */
static double looked_up_bytes(const pod_tpu_lowering *lowering, const pod_ir_node *node, const pod_tpu_value *made)
{
    const pod_tpu_value *places = &lowering->values[pod_tpu_inputs(lowering, node)[1]];
    const pod_ref table = pod_tpu_inputs(lowering, node)[0];
    const pod_ir_value *type = &lowering->ir->values[table];
    const bool across = lies_across_lanes(lowering, table) && node->attributes->axis == 0 &&
                        !pod_tpu_looks_up_copy(lowering, type->dtype, type->shape);
    const double lanes =
        (double)made->elements * LANES * (double)pod_dtype_size(lowering->ir->values[node->value_first].dtype);
    const double rows = across ? row_major_bytes(lowering, node->value_first) : (double)made->bytes.padded;
    return ((across ? LANES : TILE_ROWS) + 1) * (made->elements <= places->elements ? lanes : rows) +
           (double)places->bytes.padded;
}

/* Of rows that are scattered the result alone, but where they lie side by side: then the tiles that they are in, which
 * are read and written. */
static double scattered_bytes(const pod_tpu_lowering *lowering, const pod_ir_node *node, pod_ref made)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    if (!lies_across_lanes(lowering, made) || node->attributes->axis != 0)
        return (double)lowering->values[made].bytes.padded;
    return (2 * LANES + 1) * row_major_bytes(lowering, inputs[node->input_count - 1]) +
           (double)lowering->values[inputs[1]].bytes.padded;
}

bool pod_tpu_counted_bytes(const pod_tpu_lowering *lowering, const pod_ir_node *node, pod_ref made, double *bytes)
{
    if (node->op == POD_OP_SCATTER)
        *bytes = scattered_bytes(lowering, node, made);
    else if (node->op == POD_OP_GATHER)
        *bytes = looked_up_bytes(lowering, node, &lowering->values[made]);
    else if (pod_tpu_is_opaque(node, "stablehlo.gather") && node->input_count == 2)
        *bytes = picked_bytes(lowering, node);
    else
        return false;
    return true;
}

/* ---- what is read again ----------------------------------------------------------------------------------------- */

/* The products of a kernel that were met. */
typedef struct met_products {
    const pod_ir_node *nodes[MOST_PRODUCTS];
    uint32_t count;
} met_products;

static void meet_product(met_products *met, const pod_ir_node *node)
{
    for (uint32_t i = 0; i < met->count; i++)
        if (met->nodes[i] == node)
            return;
    if (met->count < MOST_PRODUCTS)
        met->nodes[met->count++] = node;
}

/* Walks from a value back to what is in memory, and counts one more read of each; not through products. */
static void count_sources(pod_tpu_walk *walk, pod_ref value, bool begins, met_products *met, uint8_t *reads)
{
    pod_tpu_lowering *lowering = walk->lowering;
    pod_tpu_walk_to(walk, value);
    while (pod_tpu_walk_next(walk, &value)) {
        const pod_tpu_kind kind = pod_tpu_kind_of(lowering, value);
        if (kind == POD_TPU_KIND_LEAF || (lowering->values[value].stored && !begins)) {
            reads[value] = (uint8_t)(reads[value] + (reads[value] < UINT8_MAX));
            continue;
        }
        begins = false;
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        if (pod_tpu_is_product(node->op)) {
            meet_product(met, node);
            continue;
        }
        for (uint32_t i = 0; i < node->input_count; i++)
            pod_tpu_walk_to(walk, pod_tpu_inputs(lowering, node)[i]);
    }
}

void pod_tpu_count_reads(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint8_t *reads)
{
    met_products met = {.count = 0};
    memset(reads, 0, lowering->ir->value_count * sizeof *reads);
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    for (uint32_t i = 0; i < kernel->result_count; i++)
        count_sources(&walk, lowering->results[kernel->result_first + i], true, &met, reads);
    for (uint32_t i = 0; i < met.count; i++)
        for (uint32_t k = 0; k < met.nodes[i]->input_count; k++) {
            walk = pod_tpu_walk_begin(lowering);
            count_sources(&walk, pod_tpu_inputs(lowering, met.nodes[i])[k], false, &met, reads);
        }
}
