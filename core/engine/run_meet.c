/* run_meet - where the ranks of a run exchange values: see program/meetings.h. */

#include "base/error.h"
#include "engine/execute.h"

/* Fills in what each operand is. The parts lie in the instruction's scratch. */
static pod_meeting_part *fill_parts(const pod_worker *worker, const pod_instruction *instruction)
{
    pod_meeting_part *parts = (pod_meeting_part *)pod_run_worker_scratch(worker, instruction);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const pod_slot *slot = &worker->run->program->slots[instruction->slots[i]];
        parts[i] = (pod_meeting_part){
            .way = instruction->meet.ways[i],
            .dtype = slot->dtype,
            .count = pod_shape_elements(slot->shape),
            .from = pod_run_slot_memory(worker, instruction->slots[i]),
            .to = pod_run_slot_memory(worker, instruction->slots[instruction->operand_count + i]),
        };
    }
    return parts;
}

/* The running thread meets the other ranks, or begins to, while its others wait for it. */
bool pod_run_meet(pod_worker *worker, const pod_instruction *instruction)
{
    pod_ranks *ranks = pod_context_ranks(worker->run->program->context);
    const int64_t wanted = instruction->meet.ranks;
    if (worker->index != 0)
        return true;
    if (!ranks || ranks->count != wanted) {
        pod_error_set(&worker->error, POD_ERROR_STATE,
                      "the program is one of %lld ranks, but %d %s here: run it where it was made", (long long)wanted,
                      ranks ? ranks->count : 1, ranks ? "are" : "is");
        pod_run_fail(worker, POD_ERROR_STATE);
        return true;
    }
    pod_status status = POD_OK;
    if (instruction->meet.ways) {
        const pod_meeting meeting = {fill_parts(worker, instruction), instruction->operand_count,
                                     instruction->meet.agreed, instruction->location};
        status = ranks->begin(ranks, &meeting, &worker->error);
    }
    if (status == POD_OK && instruction->meet.finishes)
        status = ranks->finish(ranks, &worker->error);
    if (status != POD_OK)
        pod_run_fail(worker, status);
    worker->run->meets = status == POD_OK && !instruction->meet.finishes;
    return true;
}

void pod_run_advance_meetings(const pod_worker *worker)
{
    pod_ranks *ranks = pod_context_ranks(worker->run->program->context);
    if (worker->index == 0 && worker->run->meets && ranks)
        ranks->advance(ranks);
}

void pod_run_give_up_meetings(pod_run *run)
{
    pod_ranks *ranks = pod_context_ranks(run->program->context);
    if (run->meets && ranks)
        ranks->give_up(ranks);
    run->meets = false;
}
