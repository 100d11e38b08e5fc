#ifndef POD_CHIP_ELEMENT_H
#define POD_CHIP_ELEMENT_H

/* element - the types of elements that chips know; the rest of them is in moonpod/chip.h. */

#include "moonpod/chip.h"

/* Bits of one part of an element: complex numbers have two. */
int32_t pod_chip_element_part_bits(pod_element element);

#endif
