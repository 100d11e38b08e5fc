/* png_rows - makes pixels of a PNG's rows. */

#include "formats/png_rows.h"
#include "base/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int32_t pod_format_png_channels(unsigned colour)
{
    static const int32_t channels[] = {
        [POD_PNG_GREY] = 1, [POD_PNG_RGB] = 3, [POD_PNG_PALETTE] = 1, [POD_PNG_GREY_ALPHA] = 2, [POD_PNG_RGBA] = 4};
    return channels[colour];
}

/* ---- passes: an interlaced picture is seven small ones ---- */

typedef struct pass {
    int64_t x, y, dx, dy;  /* first pixel, and from one to the next */
    int64_t width, height; /* pixels of the pass */
    size_t row_bytes;      /* without the filter's */
} pass;

static int pass_count(const pod_png *png)
{
    return png->interlaced ? 7 : 1;
}

static pass get_pass(const pod_png *png, int index)
{
    static const int64_t steps[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                        {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    pass one = {0, 0, 1, 1, png->width, png->height, 0};
    if (png->interlaced) {
        one = (pass){steps[index][0], steps[index][1], steps[index][2], steps[index][3], 0, 0, 0};
        one.width = (png->width - one.x + one.dx - 1) / one.dx;
        one.height = one.width > 0 ? (png->height - one.y + one.dy - 1) / one.dy : 0;
    }
    assert(one.x + (one.width - 1) * one.dx < png->width && one.y + (one.height - 1) * one.dy < png->height);
    one.row_bytes = ((size_t)one.width * (size_t)png->channels * png->depth + 7) / 8;
    return one;
}

size_t pod_format_png_data_bytes(const pod_png *png)
{
    size_t bytes = 0;
    for (int i = 0; i < pass_count(png); i++) {
        const pass one = get_pass(png, i);
        bytes += (size_t)one.height * (one.row_bytes + 1);
    }
    return bytes;
}

/* ---- filters: rows are kept as differences from their neighbours ---- */

/* Of left, above and corner the one nearest to left + above - corner. Without branches: which it is cannot be
 * foreseen. */
static inline int paeth(int left, int above, int corner)
{
    const int toward_left = above - corner, toward_above = left - corner;
    const int from_left = abs(toward_left), from_above = abs(toward_above);
    const int from_corner = abs(toward_left + toward_above);
    const int nearer = from_above <= from_corner ? above : corner;
    const int nearest = from_above <= from_corner ? from_above : from_corner;
    return from_left <= nearest ? left : nearer;
}

/* Pixels of one byte: what is left stays in a register. */
static void take_paeth_back(unsigned char *row, const unsigned char *above, size_t bytes)
{
    int left = 0, corner = 0;
    for (size_t i = 0; i < bytes; i++) {
        left = (row[i] + paeth(left, above[i], corner)) & 255;
        corner = above[i];
        row[i] = (unsigned char)left;
    }
}

/* Takes a filter back. `above` is the row before, or NULL; `step` the bytes of a pixel. */
static bool take_filter_back(unsigned filter, unsigned char *row, const unsigned char *above, size_t bytes, size_t step)
{
    const size_t head = bytes < step ? bytes : step;
    switch (filter) {
    case 0:
        return true;
    case 1:
        for (size_t i = step; i < bytes; i++)
            row[i] = (unsigned char)(row[i] + row[i - step]);
        return true;
    case 2:
        for (size_t i = 0; above != NULL && i < bytes; i++)
            row[i] = (unsigned char)(row[i] + above[i]);
        return true;
    case 3:
        for (size_t i = 0; above != NULL && i < head; i++)
            row[i] = (unsigned char)(row[i] + above[i] / 2);
        for (size_t i = step; i < bytes; i++)
            row[i] = (unsigned char)(row[i] + (row[i - step] + (above != NULL ? above[i] : 0)) / 2);
        return true;
    case 4:
        if (above != NULL && step == 1) {
            take_paeth_back(row, above, bytes);
            return true;
        }
        for (size_t i = 0; above != NULL && i < head; i++)
            row[i] = (unsigned char)(row[i] + above[i]);
        for (size_t i = step; i < bytes; i++)
            row[i] = (unsigned char)(row[i] +
                                     (above == NULL ? row[i - step] : paeth(row[i - step], above[i], above[i - step])));
        return true;
    default:
        return false;
    }
}

/* ---- pixels ---- */

/* Holds what a pixel is made for. */
typedef struct pixel_target {
    int32_t channels;
    bool wide;
    void *pixels;
} pixel_target;

static unsigned read_sample(const pod_png *png, const unsigned char *row, size_t index)
{
    if (png->depth == 8)
        return row[index];
    if (png->depth == 16)
        return pod_big_u16(row + 2 * index);
    const size_t bit = index * png->depth;
    return row[bit / 8] >> (8 - png->depth - bit % 8) & ((1u << png->depth) - 1);
}

/* A pixel as four samples of 8 or 16 bits. */
typedef struct colour {
    unsigned red, green, blue, alpha;
} colour;

static bool read_colour(const pod_png *png, const unsigned char *row, size_t x, colour *found)
{
    const unsigned most = png->depth == 16 ? 65535 : 255;
    const unsigned scale = png->depth < 8 ? 255 / ((1u << png->depth) - 1) : 1;
    const size_t at = x * (size_t)png->channels;
    const unsigned first = read_sample(png, row, at);
    bool is_clear = png->has_transparency && first == png->transparent[0];
    switch (png->colour) {
    case POD_PNG_PALETTE:
        if (first >= png->palette_size)
            return false;
        *found =
            (colour){png->palette[first][0], png->palette[first][1], png->palette[first][2], png->palette[first][3]};
        return true;
    case POD_PNG_GREY:
        *found = (colour){first * scale, first * scale, first * scale, is_clear ? 0 : most};
        return true;
    case POD_PNG_GREY_ALPHA:
        *found = (colour){first, first, first, read_sample(png, row, at + 1)};
        return true;
    default:
        *found = (colour){first, read_sample(png, row, at + 1), read_sample(png, row, at + 2), most};
        is_clear &= found->green == png->transparent[1] && found->blue == png->transparent[2];
        if (png->colour == POD_PNG_RGBA)
            found->alpha = read_sample(png, row, at + 3);
        else if (is_clear)
            found->alpha = 0;
        return true;
    }
}

/* The luma of ITU-R BT.601 in 15 bits, as TensorFlow asks libpng for it: rounded for 16 bit samples only. */
static unsigned grey_of(const pod_png *png, const colour *from)
{
    if (from->red == from->green && from->red == from->blue)
        return from->red;
    const unsigned sum = 9797 * from->red + 19234 * from->green + 3737 * from->blue;
    return (sum + (png->depth == 16 ? 16384 : 0)) >> 15;
}

static void store(const pod_png *png, const pixel_target *to, size_t at, const unsigned *samples)
{
    for (int32_t i = 0; i < to->channels; i++) {
        const size_t place = at * (size_t)to->channels + (size_t)i;
        if (to->wide)
            ((uint16_t *)to->pixels)[place] = (uint16_t)(png->depth == 16 ? samples[i] : samples[i] * 257);
        else
            ((uint8_t *)to->pixels)[place] = (uint8_t)(png->depth == 16 ? samples[i] >> 8 : samples[i]);
    }
}

static bool store_colours(const pod_png *png, const pass *one, const unsigned char *row, int64_t y,
                          const pixel_target *to)
{
    const size_t begin = (size_t)(one->y + y * one->dy) * (size_t)png->width + (size_t)one->x;
    colour found;
    for (int64_t x = 0; x < one->width; x++) {
        if (!read_colour(png, row, (size_t)x, &found))
            return false;
        if (to->channels < 3)
            found.red = grey_of(png, &found);
        const unsigned samples[4] = {found.red, to->channels == 2 ? found.alpha : found.green, found.blue, found.alpha};
        store(png, to, begin + (size_t)(x * one->dx), samples);
    }
    return true;
}

static bool is_as_stored(const pod_png *png, const pixel_target *to)
{
    return png->depth == 8 && png->colour != POD_PNG_PALETTE && !png->interlaced && !to->wide &&
           to->channels == png->channels;
}

bool pod_format_png_read_rows(const pod_png *png, unsigned char *rows, int32_t wanted, bool wide, void *pixels)
{
    const pixel_target to = {wanted, wide, pixels};
    const bool as_stored = is_as_stored(png, &to);
    const size_t pixel_bytes = (size_t)png->channels * png->depth / 8;
    for (int i = 0; i < pass_count(png); i++) {
        const pass one = get_pass(png, i);
        const unsigned char *above = NULL;
        for (int64_t y = 0; y < one.height; y++) {
            unsigned char *row = rows + 1;
            assert(above == NULL || above + one.row_bytes + 1 == row);
            if (!take_filter_back(rows[0], row, above, one.row_bytes, pixel_bytes > 0 ? pixel_bytes : 1))
                return false;
            if (as_stored)
                memcpy((unsigned char *)pixels + (size_t)y * one.row_bytes, row, one.row_bytes);
            else if (!store_colours(png, &one, row, y, &to))
                return false;
            above = row;
            rows += one.row_bytes + 1;
        }
    }
    return true;
}
