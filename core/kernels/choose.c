#include "kernels/kernels.h"

#include <uv.h>

#include "base/cpu.h"
#include "kernels/attention.h"
#include "kernels/blocks.h"
#include "kernels/dot.h"
#include "kernels/openblas.h"
#include "kernels/winograd.h"

/* One table a family, filled once. */
static pod_kernels tables[POD_CPU_FAMILY_COUNT];
static uv_once_t tables_once = UV_ONCE_INIT;

/* What each of these families has of its own. */
#define TAKE(family)                                                                                                   \
    table = pod_blocks_##family;                                                                                       \
    table.pools = pod_pools_##family;                                                                                  \
    table.attention = &pod_attention_rows_##family;                                                                    \
    table.look_up_16 = pod_kernel_look_up_16_portable;                                                                 \
    table.windows = pod_windows_##family;                                                                              \
    table.depthwise = pod_depthwise_##family;                                                                          \
    table.direct = &pod_direct_##family;                                                                               \
    table.depthwise_way = &pod_depthwise_##family##_way;                                                               \
    table.winograd = &pod_winograd_##family;                                                                           \
    table.finish = pod_finish_##family;                                                                                \
    table.lines = pod_lines_##family;                                                                                  \
    table.dot_f32 = pod_dot_f32_##family;                                                                              \
    table.dot_f32_few = pod_few_##family;                                                                              \
    table.dot_bf16 = pod_dot_bf16_##family

static void fill_tables(void)
{
    pod_kernels table;
    TAKE(portable);
    tables[POD_CPU_PORTABLE] = table;
#if defined(__aarch64__) && !defined(POD_PORTABLE_KERNELS)
    TAKE(neon);
    tables[POD_CPU_NEON] = table;
    table.dot_bf16 = pod_dot_bf16_neonbf16;
    tables[POD_CPU_NEONBF16] = table;
#endif
#if defined(__x86_64__) && !defined(POD_PORTABLE_KERNELS)
    TAKE(avx2);
    tables[POD_CPU_AVX2] = table;
    TAKE(avx512);
    table.look_up_16 = pod_kernel_look_up_16_avx512;
    table.chain = pod_kernel_chains_avx512;
    tables[POD_CPU_AVX512] = table;
    /* These two start from the one before. */
    table.dot_bf16 = pod_dot_bf16_avx512bf16;
    table.finish = pod_finish_avx512bf16;
    table.attention = &pod_attention_rows_avx512bf16;
    tables[POD_CPU_AVX512BF16] = table;
    table.dot_bf16 = pod_dot_bf16_amx;
    table.dot_f32_six = pod_dot_f32_six_amx;
    table.dot_f32_three = pod_dot_f32_three_amx;
    tables[POD_CPU_AMX] = table;
#endif
    for (int i = 0; i < POD_CPU_FAMILY_COUNT; i++)
        tables[i].isa = pod_cpu_family_name((pod_cpu_family)i);
}

pod_status pod_kernel_choose_family(const char *isa, const pod_kernels **kernels, pod_error *error)
{
    pod_cpu_family family;
    *kernels = NULL;
    const pod_status status = pod_cpu_choose_family(isa, &family, error);
    if (status != POD_OK)
        return status;
    uv_once(&tables_once, fill_tables);
    /* Where the CPU could do better, OpenBLAS would too. */
    if (family != pod_cpu_usual_family())
        pod_kernel_openblas_prefer(tables[family].isa);
    *kernels = &tables[family];
    return POD_OK;
}
