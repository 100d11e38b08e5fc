/* test_random - Philox against its authors' vectors, the keying, and streams. */

#include "test.h"

#include "base/random.h"
#include "drawn_number.h"

TEST(philox_gives_the_published_vectors)
{
    /* Random123, tests/kat_vectors, "philox4x32 10": counter, key, result. */
    static const uint32_t rows[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
         0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
         0x24126ea1},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t result[4];
        pod_philox(rows[i], rows[i] + 4, result);
        for (int j = 0; j < 4; j++)
            ASSERT_EQ(rows[i][6 + j], result[j]);
    }
}

TEST(splitmix64_gives_the_published_sequence)
{
    /* The generator seeded with 1234567: its first outputs. */
    static const uint64_t expected[3] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                         UINT64_C(9817491932198370423)};
    for (uint64_t i = 0; i < 3; i++)
        ASSERT_EQ(expected[i], pod_splitmix64(1234567 + i * POD_RANDOM_GOLDEN));
}

TEST(an_elements_number_is_its_place_in_the_block_of_four)
{
    for (uint64_t element = 0; element < 40; element++) {
        uint32_t block[4];
        pod_random_block(7, 8, 9, 10, element / 4, block);
        ASSERT_EQ(block[element % 4], drawn_number(7, 8, 9, 10, element));
    }
}

TEST(the_counter_is_laid_out_as_documented)
{
    uint32_t counter[4], key[2], result[4];
    pod_random_counter(3, 5, 2, counter);
    ASSERT_EQ(2, counter[0]);
    ASSERT_EQ(5, counter[1]);
    ASSERT_EQ(3, counter[2]);
    ASSERT_EQ(0, counter[3]);
    pod_random_key(11, 12, key);
    const uint64_t mixed = pod_splitmix64(11 + POD_RANDOM_GOLDEN * pod_splitmix64(12));
    ASSERT_EQ((uint32_t)mixed, key[0]);
    ASSERT_EQ(mixed >> 32, key[1]);
    pod_philox(counter, key, result);
    ASSERT_EQ(result[1], drawn_number(11, 12, 3, 5, 9));
}

TEST(every_part_of_the_place_changes_the_number)
{
    const uint32_t base = drawn_number(1, 2, 3, 4, 5);
    ASSERT(base != drawn_number(2, 2, 3, 4, 5));
    ASSERT(base != drawn_number(1, 3, 3, 4, 5));
    ASSERT(base != drawn_number(1, 2, 4, 4, 5));
    ASSERT(base != drawn_number(1, 2, 3, 5, 5));
    ASSERT(base != drawn_number(1, 2, 3, 4, 6));
    ASSERT(base != drawn_number(1 + (UINT64_C(1) << 40), 2, 3, 4, 5));
    ASSERT(base != drawn_number(1, 2, 3 + (UINT64_C(1) << 32), 4, 5));
    ASSERT(base != drawn_number(1, 2, 3, 4 + (UINT64_C(1) << 32), 5));
    ASSERT(base != drawn_number(1, 2, 3, 4, 5 + (UINT64_C(1) << 34)));
    /* Swapping seed and op gives another key. */
    ASSERT(drawn_number(1, 2, 0, 0, 0) != drawn_number(2, 1, 0, 0, 0));
}

TEST(bits_are_balanced)
{
    uint32_t ones[32] = {0};
    for (uint64_t i = 0; i < 20000; i++) {
        const uint32_t value = drawn_number(42, 1, i / 1000, i % 1000 / 10, i % 10);
        for (int bit = 0; bit < 32; bit++)
            ones[bit] += value >> bit & 1;
    }
    for (int bit = 0; bit < 32; bit++) /* five standard deviations are 354 */
        ASSERT_NEAR(10000, ones[bit], 0, 354);
}

TEST(a_stream_repeats_with_its_seed_and_differs_by_name)
{
    pod_random_stream a, b, c;
    pod_random_stream_init(&a, 1, 10);
    pod_random_stream_init(&b, 1, 10);
    pod_random_stream_init(&c, 1, 11);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        const uint32_t value = pod_random_next(&a);
        ASSERT_EQ(value, pod_random_next(&b));
        same += value == pod_random_next(&c);
    }
    ASSERT(same < 3);
}

TEST(a_stream_draws_below_a_limit_evenly)
{
    pod_random_stream stream;
    int counts[7] = {0};
    pod_random_stream_init(&stream, 3, 0);
    for (int i = 0; i < 70000; i++) {
        const uint64_t value = pod_random_below(&stream, 7);
        ASSERT(value < 7);
        counts[value]++;
    }
    for (int i = 0; i < 7; i++)
        ASSERT_NEAR(10000, counts[i], 0, 500);
    ASSERT_EQ(0, pod_random_below(&stream, 1));
    ASSERT_EQ(0, pod_random_below(&stream, 0));
    for (int i = 0; i < 1000; i++) {
        const double value = pod_random_unit(&stream);
        ASSERT(value >= 0 && value < 1);
    }
}

TEST_MAIN(RUN(philox_gives_the_published_vectors); RUN(splitmix64_gives_the_published_sequence);
          RUN(an_elements_number_is_its_place_in_the_block_of_four); RUN(the_counter_is_laid_out_as_documented);
          RUN(every_part_of_the_place_changes_the_number); RUN(bits_are_balanced);
          RUN(a_stream_repeats_with_its_seed_and_differs_by_name); RUN(a_stream_draws_below_a_limit_evenly))
