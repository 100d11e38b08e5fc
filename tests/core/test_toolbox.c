/* test_toolbox - what core/base has for all: sizes, bytes, growing arrays and sets; and the buckets of texts. */

#include <string.h>

#include "test.h"

#include "base/bytes.h"
#include "base/growth.h"
#include "base/sets.h"
#include "base/sizes.h"
#include "moonpod/formats.h"

TEST(sizes_are_rounded_up_to_units)
{
    for (int64_t size = 0; size < 300; size++) {
        for (int64_t unit = 1; unit < 70; unit++) {
            const int64_t whole = pod_round_up(size, unit);
            ASSERT_EQ(0, whole % unit);
            ASSERT(whole >= size && whole < size + unit);
            ASSERT_EQ(whole, pod_part_count(size, unit) * unit);
            ASSERT_EQ(whole, pod_round_up_bytes((size_t)size, (size_t)unit));
        }
    }
}

TEST(even_parts_are_few_and_hold_all)
{
    for (int64_t total = 1; total < 500; total++) {
        const int64_t part = pod_even_part(total, 96, 16);
        ASSERT_EQ(0, part % 16);
        ASSERT(part <= 96 && part * pod_part_count(total, part) >= total);
        ASSERT(pod_part_count(total, part) <= pod_part_count(total, 96));
    }
}

TEST(fair_parts_give_two_threads_as_much)
{
    ASSERT_EQ(7, pod_fair_part(14, 10)); /* and not 10 and 4 */
    ASSERT_EQ(7, pod_fair_part(28, 5));  /* and not five of 5 and one of 3 */
    ASSERT_EQ(14, pod_fair_part(112, 14));
    ASSERT_EQ(1, pod_fair_part(7, 1));
    for (int64_t total = 1; total < 300; total++)
        for (int64_t least = 1; least <= total; least++) {
            const int64_t part = pod_fair_part(total, least), count = pod_part_count(total, part);
            ASSERT(part >= 1 && part <= total && count <= pod_part_count(total, least));
            ASSERT(least == total || (count + 1) / 2 * part < total); /* two threads have something to do */
        }
}

TEST(bytes_are_read_in_the_order_of_the_name)
{
    static const unsigned char bytes[] = {0xff, 0x81, 0x02, 0x03, 0x84, 0x05, 0x06, 0x07, 0x88};
    ASSERT_EQ(0x0281, pod_little_u16(bytes + 1));
    ASSERT_EQ(0x84030281u, pod_little_u32(bytes + 1));
    ASSERT_EQ(UINT64_C(0x8807060584030281), pod_little_u64(bytes + 1));
    ASSERT_EQ(0x8102, pod_big_u16(bytes + 1));
    ASSERT_EQ(0x81020384u, pod_big_u32(bytes + 1));
}

TEST(bytes_are_written_as_they_are_read)
{
    unsigned char bytes[40];
    memset(bytes, 0xaa, sizeof bytes);
    unsigned char *end = pod_put_little_u16(bytes + 1, 0x1fedc);
    end = pod_put_little_u32(end, 0x89abcdef);
    end = pod_put_little_u64(end, UINT64_C(0xfedcba9876543210));
    end = pod_put_big_u32(end, 0xfedcba98);
    end = pod_put_big_u64(end, UINT64_C(0x8000000000000001));
    ASSERT_EQ(27, end - bytes);
    ASSERT_EQ(0xfedc, pod_little_u16(bytes + 1));
    ASSERT_EQ(0x89abcdefu, pod_little_u32(bytes + 3));
    ASSERT_EQ(UINT64_C(0xfedcba9876543210), pod_little_u64(bytes + 7));
    ASSERT_EQ(0xfedcba98u, pod_big_u32(bytes + 15));
    ASSERT_EQ(0x80000000u, pod_big_u32(bytes + 19));
    ASSERT_EQ(1, pod_big_u32(bytes + 23));
    ASSERT(bytes[0] == 0xaa && bytes[27] == 0xaa);
}

TEST(arrays_of_the_heap_double)
{
    pod_context *context = test_context(NULL);
    uint32_t *items = NULL;
    size_t room = 0, blocks = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        const size_t before = room;
        ASSERT_EQ(POD_OK, pod_grow(context, &items, &room, i + 1, (pod_growth){sizeof *items, .first = 10}, NULL));
        ASSERT(room > i && (before == 0 ? room == 10 : room == before || room == 2 * before));
        blocks += room != before;
        items[i] = i * i;
    }
    ASSERT_EQ(8, blocks);
    for (uint32_t i = 0; i < 1000; i++)
        ASSERT_EQ(i * i, items[i]);
    pod_free(context, items);
    pod_context_release(context);
}

TEST(room_is_bounded_but_for_what_is_needed)
{
    pod_context *context = test_context(NULL);
    char *bytes = NULL;
    size_t room = 0;
    const pod_growth growth = {1, .first = 64, .most = 100};
    ASSERT_EQ(POD_OK, pod_grow(context, &bytes, &room, 1, growth, NULL));
    ASSERT_EQ(64, room);
    ASSERT_EQ(POD_OK, pod_grow(context, &bytes, &room, 65, growth, NULL));
    ASSERT_EQ(100, room);
    ASSERT_EQ(POD_OK, pod_grow(context, &bytes, &room, 1234, growth, NULL));
    ASSERT_EQ(1234, room);
    pod_free(context, bytes);
    pod_context_release(context);
}

TEST(sizes_of_arrays_that_overflow_are_refused)
{
    pod_context *context = test_context(NULL);
    pod_error error;
    char *items = NULL;
    size_t room = 0;
    const size_t needed = SIZE_MAX / 16 + 2;
    ASSERT_EQ(POD_ERROR_MEMORY, pod_grow(context, &items, &room, needed, (pod_growth){16, .what = "a list"}, &error));
    ASSERT(strstr(error.message, "a list needs"));
    ASSERT(!items && room == 0);
    pod_arena arena;
    uint32_t places = 0;
    pod_arena_init(&arena, context);
    ASSERT(!pod_arena_grow(&arena, &items, &places, UINT32_MAX, (pod_growth){.item = 1}));
    ASSERT(!items && places == 0);
    pod_arena_clear(&arena);
    pod_context_release(context);
}

TEST(arrays_of_an_arena_keep_their_items_and_add_zeros)
{
    pod_context *context = test_context(NULL);
    pod_arena arena;
    uint64_t *items = NULL;
    uint32_t room = 0;
    pod_arena_init(&arena, context);
    for (uint32_t i = 0; i < 300; i++) {
        ASSERT(pod_arena_grow(&arena, &items, &room, i + 1, (pod_growth){sizeof *items, .first = 3}));
        ASSERT_EQ(0, items[i]);
        items[i] = 7 * i + 1;
    }
    ASSERT_EQ(384, room);
    for (uint32_t i = 0; i < 300; i++)
        ASSERT_EQ(7 * i + 1, items[i]);
    pod_arena_clear(&arena);
    pod_context_release(context);
}

TEST(sets_are_what_was_joined)
{
    uint32_t parents[100];
    for (uint32_t i = 0; i < 100; i++)
        parents[i] = i;
    for (uint32_t i = 0; i + 7 < 100; i++)
        pod_set_join(parents, i + 7, i);
    for (uint32_t i = 0; i < 100; i++)
        ASSERT_EQ(i % 7 < 2 ? 98 + i % 7 : 91 + i % 7, pod_set_of(parents, i));
    pod_set_join(parents, 0, 0);
    ASSERT_EQ(98, pod_set_of(parents, 0));
}

TEST(texts_fall_into_the_buckets_of_tensorflow)
{
    const uint64_t key[2] = {133, 137};
    /* tests/golden/keras_preprocessing.py has texts of all lengths; these are Keras' own examples */
    static const int farm[] = {1, 0, 1, 1, 2}, sip[] = {1, 2, 1, 0, 2};
    for (int i = 0; i < 5; i++) {
        const char letter = (char)('A' + i);
        ASSERT_EQ(farm[i], (int)pod_text_bucket(&letter, 1, NULL, 3));
        ASSERT_EQ(sip[i], (int)pod_text_bucket(&letter, 1, key, 3));
    }
    ASSERT_EQ(0, (int)pod_text_bucket(NULL, 0, key, 1));
}

TEST_MAIN(RUN(sizes_are_rounded_up_to_units); RUN(even_parts_are_few_and_hold_all);
          RUN(fair_parts_give_two_threads_as_much); RUN(bytes_are_read_in_the_order_of_the_name);
          RUN(bytes_are_written_as_they_are_read); RUN(arrays_of_the_heap_double);
          RUN(room_is_bounded_but_for_what_is_needed); RUN(sizes_of_arrays_that_overflow_are_refused);
          RUN(arrays_of_an_arena_keep_their_items_and_add_zeros); RUN(sets_are_what_was_joined);
          RUN(texts_fall_into_the_buckets_of_tensorflow))
