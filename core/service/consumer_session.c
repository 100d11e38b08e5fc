/* consumer_session - the worker's side of a session, and what both have: see consumer_session.h. */

#include "service/consumer_session.h"

#include <string.h>

#include "base/thread.h"

/* ---- pipelines ---- */

void pod_service_pipeline_name(const void *recipe, size_t size, char name[POD_PIPELINE_NAME])
{
    unsigned char digest[POD_SHA256_SIZE];
    pod_sha256 hash;
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, recipe, size);
    pod_sha256_end(&hash, digest);
    pod_service_digest_name(digest, name);
}

void pod_service_digest_name(const unsigned char digest[POD_SHA256_SIZE], char name[POD_PIPELINE_NAME])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < POD_SHA256_SIZE; i++) {
        name[2 * i] = digits[digest[i] >> 4];
        name[2 * i + 1] = digits[digest[i] & 15];
    }
    name[POD_PIPELINE_NAME - 1] = '\0';
}

#define KEPT (sizeof((pod_pipelines *)0)->rows / sizeof((pod_pipelines *)0)->rows[0])

pod_dataset *pod_service_pipelines_find(pod_pipelines *pipelines, const char *name)
{
    pod_dataset *found = NULL;
    uv_mutex_lock(&pipelines->mutex);
    for (size_t i = 0; i < KEPT && found == NULL; i++)
        if (pipelines->rows[i].dataset != NULL && strcmp(pipelines->rows[i].name, name) == 0) {
            found = pod_dataset_retain(pipelines->rows[i].dataset);
            pipelines->rows[i].used = ++pipelines->uses;
        }
    uv_mutex_unlock(&pipelines->mutex);
    return found;
}

void pod_service_pipelines_keep(pod_pipelines *pipelines, const char *name, pod_dataset *dataset)
{
    size_t oldest = 0;
    uv_mutex_lock(&pipelines->mutex);
    for (size_t i = 1; i < KEPT; i++)
        if (pipelines->rows[i].used < pipelines->rows[oldest].used)
            oldest = i;
    pod_dataset *before = pipelines->rows[oldest].dataset;
    memcpy(pipelines->rows[oldest].name, name, POD_PIPELINE_NAME);
    pipelines->rows[oldest].dataset = pod_dataset_retain(dataset);
    pipelines->rows[oldest].used = ++pipelines->uses;
    uv_mutex_unlock(&pipelines->mutex);
    pod_dataset_release(before);
}

/* ---- sessions ---- */

static void free_session(pod_session *self)
{
    if (self->has_recipe)
        pod_zmq.msg_close(&self->recipe);
    uv_cond_destroy(&self->changed);
    uv_mutex_destroy(&self->mutex);
    pod_free(self->context, self);
}

pod_status pod_service_session_start(const pod_session *fields, int64_t window, void (*work)(void *session),
                                     pod_session **session, pod_error *error)
{
    *session = NULL;
    pod_session *self = pod_allocate(fields->context, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a session", sizeof *self);
    *self = *fields;
    self->credit = window;
    self->heard = uv_hrtime();
    if (uv_mutex_init(&self->mutex) != 0 || uv_cond_init(&self->changed) != 0) {
        pod_free(fields->context, self);
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a session's lock");
    }
    if (pod_threads_take(self->context, 1) != 1) {
        free_session(self);
        return pod_error_set(error, POD_ERROR_STATE, "the worker has no thread left for one more consumer");
    }
    const int failure = pod_thread_start(&self->thread, 0, work, self);
    if (failure != 0) {
        pod_threads_give_back(fields->context, 1);
        free_session(self);
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot start a session: %s", uv_strerror(failure));
    }
    self->runs = true;
    *session = self;
    return POD_OK;
}

static void tell(pod_session *self)
{
    uv_cond_signal(&self->changed);
    uv_mutex_unlock(&self->mutex);
}

void pod_service_session_give_recipe(pod_session *self, zmq_msg_t *recipe)
{
    uv_mutex_lock(&self->mutex);
    if (!self->has_recipe) {
        pod_zmq.msg_init(&self->recipe);
        pod_zmq.msg_move(&self->recipe, recipe);
        self->has_recipe = true;
    }
    tell(self);
}

bool pod_service_session_read(pod_session *self, const pod_reading *reading)
{
    uv_mutex_lock(&self->mutex);
    const bool fits = self->reading_count < POD_MOST_READINGS;
    if (fits)
        self->readings[self->reading_count++] = *reading;
    tell(self);
    return fits;
}

void pod_service_session_credit(pod_session *self, int64_t bytes)
{
    uv_mutex_lock(&self->mutex);
    if (bytes > 0 && self->credit < INT64_MAX - bytes)
        self->credit += bytes;
    tell(self);
}

void pod_service_session_close(pod_session *self)
{
    uv_mutex_lock(&self->mutex);
    self->closed = true;
    if (self->iterator != NULL)
        pod_dataset_iterator_cancel(self->iterator);
    tell(self);
}

bool pod_service_session_has_ended(pod_session *self)
{
    uv_mutex_lock(&self->mutex);
    const bool ended = self->ended;
    uv_mutex_unlock(&self->mutex);
    return ended;
}

void pod_service_session_end(pod_session *self)
{
    pod_service_session_close(self);
    uv_thread_join(&self->thread);
    pod_threads_give_back(self->context, 1);
    free_session(self);
}
