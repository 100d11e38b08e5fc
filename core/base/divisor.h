#ifndef POD_BASE_DIVISOR_H
#define POD_BASE_DIVISOR_H

/* divisor - the greatest common divisor. */

#include <stdint.h>

/* Of two numbers that are not negative; the other one where one of them is 0. */
static inline int64_t pod_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
