/* parallel_worker - the threads that run a stage, each on blocks of its own. */

#include "input/parallel.h"

#include <string.h>

#include "base/growth.h"
#include "trace/recorder.h"

static pod_status feeder_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_feeder_stage *self = (pod_feeder_stage *)stage;
    const size_t left = self->count - self->given;
    (void)error;
    *count = left < limit ? left : limit;
    if (*count == 0)
        return POD_END;
    memcpy(parts, self->parts + self->given * stage->width, *count * stage->width * sizeof *parts);
    self->given += *count;
    return POD_OK;
}

static const pod_stage_class feeder_class = {
    .name = "feeder",
    .next = feeder_next,
    .untimed = true,
};

/* Waits for room in front of the consumer's place; false when the scope was cancelled. */
static bool wait_for_slot(pod_parallel_stage *self, uint64_t ticket)
{
    uv_mutex_lock(&self->gate.mutex);
    while (ticket >= self->next + self->slot_count && !pod_input_scope_is_cancelled(&self->gate.scope))
        pod_input_gate_wait(&self->gate, POD_SLOT_FREE);
    uv_mutex_unlock(&self->gate.mutex);
    return !pod_input_scope_is_cancelled(&self->gate.scope);
}

/* Takes elements for a block of what the input gives at once, and more until it is full. */
static pod_status fill_feeder(pod_stage_worker *one, pod_error *failure)
{
    pod_parallel_stage *self = one->owner;
    const size_t wanted = (size_t)atomic_load(&self->block), width = one->feeder.base.width;
    const int64_t ahead = atomic_load(&self->wanted) - self->input->given;
    pod_status status = POD_OK;
    one->feeder.count = 0;
    one->feeder.left_out = 0;
    if (ahead > 0)
        status = pod_input_stage_pass_over(self->input, ahead, &one->feeder.left_out, failure);
    one->feeder.base.given = self->input->given;
    while (status == POD_OK && one->feeder.count < wanted) {
        size_t got;
        status = pod_input_stage_next(self->input, one->feeder.parts + one->feeder.count * width,
                                      wanted - one->feeder.count, &got, failure);
        one->feeder.count += got;
    }
    /* the outcome stays in the input for the next block */
    return one->feeder.count > 0 ? POD_OK : status;
}

/* Waits until this thread is one of those that may work; false when there is nothing to do any more. */
static bool wait_for_turn(pod_parallel_stage *self, const pod_stage_worker *one)
{
    const int64_t index = one - self->workers;
    uv_mutex_lock(&self->gate.mutex);
    while (index >= self->tuner.threads && !self->no_more && !pod_input_scope_is_cancelled(&self->gate.scope))
        pod_input_gate_wait(&self->gate, POD_THREADS_ALLOWED);
    const bool works = index < self->tuner.threads;
    uv_mutex_unlock(&self->gate.mutex);
    return works;
}

/* Takes a block of the input and its ticket. POD_END, without a ticket, once somebody saw the end. */
static pod_status take_block(pod_stage_worker *one, uint64_t *ticket, pod_error *failure)
{
    pod_parallel_stage *self = one->owner;
    uv_mutex_lock(&self->input_mutex);
    pod_status status = self->input_ended || !wait_for_slot(self, self->tickets) ? POD_END : POD_OK;
    const bool asks = status == POD_OK;
    const uint64_t begin = uv_hrtime();
    if (asks)
        status = fill_feeder(one, failure);
    one->supplying = uv_hrtime() - begin;
    one->feeder.given = 0;
    *ticket = asks ? self->tickets++ : UINT64_MAX;
    self->input_ended |= asks && status != POD_OK;
    uv_mutex_unlock(&self->input_mutex);
    return status;
}

static pod_status make_room(pod_parallel_stage *self, pod_finished_block *block, pod_error *error)
{
    const pod_growth growth = {
        .item = self->base.width * sizeof *block->parts, .first = POD_STAGE_BLOCK, .what = "a block of elements"};
    return pod_grow(self->base.pass->context, &block->parts, &block->room, block->count + 1, growth, error);
}

/* Runs the worker's stage over its block. */
static pod_status run_block(pod_stage_worker *one, pod_finished_block *block, pod_error *failure)
{
    pod_parallel_stage *self = one->owner;
    pod_status status = POD_OK;
    one->stage->outcome = POD_OK;
    one->feeder.base.outcome = POD_OK;
    while (status == POD_OK) {
        size_t got = 0;
        status = make_room(self, block, failure);
        if (status == POD_OK)
            status = pod_input_stage_next(one->stage, block->parts + block->count * self->base.width,
                                          block->room - block->count, &got, failure);
        block->count += got;
    }
    return status == POD_END ? POD_OK : status;
}

/* Adds a block to what is measured; called with the lock. */
static void measure(pod_parallel_stage *self, const pod_stage_worker *one)
{
    self->measured.blocks++;
    self->measured.elements += one->feeder.count;
    self->measured.working += one->working;
    self->measured.supplying += one->supplying;
}

static void publish(pod_stage_worker *one, pod_finished_block *block, pod_status outcome, const pod_error *failure)
{
    pod_parallel_stage *self = one->owner;
    uv_mutex_lock(&self->gate.mutex);
    measure(self, one);
    block->outcome = outcome;
    block->left_out = one->feeder.left_out;
    if (outcome < 0)
        block->failure = *failure;
    block->filled = true;
    uv_cond_signal(&self->gate.conditions[POD_BLOCK_MADE]);
    uv_mutex_unlock(&self->gate.mutex);
}

/* Chooses how many elements the next blocks have, by how long this one took. */
static void choose_block(pod_stage_worker *one)
{
    pod_parallel_stage *self = one->owner;
    const uint64_t took = one->working > one->supplying ? one->working : one->supplying;
    const int64_t block = atomic_load(&self->block);
    const bool fixed = pod_input_parallel_of(self)->first_block == pod_input_parallel_of(self)->most_block;
    if (!fixed && (int64_t)one->feeder.count == block) /* shorter ones, at the end, tell nothing */
        atomic_store(&self->block,
                     pod_input_tuner_choose_block(block, pod_input_parallel_of(self)->most_block, (double)took * 1e-9));
}

static void end_input(pod_parallel_stage *self)
{
    uv_mutex_lock(&self->gate.mutex);
    self->no_more = true;
    uv_cond_broadcast(&self->gate.conditions[POD_THREADS_ALLOWED]);
    uv_mutex_unlock(&self->gate.mutex);
}

void pod_input_parallel_work(void *argument)
{
    pod_stage_worker *one = argument;
    pod_parallel_stage *self = one->owner;
    pod_error failure;
    for (;;) {
        uint64_t ticket;
        failure.message[0] = '\0';
        if (!wait_for_turn(self, one))
            break;
        (void)pod_trace_lane(self->base.pass->context, "parallel", (uint32_t)(one - self->workers));
        pod_status status = take_block(one, &ticket, &failure);
        if (ticket == UINT64_MAX) {
            end_input(self);
            break;
        }
        pod_finished_block *block = &self->slots[ticket % self->slot_count];
        const uint64_t begin = uv_hrtime();
        if (status == POD_OK)
            status = run_block(one, block, &failure);
        one->working = uv_hrtime() - begin;
        const bool ends = status != POD_OK;
        if (ends) { /* what the stage did not take of the block */
            pod_input_parts_release(one->feeder.parts + one->feeder.given * one->feeder.base.width,
                                    (one->feeder.count - one->feeder.given) * one->feeder.base.width);
            one->feeder.count = one->feeder.given = 0;
        }
        publish(one, block, status, &failure);
        choose_block(one);
    }
    pod_trace_end_thread(self->base.pass->context);
}

pod_status pod_input_parallel_open_worker(pod_parallel_stage *self, pod_stage_worker *one, pod_error *error)
{
    pod_dataset *inner = self->base.dataset->inputs[0];
    const size_t most = (size_t)pod_input_parallel_of(self)->most_block;
    one->owner = self;
    one->feeder_dataset = (pod_dataset){.kind = &feeder_class,
                                        .width = inner->inputs[0]->width,
                                        .components = inner->inputs[0]->components,
                                        .cardinality = POD_CARDINALITY_UNKNOWN};
    one->feeder.base = (pod_stage){.dataset = &one->feeder_dataset,
                                   .pass = self->base.pass,
                                   .scope = &self->gate.scope,
                                   .width = inner->inputs[0]->width};
    one->feeder.parts = pod_input_hold(&self->base.holdings, most, inner->inputs[0]->width * sizeof(pod_part));
    const pod_status status =
        pod_input_stage_open(inner, self->base.pass, &self->gate.scope, &one->feeder.base, &one->stage, error);
    if (status == POD_OK)
        one->stage->consumer = &self->base;
    return status;
}
