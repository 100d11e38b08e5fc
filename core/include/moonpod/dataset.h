#ifndef MOONPOD_DATASET_H
#define MOONPOD_DATASET_H

/* dataset - what all datasets are, and those that are made of no other; see data.h. */

#include "moonpod/formats.h"

POD_BEGIN_C

#define POD_MAX_COMPONENTS 64

/* Cardinalities that are no number of elements. */
#define POD_CARDINALITY_INFINITE ((int64_t)-1)
#define POD_CARDINALITY_UNKNOWN  ((int64_t)-2)

/* A number that the pipeline chooses and changes while it runs. */
#define POD_AUTOTUNE ((int64_t)-1)

/* One array of an element. */
typedef struct pod_component {
    pod_dtype dtype;
    pod_shape shape; /* a size of -1 may differ from element to element */
    bool text;       /* a string: u8 of shape (-1) */
} pod_component;

typedef struct pod_dataset pod_dataset;

/* Shares a dataset once more and returns it. */
POD_API pod_dataset *pod_dataset_retain(pod_dataset *dataset);

/* Ends one share. NULL is allowed. */
POD_API void pod_dataset_release(pod_dataset *dataset);

/* Returns the number of arrays of an element. */
POD_API size_t pod_dataset_component_count(const pod_dataset *dataset);

/* Returns type and shape of array `index` of an element. */
POD_API pod_component pod_dataset_get_component(const pod_dataset *dataset, size_t index);

/* Returns the number of elements, POD_CARDINALITY_INFINITE or POD_CARDINALITY_UNKNOWN. */
POD_API int64_t pod_dataset_cardinality(const pod_dataset *dataset);

/* Returns the name of the last stage ("batch"); borrowed for ever. */
POD_API const char *pod_dataset_stage_name(const pod_dataset *dataset);

/* Gives the last stage another name in messages ("map (train.lua:12)"); copied. Before the dataset is used
 * by anyone else. */
POD_API POD_CHECKED pod_status pod_dataset_set_label(pod_dataset *dataset, const char *label, pod_error *error);

/* Returns what messages call the last stage: its label, else its name. Borrowed until it is labelled anew. */
POD_API const char *pod_dataset_label(const pod_dataset *dataset);

/* Returns input `index` of the last stage, borrowed; NULL when there is none such. */
POD_API pod_dataset *pod_dataset_input(const pod_dataset *dataset, size_t index);

/* Returns true when callbacks of some stage have to run on the thread that calls next(). */
POD_API bool pod_dataset_needs_own_thread(const pod_dataset *dataset);

/* Estimates the bytes that an iterator holds besides its sources: shuffle buffers of elements that are
 * computed, batches, prefetched elements, caches. -1 when sizes or numbers are unknown. */
POD_API int64_t pod_dataset_host_bytes(const pod_dataset *dataset);

/*
 * Sources.
 */

/* Element i is the tuple of row i of each buffer; all have the same axis 0. The buffers are shared. */
POD_API POD_CHECKED pod_status pod_dataset_from_slices(pod_context *context, pod_buffer *const *buffers, size_t count,
                                                       pod_dataset **dataset, pod_error *error);

/* One element: the tuple of whole buffers, which are shared. */
POD_API POD_CHECKED pod_status pod_dataset_from_buffers(pod_context *context, pod_buffer *const *buffers, size_t count,
                                                        pod_dataset **dataset, pod_error *error);

/* The s64 scalars start, start + step, ... before stop. `step` must not be 0. */
POD_API POD_CHECKED pod_status pod_dataset_range(pod_context *context, int64_t start, int64_t stop, int64_t step,
                                                 pod_dataset **dataset, pod_error *error);

/* Which pass over the data it is. */
typedef struct pod_pass_number {
    int64_t epoch;      /* of the iterator, from 1 */
    int64_t repetition; /* within it, from 0: repeat() makes several */
} pod_pass_number;

/* Elements made by the host. Each pass over the data has a cursor of its own. */
typedef struct pod_source {
    /* Begins a pass. May be NULL: *cursor is then NULL. */
    pod_status (*open)(void *context, pod_pass_number pass, void **cursor, pod_error *error);
    /* Makes one element: fills components[0 ..] with buffers, each shared for the taker, of the type
     * and shape that were announced. POD_END ends the pass; a failure ends the iterator. */
    pod_status (*next)(void *context, void *cursor, pod_buffer **components, pod_error *error);
    /* Ends a pass. May be NULL. */
    void (*close)(void *context, void *cursor);
    /* The dataset is freed: ends the context. May be NULL. */
    void (*release)(void *context);
    void *context;   /* taken: handed to `release` in the end, also when making the dataset fails */
    bool any_thread; /* the functions may run on any thread, one at a time a cursor */
} pod_source;

/* Elements of `components` (borrowed for the call) from callbacks; `cardinality` as announced. */
POD_API POD_CHECKED pod_status pod_dataset_from_source(pod_context *context, const pod_source *source,
                                                       const pod_component *components, size_t count,
                                                       int64_t cardinality, pod_dataset **dataset, pod_error *error);

/* Strings, copied; sizes[i] is the length of texts[i], or `sizes` is NULL and they are terminated. */
POD_API POD_CHECKED pod_status pod_dataset_from_texts(pod_context *context, const char *const *texts,
                                                      const size_t *sizes, size_t count, pod_dataset **dataset,
                                                      pod_error *error);

/* The names of the files that patterns with *, ?, [a-z] and {a,b} match, sorted by their bytes. A pattern
 * that matches none fails with POD_ERROR_NOT_FOUND. */
POD_API POD_CHECKED pod_status pod_dataset_list_files(pod_context *context, const char *const *patterns, size_t count,
                                                      pod_dataset **dataset, pod_error *error);

typedef enum pod_file_kind {
    POD_FILE_RECORDS, /* records of TFRecord files: text */
    POD_FILE_LINES,   /* lines, without "\n" or "\r\n": text */
    POD_FILE_PIECES   /* pieces of one length: u8 (record_bytes) */
} pod_file_kind;

/* A zero field means its default. */
typedef struct pod_files_options {
    pod_file_kind kind;
    const char *compression;            /* "none", "gzip", "zlib" or "auto"; default "none" */
    int64_t record_bytes;               /* of pieces */
    int64_t header_bytes, footer_bytes; /* of files of pieces: not part of any */
    int64_t parallel_reads;             /* files that are read at once, each by a thread, and give an element each in
                                         * turn; POD_AUTOTUNE: 10; default: one file after the other */
} pod_files_options;

/* What stands in files. Paths are copied. */
POD_API POD_CHECKED pod_status pod_dataset_files(pod_context *context, const char *const *paths, size_t count,
                                                 const pod_files_options *options, pod_dataset **dataset,
                                                 pod_error *error);

/* A column of CSV files. */
typedef struct pod_csv_column {
    int64_t index; /* of the field, from 0 */
    pod_dtype dtype;
    bool text;            /* a string; `dtype` does not count */
    bool has_default;     /* where a field is empty, the value is */
    double default_value; /* this one */
} pod_csv_column;

/* A zero field means its default. */
typedef struct pod_csv_options {
    const pod_csv_column *columns; /* borrowed for the call */
    size_t column_count;
    int64_t field_count;     /* that each row must have; default: enough for the columns */
    char separator;          /* default ',' */
    bool has_header;         /* the first row of each file is none of data */
    const char *compression; /* see pod_files_options */
} pod_csv_options;

/* The rows of CSV files, one file after the other: a scalar a column, or text. */
POD_API POD_CHECKED pod_status pod_dataset_csv(pod_context *context, const char *const *paths, size_t count,
                                               const pod_csv_options *options, pod_dataset **dataset, pod_error *error);

/* Reads the first row of a CSV file as text: the names of its columns. *names is an array of *count
 * terminated strings, the caller's as one block, to free with pod_csv_names_free(). */
POD_API POD_CHECKED pod_status pod_csv_names(pod_context *context, const char *path, const pod_csv_options *options,
                                             char ***names, size_t *count, pod_error *error);
POD_API void pod_csv_names_free(pod_context *context, char **names);

POD_END_C

#endif
