/*
 * hdf5_write - writes HDF5 as every version of its library reads it: superblock 0, groups by B-trees, arrays in one
 * piece, texts in the global heap. First all structures, then the data, so that a file is written from its beginning to
 * its end: the structures are made twice, once to know how long they are.
 */

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "base/growth.h"
#include "formats/hdf5_output.h"

/* A superblock's bytes; symbols in a leaf of a group and children of a node.
 */
enum {
    SUPERBLOCK = 96,
    LEAF = 8,
    CHILDREN = 32,

    NODE = 24 + CHILDREN * 16 + 8,
    SYMBOLS = 8 + LEAF * 40
};

/* A member of a group that has been made. */
typedef struct member {
    const char *name;
    size_t size;
    uint64_t address, name_at;
} member;

/* ---- items in the order of a walk through the groups: a '/' comes before all else ---- */

static int compare_paths(const char *a, size_t a_size, const char *b, size_t b_size)
{
    const size_t both = a_size < b_size ? a_size : b_size;
    for (size_t i = 0; i < both; i++) {
        const int x = a[i] == '/' ? 0 : (unsigned char)a[i], y = b[i] == '/' ? 0 : (unsigned char)b[i];
        if (x != y)
            return x - y;
    }
    return a_size < b_size ? -1 : a_size > b_size;
}

/* Of one path the array, then the texts by name. */
static int compare_items(const void *first, const void *second)
{
    const pod_hdf5_item *a = first, *b = second;
    const int paths = compare_paths(a->path, a->size, b->path, b->size);
    if (paths != 0)
        return paths;
    if (a->attribute == NULL || b->attribute == NULL)
        return (a->attribute != NULL) - (b->attribute != NULL);
    return strcmp(a->attribute, b->attribute);
}

/* Names between single slashes, as long and as deep as the reader takes them. */
static bool is_path(const char *path, size_t size)
{
    int depth = 0;
    for (size_t i = 0, begin = 0; i <= size && size > 0; i++)
        if (i == size || path[i] == '/') {
            if (i == begin || i - begin > POD_HDF5_MOST_NAME)
                return false;
            begin = i + 1;
            depth++;
        }
    return size <= POD_HDF5_MOST_PATH && depth <= POD_HDF5_MOST_DEPTH;
}

static bool is_within(const pod_hdf5_item *inner, const pod_hdf5_item *outer)
{
    return inner->size > outer->size && memcmp(inner->path, outer->path, outer->size) == 0 &&
           inner->path[outer->size] == '/';
}

static pod_status collect(pod_hdf5_output *self, const pod_buffer_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *path = list->entries[i].name;
        self->items[self->count++] =
            (pod_hdf5_item){.path = path, .size = strlen(path), .buffer = list->entries[i].buffer};
    }
    for (size_t i = 0; i < list->text_count; i++) {
        const char *key = list->texts[2 * i], *at = strrchr(key, '@');
        if (at == NULL || at[1] == '\0' || strlen(at) > 1024)
            return pod_error_set(self->error, POD_ERROR_ARGUMENT, "the key of a text is 'path@name'; '%s' is not", key);
        self->items[self->count++] = (pod_hdf5_item){
            .path = key, .size = (size_t)(at - key), .attribute = at + 1, .text = list->texts[2 * i + 1]};
    }
    if (self->count > 0)
        qsort(self->items, self->count, sizeof *self->items, compare_items);
    const pod_hdf5_item *array = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const pod_hdf5_item *one = &self->items[i];
        if (!is_path(one->path, one->size) || (one->size == 0 && one->buffer != NULL))
            return pod_error_set(self->error, POD_ERROR_ARGUMENT, "'%.80s' is no path of an array", one->path);
        if (i > 0 && compare_items(one - 1, one) == 0)
            return pod_error_set(self->error, POD_ERROR_ARGUMENT, "two arrays or texts are named '%.80s'", one->path);
        if (array != NULL && is_within(one, array))
            return pod_error_set(self->error, POD_ERROR_ARGUMENT, "'%.80s' lies within '%.80s', which is an array",
                                 one->path, array->path);
        array = one->buffer != NULL ? one : array;
    }
    return POD_OK;
}

/* ---- groups ---- */

static void put_node(pod_hdf5_output *self, unsigned level, const uint64_t *children, const uint64_t *keys,
                     size_t count)
{
    const size_t begin = self->bytes.length;
    pod_format_hdf5_put(self, "TREE", 4);
    pod_format_hdf5_put_number(self, (uint64_t)level << 8, 2);
    pod_format_hdf5_put_number(self, count, 2);
    pod_format_hdf5_put_number(self, UINT64_MAX, 8); /* no neighbours: they are needed by what changes files */
    pod_format_hdf5_put_number(self, UINT64_MAX, 8);
    for (size_t i = 0; i < count; i++) {
        pod_format_hdf5_put_number(self, keys[i], 8);
        pod_format_hdf5_put_number(self, children[i], 8);
    }
    pod_format_hdf5_put_number(self, keys[count], 8);
    pod_format_hdf5_put_zeros(self, begin + NODE - (self->bytes.failed ? begin + NODE : self->bytes.length));
}

/* Names of the members; returns the address. */
static uint64_t put_names(pod_hdf5_output *self, member *members, size_t count)
{
    const uint64_t begin = self->bytes.length;
    uint64_t size = 8;
    for (size_t i = 0; i < count; i++) {
        members[i].name_at = size;
        size += members[i].size + 8 - members[i].size % 8;
    }
    pod_format_hdf5_put(self, "HEAP\0\0\0\0", 8);
    pod_format_hdf5_put_number(self, size, 8);
    pod_format_hdf5_put_number(self, 1, 8); /* nothing is free */
    pod_format_hdf5_put_number(self, begin + 32, 8);
    pod_format_hdf5_put_zeros(self, 8);
    for (size_t i = 0; i < count; i++) {
        pod_format_hdf5_put(self, members[i].name, members[i].size);
        pod_format_hdf5_put_zeros(self, 8 - members[i].size % 8);
    }
    return begin;
}

static void put_leaf(pod_hdf5_output *self, const member *members, size_t count)
{
    pod_format_hdf5_put(self, "SNOD\1\0", 6);
    pod_format_hdf5_put_number(self, count, 2);
    for (size_t i = 0; i < count; i++) {
        pod_format_hdf5_put_number(self, members[i].name_at, 8);
        pod_format_hdf5_put_number(self, members[i].address, 8);
        pod_format_hdf5_put_zeros(self, 24);
    }
    pod_format_hdf5_put_zeros(self, (LEAF - count) * 40);
}

/* Leaves, and nodes above them until there is one; returns its address. A node's keys are the names that its children
 * end with; before the first is that at 0, which is empty. */
static uint64_t put_tree(pod_hdf5_output *self, const member *members, size_t count)
{
    size_t nodes = (count + LEAF - 1) / LEAF;
    uint64_t *children = pod_allocate(self->context, 2 * (nodes + 1) * sizeof *children), *keys = children + nodes + 1;
    if (children == NULL) {
        self->bytes.failed = true;
        return 0;
    }
    keys[0] = 0;
    for (size_t i = 0; i < nodes; i++) {
        const size_t begin = i * LEAF, end = begin + LEAF < count ? begin + LEAF : count;
        children[i] = self->bytes.length;
        keys[i + 1] = members[end - 1].name_at;
        put_leaf(self, members + begin, end - begin);
    }
    uint64_t address = self->bytes.length;
    for (unsigned level = 0; level == 0 || nodes > 1; level++) {
        size_t above = 0;
        for (size_t begin = 0; begin < nodes || above == 0; begin += CHILDREN) {
            const size_t taken = nodes - begin < CHILDREN ? nodes - begin : CHILDREN;
            address = self->bytes.length;
            put_node(self, level, children + begin, keys + begin, taken);
            children[above++] = address;
            keys[above] = keys[begin + taken];
        }
        nodes = above;
    }
    pod_free(self->context, children);
    return address;
}

/* Writes the object of the items from `begin` to `end`, whose paths begin with the same `size` bytes: first what lies
 * within it. Returns its address. */
static uint64_t put_object(pod_hdf5_output *self, size_t begin, size_t end, size_t size)
{
    size_t own = begin, count = 0, room = 0;
    member *members = NULL;
    while (own < end && self->items[own].size == size)
        own++;
    for (size_t i = own; i < end && !self->bytes.failed;) {
        const char *name = self->items[i].path + size + (size > 0);
        const size_t left = self->items[i].size - (size_t)(name - self->items[i].path);
        const char *slash = memchr(name, '/', left);
        const size_t length = slash != NULL ? (size_t)(slash - name) : left, whole = size + (size > 0) + length;
        size_t next = i + 1;
        while (next < end && self->items[next].size >= whole &&
               memcmp(self->items[next].path, self->items[i].path, whole) == 0 &&
               (self->items[next].size == whole || self->items[next].path[whole] == '/'))
            next++;
        if (pod_grow(self->context, &members, &room, count + 1,
                     (pod_growth){sizeof *members, .first = 8, .what = "a group"}, NULL) != POD_OK) {
            self->bytes.failed = true;
            break;
        }
        members[count++] = (member){.name = name, .size = length, .address = put_object(self, i, next, whole)};
        i = next;
    }
    const pod_buffer *buffer = own > begin ? self->items[begin].buffer : NULL;
    const uint64_t names = buffer == NULL ? put_names(self, members, count) : 0;
    const uint64_t tree = buffer == NULL ? put_tree(self, members, count) : 0;
    const uint64_t address = self->bytes.length;
    const size_t head = pod_format_hdf5_begin_object(self, own - begin + (buffer != NULL ? 3 : 1));
    if (buffer != NULL) {
        pod_format_hdf5_put_array(self, buffer);
    } else {
        const size_t message = pod_format_hdf5_begin_message(self, 0x11, 0);
        pod_format_hdf5_put_number(self, tree, 8);
        pod_format_hdf5_put_number(self, names, 8);
        pod_format_hdf5_end_message(self, message);
    }
    for (size_t i = begin; i < own; i++)
        if (self->items[i].text != NULL)
            pod_format_hdf5_put_attribute(self, &self->items[i]);
    pod_format_hdf5_end_object(self, head);
    pod_free(self->context, members);
    return address;
}

/* ---- the file ---- */

/* Makes all structures; the data begins at `data` of the file. */
static void make(pod_hdf5_output *self, uint64_t data)
{
    unsigned char block[SUPERBLOCK] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', [13] = 8, 8}, *at = block + 16;
    self->data = data;
    self->bytes.length = 0;
    pod_format_hdf5_put_zeros(self, SUPERBLOCK);
    pod_format_hdf5_put_texts(self);
    const uint64_t root = put_object(self, 0, self->count, 0);
    at = pod_put_little_u16(at, LEAF / 2);
    at = pod_put_little_u16(at, CHILDREN / 2);
    at = pod_put_little_u32(at, 0);
    at = pod_put_little_u64(at, 0);
    at = pod_put_little_u64(at, UINT64_MAX);
    at = pod_put_little_u64(at, self->data);
    at = pod_put_little_u64(at, UINT64_MAX);
    at = pod_put_little_u64(at, 0);
    (void)pod_put_little_u64(at, root);
    if (!self->bytes.failed)
        memcpy(self->bytes.data, block, sizeof block);
}

static void write_all(const pod_hdf5_output *self, pod_writer *writer)
{
    static const char zeros[8];
    pod_format_writer_put(writer, self->bytes.data, self->bytes.length);
    for (size_t i = 0; i < self->count; i++) {
        if (self->items[i].buffer == NULL)
            continue;
        const size_t bytes = pod_buffer_bytes(self->items[i].buffer);
        pod_format_writer_put(writer, pod_buffer_data(self->items[i].buffer), bytes);
        pod_format_writer_put(writer, zeros, pod_format_hdf5_padding(bytes));
    }
}

pod_status pod_hdf5_write(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error)
{
    pod_writer *writer;
    const size_t most = list->count + list->text_count + 1;
    pod_hdf5_output self = {.context = context, .error = error};
    self.items = pod_allocate_zeroed(context, most, sizeof *self.items);
    if (self.items == NULL)
        return pod_error_memory(error, "an HDF5 file", most * sizeof *self.items);
    pod_text_init(&self.bytes, context);
    pod_status status = collect(&self, list);
    if (status == POD_OK) {
        make(&self, 0);
        make(&self, self.bytes.length);
        if (self.bytes.failed)
            status = pod_error_memory(error, "an HDF5 file", self.bytes.length);
    }
    if (status == POD_OK)
        status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &writer, error);
    if (status == POD_OK) {
        write_all(&self, writer);
        status = pod_format_writer_commit(writer, error);
    }
    pod_text_clear(&self.bytes);
    pod_free(context, self.items);
    return status;
}
