/* device_times - see device_times.h. */

#include "device_times.h"

#include "engine/run_state.h"
#include "program/compiled.h"
#include "trace/work_record.h"

static void describe(const void *program, size_t index, pod_instruction_time *time)
{
    (void)program, (void)index;
    *time = (pod_instruction_time){.kind = "device", .name = "run"};
}

/* What runs of the program are counted in; NULL: they are not. */
static pod_work_counts *counts_of(const pod_program *program)
{
    const pod_work_record *work = program->run_state != NULL ? program->run_state->work : NULL;
    return work != NULL && work->threads > 0 ? work->of_thread[0] : NULL;
}

pod_status pod_pjrt_begin_times(pod_program *program, pod_error *error)
{
    pod_run_state *state = pod_context_recorder(program->context) != NULL ? pod_run_state_of(program, error) : NULL;
    if (pod_context_recorder(program->context) == NULL)
        return POD_OK;
    if (state == NULL)
        return POD_ERROR_MEMORY;
    if (state->work == NULL)
        state->work = pod_trace_work_new(program->context, 1, 1, describe, program);
    if (state->work == NULL || !pod_trace_work_prepare(state->work, 1))
        return pod_error_memory(error, "counts of a device's time", sizeof(pod_work_record));
    state->work_number = pod_trace_register(program->context, state->work);
    return POD_OK;
}

pod_lane_state pod_pjrt_enter_run(const pod_program *program)
{
    pod_lane *lane = pod_trace_lane(program->context, "main", 0);
    return lane != NULL ? pod_trace_enter(lane, POD_PART_COMPUTE, 0) : (pod_lane_state){0};
}

void pod_pjrt_leave_run(const pod_program *program, pod_lane_state outer)
{
    pod_lane *lane = pod_trace_lane(program->context, "main", 0);
    pod_work_counts *counts = counts_of(program);
    if (lane == NULL || counts == NULL)
        return;
    const pod_profile_event event = {.kind = POD_EVENT_INSTRUCTION, .program = program->run_state->work_number};
    pod_trace_add(&counts->instructions[0].nanoseconds, pod_trace_leave(lane, outer, event));
}

void pod_pjrt_note_launch(const pod_program *program, int64_t steps, int64_t rows)
{
    pod_lane *lane = pod_trace_lane(program->context, "main", 0);
    pod_work_counts *counts = counts_of(program);
    if (lane == NULL || counts == NULL)
        return;
    pod_trace_add(&counts->steps, (uint64_t)steps);
    pod_trace_add(&counts->instructions[0].runs, 1);
    pod_trace_settle(lane, pod_trace_now(lane));
    pod_trace_step(lane, program->run_state->work_number, (uint64_t)rows);
}
