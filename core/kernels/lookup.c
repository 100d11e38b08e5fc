/* lookup - see lookup.h: any CPU. */

#include "kernels/lookup.h"

void pod_kernel_look_up_16_portable(uint16_t *to, const uint16_t *table, const uint8_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = table[from[i]];
}
