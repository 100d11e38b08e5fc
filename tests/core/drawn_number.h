#ifndef DRAWN_NUMBER_H
#define DRAWN_NUMBER_H

/* drawn_number - the number that a random_bits op draws for one element. */

#include "base/random.h"

static inline uint32_t drawn_number(uint64_t seed, uint64_t op_seed, uint64_t step, uint64_t row, uint64_t element)
{
    uint32_t four[4];
    pod_random_block(seed, op_seed, step, row, element / 4, four);
    return four[element % 4];
}

#endif
