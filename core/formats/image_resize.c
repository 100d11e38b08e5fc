/* image_resize - pictures of another size, in the single precision arithmetic of TensorFlow's kernels. */

#include "formats/picture.h"

#include <math.h>

static float sample(pod_dtype dtype, const void *pixels, size_t at)
{
    return dtype == POD_U8 ? ((const uint8_t *)pixels)[at] : ((const uint16_t *)pixels)[at];
}

static void store(pod_dtype dtype, void *pixels, size_t at, float value)
{
    if (dtype == POD_F32)
        ((float *)pixels)[at] = value;
    else if (dtype == POD_U8)
        ((uint8_t *)pixels)[at] = (uint8_t)(value + 0.5f);
    else
        ((uint16_t *)pixels)[at] = (uint16_t)(value + 0.5f);
}

/* The two pixels that a place lies between, and how far from the first. */
typedef struct between {
    int64_t low, high;
    float part;
} between;

/* Places of single precision are rounded: of sizes beyond 2^22 some lie outside, on either side. */
static int64_t inside(int64_t place, int64_t size)
{
    return place < 0 ? 0 : place > size - 1 ? size - 1 : place;
}

static between find_between(int64_t at, int64_t size, int64_t new_size)
{
    const float scale = (float)size / (float)new_size;
    const float place = ((float)at + 0.5f) * scale - 0.5f;
    const float below = floorf(place);
    return (between){inside((int64_t)below, size), inside((int64_t)ceilf(place), size), place - below};
}

static int64_t find_nearest(int64_t at, int64_t size, int64_t new_size)
{
    const float scale = (float)size / (float)new_size;
    return inside((int64_t)floorf(((float)at + 0.5f) * scale), size);
}

static void resize_bilinear(const pod_pixels *from, const void *source, const pod_pixels *to, void *result)
{
    const size_t channels = (size_t)from->channels;
    for (int64_t y = 0; y < to->height; y++) {
        const between row = find_between(y, from->height, to->height);
        const size_t top = (size_t)(row.low * from->width), bottom = (size_t)(row.high * from->width);
        for (int64_t x = 0; x < to->width; x++) {
            const between column = find_between(x, from->width, to->width);
            const size_t left = (size_t)column.low, right = (size_t)column.high;
            const size_t at = (size_t)(y * to->width + x) * channels;
            for (size_t c = 0; c < channels; c++) {
                const float a = sample(from->dtype, source, (top + left) * channels + c);
                const float b = sample(from->dtype, source, (top + right) * channels + c);
                const float d = sample(from->dtype, source, (bottom + left) * channels + c);
                const float e = sample(from->dtype, source, (bottom + right) * channels + c);
                const float above = a + (b - a) * column.part, under = d + (e - d) * column.part;
                store(to->dtype, result, at + c, above + (under - above) * row.part);
            }
        }
    }
}

static void resize_nearest(const pod_pixels *from, const void *source, const pod_pixels *to, void *result)
{
    const size_t channels = (size_t)from->channels;
    for (int64_t y = 0; y < to->height; y++) {
        const int64_t row = find_nearest(y, from->height, to->height);
        for (int64_t x = 0; x < to->width; x++) {
            const int64_t column = find_nearest(x, from->width, to->width);
            const size_t at = (size_t)(y * to->width + x) * channels;
            const size_t origin = (size_t)(row * from->width + column) * channels;
            for (size_t c = 0; c < channels; c++)
                store(to->dtype, result, at + c, sample(from->dtype, source, origin + c));
        }
    }
}

void pod_format_image_resize_pixels(const pod_pixels *from, const void *source, const pod_pixels *to, void *result,
                                    pod_image_resize method)
{
    if (method == POD_RESIZE_BILINEAR)
        resize_bilinear(from, source, to, result);
    else
        resize_nearest(from, source, to, result);
}
