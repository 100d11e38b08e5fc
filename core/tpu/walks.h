#ifndef POD_TPU_WALKS_H
#define POD_TPU_WALKS_H

/* walks - from a node back to what it is computed from, and from a value on to what reads it. They change nothing. */

#include "tpu/lowering.h"

/* A walk over values, which comes to each once:
 *
 *     pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
 *     do
 *         ... pod_tpu_walk_to(&walk, read) ... // what comes after `value`, in any number
 *     while (pod_tpu_walk_next(&walk, &value));
 *
 * The lowering has the stack and the stamps: one walk at a time. */
typedef struct pod_tpu_walk {
    pod_tpu_lowering *lowering;
    uint32_t count; /* values on the stack */
} pod_tpu_walk;

static inline pod_tpu_walk pod_tpu_walk_begin(pod_tpu_lowering *lowering)
{
    lowering->stamp++;
    return (pod_tpu_walk){lowering, 0};
}

/* Marks a value as seen; returns whether it is so for the first time. */
static inline bool pod_tpu_walk_sees(const pod_tpu_walk *walk, pod_ref value)
{
    const bool first = walk->lowering->stamps[value] != walk->lowering->stamp;
    walk->lowering->stamps[value] = walk->lowering->stamp;
    return first;
}

/* Has the walk come to a value that it has seen now. */
static inline void pod_tpu_walk_push(pod_tpu_walk *walk, pod_ref value)
{
    walk->lowering->stack[walk->count++] = value;
}

/* Has the walk come to a value, if it is seen for the first time. */
static inline void pod_tpu_walk_to(pod_tpu_walk *walk, pod_ref value)
{
    if (pod_tpu_walk_sees(walk, value))
        pod_tpu_walk_push(walk, value);
}

/* Takes the value that the walk comes to next; false at its end. */
static inline bool pod_tpu_walk_next(pod_tpu_walk *walk, pod_ref *value)
{
    if (walk->count == 0)
        return false;
    *value = walk->lowering->stack[--walk->count];
    return true;
}

/* The same of the node that makes the value. */
bool pod_tpu_walk_next_maker(pod_tpu_walk *walk, const pod_ir_node **node);

/* A walk from a node's operands through what is not stored, to each stored value, parameter and constant that is met:
 *
 *     pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
 *     while (pod_tpu_next_source(&sources, &value))
 *         ... */
typedef struct pod_tpu_sources {
    pod_tpu_walk walk;
    const pod_ir_node *root, *node; /* the one that is asked of, and the one whose operands are looked at */
    uint32_t input;                 /* the next of them */
    struct pod_tpu_tally *tally;    /* counts the nodes between; NULL: nobody does */
} pod_tpu_sources;

pod_tpu_sources pod_tpu_sources_of(pod_tpu_lowering *lowering, const pod_ir_node *node);
bool pod_tpu_next_source(pod_tpu_sources *sources, pod_ref *value);

/* A walk from a value to the nodes that read it, and on from the values that it is told of:
 *
 *     pod_tpu_uses uses = pod_tpu_uses_of(lowering, value);
 *     while (pod_tpu_next_use(&uses, &node))
 *         ... pod_tpu_walk_to(&uses.walk, made) ... */
typedef struct pod_tpu_uses {
    pod_tpu_walk walk;
    pod_ref value; /* whose users are looked at */
    uint32_t user; /* the next of them */
} pod_tpu_uses;

static inline pod_tpu_uses pod_tpu_uses_of(pod_tpu_lowering *lowering, pod_ref value)
{
    return (pod_tpu_uses){.walk = pod_tpu_walk_begin(lowering), .value = value};
}

bool pod_tpu_next_use(pod_tpu_uses *uses, uint32_t *node);

/* Tells whether `node` is, or may be, computed from a value. */
bool pod_tpu_leads_to(pod_tpu_lowering *lowering, pod_ref value, uint32_t node);

/* ---- nodes that wait to be looked at on a walk from a value to what is computed from it ---- */

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

/* Tells whether a value is a number that is the same everywhere. */
bool pod_tpu_is_number(const pod_tpu_lowering *lowering, pod_ref value);

#endif
