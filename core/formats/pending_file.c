/* pending_file - files that a thread of their own writes. */

#include "moonpod/formats.h"

#include <stdatomic.h>
#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "base/process.h"
#include "base/thread.h"
#include "formats/array_file.h"
#include "formats/safetensors.h"

/* How often one who waits looks at the interrupt. */
#define LOOK_NS ((uint64_t)20 * 1000 * 1000)

struct pod_pending_file {
    pod_context *context; /* shared */
    char *path;
    atomic_uint shares;     /* the caller's, and one of each file that comes behind this one */
    atomic_uint threads_of; /* see base/process.h */
    bool has_lock, has_thread;
    uv_mutex_t mutex;
    uv_cond_t changed;
    bool done;        /* under the mutex: */
    pod_error result; /* what came of it */
    uv_thread_t thread;

    /* The thread's own while it runs. */
    pod_buffer_list list;
    pod_safetensors_writer *writer;
    pod_pending_file *after; /* shared */
};

static pod_status copy_list(pod_context *context, const pod_buffer_list *list, pod_buffer_list *copy, pod_error *error)
{
    pod_status status = POD_OK;
    *copy = (pod_buffer_list){.context = context};
    for (size_t i = 0; status == POD_OK && i < list->count; i++) {
        const pod_named_buffer *entry = &list->entries[i];
        status = pod_format_list_add(copy, entry->name, strlen(entry->name), entry->buffer, error);
    }
    for (size_t i = 0; status == POD_OK && i < list->text_count; i++)
        status = pod_format_list_add_text(copy, list->texts[2 * i], list->texts[2 * i + 1], error);
    return status;
}

static void wait_until_done(pod_pending_file *file)
{
    uv_mutex_lock(&file->mutex);
    while (!file->done)
        uv_cond_wait(&file->changed, &file->mutex);
    uv_mutex_unlock(&file->mutex);
}

static void write_file(void *argument)
{
    pod_pending_file *file = argument;
    pod_error error = {0};
    if (file->after != NULL) {
        wait_until_done(file->after);
        pod_pending_file_release(file->after);
        file->after = NULL;
    }
    const pod_status status = pod_format_safetensors_finish(file->writer, false, &error);
    file->writer = NULL;
    pod_buffer_list_clear(&file->list);
    if (status != POD_OK)
        pod_log(file->context, POD_LOG_WARNING, "a file was not written in the background: %s", error.message);
    uv_mutex_lock(&file->mutex);
    file->result = error;
    file->result.status = status;
    file->done = true;
    uv_cond_broadcast(&file->changed);
    uv_mutex_unlock(&file->mutex);
}

static pod_status make(pod_context *context, const char *path, const pod_buffer_list *list, pod_pending_file *file,
                       pod_error *error)
{
    atomic_init(&file->shares, 1);
    atomic_init(&file->threads_of, 0);
    file->context = pod_context_retain(context);
    file->path = pod_copy_text(context, path);
    if (file->path == NULL)
        return pod_error_memory(error, "a path", strlen(path) + 1);
    if (uv_mutex_init(&file->mutex) != 0)
        return pod_error_memory(error, "a lock", 0);
    if (uv_cond_init(&file->changed) != 0) {
        uv_mutex_destroy(&file->mutex);
        return pod_error_memory(error, "a lock", 0);
    }
    file->has_lock = true;
    const pod_status status = copy_list(context, list, &file->list, error);
    return status == POD_OK ? pod_format_safetensors_open(context, path, &file->list, &file->writer, error) : status;
}

pod_status pod_safetensors_begin(pod_context *context, const char *path, const pod_buffer_list *list,
                                 pod_pending_file *after, pod_pending_file **file, pod_error *error)
{
    *file = NULL;
    pod_status status = after != NULL ? pod_process_check(&after->threads_of, after->path, error) : POD_OK;
    if (status != POD_OK)
        return status;
    pod_pending_file *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "a file", sizeof *made);
    status = make(context, path, list, made, error);
    if (status != POD_OK) {
        pod_format_safetensors_abandon(made->writer);
        made->writer = NULL;
        made->done = true;
        pod_pending_file_release(made);
        return status;
    }
    if (after != NULL) {
        atomic_fetch_add_explicit(&after->shares, 1, memory_order_relaxed);
        made->after = after;
    }
    const bool has_place = pod_threads_take(context, 1) == 1;
    made->has_thread = has_place && pod_thread_start(&made->thread, POD_THREAD_STACK, write_file, made) == 0;
    if (has_place && !made->has_thread)
        pod_threads_give_back(context, 1);
    if (made->has_thread)
        pod_process_mark(&made->threads_of);
    else
        write_file(made);
    *file = made;
    return POD_OK;
}

bool pod_pending_file_is_done(pod_pending_file *file)
{
    if (pod_process_is_child(&file->threads_of)) /* where the lock may be held for ever */
        return false;
    uv_mutex_lock(&file->mutex);
    const bool done = file->done;
    uv_mutex_unlock(&file->mutex);
    return done;
}

pod_status pod_pending_file_wait(pod_pending_file *file, pod_error *error)
{
    pod_status status = pod_process_check(&file->threads_of, file->path, error);
    if (status != POD_OK)
        return status;
    uv_mutex_lock(&file->mutex);
    while (!file->done && !pod_context_is_interrupted(file->context))
        (void)uv_cond_timedwait(&file->changed, &file->mutex, LOOK_NS);
    if (file->done) {
        status = file->result.status;
        if (error != NULL)
            *error = file->result;
    } else {
        status = pod_error_set(error, POD_ERROR_INTERRUPTED,
                               "%s: interrupted while the file is being written; it will be", file->path);
    }
    uv_mutex_unlock(&file->mutex);
    return status;
}

void pod_pending_file_release(pod_pending_file *file)
{
    if (file == NULL || atomic_fetch_sub_explicit(&file->shares, 1, memory_order_acq_rel) != 1)
        return;
    /* In a child of fork() the thread is not there, and what it has is its own: it goes with the process. */
    if (pod_process_is_child(&file->threads_of))
        return;
    pod_context *context = file->context;
    if (file->has_thread) {
        (void)uv_thread_join(&file->thread);
        pod_threads_give_back(context, 1);
    }
    pod_pending_file_release(file->after);
    pod_buffer_list_clear(&file->list);
    if (file->has_lock) {
        uv_cond_destroy(&file->changed);
        uv_mutex_destroy(&file->mutex);
    }
    pod_free(context, file->path);
    pod_free(context, file);
    pod_context_release(context);
}
