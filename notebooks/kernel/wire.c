#include "wire.h"

#include <string.h>

#include "base/sha256.h"

const wire_frame wire_delimiter = {"<IDS|MSG>", 9};

enum { BLOCK = 64 };

void wire_hmac(wire_frame key, const wire_frame *frames, size_t count, unsigned char digest[32])
{
    unsigned char padded[BLOCK] = {0}, inner[POD_SHA256_SIZE];
    pod_sha256 hash;
    if (key.size > BLOCK) {
        pod_sha256_begin(&hash);
        pod_sha256_add(&hash, key.bytes, key.size);
        pod_sha256_end(&hash, padded);
    } else if (key.size > 0) {
        memcpy(padded, key.bytes, key.size);
    }
    for (int i = 0; i < BLOCK; i++)
        padded[i] ^= 0x36;
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, padded, BLOCK);
    for (size_t i = 0; i < count; i++)
        pod_sha256_add(&hash, frames[i].bytes, frames[i].size);
    pod_sha256_end(&hash, inner);
    for (int i = 0; i < BLOCK; i++)
        padded[i] ^= 0x36 ^ 0x5c;
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, padded, BLOCK);
    pod_sha256_add(&hash, inner, sizeof inner);
    pod_sha256_end(&hash, digest);
}

size_t wire_sign(wire_frame key, const wire_frame part[WIRE_PARTS], char signature[WIRE_SIGNATURE])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[POD_SHA256_SIZE];
    if (key.size == 0)
        return 0;
    wire_hmac(key, part, WIRE_PARTS, digest);
    for (int i = 0; i < POD_SHA256_SIZE; i++) {
        signature[2 * i] = digits[digest[i] >> 4];
        signature[2 * i + 1] = digits[digest[i] & 15];
    }
    return WIRE_SIGNATURE;
}

/* Takes the same time wherever they differ. */
static bool is_equal(const char *a, const char *b, size_t size)
{
    unsigned char difference = 0;
    for (size_t i = 0; i < size; i++)
        difference |= (unsigned char)(a[i] ^ b[i]);
    return difference == 0;
}

bool wire_remember(wire_seen *seen, const char signature[WIRE_SIGNATURE])
{
    uint64_t mark = 0;
    for (int i = 0; i < 16; i++)
        mark = mark << 4 | (uint64_t)(signature[i] <= '9' ? signature[i] - '0' : signature[i] - 'a' + 10);
    const size_t place = mark % WIRE_SEEN_PLACES;
    for (int i = 0; i < WIRE_SEEN_EACH; i++)
        if (seen->mark[place][i] == mark)
            return false;
    seen->mark[place][seen->next[place]] = mark;
    seen->next[place] = (unsigned char)((seen->next[place] + 1) % WIRE_SEEN_EACH);
    return true;
}

const char *wire_read(const wire_frame *frames, size_t count, wire_frame key, wire_message *message)
{
    char signature[WIRE_SIGNATURE];
    size_t at = 0;
    while (at < count && (frames[at].size != wire_delimiter.size ||
                          memcmp(frames[at].bytes, wire_delimiter.bytes, wire_delimiter.size) != 0))
        at++;
    if (at == count)
        return "no <IDS|MSG> stands in it";
    if (count - at < 2 + WIRE_PARTS)
        return "it is cut: there are no four parts behind the signature";
    const wire_frame given = frames[at + 1];
    message->identities = at;
    memcpy(message->part, frames + at + 2, sizeof message->part);
    const size_t size = wire_sign(key, message->part, signature);
    if (size > 0 && (given.size != size || !is_equal(given.bytes, signature, size)))
        return "its signature is wrong";
    return NULL;
}
