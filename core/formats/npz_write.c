/* Writing of .npz files (see npz.c). */

#include "base/bytes.h"
#include "formats/array_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "formats/zip.h"
#include "formats/zlib_or_none.h"

/* A member that is being written. */
typedef struct member_packing {
    const char *name;
    size_t name_size; /* with ".npy" */
    uint32_t crc;
    uint64_t size, packed, offset;
    bool deflated;
} member_packing;

static bool is_large(const member_packing *entry)
{
    return entry->size >= UINT32_MAX || entry->packed >= UINT32_MAX || entry->offset >= UINT32_MAX;
}

/* What local headers and the directory have in common: versions to name lengths. 26 bytes. */
static void put_common(unsigned char **to, const member_packing *entry, size_t extra)
{
    *to = pod_put_little_u16(*to, is_large(entry) ? 45 : 20);
    *to = pod_put_little_u16(*to, 0x800); /* names are UTF-8 */
    *to = pod_put_little_u16(*to, entry->deflated ? POD_ZIP_DEFLATED : POD_ZIP_STORED);
    *to = pod_put_little_u16(*to, 0);  /* time */
    *to = pod_put_little_u16(*to, 33); /* 1980-01-01, so that equal arrays make equal files */
    *to = pod_put_little_u32(*to, entry->crc);
    *to = pod_put_little_u32(*to, is_large(entry) ? UINT32_MAX : entry->packed);
    *to = pod_put_little_u32(*to, is_large(entry) ? UINT32_MAX : entry->size);
    *to = pod_put_little_u16(*to, entry->name_size);
    *to = pod_put_little_u16(*to, extra);
}

/* Writes a header, the name behind it and, of large members, `count` sizes of 64 bits behind that. */
static void write_header(pod_writer *writer, const unsigned char *header, size_t size, const member_packing *entry,
                         size_t count)
{
    const uint64_t sizes[] = {entry->size, entry->packed, entry->offset};
    unsigned char extra[4 + sizeof sizes], *at = extra;
    pod_format_writer_put(writer, header, size);
    pod_format_writer_put(writer, entry->name, entry->name_size - 4);
    pod_format_writer_put(writer, ".npy", 4);
    at = pod_put_little_u16(at, 1);
    at = pod_put_little_u16(at, 8 * count);
    for (size_t i = 0; i < count; i++)
        at = pod_put_little_u64(at, sizes[i]);
    pod_format_writer_put(writer, extra, count > 0 ? (size_t)(at - extra) : 0);
}

static size_t extra_size(size_t count)
{
    return count > 0 ? 4 + 8 * count : 0;
}

static void write_local(pod_writer *writer, const member_packing *entry)
{
    unsigned char header[POD_ZIP_LOCAL_SIZE], *at = header;
    const size_t count = is_large(entry) ? 2 : 0;
    at = pod_put_little_u32(at, POD_ZIP_LOCAL_SIGNATURE);
    put_common(&at, entry, extra_size(count));
    write_header(writer, header, sizeof header, entry, count);
}

static void write_central(pod_writer *writer, const member_packing *entry)
{
    unsigned char header[POD_ZIP_CENTRAL_SIZE], *at = header;
    const size_t count = is_large(entry) ? 3 : 0;
    at = pod_put_little_u32(at, POD_ZIP_CENTRAL_SIGNATURE);
    at = pod_put_little_u16(at, is_large(entry) ? 45 : 20);
    put_common(&at, entry, extra_size(count));
    at = pod_put_little_u16(at, 0); /* comment */
    at = pod_put_little_u16(at, 0); /* disk */
    at = pod_put_little_u16(at, 0); /* attributes */
    at = pod_put_little_u32(at, (uint32_t)0600 << 16);
    (void)pod_put_little_u32(at, is_large(entry) ? UINT32_MAX : entry->offset);
    write_header(writer, header, sizeof header, entry, count);
}

static void write_end(pod_writer *writer, uint64_t count, uint64_t begin)
{
    unsigned char end[POD_ZIP_END64_SIZE + POD_ZIP_LOCATOR64_SIZE + POD_ZIP_END_SIZE], *at = end;
    const uint64_t after = pod_format_writer_offset(writer), size = after - begin;
    const bool large = count >= UINT16_MAX || size >= UINT32_MAX || begin >= UINT32_MAX;
    if (large) {
        at = pod_put_little_u32(at, POD_ZIP_END64_SIGNATURE);
        at = pod_put_little_u64(at, POD_ZIP_END64_SIZE - 12);
        at = pod_put_little_u16(at, 45);
        at = pod_put_little_u16(at, 45);
        at = pod_put_little_u64(at, 0); /* disks */
        at = pod_put_little_u64(at, count);
        at = pod_put_little_u64(at, count);
        at = pod_put_little_u64(at, size);
        at = pod_put_little_u64(at, begin);
        at = pod_put_little_u32(at, POD_ZIP_LOCATOR64_SIGNATURE);
        at = pod_put_little_u32(at, 0);
        at = pod_put_little_u64(at, after);
        at = pod_put_little_u32(at, 1);
    }
    at = pod_put_little_u32(at, POD_ZIP_END_SIGNATURE);
    at = pod_put_little_u32(at, 0); /* disks */
    at = pod_put_little_u16(at, large ? UINT16_MAX : count);
    at = pod_put_little_u16(at, large ? UINT16_MAX : count);
    at = pod_put_little_u32(at, large ? UINT32_MAX : size);
    at = pod_put_little_u32(at, large ? UINT32_MAX : begin);
    at = pod_put_little_u16(at, 0); /* comment */
    pod_format_writer_put(writer, end, (size_t)(at - end));
}

/* Deflates header and elements into a block of the size that is needed at most. */
static pod_status deflate_array(pod_context *context, const char *header, size_t header_size, const pod_buffer *buffer,
                                unsigned char **packed, uint64_t *size, pod_error *error)
{
    z_stream stream = pod_format_zlib_stream(context);
    const size_t bytes = pod_buffer_bytes(buffer);
    const size_t most = deflateBound(NULL, header_size + bytes) + 16;
    *packed = pod_allocate(context, most);
    const int result =
        *packed == NULL ? Z_MEM_ERROR
                        : deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    if (result != Z_OK)
        return pod_format_zlib_refused(result, "compressing an array", most, error);
    const unsigned char *parts[] = {(const unsigned char *)header, pod_buffer_data(buffer)};
    const size_t sizes[] = {header_size, bytes};
    stream.next_out = *packed;
    *size = 0;
    for (int i = 0; i < 2; i++)
        for (size_t done = 0; done < sizes[i];) {
            const size_t left = sizes[i] - done, step = left < 1 << 28 ? left : 1 << 28;
            stream.next_in = (unsigned char *)(uintptr_t)parts[i] + done;
            stream.avail_in = (unsigned)step;
            stream.avail_out = UINT32_MAX; /* there is room for all: `most` */
            (void)deflate(&stream, Z_NO_FLUSH);
            done += step;
        }
    stream.avail_out = UINT32_MAX;
    const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *size = stream.total_out;
    (void)deflateEnd(&stream);
    return whole ? POD_OK : pod_error_memory(error, "compressing an array", most);
}

static pod_status write_member(pod_context *context, pod_writer *writer, const pod_buffer *buffer,
                               member_packing *entry, pod_error *error)
{
    char header[POD_NPY_HEADER_SIZE];
    unsigned char *packed = NULL;
    const size_t header_size = pod_format_npy_header(buffer, header);
    const size_t bytes = pod_buffer_bytes(buffer);
    pod_status status = POD_OK;

    entry->offset = pod_format_writer_offset(writer);
    entry->size = entry->packed = header_size + bytes;
    entry->crc = (uint32_t)crc32_z(0, (const unsigned char *)header, header_size);
    entry->crc = (uint32_t)crc32_z(entry->crc, pod_buffer_data(buffer), bytes);
    if (entry->deflated)
        status = deflate_array(context, header, header_size, buffer, &packed, &entry->packed, error);
    if (status == POD_OK) {
        write_local(writer, entry);
        pod_format_writer_put(writer, packed != NULL ? packed : (unsigned char *)header,
                              packed != NULL ? (size_t)entry->packed : header_size);
        status = pod_format_writer_write(writer, pod_buffer_data(buffer), packed != NULL ? 0 : bytes, error);
    }
    pod_free(context, packed);
    return status;
}

static pod_status write_archive(pod_context *context, pod_writer *writer, const pod_buffer_list *list,
                                member_packing *entries, bool compress, pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < list->count; i++) {
        entries[i] = (member_packing){
            .name = list->entries[i].name, .name_size = strlen(list->entries[i].name) + 4, .deflated = compress};
        if (entries[i].name_size > UINT16_MAX)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "the name of array %zu is too long", i);
        status = write_member(context, writer, list->entries[i].buffer, &entries[i], error);
    }
    const uint64_t begin = pod_format_writer_offset(writer);
    for (size_t i = 0; status == POD_OK && i < list->count; i++)
        write_central(writer, &entries[i]);
    write_end(writer, list->count, begin);
    return status;
}

pod_status pod_npz_write(pod_context *context, const char *path, const pod_buffer_list *list, bool compress,
                         pod_error *error)
{
    pod_writer *writer;
    member_packing *entries = pod_allocate_zeroed(context, list->count, sizeof *entries);
    if (entries == NULL)
        return pod_error_memory(error, "a zip archive", list->count * sizeof *entries);
    pod_status status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &writer, error);
    if (status == POD_OK)
        status = pod_format_writer_end(writer, write_archive(context, writer, list, entries, compress, error), error);
    pod_free(context, entries);
    return status;
}
