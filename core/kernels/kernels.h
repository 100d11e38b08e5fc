#ifndef POD_KERNELS_KERNELS_H
#define POD_KERNELS_KERNELS_H

/*
 * The table of fast kernels. One table a CPU family, chosen once when a context is made
 * (pod_kernel_choose_family); portable C fills every entry, each better family overwrites what it does
 * better. Slow plain-C kernels for every op, the oracle of the tests, are in reference.h.
 *
 * No kernel allocates, locks, logs or looks at a graph. Threads call kernels on disjoint parts; how the
 * work is cut never changes a result's bits.
 */

#include "kernels/chains.h"
#include "kernels/direct.h"
#include "kernels/finish.h"
#include "kernels/lookup.h"
#include "kernels/special.h"
#include "moonpod/tensor.h"

/* ---- blocks: elementwise functions over short vectors that fit L1 ------------------------------- */

/* Elements of a block at most. A block register holds POD_BLOCK elements of its class, 64-aligned. */
#define POD_BLOCK 1024

/* The types in which blocks compute. Narrow types are widened on load and narrowed on store. */
typedef enum pod_class {
    POD_CLASS_F32, /* f16, bf16, f32 */
    POD_CLASS_F64, /* f64 */
    POD_CLASS_S32, /* bool (0 or 1), s8, s16, s32 */
    POD_CLASS_U32, /* u8, u16, u32 */
    POD_CLASS_S64, /* s64 */
    POD_CLASS_U64, /* u64 */
    POD_CLASS_COUNT
} pod_class;

pod_class pod_kernel_class_of(pod_dtype dtype);
size_t pod_kernel_class_size(pod_class class_); /* bytes of an element in a block: 4 or 8 */

/* X(enumerator, operands, classes, name). `result` may be the same block as an operand. Comparisons give S32 0 or 1
 * and read two operands of the class; SELECT reads an S32 predicate, then two of the class; CONVERT
 * functions are separate (convert[from][to]). `classes` are those that have such functions: FLOATS; F32; 32, the
 * integers of 32 bits; ALL; NUMBERS, which are all, but integers of either sign share one; BITS, which are integers and
 * share alike; SIZES, which are all and share one for each size of an element. multi/blocks.c calls them `name`. */
#define POD_BLOCK_OP_LIST(X)                                                                                           \
    X(COPY, 1, SIZES, copy)                                                                                            \
    X(NEGATE, 1, NUMBERS, negate)                                                                                      \
    X(ABS, 1, ALL, abs)                                                                                                \
    X(SIGN, 1, ALL, sign)                                                                                              \
    X(EXP, 1, FLOATS, exp)                                                                                             \
    X(EXPM1, 1, FLOATS, expm1)                                                                                         \
    X(LOG, 1, FLOATS, log)                                                                                             \
    X(LOG1P, 1, FLOATS, log1p)                                                                                         \
    X(SQRT, 1, FLOATS, sqrt)                                                                                           \
    X(RSQRT, 1, FLOATS, rsqrt)                                                                                         \
    X(SIN, 1, FLOATS, sin)                                                                                             \
    X(COS, 1, FLOATS, cos)                                                                                             \
    X(TAN, 1, FLOATS, tan)                                                                                             \
    X(TANH, 1, FLOATS, tanh)                                                                                           \
    X(LOGISTIC, 1, FLOATS, logistic)                                                                                   \
    X(ERF, 1, FLOATS, erf)                                                                                             \
    X(ERF_INV, 1, FLOATS, erf_inv)                                                                                     \
    X(FLOOR, 1, FLOATS, floor)                                                                                         \
    X(CEIL, 1, FLOATS, ceil)                                                                                           \
    X(ROUND, 1, FLOATS, round)                                                                                         \
    X(IS_FINITE, 1, FLOATS, is_finite)                                                                                 \
    X(NOT, 1, BITS, not )                                                                                              \
    X(LOGICAL_NOT, 1, BITS, logical_not)                                                                               \
    X(ADD, 2, NUMBERS, add)                                                                                            \
    X(SUBTRACT, 2, NUMBERS, subtract)                                                                                  \
    X(MULTIPLY, 2, NUMBERS, multiply)                                                                                  \
    X(DIVIDE, 2, ALL, divide)                                                                                          \
    X(REMAINDER, 2, ALL, remainder)                                                                                    \
    X(POWER, 2, ALL, power)                                                                                            \
    X(MAXIMUM, 2, ALL, maximum)                                                                                        \
    X(MINIMUM, 2, ALL, minimum)                                                                                        \
    X(ATAN2, 2, FLOATS, atan2)                                                                                         \
    X(AND, 2, BITS, and)                                                                                               \
    X(OR, 2, BITS, or)                                                                                                 \
    X(XOR, 2, BITS, xor)                                                                                               \
    X(SHIFT_LEFT, 2, BITS, shift_left)                                                                                 \
    X(SHIFT_RIGHT, 2, BITS, shift_right)                                                                               \
    X(SHIFT_RIGHT_ARITHMETIC, 2, BITS, shift_right_arithmetic)                                                         \
    X(EQ, 2, NUMBERS, eq)                                                                                              \
    X(NE, 2, NUMBERS, ne)                                                                                              \
    X(LT, 2, ALL, lt)                                                                                                  \
    X(LE, 2, ALL, le)                                                                                                  \
    X(GT, 2, ALL, gt)                                                                                                  \
    X(GE, 2, ALL, ge)                                                                                                  \
    X(SELECT, 3, SIZES, select)                                                                                        \
    X(CLAMP, 3, ALL, clamp)                                                                                            \
    X(MULTIPLY_ADD, 3, NUMBERS, multiply_add) /* a * b + c, rounded once or twice */                                   \
    /* narrow a wide class to what a narrow type would hold, staying in the class */                                   \
    X(ROUND_BF16, 1, F32, round_bf16)                                                                                  \
    X(ROUND_F16, 1, F32, round_f16)                                                                                    \
    X(WRAP_8, 1, 32, wrap_8)                                                                                           \
    X(WRAP_16, 1, 32, wrap_16)                                                                                         \
    /* composites of f32: see block_gelu.h; a gradient reads x and what arrives at the result */                       \
    X(GELU, 1, F32, gelu)                                                                                              \
    X(GELU_TANH, 1, F32, gelu_tanh)                                                                                    \
    X(GELU_GRADIENT, 2, F32, gelu_gradient)                                                                            \
    X(GELU_TANH_GRADIENT, 2, F32, gelu_tanh_gradient)                                                                  \
    /* the same as exactly as bf16 needs it */                                                                         \
    X(GELU_ROUGH, 1, F32, gelu_rough)                                                                                  \
    X(GELU_TANH_ROUGH, 1, F32, gelu_tanh_rough)                                                                        \
    X(GELU_GRADIENT_ROUGH, 2, F32, gelu_gradient_rough)                                                                \
    X(GELU_TANH_GRADIENT_ROUGH, 2, F32, gelu_tanh_gradient_rough)

typedef enum pod_block_op {
#define X(op, operands, classes, name) POD_BLOCK_OP_##op,
    POD_BLOCK_OP_LIST(X)
#undef X
        POD_BLOCK_OP_COUNT
} pod_block_op;

/* Returns whether its result is S32 0 or 1, whatever it reads: EQ to GE and IS_FINITE. */
bool pod_kernel_block_op_tests(pod_block_op op);

/* count is at most POD_BLOCK; operands that the function does not have are NULL. */
typedef void (*pod_block_function)(void *result, const void *a, const void *b, const void *c, size_t count);

/* Folds `count` elements of a block into *accumulator, in an order that depends on count alone. */
typedef void (*pod_fold_function)(void *accumulator, const void *block, size_t count);

typedef enum pod_fold {
    POD_FOLD_SUM,
    POD_FOLD_PRODUCT,
    POD_FOLD_MAX,
    POD_FOLD_MIN,
    POD_FOLD_AND,
    POD_FOLD_OR,
    POD_FOLD_COUNT
} pod_fold;

/* What adds a block to another in a fold. */
extern const pod_block_op pod_fold_elements[POD_FOLD_COUNT];

/* result = a function of a, [rows, width], and of one element of b for each row; of f32. result may be a. */
typedef void (*pod_by_row_function)(void *result, const void *a, const void *b, size_t rows, size_t width);

typedef enum pod_by_row {
    POD_BY_ROW_ADD,
    POD_BY_ROW_SUBTRACT,
    POD_BY_ROW_MULTIPLY,
    POD_BY_ROW_DIVIDE,
    POD_BY_ROW_COUNT
} pod_by_row;

/* ---- products ----------------------------------------------------------------------------------- */

/* Receives a finished part of a product while it is in cache: rows x columns f32 sums, row stride
 * `stride` elements (a multiple of 16, 64-aligned), which are element (row, column) on of the result. It
 * may change the tile in place. */
typedef void (*pod_dot_epilogue)(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                                 int64_t columns);

/* A left operand that lies in pieces: its rows in groups of `width`, in which they are a_row_stride apart, and the
 * elements of a row in runs. Element (i, j) is groups[i / width] + i % width * a_row_stride + runs[j / run_k] +
 * j % run_k on from the first. Kernels that read pieces (pod_kernel_dot_piece_unit()) read them where they lie, of the
 * type pod_kernel_dot_piece_type(). run() has to take all rows of whole groups at once. */
typedef struct pod_dot_pieces {
    int64_t width, run_k; /* run_k: a multiple of pod_kernel_dot_piece_unit(); k is one of run_k */
    const int64_t *groups, *runs;
} pod_dot_pieces;

/* result[m, n] = sum over k of a[m, k] * b[k, n] */
typedef struct pod_dot_call {
    int64_t m, n, k;
    const void *a;                       /* f32, or bf16 for a bf16 product */
    const pod_dot_pieces *pieces;        /* NULL: a is a matrix */
    int64_t a_row_stride;                /* elements between rows of a (m); one of the two strides is 1 */
    int64_t a_k_stride;                  /* elements between columns of a (k): not 1 when a is stored transposed */
    const void *b;                       /* as pod_kernel_dot_pack_b() made it, or plain */
    int64_t b_k_stride, b_column_stride; /* of plain b; one of the two is 1 */
    pod_dot_epilogue epilogue;           /* called for each finished tile on the calling thread; may be NULL */
    void *epilogue_context;
    float *result; /* where finished sums go after the epilogue; NULL when the epilogue stores them */
    int64_t result_stride;
    const pod_sums_finish *finish; /* in the place of both, where pod_kernel_dot_finishes(); else NULL */
    bool begun; /* the caller has called begin() on this thread, and calls end() after its last product */
    /* Asked before each block of rows, of which one may have very many: true gives the rest up. NULL: nothing does. */
    bool (*stops)(void *context);
    void *stops_context;
} pod_dot_call;

/* The kernels of one kind of product, of which functions take these. */
typedef struct pod_dot_kernels {
    /* Rows of the result that one piece of work has; pieces start at multiples of it. */
    int64_t row_granularity;
    /* What few rows may start at instead, so that threads have alike; divides it. 0: that itself. */
    int64_t least_rows;
    int64_t panel_columns; /* columns are packed in panels */
    /* Bytes of scratch that one thread's run() needs, at any alignment and strides of a; reads m, n, k, and holds for
     * calls of fewer rows too: convolutions ask once for blocks of different sizes. */
    size_t (*scratch_bytes)(const struct pod_dot_kernels *kernels, const pod_dot_call *call);
    /* Computes rows row_begin to row_end - 1 (row_begin a multiple of row_granularity or least_rows) over all columns,
     * or columns column_begin to column_end - 1 (a multiple of panel_columns). Bits do not depend
     * on how rows and columns are cut. */
    void (*run)(const struct pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                int64_t column_begin, int64_t column_end, void *scratch);
    /* How operands are packed: see dot.h; NULL: they are not. */
    const struct pod_dot_family *family;
    bool (*reads_plain)(void); /* whether they are not packed all the same; NULL: they are */
    /* What a thread has to do before and after run(), which does it itself unless the call is `begun`: so that
     * it is done once for many small products. NULL: nothing. Between them nothing else may use AMX's tiles. */
    void (*begin)(void);
    void (*end)(void);
    /* Rows that pass over b once (a multiple of row_granularity): pieces of work with fewer rows, where
     * there are enough, read b more often. */
    int64_t row_block;
    /* Rows at least, of that many, for which b is worth another pass, where values that fit the cache have to wait for
     * them. */
    int64_t pass_rows;
    /* About what one thread takes for a multiply-add; 0: as long as pod_kernel_dot_nanoseconds() says. */
    double nanoseconds;
} pod_dot_kernels;

/* Elements k_begin .. k_end - 1 of columns column_begin .. column_end - 1 of b[k, n]; neighbours along k are k_stride
 * elements apart, along columns column_stride. */
typedef struct pod_dot_part {
    int64_t k, n, k_stride, column_stride;
    int64_t k_begin, k_end, column_begin, column_end;
    bool streams; /* stored past the caches where that can be: it is read when they have long seen other memory */
} pod_dot_part;

/* Bytes of a packed b; 0: these kernels read plain b. */
size_t pod_kernel_dot_packed_b_bytes(const pod_dot_kernels *kernels, int64_t k, int64_t n);

/* Fills panels panel_begin to panel_end - 1 of a packed b from elements b[k * k_stride + n * column_stride] of type
 * `dtype` (f32 or bf16). */
void pod_kernel_dot_pack_b(const pod_dot_kernels *kernels, void *packed, pod_dtype dtype, const void *b, int64_t k,
                           int64_t n, int64_t k_stride, int64_t column_stride, int64_t panel_begin, int64_t panel_end);

/* Packs a part of b, whose first element is at `first`, where pod_kernel_dot_pack_b() puts it, with the zeros that
 * follow the last column and the last element of k. k_begin is a multiple of POD_PACK_UNIT, column_begin of
 * POD_PACK_UNIT or panel_columns; so are the ends, or those of b. Parts of the rows that run() hands to an epilogue
 * will do, too, as k or as columns. */
void pod_kernel_dot_pack_part(const pod_dot_kernels *kernels, void *packed, pod_dtype dtype, const void *first,
                              const pod_dot_part *part);

/* Returns whether these finish sums in registers, where columns of a result of f32 are a multiple of
 * POD_FINISH_LANES. */
bool pod_kernel_dot_finishes(const pod_dot_kernels *kernels);

/* The multiple that runs of pieces have to be of; 0: these kernels read no pieces. */
int64_t pod_kernel_dot_piece_unit(const pod_dot_kernels *kernels);

/* The type of what lies in pieces: f32 where kernels for bf16 compute in it. */
pod_dtype pod_kernel_dot_piece_type(const pod_dot_kernels *kernels);

/* A multiple of what every family takes of k, and of columns, at once. */
#define POD_PACK_UNIT 32

/* ---- the table ----------------------------------------------------------------------------------- */

typedef struct pod_kernels {
    const char *isa;
    /* NULL where a class has no such function (AND of floats, EXP of integers). */
    pod_block_function element[POD_BLOCK_OP_COUNT][POD_CLASS_COUNT];
    pod_block_function convert[POD_CLASS_COUNT][POD_CLASS_COUNT]; /* [from][to]; saturating */
    pod_fold_function fold[POD_FOLD_COUNT][POD_CLASS_COUNT];
    pod_by_row_function by_row[POD_BY_ROW_COUNT];
    /* Adds the products of `count` elements of two blocks of f32 to *sum, an f32, in the order of a fold. */
    void (*fold_products)(void *sum, const float *a, const float *b, size_t count);
    /* Widen elements of a stored type into a block, and narrow a block into stored elements (bf16 and
     * f16 round to nearest even; integers keep their low bits; bool stores value != 0). */
    void (*load[POD_DTYPE_END])(void *block, const void *source, size_t count);
    void (*store[POD_DTYPE_END])(void *destination, const void *block, size_t count);
    /* Fills a u32 block with Philox bits of elements first .. first + count - 1 of a tensor whose rows
     * have row_elements elements, the first row having global number first_row. */
    void (*random_bits)(uint32_t *block, uint64_t seed, uint64_t op_seed, uint64_t step, int64_t first,
                        int64_t row_elements, int64_t first_row, size_t count);

    /* Fused composites over whole rows. */
    /* loss[r] = -log softmax(logits[r])[label[r]] over `classes`, and, where gradient is not NULL,
     * gradient[r][c] = (softmax - onehot) * scale[r] (scale NULL: 1). Returns the first row whose
     * label is outside 0 .. classes - 1, or -1. Type of logits and gradient: f32 or bf16. */
    int64_t (*sparse_softmax_cross_entropy)(pod_dtype dtype, const void *logits, const int32_t *labels, float *loss,
                                            void *gradient, const float *scale, int64_t rows, int64_t classes);
    /* Keras' Adam on `count` elements. Of weight, m, v and gradient makes new weight, m and v:
     * m' = m + (gradient - m) * rest_1; v' = v + (gradient * gradient - v) * rest_2; weight' = weight - m' * alpha /
     * (sqrt(v') + epsilon), each operation rounded, division and root exact. rest_1 and rest_2 are 1 - beta_1 and
     * 1 - beta_2; alpha is the learning rate times sqrt(1 - beta_2 ^ step) / (1 - beta_1 ^ step). A result may be any
     * of the operands. */
    void (*adam)(float *const results[3], const float *const operands[4], float alpha, float rest_1, float rest_2,
                 float epsilon, size_t count);

    /* What attention does between its products: see attention.h. */
    const struct pod_attention_rows *attention;
    pod_look_up_16 look_up_16; /* see lookup.h */

    /* Kernels of single ops, found by pod_kernel_find(). */
    const pod_named_kernel *pools, *windows, *lines, *depthwise;

    const pod_direct_kernels *direct;                /* convolutions with few channels */
    const struct pod_convolution_way *depthwise_way; /* those with one channel a group: see convolution_phases.h */
    const struct pod_winograd_kernels *winograd;     /* those with kernels of 3 x 3; NULL: by products */
    pod_finish_function finish;                      /* what most products end with: see finish.h */
    pod_chain_function chain;                        /* steps of loops in registers: see chains.h; NULL: none */

    /* Products, all with f32 accumulation. */
    union {
        struct {
            pod_dot_kernels dot_f32;  /* f32 operands (by OpenBLAS in the portable family) */
            pod_dot_kernels dot_bf16; /* bf16 operands */
            /* f32 operands by six or three products of bf16 parts (dot_f32_amx.c); run is NULL in
             * families that have none. */
            pod_dot_kernels dot_f32_six, dot_f32_three;
            pod_dot_kernels dot_f32_few; /* f32 operands, for few rows: see multi/few.c */
        };
        pod_dot_kernels dots[5];
    };
} pod_kernels;

/*
 * Returns the kernels for products of these sizes: of bf16 operands, or of f32 operands, as exactly as f32 is or,
 * where that is faster, `rough`: to about 16 bits.
 *
 * For f32 these are the passes over bf16 parts where the family has them and they take less time: packing
 * costs more, so that both m and n must be large, and sizes are padded to tiles. The bits of a product
 * depend on the choice; the choice depends on the sizes alone.
 */
const pod_dot_kernels *pod_kernel_dot_choose(const pod_kernels *kernels, pod_dtype dtype, bool rough, int64_t m,
                                             int64_t n, int64_t k);

/* A product of up to so many rows takes less time by dot_f32_few than packing b for others does. */
#define POD_DOT_FEW_ROWS 8

/* About how many nanoseconds one thread takes for a multiply-add: by how work is divided among threads and cut into
 * chunks. */
double pod_kernel_dot_nanoseconds(const pod_kernels *kernels, const pod_dot_kernels *dot);

/* Returns the table for the best family allowed by `isa` (NULL: what the CPU has). Unknown names and
 * families that this CPU lacks fail with POD_ERROR_ARGUMENT, listing those it has. The table is
 * static. */
POD_CHECKED pod_status pod_kernel_choose_family(const char *isa, const pod_kernels **kernels, pod_error *error);

#endif
