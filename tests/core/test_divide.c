/* What one of many devices runs: shardings that a module gives, where they go, and what is exchanged. */

#include "exchange_read.h"

#include "graph/node.h"

/* A mesh of 4 by 2 devices. */
#define MODULE(arguments, results, body)                                                                               \
    "module @m attributes {mhlo.num_partitions = 8 : i32} {\n  sdy.mesh @mesh = <[\"d\"=4, \"t\"=2]>\n"                \
    "  func.func public @main(" arguments ") -> (" results ") {\n" body "  }\n}\n"
#define DIVIDED(axes) " {sdy.sharding = #sdy.sharding<@mesh, [" axes "]>}"

static pod_graph *part_of(const char *text)
{
    pod_graph *part = NULL;
    pod_exchange_module *module = read(text);
    ASSERT(pod_exchange_describe(module).divided);
    if (pod_graph_of_device(pod_exchange_graph(module), pod_exchange_division(module), &part, &error) == POD_OK)
        ASSERT_OK(pod_graph_verify(part, &error));
    pod_exchange_free(module);
    return part;
}

static size_t count_of(const pod_graph *graph, pod_op op)
{
    size_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i]->op == op;
        for (uint32_t r = 0; r < graph->nodes[i]->region_count; r++)
            count += count_of(graph->nodes[i]->regions[r], op);
    }
    return count;
}

static void expect_shape(const char *text, const pod_node *node)
{
    char found[POD_SHAPE_TEXT_SIZE];
    ASSERT_TEXT(text, pod_shape_format(pod_node_shape(node, 0), found));
}

#define STEP                                                                                                           \
    "%0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x32xf32>) -> "     \
    "tensor<64x32xf32>\n"                                                                                              \
    "%1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x32xf32>) -> "     \
    "tensor<16x32xf32>\n"                                                                                              \
    "%2 = stablehlo.subtract %w, %1 : tensor<16x32xf32>\nreturn %2 : tensor<16x32xf32>\n"

TEST(a_batch_in_parts_adds_gradients_up)
{
    pod_graph *part =
        part_of(MODULE("%x: tensor<64x16xf32>" DIVIDED("{\"d\"}, {}") ", %w: tensor<16x32xf32>" DIVIDED("{}, {}"),
                       "tensor<16x32xf32>", STEP));
    expect_shape("(16, 16)", pod_graph_get_parameter(part, 0));
    expect_shape("(16, 32)", pod_graph_get_parameter(part, 1));
    ASSERT_EQ(1, count_of(part, POD_OP_ALL_REDUCE));
    ASSERT_EQ(0, count_of(part, POD_OP_ALL_GATHER));
    pod_graph_free(part);
}

TEST(divided_weights_are_gathered_and_their_gradients_scattered)
{
    pod_graph *part =
        part_of(MODULE("%x: tensor<64x16xf32>" DIVIDED("{\"d\"}, {}") ", %w: tensor<16x32xf32>" DIVIDED("{\"d\"}, {}"),
                       "tensor<16x32xf32>", STEP));
    expect_shape("(4, 32)", pod_graph_get_output(part, 0));
    ASSERT_EQ(1, count_of(part, POD_OP_ALL_GATHER));
    ASSERT_EQ(1, count_of(part, POD_OP_REDUCE_SCATTER));
    pod_graph_free(part);
}

TEST(products_along_a_divided_axis_are_sums_of_parts)
{
    static const char *const body =
        MODULE("%x: tensor<64x16xf32>" DIVIDED("{}, {}") ", %v: tensor<16x32xf32>" DIVIDED(
                   "{}, {\"t\"}") ", %w: tensor<32x16xf32>" DIVIDED("{\"t\"}, {}"),
               "tensor<64x16xf32>" DIVIDED("{}, {}"),
               "%0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<64x16xf32>, "
               "tensor<16x32xf32>) -> tensor<64x32xf32>\n%1 = stablehlo.tanh %0 : tensor<64x32xf32>\n"
               "%2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, "
               "tensor<32x16xf32>) -> tensor<64x16xf32>\nreturn %2 : tensor<64x16xf32>\n");
    pod_graph *part = part_of(body);
    ASSERT_EQ(1, count_of(part, POD_OP_ALL_REDUCE));
    ASSERT_EQ(0, count_of(part, POD_OP_ALL_GATHER));
    for (uint32_t i = 0; i < part->node_count; i++)
        if (part->nodes[i]->op == POD_OP_TANH)
            expect_shape("(64, 16)", part->nodes[i]);
    pod_graph_free(part);
}

TEST(constraints_gather_and_move)
{
    pod_graph *part =
        part_of(MODULE("%x: tensor<64x16xf32>" DIVIDED("{\"d\", \"t\"}, {}"), "tensor<64x16xf32>, tensor<64x16xf32>",
                       "%0 = sdy.sharding_constraint %x <@mesh, [{}, {\"d\"}]> : tensor<64x16xf32>\n"
                       "%1 = stablehlo.tanh %0 : tensor<64x16xf32>\n"
                       "%2 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<64x16xf32>\n"
                       "return %1, %2 : tensor<64x16xf32>, tensor<64x16xf32>\n"));
    expect_shape("(8, 16)", pod_graph_get_parameter(part, 0));
    expect_shape("(64, 4)", pod_graph_get_output(part, 0));
    expect_shape("(64, 16)", pod_graph_get_output(part, 1));
    ASSERT_EQ(1, count_of(part, POD_OP_ALL_TO_ALL));
    ASSERT_EQ(3, count_of(part, POD_OP_ALL_GATHER));
    pod_graph_free(part);
}

/* What cannot be exchanged piece by piece, as parts of parts would be no whole rows, is gathered first. */
TEST(axes_of_the_mesh_change_places)
{
    static const struct {
        const char *from, *to, *one;
        size_t exchanged, gathered;
    } cases[] = {
        {"{\"d\"}, {}", "{\"t\"}, {}", "(2, 4)", 0, 1},
        {"{\"d\"}, {\"t\"}", "{\"t\"}, {}", "(2, 4)", 1, 1},
        {"{\"d\"}, {\"t\"}", "{\"t\"}, {\"d\"}", "(2, 1)", 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 MODULE("%%x: tensor<4x4xf32>" DIVIDED("%s"), "tensor<4x4xf32>" DIVIDED("%s"),
                        "return %%x : tensor<4x4xf32>\n"),
                 cases[i].from, cases[i].to);
        pod_graph *part = part_of(text);
        ASSERT(part != NULL);
        expect_shape(cases[i].one, pod_graph_get_output(part, 0));
        ASSERT_EQ(cases[i].exchanged, count_of(part, POD_OP_ALL_TO_ALL));
        ASSERT_EQ(cases[i].gathered, count_of(part, POD_OP_ALL_GATHER));
        pod_graph_free(part);
    }
}

/* The older notes: of the mesh's axes in another order. */
TEST(tiles_are_read_as_axes_of_the_mesh)
{
    pod_graph *part = part_of("module @m attributes {mhlo.num_partitions = 8 : i32} {\n  func.func public @main(%x: "
                              "tensor<64x16xf32> {mhlo.sharding = \"{devices=[4,1,2]<=[8] last_tile_dim_replicate}\"}, "
                              "%w: tensor<16x32xf32> {mhlo.sharding = \"{devices=[2,4]<=[4,2]T(1,0)}\"}) -> "
                              "tensor<16x32xf32> {\n" STEP "  }\n}\n");
    expect_shape("(16, 16)", pod_graph_get_parameter(part, 0));
    expect_shape("(8, 8)", pod_graph_get_parameter(part, 1));
    expect_shape("(8, 8)", pod_graph_get_output(part, 0));
    pod_graph_free(part);
}

/* As torch_xla prints them, which does not say how many devices there are. */
TEST(devices_of_tiles_may_be_listed)
{
#define LISTED(devices)                                                                                                \
    "module @IrToHlo.6 attributes {mhlo.input_output_alias = []} {\n  func.func @main(%w: tensor<16x32xf32> "          \
    "{mhlo.sharding = \"{devices=[1,2,4]" devices " last_tile_dim_replicate}\"}, %x: tensor<64x16xf32> "               \
    "{mhlo.sharding = \"{devices=[4,1,2]0,1,2,3,4,5,6,7 last_tile_dim_replicate}\"}) -> tensor<16x32xf32> {\n" STEP    \
    "  }\n}\n"
    pod_graph *part = part_of(LISTED("0,2,4,6,1,3,5,7"));
    expect_shape("(16, 16)", pod_graph_get_parameter(part, 0));
    expect_shape("(16, 16)", pod_graph_get_parameter(part, 1));
    pod_graph_free(part);
    static const char *const others[] = {LISTED("0,2,4,6,1,3,7,5"), LISTED("0,2,4,6"), LISTED("1,2,3,4,5,6,7,8"),
                                         LISTED("0,0,0,0,0,0,0,0")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        pod_exchange_module *module = read(others[i]);
        ASSERT(!pod_exchange_describe(module).divided);
        ASSERT(strstr(pod_exchange_describe(module).undivided, "a sharding that is not understood") != NULL);
        pod_exchange_free(module);
    }
}

TEST(loops_carry_parts)
{
    pod_graph *part =
        part_of(MODULE("%x: tensor<64x16xf32>" DIVIDED("{\"d\"}, {}") ", %n: tensor<i32>", "tensor<64x16xf32>",
                       "%0:2 = stablehlo.while(%i = %n, %a = %x) : tensor<i32>, tensor<64x16xf32>\n"
                       "cond {\n%c = stablehlo.constant dense<8> : tensor<i32>\n"
                       "%1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                       "stablehlo.return %1 : tensor<i1>\n} do {\n%c = stablehlo.constant dense<1> : tensor<i32>\n"
                       "%1 = stablehlo.add %i, %c : tensor<i32>\n%2 = stablehlo.tanh %a : tensor<64x16xf32>\n"
                       "stablehlo.return %1, %2 : tensor<i32>, tensor<64x16xf32>\n}\n"
                       "return %0#1 : tensor<64x16xf32>\n"));
    expect_shape("(16, 16)", pod_graph_get_output(part, 0));
    pod_graph_free(part);
}

TEST(an_output_that_is_divided_otherwise_replaces_nothing)
{
    pod_graph *part = part_of(MODULE(
        "%x: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"d\"}, {}]>, tf.aliasing_output = 0 : i32}, "
        "%y: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"d\"}, {}]>, tf.aliasing_output = 1 : i32}",
        "tensor<64x16xf32>" DIVIDED("{}, {}") ", tensor<64x16xf32>",
        "%0 = stablehlo.tanh %x : tensor<64x16xf32>\n%1 = stablehlo.tanh %y : tensor<64x16xf32>\n"
        "return %0, %1 : tensor<64x16xf32>, tensor<64x16xf32>\n"));
    ASSERT(part != NULL);
    ASSERT_EQ(-1, part->aliases[0]);
    ASSERT_EQ(1, part->aliases[1]);
    pod_graph_free(part);
}

/* Both axes of the mesh fit into 16 columns, and one of them into the 4 groups of those; rows that are turned round, or
 * joined, come of whole ones. */
TEST(what_does_not_come_in_parts_comes_whole)
{
    static const char *const bodies[] = {
        "%0 = stablehlo.reshape %x : (tensor<64x16xf32>) -> tensor<64x4x4xf32>\n"
        "%1 = stablehlo.reshape %0 : (tensor<64x4x4xf32>) -> tensor<64x16xf32>\n",
        "%1 = stablehlo.reverse %x, dims = [1] : tensor<64x16xf32>\n",
        "%0 = stablehlo.slice %x [0:64, 0:8] : (tensor<64x16xf32>) -> tensor<64x8xf32>\n"
        "%1 = stablehlo.concatenate %0, %0, dim = 1 : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x16xf32>\n",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s%s",
                 "module @m attributes {mhlo.num_partitions = 8 : i32} {\n sdy.mesh @mesh = <[\"d\"=4, \"t\"=2]>\n"
                 "func.func public @main(%x: tensor<64x16xf32>" DIVIDED(
                     "{}, {\"d\", \"t\"}") ") -> (tensor<64x16xf32>" DIVIDED("{}, {\"d\", \"t\"}") ") {\n",
                 bodies[i], "return %1 : tensor<64x16xf32>\n}\n}\n");
        pod_graph *part = part_of(text);
        ASSERT(part != NULL);
        expect_shape("(64, 2)", pod_graph_get_output(part, 0));
        pod_graph_free(part);
    }
}

/* A turn gives what it takes at one place to another one, where arrays are divided otherwise. */
TEST(turns_change_the_places_of_what_is_divided_otherwise)
{
    pod_graph *part = part_of(
        MODULE("%x: tensor<64x16xf32>" DIVIDED("{\"d\"}, {}") ", %y: tensor<64x16xf32>" DIVIDED("{}, {\"d\"}"),
               "tensor<64x16xf32>, tensor<64x16xf32>",
               "%0:2 = stablehlo.while(%a = %x, %b = %y) : tensor<64x16xf32>, tensor<64x16xf32>\n"
               "cond {\n%c = stablehlo.constant dense<true> : tensor<i1>\nstablehlo.return %c : tensor<i1>\n} do {\n"
               "stablehlo.return %b, %a : tensor<64x16xf32>, tensor<64x16xf32>\n}\n"
               "return %0#0, %0#1 : tensor<64x16xf32>, tensor<64x16xf32>\n"));
    ASSERT(part != NULL);
    expect_shape("(16, 16)", pod_graph_get_output(part, 0));
    expect_shape("(64, 4)", pod_graph_get_output(part, 1));
    ASSERT_EQ(2, count_of(part, POD_OP_ALL_TO_ALL));
    pod_graph_free(part);
}

/* shard_map in the midst: by hand along one axis of the mesh, by the compiler along the other. */
TEST(parts_that_are_divided_by_hand_are_one_devices)
{
    pod_graph *part = part_of(MODULE(
        "%x: tensor<64x16xf32>" DIVIDED("{\"d\"}, {\"t\"}"), "tensor<64x16xf32>",
        "%0 = stablehlo.tanh %x : tensor<64x16xf32>\n"
        "%1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"d\"}, {}]>] out_shardings=[<@mesh, [{}, {\"d\"}]>]"
        " manual_axes={\"d\"} (%a: tensor<16x16xf32>) {\n"
        "%3 = stablehlo.negate %a : tensor<16x16xf32>\n"
        "%4 = stablehlo.reshape %3 : (tensor<16x16xf32>) -> tensor<64x4xf32>\n"
        "sdy.return %4 : tensor<64x4xf32>\n} : (tensor<64x16xf32>) -> tensor<64x16xf32>\n"
        "%2 = stablehlo.tanh %1 : tensor<64x16xf32>\nreturn %2 : tensor<64x16xf32>\n"));
    ASSERT(part != NULL);
    for (uint32_t i = 0; i < part->node_count; i++)
        if (part->nodes[i]->op == POD_OP_NEGATE)
            expect_shape("(16, 8)", part->nodes[i]);
    expect_shape("(64, 4)", pod_graph_get_output(part, 0));
    pod_graph_free(part);
}

TEST(what_cannot_be_divided_is_named)
{
    ASSERT(!part_of(MODULE("%x: tensor<64x16xf32>" DIVIDED("{\"d\"}, {}"), "tensor<64x16xf32>",
                           "%0 = stablehlo.custom_call @mine(%x) : (tensor<64x16xf32>) -> tensor<64x16xf32>\n"
                           "return %0 : tensor<64x16xf32>\n")));
    ASSERT_TEXT("step.mlir:4: 'custom_call @mine' cannot be divided here", error.message);
    ASSERT(!part_of(MODULE("%x: tensor<62x16xf32>" DIVIDED("{\"d\"}, {}"), "tensor<62x16xf32>",
                           "return %x : tensor<62x16xf32>\n")));
    ASSERT(strstr(error.message, "is not divided into equal parts") != NULL);
    static const char *const unread[] = {"mhlo.sharding = \"{maximal device=0}\"",
                                         "mhlo.sharding = \"{devices=[3,1]<=[8]}\"",
                                         "mhlo.sharding = \"{devices=[8\"",
                                         "mhlo.sharding = \"{devices=[4,2]<=[8]T(9)}\"",
                                         "mhlo.sharding = \"{devices=[2,4]<=[0]}\"",
                                         "mhlo.sharding = \"{devices=[2,4]<=[1048576,1048576,1048576,1048576]}\"",
                                         "sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {\"d\"}]>",
                                         "sdy.sharding = #sdy.sharding<mesh<[\"a\"=1048576, \"b\"=1048576, "
                                         "\"c\"=1048576, \"d\"=1048576]>, [{\"a\"}, {}]>"};
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 MODULE("%%x: tensor<64x16xf32> {%s}", "tensor<64x16xf32>", "return %%x : tensor<64x16xf32>\n"),
                 unread[i]);
        pod_exchange_module *module = read(text);
        ASSERT(!pod_exchange_describe(module).divided);
        ASSERT(strstr(pod_exchange_describe(module).undivided, "a sharding that is not understood") != NULL);
        ASSERT(pod_exchange_division(module) == NULL);
        pod_exchange_free(module);
    }
}

TEST_MAIN(context = test_context(NULL); RUN(a_batch_in_parts_adds_gradients_up);
          RUN(divided_weights_are_gathered_and_their_gradients_scattered);
          RUN(products_along_a_divided_axis_are_sums_of_parts); RUN(constraints_gather_and_move);
          RUN(axes_of_the_mesh_change_places); RUN(what_does_not_come_in_parts_comes_whole);
          RUN(turns_change_the_places_of_what_is_divided_otherwise);
          RUN(an_output_that_is_divided_otherwise_replaces_nothing); RUN(tiles_are_read_as_axes_of_the_mesh);
          RUN(devices_of_tiles_may_be_listed); RUN(loops_carry_parts);
          RUN(parts_that_are_divided_by_hand_are_one_devices); RUN(what_cannot_be_divided_is_named);
          pod_context_release(context);)
