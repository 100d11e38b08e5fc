#include "base/cpu_tiles.h"

#include "base/system/system.h"

bool pod_cpu_has_tiles(unsigned features, unsigned states)
{
    const unsigned amx = 1u << 24 | 1u << 22; /* tiles, and their products of bf16 */
    const unsigned kept = 0x60000;            /* tile configuration and tile data */
    return (features & amx) == amx && (states & kept) == kept && pod_cpu_allow_tiles();
}
