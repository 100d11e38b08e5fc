/*
 * text_bucket - which bucket a text falls in: FarmHash's fingerprint of 64 bits (G. Pike, farmhashna), and with a key
 * SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein), as TensorFlow's to_hash_bucket_fast() and _strong() take them.
 */

#include <string.h>

#include "base/bytes.h"
#include "moonpod/formats.h"

/* ---- FarmHash -------------------------------------------------------------------------------------------- */

static const uint64_t k0 = 0xc3a5c85c97cb3127, k1 = 0xb492b66fbe98f273, k2 = 0x9ae16a3b2f90404f;

typedef struct pair {
    uint64_t first, second;
} pair;

static uint64_t rotate_right(uint64_t value, int by)
{
    return value >> by | value << (64 - by);
}

static uint64_t mix_shifted(uint64_t value)
{
    return value ^ value >> 47;
}

static uint64_t mix_pair(uint64_t u, uint64_t v, uint64_t factor)
{
    const uint64_t a = mix_shifted((u ^ v) * factor);
    return mix_shifted((v ^ a) * factor) * factor;
}

static uint64_t farm_to_16(const unsigned char *s, size_t size)
{
    const uint64_t factor = k2 + size * 2;
    if (size >= 8) {
        const uint64_t a = pod_little_u64(s) + k2, b = pod_little_u64(s + size - 8);
        const uint64_t c = rotate_right(b, 37) * factor + a, d = (rotate_right(a, 25) + b) * factor;
        return mix_pair(c, d, factor);
    }
    if (size >= 4)
        return mix_pair(size + ((uint64_t)pod_little_u32(s) << 3), pod_little_u32(s + size - 4), factor);
    if (size > 0) {
        const uint32_t y = s[0] + ((uint32_t)s[size >> 1] << 8), z = (uint32_t)size + ((uint32_t)s[size - 1] << 2);
        return mix_shifted(y * k2 ^ z * k0) * k2;
    }
    return k2;
}

static uint64_t farm_to_32(const unsigned char *s, size_t size)
{
    const uint64_t factor = k2 + size * 2;
    const uint64_t a = pod_little_u64(s) * k1, b = pod_little_u64(s + 8);
    const uint64_t c = pod_little_u64(s + size - 8) * factor, d = pod_little_u64(s + size - 16) * k2;
    return mix_pair(rotate_right(a + b, 43) + rotate_right(c, 30) + d, a + rotate_right(b + k2, 18) + c, factor);
}

static uint64_t farm_to_64(const unsigned char *s, size_t size)
{
    const uint64_t factor = k2 + size * 2;
    const uint64_t a = pod_little_u64(s) * k2, b = pod_little_u64(s + 8);
    const uint64_t c = pod_little_u64(s + size - 8) * factor, d = pod_little_u64(s + size - 16) * k2;
    const uint64_t y = rotate_right(a + b, 43) + rotate_right(c, 30) + d;
    const uint64_t z = mix_pair(y, a + rotate_right(b + k2, 18) + c, factor);
    const uint64_t e = pod_little_u64(s + 16) * factor, f = pod_little_u64(s + 24);
    const uint64_t g = (y + pod_little_u64(s + size - 32)) * factor;
    const uint64_t h = (z + pod_little_u64(s + size - 24)) * factor;
    return mix_pair(rotate_right(e + f, 43) + rotate_right(g, 30) + h, e + rotate_right(f + a, 18) + g, factor);
}

static pair mix_32_bytes(const unsigned char *s, uint64_t a, uint64_t b)
{
    const uint64_t w = pod_little_u64(s), x = pod_little_u64(s + 8), y = pod_little_u64(s + 16);
    const uint64_t z = pod_little_u64(s + 24), begun = a + w;
    const uint64_t turned = rotate_right(b + begun + z, 21), sum = begun + x + y;
    return (pair){sum + z, turned + rotate_right(sum, 44) + begun};
}

/* Holds what is known of the bytes so far; a step takes 64 of them. `scale` is 1, and 9 for the last step. */
typedef struct farm_state {
    uint64_t x, y, z;
    pair v, w;
} farm_state;

static void take_64_bytes(farm_state *at, const unsigned char *s, uint64_t factor, uint64_t scale)
{
    const uint64_t x = rotate_right(at->x + at->y + at->v.first + pod_little_u64(s + 8), 37) * factor;
    const uint64_t y = rotate_right(at->y + at->v.second + pod_little_u64(s + 48), 42) * factor;
    const uint64_t z = rotate_right(at->z + at->w.first, 33) * factor;
    at->z = x ^ at->w.second * scale;
    at->y = y + at->v.first * scale + pod_little_u64(s + 40);
    at->v = mix_32_bytes(s, at->v.second * factor, at->z + at->w.first);
    at->w = mix_32_bytes(s + 32, z + at->w.second, at->y + pod_little_u64(s + 16));
    at->x = z;
}

static uint64_t farm_longer(const unsigned char *s, size_t size)
{
    const uint64_t seed = 81;
    const size_t steps = (size - 1) / 64, rest = (size - 1) % 64;
    farm_state at = {.x = seed * k2 + pod_little_u64(s), .y = seed * k1 + 113};
    at.z = mix_shifted(at.y * k2 + 113) * k2;
    for (size_t i = 0; i < steps; i++)
        take_64_bytes(&at, s + i * 64, k1, 1);
    const uint64_t factor = k1 + ((at.z & 0xff) << 1);
    at.w.first += rest;
    at.v.first += at.w.first;
    at.w.first += at.v.first;
    take_64_bytes(&at, s + size - 64, factor, 9);
    return mix_pair(mix_pair(at.v.first, at.w.first, factor) + mix_shifted(at.y) * k0 + at.z,
                    mix_pair(at.v.second, at.w.second, factor) + at.x, factor);
}

static uint64_t farm_fingerprint(const unsigned char *s, size_t size)
{
    return size <= 16   ? farm_to_16(s, size)
           : size <= 32 ? farm_to_32(s, size)
           : size <= 64 ? farm_to_64(s, size)
                        : farm_longer(s, size);
}

/* ---- SipHash --------------------------------------------------------------------------------------------- */

static uint64_t rotate_left(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

static void sip_rounds(uint64_t v[4], int count)
{
    while (count-- > 0) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate_left(v[1], 13) ^ v[0];
        v[3] = rotate_left(v[3], 16) ^ v[2];
        v[0] = rotate_left(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = rotate_left(v[3], 21) ^ v[0];
        v[1] = rotate_left(v[1], 17) ^ v[2];
        v[2] = rotate_left(v[2], 32);
    }
}

static void sip_take(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_rounds(v, 2);
    v[0] ^= word;
}

static uint64_t sip_hash(const unsigned char *s, size_t size, const uint64_t key[2])
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
                     key[1] ^ 0x7465646279746573};
    unsigned char last[8] = {0};
    const size_t whole = size / 8 * 8;
    for (size_t i = 0; i < whole; i += 8)
        sip_take(v, pod_little_u64(s + i));
    if (size > whole)
        memcpy(last, s + whole, size - whole);
    last[7] = (unsigned char)size;
    sip_take(v, pod_little_u64(last));
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t pod_text_bucket(const void *text, size_t size, const uint64_t *key, uint64_t count)
{
    const uint64_t hash = key != NULL ? sip_hash(text, size, key) : farm_fingerprint(text, size);
    return count > 0 ? hash % count : hash;
}
