/*
 * bench_finish - what the epilogues of products take that run in registers (kernels/finish.h), for every family of
 * kernels.
 *
 *     ninja -C build/release bench_finish && build/release/tests/bench_finish [repetitions]
 *
 * One thread, by its own CPU clock; each figure is the best of the repetitions, in nanoseconds for 16 results: once
 * with operands and results that stay in the caches, once with those of a whole layer, [2048, 1024], taken as products
 * give them: pieces of 128 rows and 128 columns, 32 rows at a time.
 */

#include "kernels/kernels.h"
#include "peak.h"

#define TILE    128 /* rows and columns of a piece */
#define GRAIN   32  /* rows of a call */
#define ROWS    2048
#define COLUMNS 1024

typedef struct ending {
    const char *name;
    bool bias, add, relu, mask, gelu, slope, sums, pack;
} ending;

static const ending endings[] = {
    {.name = "plain"},
    {.name = "bias", .bias = true},
    {.name = "bias, relu", .bias = true, .relu = true},
    {.name = "bias, residual", .bias = true, .add = true},
    {.name = "bias, gelu, both stored", .bias = true, .gelu = true},
    {.name = "mask, sums, packed", .mask = true, .sums = true, .pack = true},
    {.name = "gelu's slope, sums, packed", .slope = true, .sums = true, .pack = true},
};

/* Elements of a layer. */
typedef struct layer {
    float *tile, *bias, *sums;
    uint16_t *other, *before, *result, *packed;
} layer;

static void finish_piece(const pod_kernels *kernels, const ending *how, const layer *of, int64_t row, int64_t column,
                         int64_t stride)
{
    for (int64_t at = 0; at < TILE; at += GRAIN) {
        const int64_t first = (row + at) * stride + column;
        pod_finish f = {
            .tile = of->tile + at * TILE,
            .tile_stride = TILE,
            .rows = GRAIN,
            .columns = TILE,
            .bias = how->bias ? of->bias + column : NULL,
            .add = how->add ? of->other + first : NULL,
            .mask = how->mask ? of->other + first : NULL,
            .slope_at = how->slope ? of->other + first : NULL,
            .add_dtype = POD_BF16,
            .mask_dtype = POD_BF16,
            .dtype = POD_BF16,
            .relu = how->relu,
            .gelu = how->gelu,
            .before = how->gelu ? of->before + first : NULL,
            .sums = how->sums ? of->sums + column : NULL,
            .first = row + at == 0,
            .result = of->result + first,
            .stride = stride,
        };
        if (how->pack)
            f.pack = (pod_finish_pack){(char *)of->packed, false, ROWS, stride, row + at, column, GRAIN, GRAIN};
        kernels->finish(&f);
    }
}

/* Nanoseconds for 16 results. */
static double measure(const pod_kernels *kernels, const ending *how, const layer *of, bool near, int repetitions)
{
    double best = 1e9;
    for (int i = 0; i < repetitions; i++) {
        double start = now();
        for (int64_t row = 0; row < ROWS; row += TILE)
            for (int64_t column = 0; column < COLUMNS; column += TILE)
                finish_piece(kernels, how, of, near ? 0 : row, near ? 0 : column, near ? TILE : COLUMNS);
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    return best * 1e9 / (ROWS * COLUMNS / 16);
}

int main(int argument_count, char **arguments)
{
    static const char *const families[] = {"avx512bf16", "avx512", "avx2", "portable"};
    int repetitions = argument_count > 1 ? atoi(arguments[1]) : 20;
    const int64_t count = ROWS * COLUMNS;
    layer of = {must_allocate(TILE * TILE * 4),   must_allocate(COLUMNS * 4),       must_allocate(COLUMNS * 4),
                must_allocate((size_t)count * 2), must_allocate((size_t)count * 2), must_allocate((size_t)count * 2),
                must_allocate((size_t)count * 2)};
    fill(of.tile, POD_F32, TILE * TILE);
    fill(of.bias, POD_F32, COLUMNS);
    fill(of.other, POD_BF16, count);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const pod_kernels *kernels;
        if (pod_kernel_choose_family(families[i], &kernels, NULL) != POD_OK)
            continue;
        for (size_t j = 0; j < sizeof endings / sizeof endings[0]; j++)
            printf("%-10s %-28s in caches %6.2f, a whole layer %6.2f ns\n", kernels->isa, endings[j].name,
                   measure(kernels, &endings[j], &of, true, repetitions),
                   measure(kernels, &endings[j], &of, false, repetitions));
    }
    free(of.tile), free(of.bias), free(of.sums);
    free(of.other), free(of.before), free(of.result), free(of.packed);
    return 0;
}
