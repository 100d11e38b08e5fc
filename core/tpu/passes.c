/* passes - see passes.def. */

#include "tpu/passes.h"

#include "base/context.h"
#include "base/error.h"

static bool (*const passes[])(pod_tpu_lowering *lowering) = {
#define PASS(name) pod_tpu_pass_##name,
#include "tpu/passes.def"
#undef PASS
};

bool pod_tpu_run_passes(pod_tpu_lowering *lowering, const pod_ir *from)
{
    lowering->from = from;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        if (pod_context_is_interrupted(lowering->arena->context)) {
            pod_error_set(lowering->error, POD_ERROR_INTERRUPTED, "the plan for a TPU: interrupted");
            return false;
        }
        if (!passes[i](lowering) || !pod_tpu_verify(lowering, i))
            return false;
    }
    return true;
}
