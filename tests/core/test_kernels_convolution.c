/* Convolutions of the family that MOONPOD_ISA names: see convolution_cases.h. */

#include "convolution_cases.h"

static const pod_kernels *chosen(void)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernels_choose(NULL, &kernels, &error));
    return kernels;
}

TEST(bf16_convolutions_are_those_of_the_reference)
{
    check_convolutions(POD_BF16, &chosen()->dot_bf16, chosen()->direct);
}

TEST(f32_convolutions_are_those_of_the_reference)
{
    check_convolutions(POD_F32, &chosen()->dot_f32, chosen()->direct);
}

TEST(what_is_not_finite_stays_where_it_is_met)
{
    check_not_finite(POD_BF16, &chosen()->dot_bf16);
    check_not_finite(POD_F32, &chosen()->dot_f32);
}

/* What store() makes of a sum: the steps one by one. */
static float finished(float sum, const pod_direct_finish *finish, int64_t filter)
{
    float x = finish->bias ? sum + finish->bias[filter] : sum;
    return finish->relu && x <= 0 ? 0 : x;
}

static void check_finish(const window_trial *trial, pod_convolution_call *call, int64_t count)
{
    float *sums = aligned_alloc(64, ((size_t)count * 4 + 64) & ~(size_t)63);
    float *got = aligned_alloc(64, ((size_t)count * 4 + 64) & ~(size_t)63);
    _Alignas(64) float bias[64];
    for (int64_t i = 0; i < 64; i++)
        bias[i] = (float)(i % 5) * 0.25f - 0.5f;
    call->result = sums;
    call->result_stride = trial->filters;
    run_units(call, 1000);
    for (int variant = 0; variant < 8; variant++) {
        pod_direct_finish finish = {variant & 1 ? bias : NULL, variant & 2,
                                    variant & 4 ? POD_BF16 : POD_F32, got};
        pod_convolution_call other = *call;
        other.result = NULL;
        other.finish = &finish;
        run_units(&other, 2);
        for (int64_t i = 0; i < count; i++) {
            float want = finished(sums[i], &finish, i % trial->filters);
            if (variant & 4)
                ASSERT_EQ(((uint16_t *)got)[i], pod_bf16_from_f32(want));
            else
                ASSERT(memcmp(&got[i], &want, sizeof want) == 0);
        }
    }
    free(sums);
    free(got);
}

/* Bias, relu and rounding in registers give the bits of the steps one by one, also of NaN and infinities. */
TEST(what_is_finished_in_registers_is_the_same)
{
    int checked = 0;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        window_trial trial = trials[i];
        trial.filters = trial.filters < 32 ? 16 : trial.filters < 48 ? 32 : 48;
        random_state = 11;
        setup made = new_setup(&trial, POD_F32);
        float *x = made.x.data;
        x[0] = INFINITY;
        x[pod_shape_elements(&made.x.shape) - 1] = NAN;
        pod_convolution_call call = {.kind = POD_CONVOLVE, .dtype = POD_F32,
                                     .dot = &chosen()->dot_f32, .direct = chosen()->direct,
                                     .left = made.x.data, .right = made.kernel.data};
        call.sizes = pod_convolution_find_sizes(&made.attributes.window, &made.x.shape,
                                                &made.kernel.shape, &made.g.shape);
        if (pod_convolution_finishes(&call)) {
            check_finish(&trial, &call, pod_shape_elements(&made.g.shape));
            checked++;
        }
        free_setup(&made);
    }
    ASSERT(checked >= 5);
}

TEST_MAIN(RUN(what_is_finished_in_registers_is_the_same);
          RUN(what_is_not_finite_stays_where_it_is_met);
          RUN(bf16_convolutions_are_those_of_the_reference);
          RUN(f32_convolutions_are_those_of_the_reference))
