/* sha256 - FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2. */

#include "base/sha256.h"
#include "base/bytes.h"

#include <string.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t value, int bits)
{
    return value >> bits | value << (32 - bits);
}

static void schedule(const unsigned char *block, uint32_t words[64])
{
    for (int i = 0; i < 16; i++)
        words[i] = pod_big_u32(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t low = words[i - 15], high = words[i - 2];
        low = rotate(low, 7) ^ rotate(low, 18) ^ low >> 3;
        high = rotate(high, 17) ^ rotate(high, 19) ^ high >> 10;
        words[i] = words[i - 16] + low + words[i - 7] + high;
    }
}

/* One round; the names of the eight words turn from round to round instead of the words. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                               \
    do {                                                                                                               \
        uint32_t first =                                                                                               \
            h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i];       \
        uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));              \
        d += first;                                                                                                    \
        h = first + second;                                                                                            \
    } while (0)

static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t words[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    schedule(block, words);
    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    const uint32_t more[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += more[i];
}

void pod_sha256_begin(pod_sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->size = 0;
}

void pod_sha256_add(pod_sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t filled = hash->size % 64;
    if (size == 0) /* then `bytes` may be NULL, which memcpy() does not take */
        return;
    hash->size += size;
    if (filled + size < 64) {
        memcpy(hash->block + filled, from, size);
        return;
    }
    if (filled > 0) {
        memcpy(hash->block + filled, from, 64 - filled);
        take_block(hash->state, hash->block);
        from += 64 - filled;
        size -= 64 - filled;
    }
    for (; size >= 64; from += 64, size -= 64)
        take_block(hash->state, from);
    memcpy(hash->block, from, size);
}

void pod_sha256_end(pod_sha256 *hash, unsigned char digest[POD_SHA256_SIZE])
{
    static const unsigned char padding[64] = {0x80};
    unsigned char length[8];
    pod_put_big_u64(length, hash->size * 8);
    pod_sha256_add(hash, padding, 1 + (119 - hash->size % 64) % 64);
    pod_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < 8; i++)
        pod_put_big_u32(digest + 4 * i, hash->state[i]);
}
