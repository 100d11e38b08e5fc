/* select - takes each element from one of several datasets: by chance, or as a dataset of numbers says. */

#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

#include "base/checked.h"
#include "base/decimal.h"
#include "base/random.h"

typedef struct select_dataset {
    pod_dataset base;
    size_t choice_count; /* inputs to choose from; the dataset of choices, if any, is the input behind */
    bool by_chance, stop_on_empty;
    uint64_t seed;
    double weights[POD_MAX_COMPONENTS];
} select_dataset;

typedef struct select_stage {
    pod_stage base;
    pod_random_stream random;
    bool ended[POD_MAX_COMPONENTS];
} select_stage;

static select_dataset *select_of(const pod_stage *stage)
{
    return (select_dataset *)stage->dataset;
}

/* Draws an input that has not ended, by its weight; false when all have. */
static bool draw(select_stage *self, size_t *choice)
{
    const select_dataset *dataset = select_of(&self->base);
    double sum = 0;
    for (size_t i = 0; i < dataset->choice_count; i++)
        sum += self->ended[i] ? 0 : dataset->weights[i];
    double place = pod_random_unit(&self->random) * sum;
    bool found = false;
    for (size_t i = 0; i < dataset->choice_count && place >= 0; i++) {
        if (self->ended[i] || dataset->weights[i] <= 0)
            continue;
        *choice = i;
        found = true;
        place -= dataset->weights[i];
    }
    return found;
}

/* Reads the number of the next input. */
static pod_status read_choice(select_stage *self, size_t *choice, pod_error *error)
{
    const select_dataset *dataset = select_of(&self->base);
    pod_stage *choices = self->base.inputs[dataset->choice_count];
    pod_part part;
    size_t got;
    const pod_status status = pod_input_stage_next(choices, &part, 1, &got, error);
    if (status != POD_OK)
        return status;
    const int64_t number = *(const int64_t *)pod_input_part_data(&part);
    pod_input_parts_release(&part, 1);
    if (number < 0 || number >= (int64_t)dataset->choice_count)
        return pod_error_set(error, POD_ERROR_VALUE,
                             "choose_from_datasets: choice %lld is %lld; there are datasets 0 to %zu",
                             (long long)choices->given - 1, (long long)number, dataset->choice_count - 1);
    *choice = (size_t)number;
    return POD_OK;
}

static pod_status select_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    select_stage *self = (select_stage *)stage;
    const select_dataset *dataset = select_of(stage);
    (void)limit; /* one: the next may come from elsewhere */
    if (pod_input_stage_begins(stage))
        pod_random_stream_init(&self->random, dataset->seed, pod_input_pass_key(pod_input_stage_pass_number(stage)));
    for (;;) {
        size_t choice = 0;
        pod_status status = POD_OK;
        if (!dataset->by_chance)
            status = read_choice(self, &choice, error);
        else if (!draw(self, &choice))
            status = POD_END;
        if (status != POD_OK)
            return status;
        status = pod_input_stage_next(stage->inputs[choice], parts, 1, count, error);
        if (status != POD_END)
            return status;
        self->ended[choice] = true;
        if (dataset->stop_on_empty)
            return POD_END;
    }
}

static void select_drop(pod_stage *stage)
{
    memset(((select_stage *)stage)->ended, 0, sizeof((select_stage *)stage)->ended);
}

static const pod_stage_class sample_class = {
    .name = "sample_from_datasets",
    .dataset_size = sizeof(select_dataset),
    .iterator_size = sizeof(select_stage),
    .counts_passes = true,
    .next = select_next,
    .drop = select_drop,
};

static const pod_stage_class choose_class = {
    .name = "choose_from_datasets",
    .dataset_size = sizeof(select_dataset),
    .iterator_size = sizeof(select_stage),
    .next = select_next,
    .drop = select_drop,
};

/* Tells what is drawn by, and when it ends. */
static void tell_draws(select_dataset *self)
{
    pod_dataset_tell(&self->base, "seed %llu%s", (unsigned long long)self->seed,
                     self->stop_on_empty ? ", stops on empty" : "");
}

static pod_status check_inputs(pod_dataset *const *inputs, size_t count, const char *stage, pod_component *components,
                               pod_error *error)
{
    if (count == 0 || count >= POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "%s needs 1 to %d datasets, not %zu", stage,
                             POD_MAX_COMPONENTS - 1, count);
    return pod_input_components_join((const pod_dataset *const *)inputs, count, stage, components, error);
}

static pod_status check_weights(const double *weights, size_t count, pod_error *error)
{
    double sum = 0;
    for (size_t i = 0; weights != NULL && i < count; i++) {
        char text[POD_NUMBER_TEXT_SIZE];
        if (!(weights[i] >= 0) || weights[i] > 1e300)
            return pod_error_set(error, POD_ERROR_VALUE,
                                 "sample_from_datasets: weight %zu is %s; weights are at least 0", i,
                                 pod_number_text(weights[i], text));
        sum += weights[i];
    }
    if (weights != NULL && sum <= 0)
        return pod_error_set(error, POD_ERROR_VALUE,
                             "sample_from_datasets: all weights are 0; one at least must be positive");
    return POD_OK;
}

/* Where one dataset ends all, chance decides how many elements there are; else those of all that are ever chosen. */
static int64_t count_samples(const select_dataset *self)
{
    int64_t sum = 0, chosen = 0;
    bool infinite = false, finite = false, unknown = false;
    for (size_t i = 0; i < self->choice_count; i++) {
        const int64_t count = self->base.inputs[i]->cardinality;
        if (self->weights[i] <= 0)
            continue;
        chosen++;
        infinite = infinite || count == POD_CARDINALITY_INFINITE;
        finite = finite || count != POD_CARDINALITY_INFINITE;
        unknown = unknown || count == POD_CARDINALITY_UNKNOWN;
        unknown = unknown || (count > 0 && pod_add_overflows(sum, count, &sum));
    }
    if (chosen > 1 && self->stop_on_empty && finite)
        return POD_CARDINALITY_UNKNOWN;
    return infinite ? POD_CARDINALITY_INFINITE : unknown ? POD_CARDINALITY_UNKNOWN : sum;
}

pod_status pod_dataset_sample(pod_dataset *const *inputs, size_t count, const pod_sample_options *options,
                              pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    pod_status status = check_inputs(inputs, count, "sample_from_datasets", components, error);
    if (status == POD_OK)
        status = check_weights(options->weights, count, error);
    if (status == POD_OK)
        status = pod_dataset_new(inputs[0]->context, &sample_class, inputs, count, components, inputs[0]->width,
                                 dataset, error);
    if (status != POD_OK)
        return status;
    select_dataset *made = (select_dataset *)*dataset;
    made->choice_count = count;
    made->by_chance = true;
    made->stop_on_empty = options->stop_on_empty;
    made->seed = options->seed;
    for (size_t i = 0; i < count; i++)
        made->weights[i] = options->weights != NULL ? options->weights[i] : 1;
    made->base.cardinality = count_samples(made);
    tell_draws(made);
    return POD_OK;
}

pod_status pod_dataset_choose(pod_dataset *const *inputs, size_t count, pod_dataset *choices, bool stop_on_empty,
                              pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    pod_dataset *all[POD_MAX_COMPONENTS];
    *dataset = NULL;
    pod_status status = check_inputs(inputs, count, "choose_from_datasets", components, error);
    if (status != POD_OK)
        return status;
    if (choices->width != 1 || choices->components[0].dtype != POD_S64 || choices->components[0].shape.rank != 0)
        return pod_error_set(error, POD_ERROR_DTYPE, "choose_from_datasets: the choices must be int64 scalars");
    memcpy(all, inputs, count * sizeof *inputs);
    all[count] = choices;
    status = pod_dataset_new(inputs[0]->context, &choose_class, all, count + 1, components, inputs[0]->width, dataset,
                             error);
    if (status != POD_OK)
        return status;
    ((select_dataset *)*dataset)->choice_count = count;
    ((select_dataset *)*dataset)->stop_on_empty = stop_on_empty;
    (*dataset)->cardinality = POD_CARDINALITY_UNKNOWN;
    tell_draws((select_dataset *)*dataset);
    return POD_OK;
}

/* ---- in recipes ---- */

pod_status pod_input_sample_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const select_dataset *from = (const select_dataset *)recipe->from;
    double weights[POD_MAX_COMPONENTS] = {0};
    size_t count = from != NULL ? from->choice_count : recipe->input_count;
    int64_t seed = from != NULL ? (int64_t)from->seed : 0;
    bool stops = from != NULL && from->stop_on_empty;
    if (from != NULL)
        memcpy(weights, from->weights, sizeof weights);
    for (size_t i = 0; i < count && i < POD_MAX_COMPONENTS; i++)
        pod_input_recipe_real(recipe, &weights[i]);
    pod_input_recipe_number(recipe, &seed);
    pod_input_recipe_flag(recipe, &stops);
    const pod_sample_options options = {.weights = weights, .seed = (uint64_t)seed, .stop_on_empty = stops};
    return pod_input_recipe_is_read(recipe) ? pod_dataset_sample(recipe->inputs, count, &options, made, recipe->error)
                                            : POD_OK;
}

pod_status pod_input_choose_recipe(pod_recipe *recipe, pod_dataset **made)
{
    bool stops = recipe->from != NULL && ((const select_dataset *)recipe->from)->stop_on_empty;
    pod_input_recipe_flag(recipe, &stops);
    if (!pod_input_recipe_is_read(recipe))
        return POD_OK;
    const size_t choices = recipe->input_count - 1;
    return pod_dataset_choose(recipe->inputs, choices, recipe->inputs[choices], stops, made, recipe->error);
}
