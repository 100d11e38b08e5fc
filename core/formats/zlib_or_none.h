#ifndef POD_FORMATS_ZLIB_OR_NONE_H
#define POD_FORMATS_ZLIB_OR_NONE_H

/*
 * zlib_or_none - zlib; and, with POD_WITHOUT_ZLIB, functions of the same names that know none: what is compressed is
 * refused where it is begun. Checksums are computed in either case.
 */

#include "base/context.h"

#ifndef POD_WITHOUT_ZLIB
#include <zlib.h>
#else

#include <stddef.h>
#include <stdint.h>

enum { Z_OK, Z_STREAM_END, Z_STREAM_ERROR = -2, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5, Z_VERSION_ERROR = -6 };
enum { Z_NO_FLUSH, Z_FINISH = 4, Z_DEFAULT_STRATEGY = 0, Z_DEFLATED = 8, Z_DEFAULT_COMPRESSION = -1, MAX_WBITS = 15 };

/* What a stream has besides is zlib's. */
typedef struct z_stream {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *(*zalloc)(void *opaque, unsigned count, unsigned size);
    void (*zfree)(void *opaque, void *memory);
    void *opaque;
} z_stream;

#define inflateInit2(stream, bits)                                  Z_VERSION_ERROR
#define inflateReset(stream)                                        Z_VERSION_ERROR
#define inflate(stream, flush)                                      Z_VERSION_ERROR
#define inflateEnd(stream)                                          Z_VERSION_ERROR
#define deflateInit(stream, level)                                  Z_VERSION_ERROR
#define deflateInit2(stream, level, method, bits, memory, strategy) Z_VERSION_ERROR
#define deflate(stream, flush)                                      Z_VERSION_ERROR
#define deflateEnd(stream)                                          Z_VERSION_ERROR
#define deflateBound(stream, size)                                  (size)
#define crc32_z(before, bytes, size)                                pod_format_crc32(before, bytes, size)

/* The checksum of zip and PNG (reflected polynomial 0xEDB88320), four bits at a time. */
static inline unsigned long pod_format_crc32(unsigned long before, const unsigned char *bytes, size_t size)
{
    static const uint32_t of_four_bits[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                              0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                              0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = ~(uint32_t)before;
    for (size_t i = 0; i < size; i++) {
        crc = (crc >> 4) ^ of_four_bits[(crc ^ bytes[i]) & 15];
        crc = (crc >> 4) ^ of_four_bits[(crc ^ bytes[i] >> 4) & 15];
    }
    return (uint32_t)~crc;
}

#endif

static inline void *pod_format_zlib_allocate(void *context, unsigned count, unsigned size)
{
    return pod_allocate_zeroed(context, count, size);
}

static inline void pod_format_zlib_free(void *context, void *memory)
{
    pod_free(context, memory);
}

/* A stream, not begun, with the memory of a context. */
static inline z_stream pod_format_zlib_stream(pod_context *context)
{
    return (z_stream){.zalloc = pod_format_zlib_allocate, .zfree = pod_format_zlib_free, .opaque = context};
}

/* Says why a stream did not begin: there is no zlib, or no memory. */
static inline pod_status pod_format_zlib_refused(int result, const char *what, size_t bytes, pod_error *error)
{
    if (result == Z_VERSION_ERROR)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "%s: this build of Moonpod has no zlib; build it with zlib for compressed files", what);
    return pod_error_memory(error, what, bytes);
}

#endif
