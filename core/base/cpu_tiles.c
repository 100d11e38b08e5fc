#define _GNU_SOURCE
#include "base/cpu_tiles.h"

#if defined(__x86_64__) && defined(__linux__)

#include <sys/syscall.h>
#include <unistd.h>

/* Linux: Documentation/arch/x86/xstate.rst. */
enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };

bool pod_cpu_has_tiles(unsigned features, unsigned states)
{
    const unsigned amx = 1u << 24 | 1u << 22; /* tiles, and their products of bf16 */
    const unsigned kept = 0x60000;            /* tile configuration and tile data */
    return (features & amx) == amx && (states & kept) == kept &&
           syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

#else

bool pod_cpu_has_tiles(unsigned features, unsigned states)
{
    (void)features, (void)states;
    return false;
}

#endif
