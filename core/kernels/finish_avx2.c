/* The kernel of finish.h for the family avx2. */

#include "kernels/finish_lanes.h"

#include "kernels/finish_kernel.h"

const pod_finish_function pod_finish_avx2 = finish;
