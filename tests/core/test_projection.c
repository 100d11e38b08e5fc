/* Times of steps: what kernels compute and move, counted by hand, and published measurements beside the model. */

#include "test_path.h"
#include "tpu_setup.h"

#include "moonpod/formats.h"
#include "moonpod/project.h"

#include <math.h>
#include <unistd.h>

static pod_projection *projection;
static pod_project_options options;

/* On a chip, or on a slice of it. */
static void project(const char *chip)
{
    pod_slice slice;
    options.slice = NULL;
    if (strchr(chip, '-')) {
        ASSERT_OK(pod_slice_find(chip, &slice, &error));
        options.slice = &slice;
    }
    pod_projection_free(projection);
    projection = NULL;
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(chip), NULL, &plan, &error));
    ASSERT_OK(pod_project(context, plan, &options, &projection, &error));
    options.slice = NULL;
}

static void end(void)
{
    pod_projection_free(projection);
    projection = NULL;
    options = (pod_project_options){0};
    tear_down();
}

static pod_node *parameter(pod_dtype dtype, int64_t rows, int64_t columns)
{
    return pod_graph_parameter(graph, dtype, SHAPE(2, {rows, columns}), "p");
}

/* ---- what is counted ------------------------------------------------------------------------------------------- */

TEST(a_layer_costs_its_product_and_its_activation)
{
    set_up();
    pod_node *x = parameter(POD_F32, 256, 512), *w = parameter(POD_F32, 512, 1024);
    pod_node *b = parameter(POD_F32, 1, 1024);
    pod_graph_add_output(graph, pod_graph_tanh(graph, pod_graph_add(graph, pod_graph_matmul(graph, x, w), b)));
    project("v5e");
    ASSERT_EQ(1, projection->kernel_count);
    const pod_tpu_cost *cost = projection->kernels[0].cost;
    ASSERT(cost->product_flops == 2.0 * 256 * 512 * 1024);
    ASSERT(cost->other_flops == 256 * 1024);
    ASSERT(cost->transcendentals == 256 * 1024);
    ASSERT(cost->times == 1);
    ASSERT_TEXT("dot_general", cost->op);
    const double bytes = 4.0 * (256 * 512 + 512 * 1024 + 1024 + 256 * 1024);
    ASSERT(cost->bytes == bytes);
    ASSERT(cost->hbm_bytes == bytes);
    ASSERT(projection->product_flops == cost->product_flops);
    end();
}

TEST(a_convolution_counts_where_its_window_meets_pixels)
{
    set_up();
    const pod_window window = {.rank = 2, .size = {3, 3}, .stride = {1, 1}, .pad_low = {1, 1}, .pad_high = {1, 1}};
    pod_node *operands[] = {pod_graph_parameter(graph, POD_F32, SHAPE(4, {2, 8, 8, 3}), "x"),
                            pod_graph_parameter(graph, POD_F32, SHAPE(4, {3, 3, 3, 16}), "w")};
    pod_graph_add_output(graph, pod_graph_apply(graph, pod_op_from_name("convolution"), operands, 2,
                                                &(pod_attributes){.window = window}, NULL, 0));
    project("v3");
    ASSERT(projection->product_flops == 2.0 * 2 * 3 * 16 * (8 * 3 - 2) * (8 * 3 - 2));
    end();
}

/* What the MXUs of v5e take of a convolution by 3 x 3 of 32 images of 64 x 64, that meets no edges. */
static double mxu_cycles(int64_t channels, int64_t filters, int64_t groups)
{
    set_up();
    const pod_window window = {.rank = 2, .size = {3, 3}, .stride = {1, 1}, .groups = groups};
    pod_node *operands[] = {pod_graph_parameter(graph, POD_BF16, SHAPE(4, {32, 66, 66, channels}), "x"),
                            pod_graph_parameter(graph, POD_BF16, SHAPE(4, {3, 3, channels / groups, filters}), "w")};
    pod_graph_add_output(graph, pod_graph_apply(graph, pod_op_from_name("convolution"), operands, 2,
                                                &(pod_attributes){.window = window}, NULL, 0));
    project("v5e");
    const double cycles = projection->kernels[0].cost->mxu_flops / (2.0 * 4 * 128 * 128);
    end();
    return cycles - 2 * 128; /* but for a fill and a drain */
}

TEST(groups_of_a_convolution_share_tiles)
{
    const double rows = 32 * 64 * 64;
    ASSERT(mxu_cycles(128, 256, 1) == 9 * 2 / 4.0 * rows);
    ASSERT(mxu_cycles(64, 64, 64) == 2 * rows);   /* 14 groups of 9 x 1 lie in one of 5 tiles */
    ASSERT(mxu_cycles(512, 512, 2) == 18 * rows); /* 2 of 18 x 2 tiles, which are full */
}

TEST(batches_of_products_are_counted_each)
{
    set_up();
    const pod_attributes scores = {
        .lhs_batch = {1, {0}}, .rhs_batch = {1, {0}}, .lhs_contract = {1, {2}}, .rhs_contract = {1, {2}}};
    pod_node *operands[] = {pod_graph_parameter(graph, POD_BF16, SHAPE(3, {12, 256, 64}), "q"),
                            pod_graph_parameter(graph, POD_BF16, SHAPE(3, {12, 256, 64}), "k")};
    pod_graph_add_output(graph, pod_graph_apply(graph, pod_op_from_name("dot"), operands, 2, &scores, NULL, 0));
    project("v5e");
    const pod_tpu_cost *cost = projection->kernels[0].cost;
    ASSERT(cost->product_flops == 2.0 * 12 * 256 * 256 * 64);
    /* 64 of 128 rows of the MXUs, 2 tiles of columns; four MXUs share 24 tiles, of 256 cycles each */
    ASSERT(cost->mxu_flops == 2.0 * 4 * 128 * 128 * (6 * 256 + 256));
    end();
}

TEST(a_row_more_than_a_tile_takes_another_pass)
{
    const int64_t rows = 1 << 20;
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        set_up();
        pod_node *x = parameter(POD_BF16, rows, 128 + i), *w = parameter(POD_BF16, 128 + i, 128);
        pod_graph_add_output(graph, pod_graph_matmul(graph, x, w));
        project("v2"); /* it has one MXU a core */
        ASSERT(projection->kernels[0].cost->mxu_flops == 2.0 * 128 * 128 * ((double)(i + 1) * (double)rows + 256));
        seconds[i] = projection->kernels[0].mxu;
        end();
    }
    ASSERT(fabs(seconds[1] / seconds[0] - 2) < 1e-3);
}

TEST(exact_products_take_six_passes)
{
    double flops[2];
    for (int i = 0; i < 2; i++) {
        set_up();
        pod_graph_set_precision(graph, i ? POD_PRECISION_HIGHEST : POD_PRECISION_DEFAULT);
        pod_node *x = parameter(POD_F32, 1024, 1024);
        pod_graph_add_output(graph, pod_graph_matmul(graph, x, x));
        project("v4");
        flops[i] = projection->kernels[0].cost->mxu_flops;
        end();
    }
    ASSERT(flops[1] == 6 * flops[0]);
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

TEST(a_step_is_the_sum_of_its_kernels)
{
    set_up();
    pod_node *x = parameter(POD_F32, 4096, 1024), *w = parameter(POD_F32, 1024, 1024);
    pod_node *h = x;
    for (int i = 0; i < 4; i++)
        h = pod_graph_tanh(graph, pod_graph_matmul(graph, h, w));
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", pod_graph_exp(graph, h), NULL, true));
    project("v4");
    ASSERT(projection->kernel_count >= 4);
    double seconds = 0, bounds = 0;
    for (size_t i = 0; i < projection->kernel_count; i++) {
        const pod_kernel_time *kernel = &projection->kernels[i];
        const double parts[] = {kernel->mxu,     kernel->vector, kernel->hbm,
                                kernel->on_chip, kernel->links,  kernel->launch};
        seconds += kernel->seconds;
        ASSERT(i == 0 || kernel->seconds <= projection->kernels[i - 1].seconds);
        for (int part = 0; part <= POD_BOUND_LAUNCH; part++)
            ASSERT(parts[part] <= parts[kernel->bound] && parts[part] <= kernel->seconds);
    }
    for (int i = 0; i < POD_BOUNDS; i++)
        bounds += projection->bounds[i];
    ASSERT(fabs(seconds / projection->device - 1) < 1e-9);
    ASSERT(fabs(bounds / projection->device - 1) < 1e-9);
    ASSERT(projection->low <= projection->device && projection->device < projection->high);
    ASSERT(projection->product_flops == 4 * 2.0 * 4096 * 1024 * 1024);
    ASSERT(fabs(projection->mfu_high * projection->peak_flops * projection->low / projection->product_flops - 1) <
           1e-9);
    end();
}

/* Writes the projection for XProf, and returns how many bytes that are; -1 where it fails. */
static long write_trace(const char *path)
{
    pod_memory_facts *facts;
    ASSERT_OK(pod_memory_facts_new(context, plan, graph, "step \xC3", &facts, &error)); /* a name that is no UTF-8 */
    const pod_status status = pod_projection_write_xplane(context, projection, facts, path, &error);
    pod_memory_facts_free(context, facts);
    pod_bytes bytes = {.size = 0};
    if (status == POD_OK)
        ASSERT_OK(pod_file_read(context, path, &bytes, &error));
    const long size = status == POD_OK ? (long)bytes.size : -1;
    pod_bytes_free(context, &bytes);
    return size;
}

TEST(a_trace_is_written_whole_or_not_at_all)
{
    set_up();
    pod_node *x = parameter(POD_F32, 4096, 8192), *w = parameter(POD_F32, 8192, 8192);
    pod_node *y = pod_graph_tanh(graph, pod_graph_matmul(graph, x, w));
    pod_graph_add_output(graph, pod_graph_matmul(graph, y, w));
    options.input_seconds = 1;
    project("v5e");
    ASSERT(projection->kernel_count > 1);
    char path[64];
    test_path(path, sizeof path, "test_projection.xplane.pb");
    ASSERT(write_trace(path) > 1000);
    unlink(path);
    ASSERT_EQ(-1, write_trace("/nowhere/step.xplane.pb"));
    end();
    set_up();
    pod_graph_add_output(graph, parameter(POD_F32, 2, 2));
    project("v5e");
    ASSERT_EQ(-1, write_trace(path));
    ASSERT_EQ(POD_ERROR_UNSUPPORTED, error.status);
    end();
}

TEST(a_graph_without_kernels_takes_no_time)
{
    set_up();
    pod_graph_add_output(graph, parameter(POD_F32, 8, 128));
    project("v3");
    ASSERT(projection->device == 0 && projection->high == projection->host && projection->mfu_high == 0);
    end();
}

static void add_sum(int64_t rows, int64_t columns)
{
    pod_node *x = parameter(POD_F32, rows, columns);
    pod_graph_add_output(graph, pod_graph_apply(graph, pod_op_from_name("all_reduce"), &x, 1,
                                                &(pod_attributes){.reduction = POD_REDUCE_SUM}, NULL, 0));
}

/* ---- exchanges -------------------------------------------------------------------------------------------------- */

TEST(exchanges_want_a_slice)
{
    set_up();
    add_sum(128, 128);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find("v3"), NULL, &plan, &error));
    ASSERT_EQ(POD_ERROR_UNSUPPORTED, pod_project(context, plan, &options, &projection, &error));
    ASSERT(strstr(error.message, "say on which slice, such as v3-8") != NULL);
    ASSERT(projection == NULL);
    tear_down();
}

TEST(exchanges_take_what_their_links_let_through)
{
    const double axes = 0.655; /* of what two axes together could */
    const struct {
        const char *slice;
        pod_tpu_exchange exchange;
        double bytes;
        int64_t devices;
        double seconds;
    } rows[] = {
        {"v3-8", POD_TPU_ALL_REDUCE, 4e6, 0, 2 * 4e6 * 3 / 4 / (2 * 1e11 * axes)}, /* 2 x 2, no ring */
        {"v3-8", POD_TPU_ALL_REDUCE, 4e6, 2, 0},                                   /* the cores of a chip */
        {"v5e-16", POD_TPU_ALL_GATHER, 34e6, 4, 34e6 * 3 / 4 / 4.5e10},            /* along an axis, no ring */
        {"v6e-256", POD_TPU_ALL_REDUCE, 6e8, 0, 2 * 6e8 * 255 / 256 / (4 * 9e10 * axes)},
        {"v6e-256", POD_TPU_REDUCE_SCATTER, 6e8, 16, 6e8 * 15 / 16 / (2 * 9e10)}, /* a ring */
        {"v6e-256", POD_TPU_ALL_REDUCE, 8, 0, 2 * 16e-6},                         /* 8 hops along each axis */
        {"v4-128", POD_TPU_ALL_TO_ALL, 1e6, 0, 1e6 * 4 / 8 / 4.5e10},
        {"v5e-8", POD_TPU_PERMUTE, 1e6, 0, 1e6 / 4.5e10 + 1e-6},
        {"v5e-64", POD_TPU_ALL_GATHER, 1e6, 16, 1e6 * 15 / 16 / 4.5e10}, /* no whole axes: a line */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_slice slice;
        ASSERT_OK(pod_slice_find(rows[i].slice, &slice, &error));
        const double seconds = pod_project_exchange(&slice, rows[i].exchange, rows[i].bytes, rows[i].devices);
        ASSERT(fabs(seconds - rows[i].seconds) < 1e-9 * seconds + 1e-15);
    }
}

TEST(sums_over_devices_count_once_a_slice)
{
    set_up();
    add_sum(1024, 1024);
    add_sum(512, 1024);
    project("v5e-16");
    ASSERT_EQ(1, projection->kernel_count); /* are exchanged together */
    pod_slice slice;
    ASSERT_OK(pod_slice_find("v5e-16", &slice, &error));
    const double links = pod_project_exchange(&slice, POD_TPU_ALL_REDUCE, 6 * 1024 * 1024, 0);
    ASSERT_EQ(POD_BOUND_LINKS, projection->bound);
    ASSERT(projection->kernels[0].links == links && projection->kernels[0].seconds > links);
    ASSERT(projection->exchanges == projection->device);
    ASSERT_OK(pod_slice_find("v6e-8", &slice, &error));
    pod_projection *none;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "v6e-8 is no slice of v5e",
                 pod_project(context, plan, &(pod_project_options){.slice = &slice}, &none, &error));
    ASSERT(none == NULL);
    end();
}

TEST(input_is_waited_for)
{
    set_up();
    pod_graph_add_output(graph, pod_graph_negate(graph, parameter(POD_F32, 1024, 1024)));
    project("v3");
    const double high = projection->high, host = projection->host, low = projection->low;
    options = (pod_project_options){.infeed_bytes = 75e6, .steps_per_execution = 10};
    project("v3");
    ASSERT(fabs(projection->input - 0.01) < 1e-9); /* two cores share 15 GB/s */
    ASSERT_EQ(POD_BOUND_INPUT, projection->bound);
    ASSERT(projection->low == projection->input && fabs(projection->host - host / 10) < 1e-12);
    ASSERT(fabs(projection->high - projection->input - projection->host) < 1e-9);
    options = (pod_project_options){.input_seconds = low / 2};
    project("v3");
    ASSERT(projection->low == low && projection->high == high);
    end();
}

/* ---- published measurements ------------------------------------------------------------------------------------- */

/* Products n x n in bf16 on one device (AI-Hypercomputer/accelerator-microbenchmarks and tpu-recipes, see
 * core/advisor/rates.c), in TFLOP/s. The model's rates were fitted to these. */
static const struct {
    const char *chip;
    int64_t n;
    double measured;
} products[] = {
    {"v7x", 128, 2.59},   {"v7x", 256, 18.29},   {"v7x", 512, 105.1},   {"v7x", 1024, 349.7}, {"v7x", 2048, 679.3},
    {"v7x", 4096, 892.9}, {"v7x", 16384, 950.1}, {"v7x", 32768, 956.4}, {"v6e", 8192, 827.5},
};

TEST(products_take_as_long_as_was_measured)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        set_up();
        const int64_t n = products[i].n;
        pod_graph_add_output(graph, pod_graph_matmul(graph, parameter(POD_BF16, n, n), parameter(POD_BF16, n, n)));
        project(products[i].chip);
        const double model = projection->product_flops / projection->device / 1e12;
        const double off = model / products[i].measured - 1;
        printf("# %s, product of %6lld: measured %7.2f TFLOP/s, model %7.2f, %+5.1f %%\n", products[i].chip,
               (long long)n, products[i].measured, model, 100 * off);
        ASSERT(fabs(off) < 0.1);
        end();
    }
}

TEST(a_copy_takes_as_long_as_was_measured)
{
    set_up();
    pod_graph_add_output(graph, pod_graph_negate(graph, parameter(POD_BF16, 4096, 4096)));
    project("v6e");
    const double model = projection->hbm_bytes / projection->device / 1e9, off = model / 1359.6 - 1;
    printf("# v6e, copy of 33.5 MB: measured 1359.60 GB/s, model %.2f, %+.1f %%\n", model, 100 * off);
    ASSERT(fabs(off) < 0.1);
    ASSERT_EQ(POD_BOUND_HBM, projection->bound);
    end();
}

/* What gathers and sums over devices took (jax-ml/scaling-book and AI-Hypercomputer/tpu-recipes, see
 * core/advisor/rates.h). The rates were fitted to these. */
TEST(exchanges_take_as_long_as_was_measured)
{
    const struct {
        const char *slice;
        pod_tpu_exchange exchange;
        double bytes;
        int64_t devices;
        double seconds;
    } rows[] = {
        {"v5e-16", POD_TPU_ALL_GATHER, 34e6, 4, 560e-6},
        {"v6e-256", POD_TPU_ALL_REDUCE, 2.0 * 17408 * 17408, 0, 2 * 2.0 * 17408 * 17408 * 255 / 256 / 235.8e9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_slice slice;
        ASSERT_OK(pod_slice_find(rows[i].slice, &slice, &error));
        const double model = pod_project_exchange(&slice, rows[i].exchange, rows[i].bytes, rows[i].devices);
        const double off = model / rows[i].seconds - 1;
        printf("# %s, %.0f MB: measured %.0f us, model %.0f us, %+.1f %%\n", rows[i].slice, rows[i].bytes / 1e6,
               1e6 * rows[i].seconds, 1e6 * model, 100 * off);
        ASSERT(fabs(off) < 0.1);
    }
}

TEST_MAIN(RUN(a_layer_costs_its_product_and_its_activation); RUN(a_convolution_counts_where_its_window_meets_pixels);
          RUN(groups_of_a_convolution_share_tiles); RUN(batches_of_products_are_counted_each);
          RUN(a_row_more_than_a_tile_takes_another_pass); RUN(exact_products_take_six_passes);
          RUN(a_step_is_the_sum_of_its_kernels); RUN(a_trace_is_written_whole_or_not_at_all);
          RUN(a_graph_without_kernels_takes_no_time); RUN(exchanges_want_a_slice);
          RUN(exchanges_take_what_their_links_let_through); RUN(sums_over_devices_count_once_a_slice);
          RUN(input_is_waited_for); RUN(exchanges_take_as_long_as_was_measured);
          RUN(products_take_as_long_as_was_measured); RUN(a_copy_takes_as_long_as_was_measured))
