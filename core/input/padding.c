/* padding - see padding.h. */

#include "input/padding.h"

#include <string.h>

/* Finds the padded shape of a component: as given, or unknown sizes as large as needed. */
static pod_status choose_shape(const pod_component *component, size_t index, const pod_shape *wanted, pod_shape *shape,
                               const char *stage, pod_error *error)
{
    char has[POD_SHAPE_TEXT_SIZE], given[POD_SHAPE_TEXT_SIZE];
    *shape = component->shape;
    if (wanted == NULL)
        return POD_OK;
    bool fits = wanted->rank == shape->rank;
    for (int32_t axis = 0; fits && axis < shape->rank; axis++)
        fits = wanted->dims[axis] < 0 || shape->dims[axis] <= wanted->dims[axis];
    if (!fits)
        return pod_error_set(error, POD_ERROR_SHAPE, "%s: component %zu is %s, which cannot be filled up to %s", stage,
                             index, pod_shape_format(&component->shape, has), pod_shape_format(wanted, given));
    for (int32_t axis = 0; axis < shape->rank; axis++)
        if (wanted->dims[axis] >= 0)
            shape->dims[axis] = wanted->dims[axis];
    return POD_OK;
}

pod_status pod_input_padding_choose(pod_padding *padding, const pod_dataset *input, size_t width,
                                    const pod_shape *shapes, const double *values, const char *stage, pod_error *error)
{
    *padding = (pod_padding){0};
    for (size_t i = 0; i < width; i++) {
        const pod_component *row = &input->components[i];
        if (row->shape.rank == POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_SHAPE, "%s cannot stack component %zu: it has %d axes already", stage,
                                 i, POD_MAX_RANK);
        const pod_status status =
            choose_shape(row, i, shapes != NULL ? &shapes[i] : NULL, &padding->shapes[i], stage, error);
        if (status != POD_OK)
            return status;
        if (values != NULL && pod_element_from_real(row->dtype, values[i], padding->values[i], error) != POD_OK)
            return pod_error_prepend(error, "%s: the padding of component %zu: ", stage, i);
    }
    return POD_OK;
}

void pod_input_recipe_padding(pod_recipe *recipe, pod_padding *padding, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        pod_bytes value = {padding->values[i], sizeof padding->values[i]};
        pod_input_recipe_shape(recipe, &padding->shapes[i]);
        pod_input_recipe_bytes(recipe, &value);
        if (pod_input_recipe_is_read(recipe) && value.size == sizeof padding->values[i])
            memcpy(padding->values[i], value.data, sizeof padding->values[i]);
    }
}

size_t pod_input_padding_measure(const pod_rows *rows, pod_shape *shape)
{
    const pod_shape wanted = *shape;
    for (int32_t axis = 0; axis < wanted.rank; axis++)
        shape->dims[axis] = wanted.dims[axis] < 0 ? 0 : wanted.dims[axis];
    for (size_t i = 0; i < rows->count; i++) {
        pod_shape row;
        pod_input_part_shape(pod_input_rows_part(rows, i), &row);
        for (int32_t axis = 0; axis < wanted.rank; axis++) {
            if (wanted.dims[axis] >= 0 && row.dims[axis] > wanted.dims[axis])
                return i;
            if (row.dims[axis] > shape->dims[axis])
                shape->dims[axis] = row.dims[axis];
        }
    }
    return rows->count;
}

/* Fills a buffer with one element. */
static void fill(pod_buffer *buffer, const void *element)
{
    const size_t size = pod_dtype_size(pod_buffer_dtype(buffer)), bytes = pod_buffer_bytes(buffer);
    char *data = pod_buffer_data(buffer);
    if (bytes == 0)
        return;
    memcpy(data, element, size);
    for (size_t done = size; done < bytes; done *= 2)
        memcpy(data + done, data, done < bytes - done ? done : bytes - done);
}

/* Copies an element into the corner of row `row` of a stack, one run of the last axis at a time. */
static void copy_into(const pod_part *part, pod_buffer *stack, size_t row)
{
    const pod_shape *whole = pod_buffer_shape(stack);
    const size_t size = pod_dtype_size(pod_buffer_dtype(stack));
    const char *from = pod_input_part_data(part);
    char *to = (char *)pod_buffer_data(stack) + row * (pod_buffer_bytes(stack) / (size_t)whole->dims[0]);
    pod_shape shape;
    int64_t place[POD_MAX_RANK] = {0};
    pod_input_part_shape(part, &shape);
    if (pod_shape_elements(&shape) == 0)
        return;
    const int32_t last = shape.rank - 1;
    const size_t run = (last >= 0 ? (size_t)shape.dims[last] : 1) * size;
    for (;;) {
        int64_t offset = 0;
        for (int32_t axis = 0; axis <= last; axis++)
            offset = offset * whole->dims[axis + 1] + (axis < last ? place[axis] : 0);
        memcpy(to + (size_t)offset * size, from, run);
        from += run;
        int32_t axis = last - 1;
        for (; axis >= 0 && ++place[axis] == shape.dims[axis]; axis--)
            place[axis] = 0;
        if (axis < 0)
            return;
    }
}

void pod_input_padding_stack(const pod_rows *rows, const void *value, pod_buffer *stack)
{
    fill(stack, value);
    for (size_t i = 0; i < rows->count; i++)
        copy_into(pod_input_rows_part(rows, i), stack, i);
}
