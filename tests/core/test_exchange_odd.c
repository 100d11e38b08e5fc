/* Ops of StableHLO in forms that no producer should write: each is refused with what is wrong, or becomes opaque with
 * why it is not known. Rare ones that are read mean what they say. */
#include "exchange_read.h"

#include "graph/node.h"

#define A "tensor<2x3xf32>"
#define B "tensor<3xf32>"
#define M "tensor<2x3xi1>"
#define N "tensor<i32>"
#define F "tensor<f32>"
#define P "tensor<i1>"
#define W "tensor<i64>"
#define U "tensor<2x3xui32>"

/* An op in the generic form, of parameters named as their types here; what is said of it: a reason, or after "!" an
 * error. Two results where the types are in parentheses. */
typedef struct odd {
    const char *name, *operands, *more, *types, *result, *said;
} odd;

#define NUMBER_OF  "it has another number of operands or results than is known"
#define ONE_OF     "it has not one operand and one result"
#define TWO_OF     "it has not two operands and one result"
#define THREE_OF   "it has not three operands and one result"
#define FIVE       A ", " B ", " B ", " B ", " B
#define TWICE      "%a, %a", "", A ", " A
#define ADD_REGION "({^bb0(%x: " F ", %y: " F "):\n%s = stablehlo.add %x, %y : " F "\nstablehlo.return %s : " F "\n})"
#define GE_REGION                                                                                                      \
    "({^bb0(%x: " F ", %y: " F "):\n%s = stablehlo.compare GE, %x, %y : (" F ", " F ") -> " P "\n"                     \
    "stablehlo.return %s : " P "\n}, "

static const odd all[] = {
    {"iota", "", "", "", A, "the axis it counts along is not given"},
    {"iota", "", "<{iota_dimension = 2 : i64}>", "", A, "!the array has no axis 2"},
    {"iota", "", "<{iota_dimension = 0 : i64}>", "", M, "bool cannot count"},
    {"reshape", TWICE, "tensor<6xf32>", NUMBER_OF},
    {"broadcast_in_dim", TWICE, A, NUMBER_OF},
    {"broadcast_in_dim", "%a", "", A, A, "!dims must list an axis for each of the operand"},
    {"broadcast_in_dim", "%a", "<{broadcast_dimensions = array<i64: 1, 1>}>", A, A, "!dims lists axis 1 twice"},
    {"transpose", TWICE, A, NUMBER_OF},
    {"transpose", "%a", "<{permutation = \"x\"}>", A, A, "!dims must be a list of axes"},
    {"reverse", TWICE, A, NUMBER_OF},
    {"concatenate", "", "", "", A, NUMBER_OF},
    {"concatenate", TWICE, "tensor<4x3xf32>", "!the axis to concatenate along is not given"},
    {"concatenate", "%a, %a", "<{dimension = 99 : i64}>", A ", " A, A, "!the axis to concatenate along is not given"},
    {"slice", TWICE, A, NUMBER_OF},
    {"slice", "%a", "<{start_indices = array<i64: 0>}>", A, A, "!a slice needs a range for each axis"},
    {"pad", "%a", "", A, A, NUMBER_OF},
    {"pad", "%a, %f", "<{edge_padding_low = array<i64: 1>}>", A ", " F, A, "!padding needs numbers for each axis"},
    {"dynamic_slice", "", "", "", A, NUMBER_OF},
    {"dynamic_slice", "%a, %n, %n", "<{slice_sizes = array<i64: 1>}>", A ", " N ", " N, A,
     "!sizes must give one for each axis"},
    {"dynamic_slice", "%a, %f, %f", "<{slice_sizes = array<i64: 1, 1>}>", A ", " F ", " F, "tensor<1x1xf32>",
     "its starts are no integers"},
    {"dynamic_update_slice", "%a", "", A, A, NUMBER_OF},
    {"dynamic_update_slice", "%a, %a, %f, %f", "", A ", " A ", " F ", " F, A, "its starts are no integers"},
    {"abs", TWICE, A, ONE_OF},
    {"erfc", TWICE, A, ONE_OF},
    {"square", TWICE, A, ONE_OF},
    {"atan", TWICE, A, ONE_OF},
    {"convert", TWICE, A, ONE_OF},
    {"bitcast_convert", TWICE, A, ONE_OF},
    {"is_inf", TWICE, A, ONE_OF},
    {"add", "%a", "", A, A, TWO_OF},
    {"compare", "%a", "<{comparison_direction = #stablehlo<comparison_direction EQ>}>", A, M, TWO_OF},
    {"compare", TWICE, M, "!the comparison is none of EQ, NE, LT, LE, GT, GE"},
    {"select", TWICE, A, THREE_OF},
    {"clamp", TWICE, A, "it does not limit numbers"},
    {"clamp", "%m, %m, %m", "", M ", " M ", " M, M, "it does not limit numbers"},
    {"optimization_barrier", TWICE, A, "it has not as many results as operands"},
    {"acos", TWICE, A, "it has not one operand of floats and one result"},
    {"lgamma", "", "", "", A, "it has not operands and one result"},
    {"zeta", "%a, %b", "", A ", " B, A, "its operands have not the shape of its result"},
    {"sort", "%a", "<{dimension = 0 : i64}>", A, A, "!its comparator takes two of each operand"},
    {"top_k", TWICE, A, "it does not give the largest numbers and their places"},
    {"top_k", "%a", "", A, "(" A ", tensor<2x3xi32>)", "!k is not given"},
    {"get_dimension_size", TWICE, N, "it has another number of operands than is known"},
    {"get_dimension_size", "%a", "", A, N, "!the axis is not given"},
    {"set_dimension_size", "%a", "", A, A, "it has another number of operands than is known"},
    {"get_tuple_element", "%a", "", A, A, "!it needs a tuple and an index"},
    {"sharding_constraint", TWICE, A, "it has not as many results as operands"},
    {"composite", "%a", "", A, A, "it has no decomposition"},
    {"if", "%p", "", P, A, "it has another number of branches or operands than is known"},
    {"case", "%n", "", N, A, "it has another number of branches or operands than is known"},
    {"while", "%a", "", A, A, "!a loop needs a condition and a body of as many arguments as it has operands"},
    {"manual_computation", "%a", "", A, A, "its body takes or gives another number of values"},
    {"replica_id", "%n", "", N, "tensor<ui32>", "it has operands"},
    {"dot", "%a", "", A, A, TWO_OF},
    {"dot", "%m, %m", "", M ", " M, M, "its operands are no numbers"},
    {"dot", "%a, %b", "", A ", " B, "tensor<2xi32>", "its result is of another kind of number"},
    {"dot_general", "%a", "", A, A, TWO_OF},
    {"dot_general", "%a, %b", "<{dot_dimension_numbers = 3 : i64}>", A ", " B, "tensor<2xf32>",
     "!the axes that are contracted are not given as lists"},
    {"convolution", "%a", "", A, A, TWO_OF},
    {"convolution", TWICE, A, "its axes are not given as is known for up to 3 spatial ones"},
    {"convolution", "%a, %a", "<{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>", A ", " A, A,
     "!the axes that are named are not those of the operands"},
    {"convolution", "%a, %a", "<{dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>}>", A ", " A, A,
     "its window is none of ours"},
    {"batch_norm_inference", TWICE, A, "!it has 2 operands and 1 results, not 5 and 1"},
    {"batch_norm_inference", "%a, %b, %b, %b, %b", "<{epsilon = 1.0e-3 : f32, feature_index = 5 : i64}>", FIVE, A,
     "!feature_index is no axis of its operand"},
    {"batch_norm_inference", "%a, %b, %b, %b, %b", "<{feature_index = 1 : i64}>", FIVE, A, "!epsilon is not given"},
    {"batch_norm_inference", "%a, %b, %b, %b, %b", "<{epsilon = 1.0e-3 : f32, feature_index = 0 : i64}>", FIVE, A,
     "!operand 1 has not its features"},
    {"batch_norm_inference", "%u, %b, %b, %b, %b", "<{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>",
     U ", " B ", " B ", " B ", " B, A, "!it normalises no floats"},
    {"gather", "%a", "", A, A, TWO_OF},
    {"gather", "%a, %n", "", A ", " N, B, "!dimension_numbers must list axes"},
    {"scatter", "%a, %n, %b", ADD_REGION, A ", " N ", " B, A, "!scatter_dimension_numbers must list axes"},
    {"reduce", "%a, %f", "<{dimensions = \"x\"}> " ADD_REGION, A ", " F, B, "!dimensions must list axes"},
    {"reduce", "%a", "<{dimensions = array<i64: 0>}> " ADD_REGION, A, B, "!it has not one start for each array"},
    {"reduce", "%a, %f", "<{dimensions = array<i64: 0>}>", A ", " F, B, "it folds in a way that is not known"},
    {"reduce_window", "%a", ADD_REGION, A, A, "it reduces several arrays at once"},
    {"reduce_window", "%a, %f", "<{window_dimensions = array<i64: 1>}> " ADD_REGION, A ", " F, A,
     "!the window must give numbers for each axis"},
    {"select_and_scatter", "%a", "", A, A, "it has another number of operands or regions than is known"},
    {"select_and_scatter", "%a, %a, %f",
     "<{window_dimensions = array<i64: 1>}> " GE_REGION "{^bb0(%x: " F ", %y: " F "):\n%s = stablehlo.add %x, %y : " F
     "\nstablehlo.return %s : " F "\n})",
     A ", " A ", " F, A, "!the window must give numbers for each axis"},
    {"select_and_scatter", "%a, %a, %f",
     "<{window_dimensions = array<i64: 1, 1>}> " GE_REGION "{^bb0(%x: " F ", %y: " F
     "):\n%s = stablehlo.multiply %x, %y : " F "\nstablehlo.return %s : " F "\n})",
     A ", " A ", " F, A, "it does not add to the first maximum of each window"},
    {"custom_call", "%a", "<{call_target_name = \"foreign\"}>", A, A, "it calls foreign code"},
    {"custom_call", "%a", "<{call_target_name = \"Qr\"}>", A, A,
     "chips have it, but how much memory they compute it in is not known"},
    {"fft", "%a", "", A, A, "chips have it, but how much memory they compute it in is not known"},
};

static void write_module(char *text, size_t size, const odd *of)
{
    const bool pair = of->result[0] == '(';
    snprintf(text, size,
             "module @m {\nfunc.func public @main(%%a: " A ", %%b: " B ", %%m: " M ", %%n: " N ", %%f: " F ", %%p: " P
             ", %%w: " W ", %%u: " U ") -> " A " {\n%%0%s = \"stablehlo.%s\"(%s) %s : (%s) -> %s\nreturn %%a : " A
             "\n}\n}\n",
             pair ? ":2" : "", of->name, of->operands, of->more, of->types, of->result);
}

static void expect(const odd *of)
{
    char text[4096];
    pod_exchange_module *module;
    write_module(text, sizeof text, of);
    const pod_status status = pod_exchange_read(context, text, strlen(text), "m", &module, &error);
    if (of->said[0] == '!') {
        if (status == POD_OK || !strstr(error.message, of->said + 1))
            FAIL("%s(%s) %s: %s, expected '%s'", of->name, of->operands, of->more,
                 status == POD_OK ? "it was read" : error.message, of->said + 1);
        return;
    }
    if (status != POD_OK)
        FAIL("%s(%s) %s: %s", of->name, of->operands, of->more, error.message);
    ASSERT_OK(pod_graph_verify(pod_exchange_graph(module), &error));
    if (pod_exchange_describe(module).unknown_count != 1)
        FAIL("%s(%s) %s was read", of->name, of->operands, of->more);
    ASSERT_TEXT(of->said, pod_exchange_unknown_op(module, 0).reason);
    pod_exchange_free(module);
}

TEST(odd_forms_are_refused_or_become_opaque)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        expect(&all[i]);
}

/* ---- rare forms ------------------------------------------------------------------------------------------ */

typedef struct rare {
    const char *name, *operands, *more, *types, *result;
    pod_op op, of; /* what the result is, and its first operand */
} rare;

#define FOLD(op) "({^bb0(%x: " F ", %y: " F "):\n%s = stablehlo." op " %x, %y : " F "\nstablehlo.return %s : " F "\n})"
#define FOLD_OF_BOOL(op)                                                                                               \
    "({^bb0(%x: " P ", %y: " P "):\n%s = stablehlo." op " %x, %y : " P "\nstablehlo.return %s : " P "\n})"
#define ALONG_ALL "<{dimensions = array<i64: 1, 0>}> "
#define SCATTERED                                                                                                      \
    "<{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], "          \
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> "
#define GATHERED                                                                                                       \
    "<{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], "   \
    "index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>}>"

static const rare rares[] = {
    {"atan", "%a", "", A, A, POD_OP_ATAN2, POD_OP_PARAMETER},
    {"add", "%m, %m", "", M ", " M, M, POD_OP_OR, POD_OP_PARAMETER},
    {"minimum", "%m, %m", "", M ", " M, M, POD_OP_AND, POD_OP_PARAMETER},
    {"sharding_constraint", "%a", "", A, A, POD_OP_PARAMETER, -1},
    {"reduce", "%m, %yes", ALONG_ALL FOLD_OF_BOOL("multiply"), M ", " P, P, POD_OP_REDUCE_AND, POD_OP_PARAMETER},
    {"reduce", "%m, %p", ALONG_ALL FOLD_OF_BOOL("maximum"), M ", " P, P, POD_OP_OR, POD_OP_REDUCE_OR},
    {"reduce", "%a, %f", ALONG_ALL FOLD("minimum"), A ", " F, F, POD_OP_MINIMUM, POD_OP_REDUCE_MIN},
    {"reduce", "%u, %least",
     ALONG_ALL "({^bb0(%x: tensor<ui32>, %y: tensor<ui32>):\n%s = stablehlo.maximum %x, %y : "
               "tensor<ui32>\nstablehlo.return %s : tensor<ui32>\n})",
     U ", tensor<ui32>", "tensor<ui32>", POD_OP_REDUCE_MAX, POD_OP_PARAMETER},
    {"dynamic_slice", "%a, %w, %w", "<{slice_sizes = array<i64: 1, 1>}>", A ", " W ", " W, "tensor<1x1xf32>",
     POD_OP_DYNAMIC_SLICE, POD_OP_PARAMETER},
    {"scatter", "%a, %n1, %b", SCATTERED FOLD("maximum"), A ", tensor<1xi32>, " B, A, POD_OP_SCATTER, POD_OP_PARAMETER},
    {"scatter", "%a, %n1, %b", SCATTERED FOLD("minimum"), A ", tensor<1xi32>, " B, A, POD_OP_SCATTER, POD_OP_PARAMETER},
    {"scatter", "%a, %n1, %b", SCATTERED "({^bb0(%x: " F ", %y: " F "):\nstablehlo.return %y : " F "\n})",
     A ", tensor<1xi32>, " B, A, POD_OP_DYNAMIC_UPDATE_SLICE, POD_OP_PARAMETER},
    {"gather", "%a, %h1", GATHERED, A ", tensor<1xi16>", B, POD_OP_GATHER, POD_OP_PARAMETER},
    {"composite", "%a", "<{decomposition = @twice, name = \"m.twice\"}>", A, A, POD_OP_ADD, POD_OP_PARAMETER},
    {"case", "%n", "({\nstablehlo.return %a : " A "\n})", N, A, POD_OP_PARAMETER, -1},
    {"dot", "%a, %b", "", A ", " B, "tensor<2xf32>", POD_OP_DOT, POD_OP_PARAMETER},
    {"all_reduce", "%a", "<{replica_groups = dense<0> : tensor<1x1xi64>}> " FOLD("multiply"), A, A, POD_OP_ALL_REDUCE,
     POD_OP_PARAMETER},
    {"all_reduce", "%a", "<{replica_groups = dense<0> : tensor<1x1xi64>}> " FOLD("minimum"), A, A, POD_OP_ALL_REDUCE,
     POD_OP_PARAMETER},
};

TEST(rare_forms_are_read)
{
    for (size_t i = 0; i < sizeof rares / sizeof *rares; i++) {
        const rare *of = &rares[i];
        char text[4096];
        snprintf(text, sizeof text,
                 "module @m {\nfunc.func public @main(%%a: " A ", %%b: " B ", %%m: " M ", %%n: " N ", %%f: " F
                 ", %%p: " P ", %%w: " W ", %%u: " U ", %%n1: tensor<1xi32>, %%h1: tensor<1xi16>) -> %s {\n"
                 "%%yes = stablehlo.constant dense<true> : " P "\n"
                 "%%least = stablehlo.constant dense<0> : tensor<ui32>\n"
                 "%%0 = \"stablehlo.%s\"(%s) %s : (%s) -> %s\nreturn %%0 : %s\n}\n"
                 "func.func private @twice(%%a: " A ") -> " A " {\n%%0 = stablehlo.add %%a, %%a : " A
                 "\nreturn %%0 : " A "\n}\n}\n",
                 of->result, of->name, of->operands, of->more, of->types, of->result, of->result);
        pod_exchange_module *module = read(text);
        const pod_node *node = pod_graph_get_output(pod_exchange_graph(module), 0);
        if (pod_exchange_describe(module).unknown_count != 0 || node->op != of->op ||
            (of->of >= 0 && node->inputs[0]->op != of->of))
            FAIL("%s %s became %s of %s", of->name, of->more, pod_op_name(node->op),
                 node->input_count > 0 ? pod_op_name(node->inputs[0]->op) : "nothing");
        pod_exchange_free(module);
    }
}

TEST(integers_of_attributes_may_have_a_sign)
{
    static const struct {
        const char *written, *said; /* NULL: it is 5 */
    } integers[] = {{"5", NULL}, {"+5", NULL}, {"+5 : i64", NULL}, {"-5", "has no axis -5"}, {"+45", "has no axis 45"}};
#define SIX_AXES "tensor<1x1x1x1x1x3xf32>"
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char text[512];
        pod_exchange_module *module;
        snprintf(text, sizeof text,
                 "module @m {\nfunc.func public @main() -> " SIX_AXES " {\n%%0 = \"stablehlo.iota\"() "
                 "<{iota_dimension = %s}> : () -> " SIX_AXES "\nreturn %%0 : " SIX_AXES "\n}\n}\n",
                 integers[i].written);
        if (integers[i].said) {
            ASSERT_FAILS(POD_ERROR_SHAPE, integers[i].said,
                         pod_exchange_read(context, text, strlen(text), "m", &module, &error));
            continue;
        }
        module = read(text);
        ASSERT_EQ(5, pod_graph_get_output(pod_exchange_graph(module), 0)->attributes->axis);
        pod_exchange_free(module);
    }
}

TEST_MAIN(context = test_context(NULL); RUN(odd_forms_are_refused_or_become_opaque); RUN(rare_forms_are_read);
          RUN(integers_of_attributes_may_have_a_sign); pod_context_release(context))
