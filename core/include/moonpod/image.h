#ifndef MOONPOD_IMAGE_H
#define MOONPOD_IMAGE_H

/*
 * image - pictures as arrays: PNG and JPEG.
 *
 *     pod_image_decoder *decoder;
 *     pod_image_type type;
 *     status = pod_image_decoder_new(context, &decoder, &error);
 *     status = pod_image_describe(decoder, bytes, size, NULL, &type, &error); // u8 (480, 640, 3)
 *     status = pod_buffer_new(context, type.dtype, &type.shape, &buffer, &error);
 *     status = pod_image_decode(decoder, bytes, size, NULL, &type, pod_buffer_data(buffer), &error);
 *     pod_image_decoder_free(decoder);
 *
 * Arrays are (height, width, channels). What a file claims is checked against its bytes before memory is
 * taken for it. Malformed pictures fail with POD_ERROR_FORMAT and the offset in the bytes.
 *
 * PNG: every colour type and depth, interlaced too; gamma and colour profiles are not applied. JPEG:
 * baseline and progressive; CMYK becomes RGB. Orientation (EXIF) is not applied. As TensorFlow's
 * decode_png and decode_jpeg have it.
 *
 * Threads: a decoder is for one thread at a time; it keeps its memory from picture to picture. What
 * libdeflate and TurboJPEG need comes from malloc.
 */

#include "moonpod/formats.h"

POD_BEGIN_C

typedef enum pod_image_format {
    POD_IMAGE_ANY, /* as the first bytes tell */
    POD_IMAGE_PNG,
    POD_IMAGE_JPEG
} pod_image_format;

typedef enum pod_image_resize { POD_RESIZE_BILINEAR, POD_RESIZE_NEAREST } pod_image_resize;

/* A zero field means its default. */
typedef struct pod_image_options {
    pod_image_format format;
    int32_t channels;      /* 1 (grey), 3 (RGB) or 4 (RGBA); default: as the picture has it, 1 to 4 */
    pod_dtype dtype;       /* POD_U8, POD_U16 or POD_F32 (the values of u8); default u8; where sizes change
                            * bilinearly f32 */
    int64_t height, width; /* to which the picture is resized, both or none: centres of pixels lie half
                            * a pixel inside, no smoothing (tf.image.resize) */
    pod_image_resize resize;
    int64_t max_pixels; /* refuse pictures of more; default 2^26 */
} pod_image_options;

/* Holds what a picture becomes. */
typedef struct pod_image_type {
    pod_dtype dtype;
    pod_shape shape; /* (height, width, channels) */
} pod_image_type;

/* Returns the type of the pixels that pictures become by these options. `options` may be NULL. */
POD_API pod_dtype pod_image_dtype(const pod_image_options *options);

typedef struct pod_image_decoder pod_image_decoder;

/* Makes a decoder. On success *decoder is the caller's, to end with pod_image_decoder_free(). */
POD_API POD_CHECKED pod_status pod_image_decoder_new(pod_context *context, pod_image_decoder **decoder,
                                                     pod_error *error);

/* NULL is allowed. */
POD_API void pod_image_decoder_free(pod_image_decoder *decoder);

/* Tells from a picture's header what it becomes. `options` may be NULL. */
POD_API POD_CHECKED pod_status pod_image_describe(pod_image_decoder *decoder, const void *bytes, size_t size,
                                                  const pod_image_options *options, pod_image_type *type,
                                                  pod_error *error);

/* Decodes a picture into `pixels`, which has room for `type`; POD_ERROR_SHAPE when the picture becomes
 * something else. `options` may be NULL. After a failure the pixels are unspecified. */
POD_API POD_CHECKED pod_status pod_image_decode(pod_image_decoder *decoder, const void *bytes, size_t size,
                                                const pod_image_options *options, const pod_image_type *type,
                                                void *pixels, pod_error *error);

/* Encodes an image as PNG: u8 of (height, width, channels), no size 0, with 1 channel (grey), 2 (grey
 * and alpha), 3 (RGB) or 4 (RGBA). Other images are POD_ERROR_DTYPE or POD_ERROR_SHAPE. What is in
 * *encoded is the caller's, to free with pod_bytes_free(). */
POD_API POD_CHECKED pod_status pod_image_encode_png(pod_context *context, const pod_buffer *image, pod_bytes *encoded,
                                                    pod_error *error);

/* Holds what a JPEG is made with. */
typedef struct pod_jpeg_options {
    int quality;       /* from 1 (small) to 100; 0: 95 */
    bool full_colours; /* colours are kept for each pixel, not for squares of four */
} pod_jpeg_options;

/* Encodes an image as baseline JPEG: u8 of (height, width, channels), sizes from 1 to 65500, with 1 channel (grey) or 3
 * (RGB); else POD_ERROR_DTYPE or POD_ERROR_SHAPE. `options` may be NULL. *encoded is the caller's, to free with
 * pod_bytes_free(). POD_ERROR_UNSUPPORTED where the library was built without TurboJPEG. */
POD_API POD_CHECKED pod_status pod_image_encode_jpeg(pod_context *context, const pod_buffer *image,
                                                     const pod_jpeg_options *options, pod_bytes *encoded,
                                                     pod_error *error);

POD_END_C

#endif
