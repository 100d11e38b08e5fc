#ifndef POD_BASE_CPU_TILES_H
#define POD_BASE_CPU_TILES_H

/* cpu_tiles - AMX: a file of its own, so that tests run elsewhere what is written for it. */

#include <stdbool.h>

/* Returns whether the CPU and its system have AMX for this process, which asks for it by this call: `features` is
 * register d of CPUID's leaf 7, `states` XCR0. */
bool pod_cpu_has_tiles(unsigned features, unsigned states);

#endif
