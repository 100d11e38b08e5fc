#include "kernels/dot.h"

#include <arm_neon.h>

/* 24 sums, 3 vectors of b and one of a are 28 of the 32 registers. */
#define POD_TILE_LANES        4
#define POD_TILE_ROWS         8
#define POD_TILE_VECTORS      3
#define POD_TILE_FMA(a, b, c) vfmaq_n_f32(c, b, a)
#define POD_TILE_ROW_BLOCK    96
#define POD_TILE_K_CHUNK      768
#define POD_TILE_K_BLOCK      256
#define POD_TILE_COLUMN_GROUP 480
#include "kernels/dot_f32_tile.h"

POD_TILE_PRODUCTS(pod_dot_f32_neon, f32, 4);

/* bf16 products: operands are widened when they are packed. */
POD_TILE_PRODUCTS(pod_dot_bf16_neon, bf16, 2);
