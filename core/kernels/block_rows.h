#ifndef POD_KERNELS_BLOCK_ROWS_H
#define POD_KERNELS_BLOCK_ROWS_H

/*
 * The composites among the block kernels: cross-entropy over rows and Adam. Included by
 * multi/blocks.c, once a family.
 */

#include "kernels/block_folds.h"
#include "kernels/block_formats.h"
#include "kernels/transpose_words.h"
#include "moonpod/tensor.h"

/* Rows that are computed side by side when there are few classes, and the most classes for that. */
#define SIDE_ROWS 32
#define FEW       32

/* Elements of a long row that are widened at a time. */
#define PART 1024

static int64_t part_count(int64_t classes, int64_t begin)
{
    return classes - begin < PART ? classes - begin : PART;
}

/* One row of many classes: the exponentials are computed once for the sum and once for the
 * gradient. */
static void long_row(pod_dtype dtype, const void *logits, int32_t label, float *loss, void *gradient, float scale_,
                     int64_t classes)
{
    float x[PART], chosen, maximum = -INFINITY, sum = 0;
    for (int64_t begin = 0; begin < classes; begin += PART) {
        int64_t count = part_count(classes, begin);
        read_floats(dtype, logits, begin, x, count);
        f32_fold_max(&maximum, x, (size_t)count);
    }
    for (int64_t begin = 0; begin < classes; begin += PART) {
        int64_t count = part_count(classes, begin);
        read_floats(dtype, logits, begin, x, count);
        for (int64_t i = 0; i < count; i++)
            x[i] = exp_f32(x[i] - maximum);
        f32_fold_sum(&sum, x, (size_t)count);
    }
    read_floats(dtype, logits, label, &chosen, 1);
    *loss = log_f32(sum) - (chosen - maximum);
    float share = scale_ / sum;
    for (int64_t begin = 0; gradient != NULL && begin < classes; begin += PART) {
        int64_t count = part_count(classes, begin);
        if (classes > PART) { /* else they are there */
            read_floats(dtype, logits, begin, x, count);
            for (int64_t i = 0; i < count; i++)
                x[i] = exp_f32(x[i] - maximum);
        }
        for (int64_t i = 0; i < count; i++)
            x[i] *= share;
        if (label >= begin && label < begin + count)
            x[label - begin] -= scale_;
        write_floats(dtype, gradient, begin, x, count);
    }
}

/* Few classes: SIDE_ROWS rows side by side, a row a lane. Lanes without a row compute on zeros. */
typedef struct side_rows {
    float x[FEW][SIDE_ROWS]; /* logits, then exponentials, then the gradient */
    float maximum[SIDE_ROWS], share[SIDE_ROWS], loss[SIDE_ROWS], scale[SIDE_ROWS];
    int32_t label[SIDE_ROWS];
} side_rows;

/* Blocks of four classes may reach beyond the end of a row: they read from the next row what nobody
 * uses, and in writing spill into the next row what its own first block, written later, covers. */
static void transpose_in(side_rows *side, const float *flat, int64_t classes)
{
    for (int64_t r = 0; r < SIDE_ROWS; r += 4) {
        for (int64_t c = 0; c < classes; c += 4)
            transpose_words(flat + r * classes + c, classes, &side->x[c][r], SIDE_ROWS);
    }
}

static void transpose_out(const side_rows *side, float *flat, int64_t classes)
{
    for (int64_t r = 0; r < SIDE_ROWS; r += 4) {
        for (int64_t c = (classes - 1) / 4 * 4; c >= 0; c -= 4)
            transpose_words(&side->x[c][r], SIDE_ROWS, flat + r * classes + c, classes);
    }
}

/* Computes losses, and gradients in the place of logits. */
static void compute_side_rows(side_rows *side, int64_t classes)
{
    float sum[SIDE_ROWS] = {0}, chosen[SIDE_ROWS] = {0};
    for (int r = 0; r < SIDE_ROWS; r++)
        side->maximum[r] = -INFINITY;
    for (int64_t c = 0; c < classes; c++) {
        for (int r = 0; r < SIDE_ROWS; r++) {
            side->maximum[r] = maximum_f32(side->x[c][r], side->maximum[r]);
        }
    }
    for (int64_t c = 0; c < classes; c++) {
        for (int r = 0; r < SIDE_ROWS; r++) {
            float x = side->x[c][r] - side->maximum[r];
            float e = exp_f32(x);
            chosen[r] = side->label[r] == (int32_t)c ? x : chosen[r];
            side->x[c][r] = e;
            sum[r] += e;
        }
    }
    for (int r = 0; r < SIDE_ROWS; r++) {
        side->share[r] = 1.0f / sum[r];
        side->loss[r] = log_f32(sum[r]) - chosen[r];
    }
    for (int64_t c = 0; c < classes; c++) {
        for (int r = 0; r < SIDE_ROWS; r++) {
            float target = side->label[r] == (int32_t)c ? 1.0f : 0.0f;
            side->x[c][r] = (side->x[c][r] * side->share[r] - target) * side->scale[r];
        }
    }
}

/* `rows` (at most SIDE_ROWS) rows of few classes. */
static void short_rows(pod_dtype dtype, const void *logits, const int32_t *labels, float *loss, void *gradient,
                       const float *scale_, int64_t rows, int64_t classes)
{
    side_rows side;
    float flat[FEW * SIDE_ROWS + 4] = {0};
    read_floats(dtype, logits, 0, flat, rows * classes);
    memset(flat + rows * classes, 0, (size_t)((SIDE_ROWS - rows) * classes) * sizeof *flat);
    for (int64_t r = 0; r < SIDE_ROWS; r++) {
        side.label[r] = r < rows ? labels[r] : 0;
        side.scale[r] = r < rows && scale_ != NULL ? scale_[r] : 1.0f;
    }
    transpose_in(&side, flat, classes);
    compute_side_rows(&side, classes);
    memcpy(loss, side.loss, (size_t)rows * sizeof *loss);
    if (gradient == NULL)
        return;
    transpose_out(&side, flat, classes);
    write_floats(dtype, gradient, 0, flat, rows * classes);
}

static int64_t sparse_softmax_cross_entropy(pod_dtype dtype, const void *logits, const int32_t *labels, float *loss,
                                            void *gradient, const float *scale_, int64_t rows, int64_t classes)
{
    for (int64_t row = 0; row < rows; row++) {
        if (labels[row] < 0 || labels[row] >= classes)
            return row;
    }
    int64_t side = classes <= FEW ? SIDE_ROWS : 1;
    size_t row_bytes = (size_t)classes * pod_dtype_size(dtype);
    for (int64_t row = 0; row < rows; row += side) {
        int64_t count = rows - row < side ? rows - row : side;
        const char *from = (const char *)logits + (size_t)row * row_bytes;
        char *to = gradient != NULL ? (char *)gradient + (size_t)row * row_bytes : NULL;
        const float *factor = scale_ != NULL ? scale_ + row : NULL;
        if (classes <= FEW)
            short_rows(dtype, from, labels + row, loss + row, to, factor, count, classes);
        else
            long_row(dtype, from, labels[row], loss + row, to, factor != NULL ? *factor : 1.0f, classes);
    }
    return -1;
}

/* Elements that are read before the results of any of them are written, so that a result may lie where an
 * operand lies. */
#define ADAM_LANES 16

static inline void adam_lanes(float *const results[3], const float *const operands[4], float alpha, float rest_1,
                              float rest_2, float epsilon, size_t at, size_t count)
{
    float x[4][ADAM_LANES] = {{0}};
    for (int i = 0; i < 4; i++)
        memcpy(x[i], operands[i] + at, count * sizeof(float));
    for (int i = 0; i < ADAM_LANES; i++) {
        float g = x[3][i];
        float m = x[1][i] + (g - x[1][i]) * rest_1;
        float v = x[2][i] + (g * g - x[2][i]) * rest_2;
        x[0][i] = x[0][i] - m * alpha / (sqrtf(v) + epsilon);
        x[1][i] = m;
        x[2][i] = v;
    }
    for (int i = 0; i < 3; i++)
        memcpy(results[i] + at, x[i], count * sizeof(float));
}

static void adam(float *const results[3], const float *const operands[4], float alpha, float rest_1, float rest_2,
                 float epsilon, size_t count)
{
    size_t at = 0;
    for (; at + ADAM_LANES <= count; at += ADAM_LANES)
        adam_lanes(results, operands, alpha, rest_1, rest_2, epsilon, at, ADAM_LANES);
    if (at < count)
        adam_lanes(results, operands, alpha, rest_1, rest_2, epsilon, at, count - at);
}

#endif
