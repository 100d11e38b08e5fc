/* stage - iterators of stages and the parts that move between them. */

#include "input/stage_trace.h"

#include <string.h>

#include "tensor/shares.h"

static pod_status open_inputs(pod_stage *stage, pod_error *error)
{
    for (size_t i = 0; i < stage->dataset->input_count; i++) {
        const pod_status status = pod_input_stage_open_input(stage, i, stage->pass, stage->scope, error);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

pod_status pod_input_stage_open(pod_dataset *dataset, pod_pass *pass, pod_scope *scope, pod_stage *input,
                                pod_stage **stage, pod_error *error)
{
    const pod_stage_class *kind = dataset->kind;
    const size_t size = kind->iterator_size > 0 ? kind->iterator_size : sizeof(pod_stage);
    const size_t bytes = size + dataset->input_count * sizeof(pod_stage *);
    pod_status status = POD_OK;

    *stage = NULL;
    pod_stage *made = pod_allocate_zeroed(pass->context, 1, bytes);
    if (made == NULL)
        return pod_error_memory(error, "an iterator", bytes);
    made->dataset = dataset;
    made->pass = pass;
    made->scope = scope;
    made->inputs = (pod_stage **)((char *)made + size);
    made->width = dataset->width;
    made->holdings.context = pass->context;
    if (kind->reuses_buffers)
        made->spares = pod_input_spares_hold(&made->holdings, made->width);
    if (kind->takes > 0)
        made->taken = pod_input_hold(&made->holdings, kind->takes * dataset->inputs[0]->width, sizeof *made->taken);
    if (input != NULL)
        made->inputs[0] = input;
    else if (!kind->opens_inputs_itself)
        status = open_inputs(made, error);
    if (status == POD_OK && kind->open != NULL)
        status = kind->open(made, error);
    if (status == POD_OK)
        status = pod_input_holdings_check(&made->holdings, "an iterator", error);
    if (status != POD_OK) {
        if (input != NULL)
            made->inputs[0] = NULL;
        pod_input_stage_close(made);
        return status;
    }
    *stage = made;
    return POD_OK;
}

pod_status pod_input_stage_rewind_alone(pod_stage *stage, pod_rewind what, pod_error *error)
{
    pod_stage *input = stage->inputs[0];
    stage->inputs[0] = NULL;
    const pod_status status = pod_input_stage_rewind(stage, what, error);
    stage->inputs[0] = input;
    return status;
}

pod_status pod_input_stage_open_input(pod_stage *stage, size_t index, pod_pass *pass, pod_scope *scope,
                                      pod_error *error)
{
    const pod_status status =
        pod_input_stage_open(stage->dataset->inputs[index], pass, scope, NULL, &stage->inputs[index], error);
    if (status == POD_OK)
        stage->inputs[index]->consumer = stage;
    return status;
}

void pod_input_stage_close(pod_stage *stage)
{
    if (stage == NULL)
        return;
    const pod_stage_class *kind = stage->dataset->kind;
    if (kind->drop != NULL)
        kind->drop(stage);
    if (kind->close != NULL)
        kind->close(stage);
    for (size_t i = 0; i < stage->dataset->input_count; i++)
        pod_input_stage_close(stage->inputs[i]); /* their pass may be held */
    pod_input_spares_end(stage->spares, stage->width);
    pod_input_holdings_end(&stage->holdings);
    pod_free(stage->pass->context, stage);
}

/* Remembers why no more elements come. */
static pod_status settle(pod_stage *stage, pod_status status, const pod_error *failure)
{
    stage->outcome = status;
    if (status < 0) {
        stage->failure = *failure;
        stage->failure.status = status;
    }
    return status;
}

static pod_status tell_outcome(const pod_stage *stage, pod_error *error)
{
    if (stage->outcome < 0 && error != NULL)
        *error = stage->failure;
    return stage->outcome;
}

/* Only one thread writes a count, so adding needs no exclusive access. */
static void add(atomic_uint_fast64_t *count, uint64_t more)
{
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + more, memory_order_relaxed);
}

/* Notes rows and bytes of an element that a stage gave alone, as batches are given. */
static void note_batch(pod_lane *lane, uint32_t thing, const pod_stage *stage, const pod_part *parts)
{
    pod_shape shape;
    uint64_t bytes = 0;
    pod_input_part_shape(&parts[0], &shape);
    for (size_t i = 0; i < stage->width; i++)
        bytes += pod_input_part_bytes(&parts[i]);
    pod_trace_add(&lane->things[thing].rows, shape.rank > 0 ? (uint64_t)shape.dims[0] : 1);
    pod_trace_add(&lane->things[thing].bytes, bytes);
}

static pod_status recorded_next(pod_lane *lane, pod_stage *stage, pod_part *parts, size_t limit, size_t *count,
                                pod_error *failure)
{
    pod_profile_part part;
    const uint32_t thing = pod_input_stage_thing(stage, &part);
    const pod_lane_state outer = pod_trace_enter(lane, part, thing);
    const pod_status status = stage->dataset->kind->next(stage, parts, limit, count, failure);
    const uint64_t took = pod_trace_leave(lane, outer, (pod_profile_event){.kind = POD_EVENT_STAGE, .amount = *count});
    if (thing && status == POD_OK && *count == 1 && stage->width > 0)
        note_batch(lane, thing, stage, parts);
    add(&stage->counts.nanoseconds, took);
    add(&stage->counts.elements, *count);
    stage->given += (int64_t)*count;
    return status;
}

static pod_status timed_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *failure)
{
    const pod_stage_class *kind = stage->dataset->kind;
    pod_lane *lane = kind->untimed ? NULL : pod_trace_lane(stage->pass->context, "input", 0);
    if (lane)
        return recorded_next(lane, stage, parts, limit, count, failure);
    const uint64_t begin = kind->untimed ? 0 : uv_hrtime();
    const pod_status status = kind->next(stage, parts, limit, count, failure);
    if (!kind->untimed)
        add(&stage->counts.nanoseconds, uv_hrtime() - begin);
    add(&stage->counts.elements, *count);
    stage->given += (int64_t)*count;
    return status;
}

static bool is_interrupted(const pod_stage *stage)
{
    const pod_context *context = stage->pass->context;
    return pod_context_is_interrupted(context) &&
           (atomic_load_explicit(&stage->pass->shared->awaited, memory_order_relaxed) ||
            pod_context_time_left(context) == 0);
}

static bool is_to_stop(const void *context)
{
    const pod_stage *stage = context;
    return pod_input_scope_is_cancelled(stage->scope) || is_interrupted(stage);
}

pod_stop pod_input_stage_stop(const pod_stage *stage)
{
    return (pod_stop){is_to_stop, stage};
}

pod_status pod_input_stage_explain(const pod_stage *stage, int64_t element, pod_status status, pod_error *error)
{
    if (status < 0 && error != NULL)
        pod_error_prepend(error, "%s, element %lld: ", pod_dataset_label(stage->dataset), (long long)element);
    return status;
}

/* POD_OK while a stage may go on. */
static pod_status check_scope(const pod_stage *stage, pod_error *error)
{
    if (pod_input_scope_is_cancelled(stage->scope))
        return pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
    if (is_interrupted(stage))
        return pod_error_set(error, POD_ERROR_INTERRUPTED, "%s: interrupted behind element %lld",
                             pod_dataset_label(stage->dataset), (long long)stage->given);
    return POD_OK;
}

pod_status pod_input_stage_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_error failure;

    *count = 0;
    if (stage->outcome != POD_OK)
        return tell_outcome(stage, error);
    pod_status status = check_scope(stage, error);
    if (status != POD_OK)
        return status;
    failure.message[0] = '\0';
    status = timed_next(stage, parts, limit < POD_STAGE_BLOCK ? limit : POD_STAGE_BLOCK, count, &failure);
    if (status == POD_OK || status == POD_INPUT_LATER)
        return *count > 0 ? POD_OK : status;
    settle(stage, status, &failure);
    return *count > 0 ? POD_OK : tell_outcome(stage, error);
}

pod_status pod_input_stage_pull_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const size_t bytes = POD_STAGE_BLOCK * stage->width * sizeof(pod_part);
    pod_status status = POD_OK;
    *passed = 0;
    pod_part *parts = pod_allocate(stage->pass->context, bytes);
    if (parts == NULL)
        return pod_error_memory(error, "a block of elements", bytes);
    while (status == POD_OK && *passed < count) {
        const int64_t left = count - *passed;
        size_t got = 0;
        status = stage->dataset->kind->next(stage, parts, left < POD_STAGE_BLOCK ? (size_t)left : POD_STAGE_BLOCK, &got,
                                            error);
        pod_input_parts_release(parts, got * stage->width);
        *passed += (int64_t)got;
        stage->given += (int64_t)got;
        if (status == POD_OK)
            status = check_scope(stage, error);
    }
    pod_free(stage->pass->context, parts);
    return status;
}

pod_status pod_input_stage_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const pod_stage_class *kind = stage->dataset->kind;
    const int64_t before = stage->given;
    pod_error failure;

    *passed = 0;
    if (count <= 0)
        return POD_OK;
    if (stage->outcome != POD_OK)
        return tell_outcome(stage, error);
    pod_status status = check_scope(stage, error);
    if (status != POD_OK)
        return status;
    failure.message[0] = '\0';
    status = (kind->pass_over != NULL ? kind->pass_over : pod_input_stage_pull_over)(stage, count, passed, &failure);
    stage->given = before + *passed;
    if (status == POD_OK || status == POD_INPUT_LATER)
        return status;
    settle(stage, status, &failure);
    return tell_outcome(stage, error);
}

pod_status pod_input_stage_pass_over_input(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    return pod_input_stage_pass_over(stage->inputs[0], count, passed, error);
}

pod_status pod_input_stage_pass_over_of(pod_stage *stage, int64_t all, int64_t count, int64_t *passed)
{
    const int64_t left = all - stage->given;
    *passed = count < left ? count : left;
    return *passed < count ? POD_END : POD_OK;
}

pod_status pod_input_stage_rewind_inputs(pod_stage *stage, pod_rewind what, pod_error *error)
{
    for (size_t i = 0; i < stage->dataset->input_count && stage->inputs[i] != NULL; i++) {
        const pod_status status = pod_input_stage_rewind(stage->inputs[i], what, error);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

pod_status pod_input_stage_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    const pod_stage_class *kind = stage->dataset->kind;
    stage->outcome = POD_OK;
    stage->given = 0;
    stage->rewinds = what == POD_REWIND_ALL ? 0 : stage->rewinds + 1;
    stage->begun = false;
    if (kind->drop != NULL)
        kind->drop(stage);
    return (kind->rewind != NULL ? kind->rewind : pod_input_stage_rewind_inputs)(stage, what, error);
}

/* Parts of one component are mostly rows of one buffer. Counting those before touching the buffer saves an
 * atomic operation a part; so many places keep up to four components, and six and twelve, apart. */
#define PLACES 12

typedef void (*change_shares)(pod_buffer *buffer, unsigned count);

static void count_shares(const pod_part *parts, size_t count, change_shares change)
{
    pod_buffer *buffers[PLACES] = {NULL};
    size_t since[PLACES] = {0}; /* the round that a place has its buffer from */
    for (size_t first = 0, round = 0; first < count; first += PLACES, round++) {
        const size_t places = count - first < PLACES ? count - first : PLACES;
        for (size_t place = 0; place < places; place++) {
            pod_buffer *buffer = parts[first + place].buffer;
            if (__builtin_expect(buffers[place] == buffer, true))
                continue;
            change(buffers[place], (unsigned)(round - since[place]));
            buffers[place] = buffer;
            since[place] = round;
        }
    }
    for (size_t place = 0; place < PLACES && place < count; place++)
        change(buffers[place], (unsigned)((count - place + PLACES - 1) / PLACES - since[place]));
}

void pod_input_parts_release(pod_part *parts, size_t count)
{
    count_shares(parts, count, pod_buffer_release_many);
}

void pod_input_parts_share(const pod_part *parts, size_t count, pod_part *copies)
{
    count_shares(parts, count, pod_buffer_retain_many);
    memmove(copies, parts, count * sizeof *parts);
}

void pod_input_part_shape(const pod_part *part, pod_shape *shape)
{
    const pod_shape *whole = pod_buffer_shape(part->buffer);
    *shape = *whole;
    if (part->row < 0)
        return;
    shape->rank = whole->rank - 1; /* in its place: a shape that is returned would be copied once more, for each part */
    memmove(shape->dims, whole->dims + 1, (size_t)shape->rank * sizeof shape->dims[0]);
}

size_t pod_input_part_bytes(const pod_part *part)
{
    const size_t bytes = pod_buffer_bytes(part->buffer);
    return part->row < 0 ? bytes : bytes / (size_t)pod_buffer_shape(part->buffer)->dims[0];
}

const void *pod_input_part_data(const pod_part *part)
{
    const char *data = pod_buffer_data(part->buffer);
    return part->row < 0 ? data : data + (size_t)part->row * pod_input_part_bytes(part);
}

pod_status pod_input_parts_own(pod_context *context, const pod_part *parts, size_t width, pod_buffer **buffers,
                               pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; i < width; i++) {
        const pod_part *part = &parts[i];
        pod_shape shape;
        buffers[i] = part->buffer;
        if (part->row == POD_WHOLE)
            continue;
        pod_input_part_shape(part, &shape);
        buffers[i] = NULL;
        if (status == POD_OK)
            status = pod_buffer_new(context, pod_buffer_dtype(part->buffer), &shape, &buffers[i], error);
        if (status == POD_OK)
            memcpy(pod_buffer_data(buffers[i]), pod_input_part_data(part), pod_input_part_bytes(part));
        pod_buffer_release(part->buffer);
    }
    if (status != POD_OK)
        pod_input_buffers_drop(buffers, width);
    return status;
}

uint64_t pod_dataset_by_address(const pod_dataset *dataset)
{
    return dataset->kind->by_address != NULL ? dataset->kind->by_address(dataset) : 0;
}

uint64_t pod_dataset_by_address_of_input(const pod_dataset *dataset)
{
    return pod_dataset_by_address(dataset->inputs[0]);
}

/* How many elements before its turn a row is asked from memory, and how much of it: the rest follows in
 * order, which the processor foresees. */
#define FETCH_AHEAD 4
#define FETCH_BYTES ((size_t)1024)

static const char *row_address(const pod_part *part, size_t bytes)
{
    const char *data = pod_buffer_data(part->buffer);
    return part->row == POD_WHOLE ? data : data + (size_t)part->row * bytes;
}

static void fetch(const char *address, size_t bytes)
{
    for (size_t i = 0; i < bytes && i < FETCH_BYTES; i += 64)
        __builtin_prefetch(address + i);
}

/* Rows of a few bytes, labels mostly, of one buffer: returns how many there are from the first on. */
static size_t gather_small(const pod_part *parts, size_t width, size_t count, size_t bytes, char *to)
{
    const pod_buffer *buffer = parts->buffer;
    const char *data = pod_buffer_data(buffer);
    size_t done = 0;
    if (parts->row == POD_WHOLE || (bytes != 1 && bytes != 4 && bytes != 8))
        return 0;
    for (; done < count && parts->buffer == buffer; done++, parts += width, to += bytes) {
        const char *from = data + (size_t)parts->row * bytes;
        if (bytes == 1)
            *to = *from;
        else if (bytes == 4)
            memcpy(to, from, 4);
        else
            memcpy(to, from, 8);
    }
    return done;
}

void pod_input_parts_gather(const pod_part *parts, size_t width, size_t component, size_t count, size_t bytes,
                            void *destination)
{
    char *to = destination;
    for (size_t i = 0; i < count;) {
        const pod_part *first = &parts[i * width + component];
        const size_t small = gather_small(first, width, count - i, bytes, to);
        if (small > 0) {
            to += small * bytes;
            i += small;
            continue;
        }
        size_t run = 1; /* consecutive rows of one buffer are one copy */
        while (first->row != POD_WHOLE && i + run < count) {
            const pod_part *next = &parts[(i + run) * width + component];
            if (next->buffer != first->buffer || next->row != first->row + (int64_t)run)
                break;
            run++;
        }
        if (i + FETCH_AHEAD < count)
            fetch(row_address(&parts[(i + FETCH_AHEAD) * width + component], bytes), bytes);
        memcpy(to, row_address(first, bytes), run * bytes);
        to += run * bytes;
        i += run;
    }
}
