/* Products of the family that MOONPOD_ISA names (the best by default). */

#include "dot_cases.h"

#include "kernels/openblas.h"

static const pod_kernels *chosen(void)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family(NULL, &kernels, &error));
    return kernels;
}

TEST(bf16_products_are_right_in_every_shape_and_cut)
{
    dot_check_all(&chosen()->dot_bf16, POD_BF16, "bf16");
}

TEST(f32_products_are_right_in_every_shape_and_cut)
{
    dot_check_all(&chosen()->dot_f32, POD_F32, "f32");
    printf("# f32 library: %s\n", pod_kernel_f32_library());
}

TEST(f32_products_of_few_rows_are_right_in_every_shape_and_cut)
{
    dot_check_all(&chosen()->dot_f32_few, POD_F32, "f32 of few rows");
}

TEST(long_sums_over_many_columns_are_right)
{
    for (int variant = 0; variant < 4; variant++) {
        const dot_case shape = {70, 500, 1601, variant & 1, variant & 2, 0};
        dot_setup setup = dot_setup_new(&chosen()->dot_bf16, POD_BF16, POD_BF16, &shape);
        dot_setup_run(&setup, 0, 0);
        dot_setup_compare(&setup, &shape, "bf16", 1);
        dot_setup_free(&setup);
        setup = dot_setup_new(&chosen()->dot_f32, POD_F32, POD_F32, &shape);
        dot_setup_run(&setup, 0, 0);
        dot_setup_compare(&setup, &shape, "f32", 1);
        dot_setup_free(&setup);
    }
}

TEST(unknown_families_are_refused)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "portable", pod_kernel_choose_family("sse9", &kernels, &error));
    ASSERT(kernels == NULL);
}

TEST_MAIN(RUN(bf16_products_are_right_in_every_shape_and_cut); RUN(f32_products_are_right_in_every_shape_and_cut);
          RUN(f32_products_of_few_rows_are_right_in_every_shape_and_cut); RUN(long_sums_over_many_columns_are_right);
          RUN(unknown_families_are_refused))
