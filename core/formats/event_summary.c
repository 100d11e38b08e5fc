/* event_summary - scalars, pictures, texts and models in event files. */

#include "formats/event_file.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/float16.h"
#include "formats/png_write.h"

static const pod_bytes no_content = {0};

/* A tensor's content: an f32 as everybody writes it, an f64 where that would be infinite. */
static void put_number(pod_text *text, bool single, double value)
{
    unsigned char bytes[4];
    if (single) {
        pod_put_little_u32(bytes, pod_f32_bits((float)value));
        pod_format_put_bytes(text, 4, bytes, sizeof bytes);
        return;
    }
    pod_format_put_header(text, 4, sizeof value);
    pod_format_append_double(text, value);
}

pod_status pod_event_scalar(pod_event_writer *writer, int64_t step, const char *tag, double value, pod_error *error)
{
    pod_event_draft draft;
    const pod_shape scalar = {0};
    const bool fits = pod_element_from_real(POD_F32, value, &(float){0}, NULL) == POD_OK;
    const pod_status status = pod_format_event_begin(writer, step, tag, "scalars", no_content, &draft, error);
    if (status != POD_OK)
        return status;
    pod_format_event_tensor_type(draft.text, fits ? POD_TF_FLOAT : POD_TF_DOUBLE, &scalar);
    put_number(draft.text, fits, value);
    return pod_format_event_end(&draft, error);
}

pod_status pod_event_text(pod_event_writer *writer, int64_t step, const char *tag, const pod_shape *shape,
                          const pod_bytes *texts, pod_error *error)
{
    pod_event_draft draft;
    const int64_t count = pod_shape_elements(shape);
    if (shape->rank > 2 || count < 0)
        return pod_error_set(error, POD_ERROR_SHAPE, "texts of rank %d: one, a list or a table can be shown",
                             (int)shape->rank);
    pod_status status = POD_OK;
    for (int64_t i = 0; status == POD_OK && i < count; i++)
        status = pod_format_event_check_text("a text", texts[i].data, texts[i].size, error);
    if (status == POD_OK)
        status = pod_format_event_begin(writer, step, tag, "text", no_content, &draft, error);
    if (status != POD_OK)
        return status;
    pod_format_event_tensor_type(draft.text, POD_TF_STRING, shape);
    for (int64_t i = 0; i < count; i++)
        pod_format_put_bytes(draft.text, 8, texts[i].data, texts[i].size);
    return pod_format_event_end(&draft, error);
}

pod_status pod_event_keras_model(pod_event_writer *writer, int64_t step, const char *tag, const pod_bytes *json,
                                 pod_error *error)
{
    pod_event_draft draft;
    const pod_shape scalar = {0};
    const pod_bytes version = {"1", 1};
    pod_status status = pod_format_event_check_text("a model's JSON", json->data, json->size, error);
    if (status == POD_OK)
        status = pod_format_event_begin(writer, step, tag, "graph_keras_model", version, &draft, error);
    if (status != POD_OK)
        return status;
    pod_format_event_tensor_type(draft.text, POD_TF_STRING, &scalar);
    pod_format_put_bytes(draft.text, 8, json->data, json->size);
    return pod_format_event_end(&draft, error);
}

/* ---- pictures ---- */

static pod_status check_images(const pod_buffer *images, pod_error *error)
{
    const pod_shape *shape = pod_buffer_shape(images);
    const pod_dtype dtype = pod_buffer_dtype(images);
    char text[POD_SHAPE_TEXT_SIZE];
    if (shape->rank != 4 || shape->dims[1] < 1 || shape->dims[2] < 1 || shape->dims[3] < 1 || shape->dims[3] > 4)
        return pod_error_set(
            error, POD_ERROR_SHAPE,
            "pictures have the shape (k, height, width, channels) with 1 to 4 channels and at least one "
            "pixel, not %s",
            pod_shape_format(shape, text));
    if (dtype != POD_U8 && !pod_dtype_is_float(dtype))
        return pod_error_set(error, POD_ERROR_DTYPE, "pictures are uint8 (0 to 255) or floats (0 to 1), not %s",
                             pod_dtype_name(dtype));
    return POD_OK;
}

/* Converts to u8 as tf.image.convert_image_dtype does: 0 to 1 becomes 0 to 255.5, cut off. */
static void convert_pixels(pod_dtype dtype, const unsigned char *from, unsigned char *to, size_t count)
{
    const size_t size = pod_dtype_size(dtype);
    for (size_t i = 0; i < count; i++) {
        float value;
        pod_convert(dtype, from + i * size, POD_F32, &value, 1);
        value *= 255.5F;
        to[i] = (unsigned char)(value > 0 ? value < 255 ? value : 255 : 0);
    }
}

static pod_status put_images(pod_text *text, const pod_buffer *images, int64_t count, pod_error *error)
{
    const pod_shape *shape = pod_buffer_shape(images);
    const pod_dtype dtype = pod_buffer_dtype(images);
    const pod_png_pixels picture = {shape->dims[1], shape->dims[2], (int)shape->dims[3]};
    const size_t elements = (size_t)(shape->dims[1] * shape->dims[2] * shape->dims[3]);
    pod_context *context = text->context;
    const unsigned char *from = pod_buffer_data(images);
    unsigned char *converted = dtype != POD_U8 ? pod_allocate(context, elements) : NULL;
    if (dtype != POD_U8 && converted == NULL)
        return pod_error_memory(error, "a picture", elements);
    pod_status status = POD_OK;
    for (int64_t i = 0; status == POD_OK && i < count; i++, from += elements * pod_dtype_size(dtype)) {
        pod_bytes encoded;
        if (converted != NULL)
            convert_pixels(dtype, from, converted, elements);
        status = pod_format_png_encode(context, &picture, converted != NULL ? converted : from, &encoded, error);
        if (status == POD_OK)
            pod_format_put_bytes(text, 8, encoded.data, encoded.size);
        pod_bytes_free(context, &encoded);
    }
    pod_free(context, converted);
    return status;
}

pod_status pod_event_image(pod_event_writer *writer, int64_t step, const char *tag, const pod_buffer *images,
                           int64_t most, pod_error *error)
{
    pod_event_draft draft;
    pod_status status = check_images(images, error);
    if (status == POD_OK)
        status = pod_format_event_begin(writer, step, tag, "images", no_content, &draft, error);
    if (status != POD_OK)
        return status;
    const pod_shape *shape = pod_buffer_shape(images);
    const int64_t count = shape->dims[0] < most ? shape->dims[0] : most;
    const pod_shape strings = {1, {count + 2}};
    pod_format_event_tensor_type(draft.text, POD_TF_STRING, &strings);
    for (int axis = 2; axis >= 1; axis--) { /* width, then height */
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)shape->dims[axis]);
        pod_format_put_text(draft.text, 8, number);
    }
    status = put_images(draft.text, images, count, error);
    if (status == POD_OK)
        return pod_format_event_end(&draft, error);
    pod_format_event_drop(&draft);
    return status;
}
