/*
 * hosts - what the input pipelines of several hosts give in a step, as one batch. All are in this process, or each rank
 * has its own (host_ranks.c).
 */

#include "input/host_ranks.h"

#include <string.h>

typedef struct hosts_dataset {
    pod_dataset base;
    pod_hosts_options options;
} hosts_dataset;

/* One host's pipeline. */
typedef struct host {
    pod_pass pass;       /* which files are its own */
    pod_part *batch;     /* that is being cut up; of it */
    int64_t rows, row;   /* all, and the next, */
    int64_t pieces_left; /* 0: the next batch has to be asked for */
    bool ended;
} host;

/* Rows of one batch, for one step. */
typedef struct slice {
    pod_part *batch; /* shares */
    int64_t begin, rows;
} slice;

typedef struct hosts_stage {
    pod_stage base;
    host *hosts;
    slice *slices; /* of the step that is being made */
    size_t slice_count;
    pod_host_ranks ranks; /* where the hosts are ranks */
} hosts_stage;

static const pod_hosts_options *options_of(const pod_stage *stage)
{
    return &((const hosts_dataset *)stage->dataset)->options;
}

static void drop_slices(hosts_stage *self)
{
    for (size_t i = 0; i < self->slice_count; i++)
        pod_input_parts_release(self->slices[i].batch, self->base.width);
    self->slice_count = 0;
}

static void drop_batch(hosts_stage *self, host *one)
{
    if (one->pieces_left > 0)
        pod_input_parts_release(one->batch, self->base.width);
    one->pieces_left = 0;
}

/* Asks a host for its next batch. */
static pod_status next_batch(hosts_stage *self, size_t index, pod_error *error)
{
    host *one = &self->hosts[index];
    pod_shape shape;
    size_t got;
    pod_input_pass_follow(&one->pass, self->base.pass);
    const pod_status status = pod_input_stage_next(self->base.inputs[index], one->batch, 1, &got, error);
    if (status != POD_OK)
        return status;
    one->pieces_left = options_of(&self->base)->pieces;
    one->row = 0;
    for (size_t i = 0; i < self->base.width; i++) {
        pod_input_part_shape(&one->batch[i], &shape);
        if (i > 0 && shape.dims[0] != one->rows)
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "distribute: the batch of host %zu has %lld rows in component 0 "
                                 "and %lld in component %zu",
                                 index, (long long)one->rows, (long long)shape.dims[0], i);
        one->rows = shape.dims[0];
    }
    return POD_OK;
}

/* Adds a piece of a host's batch to the step; POD_END when the host has no more. */
static pod_status add_piece(hosts_stage *self, size_t index, pod_error *error)
{
    host *one = &self->hosts[index];
    const int64_t pieces = options_of(&self->base)->pieces;
    if (one->pieces_left == 0) {
        const pod_status status = next_batch(self, index, error);
        if (status != POD_OK)
            return status;
    }
    const int64_t most = one->rows / pieces + (one->rows % pieces > 0);
    const int64_t left = one->rows - one->row;
    slice *added = &self->slices[self->slice_count++];
    added->begin = one->row;
    added->rows = most < left ? most : left;
    pod_input_parts_share(one->batch, self->base.width, added->batch);
    one->row += added->rows;
    if (--one->pieces_left == 0)
        pod_input_parts_release(one->batch, self->base.width);
    return POD_OK;
}

/* Collects the pieces of a step that are here; *rows receives how many rows they have. POD_END: there are no more. */
static pod_status collect_here(hosts_stage *self, int64_t *rows, pod_error *error)
{
    const pod_hosts_options *options = options_of(&self->base);
    *rows = 0;
    drop_slices(self);
    for (size_t i = 0; i < self->base.dataset->input_count; i++) {
        for (int64_t j = 0; j < options->pieces_a_step && !self->hosts[i].ended; j++) {
            const pod_status status = add_piece(self, i, error);
            if (status < 0)
                return status;
            self->hosts[i].ended = status == POD_END;
            if (status == POD_OK)
                *rows += self->slices[self->slice_count - 1].rows;
        }
    }
    return self->slice_count > 0 ? POD_OK : POD_END;
}

/* The same for the whole step, which ranks tell each other. */
static pod_status collect(hosts_stage *self, int64_t *rows, pod_error *error)
{
    pod_shape row;
    pod_status status = collect_here(self, rows, error);
    if (!options_of(&self->base)->of_ranks || status < 0)
        return status;
    pod_input_host_ranks_begin(&self->ranks, *rows, self->hosts[0].ended);
    for (size_t i = 0; *rows > 0 && i < self->base.width; i++) {
        pod_input_part_shape(&self->slices[0].batch[i], &row);
        pod_input_host_ranks_tell(&self->ranks, i, &row);
    }
    status = pod_input_host_ranks_meet(&self->ranks, error);
    *rows = self->ranks.rows;
    return status;
}

/* The type of a component of the step that is being made. */
static void type_of(const hosts_stage *self, size_t index, int64_t rows, pod_dtype *dtype, pod_shape *shape)
{
    if (self->slice_count == 0) { /* other ranks have all rows */
        *dtype = self->base.dataset->components[index].dtype;
        pod_input_host_ranks_row(&self->ranks, index, shape);
    } else {
        *dtype = pod_buffer_dtype(self->slices[0].batch[index].buffer);
        pod_input_part_shape(&self->slices[0].batch[index], shape);
    }
    shape->dims[0] = rows;
}

/* Copies component `index` of all slices, one behind the other. */
static pod_status join(hosts_stage *self, size_t index, int64_t rows, pod_part *part, pod_error *error)
{
    pod_shape shape, here;
    pod_dtype dtype;
    type_of(self, index, rows, &dtype, &shape);
    *part = (pod_part){NULL, POD_WHOLE};
    pod_status status = pod_input_spares_take(&self->base.spares[index], dtype, &shape, &part->buffer, error);
    char *to = status == POD_OK ? pod_buffer_data(part->buffer) : NULL;
    const size_t row_bytes = status == POD_OK ? pod_buffer_bytes(part->buffer) / (size_t)rows : 0;
    if (status == POD_OK)
        to += (size_t)self->ranks.first_row * row_bytes;
    for (size_t i = 0; status == POD_OK && i < self->slice_count; i++) {
        const slice *from = &self->slices[i];
        pod_input_part_shape(&from->batch[index], &here);
        here.dims[0] = rows;
        if (!pod_shape_equal(&here, &shape)) {
            status = pod_error_set(error, POD_ERROR_SHAPE,
                                   "distribute: in step %lld the batches of hosts have rows of "
                                   "different shapes; pad them to one",
                                   (long long)self->base.given);
        } else if (from->rows > 0) {
            memcpy(to, (const char *)pod_input_part_data(&from->batch[index]) + (size_t)from->begin * row_bytes,
                   (size_t)from->rows * row_bytes);
            to += (size_t)from->rows * row_bytes;
        }
    }
    if (status == POD_OK && options_of(&self->base)->of_ranks)
        status = pod_input_host_ranks_complete(&self->ranks, pod_buffer_data(part->buffer), row_bytes, error);
    if (status != POD_OK && part->buffer != NULL)
        pod_buffer_release(part->buffer);
    return status;
}

static pod_status hosts_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    hosts_stage *self = (hosts_stage *)stage;
    int64_t rows = 0;
    pod_status status = POD_OK;
    (void)limit;                          /* one at a time: a batch is large */
    while (status == POD_OK && rows == 0) /* all pieces of a step may be empty */
        status = collect(self, &rows, error);
    for (size_t i = 0; status == POD_OK && i < stage->width; i++) {
        status = join(self, i, rows, &parts[i], error);
        if (status != POD_OK)
            pod_input_parts_release(parts, i);
    }
    drop_slices(self);
    *count = status == POD_OK;
    return status;
}

static pod_status allocate(hosts_stage *self, pod_error *error)
{
    pod_holdings *holdings = &self->base.holdings;
    const size_t hosts = self->base.dataset->input_count, width = self->base.width;
    const size_t slices = hosts * (size_t)options_of(&self->base)->pieces_a_step;
    self->hosts = pod_input_hold(holdings, hosts, sizeof *self->hosts);
    self->slices = pod_input_hold(holdings, slices, sizeof *self->slices);
    pod_part *parts = pod_input_hold(holdings, (hosts + slices) * width, sizeof *parts);
    const pod_status status = pod_input_holdings_check(holdings, "the pipelines of hosts", error);
    for (size_t i = 0; status == POD_OK && i < hosts; i++)
        self->hosts[i].batch = parts + i * width;
    for (size_t i = 0; status == POD_OK && i < slices; i++)
        self->slices[i].batch = parts + (hosts + i) * width;
    return status;
}

static pod_status hosts_open(pod_stage *stage, pod_error *error)
{
    hosts_stage *self = (hosts_stage *)stage;
    const size_t pipelines = stage->dataset->input_count;
    int64_t hosts = (int64_t)pipelines, first = 0; /* of which the first pipeline is one */
    pod_status status = allocate(self, error);
    if (status == POD_OK && options_of(stage)->of_ranks)
        status =
            pod_input_host_ranks_open(&self->ranks, stage, options_of(stage)->pieces_a_step, &hosts, &first, error);
    for (size_t i = 0; status == POD_OK && i < pipelines; i++) {
        self->hosts[i].pass = *stage->pass;
        if (options_of(stage)->division != POD_HOSTS_WHOLE) {
            self->hosts[i].pass.options.file_shards = hosts;
            self->hosts[i].pass.options.file_shard = first + (int64_t)i;
            self->hosts[i].pass.options.at_marks = options_of(stage)->division == POD_HOSTS_AT_MARKS;
        }
        status = pod_input_stage_open_input(stage, i, &self->hosts[i].pass, stage->scope, error);
    }
    return status;
}

static void hosts_drop(pod_stage *stage)
{
    hosts_stage *self = (hosts_stage *)stage;
    for (size_t i = 0; self->hosts != NULL && i < stage->dataset->input_count; i++) {
        drop_batch(self, &self->hosts[i]);
        self->hosts[i].ended = false;
    }
}

/* A step, and the batches that it is made of, but for the one of each host that its pipeline counts. */
static int64_t hosts_host_bytes(const pod_dataset *dataset)
{
    const pod_hosts_options *options = &((const hosts_dataset *)dataset)->options;
    const int64_t batches = (options->pieces_a_step + options->pieces - 1) / options->pieces;
    int64_t sum = 0;
    for (size_t i = 0; i < dataset->input_count; i++) {
        const int64_t bytes = pod_dataset_element_bytes(dataset->inputs[i]);
        if (bytes < 0 || (bytes > 0 && (INT64_MAX - sum) / bytes / 2 < options->pieces_a_step))
            return -1;
        sum += bytes * options->pieces_a_step / options->pieces + bytes * (batches - 1);
    }
    return sum;
}

static const pod_stage_class hosts_class = {
    .name = "hosts",
    .at_once = 1,
    .host_bytes = hosts_host_bytes,
    .dataset_size = sizeof(hosts_dataset),
    .iterator_size = sizeof(hosts_stage),
    .opens_inputs_itself = true,
    .reuses_buffers = true,
    .open = hosts_open,
    .next = hosts_next,
    .drop = hosts_drop,
};

/* Steps of the host that has most. */
static int64_t count_steps(pod_dataset *const *inputs, size_t count, const pod_hosts_options *options)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t batches = inputs[i]->cardinality;
        if (batches < 0)
            return batches;
        if (options->division != POD_HOSTS_WHOLE || options->pieces > 1 ||
            options->of_ranks) /* the last pieces of a batch may be empty */
            return POD_CARDINALITY_UNKNOWN;
        const int64_t steps = batches / options->pieces_a_step + (batches % options->pieces_a_step > 0);
        most = steps > most ? steps : most;
    }
    return most;
}

pod_status pod_dataset_hosts(pod_dataset *const *inputs, size_t count, const pod_hosts_options *options,
                             pod_dataset **dataset, pod_error *error)
{
    static const char *const divisions[] = {"", ", by files", ", at marks"};
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (count == 0 || options->pieces < 1 || options->pieces_a_step < 1 || options->pieces_a_step > 65536 ||
        count > 65536 || (unsigned)options->division > POD_HOSTS_AT_MARKS || (options->of_ranks && count > 1))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "distribute: %zu hosts with %lld pieces, %lld a step, are not possible", count,
                             (long long)options->pieces, (long long)options->pieces_a_step);
    const pod_status joined =
        pod_input_components_join((const pod_dataset *const *)inputs, count, "distribute", components, error);
    if (joined != POD_OK)
        return joined;
    for (size_t i = 0; i < inputs[0]->width; i++) {
        if (components[i].shape.rank == 0 || components[i].text)
            return pod_error_set(error, POD_ERROR_SHAPE, "distribute: component %zu is no batch: it has no rows", i);
        components[i].shape.dims[0] = -1;
    }
    const pod_status status =
        pod_dataset_new(inputs[0]->context, &hosts_class, inputs, count, components, inputs[0]->width, dataset, error);
    if (status != POD_OK)
        return status;
    ((hosts_dataset *)*dataset)->options = *options;
    (*dataset)->own_thread |= options->of_ranks; /* no run of a program may be between two meetings of these */
    pod_dataset_tell(*dataset, "%zu hosts, %lld pieces, %lld a step%s%s", count, (long long)options->pieces,
                     (long long)options->pieces_a_step, divisions[options->division],
                     options->of_ranks ? ", of ranks" : "");
    (*dataset)->cardinality = count_steps(inputs, count, options);
    return POD_OK;
}

int64_t pod_dataset_file_count(const pod_dataset *dataset)
{
    int64_t least = -1;
    if (dataset->kind->file_count != NULL) {
        least = dataset->kind->file_count(dataset);
        if (least >= 0)
            return least;
    }
    for (size_t i = 0; i < dataset->input_count; i++) {
        const int64_t here = pod_dataset_file_count(dataset->inputs[i]);
        if (here >= 0 && (least < 0 || here < least))
            least = here;
    }
    return least;
}
