#ifndef POD_FORMATS_PNG_ROWS_H
#define POD_FORMATS_PNG_ROWS_H

/* png_rows - what is behind the compression of a PNG: filters, interlacing, samples, colours. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Colour types, as the header has them. */
enum { POD_PNG_GREY = 0, POD_PNG_RGB = 2, POD_PNG_PALETTE = 3, POD_PNG_GREY_ALPHA = 4, POD_PNG_RGBA = 6 };

typedef struct pod_png {
    int64_t width, height;
    unsigned depth, colour; /* bits a sample; colour type */
    int32_t channels;       /* samples a pixel, as stored */
    bool interlaced, has_transparency;
    uint32_t palette_size;
    uint16_t transparent[3]; /* the colour that is, of grey and RGB */
    unsigned char palette[256][4];
} pod_png;

/* Returns the samples a pixel of a colour type has. */
int32_t pod_format_png_channels(unsigned colour);

/* Returns the bytes of all rows, each with the byte of its filter. */
size_t pod_format_png_data_bytes(const pod_png *png);

/* Makes pixels (height, width, wanted) of rows, u16 if `wide`, else u8; the rows are used up. `wanted` is 1:
 * grey, 2: grey and alpha, 3: RGB, 4: RGBA. False when a filter or a colour of the palette does not exist. */
bool pod_format_png_read_rows(const pod_png *png, unsigned char *rows, int32_t wanted, bool wide, void *pixels);

#endif
