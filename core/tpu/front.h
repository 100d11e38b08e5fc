#ifndef POD_TPU_FRONT_H
#define POD_TPU_FRONT_H

/* front - nodes that wait to be looked at on a walk from a value to what is computed from it. */

#include "tpu/lowering.h"

#define POD_TPU_LONGEST_CHAIN 256 /* nodes looked at from a product on */
#define POD_TPU_WIDEST_FRONT  64  /* of them waiting at a time */

/* Nodes that wait, each once, the earliest last. */
typedef struct pod_tpu_front {
    uint32_t nodes[POD_TPU_WIDEST_FRONT];
    uint32_t count;
} pod_tpu_front;

static inline bool pod_tpu_front_add(pod_tpu_front *front, uint32_t node)
{
    uint32_t at = front->count;
    while (at > 0 && front->nodes[at - 1] < node)
        at--;
    if (at > 0 && front->nodes[at - 1] == node)
        return true;
    if (front->count == POD_TPU_WIDEST_FRONT)
        return false;
    for (uint32_t i = front->count++; i > at; i--)
        front->nodes[i] = front->nodes[i - 1];
    front->nodes[at] = node;
    return true;
}

/* Adds the nodes that read a value; false where those are too many. */
static inline bool pod_tpu_front_add_users(pod_tpu_front *front, const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    if (v->user_count > POD_TPU_WIDEST_FRONT)
        return false;
    for (uint32_t i = 0; i < v->user_count; i++)
        if (!pod_tpu_front_add(front, lowering->users[v->user_first + i]))
            return false;
    return true;
}

#endif
