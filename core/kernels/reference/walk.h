#ifndef POD_KERNELS_REFERENCE_WALK_H
#define POD_KERNELS_REFERENCE_WALK_H

/*
 * Walks over boxes of elements without a division an element, and copies of boxes between arrays of
 * any strides. Strides and offsets count elements.
 */

#include "kernels/reference.h"

#define POD_WALK_ARRAYS 3

/* A row-major walk over `dims`, which keeps the offset of the present place in up to three arrays.
 */
typedef struct pod_walk {
    int rank;
    int64_t dims[POD_MAX_RANK];
    int64_t index[POD_MAX_RANK];
    int64_t stride[POD_WALK_ARRAYS][POD_MAX_RANK];
    int64_t offset[POD_WALK_ARRAYS];
} pod_walk;

/* Appends an axis with its strides in the arrays. An axis goes inside those before it. */
void pod_kernel_walk_add(pod_walk *walk, int64_t size, int64_t stride_0, int64_t stride_1, int64_t stride_2);

/* Returns the number of places. */
int64_t pod_kernel_walk_count(const pod_walk *walk);

/* Goes to place number `position`. */
void pod_kernel_walk_seek(pod_walk *walk, int64_t position);

/* Goes to the next place, and from the last to the first. */
void pod_kernel_walk_next(pod_walk *walk);

/* Adds the first `rank` axes of a shape to walks: those that are listed to `listed`, the others to `others`. Offsets of
 * array 0 are those of the shape's elements. */
void pod_kernel_walk_split(const pod_shape *shape, int rank, const pod_axes *axes, pod_walk *others, pod_walk *listed);

/* Writes the row-major strides of a shape. */
void pod_kernel_strides(const pod_shape *shape, int64_t strides[POD_MAX_RANK]);

/* Returns the product of dims begin .. end - 1. */
int64_t pod_kernel_dims_product(const pod_shape *shape, int begin, int end);

/* A copy of a box of elements; the place of each is given by two stride vectors. */
typedef struct pod_box {
    size_t element; /* bytes: 1, 2, 4 or 8 */
    int rank;
    int64_t dims[POD_MAX_RANK];
    int64_t to[POD_MAX_RANK];
    int64_t from[POD_MAX_RANK];   /* 0 repeats, negative goes backwards */
    int64_t to_first, from_first; /* where the first place is */
} pod_box;

/* Makes a box simpler without changing what it copies: drops axes of size 1, joins axes that lie
 * one in the other, and brings the axis along which the source is contiguous next to the innermost.
 */
void pod_kernel_box_simplify(pod_box *box);

/* Returns the number of pieces of a simplified box; 0 when it is empty. */
int64_t pod_kernel_box_pieces(const pod_box *box);

/* Copies pieces begin .. end - 1 of a simplified box. */
void pod_kernel_box_copy(const pod_box *box, void *to, const void *from, int64_t begin, int64_t end);

/* Copies `count` elements of `element` bytes between lines of any step. */
void pod_kernel_line_copy(size_t element, void *to, int64_t to_step, const void *from, int64_t from_step,
                          int64_t count);

#endif
