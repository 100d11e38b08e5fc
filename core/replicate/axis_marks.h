#ifndef POD_REPLICATE_AXIS_MARKS_H
#define POD_REPLICATE_AXIS_MARKS_H

/*
 * axis_marks - the axes of a graph's values that are one with an axis of a parameter: their sizes change together.
 * From the axis that is given marks go through the ops in both directions, into regions and out of them
 * (graph/axis_ways.h says where an op takes an axis), until nothing is new.
 */

#include "graph/node.h"

/* The axis that a value has of them: its entry (i * size + r) * after + j is entry r. */
typedef struct pod_axis_mark {
    int32_t axis;
    int64_t before, after; /* how many i and j there are; 0: the value has no such axis */
} pod_axis_mark;

typedef struct pod_marked_graph {
    const pod_graph *graph;
    uint32_t *first;      /* of each node: the number of its first result's mark */
    pod_axis_mark *marks; /* of each result */
    pod_axis_mark *kept;  /* what they were before something was tried; NULL: nothing was */
    uint32_t result_count;
    struct pod_marked_graph **regions; /* two a node */
} pod_marked_graph;

typedef struct pod_axis_walk {
    pod_arena arena;
    int64_t size;  /* of the axis, or of each of the equal parts into which it is divided */
    int64_t split; /* after a refusal: into how many parts a reshape divides it; 0: it is another op */
    bool counts;   /* what the program counted out of the size follows it */
    bool changed;
    pod_op refused;   /* the op that has no exact rule */
    pod_error *error; /* says which one that is */
} pod_axis_walk;

/* Marks the values of a graph, from axis `axis` of a parameter, which has `parts` equal parts. NULL after an error.
 * What is returned lives as long as the walk's arena. */
pod_marked_graph *pod_replicate_mark_axis(pod_axis_walk *walk, const pod_graph *graph, uint32_t parameter, int32_t axis,
                                          int64_t parts);

/* The mark of result `result` of a node. */
const pod_axis_mark *pod_replicate_mark_of(const pod_marked_graph *marked, const pod_node *node, uint32_t result);

/* What a multiple of the size `was` is where that is `now`; INT64_MAX, which no shape may have, where it is too much.
 */
int64_t pod_replicate_turns(int64_t size, int64_t was, int64_t now);

/* The shape that a value has where the axis has another size. */
pod_shape pod_replicate_resized(const pod_shape *shape, const pod_axis_mark *mark, int64_t was, int64_t now);

/* Refuses an op, with its name and place; false. */
bool pod_replicate_refuse(pod_axis_walk *walk, const pod_node *node, const char *why);

#endif
