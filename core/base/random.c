#include "base/random.h"

/* Streams and ops never share a key's derivation: a stream's name is hashed once more. */
#define STREAM_DOMAIN UINT64_C(0x6D6F6F6E706F6421)

void pod_random_stream_init(pod_random_stream *stream, uint64_t seed, uint64_t name)
{
    *stream = (pod_random_stream){.left = 0};
    pod_random_key(seed, pod_splitmix64(name ^ STREAM_DOMAIN), stream->key);
}

uint32_t pod_random_next(pod_random_stream *stream)
{
    if (stream->left == 0) {
        const uint32_t counter[4] = {(uint32_t)stream->block, (uint32_t)(stream->block >> 32), 0, 0};
        pod_philox(counter, stream->key, stream->values);
        stream->block++;
        stream->left = 4;
    }
    return stream->values[4 - stream->left--];
}

static uint64_t next_u64(pod_random_stream *stream)
{
    const uint64_t low = pod_random_next(stream);
    return (uint64_t)pod_random_next(stream) << 32 | low;
}

uint64_t pod_random_below(pod_random_stream *stream, uint64_t limit)
{
    if (limit == 0)
        return 0;
    /* Numbers below 2^64 mod limit, which is less than limit, are drawn again, so that each rest is equally
     * likely. */
    uint64_t value;
    do {
        value = next_u64(stream);
    } while (value < limit && value < (0 - limit) % limit);
    return value % limit;
}

double pod_random_unit(pod_random_stream *stream)
{
    return (double)(next_u64(stream) >> 11) * 0x1p-53;
}
