#ifndef POD_TESTS_SAME_GRAPH_H
#define POD_TESTS_SAME_GRAPH_H

/* same_graph - whether two graphs compute the same by the same nodes, in whatever order these
 * stand. */

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"

/* Parameters of the branches of a cond are its operands; those of other graphs compare by number.
 */
typedef struct same_frame {
    const struct same_frame *outer;
    pod_node *const *operands;
    const pod_node **met; /* by id of the first graph's nodes: the second's */
} same_frame;

static bool same_outputs(const same_frame *fa, const pod_graph *a, const same_frame *fb, const pod_graph *b);

static const pod_node *same_resolve(const same_frame **frame, const pod_node *node)
{
    while (node->op == POD_OP_PARAMETER && (*frame)->operands) {
        node = (*frame)->operands[node->attributes->axis];
        *frame = (*frame)->outer;
    }
    return node;
}

static bool same_regions(const same_frame *fa, const pod_node *a, const same_frame *fb, const pod_node *b)
{
    static const same_frame top;
    bool same = a->region_count == b->region_count;
    for (uint32_t i = 0; same && i < a->region_count; i++) {
        bool inner = a->op == POD_OP_COND;
        same_frame ia = {.outer = fa, .operands = inner ? a->inputs + 1 : NULL};
        same_frame ib = {.outer = fb, .operands = inner ? b->inputs + 1 : NULL};
        same = same_outputs(inner ? &ia : &top, a->regions[i], inner ? &ib : &top, b->regions[i]);
    }
    return same;
}

static bool same_node(const same_frame *fa, const pod_node *a, const same_frame *fb, const pod_node *b)
{
    a = same_resolve(&fa, a);
    b = same_resolve(&fb, b);
    if (fa->met && fa->met[a->id])
        return fa->met[a->id] == b;
    bool same = a->op == b->op && a->result_count == b->result_count;
    for (uint32_t i = 0; same && i < a->result_count; i++)
        same =
            a->results[i].dtype == b->results[i].dtype && pod_shape_equal(&a->results[i].shape, &b->results[i].shape);
    if (same && a->op == POD_OP_PARAMETER)
        same = a->attributes->axis == b->attributes->axis;
    else if (same && a->op == POD_OP_COND)
        same = same_node(fa, a->inputs[0], fb, b->inputs[0]) && same_regions(fa, a, fb, b);
    else if (same)
        same = pod_node_same_attributes(a, b) && a->input_count == b->input_count && same_regions(fa, a, fb, b);
    for (uint32_t i = 0; same && a->op != POD_OP_COND && i < a->input_count; i++)
        same = same_node(fa, a->inputs[i], fb, b->inputs[i]);
    if (same && fa->met)
        fa->met[a->id] = b;
    return same;
}

static bool same_outputs(const same_frame *fa, const pod_graph *a, const same_frame *fb, const pod_graph *b)
{
    same_frame frame = *fa;
    bool same = a->output_count == b->output_count;
    frame.met = calloc(a->node_count + 1, sizeof *frame.met);
    for (uint32_t i = 0; same && i < a->output_count; i++)
        same = same_node(&frame, a->outputs[i], fb, b->outputs[i]);
    free(frame.met);
    return same;
}

/* Whether outputs, aliases and parameters are the same. */
static bool same_graph(const pod_graph *a, const pod_graph *b)
{
    static const same_frame top;
    bool same = a->parameter_count == b->parameter_count && same_outputs(&top, a, &top, b);
    for (uint32_t i = 0; same && i < a->output_count; i++)
        same = a->aliases[i] == b->aliases[i];
    return same;
}

#endif
