/* jpeg_write - pictures as JPEG, by TurboJPEG. */

#include "formats/picture.h"

#define LONGEST_SIDE 65500 /* that libjpeg writes */

static pod_status check_image(const pod_buffer *image, const pod_jpeg_options *options, pod_error *error)
{
    const pod_shape *shape = pod_buffer_shape(image);
    if (pod_buffer_dtype(image) != POD_U8)
        return pod_error_set(error, POD_ERROR_DTYPE, "a picture for JPEG is uint8, not %s",
                             pod_dtype_name(pod_buffer_dtype(image)));
    if (shape->rank != 3 || (shape->dims[2] != 1 && shape->dims[2] != 3))
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "a picture for JPEG is (height, width, channels) with 1 or 3 channels");
    for (int axis = 0; axis < 2; axis++)
        if (shape->dims[axis] < 1 || shape->dims[axis] > LONGEST_SIDE)
            return pod_error_set(error, POD_ERROR_SHAPE, "a picture for JPEG has sides of 1 to %d pixels, not %lld",
                                 LONGEST_SIDE, (long long)shape->dims[axis]);
    if (options->quality < 0 || options->quality > 100)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the quality of a JPEG is from 1 to 100, not %d",
                             options->quality);
    return POD_OK;
}

#ifndef POD_WITHOUT_TURBOJPEG

#include <turbojpeg.h>

#define USUAL_QUALITY 95 /* as TensorFlow's */

static pod_status compress(pod_context *context, tjhandle jpeg, const pod_buffer *image,
                           const pod_jpeg_options *options, pod_bytes *encoded, pod_error *error)
{
    const int64_t *dims = pod_buffer_shape(image)->dims;
    const int height = (int)dims[0], width = (int)dims[1];
    const int sampling = dims[2] == 1 ? TJSAMP_GRAY : options->full_colours ? TJSAMP_444 : TJSAMP_420;
    unsigned long size = tjBufSize(width, height, sampling);
    unsigned char *block = pod_allocate(context, size);
    if (block == NULL)
        return pod_error_memory(error, "a picture", size);
    if (tjCompress2(jpeg, pod_buffer_data(image), width, 0, height, dims[2] == 1 ? TJPF_GRAY : TJPF_RGB, &block, &size,
                    sampling, options->quality > 0 ? options->quality : USUAL_QUALITY,
                    TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT) != 0) {
        pod_free(context, block);
        return pod_error_set(error, POD_ERROR_ARGUMENT, "JPEG: %s", tjGetErrorStr2(jpeg));
    }
    *encoded = (pod_bytes){block, size};
    return POD_OK;
}

static pod_status encode(pod_context *context, const pod_buffer *image, const pod_jpeg_options *options,
                         pod_bytes *encoded, pod_error *error)
{
    const tjhandle jpeg = tjInitCompress();
    if (jpeg == NULL)
        return pod_error_set(error, POD_ERROR_MEMORY, "there is no memory to encode JPEG");
    const pod_status status = compress(context, jpeg, image, options, encoded, error);
    tjDestroy(jpeg);
    return status;
}

#else
#define encode(context, image, options, encoded, error) ((void)(context), pod_format_jpeg_refuse(error))
#endif

pod_status pod_image_encode_jpeg(pod_context *context, const pod_buffer *image, const pod_jpeg_options *options,
                                 pod_bytes *encoded, pod_error *error)
{
    const pod_jpeg_options usual = {0};
    *encoded = (pod_bytes){0};
    options = options != NULL ? options : &usual;
    const pod_status status = check_image(image, options, error);
    return status == POD_OK ? encode(context, image, options, encoded, error) : status;
}
