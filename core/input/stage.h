#ifndef POD_INPUT_STAGE_H
#define POD_INPUT_STAGE_H

/*
 * What the stages of a dataset share.
 *
 * A dataset is a tree of stages that never change. An iterator over it is a tree of stage iterators of
 * the same form; each pulls from those before it. Elements move in blocks, as parts: references to a
 * whole buffer or to one row of a buffer. So stages that only choose and order elements touch no data.
 *
 * Threads: a stage iterator runs on one thread at a time. Scopes, below, are how a consumer stops
 * whatever runs before it on other threads.
 */

#include <stdatomic.h>
#include <uv.h>

#include "moonpod/data.h"

#include "base/context.h"
#include "base/error.h"
#include "base/process.h"
#include "formats/reader.h"
#include "input/holdings.h"
#include "input/spares.h"
#include "input/tuner.h"

/* One component of an element: a share of a buffer, of which it is row `row` or all. */
typedef struct pod_part {
    pod_buffer *buffer;
    int64_t row;
} pod_part;

#define POD_WHOLE ((int64_t)-1)
/* In the place of a row: the buffer, u64 (rows), has the address of each row of a batch, whose type is the
 * dataset's. The rows live as long as the dataset. Only a consumer that asked gets such parts (pod_pass.by_address). */
#define POD_BY_ADDRESS ((int64_t)-2)

/* The most elements that stages move at once. */
#define POD_STAGE_BLOCK 256

/* Stages ask each other on one thread's stack, so a pipeline is no longer than this; and an iterator
 * opens all stages of its tree, those that are in it twice twice. Datasets that a stage reads when it finds them
 * (interleave) have half as many left, and those within them a quarter. */
#define POD_MOST_STAGES_DEEP 1000
#define POD_MOST_STAGES      10000

/* The most bytes of a line of a stage's options. */
#define POD_STAGE_TEXT_SIZE 128

/* Something that a dataset is made with and ends: a graph, the context of callbacks. */
typedef struct pod_owned {
    void *thing;
    void (*release)(void *thing); /* NULL: nobody needs to */
} pod_owned;

typedef struct pod_stage pod_stage;
typedef struct pod_stats_list pod_stats_list;

/* A scope can be cancelled with all scopes inside it. The consumer's is the outermost; each stage with
 * threads has one of its own for what runs on them. */
typedef struct pod_scope {
    struct pod_scope *parent;
    struct pod_scope *next; /* in the parent's list of children; guarded by the parent's mutex */
    uv_mutex_t mutex;       /* guards `children` */
    struct pod_scope *children;
    atomic_bool cancelled;
    void (*wake)(void *context); /* wakes who waits in this scope; called under the parent's mutex */
    void *wake_context;
} pod_scope;

/* Makes a scope inside `parent` (NULL: the outermost). It is cancelled at once if the parent is. */
pod_status pod_input_scope_open(pod_scope *scope, pod_scope *parent, void (*wake)(void *context), void *wake_context,
                                pod_error *error);
void pod_input_scope_close(pod_scope *scope);

/* Cancels a scope and all inside it, and wakes who waits there. From any thread. */
void pod_input_scope_cancel(pod_scope *scope);

/* Takes a cancellation back, when nothing runs inside the scope. */
void pod_input_scope_revive(pod_scope *scope);

static inline bool pod_input_scope_is_cancelled(const pod_scope *scope)
{
    return atomic_load_explicit(&scope->cancelled, memory_order_acquire);
}

/* What threads and their consumer wait at: a scope of what the threads run, and conditions under one mutex, which
 * cancelling signals. */
typedef struct pod_gate {
    pod_scope scope;
    uv_mutex_t mutex;
    uv_cond_t conditions[3]; /* numbered by the stage */
    int opened;              /* what of it there is */
} pod_gate;

/* Makes a gate inside `parent`. On failure it is still to be closed. */
pod_status pod_input_gate_open(pod_gate *gate, pod_scope *parent, pod_error *error);

/* Ends it; one that was never opened is allowed. */
void pod_input_gate_close(pod_gate *gate);

/* Waits for a condition, with the mutex. */
static inline void pod_input_gate_wait(pod_gate *gate, int condition)
{
    uv_cond_wait(&gate->conditions[condition], &gate->mutex);
}

/* What all stages of an open iterator share, on whatever thread. */
typedef struct pod_pass_shared {
    pod_budget memory;               /* of elements that wait in queues that POD_AUTOTUNE sizes */
    atomic_bool awaited;             /* the consumer is within next() or the like: an interrupt is to end it */
    atomic_bool source_ended;        /* set where a block of a source is the last, or behind it */
    atomic_bool reordered;           /* set where threads decide about the order of elements */
    atomic_uint_fast64_t by_address; /* components (bits) that the consumer takes as POD_BY_ADDRESS, of those that
                                      * pod_dataset_by_address() names */
    atomic_uint threads_of;          /* see base/process.h: marked by stages that start threads */
} pod_pass_shared;

/* Holds what one open iterator is, for all its stages. */
typedef struct pod_pass {
    pod_context *context;
    pod_iterator_options options;    /* its epoch and repetition are those of the pass that is now: they do not change
                                      * while stages run */
    int32_t depth_left;              /* of stages, for datasets that are found on the way */
    int64_t most_threads;            /* of a stage, where POD_AUTOTUNE chooses */
    pod_pass_shared *shared;         /* the iterator's */
    const struct pod_stage *divided; /* the stage, on the consumer's thread, that may return POD_INPUT_LATER; NULL:
                                      * none; set before any runs */
    uint64_t until;                  /* by uv_hrtime(): when it is to; 0: never; of the consumer's thread */
} pod_pass;

/* What a stage returns that keeps an element which is not done yet, for its next call. It is no outcome: the same is
 * asked again. */
#define POD_INPUT_LATER ((pod_status)(POD_END + 1))

static inline bool pod_input_pass_is_late(const pod_pass *pass)
{
    return pass->until != 0 && uv_hrtime() >= pass->until;
}

/* Names the pass that a stage begins: the `rewinds`th (from 0) within the iterator's. What is drawn depends on
 * this alone. */
static inline pod_pass_number pod_input_pass_number_of(const pod_pass *pass, int64_t rewinds)
{
    return (pod_pass_number){pass->options.epoch, pass->options.repetition + rewinds};
}

/* Gives a pass that was copied from an iterator's the number that that one has now: stages call it before
 * anything runs in the copy. */
static inline void pod_input_pass_follow(pod_pass *copy, const pod_pass *pass)
{
    if (copy->options.epoch != pass->options.epoch || copy->options.repetition != pass->options.repetition) {
        copy->options.epoch = pass->options.epoch;
        copy->options.repetition = pass->options.repetition;
    }
}

/* Returns whether file number `index` of a source is left to another host. */
static inline bool pod_input_pass_leaves_file(const pod_pass *pass, int64_t index)
{
    return pass->options.file_shards > 0 && !pass->options.at_marks &&
           index % pass->options.file_shards != pass->options.file_shard;
}

static inline uint64_t pod_input_pass_key(pod_pass_number number)
{
    return ((uint64_t)number.epoch - 1) << 32 | (uint32_t)number.repetition;
}

/* Holds what a stage has done in all passes. One thread at a time writes, any may read. */
typedef struct pod_stage_counts {
    atomic_uint_fast64_t elements;
    atomic_uint_fast64_t nanoseconds; /* within next(), with what its inputs took there */
} pod_stage_counts;

/* What begins anew: a pass of the consumer, or one more within it (of repeat, say). */
typedef enum pod_rewind { POD_REWIND_ALL, POD_REWIND_INNER } pod_rewind;

/* A kind of stage. Functions that are NULL do nothing. */
typedef struct pod_stage_class {
    const char *name;
    size_t dataset_size;      /* of the struct that begins with pod_dataset; 0: of that */
    size_t iterator_size;     /* of the struct that begins with pod_stage; 0: of that */
    bool opens_inputs_itself; /* the inputs' iterators are the business of `open` */
    bool elementwise;         /* one input, and each element is looked at by itself: may run in parallel */
    bool one_for_one;         /* each element of the input gives one, whatever the others are */
    bool counts_passes;       /* what it gives depends on the number of the pass */
    bool transparent;         /* gives the elements of its input as they come */
    bool own_pass;            /* its inputs are in a pass of their own, whichever the iterator's is */
    bool divides;             /* stops within an element where the pass says so */
    bool reuses_buffers;      /* its iterators have spares */
    size_t takes;             /* elements of its input that it has a place for: pod_stage.taken */
    int64_t at_once;          /* elements that it gives in a call, about, however many are asked for; 0: as many */

    /* Ends what the dataset's own fields hold besides memory of its holdings. Also called on one that is half made. */
    void (*free)(pod_dataset *dataset);
    /* Writes what the elements depend on, as one line of text; NULL: pod_dataset_tell() was told. */
    void (*describe)(const pod_dataset *dataset, char *text, size_t size);
    /* The number of files that the stage reads; -1: it reads none, its inputs may. */
    int64_t (*file_count)(const pod_dataset *dataset);
    /* Bytes that an iterator of this stage alone holds; -1 when unknown. */
    int64_t (*host_bytes)(const pod_dataset *dataset);

    /* The most rows of its batches, of which the last may be short; NULL: its elements are no batches. */
    int64_t (*batch_size)(const pod_dataset *dataset);

    /* Components (bits) of which its elements may be POD_BY_ADDRESS; NULL: none. */
    uint64_t (*by_address)(const pod_dataset *dataset);

    /* Elements that it is best to take at once, of an elementwise stage; NULL: 1. */
    size_t (*block_size)(const pod_dataset *dataset);

    /* The inputs' iterators are open already. What is held for the stage and could not be, fails behind it. */
    pod_status (*open)(pod_stage *stage, pod_error *error);
    /* Makes 1 to `limit` elements: parts[e * width + component], each a share for the taker. May give
     * some and fail; pod_input_stage_next() then keeps the failure for the next call. */
    pod_status (*next)(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error);
    /* Passes over up to `count` elements; *passed receives how many. NULL: they are made and dropped. */
    pod_status (*pass_over)(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error);
    /* Drops what the stage has of a pass: elements, its place. Before another pass, and before close(), then also of
     * one that is half made. */
    void (*drop)(pod_stage *stage);
    /* Has the inputs begin another pass, behind drop(); NULL: as they are told. */
    pod_status (*rewind)(pod_stage *stage, pod_rewind what, pod_error *error);
    /* Ends threads and what the iterator has besides its holdings and spares, also one that is half made. The inputs
     * are closed afterwards. */
    void (*close)(pod_stage *stage);
    /* Adds what the stage counted; from the consumer's thread. */
    void (*stats)(pod_stage *stage, pod_iterator_stats *stats);
    /* Adds to the stage's row what its counts do not tell: threads, queue, waiting. From the consumer's
     * thread. */
    void (*stage_stats)(pod_stage *stage, pod_stage_stats *row);
    /* In the place of all that pod_input_stage_collect() does, for stages with other stages inside. */
    void (*collect)(pod_stage *stage, pod_stats_list *list);
    bool untimed; /* too cheap for clocks */
} pod_stage_class;

struct pod_dataset {
    const pod_stage_class *kind;
    pod_context *context; /* shared */
    atomic_size_t shares;
    pod_dataset **inputs; /* shared */
    size_t input_count;
    pod_component *components;
    size_t width; /* components of an element */
    int64_t cardinality;
    int32_t depth, stages; /* of the longest pipeline that ends here; of the whole tree */
    char options[POD_STAGE_TEXT_SIZE];
    char *label;                /* what messages call the last stage; NULL: its kind's name */
    atomic_int_fast64_t passes; /* begun so far, by all iterators; of stages that count them */
    bool own_thread;            /* some callback has to run on the consumer's thread */
    bool in_memory;             /* elements are references to rows that live as long as the dataset */
    int64_t together;           /* elements that are rows of one block, which is held while one of them is; 0: each is
                                 * buffers of its own */
    pod_holdings holdings;      /* memory that lives as long as the dataset */
    pod_owned owned;
};

struct pod_stage {
    pod_dataset *dataset; /* borrowed: the open iterator shares the last, and that the others */
    pod_pass *pass;
    pod_scope *scope;
    pod_stage **inputs;
    const pod_stage *consumer; /* that pulls from it; NULL: the iterator does, or it is not known */
    _Atomic uint32_t traced;   /* its number among what is recorded, + 1, and its part << 16; 0: not asked yet */
    size_t width;
    pod_holdings holdings; /* memory that lives as long as the stage */
    pod_spares *spares;    /* of what it makes: one a component; where its class says so */
    pod_part *taken;       /* elements of its first input on their way, as many as its class says */
    int64_t given;         /* elements of this pass; who feeds a stage with a part of a pass sets it */
    int64_t rewinds;       /* inner passes of this epoch */
    bool begun;            /* see pod_input_stage_begins() */
    pod_stage_counts counts;
    pod_status outcome; /* POD_OK, or why no more elements come */
    pod_error failure;  /* of outcome < 0 */
};

/*
 * Making datasets.
 */

/* Makes a dataset of `kind` over inputs, which are shared; `components` NULL takes those of the first
 * input, and where its elements lie. Cardinality is that of the first input or unknown. On failure *dataset is NULL. */
pod_status pod_dataset_new(pod_context *context, const pod_stage_class *kind, pod_dataset *const *inputs,
                           size_t input_count, const pod_component *components, size_t width, pod_dataset **dataset,
                           pod_error *error);

/* Finds what elements of several datasets, given one after the other, have in common: sizes that differ are
 * -1. Fails where types or ranks differ. */
pod_status pod_input_components_join(const pod_dataset *const *inputs, size_t count, const char *stage,
                                     pod_component *components, pod_error *error);

/* Gives a dataset what it owns, which is ended where there is none: `status` is that of making it, and returned. */
pod_status pod_dataset_own(pod_dataset **dataset, pod_owned owned, pod_status status);

/* Tells the options of which the elements depend, as one line of text. */
void pod_dataset_tell(pod_dataset *dataset, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends a dataset that is half made: *dataset is NULL then. Returns the status. */
pod_status pod_dataset_fail(pod_dataset **dataset, pod_status status);

/* Tells that there was no memory for a dataset's holdings, and ends it; POD_OK where there was. */
pod_status pod_dataset_check_holdings(pod_dataset **dataset, pod_error *error);

/* Numbers a new pass over a dataset: one more than any stage of it has seen, which they all remember. */
int64_t pod_dataset_begin_pass(pod_dataset *dataset);

/* The components (bits) of which elements of a dataset may be POD_BY_ADDRESS. */
uint64_t pod_dataset_by_address(const pod_dataset *dataset);

/* The same of its input, for stages that only pass elements on. */
uint64_t pod_dataset_by_address_of_input(const pod_dataset *dataset);

/* Returns the shape of `rows` rows, one above the other, and that of a row. */
static inline pod_shape pod_input_shape_of_rows(const pod_shape *row, int64_t rows)
{
    pod_shape stack = {.rank = row->rank + 1, .dims = {rows}};
    for (int32_t axis = 0; axis < row->rank; axis++)
        stack.dims[axis + 1] = row->dims[axis];
    return stack;
}

static inline pod_shape pod_input_shape_of_row(const pod_shape *stack)
{
    pod_shape row = {.rank = stack->rank - 1};
    for (int32_t axis = 0; axis < row.rank; axis++)
        row.dims[axis] = stack->dims[axis + 1];
    return row;
}

/* Returns `count` times `bytes`, -1 where those are not known or it is too much. */
int64_t pod_input_bytes_times(int64_t count, int64_t bytes);

/* True when every size is known. */
bool pod_input_component_is_static(const pod_component *component);

/* Returns the bytes of one array of this kind, -1 when unknown. */
int64_t pod_input_component_bytes(const pod_component *component);

/* Returns the rows of a full batch, of elements that pass one stage, or several that leave the number of components
 * alone; -1 where there is no batch. */
int64_t pod_dataset_most_rows(const pod_dataset *dataset);

/* Returns how many of `limit` elements a stage gives in a call, about. */
int64_t pod_dataset_at_once(const pod_dataset *dataset, int64_t limit);

/* Returns the bytes of one element of a dataset, of batches those of a full one; -1 when unknown. */
int64_t pod_dataset_element_bytes(const pod_dataset *dataset);

/* Returns the bytes that `count` elements hold which a stage keeps: with what each buffer takes besides its elements,
 * and where they are given on in another order (`mixed`) with the rows of blocks that are held for others. -1 when not
 * known. */
int64_t pod_dataset_kept_bytes(const pod_dataset *dataset, int64_t count, bool mixed);

/* Takes over where elements lie from the inputs that they, or their components, come from. */
void pod_dataset_lies_as(pod_dataset *dataset, pod_dataset *const *inputs, size_t count);

/* Checks what a callback made against what the dataset announces; drops it where it is something else. */
pod_status pod_input_check_buffers(const pod_dataset *dataset, pod_buffer **buffers, int64_t element, pod_error *error);

/*
 * Walking.
 */

/* Opens the iterator of a dataset inside `scope`. Where `input` is not NULL, the dataset is of an elementwise stage,
 * and its iterator is over that one, which stays its owner's: inputs[0] must be NULL again when the stage is closed. On
 * failure *stage is NULL. */
pod_status pod_input_stage_open(pod_dataset *dataset, pod_pass *pass, pod_scope *scope, pod_stage *input,
                                pod_stage **stage, pod_error *error);
/* NULL is allowed. */
void pod_input_stage_close(pod_stage *stage);

/* Rewinds such a stage without its input. */
pod_status pod_input_stage_rewind_alone(pod_stage *stage, pod_rewind what, pod_error *error);

/* Opens input `index` of a stage in `pass` and `scope`. */
pod_status pod_input_stage_open_input(pod_stage *stage, size_t index, pod_pass *pass, pod_scope *scope,
                                      pod_error *error);

/* Returns whether this is the first call of a pass: the time to look at its number. */
static inline bool pod_input_stage_begins(pod_stage *stage)
{
    const bool begins = !stage->begun;
    stage->begun = true;
    return begins;
}

/* Names the pass that a stage is in. */
static inline pod_pass_number pod_input_stage_pass_number(const pod_stage *stage)
{
    return pod_input_pass_number_of(stage->pass, stage->rewinds);
}

/* Says of what element of a stage's pass a failure tells. Returns the status. */
pod_status pod_input_stage_explain(const pod_stage *stage, int64_t element, pod_status status, pod_error *error);

/* When a stage's reading of files is to end: when its scope is cancelled or the consumer that waits interrupted. */
pod_stop pod_input_stage_stop(const pod_stage *stage);

/* Returns whether a stage is to divide its elements, and whether it is to stop now: behind something of its element, so
 * that each call gets on. */
static inline bool pod_input_stage_is_timed(const pod_stage *stage)
{
    return stage->pass->divided == stage && stage->pass->until != 0;
}

static inline bool pod_input_stage_is_late(const pod_stage *stage)
{
    return stage->pass->divided == stage && pod_input_pass_is_late(stage->pass);
}

/* Gives 1 to `limit` elements, POD_STAGE_BLOCK at most, or the outcome, which stays. Looks at the scope first, and at
 * the context's interrupt while the consumer waits: this is where loops over elements end that nobody waits for any
 * more, so nobody else calls a stage's `next`. */
pod_status pod_input_stage_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error);
/* Passes over `count` elements as if they had been given, without making them where a stage can do without.
 * *passed receives how many there were; POD_END when these are less than `count`. */
pod_status pod_input_stage_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error);

/* The same by making and dropping them: for stages that can do no better, now. */
pod_status pod_input_stage_pull_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error);

/* The same for stages with no input that have `all` elements a pass. */
pod_status pod_input_stage_pass_over_of(pod_stage *stage, int64_t all, int64_t count, int64_t *passed);

/* The same by the input, for stages that give one element for one. */
pod_status pod_input_stage_pass_over_input(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error);

pod_status pod_input_stage_rewind(pod_stage *stage, pod_rewind what, pod_error *error);
pod_status pod_input_stage_rewind_inputs(pod_stage *stage, pod_rewind what, pod_error *error);

/* Returns true when next() of a prefetch need not wait, or begins its thread; true of other stages. From
 * the thread that asks for elements. */
bool pod_input_prefetch_is_ready(pod_stage *stage);

/*
 * Parts.
 */

void pod_input_parts_release(pod_part *parts, size_t count);

/* Shares `count` parts once more into `copies`. */
void pod_input_parts_share(const pod_part *parts, size_t count, pod_part *copies);

/* The shape of what a part refers to. */
void pod_input_part_shape(const pod_part *part, pod_shape *shape);
size_t pod_input_part_bytes(const pod_part *part);
const void *pod_input_part_data(const pod_part *part);

/* Makes buffers of an element's parts, which are taken: rows are copied. On failure there are none. */
pod_status pod_input_parts_own(pod_context *context, const pod_part *parts, size_t width, pod_buffer **buffers,
                               pod_error *error);

/* Copies component `component` of `count` elements, all of `bytes` bytes, one behind the other. */
void pod_input_parts_gather(const pod_part *parts, size_t width, size_t component, size_t count, size_t bytes,
                            void *destination);

#endif
