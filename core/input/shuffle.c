/* shuffle - a buffer of elements from which random ones are given. */

#include "base/growth.h"
#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

#include "base/random.h"
#include "tensor/shares.h"

typedef struct shuffle_dataset {
    pod_dataset base;
    pod_shuffle_options options;
} shuffle_dataset;

/* The buffer has one of two forms. While all elements are rows of the same buffers, of equal
 * numbers, as those of arrays in memory, it keeps the numbers: places are drawn anywhere in it, and
 * so many stay in a cache. After the first element that is something else it keeps parts, also in
 * later passes. */
typedef struct shuffle_stage {
    pod_stage base;
    pod_random_stream random;
    bool input_ended;
    uint32_t *rows;       /* the buffer as numbers of rows, or NULL */
    pod_buffer **sources; /* whose rows: one a component, with one share each; NULL before the first
                             element */
    pod_part *slots;      /* the buffer as parts, each a share, or NULL */
    size_t count, room;   /* elements in it, and how many fit before it must grow */
} shuffle_stage;

static const char buffer_of_shuffle[] = "the buffer of shuffle";

static const shuffle_dataset *shuffle_of(const pod_stage *stage)
{
    return (const shuffle_dataset *)stage->dataset;
}

/* Chooses the order of this pass. */
static void start_pass(shuffle_stage *self)
{
    const pod_shuffle_options *options = &shuffle_of(&self->base)->options;
    const pod_pass_number pass =
        options->same_each_iteration ? (pod_pass_number){.epoch = 1} : pod_input_stage_pass_number(&self->base);
    pod_random_stream_init(&self->random, options->seed, pod_input_pass_key(pass));
}

/* True when elements are rows of the sources, which the first element of a pass chooses. */
static bool are_rows(const shuffle_stage *self, size_t count)
{
    const size_t width = self->base.width;
    const pod_part *part = self->base.taken;
    for (size_t i = 0; i < count; i++) {
        const int64_t row = part->row;
        if (row < 0 || row > UINT32_MAX)
            return false;
        for (size_t component = 0; component < width; component++, part++) {
            const pod_buffer *source =
                self->sources[component] != NULL ? self->sources[component] : self->base.taken[component].buffer;
            if (part->row != row || part->buffer != source)
                return false;
        }
    }
    return true;
}

static void change_source_shares(shuffle_stage *self, void (*change)(pod_buffer *, unsigned), size_t count)
{
    for (size_t i = 0; i < self->base.width; i++)
        change(self->sources[i], (unsigned)count);
}

static void drop_sources(shuffle_stage *self)
{
    change_source_shares(self, pod_buffer_release_many, 1);
    memset(self->sources, 0, self->base.width * sizeof *self->sources);
}

/* How a place is read and written; shares are counted by the callers. */

static inline void copy_parts(pod_part *to, const pod_part *from, size_t width)
{
    for (size_t i = 0; i < width; i++)
        to[i] = from[i];
}

static inline void read_place(const shuffle_stage *self, size_t place, pod_part *parts)
{
    const size_t width = self->base.width;
    if (self->slots != NULL)
        copy_parts(parts, self->slots + place * width, width);
    else
        for (size_t i = 0; i < width; i++)
            parts[i] = (pod_part){self->sources[i], self->rows[place]};
}

static inline void write_place(shuffle_stage *self, size_t place, const pod_part *parts)
{
    const size_t width = self->base.width;
    if (self->slots != NULL)
        copy_parts(self->slots + place * width, parts, width);
    else
        self->rows[place] = (uint32_t)parts->row;
}

static inline void move_place(shuffle_stage *self, size_t to, size_t from)
{
    const size_t width = self->base.width;
    if (self->slots != NULL)
        copy_parts(self->slots + to * width, self->slots + from * width, width);
    else
        self->rows[to] = self->rows[from];
}

/* Makes room for at least one more element; buffers grow with their content, as data may be
 * shorter. */
static pod_status grow(shuffle_stage *self, pod_error *error)
{
    const int64_t known = self->base.inputs[0]->dataset->cardinality;
    pod_growth growth = {.item = sizeof *self->rows,
                         .first = known > 0 ? (size_t)known : POD_STAGE_BLOCK,
                         .most = (size_t)shuffle_of(&self->base)->options.buffer_size,
                         .what = buffer_of_shuffle};
    if (self->slots == NULL)
        return pod_grow(self->base.pass->context, &self->rows, &self->room, self->room + 1, growth, error);
    growth.item = self->base.width * sizeof *self->slots;
    return pod_grow(self->base.pass->context, &self->slots, &self->room, self->room + 1, growth, error);
}

/* Makes parts of the numbers of rows. */
static pod_status expand(shuffle_stage *self, pod_error *error)
{
    const size_t width = self->base.width;
    size_t room = 0;
    const pod_status status = pod_grow(self->base.pass->context, &self->slots, &room, self->room > 0 ? self->room : 1,
                                       (pod_growth){width * sizeof *self->slots, .what = buffer_of_shuffle}, error);
    if (status != POD_OK)
        return status;
    self->room = room;
    for (size_t place = 0; place < self->count; place++)
        for (size_t i = 0; i < width; i++)
            self->slots[place * width + i] = (pod_part){self->sources[i], self->rows[place]};
    change_source_shares(self, pod_buffer_retain_many, self->count);
    drop_sources(self);
    pod_free(self->base.pass->context, self->rows);
    self->rows = NULL;
    return POD_OK;
}

/* Returns whether the input failed in a way that comes behind the elements before it, which are in the buffer. */
static bool has_failed(const shuffle_stage *self)
{
    const pod_status outcome = self->base.inputs[0]->outcome;
    return outcome < 0 && outcome != POD_ERROR_CANCELLED && outcome != POD_ERROR_INTERRUPTED;
}

/* Takes a block of elements from the input, for which the buffer then has the right form. */
static pod_status take_incoming(shuffle_stage *self, size_t limit, size_t *count, pod_error *error)
{
    pod_status status = pod_input_stage_next(self->base.inputs[0], self->base.taken, limit, count, error);
    if (status < 0 && has_failed(self))
        status = POD_END;
    if (status != POD_OK || self->slots != NULL)
        return status;
    if (!are_rows(self, *count)) {
        status = expand(self, error);
        if (status != POD_OK) {
            pod_input_parts_release(self->base.taken, *count * self->base.width);
            *count = 0;
        }
    } else if (self->sources[0] == NULL) {
        for (size_t i = 0; i < self->base.width; i++)
            self->sources[i] = pod_buffer_retain(self->base.taken[i].buffer);
    }
    return status;
}

static pod_status fill(shuffle_stage *self, pod_error *error)
{
    const size_t width = self->base.width;
    const size_t most = (size_t)shuffle_of(&self->base)->options.buffer_size;
    while (!self->input_ended && self->count < most) {
        size_t got;
        const size_t space = most - self->count;
        pod_status status = take_incoming(self, space < POD_STAGE_BLOCK ? space : POD_STAGE_BLOCK, &got, error);
        if (status < 0)
            return status;
        self->input_ended = status == POD_END;
        size_t stored = 0;
        for (; stored < got; stored++) {
            if (self->count == self->room && (status = grow(self, error)) != POD_OK)
                break;
            write_place(self, self->count++, self->base.taken + stored * width);
        }
        if (self->slots != NULL) {
            pod_input_parts_release(self->base.taken + stored * width, (got - stored) * width);
        } else { /* a buffer of rows has shares of its own */
            change_source_shares(self, pod_buffer_release_many, got);
        }
        if (status < 0)
            return status;
    }
    return POD_OK;
}

/* Places are drawn some ahead of their use, and asked from memory: they lie anywhere in the buffer.
 */
#define DRAWN 32

static void draw(shuffle_stage *self, size_t places[DRAWN], size_t count, bool shrinks)
{
    const size_t width = self->base.width;
    for (size_t i = 0; i < count; i++) {
        const size_t all = shrinks ? self->count - i : self->count;
        places[i] = pod_random_below(&self->random, all);
        if (self->slots != NULL)
            __builtin_prefetch(self->slots + places[i] * width, 1);
        else
            __builtin_prefetch(self->rows + places[i], 1);
    }
}

/* Gives a random element each for the incoming ones, which take their places, and of rows their
 * shares. */
static void exchange(shuffle_stage *self, pod_part *parts, size_t count)
{
    const size_t width = self->base.width;
    size_t places[DRAWN];
    for (size_t i = 0; i < count; i++) {
        if (i % DRAWN == 0)
            draw(self, places, count - i < DRAWN ? count - i : DRAWN, false);
        read_place(self, places[i % DRAWN], parts + i * width);
        write_place(self, places[i % DRAWN], self->base.taken + i * width);
    }
}

/* Gives random elements; the last takes the place of each. */
static void drain(shuffle_stage *self, pod_part *parts, size_t count)
{
    const size_t width = self->base.width;
    size_t places[DRAWN];
    if (self->slots == NULL)
        change_source_shares(self, pod_buffer_retain_many, count);
    for (size_t i = 0; i < count; i++) {
        if (i % DRAWN == 0)
            draw(self, places, count - i < DRAWN ? count - i : DRAWN, true);
        read_place(self, places[i % DRAWN], parts + i * width);
        move_place(self, places[i % DRAWN], --self->count);
    }
}

static pod_status shuffle_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    if (pod_input_stage_begins(stage))
        start_pass(self);
    pod_status status = fill(self, error);
    if (status != POD_OK)
        return status;
    if (!self->input_ended) {
        status = take_incoming(self, limit, count, error);
        if (status < 0)
            return status;
        exchange(self, parts, *count);
        self->input_ended = status == POD_END;
    }
    if (self->input_ended) {
        const size_t room = limit - *count, some = room < self->count ? room : self->count;
        drain(self, parts + *count * stage->width, some);
        *count += some;
    }
    if (*count == 0 && has_failed(self))
        return pod_input_stage_next(stage->inputs[0], self->base.taken, 1, count, error); /* tells it once more */
    return *count > 0 ? POD_OK : POD_END;
}

static pod_status shuffle_open(pod_stage *stage, pod_error *error)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    (void)error; /* memory is checked behind it */
    self->sources = pod_input_hold(&stage->holdings, stage->width, sizeof *self->sources);
    return POD_OK;
}

static void shuffle_drop(pod_stage *stage)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    if (self->slots != NULL)
        pod_input_parts_release(self->slots, self->count * self->base.width);
    else if (self->sources != NULL)
        drop_sources(self);
    self->count = 0;
    self->input_ended = false;
}

static void shuffle_close(pod_stage *stage)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    pod_free(stage->pass->context, self->rows);
    pod_free(stage->pass->context, self->slots);
}

/* Returns whether all elements are rows of the same buffers, so that the buffer keeps their numbers. */
static bool has_one_source(const pod_dataset *dataset)
{
    while (dataset->input_count == 1)
        dataset = dataset->inputs[0];
    return dataset->in_memory && dataset->input_count == 0;
}

static int64_t shuffle_host_bytes(const pod_dataset *dataset)
{
    const int64_t buffer = ((const shuffle_dataset *)dataset)->options.buffer_size;
    const int64_t elements = dataset->cardinality >= 0 && dataset->cardinality < buffer ? dataset->cardinality : buffer;
    const bool numbers = dataset->in_memory && has_one_source(dataset);
    const int64_t place = (int64_t)(numbers ? sizeof(uint32_t) : dataset->width * sizeof(pod_part));
    const int64_t kept = pod_dataset_kept_bytes(dataset, elements, true);
    return kept < 0 || elements > (INT64_MAX - kept) / place ? -1 : kept + elements * place;
}

static const pod_stage_class shuffle_class = {
    .name = "shuffle",
    .dataset_size = sizeof(shuffle_dataset),
    .iterator_size = sizeof(shuffle_stage),
    .counts_passes = true,
    .takes = POD_STAGE_BLOCK,
    .host_bytes = shuffle_host_bytes,
    .open = shuffle_open,
    .next = shuffle_next,
    .drop = shuffle_drop,
    .close = shuffle_close,
};

pod_status pod_dataset_shuffle(pod_dataset *input, const pod_shuffle_options *options, pod_dataset **dataset,
                               pod_error *error)
{
    *dataset = NULL;
    if (options->buffer_size < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the buffer size of shuffle is %lld; it must be at least 1",
                             (long long)options->buffer_size);
    const pod_status status = pod_dataset_new(input->context, &shuffle_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    ((shuffle_dataset *)*dataset)->options = *options;
    pod_dataset_tell(*dataset, "buffer size %lld, seed %llu%s", (long long)options->buffer_size,
                     (unsigned long long)options->seed,
                     options->same_each_iteration ? ", the same each iteration" : "");
    return POD_OK;
}

pod_status pod_input_shuffle_recipe(pod_recipe *recipe, pod_dataset **made)
{
    pod_shuffle_options options = {0};
    if (recipe->from != NULL)
        options = ((const shuffle_dataset *)recipe->from)->options;
    int64_t seed = (int64_t)options.seed;
    pod_input_recipe_number(recipe, &options.buffer_size);
    pod_input_recipe_number(recipe, &seed);
    pod_input_recipe_flag(recipe, &options.same_each_iteration);
    options.seed = (uint64_t)seed;
    return pod_input_recipe_is_read(recipe) ? pod_dataset_shuffle(recipe->inputs[0], &options, made, recipe->error)
                                            : POD_OK;
}
