/* Every op of the table on devices: XLA's plugin for CPUs, on one device and on eight, against results that were
 * computed elsewhere and against the oracle. What it refuses or computes otherwise is listed, with why. */

#include "base/arena.h"
#include "exchange/portable.h"
#include "exchange/write.h"
#include "golden_rows.h"
#include "graph/build.h"
#include "moonpod/compiler.h"
#include "moonpod/device.h"
#include "program_run.h"
#include "random_graph.h"
#include "test.h"

#include "op_cases.h"

enum { MOST_BATCH = 24, SKIPPED = 77 };

static const char plugin[] = "build/plugins/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so";

static pod_context *context;
static pod_device *device;
static pod_error error;

/* What devices do not do as this host: `said`: the compilation fails, and says so; without it results differ. */
typedef struct exception {
    const char *op, *what; /* rows of whose name this is the beginning */
    const char *said;
    const char *why;
} exception;

static const exception exceptions[] = {
    {"print", "", "op 'print' is not done on devices", "the host prints"},
    {"top_k", "ties and NaN", NULL, "XLA has what is no number first; a sort would cost all others"},
    {"pool_max_gradient", "NaN and ties", NULL, "XLA's select_and_scatter goes on after what is no number"},
#define REPLICATED(name)                                                                                               \
    {                                                                                                                  \
        name, "", "op '" name "' is not done on devices", "the replicate pass leaves none"                             \
    }
    REPLICATED("all_reduce"),
    REPLICATED("reduce_scatter"),
    REPLICATED("all_gather"),
    REPLICATED("all_to_all"),
    REPLICATED("collective_permute"),
    REPLICATED("replica_id"),
};

#define EXCEPTION_COUNT (sizeof exceptions / sizeof *exceptions)
static int met[EXCEPTION_COUNT];

static const exception *find_exception(const char *op, const char *what)
{
    for (size_t i = 0; i < EXCEPTION_COUNT; i++) {
        if (strcmp(op, exceptions[i].op) == 0 && strncmp(what, exceptions[i].what, strlen(exceptions[i].what)) == 0) {
            met[i]++;
            return &exceptions[i];
        }
    }
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------------------------- */

/* Compiles a graph for the device and runs it once; NULL where the compiler refuses it, with `error`. */
static pod_program *run_on_device(const pod_graph *graph, const pod_array *arguments, outcome *o)
{
    bool has_rows[MOST_VALUES];
    pod_program *program;
    memset(has_rows, true, sizeof has_rows);
    *o = (outcome){.parameters = pod_graph_parameter_count(graph), .outputs = pod_graph_output_count(graph)};
    const pod_compile_options options = {.device = device, .has_rows = has_rows};
    ASSERT(o->parameters <= MOST_VALUES && o->outputs <= MOST_VALUES);
    if (pod_program_compile(context, graph, &options, &program, &error) != POD_OK)
        return NULL;
    for (size_t i = 0; i < o->parameters; i++)
        o->arguments[i] = buffer_of(context, &arguments[i]);
    ASSERT_OK(pod_program_run(program, o->arguments, o->results, NULL, NULL, &error));
    for (size_t i = 0; i < o->outputs; i++)
        if (o->results[i] != NULL)
            ASSERT_OK(pod_buffer_settle(o->results[i], &error));
    for (size_t i = 0; i < o->parameters; i++)
        ASSERT_OK(pod_buffer_settle(o->arguments[i], &error));
    return program;
}

/* ---- rows of the golden table ------------------------------------------------------------------------------------ */

/* Some rows as one graph: what each is given and what it has to give. */
typedef struct batch {
    pod_graph *graph;
    const golden *rows[MOST_VALUES]; /* of the outputs */
    pod_array arguments[MOST_VALUES], expected[MOST_VALUES];
    size_t parameters, outputs;
} batch;

static pod_array array_of(const golden_array *from)
{
    pod_array made = {from->dtype, from->shape, calloc(1, (size_t)pod_shape_elements(&from->shape) * 8 + 1)};
    pod_convert(POD_F64, from->elements, made.dtype, made.data, (size_t)pod_shape_elements(&from->shape));
    return made;
}

static void open_batch(batch *b)
{
    *b = (batch){0};
    ASSERT_OK(pod_graph_new(context, "golden", &b->graph, &error));
}

static void add_row(batch *b, const golden *row)
{
    pod_node *inputs[MOST_ARRAYS];
    pod_attributes attributes = row->attributes;
    size_t count = 0;
    for (; count < MOST_ARRAYS && row->inputs[count].dtype; count++) {
        b->arguments[b->parameters++] = array_of(&row->inputs[count]);
        inputs[count] = pod_graph_parameter(b->graph, row->inputs[count].dtype, &row->inputs[count].shape, "x");
    }
    if (attributes.dtype == POD_DTYPE_NONE)
        attributes.dtype = row->outputs[0].dtype;
    if (attributes.shape.rank == 0)
        attributes.shape = row->outputs[0].shape;
    pod_node *node = pod_graph_apply(b->graph, pod_op_from_name(row->op), inputs, count, &attributes, NULL, 0);
    for (size_t i = 0; i < MOST_ARRAYS && row->outputs[i].dtype; i++) {
        b->rows[b->outputs] = row;
        b->expected[b->outputs++] = array_of(&row->outputs[i]);
        pod_graph_add_output(b->graph, pod_graph_result(b->graph, node, i));
    }
}

static void close_batch(batch *b)
{
    evaluate_free(b->arguments, b->parameters);
    evaluate_free(b->expected, b->outputs);
    pod_graph_free(b->graph);
}

static void check_batch(batch *b)
{
    char what[256];
    outcome o;
    if (b->outputs == 0)
        return;
    pod_program *program = run_on_device(b->graph, b->arguments, &o);
    if (program == NULL)
        FAIL("%s (%s) and others: %s", b->rows[0]->op, b->rows[0]->what, error.message);
    for (size_t i = 0; i < b->outputs; i++) {
        snprintf(what, sizeof what, "%s (%s)", b->rows[i]->op, b->rows[i]->what);
        compare_arrays(what, i, &b->expected[i], o.results[i], golden_tolerance(b->expected[i].dtype));
    }
    outcome_release(&o);
    pod_program_free(program);
}

static bool is_equal(const pod_array *expected, const pod_buffer *got)
{
    const size_t size = pod_dtype_size(expected->dtype);
    for (int64_t i = 0, end = pod_shape_elements(&expected->shape); i < end; i++) {
        double a, b;
        pod_convert(expected->dtype, (char *)expected->data + (size_t)i * size, POD_F64, &a, 1);
        pod_convert(expected->dtype, (char *)pod_buffer_data(got) + (size_t)i * size, POD_F64, &b, 1);
        if (!(a == b || (isnan(a) && isnan(b))))
            return false;
    }
    return true;
}

/* A row that is listed has to fail as the list says. */
static void check_exception(const golden *row, const exception *listed)
{
    batch b;
    outcome o;
    bool differs = false;
    open_batch(&b);
    add_row(&b, row);
    pod_program *program = run_on_device(b.graph, b.arguments, &o);
    for (size_t i = 0; program != NULL && i < b.outputs; i++)
        differs = differs || !is_equal(&b.expected[i], o.results[i]);
    if (listed->said == NULL ? !differs : program != NULL || strstr(error.message, listed->said) == NULL)
        FAIL("%s (%s) is listed as one that devices do not do, and %s", row->op, row->what,
             program != NULL ? "they do" : error.message);
    if (program != NULL)
        outcome_release(&o);
    pod_program_free(program);
    close_batch(&b);
}

/* The table has rows of kernels that no op reaches, sums of predicates among them. */
static bool is_op(const golden *row)
{
    batch b;
    open_batch(&b);
    add_row(&b, row);
    const bool is = pod_graph_check(b.graph, &error) == POD_OK;
    close_batch(&b);
    return is;
}

/* The rows of an op, some in one program. */
static void check_rows(const char *op)
{
    batch b;
    open_batch(&b);
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        if (strcmp(op, goldens[i].op) != 0)
            continue;
        const exception *listed = find_exception(op, goldens[i].what);
        if (listed != NULL)
            check_exception(&goldens[i], listed);
        else if (is_op(&goldens[i]))
            add_row(&b, &goldens[i]);
        if (b.outputs >= MOST_BATCH || b.parameters + MOST_ARRAYS > MOST_VALUES) {
            check_batch(&b);
            close_batch(&b);
            open_batch(&b);
        }
    }
    check_batch(&b);
    close_batch(&b);
}

static void check_goldens(void)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++)
        check_rows(pod_op_name(op));
}

/* ---- ops whose results depend on more than arrays ------------------------------------------------------------------
 */

static bool covered[POD_OP_COUNT];

static bool is_golden(pod_op op)
{
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        if (strcmp(goldens[i].op, pod_op_name(op)) == 0)
            return true;
    return false;
}

/* Small numbers: predicates are true, integers are places that there are. */
static pod_array drawn_array(const pod_type *type, uint64_t *state)
{
    const int64_t count = pod_shape_elements(&type->shape);
    pod_array made = {type->dtype, type->shape, calloc((size_t)count + 1, 8)};
    for (int64_t i = 0; i < count; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        const double drawn = (double)(*state >> 33) * 0x1p-31;
        const double value = pod_dtype_is_float(type->dtype) ? floor(drawn * 7) - 3
                             : type->dtype == POD_BOOL       ? 1
                                                             : drawn * 2;
        pod_convert(POD_F64, &value, type->dtype, (char *)made.data + (size_t)i * pod_dtype_size(type->dtype), 1);
    }
    return made;
}

/* Compares what a graph gives on devices with the oracle. */
static void check_graph(const pod_graph *graph, const char *what, uint64_t seed, double relative)
{
    pod_array arguments[MOST_VALUES], expected[MOST_VALUES];
    outcome o;
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        arguments[i] = drawn_array(&graph->parameters[i]->results[0], &seed);
    ASSERT_OK(evaluate_graph(graph, arguments, expected, &error));
    pod_program *program = run_on_device(graph, arguments, &o);
    if (program == NULL)
        FAIL("%s: %s", what, error.message);
    for (uint32_t i = 0; i < graph->output_count; i++)
        compare_arrays(what, i, &expected[i], graph->aliases[i] >= 0 ? o.arguments[graph->aliases[i]] : o.results[i],
                       relative);
    outcome_release(&o);
    pod_program_free(program);
    evaluate_free(arguments, graph->parameter_count);
    evaluate_free(expected, graph->output_count);
}

static void check_case(const shape_case *c)
{
    pod_node *node;
    outcome o;
    const exception *listed = find_exception(pod_op_name(c->op), "");
    pod_graph *graph = build_case(context, c, &node);
    for (uint32_t i = 0; i < node->result_count; i++)
        pod_graph_add_output(graph, pod_graph_result(graph, node, i));
    covered[c->op] = true;
    if (listed == NULL)
        check_graph(graph, pod_op_name(c->op), 5, golden_tolerance(POD_F32));
    else if (run_on_device(graph, NULL, &o) != NULL || strstr(error.message, listed->said) == NULL)
        FAIL("%s is listed as one that devices do not do, and says: %s", pod_op_name(c->op), error.message);
    pod_graph_free(graph);
}

/* Doubles three numbers until a count is 3: that of the table does not end. */
static void check_loop(void)
{
    pod_graph *graph, *regions[2] = {condition_region(context)};
    pod_node *p[2], *inputs[2];
    regions[1] = new_region(context, p, "f32[3] s32[]");
    pod_graph_add_output(regions[1], pod_graph_add(regions[1], p[0], p[0]));
    pod_graph_add_output(regions[1], pod_graph_add(regions[1], p[1], pod_graph_scalar(regions[1], POD_S32, 1, NULL)));
    ASSERT_OK(pod_graph_new(context, "loop", &graph, &error));
    inputs[0] = pod_graph_parameter(graph, POD_F32, &three, "x");
    inputs[1] = pod_graph_scalar(graph, POD_S32, 0, NULL);
    pod_node *node = pod_graph_apply(graph, POD_OP_WHILE, inputs, 2, NULL, regions, 2);
    for (size_t i = 0; i < 2; i++)
        pod_graph_add_output(graph, pod_graph_result(graph, node, i));
    covered[POD_OP_WHILE] = true;
    check_graph(graph, "a loop", 3, 0);
    pod_graph_free(graph);
}

static void check_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const shape_case *c = &cases[i];
        const bool is_large = c->attributes.shape.rank > 1 && pod_shape_elements(&c->attributes.shape) > 1000;
        if (c->results != NULL && c->op != POD_OP_OPAQUE && c->op != POD_OP_WHILE && !is_golden(c->op) && !is_large)
            check_case(c);
    }
    check_loop();
}

/* ---- ops that are compiled alone ---- */

/* Whether compilers take the row: those of TPUs have no products of int64, and f64 is not tried. */
static bool is_compiled(const golden *row, bool for_tpus)
{
    bool is = is_op(row) && (!for_tpus || row->outputs[0].dtype != POD_F64);
    for (size_t i = 0; for_tpus && i < MOST_ARRAYS && row->inputs[i].dtype; i++)
        is = is && row->inputs[i].dtype != POD_F64 && (row->inputs[i].dtype != POD_S64 || strcmp(row->op, "dot") != 0);
    return is;
}

static void compile_op(const char *op, const pod_compiler_question *how, bool for_tpus)
{
    batch b;
    char *text;
    pod_arena arena;
    pod_graph *portable;
    pod_exchange_checks checks;
    pod_compiled_memory memory;
    pod_compiler_question question = *how;
    open_batch(&b);
    pod_arena_init(&arena, context);
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        if (strcmp(goldens[i].op, op) == 0 && is_compiled(&goldens[i], for_tpus) && b.outputs < MOST_BATCH &&
            b.parameters + MOST_ARRAYS <= MOST_VALUES)
            add_row(&b, &goldens[i]);
    if (b.outputs > 0) {
        ASSERT_OK(pod_exchange_make_portable(b.graph, &arena, &portable, &checks, &error));
        ASSERT_OK(pod_exchange_write_for(portable, &(pod_exchange_target){.devices = 1}, &text, &error));
        question.module = text;
        question.module_size = strlen(text);
        if (pod_compiler_memory(context, &question, &memory, &error) != POD_OK)
            FAIL("%s: %s", op, error.message);
        pod_text_free(context, text);
        pod_graph_free(portable);
    }
    pod_arena_clear(&arena);
    close_batch(&b);
}

/* Compiles each op by a plugin that need not have the devices; where its path is in no environment, nothing. */
static void compile_every_op(const char *variable, const char *topology, bool for_tpus)
{
    const char *path = getenv(variable);
    if (path == NULL) {
        printf("# skipped: %s names no compiler\n", variable);
        return;
    }
    context = test_context(NULL);
    for (pod_op op = 0; op < POD_OP_COUNT; op++)
        compile_op(pod_op_name(op), &(pod_compiler_question){.plugin = path, .topology = topology}, for_tpus);
    pod_context_release(context);
}

/* MOONPOD_LIBTPU is the path of libtpu.so; MOONPOD_TOPOLOGY says for which TPUs (v5e:2x2). */
TEST(every_op_is_compiled_for_tpus)
{
    const char *topology = getenv("MOONPOD_TOPOLOGY");
    compile_every_op("MOONPOD_LIBTPU", topology != NULL ? topology : "v5e:2x2", true);
}

/* MOONPOD_CUDA is the path of xla_cuda_plugin.so. The figures are those that NVIDIA tells of its H100 SXM. */
TEST(every_op_is_compiled_for_a_gpu)
{
    static char h100[2048];
    FILE *file = fopen("tests/tools/h100.txtpb", "r");
    ASSERT(file != NULL && fread(h100, 1, sizeof h100 - 1, file) > 0);
    fclose(file);
    compile_every_op("MOONPOD_CUDA", h100, false);
}

/* ---- many ops in one program
 * ------------------------------------------------------------------------------------------ */

static void check_random(void)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        char what[32];
        pod_graph *graph = random_graph_new(context, seed);
        snprintf(what, sizeof what, "random graph %d", (int)seed);
        check_graph(graph, what, seed, golden_tolerance(POD_F32));
        pod_graph_free(graph);
    }
}

/* ---- tests ---------------------------------------------------------------------------------------------------------
 */

static void open_devices(int32_t count)
{
    context = test_context(NULL);
    ASSERT_OK(pod_device_open(context, &(pod_device_question){.plugin = plugin, .count = count}, &device, &error));
}

static void close_devices(void)
{
    pod_device_release(device);
    pod_context_release(context);
}

#define ON_DEVICES(name, count, check)                                                                                 \
    TEST(name)                                                                                                         \
    {                                                                                                                  \
        open_devices(count);                                                                                           \
        check();                                                                                                       \
        close_devices();                                                                                               \
    }

ON_DEVICES(ops_give_on_a_device_what_was_computed_elsewhere, 1, check_goldens)
ON_DEVICES(ops_give_on_eight_devices_what_was_computed_elsewhere, 8, check_goldens)
ON_DEVICES(calls_and_loops_give_on_a_device_what_the_oracle_gives, 1, check_cases)
ON_DEVICES(calls_and_loops_give_on_eight_devices_what_the_oracle_gives, 8, check_cases)
ON_DEVICES(random_graphs_give_on_a_device_what_the_oracle_gives, 1, check_random)
ON_DEVICES(random_graphs_give_on_eight_devices_what_the_oracle_gives, 8, check_random)

TEST(every_op_of_the_table_was_tried)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++)
        if (!covered[op] && !is_golden(op) && op != POD_OP_OPAQUE) /* which is read, and never run */
            FAIL("%s has no case on devices", pod_op_name(op));
    for (size_t i = 0; i < EXCEPTION_COUNT; i++)
        if (met[i] == 0)
            FAIL("%s (%s) is listed, and there is no such row", exceptions[i].op, exceptions[i].what);
}

/* Without the plugin they are skipped, but not where everything has to be tested. */
static bool is_there(void)
{
    FILE *file = fopen(plugin, "rb");
    const char *ci = getenv("CI");
#if defined __SANITIZE_ADDRESS__ || !defined __x86_64__
    printf("1..0 # SKIP plugins are of x86-64, and no sanitizer's\n");
    exit(SKIPPED);
#endif
    if (file != NULL)
        return fclose(file) == 0;
    printf("1..0 # SKIP build/plugins has no plugin of PJRT (run ./dev peers)\n");
    exit(ci != NULL && strcmp(ci, "true") == 0 ? 1 : SKIPPED);
}

TEST_MAIN((void)is_there(); RUN(ops_give_on_a_device_what_was_computed_elsewhere);
          RUN(ops_give_on_eight_devices_what_was_computed_elsewhere);
          RUN(calls_and_loops_give_on_a_device_what_the_oracle_gives);
          RUN(calls_and_loops_give_on_eight_devices_what_the_oracle_gives);
          RUN(random_graphs_give_on_a_device_what_the_oracle_gives);
          RUN(random_graphs_give_on_eight_devices_what_the_oracle_gives); RUN(every_op_is_compiled_for_tpus);
          RUN(every_op_is_compiled_for_a_gpu); if (test_state.filter == NULL) RUN(every_op_of_the_table_was_tried))
