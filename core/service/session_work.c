/* session_work - what a session's thread does: it reads the pipeline, walks to where the consumer wants to read, and
 * sends blocks of elements while there is credit. */

#include "service/consumer_session.h"

#include <string.h>

#include "input/consumer.h"
#include "input/recipe.h"
#include "service/remote_stats.h"

/* A block of elements that come slowly is sent after so many nanoseconds. */
#define PATIENCE UINT64_C(5000000)

/* How often a consumer is told what the stages did, while it reads on. */
#define STATS_EVERY UINT64_C(500000000)

/* Where the thread is. */
typedef struct walker {
    pod_session *session;
    void *out; /* PUSH */
    pod_dataset *dataset;
    pod_dataset_iterator *iterator; /* NULL: none is open */
    pod_reading of;                 /* the pass and the files that it is of */
    int64_t position;               /* elements of it that were given or passed over */
    pod_part *parts;                /* of the block that is being made */
    size_t count, bytes;
    bool ended;
    pod_remote_stats closed, told; /* of iterators that were closed; what the consumer knows */
    uint64_t told_at, held, idle;  /* nanoseconds since then that it waited for credit, for something to read */
} walker;

/* ---- saying ---- */

static bool push(walker *self, const void *bytes, size_t size, bool more)
{
    zmq_msg_t frame;
    if (pod_zmq.msg_init_size(&frame, size) != 0)
        return false;
    if (size > 0)
        memcpy(pod_zmq.msg_data(&frame), bytes, size);
    if (pod_zmq.msg_send(&frame, self->out, more ? ZMQ_SNDMORE : 0) >= 0)
        return true;
    pod_zmq.msg_close(&frame);
    return false;
}

static bool push_header(walker *self, const pod_header *header, bool more)
{
    unsigned char bytes[POD_SERVICE_HEADER_SIZE];
    pod_service_write_header(header, bytes);
    return push(self, self->session->consumer, self->session->consumer_size, true) &&
           push(self, bytes, sizeof bytes, more);
}

static void push_failure(walker *self, int64_t ticket, const pod_error *error)
{
    const pod_header header = {.kind = POD_SAYS_FAILED, .numbers = {ticket, error->status}};
    (void)(push_header(self, &header, true) && push(self, error->message, strlen(error->message), false));
}

/* ---- what others decide ---- */

/* Waits for credit; false: nobody wants anything any more. */
static bool wait_for_credit(walker *of)
{
    pod_session *self = of->session;
    const uint64_t began = uv_hrtime();
    uv_mutex_lock(&self->mutex);
    while (self->credit <= 0 && !self->closed)
        uv_cond_wait(&self->changed, &self->mutex);
    const bool goes_on = !self->closed;
    uv_mutex_unlock(&self->mutex);
    of->held += uv_hrtime() - began;
    return goes_on;
}

static bool wait_for_recipe(pod_session *self)
{
    uv_mutex_lock(&self->mutex);
    while (!self->has_recipe && !self->closed)
        uv_cond_wait(&self->changed, &self->mutex);
    const bool goes_on = !self->closed;
    uv_mutex_unlock(&self->mutex);
    return goes_on;
}

static bool wait_for_reading(walker *of, pod_reading *reading)
{
    pod_session *self = of->session;
    const uint64_t began = uv_hrtime();
    uv_mutex_lock(&self->mutex);
    while (self->reading_count == 0 && !self->closed)
        uv_cond_wait(&self->changed, &self->mutex);
    const bool goes_on = !self->closed;
    if (goes_on) {
        *reading = self->readings[0];
        memmove(self->readings, self->readings + 1, --self->reading_count * sizeof self->readings[0]);
    }
    uv_mutex_unlock(&self->mutex);
    of->idle += uv_hrtime() - began;
    return goes_on;
}

/* ---- walking ---- */

/* Gives the session the iterator that closing it cancels; NULL: none. */
static void show_iterator(walker *self, pod_dataset_iterator *iterator)
{
    pod_session *session = self->session;
    uv_mutex_lock(&session->mutex);
    session->iterator = iterator;
    if (session->closed && iterator != NULL)
        pod_dataset_iterator_cancel(iterator);
    uv_mutex_unlock(&session->mutex);
}

static void close_iterator(walker *self)
{
    show_iterator(self, NULL);
    if (self->iterator != NULL)
        pod_service_remote_count(self->iterator, self->dataset, &self->closed);
    pod_dataset_iterator_close(self->iterator);
    self->iterator = NULL;
}

static bool is_of_same_pass(const pod_reading *a, const pod_reading *b)
{
    return a->files == b->files && a->file == b->file && a->pass.epoch == b->pass.epoch &&
           a->pass.repetition == b->pass.repetition;
}

/* Goes to element `place` of a pass: on from where it is, or from the beginning where it is behind that. */
static pod_status go_to(walker *self, const pod_reading *reading, int64_t place, pod_error *error)
{
    int64_t passed = 0;
    if (self->iterator != NULL && (!is_of_same_pass(&self->of, reading) || place < self->position))
        close_iterator(self);
    if (self->iterator == NULL) {
        const pod_iterator_options options = {.epoch = reading->pass.epoch,
                                              .repetition = reading->pass.repetition,
                                              .file_shards = reading->files > 0 ? reading->files : 0,
                                              .file_shard = reading->files > 0 ? reading->file : 0,
                                              .block_elements = reading->files < 0 ? -reading->files : 0,
                                              .block = reading->files < 0 ? reading->file : 0};
        const pod_status status = pod_dataset_iterator_open(self->dataset, &options, &self->iterator, error);
        if (status != POD_OK)
            return status;
        self->of = *reading;
        self->position = 0;
        self->ended = false;
        show_iterator(self, self->iterator);
    }
    if (self->ended)
        return POD_END;
    const pod_status status = pod_input_stage_pass_over(self->iterator->stage, place - self->position, &passed, error);
    self->position += passed;
    self->ended = status == POD_END;
    return status;
}

/* ---- what the stages did ---- */

/* Tells the consumer how much more that is since it was told. */
static void tell_stats(walker *self)
{
    unsigned char bytes[POD_MOST_REMOTE * POD_REMOTE_STAGE_BYTES];
    pod_remote_stats now = self->closed;
    if (self->iterator != NULL)
        pod_service_remote_count(self->iterator, self->dataset, &now);
    const size_t size = pod_service_remote_write(&now, &self->told, bytes);
    const pod_header header = {.kind = POD_SAYS_STATS, .numbers = {(int64_t)self->held, (int64_t)self->idle}};
    if (push_header(self, &header, true))
        (void)push(self, bytes, size, false);
    self->told = now;
    self->held = self->idle = 0;
    self->told_at = uv_hrtime();
}

/* ---- blocks ---- */

/* How many elements a block may have. */
static size_t most_of(const pod_dataset *dataset)
{
    for (size_t i = 0; i < dataset->width; i++)
        if (dataset->components[i].shape.rank == POD_MAX_RANK) /* there is no axis left for rows */
            return 1;
    return POD_MOST_IN_BLOCK;
}

/* Adds elements to the block, until it is full, old enough or `left` are there. */
static pod_status fill(walker *self, int64_t left, pod_error *error)
{
    const size_t width = self->dataset->width, most = most_of(self->dataset);
    const uint64_t began = uv_hrtime();
    const size_t limit = (uint64_t)left < most ? (size_t)left : most;
    const int64_t each = pod_dataset_element_bytes(self->dataset);
    pod_status status = POD_OK;
    while (status == POD_OK && self->count < limit && self->bytes < POD_BLOCK_BYTES &&
           (self->count == 0 || uv_hrtime() - began < PATIENCE)) {
        size_t got, wanted = limit - self->count;
        if (each > 0 && (size_t)each * wanted > POD_BLOCK_BYTES - self->bytes)
            wanted = (POD_BLOCK_BYTES - self->bytes) / (size_t)each + 1;
        wanted = wanted < limit - self->count ? wanted : limit - self->count;
        status = pod_input_stage_next(self->iterator->stage, self->parts + self->count * width, wanted, &got, error);
        for (size_t i = self->count * width; i < (self->count + got) * width; i++)
            self->bytes += pod_input_part_bytes(&self->parts[i]);
        self->count += got;
    }
    return status;
}

static void drop_block(walker *self)
{
    pod_input_parts_release(self->parts, self->count * self->dataset->width);
    self->count = self->bytes = 0;
}

/* Sends the block, whose first element is `first` of the reading. */
static pod_status send_block(walker *self, int64_t ticket, int64_t first, pod_error *error)
{
    pod_session *session = self->session;
    const size_t width = self->dataset->width;
    zmq_msg_t frames[POD_MAX_COMPONENTS];
    size_t made = 0, cost = POD_BLOCK_BESIDES;
    pod_status status = POD_OK;
    for (; status == POD_OK && made < width; made += status == POD_OK)
        status = pod_service_block_write(session->context, self->dataset, self->parts, self->count, made,
                                         session->compresses, &frames[made], &cost, error);
    const pod_header header = {.kind = POD_SAYS_DATA, .numbers = {ticket, first, (int64_t)self->count, (int64_t)cost}};
    bool goes = status == POD_OK && push_header(self, &header, true);
    for (size_t i = 0; i < made; i++) {
        goes = goes && pod_zmq.msg_send(&frames[i], self->out, i + 1 < width ? ZMQ_SNDMORE : 0) >= 0;
        pod_zmq.msg_close(&frames[i]); /* nothing to do where it went */
    }
    uv_mutex_lock(&session->mutex);
    session->credit -= (int64_t)cost;
    uv_mutex_unlock(&session->mutex);
    return status;
}

/* Sends what a reading asks for. POD_END where the pass ended before. */
static pod_status send_reading(walker *self, const pod_reading *reading, int64_t *given, pod_error *error)
{
    *given = reading->skip;
    pod_status status = go_to(self, reading, reading->first + reading->skip, error);
    if (status == POD_END && self->position > reading->first)
        *given = self->position - reading->first;
    else if (status == POD_END)
        *given = 0;
    while (status == POD_OK && (reading->count < 0 || *given < reading->count)) {
        const int64_t left = reading->count < 0 ? INT64_MAX : reading->count - *given;
        if (!wait_for_credit(self))
            return pod_error_set(error, POD_ERROR_CANCELLED, "the consumer is gone");
        status = fill(self, left, error);
        self->position += (int64_t)self->count;
        self->ended = status == POD_END;
        if (self->count > 0) {
            const pod_status sent = send_block(self, reading->ticket, *given, error);
            *given += (int64_t)self->count;
            drop_block(self);
            status = sent != POD_OK ? sent : status;
        }
        if (uv_hrtime() - self->told_at > STATS_EVERY)
            tell_stats(self);
    }
    return status;
}

static void serve(walker *self, const pod_reading *reading)
{
    pod_error error = {0};
    int64_t given;
    const pod_status status = send_reading(self, reading, &given, &error);
    if (status < 0) {
        close_iterator(self);
        push_failure(self, reading->ticket, &error);
        return;
    }
    tell_stats(self);
    const bool ended = reading->files < 0 ? atomic_load(&self->iterator->shared.source_ended) : status == POD_END;
    const pod_header header = {.kind = POD_SAYS_ENDED, .numbers = {reading->ticket, given, ended}};
    (void)push_header(self, &header, false);
}

/* ---- the thread ---- */

/* Takes the pipeline from those that are kept, or reads it. */
static pod_status find_pipeline(walker *self, pod_error *error)
{
    pod_session *session = self->session;
    self->dataset = pod_service_pipelines_find(session->pipelines, session->pipeline);
    if (self->dataset != NULL)
        return POD_OK;
    const pod_header wanted = {.kind = POD_SAYS_WANTED};
    if (!push_header(self, &wanted, false) || !wait_for_recipe(session))
        return pod_error_set(error, POD_ERROR_CANCELLED, "the consumer is gone");
    const void *bytes = pod_zmq.msg_data(&session->recipe);
    const size_t size = pod_zmq.msg_size(&session->recipe);
    char name[POD_PIPELINE_NAME];
    pod_service_pipeline_name(bytes, size, name);
    if (strcmp(name, session->pipeline) != 0)
        return pod_error_set(error, POD_ERROR_FORMAT, "the pipeline that came is not the one that was announced");
    const pod_status status = pod_input_recipe_read(session->context, bytes, size, &self->dataset, error);
    if (status == POD_OK)
        pod_service_pipelines_keep(session->pipelines, name, self->dataset);
    return status;
}

static pod_status prepare(walker *self, pod_error *error)
{
    pod_status status = pod_service_inside(self->session->zmq, ZMQ_PUSH, POD_SESSION_OUT, false, &self->out, error);
    if (status == POD_OK)
        status = find_pipeline(self, error);
    if (status != POD_OK)
        return status;
    const size_t bytes = POD_MOST_IN_BLOCK * self->dataset->width * sizeof *self->parts;
    self->parts = pod_allocate(self->session->context, bytes);
    return self->parts != NULL ? POD_OK : pod_error_memory(error, "a block of elements", bytes);
}

void pod_service_session_work(void *argument)
{
    walker self = {.session = argument};
    pod_session *session = argument;
    pod_reading reading;
    pod_error error = {0};
    if (prepare(&self, &error) != POD_OK) {
        if (self.out != NULL)
            push_failure(&self, -1, &error);
    } else {
        const pod_header opened = {.kind = POD_SAYS_OPENED};
        (void)push_header(&self, &opened, false);
        while (wait_for_reading(&self, &reading))
            serve(&self, &reading);
        drop_block(&self);
        close_iterator(&self);
    }
    pod_free(session->context, self.parts);
    pod_dataset_release(self.dataset);
    pod_service_close_socket(self.out);
    uv_mutex_lock(&session->mutex);
    session->ended = true;
    uv_mutex_unlock(&session->mutex);
}
