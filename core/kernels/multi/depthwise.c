/*
 * Depthwise convolutions of f16, bf16 and f32 and their gradients, one channel and one filter a group: see special.h.
 *
 * Some channels of a tile of places are copied with what they reach, widened to f32, with zeros where nothing lies: so
 * all places are alike, and a tile is read from the nearest caches. The gradient of x is the same with the kernel
 * turned, of a g whose places lie `up`, the stride, apart. Compiled with products and additions contracted to fused
 * ones where the family has them.
 */

#include "kernels/convolution_phases.h"
#include "kernels/depthwise_sums.h"
#include "kernels/special.h"
#include "kernels/unroll.h"

/* Its second table: of pod_depthwise_FAMILY it is pod_depthwise_FAMILY_way. */
#define WAY_OF(table)   JOIN_WAY(table)
#define JOIN_WAY(table) table##_way

#define TAPS 9 /* whose gradients are summed side by side */

/* Kernels that reach farther are left to the reference. */
#define MOST_BYTES (4 << 20)

/* The weights of some channels, in the order in which taps meet a copy. */
static void copy_weights(const depthwise_plan *p, const pod_array *kernel, bool turned, const tile *t, float *to)
{
    for (int64_t tap = 0; tap < p->taps; tap++) {
        float *lanes = to + tap * CHANNELS;
        memset(lanes, 0, CHANNELS * sizeof *lanes);
        read_floats(kernel->dtype, kernel->data, (turned ? p->taps - 1 - tap : tap) * p->of.channels + t->channel,
                    lanes, t->count);
    }
}

enum { FORWARD, INPUT_GRADIENT, KERNEL_GRADIENT };

/* The shapes of x, the kernel and the result of the forward form, which are operands and result in some order. */
static void find_shapes(const pod_kernel_call *call, const pod_shape **x, const pod_shape **kernel,
                        const pod_shape **result)
{
    *x = call->form == INPUT_GRADIENT ? &call->outputs[0].shape : &call->inputs[0].shape;
    *kernel = call->form == KERNEL_GRADIENT ? &call->outputs[0].shape : &call->inputs[1].shape;
    *result = call->form == FORWARD          ? &call->outputs[0].shape
              : call->form == INPUT_GRADIENT ? &call->inputs[0].shape
                                             : &call->inputs[1].shape;
}

static depthwise_plan plan_of(const pod_kernel_call *call)
{
    const pod_shape *x, *kernel, *result;
    find_shapes(call, &x, &kernel, &result);
    const pod_window_sizes sizes = pod_kernel_window_sizes(&call->attributes->window, x, kernel, result);
    depthwise_plan p = find_plan(&sizes, call->form == INPUT_GRADIENT);
    if (call->form != KERNEL_GRADIENT)
        read_in_place(&p, call->inputs[0].dtype);
    return p;
}

/* ---- forward, and the gradient of x ------------------------------------------------------------------------ */

DEPTH_INLINE void write_places(pod_dtype dtype, void *data, int64_t element, int64_t channels, const float *from,
                               int64_t places, int64_t count)
{
    for (int64_t i = 0; i < places; i++, element += channels, from += CHANNELS)
        write_channels(dtype, data, element, channels, from, count);
}

static void write_line(const pod_array *result, int64_t element, int64_t channels, const float *from, int64_t places,
                       int64_t count)
{
    if (result->dtype == POD_F32)
        write_places(POD_F32, result->data, element, channels, from, places, count);
    else if (result->dtype == POD_BF16)
        write_places(POD_BF16, result->data, element, channels, from, places, count);
    else
        write_places(POD_F16, result->data, element, channels, from, places, count);
}

/* The parts of a thread's scratch. */
typedef struct parts {
    float *copy, *weights;
    source_line *lines;
    const float **met;
} parts;

static parts parts_of(const depthwise_plan *p, char *scratch)
{
    parts in = {.copy = (float *)scratch};
    in.weights = in.copy + (p->in_place ? 0 : copy_elements(p));
    in.lines = (source_line *)(in.weights + p->taps * CHANNELS);
    in.met = (const float **)(in.lines + p->of.size[0] * p->of.size[1]);
    return in;
}

static size_t scratch_bytes(const depthwise_plan *p)
{
    return (size_t)((p->in_place ? 0 : copy_elements(p)) + p->taps * CHANNELS) * sizeof(float) +
           (size_t)(p->of.size[0] * p->of.size[1]) * (sizeof(source_line) + MET(2) * sizeof(float *));
}

/* Where a form finds what it reads, and what becomes of its sums: they are stored in `result`, or handed over. */
typedef struct ends {
    pod_array x, kernel, result;
    bool turned;                       /* the kernel */
    const pod_convolution_call *taker; /* or NULL */
} ends;

static void sum_tile(const depthwise_plan *p, const tile *t, const ends *of, const tap_weights *weights, char *scratch)
{
    const parts in = parts_of(p, scratch);
    const int64_t vectors = pod_part_count(t->count, LANES);
    _Alignas(64) float sums[TILE_COLUMNS * CHANNELS];
    for (int64_t i = 0; i < t->rows; i++) {
        if (p->in_place)
            find_lines(p, of->x.data, t, i, in.lines);
        else
            find_copied_lines(p, in.copy, i, in.lines);
        const int64_t line =
            ((t->image * p->of.out[0] + t->plane) * p->of.out[1] + t->row + i) * p->of.out[2] + t->column;
        for (int64_t j = 0; j < t->columns;) {
            const int64_t column = t->column + j, left = t->columns - j;
            const int64_t first = p->in_place ? column * p->of.stride[2] - p->of.pad[2] : j * p->of.stride[2];
            const place_sums to = {sums + j * CHANNELS, of->taker ? of->taker->finish : NULL, line + j, t->channel};
            if (p->slides)
                j += slide_some(p, in.lines, in.met, weights, first, vectors, left, &to);
            else if (p->in_place)
                j += sum_some(p, in.lines, weights, first, vectors,
                              column < p->inner_begin ? 0 : pod_smaller(p->inner_end - column, left), &to);
            else
                j += sum_some(p, in.lines, weights, first, vectors, left, &to);
        }
        if (of->taker && of->taker->finish)
            continue;
        if (of->taker)
            pod_kernel_convolution_finish(of->taker, sums, CHANNELS, line, t->channel, t->columns, t->count);
        else
            write_line(&of->result, line * p->of.channels + t->channel, p->of.channels, sums, t->columns, t->count);
    }
}

/* A unit is a block of channels of a band of lines of a plane of an image. */
static void run_band(const depthwise_plan *p, const ends *of, int64_t unit, char *scratch)
{
    const int64_t bands = bands_of(p), blocks = blocks_of(p), lines = unit / blocks;
    const parts in = parts_of(p, scratch);
    tile t = {.image = lines / bands / p->of.out[0],
              .plane = lines / bands % p->of.out[0],
              .row = lines % bands * p->rows,
              .channel = unit % blocks * CHANNELS};
    t.rows = pod_smaller(p->of.out[1] - t.row, p->rows);
    t.count = pod_smaller(p->of.channels - t.channel, CHANNELS);
    tap_weights weights = {in.weights, CHANNELS};
    if (p->in_place && of->kernel.dtype == POD_F32 && !of->turned)
        weights = (tap_weights){(const float *)of->kernel.data + t.channel, p->of.channels};
    else
        copy_weights(p, &of->kernel, of->turned, &t, in.weights);
    for (t.column = 0; t.column < p->of.out[2]; t.column += p->columns) {
        t.columns = pod_smaller(p->of.out[2] - t.column, p->columns);
        if (!p->in_place)
            copy_tile(p, &of->x, &t, in.copy);
        sum_tile(p, &t, of, &weights, scratch);
    }
}

static int64_t count_units(const depthwise_plan *p)
{
    return p->of.batch * p->of.out[0] * bands_of(p) * blocks_of(p);
}

static int64_t places_units(const pod_kernel_call *call)
{
    const depthwise_plan p = plan_of(call);
    return count_units(&p);
}

static size_t places_scratch(const pod_kernel_call *call)
{
    const depthwise_plan p = plan_of(call);
    return scratch_bytes(&p);
}

static pod_status places_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const depthwise_plan p = plan_of(call);
    const ends of = {call->inputs[0], call->inputs[1], call->outputs[0], call->form == INPUT_GRADIENT, NULL};
    for (int64_t unit = begin; unit < end; unit++)
        run_band(&p, &of, unit, call->scratch);
    return POD_OK;
}

/* ---- forward, as a way to compute convolutions (convolution_phases.h) -------------------------------------- */

static depthwise_plan way_plan(const pod_convolution_call *call)
{
    depthwise_plan p = find_plan(&call->sizes, false);
    read_in_place(&p, call->dtype);
    return p;
}

static bool way_fits(const pod_convolution_call *call)
{
    const pod_window_sizes *sizes = &call->sizes;
    const depthwise_plan p = way_plan(call);
    return call->kind == POD_CONVOLVE && sizes->groups == sizes->channels && sizes->groups == sizes->filters &&
           scratch_bytes(&p) <= MOST_BYTES;
}

static bool way_finishes(const pod_convolution_call *call, pod_dtype dtype)
{
    (void)call;
    return dtype == POD_F32;
}

static int64_t way_units(const pod_convolution_call *call, int phase)
{
    const depthwise_plan p = way_plan(call);
    return phase == POD_CONVOLUTION_PRODUCT ? count_units(&p) : 0;
}

static size_t way_shared_bytes(const pod_convolution_call *call)
{
    (void)call;
    return 0;
}

static size_t way_scratch_bytes(const pod_convolution_call *call)
{
    const depthwise_plan p = way_plan(call);
    return scratch_bytes(&p);
}

static void way_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                    void *scratch)
{
    (void)phase, (void)shared;
    const depthwise_plan p = way_plan(call);
    const ends of = {.x = {.dtype = call->dtype, .data = (void *)(uintptr_t)call->left},
                     .kernel = {.dtype = call->dtype, .data = (void *)(uintptr_t)call->right},
                     .taker = call};
    for (int64_t unit = begin; unit < end; unit++)
        run_band(&p, &of, unit, scratch);
}

/* ---- gradient of the kernel: a unit is a block of channels -------------------------------------------------- */

/* x, g, and sums of all taps in f64. */
static size_t kernel_scratch(const pod_kernel_call *call)
{
    const depthwise_plan p = plan_of(call);
    return (size_t)(copy_elements(&p) + p.rows * p.columns * CHANNELS) * sizeof(float) +
           (size_t)(p.taps * CHANNELS) * sizeof(double) + 64;
}

static int64_t kernel_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return pod_part_count(shape->dims[shape->rank - 1], CHANNELS);
}

/* Returns where a tap lies in a copy, from place 0 on. */
static int64_t tap_offset(const depthwise_plan *p, int64_t tap)
{
    const int64_t k2 = tap % p->of.size[2], k1 = tap / p->of.size[2] % p->of.size[1],
                  k0 = tap / p->of.size[2] / p->of.size[1];
    return ((k0 * p->lines + k1 * p->of.dilation[1]) * p->width + k2 * p->of.dilation[2]) * CHANNELS;
}

/* Adds the products of a tile of g with TAPS taps of x to f64 sums; of fewer, the last stands there again. */
static void add_taps(const depthwise_plan *p, const tile *t, const float *x, const float *g, int64_t tap,
                     double *totals)
{
    const int64_t count = pod_smaller(p->taps - tap, TAPS), step = p->of.stride[2] * CHANNELS;
    int64_t offsets[TAPS];
    for (int64_t k = 0; k < TAPS; k++)
        offsets[k] = tap_offset(p, tap + pod_smaller(k, count - 1));
    for (int64_t v = 0; v * LANES < t->count; v++) {
        floats sums[TAPS];
        POD_UNROLL (9, int k = 0; k < TAPS; k++)
            sums[k] = (floats){0};
        for (int64_t row = 0; row < t->rows; row++) {
            const float *given = g + row * t->columns * CHANNELS + v * LANES;
            const float *line = x + row * p->of.stride[1] * p->width * CHANNELS + v * LANES, *from[TAPS];
            POD_UNROLL (9, int k = 0; k < TAPS; k++)
                from[k] = line + offsets[k];
            for (int64_t i = 0; i < t->columns; i++)
                POD_UNROLL (9, int k = 0; k < TAPS; k++)
                    sums[k] += load(from[k] + i * step) * load(given + i * CHANNELS);
        }
        for (int64_t k = 0; k < count; k++) {
            float lanes[LANES];
            double *to = totals + (tap + k) * CHANNELS + v * LANES;
            memcpy(lanes, &sums[k], sizeof lanes);
            for (int i = 0; i < LANES; i++)
                to[i] += (double)lanes[i];
        }
    }
}

DEPTH_INLINE void read_places(pod_dtype dtype, const void *data, int64_t element, int64_t channels, float *to,
                              int64_t places, int64_t count)
{
    if (count % LANES != 0)
        memset(to, 0, (size_t)(places * CHANNELS) * sizeof *to);
    for (int64_t i = 0; i < places; i++, element += channels, to += CHANNELS)
        read_channels(dtype, data, element, channels, to, count);
}

static void read_line(const pod_array *source, int64_t element, int64_t channels, float *to, int64_t places,
                      int64_t count)
{
    if (source->dtype == POD_F32)
        read_places(POD_F32, source->data, element, channels, to, places, count);
    else if (source->dtype == POD_BF16)
        read_places(POD_BF16, source->data, element, channels, to, places, count);
    else
        read_places(POD_F16, source->data, element, channels, to, places, count);
}

static void add_tile(const depthwise_plan *p, const pod_kernel_call *call, const tile *t, float *copy, float *given,
                     double *totals)
{
    copy_tile(p, &call->inputs[0], t, copy);
    for (int64_t i = 0; i < t->rows; i++) {
        const int64_t place =
            ((t->image * p->of.out[0] + t->plane) * p->of.out[1] + t->row + i) * p->of.out[2] + t->column;
        read_line(&call->inputs[1], place * p->of.channels + t->channel, p->of.channels,
                  given + i * t->columns * CHANNELS, t->columns, t->count);
    }
    for (int64_t tap = 0; tap < p->taps; tap += TAPS)
        add_taps(p, t, copy, given, tap, totals);
}

static void kernel_unit(const depthwise_plan *p, const pod_kernel_call *call, int64_t unit)
{
    double *totals = call->scratch;
    float *copy = (float *)(totals + p->taps * CHANNELS), *given = copy + copy_elements(p), lanes[CHANNELS];
    tile t = {.channel = unit * CHANNELS};
    t.count = pod_smaller(p->of.channels - t.channel, CHANNELS);
    memset(totals, 0, (size_t)(p->taps * CHANNELS) * sizeof *totals);
    for (t.image = 0; t.image < p->of.batch; t.image++)
        for (t.plane = 0; t.plane < p->of.out[0]; t.plane++)
            for (t.row = 0; t.row < p->of.out[1]; t.row += p->rows)
                for (t.column = 0; t.column < p->of.out[2]; t.column += p->columns) {
                    t.rows = pod_smaller(p->of.out[1] - t.row, p->rows);
                    t.columns = pod_smaller(p->of.out[2] - t.column, p->columns);
                    add_tile(p, call, &t, copy, given, totals);
                }
    const pod_array *result = &call->outputs[0];
    for (int64_t tap = 0; tap < p->taps; tap++) {
        for (int64_t i = 0; i < t.count; i++)
            lanes[i] = (float)totals[tap * CHANNELS + i];
        write_floats(result->dtype, result->data, tap * p->of.channels + t.channel, lanes, t.count);
    }
}

static pod_status kernel_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const depthwise_plan p = plan_of(call);
    for (int64_t unit = begin; unit < end; unit++)
        kernel_unit(&p, call, unit);
    return POD_OK;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

/* One channel and one filter a group. */
static bool fits(const pod_kernel_call *call)
{
    const pod_shape *x, *kernel, *result;
    find_shapes(call, &x, &kernel, &result);
    const int64_t channels = x->dims[x->rank - 1];
    return pod_kernel_is_narrow_float(call->inputs[0].dtype) && pod_kernel_is_narrow_float(call->inputs[1].dtype) &&
           pod_kernel_is_narrow_float(call->outputs[0].dtype) && x->rank >= 3 &&
           call->attributes->window.groups == channels && kernel->dims[kernel->rank - 2] == 1 &&
           kernel->dims[kernel->rank - 1] == channels &&
           (call->form == KERNEL_GRADIENT ? kernel_scratch(call) : places_scratch(call)) <= MOST_BYTES;
}

extern const pod_convolution_way WAY_OF(POD_FAMILY_TABLE);

const pod_convolution_way WAY_OF(POD_FAMILY_TABLE) = {way_units, way_shared_bytes, way_scratch_bytes,
                                                      way_run,   way_fits,         way_finishes};

extern const pod_named_kernel POD_FAMILY_TABLE[];

const pod_named_kernel POD_FAMILY_TABLE[] = {
    {"convolution", fits, {places_units, places_run, places_scratch, FORWARD}},
    {"convolution_input_gradient", fits, {places_units, places_run, places_scratch, INPUT_GRADIENT}},
    {"convolution_kernel_gradient", fits, {kernel_units, kernel_run, kernel_scratch, KERNEL_GRADIENT}},
    {.op = NULL},
};
