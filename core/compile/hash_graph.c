/* hash_graph - a number for what a graph computes: see pod_graph_hash. */

#include "graph/graph.h"
#include "moonpod/program.h"

#include <string.h>

/* One round of a 64-bit mix (splitmix64's finish). */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
    hash ^= hash >> 29;
    hash *= 0x94d049bb133111ebu;
    return hash ^ (hash >> 32);
}

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const char *at = bytes;
    hash = mix(hash, count);
    for (; count >= 8; count -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = mix(hash, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, at, count);
    return mix(hash, rest);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return text ? mix_bytes(hash, text, strlen(text)) : mix(hash, 0);
}

static uint64_t mix_axes(uint64_t hash, const pod_axes *axes)
{
    return mix_bytes(hash, axes->axes, (size_t)axes->count * sizeof axes->axes[0]);
}

static uint64_t mix_shape(uint64_t hash, const pod_shape *shape)
{
    return mix_bytes(hash, shape->dims, (size_t)shape->rank * sizeof shape->dims[0]);
}

static uint64_t mix_window(uint64_t hash, const pod_window *window)
{
    hash = mix(hash, (uint64_t)window->rank);
    hash = mix_bytes(hash, window->size, sizeof window->size);
    hash = mix_bytes(hash, window->stride, sizeof window->stride);
    hash = mix_bytes(hash, window->pad_low, sizeof window->pad_low);
    hash = mix_bytes(hash, window->pad_high, sizeof window->pad_high);
    hash = mix_bytes(hash, window->dilation, sizeof window->dilation);
    return mix(hash, (uint64_t)window->groups);
}

/* Fields that an op does not read are zero, so all may be mixed. Names count where they change what a
 * program does: which kernel a call gets, what check and print say. */
static uint64_t mix_attributes(uint64_t hash, const pod_node *node)
{
    const pod_attributes *a = node->attributes;
    hash = mix(hash, (uint64_t)a->dtype);
    hash = mix_shape(hash, &a->shape);
    hash = mix_axes(hash, &a->axes);
    hash = mix(hash, (uint64_t)(uint32_t)a->axis);
    hash = mix(hash, (uint64_t)a->count);
    hash = mix_axes(hash, &a->lhs_batch);
    hash = mix_axes(hash, &a->rhs_batch);
    hash = mix_axes(hash, &a->lhs_contract);
    hash = mix_axes(hash, &a->rhs_contract);
    hash = mix_bytes(hash, a->low, sizeof a->low);
    hash = mix_bytes(hash, a->high, sizeof a->high);
    hash = mix_bytes(hash, a->step, sizeof a->step);
    hash = mix_window(hash, &a->window);
    hash = mix(hash, (uint64_t)a->comparison);
    hash = mix(hash, (uint64_t)a->reduction);
    hash = mix(hash, a->flag);
    hash = mix(hash, a->seed);
    hash = mix_bytes(hash, a->values, sizeof a->values);
    bool named = node->op == POD_OP_CALL || node->op == POD_OP_CHECK || node->op == POD_OP_PRINT;
    return named ? mix_text(hash, a->name) : hash;
}

static uint64_t mix_constant(uint64_t hash, const pod_node *node)
{
    size_t count = node->attributes->flag ? 1 : (size_t)pod_shape_elements(&node->results[0].shape);
    return mix_bytes(hash, pod_node_constant_data(node),
                     count * pod_dtype_size(node->results[0].dtype));
}

/* Regions nest at most POD_MAX_REGION_DEPTH deep. */
uint64_t pod_graph_hash(const pod_graph *graph)
{
    uint64_t hash = mix(0x6d6f6f6e706f64u, graph->node_count);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        hash = mix(hash, (uint64_t)(uint32_t)node->op);
        for (uint32_t j = 0; j < node->input_count; j++)
            hash = mix(hash, node->inputs[j]->id);
        for (uint32_t j = 0; j < node->result_count; j++)
            hash = mix_shape(mix(hash, (uint64_t)node->results[j].dtype), &node->results[j].shape);
        hash = mix_attributes(hash, node);
        if (node->op == POD_OP_CONSTANT)
            hash = mix_constant(hash, node);
        for (uint32_t j = 0; j < node->region_count; j++)
            hash = mix(hash, pod_graph_hash(node->regions[j]));
    }
    for (uint32_t i = 0; i < graph->output_count; i++)
        hash = mix(mix(hash, graph->outputs[i]->id), (uint64_t)graph->aliases[i]);
    return hash;
}
