/* test_allocation_faults - a host's whole life with each allocation failing: context, graph, gradient, program, data,
 * run on several threads, close; and a step made one of several replicas. */

#include "test.h"

#include "faulty.h"
#include "graph/build.h"
#include "moonpod/builders.h"
#include "moonpod/data.h"
#include "moonpod/events.h"
#include "moonpod/profile.h"
#include "moonpod/program.h"
#include "test_path.h"

enum { ROWS = 24, COLUMNS = 5, BATCH = 4 };

/* What a life makes, all NULL at first. */
typedef struct life {
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
    pod_buffer *rows, *weight, *loss;
    pod_dataset *stages[4];
    pod_dataset_iterator *iterator;
    pod_profile *profile;
} life;

static void end_life(life *l)
{
    pod_profile_free(l->profile);
    pod_dataset_iterator_close(l->iterator);
    for (size_t i = 0; i < sizeof l->stages / sizeof *l->stages; i++)
        pod_dataset_release(l->stages[i]);
    pod_buffer_release(l->loss);
    pod_buffer_release(l->weight);
    pod_buffer_release(l->rows);
    pod_program_free(l->program);
    pod_graph_free(l->graph);
    pod_context_release(l->context);
}

/* loss = mean((x w)^2), w = w - 0.1 dloss/dw */
static pod_status make_program(life *l, pod_error *error)
{
    pod_status status = pod_graph_new(l->context, "step", &l->graph, error);
    if (status != POD_OK)
        return status;
    pod_graph *g = l->graph;
    pod_node *gradient;
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {BATCH, COLUMNS}}, "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {COLUMNS, 3}}, "w");
    pod_node *y = pod_graph_matmul(g, x, w);
    pod_node *loss = pod_graph_mean(g, pod_graph_multiply(g, y, y), NULL, false);
    status = pod_graph_gradient(g, loss, NULL, &w, 1, &gradient, error);
    if (status != POD_OK)
        return status;
    pod_graph_add_output(g, loss);
    pod_node *rate = pod_graph_scalar(g, POD_F32, 0.1, NULL);
    pod_graph_add_output(g, pod_graph_subtract(g, w, pod_graph_multiply(g, gradient, rate)));
    pod_graph_set_alias(g, 1, 1);
    status = pod_graph_check(g, error);
    return status == POD_OK ? pod_program_compile(l->context, g, NULL, &l->program, error) : status;
}

static pod_status make_data(life *l, pod_error *error)
{
    const pod_shuffle_options order = {.buffer_size = 10, .seed = 1};
    const pod_batch_options batches = {BATCH, true};
    pod_status status = pod_buffer_new(l->context, POD_F32, &(pod_shape){2, {ROWS, COLUMNS}}, &l->rows, error);
    for (int i = 0; status == POD_OK && i < ROWS * COLUMNS; i++)
        ((float *)pod_buffer_data(l->rows))[i] = (float)(i % 7) / 7;
    if (status == POD_OK)
        status = pod_dataset_from_slices(l->context, &l->rows, 1, &l->stages[0], error);
    if (status == POD_OK)
        status = pod_dataset_shuffle(l->stages[0], &order, &l->stages[1], error);
    if (status == POD_OK)
        status = pod_dataset_batch(l->stages[1], &batches, &l->stages[2], error);
    if (status == POD_OK)
        status = pod_dataset_prefetch(l->stages[2], 2, &l->stages[3], error);
    return status == POD_OK ? pod_dataset_iterator_open(l->stages[3], NULL, &l->iterator, error) : status;
}

static pod_status run(life *l, pod_error *error)
{
    pod_status status = pod_buffer_new(l->context, POD_F32, &(pod_shape){2, {COLUMNS, 3}}, &l->weight, error);
    if (status != POD_OK)
        return status;
    for (int i = 0; i < COLUMNS * 3; i++)
        ((float *)pod_buffer_data(l->weight))[i] = (float)i / 10;
    const pod_infeed infeed = pod_dataset_iterator_infeed(l->iterator);
    const pod_run_options options = {.steps = ROWS / BATCH, .infeed = &infeed, .infeed_count = 1};
    pod_buffer *results[2];
    status = pod_profile_start(l->context, error);
    if (status != POD_OK)
        return status;
    status = pod_program_run(l->program, (pod_buffer *[]){NULL, l->weight}, results, &options, NULL, error);
    l->loss = status == POD_OK ? results[0] : NULL;
    return status == POD_OK ? pod_profile_stop(l->context, &l->profile, error) : status;
}

/* One life. Leaves the weight's first element, which tells of all steps. */
static pod_status live(faulty *allocator, float *weight, pod_error *error)
{
    life l = {0};
    const pod_context_options options = {
        .allocator = {faulty_resize, allocator}, .threads = 3, .memory_limit = allocator->limit};
    pod_status status = pod_context_new(&options, &l.context, error);
    if (status == POD_OK)
        status = make_program(&l, error);
    if (status == POD_OK)
        status = make_data(&l, error);
    if (status == POD_OK)
        status = run(&l, error);
    if (status == POD_OK)
        *weight = ((const float *)pod_buffer_data(l.weight))[0];
    end_life(&l);
    return status;
}

/* Lives with `count` allocations failing from the first, the second, ... on, until one passes without a fault. */
static void live_with_faults(long count)
{
    float expected = NAN, weight;
    pod_error error;
    faulty allocator = {.first = -1, .last = -1};
    ASSERT_OK(live(&allocator, &expected, &error));
    ASSERT_EQ(0, atomic_load(&allocator.live));
    ASSERT(atomic_load(&allocator.calls) > 40);
    long faults = 0, refused = 0;
    for (long first = 0;; first++) {
        allocator = (faulty){.first = first, .last = first + count - 1};
        error = (pod_error){0};
        const pod_status status = live(&allocator, &weight, &error);
        if (atomic_load(&allocator.live) != 0)
            FAIL("allocation %ld fails: %ld blocks leak", first, atomic_load(&allocator.live));
        if (status == POD_OK)
            ASSERT_NUMBER(expected, weight);
        else if (status != POD_ERROR_MEMORY || strstr(error.message, "memory") == NULL)
            FAIL("allocation %ld fails: %s: %s", first, pod_status_name(status), error.message);
        if (atomic_load(&allocator.calls) <= first)
            break;
        faults++;
        refused += status != POD_OK;
        ASSERT(first < 100000);
    }
    printf("%ld faults, all survived: %ld by an error, %ld without\n", faults, refused, faults - refused);
}

TEST(each_allocation_may_fail_once)
{
    live_with_faults(1);
}

/* Under limits of memory, from none to enough: what is held is never more, and what fails says for what. */
TEST(any_limit_of_memory_is_kept)
{
    faulty allocator = {.first = -1, .last = -1};
    float expected = NAN, weight;
    pod_error error;
    ASSERT_OK(live(&allocator, &expected, &error));
    const uint64_t enough = allocator.peak;
    int survived = 0, failed = 0;
    for (uint64_t limit = 2000; limit < enough + enough / 50; limit += enough / 50 + 7) {
        allocator = (faulty){.first = -1, .last = -1, .limit = limit};
        error = (pod_error){0};
        const pod_status status = live(&allocator, &weight, &error);
        if (atomic_load(&allocator.live) != 0)
            FAIL("a limit of %llu bytes: %ld blocks leak", (unsigned long long)limit, atomic_load(&allocator.live));
        if (status == POD_OK)
            ASSERT_NUMBER(expected, weight);
        else if (status != POD_ERROR_MEMORY || strstr(error.message, "memory") == NULL)
            FAIL("a limit of %llu bytes: %s: %s", (unsigned long long)limit, pod_status_name(status), error.message);
        ASSERT(allocator.peak <= limit);
        survived += status == POD_OK;
        failed += status != POD_OK;
    }
    ASSERT(failed > 20 && survived > 0);
    printf("%d limits that were too low, %d that were enough\n", failed, survived);
}

TEST(all_allocations_from_any_one_on_may_fail)
{
    live_with_faults(1000000);
}

typedef pod_status write_function(const pod_profile *profile, const char *path, pod_error *error);

static pod_status write_xplane(const pod_profile *profile, const char *path, pod_error *error)
{
    return pod_profile_write_xplane(profile, &(pod_profile_roofs){.flops = 1e12, .bytes = 1e10}, path, error);
}

/* Each file is there whole, or it is not there and the error says why. */
TEST(files_of_profiles_are_whole_without_memory)
{
    static write_function *const writers[] = {pod_profile_write_chrome, pod_profile_write_perfetto,
                                              pod_profile_write_pprof, write_xplane};
    faulty allocator = {.first = -1, .last = -1};
    life l = {0};
    pod_error error;
    char path[256];
    test_path(path, sizeof path, "profile");
    const pod_context_options options = {.allocator = {faulty_resize, &allocator}, .threads = 1};
    ASSERT_OK(pod_context_new(&options, &l.context, &error));
    ASSERT_OK(make_program(&l, &error));
    ASSERT_OK(make_data(&l, &error));
    ASSERT_OK(run(&l, &error));
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        const long live = atomic_load(&allocator.live);
        pod_status status = POD_ERROR_MEMORY;
        for (long first = 0; status != POD_OK; first++) {
            allocator.first = allocator.last = atomic_load(&allocator.calls) + first;
            status = writers[i](l.profile, path, &error);
            ASSERT(status == POD_OK || status == POD_ERROR_MEMORY);
            ASSERT_EQ(status == POD_OK ? 0 : -1, access(path, F_OK));
            ASSERT_EQ(live, atomic_load(&allocator.live));
            ASSERT(first < 1000);
        }
        allocator.first = allocator.last = -1;
        unlink(path);
    }
    end_life(&l);
    ASSERT_EQ(0, atomic_load(&allocator.live));
}

/* Makes attention on one core that of three; `named` is whether it is a call of its name still. */
static pod_status replicate_attention(pod_context *context, bool *named, pod_error *error)
{
    const pod_placement parameters[] = {POD_SPLIT, POD_MIRRORED}, output = POD_SPLIT;
    const pod_replicate_options options = {3, parameters, &output, 6};
    pod_graph *graph, *replicated = NULL;
    pod_status status = pod_graph_new(context, "step", &graph, error);
    if (status != POD_OK)
        return status;
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){4, {2, 2, 5, 4}}, "x");
    pod_node *mask = pod_graph_parameter(graph, POD_BOOL, &(pod_shape){4, {1, 1, 5, 5}}, "mask");
    pod_node *inputs[] = {x, x, x, mask};
    pod_graph_add_output(graph, pod_graph_composite(graph, "attention", inputs, 4, &(pod_attributes){.flag = true}));
    status = pod_graph_check(graph, error);
    if (status == POD_OK)
        status = pod_graph_replicate(graph, &options, &replicated, error);
    *named = false;
    for (uint32_t i = 0; status == POD_OK && i < replicated->node_count; i++)
        *named |=
            replicated->nodes[i]->op == POD_OP_CALL && strcmp(replicated->nodes[i]->attributes->name, "attention") == 0;
    pod_graph_free(replicated);
    pod_graph_free(graph);
    return status;
}

/* Computed by the ops of its body the numbers would be other ones. */
TEST(a_call_does_not_lose_its_name_without_memory)
{
    faulty allocator = {.first = -1, .last = -1};
    for (long first = -1; first <= atomic_load(&allocator.calls); first++) {
        const pod_context_options options = {.allocator = {faulty_resize, &allocator}, .threads = 1};
        pod_context *context = NULL;
        pod_error error = {0};
        bool named = false;
        allocator = (faulty){.first = first, .last = first};
        pod_status status = pod_context_new(&options, &context, &error);
        if (status == POD_OK)
            status = replicate_attention(context, &named, &error);
        pod_context_release(context);
        ASSERT_EQ(0, atomic_load(&allocator.live));
        ASSERT_EQ(status == POD_OK ? POD_OK : POD_ERROR_MEMORY, status);
        ASSERT(named || status != POD_OK);
        ASSERT(first >= 0 || atomic_load(&allocator.calls) > 10);
    }
}

/* Writes an event of each kind and reads them; *count is how many there were. */
static pod_status write_events(pod_context *context, const char *folder, int *count, pod_error *error)
{
    const pod_shape scalar = {0}, sizes = {4, {1, 3, 2, 3}};
    const pod_bytes text = {"hi", 2};
    const char *inputs[] = {"a"}, *metric = "loss";
    const pod_event_node nodes[] = {{"a", "Input", 0, NULL, &sizes}, {"b", "Dense", 1, inputs, NULL}};
    const pod_hparam values[] = {{"lr", POD_HPARAM_NUMBER, 0.1, NULL}, {"name", POD_HPARAM_TEXT, 0, "x"}};
    pod_event_writer *writer;
    pod_event_reader *reader = NULL;
    pod_event_value value;
    pod_buffer *pixels = NULL;
    char path[600];
    pod_status status = pod_event_writer_open(context, folder, NULL, &writer, error);
    if (status != POD_OK)
        return status;
    snprintf(path, sizeof path, "%s", pod_event_writer_path(writer));
    status = pod_buffer_new(context, POD_F32, &sizes, &pixels, error);
    if (status == POD_OK)
        status = pod_event_scalar(writer, 1, "loss", 0.5, error);
    if (status == POD_OK)
        status = pod_event_histogram(writer, 1, "h", pixels, 100, error);
    if (status == POD_OK)
        status = pod_event_image(writer, 1, "i", pixels, 1, error);
    if (status == POD_OK)
        status = pod_event_text(writer, 1, "t", &scalar, &text, error);
    if (status == POD_OK)
        status = pod_event_graph(writer, 2, nodes, error);
    if (status == POD_OK)
        status = pod_event_hparams(writer, 2, values, 1, &metric, NULL, error);
    if (status == POD_OK)
        status = pod_event_hparams_end(writer, true, error);
    const pod_status closed = pod_event_writer_close(writer, status == POD_OK ? error : NULL);
    status = status == POD_OK ? closed : status;
    if (status == POD_OK)
        status = pod_event_reader_open(context, path, &reader, error);
    for (*count = 0; status == POD_OK; *count += status == POD_OK)
        status = pod_event_reader_next(reader, &value, error);
    pod_event_reader_close(reader);
    pod_buffer_release(pixels);
    remove(path);
    return status == POD_END ? POD_OK : status;
}

TEST(event_files_are_written_and_read_where_memory_fails)
{
    char folder[256];
    test_path(folder, sizeof folder, "faulty-events");
    faulty allocator = {.first = -1, .last = -1};
    for (long first = -1; first <= atomic_load(&allocator.calls); first++) {
        const pod_context_options options = {.allocator = {faulty_resize, &allocator}, .threads = 1};
        pod_context *context = NULL;
        pod_error error = {0};
        int count = 0;
        allocator = (faulty){.first = first, .last = first};
        pod_status status = pod_context_new(&options, &context, &error);
        if (status == POD_OK)
            status = write_events(context, folder, &count, &error);
        pod_context_release(context);
        ASSERT_EQ(0, atomic_load(&allocator.live));
        ASSERT_EQ(status == POD_OK ? POD_OK : POD_ERROR_MEMORY, status);
        ASSERT(status != POD_OK || count == 7);
        ASSERT(first >= 0 || atomic_load(&allocator.calls) > 20);
    }
    remove(folder);
}

TEST_MAIN(RUN(event_files_are_written_and_read_where_memory_fails); RUN(each_allocation_may_fail_once);
          RUN(any_limit_of_memory_is_kept); RUN(all_allocations_from_any_one_on_may_fail);
          RUN(files_of_profiles_are_whole_without_memory); RUN(a_call_does_not_lose_its_name_without_memory))
