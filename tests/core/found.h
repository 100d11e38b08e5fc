#ifndef POD_TESTS_FOUND_H
#define POD_TESTS_FOUND_H

/*
 * found - programs that random programs (tests/fuzz/programs) found wrong and made small, as they are printed:
 *
 *     FOUND(program_1771, 1)
 *     {
 *         pod_node *n0 = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {2, 3}}, "p");
 *         ...
 *         pod_graph_add_output(g, ...);
 *         argument(f, POD_F32, &(pod_shape){2, {2, 3}}, (const double[]){1, 2, 3, 4, 5, 6});
 *     }
 *
 *     TEST_MAIN(RUN(program_1771))
 *
 * Each is compiled and run for so many steps by the plain kernels and fused on one thread and on three, by each
 * family of kernels, and compared with the oracle.
 */

#include "graph/build.h"
#include "program_run.h"

typedef struct found {
    pod_context *context;
    pod_array arguments[MOST_VALUES];
    size_t count;
} found;

__attribute__((unused)) static pod_graph *new_graph(pod_context *context)
{
    pod_graph *made;
    pod_error error;
    ASSERT_OK(pod_graph_new(context, "found", &made, &error));
    return made;
}

/* The next argument. */
__attribute__((unused)) static void argument(found *f, pod_dtype dtype, const pod_shape *shape, const double *elements)
{
    pod_array *made = &f->arguments[f->count++];
    *made = evaluate_allocate(dtype, shape);
    pod_convert(POD_F64, elements, dtype, made->data, (size_t)pod_shape_elements(shape));
}

/* A constant of these elements, or of one that is repeated. */
__attribute__((unused)) static pod_node *constant(pod_graph *g, pod_dtype dtype, const pod_shape *shape, bool repeated,
                                                  const double *elements)
{
    static const pod_shape scalar;
    pod_array one = evaluate_allocate(dtype, repeated ? &scalar : shape);
    pod_convert(POD_F64, elements, dtype, one.data, (size_t)pod_shape_elements(&one.shape));
    pod_node *made =
        repeated ? pod_graph_scalar(g, dtype, elements[0], shape) : pod_graph_constant(g, dtype, shape, one.data);
    evaluate_free(&one, 1);
    return made;
}

/* What the oracle gives after so many steps: outputs, and arguments in their place where they are variables. */
static void found_expect(const pod_graph *g, int64_t steps, pod_array *arguments, pod_array *outputs)
{
    pod_error error;
    for (int64_t step = 0; step < steps; step++) {
        if (step > 0)
            evaluate_free(outputs, g->output_count);
        ASSERT_OK(evaluate_graph(g, arguments, outputs, &error));
        for (uint32_t i = 0; i < g->output_count; i++)
            if (g->aliases[i] >= 0)
                memcpy(arguments[g->aliases[i]].data, outputs[i].data,
                       (size_t)pod_shape_elements(&outputs[i].shape) * pod_dtype_size(outputs[i].dtype));
    }
}

static void found_run(void (*build)(found *f, pod_context *context, pod_graph *g), int64_t steps, const char *isa)
{
    found f = {.context = test_context(&(pod_context_options){.isa = isa})};
    pod_graph *g = new_graph(f.context);
    pod_array changed[MOST_VALUES], outputs[MOST_VALUES];
    pod_error error;
    build(&f, f.context, g);
    ASSERT_OK(pod_graph_check(g, &error));
    for (size_t i = 0; i < f.count; i++)
        changed[i] = evaluate_copy(&f.arguments[i]);
    found_expect(g, steps, changed, outputs);
    for (int threads = 0; threads <= 3; threads++) {
        outcome o = program_run(f.context, g, f.arguments, threads == 0, threads ? threads : 2, steps);
        for (uint32_t i = 0; i < g->output_count; i++) {
            const int64_t alias = g->aliases[i];
            compare_arrays("found", i, &outputs[i], alias >= 0 ? o.arguments[alias] : o.results[i], 0x1p-20);
        }
        outcome_release(&o);
    }
    evaluate_free(outputs, g->output_count);
    evaluate_free(changed, f.count);
    evaluate_free(f.arguments, f.count);
    pod_graph_free(g);
    pod_context_release(f.context);
}

#define FOUND(name, steps)                                                                                             \
    static void build_##name(found *f, pod_context *context, pod_graph *g);                                            \
    TEST(name)                                                                                                         \
    {                                                                                                                  \
        found_run(build_##name, steps, "portable");                                                                    \
        found_run(build_##name, steps, NULL);                                                                          \
    }                                                                                                                  \
    static void build_##name(found *f __attribute__((unused)), pod_context *context __attribute__((unused)),           \
                             pod_graph *g)

#endif
