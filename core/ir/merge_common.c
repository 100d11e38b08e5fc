/* merge_common - nodes that compute the same as one which is there already. Random nodes are never
 * merged, nor what acts on the host or holds regions. */

#include "ir/rewrite.h"

#include <assert.h>
#include <string.h>

static bool can_merge(const pod_ir_node *node)
{
    return node->op != POD_OP_RANDOM_BITS && node->op != POD_OP_CHECK && node->op != POD_OP_PRINT &&
           node->op != POD_OP_PARAMETER && node->op != POD_OP_BARRIER && !pod_ir_meets(node) &&
           node->region_count == 0 && node->value_count == 1;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* Elements of small constants count; large ones are the same where their address is. */
#define CONSTANT_BYTES 256

static uint64_t constant_bytes(const pod_subject *s)
{
    if (!s->node->constant)
        return 0;
    uint64_t count = s->node->attributes->flag ? 1 : (uint64_t)pod_shape_elements(s->shape);
    return count * pod_dtype_size(s->dtype);
}

static uint64_t hash_node(const pod_subject *s)
{
    uint64_t hash = mix((uint64_t)(uint32_t)s->node->op, (uint64_t)s->dtype);
    for (int32_t i = 0; i < s->shape->rank; i++) /* slices of one value are alike but for where they begin */
        hash = mix(mix(hash, (uint64_t)s->shape->dims[i]), (uint64_t)s->node->attributes->low[i]);
    for (uint32_t i = 0; i < s->node->input_count; i++)
        hash = mix(hash, s->inputs[i]);
    uint64_t bytes = constant_bytes(s);
    if (bytes > CONSTANT_BYTES)
        return mix(hash, (uint64_t)(uintptr_t)s->node->constant);
    const unsigned char *at = s->node->constant;
    for (uint64_t i = 0; i < bytes; i++)
        hash = mix(hash, at[i]);
    return hash;
}

static bool same_constant(const pod_ir_node *a, const pod_ir_node *b, uint64_t bytes)
{
    if (a->constant == b->constant)
        return true;
    return a->constant && b->constant && bytes <= CONSTANT_BYTES && memcmp(a->constant, b->constant, bytes) == 0;
}

/* Attributes are compared as bytes, apart from what they point to. Padding that differs costs a merge,
 * no more. */
static bool same_attributes(const pod_ir_node *a, const pod_ir_node *b)
{
    if (a->attributes == b->attributes)
        return true;
    pod_attributes x = *a->attributes, y = *b->attributes;
    bool names = x.name == y.name || (x.name && y.name && strcmp(x.name, y.name) == 0);
    x.name = y.name = NULL;
    x.data = y.data = NULL;
    return names && memcmp(&x, &y, sizeof x) == 0;
}

bool pod_ir_rewrite_has_type(const pod_subject *s, pod_ref value)
{
    const pod_ir_value *type = &s->r->to->values[value];
    return type->dtype == s->dtype && pod_shape_equal(type->shape, s->shape);
}

static bool same_node(const pod_subject *s, const pod_ir_node *there)
{
    const pod_ir *ir = s->r->to;
    const pod_ir_node *node = s->node;
    return there->op == node->op && there->wide == node->wide && there->input_count == node->input_count &&
           pod_ir_rewrite_has_type(s, there->value_first) &&
           (node->input_count == 0 ||
            memcmp(pod_ir_inputs(ir, there), s->inputs, node->input_count * sizeof *s->inputs) == 0) &&
           /* attributes first: where they differ one constant may be a splat, and shorter */
           same_attributes(there, node) && same_constant(there, node, constant_bytes(s));
}

pod_ref pod_ir_find_common(const pod_subject *s, uint64_t *hash)
{
    *hash = 0;
    if (!can_merge(s->node))
        return POD_REF_NONE;
    *hash = hash_node(s) | 1;
    for (uint64_t at = *hash >> 1;; at++) {
        uint32_t entry = s->r->table[at & s->r->table_mask];
        if (!entry)
            return POD_REF_NONE;
        const pod_ir_node *there = &s->r->to->nodes[entry - 1];
        if (same_node(s, there))
            return there->value_first;
    }
}

/* Puts a node into the first free place from that of its hash on. */
static void put(uint32_t *table, uint32_t mask, uint64_t hash, uint32_t entry)
{
    uint64_t at = hash >> 1;
    while (table[at & mask])
        at++;
    table[at & mask] = entry;
}

/* Twice the table, with the entries hashed anew. */
static bool grow(pod_rewriter *rewriter)
{
    uint32_t mask = rewriter->table_mask * 2 + 1;
    assert(mask > rewriter->table_mask);
    uint32_t *table = pod_arena_array(rewriter->arena, (size_t)mask + 1, sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = 0; i <= rewriter->table_mask; i++) {
        uint32_t entry = rewriter->table[i];
        if (!entry)
            continue;
        const pod_ir_node *node = &rewriter->to->nodes[entry - 1];
        const pod_ir_value *value = &rewriter->to->values[node->value_first];
        const pod_subject s = {rewriter, node, pod_ir_inputs(rewriter->to, node), value->dtype, value->shape};
        put(table, mask, hash_node(&s) | 1, entry);
    }
    rewriter->table = table;
    rewriter->table_mask = mask;
    return true;
}

bool pod_ir_enter_common(pod_rewriter *rewriter, uint32_t node, uint64_t hash)
{
    assert((rewriter->table_mask & (rewriter->table_mask + 1)) == 0 && node < rewriter->to->node_count);
    if (!hash)
        return true;
    if (rewriter->to->node_count > rewriter->table_mask / 2 && !grow(rewriter))
        return false;
    put(rewriter->table, rewriter->table_mask, hash, node + 1);
    return true;
}
