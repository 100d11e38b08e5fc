/* buckets - batches of elements of similar length. */

#include "base/checked.h"
#include "base/growth.h"
#include "base/sha256.h"
#include "input/lengths.h"
#include "input/padding.h"

#include <stdio.h>
#include <string.h>

static const char name_of_stage[] = "bucket_by_sequence_length";

typedef struct bucket_dataset {
    pod_dataset base;
    pod_lengths_plan lengths;
    pod_bucket_options options; /* with arrays of its own, and no values */
    size_t count;               /* buckets */
    pod_padding padding;
} bucket_dataset;

/* Elements that wait. They are given when there are enough for batches that follow each other. */
typedef struct bucket_rows {
    pod_part *parts;
    int64_t *numbers; /* of the elements, in the pass */
    size_t count, part_room, number_room;
} bucket_rows;

typedef struct bucket_stage {
    pod_stage base;
    pod_lengths asking;
    int64_t *lengths;
    size_t taken, next; /* elements in hand, and the first of them that is in no bucket */
    int64_t first;      /* the number of the first in hand */
    pod_error failure;  /* of the element behind them, where its status is none of POD_OK */
    bool ended;         /* the input has */
    bucket_rows *buckets;
    bucket_rows *open;                    /* whose batches are given; NULL: none */
    size_t given;                         /* of its elements */
    pod_shape common[POD_MAX_COMPONENTS]; /* to which they are filled up */
} bucket_stage;

static const bucket_dataset *bucket_of(const pod_stage *stage)
{
    return (const bucket_dataset *)stage->dataset;
}

/* Takes elements, and finds their lengths. */
static pod_status take(bucket_stage *self, pod_error *error)
{
    const pod_status failed = self->failure.status;
    size_t count;
    self->next = self->taken = 0;
    self->failure.status = POD_OK;
    if (failed < 0)
        return pod_error_set(error, failed, "%s", self->failure.message);
    pod_status status = pod_input_stage_next(self->base.inputs[0], self->base.taken,
                                             (size_t)bucket_of(&self->base)->lengths.block, &count, error);
    if (status != POD_OK)
        return status;
    self->first = self->base.inputs[0]->given - (int64_t)count;
    status = pod_input_lengths_find(&self->asking, self->base.taken, count, self->lengths, &self->taken, error);
    if (status == POD_OK)
        return POD_OK;
    pod_input_parts_release(self->base.taken + self->taken * self->base.width,
                            (count - self->taken) * self->base.width);
    const int64_t row = self->asking.runner.failed_row > 0 ? self->asking.runner.failed_row : 0;
    pod_input_stage_explain(&self->base, self->first + row, status, error);
    if (self->taken == 0)
        return status;
    pod_error_set(&self->failure, status, "%s", error != NULL ? error->message : "");
    return POD_OK;
}

/* ---- buckets ---- */

static size_t bucket_for(const bucket_dataset *dataset, int64_t length)
{
    size_t i = 0;
    while (i + 1 < dataset->count && length >= dataset->options.boundaries[i])
        i++;
    return i;
}

/* Moves the next element in hand into its bucket. */
static pod_status add(bucket_stage *self, bucket_rows *to, pod_error *error)
{
    const size_t width = self->base.width;
    pod_context *context = self->base.pass->context;
    pod_growth growth = {.item = width * sizeof *to->parts, .first = 16, .what = name_of_stage};
    pod_status status = pod_grow(context, &to->parts, &to->part_room, to->count + 1, growth, error);
    growth.item = sizeof *to->numbers;
    if (status == POD_OK)
        status = pod_grow(context, &to->numbers, &to->number_room, to->count + 1, growth, error);
    if (status != POD_OK)
        return status;
    memcpy(to->parts + to->count * width, self->base.taken + self->next * width, width * sizeof *to->parts);
    to->numbers[to->count++] = self->first + (int64_t)self->next++;
    return POD_OK;
}

/* Ends the shares of the open bucket's elements from the next on. */
static void close_bucket(bucket_stage *self)
{
    if (self->open == NULL)
        return;
    const size_t width = self->base.width;
    pod_input_parts_release(self->open->parts + self->given * width, (self->open->count - self->given) * width);
    self->open->count = 0;
    self->open = NULL;
}

static pod_status refuse_size(const bucket_stage *self, size_t component, size_t element, const pod_shape *wanted,
                              pod_error *error)
{
    char has[POD_SHAPE_TEXT_SIZE], wants[POD_SHAPE_TEXT_SIZE];
    pod_shape shape;
    pod_input_part_shape(&self->open->parts[element * self->base.width + component], &shape);
    return pod_error_set(error, POD_ERROR_SHAPE, "%s: component %zu of element %lld is %s, %s %s",
                         pod_dataset_label(self->base.dataset), component, (long long)self->open->numbers[element],
                         pod_shape_format(&shape, has),
                         bucket_of(&self->base)->options.no_padding ? "and without padding all of a batch are"
                                                                    : "larger than the padded shape",
                         pod_shape_format(wanted, wants));
}

/* Finds the shape of a component of the open bucket's elements. */
static pod_status measure(bucket_stage *self, size_t component, pod_error *error)
{
    const bucket_dataset *dataset = bucket_of(&self->base);
    const pod_rows rows = {self->open->parts, self->open->count, self->base.width, component};
    pod_shape *shape = &self->common[component], row;
    if (dataset->options.no_padding) {
        pod_input_part_shape(pod_input_rows_part(&rows, 0), shape);
        for (size_t i = 1; i < rows.count; i++) {
            pod_input_part_shape(pod_input_rows_part(&rows, i), &row);
            if (!pod_shape_equal(&row, shape))
                return refuse_size(self, component, i, shape, error);
        }
        return POD_OK;
    }
    *shape = dataset->padding.shapes[component];
    for (int32_t axis = 0; dataset->options.pad_to_boundary && axis < shape->rank; axis++)
        if (shape->dims[axis] < 0)
            shape->dims[axis] = dataset->options.boundaries[self->open - self->buckets] - 1;
    row = *shape;
    const size_t fitting = pod_input_padding_measure(&rows, shape);
    return fitting == rows.count ? POD_OK : refuse_size(self, component, fitting, &row, error);
}

/* Begins to give a bucket's elements. */
static pod_status open_bucket(bucket_stage *self, bucket_rows *bucket, pod_error *error)
{
    const bucket_dataset *dataset = bucket_of(&self->base);
    pod_status status = POD_OK;
    self->open = bucket;
    self->given = 0;
    if (dataset->options.pad_to_boundary && bucket == &self->buckets[dataset->count - 1])
        status = pod_error_set(error, POD_ERROR_VALUE,
                               "%s: element %lld is as long as the last boundary, so no size to pad it to is known",
                               pod_dataset_label(self->base.dataset), (long long)bucket->numbers[0]);
    for (size_t i = 0; status == POD_OK && i < self->base.width; i++)
        status = measure(self, i, error);
    if (status != POD_OK)
        close_bucket(self);
    return status;
}

/* Fills buckets until one is to be given. */
static pod_status fill(bucket_stage *self, pod_error *error)
{
    const bucket_dataset *dataset = bucket_of(&self->base);
    while (!self->ended) {
        while (self->next < self->taken) {
            const size_t i = bucket_for(dataset, self->lengths[self->next]);
            bucket_rows *bucket = &self->buckets[i];
            const pod_status status = add(self, bucket, error);
            if (status != POD_OK)
                return status;
            if (bucket->count == (size_t)(dataset->options.sizes[i] * dataset->options.in_step))
                return open_bucket(self, bucket, error);
        }
        const pod_status status = take(self, error);
        if (status < 0)
            return status;
        self->ended = status == POD_END;
    }
    for (size_t i = 0; i < dataset->count; i++) { /* what is left, shortest first */
        if (self->buckets[i].count == 0)
            continue;
        const pod_status status = open_bucket(self, &self->buckets[i], error);
        if (status != POD_OK || !dataset->options.drop_remainder)
            return status;
        close_bucket(self);
    }
    return POD_END;
}

/* Returns how many elements the next batch of the open bucket has. */
static size_t batch_rows(const bucket_stage *self)
{
    const size_t size = (size_t)bucket_of(&self->base)->options.sizes[self->open - self->buckets];
    const size_t left = self->open->count - self->given;
    return left < size ? left : size;
}

static void drop_batch(bucket_stage *self, size_t rows)
{
    pod_input_parts_release(self->open->parts + self->given * self->base.width, rows * self->base.width);
    self->given += rows;
    if (self->given == self->open->count)
        close_bucket(self);
}

static pod_status stack(bucket_stage *self, size_t component, size_t count, pod_part *part, pod_error *error)
{
    const pod_rows rows = {self->open->parts + self->given * self->base.width, count, self->base.width, component};
    const pod_shape shape = pod_input_shape_of_rows(&self->common[component], (int64_t)count);
    pod_buffer *made;
    const pod_status status = pod_input_spares_take(
        &self->base.spares[component], self->base.dataset->components[component].dtype, &shape, &made, error);
    if (status != POD_OK)
        return status;
    pod_input_padding_stack(&rows, bucket_of(&self->base)->padding.values[component], made);
    *part = (pod_part){made, POD_WHOLE};
    return POD_OK;
}

/* ---- the stage ---- */

static pod_status bucket_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    bucket_stage *self = (bucket_stage *)stage;
    size_t done = 0;
    (void)limit; /* one at a time: a batch is large */
    pod_status status = self->open == NULL ? fill(self, error) : POD_OK;
    if (status != POD_OK)
        return status;
    const size_t rows = batch_rows(self);
    for (; status == POD_OK && done < stage->width; done += status == POD_OK)
        status = stack(self, done, rows, &parts[done], error);
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    drop_batch(self, rows);
    *count = status == POD_OK;
    return status;
}

/* Batches that are passed over are not stacked. */
static pod_status bucket_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    bucket_stage *self = (bucket_stage *)stage;
    for (; *passed < count; ++*passed) {
        const pod_status status = self->open == NULL ? fill(self, error) : POD_OK;
        if (status != POD_OK)
            return status;
        drop_batch(self, batch_rows(self));
    }
    return POD_OK;
}

static pod_status bucket_open(pod_stage *stage, pod_error *error)
{
    bucket_stage *self = (bucket_stage *)stage;
    const bucket_dataset *dataset = bucket_of(stage);
    self->buckets = pod_input_hold(&stage->holdings, dataset->count, sizeof *self->buckets);
    self->lengths = pod_input_hold(&stage->holdings, (size_t)dataset->lengths.block, sizeof *self->lengths);
    return pod_input_lengths_open(&self->asking, &dataset->lengths, stage, error);
}

static void bucket_drop(pod_stage *stage)
{
    bucket_stage *self = (bucket_stage *)stage;
    const size_t width = stage->width;
    close_bucket(self);
    for (size_t i = 0; self->buckets != NULL && i < bucket_of(stage)->count; i++) {
        pod_input_parts_release(self->buckets[i].parts, self->buckets[i].count * width);
        self->buckets[i].count = 0;
    }
    pod_input_parts_release(stage->taken + self->next * width, (self->taken - self->next) * width);
    self->next = self->taken = 0;
    self->failure.status = POD_OK;
    self->ended = false;
}

static void bucket_close(pod_stage *stage)
{
    bucket_stage *self = (bucket_stage *)stage;
    for (size_t i = 0; self->buckets != NULL && i < bucket_of(stage)->count; i++) {
        pod_free(stage->pass->context, self->buckets[i].parts);
        pod_free(stage->pass->context, self->buckets[i].numbers);
    }
    pod_input_lengths_close(&self->asking);
}

/* The rows of the largest batch. */
static int64_t bucket_size(const pod_dataset *dataset)
{
    const bucket_dataset *self = (const bucket_dataset *)dataset;
    int64_t largest = 0;
    for (size_t i = 0; i < self->count; i++)
        largest = self->options.sizes[i] > largest ? self->options.sizes[i] : largest;
    return largest;
}

/* The batch in hand and full buckets; -1 where elements are of sizes that are not known. */
static int64_t bucket_host_bytes(const pod_dataset *dataset)
{
    const bucket_dataset *self = (const bucket_dataset *)dataset;
    int64_t elements = 0;
    for (size_t i = 0; i < self->count; i++)
        elements += self->options.sizes[i] * self->options.in_step;
    const int64_t kept = pod_dataset_kept_bytes(dataset->inputs[0], elements, true);
    const int64_t batch = pod_dataset_element_bytes(dataset);
    return kept < 0 || batch < 0 || kept > INT64_MAX - batch ? -1 : kept + batch;
}

static void bucket_describe(const pod_dataset *dataset, char *text, size_t size)
{
    const bucket_dataset *self = (const bucket_dataset *)dataset;
    const pod_bucket_options *options = &self->options;
    unsigned char sum[POD_SHA256_SIZE];
    pod_sha256 hash;
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, options->sizes, (2 * self->count - 1) * sizeof *options->sizes);
    pod_sha256_end(&hash, sum);
    (void)snprintf(text, size, "%zu buckets %02x%02x%02x%02x, %lld in step%s%s%s, graph %016llx", self->count, sum[0],
                   sum[1], sum[2], sum[3], (long long)options->in_step, options->drop_remainder ? ", drop" : "",
                   options->pad_to_boundary ? ", to boundary" : "", options->no_padding ? ", no padding" : "",
                   self->lengths.graph != NULL ? (unsigned long long)pod_graph_hash(self->lengths.graph) : 0);
}

static const pod_stage_class bucket_class = {
    .name = name_of_stage,
    .reuses_buffers = true,
    .takes = POD_STAGE_BLOCK,
    .at_once = 1,
    .dataset_size = sizeof(bucket_dataset),
    .iterator_size = sizeof(bucket_stage),
    .host_bytes = bucket_host_bytes,
    .batch_size = bucket_size,
    .describe = bucket_describe,
    .open = bucket_open,
    .next = bucket_next,
    .pass_over = bucket_pass_over,
    .drop = bucket_drop,
    .close = bucket_close,
};

/* ---- making ---- */

static pod_status check(const pod_bucket_options *options, pod_error *error)
{
    int64_t elements = 0;
    for (size_t i = 1; i < options->boundary_count; i++)
        if (options->boundaries[i] <= options->boundaries[i - 1])
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s: boundary %zu is %lld, not above the %lld before it",
                                 name_of_stage, i, (long long)options->boundaries[i],
                                 (long long)options->boundaries[i - 1]);
    for (size_t i = 0; i <= options->boundary_count; i++) {
        int64_t together;
        if (options->sizes[i] < 1 || options->in_step < 1)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s: %lld batches of %lld; both must be at least 1",
                                 name_of_stage, (long long)options->in_step, (long long)options->sizes[i]);
        if (pod_multiply_overflows(options->sizes[i], options->in_step, &together) ||
            pod_add_overflows(elements, together, &elements) || elements > INT64_MAX / 1024)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s: the buckets are too large", name_of_stage);
    }
    if (!options->pad_to_boundary || options->boundary_count == 0 || options->boundaries[0] > 0)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_ARGUMENT, "%s: no element is padded to below the boundary %lld",
                         name_of_stage, (long long)options->boundaries[0]);
}

/* Copies the options into a dataset that is new. */
static pod_status take_options(bucket_dataset *made, const pod_bucket_options *options, pod_error *error)
{
    const size_t count = options->boundary_count, bytes = (2 * count + 1) * sizeof(int64_t);
    int64_t *numbers = pod_input_hold(&made->base.holdings, 2 * count + 1, sizeof *numbers);
    if (numbers == NULL)
        return pod_error_memory(error, name_of_stage, bytes);
    memcpy(numbers, options->sizes, (count + 1) * sizeof *numbers);
    if (count > 0) /* there may be no array */
        memcpy(numbers + count + 1, options->boundaries, count * sizeof *numbers);
    made->count = count + 1;
    made->options = *options;
    made->options.sizes = numbers;
    made->options.boundaries = numbers + count + 1;
    made->options.shapes = made->padding.shapes;
    made->options.values = NULL;
    return POD_OK;
}

/* The types of batches, and the sizes to which their elements are filled up. */
static pod_status describe(const pod_dataset *input, size_t width, const pod_bucket_options *options,
                           pod_padding *padding, pod_component *components, pod_error *error)
{
    const pod_status status =
        pod_input_padding_choose(padding, input, width, options->shapes, options->values, name_of_stage, error);
    if (status != POD_OK)
        return status;
    int64_t rows = options->drop_remainder ? options->sizes[0] : -1;
    for (size_t i = 1; i <= options->boundary_count; i++)
        rows = options->sizes[i] == rows ? rows : -1;
    for (size_t i = 0; i < width; i++) {
        pod_shape *row = &padding->shapes[i];
        for (int32_t axis = 0; options->pad_to_boundary && options->shapes != NULL && axis < row->rank; axis++)
            row->dims[axis] = options->shapes[i].dims[axis]; /* the boundary is for all that are left open */
        components[i] =
            (pod_component){.dtype = input->components[i].dtype, .shape = pod_input_shape_of_rows(row, rows)};
    }
    return POD_OK;
}

/* Makes the stage of a graph, which stays the caller's after a failure. */
static pod_status new_stage(pod_dataset *input, pod_graph *length, const pod_bucket_options *options,
                            pod_dataset **dataset, pod_error *error)
{
    const size_t width = length != NULL || input->width == 0 ? input->width : input->width - 1;
    pod_component components[POD_MAX_COMPONENTS];
    pod_lengths_plan lengths;
    pod_padding padding;
    pod_bucket_options chosen = *options;
    chosen.in_step = chosen.in_step != 0 ? chosen.in_step : 1;
    pod_status status = check(&chosen, error);
    if (status == POD_OK)
        status = pod_input_lengths_plan(&lengths, input, length, name_of_stage, error);
    if (status == POD_OK)
        status = describe(input, width, &chosen, &padding, components, error);
    if (status == POD_OK)
        status = pod_dataset_new(input->context, &bucket_class, &input, 1, components, width, dataset, error);
    if (status != POD_OK)
        return status;
    bucket_dataset *made = (bucket_dataset *)*dataset;
    made->lengths = lengths;
    made->padding = padding;
    made->base.cardinality = POD_CARDINALITY_UNKNOWN;
    status = take_options(made, &chosen, error);
    return status == POD_OK ? POD_OK : pod_dataset_fail(dataset, status);
}

pod_status pod_dataset_bucket_by_sequence_length(pod_dataset *input, pod_graph *length,
                                                 const pod_bucket_options *options, pod_dataset **dataset,
                                                 pod_error *error)
{
    *dataset = NULL;
    const pod_status status = new_stage(input, length, options, dataset, error);
    return length != NULL ? pod_dataset_own(dataset, pod_input_runner_owned(length), status) : status;
}

/* Visits what elements are divided by: sizes, then boundaries, which are the caller's to free. */
static int64_t *visit_buckets(pod_recipe *recipe, pod_bucket_options *options)
{
    pod_input_recipe_count(recipe, &options->boundary_count, recipe->from != NULL ? SIZE_MAX : recipe->left / 16);
    const size_t count = options->boundary_count, numbers = 2 * count + 1;
    int64_t *both = pod_allocate_zeroed(recipe->context, numbers, sizeof *both);
    if (both == NULL) {
        pod_input_recipe_fail_memory(recipe, numbers * sizeof *both);
        return NULL;
    }
    if (recipe->from != NULL)
        memcpy(both, options->sizes, numbers * sizeof *both);
    for (size_t i = 0; i < numbers; i++)
        pod_input_recipe_number(recipe, &both[i]);
    options->sizes = both;
    options->boundaries = both + count + 1;
    return both;
}

pod_status pod_input_buckets_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const bucket_dataset *from = (const bucket_dataset *)recipe->from;
    pod_padding padding = {0};
    pod_bucket_options options = {0};
    pod_graph *graph = NULL;
    pod_status status = POD_OK;
    if (from != NULL) {
        options = from->options;
        padding = from->padding;
    }
    bool has_graph = from != NULL && from->lengths.graph != NULL;
    int64_t *numbers = visit_buckets(recipe, &options);
    pod_input_recipe_number(recipe, &options.in_step);
    pod_input_recipe_flag(recipe, &options.pad_to_boundary);
    pod_input_recipe_flag(recipe, &options.drop_remainder);
    pod_input_recipe_flag(recipe, &options.no_padding);
    pod_input_recipe_flag(recipe, &has_graph);
    const size_t width = from != NULL ? from->base.width : recipe->inputs[0]->width - !has_graph;
    pod_input_recipe_padding(recipe, &padding, width);
    if (has_graph)
        pod_input_recipe_graph(recipe, from != NULL ? from->lengths.graph : NULL, &graph);
    options.shapes = padding.shapes;
    if (pod_input_recipe_is_read(recipe)) {
        status = pod_dataset_bucket_by_sequence_length(recipe->inputs[0], graph, &options, made, recipe->error);
        if (status == POD_OK)
            memcpy(((bucket_dataset *)*made)->padding.values, padding.values, sizeof padding.values);
    }
    pod_free(recipe->context, numbers);
    return status;
}
