/* Convolutions by the AMX kernels on any machine: their source, compiled here against the emulator
 * of tiles. */

#include "tile_emulator.h"
#define pod_dot_bf16_amx emulated_bf16_amx
#include "kernels/dot_amx.c"
#undef pod_dot_bf16_amx

#include "convolution_cases.h"

TEST(emulated_convolutions_are_those_of_the_reference)
{
    check_convolutions((pod_convolution_call){.dtype = POD_BF16, .dot = &emulated_bf16_amx});
    ASSERT_EQ(0, emulated_tiles_open);
}

TEST(what_is_not_finite_stays_where_it_is_met)
{
    check_not_finite((pod_convolution_call){.dtype = POD_BF16, .dot = &emulated_bf16_amx}, 33);
}

TEST_MAIN(RUN(what_is_not_finite_stays_where_it_is_met); RUN(emulated_convolutions_are_those_of_the_reference))
