/* f32 products where there is no OpenBLAS: our own kernels stand in. */

#include "dot_cases.h"

#include "kernels/openblas.h"

TEST(f32_products_need_no_library)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family(NULL, &kernels, &error));
    dot_check_all(&kernels->dot_f32, POD_F32, "f32 of our own");
    ASSERT_CONTAINS("own kernels", pod_kernel_f32_library());
}

TEST_MAIN(system_set_variable("MOONPOD_OPENBLAS", ""); RUN(f32_products_need_no_library))
