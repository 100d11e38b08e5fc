/* program - what every compiled program has, whether it was compiled here or loaded: memory and figures. */

#include "base/sizes.h"
#include "program/backend.h"

#include "base/error.h"

#include <assert.h>

/* ---- signatures ------------------------------------------------------------------------------------- */

static bool make_signatures(pod_program *program, const pod_graph *graph)
{
    pod_arena *memory = &program->memory;
    program->parameter_count = graph->parameter_count;
    program->output_count = graph->output_count;
    program->parameters = pod_arena_array(memory, graph->parameter_count, sizeof *program->parameters);
    program->outputs = pod_arena_array(memory, graph->output_count, sizeof *program->outputs);
    if (!program->parameters || !program->outputs)
        return false;
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_type *type = pod_node_type(graph->parameters[i]);
        const char *name = graph->parameters[i]->attributes->name;
        const char *kept = pod_arena_string(memory, name);
        program->parameters[i] = (pod_signature){type->dtype, type->shape, -1, kept, false};
        if (name && !kept)
            return false;
    }
    for (uint32_t i = 0; i < graph->output_count; i++) {
        const pod_type *type = pod_node_type(graph->outputs[i]);
        program->outputs[i] = (pod_signature){type->dtype, type->shape, graph->aliases[i], NULL, false};
        if (graph->aliases[i] >= 0)
            program->parameters[graph->aliases[i]].alias = i;
    }
    return true;
}

pod_program *pod_program_begin(pod_context *context, const pod_graph *graph, pod_error *error)
{
    pod_program *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made) {
        made->context = pod_context_retain(context);
        pod_arena_init(&made->memory, context);
        if (make_signatures(made, graph))
            return made;
        pod_program_discard(made);
    }
    (void)pod_error_memory(error, "a program", sizeof *made);
    return NULL;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

void pod_program_count_held(pod_program *program, uint64_t more, uint64_t less)
{
    assert(less <= program->held_bytes + more);
    program->held_bytes += more - less;
    const uint64_t now = program->held_bytes + program->memory.held + pod_block_bytes(program);
    if (now > program->stats.allocated_bytes)
        program->stats.allocated_bytes = now;
}

/* The arena is left as it comes: every step writes what it reads, and its pages arrive with the first one. */
bool pod_program_take_memory(pod_program *program)
{
    assert(!program->arena && !program->literals);
    program->arena = pod_allocate(program->context, program->arena_bytes);
    program->literals = pod_allocate_zeroed(program->context, 1, program->literal_bytes);
    pod_program_count_held(program, pod_block_bytes(program->arena), 0);
    pod_program_count_held(program, pod_block_bytes(program->literals), 0);
    return program->arena && program->literals;
}

/* Scratch that a thread needs to run a function. A reduce keeps its own while its region runs. */
static uint64_t scratch_of(const pod_function *function)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        uint64_t bytes = pod_instruction_scratch(one);
        for (int j = 0; j < 2; j++) {
            const pod_function *region = pod_instruction_region(one, j);
            uint64_t inner = region ? scratch_of(region) + bytes : 0;
            if (inner > most)
                most = inner;
        }
        if (bytes > most)
            most = bytes;
    }
    return most;
}

static size_t count_instructions(const pod_function *function)
{
    size_t count = function ? function->instruction_count : 0;
    for (uint32_t i = 0; function && i < function->instruction_count; i++)
        for (int j = 0; j < 2; j++)
            count += count_instructions(pod_instruction_region(function->instructions[i], j));
    return count;
}

static void measure_program(pod_program *program)
{
    pod_program_stats *stats = &program->stats;
    stats->instructions = count_instructions(program->function);
    stats->arena_bytes = program->arena_bytes;
    stats->literal_bytes = program->literal_bytes;
    stats->scratch_bytes = program->scratch_bytes + POD_THREAD_BYTES;
    stats->code_bytes = pod_block_bytes(program) + program->memory.held;
    stats->planned_bytes =
        stats->code_bytes + pod_block_bytes_for(program->arena_bytes) + pod_block_bytes_for(program->literal_bytes);
    pod_program_count_held(program, 0, 0);
    for (uint32_t i = 0; i < program->parameter_count; i++)
        stats->argument_bytes +=
            (uint64_t)pod_shape_elements(&program->parameters[i].shape) * pod_dtype_size(program->parameters[i].dtype);
    for (uint32_t i = 0; i < program->output_count; i++) {
        const pod_signature *output = &program->outputs[i];
        uint64_t bytes = (uint64_t)pod_shape_elements(&output->shape) * pod_dtype_size(output->dtype);
        *(output->alias >= 0 ? &stats->alias_bytes : &stats->output_bytes) += bytes;
    }
}

bool pod_program_finish(pod_program *program)
{
    assert(program->function && (program->slots || !program->slot_count) && program->kernels);
    program->reads_rows = pod_arena_array(&program->memory, program->parameter_count, sizeof *program->reads_rows);
    if (!program->reads_rows)
        return false;
    pod_program_find_row_reads(program);
    if (!pod_program_plan_loops(program))
        return false;
    uint64_t scratch = scratch_of(program->function);
    uint64_t entry = program->entry ? scratch_of(program->entry) : 0;
    program->scratch_bytes = pod_round_up_bytes(scratch > entry ? scratch : entry, 64) + program->block_bytes;
    measure_program(program);
    return true;
}

void pod_program_discard(pod_program *program)
{
    if (!program)
        return;
    assert(!program->run_state || program->held_bytes > 0);
    pod_context *context = program->context;
    if (program->executable)
        program->device->backend->end_program(program);
    pod_device_release(program->device);
    pod_free(context, program->arena);
    pod_free(context, program->literals);
    pod_arena_clear(&program->memory);
    pod_free(context, program);
    pod_context_release(context);
}

pod_program_stats pod_program_get_stats(const pod_program *program)
{
    pod_program_stats stats = program->stats;
    stats.held_bytes = program->held_bytes + program->memory.held + pod_block_bytes(program);
    return stats;
}
