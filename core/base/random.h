#ifndef POD_BASE_RANDOM_H
#define POD_BASE_RANDOM_H

/*
 * random - numbers that are a function of where they are used: Philox4x32-10 (Salmon, Moraes, Dror,
 * Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * A random_bits op draws for each element of a tensor [rows, row_elements...] the number
 *
 *     philox(counter, key)[element % 4]    with   block = element / 4
 *
 *     key     = low and high word of splitmix64(seed + GOLDEN * splitmix64(op_seed))
 *     counter = { low word of block,
 *                 low word of row,
 *                 low word of step,
 *                 high words, mixed: hi(block) * 0x9E3779B9 ^ hi(row) * 0x85EBCA6B ^ hi(step) }
 *
 * seed: the user's; op_seed: the op's place in the program; row: the *global* row (axis 0 of the
 * whole batch over all replicas; 0 for rank 0); element: the index within its row, in row-major
 * order. So a value depends neither on how many replicas or threads there are nor on the order of
 * drawing. The fourth word is 0 for all tensors below 2^34 elements a row, 2^32 rows and 2^32
 * steps, for which distinct places have distinct counters.
 */

#include <stdint.h>

/* 2^64 divided by the golden ratio: the increment of splitmix64. */
#define POD_RANDOM_GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* One of the ten rounds of Philox4x32, on a counter. */
static inline void pod_philox_round(uint32_t c[4], uint32_t key_0, uint32_t key_1)
{
    const uint64_t p0 = (uint64_t)0xD2511F53u * c[0], p1 = (uint64_t)0xCD9E8D57u * c[2];
    const uint32_t n0 = (uint32_t)(p1 >> 32) ^ c[1] ^ key_0, n2 = (uint32_t)(p0 >> 32) ^ c[3] ^ key_1;
    c[1] = (uint32_t)p1;
    c[3] = (uint32_t)p0;
    c[0] = n0;
    c[2] = n2;
}

/* All ten over a counter. result may be counter. */
static inline void pod_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t result[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    for (uint32_t round = 0; round < 10; round++)
        pod_philox_round(c, key[0] + round * 0x9E3779B9u, key[1] + round * 0xBB67AE85u);
    for (int i = 0; i < 4; i++)
        result[i] = c[i];
}

/* The output function of splitmix64 (Steele, Lea, Flood 2014) at state x + GOLDEN: a bijection that
 * mixes all bits. */
static inline uint64_t pod_splitmix64(uint64_t x)
{
    x += POD_RANDOM_GOLDEN;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Makes the key of an op. */
static inline void pod_random_key(uint64_t seed, uint64_t op_seed, uint32_t key[2])
{
    const uint64_t mixed = pod_splitmix64(seed + POD_RANDOM_GOLDEN * pod_splitmix64(op_seed));
    key[0] = (uint32_t)mixed;
    key[1] = (uint32_t)(mixed >> 32);
}

/* Makes the counter of four consecutive elements, 4 * block to 4 * block + 3, of a row. */
static inline void pod_random_counter(uint64_t step, uint64_t row, uint64_t block, uint32_t counter[4])
{
    counter[0] = (uint32_t)block;
    counter[1] = (uint32_t)row;
    counter[2] = (uint32_t)step;
    counter[3] = (uint32_t)(block >> 32) * 0x9E3779B9u ^ (uint32_t)(row >> 32) * 0x85EBCA6Bu ^ (uint32_t)(step >> 32);
}

/* Draws the four numbers of elements 4 * block to 4 * block + 3 of a row. */
static inline void pod_random_block(uint64_t seed, uint64_t op_seed, uint64_t step, uint64_t row, uint64_t block,
                                    uint32_t result[4])
{
    uint32_t key[2], counter[4];
    pod_random_key(seed, op_seed, key);
    pod_random_counter(step, row, block, counter);
    pod_philox(counter, key, result);
}

/* A stream for work that is done in one order on one thread, such as shuffling rows. */
typedef struct pod_random_stream {
    uint32_t key[2];
    uint64_t block;     /* the next counter */
    uint32_t values[4]; /* of the current one */
    int left;           /* of them, not yet given */
} pod_random_stream;

/* Makes a stream; different `name`s give independent streams of one seed. */
void pod_random_stream_init(pod_random_stream *stream, uint64_t seed, uint64_t name);

/* Returns the next 32 bits. */
uint32_t pod_random_next(pod_random_stream *stream);

/* Returns an integer from 0 to limit - 1, each equally likely; 0 for limit 0. */
uint64_t pod_random_below(pod_random_stream *stream, uint64_t limit);

/* Returns a number in [0, 1) with 53 random bits. */
double pod_random_unit(pod_random_stream *stream);

#endif
