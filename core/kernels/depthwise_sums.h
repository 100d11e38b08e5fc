#ifndef POD_KERNELS_DEPTHWISE_SUMS_H
#define POD_KERNELS_DEPTHWISE_SUMS_H

/* depthwise_sums - sums of the places of a line of a tile. Included by multi/depthwise.c, once a family. */

#include "kernels/depthwise_tiles.h"
#include "kernels/finish_sums.h"
#include "kernels/unroll.h"

#define PLACES 8 /* that are summed side by side */

/* Places that are summed with what they meet in registers, of which there are 32 or 16; places that they meet. */
#if defined(__AVX512F__) || defined(__aarch64__)
#define SLID 8
#else
#define SLID 4
#endif
#define MET(stride) ((SLID - 1) * (stride) + 3)

/* Vectors of channels that are summed side by side of fewer places. */
#define MOST_WIDE 4

/* The weights of a tile's channels: of the first tap, and how far those of the next are. */
typedef struct tap_weights {
    const float *at;
    int64_t step;
} tap_weights;

/* Where the sums of places go: to `sums`, or to row `row`, column `column` on of what `finish` stores. */
typedef struct place_sums {
    float *sums;
    const pod_sums_finish *finish; /* NULL: none */
    int64_t row, column;
} place_sums;

/* Sums `count` places of a line and `wide` vectors of channels of each, constants, side by side; tap 0 of the first
 * place meets place `first` of the lines' sources. At an `edge` of what is read in place taps may lie outside. */
DEPTH_INLINE void sum_vectors(const depthwise_plan *p, const source_line *lines, const tap_weights *weights,
                              int64_t first, int64_t vector, int count, int wide, bool edge, const place_sums *to)
{
    floats sums[PLACES][MOST_WIDE];
    POD_UNROLL (8, int i = 0; i < count; i++)
        POD_UNROLL (4, int j = 0; j < wide; j++)
            sums[i][j] = (floats){0};
    const float *weight = weights->at + vector * LANES;
    for (int64_t k = 0; k < p->of.size[0] * p->of.size[1]; k++) {
        const int64_t step = p->of.stride[2] * lines[k].place;
        int64_t place = first;
        for (int64_t k2 = 0; k2 < p->of.size[2]; k2++, place += p->of.dilation[2], weight += weights->step) {
            const float *x = edge && (place < 0 || place >= p->of.in[2]) ? zeros : lines[k].at + place * lines[k].place;
            x += vector * LANES;
            POD_UNROLL (4, int j = 0; j < wide; j++) {
                const floats w = load(weight + j * LANES);
                POD_UNROLL (8, int i = 0; i < count; i++)
                    sums[i][j] += load(x + i * step + j * LANES) * w;
            }
        }
    }
    POD_UNROLL (4, int j = 0; j < wide; j++) {
        floats column[PLACES];
        POD_UNROLL (8, int i = 0; i < count; i++)
            column[i] = sums[i][j];
        if (to->finish)
            store_sums(to->finish, to->row, to->column + (vector + j) * LANES, column, count, count);
        else
            POD_UNROLL (8, int i = 0; i < count; i++)
                memcpy(to->sums + i * CHANNELS + (vector + j) * LANES, &column[i], sizeof(floats));
    }
}

/* All channels of a tile. */
DEPTH_INLINE void sum_places(const depthwise_plan *p, const source_line *lines, const tap_weights *weights,
                             int64_t first, int64_t vectors, int count, bool edge, const place_sums *to)
{
    const int wide = count * MOST_WIDE <= PLACES ? MOST_WIDE : PLACES / count;
    int64_t v = 0;
    for (; v + wide <= vectors; v += wide)
        sum_vectors(p, lines, weights, first, v, count, wide, edge, to);
    for (; wide > 1 && v < vectors; v++)
        sum_vectors(p, lines, weights, first, v, count, 1, edge, to);
}

/* Places `at` to `end` - 1 of a tile's line, of which one that is at an edge is summed alone; returns how many. */
static int64_t sum_some(const depthwise_plan *p, const source_line *lines, const tap_weights *weights, int64_t first,
                        int64_t vectors, int64_t inner, const place_sums *to)
{
    if (inner <= 0)
        sum_places(p, lines, weights, first, vectors, 1, true, to);
    else if (inner >= PLACES)
        sum_places(p, lines, weights, first, vectors, PLACES, false, to);
    else if (inner >= 4)
        sum_places(p, lines, weights, first, vectors, 4, false, to);
    else if (inner >= 2)
        sum_places(p, lines, weights, first, vectors, 2, false, to);
    else
        sum_places(p, lines, weights, first, vectors, 1, false, to);
    return inner >= PLACES ? PLACES : inner >= 4 ? 4 : inner >= 2 ? 2 : 1;
}

/* Sums SLID places of a line and a vector of channels of each with lines of three taps: what several places meet is
 * loaded once. stride, 1 or 2, is a constant. `met`, NULL away from edges, is where what they meet lies. */
DEPTH_INLINE void slide_vector(const depthwise_plan *p, const source_line *lines, const float *const *met,
                               const tap_weights *weights, int64_t first, int64_t vector, int stride, floats *sums)
{
    const float *weight = weights->at + vector * LANES;
    const int64_t weight_step = weights->step, count = p->of.size[0] * p->of.size[1];
    POD_UNROLL (8, int i = 0; i < SLID; i++)
        sums[i] = (floats){0};
    for (int64_t k = 0; k < count; k++, weight += 3 * weight_step) {
        const float *line = lines[k].at + first * lines[k].place + vector * LANES;
        const int64_t step = lines[k].place;
        floats x[MET(2)];
        POD_UNROLL (17, int j = 0; j < MET(stride); j++)
            x[j] = load(met ? met[k * MET(2) + j] + vector * LANES : line + j * step);
        POD_UNROLL (3, int tap = 0; tap < 3; tap++) {
            const floats w = load(weight + tap * weight_step);
            POD_UNROLL (8, int i = 0; i < SLID; i++)
                sums[i] += x[i * stride + tap] * w;
        }
    }
}

/* All channels of SLID places of a tile's line, of which `there` are there. */
DEPTH_INLINE void slide_places(const depthwise_plan *p, const source_line *lines, const float *const *met,
                               const tap_weights *weights, int64_t first, int64_t vectors, int64_t there, int stride,
                               const place_sums *to)
{
    for (int64_t v = 0; v < vectors; v++) {
        floats sums[SLID];
        slide_vector(p, lines, met, weights, first, v, stride, sums);
        if (to->finish)
            store_sums(to->finish, to->row, to->column + v * LANES, sums, SLID, there);
        else
            POD_UNROLL (8, int i = 0; i < SLID; i++)
                if (i < there)
                    memcpy(to->sums + i * CHANNELS + v * LANES, &sums[i], sizeof(floats));
    }
}

/* The first of the `left` places that are left of a tile's line, of a plan that slides; returns how many. */
static int64_t slide_some(const depthwise_plan *p, const source_line *lines, const float **met,
                          const tap_weights *weights, int64_t first, int64_t vectors, int64_t left,
                          const place_sums *to)
{
    const int64_t stride = p->of.stride[2], there = pod_smaller(left, SLID), all = (SLID - 1) * stride + 3;
    if (first >= 0 && first + all <= p->width) {
        if (stride == 1)
            slide_places(p, lines, NULL, weights, first, vectors, SLID, 1, to);
        else
            slide_places(p, lines, NULL, weights, first, vectors, SLID, 2, to);
        return SLID;
    }
    for (int64_t k = 0; k < p->of.size[0] * p->of.size[1]; k++)
        for (int64_t j = 0; j < all; j++) {
            const bool is_outside = first + j < 0 || first + j >= p->width;
            met[k * MET(2) + j] = is_outside ? zeros : lines[k].at + (first + j) * lines[k].place;
        }
    if (stride == 1)
        slide_places(p, lines, met, weights, first, vectors, there, 1, to);
    else
        slide_places(p, lines, met, weights, first, vectors, there, 2, to);
    return there;
}

#endif
