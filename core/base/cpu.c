#include "base/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_tiles.h"
#include "base/error.h"
#include "base/system/system.h"

#if defined(__x86_64__) && !defined(POD_PORTABLE_KERNELS)
#include <cpuid.h>
#endif

static const char *const family_names[POD_CPU_FAMILY_COUNT] = {
#define X(enumerator, name) name,
    POD_CPU_FAMILY_LIST(X)
#undef X
};

const char *pod_cpu_family_name(pod_cpu_family family)
{
    return family >= 0 && family < POD_CPU_FAMILY_COUNT ? family_names[family] : "?";
}

bool pod_cpu_family_from_name(const char *name, pod_cpu_family *family)
{
    for (int i = 0; i < POD_CPU_FAMILY_COUNT; i++) {
        if (strcmp(name, family_names[i]) == 0) {
            *family = (pod_cpu_family)i;
            return true;
        }
    }
    return false;
}

/* Instructions for bf16 that were measured beside f32's (GFLOP/s of a thread, `./dev bench dot`): half the rate on
 * Intel's models 143 and 207, 177 of 357; twice on AMD's Zen 4 and 5. Intel's other models are taken to have the same
 * unit. */
bool pod_cpu_widens_bf16(const char *vendor, unsigned family)
{
    return strcmp(vendor, "GenuineIntel") == 0 && family == 6;
}

#if defined(__x86_64__) && !defined(POD_PORTABLE_KERNELS)

static bool widens_bf16(void)
{
    unsigned a, b, c, d;
    char vendor[13] = "";
    if (!__get_cpuid(0, &a, &b, &c, &d))
        return false;
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    return __get_cpuid(1, &a, &b, &c, &d) && pod_cpu_widens_bf16(vendor, a >> 8 & 15);
}

/* Bits of XCR0: register state that the system saves and restores. */
#define XCR0_AVX    0x6u  /* SSE and AVX */
#define XCR0_AVX512 0xE6u /* ... and masks and the wide registers */

static unsigned read_xcr0(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has_all(unsigned value, unsigned bits)
{
    return (value & bits) == bits;
}

static pod_cpu_family find_best_family(void)
{
    unsigned a, b, c, d, ignored;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return POD_CPU_PORTABLE;
    const unsigned base = bit_OSXSAVE | bit_AVX | bit_FMA | bit_F16C;
    if (!has_all(c, base))
        return POD_CPU_PORTABLE;
    const unsigned xcr0 = read_xcr0();
    if (!has_all(xcr0, XCR0_AVX) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has_all(b, bit_AVX2))
        return POD_CPU_PORTABLE;
    const unsigned wide = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    if (!has_all(xcr0, XCR0_AVX512) || !has_all(b, wide))
        return POD_CPU_AVX2;
    const unsigned features = d, avx512_bf16 = 1u << 5;
    if (!__get_cpuid_count(7, 1, &a, &ignored, &ignored, &ignored) || !has_all(a, avx512_bf16))
        return POD_CPU_AVX512;
    return pod_cpu_has_tiles(features, xcr0) ? POD_CPU_AMX : POD_CPU_AVX512BF16;
}

bool pod_cpu_features(uint32_t features[POD_CPU_FEATURE_WORDS])
{
    unsigned a, b, c, d;
    memset(features, 0, POD_CPU_FEATURE_WORDS * sizeof *features);
    if (!__get_cpuid(1, &a, &b, &c, &d)) /* b has the number of the core */
        return false;
    memcpy(features, (uint32_t[]){a, c, d}, 12);
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        memcpy(features + 3, (uint32_t[]){b, c, d}, 12);
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
        memcpy(features + 6, (uint32_t[]){a, b, c, d}, 16);
    if (__get_cpuid(0x80000001u, &a, &b, &c, &d))
        memcpy(features + 10, (uint32_t[]){c, d}, 8);
    return true;
}

#else

bool pod_cpu_features(uint32_t features[POD_CPU_FEATURE_WORDS])
{
    memset(features, 0, POD_CPU_FEATURE_WORDS * sizeof *features);
    return false;
}

static bool widens_bf16(void)
{
    return false;
}

static pod_cpu_family find_best_family(void)
{
#if defined(__aarch64__) && !defined(POD_PORTABLE_KERNELS)
    return pod_cpu_has_arm_bf16() ? POD_CPU_NEONBF16 : POD_CPU_NEON;
#else
    return POD_CPU_PORTABLE;
#endif
}

#endif

static bool is_of_arm(pod_cpu_family family)
{
    return family == POD_CPU_NEON || family == POD_CPU_NEONBF16;
}

static bool has_family(pod_cpu_family family)
{
    const pod_cpu_family best = pod_cpu_best_family();
    return family == POD_CPU_PORTABLE || (family <= best && is_of_arm(family) == is_of_arm(best));
}

/* Found once: a virtual machine takes as long to ask the CPU as to compile a small program. */
pod_cpu_family pod_cpu_best_family(void)
{
    static _Atomic int known = -1; /* threads that find it at a time find the same */
    if (known < 0)
        known = (int)find_best_family();
    return (pod_cpu_family)known;
}

pod_cpu_family pod_cpu_usual_family(void)
{
    const pod_cpu_family best = pod_cpu_best_family();
    return best == POD_CPU_AVX512BF16 && widens_bf16() ? POD_CPU_AVX512 : best;
}

pod_status pod_cpu_choose_family(const char *isa, pod_cpu_family *family, pod_error *error)
{
    const char *source = "option 'isa'";
    *family = POD_CPU_PORTABLE;
    if (!isa) {
        source = "MOONPOD_ISA";
        isa = getenv("MOONPOD_ISA");
    }
    if (!isa || !*isa) {
        *family = pod_cpu_usual_family();
        return POD_OK;
    }
    pod_cpu_family wanted = POD_CPU_PORTABLE;
    const bool known = pod_cpu_family_from_name(isa, &wanted);
    if (known && has_family(wanted)) {
        *family = wanted;
        return POD_OK;
    }
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; i < POD_CPU_FAMILY_COUNT; i++)
        if (has_family((pod_cpu_family)i))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", family_names[i]);
    if (known)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "%s is '%s', which this CPU or its system cannot run; it has %s", source, isa, list);
    return pod_error_set(error, POD_ERROR_ARGUMENT, "%s is '%.40s', which names no family of kernels; this CPU has %s",
                         source, isa, list);
}
