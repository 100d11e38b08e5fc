/* The kernel of finish.h for the family avx512bf16. */

#include "kernels/finish_avx512.h"

#include "kernels/finish_kernel.h"

const pod_finish_function pod_finish_avx512bf16 = finish;
