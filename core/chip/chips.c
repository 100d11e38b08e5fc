/* chips - the generations as data. Sources: see moonpod/chip.h. */

#include "chip/element.h"

#include <stdio.h>
#include <string.h>

#define KIB(n) ((int64_t)(n) << 10)
#define MIB(n) ((int64_t)(n) << 20)
#define GIB(n) ((int64_t)(n) << 30)

/* Hundredths of a GiB: the compiler prints what a program may use with two digits. */
#define GIB_HUNDREDTHS(n) (GIB(n) / 100)

/* A field of all generations, oldest first. */
#define FIELD(field, v2, v3, v4, v5e, v5p, v6e, v7x)                                                                   \
    [0].field = v2, [1].field = v3, [2].field = v4, [3].field = v5e, [4].field = v5p, [5].field = v6e, [6].field = v7x

/* v2, v3: 530.00M of a core's memory are the system's, which prints as 7.48G and 15.48G. Peaks are
 * the published ones: for v6e and v7x they are more than cores x MXUs x size^2 x clock. */
static const pod_chip chips[] = {
    FIELD(name, "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"),
    FIELD(slice_prefix, "v2", "v3", "v4", "v5litepod", "v5p", "v6e", "tpu7x"),
    FIELD(product, "TPU v2", "TPU v3", "TPU v4", "TPU v5e", "TPU v5p", "TPU v6e (Trillium)", "TPU v7x (Ironwood)"),
    FIELD(cores, 2, 2, 2, 1, 2, 1, 2),
    FIELD(devices, 2, 2, 1, 1, 1, 1, 2),
    FIELD(mxus_per_core, 1, 2, 4, 4, 4, 2, 2),
    FIELD(mxu_size, 128, 128, 128, 128, 128, 256, 256),
    FIELD(lanes, 128, 128, 128, 128, 128, 128, 128),
    FIELD(sublanes, 8, 8, 8, 8, 8, 8, 8),
    FIELD(clock_mhz, 700, 940, 1050, 1500, 1750, 0, 0),
    FIELD(bf16_flops, 46e12, 123e12, 275e12, 197e12, 459e12, 918e12, 2307e12),
    FIELD(int8_ops, 0, 0, 275e12, 394e12, 918e12, 1836e12, 0),
    FIELD(int4_ops, 0, 0, 0, 788e12, 1840e12, 3680e12, 0),
    FIELD(fp8_flops, 0, 0, 0, 0, 0, 0, 4614e12),
    FIELD(hbm_bytes, GIB(16), GIB(32), GIB(32), GIB(16), GIB(96), GIB(32), GIB(192)),
    FIELD(hbm_limit_bytes, GIB(8) - MIB(530), GIB(16) - MIB(530), GIB_HUNDREDTHS(3075), GIB_HUNDREDTHS(1575),
          GIB_HUNDREDTHS(9573), GIB_HUNDREDTHS(3124), GIB_HUNDREDTHS(9474)),
    FIELD(hbm_reserved_bytes, MIB(530), MIB(530), 0, 0, 0, MIB(260), 0),
    FIELD(hbm_bytes_per_second, 700e9, 900e9, 1.2e12, 819e9, 2.765e12, 1.638e12, 7.38e12),
    FIELD(vmem_bytes, MIB(16), MIB(16), MIB(16), MIB(128), MIB(64), MIB(128), MIB(64)),
    FIELD(smem_bytes, KIB(16), KIB(16), MIB(1), MIB(1), MIB(1), MIB(1), MIB(1)),
    FIELD(cmem_bytes, 0, 0, MIB(128), 0, 0, 0, 0),
    FIELD(sparse_cores, 0, 0, 4, 0, 4, 2, 4),
    FIELD(links, 4, 4, 6, 4, 6, 4, 6),
    FIELD(link_bytes_per_second, 62e9, 70e9, 50e9, 50e9, 100e9, 100e9, 100e9),
    FIELD(link_usable_per_second, 62e9, 100e9, 45e9, 45e9, 90e9, 90e9, 100e9),
    FIELD(torus_rank, 2, 2, 3, 2, 3, 2, 3),
    FIELD(pod_sizes[0], 16, 32, 16, 16, 16, 16, 16),
    FIELD(pod_sizes[1], 16, 32, 16, 16, 20, 16, 24),
    FIELD(pod_sizes[2], 1, 1, 16, 1, 28, 1, 24),
    FIELD(pod_chips, 256, 1024, 4096, 256, 6144, 256, 9216),
    FIELD(host_chips, 4, 4, 4, 8, 4, 8, 4),
    FIELD(host_sizes[0], 2, 2, 2, 2, 2, 2, 2),
    FIELD(host_sizes[1], 2, 2, 2, 4, 2, 4, 2),
    FIELD(host_sizes[2], 1, 1, 1, 1, 1, 1, 1),
    FIELD(pcie_bytes_per_second, 1.5e10, 1.5e10, 1.6e10, 1.5e10, 1.5e10, 3.2e10, 0),
    FIELD(network_bytes_per_second, 2.5e10, 2.5e10, 2.5e10, 2.5e10, 2.5e10, 2.5e10, 2.5e10),
    FIELD(name_counts_cores, true, true, true, false, true, false, true),
    FIELD(layout_rows, 2, 2, 1, 1, 1, 1, 1),
    FIELD(packs_below_bytes, false, false, true, true, true, true, true),
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
