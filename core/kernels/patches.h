#ifndef POD_KERNELS_PATCHES_H
#define POD_KERNELS_PATCHES_H

/*
 * patches - what each place of a convolution's result reads, gathered into a matrix. Place p and tap t of an
 * axis meet at p * stride - pad + t * dilation of the source; outside of it there is 0.
 */

#include "kernels/window_geometry.h"

/* Up to so many channels, patches are gathered as columns. */
#define POD_PATCHES_FEW_CHANNELS 4

typedef struct pod_patches {
    int64_t places[POD_MAX_SPATIAL], source[POD_MAX_SPATIAL], size[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL], pad[POD_MAX_SPATIAL], dilation[POD_MAX_SPATIAL];
    int64_t channels; /* of a place of the source */
    int64_t depth;    /* of those, the channels of a group */
    int64_t element;  /* bytes: 2 or 4 */
} pod_patches;

/* Returns what `places` of an axis meet of the source with its padding. */
static inline int64_t pod_kernel_patches_extent(const pod_patches *shape, int axis, int64_t places)
{
    return (places - 1) * shape->stride[axis] + (shape->size[axis] - 1) * shape->dilation[axis] + 1;
}

/* Returns whether the matrix is [tap, channel][place] instead of [place][tap, channel]. With few channels, runs
 * along places are longer than those along a patch. */
static inline bool pod_kernel_patches_are_columns(const pod_patches *shape)
{
    return shape->depth <= POD_PATCHES_FEW_CHANNELS;
}

/* Writes taps begin .. end - 1 of the patches of places first .. first + count - 1, counted over all
 * images. `source` points at the first channel of the group. Columns are column_stride elements
 * apart; rows follow each other. */
void pod_kernel_patches_gather(const pod_patches *shape, void *to, const void *source, int64_t first, int64_t count,
                               int64_t begin, int64_t end, int64_t column_stride);

/* Holds what a whole line of places reads, written once for all its places. For each column of the padded
 * source, from the first that a place meets to the last, what the taps of the first two axes read lies
 * together: [line][column][tap of axes 0 and 1][channel]. So the patch of a place, in the order [tap of
 * axis 2][tap of axes 0 and 1][channel], begins at its column, and patches of neighbours overlap. */
typedef struct pod_patch_lines {
    int64_t together; /* elements of a column */
    int64_t pitch;    /* columns from one line to the next: padding between lines is shared */
    int64_t behind;   /* columns behind the last line */
} pod_patch_lines;

/* Returns whether patches of neighbours overlap: no strides or dilation along lines. */
bool pod_kernel_patches_overlap(const pod_patches *shape);

pod_patch_lines pod_kernel_patches_find_lines(const pod_patches *shape);

/* Writes lines first .. first + count - 1, counted over all images, and the columns behind. */
void pod_kernel_patches_gather_lines(const pod_patches *shape, const pod_patch_lines *lines, void *to,
                                     const void *source, int64_t first, int64_t count);

#endif
