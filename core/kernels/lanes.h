#ifndef POD_KERNELS_LANES_H
#define POD_KERNELS_LANES_H

/* lanes - vectors in the compiler's own types, as wide as the registers of the family that a file is built for. */

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

#define LANES_INLINE static inline __attribute__((always_inline))

typedef float floats __attribute__((vector_size(LANES * 4)));
typedef uint32_t words __attribute__((vector_size(LANES * 4)));
typedef int32_t integers __attribute__((vector_size(LANES * 4)));

LANES_INLINE floats load(const float *from)
{
    floats x;
    memcpy(&x, from, sizeof x);
    return x;
}

#endif
