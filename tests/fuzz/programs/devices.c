/* devices - random programs on devices of a plugin of PJRT. */

#include "programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "moonpod/device.h"

enum { SKIPPED = 77 }; /* what tests end with that lack something */

static pod_context *context;
static pod_device *device;
static char report[2 * POD_ERROR_MESSAGE_SIZE];

void devices_open(pod_context *given, const char *plugin, int32_t count)
{
    pod_error error;
#if defined __SANITIZE_ADDRESS__ || !defined __x86_64__
    exit(SKIPPED); /* plugins are of x86-64, and no sanitizer's */
#endif
    context = given;
    (void)setenv("XLA_FLAGS", "--xla_allow_excess_precision=false", 1); /* what is of 16 bits has no more of them */
    const pod_status status =
        pod_device_open(context, &(pod_device_question){.plugin = plugin, .count = count}, &device, &error);
    const char *ci = getenv("CI");
    if (status == POD_OK)
        return;
    fprintf(stderr, "fuzz_programs: %s (./dev peers installs one)\n", error.message);
    exit(status == POD_ERROR_NOT_FOUND && !(ci && strcmp(ci, "true") == 0) ? SKIPPED : 2);
}

void devices_close(void)
{
    pod_device_release(device);
}

/* What lies outside of what results may be by XLA's compiler. An output that is a variable is in its argument. */
static const char *find_outside(const program *p, outcome *expected, const outcome *got)
{
    pod_array low[MOST_OUTPUTS], high[MOST_OUTPUTS];
    const char *wrong = NULL;
    oracle_bounds(p, expected, low, high);
    for (uint32_t i = 0; i < expected->output_count; i++) {
        const int64_t alias = p->graph->aliases[i];
        const pod_array *array = alias >= 0 ? &got->arguments[alias] : &got->outputs[i];
        for (int64_t j = 0, end = pod_shape_elements(&array->shape); j < end && !wrong; j++) {
            const double x = array_get(array, j), e = array_get(&expected->outputs[i], j);
            if ((x >= array_get(&low[i], j) && x <= array_get(&high[i], j)) || (isnan(x) && isnan(e)) ||
                (isinf(array_get(&high[i], j)) && isnan(x)))
                continue;
            snprintf(report, sizeof report, "output %u, element %lld is %.9g, expected %.9g (%.9g to %.9g)", i,
                     (long long)j, x, e, array_get(&low[i], j), array_get(&high[i], j));
            wrong = report;
        }
        array_free(&low[i]);
        array_free(&high[i]);
    }
    return wrong;
}

static const char *compare(const program *p, const outcome *got)
{
    outcome expected;
    const char *wrong = NULL;
    oracle_run(p, NULL, 0, &expected);
    if (expected.status != got->status) {
        snprintf(report, sizeof report, "it ends with %d (%.300s), expected %d (%.300s)", got->status, got->message,
                 expected.status, expected.message);
        wrong = report;
    } else if (expected.status == POD_OK) {
        wrong = find_outside(p, &expected, got);
    }
    outcome_free(&expected);
    return wrong;
}

const char *devices_check(const program *p, long *refused)
{
    bool has_rows[MOST_PARAMETERS];
    pod_program *compiled;
    pod_error error;
    outcome got;
    memset(has_rows, true, sizeof has_rows);
    const pod_compile_options options = {.device = device, .has_rows = has_rows};
    const pod_status status = pod_program_compile(context, p->graph, &options, &compiled, &error);
    if (status == POD_ERROR_UNSUPPORTED) {
        ++*refused;
        return NULL;
    }
    if (status != POD_OK) {
        snprintf(report, sizeof report, "compiling: %s", error.message);
        return report;
    }
    program_run_compiled(context, compiled, p, &got);
    const char *wrong = compare(p, &got);
    outcome_free(&got);
    pod_program_free(compiled);
    return wrong;
}
