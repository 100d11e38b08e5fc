/* Reports of memory, from facts made by hand and from published numbers. */

#include "test.h"

#include "advisor/advisor.h"
#include "moonpod/builders.h"

static pod_context *context;

#define GIB ((int64_t)1 << 30)
#define MIB ((int64_t)1 << 20)

static bool contains(const char *text, const char *part)
{
    if (strstr(text, part))
        return true;
    printf("# not found: %s\n", part);
    return false;
}

/* ---- facts made by hand ------------------------------------------------------------------------------ */

static pod_tpu_buffer buffer(const char *name, pod_tpu_use use, const char *type, int first, int last, int64_t offset)
{
    pod_tpu_buffer made = {.name = name,
                           .use = use,
                           .op = use == POD_TPU_ARGUMENT ? "parameter" : "convolution",
                           .location = "net.lua:7",
                           .scope = "net/conv",
                           .first_step = first,
                           .last_step = last,
                           .offset = offset,
                           .alias = -1};
    pod_error error;
    if (pod_array_type_parse(type, strlen(type), &made.type, &error) != POD_OK ||
        pod_layout_measure(made.type.element, &made.type.shape, &made.type.layout, &made.bytes, &error) != POD_OK)
        FAIL("%s: %s", type, error.message);
    return made;
}

#define STEPS 40

static pod_tpu_buffer buffers[6];
static const pod_tpu_buffer *buffer_list[6];
static pod_tpu_step steps[STEPS];
static const pod_tpu_step *step_list[STEPS];

/* A program of 40 steps whose peak is at step 11: a weight of 2 MiB updated in place, a one-hot of 14 GiB, an
 * activation of 2.62 GiB, a small one and one on the chip. */
static pod_memory_facts make_facts(void)
{
    buffers[0] = buffer("Arg_0", POD_TPU_ARGUMENT, "f32[1024,512]{1,0:T(8,128)}", 0, STEPS - 1, -1);
    buffers[1] = buffer("out.0", POD_TPU_OUTPUT, "f32[1024,512]{1,0:T(8,128)}", 0, STEPS - 1, -1);
    buffers[1].alias = 0;
    buffers[2] = buffer("fusion<1>", POD_TPU_TEMPORARY, "f32[128,256,896,18]{0,3,2,1:T(8,128)}", 2, 30, 0);
    buffers[3] = buffer("iota.2", POD_TPU_TEMPORARY, "s32[29360128,10]{1,0:T(8,128)}", 10, 11, 2818572288);
    buffers[3].op = "iota";
    buffers[3].scope = "net/loss/one_hot";
    buffers[4] = buffer("small", POD_TPU_TEMPORARY, "f32[8]{0:T(256)}", 0, STEPS - 1, -1);
    buffers[5] = buffer("fast", POD_TPU_TEMPORARY, "f32[128,128]{1,0:T(8,128)}", 0, STEPS - 1, -1);
    buffers[5].on_chip = true;
    for (size_t i = 0; i < 6; i++)
        buffer_list[i] = &buffers[i];
    pod_layout_bytes peak = {0, 0};
    int32_t peak_step = 0;
    for (int32_t step = 0; step < STEPS; step++) {
        steps[step] = (pod_tpu_step){.node = (uint32_t)step};
        for (size_t i = 2; i < 5; i++)
            if (buffers[i].first_step <= step && step <= buffers[i].last_step) {
                steps[step].live.unpadded += buffers[i].bytes.unpadded;
                steps[step].live.padded += buffers[i].bytes.padded;
            }
        if (steps[step].live.padded > peak.padded) {
            peak = steps[step].live;
            peak_step = step;
        }
        step_list[step] = &steps[step];
    }
    const pod_chip *chip = pod_chip_find("v3");
    const int64_t weight = 2 * MIB;
    pod_tpu_memory memory = {.argument_bytes = weight,
                             .output_bytes = weight,
                             .alias_bytes = weight,
                             .temp_bytes = peak.padded + MIB,
                             .limit_bytes = chip->hbm_limit_bytes,
                             .reserved_bytes = chip->hbm_reserved_bytes,
                             .peak = peak,
                             .peak_step = peak_step,
                             .fragmentation_bytes = MIB,
                             .on_chip_bytes = 65536};
    memory.need_bytes = weight + memory.temp_bytes;
    memory.least_bytes = weight + 14 * GIB;
    return (pod_memory_facts){.name = "train_step",
                              .chip = chip,
                              .memory = memory,
                              .certainty = {.kinds = 1 << POD_TPU_PROGRAM_DENSE | 1 << POD_TPU_PROGRAM_LOOPS,
                                            .kept = 7,
                                            .miss = 0.042,
                                            .margin = 0.1},
                              .verdict = POD_TPU_CANNOT_SAY,
                              .buffers = buffer_list,
                              .buffer_count = 6,
                              .steps = step_list,
                              .step_count = STEPS};
}

static char *report(const pod_memory_facts *facts, pod_memory_form form)
{
    char *text;
    pod_error error;
    if (pod_memory_report(context, facts, form, NULL, &text, &error) != POD_OK)
        FAIL("%s", error.message);
    return text;
}

/* The first `shown` of `count` are given. */
static void expect_indices(const pod_memory_facts *facts, int32_t step, pod_memory_order order, const size_t *wanted,
                           size_t shown, size_t count)
{
    size_t found;
    pod_memory_entry *list = pod_memory_entries(context, facts, step, order, &found);
    ASSERT(list && found == count);
    for (size_t i = 0; i < shown; i++)
        ASSERT(list[i].index == wanted[i] && list[i].buffer == facts->buffers[wanted[i]]);
    pod_free(context, list);
}

TEST(what_is_in_use_is_what_is_held_and_what_lives)
{
    const pod_memory_facts facts = make_facts();
    ASSERT_EQ(10, facts.memory.peak_step);
    ASSERT_EQ(2 * MIB, pod_memory_held(&facts).padded);
    size_t peak;
    pod_memory_point curve[64];
    ASSERT(facts.step_count <= 64);
    ASSERT(pod_memory_curve(&facts, facts.step_count, curve, &peak) == facts.step_count && peak == 10);
    ASSERT_EQ(2 * MIB + facts.memory.peak.padded, curve[10].bytes.padded);
    ASSERT_EQ(2 * MIB + facts.memory.peak.unpadded, curve[10].bytes.unpadded);
    ASSERT_EQ(2 * MIB + 2818572288 + 1024, curve[12].bytes.padded);
    expect_indices(&facts, -1, POD_MEMORY_BY_SIZE, (size_t[]){3, 2, 0, 4}, 4, 4);
    expect_indices(&facts, 10, POD_MEMORY_BY_SIZE, (size_t[]){3, 2, 0, 4}, 4, 4);
    expect_indices(&facts, 12, POD_MEMORY_BY_PADDING, (size_t[]){2}, 1, 3);
    ASSERT(!pod_memory_lives(&facts, &buffers[5], 3));
    ASSERT(!pod_memory_lives(&facts, &buffers[1], 3));
}

TEST(the_report_of_today_names_every_buffer_with_its_reason)
{
    const pod_memory_facts facts = make_facts();
    char *text = report(&facts, POD_MEMORY_TODAY);
    ASSERT(contains(text, "memory of train_step on a core of TPU v3\n"));
    ASSERT(contains(text, "  arguments        2.00M\n"));
    ASSERT(contains(text, "  aliased         -2.00M  outputs in the place of arguments\n"));
    ASSERT(contains(text, "  temporaries     16.63G  unpadded 3.06G, padded 16.62G (5.4x), "
                          "fragmentation 1.00M (0.0%)\n"));
    ASSERT(contains(text, "  and 64.0K on the chip itself, which cost no HBM\n"));
    ASSERT(contains(text, "  need            16.63G\n  limit           15.48G\n"));
    ASSERT(contains(text, "TPU v3\n  cannot say: the plan needs 16.63G of 15.48G; the compiler may make it fit "
                          "by computing values again; at the least it needs 14.00G\n"));
    ASSERT(contains(text, "largest buffers (4 of 4)\n"));
    ASSERT(contains(text, "   1.   14.00G  s32[29360128,10]{1,0:T(8,128)}  iota.2\n"
                          "      unpadded 1.09G, padding 12.91G (12.8x)\n"
                          "      temporary of iota in net/loss/one_hot at net.lua:7, steps 11 to "
                          "12, lives at the peak\n"
                          "      layout: as its op asks for; axis 1 (10) in lanes, "
                          "padded to 128; axis 0 (29360128) in sublanes, exact; the least padded "
                          "order takes 1.75G\n"));
    ASSERT(contains(text, "   2.    2.62G  f32[128,256,896,18]{0,3,2,1:T(8,128)}  fusion<1>\n"));
    ASSERT(!strstr(text, "fast"));
    pod_text_free(context, text);
}

TEST(a_layout_that_is_not_the_policys_is_its_ops)
{
    pod_memory_facts facts = make_facts();
    char reason[POD_LAYOUT_REASON_SIZE];
    pod_memory_reason(&facts, &buffers[3], reason);
    ASSERT(contains(reason, "as its op asks for; axis 1 (10) in lanes"));
    pod_memory_reason(&facts, &buffers[0], reason);
    ASSERT(contains(reason, "the fewest bytes, row-major on ties"));
}

TEST(the_error_is_one_line_and_a_table_of_offsets)
{
    const pod_memory_facts facts = make_facts();
    char *text = report(&facts, POD_MEMORY_ERROR);
    ASSERT(contains(text, "RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the "
                          "total memory required for HLO temporaries (16.63G) exceeds available HBM "
                          "(15.48G). HLO module: train_step.\n"));
    ASSERT(contains(text, "Used 16.63G of 15.48G hbm. Exceeded hbm capacity by 1.15G.\n"));
    ASSERT(contains(text, "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"));
    ASSERT(contains(text, "   14.00GiB( 84%);   14.00GiB;   2818572288;                1; "
                          "s32[29360128,10]\n"
                          "   16.62GiB(100%);    2.62GiB;            0;                1; "
                          "f32[128,256,896,18]\n"));
    pod_text_free(context, text);
}

/* ---- pictures ------------------------------------------------------------------------------------------ */

TEST(the_viewer_marks_the_peak_and_folds_what_is_small)
{
    const pod_memory_facts facts = make_facts();
    char *text;
    pod_error error;
    const pod_memory_options options = {.width = 80, .height = 8};
    ASSERT_EQ(POD_OK, pod_memory_viewer(context, &facts, &options, &text, &error));
    ASSERT(contains(text, " peak\n"));
    ASSERT(contains(text, "peak 16.63G, unpadded 3.06G; held through all of it: 2.00M; at step 11, "
                          "iota.2 at net.lua:7\n"));
    ASSERT(contains(text, "    1.0K  1 small, each of 16K or less\n"));
    ASSERT(contains(text, "at the peak, by padding\n"));
    size_t longest = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        size_t characters = 0;
        for (const char *c = line; *c != '\n'; c++)
            characters += ((unsigned char)*c & 0xc0) != 0x80;
        longest = characters > longest ? characters : longest;
    }
    ASSERT(longest <= 80 + 60); /* sentences are not cut, charts and tables are */
    pod_text_free(context, text);
}

TEST(a_program_without_steps_is_reported)
{
    pod_memory_facts facts = {.name = "empty", .chip = pod_chip_find("v5e")};
    pod_error error;
    char *text;
    facts.memory.limit_bytes = facts.chip->hbm_limit_bytes;
    for (int form = POD_MEMORY_TODAY; form <= POD_MEMORY_ERROR; form++)
        pod_text_free(context, report(&facts, (pod_memory_form)form));
    ASSERT_EQ(POD_OK, pod_memory_viewer(context, &facts, NULL, &text, &error));
    pod_text_free(context, text);
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_memory_report(context, &facts, (pod_memory_form)9, NULL, &text, &error));
    ASSERT(text == NULL);
}

/* A small step lowered, reported and drawn. */
static pod_status lower_and_report(pod_context *own, pod_error *error)
{
    pod_graph *graph;
    pod_tpu_plan *plan = NULL;
    pod_memory_facts *facts = NULL;
    pod_status status = pod_graph_new(own, "step", &graph, error);
    if (status != POD_OK)
        return status;
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {256, 100}}, "batch");
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {100, 10}}, "dense/kernel");
    pod_graph_add_output(graph, pod_graph_tanh(graph, pod_graph_matmul(graph, x, w)));
    status = pod_graph_check(graph, error);
    if (status == POD_OK)
        status = pod_tpu_lower(graph, pod_chip_find("v3"), NULL, &plan, error);
    if (status == POD_OK)
        status = pod_memory_facts_new(own, plan, graph, NULL, &facts, error);
    for (int form = POD_MEMORY_TODAY; form <= POD_MEMORY_ERROR && status == POD_OK; form++) {
        char *text;
        status = pod_memory_report(own, facts, (pod_memory_form)form, NULL, &text, error);
        pod_text_free(own, text);
    }
    if (status == POD_OK) {
        char *text;
        status = pod_memory_viewer(own, facts, NULL, &text, error);
        pod_text_free(own, text);
    }
    pod_memory_facts_free(own, facts);
    pod_tpu_plan_free(plan);
    pod_graph_free(graph);
    return status;
}

TEST(every_allocation_of_a_report_may_fail_without_a_leak)
{
    every_allocation_may_fail(lower_and_report);
}

TEST(arguments_have_the_names_of_their_parameters)
{
    pod_error error;
    pod_graph *graph;
    pod_tpu_plan *plan;
    pod_memory_facts *facts;
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {64, 10}}, "dense/kernel");
    pod_graph_add_output(graph, pod_graph_tanh(graph, w));
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find("v3"), NULL, &plan, &error));
    ASSERT_OK(pod_memory_facts_new(context, plan, graph, "named", &facts, &error));
    ASSERT_TEXT("dense/kernel", pod_memory_argument_name(facts, facts->buffers[0]));
    ASSERT(pod_memory_argument_name(facts, facts->buffers[1]) == NULL);
    char *text = report(facts, POD_MEMORY_TODAY);
    ASSERT(contains(text, "memory of named on a core of TPU v3"));
    ASSERT(contains(text, "      argument dense/kernel\n"));
    pod_text_free(context, text);
    pod_memory_facts_free(context, facts);
    pod_tpu_plan_free(plan);
    pod_graph_free(graph);
}

TEST_MAIN(context = test_context(NULL); RUN(what_is_in_use_is_what_is_held_and_what_lives);
          RUN(the_report_of_today_names_every_buffer_with_its_reason); RUN(a_layout_that_is_not_the_policys_is_its_ops);
          RUN(the_error_is_one_line_and_a_table_of_offsets); RUN(the_viewer_marks_the_peak_and_folds_what_is_small);
          RUN(a_program_without_steps_is_reported); RUN(every_allocation_of_a_report_may_fail_without_a_leak);
          RUN(arguments_have_the_names_of_their_parameters); pod_context_release(context))
