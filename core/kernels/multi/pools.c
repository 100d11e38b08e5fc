/*
 * Max pooling of f16, bf16 and f32, which also tells where the maxima are, and the gradient that reads
 * this: see special.h. Vectorised over channels.
 *
 * Elements are compared as integers: `key` orders them as floats are ordered, with -0 equal to 0 and NaN
 * above all. The position of a maximum is the number of the first tap with the largest key.
 */

#include "base/sizes.h"
#include "kernels/special.h"
#include "kernels/window_geometry.h"

#include <string.h>

/* A vector of elements, and as many bytes. */
typedef int16_t signed_halves __attribute__((vector_size(64)));
typedef int32_t signed_words __attribute__((vector_size(64)));
typedef int8_t bytes32 __attribute__((vector_size(32)));
typedef int8_t bytes16 __attribute__((vector_size(16)));

/* Most taps of a window with positions; also what stands for none. */
#define MOST_TAPS 255

#define POOL_INLINE static inline __attribute__((always_inline))

/* Reads or writes up to a vector. */
POOL_INLINE void move(void *to, const void *from, int64_t bytes, int64_t most)
{
    if (bytes == most)
        memcpy(to, from, (size_t)most);
    else
        memcpy(to, from, (size_t)bytes);
}

POOL_INLINE bool any(signed_words x)
{
#if defined(__AVX512BW__)
    enum { IS_NOT = 4 };
    return __builtin_ia32_cmpd512_mask(x, (signed_words){0}, IS_NOT, (uint16_t)-1) != 0;
#else
    typedef uint64_t longs __attribute__((vector_size(64)));
    longs all = (longs)x;
    uint64_t some = 0;
    for (int i = 0; i < 8; i++)
        some |= all[i];
    return some != 0;
#endif
}

/* Columns of windows from `begin` to `end` - 1. */
typedef struct column_range {
    int64_t begin, end;
} column_range;

/* The columns of a line whose windows are 2 x 2 on the last two axes and lie inside; none where there are no such. */
static column_range find_squares(const pod_window_sizes *g, const window_taps *line)
{
    const column_range none = {g->out[2], g->out[2]};
    if (g->size[0] != 1 || g->size[1] != 2 || g->size[2] != 2 || g->dilation[1] != 1 || g->dilation[2] != 1 ||
        g->in[0] != 1 || line->first[0] != 0 || line->last[0] != 1 || line->first[1] != 0 || line->last[1] != 2)
        return none;
    int64_t stride = g->stride[2], pad = g->pad[2];
    int64_t begin = pad > 0 ? pod_part_count(pad, stride) : 0;
    int64_t end = g->in[2] - 2 + pad >= 0 ? (g->in[2] - 2 + pad) / stride + 1 : 0;
    end = pod_smaller(end, g->out[2]);
    return begin < end ? (column_range){begin, end} : none;
}

/* Defines, for one size of element: the key of a vector of elements and back, the maxima of a window in up
 * to LANES channels, and what a window gives to its taps. `limit` is infinity. */
#define DEFINE_POOL(vector, bytes, lane, unsigned_lane, LANES)                                                         \
    POOL_INLINE vector vector##_key(vector x, lane limit)                                                              \
    {                                                                                                                  \
        const lane most = (lane)((unsigned_lane)-1 >> 1);                                                              \
        vector sign = x >> (lane)(sizeof(lane) * 8 - 1), magnitude = x & most;                                         \
        vector nan = (vector)(magnitude > limit);                                                                      \
        return (~nan & ((magnitude ^ sign) - sign)) | (nan & most);                                                    \
    }                                                                                                                  \
                                                                                                                       \
    POOL_INLINE vector vector##_element(vector key)                                                                    \
    {                                                                                                                  \
        const lane top = (lane)((unsigned_lane)1 << (sizeof(lane) * 8 - 1));                                           \
        vector sign = key >> (lane)(sizeof(lane) * 8 - 1);                                                             \
        return ((key ^ sign) - sign) | (sign & top);                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    POOL_INLINE vector vector##_load(const unsigned_lane *from, int64_t count)                                         \
    {                                                                                                                  \
        vector x = {0};                                                                                                \
        move(&x, from, count *(int64_t)sizeof(lane), sizeof x);                                                        \
        return x;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    POOL_INLINE void vector##_maximum(const unsigned_lane *x, const pod_window_sizes *g, const window_taps *taps,      \
                                      int64_t count, lane limit, unsigned_lane *result, uint8_t *positions)            \
    {                                                                                                                  \
        const vector lowest = (vector){0} - limit; /* -infinity */                                                     \
        vector best = lowest - (lane)1, place = (vector){0} + (lane)MOST_TAPS;                                         \
        FOR_TAPS(g, taps, tap, at)                                                                                     \
        {                                                                                                              \
            vector key = vector##_key(vector##_load(x + at * g->channels, count), limit);                              \
            vector newer = (vector)(key > best);                                                                       \
            best = (newer & key) | (~newer & best);                                                                    \
            place = (newer & (lane)tap) | (~newer & place);                                                            \
        }                                                                                                              \
        vector empty = (vector)(best < lowest);                                                                        \
        best = vector##_element((empty & lowest) | (~empty & best));                                                   \
        move(result, &best, count *(int64_t)sizeof(lane), sizeof best);                                                \
        bytes narrow = __builtin_convertvector(place, bytes);                                                          \
        if (positions)                                                                                                 \
            move(positions, &narrow, count, LANES);                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    POOL_INLINE void vector##_spread(unsigned_lane *x, const pod_window_sizes *g, const window_taps *taps,             \
                                     int64_t count, const unsigned_lane *given, const uint8_t *positions)              \
    {                                                                                                                  \
        bytes narrow = {0};                                                                                            \
        move(&narrow, positions, count, LANES);                                                                        \
        vector place = __builtin_convertvector(narrow, vector) & (lane)255;                                            \
        vector all = vector##_load(given, count);                                                                      \
        FOR_TAPS(g, taps, tap, at)                                                                                     \
        {                                                                                                              \
            vector here = all & (vector)(place == (lane)tap);                                                          \
            move(x + at * g->channels, &here, count * (int64_t)sizeof(lane), sizeof here);                             \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* The maxima of a window of 2 x 2 that lies inside, `right` and `below` elements apart; false,                    \
     * having done nothing, where an element is negative or NaN: others are ordered as their bits. */                  \
    POOL_INLINE bool vector##_of_four(const unsigned_lane *x, int64_t right, int64_t below, lane limit,                \
                                      unsigned_lane *result, uint8_t *positions)                                       \
    {                                                                                                                  \
        vector best = vector##_load(x, LANES), all = best, place = {0};                                                \
        for (int tap = 1; tap < 4; tap++) {                                                                            \
            vector key = vector##_load(x + (tap & 1) * right + (tap >> 1) * below, LANES);                             \
            vector newer = (vector)(key > best);                                                                       \
            best = (newer & key) | (~newer & best);                                                                    \
            place = (newer & (lane)tap) | (~newer & place);                                                            \
            all |= key;                                                                                                \
        }                                                                                                              \
        if (any((signed_words)((vector)(all < 0) | (vector)(best > limit))))                                           \
            return false;                                                                                              \
        memcpy(result, &best, sizeof best);                                                                            \
        bytes narrow = __builtin_convertvector(place, bytes);                                                          \
        if (positions)                                                                                                 \
            memcpy(positions, &narrow, sizeof narrow);                                                                 \
        return true;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    /* Up to a vector of channels of a window in a line; `x` is the image at the first of them. */                     \
    static __attribute__((noinline)) void vector##_window(const unsigned_lane *x, const pod_window_sizes *g,           \
                                                          const window_taps *line, int64_t column, int64_t count,      \
                                                          lane limit, unsigned_lane *result, uint8_t *positions)       \
    {                                                                                                                  \
        window_taps taps = *line;                                                                                      \
        find_taps(g, 2, column, &taps);                                                                                \
        if (count >= LANES)                                                                                            \
            vector##_maximum(x, g, &taps, LANES, limit, result, positions);                                            \
        else                                                                                                           \
            vector##_maximum(x, g, &taps, count, limit, result, positions);                                            \
    }                                                                                                                  \
                                                                                                                       \
    /* All channels of windows of 2 x 2 from a column of a line on. */                                                 \
    static void vector##_square_line(const unsigned_lane *x, const pod_window_sizes *g, const window_taps *line,       \
                                     const column_range *columns, lane limit, unsigned_lane *result,                   \
                                     uint8_t *positions)                                                               \
    {                                                                                                                  \
        const int64_t channels = g->channels, below = g->in[2] * channels;                                             \
        const int64_t step = g->stride[2] * channels;                                                                  \
        const unsigned_lane *corner =                                                                                  \
            x + line->origin[1] * below + (columns->begin * g->stride[2] - g->pad[2]) * channels;                      \
        for (int64_t column = columns->begin; column < columns->end; column++, corner += step) {                       \
            int64_t at = column * channels, channel = 0;                                                               \
            for (; channel + LANES <= channels; channel += LANES)                                                      \
                if (!vector##_of_four(corner + channel, channels, below, limit, result + at + channel,                 \
                                      positions ? positions + at + channel : NULL))                                    \
                    vector##_window(x + channel, g, line, column, LANES, limit, result + at + channel,                 \
                                    positions ? positions + at + channel : NULL);                                      \
            if (channel < channels)                                                                                    \
                vector##_window(x + channel, g, line, column, channels - channel, limit, result + at + channel,        \
                                positions ? positions + at + channel : NULL);                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void vector##_pool_columns(const unsigned_lane *x, const pod_window_sizes *g, const window_taps *line,      \
                                      const column_range *columns, lane limit, unsigned_lane *result,                  \
                                      uint8_t *positions)                                                              \
    {                                                                                                                  \
        for (int64_t column = columns->begin; column < columns->end; column++)                                         \
            for (int64_t channel = 0; channel < g->channels; channel += LANES) {                                       \
                int64_t at = column * g->channels + channel;                                                           \
                vector##_window(x + channel, g, line, column, g->channels - channel, limit, result + at,               \
                                positions ? positions + at : NULL);                                                    \
            }                                                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    /* All channels of a line of windows; `x` is the image. */                                                         \
    static void vector##_pool_line(const unsigned_lane *x, const pod_window_sizes *g, const window_taps *line,         \
                                   lane limit, unsigned_lane *result, uint8_t *positions)                              \
    {                                                                                                                  \
        const column_range inside = find_squares(g, line);                                                             \
        vector##_pool_columns(x, g, line, &(column_range){0, inside.begin}, limit, result, positions);                 \
        vector##_square_line(x, g, line, &inside, limit, result, positions);                                           \
        vector##_pool_columns(x, g, line, &(column_range){inside.end, g->out[2]}, limit, result, positions);           \
    }                                                                                                                  \
                                                                                                                       \
    static void vector##_spread_line(unsigned_lane *x, const pod_window_sizes *g, window_taps *taps,                   \
                                     const unsigned_lane *given, const uint8_t *positions)                             \
    {                                                                                                                  \
        for (int64_t column = 0; column < g->out[2]; column++) {                                                       \
            find_taps(g, 2, column, taps);                                                                             \
            for (int64_t channel = 0; channel < g->channels; channel += LANES) {                                       \
                int64_t at = column * g->channels + channel;                                                           \
                if (g->channels - channel >= LANES)                                                                    \
                    vector##_spread(x + channel, g, taps, LANES, given + at, positions + at);                          \
                else                                                                                                   \
                    vector##_spread(x + channel, g, taps, g->channels - channel, given + at, positions + at);          \
            }                                                                                                          \
        }                                                                                                              \
    }

DEFINE_POOL(signed_halves, bytes32, int16_t, uint16_t, 32)
DEFINE_POOL(signed_words, bytes16, int32_t, uint32_t, 16)

/* ---- forward: a unit is a line of windows ------------------------------------------------------- */

static pod_status pool_max_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *x = &call->inputs[0], *result = &call->outputs[0];
    pod_window_sizes g = pod_kernel_window_sizes(&call->attributes->window, &x->shape, NULL, &result->shape);
    int64_t line = g.out[2] * g.channels, image = pod_kernel_volume(g.in) * g.channels;
    uint8_t *positions = call->output_count > 1 ? call->outputs[1].data : NULL;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t row = unit / g.out[1], from = row / g.out[0] * image, to = unit * line;
        uint8_t *places = positions ? positions + to : NULL;
        window_taps taps;
        find_taps(&g, 0, row % g.out[0], &taps);
        find_taps(&g, 1, unit % g.out[1], &taps);
        if (x->dtype == POD_F32)
            signed_words_pool_line((const uint32_t *)x->data + from, &g, &taps, 0x7F800000,
                                   (uint32_t *)result->data + to, places);
        else
            signed_halves_pool_line((const uint16_t *)x->data + from, &g, &taps, x->dtype == POD_BF16 ? 0x7F80 : 0x7C00,
                                    (uint16_t *)result->data + to, places);
    }
    return POD_OK;
}

static int64_t taps_of(const pod_window *window)
{
    int64_t taps = 1;
    for (int32_t i = 0; i < window->rank; i++)
        taps *= window->size[i] > 0 ? window->size[i] : 1;
    return taps;
}

static bool fits_pool_max(const pod_kernel_call *call)
{
    const pod_array *outputs = call->outputs;
    bool placed = call->output_count > 1;
    return pod_kernel_is_narrow_float(call->inputs[0].dtype) && call->inputs[0].dtype == outputs[0].dtype &&
           call->inputs[0].shape.rank >= 3 &&
           (!placed || (outputs[1].dtype == POD_U8 && pod_shape_equal(&outputs[1].shape, &outputs[0].shape) &&
                        taps_of(&call->attributes->window) <= MOST_TAPS));
}

/* ---- gradient from positions, where windows lie apart: a unit is an image ------------------------ */

static int64_t image_units(const pod_kernel_call *call)
{
    return call->outputs[0].shape.dims[0];
}

/* Returns whether the windows cover every place of x. */
static bool covers(const pod_window_sizes *g)
{
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        if (g->stride[axis] != g->size[axis] || g->pad[axis] < 0 ||
            g->out[axis] * g->stride[axis] - g->pad[axis] < g->in[axis])
            return false;
    return true;
}

static pod_status pool_max_gradient_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *given = &call->inputs[1], *x = &call->outputs[0];
    pod_window_sizes g = pod_kernel_window_sizes(&call->attributes->window, &x->shape, NULL, &given->shape);
    int64_t line = g.out[2] * g.channels, image = pod_kernel_volume(g.in) * g.channels;
    int64_t lines = g.out[0] * g.out[1], size = (int64_t)pod_dtype_size(x->dtype);
    const uint8_t *positions = call->inputs[0].data;
    bool covered = covers(&g);
    for (int64_t unit = begin; unit < end; unit++) {
        if (!covered)
            memset((char *)x->data + unit * image * size, 0, (size_t)(image * size));
        for (int64_t row = 0; row < lines; row++) {
            int64_t from = (unit * lines + row) * line;
            window_taps taps;
            find_taps(&g, 0, row / g.out[1], &taps);
            find_taps(&g, 1, row % g.out[1], &taps);
            if (x->dtype == POD_F32)
                signed_words_spread_line((uint32_t *)x->data + unit * image, &g, &taps,
                                         (const uint32_t *)given->data + from, positions + from);
            else
                signed_halves_spread_line((uint16_t *)x->data + unit * image, &g, &taps,
                                          (const uint16_t *)given->data + from, positions + from);
        }
    }
    return POD_OK;
}

static bool fits_pool_max_gradient(const pod_kernel_call *call)
{
    const pod_window *window = &call->attributes->window;
    for (int32_t i = 0; i < window->rank; i++)
        if (window->dilation[i] > 1 || window->stride[i] < window->size[i])
            return false;
    const pod_array *inputs = call->inputs;
    return pod_kernel_is_narrow_float(inputs[1].dtype) && inputs[1].dtype == call->outputs[0].dtype &&
           inputs[0].dtype == POD_U8 && inputs[1].shape.rank >= 3 &&
           pod_shape_equal(&inputs[0].shape, &inputs[1].shape) && taps_of(window) <= MOST_TAPS;
}

extern const pod_named_kernel POD_FAMILY_TABLE[];

const pod_named_kernel POD_FAMILY_TABLE[] = {
    {"pool_max", fits_pool_max, {pod_kernel_line_units, pool_max_run, NULL, 0}},
    {"pool_max_gradient", fits_pool_max_gradient, {image_units, pool_max_gradient_run, NULL, 0}},
    {.op = NULL},
};
