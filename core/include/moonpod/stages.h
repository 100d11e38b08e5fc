#ifndef MOONPOD_STAGES_H
#define MOONPOD_STAGES_H

/* stages - datasets that are made of others; see data.h. */

#include "moonpod/dataset.h"
#include "moonpod/image.h"
#include "moonpod/program.h"

POD_BEGIN_C

/* Whether a stage on several threads keeps the order of elements. */
typedef enum pod_order {
    POD_ORDER_DEFAULT, /* as the iterator says; without a word: kept */
    POD_ORDER_KEPT,
    POD_ORDER_ANY /* elements are given as they are done */
} pod_order;

typedef struct pod_batch_options {
    int64_t size;        /* elements of a batch, at least 1 */
    bool drop_remainder; /* leave out a last batch that is short */
} pod_batch_options;

/* Stacks elements along a new first axis. */
POD_API POD_CHECKED pod_status pod_dataset_batch(pod_dataset *input, const pod_batch_options *options,
                                                 pod_dataset **dataset, pod_error *error);

typedef struct pod_shuffle_options {
    int64_t buffer_size; /* elements to draw from, at least 1 */
    uint64_t seed;
    bool same_each_iteration; /* every pass in the same order */
} pod_shuffle_options;

/* Keeps a buffer of elements, gives a random one and fills its place with the next: the algorithm of
 * tf.data. A buffer of all elements is a full shuffle. The order depends on seed and number of the pass
 * alone (see pod_iterator_options). */
POD_API POD_CHECKED pod_status pod_dataset_shuffle(pod_dataset *input, const pod_shuffle_options *options,
                                                   pod_dataset **dataset, pod_error *error);

/* Passes over the input `count` times; -1: for ever. */
POD_API POD_CHECKED pod_status pod_dataset_repeat(pod_dataset *input, int64_t count, pod_dataset **dataset,
                                                  pod_error *error);

/* The first `count` elements; -1: all. */
POD_API POD_CHECKED pod_status pod_dataset_take(pod_dataset *input, int64_t count, pod_dataset **dataset,
                                                pod_error *error);

/* All but the first `count` elements; -1: none. */
POD_API POD_CHECKED pod_status pod_dataset_skip(pod_dataset *input, int64_t count, pod_dataset **dataset,
                                                pod_error *error);

/* Keeps the elements of the first whole pass in host memory; later passes read them there, whatever
 * made them. What a pass that ends early has kept is dropped, which the context's log tells. Elements
 * that are references to rows in memory stay references. What is before a cache is always in its first pass:
 * all passes give the same elements, whichever of them is the first here. */
POD_API POD_CHECKED pod_status pod_dataset_cache(pod_dataset *input, pod_dataset **dataset, pod_error *error);

/* Keeps the elements of the first whole pass in a file: where it is there already, from this process or another,
 * it is read, whatever made it. It is written whole or not at all, compressed by "none" (or NULL) or "gzip". A
 * file of something else is refused when the first element is asked for. */
POD_API POD_CHECKED pod_status pod_dataset_cache_file(pod_dataset *input, const char *path, const char *compression,
                                                      pod_dataset **dataset, pod_error *error);

/* The same with a file in `directory` (made where it is missing) whose name depends on all stages before: other
 * stages, options, graphs or arrays in memory make another file. Functions of the host and the content of
 * files do not count. */
POD_API POD_CHECKED pod_status pod_dataset_snapshot(pod_dataset *input, const char *directory, const char *compression,
                                                    pod_dataset **dataset, pod_error *error);

/* Writes all elements of the first pass to a file, whole or not at all. `note` is one line of text that load
 * gives back. */
POD_API POD_CHECKED pod_status pod_dataset_save(pod_dataset *dataset, const char *path, const char *compression,
                                                const char *note, pod_error *error);

/* The elements of such a file. *note, unless `note` is NULL, is the caller's, to free with pod_text_free(). */
POD_API POD_CHECKED pod_status pod_dataset_load(pod_context *context, const char *path, pod_dataset **dataset,
                                                char **note, pod_error *error);

/* Prepares up to `count` elements ahead on a thread of its own. POD_AUTOTUNE starts with 2 and doubles
 * that when the queue was full and then empty, in the first two passes of the iterator. It ends at 16
 * elements (of small ones 1024, in 8 MiB) and the iterator's `ram_budget`. Where a callback before it
 * must run on the consumer's thread, nothing is prepared ahead but by pod_dataset_iterator_prepare(). */
POD_API POD_CHECKED pod_status pod_dataset_prefetch(pod_dataset *input, int64_t count, pod_dataset **dataset,
                                                    pod_error *error);

/* Elements whose components are those of element i of each input, until the shortest ends. */
POD_API POD_CHECKED pod_status pod_dataset_zip(pod_dataset *const *inputs, size_t count, pod_dataset **dataset,
                                               pod_error *error);

/* Applies a graph: parameters are the components of an element, outputs those of the result. The graph
 * is that of one element of `input`, with every size known; the stage runs it over blocks of elements
 * at once (pod_graph_map). `graph` is taken, also after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_map(pod_dataset *input, pod_graph *graph, pod_dataset **dataset,
                                               pod_error *error);

/* Applies a graph of one row to batches of any number of rows: the components of `input` have one
 * leading axis more than the parameters. Equal to pod_dataset_map() before batching, but cheaper where
 * rows are only gathered once. `graph` is taken, also after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_map_rows(pod_dataset *input, pod_graph *graph, pod_dataset **dataset,
                                                    pod_error *error);

/* Adds a component to elements, s64 (2): the number of the pass (as shuffles count it) and the element's
 * place in it. What is drawn by these is the same however elements are ordered and batched later. `seed` is
 * that of the draws: an iterator's state tells it. */
POD_API POD_CHECKED pod_status pod_dataset_number(pod_dataset *input, uint64_t seed, pod_dataset **dataset,
                                                  pod_error *error);

/* Keeps the elements for which a graph of one element returns true, a bool scalar. `graph` is taken, also
 * after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_filter(pod_dataset *input, pod_graph *graph, pod_dataset **dataset,
                                                  pod_error *error);

/* For count and index of pod_dataset_shard(): a mark of the place where hosts divide the elements. */
#define POD_SHARD_HINT INT64_C(-1)

/* Element i of the input where i mod `count` is `index`. Where both are POD_SHARD_HINT, the pass says which
 * (POD_HOSTS_AT_MARKS, pod_iterator_options.at_marks): others cannot be opened, and fewer elements than hosts are
 * a failure. */
POD_API POD_CHECKED pod_status pod_dataset_shard(pod_dataset *input, int64_t count, int64_t index,
                                                 pod_dataset **dataset, pod_error *error);

/* The elements of each input after those of the one before. */
POD_API POD_CHECKED pod_status pod_dataset_concatenate(pod_dataset *const *inputs, size_t count, pod_dataset **dataset,
                                                       pod_error *error);

/* The rows of batches, along axis 0: references, no copies. */
POD_API POD_CHECKED pod_status pod_dataset_unbatch(pod_dataset *input, pod_dataset **dataset, pod_error *error);

typedef struct pod_padded_batch_options {
    int64_t size; /* elements of a batch, at least 1 */
    bool drop_remainder;
    const pod_shape *shapes; /* to which elements are filled up, one a component; a size of -1, and
                              * NULL: those of the largest of a batch; borrowed for the call */
    const double *values;    /* that fill up, one a component; NULL: zeros; borrowed for the call */
} pod_padded_batch_options;

/* Stacks elements of different sizes, filled up at the end of each axis. Text becomes rows of bytes. */
POD_API POD_CHECKED pod_status pod_dataset_padded_batch(pod_dataset *input, const pod_padded_batch_options *options,
                                                        pod_dataset **dataset, pod_error *error);

/* A zero field means its default, but for boundaries and sizes. */
typedef struct pod_bucket_options {
    const int64_t *boundaries; /* rising: an element belongs to the first bucket whose boundary is above its length, or
                                * to the last, which has none; borrowed for the call */
    size_t boundary_count;
    const int64_t *sizes; /* elements of a batch of each bucket, one more than boundaries; borrowed for the call */
    int64_t in_step;      /* batches of a bucket that follow each other, of one padded size; default 1 */
    bool pad_to_boundary; /* sizes that are left open become one less than the boundary, not those of the largest */
    bool drop_remainder;  /* leave out what does not fill in_step batches */
    bool no_padding;      /* elements of a batch are of one size, or it is a failure */
    const pod_shape *shapes;
    const double *values; /* both as those of pod_padded_batch_options */
} pod_bucket_options;

/* Stacks elements of similar length: those of a bucket as soon as there are enough, and what is left at the end,
 * shortest first. `length` takes the components of an element, those whose sizes are not all known as an int64 array of
 * these, and returns an int64 scalar; it is taken, also after a failure. NULL: the last component, an int64 scalar, is
 * the length, and no part of the batches. */
POD_API POD_CHECKED pod_status pod_dataset_bucket_by_sequence_length(pod_dataset *input, pod_graph *length,
                                                                     const pod_bucket_options *options,
                                                                     pod_dataset **dataset, pod_error *error);

/* A zero field means its default, but for size. */
typedef struct pod_window_options {
    int64_t size;        /* elements of a window */
    int64_t shift;       /* from one window's first element to the next's; default: size */
    int64_t stride;      /* between elements of a window; default 1 */
    bool drop_remainder; /* leave out windows that are short */
} pod_window_options;

/* Stacks elements of windows, which may overlap, along a new first axis. */
POD_API POD_CHECKED pod_status pod_dataset_window(pod_dataset *input, const pod_window_options *options,
                                                  pod_dataset **dataset, pod_error *error);

/* Applies a graph to a state and each element in turn. Its parameters are the arrays of the state and
 * the components of an element, its outputs the new state and the components of the result. `states`
 * are shared, `graph` is taken, also after a failure. */
POD_API POD_CHECKED pod_status pod_dataset_scan(pod_dataset *input, pod_graph *graph, pod_buffer *const *states,
                                                size_t count, pod_dataset **dataset, pod_error *error);

typedef struct pod_sample_options {
    const double *weights; /* one a dataset; NULL: all the same; borrowed for the call */
    uint64_t seed;
    bool stop_on_empty; /* end as soon as a drawn dataset has no more elements; default: go on with
                         * the others */
} pod_sample_options;

/* Takes each element from a random one of several datasets. */
POD_API POD_CHECKED pod_status pod_dataset_sample(pod_dataset *const *inputs, size_t count,
                                                  const pod_sample_options *options, pod_dataset **dataset,
                                                  pod_error *error);

/* Takes element i from dataset number choice i; `choices` are s64 scalars. When the chosen dataset has no
 * more elements, the whole ends if `stop_on_empty`, or the choice is passed over. */
POD_API POD_CHECKED pod_status pod_dataset_choose(pod_dataset *const *inputs, size_t count, pod_dataset *choices,
                                                  bool stop_on_empty, pod_dataset **dataset, pod_error *error);

/* Holds what makes a dataset of an element. */
typedef struct pod_expansion {
    /* Makes a dataset, shared for the taker, of buffers that are borrowed for the call. */
    pod_status (*expand)(void *context, pod_buffer *const *components, pod_dataset **dataset, pod_error *error);
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
POD_API POD_CHECKED pod_status pod_dataset_interleave(pod_dataset *input, const pod_expansion *expansion,
                                                      const pod_component *components, size_t count,
                                                      const pod_interleave_options *options, pod_dataset **dataset,
                                                      pod_error *error);

/* A function of elements that is the host's. */
typedef struct pod_transform {
    /* Begins an iterator's (or one of its threads') use. May be NULL: *cursor is then NULL. */
    pod_status (*open)(void *context, void **cursor, pod_error *error);
    /* Makes of the components of an element, borrowed for the call, those of the result, each shared
     * for the taker, as announced. */
    pod_status (*apply)(void *context, void *cursor, pod_buffer *const *inputs, pod_buffer **outputs, pod_error *error);
    void (*close)(void *context, void *cursor); /* may be NULL */
    void (*release)(void *context);             /* the stage is freed; may be NULL */
    void *context;                              /* taken: see pod_source */
    bool any_thread;                            /* the functions may run on any thread, one at a time a cursor */
} pod_transform;

/* For functions of elements that may take long: whether nobody waits any more for what this thread's `apply` makes (the
 * iteration was cancelled, or interrupted, or its time is over). */
POD_API bool pod_dataset_is_to_stop(void);

/* Applies a function of the host to each element; results are like `components`, borrowed for the call. */
POD_API POD_CHECKED pod_status pod_dataset_transform(pod_dataset *input, const pod_transform *transform,
                                                     const pod_component *components, size_t count,
                                                     pod_dataset **dataset, pod_error *error);

/* Holds what a feature of an example becomes. */
typedef struct pod_feature_spec {
    const char *name;               /* borrowed for the call */
    pod_dtype dtype;                /* numbers are converted; a string gives its bytes as elements of this type */
    pod_shape shape;                /* all sizes known, or (-1): as many as there are */
    bool text;                      /* a string: u8 (-1) */
    pod_buffer *default_value;      /* of examples without the feature; NULL: (-1) is empty, others fail */
    const pod_image_options *image; /* a string is a picture, to decode: `shape` is (height, width,
                                     * channels), sizes of -1 as they come; borrowed for the call */
} pod_feature_spec;

/* Parses elements that are one string, a tf.train.Example: component i of the result is feature i. */
POD_API POD_CHECKED pod_status pod_dataset_parse_examples(pod_dataset *input, const pod_feature_spec *specs,
                                                          size_t count, pod_dataset **dataset, pod_error *error);

/* Holds what becomes of a component of elements. */
typedef struct pod_decode_output {
    size_t component;               /* of the input */
    bool is_path;                   /* a string names a file, whose bytes stand in its place */
    const pod_image_options *image; /* a string is a picture, to decode; NULL: it stays what it is;
                                     * borrowed for the call */
    pod_shape shape;                /* of a picture: (height, width, channels), sizes of -1 as they come */
} pod_decode_output;

/* Chooses components of elements, reads the files that they name and decodes pictures: component i of the
 * result is output i. */
POD_API POD_CHECKED pod_status pod_dataset_decode(pod_dataset *input, const pod_decode_output *outputs, size_t count,
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
    bool of_ranks; /* the hosts are the ranks of the context (ranks.h); the one input is this rank's */
} pod_hosts_options;

/* What the input pipelines of several hosts, one an input, give in a step, as one batch: the pieces of the
 * first host, then those of the next. A host that has no more gives nothing. Of ranks each reads its own pipeline, and
 * all ask for the same steps, from the iterator's thread. A batch is as long as that of all. Where each rank has read
 * as many rows as its replicas take, the others' rows are unspecified there; else, as behind the end of one, ranks give
 * each other their rows. */
POD_API POD_CHECKED pod_status pod_dataset_hosts(pod_dataset *const *inputs, size_t count,
                                                 const pod_hosts_options *options, pod_dataset **dataset,
                                                 pod_error *error);

/* Returns the number of files that a dataset reads and hosts can divide among themselves, -1 when it reads
 * none: POD_CARDINALITY_UNKNOWN when it does not know. */
POD_API int64_t pod_dataset_file_count(const pod_dataset *dataset);

typedef struct pod_parallel_options {
    int64_t threads; /* 1 to 256; POD_AUTOTUNE: begins with 1 and finds how many help */
    pod_order order;
} pod_parallel_options;

/* Runs the last stage of `input` on several threads; it must be a map, filter, transform, parsing or decoding. A
 * thread takes more elements at once the less time one takes. */
POD_API POD_CHECKED pod_status pod_dataset_parallel(pod_dataset *input, const pod_parallel_options *options,
                                                    pod_dataset **dataset, pod_error *error);

POD_END_C

#endif
