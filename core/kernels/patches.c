#include "kernels/patches.h"

#include "base/sizes.h"
#include "kernels/reference/walk.h"

#include <string.h>

/* Copies few or many bytes (a multiple of 2): most runs are so short that a call would cost more. */
static inline void copy(char *to, const char *from, int64_t bytes)
{
    if (bytes > 32) {
        memcpy(to, from, (size_t)bytes);
    } else if (bytes >= 16) { /* two copies that overlap where they must */
        char first[16], last[16];
        memcpy(first, from, 16);
        memcpy(last, from + bytes - 16, 16);
        memcpy(to, first, 16);
        memcpy(to + bytes - 16, last, 16);
    } else if (bytes >= 8) {
        uint64_t first, last;
        memcpy(&first, from, 8);
        memcpy(&last, from + bytes - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + bytes - 8, &last, 8);
    } else {
        for (int64_t i = 0; i < bytes; i += 2)
            memcpy(to + i, from + i, 2);
    }
}

/* The place of the source on one axis, or -1 where there is nothing. */
static inline int64_t meet(const pod_patches *shape, int axis, int64_t place, int64_t tap)
{
    int64_t at = place * shape->stride[axis] - shape->pad[axis] + tap * shape->dilation[axis];
    return at >= 0 && at < shape->source[axis] ? at : -1;
}

/* Copies taps begin .. end - 1 of the last axis for one place; `line` is the line of the source. */
static inline void gather_line(const pod_patches *shape, char *to, const char *line, int64_t place, int64_t begin,
                               int64_t end)
{
    int64_t bytes = shape->depth * shape->element, step = shape->channels * shape->element;
    if (bytes == step && shape->dilation[2] == 1) {
        int64_t at = place * shape->stride[2] - shape->pad[2];
        if (at + begin >= 0 && at + end <= shape->source[2]) {
            copy(to, line + (at + begin) * step, (end - begin) * step);
            return;
        }
        int64_t first = pod_smaller(pod_larger(begin, -at), end);
        int64_t last = pod_larger(pod_smaller(end, shape->source[2] - at), first);
        memset(to, 0, (size_t)((first - begin) * step));
        copy(to + (first - begin) * step, line + (first < last ? (at + first) * step : 0), (last - first) * step);
        memset(to + (last - begin) * step, 0, (size_t)((end - last) * step));
        return;
    }
    for (int64_t tap = begin; tap < end; tap++, to += bytes) {
        int64_t at = meet(shape, 2, place, tap);
        if (at >= 0)
            copy(to, line + at * step, bytes);
        else
            memset(to, 0, (size_t)bytes);
    }
}

/* Writes taps begin .. end - 1 (all axes) of the patch of one place; returns its end. */
static inline char *gather_patch(const pod_patches *shape, char *to, const char *image,
                                 const int64_t place[POD_MAX_SPATIAL], int64_t begin, int64_t end)
{
    int64_t width = shape->size[2], step = shape->channels * shape->element;
    int64_t tap = 0;
    for (int64_t z = 0; z < shape->size[0]; z++)
        for (int64_t y = 0; y < shape->size[1]; y++, tap += width) {
            int64_t first = pod_larger(begin - tap, 0), last = pod_smaller(end - tap, width);
            if (first >= last)
                continue;
            int64_t at_z = meet(shape, 0, place[0], z), at_y = meet(shape, 1, place[1], y);
            int64_t bytes = (last - first) * shape->depth * shape->element;
            if (at_z < 0 || at_y < 0) {
                memset(to, 0, (size_t)bytes);
            } else {
                const char *line = image + (at_z * shape->source[1] + at_y) * shape->source[2] * step;
                gather_line(shape, to, line, place[2], first, last);
            }
            to += bytes;
        }
    return to;
}

static void gather_rows(const pod_patches *shape, char *to, const char *source, int64_t first, int64_t count,
                        int64_t begin, int64_t end)
{
    const int64_t *places = shape->places;
    const int64_t image_bytes = pod_kernel_volume(shape->source) * shape->channels * shape->element;
    int64_t place[POD_MAX_SPATIAL] = {first / (places[2] * places[1]) % places[0], first / places[2] % places[1],
                                      first % places[2]};
    const char *image = source + first / pod_kernel_volume(places) * image_bytes;
    for (int64_t row = 0; row < count; row++) {
        to = gather_patch(shape, to, image, place, begin, end);
        if (++place[2] < places[2])
            continue;
        place[2] = 0;
        if (++place[1] < places[1])
            continue;
        place[1] = 0;
        if (++place[0] < places[0])
            continue;
        place[0] = 0;
        image += image_bytes;
    }
}

/* Where a tap of one channel reads. */
typedef struct tap_line {
    int64_t tap[POD_MAX_SPATIAL];
    int64_t first, last; /* places of the last axis that meet the source */
} tap_line;

static tap_line find_tap_line(const pod_patches *shape, int64_t tap)
{
    tap_line line = {
        .tap = {tap / shape->size[2] / shape->size[1], tap / shape->size[2] % shape->size[1], tap % shape->size[2]}};
    while (line.first < shape->places[2] && meet(shape, 2, line.first, line.tap[2]) < 0)
        line.first++;
    line.last = line.first;
    while (line.last < shape->places[2] && meet(shape, 2, line.last, line.tap[2]) >= 0)
        line.last++;
    return line;
}

/* Writes one tap of one channel of the places first .. first + count - 1, next to each other. */
static void gather_tap(const pod_patches *shape, char *to, const char *source, const tap_line *line, int64_t first,
                       int64_t count)
{
    const int64_t *places = shape->places, element = shape->element;
    const int64_t step = shape->stride[2] * shape->channels;
    while (count > 0) {
        int64_t x = first % places[2], run = pod_smaller(places[2] - x, count);
        int64_t at_y = meet(shape, 1, first / places[2] % places[1], line->tap[1]);
        int64_t at_z = meet(shape, 0, first / (places[2] * places[1]) % places[0], line->tap[0]);
        int64_t begin = pod_smaller(pod_larger(line->first - x, 0), run);
        int64_t end = pod_larger(pod_smaller(line->last - x, run), begin);
        if (at_y < 0 || at_z < 0)
            begin = end = run;
        memset(to, 0, (size_t)(begin * element));
        if (begin < end) {
            int64_t at = (first / pod_kernel_volume(places) * shape->source[0] + at_z) * shape->source[1] + at_y;
            at = at * shape->source[2] + meet(shape, 2, x + begin, line->tap[2]);
            pod_kernel_line_copy((size_t)element, to + begin * element, 1, source + at * shape->channels * element,
                                 step, end - begin);
        }
        memset(to + end * element, 0, (size_t)((run - end) * element));
        to += run * element;
        first += run;
        count -= run;
    }
}

static void gather_columns(const pod_patches *shape, char *to, int64_t stride, const char *source, int64_t first,
                           int64_t count, int64_t begin, int64_t end)
{
    for (int64_t tap = begin; tap < end; tap++) {
        tap_line line = find_tap_line(shape, tap);
        for (int64_t c = 0; c < shape->depth; c++, to += stride * shape->element)
            gather_tap(shape, to, source + c * shape->element, &line, first, count);
    }
}

void pod_kernel_patches_gather(const pod_patches *shape, void *to, const void *source, int64_t first, int64_t count,
                               int64_t begin, int64_t end, int64_t column_stride)
{
    if (pod_kernel_patches_are_columns(shape))
        gather_columns(shape, to, column_stride, source, first, count, begin, end);
    else
        gather_rows(shape, to, source, first, count, begin, end);
}

/* ---- lines ------------------------------------------------------------------------------------- */

bool pod_kernel_patches_overlap(const pod_patches *shape)
{
    return shape->stride[2] == 1 && shape->dilation[2] == 1 && shape->size[2] > 1 &&
           pod_kernel_volume(shape->size) > 0 && shape->places[2] > 0 && !pod_kernel_patches_are_columns(shape);
}

pod_patch_lines pod_kernel_patches_find_lines(const pod_patches *shape)
{
    int64_t columns = shape->places[2] + shape->size[2] - 1;
    int64_t before = shape->pad[2], after = columns - before - shape->source[2];
    int64_t shared = pod_smaller(pod_larger(pod_smaller(before, after), 0), columns - shape->places[2]);
    return (pod_patch_lines){
        .together = shape->size[0] * shape->size[1] * shape->depth, .pitch = columns - shared, .behind = shared};
}

/* Copies `count` runs of `bytes`. */
static inline void copy_runs(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t bytes,
                             int64_t count)
{
    if (bytes == 64) { /* constants make for straight code */
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, 64);
    } else if (bytes == 128) {
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * to_step, from + i * from_step, 128);
    } else {
        for (int64_t i = 0; i < count; i++)
            copy(to + i * to_step, from + i * from_step, bytes);
    }
}

/* Fills `count` runs of `bytes` with zeros. */
static inline void clear_runs(char *to, int64_t step, int64_t bytes, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        memset(to + i * step, 0, (size_t)bytes);
}

void pod_kernel_patches_gather_lines(const pod_patches *shape, const pod_patch_lines *lines, void *to,
                                     const void *source, int64_t first, int64_t count)
{
    const int64_t *places = shape->places, *in = shape->source;
    const int64_t bytes = shape->depth * shape->element, step = shape->channels * shape->element;
    const int64_t column = lines->together * shape->element;
    /* Columns of the source that lie in a line. */
    const int64_t begin = pod_smaller(pod_larger(shape->pad[2], 0), lines->pitch);
    const int64_t end = pod_larger(pod_smaller(in[2] + shape->pad[2], lines->pitch), begin);
    char *at = to;
    for (int64_t line = first; line < first + count; line++, at += lines->pitch * column) {
        int64_t y = line % places[1], z = line / places[1] % places[0];
        const char *image = (const char *)source + line / places[1] / places[0] * in[0] * in[1] * in[2] * step;
        char *tap = at;
        for (int64_t i = 0; i < shape->size[0]; i++)
            for (int64_t j = 0; j < shape->size[1]; j++, tap += bytes) {
                int64_t at_z = meet(shape, 0, z, i), at_y = meet(shape, 1, y, j);
                bool inside = at_z >= 0 && at_y >= 0 && begin < end;
                if (!inside) {
                    clear_runs(tap, column, bytes, lines->pitch);
                    continue;
                }
                const char *from = image + ((at_z * in[1] + at_y) * in[2] + begin - shape->pad[2]) * step;
                clear_runs(tap, column, bytes, begin);
                copy_runs(tap + begin * column, column, from, step, bytes, end - begin);
                clear_runs(tap + end * column, column, bytes, lines->pitch - end);
            }
    }
    memset(at, 0, (size_t)(lines->behind * column));
}
