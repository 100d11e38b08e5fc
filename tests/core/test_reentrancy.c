/* What is called by an iterator or a run may use and close what calls it: it is told so, and nothing is freed too
 * soon. */

#include "data_cases.h"

#include "moonpod/builders.h"
#include "moonpod/program.h"

static pod_context *context;
static pod_error error;

/* ---- iterators ------------------------------------------------------------------------------------------ */

typedef enum deed_kind {
    ASKS,
    PEEKS,
    PREPARES,
    REWINDS,
    TELLS_ITS_STATE,
    SETS_ITS_STATE,
    CANCELS,
    COUNTS,
    CLOSES,
    DEEDS
} deed_kind;

/* A source of numbers that does something to the iterator which asks it, at its third number. */
typedef struct meddler {
    pod_dataset_iterator *iterator;
    deed_kind deed;
    int made, closed;
    pod_status outcome;
    pod_error error;
} meddler;

static void meddle(meddler *self)
{
    pod_buffer *element;
    pod_component component;
    pod_bytes state;
    size_t ready;
    double seconds;
    pod_dataset_iterator *it = self->iterator;
    switch (self->deed) {
    case ASKS:
        self->outcome = pod_dataset_iterator_next(it, &element, &self->error);
        break;
    case PEEKS:
        self->outcome = pod_dataset_iterator_peek(it, &component, &self->error);
        break;
    case PREPARES:
        self->outcome = pod_dataset_iterator_prepare(it, 4, &ready, &self->error);
        break;
    case REWINDS:
        self->outcome = pod_dataset_iterator_rewind(it, &self->error);
        break;
    case TELLS_ITS_STATE:
        self->outcome = pod_dataset_iterator_get_state(it, &state, &self->error);
        break;
    case SETS_ITS_STATE:
        self->outcome = pod_dataset_iterator_set_state(it, "", 0, &self->error);
        break;
    case CANCELS:
        pod_dataset_iterator_cancel(it);
        break;
    case COUNTS:
        (void)pod_dataset_iterator_get_stats(it);
        (void)pod_dataset_iterator_get_stage_stats(it, NULL, 0, &seconds);
        break;
    case CLOSES:
        pod_dataset_iterator_close(it);
        pod_dataset_iterator_close(it); /* once is enough, twice does no harm */
        break;
    case DEEDS:
        break;
    }
}

static pod_status meddler_next(void *self_, void *cursor, pod_buffer **components, pod_error *out)
{
    meddler *self = self_;
    (void)cursor;
    if (self->made == 6)
        return POD_END;
    if (++self->made == 3)
        meddle(self);
    const pod_status status = pod_buffer_new(context, POD_S64, &(pod_shape){0}, &components[0], out);
    if (status == POD_OK)
        *(int64_t *)pod_buffer_data(components[0]) = self->made;
    return status;
}

static void meddler_close(void *self, void *cursor)
{
    (void)cursor;
    ((meddler *)self)->closed++;
}

static pod_dataset *meddle_with(meddler *self)
{
    const pod_source source = {.next = meddler_next, .close = meddler_close, .context = self};
    const pod_component number = {.dtype = POD_S64};
    pod_dataset *dataset = NULL;
    ASSERT_OK(pod_dataset_from_source(context, &source, &number, 1, POD_CARDINALITY_UNKNOWN, &dataset, &error));
    return dataset;
}

TEST(an_iterator_that_is_asked_by_what_it_asks_says_so)
{
    char text[4096];
    for (int deed = ASKS; deed < CANCELS; deed++) {
        meddler self = {.deed = deed};
        pod_dataset *dataset = batch(prefetch(meddle_with(&self), 2), 2, false);
        self.iterator = open_iterator(dataset);
        ASSERT_TEXT("[1 2] [3 4] [5 6]", spell(self.iterator, 1, text));
        ASSERT_EQ(POD_ERROR_STATE, self.outcome);
        ASSERT_CONTAINS("the iterator is in use", self.error.message);
        pod_dataset_iterator_close(self.iterator);
        pod_dataset_release(dataset);
    }
}

TEST(an_iterator_may_be_counted_and_cancelled_by_what_it_asks)
{
    char text[4096];
    pod_buffer *element;
    meddler counts = {.deed = COUNTS}, cancels = {.deed = CANCELS};
    pod_dataset *counted = batch(meddle_with(&counts), 3, false), *cancelled = meddle_with(&cancels);
    counts.iterator = open_iterator(counted);
    ASSERT_TEXT("[1 2 3] [4 5 6]", spell(counts.iterator, 1, text));
    cancels.iterator = open_iterator(cancelled);
    for (int i = 1; i <= 3; i++) {
        ASSERT_OK(pod_dataset_iterator_next(cancels.iterator, &element, &error));
        pod_buffer_release(element);
    }
    ASSERT_EQ(POD_ERROR_CANCELLED, pod_dataset_iterator_next(cancels.iterator, &element, &error));
    pod_dataset_iterator_close(counts.iterator);
    pod_dataset_iterator_close(cancels.iterator);
    pod_dataset_release(counted);
    pod_dataset_release(cancelled);
}

TEST(an_iterator_that_is_closed_by_what_it_asks_gives_its_element_and_is_gone)
{
    pod_buffer *element;
    for (int prepared = 0; prepared < 2; prepared++) {
        meddler self = {.deed = CLOSES};
        size_t ready;
        pod_dataset *dataset = batch(meddle_with(&self), 3, false);
        self.iterator = open_iterator(dataset);
        pod_dataset_release(dataset); /* the iterator has a share */
        if (prepared) {
            ASSERT_OK(pod_dataset_iterator_prepare(self.iterator, 2, &ready, &error));
        } else {
            ASSERT_OK(pod_dataset_iterator_next(self.iterator, &element, &error));
            ASSERT_EQ(3, ((int64_t *)pod_buffer_data(element))[2]);
            pod_buffer_release(element);
        }
        ASSERT_EQ(1, self.closed); /* by the end of the call */
    }
}

/* ---- chains ----------------------------------------------------------------------------------------------- */

TEST(a_chain_is_only_so_long)
{
    pod_dataset *chain = range_of(context, 3), *next;
    for (int i = 1; i < 1000; i++)
        chain = skip(chain, 0);
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_dataset_skip(chain, 0, &next, &error));
    ASSERT_CONTAINS("a chain of 1001 stages", error.message);
    expect_elements("0 1 2", chain);
}

TEST(a_dataset_in_itself_again_and_again_has_only_so_many_stages)
{
    pod_dataset *both = range_of(context, 1), *next = NULL;
    int doublings = 0;
    while (pod_dataset_concatenate((pod_dataset *[]){both, both}, 2, &next, &error) == POD_OK) {
        pod_dataset_release(both);
        both = next;
        ASSERT(++doublings < 64);
    }
    ASSERT_CONTAINS("stages, or have", error.message);
    ASSERT_EQ((int64_t)1 << doublings, pod_dataset_cardinality(both));
    pod_dataset_release(both);
}

/* A function that gives the dataset which it expands. */
static pod_dataset *itself;

static pod_status expand_into_itself(void *unused, pod_buffer *const *components, pod_dataset **dataset, pod_error *out)
{
    (void)unused;
    (void)components;
    (void)out;
    *dataset = pod_dataset_retain(itself);
    return POD_OK;
}

TEST(a_dataset_that_expands_into_itself_ends_with_an_error)
{
    pod_buffer *element;
    const pod_component number = {.dtype = POD_S64};
    const pod_expansion expansion = {.expand = expand_into_itself, .any_thread = true};
    const pod_interleave_options options = {.cycle_length = 1, .block_length = 1};
    pod_dataset *range = range_of(context, 3);
    ASSERT_OK(pod_dataset_interleave(range, &expansion, &number, 1, &options, &itself, &error));
    pod_dataset_iterator *iterator = open_iterator(itself);
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_dataset_iterator_next(iterator, &element, &error));
    ASSERT_CONTAINS("does its function expand into itself", error.message);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(itself);
    pod_dataset_release(range);
}

/* ---- runs --------------------------------------------------------------------------------------------------- */

#define ELEMENTS 100000

static pod_buffer *vector(float value)
{
    pod_buffer *buffer = NULL;
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){1, {ELEMENTS}}, &buffer, &error));
    for (int i = 0; i < ELEMENTS; i++)
        ((float *)pod_buffer_data(buffer))[i] = value;
    return buffer;
}

static pod_program *addition(void)
{
    pod_graph *graph;
    pod_program *program;
    const pod_shape shape = {1, {ELEMENTS}};
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, &shape, "x"),
             *y = pod_graph_parameter(graph, POD_F32, &shape, "y");
    pod_graph_add_output(graph, pod_graph_add(graph, x, y));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

/* An infeed that ends what the run uses, and asks of the program what it cannot give. */
typedef struct feeder {
    pod_program *program;
    pod_buffer *argument;
    int given;
    pod_error running, counting;
} feeder;

static pod_status feed(void *self_, pod_buffer **slots, size_t count, pod_error *out)
{
    feeder *self = self_;
    (void)count;
    (void)out;
    if (self->given++ == 0) {
        pod_buffer *arguments[2] = {self->argument, self->argument}, *results[1];
        ASSERT_EQ(POD_ERROR_STATE, pod_program_run(self->program, arguments, results, NULL, NULL, &self->running));
        ASSERT_EQ(POD_ERROR_STATE, pod_program_count_time(self->program, true, &self->counting));
        pod_program_free(self->program);
        pod_buffer_release(self->argument);
    }
    slots[0] = vector((float)self->given);
    return POD_OK;
}

TEST(an_infeed_may_end_the_program_that_runs_and_its_arguments)
{
    feeder self = {.program = addition(), .argument = vector(10)};
    const pod_infeed infeed = {.next = feed, .context = &self};
    const pod_run_options options = {.steps = 3, .infeed = &infeed, .infeed_first = 1, .infeed_count = 1};
    pod_buffer *arguments[2] = {self.argument, NULL}, *results[1];
    ASSERT_OK(pod_program_run(self.program, arguments, results, &options, NULL, &error));
    for (int i = 0; i < ELEMENTS; i++)
        ASSERT_NUMBER(13, ((float *)pod_buffer_data(results[0]))[i]);
    ASSERT_CONTAINS("the program is running", self.running.message);
    ASSERT_CONTAINS("the program is running", self.counting.message);
    pod_buffer_release(results[0]);
}

/* ---- graphs --------------------------------------------------------------------------------------------------- */

static pod_graph *region(void)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "region", &graph, &error));
    pod_graph_add_output(graph, pod_graph_parameter(graph, POD_F32, &(pod_shape){0}, "x"));
    return graph;
}

TEST(a_graph_is_no_region_of_its_own_and_one_region_alone)
{
    for (int own = 0; own < 2; own++) {
        pod_graph *graph = region(), *branch = own ? graph : region();
        pod_node *flag = pod_graph_parameter(graph, POD_BOOL, &(pod_shape){0}, "flag");
        pod_node *inputs[2] = {flag, pod_graph_get_parameter(graph, 0)};
        pod_graph_apply(graph, pod_op_from_name("cond"), inputs, 2, NULL, (pod_graph *[]){branch, branch}, 2);
        ASSERT_EQ(POD_ERROR_ARGUMENT, pod_graph_check(graph, &error));
        ASSERT_CONTAINS(own ? "is the graph that it would be put into" : "are one graph", error.message);
        pod_graph_free(graph);
    }
}

TEST_MAIN(context = test_context(&(pod_context_options){.threads = 2});
          RUN(an_iterator_that_is_asked_by_what_it_asks_says_so);
          RUN(an_iterator_may_be_counted_and_cancelled_by_what_it_asks);
          RUN(an_iterator_that_is_closed_by_what_it_asks_gives_its_element_and_is_gone); RUN(a_chain_is_only_so_long);
          RUN(a_dataset_in_itself_again_and_again_has_only_so_many_stages);
          RUN(a_dataset_that_expands_into_itself_ends_with_an_error);
          RUN(an_infeed_may_end_the_program_that_runs_and_its_arguments);
          RUN(a_graph_is_no_region_of_its_own_and_one_region_alone); pod_context_release(context))
