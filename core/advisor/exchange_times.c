/* exchange_times - see moonpod/project.h: what exchanges between devices take of the links of a torus
 * (jax-ml/scaling-book, sharding.md). */

#include "advisor/rates.h"
#include "moonpod/project.h"

#define AXES 3

/* The part of a torus that devices exchange over. */
typedef struct torus {
    int32_t sizes[AXES], rank;
    bool wraps[AXES];
    int64_t chips;
} torus;

static torus whole_axes(const pod_slice *slice, unsigned mask)
{
    torus t = {.chips = 1};
    for (int32_t i = 0; i < AXES; i++)
        if (mask >> i & 1 && slice->sizes[i] > 1) {
            t.sizes[t.rank] = slice->sizes[i];
            t.wraps[t.rank++] = slice->wraps[i];
            t.chips *= slice->sizes[i];
        }
    return t;
}

/* So many chips: whole axes, as many as there are such, or else a line. */
static torus torus_of(const pod_slice *slice, int64_t chips)
{
    torus best = {.sizes = {(int32_t)chips}, .rank = 1, .chips = chips};
    bool found = false;
    for (unsigned mask = 1; mask < 1u << AXES; mask++) {
        const torus t = whole_axes(slice, mask);
        if (t.chips == chips && (!found || t.rank > best.rank)) {
            best = t;
            found = true;
        }
    }
    return best;
}

/* Bytes a second that reach the chip with the fewest links. */
static double rate_of(const torus *t, double link)
{
    double rate = 0;
    for (int32_t i = 0; i < t->rank; i++)
        rate += t->wraps[i] ? 2 * link : link;
    return t->rank > 1 ? rate * POD_RATE_AXES : rate;
}

/* Of all exchanged, half passes the middle of the longest axis. */
static double all_to_all(const torus *t, double link, double bytes)
{
    double longest = 0;
    for (int32_t i = 0; i < t->rank; i++) {
        const double seconds = bytes * t->sizes[i] / (t->wraps[i] ? 8 : 4) / link;
        longest = seconds > longest ? seconds : longest;
    }
    return longest;
}

double pod_project_exchange(const pod_slice *slice, pod_tpu_exchange exchange, double bytes, int64_t devices)
{
    const pod_chip *chip = slice->chip;
    const int64_t together = devices > 0 && devices < slice->devices ? devices : slice->devices;
    const torus t = torus_of(slice, (together + chip->devices - 1) / chip->devices);
    const double link = chip->link_usable_per_second;
    double hops = 0;
    if (t.chips < 2 || exchange == POD_TPU_EXCHANGE_NONE)
        return 0;
    for (int32_t i = 0; i < t.rank; i++)
        hops += POD_RATE_HOP * (t.wraps[i] ? t.sizes[i] / 2 : t.sizes[i] - 1);
    double seconds = bytes * (double)(t.chips - 1) / (double)t.chips / rate_of(&t, link);
    if (exchange == POD_TPU_ALL_TO_ALL)
        seconds = all_to_all(&t, link, bytes * chip->devices);
    else if (exchange == POD_TPU_PERMUTE)
        return bytes * chip->devices / link + POD_RATE_HOP;
    seconds = seconds > hops ? seconds : hops;
    return exchange == POD_TPU_ALL_REDUCE ? 2 * seconds : seconds;
}
