/* run_state - see run_state.h. */

#include "engine/run_state.h"

#include "trace/work_record.h"

#include <assert.h>

/* ---- one block of memory -------------------------------------------------------------------------------- */

static uint32_t seen_entries(const pod_program *program)
{
    uint32_t entries = 16;
    while (entries <= program->parameter_count * 2)
        entries *= 2;
    return entries;
}

/* The next array of the block; all but the last one have elements of whole words. */
static void *take(size_t *at, void *block, size_t count, size_t size)
{
    char *array = block ? (char *)block + *at : NULL;
    *at += count * size;
    return array;
}

/* Lays the arrays out behind the state, in a block or (NULL) for its size, which it returns. */
static size_t lay_out(const pod_program *program, pod_run_state *state, void *block)
{
    const size_t parameters = program->parameter_count;
    size_t at = (sizeof *state + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    state->pointers = take(&at, block, program->slot_count, sizeof *state->pointers);
    state->tables = take(&at, block, parameters, sizeof *state->tables);
    state->results = take(&at, block, (size_t)program->output_count * 2, sizeof *state->results);
    state->infed = take(&at, block, parameters, sizeof *state->infed);
    state->infed_rows = take(&at, block, parameters, sizeof *state->infed_rows);
    state->packed_of = take(&at, block, parameters, sizeof *state->packed_of);
    state->seen = take(&at, block, seen_entries(program), sizeof *state->seen);
    return at;
}

static size_t state_bytes(const pod_program *program)
{
    pod_run_state none;
    return lay_out(program, &none, NULL);
}

/* Sets the pointers that never change. */
static void set_pointers(const pod_program *program, pod_run_state *state)
{
    for (uint32_t i = 0; i < program->slot_count; i++) {
        const pod_slot *slot = &program->slots[i];
        if (slot->kind == POD_SLOT_ARENA)
            state->pointers[i] = program->arena + slot->offset;
        else if (slot->kind == POD_SLOT_LITERAL)
            state->pointers[i] = program->literals + slot->offset;
    }
}

pod_run_state *pod_run_state_of(pod_program *program, pod_error *error)
{
    if (program->run_state)
        return program->run_state;
    const size_t bytes = state_bytes(program);
    pod_run_state *made = pod_allocate_zeroed(program->context, 1, bytes);
    if (!made) {
        (void)pod_error_memory(error, "what runs of a program share", bytes);
        return NULL;
    }
    (void)lay_out(program, made, made);
    assert((char *)(made->seen + seen_entries(program)) <= (char *)made + bytes);
    made->program = program;
    made->seen_mask = seen_entries(program) - 1;
    set_pointers(program, made);
    program->run_state = made;
    program->stats.planned_bytes += pod_block_bytes_for(bytes);
    pod_program_count_held(program, pod_block_bytes(made), 0);
    return made;
}

bool pod_run_state_take_scratch(pod_run_state *state, int threads)
{
    pod_program *program = state->program;
    assert(threads > 0 && program->run_state == state);
    if (state->scratch && state->scratch_threads >= threads)
        return true;
    pod_program_count_held(program, 0, pod_block_bytes(state->scratch));
    pod_free(program->context, state->scratch);
    state->scratch_threads = threads;
    state->scratch = pod_allocate_zeroed(program->context, (size_t)threads, program->stats.scratch_bytes);
    pod_program_count_held(program, pod_block_bytes(state->scratch), 0);
    return state->scratch != NULL;
}

/* ---- public --------------------------------------------------------------------------------------------- */

uint64_t pod_program_planned_bytes(const pod_program *program, int threads, int64_t steps)
{
    const pod_program_stats *stats = &program->stats;
    const int taken = program->run_state ? program->run_state->scratch_threads : 0;
    uint64_t results = 0;
    for (uint32_t i = 0; i < program->output_count; i++)
        if (program->outputs[i].alias < 0)
            results += pod_buffer_planned_bytes(program->outputs[i].dtype, &program->outputs[i].shape);
    return stats->code_bytes + pod_block_bytes_for(stats->arena_bytes) + pod_block_bytes_for(stats->literal_bytes) +
           pod_block_bytes_for(state_bytes(program)) +
           pod_block_bytes_for((size_t)(threads > taken ? threads : taken) * stats->scratch_bytes) +
           (steps > 1 ? 2 : 1) * results;
}

void pod_program_free(pod_program *program)
{
    pod_run_state *state = program ? program->run_state : NULL;
    if (state && state->running) {
        state->closing = true;
        return;
    }
    if (state) {
        pod_free(program->context, state->scratch);
        pod_trace_work_release(state->work);
        pod_free(program->context, state);
    }
    pod_program_discard(program);
}
