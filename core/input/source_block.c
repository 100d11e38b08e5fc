/* source_block - of a source's elements those of one block, which the pass names: so workers divide a source among
 * them. */

#include "input/stage.h"
#include "input/recipe.h"

/* How many elements a pass has of `all` that the source has. */
static int64_t left_of(const pod_stage *stage, int64_t given)
{
    const int64_t block = stage->pass->options.block_elements;
    return block > 0 ? block - given : INT64_MAX;
}

/* Goes to the first element of the block. */
static pod_status begin(pod_stage *stage, pod_error *error)
{
    const pod_iterator_options *options = &stage->pass->options;
    int64_t passed;
    return options->block_elements > 0
               ? pod_input_stage_pass_over(stage->inputs[0], options->block * options->block_elements, &passed, error)
               : POD_OK;
}

/* Notes that the source has ended. */
static pod_status note_end(pod_stage *stage, pod_status status)
{
    if (status == POD_END)
        atomic_store(&stage->pass->shared->source_ended, true);
    return status;
}

static pod_status source_block_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_status status = pod_input_stage_begins(stage) ? begin(stage, error) : POD_OK;
    const int64_t left = left_of(stage, stage->given);
    if (status == POD_OK && left <= 0)
        return POD_END;
    if (status == POD_OK)
        status =
            pod_input_stage_next(stage->inputs[0], parts, left < (int64_t)limit ? (size_t)left : limit, count, error);
    return note_end(stage, status);
}

static pod_status source_block_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    pod_status status = pod_input_stage_begins(stage) ? begin(stage, error) : POD_OK;
    const int64_t left = left_of(stage, stage->given);
    *passed = 0;
    if (status == POD_OK)
        status = pod_input_stage_pass_over(stage->inputs[0], count < left ? count : left, passed, error);
    return status == POD_OK && left < count ? POD_END : note_end(stage, status);
}

static const pod_stage_class source_block_class = {
    .name = "source_block",
    .transparent = true,
    .next = source_block_next,
    .pass_over = source_block_pass_over,
    .by_address = pod_dataset_by_address_of_input,
};

pod_status pod_input_source_block_recipe(pod_recipe *recipe, pod_dataset **made)
{
    if (!pod_input_recipe_is_read(recipe))
        return POD_OK;
    const pod_status status =
        pod_dataset_new(recipe->context, &source_block_class, recipe->inputs, 1, NULL, 0, made, recipe->error);
    if (status == POD_OK)
        (*made)->cardinality = POD_CARDINALITY_UNKNOWN;
    return status;
}
