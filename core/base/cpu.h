#ifndef POD_BASE_CPU_H
#define POD_BASE_CPU_H

/* cpu - which families of kernels this CPU and its system can run. */

#include <stdbool.h>
#include <stdint.h>

#include "moonpod/status.h"

/* X(enumerator, name), from the plainest to the best; each includes those before it that its processors have. */
#define POD_CPU_FAMILY_LIST(X)                                                                                         \
    X(POD_CPU_PORTABLE, "portable")                                                                                    \
    X(POD_CPU_NEON, "neon")                                                                                            \
    X(POD_CPU_NEONBF16, "neonbf16")                                                                                    \
    X(POD_CPU_AVX2, "avx2")                                                                                            \
    X(POD_CPU_AVX512, "avx512")                                                                                        \
    X(POD_CPU_AVX512BF16, "avx512bf16")                                                                                \
    X(POD_CPU_AMX, "amx")

typedef enum pod_cpu_family {
#define X(enumerator, name) enumerator,
    POD_CPU_FAMILY_LIST(X)
#undef X
        POD_CPU_FAMILY_COUNT
} pod_cpu_family;

/* Returns the name of a family ("avx512"). */
const char *pod_cpu_family_name(pod_cpu_family family);

/* Finds a family by name; false, leaving *family alone, when there is none such. */
bool pod_cpu_family_from_name(const char *name, pod_cpu_family *family);

/* Returns the best family that CPU and system can run. For AMX this asks the system for the
 * process's permission to use tiles, which is needed once and also holds for threads started later.
 */
pod_cpu_family pod_cpu_best_family(void);

#define POD_CPU_FEATURE_WORDS 12

/* Gives the bits by which the CPU tells what it can: code for one runs on another with the same. False, with zeros,
 * where it tells nothing. */
bool pod_cpu_features(uint32_t features[POD_CPU_FEATURE_WORDS]);

/* Returns whether a CPU multiplies bf16 by its own instruction (vdpbf16ps) at less than the rate of f32's fused
 * multiply-add, so that widening both factors, which is exact, is faster. `vendor` is CPUID's text. */
bool pod_cpu_widens_bf16(const char *vendor, unsigned family);

/* Returns the family that is used where none is named: the best, but "avx512" in the place of "avx512bf16" where
 * pod_cpu_widens_bf16(). */
pod_cpu_family pod_cpu_usual_family(void);

/* Finds the family to use: of `isa` when it is not NULL, else of the environment's MOONPOD_ISA when
 * it is set and not empty, else the usual one. Fails with POD_ERROR_ARGUMENT for an unknown name or a
 * family that this CPU lacks; the message lists those it has. */
POD_CHECKED pod_status pod_cpu_choose_family(const char *isa, pod_cpu_family *family, pod_error *error);

/* Whether pod_cpu_flush_subnormals() does something here. */
#if defined(__x86_64__) || defined(__aarch64__)
#define POD_CPU_FLUSHES 1
#else
#define POD_CPU_FLUSHES 0
#endif

/* Makes this thread's arithmetic take and give 0 in the place of subnormal numbers, as a TPU's does. Returns what
 * pod_cpu_end_flushing() puts back. */
static inline uint64_t pod_cpu_flush_subnormals(void)
{
    uint64_t before = 0;
#if defined(__x86_64__)
    before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((unsigned)before | 0x8040); /* FTZ, DAZ */
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | UINT64_C(1) << 24)); /* FZ */
#endif
    return before;
}

static inline void pod_cpu_end_flushing(uint64_t before)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr((unsigned)before);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    (void)before;
#endif
}

/* Tells the CPU that a loop waits for another thread. */
static inline void pod_cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
