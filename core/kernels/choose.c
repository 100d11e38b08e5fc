#include "kernels/kernels.h"

#include <string.h>
#include <uv.h>

#include "base/cpu.h"
#include "kernels/attention.h"
#include "kernels/blocks.h"
#include "kernels/dot.h"
#include "kernels/openblas.h"

/* One table a family, filled once. */
static pod_kernels tables[POD_CPU_FAMILY_COUNT];
static uv_once_t tables_once = UV_ONCE_INIT;

static void take_blocks(pod_kernels *table, const pod_block_kernels *blocks)
{
    memcpy(table->element, blocks->element, sizeof table->element);
    memcpy(table->convert, blocks->convert, sizeof table->convert);
    memcpy(table->fold, blocks->fold, sizeof table->fold);
    memcpy(table->by_row, blocks->by_row, sizeof table->by_row);
    table->fold_products = blocks->fold_products;
    memcpy(table->load, blocks->load, sizeof table->load);
    memcpy(table->store, blocks->store, sizeof table->store);
    table->random_bits = blocks->random_bits;
    table->sparse_softmax_cross_entropy = blocks->sparse_softmax_cross_entropy;
    table->adam = blocks->adam;
}

/* Each family starts from the one before it. */
static void fill_tables(void)
{
    pod_kernels table = {0};
    take_blocks(&table, &pod_blocks_portable);
    table.pools = pod_pools_portable;
    table.attention = &pod_attention_rows_portable;
    table.look_up_16 = pod_kernel_look_up_16_portable;
    table.windows = pod_windows_portable;
    table.depthwise = pod_depthwise_portable;
    table.direct = &pod_direct_portable;
    table.finish = pod_finish_portable;
    table.lines = pod_lines_portable;
    table.dot_f32 = pod_dot_f32_portable;
    table.dot_f32_few = pod_few_portable;
    table.dot_bf16 = pod_dot_bf16_portable;
    tables[POD_CPU_PORTABLE] = table;
#if defined(__x86_64__) && !defined(POD_PORTABLE_KERNELS)
    take_blocks(&table, &pod_blocks_avx2);
    table.pools = pod_pools_avx2;
    table.attention = &pod_attention_rows_avx2;
    table.windows = pod_windows_avx2;
    table.depthwise = pod_depthwise_avx2;
    table.direct = &pod_direct_avx2;
    table.finish = pod_finish_avx2;
    table.lines = pod_lines_avx2;
    table.dot_f32 = pod_dot_f32_avx2;
    table.dot_f32_few = pod_few_avx2;
    table.dot_bf16 = pod_dot_bf16_avx2;
    tables[POD_CPU_AVX2] = table;
    take_blocks(&table, &pod_blocks_avx512);
    table.pools = pod_pools_avx512;
    table.attention = &pod_attention_rows_avx512;
    table.look_up_16 = pod_kernel_look_up_16_avx512;
    table.windows = pod_windows_avx512;
    table.depthwise = pod_depthwise_avx512;
    table.direct = &pod_direct_avx512;
    table.finish = pod_finish_avx512;
    table.chain = pod_kernel_chains_avx512;
    table.lines = pod_lines_avx512;
    table.dot_f32 = pod_dot_f32_avx512;
    table.dot_f32_few = pod_few_avx512;
    table.dot_bf16 = pod_dot_bf16_avx512;
    tables[POD_CPU_AVX512] = table;
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
