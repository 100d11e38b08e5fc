/* fuzz_main COUNT [SEED] - feeds COUNT mutations of a target's seeds to it. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096

static uint64_t state;

static uint64_t next_random(uint64_t below)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static size_t mutate(uint8_t *data, size_t size)
{
    const size_t at = size > 0 ? next_random(size) : 0;
    const size_t part = size > at ? 1 + next_random(size - at) : 0;
    switch (next_random(7)) {
    case 0: /* another byte */
        if (size > 0)
            data[at] = (uint8_t)next_random(256);
        return size;
    case 1: /* a bit */
        if (size > 0)
            data[at] ^= (uint8_t)(1 << next_random(8));
        return size;
    case 2: /* a part less */
        memmove(data + at, data + at + part, size - at - part);
        return size - part;
    case 3: /* a part twice */
        if (size + part > LONGEST)
            return size;
        memmove(data + at + part, data + at, size - at);
        return size + part;
    case 4: /* a byte more, of those that are there */
        if (size == 0 || size == LONGEST)
            return size;
        memmove(data + at + 1, data + at, size - at);
        data[at] = data[next_random(size)];
        return size + 1;
    case 5: /* a digit more */
        if (size == LONGEST)
            return size;
        memmove(data + at + 1, data + at, size - at);
        data[at] = (uint8_t)('0' + next_random(10));
        return size + 1;
    default: /* cut off */
        return at;
    }
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    size_t seeds = 0;
    while (fuzz_seeds[seeds])
        seeds++;
    uint8_t work[LONGEST];
    for (uint64_t n = 0; n < count; n++) {
        state = (first + n) * 0x2545f4914f6cdd1du; /* an input depends on its number alone */
        const char *text = fuzz_seeds[next_random(seeds)];
        size_t size = strlen(text);
        memcpy(work, text, size);
        for (uint64_t i = next_random(8); i > 0; i--)
            size = mutate(work, size);
        /* a block of its own: what reads past its end is caught */
        uint8_t *data = malloc(size > 0 ? size : 1);
        memcpy(data, work, size);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    printf("%s: %llu inputs\n", argv[0], (unsigned long long)count);
    return 0;
}
