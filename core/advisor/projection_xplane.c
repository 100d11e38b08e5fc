/* projection_xplane - a projected step as XProf's trace: see moonpod/project.h. */

#include "advisor/rates.h"
#include "advisor/xplane.h"
#include "formats/writer.h"
#include "moonpod/advise.h"
#include "moonpod/project.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_PLANE = 1, HOST_PLANE = 2, PROGRAMS_PLANE = 3 };
enum { STEPS_LINE = 1, MODULES_LINE = 2, OPS_LINE = 3 };
enum { FIRST_OP = 1, PROGRAM = 1, STEP = 0, TEXT = 512 };

/* What else an event is of: numbers behind those of the ops. */
typedef enum other_name { WAITS_FOR_COPIES, WAITS_FOR_INPUT, STEP_NAME, MODULE_NAME, OTHER_NAMES } other_name;

/* What is written, with the kernels in the order of the schedule. */
typedef struct trace {
    pod_context *context;
    const pod_projection *projection;
    const pod_memory_facts *facts;
    const pod_kernel_time **kernels;
    pod_xplane_op *ops;
    char (*texts)[TEXT];
    pod_xplane_buffer *buffers;
    size_t buffer_count;
    pod_text text;
} trace;

static int compare_kernels(const void *a, const void *b)
{
    const pod_kernel_time *const *one = a, *const *other = b;
    return ((*one)->cost > (*other)->cost) - ((*one)->cost < (*other)->cost);
}

static uint64_t picoseconds(double seconds)
{
    return (uint64_t)llround(seconds * 1e12);
}

/* As XProf calls kernels of a kind. */
static const char *category_of(const pod_tpu_cost *cost)
{
    static const char *const moving[] = {"copy", "transpose", "reshape", "pad", "slice", "concatenate"};
    static const char *const exchanges[POD_TPU_EXCHANGES] = {
        [POD_TPU_ALL_REDUCE] = "all-reduce",         [POD_TPU_ALL_GATHER] = "all-gather",
        [POD_TPU_REDUCE_SCATTER] = "reduce-scatter", [POD_TPU_ALL_TO_ALL] = "all-to-all",
        [POD_TPU_PERMUTE] = "collective-permute",
    };
    if (cost->exchange != POD_TPU_EXCHANGE_NONE)
        return exchanges[cost->exchange];
    if (cost->product_flops > 0)
        return "convolution fusion";
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++)
        if (strcmp(cost->op, moving[i]) == 0)
            return "data formatting";
    return "loop fusion";
}

static void take_op(trace *t, size_t index)
{
    const pod_tpu_cost *cost = t->kernels[index]->cost;
    snprintf(t->texts[index], TEXT, "%%%s = %s (bound by %s)%s%s", cost->name, cost->op,
             pod_bound_name(t->kernels[index]->bound), cost->location ? " at " : "",
             cost->location ? cost->location : "");
    t->ops[index] = (pod_xplane_op){.name = cost->name,
                                    .text = t->texts[index],
                                    .kind = cost->op,
                                    .category = category_of(cost),
                                    .layer = cost->scope,
                                    .location = cost->location,
                                    .program = PROGRAM,
                                    .flops = (cost->product_flops + cost->other_flops) * cost->times,
                                    .bytes = cost->bytes * cost->times,
                                    .hbm_bytes = cost->hbm_bytes * cost->times,
                                    .times = cost->times};
}

/* The first op of a step of the schedule or of a later one, before the last one at the latest. */
static size_t op_of_step(const trace *t, int32_t step)
{
    size_t low = 0, high = t->projection->kernel_count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (t->kernels[middle]->cost->step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the program has in HBM; an output in the buffer of an argument has none of its own. */
static void take_buffers(trace *t)
{
    static const int uses[] = {[POD_TPU_ARGUMENT] = POD_XPLANE_ARGUMENT,
                               [POD_TPU_OUTPUT] = POD_XPLANE_OUTPUT,
                               [POD_TPU_TEMPORARY] = POD_XPLANE_TEMPORARY,
                               [POD_TPU_CONSTANT] = POD_XPLANE_OUTPUT};
    for (size_t i = 0; i < t->facts->buffer_count; i++) {
        const pod_tpu_buffer *buffer = t->facts->buffers[i];
        const bool temporary = buffer->use == POD_TPU_TEMPORARY;
        if (buffer->on_chip || buffer->alias >= 0 || (temporary && buffer->offset < 0))
            continue;
        t->buffers[t->buffer_count++] = (pod_xplane_buffer){.use = uses[buffer->use],
                                                            .name = pod_memory_argument_name(t->facts, buffer),
                                                            .bytes = (uint64_t)buffer->bytes.padded,
                                                            .unpadded = (uint64_t)buffer->bytes.unpadded,
                                                            .offset = temporary ? (uint64_t)buffer->offset : 0,
                                                            .op = op_of_step(t, buffer->first_step),
                                                            .last = op_of_step(t, buffer->last_step)};
    }
}

/* Seconds that the device waits besides its kernels. */
static double waits_for_copies(const trace *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->projection->kernel_count; i++)
        sum += t->kernels[i]->seconds;
    return t->projection->device > sum ? t->projection->device - sum : 0;
}

static uint64_t number_of(const trace *t, other_name name)
{
    return FIRST_OP + t->projection->kernel_count + (uint64_t)name;
}

static void write_names(trace *t)
{
    static const pod_xplane_op waits[] = {
        [WAITS_FOR_COPIES] = {.name = "copies",
                              .text = "copies between HBM and the chip",
                              .kind = "copy",
                              .category = "copy-done"},
        [WAITS_FOR_INPUT] = {.name = "infeed", .text = "input from the host", .kind = "infeed", .category = "infeed"},
    };
    for (size_t i = 0; i < t->projection->kernel_count; i++)
        pod_advise_xplane_put_op(&t->text, FIRST_OP + i, &t->ops[i]);
    for (int i = WAITS_FOR_COPIES; i <= WAITS_FOR_INPUT; i++) {
        pod_xplane_op one = waits[i];
        one.program = PROGRAM;
        pod_advise_xplane_put_op(&t->text, number_of(t, (other_name)i), &one);
    }
    pod_advise_xplane_put_name(&t->text, number_of(t, STEP_NAME), "0");
    char name[TEXT];
    snprintf(name, sizeof name, "%.400s(%d)", t->facts->name, PROGRAM); /* as XProf names programs */
    pod_advise_xplane_put_name(&t->text, number_of(t, MODULE_NAME), name);
}

/* The device first waits for its input, then runs its kernels one after the other. Times are summed up before they are
 * rounded. */
static void write_ops(trace *t)
{
    const double waits[] = {
        [WAITS_FOR_COPIES] = waits_for_copies(t), [WAITS_FOR_INPUT] = t->projection->bounds[POD_BOUND_INPUT]};
    double at = waits[WAITS_FOR_INPUT];
    const size_t line = pod_advise_xplane_open_line(&t->text, OPS_LINE, "XLA Ops");
    if (at > 0)
        pod_advise_xplane_put_event(&t->text, number_of(t, WAITS_FOR_INPUT), 0, picoseconds(at), STEP);
    for (size_t i = 0; i < t->projection->kernel_count; i++) {
        const uint64_t began = picoseconds(at);
        at += t->kernels[i]->seconds;
        pod_advise_xplane_put_event(&t->text, FIRST_OP + i, began, picoseconds(at) - began, STEP);
    }
    if (waits[WAITS_FOR_COPIES] > 0)
        pod_advise_xplane_put_event(&t->text, number_of(t, WAITS_FOR_COPIES), picoseconds(at),
                                    picoseconds(waits[WAITS_FOR_COPIES]), STEP);
    pod_format_close_message(&t->text, line);
}

static void write_device(trace *t)
{
    const pod_projection *p = t->projection;
    const pod_chip *chip = p->chip;
    const double busy = p->device + p->bounds[POD_BOUND_INPUT], hbm = chip->hbm_bytes_per_second / chip->devices;
    const size_t plane = pod_advise_xplane_open(&t->text, DEVICE_PLANE, "/device:TPU:0");
    const pod_xplane_device device = {chip->product, p->peak_flops, hbm, hbm * POD_RATE_ON_CHIP};
    pod_advise_xplane_put_device(&t->text, &device);
    write_names(t);
    size_t line = pod_advise_xplane_open_line(&t->text, STEPS_LINE, "Steps");
    pod_advise_xplane_put_event(&t->text, number_of(t, STEP_NAME), 0, picoseconds(busy + p->host), STEP);
    pod_format_close_message(&t->text, line);
    line = pod_advise_xplane_open_line(&t->text, MODULES_LINE, "XLA Modules");
    pod_advise_xplane_put_event(&t->text, number_of(t, MODULE_NAME), 0, picoseconds(busy), STEP);
    pod_format_close_message(&t->text, line);
    write_ops(t);
    pod_format_close_message(&t->text, plane);
}

/* What the overview says of the units: how much of the device's time they work. */
static void write_utilization(trace *t, double busy)
{
    const pod_projection *p = t->projection;
    double mxu = 0;
    for (size_t i = 0; i < p->kernel_count; i++)
        mxu += t->kernels[i]->mxu;
    const double moved = (p->hbm_bytes + p->copied_bytes) / (p->chip->hbm_bytes_per_second / p->chip->devices);
    pod_advise_xplane_put_real(&t->text, POD_XPLANE_OF_PLANE, POD_XPLANE_MXU_PERCENT, 100 * mxu / busy);
    pod_advise_xplane_put_real(&t->text, POD_XPLANE_OF_PLANE, POD_XPLANE_HBM_PERCENT, 100 * moved / busy);
}

/* The host gets the next step's input while the device works, and starts it then. */
static void write_host(trace *t)
{
    enum { INPUT = 1, LAUNCH = 2, ONLY_LINE = 1 };
    const pod_projection *p = t->projection;
    const double busy = p->device + p->bounds[POD_BOUND_INPUT];
    const size_t plane = pod_advise_xplane_open(&t->text, HOST_PLANE, "/host:CPU");
    write_utilization(t, busy);
    pod_advise_xplane_put_name(&t->text, INPUT, "input");
    pod_advise_xplane_put_name(&t->text, LAUNCH, "launch");
    const size_t line = pod_advise_xplane_open_line(&t->text, ONLY_LINE, "main");
    if (p->input > 0)
        pod_advise_xplane_put_event(&t->text, INPUT, 0, picoseconds(p->input), STEP);
    pod_advise_xplane_put_event(&t->text, LAUNCH, picoseconds(busy), picoseconds(p->host), STEP);
    pod_format_close_message(&t->text, line);
    pod_format_close_message(&t->text, plane);
}

static void write_all(trace *t)
{
    write_device(t);
    write_host(t);
    const pod_xplane_program program = {.name = t->facts->name,
                                        .number = PROGRAM,
                                        .ops = t->ops,
                                        .op_count = t->projection->kernel_count,
                                        .buffers = t->buffers,
                                        .buffer_count = t->buffer_count,
                                        .temporary_bytes = (uint64_t)t->facts->memory.temp_bytes};
    pod_advise_xplane_put_programs(&t->text, PROGRAMS_PLANE, &program, 1);
}

static pod_status write_text(trace *t, const char *path, pod_error *error)
{
    pod_writer *writer;
    if (t->text.failed)
        return pod_error_memory(error, "a projection's file", t->text.length);
    pod_status status = pod_format_writer_open(t->context, path, POD_COMPRESSION_NONE, &writer, error);
    if (status != POD_OK)
        return status;
    return pod_format_writer_end(writer, pod_format_writer_write(writer, t->text.data, t->text.length, error), error);
}

pod_status pod_projection_write_xplane(pod_context *context, const pod_projection *projection,
                                       const pod_memory_facts *facts, const char *path, pod_error *error)
{
    const size_t count = projection->kernel_count;
    trace t = {.context = context, .projection = projection, .facts = facts};
    if (count == 0)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "the program has no kernel, so there is no trace of it");
    pod_text_init(&t.text, context);
    t.kernels = pod_allocate_zeroed(context, count, sizeof *t.kernels);
    t.ops = pod_allocate_zeroed(context, count, sizeof *t.ops);
    t.texts = pod_allocate_zeroed(context, count, sizeof *t.texts);
    t.buffers = pod_allocate_zeroed(context, facts->buffer_count + 1, sizeof *t.buffers);
    t.text.failed = !t.kernels || !t.ops || !t.texts || !t.buffers;
    if (!t.text.failed) {
        for (size_t i = 0; i < count; i++)
            t.kernels[i] = &projection->kernels[i];
        qsort(t.kernels, count, sizeof *t.kernels, compare_kernels);
        for (size_t i = 0; i < count; i++)
            take_op(&t, i);
        take_buffers(&t);
        write_all(&t);
    }
    const pod_status status = write_text(&t, path, error);
    pod_text_clear(&t.text);
    pod_free(context, t.kernels);
    pod_free(context, t.ops);
    pod_free(context, t.texts);
    pod_free(context, t.buffers);
    return status;
}
