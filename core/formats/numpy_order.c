/* numpy_order - the orders that NumPy's RandomState(seed).shuffle() gives: MT19937, and its bounded numbers. */

#include "moonpod/formats.h"

enum { WORDS = 624, MIDDLE = 397 };

typedef struct twister {
    uint32_t words[WORDS];
    int at;
} twister;

static void begin(twister *state, uint32_t seed)
{
    for (int i = 0; i < WORDS; i++) {
        state->words[i] = seed;
        seed = 1812433253u * (seed ^ seed >> 30) + (uint32_t)i + 1;
    }
    state->at = WORDS;
}

static void refill(twister *state)
{
    uint32_t *words = state->words;
    for (int i = 0; i < WORDS; i++) {
        const uint32_t joined = (words[i] & 0x80000000u) | (words[(i + 1) % WORDS] & 0x7fffffffu);
        words[i] = words[(i + MIDDLE) % WORDS] ^ joined >> 1 ^ ((joined & 1) != 0 ? 0x9908b0dfu : 0);
    }
    state->at = 0;
}

static uint32_t draw(twister *state)
{
    if (state->at == WORDS)
        refill(state);
    uint32_t word = state->words[state->at++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/* Draws a number from 0 to `most`: those that are too large are drawn again. */
static uint32_t draw_up_to(twister *state, uint32_t most)
{
    uint32_t mask = most, number;
    for (int bits = 1; bits < 32; bits *= 2)
        mask |= mask >> bits;
    do
        number = draw(state) & mask;
    while (number > most);
    return number;
}

void pod_numpy_orders(uint32_t seed, const int64_t *counts, size_t orders, int64_t *order)
{
    twister state;
    begin(&state, seed);
    for (size_t at = 0; at < orders; order += counts[at++]) {
        for (int64_t i = 0; i < counts[at]; i++)
            order[i] = i;
        for (int64_t i = counts[at] - 1; i > 0; i--) {
            const int64_t j = draw_up_to(&state, (uint32_t)i), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
    }
}
