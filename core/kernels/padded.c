#include "kernels/padded.h"

#include "base/sizes.h"

#include <assert.h>
#include <string.h>

/* Several images together have about so many places, and at most so many bytes: what a unit reads
 * stays in L2 beside a panel of the other operand. */
#define TOGETHER_PLACES 384
#define TOGETHER_BYTES  (128 * 1024)

static int64_t groups_of(const pod_padded *padded)
{
    const int64_t *places = padded->shape.places;
    return padded->images * (padded->axis == 0 ? padded->band : places[0]) *
           (padded->axis == 1 ? padded->band : places[1]);
}

static int64_t copy_bytes(const pod_padded *padded)
{
    int64_t bytes = padded->images * pod_kernel_volume(padded->extent) * padded->shape.channels *
                    (int64_t)pod_dtype_size(padded->wanted);
    return padded->copied ? pod_round_up(bytes, 64) : 0;
}

int64_t pod_kernel_padded_bytes(const pod_padded *padded)
{
    return copy_bytes(padded) + pod_round_up((groups_of(padded) + padded->runs) * (int64_t)sizeof(int64_t), 64);
}

/* Returns whether a place reaches over a border. */
static bool reaches_over(const pod_patches *shape)
{
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        if (shape->pad[axis] > 0 ||
            pod_kernel_patches_extent(shape, axis, shape->places[axis]) - shape->pad[axis] > shape->source[axis])
            return true;
    return false;
}

bool pod_kernel_padded_plan(pod_padded *to, const pod_patches *shape, pod_dtype stored, pod_dtype wanted, int64_t unit,
                            int64_t most)
{
    bool together = shape->dilation[2] == 1 && shape->depth == shape->channels;
    *to = (pod_padded){.shape = *shape, .stored = stored, .wanted = wanted, .images = 1};
    to->run_k = shape->depth * (together ? shape->size[2] : 1);
    to->runs = pod_kernel_volume(shape->size) / (together ? pod_larger(shape->size[2], 1) : 1);
    if (unit <= 0 || to->runs <= 0 || to->run_k <= 0 || to->run_k % unit != 0 || pod_kernel_volume(shape->places) <= 0)
        return false;
    to->copied = stored != wanted || reaches_over(shape);
    while (to->axis < POD_MAX_SPATIAL - 1 && shape->places[to->axis] == 1)
        to->axis++;
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        to->extent[axis] =
            to->copied ? pod_kernel_patches_extent(shape, axis, shape->places[axis]) : shape->source[axis];
    int64_t *band = &to->band, all = shape->places[to->axis];
    for (*band = all; pod_kernel_padded_bytes(to) > most && *band > 1;) {
        *band = pod_even_part(all, *band - 1, 1);
        if (to->copied)
            to->extent[to->axis] = pod_kernel_patches_extent(shape, to->axis, *band);
    }
    if (pod_kernel_padded_bytes(to) > most)
        return false;
    if (*band == all) {
        int64_t bytes = pod_larger(pod_kernel_padded_bytes(to), 1), places = pod_kernel_volume(shape->places);
        int64_t images = pod_smaller(TOGETHER_BYTES / bytes, pod_part_count(TOGETHER_PLACES, places));
        to->images = pod_larger(pod_smaller(images, most / bytes), 1);
    }
    return true;
}

static int64_t bands_of(const pod_padded *padded)
{
    return pod_part_count(padded->shape.places[padded->axis], padded->band);
}

void pod_kernel_padded_cut(pod_padded *padded, int64_t batch, int64_t units, int64_t least)
{
    if (pod_kernel_padded_units(padded, batch) >= units || (padded->copied && padded->images > 1))
        return;
    const int64_t all = padded->shape.places[padded->axis], behind = pod_kernel_volume(padded->shape.places) / all;
    const int64_t wanted = pod_part_count(all, pod_part_count(units, batch));
    padded->images = 1;
    padded->band = pod_smaller(padded->band, pod_fair_part(all, pod_larger(wanted, pod_part_count(least, behind))));
}

int64_t pod_kernel_padded_units(const pod_padded *padded, int64_t batch)
{
    return pod_part_count(batch, padded->images) * bands_of(padded);
}

static void widen(uint32_t *to, const uint16_t *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = (uint32_t)from[i] << 16;
}

/* A cut of an image: from where on it is copied, and how much of it. */
typedef struct region {
    int64_t first[POD_MAX_SPATIAL], extent[POD_MAX_SPATIAL]; /* first: of the source, negative where zeros are */
} region;

/* Copies a region with zeros around it; runs of zeros are written at once, also those of two lines.
 */
static char *copy_region(const pod_padded *padded, const region *of, const char *image, char *to)
{
    const int64_t *source = padded->shape.source, channels = padded->shape.channels;
    const int64_t element = padded->shape.element, wanted = (int64_t)pod_dtype_size(padded->wanted);
    const int64_t column = channels * wanted;
    const int64_t begin = pod_smaller(pod_larger(-of->first[2], 0), of->extent[2]);
    const int64_t end = pod_larger(pod_smaller(source[2] - of->first[2], of->extent[2]), begin);
    char *zeros = to; /* not yet written */
    for (int64_t i = 0; i < of->extent[0]; i++)
        for (int64_t j = 0; j < of->extent[1]; j++, to += of->extent[2] * column) {
            int64_t z = of->first[0] + i, y = of->first[1] + j;
            if (z < 0 || z >= source[0] || y < 0 || y >= source[1] || begin == end)
                continue;
            const char *from = image + (((z * source[1] + y) * source[2]) + of->first[2] + begin) * channels * element;
            char *at = to + begin * column;
            memset(zeros, 0, (size_t)(at - zeros));
            if (padded->stored == padded->wanted)
                memcpy(at, from, (size_t)((end - begin) * column));
            else
                widen((uint32_t *)at, (const uint16_t *)from, (end - begin) * channels);
            zeros = to + end * column;
        }
    memset(zeros, 0, (size_t)(to - zeros));
    return to;
}

/* Fills in where groups and runs of a unit begin. */
static void set_tables(const pod_padded *padded, const int64_t places[POD_MAX_SPATIAL], int64_t images, int64_t *groups,
                       int64_t *runs)
{
    const pod_patches *shape = &padded->shape;
    const int64_t *extent = padded->extent, *stride = shape->stride, *dilation = shape->dilation;
    const int64_t line = extent[2] * shape->channels, plane = extent[1] * line;
    for (int64_t image = 0; image < images; image++)
        for (int64_t z = 0; z < places[0]; z++)
            for (int64_t y = 0; y < places[1]; y++)
                *groups++ = (image * extent[0] + z * stride[0]) * plane + y * stride[1] * line;
    bool together = padded->run_k > shape->depth || shape->size[2] == 1;
    for (int64_t z = 0; z < shape->size[0]; z++)
        for (int64_t y = 0; y < shape->size[1]; y++)
            for (int64_t x = 0; x < (together ? 1 : shape->size[2]); x++)
                *runs++ = z * dilation[0] * plane + y * dilation[1] * line + x * dilation[2] * shape->channels;
}

pod_padded_unit pod_kernel_padded_read(const pod_padded *padded, const void *source, int64_t unit, int64_t batch,
                                       void *memory)
{
    const pod_patches *shape = &padded->shape;
    const int64_t image_bytes = pod_kernel_volume(shape->source) * shape->channels * shape->element;
    int64_t bands = bands_of(padded), image = unit / bands * padded->images;
    int64_t images = pod_smaller(padded->images, batch - image);
    assert(images > 0 && padded->band > 0); /* the unit is one of pod_kernel_padded_units() */
    int64_t first = unit % bands * padded->band;
    int64_t places[POD_MAX_SPATIAL] = {shape->places[0], shape->places[1], shape->places[2]};
    places[padded->axis] = pod_smaller(padded->band, places[padded->axis] - first);
    const char *from = (const char *)source + image * image_bytes;
    region of;
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++) {
        of.first[axis] = (axis == padded->axis ? first * shape->stride[axis] : 0) - shape->pad[axis];
        of.extent[axis] = padded->extent[axis];
    }
    pod_padded_unit made = {.extent = {places[0], places[1], places[2]},
                            .places = images * pod_kernel_volume(places),
                            .row_stride = shape->stride[2] * shape->channels};
    int64_t behind = 1; /* places behind one of the axis that is cut */
    for (int axis = padded->axis + 1; axis < POD_MAX_SPATIAL; axis++)
        behind *= shape->places[axis];
    made.first = image * pod_kernel_volume(shape->places) + first * behind;
    if (padded->copied) {
        made.a = memory;
        char *to = memory;
        for (int64_t i = 0; i < images; i++)
            to = copy_region(padded, &of, from + i * image_bytes, to);
        assert(to <= (char *)memory + copy_bytes(padded));
    } else {
        made.a = from + ((of.first[0] * shape->source[1] + of.first[1]) * shape->source[2] + of.first[2]) *
                            shape->channels * shape->element;
    }
    int64_t *groups = (int64_t *)((char *)memory + copy_bytes(padded));
    int64_t *runs = groups + groups_of(padded);
    assert(images * places[0] * places[1] <= groups_of(padded) && (uintptr_t)groups % sizeof *groups == 0);
    set_tables(padded, places, images, groups, runs);
    made.pieces = (pod_dot_pieces){places[2], padded->run_k, groups, runs};
    return made;
}
