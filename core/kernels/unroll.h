#ifndef POD_KERNELS_UNROLL_H
#define POD_KERNELS_UNROLL_H

/*
 * unroll - POD_UNROLL(n, int i = 0; i < count; i++) is a loop of a constant number of turns, n at most, that is taken
 * apart: what it does to an array as long is done to registers. clang does not know gcc's word for it.
 */

#define POD_PRAGMA_OF(words) _Pragma(#words)
#if defined(__clang__)
#define POD_UNROLL(n, ...) POD_PRAGMA_OF(clang loop unroll(full)) for (__VA_ARGS__)
#else
#define POD_UNROLL(n, ...) POD_PRAGMA_OF(GCC unroll n) for (__VA_ARGS__)
#endif

#endif
