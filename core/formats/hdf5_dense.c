/*
 * hdf5_dense - groups of many members in newer HDF5 files: links lie in a fractal heap, and a B-tree of version 2 tells
 * where. The heap is a table of blocks: its first rows double in size, and beyond a size they are blocks of blocks.
 */

#include "base/bytes.h"
#include "base/context.h"
#include "formats/hdf5.h"

#include <string.h>

enum { MOST_LEVELS = 16, NAME_RECORDS = 5, TREE_HEAD = 6 };

/* A fractal heap, as its header tells. */
typedef struct link_heap {
    uint64_t root;
    uint64_t first_size, most_direct; /* bytes of the smallest and of the largest direct block */
    uint32_t width;                   /* blocks a row */
    uint32_t root_rows;               /* 0: the root is a direct block */
    uint32_t offset_bytes, length_bytes, block_head;
    bool packed;
    int depth;
    pod_hdf5_visit visit;
} link_heap;

/* A B-tree of version 2. */
typedef struct link_tree {
    uint32_t node_size, record_size;
    uint64_t records_below[MOST_LEVELS + 1];           /* most of a node of that level and below */
    uint32_t count_bytes[MOST_LEVELS + 1], leaf_bytes; /* of the numbers of records in children */
} link_tree;

static uint32_t bytes_for(uint64_t value)
{
    uint32_t bytes = 1;
    while (value >>= 8)
        bytes++;
    return bytes;
}

static uint64_t number(const unsigned char *from, uint32_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, from, bytes); /* the low byte first, as the host has it */
    return value;
}

static uint64_t row_size(const link_heap *self, uint32_t row)
{
    return row < 2 ? self->first_size : row - 1 < 60 ? self->first_size << (row - 1) : UINT64_MAX / 4;
}

static pod_status read_heap(pod_hdf5 *self, uint64_t address, link_heap *found, pod_error *error)
{
    unsigned char head[142];
    pod_status status = pod_format_hdf5_read_fixed(self, address, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    if (memcmp(head, "FRHP", 4) != 0 || head[4] != 0)
        return pod_format_hdf5_malformed(self, address, "there is no heap of links where one should be", error);
    const uint32_t bits = pod_little_u16(head + 128);
    found->width = pod_little_u16(head + 110);
    found->first_size = pod_little_u64(head + 112);
    found->most_direct = pod_little_u64(head + 120);
    found->root = pod_little_u64(head + 132);
    found->root_rows = pod_little_u16(head + 140);
    found->packed = pod_little_u16(head + 7) != 0;
    found->offset_bytes = (bits + 7) / 8;
    const uint32_t most = pod_little_u32(head + 10);
    found->length_bytes = bytes_for(found->most_direct < most ? found->most_direct : most);
    found->block_head = 13 + found->offset_bytes + (head[9] & 2 ? 4 : 0);
    if (found->packed)
        return pod_format_hdf5_unsupported(self, "its links are compressed, which is not read", error);
    if (found->width == 0 || found->first_size == 0 || found->first_size > found->most_direct ||
        found->most_direct > UINT32_MAX || bits == 0 || bits > 64)
        return pod_format_hdf5_malformed(self, address, "the sizes of a heap of links fit nothing", error);
    return POD_OK;
}

/* Finds which block has the byte at `offset` of the heap; *offset is that in the block then. */
static pod_status find_block(pod_hdf5 *self, const link_heap *links, uint64_t *offset, uint64_t *address,
                             pod_error *error)
{
    uint64_t block = links->root;
    uint32_t rows = links->root_rows;
    for (int level = 0; rows > 0 && level < MOST_LEVELS; level++) {
        uint32_t row = 0;
        unsigned char entry[8];
        while (row < rows && *offset / links->width >= row_size(links, row)) {
            *offset -= row_size(links, row) * links->width;
            row++;
        }
        if (row == rows)
            break;
        const uint64_t column = *offset / row_size(links, row);
        const uint64_t at = 5 + 8 + links->offset_bytes + ((uint64_t)row * links->width + column) * 8;
        const pod_status status = pod_format_hdf5_read_fixed(self, block + at, entry, sizeof entry, error);
        if (status != POD_OK)
            return status;
        *offset -= column * row_size(links, row);
        block = pod_little_u64(entry);
        uint32_t direct = 0; /* rows of direct blocks */
        while (row_size(links, direct) <= links->most_direct)
            direct++;
        if (row < direct)
            rows = 0;
        else /* a block of blocks has rows for as many bytes as its own row says */
            for (rows = 0; rows < 64 && row_size(links, rows) * links->width <= row_size(links, row) / 2;)
                rows++;
        rows += rows > 0;
    }
    *address = block;
    return rows == 0 ? POD_OK : pod_format_hdf5_malformed(self, links->root, "a link lies beyond its heap", error);
}

pod_status pod_format_hdf5_visit_link(pod_hdf5 *self, const unsigned char *link, size_t size, int depth,
                                      pod_hdf5_visit visit, pod_error *error)
{
    uint64_t name_size = 0;
    size_t at = 2;
    if (size < 2 || link[0] != 1)
        return pod_format_hdf5_malformed(self, 0, "a link is of a version that is not known", error);
    const unsigned flags = link[1];
    const size_t width = (size_t)1 << (flags & 3);
    unsigned type = 0;
    if ((flags & 8) && at < size)
        type = link[at++];
    at += flags & 4 ? 8 : 0;
    at += flags & 0x10 ? 1 : 0;
    if (at > size || width > size - at)
        return pod_format_hdf5_malformed(self, 0, "a link is too short", error);
    memcpy(&name_size, link + at, width); /* the low byte first, as the host has it */
    at += width;
    if (type != 0)
        return pod_format_hdf5_unsupported(self, "it has a soft link or one to another file, which is not followed",
                                           error);
    if (name_size > size - at || size - at - name_size < 8)
        return pod_format_hdf5_malformed(self, 0, "a link is too short", error);
    return visit(self, (const char *)link + at, (size_t)name_size, pod_little_u64(link + at + name_size), depth, error);
}

/* A record: the hash of a name, then where its link lies in the heap. */
static pod_status visit_record(pod_hdf5 *self, const link_heap *links, const unsigned char *record, pod_error *error)
{
    const unsigned char *id = record + 4;
    uint64_t block = 0, offset = number(id + 1, links->offset_bytes);
    const uint64_t size = number(id + 1 + links->offset_bytes, links->length_bytes);
    unsigned char *link;
    if (id[0] & 0x30)
        return pod_format_hdf5_unsupported(self, "it has a link with a very long name, which is not read", error);
    pod_status status = find_block(self, links, &offset, &block, error);
    if (status == POD_OK)
        status = pod_format_hdf5_read_structure(self, block + offset, size, &link, error);
    if (status != POD_OK)
        return status;
    status = pod_format_hdf5_visit_link(self, link, (size_t)size, links->depth, links->visit, error);
    pod_free(self->context, link);
    return status;
}

static pod_status visit_node(pod_hdf5 *self, const link_heap *links, const link_tree *names, uint64_t address,
                             int level, uint64_t count, pod_error *error)
{
    unsigned char *node;
    pod_status status = pod_format_hdf5_read_structure(self, address, names->node_size, &node, error);
    if (status != POD_OK)
        return status;
    const uint32_t child_bytes =
        level == 0 ? 0 : 8 + names->leaf_bytes + (level > 1 ? names->count_bytes[level - 1] : 0);
    const uint64_t needed = TREE_HEAD + count * names->record_size + (level > 0 ? (count + 1) * child_bytes : 0);
    if (count > names->node_size || needed > names->node_size || memcmp(node, level > 0 ? "BTIN" : "BTLF", 4) != 0)
        status = pod_format_hdf5_malformed(self, address, "there is no list of links where one should be", error);
    for (uint64_t i = 0; status == POD_OK && i < count; i++)
        status = visit_record(self, links, node + TREE_HEAD + i * names->record_size, error);
    const unsigned char *children = node + TREE_HEAD + count * names->record_size;
    for (uint64_t i = 0; status == POD_OK && level > 0 && i <= count; i++) {
        const unsigned char *child = children + i * child_bytes;
        status = visit_node(self, links, names, pod_little_u64(child), level - 1, number(child + 8, names->leaf_bytes),
                            error);
    }
    pod_free(self->context, node);
    return status;
}

/* How many records a node of each level has at most decides how many bytes tell of their number. */
static void measure(link_tree *names, int levels)
{
    uint64_t most = (names->node_size - TREE_HEAD - 4) / names->record_size;
    names->leaf_bytes = bytes_for(most);
    names->records_below[0] = most;
    for (int level = 1; level <= levels; level++) {
        const uint32_t child = 8 + names->leaf_bytes + (level > 1 ? names->count_bytes[level - 1] : 0);
        const uint64_t here = (names->node_size - TREE_HEAD - 4 - child) / (names->record_size + child);
        names->records_below[level] = here + (here + 1) * names->records_below[level - 1];
        names->count_bytes[level] = bytes_for(names->records_below[level]);
    }
}

pod_status pod_format_hdf5_each_dense(pod_hdf5 *self, const pod_hdf5_message *info, int depth, pod_hdf5_visit visit,
                                      pod_error *error)
{
    unsigned char head[34];
    link_heap links = {.depth = depth, .visit = visit};
    const size_t begin = info->size >= 2 && (info->data[1] & 1) ? 10 : 2;
    if (info->size < begin + 16)
        return pod_format_hdf5_malformed(self, 0, "a group's place is too short", error);
    if (pod_little_u64(info->data + begin) == UINT64_MAX)
        return POD_OK; /* all links are messages */
    const uint64_t address = pod_little_u64(info->data + begin + 8);
    pod_status status = read_heap(self, pod_little_u64(info->data + begin), &links, error);
    if (status == POD_OK)
        status = pod_format_hdf5_read_fixed(self, address, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    link_tree names = {.node_size = pod_little_u32(head + 6), .record_size = pod_little_u16(head + 10)};
    const int levels = pod_little_u16(head + 12);
    if (memcmp(head, "BTHD", 4) != 0 || head[5] != NAME_RECORDS || levels > MOST_LEVELS || names.node_size < 64 ||
        names.record_size < 5 + links.offset_bytes + links.length_bytes || names.record_size > names.node_size / 4)
        return pod_format_hdf5_malformed(self, address, "there is no tree of links where one should be", error);
    measure(&names, levels);
    const uint64_t root = pod_little_u64(head + 16);
    return root == UINT64_MAX ? POD_OK
                              : visit_node(self, &links, &names, root, levels, pod_little_u16(head + 24), error);
}
