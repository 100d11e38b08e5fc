/* Recording where the time of steps goes. */

#include "graph/node.h"
#include "program_run.h"

#include "test_path.h"

#include <moonpod/data.h>
#include <moonpod/profile.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#define MOST 64

static pod_error error;

/* tanh(x w) of [256, 128] x [128, 64]: by hand 2 * 256 * 128 * 64 operations of the product, 256 * 64 of tanh. */
#define PRODUCT_FLOPS (2.0 * 256 * 128 * 64)
#define TANH_FLOPS    (256.0 * 64)

static pod_program *tanh_program(pod_context *context)
{
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {256, 128}}, "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {128, 64}}, "w");
    pod_graph_set_location(graph, "script.lua:7");
    pod_graph_set_scope(graph, "dense");
    pod_graph_add_output(graph, pod_graph_tanh(graph, pod_graph_matmul(graph, x, w)));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

static void run(pod_context *context, pod_program *program, int64_t steps)
{
    pod_buffer *arguments[2], *result;
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){2, {256, 128}}, &arguments[0], &error));
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){2, {128, 64}}, &arguments[1], &error));
    ASSERT_OK(pod_program_run(program, arguments, &result, &(pod_run_options){.steps = steps}, NULL, &error));
    pod_buffer_release(arguments[0]);
    pod_buffer_release(arguments[1]);
    pod_buffer_release(result);
}

static pod_profile *stop(pod_context *context)
{
    pod_profile *profile;
    ASSERT_OK(pod_profile_stop(context, &profile, &error));
    return profile;
}

static uint64_t sum_of(const uint64_t *parts)
{
    uint64_t sum = 0;
    for (int i = 0; i < POD_PARTS; i++)
        sum += parts[i];
    return sum;
}

TEST(parts_of_steps_sum_to_the_steps)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_profile_start(context, &error));
    run(context, program, 3);
    run(context, program, 2);
    pod_profile *profile = stop(context);
    pod_profile_facts facts = pod_profile_get_facts(profile);
    ASSERT_EQ(5, facts.steps);
    ASSERT_EQ(0, facts.steps_lost);
    ASSERT_EQ(1, facts.programs);
    ASSERT_EQ(2, facts.lanes);
    uint64_t before = facts.began;
    for (size_t i = 0; i < facts.steps; i++) {
        pod_profile_step step = pod_profile_get_step(profile, i);
        ASSERT_EQ(before, step.began); /* each begins where the one before ended */
        ASSERT_EQ(step.ended - step.began, sum_of(step.parts));
        ASSERT(step.parts[POD_PART_COMPUTE] > 0);
        ASSERT_EQ(0, step.program);
        ASSERT_EQ(facts.main_lane, step.lane);
        before = step.ended;
    }
    pod_profile_lane lane = pod_profile_get_lane(profile, facts.main_lane);
    ASSERT_EQ(facts.began, lane.began);
    ASSERT(sum_of(lane.parts) <= facts.ended - facts.began);
    pod_profile_free(profile);
    pod_program_free(program);
    pod_context_release(context);
}

TEST(operations_and_bytes_are_those_of_hand_counts)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_profile_start(context, &error));
    run(context, program, 4);
    pod_profile *profile = stop(context);
    pod_program_free(program); /* a profile needs no program */
    pod_instruction_time times[MOST];
    size_t count = pod_profile_get_times(profile, 0, times, MOST);
    ASSERT(count > 0 && count <= MOST);
    ASSERT_EQ(4, pod_profile_get_program(profile, 0).steps);
    double flops = 0;
    uint64_t nanoseconds = 0;
    for (size_t i = 0; i < count; i++) {
        flops += times[i].flops;
        nanoseconds += times[i].nanoseconds;
        ASSERT(times[i].runs >= 4);
        if (times[i].products) { /* with tanh on its tiles: x, w (or its packed form) and the result */
            ASSERT_NUMBER(PRODUCT_FLOPS + TANH_FLOPS, times[i].flops);
            ASSERT(times[i].bytes >= (256 * 128 + 128 * 64 + 256 * 64) * sizeof(float));
            ASSERT_TEXT("script.lua:7", times[i].location);
            ASSERT_TEXT("dense", times[i].layer);
        }
    }
    ASSERT_NUMBER(PRODUCT_FLOPS + TANH_FLOPS, flops);
    ASSERT_EQ(nanoseconds, pod_profile_get_program(profile, 0).nanoseconds);
    pod_profile_free(profile);
    pod_context_release(context);
}

TEST(events_are_of_their_instructions_and_within_the_recording)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_profile_start(context, &error));
    run(context, program, 3);
    pod_profile *profile = stop(context);
    pod_profile_facts facts = pod_profile_get_facts(profile);
    uint64_t instructions = 0, nanoseconds = 0, kinds[POD_EVENT_KINDS] = {0};
    for (size_t lane = 0; lane < facts.lanes; lane++) {
        pod_profile_event events[7]; /* so that they are read in several pieces */
        uint64_t before = 0;
        for (size_t first = 0, got; (got = pod_profile_get_events(profile, lane, first, events, 7)) > 0; first += got)
            for (size_t i = 0; i < got; i++) {
                ASSERT(events[i].began >= facts.began && events[i].ended <= facts.ended);
                ASSERT(events[i].began <= events[i].ended && events[i].ended >= before);
                before = events[i].ended;
                kinds[events[i].kind]++;
                if (events[i].kind != POD_EVENT_INSTRUCTION)
                    continue;
                ASSERT_EQ(1, events[i].program);
                ASSERT(events[i].index < pod_profile_get_program(profile, 0).instructions);
                instructions++;
                nanoseconds += events[i].ended - events[i].began;
            }
    }
    pod_instruction_time times[MOST];
    size_t count = pod_profile_get_times(profile, 0, times, MOST);
    uint64_t runs = 0;
    for (size_t i = 0; i < count; i++)
        runs += times[i].runs;
    ASSERT_EQ(runs, instructions);
    ASSERT_EQ(pod_profile_get_program(profile, 0).nanoseconds, nanoseconds);
    ASSERT_EQ(3, kinds[POD_EVENT_STEP]);
    ASSERT_EQ(1, kinds[POD_EVENT_RUN]);
    pod_profile_free(profile);
    pod_program_free(program);
    pod_context_release(context);
}

/* Of a long recording the newest events are there, what is gone is counted, and sums miss nothing. */
TEST(a_long_recording_keeps_the_newest_events_and_all_sums)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_profile_start(context, &error));
    pod_memory_stats before = pod_context_memory(context);
    for (int i = 0; i < 20000; i++)
        pod_profile_leave(context, pod_profile_enter(context, POD_PART_HOST, i < 19999 ? "span" : "last"));
    ASSERT_EQ(before.allocations, pod_context_memory(context).allocations); /* recording takes no memory */
    pod_profile *profile = stop(context);
    pod_profile_facts facts = pod_profile_get_facts(profile);
    ASSERT(facts.events_lost > 0);
    ASSERT_EQ(20000, facts.events + facts.events_lost);
    pod_profile_event last;
    ASSERT_EQ(1, pod_profile_get_events(profile, 0, facts.events - 1, &last, 1));
    ASSERT_TEXT("last", pod_profile_get_name(profile, last.name).text);
    uint64_t calls = 0;
    for (size_t i = 0; i < facts.names; i++)
        calls += pod_profile_get_name(profile, i).calls;
    ASSERT_EQ(20000, calls);
    pod_profile_free(profile);
    pod_context_release(context);
}

TEST(what_is_open_within_a_span_is_left_with_it)
{
    pod_context *context = test_context(NULL);
    ASSERT_EQ(0, pod_profile_enter(context, POD_PART_HOST, "off"));
    ASSERT_OK(pod_profile_start(context, &error));
    uint32_t outer = pod_profile_enter(context, POD_PART_CALLBACK, "outer");
    ASSERT_EQ(outer + 1, pod_profile_enter(context, POD_PART_HOST, "inner"));
    ASSERT_EQ(outer + 2, pod_profile_enter(context, POD_PART_OUTPUT, "innermost"));
    uv_sleep(2);
    pod_profile_leave(context, outer);
    pod_profile_leave(context, outer); /* nothing is open */
    pod_profile *profile = stop(context);
    pod_profile_facts facts = pod_profile_get_facts(profile);
    pod_profile_lane lane = pod_profile_get_lane(profile, facts.main_lane);
    ASSERT(lane.parts[POD_PART_OUTPUT] >= 2000000);
    ASSERT_EQ(4, facts.names);
    for (size_t i = 1; i < facts.names; i++) {
        pod_profile_name name = pod_profile_get_name(profile, i);
        ASSERT_EQ(1, name.calls);
        ASSERT(name.self <= name.total && name.total >= 2000000);
    }
    pod_profile_free(profile);
    pod_context_release(context);
}

TEST(recordings_are_one_at_a_time_and_begin_empty)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_program *program = tanh_program(context);
    pod_profile *profile;
    ASSERT_EQ(POD_ERROR_STATE, pod_profile_stop(context, &profile, &error));
    ASSERT(profile == NULL && !pod_profile_is_on(context, NULL));
    for (int i = 0; i < 3; i++) {
        uint64_t steps;
        ASSERT_OK(pod_profile_start(context, &error));
        ASSERT_EQ(POD_ERROR_STATE, pod_profile_start(context, &error));
        run(context, program, i + 1);
        ASSERT(pod_profile_is_on(context, &steps));
        ASSERT_EQ(i + 1, steps);
        profile = stop(context);
        ASSERT_EQ(i + 1, pod_profile_get_facts(profile).steps);
        ASSERT_EQ(i + 1, pod_profile_get_program(profile, 0).steps);
        pod_profile_free(profile);
        run(context, program, 5); /* is not recorded */
    }
    pod_program_free(program);
    pod_context_release(context);
}

/* Counted times and a recording are of one mechanism, and each has its own zero. */
TEST(counting_goes_on_through_a_recording)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_program_count_time(program, true, &error));
    run(context, program, 2);
    ASSERT_OK(pod_profile_start(context, &error));
    run(context, program, 3);
    pod_profile *profile = stop(context);
    run(context, program, 1);
    ASSERT_EQ(6, pod_program_get_times(program, NULL, 0).steps);
    ASSERT_EQ(3, pod_profile_get_program(profile, 0).steps);
    pod_profile_free(profile);
    pod_program_free(program);
    pod_context_release(context);
}

static void run_elsewhere(void *argument)
{
    pod_context *context = argument;
    for (int i = 0; i < 2000; i++)
        pod_profile_leave(context, pod_profile_enter(context, POD_PART_HOST, "elsewhere"));
}

/* Threads that come and go while recordings begin and end. */
TEST(threads_record_while_recordings_begin_and_end)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_profile_start(context, &error));
    for (int round = 0; round < 10; round++) {
        uv_thread_t threads[3];
        for (int i = 0; i < 3; i++)
            ASSERT_EQ(0, uv_thread_create(&threads[i], run_elsewhere, context));
        run(context, program, 2);
        pod_profile *profile = stop(context);
        pod_profile_facts facts = pod_profile_get_facts(profile);
        ASSERT_EQ(2, facts.steps);
        for (size_t lane = 0; lane < facts.lanes; lane++) {
            pod_profile_event event;
            for (size_t i = 0; pod_profile_get_events(profile, lane, i, &event, 1); i++)
                ASSERT(event.kind < POD_EVENT_KINDS && event.began <= event.ended);
        }
        pod_profile_free(profile);
        ASSERT_OK(pod_profile_start(context, &error));
        for (int i = 0; i < 3; i++)
            uv_thread_join(&threads[i]);
    }
    pod_profile_free(stop(context));
    pod_program_free(program);
    pod_context_release(context);
}

/* Elements of a prefetch are made by a thread that goes on while recordings begin and end. */
TEST(stages_on_other_threads_have_their_names)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_dataset *range, *batches, *ahead;
    pod_dataset_iterator *iterator;
    ASSERT_OK(pod_dataset_range(context, 0, 4000, 1, &range, &error));
    ASSERT_OK(pod_dataset_batch(range, &(pod_batch_options){.size = 4}, &batches, &error));
    ASSERT_OK(pod_dataset_prefetch(batches, 3, &ahead, &error));
    ASSERT_OK(pod_dataset_iterator_open(ahead, NULL, &iterator, &error));
    for (int round = 0; round < 20; round++) {
        ASSERT_OK(pod_profile_start(context, &error));
        for (int i = 0; i < 50; i++) {
            pod_buffer *batch;
            ASSERT_OK(pod_dataset_iterator_next(iterator, &batch, &error));
            pod_buffer_release(batch);
        }
        pod_profile *profile = stop(context);
        pod_profile_facts facts = pod_profile_get_facts(profile);
        bool taken = false, made = false;
        for (size_t i = 0; i < facts.names; i++) {
            pod_profile_name name = pod_profile_get_name(profile, i);
            if (strcmp(name.text, "Iterator::Prefetch") == 0) {
                taken = true;
                ASSERT_EQ(50, name.amount);
                ASSERT_EQ(50, pod_profile_get_name_on(profile, i, facts.main_lane).calls);
            } else if (strcmp(name.text, "Iterator::Prefetch::Batch") == 0) {
                made = true;
                ASSERT_EQ(0, pod_profile_get_name_on(profile, i, facts.main_lane).calls);
                ASSERT(name.self <= name.total);
            }
        }
        ASSERT(taken && made);
        pod_profile_event event;
        for (size_t lane = 0; lane < facts.lanes; lane++)
            for (size_t i = 0; pod_profile_get_events(profile, lane, i, &event, 1); i++)
                ASSERT(event.began >= facts.began && event.began <= event.ended && event.ended <= facts.ended);
        pod_profile_free(profile);
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(ahead);
    pod_dataset_release(batches);
    pod_dataset_release(range);
    pod_context_release(context);
}

/* Over seconds: of each span the system's clock is asked before and behind its ends. */
TEST(times_are_those_of_the_systems_clock)
{
    enum { SPANS = 700, FAR = 10000 }; /* of a second: 1e-5 */
    static uint64_t around[SPANS][4];
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    const uint64_t first = uv_hrtime();
    ASSERT_OK(pod_profile_start(context, &error));
    const uint64_t started = uv_hrtime();
    for (int i = 0; i < SPANS; i++) {
        around[i][0] = uv_hrtime();
        const uint32_t span = pod_profile_enter(context, POD_PART_HOST, "span");
        around[i][1] = uv_hrtime();
        uv_sleep((unsigned)i % 5);
        around[i][2] = uv_hrtime();
        pod_profile_leave(context, span);
        around[i][3] = uv_hrtime();
    }
    const uint64_t before = uv_hrtime();
    pod_profile *profile = stop(context);
    pod_profile_facts facts = pod_profile_get_facts(profile);
    ASSERT(facts.began >= first && facts.began <= started);
    ASSERT(facts.ended >= before && facts.ended <= uv_hrtime() + FAR);
    pod_profile_event event;
    for (size_t i = 0; i < SPANS; i++) {
        ASSERT_EQ(1, pod_profile_get_events(profile, facts.main_lane, i, &event, 1));
        ASSERT(event.began + FAR >= around[i][0] && event.began <= around[i][1] + FAR);
        ASSERT(event.ended + FAR >= around[i][2] && event.ended <= around[i][3] + FAR);
        ASSERT(event.began >= facts.began && event.ended <= facts.ended);
    }
    pod_profile_free(profile);
    pod_context_release(context);
}

TEST(what_is_taken_is_a_profile_and_the_recording_goes_on)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = tanh_program(context);
    pod_profile *profile;
    ASSERT_EQ(POD_ERROR_STATE, pod_profile_take(context, &profile, &error));
    ASSERT_OK(pod_profile_start(context, &error));
    for (int i = 1; i <= 3; i++) {
        run(context, program, 2);
        ASSERT_OK(pod_profile_take(context, &profile, &error));
        ASSERT(pod_profile_is_on(context, NULL));
        ASSERT_EQ(2 * i, pod_profile_get_facts(profile).steps);
        ASSERT_EQ(2 * i, pod_profile_get_program(profile, 0).steps);
        ASSERT(pod_profile_get_step(profile, 0).memory > 0);
        pod_profile_free(profile);
    }
    pod_profile_free(stop(context));
    pod_program_free(program);
    pod_context_release(context);
}

/* x, w and the result, each with its bytes; the product's last operand may have been packed into the arena. */
TEST(values_of_a_program_are_those_of_hand_counts)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_profile_start(context, &error));
    run(context, program, 1);
    pod_profile *profile = stop(context);
    pod_program_free(program);
    pod_profile_value values[MOST];
    const size_t count = pod_profile_get_values(profile, 0, values, MOST);
    uint64_t bytes[POD_VALUE_PLACES] = {0};
    ASSERT(count >= 3 && count <= MOST);
    ASSERT_EQ(0, pod_profile_get_values(profile, 7, values, MOST));
    for (size_t i = 0; i < count; i++) {
        bytes[values[i].place] += values[i].bytes;
        ASSERT(values[i].first <= values[i].last);
        ASSERT(values[i].last < pod_profile_get_program(profile, 0).instructions);
        ASSERT(values[i].kept || values[i].place == POD_VALUE_TEMPORARY);
    }
    ASSERT_EQ((256 * 128 + 128 * 64) * sizeof(float), bytes[POD_VALUE_ARGUMENT]);
    ASSERT_EQ(256 * 64 * sizeof(float), bytes[POD_VALUE_RESULT]);
    ASSERT_TEXT("temporary", pod_profile_place_name(POD_VALUE_TEMPORARY));
    pod_profile_free(profile);
    pod_context_release(context);
}

typedef pod_status write_function(const pod_profile *profile, const char *path, pod_error *error);

static pod_status write_xplane(const pod_profile *profile, const char *path, pod_error *why)
{
    return pod_profile_write_xplane(profile, NULL, path, why);
}

TEST(each_file_is_written_whole_or_not_at_all)
{
    static write_function *const writers[] = {pod_profile_write_chrome, pod_profile_write_perfetto,
                                              pod_profile_write_pprof, write_xplane};
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_program *program = tanh_program(context);
    ASSERT_OK(pod_profile_start(context, &error));
    run(context, program, 1);
    pod_profile_leave(context, pod_profile_enter(context, POD_PART_HOST, "Iterator::A::B cut \xC3"));
    pod_profile *profile = stop(context);
    char path[64];
    test_path(path, sizeof path, "test_profile.out");
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        ASSERT(writers[i](profile, "/nowhere/file", &error) < 0);
        ASSERT_OK(writers[i](profile, path, &error));
        pod_bytes bytes;
        ASSERT_OK(pod_file_read(context, path, &bytes, &error));
        ASSERT(bytes.size > 100);
        pod_bytes_free(context, &bytes);
        unlink(path);
    }
    pod_profile_free(profile);
    pod_program_free(program);
    pod_context_release(context);
}

TEST(a_trace_is_written_whole_or_not_at_all)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_profile_start(context, &error));
    pod_profile_leave(context, pod_profile_enter(context, POD_PART_HOST, "quote \" back \\ line \n cut \xC3"));
    pod_profile *profile = stop(context);
    ASSERT(pod_profile_write_chrome(profile, "/nowhere/trace.json", &error) < 0);
    char path[64];
    test_path(path, sizeof path, "test_profile.json");
    ASSERT_OK(pod_profile_write_chrome(profile, path, &error));
    pod_bytes bytes;
    ASSERT_OK(pod_file_read(context, path, &bytes, &error));
    ASSERT(bytes.size > 2 && ((const char *)bytes.data)[0] == '{');
    char *text = calloc(1, bytes.size + 1);
    memcpy(text, bytes.data, bytes.size);
    ASSERT(strstr(text, "\"quote \\\" back \\\\ line \\u000a cut \xEF\xBF\xBD\"") != NULL);
    free(text);
    pod_bytes_free(context, &bytes);
    unlink(path);
    pod_profile_free(profile);
    pod_context_release(context);
}

TEST_MAIN(RUN(parts_of_steps_sum_to_the_steps); RUN(operations_and_bytes_are_those_of_hand_counts);
          RUN(events_are_of_their_instructions_and_within_the_recording);
          RUN(a_long_recording_keeps_the_newest_events_and_all_sums); RUN(what_is_open_within_a_span_is_left_with_it);
          RUN(recordings_are_one_at_a_time_and_begin_empty); RUN(counting_goes_on_through_a_recording);
          RUN(threads_record_while_recordings_begin_and_end); RUN(stages_on_other_threads_have_their_names);
          RUN(times_are_those_of_the_systems_clock); RUN(what_is_taken_is_a_profile_and_the_recording_goes_on);
          RUN(values_of_a_program_are_those_of_hand_counts); RUN(each_file_is_written_whole_or_not_at_all);
          RUN(a_trace_is_written_whole_or_not_at_all))
