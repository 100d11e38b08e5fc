/* compile - from a graph to a program: see moonpod/program.h. */

#include "program/backend.h"
#include "compile/lower.h"
#include "ir/rewrite.h"
#include "verify/verify.h"
#include "compile/schedule.h"
#include "compile/node_kinds.h"

#include "base/error.h"

#include <string.h>
#include <uv.h>

/* ---- parameters and outputs ---------------------------------------------------------------------- */

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
    lowering->predicts = lowering->options->held != NULL;
    for (uint32_t i = 0; i < ir->output_count; i++) {
        const pod_ir_value *value = &ir->values[ir->outputs[i]];
        if (ir->aliases[i] >= 0) {
            lowering->predicts = false;
            targets[i] = parameters[ir->aliases[i]];
            continue;
        }
        targets[i] = pod_lower_slot(lowering, value->dtype, value->shape);
        if (targets[i] == POD_SLOT_END)
            return false;
        lowering->slots[targets[i]].kind = POD_SLOT_OUTPUT;
        lowering->slots[targets[i]].index = i;
    }
    for (uint32_t i = 0; lowering->options->held && i < ir->parameter_count; i++)
        program->parameters[i].held = lowering->options->held[i];
    program->function = pod_lower_function(lowering, ir, parameters, targets, outputs);
    program->entry = lowering->entry;
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

/* Takes literals and arena. */
static bool take_memory(pod_lowering *lowering, pod_program *program)
{
    program->literal_bytes = lowering->literal_bytes;
    if (!pod_program_take_memory(program)) {
        pod_error_memory(lowering->error, "a program's arena", program->arena_bytes);
        return false;
    }
    for (const pod_literal *one = lowering->literals; one; one = one->next)
        fill_literal(program->literals + one->offset, one);
    return true;
}

/* Copies the slots into the program. */
static bool keep_slots(pod_lowering *lowering, pod_program *program)
{
    program->slot_count = lowering->slot_count;
    program->slots = pod_arena_array(lowering->memory, lowering->slot_count, sizeof *program->slots);
    if (!program->slots)
        return pod_lower_no_memory(lowering);
    for (uint32_t i = 0; i < lowering->slot_count; i++) {
        const pod_slot *base = &lowering->slots[pod_lower_base(lowering, i)];
        pod_slot *slot = &program->slots[i];
        *slot = lowering->slots[i];
        slot->base = pod_lower_base(lowering, i);
        slot->kind = base->kind;
        slot->index = base->index;
        slot->offset = base->offset;
        slot->part_bytes = base->part_bytes;
        slot->chunk_bytes = base->chunk_bytes;
        slot->of_subgroup = base->of_subgroup;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* Imports a graph and lets the passes over its ir work. */
static pod_status make_ir(pod_lowering *lowering, const pod_graph *graph, pod_ir **ir)
{
    bool plain = lowering->options->no_fusion;
    const char *name = lowering->options->matmul_precision;
    pod_precision precision;
    if (!pod_ir_precision_named(name, &precision))
        return pod_error_set(lowering->error, POD_ERROR_ARGUMENT,
                             "option 'matmul_precision' is \"%s\"; it is \"highest\", \"high\" or "
                             "\"default\"",
                             name);
    pod_status status =
        pod_ir_import(lowering->scratch, graph, plain ? NULL : pod_compile_keep_call, precision, ir, lowering->error);
    if (status == POD_OK)
        status = pod_ir_verify(*ir, true, "import", lowering->error);
    if (status != POD_OK || plain)
        return status;
    if (!pod_ir_rewrite(lowering->scratch, ir, precision))
        return pod_error_set(lowering->error, POD_ERROR_MEMORY, "no memory to compile the graph");
    if (!pod_lower_goes_on(lowering))
        return POD_ERROR_INTERRUPTED;
    return pod_ir_verify(*ir, true, "rewrite", lowering->error);
}

static pod_status compile_into(pod_program *program, pod_lowering *lowering, const pod_graph *graph)
{
    pod_ir *ir;
    pod_status status = make_ir(lowering, graph, &ir);
    if (status != POD_OK)
        return status;
    pod_error local;
    if (!lowering->error)
        lowering->error = &local;
    lowering->error->status = POD_OK;
    bool done =
        lower_program(lowering, program, ir) &&
        pod_compile_cut_subgroups(lowering, program->function, &program->block_bytes) && pod_lower_goes_on(lowering) &&
        pod_compile_recycle_slots(lowering, program->function) &&
        pod_compile_plan_buffers(lowering, program->function, &program->arena_bytes, &program->stats.live_bytes) &&
        take_memory(lowering, program) && keep_slots(lowering, program);
    if (!done)
        return pod_error_or_memory(lowering->error, "a program");
    program->stats.kernels_fused = lowering->fused;
    if (!pod_program_finish(program))
        return pod_error_memory(lowering->error, "a program", 0);
    return pod_verify_program(program, lowering->options, lowering->error);
}

static pod_status compile(pod_context *context, const pod_graph *graph, const pod_compile_options *options,
                          pod_arena *scratch, pod_program **program, pod_error *error)
{
    pod_program *made = pod_program_begin(context, graph, error);
    if (!made)
        return POD_ERROR_MEMORY;
    pod_lowering lowering = {.context = context,
                             .memory = &made->memory,
                             .scratch = scratch,
                             .options = options,
                             .lower_region = pod_lower_function,
                             .error = error};
    pod_status status = pod_kernel_choose_family(pod_context_isa(context), &made->kernels, error);
    lowering.kernels = made->kernels;
    if (status == POD_OK)
        status = compile_into(made, &lowering, graph);
    if (status != POD_OK) {
        pod_program_discard(made);
        return status;
    }
    *program = made;
    return POD_OK;
}

static pod_status compile_on_device(const pod_compile_options *options, const pod_graph *graph, pod_program **program,
                                    pod_error *error)
{
    pod_device *device = options->device;
    pod_program *made = pod_program_begin(device->context, graph, error);
    if (!made)
        return POD_ERROR_MEMORY;
    made->device = pod_device_retain(device);
    made->function = pod_arena_array(&made->memory, 1, sizeof *made->function); /* no instructions: none are told of */
    const pod_status status = made->function ? device->backend->compile(options, graph, made, error)
                                             : pod_error_memory(error, "a program", sizeof *made->function);
    if (status != POD_OK) {
        pod_program_discard(made);
        return status;
    }
    *program = made;
    return POD_OK;
}

pod_status pod_program_compile(pod_context *context, const pod_graph *graph, const pod_compile_options *options,
                               pod_program **program, pod_error *error)
{
    static const pod_compile_options defaults = {0};
    uint64_t start = uv_hrtime();
    *program = NULL;
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (!options)
        options = &defaults;
    pod_program *made = NULL;
    if (options->device) {
        status = compile_on_device(options, graph, &made, error);
    } else {
        pod_arena scratch;
        pod_arena_init(&scratch, context);
        status = compile(context, graph, options, &scratch, &made, error);
        pod_arena_clear(&scratch);
    }
    if (!made)
        return status;
    made->stats.nodes = pod_graph_node_count(graph);
    made->stats.compile_seconds = (double)(uv_hrtime() - start) * 1e-9;
    *program = made;
    return POD_OK;
}
