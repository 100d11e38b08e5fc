#ifndef POD_EXPORTED_SIGNATURE_H
#define POD_EXPORTED_SIGNATURE_H

/* signature - what an exported file says of its program: JSON in its metadata.
 *
 *     {"inputs": [{"dtype": "float32", "name": "x", "shape": [784]}], "outputs": [...],
 *      "precision": "highest", "sizes": [1, 32], "weights": ["dense/kernel", "dense/bias"]}
 *
 * Keys come in any order, and others are refused: a later minor version says more in metadata of its own. */

#include "moonpod/exported.h"

#define POD_EXPORTED_MOST_SIZES 64

typedef struct pod_exported_list {
    pod_exported_value *values;
    size_t count, room;
} pod_exported_list;

typedef struct pod_exported_signature {
    char *precision; /* of products of f32 (pod_compile_options.matmul_precision); NULL: not said */
    char **weights;
    size_t weight_count, weight_room;
    pod_exported_list inputs, outputs;
    int64_t sizes[POD_EXPORTED_MOST_SIZES];
    size_t size_count;
} pod_exported_signature;

/* Reads a signature. Whatever comes of it, *signature is to be cleared. */
POD_CHECKED pod_status pod_exported_read_signature(pod_context *context, const char *text,
                                                   pod_exported_signature *signature, pod_error *error);

void pod_exported_clear_signature(pod_context *context, pod_exported_signature *signature);

#endif
