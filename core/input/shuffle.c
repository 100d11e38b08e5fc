/* shuffle - a buffer of elements from which random ones are given. */

#include "input/stage.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

typedef struct shuffle_dataset {
    pod_dataset base;
    pod_shuffle_options options;
} shuffle_dataset;

typedef struct shuffle_stage {
    pod_stage base;
    pod_random_stream random;
    bool started;       /* `random` is that of this pass */
    int64_t rewinds;    /* inner passes of this epoch */
    bool input_ended;
    pod_part *slots;    /* the buffer */
    size_t count, room; /* elements in it, and how many fit before it must grow */
    pod_part *incoming; /* elements that fill places, of one block */
} shuffle_stage;

static const shuffle_dataset *shuffle_of(const pod_stage *stage)
{
    return (const shuffle_dataset *)stage->dataset;
}

/* Chooses the order of this pass. */
static void start_pass(shuffle_stage *self)
{
    const pod_shuffle_options *options = &shuffle_of(&self->base)->options;
    const pod_pass_number pass = options->same_each_iteration
                                     ? (pod_pass_number){.epoch = 1}
                                     : pod_pass_number_of(self->base.pass, self->rewinds);
    pod_random_stream_init(&self->random, options->seed, pod_pass_key(pass));
    self->started = true;
}

/* Makes room for at least one more element; buffers grow with their content, as data may be shorter. */
static pod_status grow(shuffle_stage *self, pod_error *error)
{
    const size_t most = (size_t)shuffle_of(&self->base)->options.buffer_size;
    const int64_t known = self->base.inputs[0]->dataset->cardinality;
    size_t room = self->room == 0 ? POD_STAGE_BLOCK : self->room * 2;
    if (self->room == 0 && known > 0)
        room = (size_t)known;
    if (room > most)
        room = most;
    if (room > SIZE_MAX / 2 / (self->base.width * sizeof(pod_part)))
        return pod_error_memory(error, "the buffer of shuffle", SIZE_MAX);
    const size_t bytes = room * self->base.width * sizeof(pod_part);
    pod_part *slots = pod_reallocate(self->base.pass->context, self->slots, bytes);
    if (slots == NULL)
        return pod_error_memory(error, "the buffer of shuffle", bytes);
    self->slots = slots;
    self->room = room;
    return POD_OK;
}

static pod_status fill(shuffle_stage *self, pod_error *error)
{
    const size_t most = (size_t)shuffle_of(&self->base)->options.buffer_size;
    while (!self->input_ended && self->count < most) {
        size_t got;
        pod_status status = self->count == self->room ? grow(self, error) : POD_OK;
        if (status != POD_OK)
            return status;
        const size_t space = self->room - self->count;
        status = pod_stage_next(self->base.inputs[0], self->slots + self->count * self->base.width,
                                space < POD_STAGE_BLOCK ? space : POD_STAGE_BLOCK, &got, error);
        if (status < 0)
            return status;
        self->input_ended = status == POD_END;
        self->count += got;
    }
    return POD_OK;
}

/* Places are drawn some ahead of their use, and asked from memory: they lie anywhere in the buffer. */
#define DRAWN 32

static void draw(shuffle_stage *self, pod_part *places[DRAWN], size_t count, bool shrinks)
{
    const size_t width = self->base.width;
    for (size_t i = 0; i < count; i++) {
        const size_t all = shrinks ? self->count - i : self->count;
        places[i] = self->slots + pod_random_below(&self->random, all) * width;
        __builtin_prefetch(places[i], 1);
    }
}

static inline void copy_parts(pod_part *to, const pod_part *from, size_t width)
{
    for (size_t i = 0; i < width; i++)
        to[i] = from[i];
}

/* Gives a random element each for the incoming ones, which take their places. */
static void exchange(shuffle_stage *self, pod_part *parts, size_t count)
{
    const size_t width = self->base.width;
    pod_part *places[DRAWN];
    for (size_t i = 0; i < count; i++) {
        if (i % DRAWN == 0)
            draw(self, places, count - i < DRAWN ? count - i : DRAWN, false);
        copy_parts(parts + i * width, places[i % DRAWN], width);
        copy_parts(places[i % DRAWN], self->incoming + i * width, width);
    }
}

/* Gives random elements; the last takes the place of each. */
static void drain(shuffle_stage *self, pod_part *parts, size_t count)
{
    const size_t width = self->base.width;
    pod_part *places[DRAWN];
    for (size_t i = 0; i < count; i++) {
        if (i % DRAWN == 0)
            draw(self, places, count - i < DRAWN ? count - i : DRAWN, true);
        copy_parts(parts + i * width, places[i % DRAWN], width);
        self->count--;
        copy_parts(places[i % DRAWN], self->slots + self->count * width, width);
    }
}

static pod_status shuffle_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count,
                               pod_error *error)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    if (!self->started)
        start_pass(self);
    pod_status status = fill(self, error);
    if (status != POD_OK)
        return status;
    if (limit > POD_STAGE_BLOCK)
        limit = POD_STAGE_BLOCK;
    if (!self->input_ended) {
        status = pod_stage_next(stage->inputs[0], self->incoming, limit, count, error);
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
    return *count > 0 ? POD_OK : POD_END;
}

static pod_status shuffle_open(pod_stage *stage, pod_error *error)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    const size_t bytes = POD_STAGE_BLOCK * stage->width * sizeof(pod_part);
    self->incoming = pod_allocate(stage->pass->context, bytes);
    if (self->incoming == NULL)
        return pod_error_memory(error, "a block of elements", bytes);
    return POD_OK;
}

static pod_status shuffle_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    pod_parts_release(self->slots, self->count * stage->width);
    self->count = 0;
    self->input_ended = false;
    self->started = false;
    self->rewinds = what == POD_REWIND_ALL ? 0 : self->rewinds + 1;
    return pod_stage_rewind_inputs(stage, what, error);
}

static void shuffle_close(pod_stage *stage)
{
    shuffle_stage *self = (shuffle_stage *)stage;
    pod_parts_release(self->slots, self->count * stage->width);
    pod_free(stage->pass->context, self->slots);
    pod_free(stage->pass->context, self->incoming);
}

static int64_t shuffle_host_bytes(const pod_dataset *dataset)
{
    const int64_t buffer = ((const shuffle_dataset *)dataset)->options.buffer_size;
    const int64_t elements = dataset->cardinality >= 0 && dataset->cardinality < buffer
                                 ? dataset->cardinality
                                 : buffer;
    const int64_t parts = (int64_t)(dataset->width * sizeof(pod_part));
    const int64_t held = dataset->in_memory ? 0 : pod_dataset_element_bytes(dataset);
    if (held < 0 || held > INT64_MAX - parts || elements > INT64_MAX / (held + parts))
        return -1;
    return elements * (held + parts);
}

static void shuffle_describe(const pod_dataset *dataset, char *text, size_t size)
{
    const pod_shuffle_options *options = &((const shuffle_dataset *)dataset)->options;
    snprintf(text, size, "buffer size %lld, seed %llu%s", (long long)options->buffer_size,
             (unsigned long long)options->seed,
             options->same_each_iteration ? ", the same each iteration" : "");
}

static const pod_stage_class shuffle_class = {
    .name = "shuffle",
    .dataset_size = sizeof(shuffle_dataset),
    .iterator_size = sizeof(shuffle_stage),
    .counts_passes = true,
    .host_bytes = shuffle_host_bytes,
    .open = shuffle_open,
    .describe = shuffle_describe,
    .next = shuffle_next,
    .rewind = shuffle_rewind,
    .close = shuffle_close,
};

pod_status pod_dataset_shuffle(pod_dataset *input, const pod_shuffle_options *options,
                               pod_dataset **dataset, pod_error *error)
{
    *dataset = NULL;
    if (options->buffer_size < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the buffer size of shuffle is %lld; it must be at least 1",
                             (long long)options->buffer_size);
    const pod_status status =
        pod_dataset_new(input->context, &shuffle_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    ((shuffle_dataset *)*dataset)->options = *options;
    (*dataset)->in_memory = input->in_memory;
    return POD_OK;
}
