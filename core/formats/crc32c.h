#ifndef POD_FORMATS_CRC32C_H
#define POD_FORMATS_CRC32C_H

/*
 * crc32c - the Castagnoli checksum of record and event files.
 *
 * Why not a library: Debian 12 has none for C (python3-crc32c alone); zlib and libdeflate have the other polynomial.
 */

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of a block. */
uint32_t pod_format_crc32c(const void *bytes, size_t size);

/* The same without special instructions: the oracle of the test. */
uint32_t pod_format_crc32c_portable(const void *bytes, size_t size);

/* Returns a checksum as files store it: rotated and shifted, so that a checksum of data that contains
 * checksums stays one. */
uint32_t pod_format_crc32c_mask(uint32_t crc);

#endif
