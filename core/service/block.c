/* block - see block.h. */

#include "service/block.h"

#include <string.h>

#include "base/bytes.h"
#include "base/checked.h"
#include "tensor/shares.h"

/* How a frame is written, as bits. */
enum { APART = 1, COMPRESSED = 2, ALL_WAYS = APART | COMPRESSED };

/* The ways, 4 bytes; the rank, 4; the bytes of the elements, 8. */
#define HEAD 16

#define LEVEL 1

/* zstd makes at most 2^17 bytes of a block, which takes 4 or more: no frame makes a taker hold more memory than that.
 */
#define MOST_PACKED ((size_t)1 << 15)

/* ---- writing ---- */

static bool are_alike(const pod_part *parts, size_t width, size_t count, size_t component)
{
    pod_shape first, other;
    pod_input_part_shape(&parts[component], &first);
    for (size_t i = 1; i < count; i++) {
        pod_input_part_shape(&parts[i * width + component], &other);
        if (!pod_shape_equal(&first, &other))
            return false;
    }
    return true;
}

static unsigned char *put_shape(unsigned char *to, const pod_part *part)
{
    pod_shape shape;
    pod_input_part_shape(part, &shape);
    for (int32_t i = 0; i < shape.rank; i++)
        to = pod_put_little_u64(to, (uint64_t)shape.dims[i]);
    return to;
}

static void put_elements(unsigned char *to, const pod_part *parts, size_t width, size_t count, size_t component,
                         bool alike)
{
    if (alike) {
        pod_input_parts_gather(parts, width, component, count, pod_input_part_bytes(&parts[component]), to);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const pod_part *part = &parts[i * width + component];
        const size_t bytes = pod_input_part_bytes(part);
        if (bytes > 0)
            memcpy(to, pod_input_part_data(part), bytes);
        to += bytes;
    }
}

/* Compresses what stands behind `before` bytes of a frame, into a new one; leaves it where that is no smaller. */
static pod_status squeeze(pod_context *context, zmq_msg_t *frame, size_t before, pod_error *error)
{
    unsigned char *plain = pod_zmq.msg_data(frame);
    const size_t bytes = pod_zmq.msg_size(frame) - before, bound = pod_zstd.compressBound(bytes);
    unsigned char *packed = pod_allocate(context, bound);
    if (packed == NULL)
        return pod_error_memory(error, "a compressed block", bound);
    const size_t size = pod_zstd.compress(packed, bound, plain + before, bytes, LEVEL);
    pod_status status = POD_OK;
    zmq_msg_t smaller;
    if (!pod_zstd.isError(size) && size < bytes) {
        if (pod_zmq.msg_init_size(&smaller, before + size) != 0) {
            status = pod_error_memory(error, "a frame", before + size);
        } else {
            unsigned char *to = pod_zmq.msg_data(&smaller);
            memcpy(to, plain, before);
            pod_put_little_u32(to, pod_little_u32(to) | COMPRESSED);
            memcpy(to + before, packed, size);
            pod_zmq.msg_close(frame);
            *frame = smaller;
        }
    }
    pod_free(context, packed);
    return status;
}

pod_status pod_service_block_write(pod_context *context, const pod_dataset *dataset, const pod_part *parts,
                                   size_t count, size_t component, bool compress, zmq_msg_t *frame, size_t *cost,
                                   pod_error *error)
{
    const size_t width = dataset->width, rank = (size_t)dataset->components[component].shape.rank;
    const bool alike = are_alike(parts, width, count, component);
    const size_t before = HEAD + (alike ? 1 : count) * rank * 8;
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += pod_input_part_bytes(&parts[i * width + component]);
    if ((int64_t)(before + bytes) > POD_SERVICE_ELEMENT)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "component %zu of an element takes %zu bytes; the data service sends at most 8 GiB",
                             component + 1, bytes);
    if (pod_zmq.msg_init_size(frame, before + bytes) != 0)
        return pod_error_memory(error, "a frame", before + bytes);
    unsigned char *to = pod_zmq.msg_data(frame);
    to = pod_put_little_u32(to, alike ? 0 : APART);
    to = pod_put_little_u32(to, rank);
    to = pod_put_little_u64(to, bytes);
    for (size_t i = 0; i < (alike ? 1 : count); i++)
        to = put_shape(to, &parts[i * width + component]);
    put_elements(to, parts, width, count, component, alike);
    const pod_status status = compress && bytes > 0 ? squeeze(context, frame, before, error) : POD_OK;
    if (status != POD_OK)
        pod_zmq.msg_close(frame);
    else
        *cost += pod_zmq.msg_size(frame);
    return status;
}

/* ---- reading ---- */

typedef struct service_frame {
    pod_context *context;
    const pod_component *component;
    const unsigned char *at; /* shapes, then elements */
    size_t left, count;
    size_t bytes; /* of the elements, plain */
    bool apart, compressed;
} service_frame;

static pod_status malformed(const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "a worker's elements: %s", what);
}

static pod_status read_head(service_frame *self, pod_error *error)
{
    if (self->left < HEAD)
        return malformed("a frame is cut short", error);
    const uint32_t ways = pod_little_u32(self->at), rank = pod_little_u32(self->at + 4);
    const uint64_t bytes = pod_little_u64(self->at + 8);
    if ((ways & ~(uint32_t)ALL_WAYS) != 0 || rank != (uint32_t)self->component->shape.rank || bytes > PTRDIFF_MAX)
        return malformed("a frame is none of this dataset", error);
    self->apart = (ways & APART) != 0;
    self->compressed = (ways & COMPRESSED) != 0;
    self->bytes = (size_t)bytes;
    self->at += HEAD;
    self->left -= HEAD;
    if (self->compressed && (self->bytes == 0 || self->bytes / MOST_PACKED > self->left))
        return malformed("a frame cannot hold as many compressed bytes", error);
    return POD_OK;
}

/* Reads a shape of the component; *bytes receives what an element of it takes. */
static pod_status read_shape(service_frame *self, pod_shape *shape, size_t *bytes, pod_error *error)
{
    const pod_shape *known = &self->component->shape;
    *shape = (pod_shape){.rank = known->rank};
    *bytes = pod_dtype_size(self->component->dtype);
    if (self->left < 8 * (size_t)shape->rank)
        return malformed("a frame is cut short", error);
    for (int32_t i = 0; i < shape->rank; i++, self->at += 8, self->left -= 8) {
        const uint64_t size = pod_little_u64(self->at);
        if (size > INT64_MAX || (known->dims[i] >= 0 && size != (uint64_t)known->dims[i]) || size > SIZE_MAX ||
            pod_multiply_overflows(*bytes, (size_t)size, bytes))
            return malformed("an element has another shape than the dataset", error);
        shape->dims[i] = (int64_t)size;
    }
    return POD_OK;
}

/* Unpacks, or copies, all elements to where there is room for them. */
static pod_status unpack(const service_frame *self, void *to, pod_error *error)
{
    if (!self->compressed && self->left != self->bytes)
        return malformed("a frame has other bytes than its elements", error);
    if (!self->compressed) {
        if (self->bytes > 0)
            memcpy(to, self->at, self->bytes);
        return POD_OK;
    }
    return pod_zstd.decompress(to, self->bytes, self->at, self->left) == self->bytes
               ? POD_OK
               : malformed("a frame cannot be decompressed", error);
}

/* Elements of one shape: one buffer, of which they are the rows; one alone is the buffer. */
static pod_status read_alike(service_frame *self, pod_part *parts, size_t width, pod_error *error)
{
    pod_shape shape;
    size_t each, all;
    pod_buffer *buffer;
    pod_status status = read_shape(self, &shape, &each, error);
    if (status != POD_OK)
        return status;
    if (pod_multiply_overflows(each, self->count, &all) || all != self->bytes)
        return malformed("a frame has other bytes than its elements", error);
    if (self->count > 1 && shape.rank == POD_MAX_RANK)
        return malformed("elements of so many axes come one at a time", error);
    const pod_shape stack = self->count > 1 ? pod_input_shape_of_rows(&shape, (int64_t)self->count) : shape;
    status = pod_buffer_new(self->context, self->component->dtype, &stack, &buffer, error);
    if (status != POD_OK)
        return status;
    status = unpack(self, pod_buffer_data(buffer), error);
    if (status != POD_OK) {
        pod_buffer_release(buffer);
        return status;
    }
    pod_buffer_retain_many(buffer, (unsigned)self->count - 1);
    for (size_t i = 0; i < self->count; i++)
        parts[i * width] = (pod_part){buffer, self->count > 1 ? (int64_t)i : POD_WHOLE};
    return POD_OK;
}

/* Cuts elements, each of its own shape, out of their bytes. */
static pod_status cut(const service_frame *self, const unsigned char *bytes, const pod_shape *shapes,
                      const size_t *sizes, pod_part *parts, size_t width, pod_error *error)
{
    for (size_t i = 0; i < self->count; i++) {
        pod_buffer *buffer;
        const pod_status status = pod_buffer_new(self->context, self->component->dtype, &shapes[i], &buffer, error);
        if (status != POD_OK) {
            for (size_t done = 0; done < i; done++)
                pod_buffer_release(parts[done * width].buffer);
            return status;
        }
        if (sizes[i] > 0)
            memcpy(pod_buffer_data(buffer), bytes, sizes[i]);
        bytes += sizes[i];
        parts[i * width] = (pod_part){buffer, POD_WHOLE};
    }
    return POD_OK;
}

static pod_status read_apart(service_frame *self, pod_part *parts, size_t width, pod_error *error)
{
    pod_shape shapes[POD_MOST_IN_BLOCK];
    size_t sizes[POD_MOST_IN_BLOCK], all = 0;
    for (size_t i = 0; i < self->count; i++) {
        const pod_status status = read_shape(self, &shapes[i], &sizes[i], error);
        if (status != POD_OK)
            return status;
        if (pod_add_overflows(all, sizes[i], &all))
            return malformed("a frame has other bytes than its elements", error);
    }
    if (all != self->bytes || (!self->compressed && self->left != all))
        return malformed("a frame has other bytes than its elements", error);
    if (!self->compressed)
        return cut(self, self->at, shapes, sizes, parts, width, error);
    unsigned char *plain = pod_allocate(self->context, all);
    if (plain == NULL)
        return pod_error_memory(error, "a decompressed block", all);
    pod_status status = unpack(self, plain, error);
    if (status == POD_OK)
        status = cut(self, plain, shapes, sizes, parts, width, error);
    pod_free(self->context, plain);
    return status;
}

pod_status pod_service_block_read(pod_context *context, const pod_component *component, const void *bytes, size_t size,
                                  size_t count, pod_part *parts, size_t width, pod_error *error)
{
    service_frame self = {.context = context, .component = component, .at = bytes, .left = size, .count = count};
    if (count == 0 || count > POD_MOST_IN_BLOCK)
        return malformed("a block has none, or too many", error);
    const pod_status status = read_head(&self, error);
    if (status != POD_OK)
        return status;
    return self.apart ? read_apart(&self, parts, width, error) : read_alike(&self, parts, width, error);
}
