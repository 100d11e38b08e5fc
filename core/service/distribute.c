/* distribute - makes datasets whose elements workers make: see distribute.h. */

#include <string.h>

#include "base/sizes.h"
#include "service/distribute.h"
#include "service/ledger.h"

/* Elements of a split, where nobody says: a hundredth of those there are, so that workers of different speed end
 * together, but no more than so many, nor where their number is not known. */
#define MOST_IN_SPLIT  1024
#define UNKNOWN_SPLIT  64
#define SPLITS_OF_PASS 100

/* How many workers divide the splits among them; 0: whoever is free. */
static int64_t lanes_of(const pod_distribute_options *options)
{
    if (options->assignment == POD_SERVICE_DYNAMIC)
        return 0;
    if (options->target_workers > 0 || strcmp(options->service, "local") != 0)
        return options->target_workers;
    return options->workers > 0 ? options->workers : POD_LOCAL_WORKERS;
}

static pod_status check_options(const pod_distribute_options *options, pod_error *error)
{
    const char *compression = options->compression;
    if (options->service == NULL)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: give the dispatcher's address as `service`, or \"local\"");
    if (options->split_size < 0 || options->target_workers < 0 || options->workers < 0 || options->stages_here < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: split_size, target_workers, workers and stages_here are not negative");
    if (options->num_consumers < 0 || options->consumer_index < 0 ||
        (options->num_consumers > 0 ? options->consumer_index >= options->num_consumers : options->consumer_index > 0))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: consumer %lld of %lld; consumers are numbered from 0 to their number - 1",
                             (long long)options->consumer_index, (long long)options->num_consumers);
    if (options->num_consumers > 0 && (options->job_name != NULL || options->mode == POD_SERVICE_PARALLEL ||
                                       options->sharding != POD_SERVICE_BY_ELEMENTS))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: consumers in step (num_consumers) take their elements by number: without "
                             "job_name, and by elements of distributed_epoch");
    if (options->assignment == POD_SERVICE_STATIC && options->mode == POD_SERVICE_PARALLEL)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: by parallel_epochs every worker gives all elements: there is nothing to be "
                             "assigned");
    if (options->assignment == POD_SERVICE_STATIC && lanes_of(options) == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: splits are assigned to a number of workers: give it as target_workers");
    if (lanes_of(options) > POD_MOST_LANES)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "distribute: splits are assigned to %lld workers; at most %d",
                             (long long)lanes_of(options), POD_MOST_LANES);
    if (options->in_order && (options->job_name != NULL || options->mode == POD_SERVICE_PARALLEL))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: elements that several have, or that several workers give, have no order");
    if (options->job_name != NULL &&
        (options->job_name[0] == '\0' || options->job_name[0] == '#' || strlen(options->job_name) > 255))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: a job_name has 1 to 255 bytes, the first of them no '#'");
    if (compression != NULL && strcmp(compression, "auto") != 0 && strcmp(compression, "none") != 0 &&
        strcmp(compression, "zstd") != 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: compression is \"auto\", \"zstd\" or \"none\", not \"%.32s\"", compression);
    return POD_OK;
}

/* The one source of a dataset; NULL: it has several. */
static const pod_dataset *source_of(const pod_dataset *dataset)
{
    while (dataset->input_count == 1)
        dataset = dataset->inputs[0];
    return dataset->input_count == 0 ? dataset : NULL;
}

/* Chooses how many elements a split has, of `elements` that there are, and how many splits. */
static void choose_size(pod_receiver_task *task, int64_t wanted, int64_t elements)
{
    task->split_size = wanted > 0      ? wanted
                       : elements >= 0 ? pod_smaller(elements / SPLITS_OF_PASS + 1, MOST_IN_SPLIT)
                                       : UNKNOWN_SPLIT;
    if (elements >= 0 && task->mode == POD_SERVICE_DISTRIBUTED)
        task->end = elements / task->split_size + (elements % task->split_size != 0);
}

static pod_status divide_by_blocks(pod_receiver_task *task, const pod_dataset *input, int64_t wanted, pod_error *error)
{
    const pod_dataset *source = source_of(input);
    if (source == NULL)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: the dataset joins several sources, so there is none whose blocks are "
                             "divided: divide it by elements");
    if (input->cardinality == POD_CARDINALITY_INFINITE && source->cardinality != POD_CARDINALITY_INFINITE)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: the dataset repeats its source without end, so the first block would be all "
                             "that comes: repeat behind distribute, or divide it by elements");
    choose_size(task, wanted, source->cardinality);
    return POD_OK;
}

/* Chooses the splits of a pass. */
static pod_status divide(distribute_dataset *self, const pod_dataset *input, const pod_distribute_options *options,
                         pod_error *error)
{
    pod_receiver_task *task = &self->task;
    task->end = -1;
    if (task->sharding == POD_SERVICE_BY_BLOCKS)
        return divide_by_blocks(task, input, options->split_size, error);
    if (task->sharding == POD_SERVICE_BY_FILES) {
        task->files = pod_dataset_file_count(input);
        if (task->files < 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT,
                                 "distribute: the dataset reads no files whose number is known: divide it by elements");
        task->end = task->mode == POD_SERVICE_DISTRIBUTED ? task->files : -1;
        return POD_OK;
    }
    choose_size(task, options->split_size, input->cardinality);
    return POD_OK;
}

/* Finds which stages may run here. They may move where this consumer alone has the job, and its splits are numbered
 * elements. */
static pod_status find_cuts(distribute_dataset *self, pod_dataset *input, const pod_distribute_options *options,
                            pod_error *error)
{
    const pod_receiver_task *task = &self->task;
    const bool moves = task->mode == POD_SERVICE_DISTRIBUTED && task->sharding == POD_SERVICE_BY_ELEMENTS &&
                       task->job == NULL && task->lanes == 0;
    const pod_status status = pod_service_cuts_find(input, moves ? POD_MOST_MOVABLE : 0, &self->cuts, error);
    if (status != POD_OK)
        return status;
    self->first_cut = (size_t)options->stages_here;
    self->tunes = options->stages_here == 0 && !options->no_autotune && self->cuts.count > 1;
    if (self->first_cut >= self->cuts.count)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: stages_here is %zu, but %zu of the last stages can run here: those of map, "
                             "decode and parse_example, where a consumer has elements of distributed_epoch alone, by "
                             "dynamic splits",
                             self->first_cut, self->cuts.count - 1);
    return POD_OK;
}

static void count_elements(distribute_dataset *self, const pod_dataset *input)
{
    const bool known = self->task.mode == POD_SERVICE_DISTRIBUTED && self->task.sharding == POD_SERVICE_BY_ELEMENTS &&
                       self->task.job == NULL;
    const bool endless = input->cardinality == POD_CARDINALITY_INFINITE;
    self->base.cardinality = known || endless ? input->cardinality : POD_CARDINALITY_UNKNOWN;
    self->base.in_memory = false;
    self->base.together = POD_MOST_IN_BLOCK;
}

/* Fills in what a dataset has of its options. */
static pod_status set_up(distribute_dataset *self, pod_dataset *input, const pod_distribute_options *options,
                         pod_error *error)
{
    pod_receiver_task *task = &self->task;
    const char *compression = options->compression != NULL ? options->compression : "auto";
    const bool local = strcmp(options->service, "local") == 0;
    const bool by_blocks = options->sharding == POD_SERVICE_BY_BLOCKS;
    unsigned char digest[POD_SHA256_SIZE];
    task->mode = options->mode;
    task->sharding = options->sharding;
    task->lanes = lanes_of(options);
    task->target_workers = options->target_workers;
    task->in_order = options->in_order || options->num_consumers > 0;
    task->compress = strcmp(compression, "none") != 0;
    task->compress_here = strcmp(compression, "zstd") == 0;
    task->keys = &self->keys;
    task->pipeline = self->pipeline;
    task->alike = self->alike;
    task->job = options->job_name != NULL ? pod_input_hold_text(&self->base.holdings, options->job_name) : NULL;
    task->address = pod_input_hold_text(&self->base.holdings, options->service);
    pod_status status = pod_input_holdings_check(&self->base.holdings, "a dataset", error);
    if (status == POD_OK)
        status = divide(self, input, options, error);
    if (status == POD_OK)
        status = find_cuts(self, input, options, error);
    if (status == POD_OK)
        status = pod_input_recipe_write(input, by_blocks, &task->recipe, error);
    if (status == POD_OK)
        status = pod_input_recipe_sum(input, by_blocks, digest, error);
    if (status != POD_OK)
        return status;
    if (task->recipe.size > (size_t)POD_SERVICE_RECIPE)
        return pod_error_set(
            error, POD_ERROR_ARGUMENT,
            "distribute: the pipeline has %zu bytes with its rows, and at most 2^30 are sent: write them "
            "to files that workers read",
            task->recipe.size);
    pod_service_pipeline_name(task->recipe.data, task->recipe.size, self->pipeline);
    pod_service_digest_name(digest, self->alike);
    count_elements(self, input);
    status = pod_service_keys_read(self->base.context, options->keys, POD_ROLE_CONSUMER, &self->keys, error);
    if (status == POD_OK && local)
        status = pod_service_local_open(self->base.context, options, &task->local, error);
    if (status == POD_OK && local)
        task->address = pod_service_local_address(task->local);
    return status;
}

static pod_status new_distribute(pod_dataset *input, const pod_distribute_options *options, pod_dataset **dataset,
                                 pod_error *error)
{
    pod_status status =
        pod_dataset_new(input->context, &pod_service_distribute_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    status = set_up((distribute_dataset *)*dataset, input, options, error);
    if (status != POD_OK)
        return pod_dataset_fail(dataset, status);
    static const char *const by[] = {"", ", by files", ", by blocks"};
    pod_dataset_tell(*dataset, "%s%s", options->mode == POD_SERVICE_PARALLEL ? "parallel epochs" : "distributed epoch",
                     by[options->sharding]);
    return POD_OK;
}

pod_status pod_dataset_distribute(pod_dataset *input, const pod_distribute_options *options, pod_dataset **dataset,
                                  pod_error *error)
{
    *dataset = NULL;
    pod_status status = check_options(options, error);
    if (status == POD_OK)
        status = pod_service_load(input->context, error);
    if (status != POD_OK)
        return status;
    if (options->num_consumers == 0)
        return new_distribute(input, options, dataset, error);
    pod_dataset *own;
    status = pod_dataset_shard(input, options->num_consumers, options->consumer_index, &own, error);
    if (status == POD_OK)
        status = new_distribute(own, options, dataset, error);
    pod_dataset_release(own);
    return status;
}
