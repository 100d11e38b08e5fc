/* sequence - stages that let elements through: repeat, take, skip; and zip, which joins them. */

#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

typedef struct count_dataset {
    pod_dataset base;
    int64_t count;
} count_dataset;

typedef struct count_stage {
    pod_stage base;
    int64_t done; /* passes that were given whole, elements that were left out */
    bool any;     /* repeat: an element of this pass came */
} count_stage;

static int64_t count_of(const pod_stage *stage)
{
    return ((const count_dataset *)stage->dataset)->count;
}

static pod_status new_counting(const pod_stage_class *kind, pod_dataset *input, int64_t count, pod_dataset **dataset,
                               pod_error *error)
{
    *dataset = NULL;
    if (count < -1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the count of %s is %lld; it is -1 or at least 0", kind->name,
                             (long long)count);
    const pod_status status = pod_dataset_new(input->context, kind, &input, 1, NULL, 0, dataset, error);
    if (status == POD_OK) {
        ((count_dataset *)*dataset)->count = count;
        pod_dataset_tell(*dataset, "%lld", (long long)count);
    }
    return status;
}

static void count_drop(pod_stage *stage)
{
    ((count_stage *)stage)->done = 0;
    ((count_stage *)stage)->any = false;
}

/* ---- repeat ---- */

/* After the end of a pass: begins the next. POD_END when there is none. */
static pod_status begin_again(count_stage *self, pod_error *error)
{
    const int64_t passes = count_of(&self->base);
    if (!self->any) /* another pass would be empty, too: for ever, perhaps */
        return POD_END;
    self->done++;
    self->any = false;
    if (passes >= 0 && self->done >= passes)
        return POD_END;
    return pod_input_stage_rewind(self->base.inputs[0], POD_REWIND_INNER, error);
}

static pod_status repeat_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    count_stage *self = (count_stage *)stage;
    const int64_t passes = count_of(stage);
    while (passes < 0 || self->done < passes) {
        pod_status status = pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
        self->any |= status == POD_OK;
        if (status != POD_END)
            return status;
        status = begin_again(self, error);
        if (status != POD_OK)
            return status;
    }
    return POD_END;
}

static pod_status repeat_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    count_stage *self = (count_stage *)stage;
    const int64_t passes = count_of(stage);
    while (passes < 0 || self->done < passes) {
        int64_t here;
        pod_status status = pod_input_stage_pass_over(stage->inputs[0], count - *passed, &here, error);
        *passed += here;
        self->any |= here > 0;
        if (status != POD_END)
            return status;
        status = begin_again(self, error);
        if (status != POD_OK)
            return status;
    }
    return POD_END;
}

static const pod_stage_class repeat_class = {
    .name = "repeat",
    .dataset_size = sizeof(count_dataset),
    .iterator_size = sizeof(count_stage),
    .by_address = pod_dataset_by_address_of_input,
    .next = repeat_next,
    .pass_over = repeat_pass_over,
    .drop = count_drop,
};

pod_status pod_dataset_repeat(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error)
{
    const int64_t once = input->cardinality;
    const pod_status status = new_counting(&repeat_class, input, count, dataset, error);
    if (status != POD_OK)
        return status;
    if (once == 0 || count == 0)
        (*dataset)->cardinality = 0;
    else if (once == POD_CARDINALITY_INFINITE || count < 0)
        (*dataset)->cardinality = POD_CARDINALITY_INFINITE;
    else if (once > 0)
        (*dataset)->cardinality = once > INT64_MAX / count ? INT64_MAX : once * count;
    return POD_OK;
}

/* ---- take ---- */

static pod_status take_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    const int64_t most = count_of(stage), left = most - stage->given;
    if (most >= 0 && left <= 0)
        return POD_END;
    if (most >= 0 && (int64_t)limit > left)
        limit = (size_t)left;
    return pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
}

static pod_status take_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const int64_t most = count_of(stage), left = most - stage->given;
    const bool all = most < 0 || count <= left;
    const pod_status status = pod_input_stage_pass_over(stage->inputs[0], all ? count : left, passed, error);
    return status == POD_OK && !all ? POD_END : status;
}

static const pod_stage_class take_class = {
    .name = "take",
    .dataset_size = sizeof(count_dataset),
    .by_address = pod_dataset_by_address_of_input,
    .next = take_next,
    .pass_over = take_pass_over,
};

pod_status pod_dataset_take(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error)
{
    const int64_t all = input->cardinality;
    const pod_status status = new_counting(&take_class, input, count, dataset, error);
    if (status == POD_OK && count >= 0 && (all == POD_CARDINALITY_INFINITE || all > count))
        (*dataset)->cardinality = count;
    return status;
}

/* ---- skip ---- */

/* Passes over the first elements, once. */
static pod_status skip_first(count_stage *self, pod_error *error)
{
    const int64_t skipped = count_of(&self->base);
    int64_t passed;
    if (skipped < 0)
        return POD_END;
    if (self->done == skipped)
        return POD_OK;
    const pod_status status = pod_input_stage_pass_over(self->base.inputs[0], skipped - self->done, &passed, error);
    self->done += passed;
    return status;
}

static pod_status skip_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const pod_status status = skip_first((count_stage *)stage, error);
    return status == POD_OK ? pod_input_stage_pass_over_input(stage, count, passed, error) : status;
}

static pod_status skip_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    const pod_status status = skip_first((count_stage *)stage, error);
    if (status != POD_OK)
        return status;
    return pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
}

static const pod_stage_class skip_class = {
    .name = "skip",
    .dataset_size = sizeof(count_dataset),
    .iterator_size = sizeof(count_stage),
    .by_address = pod_dataset_by_address_of_input,
    .next = skip_next,
    .pass_over = skip_pass_over,
    .drop = count_drop,
};

pod_status pod_dataset_skip(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error)
{
    const int64_t all = input->cardinality;
    const pod_status status = new_counting(&skip_class, input, count, dataset, error);
    if (status == POD_OK && count < 0)
        (*dataset)->cardinality = 0;
    else if (status == POD_OK && all >= 0)
        (*dataset)->cardinality = all > count ? all - count : 0;
    return status;
}

/* ---- zip ---- */

static pod_status zip_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    size_t place = 0;
    (void)limit; /* one element: inputs must not run ahead of the shortest */
    for (size_t i = 0; i < stage->dataset->input_count; i++) {
        size_t got;
        const pod_status status = pod_input_stage_next(stage->inputs[i], parts + place, 1, &got, error);
        if (status != POD_OK) {
            pod_input_parts_release(parts, place);
            return status;
        }
        place += stage->inputs[i]->width;
    }
    *count = 1;
    return POD_OK;
}

/* The input that ends or fails first, of several at one element the first of them, tells how it goes on: what the
 * others have behind that element is not asked for. */
static pod_status zip_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    pod_status status = POD_OK;
    *passed = count;
    for (size_t i = 0; i < stage->dataset->input_count; i++) {
        int64_t here;
        const pod_status one = pod_input_stage_pass_over(stage->inputs[i], *passed, &here, error);
        if (one != POD_OK)
            status = one;
        *passed = here;
    }
    return status;
}

static const pod_stage_class zip_class = {
    .name = "zip",
    .next = zip_next,
    .pass_over = zip_pass_over,
};

/* The number of elements of the shortest input. */
static int64_t shortest(pod_dataset *const *inputs, size_t count)
{
    int64_t least = POD_CARDINALITY_INFINITE;
    for (size_t i = 0; i < count; i++) {
        const int64_t here = inputs[i]->cardinality;
        if (here == POD_CARDINALITY_UNKNOWN)
            return here;
        if (here >= 0 && (least < 0 || here < least))
            least = here;
    }
    return least;
}

pod_status pod_dataset_zip(pod_dataset *const *inputs, size_t count, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS] = {0};
    size_t width = 0;
    *dataset = NULL;
    if (count == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "zip needs at least one dataset");
    for (size_t i = 0; i < count; i++) {
        if (width + inputs[i]->width > POD_MAX_COMPONENTS)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "zip would give elements of more than %d components",
                                 POD_MAX_COMPONENTS);
        memcpy(components + width, inputs[i]->components, inputs[i]->width * sizeof components[0]);
        width += inputs[i]->width;
    }
    const pod_status status =
        pod_dataset_new(inputs[0]->context, &zip_class, inputs, count, components, width, dataset, error);
    if (status != POD_OK)
        return status;
    (*dataset)->cardinality = shortest(inputs, count);
    pod_dataset_lies_as(*dataset, inputs, count);
    return POD_OK;
}

/* ---- in recipes ---- */

typedef pod_status (*counting)(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error);

static pod_status counting_recipe(pod_recipe *recipe, counting make, pod_dataset **made)
{
    int64_t count = recipe->from != NULL ? ((const count_dataset *)recipe->from)->count : 0;
    pod_input_recipe_number(recipe, &count);
    return pod_input_recipe_is_read(recipe) ? make(recipe->inputs[0], count, made, recipe->error) : POD_OK;
}

pod_status pod_input_repeat_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return counting_recipe(recipe, pod_dataset_repeat, made);
}

pod_status pod_input_take_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return counting_recipe(recipe, pod_dataset_take, made);
}

pod_status pod_input_skip_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return counting_recipe(recipe, pod_dataset_skip, made);
}

pod_status pod_input_zip_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return pod_input_recipe_is_read(recipe) ? pod_dataset_zip(recipe->inputs, recipe->input_count, made, recipe->error)
                                            : POD_OK;
}
