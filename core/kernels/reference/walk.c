#include "kernels/reference/walk.h"

#include "base/sizes.h"
#include "kernels/reference/transpose.h"

#include <string.h>

/* Rows of the pieces of a box. */
#define TILE POD_SQUARE

void pod_kernel_walk_add(pod_walk *walk, int64_t size, int64_t stride_0, int64_t stride_1, int64_t stride_2)
{
    int axis = walk->rank++;
    walk->dims[axis] = size;
    walk->index[axis] = 0;
    walk->stride[0][axis] = stride_0;
    walk->stride[1][axis] = stride_1;
    walk->stride[2][axis] = stride_2;
}

int64_t pod_kernel_walk_count(const pod_walk *walk)
{
    int64_t count = 1;
    for (int axis = 0; axis < walk->rank; axis++)
        count *= walk->dims[axis];
    return count;
}

void pod_kernel_walk_seek(pod_walk *walk, int64_t position)
{
    for (int array = 0; array < POD_WALK_ARRAYS; array++)
        walk->offset[array] = 0;
    for (int axis = walk->rank - 1; axis >= 0; axis--) {
        int64_t size = walk->dims[axis] > 0 ? walk->dims[axis] : 1;
        walk->index[axis] = position % size;
        position /= size;
        for (int array = 0; array < POD_WALK_ARRAYS; array++)
            walk->offset[array] += walk->index[axis] * walk->stride[array][axis];
    }
}

void pod_kernel_walk_next(pod_walk *walk)
{
    for (int axis = walk->rank - 1; axis >= 0; axis--) {
        for (int array = 0; array < POD_WALK_ARRAYS; array++)
            walk->offset[array] += walk->stride[array][axis];
        if (++walk->index[axis] < walk->dims[axis])
            return;
        for (int array = 0; array < POD_WALK_ARRAYS; array++)
            walk->offset[array] -= walk->dims[axis] * walk->stride[array][axis];
        walk->index[axis] = 0;
    }
}

void pod_kernel_walk_split(const pod_shape *shape, int rank, const pod_axes *axes, pod_walk *others, pod_walk *listed)
{
    int64_t strides[POD_MAX_RANK] = {0};
    bool is_listed[POD_MAX_RANK] = {false};
    pod_kernel_strides(shape, strides);
    for (int i = 0; i < axes->count; i++)
        is_listed[axes->axes[i]] = true;
    for (int axis = 0; axis < rank; axis++)
        pod_kernel_walk_add(is_listed[axis] ? listed : others, shape->dims[axis], strides[axis], 0, 0);
}

void pod_kernel_strides(const pod_shape *shape, int64_t strides[POD_MAX_RANK])
{
    int64_t stride = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= shape->dims[axis];
    }
}

int64_t pod_kernel_dims_product(const pod_shape *shape, int begin, int end)
{
    int64_t product = 1;
    for (int axis = begin; axis < end; axis++)
        product *= shape->dims[axis];
    return product;
}

static void box_move_axis(pod_box *box, int source, int target)
{
    int64_t size = box->dims[source], to = box->to[source], from = box->from[source];
    for (int axis = source; axis < target; axis++) {
        box->dims[axis] = box->dims[axis + 1];
        box->to[axis] = box->to[axis + 1];
        box->from[axis] = box->from[axis + 1];
    }
    box->dims[target] = size;
    box->to[target] = to;
    box->from[target] = from;
}

void pod_kernel_box_simplify(pod_box *box)
{
    int rank = 0;
    for (int axis = 0; axis < box->rank; axis++) {
        int64_t size = box->dims[axis], to = box->to[axis], from = box->from[axis];
        if (size == 1)
            continue;
        if (rank > 0 && box->to[rank - 1] == to * size && box->from[rank - 1] == from * size) {
            box->dims[rank - 1] *= size;
        } else {
            box->dims[rank++] = size;
        }
        box->to[rank - 1] = to;
        box->from[rank - 1] = from;
    }
    box->rank = rank;
    if (rank > 2 && box->from[rank - 1] != 1) {
        for (int axis = 0; axis < rank - 2; axis++) {
            if (box->from[axis] == 1) {
                box_move_axis(box, axis, rank - 2);
                return;
            }
        }
    }
}

/* Rows of the innermost plane: the size of the axis outside the innermost. */
static int64_t plane_rows(const pod_box *box)
{
    return box->rank >= 2 ? box->dims[box->rank - 2] : 1;
}

int64_t pod_kernel_box_pieces(const pod_box *box)
{
    int64_t pieces = pod_part_count(plane_rows(box), TILE);
    for (int axis = 0; axis < box->rank - 2; axis++)
        pieces *= box->dims[axis];
    return box->rank >= 1 && box->dims[box->rank - 1] == 0 ? 0 : pieces;
}

#define COPY_LINE(type)                                                                                                \
    {                                                                                                                  \
        type *target = to;                                                                                             \
        const type *source = from;                                                                                     \
        if (to_step == 1 && from_step == 0) {                                                                          \
            type value = *source;                                                                                      \
            for (int64_t i = 0; i < count; i++)                                                                        \
                target[i] = value;                                                                                     \
        } else if (to_step == 1) {                                                                                     \
            for (int64_t i = 0; i < count; i++)                                                                        \
                target[i] = source[i * from_step];                                                                     \
        } else {                                                                                                       \
            for (int64_t i = 0; i < count; i++)                                                                        \
                target[i * to_step] = source[i * from_step];                                                           \
        }                                                                                                              \
        break;                                                                                                         \
    }

void pod_kernel_line_copy(size_t element, void *to, int64_t to_step, const void *from, int64_t from_step, int64_t count)
{
    if (count <= 0)
        return;
    if (to_step == 1 && from_step == 1) {
        memcpy(to, from, (size_t)count * element);
        return;
    }
    switch (element) {
    case 1:
        COPY_LINE(uint8_t)
    case 2:
        COPY_LINE(uint16_t)
    case 4:
        COPY_LINE(uint32_t)
    default:
        COPY_LINE(uint64_t)
    }
}

/* Copies `rows` (at most TILE) lines; in squares when the source is contiguous across the lines. */
static void copy_rows(const pod_box *box, char *to, const char *from, int64_t rows)
{
    int inner = box->rank - 1;
    int64_t element = (int64_t)box->element;
    int64_t columns = box->rank >= 1 ? box->dims[inner] : 1;
    int64_t to_step = box->rank >= 1 ? box->to[inner] : 1;
    int64_t from_step = box->rank >= 1 ? box->from[inner] : 1;
    int64_t to_row = box->rank >= 2 ? box->to[inner - 1] : 0;
    int64_t from_row = box->rank >= 2 ? box->from[inner - 1] : 0;
    if (from_row == 1 && from_step != 1 && to_step == 1 && rows > 1) {
        for (int64_t column = 0; column < columns; column += TILE)
            pod_kernel_transpose_square(box->element, to + column * element, to_row,
                                        from + column * from_step * element, from_step, rows,
                                        columns - column < TILE ? columns - column : TILE);
        return;
    }
    for (int64_t row = 0; row < rows; row++)
        pod_kernel_line_copy(box->element, to + row * to_row * element, to_step, from + row * from_row * element,
                             from_step, columns);
}

void pod_kernel_box_copy(const pod_box *box, void *to, const void *from, int64_t begin, int64_t end)
{
    pod_walk walk = {0};
    for (int axis = 0; axis < box->rank - 2; axis++)
        pod_kernel_walk_add(&walk, box->dims[axis], box->to[axis], box->from[axis], 0);
    int64_t rows = plane_rows(box);
    pod_kernel_walk_add(&walk, pod_part_count(rows, TILE), box->rank >= 2 ? box->to[box->rank - 2] * TILE : 0,
                        box->rank >= 2 ? box->from[box->rank - 2] * TILE : 0, 0);
    pod_kernel_walk_seek(&walk, begin);
    for (int64_t piece = begin; piece < end; piece++) {
        int64_t row = walk.index[walk.rank - 1] * TILE;
        int64_t count = rows - row < TILE ? rows - row : TILE;
        copy_rows(box, (char *)to + (box->to_first + walk.offset[0]) * (int64_t)box->element,
                  (const char *)from + (box->from_first + walk.offset[1]) * (int64_t)box->element, count);
        pod_kernel_walk_next(&walk);
    }
}
