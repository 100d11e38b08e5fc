/* tar - archives of POSIX and GNU tar: members are read where they lie, and none becomes a file. */

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "formats/pickle.h"

enum {
    BLOCK = 512,
    NAME_SIZE = 100,
    SIZE_AT = 124,
    SIZE_SIZE = 12,
    SUM_AT = 148,
    SUM_SIZE = 8,
    KIND_AT = 156,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_SIZE = 155
};

typedef struct tar_member {
    char name[PREFIX_SIZE + 1 + NAME_SIZE + 1];
    uint64_t size;
    bool is_file;
} tar_member;

static pod_status refuse(const pod_reader *reader, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "%s is no tar archive, or a damaged one, at offset %llu: %s",
                         pod_format_reader_path(reader), (unsigned long long)pod_format_reader_offset(reader), what);
}

/* Reads octal digits, which spaces may stand before and spaces or zero bytes behind. */
static bool read_octal(const unsigned char *text, size_t size, uint64_t *number)
{
    size_t i = 0;
    while (i < size && text[i] == ' ')
        i++;
    const size_t first = i;
    *number = 0;
    for (; i < size && text[i] >= '0' && text[i] <= '7'; i++)
        *number = *number * 8 + (text[i] - '0'); /* 12 digits fit */
    return i > first && (i == size || text[i] == ' ' || text[i] == '\0');
}

static bool has_its_sum(const unsigned char block[BLOCK])
{
    uint64_t wanted, sum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_SIZE ? ' ' : block[i];
    return read_octal(block + SUM_AT, SUM_SIZE, &wanted) && wanted == sum;
}

/* Reads the next header; POD_END behind the last member. */
static pod_status next_member(pod_reader *reader, tar_member *found, pod_error *error)
{
    unsigned char block[BLOCK];
    const pod_status status = pod_format_reader_read_all(reader, block, BLOCK, "a header of the tar archive", error);
    if (status != POD_OK)
        return status;
    static const unsigned char zeros[BLOCK];
    if (memcmp(block, zeros, BLOCK) == 0)
        return POD_END;
    if (!has_its_sum(block) || !read_octal(block + SIZE_AT, SIZE_SIZE, &found->size))
        return refuse(reader, "a header has not its checksum, or no size", error);
    const bool has_prefix = memcmp(block + MAGIC_AT, "ustar\0", 6) == 0 && block[PREFIX_AT] != '\0';
    snprintf(found->name, sizeof found->name, "%.*s%s%.*s", has_prefix ? PREFIX_SIZE : 0, (char *)block + PREFIX_AT,
             has_prefix ? "/" : "", NAME_SIZE, (char *)block);
    found->is_file = block[KIND_AT] == '0' || block[KIND_AT] == '\0';
    return POD_OK;
}

static pod_status skip(pod_reader *reader, uint64_t size, pod_error *error)
{
    char block[16384];
    pod_status status = POD_OK;
    while (status == POD_OK && size > 0) {
        const size_t part = size < sizeof block ? (size_t)size : sizeof block;
        status = pod_format_read_needed(reader, block, part, "the end of a member", error);
        size -= part;
    }
    return status;
}

/* Reads the member where it is wanted, and goes behind it. */
static pod_status read_member(pod_context *context, pod_reader *reader, const tar_member *at,
                              const pod_tar_wanted *wanted, bool *found, pod_error *error)
{
    size_t i = 0;
    while (i < wanted->count && !(at->is_file && strcmp(wanted->members[i], at->name) == 0))
        i++;
    const uint64_t padding = (BLOCK - at->size % BLOCK) % BLOCK;
    if (i == wanted->count)
        return skip(reader, at->size + padding, error);
    if (found[i])
        return refuse(reader, "a member is there twice", error);
    found[i] = true;
    const pod_status status = pod_format_pickle_read(context, reader, at->size, at->name, wanted->list, error);
    if (status == POD_OK)
        return skip(reader, padding, error);
    if (error != NULL)
        pod_error_prepend(error, "member '%s': ", at->name);
    return status;
}

static pod_status read_members(pod_context *context, pod_reader *reader, const pod_tar_wanted *wanted, bool *found,
                               pod_error *error)
{
    tar_member at;
    pod_status status;
    while ((status = next_member(reader, &at, error)) == POD_OK) {
        status = read_member(context, reader, &at, wanted, found, error);
        if (status != POD_OK)
            return status;
    }
    if (status != POD_END)
        return status;
    for (size_t i = 0; i < wanted->count; i++)
        if (!found[i])
            return pod_error_set(error, POD_ERROR_NOT_FOUND, "%s: the tar archive has no member '%s'",
                                 pod_format_reader_path(reader), wanted->members[i]);
    return POD_OK;
}

pod_status pod_tar_read_pickles(pod_context *context, const char *path, const pod_tar_wanted *wanted, pod_error *error)
{
    pod_reader *reader;
    *wanted->list = (pod_buffer_list){.context = context};
    bool *found = pod_allocate_zeroed(context, wanted->count, sizeof *found);
    if (found == NULL)
        return pod_error_memory(error, "members of a tar archive", wanted->count);
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_AUTO, &reader, error);
    if (status == POD_OK) {
        status = read_members(context, reader, wanted, found, error);
        pod_format_reader_close(reader);
    }
    if (status != POD_OK)
        pod_buffer_list_clear(wanted->list);
    pod_free(context, found);
    return status;
}
