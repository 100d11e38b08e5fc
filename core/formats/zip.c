/*
 * zip - the members of zip archives, stored or deflated, also zip64.
 *
 * Why not libzip: with libcrypto and libbz2, which it brings, it adds 1.6 ms to the start of a process (0.6 ms without,
 * least of 400 starts) and 5 MB; its memory is not the host's, and overlapping members, which make a small file large,
 * are not refused. What unpacks is zlib. Fuzzed (tests/fuzz).
 */

#include "formats/zip.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/context.h"
#include "base/growth.h"
#include "formats/array_file.h"

#define STEP           ((size_t)64 << 10)
#define MOST_DIRECTORY ((uint64_t)64 << 20)

/* Where the list of members is, in the file. */
typedef struct pod_zip_directory {
    uint64_t offset, size, count;
} pod_zip_directory;

/* Reads `size` bytes from `offset` of a file. */
static pod_status read_at(pod_context *context, const char *path, uint64_t offset, void *bytes, size_t size,
                          pod_error *error)
{
    pod_reader *reader;
    pod_status status = pod_format_reader_open_part(context, path, offset, size, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_format_read_needed(reader, bytes, size, "a part of the zip archive", error);
    pod_format_reader_close(reader);
    return status;
}

static pod_status file_size(pod_context *context, const char *path, uint64_t *size, pod_error *error)
{
    pod_reader *reader;
    const pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, error);
    if (status == POD_OK)
        *size = pod_format_reader_file_size(reader);
    if (status == POD_OK)
        pod_format_reader_close(reader);
    return status;
}

/* Reads the zip64 form of the directory's place, where there is one before the end record at `end`. */
static pod_status find_directory64(pod_context *context, const char *path, uint64_t end, pod_zip_directory *found,
                                   pod_error *error)
{
    unsigned char locator[POD_ZIP_LOCATOR64_SIZE], record[POD_ZIP_END64_SIZE];
    if (end < POD_ZIP_LOCATOR64_SIZE)
        return POD_OK;
    pod_status status = read_at(context, path, end - POD_ZIP_LOCATOR64_SIZE, locator, sizeof locator, error);
    if (status != POD_OK || pod_little_u32(locator) != POD_ZIP_LOCATOR64_SIGNATURE)
        return status;
    status = read_at(context, path, pod_little_u64(locator + 8), record, sizeof record, error);
    if (status != POD_OK)
        return status;
    if (pod_little_u32(record) != POD_ZIP_END64_SIGNATURE)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s: the zip64 directory is not where it should be, at offset %llu", path,
                             (unsigned long long)pod_little_u64(locator + 8));
    *found = (pod_zip_directory){pod_little_u64(record + 48), pod_little_u64(record + 40), pod_little_u64(record + 32)};
    return POD_OK;
}

/* Finds the end record, which a comment may follow. */
static pod_status find_end(pod_context *context, const char *path, uint64_t size, pod_zip_directory *found,
                           pod_error *error)
{
    const size_t tail =
        size < POD_ZIP_END_SIZE + POD_ZIP_MOST_COMMENT ? (size_t)size : POD_ZIP_END_SIZE + POD_ZIP_MOST_COMMENT;
    unsigned char *bytes = pod_allocate(context, tail);
    if (bytes == NULL)
        return pod_error_memory(error, "the end of a zip archive", tail);
    pod_status status = read_at(context, path, size - tail, bytes, tail, error);
    uint64_t end = UINT64_MAX;
    for (size_t i = tail; status == POD_OK && end == UINT64_MAX && i >= POD_ZIP_END_SIZE; i--) {
        const unsigned char *record = bytes + i - POD_ZIP_END_SIZE;
        if (pod_little_u32(record) != POD_ZIP_END_SIGNATURE || pod_little_u16(record + 20) != tail - i)
            continue;
        *found =
            (pod_zip_directory){pod_little_u32(record + 16), pod_little_u32(record + 12), pod_little_u16(record + 10)};
        end = size - tail + i - POD_ZIP_END_SIZE;
        assert(end <= size - POD_ZIP_END_SIZE);
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
static pod_status find_directory(pod_context *context, const char *path, pod_zip_directory *found, pod_error *error)
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
static bool read_extra64(const unsigned char *extra, size_t size, pod_zip_member *entry)
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

static pod_status read_entry(const char *path, const unsigned char **at, const unsigned char *end,
                             pod_zip_member *entry, pod_error *error)
{
    const unsigned char *record = *at;
    const size_t left = (size_t)(end - record);
    bool fits = left >= POD_ZIP_CENTRAL_SIZE && pod_little_u32(record) == POD_ZIP_CENTRAL_SIGNATURE;
    if (fits) {
        const size_t name = pod_little_u16(record + 28), extra = pod_little_u16(record + 30);
        const size_t all = POD_ZIP_CENTRAL_SIZE + name + extra + pod_little_u16(record + 32);
        *entry = (pod_zip_member){(const char *)record + POD_ZIP_CENTRAL_SIZE,
                                  name,
                                  pod_little_u16(record + 10),
                                  pod_little_u32(record + 16),
                                  pod_little_u16(record + 8),
                                  pod_little_u32(record + 20),
                                  pod_little_u32(record + 24),
                                  pod_little_u32(record + 42)};
        fits = all <= left && read_extra64(record + POD_ZIP_CENTRAL_SIZE + name, extra, entry);
        *at = fits ? record + all : end;
    }
    if (fits)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the directory of the zip archive is malformed", path);
}

pod_status pod_format_zip_open_member(pod_context *context, const char *path, const pod_zip_member *entry,
                                      pod_reader **reader, pod_error *error)
{
    unsigned char local[POD_ZIP_LOCAL_SIZE];
    *reader = NULL;
    if ((entry->method != POD_ZIP_STORED && entry->method != POD_ZIP_DEFLATED) || (entry->flags & 1))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "%s: member '%.*s' is encrypted or packed by method %u; stored and "
                             "deflated ones are read",
                             path, (int)entry->name_size, entry->name, (unsigned)entry->method);
    pod_status status = read_at(context, path, entry->offset, local, sizeof local, error);
    if (status == POD_OK && pod_little_u32(local) != POD_ZIP_LOCAL_SIGNATURE)
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s: member '%.*s' is not where it should be, at offset %llu",
                               path, (int)entry->name_size, entry->name, (unsigned long long)entry->offset);
    if (status != POD_OK)
        return status;
    const uint64_t begin = entry->offset + POD_ZIP_LOCAL_SIZE + pod_little_u16(local + 26) + pod_little_u16(local + 28);
    return pod_format_reader_open_part(context, path, begin, entry->packed,
                                       entry->method == POD_ZIP_STORED ? POD_COMPRESSION_NONE : POD_COMPRESSION_DEFLATE,
                                       reader, error);
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
static pod_status check_members(pod_context *context, const char *path, const pod_zip_directory *where,
                                const unsigned char *bytes, pod_error *error)
{
    const unsigned char *at = bytes, *end = bytes + where->size;
    const uint64_t most = pod_context_unpacked_bytes(context);
    uint64_t unpacked = 0;
    size_t count = 0;
    pod_status status = POD_OK;
    byte_range *places = pod_allocate(context, (size_t)(where->size / POD_ZIP_CENTRAL_SIZE) * sizeof *places);
    if (places == NULL)
        return pod_error_memory(error, "the directory of a zip archive", (size_t)where->size);
    for (uint64_t i = 0; status == POD_OK && i < where->count; i++) {
        pod_zip_member entry = {0};
        status = read_entry(path, &at, end, &entry, error);
        if (status != POD_OK)
            break;
        const uint64_t taken = entry.packed > UINT64_MAX / 2 ? UINT64_MAX / 2 : entry.packed;
        const uint64_t begin = entry.offset > UINT64_MAX / 4 ? UINT64_MAX / 4 : entry.offset;
        places[count++] = (byte_range){begin, begin + POD_ZIP_LOCAL_SIZE + taken};
        if (entry.method != POD_ZIP_STORED && pod_add_overflows(unpacked, entry.size, &unpacked))
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

pod_status pod_format_zip_open(pod_context *context, const char *path, pod_zip *zip, pod_error *error)
{
    pod_zip_directory where = {0};
    *zip = (pod_zip){.context = context, .path = path};
    pod_status status = find_directory(context, path, &where, error);
    if (status != POD_OK)
        return status;
    if (where.size > MOST_DIRECTORY)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: the directory of the zip archive claims %llu bytes", path,
                             (unsigned long long)where.size);
    zip->bytes = pod_allocate(context, (size_t)where.size);
    if (zip->bytes == NULL)
        return pod_error_memory(error, "the directory of a zip archive", (size_t)where.size);
    if (where.size > 0)
        status = read_at(context, path, where.offset, zip->bytes, (size_t)where.size, error);
    if (status == POD_OK)
        status = check_members(context, path, &where, zip->bytes, error);
    zip->at = zip->bytes;
    zip->end = zip->bytes + where.size;
    zip->left = where.count;
    if (status != POD_OK)
        pod_format_zip_close(zip);
    return status;
}

pod_status pod_format_zip_next(pod_zip *zip, pod_zip_member *entry, pod_error *error)
{
    if (zip->left == 0)
        return POD_END;
    zip->left--;
    return read_entry(zip->path, &zip->at, zip->end, entry, error);
}

void pod_format_zip_close(pod_zip *zip)
{
    pod_free(zip->context, zip->bytes);
    zip->bytes = NULL;
}

pod_status pod_format_zip_check_member(const pod_zip *zip, const pod_zip_member *entry, const pod_reader *reader,
                                       pod_error *error)
{
    if (pod_format_reader_crc32(reader) != entry->crc)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: the checksum of member '%.*s' does not fit its data",
                             zip->path, (int)entry->name_size, entry->name);
    if (pod_format_reader_offset(reader) != entry->size)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s: member '%.*s' has %llu bytes, not the %llu that the directory "
                             "tells",
                             zip->path, (int)entry->name_size, entry->name,
                             (unsigned long long)pod_format_reader_offset(reader), (unsigned long long)entry->size);
    return POD_OK;
}

/* Reads all of a member; memory is taken for what is there, not for what it claims. */
static pod_status read_whole(const pod_zip *zip, const pod_zip_member *entry, pod_bytes *bytes, pod_error *error)
{
    pod_reader *reader;
    pod_status status = pod_format_zip_open_member(zip->context, zip->path, entry, &reader, error);
    if (status != POD_OK)
        return status;
    char *made = NULL;
    size_t size = 0, room = 0, got = 0;
    while (status == POD_OK && size <= entry->size) { /* one byte more than it may have tells */
        const size_t first = entry->size < STEP ? (size_t)entry->size + 1 : STEP;
        status = pod_grow(zip->context, &made, &room, size + 1, (pod_growth){1, first, .what = "a member"}, error);
        if (status == POD_OK)
            status = pod_format_reader_read(reader, made + size, room - size, &got, error);
        size += got;
    }
    if (status == POD_END)
        status = POD_OK;
    if (status == POD_OK)
        status = pod_format_zip_check_member(zip, entry, reader, error);
    pod_format_reader_close(reader);
    if (status != POD_OK)
        pod_free(zip->context, made);
    else
        *bytes = (pod_bytes){made, (size_t)entry->size};
    return status;
}

pod_status pod_zip_read(pod_context *context, const char *path, const char *member, pod_bytes *bytes, pod_error *error)
{
    pod_zip zip;
    pod_zip_member entry = {0}, found = {0};
    *bytes = (pod_bytes){0};
    pod_status status = pod_format_zip_open(context, path, &zip, error);
    if (status != POD_OK)
        return status;
    const size_t size = strlen(member);
    while ((status = pod_format_zip_next(&zip, &entry, error)) == POD_OK)
        if (entry.name_size == size && memcmp(entry.name, member, size) == 0)
            found = entry;
    if (status == POD_END)
        status = found.name != NULL ? read_whole(&zip, &found, bytes, error)
                                    : pod_error_set(error, POD_ERROR_NOT_FOUND,
                                                    "%s: the zip archive has no member '%s'", path, member);
    pod_format_zip_close(&zip);
    return status;
}
