#ifndef POD_TPU_PASSES_H
#define POD_TPU_PASSES_H

/* passes - what makes a plan of a graph: passes.def says what each of them reads and decides. */

#include "tpu/lowering.h"

#define PASS(name) bool pod_tpu_pass_##name(pod_tpu_lowering *lowering);
#include "tpu/passes.def"
#undef PASS

#endif
