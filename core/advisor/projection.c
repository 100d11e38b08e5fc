/* projection - see moonpod/project.h. */

#include "moonpod/project.h"

#include "advisor/rates.h"
#include "base/context.h"
#include "base/error.h"
#include "tpu/plan_costs.h"

#include <stdlib.h>

/* A projection with its kernels behind it, in one block. */
typedef struct made_projection {
    pod_projection projection;
    pod_context *context; /* shared */
    pod_kernel_time kernels[];
} made_projection;

const char *pod_bound_name(pod_bound bound)
{
    static const char *const names[] = {"MXU", "vector unit", "HBM", "on-chip memory", "links", "launch", "input"};
    return (unsigned)bound < POD_BOUNDS ? names[bound] : NULL;
}

/* What a device does a second. */
typedef struct device_speed {
    double mxu, vector, hbm, copies, on_chip;
    double lanes;           /* of the vector unit, times its cycles */
    const pod_slice *slice; /* NULL: it is alone */
    pod_rates rates;
} device_speed;

static device_speed speed_of(const pod_chip *chip, const pod_slice *slice)
{
    const pod_rates rates = pod_advise_rates(chip);
    const double cores = (double)chip->cores / chip->devices, hbm = chip->hbm_bytes_per_second / chip->devices;
    const double lanes = cores * chip->lanes * chip->sublanes * rates.clock;
    return (device_speed){.mxu = chip->bf16_flops / chip->devices * rates.mxu_share,
                          .vector = lanes * POD_RATE_VECTOR,
                          .lanes = lanes,
                          .hbm = hbm * rates.hbm_share,
                          .copies = hbm * rates.copy_share,
                          .on_chip = hbm * POD_RATE_ON_CHIP,
                          .slice = slice,
                          .rates = rates};
}

#define FULL_BYTES 4 /* of an element of f32 */

/* What the compiler would estimate of a kernel that exchanges nothing (rates.h). */
static double estimate_of(const pod_tpu_cost *cost, const device_speed *speed)
{
    const double hbm = speed->hbm / speed->rates.hbm_share * POD_ESTIMATE_HBM;
    if (cost->copies)
        return (cost->hbm_bytes + POD_ESTIMATE_WIDENED * cost->narrow_bytes) / hbm * POD_ESTIMATE_HBM /
                   POD_ESTIMATE_COPIES +
               speed->rates.launch;
    const double elements = cost->elements * cost->padding;
    const double computed =
        (cost->other_flops + cost->transcendentals) * cost->padding / speed->lanes / POD_ESTIMATE_VECTOR;
    if (cost->mxu_flops <= 0) {
        const double summed = cost->reduces ? FULL_BYTES * elements : 0;
        const double moved = (cost->bytes + POD_ESTIMATE_NARROW * cost->narrow_bytes + summed) / hbm;
        const double alone = cost->alone ? POD_ESTIMATE_ALONE * elements / speed->lanes : 0;
        return (moved > computed ? moved : computed) + alone + speed->rates.launch;
    }
    const double parts[] = {cost->mxu_flops / speed->mxu * speed->rates.mxu_share, computed,
                            (cost->hbm_bytes + cost->again_bytes + POD_ESTIMATE_NARROW * cost->narrow_bytes) / hbm};
    double longest = 0, sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        longest = parts[i] > longest ? parts[i] : longest;
        sum += parts[i];
    }
    return longest + POD_ESTIMATE_EXPOSED * (sum - longest) + speed->rates.launch;
}

/* The parts of a kernel overlap, as far as its rates say; those of an exchange all. */
static pod_kernel_time time_of(const pod_tpu_cost *cost, const device_speed *speed)
{
    const double vector = (cost->other_flops + POD_RATE_TRANSCENDENTAL * cost->transcendentals) * cost->padding;
    const bool exchanges = cost->exchange != POD_TPU_EXCHANGE_NONE;
    double parts[] = {
        [POD_BOUND_MXU] = cost->mxu_flops / speed->mxu,
        [POD_BOUND_VECTOR] = vector / speed->vector,
        [POD_BOUND_HBM] = cost->hbm_bytes / (cost->copies ? speed->copies : speed->hbm),
        [POD_BOUND_ON_CHIP] = (cost->bytes - cost->hbm_bytes) / speed->on_chip,
        [POD_BOUND_LINKS] =
            exchanges ? pod_project_exchange(speed->slice, cost->exchange, cost->exchanged_bytes, cost->exchanging) : 0,
        [POD_BOUND_LAUNCH] = speed->rates.launch,
    };
    pod_bound bound = POD_BOUND_MXU;
    for (int i = 0; i <= POD_BOUND_LAUNCH; i++)
        bound = parts[i] > parts[bound] ? (pod_bound)i : bound;
    double longest = 0, sum = 0;
    for (int i = 0; i < POD_BOUND_LAUNCH; i++) {
        longest = parts[i] > longest ? parts[i] : longest;
        sum += parts[i];
    }
    const double rest = exchanges ? 0 : speed->rates.exposed * (sum - longest);
    const double exposed = rest < speed->rates.most ? rest : speed->rates.most;
    return (pod_kernel_time){.cost = cost,
                             .mxu = parts[POD_BOUND_MXU] * cost->times,
                             .vector = parts[POD_BOUND_VECTOR] * cost->times,
                             .hbm = parts[POD_BOUND_HBM] * cost->times,
                             .on_chip = parts[POD_BOUND_ON_CHIP] * cost->times,
                             .links = parts[POD_BOUND_LINKS] * cost->times,
                             .launch = parts[POD_BOUND_LAUNCH] * cost->times,
                             .seconds = (longest + exposed + speed->rates.launch) * cost->times,
                             .estimated = exchanges ? 0 : estimate_of(cost, speed) * cost->times,
                             .bound = bound};
}

/* The longest first; of equal ones the earlier in the schedule. */
static int compare_times(const void *a, const void *b)
{
    const pod_kernel_time *one = a, *other = b;
    if (one->seconds != other->seconds)
        return one->seconds < other->seconds ? 1 : -1;
    return (one->cost > other->cost) - (one->cost < other->cost);
}

/* Copies between HBM and the chip run beside the kernels, which wait where HBM has too much to do. */
static void sum_up(pod_projection *p, const device_speed *speed)
{
    for (size_t i = 0; i < p->kernel_count; i++) {
        const pod_kernel_time *kernel = &p->kernels[i];
        const pod_tpu_cost *cost = kernel->cost;
        p->device += kernel->seconds;
        p->exchanges += cost->exchange != POD_TPU_EXCHANGE_NONE ? kernel->seconds : 0;
        p->bounds[kernel->bound] += kernel->seconds;
        p->product_flops += cost->product_flops * cost->times;
        p->other_flops += cost->other_flops * cost->times;
        p->transcendentals += cost->transcendentals * cost->times;
        p->bytes += cost->bytes * cost->times;
        p->hbm_bytes += cost->hbm_bytes * cost->times;
    }
    const double waits = (p->hbm_bytes + p->copied_bytes) / speed->hbm - p->device;
    p->device += waits > 0 ? waits : 0;
    p->bounds[POD_BOUND_HBM] += waits > 0 ? waits : 0;
    p->peak_flops = speed->mxu / speed->rates.mxu_share;
    p->cycles_per_second = speed->rates.clock;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The device where each kernel takes as long as its longest part. */
static double overlapped(const pod_projection *p, const device_speed *speed)
{
    double sum = 0;
    for (size_t i = 0; i < p->kernel_count; i++) {
        const pod_kernel_time *k = &p->kernels[i];
        sum += larger(larger(larger(k->mxu, k->vector), larger(k->hbm, k->on_chip)), k->links) + k->launch;
    }
    return larger(sum, (p->hbm_bytes + p->copied_bytes) / speed->hbm);
}

static void range_of(pod_projection *p, const device_speed *speed, const pod_project_options *options)
{
    const double least = overlapped(p, speed);
    const double pcie = p->chip->pcie_bytes_per_second / p->chip->devices;
    p->host = POD_RATE_HOST / (double)(options->steps_per_execution > 1 ? options->steps_per_execution : 1);
    p->input = larger(options->input_seconds, pcie > 0 ? options->infeed_bytes / pcie : 0);
    p->bounds[POD_BOUND_INPUT] = larger(p->input - p->device, 0);
    for (int i = 0; i < POD_BOUNDS; i++)
        p->bound = p->bounds[i] > p->bounds[p->bound] ? (pod_bound)i : p->bound;
    p->low = larger(least, p->input);
    p->high = larger(larger(least * POD_RATE_SLOWER, p->device), p->input) + p->host;
    p->mfu_low = p->product_flops / p->high / p->peak_flops;
    p->mfu_high = p->low > 0 ? p->product_flops / p->low / p->peak_flops : 0;
}

/* An exchange wants others to exchange with. */
static pod_status check_slice(const pod_tpu_costs *costs, const pod_chip *chip, const pod_slice *slice,
                              pod_error *error)
{
    if (slice && slice->chip != chip)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "%s is no slice of %s, which was planned for", slice->name,
                             chip->name);
    for (size_t i = 0; !slice && i < costs->count; i++)
        if (costs->list[i].exchange != POD_TPU_EXCHANGE_NONE)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                                 "devices exchange values (%.60s): say on which slice, such as %s-8", costs->list[i].op,
                                 chip->name);
    return POD_OK;
}

pod_status pod_project(pod_context *context, const pod_tpu_plan *plan, const pod_project_options *options,
                       pod_projection **projection, pod_error *error)
{
    const pod_project_options given = options ? *options : (pod_project_options){0};
    *projection = NULL;
    const pod_tpu_costs *costs = pod_tpu_plan_costs(plan);
    const size_t count = costs->count;
    if (costs->uncounted && !given.known_alone)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "no time follows from the plan: %s", costs->uncounted);
    const pod_status status = check_slice(costs, pod_tpu_plan_chip(plan), given.slice, error);
    if (status != POD_OK)
        return status;
    const size_t size = sizeof(made_projection) + count * sizeof(pod_kernel_time);
    made_projection *made = pod_allocate(context, size);
    if (!made)
        return pod_error_memory(error, "a projection", size);
    const device_speed speed = speed_of(pod_tpu_plan_chip(plan), given.slice);
    *made = (made_projection){.projection = {.chip = pod_tpu_plan_chip(plan),
                                             .copied_bytes = costs->copied_bytes,
                                             .counted_copies = costs->counted_copies,
                                             .kernel_count = count},
                              .context = pod_context_retain(context)};
    made->projection.kernels = made->kernels;
    for (size_t i = 0; i < count; i++)
        made->kernels[i] = time_of(&costs->list[i], &speed);
    if (count > 0)
        qsort(made->kernels, count, sizeof *made->kernels, compare_times);
    sum_up(&made->projection, &speed);
    range_of(&made->projection, &speed, &given);
    *projection = &made->projection;
    return POD_OK;
}

void pod_projection_free(pod_projection *projection)
{
    made_projection *made = (made_projection *)projection;
    if (!made)
        return;
    pod_context *context = made->context;
    pod_free(context, made);
    pod_context_release(context);
}
