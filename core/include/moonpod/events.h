#ifndef MOONPOD_EVENTS_H
#define MOONPOD_EVENTS_H

/*
 * events - event files, which TensorBoard shows.
 *
 *     pod_event_writer *writer;
 *     status = pod_event_writer_open(context, "logs/train", NULL, &writer, &error);
 *     status = pod_event_scalar(writer, 1, "loss", 0.25, &error);
 *     status = pod_event_writer_close(writer, &error);
 *
 * A file is a chain of checked records, each an event: when it was written, a step, and a summary with a tag, or a
 * graph. Summaries are written as TensorFlow 2 writes them, so that TensorBoard's pages for scalars, histograms,
 * images, text, graphs and hyperparameters have them.
 *
 * These files alone are not written under another name first, for a running TensorBoard follows them: records are added
 * at the end, whole ones by one write. What does not fit the disk is taken away again, stays in memory, and is written
 * with what comes next; so whatever fails, a file has whole records, and all that were flushed. Where the power fails
 * its end may be missing; closing sees it onto the disk.
 *
 * Tags and texts are UTF-8, a tag not empty: POD_ERROR_ARGUMENT otherwise. All functions that write an event may flush
 * what waits, and so fail with POD_ERROR_IO; the event itself then waits, too, as far as there is room (64 MiB).
 *
 * Threads: an object is for one thread at a time.
 */

#include "moonpod/formats.h"

POD_BEGIN_C

typedef struct pod_event_writer pod_event_writer;

/* Zero or NULL are the defaults. */
typedef struct pod_event_writer_options {
    int64_t max_queue; /* events that wait at most; 10. More than 1 MiB never waits */
    int64_t
        flush_millis;   /* how long an event waits before the next one that comes flushes; 2000. -1: does not matter */
    const char *suffix; /* of the file's name; ".v2" */
} pod_event_writer_options;

/* Makes a new file in a folder, which is made with those above it where it is not there:
 * events.out.tfevents.<seconds>.<host>.<process>.<number><suffix>. `options` may be NULL. On success *writer is the
 * caller's, to end with pod_event_writer_close(). */
POD_API POD_CHECKED pod_status pod_event_writer_open(pod_context *context, const char *folder,
                                                     const pod_event_writer_options *options, pod_event_writer **writer,
                                                     pod_error *error);

/* Returns the file's path; borrowed until the writer is closed. */
POD_API const char *pod_event_writer_path(const pod_event_writer *writer);

/* Writes what waits. Fails also where the file, or its folder, was removed: nobody can read it any more. */
POD_API POD_CHECKED pod_status pod_event_writer_flush(pod_event_writer *writer, pod_error *error);

/* Writes what waits, sees it onto the disk and ends the writer, also when it fails. NULL is allowed. */
POD_API pod_status pod_event_writer_close(pod_event_writer *writer, pod_error *error);

/* Writes a number, as f32. */
POD_API POD_CHECKED pod_status pod_event_scalar(pod_event_writer *writer, int64_t step, const char *tag, double value,
                                                pod_error *error);

#define POD_EVENT_MOST_BUCKETS ((int64_t)1 << 24)

/* Writes how many elements of a buffer, of any type and shape, lie in each of `buckets` buckets of equal width between
 * the least and the greatest. Of several that are equal all lie in the last of buckets without width; without elements
 * all is 0. NaN and infinities are left out. From 0 to POD_EVENT_MOST_BUCKETS. */
POD_API POD_CHECKED pod_status pod_event_histogram(pod_event_writer *writer, int64_t step, const char *tag,
                                                   const pod_buffer *values, int64_t buckets, pod_error *error);

/* Writes the first `most` pictures of a buffer (k, height, width, channels) of 1 to 4 channels: grey, grey
 * and alpha, RGB, RGBA. They are u8, or floats from 0 to 1: those beyond are cut, NaN is 0. Each is a PNG. */
POD_API POD_CHECKED pod_status pod_event_image(pod_event_writer *writer, int64_t step, const char *tag,
                                               const pod_buffer *images, int64_t most, pod_error *error);

/* Writes texts, in Markdown: one (rank 0), a list (rank 1) or a table (rank 2). */
POD_API POD_CHECKED pod_status pod_event_text(pod_event_writer *writer, int64_t step, const char *tag,
                                              const pod_shape *shape, const pod_bytes *texts, pod_error *error);

/* Writes a model in Keras' JSON, which TensorBoard shows as a graph of its layers. */
POD_API POD_CHECKED pod_status pod_event_keras_model(pod_event_writer *writer, int64_t step, const char *tag,
                                                     const pod_bytes *json, pod_error *error);

/* A node of a graph. Names with slashes are shown in boxes within boxes. */
typedef struct pod_event_node {
    const char *name, *op;
    size_t input_count;
    const char *const *inputs; /* names of nodes */
    const pod_shape *shape;    /* of its result; a size of -1 is not known. NULL: not known */
} pod_event_node;

/* Writes the file's graph; TensorBoard shows one a file, the last. */
POD_API POD_CHECKED pod_status pod_event_graph(pod_event_writer *writer, size_t count, const pod_event_node *nodes,
                                               pod_error *error);

typedef enum pod_hparam_kind { POD_HPARAM_NUMBER, POD_HPARAM_TEXT, POD_HPARAM_BOOL } pod_hparam_kind;

typedef struct pod_hparam {
    const char *name;
    pod_hparam_kind kind;
    double number; /* or 0 and 1 */
    const char *text;
} pod_hparam;

/* Writes with what hyperparameters this run begins, and by which tags of scalars it is judged. Runs of the same `group`
 * are one trial; NULL or "": each run is its own. Ends with pod_event_hparams_end(). */
POD_API POD_CHECKED pod_status pod_event_hparams(pod_event_writer *writer, size_t count, const pod_hparam *values,
                                                 size_t metric_count, const char *const *metrics, const char *group,
                                                 pod_error *error);

/* Writes that the run has ended. */
POD_API POD_CHECKED pod_status pod_event_hparams_end(pod_event_writer *writer, bool succeeded, pod_error *error);

/*
 * Reading.
 */

typedef struct pod_event_reader pod_event_reader;

/* A value of a summary. */
typedef struct pod_event_value {
    double wall_time; /* seconds since 1970 */
    int64_t step;
    pod_bytes tag, plugin; /* the plugin may be empty; borrowed until the next value */
    bool is_scalar;
    double scalar;
} pod_event_value;

/* Opens an event file, of whatever writer. On success *reader is the caller's, to end with pod_event_reader_close(). */
POD_API POD_CHECKED pod_status pod_event_reader_open(pod_context *context, const char *path, pod_event_reader **reader,
                                                     pod_error *error);

/* Reads the next value. POD_END at the file's end, also where it ends within a record: somebody may be writing it. */
POD_API POD_CHECKED pod_status pod_event_reader_next(pod_event_reader *reader, pod_event_value *value,
                                                     pod_error *error);

/* NULL is allowed. */
POD_API void pod_event_reader_close(pod_event_reader *reader);

POD_END_C

#endif
