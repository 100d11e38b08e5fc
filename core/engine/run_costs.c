/* run_costs - see run_costs.h. */

#include "engine/run_costs.h"

#include "base/error.h"
#include "base/decimal.h"
#include "base/sizes.h"
#include "engine/engine_costs.h"
#include "engine/execute.h"

#include <math.h>

/* The estimated nanoseconds of one thread for a function, INFINITY where it has regions that may run any number of
 * times. */
static double estimate(const pod_function *function)
{
    double cost = 0;
    for (uint32_t i = 0; i < function->phase_count; i++) {
        const pod_phase *phase = &function->phases[i];
        const pod_group *group = &function->groups[phase->first];
        if (phase->serial && function->instructions[group->first]->kind != POD_DO_PRINT)
            return INFINITY;
        cost += phase->cost;
    }
    return cost;
}

bool pod_run_is_short(const pod_program *program, int64_t steps)
{
    const int64_t said = pod_context_short_run(program->context);
    const double step = estimate(program->function);
    const double most = said > 0 ? (double)said : POD_SHORT_RUN_NANOSECONDS;
    return said >= 0 && (step * (double)steps <= most || (said == 0 && step <= POD_SMALL_NANOSECONDS));
}

pod_thread_runner pod_run_runner(const pod_program *program, int64_t steps)
{
    const double cost = estimate(program->function) * (double)pod_larger(steps, 1);
    return cost <= POD_BRIEF_RUN_NANOSECONDS ? pod_workers_run_brief : pod_workers_run;
}

pod_status pod_run_check_time(const pod_program *program, int threads, pod_error *error)
{
    const uint64_t left = pod_context_time_left(program->context);
    const double step = left < UINT64_MAX ? estimate(program->function) / threads : 0;
    if (step <= 2 * (double)left || isinf(step))
        return POD_OK;
    char texts[2][POD_NUMBER_TEXT_SIZE];
    return pod_error_set(error, POD_ERROR_STATE, "a step of the program takes about %s s, and %s s are left",
                         pod_number_text_short(step * 1e-9, 2, texts[0]),
                         pod_number_text_short((double)left * 1e-9, 2, texts[1]));
}
