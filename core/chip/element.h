#ifndef POD_CHIP_ELEMENT_H
#define POD_CHIP_ELEMENT_H

/* element - the types of elements that chips know, and the chips' names; the rest of them is in moonpod/chip.h. */

#include "moonpod/chip.h"

/* Bits of one part of an element: complex numbers have two. */
int32_t pod_chip_element_part_bits(pod_element element);

#define POD_CHIP_NAMES_SIZE 128

/* Writes the names of all generations, as "v2, v3 and v4" for the word "and". Returns `text`. */
const char *pod_chip_names(const char *word, char text[POD_CHIP_NAMES_SIZE]);

#endif
