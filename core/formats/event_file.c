/* event_file - event files are appended to: records wait in memory and are written whole. */

#include "formats/event_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "base/system/system.h"
#include "formats/located.h"
#include "formats/record.h"
#include "formats/writer.h"

#define DEFAULT_QUEUE  10
#define DEFAULT_MILLIS 2000
/* More does not wait. */
#define MOST_WAITING ((size_t)1 << 20)
/* While nothing can be written, so much is kept. */
#define MOST_KEPT ((size_t)64 << 20)
/* Files of one process, folder and second. */
#define MOST_FILES 100000

/* A tag that was written: which plugin shows it; NULL: the place is free. */
typedef struct written_tag {
    uint64_t hash;
    const char *plugin;
} written_tag;

struct pod_event_writer {
    pod_context *context; /* shared */
    char *path;
    uv_file file;
    int64_t length; /* of the file, in whole records */
    int64_t max_queue, flush_millis;
    int64_t queued;      /* events in `waiting` */
    uint64_t flushed_at; /* uv_hrtime() */
    pod_text waiting;    /* whole records */
    pod_text event;      /* the one that is made */
    written_tag *tags;   /* a table of `tag_room` places, a power of two, by their hash */
    size_t tag_count, tag_room;
};

/* ---- making an event ---- */

double pod_format_event_now(void)
{
    uv_timeval64_t now = {0};
    (void)uv_gettimeofday(&now);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

pod_context *pod_format_event_context(const pod_event_writer *writer)
{
    return writer->context;
}

pod_status pod_format_event_check_text(const char *what, const void *text, size_t size, pod_error *error)
{
    const unsigned char *bytes = text;
    for (size_t at = 0, length; at < size; at += length) {
        length = pod_text_utf8_length(bytes + at, size - at);
        if (length == 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s is not UTF-8: its byte %zu is 0x%02x", what, at + 1,
                                 bytes[at]);
    }
    return POD_OK;
}

void pod_format_event_begin_bare(pod_event_writer *writer, int64_t step, pod_event_draft *draft)
{
    pod_text *text = &writer->event;
    *draft = (pod_event_draft){.writer = writer, .text = text};
    text->length = 0;
    pod_format_put_double(text, 1, pod_format_event_now());
    if (step != 0)
        pod_format_put_integer(text, 2, step);
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static written_tag *place_of(written_tag *tags, size_t room, uint64_t hash)
{
    assert((room & (room - 1)) == 0);
    size_t at = (size_t)hash & (room - 1);
    while (tags[at].plugin != NULL && tags[at].hash != hash)
        at = (at + 1) & (room - 1);
    return &tags[at];
}

static pod_status grow_tags(pod_event_writer *writer, pod_error *error)
{
    const size_t room = writer->tag_room > 0 ? 2 * writer->tag_room : 64;
    written_tag *tags = pod_allocate_zeroed(writer->context, room, sizeof *tags);
    if (tags == NULL)
        return pod_error_memory(error, "tags of summaries", room * sizeof *tags);
    for (size_t i = 0; i < writer->tag_room; i++)
        if (writer->tags[i].plugin != NULL)
            *place_of(tags, room, writer->tags[i].hash) = writer->tags[i];
    pod_free(writer->context, writer->tags);
    writer->tags = tags;
    writer->tag_room = room;
    return POD_OK;
}

/* A tag is of one kind: TensorBoard reads all of its events as the first one's. */
static pod_status check_kind(pod_event_writer *writer, const char *tag, const char *plugin, pod_error *error)
{
    const uint64_t hash = hash_of(tag);
    const pod_status status = 2 * writer->tag_count >= writer->tag_room ? grow_tags(writer, error) : POD_OK;
    if (status != POD_OK)
        return status;
    assert(2 * writer->tag_count < writer->tag_room); /* a free place ends each search */
    written_tag *place = place_of(writer->tags, writer->tag_room, hash);
    if (place->plugin != NULL && strcmp(place->plugin, plugin) != 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the tag '%.100s' is of %s already, and TensorBoard shows one kind a tag; give %s another "
                             "tag",
                             tag, place->plugin, plugin);
    writer->tag_count += place->plugin == NULL;
    *place = (written_tag){hash, plugin};
    return POD_OK;
}

pod_status pod_format_event_begin(pod_event_writer *writer, int64_t step, const char *tag, const char *plugin,
                                  pod_bytes content, pod_event_draft *draft, pod_error *error)
{
    if (*tag == '\0')
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the tag of a summary is empty");
    pod_status status = pod_format_event_check_text("the tag of a summary", tag, strlen(tag), error);
    if (status == POD_OK)
        status = check_kind(writer, tag, plugin, error);
    if (status != POD_OK)
        return status;
    pod_format_event_begin_bare(writer, step, draft);
    pod_text *text = draft->text;
    draft->open[draft->depth++] = pod_format_open_message(text, 5);
    draft->open[draft->depth++] = pod_format_open_message(text, 1);
    pod_format_put_text(text, 1, tag);
    const size_t metadata = pod_format_open_message(text, 9), data = pod_format_open_message(text, 1);
    pod_format_put_text(text, 1, plugin);
    if (content.size > 0)
        pod_format_put_bytes(text, 2, content.data, content.size);
    pod_format_close_message(text, data);
    pod_format_close_message(text, metadata);
    draft->open[draft->depth++] = pod_format_open_message(text, 8);
    return POD_OK;
}

void pod_format_event_shape(pod_text *text, unsigned number, const pod_shape *shape)
{
    const size_t opened = pod_format_open_message(text, number);
    for (int32_t i = 0; i < shape->rank; i++) {
        const size_t dim = pod_format_open_message(text, 2);
        if (shape->dims[i] != 0)
            pod_format_put_integer(text, 1, shape->dims[i]);
        pod_format_close_message(text, dim);
    }
    pod_format_close_message(text, opened);
}

void pod_format_event_tensor_type(pod_text *text, int dtype, const pod_shape *shape)
{
    pod_format_put_integer(text, 1, dtype);
    pod_format_event_shape(text, 2, shape);
}

/* Empties a text; a large one gives its memory back. */
static void empty(pod_text *text)
{
    if (text->failed || text->capacity > MOST_WAITING)
        pod_text_clear(text);
    text->length = 0;
}

void pod_format_event_drop(pod_event_draft *draft)
{
    empty(draft->text);
}

/* ---- the file ---- */

/* Takes away what a failed write left behind the last whole record. */
static void cut_off(pod_event_writer *writer)
{
    uv_fs_t request;
    (void)uv_fs_ftruncate(NULL, &request, writer->file, writer->length, NULL);
    uv_fs_req_cleanup(&request);
}

static pod_status check_is_there(pod_event_writer *writer, pod_error *error)
{
    uv_fs_t request;
    const int result = uv_fs_fstat(NULL, &request, writer->file, NULL);
    const bool is_gone = result == 0 && request.statbuf.st_nlink == 0;
    uv_fs_req_cleanup(&request);
    return is_gone
               ? pod_error_set(error, POD_ERROR_IO,
                               "%s: events cannot be read any more: the file, or its folder, was removed", writer->path)
               : POD_OK;
}

pod_status pod_event_writer_flush(pod_event_writer *writer, pod_error *error)
{
    pod_text *waiting = &writer->waiting;
    const size_t size = waiting->length;
    const int result = pod_format_write_all((int)writer->file, waiting->data, size, writer->length);
    if (result < 0) {
        cut_off(writer);
        return pod_error_set(error, POD_ERROR_IO, "%s: cannot write events: %s", writer->path, uv_strerror(result));
    }
    writer->length += (int64_t)size;
    writer->queued = 0;
    writer->flushed_at = uv_hrtime();
    empty(waiting);
    return size > 0 ? check_is_there(writer, error) : POD_OK;
}

static bool is_due(const pod_event_writer *writer)
{
    const uint64_t waited = (uv_hrtime() - writer->flushed_at) / 1000000;
    return writer->queued >= writer->max_queue || writer->waiting.length > MOST_WAITING ||
           (writer->flush_millis >= 0 && waited >= (uint64_t)writer->flush_millis);
}

/* Adds the event's record to those that wait. */
static pod_status queue(pod_event_writer *writer, pod_error *error)
{
    unsigned char header[POD_RECORD_HEADER], footer[POD_RECORD_FOOTER];
    pod_text *waiting = &writer->waiting;
    const size_t before = waiting->length, size = writer->event.length;
    pod_format_record_frame(writer->event.data, size, header, footer);
    pod_text_append_bytes(waiting, header, sizeof header);
    pod_text_append_bytes(waiting, writer->event.data, size);
    pod_text_append_bytes(waiting, footer, sizeof footer);
    if (waiting->failed) {
        waiting->failed = false; /* what was there before is whole */
        waiting->length = before;
        return pod_error_memory(error, "an event", size);
    }
    writer->queued++;
    if (!is_due(writer))
        return POD_OK;
    const pod_status status = pod_event_writer_flush(writer, error);
    if (waiting->length > MOST_KEPT) {
        waiting->length = before;
        writer->queued--;
    }
    return status;
}

pod_status pod_format_event_end(pod_event_draft *draft, pod_error *error)
{
    while (draft->depth > 0)
        pod_format_close_message(draft->text, draft->open[--draft->depth]);
    const pod_status status =
        draft->text->failed ? pod_error_memory(error, "an event", draft->text->length) : queue(draft->writer, error);
    empty(draft->text);
    return status;
}

/* ---- opening and closing ---- */

static int create(pod_context *context, const char *path)
{
    const int flags = UV_FS_O_WRONLY | UV_FS_O_CREAT | UV_FS_O_EXCL;
    return pod_system_leave_streams(pod_format_open_located(context, path, flags, 0666));
}

static pod_status create_file(pod_event_writer *writer, const char *folder, const char *suffix, pod_error *error)
{
    char host[UV_MAXHOSTNAMESIZE] = "localhost";
    size_t host_size = sizeof host;
    const size_t room = strlen(folder) + strlen(suffix) + sizeof host + 100;
    const bool is_guest = pod_context_is_guest(writer->context); /* a sandbox's file does not tell whose it is */
    if (is_guest || uv_os_gethostname(host, &host_size) != 0 || strchr(host, '/') != NULL)
        strcpy(host, "localhost");
    writer->path = pod_allocate(writer->context, room);
    if (writer->path == NULL)
        return pod_error_memory(error, "a path", room);
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    for (int number = 0; number < MOST_FILES; number++) {
        snprintf(writer->path, room, "%s%sevents.out.tfevents.%010lld.%s.%d.%d%s", folder, slash,
                 (long long)pod_format_event_now(), host, is_guest ? 0 : (int)uv_os_getpid(), number, suffix);
        writer->file = create(writer->context, writer->path);
        if (writer->file != UV_EEXIST)
            break;
    }
    if (writer->file >= 0)
        return POD_OK;
    return pod_error_set(error, writer->file == UV_ENOENT ? POD_ERROR_NOT_FOUND : POD_ERROR_IO, "%s: cannot create: %s",
                         writer->path, uv_strerror(writer->file));
}

static pod_status write_version(pod_event_writer *writer, pod_error *error)
{
    pod_event_draft draft;
    pod_format_event_begin_bare(writer, 0, &draft);
    pod_format_put_text(draft.text, 3, "brain.Event:2");
    const size_t source = pod_format_open_message(draft.text, 10);
    pod_format_put_text(draft.text, 1, "moonpod");
    pod_format_close_message(draft.text, source);
    const pod_status status = pod_format_event_end(&draft, error);
    return status == POD_OK ? pod_event_writer_flush(writer, error) : status;
}

static pod_status check_options(const char *folder, const pod_event_writer_options *options, pod_error *error)
{
    if (*folder == '\0')
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the folder of an event file is empty");
    if (options->max_queue < 0 || options->flush_millis < -1)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "an event writer cannot wait for %lld events or %lld milliseconds",
                             (long long)options->max_queue, (long long)options->flush_millis);
    if (options->suffix != NULL && strchr(options->suffix, '/') != NULL)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the suffix of an event file has a slash: '%s'",
                             options->suffix);
    return POD_OK;
}

pod_status pod_event_writer_open(pod_context *context, const char *folder, const pod_event_writer_options *options,
                                 pod_event_writer **writer, pod_error *error)
{
    static const pod_event_writer_options defaults = {0};
    *writer = NULL;
    options = options != NULL ? options : &defaults;
    pod_status status = check_options(folder, options, error);
    char *located = NULL;
    if (status == POD_OK)
        status = pod_locate_file(context, folder, &located, error);
    if (status != POD_OK)
        return status;
    pod_event_writer *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL) {
        pod_free(context, located);
        return pod_error_memory(error, "an event writer", sizeof *made);
    }
    made->context = pod_context_retain(context);
    made->file = -1;
    made->max_queue = options->max_queue > 0 ? options->max_queue : DEFAULT_QUEUE;
    made->flush_millis = options->flush_millis != 0 ? options->flush_millis : DEFAULT_MILLIS;
    pod_text_init(&made->waiting, context);
    pod_text_init(&made->event, context);
    status = pod_make_folder(context, located, error);
    if (status == POD_OK)
        status = create_file(made, located, options->suffix != NULL ? options->suffix : ".v2", error);
    if (status == POD_OK)
        status = write_version(made, error);
    pod_free(context, located);
    if (status != POD_OK) {
        (void)pod_event_writer_close(made, NULL);
        return status;
    }
    *writer = made;
    return POD_OK;
}

const char *pod_event_writer_path(const pod_event_writer *writer)
{
    return writer->path;
}

/* Sees the file onto the disk and closes it. */
static pod_status close_file(pod_event_writer *writer, pod_error *error)
{
    uv_fs_t request;
    int result = uv_fs_fsync(NULL, &request, writer->file, NULL);
    uv_fs_req_cleanup(&request);
    result = result == UV_EINVAL || result == UV_ENOTSUP ? 0 : result; /* file systems without it */
    if (result == 0)
        result = pod_format_sync_name(writer->path);
    result = result == UV_ENOENT ? 0 : result; /* somebody removed it: there is no name to keep */
    const int closed = uv_fs_close(NULL, &request, writer->file, NULL);
    uv_fs_req_cleanup(&request);
    result = result < 0 ? result : closed;
    if (result >= 0)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_IO, "%s: cannot complete the file: %s", writer->path, uv_strerror(result));
}

pod_status pod_event_writer_close(pod_event_writer *writer, pod_error *error)
{
    pod_error second;
    if (writer == NULL)
        return POD_OK;
    pod_status status = POD_OK;
    if (writer->file >= 0) {
        status = pod_event_writer_flush(writer, error);
        const pod_status closed = close_file(writer, status == POD_OK ? error : &second);
        status = status == POD_OK ? closed : status;
    }
    pod_context *context = writer->context;
    pod_text_clear(&writer->waiting);
    pod_text_clear(&writer->event);
    pod_free(context, writer->tags);
    pod_free(context, writer->path);
    pod_free(context, writer);
    pod_context_release(context);
    return status;
}
