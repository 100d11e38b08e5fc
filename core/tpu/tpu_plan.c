/* tpu_plan - the table of what a graph takes on a chip: see moonpod/tpu.h. */

#include "base/sizes.h"
#include "tpu/lowering.h"

#include "base/error.h"
#include "tpu/certainty.h"
#include "tpu/costs.h"
#include "tpu/plan_costs.h"
#include "tpu/pressure.h"

#include <stdio.h>
#include <string.h>

struct pod_tpu_plan {
    pod_context *context; /* shared */
    pod_arena arena;
    const pod_chip *chip;
    pod_tpu_memory memory;
    pod_tpu_certainty certainty;
    int32_t partitions;
    bool assured;          /* it fits by more than the margin, or the compiler makes it, or whatever the doubt */
    const char *undivided; /* borrowed while the plan is made */
    pod_tpu_buffer *buffers;
    size_t buffer_count;
    pod_tpu_step *steps;
    size_t step_count;
    pod_tpu_costs costs;
};

/* ---- buffers ---------------------------------------------------------------------------------------------- */

static const char *leaf_name(pod_tpu_plan *plan, const char *prefix, uint32_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%s_%u", prefix, number);
    return pod_arena_string(&plan->arena, text);
}

/* The node that tells where a value comes from: a copy of what has no place in the program, as arguments have none, was
 * asked for by what reads it. */
static const pod_ir_node *told_by(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    const pod_tpu_value *v = &lowering->values[value];
    if (node->location || node->scope || v->user_count == 0 || !pod_tpu_is_copy(node))
        return node;
    return &lowering->ir->nodes[lowering->users[v->user_first]];
}

static bool add_buffer(pod_tpu_plan *plan, const pod_tpu_lowering *lowering, pod_ref value, pod_tpu_use use,
                       const char *name)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value), *told = told_by(lowering, value);
    const int32_t end = lowering->kernel_count ? (int32_t)lowering->kernel_count - 1 : 0;
    if (!name)
        return false;
    plan->buffers[plan->buffer_count++] = (pod_tpu_buffer){
        .name = name,
        .use = use,
        .node = node->outer,
        .op = pod_tpu_op_text(node),
        .location = told->location,
        .scope = told->scope,
        .type = lowering->values[value].type,
        .bytes = lowering->values[value].bytes,
        .first_step = 0,
        .last_step = end,
        .offset = -1,
        .alias = -1,
    };
    return true;
}

static bool add_arguments(pod_tpu_plan *plan, const pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        if (!add_buffer(plan, lowering, ir->parameters[i], POD_TPU_ARGUMENT, leaf_name(plan, "Arg", i)))
            return false;
    return true;
}

static bool add_outputs(pod_tpu_plan *plan, const pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->output_count; i++) {
        if (!add_buffer(plan, lowering, ir->outputs[i], POD_TPU_OUTPUT, leaf_name(plan, "Out", i)))
            return false;
        if (lowering->values[ir->outputs[i]].alias > 0)
            plan->buffers[plan->buffer_count - 1].alias = ir->aliases[i];
    }
    return true;
}

static bool add_temporaries(pod_tpu_plan *plan, const pod_tpu_lowering *lowering)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref value = lowering->results[kernel->result_first + i];
            const pod_tpu_value *v = &lowering->values[value];
            if (v->free || (kernel->turn && v->storage != value)) /* a loop works in its operands */
                continue;
            if (!add_buffer(plan, lowering, value, POD_TPU_TEMPORARY,
                            pod_tpu_value_name(lowering, &plan->arena, value)))
                return false;
            pod_tpu_buffer *buffer = &plan->buffers[plan->buffer_count - 1];
            buffer->first_step = lowering->first_step[value];
            buffer->last_step = v->storage == value ? lowering->last_step[value] : buffer->first_step;
            buffer->offset = lowering->offsets[v->storage];
            buffer->on_chip = lowering->on_chip[v->storage];
        }
    }
    return true;
}

static bool lives_in_turn(const pod_tpu_lowering *turn, pod_ref value, uint32_t step)
{
    return pod_tpu_takes_heap(turn, value) && turn->first_step[value] <= (int32_t)step &&
           (int32_t)step <= turn->last_step[value];
}

/* The step of a turn in which most of its values are in HBM. */
static uint32_t fullest_step(const pod_tpu_lowering *turn)
{
    uint32_t best = 0;
    int64_t most = -1;
    for (uint32_t step = 0; step < turn->kernel_count; step++) {
        int64_t live = turn->kernels[turn->order[step]].scratch;
        for (uint32_t i = 0; i < turn->result_count; i++)
            live = pod_tpu_sum(
                live, lives_in_turn(turn, turn->results[i], step) ? turn->values[turn->results[i]].bytes.padded : 0);
        if (live > most) {
            most = live;
            best = step;
        }
    }
    return best;
}

/* Adds what is in HBM in the fullest step of a turn of each loop, as temporaries of the step that is the loop. */
static bool add_turns(pod_tpu_plan *plan, const pod_tpu_lowering *lowering, uint32_t first, uint32_t last, int32_t step,
                      int64_t offset)
{
    for (uint32_t at = first; at < last; at++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[at]];
        const pod_tpu_lowering *turn = kernel->turn;
        if (!turn || kernel->scratch == 0)
            continue;
        const int32_t there = step < 0 ? (int32_t)at : step;
        const int64_t begin = offset + kernel->scratch_offset;
        const uint32_t fullest = fullest_step(turn);
        for (uint32_t i = 0; i < turn->result_count; i++) {
            const pod_ref value = turn->results[i];
            if (!lives_in_turn(turn, value, fullest))
                continue;
            if (!add_buffer(plan, turn, value, POD_TPU_TEMPORARY, pod_tpu_value_name(turn, &plan->arena, value)))
                return false;
            pod_tpu_buffer *buffer = &plan->buffers[plan->buffer_count - 1];
            buffer->first_step = buffer->last_step = there;
            buffer->offset = begin + turn->offsets[value];
        }
        if (turn->kernel_count > 0 && !add_turns(plan, turn, fullest, fullest + 1, there, begin))
            return false;
    }
    return true;
}

/* How many results turns have, in loops in loops too. */
static size_t count_turns(const pod_tpu_lowering *lowering)
{
    size_t count = 0;
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        if (lowering->kernels[k].turn)
            count += lowering->kernels[k].turn->result_count + count_turns(lowering->kernels[k].turn);
    return count;
}

/* ---- sums ------------------------------------------------------------------------------------------------- */

/* A kernel of several results writes such a table too, and so does a copy between HBM and the chip. */
#define TABLE_BYTES 16384

/* A program of several results also writes a table of where they are: 4 bytes each, in whole blocks. */
static int64_t tuple_table(int64_t block, uint32_t outputs)
{
    return outputs < 2 ? 0 : pod_round_up((int64_t)outputs * 4, block);
}

static void sum_arguments(pod_tpu_plan *plan, const pod_tpu_lowering *lowering)
{
    pod_tpu_memory *memory = &plan->memory;
    memory->output_bytes = tuple_table(lowering->target->table_block, lowering->ir->output_count);
    for (size_t i = 0; i < plan->buffer_count; i++) {
        const pod_tpu_buffer *buffer = &plan->buffers[i];
        if (buffer->use == POD_TPU_ARGUMENT)
            memory->argument_bytes = pod_tpu_sum(memory->argument_bytes, buffer->bytes.padded);
        if (buffer->use == POD_TPU_OUTPUT)
            memory->output_bytes = pod_tpu_sum(memory->output_bytes, buffer->bytes.padded);
        if (buffer->alias >= 0)
            memory->alias_bytes = pod_tpu_sum(memory->alias_bytes, buffer->bytes.padded);
    }
}

/* The curves of live temporaries in HBM, and their peak. */
static bool sum_live(pod_tpu_plan *plan, const pod_tpu_lowering *lowering)
{
    const size_t steps = plan->step_count;
    pod_layout_bytes *change = pod_arena_array(lowering->arena, steps + 1, sizeof *change);
    int64_t *chip = pod_arena_array(lowering->arena, steps + 1, sizeof *chip);
    if (!change || !chip)
        return false;
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        const pod_ref value = lowering->results[i];
        const pod_tpu_value *v = &lowering->values[value];
        if (v->free || v->storage != value)
            continue;
        const size_t first = (size_t)lowering->first_step[value];
        const size_t end = (size_t)lowering->last_step[value] + 1;
        if (lowering->on_chip[value]) {
            chip[first] += v->bytes.padded;
            chip[end] -= v->bytes.padded;
        } else {
            change[first].padded += v->bytes.padded;
            change[end].padded -= v->bytes.padded;
            change[first].unpadded += v->bytes.unpadded;
            change[end].unpadded -= v->bytes.unpadded;
        }
    }
    pod_layout_bytes live = {0, 0};
    int64_t on_chip = 0;
    for (size_t i = 0; i < steps; i++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[i]];
        live.padded += change[i].padded;
        live.unpadded += change[i].unpadded;
        on_chip += chip[i];
        plan->steps[i].node = lowering->ir->nodes[kernel->node].outer;
        plan->steps[i].live.padded = pod_tpu_sum(live.padded, kernel->scratch);
        plan->steps[i].live.unpadded = pod_tpu_sum(live.unpadded, kernel->scratch);
        if (plan->steps[i].live.padded > plan->memory.peak.padded) {
            plan->memory.peak = plan->steps[i].live;
            plan->memory.peak_step = (int32_t)i;
        }
        if (on_chip > plan->memory.on_chip_bytes)
            plan->memory.on_chip_bytes = on_chip;
    }
    return true;
}

static bool list_costs(pod_tpu_plan *plan, pod_tpu_lowering *lowering)
{
    if (!pod_tpu_list_costs(lowering, &plan->arena, &plan->costs))
        return false;
    if (plan->partitions > 1)
        plan->costs.uncounted =
            "the compiler divides its arrays among devices, and costs here are those of whole arrays";
    return true;
}

/* Bytes of arguments that a device has if they are divided evenly, and without padding. */
static int64_t divided_arguments(const pod_tpu_plan *plan)
{
    int64_t unpadded = 0;
    for (size_t i = 0; i < plan->buffer_count; i++)
        if (plan->buffers[i].use == POD_TPU_ARGUMENT)
            unpadded = pod_tpu_sum(unpadded, plan->buffers[i].bytes.unpadded);
    return unpadded / plan->partitions;
}

/* What one device needs whatever the compiler does: of temporaries what is left of one after what such plans say too
 * much, and with what the chip itself can hold; none where the plan leaves something out. */
static void find_least(pod_tpu_plan *plan, pod_tpu_lowering *lowering)
{
    const double sure = 1 - plan->certainty.margin_below;
    pod_tpu_memory *memory = &plan->memory;
    int64_t one = plan->certainty.doubt || sure <= 0 ? 0 : pod_tpu_least(lowering);
    one = (int64_t)(sure * (double)(one < memory->temp_bytes ? one : memory->temp_bytes));
    one -= plan->certainty.margin_bytes;
    memory->least_bytes = memory->need_bytes - memory->temp_bytes + (one > 0 ? one : 0);
    if (plan->partitions > 1)
        memory->least_bytes = divided_arguments(plan);
}

/* The compiler computes values again where a program takes more than this share of what it may have, until it takes no
 * more: two programs of tests/golden/tpu_pressure.def that are made to fit take 0.9315 of it, others less. */
#define PRESSED 0.93

static bool find_relieved(pod_tpu_plan *plan, pod_tpu_lowering *lowering)
{
    pod_tpu_memory *memory = &plan->memory;
    pod_tpu_relief relief;
    const int64_t rest = memory->need_bytes - memory->temp_bytes;
    const int64_t room = (int64_t)(PRESSED * (double)memory->limit_bytes);
    memory->relieved_bytes = memory->need_bytes;
    if (memory->need_bytes <= room || plan->partitions > 1)
        return true;
    if (!pod_tpu_relieve(lowering, room - rest, &relief))
        return false;
    memory->relieved_bytes = relief.known ? pod_tpu_sum(rest, relief.bytes) : 0;
    memory->computed_again = relief.copies;
    return true;
}

/* Whether the program fits if it needs more than the plan says by as much as such plans were off. Where the plan itself
 * leaves the compiler room enough, that computes values again for what more there is: then the plan has to come to what
 * is left of the limit. (Not where the plan is short already: of unet and text_pairs_4 less is freed than said.) */
static bool find_assured(pod_tpu_plan *plan, pod_tpu_lowering *lowering)
{
    const pod_tpu_memory *memory = &plan->memory;
    const pod_tpu_certainty *certainty = &plan->certainty;
    pod_tpu_relief relief;
    const int64_t rest = memory->need_bytes - memory->temp_bytes;
    const int64_t room = pod_tpu_room(memory, certainty);
    if (certainty->doubt)
        return true;
    plan->assured = memory->need_bytes <= room;
    if (plan->assured || rest > room || memory->relieved_bytes != memory->need_bytes)
        return true;
    if (!pod_tpu_relieve(lowering, room - rest, &relief))
        return false;
    plan->assured = relief.known && pod_tpu_sum(rest, relief.bytes) <= room;
    return true;
}

static bool judge(pod_tpu_plan *plan, const pod_tpu_lowering *lowering)
{
    char doubt[POD_TPU_DOUBT_SIZE];
    pod_tpu_certainty *certainty = &plan->certainty;
    pod_tpu_judge(lowering, certainty);
    certainty->margin_bytes = pod_tpu_near_bytes(plan->chip);
    const pod_tpu_doubt_kind kind =
        pod_tpu_doubt(lowering, certainty, plan->partitions, plan->undivided, plan->memory.need_bytes, doubt);
    if (kind == POD_TPU_NO_DOUBT)
        return true;
    plan->assured =
        kind == POD_TPU_PLANNED_BADLY &&
        plan->memory.need_bytes <= (plan->memory.limit_bytes - certainty->margin_bytes) / POD_TPU_WORST_PLAN;
    certainty->doubt = pod_arena_string(&plan->arena, doubt);
    return certainty->doubt != NULL;
}

static pod_status fill_plan(pod_tpu_plan *plan, pod_tpu_lowering *lowering, pod_error *error)
{
    const pod_ir *ir = lowering->ir;
    pod_tpu_memory *memory = &plan->memory;
    plan->step_count = lowering->kernel_count;
    plan->steps = pod_arena_array(&plan->arena, plan->step_count, sizeof *plan->steps);
    plan->buffers = pod_arena_array(
        &plan->arena, (size_t)ir->parameter_count + ir->output_count + lowering->result_count + count_turns(lowering),
        sizeof *plan->buffers);
    if (!plan->steps || !plan->buffers || !add_arguments(plan, lowering) || !add_outputs(plan, lowering) ||
        !add_temporaries(plan, lowering) || !add_turns(plan, lowering, 0, lowering->kernel_count, -1, 0) ||
        !sum_live(plan, lowering) || !list_costs(plan, lowering))
        return pod_error_set(error, POD_ERROR_MEMORY, "no memory to plan the graph for a TPU");
    memory->limit_bytes = plan->chip->hbm_limit_bytes;
    memory->reserved_bytes = plan->chip->hbm_reserved_bytes;
    sum_arguments(plan, lowering);
    memory->temp_bytes = lowering->temp_bytes;
    if (memory->temp_bytes > 0)
        memory->temp_bytes = pod_tpu_sum(memory->temp_bytes, (int64_t)lowering->result_tables * TABLE_BYTES);
    memory->fragmentation_bytes = memory->temp_bytes - memory->peak.padded;
    memory->need_bytes = pod_tpu_sum(pod_tpu_sum(memory->argument_bytes, memory->output_bytes), memory->temp_bytes);
    if (memory->need_bytes == INT64_MAX)
        return pod_error_set(error, POD_ERROR_SHAPE, "the graph takes more than 2^63 - 1 bytes");
    memory->need_bytes -= memory->alias_bytes;
    if (!find_relieved(plan, lowering) || !judge(plan, lowering) || !find_assured(plan, lowering))
        return pod_error_set(error, POD_ERROR_MEMORY, "no memory to plan the graph for a TPU");
    find_least(plan, lowering);
    return POD_OK;
}

/* ---- the interface ------------------------------------------------------------------------------------------ */

pod_status pod_tpu_lower(const pod_graph *graph, const pod_chip *chip, const pod_tpu_options *options,
                         pod_tpu_plan **plan, pod_error *error)
{
    return pod_tpu_lower_without(graph, chip, options, NULL, plan, error);
}

pod_status pod_tpu_lower_without(const pod_graph *graph, const pod_chip *chip, const pod_tpu_options *options,
                                 const bool *off, pod_tpu_plan **plan, pod_error *error)
{
    pod_arena scratch;
    pod_error own;
    pod_tpu_target target;
    *plan = NULL;
    if (!chip)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a graph is planned for a chip; none is given");
    if (!pod_tpu_find_target(chip, &target))
        return pod_error_set(error, POD_ERROR_ARGUMENT, "it is not known how graphs are compiled for a %s", chip->name);
    for (int i = 0; off && i < POD_TPU_RULES; i++)
        target.rules[i] = target.rules[i] && !off[i];
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_tpu_plan *made = pod_allocate(graph->context, sizeof *made);
    if (!made)
        return pod_error_set(error, POD_ERROR_MEMORY, "no memory to plan the graph for a TPU");
    *made = (pod_tpu_plan){.context = pod_context_retain(graph->context), .chip = chip};
    made->partitions = options ? options->partitions : 0;
    made->undivided = options ? options->undivided : NULL;
    pod_arena_init(&made->arena, graph->context);
    pod_arena_init(&scratch, graph->context);
    pod_tpu_lowering lowering = {.arena = &scratch,
                                 .target = &target,
                                 .wholes = graph->wholes,
                                 .may_donate = options ? options->donated : NULL,
                                 .devices = options && options->devices > 1 ? options->devices : 0,
                                 .error = error ? error : &own};
    lowering.error->status = POD_OK;
    pod_ir *imported;
    if (pod_ir_import(&scratch, graph, NULL, POD_PRECISION_DEFAULT, &imported, lowering.error) == POD_OK &&
        pod_tpu_run_passes(&lowering, imported))
        status = fill_plan(made, &lowering, lowering.error);
    else
        status = pod_error_or_memory(lowering.error, "a plan");
    pod_arena_clear(&scratch);
    if (status != POD_OK) {
        pod_tpu_plan_free(made);
        return status;
    }
    *plan = made;
    return POD_OK;
}

void pod_tpu_plan_free(pod_tpu_plan *plan)
{
    if (!plan)
        return;
    pod_context *context = plan->context;
    pod_arena_clear(&plan->arena);
    pod_free(context, plan);
    pod_context_release(context);
}

const pod_chip *pod_tpu_plan_chip(const pod_tpu_plan *plan)
{
    return plan->chip;
}

const pod_tpu_memory *pod_tpu_plan_memory(const pod_tpu_plan *plan)
{
    return &plan->memory;
}

const pod_tpu_certainty *pod_tpu_plan_certainty(const pod_tpu_plan *plan)
{
    return &plan->certainty;
}

pod_tpu_verdict pod_tpu_plan_verdict(const pod_tpu_plan *plan)
{
    const pod_tpu_memory *memory = &plan->memory;
    const double limit = (double)memory->limit_bytes;
    const double margin = plan->certainty.margin_below, bytes = (double)plan->certainty.margin_bytes;
    const bool is_too_much = memory->least_bytes > memory->limit_bytes;
    if (is_too_much || (!plan->certainty.doubt && (double)memory->relieved_bytes * (1 - margin) - bytes > limit))
        return POD_TPU_DOES_NOT_FIT;
    return plan->assured ? POD_TPU_FITS : POD_TPU_CANNOT_SAY;
}

size_t pod_tpu_plan_buffer_count(const pod_tpu_plan *plan)
{
    return plan->buffer_count;
}

const pod_tpu_buffer *pod_tpu_plan_buffer(const pod_tpu_plan *plan, size_t index)
{
    return index < plan->buffer_count ? &plan->buffers[index] : NULL;
}

size_t pod_tpu_plan_step_count(const pod_tpu_plan *plan)
{
    return plan->step_count;
}

const pod_tpu_step *pod_tpu_plan_step(const pod_tpu_plan *plan, size_t index)
{
    return index < plan->step_count ? &plan->steps[index] : NULL;
}

const pod_tpu_costs *pod_tpu_plan_costs(const pod_tpu_plan *plan)
{
    return &plan->costs;
}
