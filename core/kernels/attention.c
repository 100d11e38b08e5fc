/* attention - see attention.h. */

#include "kernels/attention.h"

#include <math.h>
#include <string.h>

#include "kernels/attention_call.h"
#include "base/sizes.h"

/* Queries of a block, and keys whose products are added up at a time. */
#define MOST_ROWS   64
#define FEWEST_ROWS 32
#define CHUNK       128

/* Bytes that a block's scores, shares and their gradients may take, while it has more than the
 * fewest rows. */
#define BLOCK_BYTES (256 * 1024)

enum { FORWARD, BACKWARD };

/* ---- scratch --------------------------------------------------------------------------------- */

/* Rows of a block of queries: enough to pass over the keys seldom, few enough for the cache. */
static int64_t block_rows(const pod_attention_call *a)
{
    int64_t rows = MOST_ROWS;
    while (rows > FEWEST_ROWS && rows * a->keys * 12 > BLOCK_BYTES)
        rows /= 2;
    return pod_smaller(rows, a->queries);
}

/* b of products with a k of `k` and `n` columns, packed; `bytes` is 0 where it is read as it lies.
 */
typedef struct packed {
    char *data;
    int64_t bytes; /* of a chunk */
} packed;

/* Holds what one thread has. Arrays over keys fall into chunks. */
typedef struct room {
    packed keys_across, keys_along;     /* k^T [width, keys] and k [keys, width] */
    packed values_across, values_along; /* v^T and v */
    packed queries, gradients;          /* q [rows, width] and g of a block */
    float *scores, *back;               /* [rows][stride] */
    void *shares, *slopes;              /* the same, in the type of the products */
    float *inverse;
    float *sums;                  /* [rows][wider] */
    float *key_sums, *value_sums; /* [keys][width or value width] */
    void *dot;
    int64_t stride, bytes;
} room;

/* The next `more` bytes behind base; NULL where there is no base, and bytes are only counted. */
static void *take(char *base, int64_t *bytes, int64_t more)
{
    char *at = base ? base + *bytes : NULL;
    *bytes += pod_round_up(more, 64);
    return at;
}

static packed take_packed(const pod_attention_call *a, char *base, int64_t *bytes, int64_t k, int64_t n, int64_t chunks)
{
    int64_t one = pod_round_up((int64_t)pod_kernel_dot_packed_b_bytes(a->dot, k, n), 64);
    return (packed){take(base, bytes, one * chunks), one};
}

/* Bytes that products of these sizes want at most. */
static int64_t dot_bytes(const pod_attention_call *a, int64_t m, int64_t n, int64_t k, bool transposed)
{
    pod_dot_call call = {.m = m,
                         .n = n,
                         .k = k,
                         .a_row_stride = transposed ? 1 : k,
                         .a_k_stride = transposed ? m : 1,
                         .b_k_stride = 1,
                         .b_column_stride = k,
                         .result_stride = n};
    return (int64_t)a->dot->scratch_bytes(a->dot, &call);
}

static int64_t all_dot_bytes(const pod_attention_call *a, int64_t rows)
{
    int64_t chunk = pod_smaller(CHUNK, a->keys), wider = pod_larger(a->width, a->value_width);
    int64_t bytes = dot_bytes(a, rows, chunk, wider, false);
    bytes = pod_larger(bytes, dot_bytes(a, rows, wider, chunk, false));
    return a->g ? pod_larger(bytes, dot_bytes(a, a->keys, wider, rows, true)) : bytes;
}

/* Lays out the scratch of one run() at `base`. */
static room lay_out(const pod_attention_call *a, char *base)
{
    int64_t rows = block_rows(a), chunk = pod_smaller(CHUNK, a->keys), bytes = 0;
    int64_t chunks = pod_part_count(a->keys, CHUNK), wider = pod_larger(a->width, a->value_width);
    room r = {.stride = pod_round_up(a->keys, 16)};
    bool apart = a->dtype != POD_F32;
    int64_t plane = rows * r.stride * (int64_t)sizeof(float);
    r.keys_across = take_packed(a, base, &bytes, a->width, chunk, chunks);
    if (a->g) {
        r.keys_along = take_packed(a, base, &bytes, chunk, a->width, chunks);
        r.values_across = take_packed(a, base, &bytes, a->value_width, chunk, chunks);
        r.queries = take_packed(a, base, &bytes, rows, a->width, 1);
        r.gradients = take_packed(a, base, &bytes, rows, a->value_width, 1);
        r.back = take(base, &bytes, plane);
        r.slopes = apart ? take(base, &bytes, plane / 2) : r.back;
        r.key_sums = take(base, &bytes, a->keys * a->width * 4);
        r.value_sums = take(base, &bytes, a->keys * a->value_width * 4);
    } else {
        r.values_along = take_packed(a, base, &bytes, chunk, a->value_width, chunks);
    }
    r.scores = take(base, &bytes, plane);
    r.shares = apart ? take(base, &bytes, plane / 2) : r.scores;
    r.inverse = take(base, &bytes, rows * 4);
    r.sums = take(base, &bytes, rows * wider * 4);
    r.dot = take(base, &bytes, all_dot_bytes(a, rows));
    r.bytes = bytes;
    return r;
}

static size_t scratch_bytes(const pod_kernel_call *call)
{
    pod_attention_call a;
    return pod_kernel_attention_read(call, call->form == BACKWARD, &a) ? (size_t)lay_out(&a, NULL).bytes : 0;
}

/* ---- products -------------------------------------------------------------------------------- */

/* A matrix: element (row, column) lies at data + row * row_stride + column * column_stride. */
typedef struct matrix {
    const char *data;
    int64_t row_stride, column_stride;
} matrix;

/* b of a product: k rows and n columns. */
typedef struct factor {
    matrix plain;
    char *packed; /* NULL: it is read as it lies */
    int64_t k, n;
} factor;

static void pack(const pod_attention_call *a, const factor *b)
{
    int64_t panels = pod_part_count(b->n, a->dot->panel_columns);
    if (b->packed)
        pod_kernel_dot_pack_b(a->dot, b->packed, a->dtype, b->plain.data, b->k, b->n, b->plain.row_stride,
                              b->plain.column_stride, 0, panels);
}

/* Where sums of a product go, onto what is there. */
typedef struct sum_target {
    const pod_attention_rows *functions;
    float *sums;
    int64_t stride;
} sum_target;

static void add_sums(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                     int64_t columns)
{
    const sum_target *to = context;
    to->functions->add(tile, stride, to->sums + row * to->stride + column, to->stride, rows, columns);
}

/* The first `columns` columns of sums [rows, b's n] become left times b, or that is added to them.
 */
static void multiply(const pod_attention_call *a, const room *r, int64_t rows, const matrix *left, const factor *b,
                     int64_t columns, float *sums, int64_t stride, bool adds)
{
    sum_target to = {a->kernels->attention, sums, stride};
    pod_dot_call call = {
        .m = rows,
        .n = b->n,
        .k = b->k,
        .a = left->data,
        .a_row_stride = left->row_stride,
        .a_k_stride = left->column_stride,
        .b = b->packed ? b->packed : b->plain.data,
        .b_k_stride = b->plain.row_stride,
        .b_column_stride = b->plain.column_stride,
        .epilogue = adds ? add_sums : NULL,
        .epilogue_context = &to,
        .result = sums,
        .result_stride = stride,
        .begun = a->dot->begin != NULL,
    };
    a->dot->run(a->dot, &call, 0, rows, 0, columns, r->dot);
}

/* ---- a head of keys and values --------------------------------------------------------------- */

/* One unit: a batch and a head of keys, which some heads of queries share. */
typedef struct head_unit {
    const pod_attention_call *call;
    const room *room;
    int64_t batch, shared;
    pod_attention_heads q, g, outward; /* outward: the result, or the gradient of q */
    matrix k, v;
} head_unit;

/* A block of queries of one head. */
typedef struct query_block {
    int64_t head, first, rows;
    int64_t keys; /* that it may look at, or all */
    bool begins;  /* it is the unit's first */
} query_block;

static int64_t chunk_keys(const pod_attention_call *a, int64_t begin)
{
    return pod_smaller(CHUNK, a->keys - begin);
}

/* The part of a matrix [keys, width] from key `begin` on as b of a product: across, its keys are
 * the columns; along, they are what the product sums over. */
static factor keys_part(const pod_attention_call *a, const matrix *of, int64_t width, const packed *to, int64_t begin,
                        bool across)
{
    matrix part = {of->data + begin * of->row_stride * a->size, of->row_stride, 1};
    int64_t keys = chunk_keys(a, begin);
    factor made = {part, to->bytes ? to->data + begin / CHUNK * to->bytes : NULL, keys, width};
    if (across)
        made = (factor){{part.data, 1, part.row_stride}, made.packed, width, keys};
    return made;
}

static void pack_keys(const pod_attention_call *a, const matrix *of, int64_t width, const packed *to, bool across)
{
    for (int64_t begin = 0; begin < a->keys; begin += CHUNK) {
        factor part = keys_part(a, of, width, to, begin, across);
        pack(a, &part);
    }
}

/* scores [rows, keys] = left [rows, width] times keys. */
static void score(const head_unit *u, const query_block *b, const matrix *left, const matrix *of, int64_t width,
                  const packed *keys, float *scores)
{
    const pod_attention_call *a = u->call;
    int64_t panel = a->dot->panel_columns;
    for (int64_t begin = 0; begin < b->keys; begin += CHUNK) {
        factor part = keys_part(a, of, width, keys, begin, true);
        int64_t columns = pod_smaller(part.n, pod_round_up(b->keys - begin, panel));
        multiply(a, u->room, b->rows, left, &part, columns, scores + begin, u->room->stride, false);
    }
}

/* sums [rows, width] = weights [rows, keys] times keys or values [keys, width]. */
static void sum_up(const head_unit *u, const query_block *b, const void *weights, const matrix *of, int64_t width,
                   const packed *keys)
{
    const pod_attention_call *a = u->call;
    for (int64_t begin = 0; begin < b->keys; begin += CHUNK) {
        factor part = keys_part(a, of, width, keys, begin, false);
        matrix left = {(const char *)weights + begin * a->size, u->room->stride, 1};
        multiply(a, u->room, b->rows, &left, &part, width, u->room->sums, width, begin > 0);
    }
}

/* sums [keys, width] += weights^T [keys, rows] times rows [rows, width] of queries. */
static void sum_for_keys(const head_unit *u, const query_block *b, const void *weights, const matrix *rows,
                         int64_t width, const packed *to, float *sums)
{
    const pod_attention_call *a = u->call;
    factor right = {*rows, to->bytes ? to->data : NULL, b->rows, width};
    matrix left = {weights, 1, u->room->stride};
    pack(a, &right);
    multiply(a, u->room, b->keys, &left, &right, width, sums, width, !b->begins);
    if (b->begins)
        memset(sums + b->keys * width, 0, (size_t)((a->keys - b->keys) * width) * sizeof *sums);
}

static matrix rows_at(const head_unit *u, const pod_attention_heads *of, const query_block *b)
{
    const pod_attention_call *a = u->call;
    return (matrix){pod_kernel_attention_head(a, of, u->batch, b->head) + b->first * of->row * a->size, of->row, 1};
}

/* ---- masks ----------------------------------------------------------------------------------- */

static void place_mask(const head_unit *u, const query_block *b, pod_attention_block *rows)
{
    const pod_attention_call *a = u->call;
    if (!a->mask)
        return;
    const int64_t *dims = a->mask->shape.dims;
    int64_t at = dims[0] == 1 ? 0 : u->batch;
    at = at * dims[1] + (dims[1] == 1 ? 0 : b->head);
    at = at * dims[2] + (dims[2] == 1 ? 0 : b->first);
    rows->mask = (const uint8_t *)a->mask->data + at * dims[3];
    rows->mask_row = dims[2] == 1 ? 0 : dims[3];
    rows->mask_key = dims[3] == 1 ? 0 : 1;
}

static bool sees_any(const pod_attention_block *rows, int64_t row, int64_t keys)
{
    const uint8_t *mask = rows->mask + row * rows->mask_row;
    bool any = *mask != 0;
    for (int64_t i = 1; i < keys && rows->mask_key && !any; i++)
        any = mask[i] != 0;
    return any;
}

/* The keys that a block has to look at. Where a query may look nowhere, it gets the mean of all. */
static int64_t keys_of(const pod_attention_call *a, const query_block *b, const pod_attention_block *rows)
{
    if (!a->causal)
        return a->keys;
    for (int64_t r = 0; r < b->rows && rows->mask; r++)
        if (!sees_any(rows, r, pod_smaller(a->keys, b->first + r + 1)))
            return a->keys;
    return pod_smaller(a->keys, b->first + b->rows);
}

static pod_attention_block describe(const head_unit *u, query_block *b)
{
    const pod_attention_call *a = u->call;
    const room *r = u->room;
    pod_attention_block rows = {
        .dtype = a->dtype,
        .rows = b->rows,
        .stride = r->stride,
        .seen = a->causal ? b->first + 1 : a->keys,
        .scale = a->scale,
        .scores = r->scores,
        .back = r->back,
        .zero_hidden = a->zero_hidden,
        .op_seed = a->seed,
        .first = ((u->batch * a->heads + b->head) * a->queries + b->first) * a->keys,
        .row_elements = a->heads * a->queries * a->keys,
        .all_keys = a->keys,
        .random_bits = a->kernels->random_bits,
        .shares = r->shares,
        .gradient = r->slopes,
        .inverse = r->inverse,
    };
    if (a->rate > 0) {
        const uint64_t *state = a->state->data;
        double limit = floor(a->rate * 4294967296.0 + 0.5);
        rows.dropped = limit < 4294967295.0 ? (uint32_t)limit : UINT32_MAX;
        rows.kept = (float)(1 / (1 - a->rate));
        rows.seed = state[0];
        rows.step = state[1];
    }
    place_mask(u, b, &rows);
    b->keys = rows.keys = keys_of(a, b, &rows);
    return rows;
}

/* ---- forward and backward -------------------------------------------------------------------- */

static void forward_block(const head_unit *u, query_block *b)
{
    const pod_attention_call *a = u->call;
    const room *r = u->room;
    pod_attention_block rows = describe(u, b);
    matrix q = rows_at(u, &u->q, b), to = rows_at(u, &u->outward, b);
    score(u, b, &q, &u->k, a->width, &r->keys_across, r->scores);
    a->kernels->attention->shares(&rows);
    sum_up(u, b, r->shares, &u->v, a->value_width, &r->values_along);
    a->kernels->attention->finish(a->dtype, (void *)to.data, to.row_stride, r->sums, a->value_width, b->rows,
                                  a->value_width, r->inverse);
}

static void backward_block(const head_unit *u, query_block *b)
{
    const pod_attention_call *a = u->call;
    const room *r = u->room;
    pod_attention_block rows = describe(u, b);
    matrix q = rows_at(u, &u->q, b), g = rows_at(u, &u->g, b), to = rows_at(u, &u->outward, b);
    score(u, b, &q, &u->k, a->width, &r->keys_across, r->scores);
    score(u, b, &g, &u->v, a->value_width, &r->values_across, r->back);
    a->kernels->attention->gradient(&rows);
    sum_up(u, b, r->slopes, &u->k, a->width, &r->keys_along);
    a->kernels->attention->finish(a->dtype, (void *)to.data, to.row_stride, r->sums, a->width, b->rows, a->width, NULL);
    sum_for_keys(u, b, r->slopes, &q, a->width, &r->queries, r->key_sums);
    sum_for_keys(u, b, r->shares, &g, a->value_width, &r->gradients, r->value_sums);
}

/* Stores the gradient of keys or values. */
static void finish_keys(const head_unit *u, const pod_array *result, const float *sums, int64_t width)
{
    const pod_attention_call *a = u->call;
    pod_attention_heads to = pod_kernel_attention_heads_of(a, result);
    a->kernels->attention->finish(a->dtype, pod_kernel_attention_head(a, &to, u->batch, u->shared), to.row, sums, width,
                                  a->keys, width, NULL);
}

static void run_unit(head_unit *u)
{
    const pod_attention_call *a = u->call;
    const room *r = u->room;
    int64_t times = a->heads / a->shared, rows = block_rows(a);
    pod_attention_heads k = pod_kernel_attention_heads_of(a, a->k), v = pod_kernel_attention_heads_of(a, a->v);
    u->k = (matrix){pod_kernel_attention_head(a, &k, u->batch, u->shared), k.row, 1};
    u->v = (matrix){pod_kernel_attention_head(a, &v, u->batch, u->shared), v.row, 1};
    pack_keys(a, &u->k, a->width, &r->keys_across, true);
    if (a->g) {
        pack_keys(a, &u->k, a->width, &r->keys_along, false);
        pack_keys(a, &u->v, a->value_width, &r->values_across, true);
    } else {
        pack_keys(a, &u->v, a->value_width, &r->values_along, false);
    }
    for (int64_t i = 0; i < times; i++) {
        for (int64_t first = 0; first < a->queries; first += rows) {
            query_block b = {.head = u->shared * times + i,
                             .first = first,
                             .rows = pod_smaller(rows, a->queries - first),
                             .begins = i == 0 && first == 0};
            if (a->g)
                backward_block(u, &b);
            else
                forward_block(u, &b);
        }
    }
    if (a->g) {
        finish_keys(u, &a->results[1], r->key_sums, a->width);
        finish_keys(u, &a->results[2], r->value_sums, a->value_width);
    }
}

static pod_status run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    pod_attention_call a;
    if (!pod_kernel_attention_read(call, call->form == BACKWARD, &a))
        return POD_ERROR_ARGUMENT;
    room r = lay_out(&a, call->scratch);
    head_unit u = {.call = &a,
                   .room = &r,
                   .q = pod_kernel_attention_heads_of(&a, a.q),
                   .outward = pod_kernel_attention_heads_of(&a, &a.results[0])};
    if (a.g)
        u.g = pod_kernel_attention_heads_of(&a, a.g);
    if (a.dot->begin)
        a.dot->begin();
    for (int64_t i = begin; i < end; i++) {
        u.batch = i / a.shared;
        u.shared = i % a.shared;
        run_unit(&u);
    }
    if (a.dot->end)
        a.dot->end();
    return POD_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool fits(const pod_kernel_call *call)
{
    pod_attention_call a;
    return pod_kernel_attention_read(call, call->form == BACKWARD, &a);
}

static int64_t units(const pod_kernel_call *call)
{
    bool apart = call->attributes->axis != 2;
    return call->inputs[1].shape.dims[0] * call->inputs[1].shape.dims[apart ? 1 : 2];
}

const pod_named_kernel pod_attention_kernels[] = {
    {"attention", fits, {units, run, scratch_bytes, FORWARD}},
    {"attention_gradient", fits, {units, run, scratch_bytes, BACKWARD}},
    {.op = NULL},
};
