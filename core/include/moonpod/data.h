#ifndef MOONPOD_DATA_H
#define MOONPOD_DATA_H

/*
 * data - datasets: chains of stages that prepare the batches of a program.
 *
 * A dataset describes a sequence of elements; each element is a tuple of `component_count` arrays. A
 * stage is made over another dataset and shares it; datasets never change, so one may be the input of
 * several. Iterators walk through them:
 *
 *     pod_buffer *columns[2] = {images, labels};            -- [60000, 784] u8, [60000] u8
 *     pod_dataset *rows, *mixed, *batches;
 *     status = pod_dataset_from_slices(context, columns, 2, &rows, &error);
 *     status = pod_dataset_shuffle(rows, &(pod_shuffle_options){.buffer_size = 60000}, &mixed, &error);
 *     status = pod_dataset_batch(mixed, &(pod_batch_options){.size = 1024}, &batches, &error);
 *     pod_dataset_iterator *iterator;
 *     status = pod_dataset_iterator_open(batches, NULL, &iterator, &error);
 *     pod_buffer *batch[2];
 *     while ((status = pod_dataset_iterator_next(iterator, batch, &error)) == POD_OK) {
 *         ...                                               -- [1024, 784] u8, [1024] u8
 *         pod_buffer_release(batch[0]);
 *         pod_buffer_release(batch[1]);
 *     }
 *     pod_dataset_iterator_close(iterator);
 *
 * Elements of sources in memory are references to rows: shuffling permutes references, and only
 * batching copies, one memcpy a row (one a run of consecutive rows), into buffers that are used again
 * once their taker has released them. After the first batches nothing is allocated.
 *
 * Stages follow tf.data: what a stage does to an order of elements is the same at any number of
 * threads. An error of a stage reaches the consumer after the elements made before it, and stays.
 *
 * Every function that makes a dataset takes its inputs shared (the caller keeps its own share), gives
 * *dataset shared for the caller, to end with pod_dataset_release(), and NULL after a failure.
 *
 * Threads: datasets may be used from any thread. An iterator is for one thread at a time, except for
 * pod_dataset_iterator_cancel(). Prefetching stages run what is before them on threads of their own;
 * callbacks that do not allow that run on the thread that calls next().
 */

#include "moonpod/formats.h"
#include "moonpod/image.h"
#include "moonpod/program.h"

#ifdef __cplusplus
extern "C" {
#endif

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
POD_API POD_CHECKED pod_status pod_dataset_set_label(pod_dataset *dataset, const char *label,
                                                     pod_error *error);

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
POD_API POD_CHECKED pod_status pod_dataset_from_slices(pod_context *context,
                                                       pod_buffer *const *buffers, size_t count,
                                                       pod_dataset **dataset, pod_error *error);

/* One element: the tuple of whole buffers, which are shared. */
POD_API POD_CHECKED pod_status pod_dataset_from_buffers(pod_context *context,
                                                        pod_buffer *const *buffers, size_t count,
                                                        pod_dataset **dataset, pod_error *error);

/* The s64 scalars start, start + step, ... before stop. `step` must not be 0. */
POD_API POD_CHECKED pod_status pod_dataset_range(pod_context *context, int64_t start, int64_t stop,
                                                 int64_t step, pod_dataset **dataset,
                                                 pod_error *error);

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
POD_API POD_CHECKED pod_status pod_dataset_from_source(pod_context *context,
                                                       const pod_source *source,
                                                       const pod_component *components, size_t count,
                                                       int64_t cardinality, pod_dataset **dataset,
                                                       pod_error *error);

/* Strings, copied; sizes[i] is the length of texts[i], or `sizes` is NULL and they are terminated. */
POD_API POD_CHECKED pod_status pod_dataset_from_texts(pod_context *context, const char *const *texts,
                                                      const size_t *sizes, size_t count,
                                                      pod_dataset **dataset, pod_error *error);

/* The names of the files that patterns with *, ?, [a-z] and {a,b} match, sorted by their bytes. A pattern
 * that matches none fails with POD_ERROR_NOT_FOUND. */
POD_API POD_CHECKED pod_status pod_dataset_list_files(pod_context *context,
                                                      const char *const *patterns, size_t count,
                                                      pod_dataset **dataset, pod_error *error);

typedef enum pod_file_kind {
    POD_FILE_RECORDS, /* records of TFRecord files: text */
    POD_FILE_LINES,   /* lines, without "\n" or "\r\n": text */
    POD_FILE_PIECES   /* pieces of one length: u8 (record_bytes) */
} pod_file_kind;

/* A zero field means its default. */
typedef struct pod_files_options {
    pod_file_kind kind;
    const char *compression; /* "none", "gzip", "zlib" or "auto"; default "none" */
    int64_t record_bytes;    /* of pieces */
    int64_t header_bytes, footer_bytes; /* of files of pieces: not part of any */
    int64_t parallel_reads; /* files that are read at once, each by a thread, and give an element each in
                             * turn; POD_AUTOTUNE: 10; default: one file after the other */
} pod_files_options;

/* What stands in files. Paths are copied. */
POD_API POD_CHECKED pod_status pod_dataset_files(pod_context *context, const char *const *paths,
                                                 size_t count, const pod_files_options *options,
                                                 pod_dataset **dataset, pod_error *error);

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
    int64_t field_count; /* that each row must have; default: enough for the columns */
    char separator;      /* default ',' */
    bool has_header;     /* the first row of each file is none of data */
    const char *compression; /* see pod_files_options */
} pod_csv_options;

/* The rows of CSV files, one file after the other: a scalar a column, or text. */
POD_API POD_CHECKED pod_status pod_dataset_csv(pod_context *context, const char *const *paths,
                                               size_t count, const pod_csv_options *options,
                                               pod_dataset **dataset, pod_error *error);

/* Reads the first row of a CSV file as text: the names of its columns. *names is an array of *count
 * terminated strings, the caller's as one block, to free with pod_csv_names_free(). */
POD_API POD_CHECKED pod_status pod_csv_names(pod_context *context, const char *path,
                                             const pod_csv_options *options, char ***names,
                                             size_t *count, pod_error *error);
POD_API void pod_csv_names_free(pod_context *context, char **names);

/*
 * Stages.
 */

/* Whether a stage on several threads keeps the order of elements. */
typedef enum pod_order {
    POD_ORDER_DEFAULT, /* as the iterator says; without a word: kept */
    POD_ORDER_KEPT,
    POD_ORDER_ANY      /* elements are given as they are done */
} pod_order;

typedef struct pod_batch_options {
    int64_t size;        /* elements of a batch, at least 1 */
    bool drop_remainder; /* leave out a last batch that is short */
} pod_batch_options;

/* Stacks elements along a new first axis. */
POD_API POD_CHECKED pod_status pod_dataset_batch(pod_dataset *input,
                                                 const pod_batch_options *options,
                                                 pod_dataset **dataset, pod_error *error);

typedef struct pod_shuffle_options {
    int64_t buffer_size; /* elements to draw from, at least 1 */
    uint64_t seed;
    bool same_each_iteration; /* every pass in the same order */
} pod_shuffle_options;

/* Keeps a buffer of elements, gives a random one and fills its place with the next: the algorithm of
 * tf.data. A buffer of all elements is a full shuffle. The order depends on seed and number of the pass
 * alone (see pod_iterator_options). */
POD_API POD_CHECKED pod_status pod_dataset_shuffle(pod_dataset *input,
                                                   const pod_shuffle_options *options,
                                                   pod_dataset **dataset, pod_error *error);

/* Passes over the input `count` times; -1: for ever. */
POD_API POD_CHECKED pod_status pod_dataset_repeat(pod_dataset *input, int64_t count,
                                                  pod_dataset **dataset, pod_error *error);

/* The first `count` elements; -1: all. */
POD_API POD_CHECKED pod_status pod_dataset_take(pod_dataset *input, int64_t count,
                                                pod_dataset **dataset, pod_error *error);

/* All but the first `count` elements; -1: none. */
POD_API POD_CHECKED pod_status pod_dataset_skip(pod_dataset *input, int64_t count,
                                                pod_dataset **dataset, pod_error *error);

/* Keeps the elements of the first whole pass in host memory; later passes read them there, whatever
 * made them. What a pass that ends early has kept is dropped, which the context's log tells. Elements
 * that are references to rows in memory stay references. What is before a cache is always in its first pass:
 * all passes give the same elements, whichever of them is the first here. */
POD_API POD_CHECKED pod_status pod_dataset_cache(pod_dataset *input, pod_dataset **dataset,
                                                 pod_error *error);

/* Keeps the elements of the first whole pass in a file: where it is there already, from this process or another,
 * it is read, whatever made it. It is written whole or not at all, compressed by "none" (or NULL) or "gzip". A
 * file of something else is refused when the first element is asked for. */
POD_API POD_CHECKED pod_status pod_dataset_cache_file(pod_dataset *input, const char *path,
                                                      const char *compression,
                                                      pod_dataset **dataset, pod_error *error);

/* The same with a file in `directory` (made where it is missing) whose name depends on all stages before: other
 * stages, options, graphs or arrays in memory make another file. Functions of the host and the content of
 * files do not count. */
POD_API POD_CHECKED pod_status pod_dataset_snapshot(pod_dataset *input, const char *directory,
                                                    const char *compression, pod_dataset **dataset,
                                                    pod_error *error);

/* Writes all elements of the first pass to a file, whole or not at all. `note` is one line of text that load
 * gives back. */
POD_API POD_CHECKED pod_status pod_dataset_save(pod_dataset *dataset, const char *path,
                                                const char *compression, const char *note,
                                                pod_error *error);

/* The elements of such a file. *note, unless `note` is NULL, is the caller's, to free with pod_text_free(). */
POD_API POD_CHECKED pod_status pod_dataset_load(pod_context *context, const char *path,
                                                pod_dataset **dataset, char **note,
                                                pod_error *error);

/* Prepares up to `count` elements ahead on a thread of its own; POD_AUTOTUNE starts with 2 and doubles that
 * when the queue was full and then empty, up to 16 elements (of small ones 1024, in 8 MiB) and the
 * iterator's `ram_budget`, in the first two passes of the iterator. Where a callback before it must run on
 * the consumer's thread, nothing is prepared ahead but by pod_dataset_iterator_prepare(). */
POD_API POD_CHECKED pod_status pod_dataset_prefetch(pod_dataset *input, int64_t count,
                                                    pod_dataset **dataset, pod_error *error);

/* Elements whose components are those of element i of each input, until the shortest ends. */
POD_API POD_CHECKED pod_status pod_dataset_zip(pod_dataset *const *inputs, size_t count,
                                               pod_dataset **dataset, pod_error *error);

/* Applies a graph: parameters are the components of an element, outputs those of the result. The graph
 * is that of one element of `input`, with every size known; the stage runs it over blocks of elements
 * at once (pod_graph_map). `graph` is taken, also after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_map(pod_dataset *input, pod_graph *graph,
                                               pod_dataset **dataset, pod_error *error);

/* Applies a graph of one row to batches of any number of rows: the components of `input` have one
 * leading axis more than the parameters. Equal to pod_dataset_map() before batching, but cheaper where
 * rows are only gathered once. `graph` is taken, also after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_map_rows(pod_dataset *input, pod_graph *graph,
                                                    pod_dataset **dataset, pod_error *error);

/* Adds a component to elements, s64 (2): the number of the pass (as shuffles count it) and the element's
 * place in it. What is drawn by these is the same however elements are ordered and batched later. `seed` is
 * that of the draws: an iterator's state tells it. */
POD_API POD_CHECKED pod_status pod_dataset_number(pod_dataset *input, uint64_t seed,
                                                  pod_dataset **dataset, pod_error *error);

/* Keeps the elements for which a graph of one element returns true, a bool scalar. `graph` is taken, also
 * after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_filter(pod_dataset *input, pod_graph *graph,
                                                  pod_dataset **dataset, pod_error *error);

/* For count and index of pod_dataset_shard(): a mark of the place where hosts divide the elements. */
#define POD_SHARD_HINT INT64_C(-1)

/* Element i of the input where i mod `count` is `index`. Where both are POD_SHARD_HINT, the pass says which
 * (POD_HOSTS_AT_MARKS, pod_iterator_options.at_marks): others cannot be opened, and fewer elements than hosts are
 * a failure. */
POD_API POD_CHECKED pod_status pod_dataset_shard(pod_dataset *input, int64_t count, int64_t index,
                                                 pod_dataset **dataset, pod_error *error);

/* The elements of each input after those of the one before. */
POD_API POD_CHECKED pod_status pod_dataset_concatenate(pod_dataset *const *inputs, size_t count,
                                                       pod_dataset **dataset, pod_error *error);

/* The rows of batches, along axis 0: references, no copies. */
POD_API POD_CHECKED pod_status pod_dataset_unbatch(pod_dataset *input, pod_dataset **dataset,
                                                   pod_error *error);

typedef struct pod_padded_batch_options {
    int64_t size; /* elements of a batch, at least 1 */
    bool drop_remainder;
    const pod_shape *shapes; /* to which elements are filled up, one a component; a size of -1, and
                              * NULL: those of the largest of a batch; borrowed for the call */
    const double *values;    /* that fill up, one a component; NULL: zeros; borrowed for the call */
} pod_padded_batch_options;

/* Stacks elements of different sizes, filled up at the end of each axis. Text becomes rows of bytes. */
POD_API POD_CHECKED pod_status pod_dataset_padded_batch(pod_dataset *input,
                                                        const pod_padded_batch_options *options,
                                                        pod_dataset **dataset, pod_error *error);

/* A zero field means its default, but for size. */
typedef struct pod_window_options {
    int64_t size;        /* elements of a window */
    int64_t shift;       /* from one window's first element to the next's; default: size */
    int64_t stride;      /* between elements of a window; default 1 */
    bool drop_remainder; /* leave out windows that are short */
} pod_window_options;

/* Stacks elements of windows, which may overlap, along a new first axis. */
POD_API POD_CHECKED pod_status pod_dataset_window(pod_dataset *input,
                                                  const pod_window_options *options,
                                                  pod_dataset **dataset, pod_error *error);

/* Applies a graph to a state and each element in turn: its parameters are the arrays of the state and the
 * components of an element, its outputs the new state and the components of the result. `states` are
 * shared, `graph` is taken, also after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_scan(pod_dataset *input, pod_graph *graph,
                                                pod_buffer *const *states, size_t count,
                                                pod_dataset **dataset, pod_error *error);

typedef struct pod_sample_options {
    const double *weights; /* one a dataset; NULL: all the same; borrowed for the call */
    uint64_t seed;
    bool stop_on_empty; /* end as soon as a drawn dataset has no more elements; default: go on with
                         * the others */
} pod_sample_options;

/* Takes each element from a random one of several datasets. */
POD_API POD_CHECKED pod_status pod_dataset_sample(pod_dataset *const *inputs, size_t count,
                                                  const pod_sample_options *options,
                                                  pod_dataset **dataset, pod_error *error);

/* Takes element i from dataset number choice i; `choices` are s64 scalars. When the chosen dataset has no
 * more elements, the whole ends if `stop_on_empty`, or the choice is passed over. */
POD_API POD_CHECKED pod_status pod_dataset_choose(pod_dataset *const *inputs, size_t count,
                                                  pod_dataset *choices, bool stop_on_empty,
                                                  pod_dataset **dataset, pod_error *error);

/* What makes a dataset of an element. */
typedef struct pod_expansion {
    /* Makes a dataset, shared for the taker, of buffers that are borrowed for the call. */
    pod_status (*expand)(void *context, pod_buffer *const *components, pod_dataset **dataset,
                         pod_error *error);
    void (*release)(void *context); /* the stage is freed; may be NULL */
    void *context;                  /* taken: see pod_source */
    bool any_thread;
} pod_expansion;

/* A zero field means its default. */
typedef struct pod_interleave_options {
    int64_t cycle_length; /* datasets read in turns; default 1: one after the other (flat_map) */
    int64_t block_length; /* elements a turn; default 1 */
    int64_t threads;      /* places of the cycle that are read ahead, each by a thread; default: none;
                           * POD_AUTOTUNE: as many as the iterator's cpu_budget */
    pod_order order;      /* POD_ORDER_ANY: a turn goes to a place that has elements ready */
    bool of_files;        /* elements become what is in files: hosts divide the elements (file_shards) */
} pod_interleave_options;

/* Elements of the datasets that the elements of the input become, in turns; all are like `components`,
 * borrowed for the call. `options` may be NULL. */
POD_API POD_CHECKED pod_status pod_dataset_interleave(pod_dataset *input,
                                                      const pod_expansion *expansion,
                                                      const pod_component *components, size_t count,
                                                      const pod_interleave_options *options,
                                                      pod_dataset **dataset, pod_error *error);

/* A function of elements that is the host's. */
typedef struct pod_transform {
    /* Begins an iterator's (or one of its threads') use. May be NULL: *cursor is then NULL. */
    pod_status (*open)(void *context, void **cursor, pod_error *error);
    /* Makes of the components of an element, borrowed for the call, those of the result, each shared
     * for the taker, as announced. */
    pod_status (*apply)(void *context, void *cursor, pod_buffer *const *inputs,
                        pod_buffer **outputs, pod_error *error);
    void (*close)(void *context, void *cursor); /* may be NULL */
    void (*release)(void *context);             /* the stage is freed; may be NULL */
    void *context;                              /* taken: see pod_source */
    bool any_thread; /* the functions may run on any thread, one at a time a cursor */
} pod_transform;

/* Applies a function of the host to each element; results are like `components`, borrowed for the call. */
POD_API POD_CHECKED pod_status pod_dataset_transform(pod_dataset *input,
                                                     const pod_transform *transform,
                                                     const pod_component *components, size_t count,
                                                     pod_dataset **dataset, pod_error *error);

/* What a feature of an example becomes. */
typedef struct pod_feature_spec {
    const char *name; /* borrowed for the call */
    pod_dtype dtype;  /* numbers are converted; a string gives its bytes as elements of this type */
    pod_shape shape;  /* all sizes known, or (-1): as many as there are */
    bool text;        /* a string: u8 (-1) */
    pod_buffer *default_value; /* of examples without the feature; NULL: (-1) is empty, others fail */
    const pod_image_options *image; /* a string is a picture, to decode: `shape` is (height, width,
                                     * channels), sizes of -1 as they come; borrowed for the call */
} pod_feature_spec;

/* Parses elements that are one string, a tf.train.Example: component i of the result is feature i. */
POD_API POD_CHECKED pod_status pod_dataset_parse_examples(pod_dataset *input,
                                                          const pod_feature_spec *specs,
                                                          size_t count, pod_dataset **dataset,
                                                          pod_error *error);

/* What becomes of a component of elements. */
typedef struct pod_decode_output {
    size_t component; /* of the input */
    bool is_path;     /* a string names a file, whose bytes stand in its place */
    const pod_image_options *image; /* a string is a picture, to decode; NULL: it stays what it is;
                                     * borrowed for the call */
    pod_shape shape;  /* of a picture: (height, width, channels), sizes of -1 as they come */
} pod_decode_output;

/* Chooses components of elements, reads the files that they name and decodes pictures: component i of the
 * result is output i. */
POD_API POD_CHECKED pod_status pod_dataset_decode(pod_dataset *input,
                                                  const pod_decode_output *outputs, size_t count,
                                                  pod_dataset **dataset, pod_error *error);

typedef enum pod_hosts_division {
    POD_HOSTS_WHOLE,    /* each host gets its whole input */
    POD_HOSTS_BY_FILES, /* host i of n gets files i, i + n, ... */
    POD_HOSTS_AT_MARKS  /* host i of n gets, at each mark (POD_SHARD_HINT), elements i, i + n, ... */
} pod_hosts_division;

typedef struct pod_hosts_options {
    int64_t pieces;        /* into which each batch is cut: full ones first, then short or empty ones */
    int64_t pieces_a_step; /* that a host gives in a step: one for each of its replicas */
    pod_hosts_division division;
} pod_hosts_options;

/* What the input pipelines of several hosts, one an input, give in a step, as one batch: the pieces of the
 * first host, then those of the next. A host that has no more gives nothing. */
POD_API POD_CHECKED pod_status pod_dataset_hosts(pod_dataset *const *inputs, size_t count,
                                                 const pod_hosts_options *options,
                                                 pod_dataset **dataset, pod_error *error);

/* Returns the number of files that a dataset reads and hosts can divide among themselves, -1 when it reads
 * none: POD_CARDINALITY_UNKNOWN when it does not know. */
POD_API int64_t pod_dataset_file_count(const pod_dataset *dataset);

typedef struct pod_parallel_options {
    int64_t threads; /* 1 to 256; POD_AUTOTUNE: begins with 1 and finds how many help */
    pod_order order;
} pod_parallel_options;

/* Runs the last stage of `input` on several threads; it must be a map, filter, transform, parsing or decoding. A
 * thread takes more elements at once the less time one takes. */
POD_API POD_CHECKED pod_status pod_dataset_parallel(pod_dataset *input,
                                                    const pod_parallel_options *options,
                                                    pod_dataset **dataset, pod_error *error);

/*
 * Iterators.
 */

typedef struct pod_dataset_iterator pod_dataset_iterator;

/* A zero field means its default. */
typedef struct pod_iterator_options {
    int64_t epoch;   /* number of the first pass, from 1, on which orders and random numbers depend; default:
                      * one more than the passes that iterators began over the shuffles, draws and
                      * numbers of this dataset */
    int64_t repetition; /* passes within this one that came before (see pod_pass_number) */
    int64_t skip;    /* elements of the first pass that are passed over: to go on where another
                      * iterator stopped, give its epoch and its position */
    int64_t file_shards; /* of the files that are read, only number i, i + file_shards, ... of the input's */
    int64_t file_shard;  /* files, for this i; default: all */
    bool at_marks;   /* not files are divided so, but elements at marks (POD_SHARD_HINT) */
    bool no_threads; /* prepare everything on the thread that calls next() */
    bool unordered;  /* stages with POD_ORDER_DEFAULT may change the order */
    bool no_autotune;   /* POD_AUTOTUNE stays at what it begins with */
    int64_t cpu_budget; /* most threads of a stage with POD_AUTOTUNE; default: those of the context */
    int64_t ram_budget; /* bytes of elements in all queues with POD_AUTOTUNE; default 256 MiB */
} pod_iterator_options;

/* Begins a pass. `options` may be NULL. On success *iterator is the caller's, to end with
 * pod_dataset_iterator_close(); it shares the dataset. No thread starts before the first next(). */
POD_API POD_CHECKED pod_status pod_dataset_iterator_open(pod_dataset *dataset,
                                                         const pod_iterator_options *options,
                                                         pod_dataset_iterator **iterator,
                                                         pod_error *error);

/* Gives the next element: fills components[0 .. component_count-1] with buffers, each shared for the
 * taker. POD_END, or a failure once the elements made before it are taken, leaves them NULL, and so it
 * stays. Give buffers back soon: their memory is used for later batches. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_next(pod_dataset_iterator *iterator,
                                                         pod_buffer **components, pod_error *error);

/* Makes the next element ready and gives its types and shapes (those of the buffers themselves) in
 * components[0 .. component_count-1]. POD_END when there is none. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_peek(pod_dataset_iterator *iterator,
                                                         pod_component *components,
                                                         pod_error *error);

/* Makes up to `count` elements ready on the calling thread, for runs during which callbacks must not
 * run; *ready receives how many there are (0 at the end of the data). A failure after the first is left
 * for next(). */
POD_API POD_CHECKED pod_status pod_dataset_iterator_prepare(pod_dataset_iterator *iterator,
                                                            size_t count, size_t *ready,
                                                            pod_error *error);

/* Begins the next pass over the dataset; the iterator keeps its memory. Allowed at any time, also after
 * the end or a failure. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_rewind(pod_dataset_iterator *iterator,
                                                           pod_error *error);

/* Tells where an iterator is, as bytes: the pass, the elements of it that were given, and what the stages
 * are. *state is the caller's, to free with pod_bytes_free(). Fails where threads decide about the order of
 * elements. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_get_state(pod_dataset_iterator *iterator,
                                                              pod_bytes *state, pod_error *error);

/* Goes to where another iterator was: the next element is the one that would have been its next, and so are
 * all that follow, in this pass and the later ones. The dataset must be made of the same stages with the same
 * seeds (prefetching and threads may differ), or the call fails and the iterator stays where it is. Elements
 * before that place are passed over with the first next(), stage by stage where that needs no element. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_set_state(pod_dataset_iterator *iterator,
                                                              const void *bytes, size_t size,
                                                              pod_error *error);

/* The same with files, which are written whole or not at all. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_save(pod_dataset_iterator *iterator,
                                                         const char *path, pod_error *error);
POD_API POD_CHECKED pod_status pod_dataset_iterator_load(pod_dataset_iterator *iterator,
                                                         const char *path, pod_error *error);

/* Returns an infeed that gives the iterator's elements; its context is borrowed from the iterator. As a
 * program has static shapes, the infeed ends a run before an element whose shapes differ from those of
 * the one before; pod_dataset_iterator_peek() then tells them and lets the next run have it. Where the
 * dataset needs the consumer's thread, the infeed gives only what was prepared, and ends a run then. */
POD_API pod_infeed pod_dataset_iterator_infeed(pod_dataset_iterator *iterator);

/* Makes every present and later next() return POD_ERROR_CANCELLED until a rewind. May be called from any
 * thread; returns at once. */
POD_API void pod_dataset_iterator_cancel(pod_dataset_iterator *iterator);

typedef struct pod_iterator_stats {
    uint64_t elements;       /* given so far, over all passes */
    int64_t epoch;           /* number of this pass; 0 before it began */
    int64_t position;        /* elements of this pass that were given or passed over */
    uint64_t waited;         /* how many of those the consumer had to wait for at a prefetch */
    double seconds_waited;   /* in next(), peek() and prepare() together */
    int64_t prefetch_buffer; /* elements that the outermost prefetch keeps now; 0: there is none */
} pod_iterator_stats;

/* Returns what the iterator counted so far. */
POD_API pod_iterator_stats pod_dataset_iterator_get_stats(const pod_dataset_iterator *iterator);

/* What a stage did in an iterator, over all passes. */
typedef struct pod_stage_stats {
    const pod_dataset *dataset; /* whose last stage it is; borrowed from the iterator */
    uint64_t elements;          /* that it gave */
    double seconds_busy;   /* that its threads worked, without what they waited for the stages before */
    double seconds_waited; /* that the stage behind waited for its queue */
    int64_t threads;       /* of its own, now; 0: it runs where it is asked */
    int64_t queue_count, queue_size; /* elements that wait now, and that may; both 0 without a queue */
    int64_t queue_bytes;   /* of those that wait, where they have memory of their own */
    bool tunes_threads, tunes_queue; /* POD_AUTOTUNE chooses these */
} pod_stage_stats;

/* Fills stats[0 .. ] with up to `room` stages, each behind its inputs, and returns how many there are; a
 * stage on several threads is one. *seconds receives the time from the first next() to the end of the last
 * one. From the thread of the iterator. */
POD_API size_t pod_dataset_iterator_get_stage_stats(pod_dataset_iterator *iterator,
                                                    pod_stage_stats *stats, size_t room,
                                                    double *seconds);

/* Ends the threads and frees the iterator; one that is asking (a callback of its dataset may call this) when that call
 * returns. In a child of fork() an iterator with threads is left to the end of the process. NULL is allowed. */
POD_API void pod_dataset_iterator_close(pod_dataset_iterator *iterator);

#ifdef __cplusplus
}
#endif

#endif
