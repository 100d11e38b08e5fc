/* times - see times.h. */

#include "engine/times.h"

#include "base/error.h"
#include "engine/values.h"

#include <assert.h>
#include <uv.h>

/* ---- what instructions are ------------------------------------------------------------------------------ */

/* How large the products of an instruction are. A convolution is one for each group. */
static void describe_products(const pod_instruction *one, pod_instruction_time *time)
{
    if (one->kind == POD_DO_PRODUCT) {
        const pod_product_detail *p = &one->product;
        time->products = p->outer * p->inner;
        time->rows = p->call.m;
        time->columns = p->call.n;
        time->depth = p->call.k;
        time->is_half = p->a_bytes == 2; /* whatever else it reads in its epilogue */
    } else if (one->kind == POD_DO_CONVOLUTION) {
        const pod_convolution_detail *c = &one->convolution;
        time->is_half = pod_dtype_size(c->call.dtype) == 2;
        pod_kernel_convolution_products(&c->call, c->phase, &time->products, &time->rows, &time->columns, &time->depth);
    }
    time->operations = 2.0 * (double)time->products * (double)time->rows * (double)time->columns * (double)time->depth;
}

static bool is_variable(const pod_program *program, const pod_slot *slot)
{
    const pod_slot *base = &program->slots[slot->base];
    if (base->kind == POD_SLOT_PARAMETER)
        return program->parameters[base->index].alias >= 0;
    return base->kind == POD_SLOT_OUTPUT && program->outputs[base->index].alias >= 0;
}

/* Adds the bytes of the values that an instruction reads or writes; one that is used twice counts once. */
static void describe_bytes(const pod_program *program, const pod_instruction *one, pod_instruction_time *time)
{
    uint32_t count = one->operand_count + one->result_count, half = 0, wide = 0;
    for (uint32_t i = 0; i < count; i++) {
        const pod_slot *slot = &program->slots[one->slots[i]];
        bool seen = slot->kind == POD_SLOT_NONE;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = one->slots[j] == one->slots[i];
        if (!seen)
            time->bytes += slot->bytes;
        if (!seen && is_variable(program, slot))
            time->variable_bytes += slot->bytes;
        if (slot->shape && pod_shape_elements(slot->shape) > time->elements)
            time->elements = pod_shape_elements(slot->shape);
        if (i < one->operand_count) {
            half += slot->dtype == POD_BF16 || slot->dtype == POD_F16;
            wide += slot->dtype == POD_F32 || slot->dtype == POD_F64;
        }
    }
    time->is_half = half > 0 && wide == 0;
}

static void describe(const void *of, size_t index, pod_instruction_time *time)
{
    const pod_program *program = of;
    const pod_instruction *one = program->function->instructions[index];
    *time = (pod_instruction_time){
        .kind = pod_instruction_kind_name(one->kind),
        .name = one->name ? one->name : "",
        .location = one->location,
        .layer = one->layer,
        .phase = one->phase,
    };
    describe_bytes(program, one, time);
    describe_products(one, time);
    time->flops = one->flops;
}

/* ---- counting and recording ----------------------------------------------------------------------------- */

static pod_status make_record(pod_program *program, pod_error *error)
{
    const pod_function *function = program->function;
    const size_t slots = (size_t)program->slot_count + 1;
    pod_profile_value *values = pod_allocate_zeroed(program->context, slots, sizeof *values);
    pod_work_record *made = values ? pod_trace_work_new(program->context, function->instruction_count,
                                                        function->phase_count, describe, program)
                                   : NULL;
    if (!made) {
        pod_free(program->context, values);
        return pod_error_memory(error, "counts of instructions' times",
                                function->instruction_count * sizeof(pod_instruction_time));
    }
    pod_trace_work_take_values(made, values, pod_run_values(program, values));
    program->run_state->work = made;
    return POD_OK;
}

static void drop_record(pod_run_state *state)
{
    pod_trace_work_release(state->work);
    state->work = NULL;
    state->work_number = 0;
}

pod_status pod_run_times_prepare(pod_program *program, int threads, pod_error *error)
{
    pod_run_state *state = program->run_state;
    if (!state->counts_time && !pod_context_recorder(program->context)) {
        drop_record(state);
        return POD_OK;
    }
    pod_status status = state->work ? POD_OK : make_record(program, error);
    if (status != POD_OK)
        return status;
    if (!pod_trace_work_prepare(state->work, threads))
        return pod_error_memory(error, "counts of instructions' times",
                                state->work->count * sizeof(pod_work_count) * (size_t)threads);
    state->work_number = pod_trace_register(program->context, state->work);
    return POD_OK;
}

void pod_run_times_begin(pod_worker *worker)
{
    const pod_run *run = worker->run;
    const pod_run_state *state = run->state;
    if (!state->work)
        return;
    assert(worker->index < state->work->threads);
    worker->times = state->work->of_thread[worker->index];
    if (worker->index == 0)
        pod_trace_add(&worker->times->runs, 1);
    worker->lane = pod_trace_lane(run->program->context, worker->index ? "worker" : "main", (uint32_t)worker->index);
    pod_run_times_mark(worker);
}

void pod_run_times_mark(pod_worker *worker)
{
    if (!worker->times)
        return;
    worker->mark = worker->lane ? pod_trace_now(worker->lane) : uv_hrtime();
    if (worker->lane)
        pod_trace_settle(worker->lane, worker->mark);
}

uint64_t pod_run_times_since(const pod_worker *worker)
{
    return worker->lane ? worker->lane->since : worker->mark;
}

/* The number of the program in what its lane records; 0: the recording began when the run was under way. */
static uint32_t number_of(const pod_worker *worker)
{
    const pod_run_state *state = worker->run->state;
    const uint32_t generation = atomic_load_explicit(&worker->lane->generation, memory_order_relaxed);
    return state->work->generation == generation ? state->work_number : 0;
}

void pod_run_times_count(pod_worker *worker, uint32_t instruction, int64_t rows)
{
    const uint64_t began = pod_run_times_since(worker);
    const uint64_t now = worker->lane ? pod_trace_now(worker->lane) : uv_hrtime();
    pod_work_count *count = &worker->times->instructions[instruction];
    pod_trace_add(&count->nanoseconds, now - began);
    pod_trace_add(&count->runs, 1);
    worker->mark = now;
    if (worker->lane)
        pod_trace_lap(worker->lane, now,
                      (pod_profile_event){.kind = POD_EVENT_INSTRUCTION,
                                          .part = POD_PART_COMPUTE,
                                          .program = number_of(worker),
                                          .index = instruction,
                                          .amount = (uint64_t)rows});
}

void pod_run_times_step(pod_worker *worker)
{
    if (worker->lane)
        pod_trace_step(worker->lane, number_of(worker), worker->run->infed_rows);
}

pod_lane_state pod_run_times_enter(pod_worker *worker, pod_profile_part part)
{
    return worker->lane ? pod_trace_go_on(worker->lane, part) : (pod_lane_state){.began = worker->mark};
}

uint64_t pod_run_times_leave(pod_worker *worker, pod_lane_state outer, pod_profile_event event)
{
    if (!worker->times)
        return 0;
    pod_run_times_mark(worker);
    return pod_run_times_leave_since(worker, outer, event);
}

uint64_t pod_run_times_leave_since(pod_worker *worker, pod_lane_state outer, pod_profile_event event)
{
    if (!worker->lane)
        return worker->mark - outer.began;
    event.program = number_of(worker);
    return pod_trace_leave_since(worker->lane, outer, event);
}

/* ---- public --------------------------------------------------------------------------------------------- */

pod_status pod_program_count_time(pod_program *program, bool on, pod_error *error)
{
    if (!on && !program->run_state)
        return POD_OK;
    pod_run_state *state = pod_run_state_of(program, error);
    if (!state)
        return POD_ERROR_MEMORY;
    if (state->running)
        return pod_error_set(error, POD_ERROR_STATE, "the program is running: time is counted from run to run");
    drop_record(state);
    pod_status status = on ? make_record(program, error) : POD_OK;
    state->counts_time = on && status == POD_OK;
    return status;
}

pod_program_times pod_program_get_times(const pod_program *program, pod_instruction_time *times, size_t most)
{
    const pod_function *function = program->function;
    if (program->run_state && program->run_state->counts_time)
        return pod_trace_work_read(program->run_state->work, NULL, times, most);
    for (size_t i = 0; i < most && i < function->instruction_count; i++)
        describe(program, i, &times[i]);
    return (pod_program_times){.phases = function->phase_count, .instructions = function->instruction_count};
}
