/* hdf5_group - the members of a group of an HDF5 file: by the B-tree and heap of older files, or by links. */

#include "base/bytes.h"
#include "base/context.h"
#include "formats/hdf5.h"

#include <string.h>

enum { MOST_LEVELS = 16, ENTRY_SIZE = 40, NODE_HEAD = 24 };

/* A group of the older kind while its members are visited. */
typedef struct older_group {
    unsigned char *names; /* the local heap, with a NUL behind it */
    uint64_t names_size;
    int depth;
    pod_hdf5_visit visit;
} older_group;

static pod_status visit_entry(pod_hdf5 *self, const older_group *group, const unsigned char *entry, uint64_t address,
                              pod_error *error)
{
    const uint64_t name = pod_little_u64(entry);
    if (name >= group->names_size)
        return pod_format_hdf5_malformed(self, address, "the name of a member lies beyond the group's names", error);
    const char *text = (const char *)group->names + name;
    if (pod_little_u32(entry + 16) == 2)
        return pod_format_hdf5_unsupported(self, "it has a soft link, which is not followed", error);
    return group->visit(self, text, strlen(text), pod_little_u64(entry + 8), group->depth, error);
}

static pod_status visit_symbols(pod_hdf5 *self, const older_group *group, uint64_t address, pod_error *error)
{
    unsigned char head[8], *entries;
    pod_status status = pod_format_hdf5_read_fixed(self, address, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    if (memcmp(head, "SNOD", 4) != 0)
        return pod_format_hdf5_malformed(self, address, "there is no list of members where one should be", error);
    const size_t count = pod_little_u16(head + 6);
    status = pod_format_hdf5_read_structure(self, address + sizeof head, count * ENTRY_SIZE, &entries, error);
    for (size_t i = 0; status == POD_OK && i < count; i++)
        status = visit_entry(self, group, entries + i * ENTRY_SIZE, address, error);
    pod_free(self->context, entries);
    return status;
}

static pod_status visit_node(pod_hdf5 *self, const older_group *group, uint64_t address, int levels, pod_error *error)
{
    unsigned char head[NODE_HEAD], *children;
    pod_status status = pod_format_hdf5_read_fixed(self, address, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    if (memcmp(head, "TREE", 4) != 0 || head[4] != 0 || head[5] >= levels)
        return pod_format_hdf5_malformed(self, address, "there is no node of a group where one should be", error);
    const int level = head[5];
    const size_t count = pod_little_u16(head + 6);
    status = pod_format_hdf5_read_structure(self, address + NODE_HEAD, count * 16 + 8, &children, error);
    for (size_t i = 0; status == POD_OK && i < count; i++) {
        const uint64_t child = pod_little_u64(children + i * 16 + 8);
        status = level > 0 ? visit_node(self, group, child, level, error) : visit_symbols(self, group, child, error);
    }
    pod_free(self->context, children);
    return status;
}

static pod_status each_older(pod_hdf5 *self, const pod_hdf5_message *table, int depth, pod_hdf5_visit visit,
                             pod_error *error)
{
    unsigned char head[32];
    if (table->size < 16)
        return pod_format_hdf5_malformed(self, 0, "the group's place is too short", error);
    const uint64_t heap = pod_little_u64(table->data + 8);
    pod_status status = pod_format_hdf5_read_fixed(self, heap, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    if (memcmp(head, "HEAP", 4) != 0)
        return pod_format_hdf5_malformed(self, heap, "there are no names of a group where they should be", error);
    older_group group = {.names_size = pod_little_u64(head + 8), .depth = depth, .visit = visit};
    status = pod_format_hdf5_read_structure(self, pod_little_u64(head + 24), group.names_size, &group.names, error);
    if (status != POD_OK)
        return status;
    group.names[group.names_size] = '\0';
    status = visit_node(self, &group, pod_little_u64(table->data), MOST_LEVELS, error);
    pod_free(self->context, group.names);
    return status;
}

pod_status pod_format_hdf5_each_member(pod_hdf5 *self, const pod_hdf5_object *group, int depth, pod_hdf5_visit visit,
                                       pod_error *error)
{
    const pod_hdf5_message *table = pod_format_hdf5_find(group, POD_HDF5_SYMBOL_TABLE);
    const pod_hdf5_message *info = pod_format_hdf5_find(group, POD_HDF5_LINK_INFO);
    pod_status status = POD_OK;
    if (table != NULL)
        return each_older(self, table, depth, visit, error);
    for (size_t i = 0; status == POD_OK && i < group->count; i++)
        if (group->messages[i].type == POD_HDF5_LINK)
            status =
                pod_format_hdf5_visit_link(self, group->messages[i].data, group->messages[i].size, depth, visit, error);
    return status == POD_OK && info != NULL ? pod_format_hdf5_each_dense(self, info, depth, visit, error) : status;
}
