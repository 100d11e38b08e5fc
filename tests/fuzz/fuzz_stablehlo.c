/* StableHLO modules, from any bytes: refused with a line and a column, or read into a graph that
 * holds up to being checked again. Nothing is held afterwards. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moonpod/exchange.h"
#include "moonpod/replicate.h"

#define F(arguments, results, body)                                                                                    \
    "module @m {\nfunc.func public @main(" arguments ") -> " results " {\n" body "}\n}\n"

static const char *const seeds[] = {
    F("%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<3x2xbf16>", "tensor<2x3xf32>",
      "%c = stablehlo.constant dense<[[1.0, 2.0], [0x7FC00000, -2.5e-1]]> : tensor<2x2xf32>\n"
      "%0 = stablehlo.convert %b : (tensor<3x2xbf16>) -> tensor<3x2xf32>\n"
      "%1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [HIGH, "
      "DEFAULT] :"
      " (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32> loc(\"x\"(\"m.py\":3:0))\n"
      "%2 = stablehlo.add %1, %c : tensor<2x2xf32>\n"
      "return %a : tensor<2x3xf32>\n"),
    F("%x: tensor<f32>, %i: tensor<i32>", "(tensor<f32>, tensor<f32>)",
      "%0:2 = stablehlo.while(%y = %x, %n = %i) : tensor<f32>, tensor<i32>\ncond {\n"
      "%k = stablehlo.constant dense<3> : tensor<i32>\n"
      "%t = stablehlo.compare LT, %n, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %t : tensor<i1>\n} do {\n"
      "%u = stablehlo.add %n, %i : tensor<i32>\n%v = stablehlo.add %x, %y : tensor<f32>\n"
      "stablehlo.return %v, %u : tensor<f32>, tensor<i32>\n}\n"
      "%1 = \"stablehlo.case\"(%i) ({\nstablehlo.return %x : tensor<f32>\n}, {\n"
      "stablehlo.return %0#0 : tensor<f32>\n}, {\nstablehlo.return %x : tensor<f32>\n}) :"
      " (tensor<i32>) -> tensor<f32>\n"
      "return %0#0, %1 : tensor<f32>, tensor<f32>\n"),
    "module @m attributes {mhlo.num_partitions = 2 : i32} {\nsdy.mesh @mesh = <[\"d\"=2]>\n"
    "func.func public @main(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {\n"
    "%0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{\"d\"}, {}]>, <@mesh, [{}, {}]>]"
    " out_shardings=[<@mesh, [{\"d\"}, {}]>] manual_axes={\"d\"} (%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {\n"
    "%1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x3xf32>) -> "
    "tensor<4x3xf32>\nsdy.return %1 : tensor<4x3xf32>\n} : (tensor<8x4xf32>, tensor<4x3xf32>) -> "
    "tensor<8x3xf32>\n%2 = stablehlo.custom_call @Sharding(%0) : (tensor<8x3xf32>) -> tensor<8x3xf32>\n"
    "return %2 : tensor<8x3xf32>\n}\n}\n",
    F("%x: tensor<10x3xf32>, %n: tensor<i32>", "tensor<?x3xf32, #stablehlo.bounds<10, ?>>",
      "%0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<10x3xf32>, tensor<i32>) -> "
      "tensor<?x3xf32, #stablehlo.bounds<10, ?>>\n"
      "%1 = chlo.asinh %x : tensor<10x3xf32> -> tensor<10x3xf32>\n"
      "%2 = stablehlo.tuple %1, %n : tuple<tensor<10x3xf32>, tensor<i32>>\n"
      "%3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<10x3xf32>, tensor<i32>>) -> tensor<10x3xf32>\n"
      "%4 = stablehlo.compare LT, %3, %x, TOTALORDER : (tensor<10x3xf32>, tensor<10x3xf32>) -> tensor<10x3xi1>\n"
      "%t = stablehlo.constant dense<true> : tensor<i1>\n"
      "%5 = stablehlo.reduce(%4 init: %t) across dimensions = [1] : (tensor<10x3xi1>, tensor<i1>) -> tensor<10xi1>\n"
      "reducer(%a: tensor<i1>, %b: tensor<i1>) {\n%r = stablehlo.and %a, %b : tensor<i1>\n"
      "%q = stablehlo.select %r, %t, %b : tensor<i1>, tensor<i1>\nstablehlo.return %q : tensor<i1>\n}\n"
      "return %0 : tensor<?x3xf32, #stablehlo.bounds<10, ?>>\n"),
    F("%x: tensor<4x9x9x3xf32>, %k: tensor<3x3x3x8xf32>", "tensor<4x5x5x8xf32>",
      "%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],"
      " window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, "
      "1],"
      " reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :"
      " (tensor<4x9x9x3xf32>, tensor<3x3x3x8xf32>) -> tensor<4x5x5x8xf32>\n"
      "return %0 : tensor<4x5x5x8xf32>\n"),
    F("%x: tensor<4x6xf32>, %i: tensor<2x1xi32>", "(tensor<2x6xf32>, tensor<4x3xf32>)",
      "%0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],"
      " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes ="
      " array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<2x1xi32>) -> tensor<2x6xf32>\n"
      "%c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
      "%1 = \"stablehlo.reduce_window\"(%x, %c) <{window_dimensions = array<i64: 1, 2>,"
      " window_strides = array<i64: 1, 2>, padding = dense<0> : tensor<2x2xi64>}> ({\n"
      "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n%m = stablehlo.maximum %p, %q : tensor<f32>\n"
      "stablehlo.return %m : tensor<f32>\n}) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>\n"
      "return %0, %1 : tensor<2x6xf32>, tensor<4x3xf32>\n"),
    "\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
    "\"func.func\"() <{function_type = (tensor<8xf32>) -> tensor<5xcomplex<f32>>,"
    " sym_name = \"main\"}> ({\n^bb0(%x: tensor<8xf32>):\n"
    "%0 = \"stablehlo.fft\"(%x) <{fft_length = array<i64: 8>}> :"
    " (tensor<8xf32>) -> tensor<5xcomplex<f32>>\n"
    "\"func.return\"(%0) : (tensor<5xcomplex<f32>>) -> ()\n}) : () -> ()\n}) : () -> ()\n",
    /* what the writer marks */
    F("%x: tensor<2x4x4x3xf32>, %s: tensor<2xui64>", "(tensor<2x2x2x3xf32>, tensor<3xui32>)",
      "%0 = \"stablehlo.custom_call\"(%x) <{call_target_name = \"a\"}> {moonpod.op = \"pool_max\","
      " moonpod.window = array<i64: 2, 1, 2, 2, 0, 0, 1, 2, 2, 0, 0, 1, 0, 0, 0, 0, 0>} :"
      " (tensor<2x4x4x3xf32>) -> (tensor<2x2x2x3xf32>)\n"
      "%1 = \"stablehlo.custom_call\"(%s) <{call_target_name = \"b\"}> {moonpod.op = "
      "\"random_bits\","
      " moonpod.seed = 7 : i64, moonpod.dtype = \"uint32\", moonpod.shape = array<i64: 3>} :"
      " (tensor<2xui64>) -> (tensor<3xui32>)\n"
      "%2 = \"stablehlo.composite\"(%x) <{name = \"f\", decomposition = @g}> {moonpod.op = "
      "\"call\","
      " moonpod.name = \"a\\0Ab\", moonpod.values = array<i64: 1, 2, 3, 4>} :"
      " (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xf32>)\n"
      "%3 = \"stablehlo.collective_permute\"(%x) {moonpod.op = \"collective_permute\","
      " moonpod.count = 1 : i64, moonpod.data = array<i64: 0, 1>} :"
      " (tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xf32>)\n"
      "return %0, %1 : tensor<2x2x2x3xf32>, tensor<3xui32>\n}\n"
      "func.func private @g(%a: tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32> {\n"
      "return %a : tensor<2x4x4x3xf32>\n"),
};

static void read_module(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    char *text = malloc(size > 0 ? size : 1); /* what reads past its end is caught */
    pod_exchange_module *module;
    pod_error error;
    unsigned line, column;
    memcpy(text, bytes, size);
    const pod_status status = pod_exchange_read(context, text, size, "m", &module, &error);
    if (status == POD_OK && pod_graph_verify(pod_exchange_graph(module), &error) != POD_OK)
        fuzz_die("stablehlo", "a graph that does not hold up");
    const pod_division *division = status == POD_OK ? pod_exchange_division(module) : NULL;
    pod_graph *part = NULL;
    if (division && pod_graph_of_device(pod_exchange_graph(module), division, &part, &error) == POD_OK &&
        pod_graph_verify(part, &error) != POD_OK)
        fuzz_die("stablehlo", "a graph of one device that does not hold up");
    pod_graph_free(part);
    if (status == POD_OK && pod_graph_rematerialize(pod_exchange_graph(module), 3, &part, &error) == POD_OK) {
        if (pod_graph_verify(part, &error) != POD_OK)
            fuzz_die("stablehlo", "a graph that computes values again and does not hold up");
        pod_graph_free(part);
    }
    if (status != POD_OK && (module != NULL || sscanf(error.message, "m:%u:%u: ", &line, &column) != 2))
        fuzz_die("stablehlo", "a failure without its place");
    pod_exchange_free(module);
    free(text);
}

static void write_modules(pod_context *context)
{
    (void)context;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        fuzz_put(seeds[i], strlen(seeds[i]));
}

const fuzz_target fuzz_modules[] = {
    {"stablehlo", write_modules, read_module},
    {0},
};
