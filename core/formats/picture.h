#ifndef POD_FORMATS_PICTURE_H
#define POD_FORMATS_PICTURE_H

/*
 * picture - what the readers of pictures share. See moonpod/image.h.
 */

#include "moonpod/image.h"

#include "base/context.h"

/* Memory that grows and is kept. */
typedef struct pod_scratch {
    unsigned char *bytes;
    size_t room;
} pod_scratch;

struct libdeflate_decompressor;

struct pod_image_decoder {
    pod_context *context;                     /* shared */
    struct libdeflate_decompressor *inflater; /* made when it is first needed */
    void *jpeg;                               /* TurboJPEG's handle, made when it is first needed */
    pod_scratch packed;                       /* PNG: the compressed data, where it is in several pieces */
    pod_scratch rows;                         /* PNG: filtered rows; JPEG: pixels of another form than is wanted */
    pod_scratch pixels;                       /* a picture before it is resized */
};

/* Checks options, which may be NULL: POD_ERROR_ARGUMENT tells what is wrong with them. */
POD_CHECKED pod_status pod_format_image_check_options(const pod_image_options *options, pod_error *error);

/* A picture by its header. */
typedef struct pod_picture {
    const unsigned char *bytes;
    size_t size;
    pod_image_format format;
    int64_t height, width;
    int32_t channels; /* that the picture itself has */
    bool has_inks;    /* JPEG: four of them, of which colours are made */
    int32_t wanted;   /* channels of the result */
    bool wide;        /* results are u16 */
} pod_picture;

/* Makes room for `size` bytes; what is there may be lost. */
pod_status pod_format_scratch_reserve(pod_image_decoder *decoder, pod_scratch *scratch, size_t size, pod_error *error);

/* Reads a header: fills in height, width and channels. */
pod_status pod_format_png_describe(pod_picture *picture, pod_error *error);

/* Decodes into u8 or u16 samples (height, width, wanted). */
pod_status pod_format_png_decode(pod_image_decoder *decoder, const pod_picture *picture, void *pixels,
                                 pod_error *error);

/* Ends what a decoder keeps for PNG. */
void pod_format_png_close(pod_image_decoder *decoder);

/* The same of JPEG; without TurboJPEG each is refused where it is described. */
#ifndef POD_WITHOUT_TURBOJPEG
pod_status pod_format_jpeg_describe(pod_image_decoder *decoder, pod_picture *picture, pod_error *error);
pod_status pod_format_jpeg_decode(pod_image_decoder *decoder, const pod_picture *picture, void *pixels,
                                  pod_error *error);
void pod_format_jpeg_close(pod_image_decoder *decoder);
#else
#define pod_format_jpeg_refuse(error)                                                                                  \
    pod_error_set(error, POD_ERROR_UNSUPPORTED,                                                                        \
                  "JPEG: this build of Moonpod has no TurboJPEG; build it with libturbojpeg for pictures")
#define pod_format_jpeg_describe(decoder, picture, error)       pod_format_jpeg_refuse(error)
#define pod_format_jpeg_decode(decoder, picture, pixels, error) pod_format_jpeg_refuse(error)
#define pod_format_jpeg_close(decoder)                          ((void)(decoder))
#endif

/* An array of pixels. */
typedef struct pod_pixels {
    pod_dtype dtype; /* of the source POD_U8 or POD_U16; of the result POD_F32 too */
    int64_t height, width;
    int32_t channels;
} pod_pixels;

/* Resizes as tf.image.resize does: an output pixel's centre lies at (i + 0.5) * size / new_size - 0.5 of the
 * source. Results are converted to their type: rounded to the nearest where they are integers. */
void pod_format_image_resize_pixels(const pod_pixels *from, const void *source, const pod_pixels *to, void *result,
                                    pod_image_resize method);

#endif
