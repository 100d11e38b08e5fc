#ifndef POD_TPU_TARGET_H
#define POD_TPU_TARGET_H

/*
 * target - the compiler that a graph is lowered as: of a year, for a chip. All that differs from one to another stands
 * in target.c: which rules it has (rules.def) and its numbers. Nothing else in core/tpu knows a chip or a year. */

#include "moonpod/chip.h"

typedef enum pod_tpu_rule {
#define RULE(name, section, where, text) POD_TPU_##name,
#include "tpu/rules.def"
#undef RULE
    POD_TPU_RULES
} pod_tpu_rule;

/* The memory that a chip keeps near its cores for values. */
typedef struct pod_tpu_near {
    int64_t bytes;    /* 0: none is used so */
    double mxu_share; /* of the published peak that products are thought to reach */
    double hbm_share; /* of the published rate that reads and writes are */
} pod_tpu_near;

/* The units that multiply. */
typedef struct pod_tpu_mxus {
    double size;  /* each has size x size multipliers */
    double count; /* of a device */
} pod_tpu_mxus;

typedef struct pod_tpu_target {
    const pod_chip *chip;
    const char *generation; /* whose rules these are: the chip's, or what it is based on */
    int64_t table_block;    /* bytes: the table of a program's results is in whole ones */
    pod_tpu_near nearby;
    pod_tpu_mxus mxus;
    bool rules[POD_TPU_RULES];
} pod_tpu_target;

/* Fills a target; false for a chip of which no rules are known. */
bool pod_tpu_find_target(const pod_chip *chip, pod_tpu_target *target);

#endif
