#include "kernels/dot.h"

#include <immintrin.h>

#define POD_TILE_LANES        16
#define POD_TILE_ROWS         8
#define POD_TILE_VECTORS      2
#define POD_TILE_FMA(a, b, c) _mm512_fmadd_ps(_mm512_set1_ps(a), b, c)
#define POD_TILE_ROW_BLOCK    128
#define POD_TILE_K_CHUNK      768
#define POD_TILE_K_BLOCK      192
#define POD_TILE_COLUMN_GROUP 480
#include "kernels/dot_f32_tile.h"

POD_TILE_PRODUCTS(pod_dot_f32_avx512, f32, 4);

/* bf16 products: operands are widened when they are packed. */
POD_TILE_PRODUCTS(pod_dot_bf16_avx512, bf16, 2);
