/* chips - the generations as data. Sources: see moonpod/chip.h. */

#include "chip/element.h"

#include <stdio.h>
#include <string.h>

#define KIB(n) ((int64_t)(n) << 10)
#define MIB(n) ((int64_t)(n) << 20)
#define GIB(n) ((int64_t)(n) << 30)

/* Hundredths of a GiB: the compiler prints what a program may use with two digits. */
#define GIB_HUNDREDTHS(n) (GIB(n) / 100)

/* v2, v3: 530.00M of a core's memory are the system's, which prints as 7.48G and 15.48G. Peaks are
 * the published ones: for v6e and v7x they are more than cores x MXUs x size^2 x clock. */
static const pod_chip chips[] = {
    {
        .name = "v2",
        .slice_prefix = "v2",
        .product = "TPU v2",
        .cores = 2,
        .devices = 2,
        .mxus_per_core = 1,
        .mxu_size = 128,
        .lanes = 128,
        .sublanes = 8,
        .clock_mhz = 700,
        .bf16_flops = 46e12,
        .hbm_bytes = GIB(16),
        .hbm_limit_bytes = GIB(8) - MIB(530),
        .hbm_reserved_bytes = MIB(530),
        .hbm_bytes_per_second = 700e9,
        .vmem_bytes = MIB(16),
        .smem_bytes = KIB(16),
        .links = 4,
        .link_bytes_per_second = 62e9,
        .link_usable_per_second = 62e9,
        .torus_rank = 2,
        .pod_sizes = {16, 16, 1},
        .pod_chips = 256,
        .host_chips = 4,
        .host_sizes = {2, 2, 1},
        .pcie_bytes_per_second = 1.5e10,
        .network_bytes_per_second = 2.5e10,
        .name_counts_cores = true,
        .layout_rows = 2,
    },
    {
        .name = "v3",
        .slice_prefix = "v3",
        .product = "TPU v3",
        .cores = 2,
        .devices = 2,
        .mxus_per_core = 2,
        .mxu_size = 128,
        .lanes = 128,
        .sublanes = 8,
        .clock_mhz = 940,
        .bf16_flops = 123e12,
        .hbm_bytes = GIB(32),
        .hbm_limit_bytes = GIB(16) - MIB(530),
        .hbm_reserved_bytes = MIB(530),
        .hbm_bytes_per_second = 900e9,
        .vmem_bytes = MIB(16),
        .smem_bytes = KIB(16),
        .links = 4,
        .link_bytes_per_second = 70e9,
        .link_usable_per_second = 100e9,
        .torus_rank = 2,
        .pod_sizes = {32, 32, 1},
        .pod_chips = 1024,
        .host_chips = 4,
        .host_sizes = {2, 2, 1},
        .pcie_bytes_per_second = 1.5e10,
        .network_bytes_per_second = 2.5e10,
        .name_counts_cores = true,
        .layout_rows = 2,
    },
    {
        .name = "v4",
        .slice_prefix = "v4",
        .product = "TPU v4",
        .cores = 2,
        .devices = 1,
        .mxus_per_core = 4,
        .mxu_size = 128,
        .lanes = 128,
        .sublanes = 8,
        .clock_mhz = 1050,
        .bf16_flops = 275e12,
        .int8_ops = 275e12,
        .hbm_bytes = GIB(32),
        .hbm_limit_bytes = GIB_HUNDREDTHS(3075),
        .hbm_bytes_per_second = 1.2e12,
        .vmem_bytes = MIB(16),
        .smem_bytes = MIB(1),
        .cmem_bytes = MIB(128),
        .sparse_cores = 4,
        .links = 6,
        .link_bytes_per_second = 50e9,
        .link_usable_per_second = 45e9,
        .torus_rank = 3,
        .pod_sizes = {16, 16, 16},
        .pod_chips = 4096,
        .host_chips = 4,
        .host_sizes = {2, 2, 1},
        .pcie_bytes_per_second = 1.6e10,
        .network_bytes_per_second = 2.5e10,
        .name_counts_cores = true,
        .layout_rows = 1,
        .packs_below_bytes = true,
    },
    {
        .name = "v5e",
        .slice_prefix = "v5litepod",
        .product = "TPU v5e",
        .cores = 1,
        .devices = 1,
        .mxus_per_core = 4,
        .mxu_size = 128,
        .lanes = 128,
        .sublanes = 8,
        .clock_mhz = 1500,
        .bf16_flops = 197e12,
        .int8_ops = 394e12,
        .int4_ops = 788e12,
        .hbm_bytes = GIB(16),
        .hbm_limit_bytes = GIB_HUNDREDTHS(1575),
        .hbm_bytes_per_second = 819e9,
        .vmem_bytes = MIB(128),
        .smem_bytes = MIB(1),
        .links = 4,
        .link_bytes_per_second = 50e9,
        .link_usable_per_second = 45e9,
        .torus_rank = 2,
        .pod_sizes = {16, 16, 1},
        .pod_chips = 256,
        .host_chips = 8,
        .host_sizes = {2, 4, 1},
        .pcie_bytes_per_second = 1.5e10,
        .network_bytes_per_second = 2.5e10,
        .layout_rows = 1,
        .packs_below_bytes = true,
    },
    {
        .name = "v5p",
        .slice_prefix = "v5p",
        .product = "TPU v5p",
        .cores = 2,
        .devices = 1,
        .mxus_per_core = 4,
        .mxu_size = 128,
        .lanes = 128,
        .sublanes = 8,
        .clock_mhz = 1750,
        .bf16_flops = 459e12,
        .int8_ops = 918e12,
        .int4_ops = 1840e12,
        .hbm_bytes = GIB(96),
        .hbm_limit_bytes = GIB_HUNDREDTHS(9573),
        .hbm_bytes_per_second = 2.765e12,
        .vmem_bytes = MIB(64),
        .smem_bytes = MIB(1),
        .sparse_cores = 4,
        .links = 6,
        .link_bytes_per_second = 100e9,
        .link_usable_per_second = 90e9,
        .torus_rank = 3,
        .pod_sizes = {16, 20, 28},
        .pod_chips = 6144,
        .host_chips = 4,
        .host_sizes = {2, 2, 1},
        .pcie_bytes_per_second = 1.5e10,
        .network_bytes_per_second = 2.5e10,
        .name_counts_cores = true,
        .layout_rows = 1,
        .packs_below_bytes = true,
    },
    {
        .name = "v6e",
        .slice_prefix = "v6e",
        .product = "TPU v6e (Trillium)",
        .cores = 1,
        .devices = 1,
        .mxus_per_core = 2,
        .mxu_size = 256,
        .lanes = 128,
        .sublanes = 8,
        .bf16_flops = 918e12,
        .int8_ops = 1836e12,
        .int4_ops = 3680e12,
        .hbm_bytes = GIB(32),
        .hbm_limit_bytes = GIB_HUNDREDTHS(3124),
        .hbm_reserved_bytes = MIB(260),
        .hbm_bytes_per_second = 1.638e12,
        .vmem_bytes = MIB(128),
        .smem_bytes = MIB(1),
        .sparse_cores = 2,
        .links = 4,
        .link_bytes_per_second = 100e9,
        .link_usable_per_second = 90e9,
        .torus_rank = 2,
        .pod_sizes = {16, 16, 1},
        .pod_chips = 256,
        .host_chips = 8,
        .host_sizes = {2, 4, 1},
        .pcie_bytes_per_second = 3.2e10,
        .network_bytes_per_second = 2.5e10,
        .layout_rows = 1,
        .packs_below_bytes = true,
    },
    {
        .name = "v7x",
        .slice_prefix = "tpu7x",
        .product = "TPU v7x (Ironwood)",
        .cores = 2,
        .devices = 2,
        .mxus_per_core = 2,
        .mxu_size = 256,
        .lanes = 128,
        .sublanes = 8,
        .bf16_flops = 2307e12,
        .fp8_flops = 4614e12,
        .hbm_bytes = GIB(192),
        .hbm_limit_bytes = GIB_HUNDREDTHS(9474),
        .hbm_bytes_per_second = 7.38e12,
        .vmem_bytes = MIB(64),
        .smem_bytes = MIB(1),
        .sparse_cores = 4,
        .links = 6,
        .link_bytes_per_second = 100e9,
        .link_usable_per_second = 100e9,
        .torus_rank = 3,
        .pod_sizes = {16, 24, 24},
        .pod_chips = 9216,
        .host_chips = 4,
        .host_sizes = {2, 2, 1},
        .network_bytes_per_second = 2.5e10,
        .name_counts_cores = true,
        .layout_rows = 1,
        .packs_below_bytes = true,
    },
};

/* Other names that people and tools write. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"v5lite", "v5e"}, {"v5litepod", "v5e"}, {"v5", "v5p"}, {"v6", "v6e"},       {"trillium", "v6e"},
    {"tpu7x", "v7x"},  {"tpu7", "v7x"},      {"v7", "v7x"}, {"ironwood", "v7x"},
};

size_t pod_chip_count(void)
{
    return sizeof chips / sizeof chips[0];
}

const pod_chip *pod_chip_at(size_t index)
{
    return index < pod_chip_count() ? &chips[index] : NULL;
}

const char *pod_chip_names(const char *word, char text[POD_CHIP_NAMES_SIZE])
{
    const size_t count = pod_chip_count();
    size_t length = 0;
    for (size_t i = 0; i < count && length < POD_CHIP_NAMES_SIZE; i++)
        length += (size_t)snprintf(text + length, POD_CHIP_NAMES_SIZE - length,
                                   i + 1 == count ? " %s %s"
                                   : i            ? ", %s%s"
                                                  : "%s%s",
                                   i + 1 == count ? word : "", chips[i].name);
    return text;
}

static bool same(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

const pod_chip *pod_chip_find(const char *name)
{
    if (!name)
        return NULL;
    const size_t length = strcspn(name, "-:");
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (same(aliases[i].alias, name, length))
            return pod_chip_find(aliases[i].name);
    for (size_t i = 0; i < pod_chip_count(); i++)
        if (same(chips[i].name, name, length))
            return &chips[i];
    return NULL;
}
