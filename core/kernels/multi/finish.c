/* The kernel of finish.h for one family. */

#if defined(__AVX512F__)
#include "kernels/finish_avx512.h"
#else
#include "kernels/finish_lanes.h"
#endif

#include "kernels/finish_kernel.h"

extern const pod_finish_function POD_FAMILY_TABLE;

const pod_finish_function POD_FAMILY_TABLE = finish;
