/* compile - from a graph to a program: see moonpod/program.h. */

#include "compile/compiled.h"
#include "compile/lower_group.h"
#include "compile/rewrite.h"

#include "base/error.h"

#include <string.h>
#include <uv.h>

bool pod_instruction_has_regions(const pod_instruction *instruction)
{
    return instruction->kind == POD_DO_COND || instruction->kind == POD_DO_WHILE ||
           instruction->kind == POD_DO_REDUCE;
}

uint64_t pod_instruction_scratch(const pod_instruction *instruction)
{
    uint64_t arrays = (instruction->operand_count + instruction->result_count) * sizeof(pod_array);
    return (arrays + instruction->scratch_bytes + 191) & ~(uint64_t)63;
}

/* ---- parameters and outputs ---------------------------------------------------------------------- */

static bool make_signatures(pod_lowering *lowering, pod_program *program, const pod_graph *graph,
                            const pod_ir *ir)
{
    program->parameter_count = ir->parameter_count;
    program->output_count = ir->output_count;
    program->parameters = pod_arena_array(lowering->memory, ir->parameter_count,
                                          sizeof *program->parameters);
    program->outputs = pod_arena_array(lowering->memory, ir->output_count,
                                       sizeof *program->outputs);
    if (!program->parameters || !program->outputs)
        return pod_lower_no_memory(lowering);
    for (uint32_t i = 0; i < ir->parameter_count; i++) {
        const pod_ir_value *value = &ir->values[ir->parameters[i]];
        const char *name = graph->parameters[i]->attributes->name;
        program->parameters[i] = (pod_signature){value->dtype, *value->shape, -1, NULL};
        program->parameters[i].name = pod_arena_string(lowering->memory, name);
        if (name && !program->parameters[i].name)
            return pod_lower_no_memory(lowering);
    }
    for (uint32_t i = 0; i < ir->output_count; i++) {
        const pod_ir_value *value = &ir->values[ir->outputs[i]];
        program->outputs[i] = (pod_signature){value->dtype, *value->shape, ir->aliases[i], NULL};
        if (ir->aliases[i] >= 0)
            program->parameters[ir->aliases[i]].alias = i;
    }
    return true;
}

/* Makes the slots of arguments and results and lowers the graph into them. */
static bool lower_program(pod_lowering *lowering, pod_program *program, const pod_ir *ir)
{
    uint32_t *parameters = pod_arena_array(lowering->scratch, ir->parameter_count, sizeof(uint32_t));
    uint32_t *targets = pod_arena_array(lowering->scratch, ir->output_count, sizeof(uint32_t));
    uint32_t *outputs = pod_arena_array(lowering->scratch, ir->output_count, sizeof(uint32_t));
    if (!parameters || !targets || !outputs)
        return pod_lower_no_memory(lowering);
    for (uint32_t i = 0; i < ir->parameter_count; i++) {
        const pod_ir_value *value = &ir->values[ir->parameters[i]];
        parameters[i] = pod_lower_slot(lowering, value->dtype, value->shape);
        if (parameters[i] == POD_SLOT_END)
            return false;
        lowering->slots[parameters[i]].kind = POD_SLOT_PARAMETER;
        lowering->slots[parameters[i]].index = i;
    }
    for (uint32_t i = 0; i < ir->output_count; i++) {
        const pod_ir_value *value = &ir->values[ir->outputs[i]];
        if (ir->aliases[i] >= 0) {
            targets[i] = parameters[ir->aliases[i]];
            continue;
        }
        targets[i] = pod_lower_slot(lowering, value->dtype, value->shape);
        if (targets[i] == POD_SLOT_END)
            return false;
        lowering->slots[targets[i]].kind = POD_SLOT_OUTPUT;
        lowering->slots[targets[i]].index = i;
    }
    program->function = pod_lower_function(lowering, ir, parameters, targets, outputs);
    return program->function != NULL;
}

/* ---- memory --------------------------------------------------------------------------------------- */

static void fill_literal(char *to, const pod_literal *literal)
{
    if (!literal->splat) {
        if (literal->bytes)
            memcpy(to, literal->elements, literal->bytes);
        return;
    }
    size_t size = pod_dtype_size(literal->dtype);
    for (uint64_t i = 0; i < literal->bytes; i += size)
        memcpy(to + i, literal->elements, size);
}

/* Takes literals and arena. The arena is zeroed, so that its pages are there before the first step. */
static bool take_memory(pod_lowering *lowering, pod_program *program)
{
    program->literal_bytes = lowering->literal_bytes;
    program->literals = pod_allocate_zeroed(program->context, lowering->literal_bytes, 1);
    program->arena = pod_allocate_zeroed(program->context, program->arena_bytes, 1);
    if (!program->literals || !program->arena) {
        pod_error_memory(lowering->error, "a program's arena", program->arena_bytes);
        return false;
    }
    for (const pod_literal *one = lowering->literals; one; one = one->next)
        fill_literal(program->literals + one->offset, one);
    return true;
}

/* Copies the slots into the program and sets the pointers that never change. */
static bool finish_slots(pod_lowering *lowering, pod_program *program)
{
    program->slot_count = lowering->slot_count;
    program->slots = pod_arena_array(lowering->memory, lowering->slot_count,
                                     sizeof *program->slots);
    program->pointers = pod_arena_array(lowering->memory, lowering->slot_count,
                                        sizeof *program->pointers);
    if (!program->slots || !program->pointers)
        return pod_lower_no_memory(lowering);
    for (uint32_t i = 0; i < lowering->slot_count; i++) {
        const pod_slot *base = &lowering->slots[pod_lower_base(lowering, i)];
        pod_slot *slot = &program->slots[i];
        *slot = lowering->slots[i];
        slot->base = pod_lower_base(lowering, i);
        slot->kind = base->kind;
        slot->index = base->index;
        slot->offset = base->offset;
        if (slot->kind == POD_SLOT_ARENA)
            program->pointers[i] = program->arena + slot->offset;
        else if (slot->kind == POD_SLOT_LITERAL)
            program->pointers[i] = program->literals + slot->offset;
    }
    return true;
}

/* Scratch that a thread needs to run a function. A reduce keeps its own while its region runs. */
static uint64_t scratch_of(const pod_function *function)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        uint64_t bytes = pod_instruction_scratch(one);
        for (int j = 0; pod_instruction_has_regions(one) && j < 2; j++) {
            const pod_function *region = one->region.functions[j];
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
    size_t count = function->instruction_count;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (int j = 0; pod_instruction_has_regions(one) && j < 2; j++)
            if (one->region.functions[j])
                count += count_instructions(one->region.functions[j]);
    }
    return count;
}

static void measure_program(pod_program *program, size_t fused)
{
    pod_program_stats *stats = &program->stats;
    stats->instructions = count_instructions(program->function);
    stats->kernels_fused = fused;
    stats->arena_bytes = program->arena_bytes;
    stats->allocated_bytes = program->arena_bytes + program->literal_bytes;
    for (uint32_t i = 0; i < program->parameter_count; i++)
        stats->argument_bytes += (uint64_t)pod_shape_elements(&program->parameters[i].shape) *
                                 pod_dtype_size(program->parameters[i].dtype);
    for (uint32_t i = 0; i < program->output_count; i++) {
        const pod_signature *output = &program->outputs[i];
        uint64_t bytes = (uint64_t)pod_shape_elements(&output->shape) *
                         pod_dtype_size(output->dtype);
        *(output->alias >= 0 ? &stats->alias_bytes : &stats->output_bytes) += bytes;
    }
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static pod_status compile_into(pod_program *program, pod_lowering *lowering, const pod_graph *graph)
{
    pod_ir *ir;
    bool plain = lowering->options->no_fusion;
    const char *precision = lowering->options->matmul_precision;
    int passes;
    if (!pod_precision_passes(precision, &passes))
        return pod_error_set(lowering->error, POD_ERROR_ARGUMENT,
                             "option 'matmul_precision' is \"%s\"; it is \"highest\", \"high\" or "
                             "\"default\"",
                             precision);
    pod_status status = pod_ir_import(lowering->scratch, graph, plain ? NULL : pod_keep_call, NULL,
                                      &ir, lowering->error);
    if (status != POD_OK)
        return status;
    pod_error local;
    if (!lowering->error)
        lowering->error = &local;
    if (!plain && !pod_ir_rewrite(lowering->scratch, &ir, passes))
        return pod_error_set(lowering->error, POD_ERROR_MEMORY, "no memory to compile the graph");
    bool done = make_signatures(lowering, program, graph, ir) &&
                lower_program(lowering, program, ir) &&
                pod_recycle_slots(lowering, program->function) &&
                pod_plan_buffers(lowering, program->function, &program->arena_bytes) &&
                take_memory(lowering, program) && finish_slots(lowering, program);
    if (!done)
        return lowering->error->status;
    program->results = pod_arena_array(&program->memory, (size_t)program->output_count * 2,
                                       sizeof *program->results);
    program->infed = pod_arena_array(&program->memory, program->parameter_count,
                                     sizeof *program->infed);
    program->seen_mask = 15;
    while (program->seen_mask < program->parameter_count * 2)
        program->seen_mask = program->seen_mask * 2 + 1;
    program->seen = pod_arena_array(&program->memory, (size_t)program->seen_mask + 1,
                                    sizeof *program->seen);
    if (!program->results || !program->infed || !program->seen)
        return pod_error_memory(lowering->error, "a program", 0);
    program->scratch_bytes = (scratch_of(program->function) + 63) & ~(uint64_t)63;
    measure_program(program, lowering->fused);
    return POD_OK;
}

pod_status pod_program_compile(pod_context *context, const pod_graph *graph,
                               const pod_compile_options *options, pod_program **program,
                               pod_error *error)
{
    static const pod_compile_options defaults = {0};
    uint64_t start = uv_hrtime();
    *program = NULL;
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_program *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (!made)
        return pod_error_memory(error, "a program", sizeof *made);
    made->context = pod_context_retain(context);
    pod_arena scratch;
    pod_arena_init(&scratch, context);
    pod_arena_init(&made->memory, context);
    pod_lowering lowering = {.context = context,
                             .memory = &made->memory,
                             .scratch = &scratch,
                             .options = options ? options : &defaults,
                             .error = error};
    status = pod_kernels_choose(pod_context_isa(context), &made->kernels, error);
    lowering.kernels = made->kernels;
    if (status == POD_OK)
        status = compile_into(made, &lowering, graph);
    pod_arena_clear(&scratch);
    made->stats.nodes = pod_graph_node_count(graph);
    made->stats.compile_seconds = (double)(uv_hrtime() - start) * 1e-9;
    if (status != POD_OK)
        pod_program_free(made);
    else
        *program = made;
    return status;
}

void pod_program_free(pod_program *program)
{
    if (!program)
        return;
    pod_context *context = program->context;
    pod_free(context, program->arena);
    pod_free(context, program->literals);
    pod_free(context, program->scratch);
    pod_arena_clear(&program->memory);
    pod_free(context, program);
    pod_context_release(context);
}

pod_program_stats pod_program_get_stats(const pod_program *program)
{
    return program->stats;
}
