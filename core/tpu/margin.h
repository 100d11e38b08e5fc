#ifndef POD_TPU_MARGIN_H
#define POD_TPU_MARGIN_H

/* margin - how far a plan is from the compiler's answer, as measured. */

#include "tpu/lowering.h"

/* Returns the relative error of need_bytes for this kind of program on this chip. */
double pod_tpu_margin(const pod_tpu_lowering *lowering);

#endif
