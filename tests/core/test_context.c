/* test_context - memory, log, errors, settings, interrupts, CPU families, arena and text. */

#include "test.h"

#include "base/arena.h"
#include "base/kept_blocks.h"
#include "base/system/system.h"
#include "base/text.h"
#include "base/workers.h"

TEST(a_context_gives_what_it_was_asked_for)
{
    pod_error error;
    pod_context *context;
    const pod_context_options options = {.threads = 3, .isa = "portable"};
    ASSERT_OK(pod_context_new(&options, &context, &error));
    ASSERT_EQ(3, pod_context_threads(context));
    ASSERT_TEXT("portable", pod_context_isa(context));
    ASSERT_OK(pod_context_set_threads(context, 2, &error));
    ASSERT_EQ(2, pod_context_threads(context));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "is 0; it must be 1 to 1024", pod_context_set_threads(context, 0, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "is 1025", pod_context_set_threads(context, 1025, &error));
    pod_context_release(context);
    pod_context_release(NULL);
}

TEST(the_default_threads_are_the_cpus_of_this_process)
{
    pod_context *context = test_context(NULL);
    const int cpus = pod_cpu_count();
    ASSERT_EQ(cpus < 64 ? cpus : 64, pod_context_threads(context));
    pod_context_release(context);
}

TEST(wrong_options_are_refused_and_give_no_context)
{
    pod_error error;
    pod_context *context = (pod_context *)&error;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "option 'threads' is -1",
                 pod_context_new(&(pod_context_options){.threads = -1}, &context, &error));
    ASSERT(context == NULL);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "option 'isa' is 'sse9', which names no family",
                 pod_context_new(&(pod_context_options){.isa = "sse9"}, &context, &error));
    ASSERT(context == NULL);
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_context_new(&(pod_context_options){.threads = 5000}, &context, NULL));
}

TEST(families_have_names_in_order)
{
    pod_cpu_family family = POD_CPU_AMX;
    ASSERT(pod_cpu_family_from_name("avx512", &family));
    ASSERT_EQ(POD_CPU_AVX512, family);
    ASSERT(!pod_cpu_family_from_name("", &family));
    ASSERT_EQ(POD_CPU_AVX512, family);
    for (int i = 0; i < POD_CPU_FAMILY_COUNT; i++) {
        ASSERT(pod_cpu_family_from_name(pod_cpu_family_name((pod_cpu_family)i), &family));
        ASSERT_EQ(i, family);
    }
}

TEST(a_family_that_the_cpu_lacks_is_refused_with_those_it_has)
{
    pod_error error;
    pod_cpu_family family;
    const pod_cpu_family best = pod_cpu_best_family();
    ASSERT_OK(pod_cpu_choose_family(pod_cpu_family_name(best), &family, &error));
    ASSERT_EQ(best, family);
    /* No CPU has those of another: ARM's neither AVX2 nor x86's NEON. */
    const char *missing = best == POD_CPU_NEON || best == POD_CPU_NEONBF16 ? "avx2" : "neon";
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "cannot run; it has portable", pod_cpu_choose_family(missing, &family, &error));
    if (best + 1 < POD_CPU_FAMILY_COUNT)
        ASSERT_FAILS(POD_ERROR_ARGUMENT, "cannot run; it has portable",
                     pod_cpu_choose_family(pod_cpu_family_name((pod_cpu_family)(best + 1)), &family, &error));
}

TEST(bf16_is_widened_where_its_own_instruction_is_slower)
{
    ASSERT(pod_cpu_widens_bf16("GenuineIntel", 6));
    ASSERT(!pod_cpu_widens_bf16("AuthenticAMD", 6));
    ASSERT(!pod_cpu_widens_bf16("AuthenticAMD", 15));
    const pod_cpu_family best = pod_cpu_best_family(), usual = pod_cpu_usual_family();
    ASSERT(usual == best || (best == POD_CPU_AVX512BF16 && usual == POD_CPU_AVX512));
}

TEST(memory_is_aligned_counted_and_goes_through_the_hosts_allocator)
{
    test_allocator allocator = {.granted = -1};
    const pod_context_options options = {.allocator = {test_resize, &allocator}};
    pod_context *context = test_context(&options);
    const pod_memory_stats before = pod_context_memory(context);
    ASSERT_EQ(allocator.live, before.allocations);

    void *blocks[40];
    for (size_t i = 0; i < 40; i++) {
        blocks[i] = pod_allocate(context, i * 7);
        ASSERT(blocks[i] != NULL);
        ASSERT_EQ(0, (uintptr_t)blocks[i] % 64);
        memset(blocks[i], 0xAB, i * 7);
    }
    const pod_memory_stats full = pod_context_memory(context);
    ASSERT_EQ(before.allocations + 40, full.allocations);
    ASSERT(full.current_bytes >= before.current_bytes + 40 * 39 / 2 * 7);
    for (size_t i = 0; i < 40; i++)
        pod_free(context, blocks[i]);
    pod_free(context, NULL);
    const pod_memory_stats after = pod_context_memory(context);
    ASSERT_EQ(before.current_bytes, after.current_bytes);
    ASSERT_EQ(full.current_bytes, after.peak_bytes);
    pod_context_release(context);
    ASSERT_EQ(0, allocator.live);
}

TEST(large_blocks_that_were_freed_are_given_again_and_few_are_kept)
{
    pod_kept_blocks kept = {0};
    const size_t size = POD_MOST_KEPT / 2;
    ASSERT(pod_kept_blocks_take(&kept, size) == NULL);
    void *first = malloc(size), *second = malloc(size), *third = malloc(POD_LARGE_BLOCK);
    pod_kept_blocks_free(&kept, first, size);
    pod_kept_blocks_free(&kept, second, size);
    ASSERT_EQ(POD_MOST_KEPT, kept.bytes);
    ASSERT(pod_kept_blocks_take(&kept, size - 64) == NULL); /* of this size alone */
    pod_kept_blocks_free(&kept, third, POD_LARGE_BLOCK);    /* ends what it has no room beside, the oldest */
    ASSERT_EQ(size + POD_LARGE_BLOCK, kept.bytes);
    ASSERT(pod_kept_blocks_take(&kept, size) == second);
    ASSERT(pod_kept_blocks_take(&kept, size) == NULL);
    for (int i = 0; i < 2 * POD_KEPT_PLACES; i++)
        pod_kept_blocks_free(&kept, malloc(POD_LARGE_BLOCK), POD_LARGE_BLOCK);
    ASSERT_EQ(POD_KEPT_PLACES * POD_LARGE_BLOCK, kept.bytes);
    pod_kept_blocks_free(&kept, second, size);
    pod_kept_blocks_free(&kept, malloc(POD_MOST_KEPT + 64), POD_MOST_KEPT + 64); /* nor what is larger */
    pod_kept_blocks_free(&kept, malloc(64), 64);
    ASSERT_EQ(size + (POD_KEPT_PLACES - 1) * POD_LARGE_BLOCK, kept.bytes);
    pod_kept_blocks_end(&kept);
    ASSERT_EQ(0, kept.bytes);

    pod_context *context = test_context(NULL);
    void *block = pod_allocate(context, POD_LARGE_BLOCK);
    pod_free(context, block);
    void *again = pod_allocate(context, POD_LARGE_BLOCK);
    ASSERT(again == block);
    pod_free(context, again);
    pod_context_release(context);
}

TEST(reallocating_keeps_the_content_and_failing_keeps_the_block)
{
    test_allocator allocator = {.granted = -1};
    const pod_context_options options = {.allocator = {test_resize, &allocator}};
    pod_context *context = test_context(&options);
    char *text = pod_reallocate(context, NULL, 8);
    strcpy(text, "moonpod");
    text = pod_reallocate(context, text, 100000);
    ASSERT_TEXT("moonpod", text);
    text = pod_reallocate(context, text, 8);
    ASSERT_TEXT("moonpod", text);
    allocator.granted = 0;
    ASSERT(pod_reallocate(context, text, 1000) == NULL);
    ASSERT_TEXT("moonpod", text);
    ASSERT(pod_allocate(context, SIZE_MAX) == NULL);
    ASSERT(pod_allocate_zeroed(context, SIZE_MAX / 2, 3) == NULL);
    pod_free(context, text);
    pod_context_release(context);
    ASSERT_EQ(0, allocator.live);
}

static pod_status make_context(long granted, test_allocator *allocator, pod_error *error)
{
    *allocator = (test_allocator){.granted = granted};
    const pod_context_options options = {.allocator = {test_resize, allocator}};
    pod_context *context;
    const pod_status status = pod_context_new(&options, &context, error);
    if (status != POD_OK)
        ASSERT(context == NULL);
    pod_context_release(context);
    return status;
}

TEST(making_a_context_survives_the_failure_of_every_allocation)
{
    pod_error error;
    test_allocator allocator;
    long granted = 0;
    while (make_context(granted, &allocator, &error) != POD_OK) {
        ASSERT_EQ(POD_ERROR_MEMORY, error.status);
        ASSERT_EQ(0, allocator.live);
        granted++;
    }
    ASSERT_EQ(0, allocator.live);
    ASSERT(granted >= 1);
}

TEST(an_interrupt_stays_until_it_is_taken_back)
{
    pod_context *context = test_context(NULL);
    ASSERT(!pod_context_is_interrupted(context));
    ASSERT(!pod_context_clear_interrupt(context));
    pod_context_interrupt(context);
    pod_context_interrupt(context);
    ASSERT(pod_context_is_interrupted(context));
    ASSERT(pod_context_clear_interrupt(context));
    ASSERT(!pod_context_clear_interrupt(context));
    pod_context_release(context);
}

static void keep_message(void *log_context, pod_log_level level, const char *message)
{
    snprintf(log_context, 64, "%d %s", (int)level, message);
}

TEST(messages_reach_the_hosts_log)
{
    char heard[64] = "";
    pod_context *context = test_context(NULL);
    pod_log(context, POD_LOG_WARNING, "nobody listens");
    pod_context_release(context);
    context = test_context(&(pod_context_options){.log = keep_message, .log_context = heard});
    pod_log(context, POD_LOG_WARNING, "%d of %s", 3, "these");
    ASSERT_TEXT("2 3 of these", heard);
    pod_context_release(context);
}

TEST(a_context_lives_until_its_last_share_ends)
{
    test_allocator allocator = {.granted = -1};
    pod_context *context = test_context(&(pod_context_options){.allocator = {test_resize, &allocator}});
    ASSERT(pod_context_retain(context) == context);
    pod_context_release(context);
    ASSERT(allocator.live > 0);
    pod_context_release(context);
    ASSERT_EQ(0, allocator.live);
}

TEST(a_context_beside_another_takes_its_memory_and_keeps_it_alive)
{
    pod_error error;
    pod_context *beside;
    test_allocator allocator = {.granted = -1};
    const pod_context_options options = {.isa = "portable", .allocator = {test_resize, &allocator}};
    pod_context *context = test_context(&options);
    ASSERT_OK(pod_context_new_beside(context, 2, &beside, &error));
    ASSERT_EQ(2, pod_context_threads(beside));
    ASSERT_TEXT("portable", pod_context_isa(beside));
    const uint64_t before = pod_context_memory(context).current_bytes;
    void *block = pod_allocate(beside, 1000);
    ASSERT(pod_context_memory(context).current_bytes >= before + 1000);
    pod_free(beside, block);
    ASSERT_EQ(before, pod_context_memory(context).current_bytes);
    pod_context_interrupt(context);
    ASSERT(!pod_context_is_interrupted(beside));
    pod_context_release(context);
    ASSERT(allocator.live > 0);
    pod_context_release(beside);
    ASSERT_EQ(0, allocator.live);
}

TEST(statuses_have_names_and_texts)
{
    ASSERT_TEXT("POD_ERROR_SHAPE", pod_status_name(POD_ERROR_SHAPE));
    ASSERT_TEXT("shapes do not fit", pod_status_text(POD_ERROR_SHAPE));
    ASSERT_TEXT("POD_ERROR_?", pod_status_name((pod_status)-99));
    ASSERT_EQ(POD_VERSION_MAJOR * 10000 + POD_VERSION_MINOR * 100 + POD_VERSION_PATCH, pod_version());
}

TEST(a_long_message_is_cut_between_characters)
{
    pod_error error;
    char text[2 * POD_ERROR_MESSAGE_SIZE];
    for (size_t lead = 0; lead < 4; lead++) {
        size_t used = lead;
        memset(text, 'a', lead);
        while (used + 3 < sizeof text) {
            memcpy(text + used, "\xE2\x82\xAC", 3); /* a character of three bytes */
            used += 3;
        }
        text[used] = '\0';
        ASSERT_EQ(POD_ERROR_VALUE, pod_error_set(&error, POD_ERROR_VALUE, "%s", text));
        const size_t length = strlen(error.message);
        ASSERT(length >= POD_ERROR_MESSAGE_SIZE - 4);
        ASSERT_EQ(0, (length - lead) % 3);
    }
    ASSERT_EQ(POD_ERROR_IO, pod_error_set(NULL, POD_ERROR_IO, "nobody reads %d", 1));
}

TEST(text_can_be_put_before_a_message)
{
    pod_error error;
    pod_error_set(&error, POD_ERROR_SHAPE, "rows differ");
    ASSERT_EQ(POD_ERROR_SHAPE, pod_error_prepend(&error, "layer '%s': ", "dense_1"));
    ASSERT_TEXT("layer 'dense_1': rows differ", error.message);
    char text[POD_ERROR_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    pod_error_set(&error, POD_ERROR_SHAPE, "%s", text);
    pod_error_prepend(&error, "%s: ", "here");
    ASSERT_EQ(POD_ERROR_MESSAGE_SIZE - 1, strlen(error.message));
    ASSERT_CONTAINS("here: xxx", error.message);
    pod_error_prepend(NULL, "%s", "nobody");
}

TEST(an_arena_gives_zeroed_aligned_blocks_and_frees_them_together)
{
    pod_context *context = test_context(NULL);
    const uint64_t before = pod_context_memory(context).current_bytes;
    pod_arena arena;
    pod_arena_init(&arena, context);
    unsigned char *blocks[300];
    for (size_t i = 0; i < 300; i++) {
        const size_t size = i % 50 == 49 ? 20000 : i;
        blocks[i] = pod_arena_allocate(&arena, size);
        ASSERT_EQ(0, (uintptr_t)blocks[i] % 16);
        for (size_t j = 0; j < size; j++)
            ASSERT_EQ(0, blocks[i][j]);
        memset(blocks[i], (int)(i % 251), size);
    }
    for (size_t i = 0; i < 300; i++)
        for (size_t j = 0; j < (i % 50 == 49 ? 20000 : i); j++)
            ASSERT_EQ(i % 251, blocks[i][j]);
    ASSERT_TEXT("dense_1", pod_arena_string(&arena, "dense_1"));
    ASSERT(pod_arena_string(&arena, NULL) == NULL);
    ASSERT(pod_arena_array(&arena, SIZE_MAX / 4, 8) == NULL);
    pod_arena_clear(&arena);
    ASSERT_EQ(before, pod_context_memory(context).current_bytes);
    pod_context_release(context);
}

static pod_status fill_arena(pod_context *context, pod_error *error)
{
    pod_arena arena;
    pod_arena_init(&arena, context);
    pod_status status = POD_OK;
    for (int i = 0; i < 40 && status == POD_OK; i++)
        if (!pod_arena_allocate(&arena, i % 9 ? 1000 : 9000))
            status = pod_error_memory(error, "a test", 1000);
    pod_arena_clear(&arena);
    return status;
}

TEST(an_arena_survives_the_failure_of_every_allocation)
{
    every_allocation_may_fail(fill_arena);
}

static pod_status write_text(pod_context *context, pod_error *error)
{
    pod_text text;
    pod_text_init(&text, context);
    for (int i = 0; i < 1000; i++)
        pod_text_format(&text, "%d,", i);
    char *taken = pod_text_take(&text);
    if (!taken)
        return pod_error_memory(error, "a text", 1);
    ASSERT_EQ(3890, strlen(taken));
    ASSERT_CONTAINS("0,1,2,3", taken);
    ASSERT_CONTAINS(",998,999,", taken);
    pod_free(context, taken);
    return POD_OK;
}

TEST(a_text_grows_and_survives_the_failure_of_every_allocation)
{
    every_allocation_may_fail(write_text);
}

TEST(numbers_are_written_as_the_shortest_that_read_back)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},
                {-0.0, "-0"},
                {0.1, "0.1"},
                {1e30, "1e+30"},
                {1.0 / 3, "0.3333333333333333"},
                {-2.5, "-2.5"},
                {5e-324, "5e-324"},
                {INFINITY, "inf"},
                {-INFINITY, "-inf"},
                {NAN, "nan"},
                {123456789, "123456789"}};
    pod_context *context = test_context(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pod_text text;
        pod_text_init(&text, context);
        pod_text_number(&text, rows[i].value);
        char *taken = pod_text_take(&text);
        ASSERT_TEXT(rows[i].text, taken);
        pod_free(context, taken);
    }
    pod_text text;
    pod_text_init(&text, context);
    pod_text_append(&text, "left");
    pod_text_clear(&text);
    ASSERT_TEXT("", text.data = pod_text_take(&text));
    pod_free(context, text.data);
    pod_context_release(context);
}

/* Hosts tell by these two words that a failure says nothing of what was tried. */
TEST(want_of_memory_is_told_alike)
{
    pod_error error = {POD_OK, ""};
    ASSERT_EQ(POD_ERROR_MEMORY, pod_error_memory(&error, "a plan", 0));
    ASSERT_TEXT("there is no memory for a plan", error.message);
    ASSERT_EQ(POD_ERROR_MEMORY, pod_error_memory(&error, "a plan", 64));
    ASSERT_TEXT("a plan needs 64 bytes, and there is no memory", error.message);
    error.status = POD_OK;
    ASSERT_EQ(POD_ERROR_MEMORY, pod_error_or_memory(&error, "a plan"));
    pod_error_set(&error, POD_ERROR_SHAPE, "rows differ");
    ASSERT_EQ(POD_ERROR_SHAPE, pod_error_or_memory(&error, "a plan"));
    ASSERT_TEXT("rows differ", error.message);
}

TEST_MAIN(RUN(want_of_memory_is_told_alike); RUN(a_context_gives_what_it_was_asked_for);
          RUN(bf16_is_widened_where_its_own_instruction_is_slower);
          RUN(the_default_threads_are_the_cpus_of_this_process); RUN(wrong_options_are_refused_and_give_no_context);
          RUN(families_have_names_in_order); RUN(a_family_that_the_cpu_lacks_is_refused_with_those_it_has);
          RUN(memory_is_aligned_counted_and_goes_through_the_hosts_allocator);
          RUN(large_blocks_that_were_freed_are_given_again_and_few_are_kept);
          RUN(reallocating_keeps_the_content_and_failing_keeps_the_block);
          RUN(making_a_context_survives_the_failure_of_every_allocation);
          RUN(an_interrupt_stays_until_it_is_taken_back); RUN(messages_reach_the_hosts_log);
          RUN(a_context_lives_until_its_last_share_ends);
          RUN(a_context_beside_another_takes_its_memory_and_keeps_it_alive); RUN(statuses_have_names_and_texts);
          RUN(a_long_message_is_cut_between_characters); RUN(text_can_be_put_before_a_message);
          RUN(an_arena_gives_zeroed_aligned_blocks_and_frees_them_together);
          RUN(an_arena_survives_the_failure_of_every_allocation);
          RUN(a_text_grows_and_survives_the_failure_of_every_allocation);
          RUN(numbers_are_written_as_the_shortest_that_read_back))
