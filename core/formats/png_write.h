#ifndef POD_FORMATS_PNG_WRITE_H
#define POD_FORMATS_PNG_WRITE_H

/* png_write - pictures as PNG. */

#include "moonpod/formats.h"

/* Of a picture: samples of 8 bits, row by row. */
typedef struct pod_png_pixels {
    int64_t height, width; /* from 1 to 2^31 - 1 */
    int channels;          /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
} pod_png_pixels;

/* Encodes a picture. *encoded is the caller's, to free with pod_bytes_free(). */
POD_CHECKED pod_status pod_format_png_encode(pod_context *context, const pod_png_pixels *picture,
                                             const unsigned char *pixels, pod_bytes *encoded, pod_error *error);

#endif
