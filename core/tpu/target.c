/* target - see target.h. */

#include "tpu/target.h"

#include <string.h>

/* The generations of chips that a rule may be of. */
enum { V2 = 1 << 0, V3 = 1 << 1, V4 = 1 << 2, V5E = 1 << 3, V5P = 1 << 4, V6E = 1 << 5, V7X = 1 << 6 };

typedef struct generation {
    const char *chip;
    uint32_t bit;
    int64_t table_block;
    pod_tpu_near nearby;
} generation;

/* Near the cores is VMEM without what kernels keep for themselves (16 MiB, later 32), or CMEM; that of v7x is a guess
 * from 24 programs, and v5p showed none. */
static const generation generations[] = {
    {"v2", V2, 1024, {0}},
    {"v3", V3, 1024, {0}},
    {"v4", V4, 512, {(int64_t)128 << 20, 0.99, 0.79}},
    {"v5e", V5E, 512, {(int64_t)112 << 20, 0.99, 0.89}},
    {"v5p", V5P, 32, {0}},
    {"v6e", V6E, 32, {(int64_t)191 << 19, 0.5, 1}},
    {"v7x", V7X, 32, {(int64_t)28 << 20, 0.5, 1}},
};

/* Which generations have a rule. */
#define ALWAYS   (V2 | V3 | V4 | V5E | V5P | V6E | V7X)
#define UNTIL_V5 (V2 | V3 | V4 | V5E | V5P)
#define FROM_V4  (V4 | V5E | V5P | V6E | V7X)
#define FROM_V5  (V5E | V5P | V6E | V7X)
#define V4_TO_V5 (V4 | V5E | V5P)
#define ONLY_V6E V6E
#define UNTIL_V6 (V2 | V3 | V4 | V5E | V5P | V6E)
#define FROM_V6E (V6E | V7X)
#define LARGE    (V4 | V5P | V7X)
#define ONLY_V7X V7X
#define NEAR     (V4 | V5E | V6E | V7X)

static const uint32_t scopes[] = {
#define RULE(name, section, where, text) where,
#include "tpu/rules.def"
#undef RULE
};

/* Returns what is near the cores of a chip of its user's, who may have given it another VMEM or CMEM than the chip that
 * it is based on has: what kernels keep for themselves stays the same. */
static pod_tpu_near near_of(const pod_chip *chip, const generation *g)
{
    pod_tpu_near nearby = g->nearby;
    const pod_chip *base = chip->based_on ? pod_chip_find(chip->based_on) : NULL;
    if (!base || nearby.bytes == 0)
        return nearby;
    nearby.bytes += base->cmem_bytes > 0 ? chip->cmem_bytes - base->cmem_bytes : chip->vmem_bytes - base->vmem_bytes;
    if (nearby.bytes < 0)
        nearby.bytes = 0;
    return nearby;
}

bool pod_tpu_find_target(const pod_chip *chip, pod_tpu_target *target)
{
    const generation *g = NULL;
    const char *name = chip->based_on ? chip->based_on : chip->name;
    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++)
        if (strcmp(generations[i].chip, name) == 0)
            g = &generations[i];
    if (!g)
        return false;
    *target = (pod_tpu_target){
        .chip = chip,
        .generation = g->chip,
        .table_block = g->table_block,
        .nearby = near_of(chip, g),
        .mxus = {.size = chip->mxu_size, .count = (double)chip->mxus_per_core * chip->cores / chip->devices}};
    for (int i = 0; i < POD_TPU_RULES; i++)
        target->rules[i] = (scopes[i] & g->bit) != 0;
    return true;
}
