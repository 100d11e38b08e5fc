/*
 * What attention does between its products, row by row: see kernels/attention.h.
 */

#include "base/sizes.h"
#include "kernels/attention.h"
#include "kernels/block_formats.h"
#include "kernels/kernels.h"
#include "kernels/unroll.h"

/* Rows are computed in whole vectors: behind what a row may see, scores are -infinity up to here.
 */
#define LANES 16

/* Holds what is known of a row after its scores have been hidden. */
typedef struct row {
    float *scores;
    int64_t index;
    int64_t seen, count; /* scores to look at; the same in whole vectors */
    bool none;           /* it may look nowhere */
} row;

static int64_t whole(int64_t count)
{
    return pod_round_up(count, LANES);
}

/* Hides what the mask does; returns whether anything is left. */
static bool mask_scores(float *scores, const uint8_t *mask, int64_t key_stride, int64_t count)
{
    uint8_t any = 0;
    if (key_stride == 0)
        return *mask != 0;
    for (int64_t i = 0; i < count; i++) {
        any |= mask[i];
        scores[i] = mask[i] ? scores[i] : -INFINITY;
    }
    return any != 0;
}

/* Hides what a row may not see. */
static row hide(const pod_attention_block *block, int64_t index)
{
    row made = {.scores = block->scores + index * block->stride, .index = index};
    int64_t seen = block->seen + index;
    made.seen = seen < block->keys ? seen : block->keys;
    if (block->mask)
        made.none = !mask_scores(made.scores, block->mask + index * block->mask_row, block->mask_key, made.seen);
    made.seen = made.none ? block->keys : made.seen;
    made.count = whole(made.seen);
    float *last = made.scores + made.count - LANES;
    int64_t rest = made.seen - (made.count - LANES);
    for (int i = 0; i < LANES; i++)
        last[i] = i < rest ? last[i] : -INFINITY;
    return made;
}

/* Folds half onto half; written out, so that each line is one instruction or two. */
static inline float fold_sum(float *lane)
{
    for (int i = 0; i < 8; i++)
        lane[i] += lane[i + 8];
    for (int i = 0; i < 4; i++)
        lane[i] += lane[i + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* The largest of x. A NaN among them may be passed over: the sum of the exponentials will be NaN anyway. */
static inline float find_most(const float *x, int64_t count)
{
    float lane[LANES];
    memcpy(lane, x, sizeof lane);
    for (int64_t begin = LANES; begin < count; begin += LANES)
        POD_UNROLL (1, int i = 0; i < LANES; i++)
            lane[i] = larger(lane[i], x[begin + i]);
    for (int i = 0; i < 8; i++)
        lane[i] = larger(lane[i], lane[i + 8]);
    for (int i = 0; i < 4; i++)
        lane[i] = larger(lane[i], lane[i + 4]);
    return larger(larger(lane[0], lane[2]), larger(lane[1], lane[3]));
}

/* x = exp((x - most) * factor); returns the sum. `rough` is a constant wherever this is inlined. */
static inline float exponentials(float *x, float most, float factor, int64_t count, bool rough)
{
    float lane[LANES] = {0};
    float scale = factor * 1.44269504f;
    for (int64_t begin = 0; begin < count; begin += LANES) {
        POD_UNROLL (1, int i = 0; i < LANES; i++) {
            float power = (x[begin + i] - most) * scale; /* 0 where x is the most, however large that is */
            power = power < -127.0f ? -127.0f : power;
            float e = rough ? exp2_rough(power) : exp2_near(power);
            x[begin + i] = e;
            lane[i] += e;
        }
    }
    return fold_sum(lane);
}

/* Makes exponentials of the scores; returns the factor that makes shares of them. */
static float exponentiate(const pod_attention_block *block, const row *of)
{
    float *x = of->scores;
    if (of->none) {
        for (int64_t i = 0; i < of->count; i++)
            x[i] = i < of->seen ? 1.0f : 0.0f;
        return block->zero_hidden ? 0.0f : 1.0f / (float)of->seen;
    }
    float most = find_most(x, of->count);
    if (block->dtype == POD_BF16)
        return 1.0f / exponentials(x, most, block->scale, of->count, true);
    return 1.0f / exponentials(x, most, block->scale, of->count, false);
}

/* What dropout multiplies shares `begin` to begin + count - 1 of a row with. */
static void dropout_factors(const pod_attention_block *block, const row *of, int64_t begin, int64_t count,
                            float *factors)
{
    uint32_t bits[POD_BLOCK], dropped = block->dropped;
    float kept = block->kept;
    block->random_bits(bits, block->seed, block->op_seed, block->step,
                       block->first + of->index * block->all_keys + begin, block->row_elements, 0, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        factors[i] = bits[i] < dropped ? 0.0f : kept;
}

static int64_t part_of(const row *of, int64_t begin)
{
    return of->count - begin < POD_BLOCK ? of->count - begin : POD_BLOCK;
}

static void drop_shares(const pod_attention_block *block, const row *of)
{
    float factors[POD_BLOCK];
    for (int64_t begin = 0; begin < of->count; begin += POD_BLOCK) {
        int64_t count = part_of(of, begin);
        float *x = of->scores + begin;
        dropout_factors(block, of, begin, count, factors);
        for (int64_t i = 0; i < count; i++)
            x[i] = factors[i] > 0.0f ? x[i] * factors[i] : 0.0f;
    }
}

/* Shares are not negative: those that are dropped get a sign, by which drop_marked() knows them. */
static void mark_dropped(const pod_attention_block *block, const row *of, float *back)
{
    float factors[POD_BLOCK];
    for (int64_t begin = 0; begin < of->count; begin += POD_BLOCK) {
        int64_t count = part_of(of, begin);
        float *x = of->scores + begin, *g = back + begin;
        dropout_factors(block, of, begin, count, factors);
        for (int64_t i = 0; i < count; i++) {
            x[i] = factors[i] > 0.0f ? x[i] : -x[i];
            g[i] = factors[i] > 0.0f ? g[i] * factors[i] : 0.0f;
        }
    }
}

static void drop_marked(const pod_attention_block *block, const row *of)
{
    float *x = of->scores, kept = block->kept;
    for (int64_t i = 0; i < of->count; i++)
        x[i] = x[i] < 0.0f ? 0.0f : x[i] * kept;
}

/* Stores `count` numbers of a row, and 0 behind them. */
static void put(const pod_attention_block *block, void *to, int64_t index, const float *x, int64_t count)
{
    size_t size = pod_dtype_size(block->dtype);
    char *at = (char *)to + (size_t)(index * block->stride) * size;
    if ((const void *)at != (const void *)x)
        write_floats(block->dtype, at, 0, x, count);
    memset(at + (size_t)count * size, 0, (size_t)(block->stride - count) * size);
}

static void shares(const pod_attention_block *block)
{
    for (int64_t r = 0; r < block->rows; r++) {
        row one = hide(block, r);
        block->inverse[r] = exponentiate(block, &one);
        if (block->kept > 0)
            drop_shares(block, &one);
        put(block, block->shares, r, one.scores, one.count);
    }
}

/* The sum of shares * back; shares are x * inverse. */
static inline float weigh(const float *x, const float *back, float inverse, int64_t count)
{
    float lane[LANES] = {0};
    for (int64_t begin = 0; begin < count; begin += LANES) {
        POD_UNROLL (1, int i = 0; i < LANES; i++)
            lane[i] = mul_add(x[begin + i] * inverse, back[begin + i], lane[i]);
    }
    return fold_sum(lane);
}

/* Makes shares of exponentials, and their gradient of what arrived. */
static void slopes(float *x, float *back, float inverse, float mean, float factor, int64_t count)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++) {
        float share = x[i] * inverse;
        x[i] = share;
        back[i] = absolute(share) * ((back[i] - mean) * factor);
    }
}

/* The same where both are stored as bf16 and nothing was dropped. */
static void narrow_slopes(uint16_t *shares, uint16_t *gradient, const float *x, const float *back, float inverse,
                          float mean, float factor, int64_t count)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++) {
        float share = x[i] * inverse;
        shares[i] = narrow_bf16(share);
        gradient[i] = narrow_bf16(share * ((back[i] - mean) * factor));
    }
}

static void gradient_of_row(const pod_attention_block *block, int64_t r)
{
    row one = hide(block, r);
    float *x = one.scores, *back = block->back + r * block->stride;
    float inverse = exponentiate(block, &one);
    for (int64_t i = one.seen; i < one.count; i++)
        back[i] = 0.0f;
    if (block->kept > 0)
        mark_dropped(block, &one, back);
    float mean = weigh(x, back, inverse, one.count);
    /* Hidden scores are constants. */
    float factor = one.none ? 0.0f : block->scale;
    if (block->dtype == POD_BF16 && block->kept <= 0) {
        uint16_t *shares_to = (uint16_t *)block->shares + r * block->stride;
        uint16_t *to = (uint16_t *)block->gradient + r * block->stride;
        narrow_slopes(shares_to, to, x, back, inverse, mean, factor, one.count);
        memset(shares_to + one.count, 0, (size_t)(block->stride - one.count) * sizeof *to);
        memset(to + one.count, 0, (size_t)(block->stride - one.count) * sizeof *to);
        return;
    }
    slopes(x, back, inverse, mean, factor, one.count);
    put(block, block->gradient, r, back, one.count);
    if (block->kept > 0)
        drop_marked(block, &one);
    put(block, block->shares, r, x, one.count);
}

static void gradient(const pod_attention_block *block)
{
    for (int64_t r = 0; r < block->rows; r++)
        gradient_of_row(block, r);
}

static void add(float *tile, int64_t stride, const float *sums, int64_t sums_stride, int64_t rows, int64_t columns)
{
    for (int64_t r = 0; r < rows; r++) {
        float *to = tile + r * stride;
        const float *from = sums + r * sums_stride;
#pragma GCC ivdep
        for (int64_t i = 0; i < columns; i++)
            to[i] += from[i];
    }
}

static void finish(pod_dtype dtype, void *to, int64_t to_stride, const float *from, int64_t from_stride, int64_t rows,
                   int64_t columns, const float *factors)
{
    for (int64_t r = 0; r < rows; r++) {
        float factor = factors ? factors[r] : 1.0f;
        const float *line = from + r * from_stride;
        if (dtype == POD_F32) {
            float *wide = (float *)to + r * to_stride;
#pragma GCC ivdep
            for (int64_t i = 0; i < columns; i++)
                wide[i] = line[i] * factor;
        } else {
            uint16_t *narrow = (uint16_t *)to + r * to_stride;
#pragma GCC ivdep
            for (int64_t i = 0; i < columns; i++)
                narrow[i] = narrow_bf16(line[i] * factor);
        }
    }
}

extern const pod_attention_rows POD_FAMILY_TABLE;

const pod_attention_rows POD_FAMILY_TABLE = {
    .shares = shares,
    .gradient = gradient,
    .add = add,
    .finish = finish,
};
