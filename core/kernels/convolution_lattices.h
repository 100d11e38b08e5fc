#ifndef POD_KERNELS_CONVOLUTION_LATTICES_H
#define POD_KERNELS_CONVOLUTION_LATTICES_H

/* convolution_lattices - how the rows of a convolution as a product are cut, for convolution_rows.c. */

#include "kernels/convolution.h"
#include "kernels/dot.h"
#include "kernels/padded.h"
#include "kernels/patches.h"

/* How rows of the product of one group are cut. */
typedef struct pod_rows_plan {
    int64_t groups;
    int64_t columns;       /* of the result, in one group */
    int64_t lattices;      /* sets of places that are treated apart */
    int64_t row;           /* elements gathered for a place at most */
    int64_t block;         /* places gathered at once */
    size_t gathered_bytes; /* in scratch */
    bool packs_taps;       /* the turned kernel is packed tap by tap from where it lies */
    int64_t piece;         /* columns that a unit of the product has: all, or some where there are few places */
    int64_t images;        /* whose lattices are put together before the epilogue takes them: a unit is one; 0: none */
    size_t turned_bytes;   /* the kernel, turned or with its taps in another order */
} pod_rows_plan;

/* A set of places with the same taps. The input gradient of a convolution with strides reads, at each place
 * of x, only every stride-th tap: which ones depends on the place modulo the stride. Each of these
 * lattices is a convolution without strides. There is one lattice in all other cases. */
typedef struct pod_lattice {
    int64_t index;
    pod_patches shape;
    int64_t first[POD_MAX_SPATIAL], step[POD_MAX_SPATIAL];         /* places in the result */
    int64_t tap_first[POD_MAX_SPATIAL], tap_step[POD_MAX_SPATIAL]; /* taps of the kernel */
    int64_t taps, patch, places;
    bool in_place; /* patches are read from padded images */
    pod_padded padded;
    bool overlap; /* patches are gathered as lines */
    pod_patch_lines lines;
    int64_t block_lines;                       /* gathered at once */
    int64_t unit_begin, units;                 /* of the product */
    size_t turned_at, packed_at, packed_bytes; /* in shared memory; packed_bytes is of a group */
} pod_lattice;

/* Pieces of the columns of a plan: units of the product of one block of places. */
static inline int64_t pod_kernel_rows_pieces(const pod_rows_plan *plan)
{
    return (plan->columns + plan->piece - 1) / plan->piece;
}

/* How the rows of a call are cut. */
pod_rows_plan pod_kernel_rows_plan_of(const pod_convolution_call *call);

/* The first set of places, and the one behind `at`. */
pod_lattice pod_kernel_first_lattice(const pod_convolution_call *call, const pod_rows_plan *cut);
void pod_kernel_next_lattice(const pod_convolution_call *call, const pod_rows_plan *cut, pod_lattice *at);

/* The lattice behind the last one: its beginnings are totals. */
pod_lattice pod_kernel_end_lattice(const pod_convolution_call *call, const pod_rows_plan *cut);

/* Elements of an image of the result of an input gradient. */
int64_t pod_kernel_result_image_elements(const pod_convolution_call *call);

#endif
