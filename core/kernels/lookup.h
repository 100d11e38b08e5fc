#ifndef POD_KERNELS_LOOKUP_H
#define POD_KERNELS_LOOKUP_H

/* lookup - functions of one byte as tables of their 256 results. */

#include <stddef.h>
#include <stdint.h>

/* The entries of a table: all values of a byte. */
#define POD_LOOKUP_ENTRIES 256

/* to[i] = table[from[i]] */
typedef void (*pod_look_up_16)(uint16_t *to, const uint16_t *table, const uint8_t *from, size_t count);

void pod_kernel_look_up_16_portable(uint16_t *to, const uint16_t *table, const uint8_t *from, size_t count);
#if defined(__x86_64__)
void pod_kernel_look_up_16_avx512(uint16_t *to, const uint16_t *table, const uint8_t *from, size_t count);
#endif

#endif
