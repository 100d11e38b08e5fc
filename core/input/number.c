/* number - elements learn the number of the pass and their place in it. */

#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

typedef struct number_dataset {
    pod_dataset base;
    uint64_t seed;
} number_dataset;

typedef struct number_stage {
    pod_stage base;
    int64_t pass;
    pod_buffer *block; /* rows of numbers; its first `used` rows are given away */
    int64_t used;
} number_stage;

/* Gives the row of numbers of an element. */
static pod_status make_numbers(number_stage *self, int64_t index, pod_part *part, pod_error *error)
{
    const pod_shape shape = {2, {POD_STAGE_BLOCK, 2}};
    if (self->block == NULL || self->used == POD_STAGE_BLOCK) {
        pod_input_buffers_drop(&self->block, 1);
        const pod_status status = pod_buffer_new(self->base.pass->context, POD_S64, &shape, &self->block, error);
        if (status != POD_OK)
            return status;
        self->used = 0;
    }
    int64_t *numbers = (int64_t *)pod_buffer_data(self->block) + 2 * self->used;
    numbers[0] = self->pass;
    numbers[1] = index;
    *part = (pod_part){pod_buffer_retain(self->block), self->used++};
    return POD_OK;
}

static pod_status number_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    number_stage *self = (number_stage *)stage;
    const size_t width = stage->width - 1;
    size_t got;
    if (pod_input_stage_begins(stage))
        self->pass = (int64_t)pod_input_pass_key(pod_input_stage_pass_number(stage));
    pod_status status = pod_input_stage_next(stage->inputs[0], stage->taken, limit, &got, error);
    if (status != POD_OK)
        return status;
    for (; status == POD_OK && *count < got; *count += status == POD_OK) {
        pod_part *element = parts + *count * stage->width;
        status = make_numbers(self, stage->given + (int64_t)*count, &element[width], error);
        if (status == POD_OK)
            memcpy(element, stage->taken + *count * width, width * sizeof *element);
    }
    if (status != POD_OK)
        pod_input_parts_release(stage->taken + *count * width, (got - *count) * width);
    return status;
}

static void number_close(pod_stage *stage)
{
    pod_buffer_release(((number_stage *)stage)->block);
}

static const pod_stage_class number_class = {
    .name = "number",
    .dataset_size = sizeof(number_dataset),
    .iterator_size = sizeof(number_stage),
    .counts_passes = true,
    .takes = POD_STAGE_BLOCK,
    .next = number_next,
    .pass_over = pod_input_stage_pass_over_input,
    .close = number_close,
};

pod_status pod_dataset_number(pod_dataset *input, uint64_t seed, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (input->width == POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "numbering elements of %d components: there is no room for one more", POD_MAX_COMPONENTS);
    memcpy(components, input->components, input->width * sizeof *components);
    components[input->width] = (pod_component){.dtype = POD_S64, .shape = {1, {2}}};
    const pod_status status =
        pod_dataset_new(input->context, &number_class, &input, 1, components, input->width + 1, dataset, error);
    if (status != POD_OK)
        return status;
    ((number_dataset *)*dataset)->seed = seed;
    pod_dataset_tell(*dataset, "seed %llu", (unsigned long long)seed);
    pod_dataset_lies_as(*dataset, &input, 1);
    (*dataset)->in_memory = false;
    return POD_OK;
}

pod_status pod_input_number_recipe(pod_recipe *recipe, pod_dataset **made)
{
    int64_t seed = recipe->from != NULL ? (int64_t)((const number_dataset *)recipe->from)->seed : 0;
    pod_input_recipe_number(recipe, &seed);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_number(recipe->inputs[0], (uint64_t)seed, made, recipe->error)
                                            : POD_OK;
}
