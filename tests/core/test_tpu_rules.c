/* Rules of core/tpu: what a compiler has, and what it does without one. */

#include "tpu_setup.h"

#include "tpu/lowering.h"

static int64_t temporaries_without(const bool *off)
{
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower_without(graph, pod_chip_find("v3"), NULL, off, &plan, &error));
    return pod_tpu_plan_memory(plan)->temp_bytes;
}

TEST(a_rule_that_is_off_is_not_followed)
{
    set_up();
    bool off[POD_TPU_RULES] = {false};
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(2, {1024, 2048}), "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, SHAPE(2, {2048, 2048}), "w");
    pod_graph_add_output(graph, pod_graph_matmul(graph, pod_graph_matmul(graph, x, w), w));
    ASSERT_EQ(4194304, temporaries_without(NULL));
    ASSERT_EQ(4194304, temporaries_without(off));
    off[POD_TPU_NARROW_OPERANDS] = true;
    ASSERT_EQ(8388608, temporaries_without(off));
    tear_down();
}

TEST(compilers_differ_by_chip)
{
    pod_tpu_target v3, v6e;
    ASSERT(pod_tpu_find_target(pod_chip_find("v3"), &v3));
    ASSERT(pod_tpu_find_target(pod_chip_find("v6e"), &v6e));
    ASSERT(v3.rules[POD_TPU_MASKS] && v6e.rules[POD_TPU_MASKS]);
    ASSERT(!v3.rules[POD_TPU_ON_CHIP] && v6e.rules[POD_TPU_ON_CHIP]);
}

TEST(every_chip_has_a_target)
{
    pod_tpu_target target;
    for (size_t i = 0; i < pod_chip_count(); i++)
        ASSERT(pod_tpu_find_target(pod_chip_at(i), &target));
}

TEST(a_chip_of_which_no_rules_are_known_is_refused)
{
    set_up();
    pod_chip chip = *pod_chip_find("v3");
    chip.name = "v99";
    pod_graph_add_output(graph, pod_graph_parameter(graph, POD_F32, SHAPE(1, {8}), "x"));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_tpu_lower(graph, &chip, NULL, &plan, &error));
    ASSERT(strstr(error.message, "v99") != NULL);
    tear_down();
}

static pod_node *times(pod_node *x, int64_t from, int64_t to, const char *name)
{
    return pod_graph_matmul(graph, x, pod_graph_parameter(graph, POD_F32, SHAPE(2, {from, to}), name));
}

/* 5 GiB leave a hole that 6 GiB do not fit in, behind which is 1 GiB that is read later. */
TEST(a_large_heap_is_packed_anew)
{
    set_up();
    bool off[POD_TPU_RULES] = {[POD_TPU_PACKED_ANEW] = true};
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(2, {65536, 1024}), "x");
    pod_node *kept = times(times(x, 1024, 40960, "a"), 40960, 8192, "b");
    pod_node *last = times(times(kept, 8192, 49152, "c"), 49152, 128, "d");
    pod_graph_add_output(graph, pod_graph_add(graph, last, times(kept, 8192, 128, "e")));
    ASSERT(temporaries_without(off) >= INT64_C(12) << 30);
    ASSERT(temporaries_without(NULL) < INT64_C(8) << 30);
    tear_down();
}

TEST_MAIN(RUN(a_large_heap_is_packed_anew); RUN(a_rule_that_is_off_is_not_followed); RUN(compilers_differ_by_chip);
          RUN(every_chip_has_a_target); RUN(a_chip_of_which_no_rules_are_known_is_refused))
