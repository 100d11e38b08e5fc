#ifndef POD_KERNELS_REFERENCE_WINDOW_WALK_H
#define POD_KERNELS_REFERENCE_WINDOW_WALK_H

/* Walks over the places and taps of windowed ops. */

#include "kernels/reference/walk.h"
#include "kernels/window_geometry.h"

/* Returns a walk over spatial places, at the first. */
pod_walk pod_kernel_spatial_walk(const int64_t size[POD_MAX_SPATIAL]);

/* Returns the number of a place. */
int64_t pod_kernel_place_of(const int64_t size[POD_MAX_SPATIAL], const int64_t *at);

/* Finds the number of the place of x that `tap` of window `out` covers; false for padding. */
bool pod_kernel_tap_source(const pod_window_sizes *sizes, const int64_t *out, const int64_t *tap, int64_t *place);

/* Finds the window whose `tap` covers place `in` of x; false when there is none. */
bool pod_kernel_tap_target(const pod_window_sizes *sizes, const int64_t *in, const int64_t *tap,
                           int64_t out[POD_MAX_SPATIAL]);

/* pod_kernel.units: a unit is one place of the result with all its channels. */
int64_t pod_kernel_place_units(const pod_kernel_call *call);

#endif
