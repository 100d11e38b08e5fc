/* image - decodes pictures of any kind, and brings them to what is wanted. */

#include "formats/picture.h"

#include <string.h>

#define MOST_PIXELS ((int64_t)1 << 26)

pod_status pod_image_decoder_new(pod_context *context, pod_image_decoder **decoder, pod_error *error)
{
    *decoder = pod_allocate_zeroed(context, 1, sizeof **decoder);
    if (*decoder == NULL)
        return pod_error_memory(error, "a decoder", sizeof **decoder);
    (*decoder)->context = pod_context_retain(context);
    return POD_OK;
}

void pod_image_decoder_free(pod_image_decoder *decoder)
{
    if (decoder == NULL)
        return;
    pod_context *context = decoder->context;
    pod_format_png_close(decoder);
    pod_format_jpeg_close(decoder);
    pod_free(context, decoder->packed.bytes);
    pod_free(context, decoder->rows.bytes);
    pod_free(context, decoder->pixels.bytes);
    pod_free(context, decoder);
    pod_context_release(context);
}

static const pod_image_options no_options = {0};

static bool is_resized(const pod_image_options *options)
{
    return options->height != 0 || options->width != 0;
}

pod_dtype pod_image_dtype(const pod_image_options *options)
{
    if (options == NULL)
        return POD_U8;
    if (options->dtype != POD_DTYPE_NONE)
        return options->dtype;
    return is_resized(options) && options->resize == POD_RESIZE_BILINEAR ? POD_F32 : POD_U8;
}

pod_status pod_format_image_check_options(const pod_image_options *options, pod_error *error)
{
    if (options == NULL)
        return POD_OK;
    if (options->channels != 0 && options->channels != 1 && options->channels != 3 && options->channels != 4)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "%d channels are wanted of a picture; possible are 0 (as it is), 1, 3 and 4",
                             options->channels);
    if (options->dtype != POD_DTYPE_NONE && options->dtype != POD_U8 && options->dtype != POD_U16 &&
        options->dtype != POD_F32)
        return pod_error_set(error, POD_ERROR_DTYPE, "pictures become uint8, uint16 or float32, not %s",
                             pod_dtype_name(options->dtype));
    if (is_resized(options) &&
        (options->height < 1 || options->width < 1 || options->height > MOST_PIXELS / options->width))
        return pod_error_set(error, POD_ERROR_SHAPE, "a picture cannot be resized to %lldx%lld",
                             (long long)options->height, (long long)options->width);
    if (options->max_pixels < 0 || options->max_pixels > (int64_t)1 << 40)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "max_pixels is %lld; it may be 1 to 2^40",
                             (long long)options->max_pixels);
    return POD_OK;
}

/* ---- what a picture becomes ---- */

static pod_image_format find_format(const unsigned char *bytes, size_t size)
{
    if (size >= 4 && memcmp(bytes, "\x89PNG", 4) == 0)
        return POD_IMAGE_PNG;
    if (size >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0)
        return POD_IMAGE_JPEG;
    return POD_IMAGE_ANY;
}

/* Pixels are held as they come out of the file, and then once more as they are wanted. */
static pod_status check_room(const pod_image_decoder *decoder, const pod_picture *picture,
                             const pod_image_options *options, pod_error *error)
{
    const uint64_t most = pod_context_unpacked_bytes(decoder->context);
    const bool resized = is_resized(options);
    const uint64_t pixels = (uint64_t)(picture->height * picture->width);
    const uint64_t results = resized ? (uint64_t)(options->height * options->width) : pixels;
    const uint64_t larger = pixels > results ? pixels : results;
    const uint64_t pixel = (uint64_t)picture->wanted * pod_dtype_size(pod_image_dtype(options));
    if (larger <= most / pixel)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_MEMORY,
                         "the picture becomes %llu pixels of %llu bytes, more than the %llu bytes that may be "
                         "unpacked at once; pod_context_set_unpacked_bytes() allows more",
                         (unsigned long long)larger, (unsigned long long)pixel, (unsigned long long)most);
}

static pod_status open_picture(pod_image_decoder *decoder, const void *bytes, size_t size,
                               const pod_image_options *options, pod_picture *picture, pod_error *error)
{
    static const char *const names[] = {"a picture of PNG or JPEG", "a PNG", "a JPEG"};
    pod_status status = pod_format_image_check_options(options, error);
    if (status != POD_OK)
        return status;
    *picture = (pod_picture){.bytes = bytes, .size = size, .format = find_format(bytes, size)};
    if (picture->format == POD_IMAGE_ANY || (options->format != POD_IMAGE_ANY && options->format != picture->format))
        return pod_error_set(error, POD_ERROR_FORMAT, "%s is expected, but %s", names[options->format],
                             size == 0                          ? "there are no bytes"
                             : picture->format == POD_IMAGE_ANY ? "the bytes do not begin like one"
                             : picture->format == POD_IMAGE_PNG ? "this is a PNG"
                                                                : "this is a JPEG");
    status = picture->format == POD_IMAGE_PNG ? pod_format_png_describe(picture, error)
                                              : pod_format_jpeg_describe(decoder, picture, error);
    if (status != POD_OK)
        return status;
    const int64_t most = options->max_pixels > 0 ? options->max_pixels : MOST_PIXELS;
    if (picture->height > most / picture->width)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "the picture has %lldx%lld pixels, more than the %lld that are allowed "
                             "(max_pixels)",
                             (long long)picture->height, (long long)picture->width, (long long)most);
    picture->wanted = options->channels > 0 ? options->channels : picture->channels;
    picture->wide = options->dtype == POD_U16;
    return check_room(decoder, picture, options, error);
}

static void describe(const pod_picture *picture, const pod_image_options *options, pod_image_type *type)
{
    const bool resized = is_resized(options);
    type->dtype = pod_image_dtype(options);
    type->shape = (pod_shape){
        3, {resized ? options->height : picture->height, resized ? options->width : picture->width, picture->wanted}};
}

pod_status pod_image_describe(pod_image_decoder *decoder, const void *bytes, size_t size,
                              const pod_image_options *options, pod_image_type *type, pod_error *error)
{
    pod_picture picture;
    if (options == NULL)
        options = &no_options;
    const pod_status status = open_picture(decoder, bytes, size, options, &picture, error);
    if (status == POD_OK)
        describe(&picture, options, type);
    return status;
}

static pod_status decode(pod_image_decoder *decoder, const pod_picture *picture, void *pixels, pod_error *error)
{
    return picture->format == POD_IMAGE_PNG ? pod_format_png_decode(decoder, picture, pixels, error)
                                            : pod_format_jpeg_decode(decoder, picture, pixels, error);
}

/* Decodes, then brings the pixels to size and type. */
static pod_status decode_changed(pod_image_decoder *decoder, const pod_picture *picture,
                                 const pod_image_options *options, const pod_image_type *type, void *pixels,
                                 pod_error *error)
{
    const pod_dtype own = picture->wide ? POD_U16 : POD_U8;
    const size_t count = (size_t)picture->height * (size_t)picture->width * (size_t)picture->wanted;
    pod_status status = pod_format_scratch_reserve(decoder, &decoder->pixels, count * pod_dtype_size(own), error);
    if (status == POD_OK)
        status = decode(decoder, picture, decoder->pixels.bytes, error);
    if (status != POD_OK)
        return status;
    if (!is_resized(options)) {
        pod_convert(own, decoder->pixels.bytes, type->dtype, pixels, count);
        return POD_OK;
    }
    const pod_pixels from = {own, picture->height, picture->width, picture->wanted};
    const pod_pixels to = {type->dtype, options->height, options->width, picture->wanted};
    pod_format_image_resize_pixels(&from, decoder->pixels.bytes, &to, pixels, options->resize);
    return POD_OK;
}

pod_status pod_image_decode(pod_image_decoder *decoder, const void *bytes, size_t size,
                            const pod_image_options *options, const pod_image_type *type, void *pixels,
                            pod_error *error)
{
    pod_picture picture;
    pod_image_type own;
    char found[POD_SHAPE_TEXT_SIZE], expected[POD_SHAPE_TEXT_SIZE];
    if (options == NULL)
        options = &no_options;
    const pod_status status = open_picture(decoder, bytes, size, options, &picture, error);
    if (status != POD_OK)
        return status;
    describe(&picture, options, &own);
    if (own.dtype != type->dtype || !pod_shape_equal(&own.shape, &type->shape))
        return pod_error_set(error, POD_ERROR_SHAPE, "the picture becomes %s %s, but %s %s is expected",
                             pod_dtype_name(own.dtype), pod_shape_format(&own.shape, found),
                             pod_dtype_name(type->dtype), pod_shape_format(&type->shape, expected));
    if (is_resized(options) || own.dtype == POD_F32)
        return decode_changed(decoder, &picture, options, type, pixels, error);
    return decode(decoder, &picture, pixels, error);
}
