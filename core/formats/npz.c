/*
 * npz - zip archives of .npy files, as NumPy makes them: members stored or deflated, also zip64.
 *
 * Why not libzip: with libcrypto and libbz2, which it brings, it adds 1.6 ms to the start of a process (0.6 ms without,
 * least of 400 starts) and 5 MB; its memory is not the host's, and overlapping members, which make a small file large,
 * are not refused. What unpacks is zlib. Fuzzed (tests/fuzz).
 */

#include "base/bytes.h"
#include "formats/array_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/context.h"

enum {
    LOCAL_SIGNATURE = 0x04034b50,
    CENTRAL_SIGNATURE = 0x02014b50,
    END_SIGNATURE = 0x06054b50,
    END64_SIGNATURE = 0x06064b50,
    LOCATOR64_SIGNATURE = 0x07064b50,
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    STORED = 0,
    DEFLATED = 8,
    MOST_COMMENT = 65535
};

#define MOST_DIRECTORY ((uint64_t)64 << 20)

/* ---- reading ---- */

/* Where the list of members is. */
typedef struct directory {
    uint64_t offset, size, count;
} directory;

typedef struct member {
    const char *name;
    size_t name_size;
    uint32_t method, crc, flags;
    uint64_t packed, size, offset; /* bytes in the file and of data; of the local header */
} member;

/* Reads `size` bytes from `offset` of a file. */
static pod_status read_at(pod_context *context, const char *path, uint64_t offset, void *bytes, size_t size,
                          pod_error *error)
{
    pod_reader *reader;
    pod_status status = pod_reader_open_part(context, path, offset, size, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_read_needed(reader, bytes, size, "a part of the zip archive", error);
    pod_reader_close(reader);
    return status;
}

static pod_status file_size(pod_context *context, const char *path, uint64_t *size, pod_error *error)
{
    pod_reader *reader;
    const pod_status status = pod_reader_open(context, path, POD_COMPRESSION_NONE, &reader, error);
    if (status == POD_OK)
        *size = pod_reader_file_size(reader);
    if (status == POD_OK)
        pod_reader_close(reader);
    return status;
}

/* Reads the zip64 form of the directory's place, where there is one before the end record at `end`. */
static pod_status find_directory64(pod_context *context, const char *path, uint64_t end, directory *found,
                                   pod_error *error)
{
    unsigned char locator[LOCATOR64_SIZE], record[END64_SIZE];
    if (end < LOCATOR64_SIZE)
        return POD_OK;
    pod_status status = read_at(context, path, end - LOCATOR64_SIZE, locator, sizeof locator, error);
    if (status != POD_OK || pod_little_u32(locator) != LOCATOR64_SIGNATURE)
        return status;
    status = read_at(context, path, pod_little_u64(locator + 8), record, sizeof record, error);
    if (status != POD_OK)
        return status;
    if (pod_little_u32(record) != END64_SIGNATURE)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s: the zip64 directory is not where it should be, at offset %llu", path,
                             (unsigned long long)pod_little_u64(locator + 8));
    *found = (directory){pod_little_u64(record + 48), pod_little_u64(record + 40), pod_little_u64(record + 32)};
    return POD_OK;
}

/* Finds the end record, which a comment may follow. */
static pod_status find_end(pod_context *context, const char *path, uint64_t size, directory *found, pod_error *error)
{
    const size_t tail = size < END_SIZE + MOST_COMMENT ? (size_t)size : END_SIZE + MOST_COMMENT;
    unsigned char *bytes = pod_allocate(context, tail);
    if (bytes == NULL)
        return pod_error_memory(error, "the end of a zip archive", tail);
    pod_status status = read_at(context, path, size - tail, bytes, tail, error);
    uint64_t end = UINT64_MAX;
    for (size_t i = tail; status == POD_OK && end == UINT64_MAX && i >= END_SIZE; i--) {
        const unsigned char *record = bytes + i - END_SIZE;
        if (pod_little_u32(record) != END_SIGNATURE || pod_little_u16(record + 20) != tail - i)
            continue;
        *found = (directory){pod_little_u32(record + 16), pod_little_u32(record + 12), pod_little_u16(record + 10)};
        end = size - tail + i - END_SIZE;
    }
    pod_free(context, bytes);
    if (status != POD_OK)
        return status;
    if (end == UINT64_MAX)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s is no zip archive, or it is truncated: it has no directory",
                             path);
    return find_directory64(context, path, end, found, error);
}

/* Finds the directory, which lies in the file: what a few bytes claim takes no memory. */
static pod_status find_directory(pod_context *context, const char *path, directory *found, pod_error *error)
{
    uint64_t size;
    pod_status status = file_size(context, path, &size, error);
    if (status == POD_OK)
        status = find_end(context, path, size, found, error);
    if (status != POD_OK || (found->offset <= size && found->size <= size - found->offset))
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s: the directory of the zip archive claims %llu bytes at offset %llu; the file "
                         "has %llu",
                         path, (unsigned long long)found->size, (unsigned long long)found->offset,
                         (unsigned long long)size);
}

/* Takes 64-bit sizes from the extra fields of a member. */
static bool read_extra64(const unsigned char *extra, size_t size, member *entry)
{
    uint64_t *const fields[] = {&entry->size, &entry->packed, &entry->offset};
    while (size >= 4) {
        const size_t length = pod_little_u16(extra + 2);
        if (length > size - 4)
            return false;
        const unsigned char *at = extra + 4, *end = at + length;
        for (int i = 0; pod_little_u16(extra) == 1 && i < 3; i++) {
            if (*fields[i] != UINT32_MAX)
                continue;
            if (end - at < 8)
                return false;
            *fields[i] = pod_little_u64(at);
            at += 8;
        }
        extra = end;
        size -= 4 + length;
    }
    return true;
}

static pod_status read_entry(const char *path, const unsigned char **at, const unsigned char *end, member *entry,
                             pod_error *error)
{
    const unsigned char *record = *at;
    const size_t left = (size_t)(end - record);
    bool fits = left >= CENTRAL_SIZE && pod_little_u32(record) == CENTRAL_SIGNATURE;
    if (fits) {
        const size_t name = pod_little_u16(record + 28), extra = pod_little_u16(record + 30);
        const size_t all = CENTRAL_SIZE + name + extra + pod_little_u16(record + 32);
        *entry = (member){(const char *)record + CENTRAL_SIZE, name,
                          pod_little_u16(record + 10),         pod_little_u32(record + 16),
                          pod_little_u16(record + 8),          pod_little_u32(record + 20),
                          pod_little_u32(record + 24),         pod_little_u32(record + 42)};
        fits = all <= left && read_extra64(record + CENTRAL_SIZE + name, extra, entry);
        *at = fits ? record + all : end;
    }
    if (fits)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the directory of the zip archive is malformed", path);
}

static pod_status open_member(pod_context *context, const char *path, const member *entry, pod_reader **reader,
                              pod_error *error)
{
    unsigned char local[LOCAL_SIZE];
    *reader = NULL;
    if ((entry->method != STORED && entry->method != DEFLATED) || (entry->flags & 1))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "%s: member '%.*s' is encrypted or packed by method %u; stored and "
                             "deflated ones are read",
                             path, (int)entry->name_size, entry->name, (unsigned)entry->method);
    pod_status status = read_at(context, path, entry->offset, local, sizeof local, error);
    if (status == POD_OK && pod_little_u32(local) != LOCAL_SIGNATURE)
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s: member '%.*s' is not where it should be, at offset %llu",
                               path, (int)entry->name_size, entry->name, (unsigned long long)entry->offset);
    if (status != POD_OK)
        return status;
    const uint64_t begin = entry->offset + LOCAL_SIZE + pod_little_u16(local + 26) + pod_little_u16(local + 28);
    return pod_reader_open_part(context, path, begin, entry->packed,
                                entry->method == STORED ? POD_COMPRESSION_NONE : POD_COMPRESSION_DEFLATE, reader,
                                error);
}

static pod_status read_member(pod_context *context, const char *path, const member *entry, pod_buffer_list *list,
                              pod_error *error)
{
    pod_reader *reader;
    pod_buffer *buffer;
    pod_status status = open_member(context, path, entry, &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_npy_read_from(context, reader, &buffer, error);
    if (status == POD_OK && pod_reader_crc32(reader) != entry->crc)
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s: the checksum of member '%.*s' does not fit its data", path,
                               (int)entry->name_size, entry->name);
    else if (status == POD_OK && pod_reader_offset(reader) != entry->size)
        status = pod_error_set(error, POD_ERROR_FORMAT,
                               "%s: member '%.*s' has %llu bytes, not the %llu that the directory "
                               "tells",
                               path, (int)entry->name_size, entry->name, (unsigned long long)pod_reader_offset(reader),
                               (unsigned long long)entry->size);
    else if (status < 0 && error != NULL)
        pod_error_prepend(error, "member '%.*s': ", (int)entry->name_size, entry->name);
    pod_reader_close(reader);
    if (status == POD_OK) {
        /* NumPy names members "weights.npy" */
        size_t size = entry->name_size;
        if (size > 4 && memcmp(entry->name + size - 4, ".npy", 4) == 0)
            size -= 4;
        status = pod_buffer_list_add(list, entry->name, size, buffer, error);
    }
    pod_buffer_release(buffer);
    return status;
}

/* The bytes of the file that a member takes. */
typedef struct byte_range {
    uint64_t begin, end;
} byte_range;

static int compare_places(const void *first, const void *second)
{
    const byte_range *a = first, *b = second;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Checks that no byte of the file belongs to two members: a small file could else become any number of arrays. */
static pod_status check_overlap(const char *path, byte_range *places, size_t count, pod_error *error)
{
    if (count > 0)
        qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1; i < count; i++)
        if (places[i].begin < places[i - 1].end)
            return pod_error_set(error, POD_ERROR_FORMAT,
                                 "%s: the zip archive has members that overlap, at offset %llu", path,
                                 (unsigned long long)places[i].begin);
    return POD_OK;
}

/* Looks through the directory before any member is unpacked. */
static pod_status check_members(pod_context *context, const char *path, const directory *where,
                                const unsigned char *bytes, pod_error *error)
{
    const unsigned char *at = bytes, *end = bytes + where->size;
    const uint64_t most = pod_context_unpacked_bytes(context);
    uint64_t unpacked = 0;
    size_t count = 0;
    pod_status status = POD_OK;
    byte_range *places = pod_allocate(context, (size_t)(where->size / CENTRAL_SIZE) * sizeof *places);
    if (places == NULL)
        return pod_error_memory(error, "the directory of a zip archive", (size_t)where->size);
    for (uint64_t i = 0; status == POD_OK && i < where->count; i++) {
        member entry = {0};
        status = read_entry(path, &at, end, &entry, error);
        if (status != POD_OK)
            break;
        const uint64_t taken = entry.packed > UINT64_MAX / 2 ? UINT64_MAX / 2 : entry.packed;
        const uint64_t begin = entry.offset > UINT64_MAX / 4 ? UINT64_MAX / 4 : entry.offset;
        places[count++] = (byte_range){begin, begin + LOCAL_SIZE + taken};
        if (entry.method != STORED && __builtin_add_overflow(unpacked, entry.size, &unpacked))
            unpacked = UINT64_MAX;
    }
    if (status == POD_OK)
        status = check_overlap(path, places, count, error);
    pod_free(context, places);
    if (status != POD_OK || unpacked <= most)
        return status;
    return pod_error_set(error, POD_ERROR_MEMORY,
                         "%s: the members of the zip archive have %llu bytes, more than the %llu that may be "
                         "unpacked at once; pod_context_set_unpacked_bytes() allows more",
                         path, (unsigned long long)unpacked, (unsigned long long)most);
}

static pod_status read_members(pod_context *context, const char *path, const directory *where,
                               const unsigned char *bytes, pod_buffer_list *list, pod_error *error)
{
    const unsigned char *at = bytes, *end = bytes + where->size;
    pod_status status = check_members(context, path, where, bytes, error);
    for (uint64_t i = 0; status == POD_OK && i < where->count; i++) {
        member entry = {0};
        status = read_entry(path, &at, end, &entry, error);
        if (status == POD_OK)
            status = read_member(context, path, &entry, list, error);
    }
    return status;
}

pod_status pod_npz_read(pod_context *context, const char *path, pod_buffer_list *list, pod_error *error)
{
    directory where = {0};
    *list = (pod_buffer_list){.context = context};
    pod_status status = find_directory(context, path, &where, error);
    if (status != POD_OK)
        return status;
    if (where.size > MOST_DIRECTORY)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: the directory of the zip archive claims %llu bytes", path,
                             (unsigned long long)where.size);
    unsigned char *bytes = pod_allocate(context, (size_t)where.size);
    if (bytes == NULL)
        return pod_error_memory(error, "the directory of a zip archive", (size_t)where.size);
    if (where.size > 0)
        status = read_at(context, path, where.offset, bytes, (size_t)where.size, error);
    if (status == POD_OK)
        status = read_members(context, path, &where, bytes, list, error);
    pod_free(context, bytes);
    if (status != POD_OK)
        pod_buffer_list_clear(list);
    return status;
}

/* ---- writing ---- */

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
    *to = pod_put_little_u16(*to, entry->deflated ? DEFLATED : STORED);
    *to = pod_put_little_u16(*to, 0);  /* time */
    *to = pod_put_little_u16(*to, 33); /* 1980-01-01, so that equal arrays make equal files */
    *to = pod_put_little_u32(*to, entry->crc);
    *to = pod_put_little_u32(*to, is_large(entry) ? UINT32_MAX : entry->packed);
    *to = pod_put_little_u32(*to, is_large(entry) ? UINT32_MAX : entry->size);
    *to = pod_put_little_u16(*to, entry->name_size);
    *to = pod_put_little_u16(*to, extra);
}

static pod_status write_name(pod_writer *writer, const member_packing *entry, pod_error *error)
{
    const pod_status status = pod_writer_write(writer, entry->name, entry->name_size - 4, error);
    return status == POD_OK ? pod_writer_write(writer, ".npy", 4, error) : status;
}

static pod_status write_local(pod_writer *writer, const member_packing *entry, pod_error *error)
{
    unsigned char header[LOCAL_SIZE], extra[20], *at = header, *more = extra;
    if (is_large(entry)) {
        more = pod_put_little_u16(more, 1);
        more = pod_put_little_u16(more, 16);
        more = pod_put_little_u64(more, entry->size);
        more = pod_put_little_u64(more, entry->packed);
    }
    at = pod_put_little_u32(at, LOCAL_SIGNATURE);
    put_common(&at, entry, (size_t)(more - extra));
    pod_status status = pod_writer_write(writer, header, sizeof header, error);
    if (status == POD_OK)
        status = write_name(writer, entry, error);
    return status == POD_OK ? pod_writer_write(writer, extra, (size_t)(more - extra), error) : status;
}

static pod_status write_central(pod_writer *writer, const member_packing *entry, pod_error *error)
{
    unsigned char header[CENTRAL_SIZE], extra[28], *at = header, *more = extra;
    if (is_large(entry)) {
        more = pod_put_little_u16(more, 1);
        more = pod_put_little_u16(more, 24);
        more = pod_put_little_u64(more, entry->size);
        more = pod_put_little_u64(more, entry->packed);
        more = pod_put_little_u64(more, entry->offset);
    }
    at = pod_put_little_u32(at, CENTRAL_SIGNATURE);
    at = pod_put_little_u16(at, is_large(entry) ? 45 : 20);
    put_common(&at, entry, (size_t)(more - extra));
    at = pod_put_little_u16(at, 0); /* comment */
    at = pod_put_little_u16(at, 0); /* disk */
    at = pod_put_little_u16(at, 0); /* attributes */
    at = pod_put_little_u32(at, (uint32_t)0600 << 16);
    at = pod_put_little_u32(at, is_large(entry) ? UINT32_MAX : entry->offset);
    pod_status status = pod_writer_write(writer, header, sizeof header, error);
    if (status == POD_OK)
        status = write_name(writer, entry, error);
    return status == POD_OK ? pod_writer_write(writer, extra, (size_t)(more - extra), error) : status;
}

static pod_status write_end(pod_writer *writer, uint64_t count, uint64_t begin, pod_error *error)
{
    unsigned char end[END64_SIZE + LOCATOR64_SIZE + END_SIZE], *at = end;
    const uint64_t after = pod_writer_offset(writer), size = after - begin;
    const bool large = count >= UINT16_MAX || size >= UINT32_MAX || begin >= UINT32_MAX;
    if (large) {
        at = pod_put_little_u32(at, END64_SIGNATURE);
        at = pod_put_little_u64(at, END64_SIZE - 12);
        at = pod_put_little_u16(at, 45);
        at = pod_put_little_u16(at, 45);
        at = pod_put_little_u64(at, 0); /* disks */
        at = pod_put_little_u64(at, count);
        at = pod_put_little_u64(at, count);
        at = pod_put_little_u64(at, size);
        at = pod_put_little_u64(at, begin);
        at = pod_put_little_u32(at, LOCATOR64_SIGNATURE);
        at = pod_put_little_u32(at, 0);
        at = pod_put_little_u64(at, after);
        at = pod_put_little_u32(at, 1);
    }
    at = pod_put_little_u32(at, END_SIGNATURE);
    at = pod_put_little_u32(at, 0); /* disks */
    at = pod_put_little_u16(at, large ? UINT16_MAX : count);
    at = pod_put_little_u16(at, large ? UINT16_MAX : count);
    at = pod_put_little_u32(at, large ? UINT32_MAX : size);
    at = pod_put_little_u32(at, large ? UINT32_MAX : begin);
    at = pod_put_little_u16(at, 0); /* comment */
    return pod_writer_write(writer, end, (size_t)(at - end), error);
}

/* Deflates header and elements into a block of the size that is needed at most. */
static pod_status deflate_array(pod_context *context, const char *header, size_t header_size, const pod_buffer *buffer,
                                unsigned char **packed, uint64_t *size, pod_error *error)
{
    z_stream stream = {0};
    const size_t bytes = pod_buffer_bytes(buffer);
    const size_t most = deflateBound(NULL, header_size + bytes) + 16;
    *packed = pod_allocate(context, most);
    if (*packed == NULL ||
        deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return pod_error_memory(error, "compressing an array", most);
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
    const size_t header_size = pod_npy_header(buffer, header);
    const size_t bytes = pod_buffer_bytes(buffer);
    pod_status status = POD_OK;

    entry->offset = pod_writer_offset(writer);
    entry->size = entry->packed = header_size + bytes;
    entry->crc = (uint32_t)crc32_z(0, (const unsigned char *)header, header_size);
    entry->crc = (uint32_t)crc32_z(entry->crc, pod_buffer_data(buffer), bytes);
    if (entry->deflated)
        status = deflate_array(context, header, header_size, buffer, &packed, &entry->packed, error);
    if (status == POD_OK)
        status = write_local(writer, entry, error);
    if (status == POD_OK && entry->deflated)
        status = pod_writer_write(writer, packed, (size_t)entry->packed, error);
    if (status == POD_OK && !entry->deflated)
        status = pod_writer_write(writer, header, header_size, error);
    if (status == POD_OK && !entry->deflated)
        status = pod_writer_write(writer, pod_buffer_data(buffer), bytes, error);
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
    const uint64_t begin = pod_writer_offset(writer);
    for (size_t i = 0; status == POD_OK && i < list->count; i++)
        status = write_central(writer, &entries[i], error);
    return status == POD_OK ? write_end(writer, list->count, begin, error) : status;
}

pod_status pod_npz_write(pod_context *context, const char *path, const pod_buffer_list *list, bool compress,
                         pod_error *error)
{
    pod_writer *writer;
    member_packing *entries = pod_allocate_zeroed(context, list->count, sizeof *entries);
    if (entries == NULL)
        return pod_error_memory(error, "a zip archive", list->count * sizeof *entries);
    pod_status status = pod_writer_open(context, path, POD_COMPRESSION_NONE, POD_WRITE_WHOLE, &writer, error);
    if (status == POD_OK) {
        status = write_archive(context, writer, list, entries, compress, error);
        if (status == POD_OK)
            status = pod_writer_commit(writer, error);
        else
            pod_writer_abandon(writer);
    }
    pod_free(context, entries);
    return status;
}
