#ifndef POD_BASE_BYTES_H
#define POD_BASE_BYTES_H

/* bytes - numbers in a named order of bytes, at any address: pod_little_* the low byte first, pod_big_* the high one.
 */

#include <stdint.h>

static inline uint16_t pod_little_u16(const unsigned char *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t pod_little_u32(const unsigned char *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint64_t pod_little_u64(const unsigned char *from)
{
    return pod_little_u32(from) | (uint64_t)pod_little_u32(from + 4) << 32;
}

static inline uint16_t pod_big_u16(const unsigned char *from)
{
    return (uint16_t)(from[0] << 8 | from[1]);
}

static inline uint32_t pod_big_u32(const unsigned char *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

/* Writers keep the low bits of a value and return where the next one goes. */
static inline unsigned char *pod_put_little_u16(unsigned char *to, uint64_t value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
    return to + 2;
}

static inline unsigned char *pod_put_little_u32(unsigned char *to, uint64_t value)
{
    return pod_put_little_u16(pod_put_little_u16(to, value), value >> 16);
}

static inline unsigned char *pod_put_little_u64(unsigned char *to, uint64_t value)
{
    return pod_put_little_u32(pod_put_little_u32(to, value), value >> 32);
}

static inline unsigned char *pod_put_big_u32(unsigned char *to, uint64_t value)
{
    to[0] = (unsigned char)(value >> 24);
    to[1] = (unsigned char)(value >> 16);
    to[2] = (unsigned char)(value >> 8);
    to[3] = (unsigned char)value;
    return to + 4;
}

static inline unsigned char *pod_put_big_u64(unsigned char *to, uint64_t value)
{
    return pod_put_big_u32(pod_put_big_u32(to, value >> 32), value);
}

#endif
