#ifndef WINDOW_TRIAL_H
#define WINDOW_TRIAL_H

/* window_trial - sizes of a convolution that tests try, up to three axes. */

#include <stdint.h>

typedef struct window_trial {
    int rank;
    int64_t batch, channels, filters, groups;
    int64_t in[3], size[3], stride[3], low[3], high[3], dilation[3];
} window_trial;

#endif
