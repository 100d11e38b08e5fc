/* Chips and slices: names, sizes, links. */

#include "test.h"

#include "moonpod/chip.h"

TEST(chips_are_found_by_their_names)
{
    static const char *const names[] = {"v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"};
    const size_t count = sizeof names / sizeof names[0];
    ASSERT_EQ(count, pod_chip_count());
    for (size_t i = 0; i < count; i++) {
        ASSERT_TEXT(names[i], pod_chip_at(i)->name);
        ASSERT(pod_chip_find(names[i]) == pod_chip_at(i));
        ASSERT(pod_chip_find(pod_chip_at(i)->slice_prefix) == pod_chip_at(i));
    }
    ASSERT(pod_chip_at(count) == NULL);
    ASSERT_TEXT("v5e", pod_chip_find("v5litepod-8")->name);
    ASSERT_TEXT("v7x", pod_chip_find("tpu7x")->name);
    ASSERT_TEXT("v3", pod_chip_find("v3-32")->name);
    ASSERT(pod_chip_find("v1") == NULL && pod_chip_find("") == NULL && pod_chip_find(NULL) == NULL);
    ASSERT(pod_chip_find("v") == NULL && pod_chip_find("v33") == NULL);
}

TEST(a_programs_memory_prints_as_the_compiler_prints_it)
{
    static const char *const limits[] = {"7.48G", "15.48G", "30.75G", "15.75G", "95.73G", "31.24G", "94.74G"};
    for (size_t i = 0; i < pod_chip_count(); i++) {
        char text[POD_BYTES_TEXT_SIZE];
        ASSERT_TEXT(limits[i], pod_bytes_format(pod_chip_at(i)->hbm_limit_bytes, text));
    }
}

TEST(peaks_follow_from_clock_and_multipliers_where_they_do)
{
    for (size_t i = 0; i < pod_chip_count(); i++) {
        const pod_chip *c = pod_chip_at(i);
        if (c->clock_mhz > 0)
            ASSERT_NEAR(c->bf16_flops,
                        2.0 * c->cores * c->mxus_per_core * c->mxu_size * c->mxu_size * c->clock_mhz * 1e6, 0.005, 0);
        ASSERT(c->hbm_limit_bytes < c->hbm_bytes / c->devices + 1);
    }
}

TEST(names_of_slices_give_topologies)
{
    static const struct {
        const char *name, *topology;
        int chips, cores, devices, hosts;
    } rows[] = {
        {"v2-8", "2x2", 4, 8, 8, 1},
        {"v2-32", "4x4", 16, 32, 32, 4},
        {"v2-128", "8x8", 64, 128, 128, 16},
        {"v2-256", "8x16", 128, 256, 256, 32},
        {"v2-512", "16x16", 256, 512, 512, 64},
        {"v3-8", "2x2", 4, 8, 8, 1},
        {"v3-32", "4x4", 16, 32, 32, 4},
        {"v3-64", "4x8", 32, 64, 64, 8},
        {"v3-128", "8x8", 64, 128, 128, 16},
        {"v3-256", "8x16", 128, 256, 256, 32},
        {"v3-512", "16x16", 256, 512, 512, 64},
        {"v3-1024", "16x32", 512, 1024, 1024, 128},
        {"v3-2048", "32x32", 1024, 2048, 2048, 256},
        {"v4-8", "2x2x1", 4, 8, 4, 1},
        {"v4-16", "2x2x2", 8, 16, 8, 2},
        {"v4-32", "2x2x4", 16, 32, 16, 4},
        {"v4-64", "2x4x4", 32, 64, 32, 8},
        {"v4-128", "4x4x4", 64, 128, 64, 16},
        {"v4-256", "4x4x8", 128, 256, 128, 32},
        {"v4-384", "4x4x12", 192, 384, 192, 48},
        {"v4-512", "4x8x8", 256, 512, 256, 64},
        {"v4-1024", "8x8x8", 512, 1024, 512, 128},
        {"v4-2048", "8x8x16", 1024, 2048, 1024, 256},
        {"v4-4096", "8x16x16", 2048, 4096, 2048, 512},
        {"v5litepod-1", "1x1", 1, 1, 1, 1},
        {"v5e-4", "2x2", 4, 4, 4, 1},
        {"v5e-8", "2x4", 8, 8, 8, 1},
        {"v5e-16", "4x4", 16, 16, 16, 2},
        {"v5e-32", "4x8", 32, 32, 32, 4},
        {"v5e-64", "8x8", 64, 64, 64, 8},
        {"v5e-128", "8x16", 128, 128, 128, 16},
        {"v5e-256", "16x16", 256, 256, 256, 32},
        {"v5p-8", "2x2x1", 4, 8, 4, 1},
        {"v5p-12288", "16x16x24", 6144, 12288, 6144, 1536},
        {"v5p-1536", "8x8x12", 768, 1536, 768, 192},
        {"v6e-1", "1x1", 1, 1, 1, 1},
        {"v6e-256", "16x16", 256, 256, 256, 32},
        {"tpu7x-8", "2x2x1", 4, 8, 8, 1},
        {"v7x-128", "4x4x4", 64, 128, 128, 16},
        {"v3:4x4", "4x4", 16, 32, 32, 4},
        {"v4:4x2x2", "2x2x4", 16, 32, 16, 4},
        {"v4:4x4x16", "4x4x16", 256, 512, 256, 64},
        {"v4-2x2x4", "2x2x4", 16, 32, 16, 4},
        {"v5:2x2x1", "2x2x1", 4, 8, 4, 1},
        {"v3", "2x2", 4, 8, 8, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_slice slice;
        pod_error error;
        ASSERT_OK(pod_slice_find(rows[i].name, &slice, &error));
        ASSERT_TEXT(rows[i].topology, slice.topology);
        ASSERT_EQ(rows[i].chips, slice.chips);
        ASSERT_EQ(rows[i].cores, slice.cores);
        ASSERT_EQ(rows[i].devices, slice.devices);
        ASSERT_EQ(rows[i].hosts, slice.hosts);
    }
}

TEST(slices_that_do_not_exist_are_refused_with_the_nearest)
{
    static const struct {
        const char *name, *message;
    } rows[] = {
        {"v3-9", "there is no v3-9 (the number counts cores); the nearest are v3-8 (2x2), v3-32"},
        {"v2-64", "v2-32 (4x4), v2-128 (8x8)"},
        {"v3-0", "no v3-0"},
        {"v3-4096", "v3-2048"},
        {"v5e-3", "v5e-1 (1x1), v5e-4 (2x2)"},
        {"v5e-512", "v5e-256"},
        {"v4-100", "v4-64 (2x4x4), v4-128 (4x4x4)"},
        {"v4-9", "v4-8 (2x2x1), v4-16 (2x2x2)"},
        {"v4-999999999", "v4-8192"},
        {"v4-99999999999", "is no slice"},
        {"v1-8", "no TPU generation 'v1'; there are v2, v3"},
        {"", "no TPU generation ''"},
        {"v3-", "is no slice"},
        {"v3-8x", "no topology"},
        {"v3:3x3", "no slice of v3 of 3x3 chips; the nearest are 2x2"},
        {"v3:2x2x2", "no slice of v3 of 2x2x2"},
        {"v4:4x4x6", "2x4x4, 4x4x4, 4x4x8"},
        {"v4:", "is no topology"},
        {"v4:4x", "is no topology"},
        {"v3:1048577x1", "of 1048577x1 chips; the nearest are 8x16, 16x16, 16x32, 32x32"},
        {"v3:0x4", "of 0x4 chips; the nearest are 2x2, 4x4"},
        {"v5e:1", "is no topology"},
        {"v5e-6", "v5e-4 (2x2), v5e-8 (2x4)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_slice slice;
        pod_error error;
        ASSERT_FAILS(POD_ERROR_NOT_FOUND, rows[i].message, pod_slice_find(rows[i].name, &slice, &error));
        ASSERT(slice.chip == NULL);
    }
    pod_slice slice;
    pod_error error;
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, "no TPU generation", pod_slice_find(NULL, &slice, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "2 or 3 sizes", pod_slice_from_sizes(NULL, NULL, 0, &slice, &error));
}

TEST(listed_slices_exist_and_grow)
{
    static const size_t counts[] = {5, 8, 0, 8, 0, 8, 0};
    static pod_slice slices[256];
    for (size_t c = 0; c < pod_chip_count(); c++) {
        const size_t count = pod_slice_list(pod_chip_at(c), slices, 256);
        ASSERT(count <= 256 && count == pod_slice_list(pod_chip_at(c), NULL, 0));
        if (counts[c] > 0)
            ASSERT_EQ(counts[c], count);
        for (size_t i = 0; i < count; i++) {
            pod_slice again;
            pod_error error;
            ASSERT_OK(pod_slice_find(slices[i].name, &again, &error));
            ASSERT_TEXT(slices[i].topology, again.topology);
            ASSERT(i == 0 || slices[i].chips > slices[i - 1].chips);
        }
    }
    ASSERT_EQ(0, pod_slice_list(NULL, slices, 256));
}

TEST(axes_wrap_by_the_rule_of_their_generation)
{
    static const struct {
        const char *name;
        bool wraps[3], can_twist;
        int bisection, diameter;
    } rows[] = {
        {"v3-32", {false, false, false}, false, 4, 6},    {"v3-2048", {true, true, false}, false, 64, 32},
        {"v2-512", {true, true, false}, false, 32, 16},   {"v3-512", {false, false, false}, false, 16, 30},
        {"v5e-128", {false, true, false}, false, 16, 15}, {"v5e-256", {true, true, false}, false, 32, 16},
        {"v6e-64", {false, false, false}, false, 8, 14},  {"v4-64", {false, false, false}, false, 8, 7},
        {"v4-128", {true, true, true}, false, 32, 6},     {"v4-256", {true, true, true}, true, 32, 8},
        {"v4-512", {true, true, true}, true, 64, 10},     {"v4-8192", {true, true, true}, false, 512, 24},
        {"v5e-1", {false, false, false}, false, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_slice slice;
        pod_error error;
        ASSERT_OK(pod_slice_find(rows[i].name, &slice, &error));
        for (int axis = 0; axis < 3; axis++)
            ASSERT_EQ(rows[i].wraps[axis], slice.wraps[axis]);
        ASSERT_EQ(rows[i].can_twist, slice.can_twist);
        ASSERT_EQ(rows[i].bisection, pod_slice_bisection_links(&slice));
        ASSERT_EQ(rows[i].diameter, pod_slice_diameter(&slice));
    }
}

/* The fewest links from chip 0 to all others, by walking them. */
static void walk(const pod_slice *slice, int64_t from, int64_t *hops)
{
    int64_t queue[256], neighbours[6];
    size_t head = 0, tail = 0;
    for (int64_t i = 0; i < slice->chips; i++)
        hops[i] = -1;
    hops[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        const int64_t chip = queue[head++];
        const int32_t count = pod_slice_neighbours(slice, chip, neighbours);
        for (int32_t n = 0; n < count; n++)
            if (hops[neighbours[n]] < 0) {
                hops[neighbours[n]] = hops[chip] + 1;
                queue[tail++] = neighbours[n];
            }
    }
}

TEST(hops_are_the_links_that_a_walk_takes)
{
    static const char *const names[] = {"v3-32", "v5e-8", "v5e-128", "v5e-256", "v4-64", "v4-128", "v4-256", "v5e-1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        pod_slice slice;
        pod_error error;
        int64_t hops[256], farthest = 0;
        ASSERT_OK(pod_slice_find(names[i], &slice, &error));
        for (int64_t from = 0; from < slice.chips; from++) {
            int32_t place[3];
            pod_slice_place(&slice, from, place);
            ASSERT_EQ(from, pod_slice_index(&slice, place));
            walk(&slice, from, hops);
            for (int64_t to = 0; to < slice.chips; to++) {
                ASSERT_EQ(hops[to], pod_slice_hops(&slice, from, to));
                farthest = hops[to] > farthest ? hops[to] : farthest;
            }
        }
        ASSERT_EQ(farthest, pod_slice_diameter(&slice));
    }
}

static pod_chip own_chip(const char *base)
{
    pod_chip chip = *pod_chip_find(base);
    chip.name = chip.slice_prefix = "v9x";
    chip.based_on = base;
    return chip;
}

TEST(every_generation_is_a_chip_that_one_could_have)
{
    pod_error error;
    for (size_t i = 0; i < pod_chip_count(); i++) {
        pod_chip chip = own_chip(pod_chip_at(i)->name);
        pod_slice slice, theirs;
        ASSERT_OK(pod_chip_check(&chip, &error));
        ASSERT_OK(pod_slice_find_of(&chip, "v9x-32", &slice, &error));
        char name[POD_SLICE_NAME_SIZE];
        snprintf(name, sizeof name, "%s-32", chip.based_on);
        ASSERT_OK(pod_slice_find(name, &theirs, &error));
        ASSERT_TEXT(theirs.topology, slice.topology);
        ASSERT_TEXT("v9x-32", slice.name);
        ASSERT(slice.chip == &chip);
    }
    pod_slice slice;
    const pod_chip chip = own_chip("v5e");
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, "no v9x-9", pod_slice_find_of(&chip, "v9x-9", &slice, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "needs a chip", pod_slice_find_of(NULL, "v9x-8", &slice, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "no chip", pod_chip_check(NULL, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "based_on",
                 pod_chip_check(&(pod_chip){.name = "x", .product = "", .slice_prefix = ""}, &error));
}

static uint32_t draw(uint32_t count)
{
    static uint32_t random = 5;
    random = random * 1664525u + 1013904223u;
    return (random >> 8) % count;
}

/* What is let through must be a chip that slices can be cut from, whatever its fields. */
TEST(random_chips_are_refused_or_have_slices)
{
    static const int32_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 12, 16, 20, 256, 257, -4, INT32_MAX};
    int passed = 0;
    for (int i = 0; i < 100000; i++) {
        pod_error error;
        pod_chip chip = own_chip(pod_chip_at(draw(7))->name);
        int32_t *fields[] = {&chip.pod_sizes[0], &chip.pod_sizes[1],  &chip.pod_sizes[2],
                             &chip.torus_rank,   &chip.host_sizes[0], &chip.host_sizes[1],
                             &chip.host_chips,   &chip.cores,         &chip.devices};
        for (uint32_t n = draw(4); n > 0; n--)
            *fields[draw(9)] = sizes[draw(14)];
        if (draw(2) == 0)
            chip.pod_chips = (int64_t)1 << draw(20);
        chip.name_counts_cores = draw(2) == 0;
        if (pod_chip_check(&chip, &error) != POD_OK)
            continue;
        pod_slice slices[256], again;
        const size_t count = pod_slice_list(&chip, slices, 256);
        ASSERT(count > 0);
        const size_t last = (count < 256 ? count : 256) - 1;
        ASSERT_OK(pod_slice_find_of(&chip, slices[last].name, &again, &error));
        ASSERT_TEXT(slices[last].topology, again.topology);
        ASSERT_OK(pod_slice_find_of(&chip, "v9x", &again, &error));
        passed++;
    }
    ASSERT(passed > 1000);
}

TEST(element_types_have_both_names)
{
    ASSERT_EQ(POD_ELEMENT_F32, pod_element_from_name("float32"));
    ASSERT_EQ(POD_ELEMENT_F32, pod_element_from_name("f32"));
    ASSERT_EQ(POD_ELEMENT_NONE, pod_element_from_name("f33"));
    ASSERT_EQ(POD_ELEMENT_NONE, pod_element_from_name(NULL));
    ASSERT_EQ(POD_ELEMENT_PRED, pod_element_from_dtype(POD_BOOL));
    ASSERT_EQ(POD_ELEMENT_NONE, pod_element_from_dtype(POD_DTYPE_NONE));
    ASSERT_EQ(4, pod_element_bits(POD_ELEMENT_S4));
    ASSERT_TEXT("none", pod_element_name(POD_ELEMENT_NONE));
    for (int i = POD_DTYPE_NONE + 1; i < POD_DTYPE_END; i++) {
        const pod_element element = pod_element_from_dtype((pod_dtype)i);
        ASSERT_TEXT(pod_dtype_name((pod_dtype)i), pod_element_name(element));
        ASSERT_TEXT(pod_dtype_xla_name((pod_dtype)i), pod_element_xla_name(element));
        ASSERT_EQ(8 * pod_dtype_size((pod_dtype)i), pod_element_bits(element));
    }
}

TEST_MAIN(RUN(chips_are_found_by_their_names); RUN(a_programs_memory_prints_as_the_compiler_prints_it);
          RUN(peaks_follow_from_clock_and_multipliers_where_they_do); RUN(names_of_slices_give_topologies);
          RUN(slices_that_do_not_exist_are_refused_with_the_nearest); RUN(listed_slices_exist_and_grow);
          RUN(axes_wrap_by_the_rule_of_their_generation); RUN(hops_are_the_links_that_a_walk_takes);
          RUN(every_generation_is_a_chip_that_one_could_have); RUN(random_chips_are_refused_or_have_slices);
          RUN(element_types_have_both_names))
