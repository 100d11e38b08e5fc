/*
 * What the proof of an instruction (verify/verify_instruction.c) refuses: one field of a good instruction is
 * changed at a
 * time, to the nearest value that is bad; and the nearest that is good passes.
 */

#include "compile/lower.h"
#include "verify/verify.h"
#include "test.h"

#define SLOTS 6

static pod_error error;
static pod_context *context;
static const pod_kernels *kernels;

/* An instruction over slots of its own sizes: operands, then results, from the first slot on. */
typedef struct trial {
    pod_slot slots[SLOTS];
    pod_shape shape; /* of the first slot */
    uint32_t numbers[SLOTS];
    int64_t parts[SLOTS];
    pod_instruction one;
    pod_function region;
    pod_attributes attributes;
    uint32_t region_parameters[2], region_outputs[2][1];
} trial;

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* What was broken; NULL: the instruction is good. */
static const char *broken(trial *t)
{
    pod_program program = {.kernels = kernels, .slots = t->slots, .slot_count = SLOTS};
    const pod_compile_options options = {0};
    pod_arena scratch;
    pod_arena_init(&scratch, context);
    pod_verifier v = {.program = &program, .options = &options, .scratch = &scratch};
    t->one.slots = t->numbers;
    t->one.parts = t->parts;
    t->slots[0].shape = &t->shape;
    if (pod_instruction_has_regions(&t->one)) {
        t->one.region.attributes = &t->attributes;
        t->one.region.parameters = t->region_parameters;
        for (int i = 0; i < 2; i++) {
            t->one.region.functions[i] = t->one.region.functions[i] ? &t->region : NULL;
            t->one.region.outputs[i] = t->region_outputs[i];
        }
    }
    const bool good = pod_verify_instruction(&v, &t->one);
    pod_arena_clear(&scratch);
    if (good == (v.what != NULL))
        FAIL("the answer is %d, with the rule %s", good, v.what ? v.what : "(none)");
    return v.what;
}

#define GOOD(base, ...)                                                                                                \
    do {                                                                                                               \
        trial t = base();                                                                                              \
        __VA_ARGS__;                                                                                                   \
        const char *why = broken(&t);                                                                                  \
        if (why)                                                                                                       \
            FAIL("%s is refused: %s", #__VA_ARGS__, why);                                                              \
    } while (0)

#define BAD(base, expected, ...)                                                                                       \
    do {                                                                                                               \
        trial t = base();                                                                                              \
        __VA_ARGS__;                                                                                                   \
        const char *why = broken(&t);                                                                                  \
        if (!why || !strstr(why, expected))                                                                            \
            FAIL("%s: %s", #__VA_ARGS__, why ? why : "is taken");                                                      \
    } while (0)

#define TOO_SMALL "a slot is too small"
#define NO_SLOTS  "has not the slots that it needs"
#define SCRATCH   "other scratch than it wants"
#define NO_SIZES  "no good sizes"

/* An instruction with slots of these sizes; the others are of one byte. */
static trial empty(pod_instruction_kind kind, uint32_t operands, uint32_t results, const uint64_t *bytes)
{
    trial t = {.one = {.kind = kind, .operand_count = operands, .result_count = results, .rows = 1, .unit = 1}};
    for (uint32_t i = 0; i < SLOTS; i++) {
        t.slots[i] =
            (pod_slot){.kind = POD_SLOT_ARENA, .dtype = POD_F32, .bytes = i < operands + results ? bytes[i] : 1};
        t.numbers[i] = i;
        t.parts[i] = 1;
    }
    return t;
}

/* ---- what all have ---------------------------------------------------------------------------------------- */

static trial copy(void)
{
    trial t = empty(POD_DO_COPY, 1, 1, (uint64_t[]){5000, 5000});
    t.one.rows = 2;
    return t;
}

TEST(all_have_rows_and_slots)
{
    GOOD(copy, (void)0);
    GOOD(copy, t.one.rows = 0);
    BAD(copy, "no good rows", t.one.rows = -1);
    BAD(copy, "no good rows", t.one.rows = INT64_MAX / 64 + 1);
    BAD(copy, "no good rows", t.one.unit = 0);
    BAD(copy, "no good rows", t.one.row_cost = NAN);
    BAD(copy, "no good rows", t.one.row_cost = INFINITY);
    BAD(copy, "no good rows", t.one.scratch_bytes = INT64_MAX / 64 + 1);
    BAD(copy, "there is no such slot", t.numbers[0] = SLOTS);
    BAD(copy, TOO_SMALL, t.slots[0].kind = POD_SLOT_NONE);
    BAD(copy, "writes a constant", t.slots[1].kind = POD_SLOT_LITERAL);
    GOOD(copy, t.slots[0].kind = POD_SLOT_LITERAL);
    BAD(copy, "there is no such instruction", t.one.kind = POD_DO_COUNT);
}

TEST(arguments_are_written_where_they_are_variables)
{
    pod_signature signatures[2] = {{.alias = -1}, {.alias = 0}};
    for (uint32_t i = 0; i < 2; i++) {
        trial t = copy();
        t.slots[1].kind = POD_SLOT_PARAMETER;
        t.slots[1].index = i;
        pod_program program = {
            .kernels = kernels, .slots = t.slots, .slot_count = SLOTS, .parameters = signatures, .parameter_count = 2};
        pod_verifier v = {.program = &program};
        t.one.slots = t.numbers;
        ASSERT_EQ(i == 1, pod_verify_instruction(&v, &t.one));
    }
}

TEST(scratch_is_what_is_wanted_and_what_rounding_adds)
{
    GOOD(copy, t.one.scratch_bytes = 64);
    BAD(copy, SCRATCH, t.one.scratch_bytes = 65);
}

TEST(copies_have_rows_of_their_bytes)
{
    BAD(copy, "too many rows", t.one.rows = 3);
    BAD(copy, TOO_SMALL, t.slots[1].bytes--);
    GOOD(copy, t.slots[1].bytes++);
    GOOD(copy, t.slots[0].bytes = t.slots[1].bytes = 2 * POD_COPY_ROW);
    BAD(copy, "too many rows", t.slots[0].bytes = POD_COPY_ROW);
    BAD(copy, NO_SLOTS, t.one.operand_count = 2);
    BAD(copy, NO_SLOTS, t.one.result_count = 2);
}

static trial check(void)
{
    return empty(POD_DO_CHECK, 1, 0, (uint64_t[]){1});
}

TEST(checks_and_prints_read_one_value)
{
    GOOD(check, (void)0);
    GOOD(check, t.one.kind = POD_DO_PRINT);
    BAD(check, NO_SLOTS, t.one.operand_count = 2);
    BAD(check, NO_SLOTS, t.one.result_count = 1);
    BAD(check, SCRATCH, t.one.scratch_bytes = 128);
}

/* ---- sums ------------------------------------------------------------------------------------------------- */

static trial combine(void)
{
    trial t = empty(POD_DO_COMBINE, 1, 1, (uint64_t[]){3 * 8 * 4, 8 * 4});
    t.one.rows = 8;
    t.one.scratch_bytes = POD_BLOCK * 8;
    t.one.combine = (pod_combine_detail){
        .fold = POD_FOLD_SUM, .class_ = POD_CLASS_F32, .partials = 3, .columns = 8, .dtype = POD_F32};
    return t;
}

TEST(partial_sums_stay_in_their_slots)
{
    GOOD(combine, (void)0);
    BAD(combine, TOO_SMALL, t.slots[0].bytes--);
    BAD(combine, TOO_SMALL, t.slots[1].bytes--);
    BAD(combine, "combined by no function", t.one.rows = 9);
    BAD(combine, "combined by no function", t.one.combine.partials = 0);
    GOOD(combine, t.one.combine.partials = 1);
    BAD(combine, TOO_SMALL, t.one.combine.partials = -INT64_MAX; t.one.combine.partials = INT64_MAX);
    BAD(combine, "combined by no function", t.one.combine.dtype = POD_DTYPE_NONE);
    BAD(combine, "combined by no function", t.one.combine.class_ = POD_CLASS_S32);
    BAD(combine, "combined by no function", t.one.combine.fold = POD_FOLD_AND);
    BAD(combine, SCRATCH, t.one.scratch_bytes--);
    BAD(combine, NO_SLOTS, t.one.operand_count = 2; t.one.result_count = 0);
    /* A narrow type has partial sums of the class. */
    GOOD(combine, t.one.combine.dtype = POD_BF16; t.slots[1].bytes = 16);
    BAD(combine, TOO_SMALL, t.one.combine.dtype = POD_BF16; t.slots[1].bytes = 15);
    BAD(combine, TOO_SMALL, t.one.combine.dtype = POD_BF16; t.slots[0].bytes = 3 * 8 * 2);
}

/* Six rows of ten classes: loss and gradient. */
static trial cross_entropy(void)
{
    trial t = empty(POD_DO_CROSS_ENTROPY, 3, 2, (uint64_t[]){240, 24, 24, 24, 240});
    t.one.rows = 6;
    t.one.cross_entropy = (pod_cross_entropy_detail){.dtype = POD_F32, .classes = 10, .loss = true, .gradient = true};
    return t;
}

static trial loss_alone(void)
{
    trial t = empty(POD_DO_CROSS_ENTROPY, 2, 1, (uint64_t[]){240, 24, 24});
    t.one.rows = 6;
    t.one.cross_entropy = (pod_cross_entropy_detail){.dtype = POD_F32, .classes = 10, .loss = true};
    return t;
}

static trial gradient_alone(void)
{
    trial t = empty(POD_DO_CROSS_ENTROPY, 3, 1, (uint64_t[]){240, 24, 24, 240});
    t.one.rows = 6;
    t.one.scratch_bytes = POD_BLOCK * sizeof(float);
    t.one.cross_entropy = (pod_cross_entropy_detail){.dtype = POD_F32, .classes = 10, .gradient = true};
    return t;
}

TEST(cross_entropies_stay_in_their_slots)
{
    GOOD(cross_entropy, (void)0);
    GOOD(loss_alone, (void)0);
    GOOD(gradient_alone, (void)0);
    for (int i = 0; i < 5; i++)
        BAD(cross_entropy, TOO_SMALL, t.slots[i].bytes--);
    for (int i = 0; i < 3; i++)
        BAD(loss_alone, TOO_SMALL, t.slots[i].bytes--);
    for (int i = 0; i < 4; i++)
        BAD(gradient_alone, TOO_SMALL, t.slots[i].bytes--);
    BAD(cross_entropy, TOO_SMALL, t.one.rows++);
    BAD(cross_entropy, "has no classes", t.one.cross_entropy.classes = 0);
    GOOD(cross_entropy, t.one.cross_entropy.classes = 1);
    BAD(cross_entropy, "has no classes", t.one.cross_entropy.dtype = POD_F64);
    GOOD(cross_entropy, t.one.cross_entropy.dtype = POD_BF16; t.slots[0].bytes = t.slots[4].bytes = 120);
    BAD(cross_entropy, TOO_SMALL, t.one.cross_entropy.dtype = POD_BF16; t.slots[0].bytes = 119);
    BAD(cross_entropy, NO_SLOTS, t.one.operand_count = 2);
    BAD(cross_entropy, NO_SLOTS, t.one.result_count = 1);
    BAD(loss_alone, NO_SLOTS, t.one.operand_count = 3);
    BAD(gradient_alone, NO_SLOTS, t.one.result_count = 2);
    BAD(gradient_alone, SCRATCH, t.one.scratch_bytes--);
    BAD(loss_alone, SCRATCH, t.one.scratch_bytes = POD_BLOCK * sizeof(float));
}

/* ---- products ----------------------------------------------------------------------------------------------- */

enum { M = 6, K = 4, N = 8 };

/* One product of f32, [M, K] x [K, N]; b is packed where the family packs. */
static trial product(void)
{
    const pod_dot_kernels *dot = &kernels->dot_f32;
    const pod_dot_call call = {.m = M,
                               .n = N,
                               .k = K,
                               .a_row_stride = K,
                               .a_k_stride = 1,
                               .b_k_stride = N,
                               .b_column_stride = 1,
                               .result_stride = N};
    const uint64_t packed = round_up(pod_kernel_dot_packed_b_bytes(dot, K, N));
    trial t = empty(POD_DO_PRODUCT, 2, 1, (uint64_t[]){M * K * 4, packed ? packed : K * N * 4, M * N * 4});
    t.one.rows = M;
    t.one.unit = dot->row_granularity;
    t.one.product = (pod_product_detail){.kernels = dot,
                                         .call = call,
                                         .outer = 1,
                                         .inner = 1,
                                         .a_bytes = 4,
                                         .packed_bytes = packed,
                                         .scratch_bytes = round_up(dot->scratch_bytes(dot, &call))};
    t.one.scratch_bytes = t.one.product.scratch_bytes;
    return t;
}

#define CALL t.one.product.call

TEST(products_stay_in_their_slots)
{
    GOOD(product, (void)0);
    for (int i = 0; i < 3; i++)
        BAD(product, TOO_SMALL, t.slots[i].bytes--);
    BAD(product, TOO_SMALL, t.one.product.a_offset = 1);
    BAD(product, NO_SIZES, t.one.product.a_offset = -1);
    BAD(product, TOO_SMALL, CALL.a_row_stride++);
    BAD(product, NO_SIZES, CALL.a_row_stride = 2; CALL.a_k_stride = 2);
    GOOD(product, CALL.a_row_stride = 1; CALL.a_k_stride = M);
    BAD(product, NO_SIZES, CALL.b_k_stride = 2; CALL.b_column_stride = 2);
    BAD(product, NO_SIZES, CALL.a_row_stride = -1);
    BAD(product, NO_SIZES, CALL.result_stride++);
    BAD(product, NO_SIZES, t.one.product.a_bytes = 2);
    BAD(product, NO_SIZES, t.one.product.outer = 0);
    BAD(product, NO_SIZES, t.one.product.inner = -1);
    BAD(product, NO_SIZES, t.one.operand_count = 1);
    BAD(product, "makes no sense", t.one.result_count = 2);
    BAD(product, "no good rows", t.one.rows = M + 1);
    GOOD(product, t.one.rows = M - 1);
    BAD(product, SCRATCH, t.one.scratch_bytes += 65);
    BAD(product, "made for other kernels", t.one.product.scratch_bytes += 64);
    BAD(product, "made for other kernels", t.one.product.packed_bytes += 64);
    if (kernels->dot_f32.row_granularity > 1)
        BAD(product, "no good rows", t.one.unit++);
    GOOD(product, t.one.unit *= 3);
}

/* Two outer times three inner batches. */
#define BATCHES                                                                                                        \
    t.one.product.outer = 2;                                                                                           \
    t.one.product.inner = 3;                                                                                           \
    t.one.product.a_outer_stride = 3 * M * K;                                                                          \
    t.one.product.a_inner_stride = M * K;                                                                              \
    t.one.rows = 2;                                                                                                    \
    t.one.unit = 1;                                                                                                    \
    for (int i = 0; i < 3; i++)                                                                                        \
    t.slots[i].bytes *= i == 1 && !t.one.product.packed_bytes ? 1 : 6

TEST(batches_of_products_stay_in_their_slots)
{
    GOOD(product, BATCHES);
    BAD(product, TOO_SMALL, BATCHES; t.slots[0].bytes--);
    BAD(product, TOO_SMALL, BATCHES; t.slots[2].bytes--);
    if (pod_kernel_dot_packed_b_bytes(&kernels->dot_f32, K, N))
        BAD(product, TOO_SMALL, BATCHES; t.slots[1].bytes--);
    BAD(product, TOO_SMALL, BATCHES; t.one.product.a_outer_stride++);
    BAD(product, TOO_SMALL, BATCHES; t.one.product.a_inner_stride++);
    BAD(product, "no good rows", BATCHES; t.one.rows = 3);
    BAD(product, "no good rows", t.one.product.by_columns = true; BATCHES);
    GOOD(product, t.one.product.by_columns = true; t.one.rows = 1; t.one.unit = 1);
    BAD(product, "no good rows", t.one.product.by_columns = true; t.one.unit = 1;
        t.one.rows = 1 + (N + kernels->dot_f32.panel_columns - 1) / kernels->dot_f32.panel_columns);
}

/* b of three products, turned, packed. */
static trial pack(void)
{
    const pod_dot_kernels *dot = &kernels->dot_f32;
    const uint64_t packed = round_up(pod_kernel_dot_packed_b_bytes(dot, K, N));
    trial t = empty(POD_DO_PACK, 1, 1, (uint64_t[]){3 * K * N * 4, 3 * packed});
    t.one.rows = 3;
    t.one.pack = (pod_pack_detail){.kernels = dot,
                                   .dtype = POD_F32,
                                   .k = K,
                                   .n = N,
                                   .k_stride = 1,
                                   .column_stride = K,
                                   .outer = 3,
                                   .inner = 1,
                                   .outer_stride = K * N,
                                   .packed_bytes = packed};
    return t;
}

TEST(packs_stay_in_their_slots)
{
    if (!pod_kernel_dot_packed_b_bytes(&kernels->dot_f32, K, N))
        return; /* this family packs nothing */
    GOOD(pack, (void)0);
    BAD(pack, TOO_SMALL, t.slots[0].bytes--);
    BAD(pack, TOO_SMALL, t.slots[1].bytes--);
    BAD(pack, TOO_SMALL, t.one.pack.offset = 1);
    BAD(pack, "is packed that is not one", t.one.pack.offset = -1);
    BAD(pack, TOO_SMALL, t.one.pack.outer_stride++);
    BAD(pack, "is packed that is not one", t.one.pack.outer_stride = -1);
    BAD(pack, "is packed that is not one", t.one.pack.k_stride = 2);
    BAD(pack, "is packed that is not one", t.one.pack.dtype = POD_S32);
    BAD(pack, "is packed that is not one", t.one.pack.dtype = POD_BF16);
    BAD(pack, "is packed that is not one", t.one.pack.inner = -1);
    BAD(pack, "is packed that is not one", t.one.pack.k = -1);
    BAD(pack, "packed for other kernels", t.one.pack.packed_bytes += 64);
    BAD(pack, "packed for other kernels", t.one.rows = 4);
    BAD(pack, SCRATCH, t.one.scratch_bytes = 65);
    BAD(pack, NO_SLOTS, t.one.operand_count = 2; t.one.result_count = 0);
    /* By panels where there is one matrix. */
    GOOD(pack, t.one.pack.outer = 1; t.one.rows = 1);
    BAD(pack, "packed for other kernels", t.one.pack.outer = 1;
        t.one.rows = 1 + (N + kernels->dot_f32.panel_columns - 1) / kernels->dot_f32.panel_columns);
}

/* The most rows, columns and depth that a product may have. */
#define MOST ((int64_t)1 << 36)

TEST(sides_of_products_have_a_bound)
{
    const pod_dot_kernels *dot = &kernels->dot_f32;
    const int64_t sides[3][3] = {{MOST, 1, 1}, {1, MOST, 1}, {1, 1, MOST}};
    for (int more = 0; more < 2; more++)
        for (int i = 0; i < 3; i++) {
            trial t = product();
            t.one.rows = t.one.product.call.m = sides[i][0] + (i == 0) * more;
            t.one.product.call.n = sides[i][1] + (i == 1) * more;
            t.one.product.call.k = sides[i][2] + (i == 2) * more;
            const int64_t m = t.one.product.call.m, n = t.one.product.call.n, k = t.one.product.call.k;
            t.one.product.call.a_row_stride = k;
            t.one.product.call.b_k_stride = t.one.product.call.result_stride = n;
            t.one.product.packed_bytes = round_up(pod_kernel_dot_packed_b_bytes(dot, k, n));
            t.one.product.scratch_bytes = t.one.scratch_bytes = round_up(dot->scratch_bytes(dot, &t.one.product.call));
            for (int j = 0; j < 3; j++)
                t.slots[j].bytes = (uint64_t)INT64_MAX;
            const char *why = broken(&t);
            if ((more == 0) != !why)
                FAIL("%lld x %lld x %lld: %s", (long long)m, (long long)n, (long long)k, why ? why : "is taken");
        }
    if (!pod_kernel_dot_packed_b_bytes(dot, K, N))
        return; /* this family packs nothing */
#define ONE_MATRIX(k_, n_)                                                                                             \
    t.one.pack.outer = t.one.rows = 1;                                                                                 \
    t.one.pack.k = t.one.pack.column_stride = (k_);                                                                    \
    t.one.pack.n = (n_);                                                                                               \
    t.one.pack.packed_bytes = round_up(pod_kernel_dot_packed_b_bytes(dot, k_, n_));                                    \
    t.slots[0].bytes = t.slots[1].bytes = (uint64_t)INT64_MAX
    GOOD(pack, ONE_MATRIX(MOST, 1));
    GOOD(pack, ONE_MATRIX(1, MOST));
    BAD(pack, "is packed that is not one", ONE_MATRIX(MOST + 1, 1));
    BAD(pack, "is packed that is not one", ONE_MATRIX(1, MOST + 1));
}

/* ---- convolutions ------------------------------------------------------------------------------------------- */

/* 2 images of 5 x 4 x 3, 2 x 2 kernels to 6 filters: 4 x 3 places. */
static pod_convolution_call call_of(pod_convolution_kind kind)
{
    const bool turned = kind == POD_CONVOLVE_INPUT_GRADIENT;
    pod_convolution_call call = {.kind = kind,
                                 .dtype = POD_F32,
                                 .dot = &kernels->dot_f32,
                                 .result_stride = turned ? 3 : 6,
                                 .sizes = {.batch = 2, .channels = 3, .filters = 6, .groups = 1}};
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        const int spatial = i - (POD_MAX_SPATIAL - 2);
        call.sizes.in[i] = spatial < 0 ? 1 : 5 - spatial;
        call.sizes.size[i] = spatial < 0 ? 1 : 2;
        call.sizes.out[i] = spatial < 0 ? 1 : 4 - spatial;
        call.sizes.stride[i] = call.sizes.dilation[i] = 1;
    }
    return call;
}

enum { X_BYTES = 2 * 5 * 4 * 3 * 4, G_BYTES = 2 * 4 * 3 * 6 * 4, KERNEL_BYTES = 2 * 2 * 3 * 6 * 4 };

/* The last phase: left, right and what the phases before left, then the result. */
static trial convolution_of(pod_convolution_kind kind)
{
    const bool turned = kind == POD_CONVOLVE_INPUT_GRADIENT, by_parts = kind == POD_CONVOLVE_KERNEL_GRADIENT;
    const pod_convolution_call call = call_of(kind);
    const uint64_t shared = pod_kernel_convolution_shared_bytes(&call);
    trial t = empty(POD_DO_CONVOLUTION, 3, 1,
                    (uint64_t[]){turned ? G_BYTES : X_BYTES, by_parts ? G_BYTES : KERNEL_BYTES, shared ? shared : 1,
                                 turned     ? X_BYTES
                                 : by_parts ? KERNEL_BYTES
                                            : G_BYTES});
    t.one.convolution =
        (pod_convolution_detail){.call = call, .phase = by_parts ? 3 : 2, .left = 0, .right = 1, .shared = 2};
    t.one.convolution.scratch_bytes = t.one.scratch_bytes = round_up(pod_kernel_convolution_scratch_bytes(&call));
    t.one.rows = pod_kernel_convolution_units(&call, t.one.convolution.phase);
    return t;
}

static trial convolution(void)
{
    return convolution_of(POD_CONVOLVE);
}

static trial input_gradient(void)
{
    return convolution_of(POD_CONVOLVE_INPUT_GRADIENT);
}

static trial kernel_gradient(void)
{
    return convolution_of(POD_CONVOLVE_KERNEL_GRADIENT);
}

#define SIZES t.one.convolution.call.sizes

/* Kernels that pack nothing, as with OpenBLAS, share nothing. */
static bool shares(pod_convolution_kind kind)
{
    const pod_convolution_call call = call_of(kind);
    return pod_kernel_convolution_shared_bytes(&call) > 0;
}

TEST(convolutions_stay_in_their_slots)
{
    GOOD(convolution, (void)0);
    GOOD(input_gradient, (void)0);
    GOOD(kernel_gradient, (void)0);
    for (int i = 0; i < 4; i++) {
        if (i != 2 || shares(POD_CONVOLVE))
            BAD(convolution, TOO_SMALL, t.slots[i].bytes--);
        if (i != 2 || shares(POD_CONVOLVE_INPUT_GRADIENT))
            BAD(input_gradient, TOO_SMALL, t.slots[i].bytes--);
    }
    BAD(kernel_gradient, TOO_SMALL, t.slots[2].bytes--);
    BAD(kernel_gradient, TOO_SMALL, t.slots[3].bytes--);
    BAD(convolution, NO_SIZES, t.one.convolution.call.result_stride++);
    BAD(convolution, NO_SIZES, t.one.convolution.phase = 1);
    BAD(convolution, NO_SIZES, t.one.convolution.left = 4);
    BAD(convolution, NO_SIZES, t.one.convolution.right = 4);
    BAD(convolution, NO_SIZES, t.one.convolution.shared = 4);
    BAD(convolution, NO_SIZES, t.one.convolution.call.dtype = POD_S32);
    BAD(convolution, NO_SIZES, t.one.convolution.call.dtype = POD_BF16);
    BAD(convolution, "made for other kernels", t.one.rows++);
    BAD(convolution, "made for other kernels", t.one.convolution.scratch_bytes += 64);
    BAD(convolution, SCRATCH, t.one.scratch_bytes += 65);
    BAD(convolution, "reads through no pooling", t.one.convolution.call.is_pooled = true);
}

TEST(convolutions_have_sizes_that_count)
{
    BAD(convolution, NO_SIZES, SIZES.batch = -1);
    BAD(convolution, NO_SIZES, SIZES.channels = 0);
    BAD(convolution, NO_SIZES, SIZES.filters = 0);
    BAD(convolution, NO_SIZES, SIZES.groups = 0);
    BAD(convolution, NO_SIZES, SIZES.groups = 2);                     /* do not divide channels */
    BAD(convolution, NO_SIZES, SIZES.channels = 4; SIZES.groups = 4); /* nor filters */
    const int64_t large = ((int64_t)1 << 30) + 1;
    BAD(convolution, NO_SIZES, SIZES.batch = large);
    BAD(convolution, NO_SIZES, SIZES.channels = large);
    BAD(convolution, NO_SIZES, SIZES.filters = large);
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        BAD(convolution, NO_SIZES, SIZES.in[i] = -1);
        BAD(convolution, NO_SIZES, SIZES.in[i] = large);
        BAD(convolution, NO_SIZES, SIZES.out[i] = -1);
        BAD(convolution, NO_SIZES, SIZES.out[i] = large);
        BAD(convolution, NO_SIZES, SIZES.size[i] = 0);
        BAD(convolution, NO_SIZES, SIZES.size[i] = large);
        BAD(convolution, NO_SIZES, SIZES.stride[i] = 0);
        BAD(convolution, NO_SIZES, SIZES.stride[i] = large);
        BAD(convolution, NO_SIZES, SIZES.dilation[i] = 0);
        BAD(convolution, NO_SIZES, SIZES.dilation[i] = large);
        BAD(convolution, NO_SIZES, SIZES.pad[i] = -large);
        BAD(convolution, NO_SIZES, SIZES.pad[i] = large);
    }
    /* Finding the lattices of the input's gradient would take too long. */
    BAD(input_gradient, NO_SIZES, SIZES.stride[POD_MAX_SPATIAL - 1] = 1 << 22);
    /* Products of sizes that are good one by one. */
    BAD(convolution, NO_SIZES, for (int i = 0; i < POD_MAX_SPATIAL; i++) SIZES.in[i] = 1 << 29);
    BAD(convolution, NO_SIZES, for (int i = 0; i < POD_MAX_SPATIAL; i++) SIZES.out[i] = 1 << 29);
    BAD(convolution, NO_SIZES, for (int i = 0; i < POD_MAX_SPATIAL; i++) SIZES.size[i] = 1 << 29);
}

/* Rows that are images: each gives as many rows of the result. */
#define IMAGES                                                                                                         \
    t.one.convolution.images = true;                                                                                   \
    t.one.convolution.image_rows = 12;                                                                                 \
    t.one.rows = 2

TEST(rows_of_convolutions_are_units_or_images)
{
    GOOD(convolution, IMAGES);
    GOOD(convolution, IMAGES; t.one.convolution.call_images = 1);
    BAD(convolution, "made for other kernels", IMAGES; t.one.rows = 1);
    BAD(convolution, "made for other kernels", IMAGES; t.one.convolution.image_rows = 11);
    BAD(convolution, "made for other kernels", IMAGES; t.one.convolution.image_rows = 13);
    BAD(convolution, "made for other kernels", IMAGES; t.one.convolution.call_images = -1);
    BAD(convolution, "made for other kernels", IMAGES; t.one.convolution.unit_rows = 1);
    BAD(convolution, "made for other kernels", IMAGES; t.one.convolution.call_images = ((int64_t)1 << 30) + 1);
    BAD(convolution, "made for other kernels", t.one.convolution.call_images = 1);
    GOOD(convolution, t.one.convolution.unit_rows = 5; t.one.rows *= 5);
    BAD(convolution, "made for other kernels", t.one.convolution.unit_rows = 5; t.one.rows = t.one.rows * 5 + 1);
    BAD(convolution, "made for other kernels", t.one.convolution.unit_rows = -1);
    BAD(convolution, "made for other kernels", t.one.convolution.unit_rows = ((int64_t)1 << 30) + 1);
    BAD(convolution, "made for other kernels", t.one.convolution.unit_rows = 5; t.one.convolution.call_images = 1);
}

/* ---- regions ------------------------------------------------------------------------------------------------- */

/* Over the middle axis of [2, 3, 4]. */
static trial reduce(void)
{
    trial t = empty(POD_DO_REDUCE, 2, 1, (uint64_t[]){96, 4, 32});
    t.shape = (pod_shape){3, {2, 3, 4}};
    t.attributes.axes = (pod_axes){1, {1}};
    t.one.region.functions[0] = &t.region;
    t.region_parameters[0] = 3;
    t.region_parameters[1] = 4;
    t.region_outputs[0][0] = 5;
    for (int i = 3; i < SLOTS; i++)
        t.slots[i].bytes = 4;
    return t;
}

TEST(reductions_stay_in_their_slots)
{
    GOOD(reduce, (void)0);
    for (int i = 1; i < SLOTS; i++)
        BAD(reduce, TOO_SMALL, t.slots[i].bytes--);
    BAD(reduce, "no such axis", t.attributes.axes.axes[0] = 3);
    BAD(reduce, "no such axis", t.attributes.axes.axes[0] = -1);
    BAD(reduce, "no such axis", t.attributes.axes = ((pod_axes){2, {1, 1}}));
    GOOD(reduce, t.attributes.axes = ((pod_axes){2, {1, 0}}); t.slots[2].bytes = 16);
    BAD(reduce, TOO_SMALL, t.attributes.axes = ((pod_axes){2, {1, 0}}); t.slots[2].bytes = 15);
    BAD(reduce, "makes no sense", t.one.region.functions[0] = NULL);
    BAD(reduce, "writes a constant", t.slots[3].kind = POD_SLOT_LITERAL);
    BAD(reduce, "writes a constant", t.slots[4].kind = POD_SLOT_LITERAL);
    BAD(reduce, NO_SLOTS, t.one.operand_count = 1; t.one.result_count = 2);
    BAD(reduce, SCRATCH, t.one.scratch_bytes = 65);
}

/* A branch, or a loop, by a byte. */
static trial branch(void)
{
    trial t = empty(POD_DO_COND, 1, 1, (uint64_t[]){1, 4});
    t.one.region.functions[0] = t.one.region.functions[1] = &t.region;
    t.region_outputs[0][0] = 3;
    return t;
}

TEST(branches_have_regions_and_something_to_choose_by)
{
    GOOD(branch, (void)0);
    GOOD(branch, t.one.kind = POD_DO_WHILE);
    BAD(branch, TOO_SMALL, t.slots[0].bytes = 0);
    GOOD(branch, t.slots[3].bytes = 0);
    BAD(branch, TOO_SMALL, t.one.kind = POD_DO_WHILE; t.slots[3].bytes = 0);
    BAD(branch, "has no regions", t.one.region.functions[0] = NULL);
    BAD(branch, "has no regions", t.one.region.functions[1] = NULL);
    BAD(branch, "has no regions", t.one.region.most_turns = -1);
    BAD(branch, "has no regions", t.one.operand_count = 0);
    BAD(branch, SCRATCH, t.one.scratch_bytes = 65);
}

static void choose(void)
{
    context = test_context(NULL);
    if (pod_kernel_choose_family(NULL, &kernels, &error) != POD_OK)
        FAIL("no kernels: %s", error.message);
}

TEST_MAIN(choose(); RUN(all_have_rows_and_slots); RUN(arguments_are_written_where_they_are_variables);
          RUN(scratch_is_what_is_wanted_and_what_rounding_adds); RUN(copies_have_rows_of_their_bytes);
          RUN(checks_and_prints_read_one_value); RUN(partial_sums_stay_in_their_slots);
          RUN(cross_entropies_stay_in_their_slots); RUN(products_stay_in_their_slots);
          RUN(batches_of_products_stay_in_their_slots); RUN(packs_stay_in_their_slots);
          RUN(sides_of_products_have_a_bound); RUN(convolutions_stay_in_their_slots);
          RUN(convolutions_have_sizes_that_count); RUN(rows_of_convolutions_are_units_or_images);
          RUN(reductions_stay_in_their_slots); RUN(branches_have_regions_and_something_to_choose_by);
          pod_context_release(context))
