#ifndef POD_KERNELS_BLOCK_RANDOM_H
#define POD_KERNELS_BLOCK_RANDOM_H

/*
 * Random bits of a block, the same as base/random.h gives an element at a time. Included by
 * multi/blocks.c, once a family.
 */

#include "base/random.h"

/* Counters that are computed side by side. */
#define COUNTERS 64

/* Draws the numbers of `count` (at most COUNTERS) counters of a row, from counter `first` on. */
static void draw_counters(const uint32_t key[2], uint64_t step, uint64_t row, uint64_t first, int count,
                          uint32_t *result)
{
    uint32_t draws[4][COUNTERS];
    int padded = (count + 15) / 16 * 16; /* whole vectors */
    for (int i = 0; i < padded; i++) {
        uint32_t counter[4];
        pod_random_counter(step, row, first + (uint64_t)i, counter);
        for (int word = 0; word < 4; word++)
            draws[word][i] = counter[word];
    }
    for (uint32_t round = 0; round < 10; round++) {
        uint32_t key_0 = key[0] + round * 0x9E3779B9u, key_1 = key[1] + round * 0xBB67AE85u;
        for (int i = 0; i < padded; i++) {
            uint32_t c[4] = {draws[0][i], draws[1][i], draws[2][i], draws[3][i]};
            pod_philox_round(c, key_0, key_1);
            draws[0][i] = c[0];
            draws[1][i] = c[1];
            draws[2][i] = c[2];
            draws[3][i] = c[3];
        }
    }
    for (int i = 0; i < count; i++) {
        for (int word = 0; word < 4; word++)
            result[4 * i + word] = draws[word][i];
    }
}

/* Draws `count` elements of one row, from element `first` on. */
static void draw_row(const uint32_t key[2], uint64_t step, uint64_t row, uint64_t first, size_t count, uint32_t *result)
{
    uint32_t drawn[4 * COUNTERS];
    while (count > 0) {
        size_t skipped = first % 4, wanted = (skipped + count + 3) / 4;
        int counters = wanted < COUNTERS ? (int)wanted : COUNTERS;
        size_t taken = (size_t)counters * 4 - skipped;
        taken = taken < count ? taken : count;
        draw_counters(key, step, row, first / 4, counters, drawn);
        memcpy(result, drawn + skipped, taken * sizeof *result);
        result += taken;
        first += taken;
        count -= taken;
    }
}

static void random_bits(uint32_t *block, uint64_t seed, uint64_t op_seed, uint64_t step, int64_t first,
                        int64_t row_elements, int64_t first_row, size_t count)
{
    uint32_t key[2];
    if (count == 0 || row_elements <= 0)
        return;
    pod_random_key(seed, op_seed, key);
    uint64_t row = (uint64_t)(first_row + first / row_elements);
    uint64_t element = (uint64_t)(first % row_elements);
    while (count > 0) {
        uint64_t left = (uint64_t)row_elements - element;
        size_t taken = left < count ? (size_t)left : count;
        draw_row(key, step, row, element, taken, block);
        block += taken;
        count -= taken;
        element = 0;
        row++;
    }
}

#endif
