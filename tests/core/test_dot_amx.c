/*
 * The AMX kernel on any machine: its source, compiled here against an emulator of the tile instructions,
 * has to give the bits of the plain model of tdpbf16ps below, and to pass all checks of a product.
 */

#include "tile_emulator.h"
#define pod_dot_bf16_amx emulated_bf16_amx
#include "kernels/dot_amx.c"
#undef pod_dot_bf16_amx

#include "dot_cases.h"

/* Element (i, j) as the instruction sums it: blocks of 32 k, each in an even and an odd chain. */
static float model(const dot_setup *setup, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t block = 0; block < setup->call.k; block += 32) {
        float chains[2] = {0, 0};
        for (int64_t k = block; k < block + 32 && k < setup->call.k; k++)
            chains[k & 1] = emulated_step(chains[k & 1], operand_get(&setup->a, i, k), operand_get(&setup->b, k, j));
        sum = emulated_total(sum, chains[0], chains[1]);
    }
    return sum;
}

TEST(emulated_tiles_give_the_bits_of_the_model)
{
    const dot_case shapes[] = {{1, 1, 1, false, false, 0},      {33, 17, 31, false, true, 0},
                               {32, 32, 32, true, false, 0},    {70, 130, 65, true, true, 2},
                               {530, 49, 100, false, false, 1}, {40, 10, 1500, true, false, 0},
                               {40, 140, 4200, true, false, 0}, {140, 40, 1100, false, false, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        dot_setup setup = dot_setup_new(&emulated_bf16_amx, POD_BF16, POD_BF16, &shapes[s]);
        dot_setup_run(&setup, 0, 0);
        int64_t wrong = 0;
        for (int64_t i = 0; i < shapes[s].m; i++)
            for (int64_t j = 0; j < shapes[s].n; j++) {
                float expected = model(&setup, i, j);
                float got = setup.call.result[i * setup.call.result_stride + j];
                wrong += memcmp(&expected, &got, 4) != 0;
            }
        DOT_CHECK(wrong == 0, "shape %zu: %lld elements differ in bits", s, (long long)wrong);
        dot_setup_free(&setup);
    }
}

TEST(emulated_products_are_right_in_every_shape_and_cut)
{
    dot_check_all(&emulated_bf16_amx, POD_BF16, "emulated amx");
    ASSERT_EQ(0, emulated_tiles_open);
}

TEST(many_products_share_the_tiles_of_a_thread)
{
    const dot_case shape = {40, 33, 50, false, false, 0};
    dot_setup setup = dot_setup_new(&emulated_bf16_amx, POD_BF16, POD_BF16, &shape);
    setup.call.begun = true;
    emulated_bf16_amx.begin();
    for (int i = 0; i < 2; i++) {
        dot_setup_run(&setup, 0, 0);
        ASSERT_EQ(1, emulated_tiles_open);
        dot_setup_compare(&setup, &shape, "begun", 1);
    }
    emulated_bf16_amx.end();
    ASSERT_EQ(0, emulated_tiles_open);
    dot_setup_free(&setup);
}

TEST_MAIN(RUN(many_products_share_the_tiles_of_a_thread); RUN(emulated_tiles_give_the_bits_of_the_model);
          RUN(emulated_products_are_right_in_every_shape_and_cut))
