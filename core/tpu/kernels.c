/* kernels - see passes.def. */

#include "base/growth.h"
#include "tpu/passes.h"
#include "tpu/walks.h"

#include <string.h>

static bool is_kernel(const pod_tpu_lowering *lowering, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    bool stores = false;
    for (uint32_t i = 0; i < n->value_count; i++)
        stores = stores || lowering->values[n->value_first + i].stored;
    return stores && lowering->kinds[node] != POD_TPU_KIND_LEAF;
}

static bool grow_reads(pod_tpu_lowering *lowering)
{
    const size_t needed = (size_t)lowering->read_count + 1;
    uint32_t room = lowering->read_room;
    return pod_arena_grow(lowering->arena, &lowering->reads, &room, needed,
                          (pod_growth){sizeof *lowering->reads, .first = 64}) &&
           pod_arena_grow(lowering->arena, &lowering->shares, &lowering->read_room, needed,
                          (pod_growth){sizeof *lowering->shares, .first = 64});
}

/* Adds what a node is computed from to the reads of the kernel being made, and to its work; false: no memory. */
static bool add_reads(pod_tpu_lowering *lowering, const pod_ir_node *node, const uint32_t *kernel_of,
                      pod_tpu_tally *tally)
{
    pod_ref value;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
    sources.tally = tally;
    while (pod_tpu_next_source(&sources, &value)) {
        const uint32_t maker = lowering->ir->values[value].node;
        const bool leaf = lowering->kinds[maker] == POD_TPU_KIND_LEAF;
        if ((!leaf && (!lowering->values[value].stored || kernel_of[maker] == lowering->kernel_count)) ||
            !pod_tpu_tally_read(tally, value))
            continue;
        if (!grow_reads(lowering))
            return pod_tpu_no_memory(lowering);
        lowering->reads[lowering->read_count++] = value;
        lowering->kernels[lowering->kernel_count - 1].read_count++;
    }
    pod_tpu_tally_node(tally, lowering, node);
    return true;
}

static void add_results(pod_tpu_lowering *lowering, pod_tpu_kernel *kernel, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    for (uint32_t i = 0; i < n->value_count; i++)
        if (lowering->values[n->value_first + i].stored) {
            lowering->results[lowering->result_count++] = n->value_first + i;
            kernel->result_count++;
        }
}

/* Bytes of the matrix of which a gathered value is a copy. */
static int64_t matrix_bytes(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_value *v = &lowering->ir->values[value];
    pod_array_type type = {.element = pod_element_from_dtype(v->dtype), .shape = *v->shape};
    pod_layout_bytes bytes;
    if (v->shape->dims[2] == 0)
        return 0;
    type.shape.rank = 2;
    type.shape.dims[0] = lowering->values[value].elements / v->shape->dims[2];
    type.shape.dims[1] = v->shape->dims[2];
    return pod_tpu_lay_out(lowering, &type, POD_LAYOUT_ROW_MAJOR, &bytes, NULL) ? bytes.padded : 0;
}

/* Bytes of a copy of a value for an attention kernel, where what is there is not what it reads: rows
 * side by side. */
static int64_t attention_copy(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_value *v = &lowering->ir->values[value];
    const pod_ref root = pod_tpu_root(lowering, value);
    const pod_tpu_value *there = &lowering->values[root];
    pod_array_type type = {.shape = *v->shape};
    pod_layout_bytes bytes;
    type.element = pod_tpu_has(lowering, POD_TPU_ATTENTION_NARROW) ? pod_element_from_dtype(v->dtype) : POD_ELEMENT_F32;
    if (!pod_tpu_lay_out(lowering, &type, POD_LAYOUT_ROW_MAJOR, &bytes, NULL))
        return 0;
    const bool same = there->type.element == type.element && there->type.shape.rank == type.shape.rank &&
                      there->type.layout.minor_to_major[0] == type.layout.minor_to_major[0];
    return same ? 0 : bytes.padded;
}

/* Tells whether a kernel reads what is stored in the place of a product (a node + 1). */
static bool reads_product(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t product)
{
    bool reads = false;
    for (uint32_t i = 0; i < kernel->read_count; i++)
        reads = reads || lowering->values[lowering->reads[kernel->read_first + i]].product == product;
    return reads;
}

static int64_t attention_scratch(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, pod_ref result)
{
    const pod_ir_node *scores = &lowering->ir->nodes[lowering->scores[result] - 1];
    const pod_ir_node *product = pod_tpu_maker(lowering, result);
    int64_t bytes = attention_copy(lowering, result);
    if (!reads_product(lowering, kernel, lowering->scores[result])) {
        bytes = pod_tpu_sum(bytes, attention_copy(lowering, pod_tpu_inputs(lowering, scores)[0]));
        bytes = pod_tpu_sum(bytes, attention_copy(lowering, pod_tpu_inputs(lowering, scores)[1]));
    }
    return pod_tpu_sum(bytes, attention_copy(lowering, pod_tpu_inputs(lowering, product)[1]));
}

/* The bytes that a kernel needs for its own step. */
static bool add_scratch(pod_tpu_lowering *lowering, pod_tpu_kernel *kernel)
{
    if (!pod_tpu_plan_body(lowering, kernel))
        return false;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref result = lowering->results[kernel->result_first + i];
        const uint32_t product = lowering->values[result].product;
        const pod_ref made = product ? lowering->ir->nodes[product - 1].value_first : result;
        if (lowering->scores[made])
            kernel->scratch = pod_tpu_sum(kernel->scratch, attention_scratch(lowering, kernel, made));
        if (pod_tpu_makes_rows_of_bits(lowering, pod_tpu_maker(lowering, result)))
            kernel->scratch = pod_tpu_sum(kernel->scratch, pod_tpu_rows_of_bits(lowering, result));
        if (lowering->tables[result].split)
            kernel->scratch = pod_tpu_sum(kernel->scratch, matrix_bytes(lowering, result));
    }
    kernel->scratch = pod_tpu_sum(kernel->scratch, pod_tpu_table_scratch(lowering, kernel));
    pod_tpu_read_table_copies(lowering, kernel);
    return true;
}

/* The members of each kernel as lists: heads by leader, next by node. */
typedef struct kernel_members {
    uint32_t *heads, *next, *kernel_of;
} kernel_members;

static bool make_kernel(pod_tpu_lowering *lowering, const kernel_members *m, pod_tpu_tally *tally, uint32_t node)
{
    pod_tpu_kernel *kernel = &lowering->kernels[lowering->kernel_count++];
    kernel->node = node;
    kernel->result_first = lowering->result_count;
    kernel->read_first = lowering->read_count;
    pod_tpu_tally_begin(tally, lowering->kernel_count);
    for (uint32_t i = m->heads[node]; i != UINT32_MAX; i = m->next[i])
        m->kernel_of[i] = lowering->kernel_count;
    for (uint32_t i = m->heads[node]; i != UINT32_MAX; i = m->next[i]) {
        add_results(lowering, kernel, i);
        if (!add_reads(lowering, &lowering->ir->nodes[i], m->kernel_of, tally))
            return false;
    }
    kernel->work = tally->work;
    for (uint32_t i = kernel->read_first; i < lowering->read_count; i++)
        lowering->shares[i] = pod_tpu_tally_share(tally, lowering->reads[i]);
    lowering->result_tables += pod_tpu_has(lowering, POD_TPU_KERNEL_TABLES) && kernel->result_count > 1;
    return add_scratch(lowering, kernel);
}

bool pod_tpu_pass_kernels(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t count = ir->node_count;
    pod_tpu_tally tally;
    kernel_members m = {
        pod_tpu_array(lowering, count, sizeof *m.heads),
        pod_tpu_array(lowering, count, sizeof *m.next),
        pod_tpu_array(lowering, count, sizeof *m.kernel_of),
    };
    lowering->kernels = pod_tpu_array(lowering, count, sizeof *lowering->kernels);
    lowering->results = pod_tpu_array(lowering, ir->value_count, sizeof *lowering->results);
    if (!m.heads || !m.next || !m.kernel_of || !lowering->kernels || !lowering->results ||
        !pod_tpu_tally_make(&tally, lowering))
        return pod_tpu_no_memory(lowering);
    memset(m.heads, 0xff, count * sizeof *m.heads);
    for (uint32_t i = count; i-- > 0;)
        if (is_kernel(lowering, i)) {
            const uint32_t root = lowering->leaders[i];
            m.next[i] = m.heads[root];
            m.heads[root] = i;
        }
    for (uint32_t i = 0; i < count; i++)
        if (m.heads[i] != UINT32_MAX && !make_kernel(lowering, &m, &tally, i))
            return false;
    return true;
}
