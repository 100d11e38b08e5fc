/* layout - how arrays lie in a chip's memory: the choice of layout, sizes and addresses. */

#include "moonpod/chip.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "chip/element.h"

#define LANES      128
#define LEAST_ROWS 8 /* tiles of smaller arrays grow no further than this many rows */

/* ---- checks ---------------------------------------------------------------------------------- */

static pod_status check_array(pod_element element, const pod_shape *shape, pod_error *error)
{
    if (pod_element_bits(element) == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "no element type was given");
    if (shape->rank < 0 || shape->rank > POD_MAX_RANK)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "an array of rank %d; ranks from 0 to %d are possible",
                             (int)shape->rank, POD_MAX_RANK);
    for (int32_t i = 0; i < shape->rank; i++)
        if (shape->dims[i] < 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "axis %d has size %lld; sizes are 0 or more", (int)i,
                                 (long long)shape->dims[i]);
    return POD_OK;
}

static pod_status check_order(const int32_t *minor_to_major, int32_t rank, pod_error *error)
{
    uint32_t seen = 0;
    for (int32_t i = 0; i < rank; i++) {
        const int32_t axis = minor_to_major[i];
        if (axis < 0 || axis >= rank || (seen & 1u << axis))
            return pod_error_set(error, POD_ERROR_ARGUMENT,
                                 "minor_to_major must name each axis from 0 to %d once; place %d "
                                 "says %d",
                                 (int)rank - 1, (int)i, (int)axis);
        seen |= 1u << axis;
    }
    return POD_OK;
}

static pod_status check_layout(const pod_shape *shape, const pod_layout *layout, pod_error *error)
{
    if (layout->rank != shape->rank)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the layout orders %d axes and the shape has %d",
                             (int)layout->rank, (int)shape->rank);
    if (layout->tile_count < 0 || layout->tile_count > POD_MAX_TILES)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a layout has 0 to %d tiles, not %d", POD_MAX_TILES,
                             (int)layout->tile_count);
    if (layout->element_bits < 0 || layout->element_bits > 128)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "elements are stored in 1 to 128 bits, not %d",
                             (int)layout->element_bits);
    for (int32_t i = 0; i < layout->tile_count; i++) {
        const pod_tile *tile = &layout->tiles[i];
        if (tile->rank < 1 || tile->rank > POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "a tile has 1 to %d sizes, not %d", POD_MAX_RANK,
                                 (int)tile->rank);
        for (int32_t j = 0; j < tile->rank; j++)
            if (tile->dims[j] < 1)
                return pod_error_set(error, POD_ERROR_ARGUMENT, "a tile has size %lld; sizes are 1 or more",
                                     (long long)tile->dims[j]);
    }
    return check_order(layout->minor_to_major, layout->rank, error);
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* Holds what the rule needs of chip and type. */
typedef struct row_packing {
    int32_t pack;       /* elements that share 32 bits */
    int32_t least;      /* fewest rows of a tile */
    bool whole_words;   /* rows are packed until all 8 words of a column are full */
    int32_t below_byte; /* bits to print as E(n); 0: none */
} row_packing;

static row_packing packing_of(const pod_chip *chip, pod_element element)
{
    int32_t bits = pod_chip_element_part_bits(element);
    if (bits < 8 && !chip->packs_below_bytes)
        bits = 8;
    const int32_t pack = bits < 32 ? 32 / bits : 1;
    return (row_packing){
        .pack = pack,
        .least = pack * chip->layout_rows,
        .whole_words = pack >= 4 && chip->layout_rows == 1,
        .below_byte = bits < 8 ? bits : 0,
    };
}

static int64_t grow(int64_t least, int64_t size)
{
    int64_t tile = least;
    while (tile < (size < LEAST_ROWS ? size : LEAST_ROWS))
        tile *= 2;
    return tile;
}

/* Rows of a tile over a second minor axis of `size`. */
static int64_t tile_rows(const row_packing *p, int64_t size)
{
    if (p->whole_words && size % (8 * p->pack) == 0)
        return 8 * p->pack;
    return grow(p->least, size);
}

static bool round_up(int64_t size, int64_t tile, int64_t *rounded)
{
    const int64_t count = size / tile + (size % tile != 0);
    return !pod_multiply_overflows(count, tile, rounded);
}

/* Elements with axis i in lanes and axis j in sublanes; INT64_MAX where they are that many or more. */
static int64_t padded_elements(const row_packing *p, const pod_shape *shape, int32_t i, int32_t j)
{
    int64_t product = 1;
    bool fits = true;
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        int64_t size = shape->dims[axis];
        if (size == 0)
            return 0;
        if (axis == i)
            fits = round_up(size, LANES, &size) && fits;
        else if (axis == j)
            fits = round_up(size, tile_rows(p, size), &size) && fits;
        fits = fits && !pod_multiply_overflows(product, size, &product);
    }
    return fits ? product : INT64_MAX;
}

/* Puts i and j first, the other axes descending behind. */
static void order_axes(int32_t rank, int32_t i, int32_t j, int32_t *minor_to_major)
{
    int32_t at = 2;
    minor_to_major[0] = i;
    minor_to_major[1] = j;
    for (int32_t axis = rank - 1; axis >= 0; axis--)
        if (axis != i && axis != j)
            minor_to_major[at++] = axis;
    assert(at == rank); /* each axis once */
}

static void least_padded_order(const row_packing *p, const pod_shape *shape, int32_t *minor_to_major)
{
    int64_t best = -1;
    int32_t best_i = shape->rank - 1, best_j = shape->rank - 2;
    for (int32_t i = shape->rank - 1; i >= 0; i--)
        for (int32_t j = shape->rank - 1; j >= 0; j--) {
            if (i == j)
                continue;
            const int64_t padded = padded_elements(p, shape, i, j);
            if (best < 0 || padded < best) {
                best = padded;
                best_i = i;
                best_j = j;
            }
        }
    order_axes(shape->rank, best_i, best_j, minor_to_major);
}

static pod_tile tile_of(int64_t rows_of_tile, int64_t columns)
{
    return rows_of_tile > 0 ? (pod_tile){2, {rows_of_tile, columns}} : (pod_tile){1, {columns}};
}

/* Adds the tiles to a layout whose order is set. */
static void add_tiles(const row_packing *p, const pod_shape *shape, pod_layout *layout)
{
    layout->tile_count = 1;
    layout->element_bits = p->below_byte;
    if (shape->rank >= 2) {
        const int64_t second = shape->dims[layout->minor_to_major[1]];
        layout->tiles[0] = tile_of(tile_rows(p, second), LANES);
    } else {
        const int64_t size = shape->rank == 1 ? shape->dims[0] : 1;
        const int64_t lines = size / LANES + (size % LANES != 0);
        layout->tiles[0] = tile_of(0, grow(p->least, lines) * LANES);
        if (shape->rank == 0)
            return;
        if (p->pack > 1)
            layout->tiles[layout->tile_count++] = tile_of(0, LANES);
    }
    if (p->pack > 1)
        layout->tiles[layout->tile_count++] = tile_of(p->pack, 1);
    assert(layout->tile_count <= POD_MAX_TILES);
}

pod_status pod_layout_choose(const pod_chip *chip, pod_element element, const pod_shape *shape,
                             pod_layout_policy policy, pod_layout *layout, pod_error *error)
{
    *layout = (pod_layout){0};
    const pod_status status = check_array(element, shape, error);
    if (status != POD_OK)
        return status;
    if (!chip)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a layout needs a chip");
    const row_packing p = packing_of(chip, element);
    const int32_t rank = shape->rank;
    layout->rank = rank;
    if (rank >= 2 && policy == POD_LAYOUT_COMPACT)
        least_padded_order(&p, shape, layout->minor_to_major);
    else if (rank >= 2)
        order_axes(rank, rank - 1, rank - 2, layout->minor_to_major);
    add_tiles(&p, shape, layout);
    return POD_OK;
}

pod_status pod_layout_tile(const pod_chip *chip, pod_element element, const pod_shape *shape,
                           const int32_t *minor_to_major, pod_layout *layout, pod_error *error)
{
    *layout = (pod_layout){0};
    pod_status status = check_array(element, shape, error);
    if (status == POD_OK)
        status = check_order(minor_to_major, shape->rank, error);
    if (status != POD_OK)
        return status;
    if (!chip)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a layout needs a chip");
    const row_packing p = packing_of(chip, element);
    layout->rank = shape->rank;
    if (shape->rank > 0) /* an array of rank 0 may come as NULL */
        memcpy(layout->minor_to_major, minor_to_major, (size_t)shape->rank * sizeof minor_to_major[0]);
    add_tiles(&p, shape, layout);
    return POD_OK;
}

/* ---- sizes and addresses --------------------------------------------------------------------- */

/* Axes that tiles cut, outermost first. Each tile doubles what it covers; only the innermost ones
 * can be cut again. */
#define MAX_AXES (POD_MAX_RANK * (POD_MAX_TILES + 1))

typedef struct tiled_axes {
    int32_t count;
    int64_t sizes[MAX_AXES];
    int64_t places[MAX_AXES]; /* of one element */
} tiled_axes;

/* Cuts the last axes into blocks: [.., n, m] by (a, b) is [.., n / a, m / b, a, b]. A tile with
 * more sizes than there are axes finds axes of size 1. */
static void cut(tiled_axes *axes, const pod_tile *tile)
{
    if (axes->count < tile->rank) {
        const int32_t missing = tile->rank - axes->count;
        memmove(axes->sizes + missing, axes->sizes, (size_t)axes->count * sizeof axes->sizes[0]);
        memmove(axes->places + missing, axes->places, (size_t)axes->count * sizeof axes->places[0]);
        for (int32_t i = 0; i < missing; i++) {
            axes->sizes[i] = 1;
            axes->places[i] = 0;
        }
        axes->count = tile->rank;
    }
    assert(axes->count + tile->rank <= MAX_AXES);
    const int32_t first = axes->count - tile->rank;
    for (int32_t i = 0; i < tile->rank; i++) {
        const int64_t block = tile->dims[i], size = axes->sizes[first + i];
        const int64_t place = axes->places[first + i];
        assert(block > 0 && place >= 0 && place <= size);
        axes->sizes[first + i] = size / block + (size % block != 0);
        axes->places[first + i] = place / block;
        axes->sizes[axes->count + i] = block;
        axes->places[axes->count + i] = place % block;
    }
    axes->count += tile->rank;
}

static void cut_all(const pod_shape *shape, const pod_layout *layout, const int64_t *place, tiled_axes *axes)
{
    axes->count = shape->rank;
    for (int32_t i = 0; i < shape->rank; i++) {
        const int32_t axis = layout->minor_to_major[shape->rank - 1 - i];
        axes->sizes[i] = shape->dims[axis];
        axes->places[i] = place ? place[axis] : 0;
    }
    for (int32_t i = 0; i < layout->tile_count; i++)
        cut(axes, &layout->tiles[i]);
}

/* Multiplies sizes; false past 2^63 - 1. A size of zero makes zero, whatever the others are. */
static bool multiply(const int64_t *sizes, int32_t count, int64_t *product)
{
    *product = 1;
    bool fits = true;
    for (int32_t i = 0; i < count; i++) {
        if (sizes[i] == 0) {
            *product = 0;
            return true;
        }
        fits = fits && !pod_multiply_overflows(*product, sizes[i], product);
    }
    return fits;
}

static bool bytes_of(int64_t elements, int32_t bits, int64_t *bytes)
{
    /* eight elements are `bits` bytes; the rest is rounded up to a byte */
    return !pod_multiply_overflows(elements / 8, (int64_t)bits, bytes) &&
           !pod_add_overflows(*bytes, (elements % 8 * bits + 7) / 8, bytes);
}

pod_status pod_layout_measure(pod_element element, const pod_shape *shape, const pod_layout *layout,
                              pod_layout_bytes *bytes, pod_error *error)
{
    *bytes = (pod_layout_bytes){0};
    pod_status status = check_array(element, shape, error);
    if (status == POD_OK)
        status = check_layout(shape, layout, error);
    if (status != POD_OK)
        return status;
    const int32_t own = pod_element_bits(element) < 8 ? 8 : pod_element_bits(element);
    const int32_t stored = layout->element_bits > 0 ? layout->element_bits : own;
    tiled_axes axes;
    cut_all(shape, layout, NULL, &axes);
    int64_t elements, padded_count;
    pod_layout_bytes found;
    /* an element stored wider than its type is padding, too */
    if (!multiply(shape->dims, shape->rank, &elements) || !multiply(axes.sizes, axes.count, &padded_count) ||
        !bytes_of(elements, stored < own ? stored : own, &found.unpadded) ||
        !bytes_of(padded_count, stored, &found.padded))
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "an array of %d axes takes more than 2^63 - 1 bytes: no memory holds "
                             "it",
                             (int)shape->rank);
    assert(found.unpadded >= 0 && found.padded >= found.unpadded);
    *bytes = found;
    return POD_OK;
}

pod_status pod_layout_index(const pod_shape *shape, const pod_layout *layout, const int64_t *place, int64_t *index,
                            pod_error *error)
{
    *index = 0;
    pod_status status = check_array(POD_ELEMENT_PRED, shape, error);
    if (status == POD_OK)
        status = check_layout(shape, layout, error);
    if (status != POD_OK)
        return status;
    for (int32_t i = 0; i < shape->rank; i++)
        if (place[i] < 0 || place[i] >= shape->dims[i])
            return pod_error_set(error, POD_ERROR_VALUE, "index %lld of axis %d is not below its size %lld",
                                 (long long)place[i], (int)i, (long long)shape->dims[i]);
    tiled_axes axes;
    int64_t product;
    cut_all(shape, layout, place, &axes);
    if (!multiply(axes.sizes, axes.count, &product))
        return pod_error_set(error, POD_ERROR_SHAPE, "an array of %d axes has more than 2^63 - 1 elements",
                             (int)shape->rank);
    for (int32_t i = 0; i < axes.count; i++)
        *index = *index * axes.sizes[i] + axes.places[i];
    assert(*index >= 0 && *index < product);
    return POD_OK;
}

/* ---- reasons --------------------------------------------------------------------------------- */

static int64_t tile_size(const pod_tile *tile, int32_t from_last)
{
    return tile->rank > from_last ? tile->dims[tile->rank - 1 - from_last] : 1;
}

static const char *rounded_text(int64_t size, int64_t tile, char text[40])
{
    int64_t rounded;
    if (!round_up(size, tile, &rounded))
        snprintf(text, 40, "past 2^63");
    else if (rounded == size)
        snprintf(text, 40, "exact");
    else
        snprintf(text, 40, "padded to %lld", (long long)rounded);
    return text;
}

static const char *policy_reason(pod_layout_policy policy, const pod_shape *shape, const char *given)
{
    if (given)
        return given;
    if (shape->rank < 2)
        return "one axis: no order to choose";
    return policy == POD_LAYOUT_ROW_MAJOR ? "row-major" : "the fewest bytes, row-major on ties";
}

const char *pod_layout_reason(const pod_chip *chip, pod_element element, const pod_shape *shape,
                              pod_layout_policy policy, const char *given, const pod_layout *layout,
                              char text[POD_LAYOUT_REASON_SIZE])
{
    char first[40], second[40], other[80] = "";
    const char *start = policy_reason(policy, shape, given);
    if (check_array(element, shape, NULL) != POD_OK || check_layout(shape, layout, NULL) != POD_OK ||
        layout->tile_count == 0) {
        snprintf(text, POD_LAYOUT_REASON_SIZE, "%s; not tiled", start);
        return text;
    }
    if (shape->rank < 2) {
        const int64_t size = shape->rank == 1 ? shape->dims[0] : 1;
        snprintf(text, POD_LAYOUT_REASON_SIZE, "%s; %lld %s, %s", start, (long long)size,
                 size == 1 ? "element" : "elements", rounded_text(size, tile_size(&layout->tiles[0], 0), first));
        return text;
    }
    pod_layout compact, row_major;
    pod_layout_bytes own, compact_bytes, row_major_bytes;
    char size_text[POD_BYTES_TEXT_SIZE];
    if (chip && pod_layout_choose(chip, element, shape, POD_LAYOUT_COMPACT, &compact, NULL) == POD_OK &&
        pod_layout_choose(chip, element, shape, POD_LAYOUT_ROW_MAJOR, &row_major, NULL) == POD_OK &&
        pod_layout_measure(element, shape, layout, &own, NULL) == POD_OK &&
        pod_layout_measure(element, shape, &compact, &compact_bytes, NULL) == POD_OK &&
        pod_layout_measure(element, shape, &row_major, &row_major_bytes, NULL) == POD_OK) {
        if (compact_bytes.padded < own.padded)
            snprintf(other, sizeof other, "; the least padded order takes %s",
                     pod_bytes_format(compact_bytes.padded, size_text));
        else if (row_major_bytes.padded > own.padded)
            snprintf(other, sizeof other, "; row-major takes %s", pod_bytes_format(row_major_bytes.padded, size_text));
    }
    const int32_t i = layout->minor_to_major[0], j = layout->minor_to_major[1];
    snprintf(text, POD_LAYOUT_REASON_SIZE, "%s; axis %d (%lld) in lanes, %s; axis %d (%lld) in sublanes, %s%s", start,
             (int)i, (long long)shape->dims[i], rounded_text(shape->dims[i], tile_size(&layout->tiles[0], 0), first),
             (int)j, (long long)shape->dims[j], rounded_text(shape->dims[j], tile_size(&layout->tiles[0], 1), second),
             other);
    return text;
}
