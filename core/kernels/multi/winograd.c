/* The transforms of winograd.h, in vectors of channels or filters. */

#include "kernels/winograd.h"

#include "base/sizes.h"
#include "kernels/dot_pack.h"
#include "kernels/finish_sums.h"
#include "kernels/unroll.h"

/* Elements of f32, or of bf16, which are widened. */
LANES_INLINE floats load_as(bool narrow, const char *from, int64_t element)
{
    halves x;
    if (!narrow)
        return load((const float *)from + element);
    memcpy(&x, (const uint16_t *)from + element, sizeof x);
    return (floats)(__builtin_convertvector(x, words) << 16);
}

/* A tile whose places begin .. end - 1 of each line are there. */
LANES_INLINE void read_tile(bool narrow, float *to, int64_t step, const char *const lines[4], const int64_t steps[4],
                            int64_t channels, int64_t begin, int64_t end)
{
    for (int64_t channel = 0; channel < channels; channel += LANES) {
        floats rows[4][4];
        POD_UNROLL (4, int j = 0; j < 4; j++) {
            floats d[4] = {{0}};
            if (j >= begin && j < end)
                POD_UNROLL (4, int i = 0; i < 4; i++)
                    d[i] = load_as(narrow, lines[i] + j * steps[i], channel);
            rows[0][j] = d[0] - d[2];
            rows[1][j] = d[1] + d[2];
            rows[2][j] = d[2] - d[1];
            rows[3][j] = d[1] - d[3];
        }
        POD_UNROLL (4, int i = 0; i < 4; i++) {
            const floats *d = rows[i];
            const floats points[4] = {d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]};
            POD_UNROLL (4, int j = 0; j < 4; j++)
                memcpy(to + (i * 4 + j) * step + channel, &points[j], sizeof points[j]);
        }
    }
}

LANES_INLINE void read_line(bool narrow, float *to, int64_t step, const pod_winograd_lines *of, int64_t tiles)
{
    const int64_t channels = of->channels;
    for (int64_t tile = 0; tile < tiles; tile++, to += channels) {
        const int64_t first = of->first + 2 * tile;
        const char *lines[4];
        for (int i = 0; i < 4; i++)
            lines[i] = of->lines[i] + first * of->steps[i];
        if (first >= 0 && first + 4 <= of->width)
            read_tile(narrow, to, step, lines, of->steps, channels, 0, 4);
        else
            read_tile(narrow, to, step, lines, of->steps, channels, -first, of->width - first);
    }
}

static void read_tiles(float *to, int64_t step, const pod_winograd_lines *of, int64_t tiles)
{
    if (of->dtype == POD_BF16)
        read_line(true, to, step, of, tiles);
    else
        read_line(false, to, step, of, tiles);
}

LANES_INLINE void weigh_as(bool narrow, float *to, int64_t step, const char *taps, int64_t tap_step, int64_t count)
{
    for (int64_t at = 0; at < count; at += LANES) {
        floats rows[4][3];
        POD_UNROLL (3, int j = 0; j < 3; j++) {
            floats g[3];
            POD_UNROLL (3, int i = 0; i < 3; i++)
                g[i] = load_as(narrow, taps + (i * 3 + j) * tap_step, at);
            const floats ends = g[0] + g[2];
            rows[0][j] = g[0];
            rows[1][j] = (ends + g[1]) * 0.5f;
            rows[2][j] = (ends - g[1]) * 0.5f;
            rows[3][j] = g[2];
        }
        POD_UNROLL (4, int i = 0; i < 4; i++) {
            const floats *g = rows[i], ends = g[0] + g[2];
            const floats points[4] = {g[0], (ends + g[1]) * 0.5f, (ends - g[1]) * 0.5f, g[2]};
            POD_UNROLL (4, int j = 0; j < 4; j++)
                memcpy(to + (i * 4 + j) * step + at, &points[j], sizeof points[j]);
        }
    }
}

static void weigh(float *to, int64_t step, pod_dtype dtype, const char *taps, int64_t tap_step, int64_t count)
{
    if (dtype == POD_BF16)
        weigh_as(true, to, step, taps, tap_step, count);
    else
        weigh_as(false, to, step, taps, tap_step, count);
}

static void pack(float *to, const float *from, int64_t columns, int64_t k, int64_t k_stride, int64_t column_stride)
{
    pod_kernel_pack_panel(POD_PACK_F32_TO_F32, (char *)to, columns, (const char *)from, columns, k, column_stride,
                          k_stride);
}

/* The places of a tile that are there: `lines` lines of `places`. */
LANES_INLINE void store_tile(const pod_winograd_results *to, int64_t row, const float *products, int64_t step,
                             int64_t lines, int64_t places)
{
    for (int64_t at = 0; at < to->columns; at += LANES) {
        floats rows[2][4];
        POD_UNROLL (4, int j = 0; j < 4; j++) {
            floats m[4];
            POD_UNROLL (4, int i = 0; i < 4; i++)
                m[i] = load(products + (i * 4 + j) * step + at);
            rows[0][j] = m[0] + m[1] + m[2];
            rows[1][j] = m[1] - m[2] - m[3];
        }
        POD_UNROLL (2, int i = 0; i < 2; i++) {
            const floats *m = rows[i];
            floats y[2] = {m[0] + m[1] + m[2], m[1] - m[2] - m[3]};
            if (i < lines)
                store_sums(to->finish, row + i * to->line, to->column + at, y, 2, places);
        }
    }
}

static void store_tiles(const pod_winograd_results *to, const float *products, int64_t step, int64_t tile_step,
                        int64_t tiles)
{
    for (int64_t tile = 0; tile < tiles; tile++, products += tile_step) {
        const int64_t places = pod_smaller(to->places - 2 * tile, 2);
        if (to->lines == 2 && places == 2)
            store_tile(to, to->row + 2 * tile, products, step, 2, 2);
        else
            store_tile(to, to->row + 2 * tile, products, step, to->lines, places);
    }
}

extern const pod_winograd_kernels POD_FAMILY_TABLE;

const pod_winograd_kernels POD_FAMILY_TABLE = {.read = read_tiles, .weigh = weigh, .pack = pack, .store = store_tiles};
