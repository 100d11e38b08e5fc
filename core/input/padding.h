#ifndef POD_INPUT_PADDING_H
#define POD_INPUT_PADDING_H

/* padding - elements of different sizes in one stack, filled up at the end of each axis. */

#include "input/recipe.h"
#include "input/stage.h"

/* How the components of elements are filled up. */
typedef struct pod_padding {
    pod_shape shapes[POD_MAX_COMPONENTS]; /* to which; -1: the largest of the stack */
    char values[POD_MAX_COMPONENTS][8];   /* with what, an element each */
} pod_padding;

/* Finds how the first `width` components of a dataset are filled up: as the options of pod_padded_batch_options say.
 * `stage` is for messages. */
pod_status pod_input_padding_choose(pod_padding *padding, const pod_dataset *input, size_t width,
                                    const pod_shape *shapes, const double *values, const char *stage, pod_error *error);

/* Visits it in a recipe. */
void pod_input_recipe_padding(pod_recipe *recipe, pod_padding *padding, size_t width);

/* One component of elements that follow each other: parts[i * width + component]. */
typedef struct pod_rows {
    const pod_part *parts;
    size_t count, width, component;
} pod_rows;

static inline const pod_part *pod_input_rows_part(const pod_rows *rows, size_t row)
{
    return &rows->parts[row * rows->width + rows->component];
}

/* Makes sizes of `shape` that are -1 those of the largest row. Returns how many rows fit: fewer than there are where
 * the next is larger than a size that was given. */
size_t pod_input_padding_measure(const pod_rows *rows, pod_shape *shape);

/* Copies the rows into a buffer of as many, which are at least as large, and fills up with an element. */
void pod_input_padding_stack(const pod_rows *rows, const void *value, pod_buffer *stack);

#endif
