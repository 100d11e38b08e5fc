#ifndef POD_KERNELS_PADDED_H
#define POD_KERNELS_PADDED_H

/*
 * padded - what the places of a convolution read, left where it lies: images are copied once, with
 * zeros where places reach over their borders, and the products' kernels read each place's patch in
 * them as pieces (pod_dot_pieces). Where no place reaches over a border and the type is that of the
 * pieces, nothing is copied.
 *
 * Large images are cut into bands along their first axis that has several places; small ones stand
 * together.
 */

#include "kernels/kernels.h"
#include "kernels/patches.h"

typedef struct pod_padded {
    pod_patches shape;
    pod_dtype stored, wanted; /* of the source, of the pieces */
    bool copied;
    int axis;                        /* that is cut */
    int64_t band;                    /* places of that axis at once */
    int64_t images;                  /* at once: several only where a band is all */
    int64_t extent[POD_MAX_SPATIAL]; /* places of the copy of a band, or of an image of the source */
    int64_t run_k, runs;
} pod_padded;

/* Fills in *to for kernels whose runs are multiples of `unit` elements of type `wanted`; false
 * where patches have no such runs or a band does not fit pod_kernel_padded_bytes() <= most. */
bool pod_kernel_padded_plan(pod_padded *to, const pod_patches *shape, pod_dtype stored, pod_dtype wanted, int64_t unit,
                            int64_t most);

/* Cuts images into more bands, of `least` places at least, where `batch` of them are fewer than `units`; not those that
 * are copied several at once. */
void pod_kernel_padded_cut(pod_padded *padded, int64_t batch, int64_t units, int64_t least);

/* Bytes of the memory of a unit, 64-aligned. */
int64_t pod_kernel_padded_bytes(const pod_padded *padded);

/* Units of `batch` images, each some whole images or a band of one. */
int64_t pod_kernel_padded_units(const pod_padded *padded, int64_t batch);

/* A unit's places as a left operand. */
typedef struct pod_padded_unit {
    int64_t first, places;           /* counted over all images */
    int64_t extent[POD_MAX_SPATIAL]; /* the places of each of its images */
    const char *a;
    int64_t row_stride;
    pod_dot_pieces pieces;
} pod_padded_unit;

/* Copies what a unit reads of `source`, and returns it as the first group reads it. */
pod_padded_unit pod_kernel_padded_read(const pod_padded *padded, const void *source, int64_t unit, int64_t batch,
                                       void *memory);

#endif
