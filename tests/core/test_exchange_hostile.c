/* Texts that are cut off, damaged or made to harm: each is read or refused with its line and
 * column, soon and in little memory. */

#include "test.h"

#include "base/arena_apart.h"
#include "base/text.h"
#include "graph/node.h"
#include "moonpod/exchange.h"

static pod_context *context;
static pod_error error;

#define MOST_HELD ((uint64_t)64 << 20)

/* Both forms, aliases, constants of each kind, regions that read what is outside, calls. */
static const char whole[] =
    "#loc = loc(unknown)\n"
    "module @m attributes {mhlo.num_partitions = 1 : i32} {\n"
    "sdy.mesh @mesh = <[\"x\"=2]>\n"
    "func.func public @main(%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32} loc(\"a\"(#loc)),"
    " %b: tensor<3x2xbf16>, %i: tensor<i32>) -> (tensor<2x3xf32> {jax.result_info = \"r\"}, "
    "tensor<f32>) {\n"
    "%c = stablehlo.constant dense<[[1.0, 0x7FC00000], [-2.5e-1, 3.0]]> : tensor<2x2xf32>\n"
    "%d = stablehlo.constant dense<\"0x0000803F00000040\"> : tensor<2xf32>\n"
    "%e = stablehlo.constant dense_resource<w> : tensor<2xi32>\n"
    "%0 = stablehlo.convert %b : (tensor<3x2xbf16>) -> tensor<3x2xf32>\n"
    "%1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] :"
    " (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32> loc(#l1)\n"
    "%2 = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "%3 = stablehlo.reduce(%1 init: %2) applies stablehlo.add across dimensions = [0, 1] :"
    " (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>\n"
    "%4:2 = stablehlo.while(%x = %3, %n = %i) : tensor<f32>, tensor<i32>\n"
    "cond {\n%k = stablehlo.constant dense<3> : tensor<i32>\n"
    "%t = stablehlo.compare LT, %n, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "stablehlo.return %t : tensor<i1>\n} do {\n"
    "%k = stablehlo.constant dense<1> : tensor<i32>\n"
    "%u = stablehlo.add %n, %k : tensor<i32>\n%v = stablehlo.add %x, %3 : tensor<f32>\n"
    "stablehlo.return %v, %u : tensor<f32>, tensor<i32>\n}\n"
    "%5 = \"stablehlo.case\"(%i) ({\nstablehlo.return %3 : tensor<f32>\n}, {\n"
    "%w = func.call @f(%3) : (tensor<f32>) -> tensor<f32>\nstablehlo.return %w : tensor<f32>\n}, "
    "{\n"
    "stablehlo.return %4#0 : tensor<f32>\n}) : (tensor<i32>) -> tensor<f32>\n"
    "%6 = stablehlo.slice %a [0:2, 0:3:1] : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
    "%7:2 = \"stablehlo.sort\"(%6, %a) <{dimension = 1 : i64}> ({\n"
    "^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):\n"
    "%t = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "stablehlo.return %t : tensor<i1>\n}) : (tensor<2x3xf32>, tensor<2x3xf32>) ->"
    " (tensor<2x3xf32>, tensor<2x3xf32>)\n"
    "%8 = stablehlo.custom_call @g(%7#1) {backend_config = \"{\\\"a\\\": 1}\"} :"
    " (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
    "return %8, %5 : tensor<2x3xf32>, tensor<f32>\n}\n"
    "func.func private @f(%a: tensor<f32>) -> tensor<f32> {\n"
    "%0 = stablehlo.tanh %a : tensor<f32>\nreturn %0 : tensor<f32>\n}\n}\n"
    "#l1 = loc(\"m.py\":3:0)\n"
    "{-# dialect_resources: { builtin: { w: \"0x040000000100000002000000\" } } #-}\n";

/* Reads a text, which may be refused but in no other way than with its place. */
static pod_status try_text(const char *text, size_t length)
{
    pod_exchange_module *module;
    pod_status status = pod_exchange_read(context, text, length, "m", &module, &error);
    unsigned line = 0, column = 0;
    if (status == POD_OK) {
        ASSERT_OK(pod_graph_verify(pod_exchange_graph(module), &error));
        pod_exchange_free(module);
        return status;
    }
    ASSERT(module == NULL);
    if (sscanf(error.message, "m:%u:%u: ", &line, &column) != 2 || line == 0 || column == 0)
        FAIL("the message '%s' has no place", error.message);
    return status;
}

static uint64_t held(void)
{
    return pod_context_memory(context).current_bytes;
}

TEST(the_whole_text_is_read)
{
    ASSERT_OK(try_text(whole, sizeof whole - 1));
}

TEST(a_text_may_end_at_any_byte)
{
    uint64_t before = held();
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char *copy = malloc(length + 1); /* sanitizers see a byte read behind it */
        ASSERT(copy != NULL);
        memcpy(copy, whole, length);
        if (try_text(copy, length) == POD_OK && length < sizeof whole - 100)
            FAIL("the first %zu bytes are read as a module", length);
        free(copy);
    }
    ASSERT_EQ(before, held());
}

TEST(any_byte_may_be_another)
{
    static const char bytes[] = "\0x%<>(}]#0:";
    char *copy = malloc(sizeof whole - 1);
    ASSERT(copy != NULL);
    uint64_t before = held();
    for (size_t at = 0; at < sizeof whole - 1; at++) {
        memcpy(copy, whole, sizeof whole - 1);
        for (size_t i = 0; i < sizeof bytes - 1; i++) {
            copy[at] = bytes[i];
            (void)try_text(copy, sizeof whole - 1);
        }
    }
    ASSERT_EQ(before, held());
    free(copy);
}

TEST(any_line_may_be_missing_or_there_twice)
{
    char *copy = malloc(2 * sizeof whole);
    ASSERT(copy != NULL);
    for (const char *line = whole, *next; (next = strchr(line, '\n')); line = next + 1) {
        size_t head = (size_t)(line - whole), size = (size_t)(next + 1 - line);
        size_t rest = sizeof whole - 1 - head;
        memcpy(copy, whole, head);
        memcpy(copy + head, line + size, rest - size);
        (void)try_text(copy, sizeof whole - 1 - size);
        memcpy(copy + head, line, size);
        memcpy(copy + head + size, line, rest);
        (void)try_text(copy, sizeof whole - 1 + size);
    }
    free(copy);
}

/* "head" + `count` times `middle` + "tail" */
static char *repeat(const char *head, const char *middle, size_t count, const char *tail)
{
    size_t part = strlen(middle), begin = strlen(head);
    char *text = malloc(begin + part * count + strlen(tail) + 1);
    ASSERT(text != NULL);
    memcpy(text, head, begin);
    for (size_t i = 0; i < count; i++)
        memcpy(text + begin + i * part, middle, part);
    strcpy(text + begin + part * count, tail);
    return text;
}

static void expect_refused(char *text, const char *message)
{
    uint64_t before = held();
    if (try_text(text, strlen(text)) == POD_OK)
        FAIL("'%.60s ...' is read", text);
    ASSERT_CONTAINS(message, error.message);
    ASSERT_EQ(before, held());
    ASSERT(pod_context_memory(context).peak_bytes < MOST_HELD);
    free(text);
}

#define MAIN "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"

TEST(nesting_is_bounded)
{
    expect_refused(repeat(MAIN "%0 = \"x.y\"(%a) {k = ", "[", 100000, ""), "nested more than");
    expect_refused(repeat(MAIN "%0 = \"x.y\"(%a) {k = ", "{a = ", 100000, ""), "nested more than");
    expect_refused(repeat(MAIN "%0 = \"x.y\"(%a) {k = #a", "<", 100000, ""), "nested more than");
    expect_refused(repeat(MAIN, "%0 = \"x.y\"(%a) ({\n", 100000, ""), "nested more than");
    expect_refused(repeat(MAIN "%0 = stablehlo.constant dense<", "[", 100000, "> : tensor<1xf32>"), "nested more than");
    expect_refused(repeat(MAIN "return %a : tensor<f32> loc(", "callsite(", 100000, ""), "nested more than");
}

TEST(sizes_do_not_overflow)
{
    expect_refused(repeat("func.func @f(%a: tensor<", "1152921504606846976x", 2, "f32>"), "more elements than 63 bits");
    expect_refused(repeat("func.func @f(%a: tensor<", "99999999999999999999", 1, "xf32>"), "does not fit 64 bits");
    expect_refused(repeat("func.func @f(%a: tensor<", "2x", 9, "f32>"), "more than 8 axes");
    expect_refused(repeat("func.func @f(%a: tensor<", "4611686018427387904x", 1,
                          "f32>) -> tensor<f32> {\nreturn %a : tensor<f32>\n}\n"),
                   "more bytes than 63 bits count");
    expect_refused(repeat("func.func @f(%a: tensor<", "?x", 1, "f32>"), "not static");
}

TEST(integers_do_not_wrap)
{
    static const struct {
        const char *number, *type;
        bool fits;
    } cases[] = {{"255", "ui8", true},
                 {"-128", "i8", true},
                 {"256", "ui8", false},
                 {"-129", "i8", false},
                 {"4294967296", "i32", false},
                 {"-2147483648", "i32", true},
                 {"18446744073709551615", "ui64", true},
                 {"18446744073709551616", "ui64", false},
                 {"-9223372036854775808", "i64", true},
                 {"-9223372036854775809", "i64", false}};
    char text[300];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text,
                 "func.func @main() -> tensor<%s> {\n%%0 = stablehlo.constant dense<%s> : tensor<%s>\n"
                 "return %%0 : tensor<%s>\n}\n",
                 cases[i].type, cases[i].number, cases[i].type, cases[i].type);
        if (cases[i].fits)
            ASSERT_OK(try_text(text, strlen(text)));
        else
            expect_refused(repeat(text, "", 0, ""), "an element is no number of its type");
    }
}

TEST(a_repeated_element_is_not_written_out)
{
    static const char text[] = "func.func @main() -> tensor<2147483648x512xf32> {\n"
                               "%0 = stablehlo.constant dense<1.5> : tensor<2147483648x512xf32>\n"
                               "return %0 : tensor<2147483648x512xf32>\n}\n";
    static const char hexadecimal[] = "func.func @main() -> tensor<2147483648x512xf32> {\n"
                                      "%0 = stablehlo.constant dense<\"0x0000C03F\"> : tensor<2147483648x512xf32>\n"
                                      "return %0 : tensor<2147483648x512xf32>\n}\n";
    ASSERT_OK(try_text(text, strlen(text)));
    ASSERT_OK(try_text(hexadecimal, strlen(hexadecimal)));
    ASSERT(pod_context_memory(context).peak_bytes < MOST_HELD);
    expect_refused(repeat(MAIN "%0 = stablehlo.constant dense<[1.0, ", "2.0, ", 3,
                          "2.0]> : tensor<1099511627776xf32>"
                          "\nreturn %a : tensor<f32>\n}\n"),
                   "fewer elements than its type");
}

TEST(calls_may_not_circle_nor_grow_without_end)
{
    char functions[64 * 128] = "", *end = functions;
    expect_refused(
        repeat(MAIN "%0 = call @main(%a) : (tensor<f32>) -> tensor<f32>\n", "", 0, "return %0 : tensor<f32>\n}\n"),
        "calls itself");
    for (int i = 0; i < 40; i++)
        end += sprintf(end,
                       "func.func private @f%d(%%a: tensor<f32>) -> tensor<f32> {\n"
                       "%%0 = call @f%d(%%a) : (tensor<f32>) -> tensor<f32>\n"
                       "%%1 = call @f%d(%%0) : (tensor<f32>) -> tensor<f32>\n"
                       "return %%1 : tensor<f32>\n}\n",
                       i, i + 1, i + 1);
    expect_refused(repeat(functions,
                          "func.func @f40(%a: tensor<f32>) -> tensor<f32> {\n"
                          "return %a : tensor<f32>\n}\n",
                          1,
                          MAIN "%0 = call @f0(%a) : (tensor<f32>) -> tensor<f32>\n"
                               "return %0 : tensor<f32>\n}\n"),
                   "with all calls in place");
    expect_refused(
        repeat(MAIN "%0 = call @g(%a) : (tensor<f32>) -> tensor<f32>\n", "", 0, "return %0 : tensor<f32>\n}\n"),
        "there is no function @g");
}

TEST(types_that_do_not_fit_are_refused)
{
    expect_refused(repeat(MAIN "%0 = stablehlo.tanh %a : (tensor<2xf32>) -> tensor<2xf32>\n", "", 0,
                          "return %a : tensor<f32>\n}\n"),
                   "m:2:6: operand 0 of stablehlo.tanh is float32 (), but float32 (2,) is written");
    expect_refused(repeat(MAIN "%0 = stablehlo.reshape %a : (tensor<f32>) -> tensor<2xf32>\n", "", 0,
                          "return %a : tensor<f32>\n}\n"),
                   "m:2:6: reshape: ");
    expect_refused(repeat(MAIN "%0 = \"stablehlo.tanh\"(%a) : (tensor<f32>) -> tensor<f64>\n", "", 0,
                          "return %a : tensor<f32>\n}\n"),
                   "gives float32 () here, but float64 () is written");
    expect_refused(repeat(MAIN, "", 0, "return %a, %a : tensor<f32>, tensor<f32>\n}\n"),
                   "2 values are returned, but 1 are wanted");
    expect_refused(repeat(MAIN, "", 0, "%0 = stablehlo.tanh %a : tensor<f32>\n}\n"), "a body must end with a return");
    expect_refused(repeat(MAIN "%0:2 = stablehlo.tanh %a : tensor<f32>\n", "", 0, "return %a : tensor<f32>\n}\n"),
                   "has 2 results, but the types of 1");
    expect_refused(repeat(MAIN "%0 = stablehlo.convert %a : (tensor<f32>) -> tensor<f33>\n", "", 0,
                          "return %a : tensor<f32>\n}\n"),
                   "element type 'f33' is not known");
}

static pod_status read_whole(pod_context *host, pod_error *into)
{
    pod_exchange_module *module;
    const pod_status status = pod_exchange_read(host, whole, sizeof whole - 1, "m", &module, into);
    if (status == POD_OK)
        pod_exchange_free(module);
    return status;
}

/* Each is looked for by a call: one after another that would be 10^10 names. */
TEST(functions_are_found_among_200000_in_a_row)
{
    const int count = 200000;
    pod_exchange_module *module;
    pod_text text;
    pod_text_init(&text, context);
    pod_text_append(&text, "module {\n");
    for (int i = 0; i < count; i++)
        pod_text_format(&text,
                        "func.func private @f%d(%%a: tensor<f32>) -> tensor<f32> {\nreturn %%a : tensor<f32>\n}\n", i);
    pod_text_append(&text, "func.func @main(%0: tensor<f32>) -> tensor<f32> {\n");
    for (int i = 0; i < count; i++)
        pod_text_format(&text, "%%%d = call @f%d(%%%d) : (tensor<f32>) -> tensor<f32>\n", i + 1, count - 1 - i, i);
    pod_text_format(&text, "return %%%d : tensor<f32>\n}\n}\n", count);
    ASSERT(!text.failed);
    ASSERT_OK(pod_exchange_read(context, text.data, text.length, "many.mlir", &module, &error));
    pod_exchange_free(module);
    pod_text_clear(&text);
}

TEST(an_interrupt_ends_reading)
{
    pod_context_interrupt(context);
    ASSERT_FAILS(POD_ERROR_INTERRUPTED, "interrupted", read_whole(context, &error));
    ASSERT(pod_context_clear_interrupt(context));
    ASSERT_OK(read_whole(context, &error));
}

TEST(each_allocation_of_reading_may_fail)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(read_whole);
    pod_arenas_apart = false;
}

TEST_MAIN(context = test_context(NULL); RUN(the_whole_text_is_read); RUN(a_text_may_end_at_any_byte);
          RUN(any_byte_may_be_another); RUN(any_line_may_be_missing_or_there_twice); RUN(nesting_is_bounded);
          RUN(sizes_do_not_overflow); RUN(integers_do_not_wrap); RUN(a_repeated_element_is_not_written_out);
          RUN(calls_may_not_circle_nor_grow_without_end); RUN(types_that_do_not_fit_are_refused);
          RUN(functions_are_found_among_200000_in_a_row); RUN(an_interrupt_ends_reading);
          RUN(each_allocation_of_reading_may_fail); pod_context_release(context);)
