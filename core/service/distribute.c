/* distribute - the stage whose elements workers make. */

#include <string.h>

#include "base/sizes.h"
#include "input/recipe.h"
#include "input/stage_stats.h"
#include "service/receiver.h"

/* Elements of a split, where nobody says: a hundredth of those there are, so that workers of different speed end
 * together, but no more than so many, nor where their number is not known. */
#define MOST_IN_SPLIT  1024
#define UNKNOWN_SPLIT  64
#define SPLITS_OF_PASS 100

typedef struct distribute_dataset {
    pod_dataset base;
    pod_receiver_task task; /* all of it but the pass */
    pod_service_keys keys;
    char pipeline[POD_PIPELINE_NAME];
} distribute_dataset;

typedef struct distribute_stage {
    pod_stage base;
    pod_receiver receiver;
    bool begun;
    int64_t received; /* bytes, of passes that have ended */
} distribute_stage;

static pod_status start(distribute_stage *self, pod_error *error)
{
    const distribute_dataset *dataset = (const distribute_dataset *)self->base.dataset;
    pod_receiver_task task = dataset->task;
    task.context = self->base.pass->context;
    task.dataset = self->base.dataset;
    task.pass = pod_input_stage_pass_number(&self->base);
    task.stop = pod_input_stage_stop(&self->base);
    self->begun = true;
    if (!task.in_order)
        atomic_store(&self->base.pass->shared->reordered, true);
    pod_process_mark(&self->base.pass->shared->threads_of);
    return pod_service_receiver_start(&self->receiver, &task, self->base.scope, pod_service_receiver_work, error);
}

static pod_status distribute_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    distribute_stage *self = (distribute_stage *)stage;
    const pod_status status = self->begun ? POD_OK : start(self, error);
    return status == POD_OK ? pod_service_receiver_next(&self->receiver, parts, limit, count, error) : status;
}

static void distribute_drop(pod_stage *stage)
{
    distribute_stage *self = (distribute_stage *)stage;
    if (!self->begun)
        return;
    self->received += self->receiver.received;
    pod_service_receiver_stop(&self->receiver);
    self->begun = false;
}

/* Its input is walked elsewhere. */
static pod_status distribute_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    (void)stage;
    (void)what;
    (void)error;
    return POD_OK;
}

static int64_t distribute_file_count(const pod_dataset *dataset)
{
    (void)dataset; /* workers read them */
    return -1;
}

static void distribute_stage_stats(pod_stage *stage, pod_stage_stats *row)
{
    distribute_stage *self = (distribute_stage *)stage;
    row->seconds_busy -= pod_input_stage_busy(stage); /* it waits */
    row->seconds_waited += pod_input_stage_seconds(stage);
    row->received_bytes = self->received;
    if (!self->begun || self->receiver.gate.opened == 0)
        return;
    uv_mutex_lock(&self->receiver.gate.mutex);
    row->received_bytes += self->receiver.received;
    row->threads = self->receiver.sessions;
    row->queue_count = row->queue_size = (int64_t)self->receiver.blocks;
    row->queue_bytes = self->receiver.bytes;
    uv_mutex_unlock(&self->receiver.gate.mutex);
}

static void distribute_free(pod_dataset *dataset)
{
    distribute_dataset *self = (distribute_dataset *)dataset;
    pod_service_local_close(self->task.local);
    pod_bytes_free(dataset->context, &self->task.recipe);
}

static const pod_stage_class distribute_class = {
    .name = "distribute",
    .dataset_size = sizeof(distribute_dataset),
    .iterator_size = sizeof(distribute_stage),
    .opens_inputs_itself = true,
    .file_count = distribute_file_count,
    .free = distribute_free,
    .next = distribute_next,
    .drop = distribute_drop,
    .rewind = distribute_rewind,
    .stage_stats = distribute_stage_stats,
};

/* ---- making ---- */

static pod_status check_options(const pod_distribute_options *options, pod_error *error)
{
    const char *compression = options->compression;
    if (options->service == NULL)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: give the dispatcher's address as `service`, or \"local\"");
    if (options->split_size < 0 || options->target_workers < 0 || options->workers < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: split_size, target_workers and workers are not negative");
    if (options->num_consumers < 0 || options->consumer_index < 0 ||
        (options->num_consumers > 0 ? options->consumer_index >= options->num_consumers : options->consumer_index > 0))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: consumer %lld of %lld; consumers are numbered from 0 to their number - 1",
                             (long long)options->consumer_index, (long long)options->num_consumers);
    if (options->num_consumers > 0 && (options->job_name != NULL || options->mode == POD_SERVICE_PARALLEL ||
                                       options->sharding == POD_SERVICE_BY_FILES))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: consumers in step (num_consumers) take their elements by number: without "
                             "job_name, and by elements of distributed_epoch");
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

/* Chooses the splits of a pass. */
static pod_status divide(distribute_dataset *self, const pod_dataset *input, const pod_distribute_options *options,
                         pod_error *error)
{
    pod_receiver_task *task = &self->task;
    const int64_t elements = input->cardinality;
    task->end = -1;
    if (task->sharding == POD_SERVICE_BY_FILES) {
        task->files = pod_dataset_file_count(input);
        if (task->files < 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT,
                                 "distribute: the dataset reads no files whose number is known: divide it by elements");
        task->end = task->mode == POD_SERVICE_DISTRIBUTED ? task->files : -1;
        return POD_OK;
    }
    task->split_size = options->split_size > 0 ? options->split_size
                       : elements >= 0         ? pod_smaller(elements / SPLITS_OF_PASS + 1, MOST_IN_SPLIT)
                                               : UNKNOWN_SPLIT;
    if (elements >= 0 && task->mode == POD_SERVICE_DISTRIBUTED)
        task->end = elements / task->split_size + (elements % task->split_size != 0);
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
    task->mode = options->mode;
    task->sharding = options->sharding;
    task->target_workers = options->target_workers;
    task->in_order = options->in_order || options->num_consumers > 0;
    task->compress = strcmp(compression, "none") != 0;
    task->compress_here = strcmp(compression, "zstd") == 0;
    task->keys = &self->keys;
    task->pipeline = self->pipeline;
    task->job = options->job_name != NULL ? pod_input_hold_text(&self->base.holdings, options->job_name) : NULL;
    task->address = pod_input_hold_text(&self->base.holdings, options->service);
    pod_status status = pod_input_holdings_check(&self->base.holdings, "a dataset", error);
    if (status == POD_OK)
        status = divide(self, input, options, error);
    if (status == POD_OK)
        status = pod_input_recipe_write(input, &task->recipe, error);
    if (status != POD_OK)
        return status;
    if (task->recipe.size > (size_t)POD_SERVICE_RECIPE)
        return pod_error_set(
            error, POD_ERROR_ARGUMENT,
            "distribute: the pipeline has %zu bytes with its rows, and at most 2^30 are sent: write them "
            "to files that workers read",
            task->recipe.size);
    pod_service_pipeline_name(task->recipe.data, task->recipe.size, self->pipeline);
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
    pod_status status = pod_dataset_new(input->context, &distribute_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    status = set_up((distribute_dataset *)*dataset, input, options, error);
    if (status != POD_OK)
        return pod_dataset_fail(dataset, status);
    pod_dataset_tell(*dataset, "%s%s", options->mode == POD_SERVICE_PARALLEL ? "parallel epochs" : "distributed epoch",
                     options->sharding == POD_SERVICE_BY_FILES ? ", by files" : "");
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
