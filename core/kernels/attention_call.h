#ifndef POD_KERNELS_ATTENTION_CALL_H
#define POD_KERNELS_ATTENTION_CALL_H

/* attention_call - what a call of attention or of its gradient asks for. */

#include "kernels/kernels.h"

/* Where [queries or keys, width] matrices of an array lie, in elements. */
typedef struct pod_attention_heads {
    char *data;
    int64_t batch, head, row; /* strides */
} pod_attention_heads;

/* A call, read: see composites.def. */
typedef struct pod_attention_call {
    const pod_kernels *kernels;
    const pod_dot_kernels *dot;
    pod_dtype dtype;
    int64_t size; /* bytes of an element */
    int64_t batch, heads, shared, queries, keys, width, value_width;
    bool causal, zero_hidden;
    float scale;
    double rate; /* of dropout; 0: none */
    uint64_t seed;
    const pod_array *q, *k, *v, *g; /* g: NULL for the forward pass */
    const pod_array *mask, *state;  /* NULL: none */
    pod_array *results;             /* the result, or the gradients of q, k and v */
    int head_axis;                  /* 1 or 2 */
} pod_attention_call;

/* Reads a call of attention, or of its gradient; false where it is not one for the kernels: then
 * types, shapes or attributes are not those that composites.def names, or not theirs. */
bool pod_kernel_attention_read(const pod_kernel_call *call, bool backward, pod_attention_call *a);

/* Returns where the matrices of an operand or result of a call lie. */
pod_attention_heads pod_kernel_attention_heads_of(const pod_attention_call *a, const pod_array *array);

/* The matrix of a batch and head. */
char *pod_kernel_attention_head(const pod_attention_call *a, const pod_attention_heads *of, int64_t batch,
                                int64_t head);

#endif
