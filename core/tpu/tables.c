/*
 * tables - see passes.def: lookups in tables and updates of their rows (R13).
 *
 * Rows are gathered and scattered where they lie side by side. A table that lies otherwise, because that pads less, is
 * copied for that; the copy stays until the table is updated if the update is computed on copies too. */

#include "tpu/passes.h"
#include "tpu/walks.h"

#include <assert.h>
#include <string.h>

/* ---- which tables are copied --------------------------------------------------------------------------- */

void pod_tpu_order_table(const pod_shape *shape, int32_t row_axes, int32_t *order)
{
    assert(row_axes > 0 && row_axes <= shape->rank);
    for (int32_t i = 0; i < shape->rank; i++)
        order[i] = shape->rank - 1 - i;
    for (int32_t i = 1; i < row_axes; i++)
        for (int32_t j = i; j > 0 && shape->dims[order[j]] > shape->dims[order[j - 1]]; j--) {
            const int32_t longer = order[j];
            order[j] = order[j - 1];
            order[j - 1] = longer;
        }
}

static int64_t elements_of_row(const pod_shape *table)
{
    int64_t elements = 1;
    for (int32_t i = 1; i < table->rank; i++)
        elements *= table->dims[i];
    return elements;
}

/* Tells whether a table's rows, of more than one element, do not lie side by side; the bytes as it lies, and if they
 * did. */
static bool lies_across(const pod_tpu_lowering *lowering, pod_dtype dtype, const pod_shape *shape, int64_t *across,
                        int64_t *rows)
{
    pod_array_type type = {.element = pod_element_from_dtype(dtype), .shape = *shape};
    int32_t order[POD_MAX_RANK];
    pod_layout_bytes bytes, others;
    if (shape->rank < 2 || (shape->rank > 2 && !pod_tpu_has(lowering, POD_TPU_ROWS_OF_IMAGES)) ||
        elements_of_row(shape) < 2 || !pod_tpu_lay_out(lowering, &type, POD_LAYOUT_COMPACT, &bytes, NULL) ||
        type.layout.minor_to_major[0] != 0)
        return false;
    pod_tpu_order_table(shape, shape->rank - 1, order);
    if (!pod_tpu_lay_out_as(lowering, &type, order, &others))
        return false;
    *across = bytes.padded;
    *rows = others.padded;
    return true;
}

#define WHOLE_TILES 1024 /* elements of a row that is copied for lookups, whatever that pads */

#define MOST_WASTE                                                                                                     \
    ((int64_t)128 << 20) /* bytes that such a copy may be larger by, if it is more than twice as large                 \
                          */

bool pod_tpu_looks_up_copy(const pod_tpu_lowering *lowering, pod_dtype dtype, const pod_shape *shape)
{
    int64_t across, rows;
    return lies_across(lowering, dtype, shape, &across, &rows) &&
           (!pod_tpu_has(lowering, POD_TPU_WASTEFUL_COPIES) || rows - across < MOST_WASTE || rows / 2 <= across ||
            (elements_of_row(shape) >= WHOLE_TILES && pod_tpu_has(lowering, POD_TPU_ROWS_OF_TILES)));
}

#define SHARE 20 /* of the chip's memory: what would take more, and half of it padding, is scattered as it lies */

bool pod_tpu_scatters_copy(const pod_tpu_lowering *lowering, pod_dtype dtype, const pod_shape *shape)
{
    int64_t across, rows;
    return lies_across(lowering, dtype, shape, &across, &rows) &&
           (!pod_tpu_has(lowering, POD_TPU_LARGE_SUMS) || rows <= lowering->target->chip->hbm_bytes / SHARE ||
            rows / 2 < across);
}

bool pod_tpu_looks_up_rows(const pod_ir_node *gather, const pod_shape *table)
{
    return table->rank == 2 || (gather->attributes->axis == 0 && gather->attributes->count == 0);
}

/* Tells whether a node is the copy of a parameter that node_rewrite.c has made. */
static bool is_table_copy(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return pod_tpu_is_copy(node) && pod_tpu_kind_of(lowering, pod_tpu_inputs(lowering, node)[0]) == POD_TPU_KIND_LEAF;
}

/* ---- lookups ---------------------------------------------------------------------------------------------- */

#define TILE_ROWS 8

/* Tells whether rows, of more than one element, that are gathered by a table of indices do not fill tiles: they come as
 * a matrix, of which a copy is made with the axes of the indices. */
static bool is_split(const pod_tpu_lowering *lowering, const pod_ir_node *gather)
{
    const pod_shape *table = lowering->ir->values[pod_tpu_inputs(lowering, gather)[0]].shape;
    const pod_shape *rows = lowering->ir->values[gather->value_first].shape;
    return table->rank == 2 && rows->rank == 3 && rows->dims[2] == table->dims[1] && table->dims[1] > 1 &&
           rows->dims[1] % TILE_ROWS != 0 && pod_tpu_has(lowering, POD_TPU_SPLIT_ROWS);
}

static void mark_lookup(pod_tpu_lowering *lowering, const pod_ir_node *gather)
{
    const pod_ref table = pod_tpu_inputs(lowering, gather)[0], rows = gather->value_first;
    const pod_ir_value *t = &lowering->ir->values[table];
    if (pod_tpu_looks_up_rows(gather, t->shape) && pod_tpu_looks_up_copy(lowering, t->dtype, t->shape)) {
        const pod_ir_node *maker = pod_tpu_maker(lowering, table);
        const pod_ref from = pod_tpu_is_copy(maker) ? pod_tpu_inputs(lowering, maker)[0] : table;
        lowering->tables[rows].row_major = true;
        lowering->tables[rows].row_axes = lowering->tables[table].row_axes = (uint8_t)(t->shape->rank - 1);
        if (from != table) {
            lowering->tables[table].row_major = lowering->tables[table].table_copy = true;
            lowering->tables[from].copy = table + 1;
            lowering->values[table].before = from + 1;
        } else if (pod_dtype_size(t->dtype) == 2 || (t->shape->rank > 2 && maker->op != POD_OP_PARAMETER)) {
            lowering->tables[table].copied = true;
        }
    }
    if (is_split(lowering, gather) && !lowering->values[rows].is_output) {
        lowering->tables[rows].row_major = lowering->tables[rows].split = true;
    }
}

/* ---- updates ---------------------------------------------------------------------------------------------- */

/* All that is computed from a scattered sum, an element from an element. */
typedef struct update {
    pod_ref sum;
    uint32_t outputs; /* in the buffers of parameters */
    bool selects;     /* some of it is chosen by a comparison */
} update;

/* Takes the next of the nodes that compute an update from a scattered sum, an element from an element. */
static bool next_of_update(pod_tpu_uses *uses, uint32_t *node)
{
    const pod_tpu_lowering *lowering = uses->walk.lowering;
    while (pod_tpu_next_use(uses, node)) {
        const pod_ref made = lowering->ir->nodes[*node].value_first;
        if (lowering->kinds[*node] != POD_TPU_KIND_ELEMENTWISE ||
            lowering->values[made].elements != lowering->values[uses->value].elements ||
            !pod_tpu_walk_sees(&uses->walk, made))
            continue;
        pod_tpu_walk_push(&uses->walk, made);
        return true;
    }
    return false;
}

static void look_at_update(const pod_tpu_lowering *lowering, uint32_t node, update *u)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    const pod_tpu_value *made = &lowering->values[n->value_first];
    const bool copy_of_sum = pod_tpu_converts(n) && pod_tpu_inputs(lowering, n)[0] == u->sum;
    u->outputs += made->is_output && made->alias > 0 && !copy_of_sum;
    const pod_ref *inputs = pod_tpu_inputs(lowering, n);
    u->selects =
        u->selects || (n->op == POD_OP_SELECT && pod_tpu_kind_of(lowering, inputs[0]) == POD_TPU_KIND_ELEMENTWISE &&
                       lowering->values[inputs[0]].elements == made->elements);
}

#define DEEPEST_UPDATE 6 /* ops between a parameter and what a scattered sum meets */

/* The copies of parameters that a node of an update reads, itself or through ops that are computed in it, are made and
 * are there till then. */
static void store_copies_of(pod_tpu_lowering *lowering, const pod_ir_node *node, uint32_t depth)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_ir_node *maker = pod_tpu_maker(lowering, inputs[i]);
        pod_tpu_value *read = &lowering->values[inputs[i]];
        if (is_table_copy(lowering, maker))
            read->stored = lowering->tables[inputs[i]].row_major = lowering->tables[inputs[i]].held = true;
        else if (pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_ELEMENTWISE && !read->stored &&
                 read->elements == lowering->values[node->value_first].elements && depth < DEEPEST_UPDATE)
            store_copies_of(lowering, maker, depth + 1);
    }
}

#define LEAST_SAVING 3.15 /* times the bytes of a table as it lies */

/* An update is computed as the tables lie, from a copy of what was scattered, if it writes so many of them that copies
 * of all would be much larger. Else it is computed on copies whose rows lie side by side. */
static void mark_update(pod_tpu_lowering *lowering, pod_ref sum)
{
    update u = {.sum = sum};
    int64_t across, rows;
    const pod_ir_value *type = &lowering->ir->values[sum];
    if (!pod_tpu_scatters_copy(lowering, type->dtype, type->shape) ||
        !lies_across(lowering, type->dtype, type->shape, &across, &rows))
        return;
    lowering->tables[sum].row_major = lowering->tables[sum].copied = true;
    uint32_t node;
    for (pod_tpu_uses w = pod_tpu_uses_of(lowering, sum); next_of_update(&w, &node);)
        look_at_update(lowering, node, &u);
    lowering->tables[sum].moved = pod_tpu_has(lowering, POD_TPU_MOVED_UPDATES) && !u.selects && u.outputs > 1 &&
                                  (double)(u.outputs - 1) * (double)rows >= LEAST_SAVING * (double)across;
    for (pod_tpu_uses w = pod_tpu_uses_of(lowering, sum); !lowering->tables[sum].moved && next_of_update(&w, &node);)
        store_copies_of(lowering, &lowering->ir->nodes[node], 0);
}

pod_ref pod_tpu_copied_rows(const pod_tpu_lowering *lowering, const pod_ir_node *scatter)
{
    if (scatter->op != POD_OP_SCATTER)
        return POD_REF_NONE;
    const pod_ref matrix = pod_tpu_root(lowering, pod_tpu_inputs(lowering, scatter)[2]);
    const pod_ir_node *maker = pod_tpu_maker(lowering, matrix);
    return pod_tpu_is_copy(maker) ? pod_tpu_root(lowering, pod_tpu_inputs(lowering, maker)[0]) : POD_REF_NONE;
}

/* Tells whether a sum that is scattered into a value alone reads it. */
static bool is_scattered_into(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->user_count == 1 &&
           lowering->values[lowering->ir->nodes[lowering->users[v->user_first]].value_first].scattered;
}

static void mark_scatter(pod_tpu_lowering *lowering, const pod_ir_node *scatter)
{
    const pod_ref result = scatter->value_first;
    const pod_ir_value *type = &lowering->ir->values[result];
    const bool across = pod_tpu_scatters_copy(lowering, type->dtype, type->shape);
    int64_t as_it_lies, rows;
    const pod_ref added_rows = pod_tpu_root(lowering, pod_tpu_inputs(lowering, scatter)[2]);
    if (across || (lies_across(lowering, type->dtype, type->shape, &as_it_lies, &rows) &&
                   pod_tpu_kind_of(lowering, added_rows) != POD_TPU_KIND_LEAF))
        lowering->tables[added_rows].row_major = true;
    const pod_ref copied = pod_tpu_copied_rows(lowering, scatter);
    if (copied != POD_REF_NONE && type->shape->dims[type->shape->rank - 1] > 1)
        lowering->tables[copied].row_major = true;
    if (lowering->values[result].stored) {
        if (is_scattered_into(lowering, result))
            lowering->tables[result].row_major = across;
        else
            mark_update(lowering, result);
        return;
    }
    /* it is scattered into what it is added to */
    const pod_tpu_value *v = &lowering->values[result];
    const pod_ir_node *add = &lowering->ir->nodes[lowering->users[v->user_first]];
    const pod_ref *inputs = pod_tpu_inputs(lowering, add);
    const pod_ref added = inputs[inputs[0] == result], other = pod_tpu_root(lowering, added);
    if (across && pod_tpu_kind_of(lowering, other) != POD_TPU_KIND_LEAF)
        lowering->tables[other].row_major = lowering->tables[added].row_major = true;
    mark_update(lowering, add->value_first);
}

bool pod_tpu_pass_tables(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++)
        if (lowering->kinds[i] == POD_TPU_KIND_COMPUTE && ir->nodes[i].op == POD_OP_GATHER)
            mark_lookup(lowering, &ir->nodes[i]);
    for (uint32_t i = 0; i < ir->node_count; i++)
        if (lowering->kinds[i] == POD_TPU_KIND_COMPUTE && ir->nodes[i].op == POD_OP_SCATTER)
            mark_scatter(lowering, &ir->nodes[i]);
    return true;
}

/* ---- kernels ---------------------------------------------------------------------------------------------- */

uint32_t pod_tpu_list_update(pod_tpu_lowering *lowering, uint32_t node, uint32_t *nodes, uint32_t capacity)
{
    const pod_ref sum = lowering->ir->nodes[node].value_first;
    uint32_t count = 0, member;
    if (lowering->ir->nodes[node].value_count != 1 || !lowering->values[sum].stored || !lowering->tables[sum].copied ||
        (lowering->ir->nodes[node].op != POD_OP_SCATTER && !lowering->values[sum].scattered))
        return 0;
    for (pod_tpu_uses w = pod_tpu_uses_of(lowering, sum); count < capacity && next_of_update(&w, &member);) {
        const pod_tpu_value *made = &lowering->values[lowering->ir->nodes[member].value_first];
        if (made->stored && made->only_outputs)
            nodes[count++] = member;
    }
    return count;
}

/* Bytes of a table whose rows lie side by side. */
static int64_t bytes_of_rows(const pod_tpu_lowering *lowering, pod_ref value)
{
    int64_t across, rows = 0;
    const pod_ir_value *v = &lowering->ir->values[value];
    return lies_across(lowering, v->dtype, v->shape, &across, &rows) ? rows : 0;
}

static bool is_scattered_sum(const pod_tpu_lowering *lowering, pod_ref value)
{
    return pod_tpu_maker(lowering, value)->op == POD_OP_SCATTER || lowering->values[value].scattered;
}

/* The elements of the sum of scattered rows that a kernel updates tables from, where it does so on copies of them; 0:
 * it does not. */
static int64_t updated_elements(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    int64_t elements = 0;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        const pod_tpu_table *table = &lowering->tables[read];
        if (is_scattered_sum(lowering, read) && table->copied && !table->moved && bytes_of_rows(lowering, read) > 0)
            elements = lowering->values[read].elements;
    }
    return elements;
}

/* Tells whether a kernel that updates tables of so many elements reads one of them. */
static bool is_updated(const pod_tpu_lowering *lowering, pod_ref read, int64_t elements)
{
    return elements > 0 && pod_tpu_kind_of(lowering, read) == POD_TPU_KIND_LEAF &&
           lowering->values[read].elements == elements;
}

/* The same of a copy of one. */
static bool is_updated_copy(const pod_tpu_lowering *lowering, pod_ref read, int64_t elements)
{
    return elements > 0 && lowering->values[read].elements == elements &&
           pod_tpu_is_copy(pod_tpu_maker(lowering, read));
}

/* Bytes of an update that lies as the copy of the table does, where it does not take over that one's buffer. */
static int64_t bytes_of_update(const pod_tpu_lowering *lowering, pod_ref table)
{
    return pod_tpu_has(lowering, POD_TPU_OVERWRITES) ? 0 : bytes_of_rows(lowering, table);
}

int64_t pod_tpu_rows_of_update(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, pod_ref result)
{
    const int64_t elements = updated_elements(lowering, kernel);
    const bool updates = elements > 0 && lowering->values[result].elements == elements;
    const int64_t rows = updates ? bytes_of_rows(lowering, result) : 0;
    return rows != lowering->values[result].bytes.padded ? rows : 0;
}

void pod_tpu_read_table_copies(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    const int64_t elements = updated_elements(lowering, kernel);
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        uint32_t *read = &lowering->reads[kernel->read_first + i];
        if (is_updated(lowering, *read, elements) && lowering->tables[*read].copy)
            *read = lowering->tables[*read].copy - 1;
    }
}

int64_t pod_tpu_table_scratch(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    const bool gathers = lowering->ir->nodes[kernel->node].op == POD_OP_GATHER;
    const int64_t elements = updated_elements(lowering, kernel);
    int64_t bytes = 0;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        const pod_ir_value *type = &lowering->ir->values[read];
        const pod_tpu_table *table = &lowering->tables[read];
        const bool scattered = is_scattered_sum(lowering, read);
        int64_t across, rows;
        if (is_updated(lowering, read, elements) && !table->copy)
            bytes = pod_tpu_sum(bytes, bytes_of_rows(lowering, read));
        if (is_updated(lowering, read, elements) || is_updated_copy(lowering, read, elements))
            bytes = pod_tpu_sum(bytes, bytes_of_update(lowering, read));
        if (!table->copied || !lies_across(lowering, type->dtype, type->shape, &across, &rows))
            continue;
        if (!scattered && gathers)
            bytes = pod_tpu_sum(bytes, rows);
        if (scattered && table->moved)
            bytes = pod_tpu_sum(bytes, across);
    }
    return bytes;
}
