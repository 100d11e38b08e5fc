/* margin - see margin.h. */

#include "tpu/margin.h"

#include <string.h>

double pod_tpu_margin(const pod_tpu_lowering *lowering)
{
    return strcmp(lowering->chip->name, "v3") == 0 || strcmp(lowering->chip->name, "v2") == 0 ? 0.10
                                                                                            : 0.20;
}
