/* slices - which chips a program may have: names, topologies, links. */

#include "base/sizes.h"
#include "moonpod/chip.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "chip/element.h"

/* No axis of a 3D slice is longer: 64 cubes of 4 x 4 x 4 in a row. */
#define LONGEST_AXIS 256

static int64_t chip_product(const int32_t sizes[3])
{
    return (int64_t)sizes[0] * sizes[1] * sizes[2];
}

/* ---- which topologies exist ------------------------------------------------------------------ */

/* Slices of 2D tori: the sizes double in turn. Those of 1 chip and of 2 x 4 exist where a host has
 * eight chips of its own; v2 skips 4 x 8. */
static bool flat_exists(const pod_chip *chip, int32_t a, int32_t b)
{
    if (a == 1 && b == 1)
        return !chip->name_counts_cores;
    if (a == 2 && b == 4)
        return !chip->name_counts_cores;
    if (a == 4 && b == 8 && chip->pod_chips == 256 && chip->name_counts_cores)
        return false;
    if (a < 2 || b > chip->pod_sizes[0] || (a & (a - 1)) != 0)
        return false;
    return b == a || (b == 2 * a && a > 2);
}

/* Slices of 3D tori: parts of one cube of 4 x 4 x 4, or boxes of whole cubes; sizes ascend but for
 * 2 x 2 x 1. */
static bool deep_exists(const pod_chip *chip, const int32_t sizes[3])
{
    static const int32_t small[][3] = {{2, 2, 1}, {2, 2, 2}, {2, 2, 4}, {2, 4, 4}};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        if (memcmp(sizes, small[i], sizeof small[i]) == 0)
            return true;
    for (int i = 0; i < 3; i++)
        if (sizes[i] < 4 || sizes[i] % 4 != 0 || sizes[i] > LONGEST_AXIS)
            return false;
    return sizes[0] <= sizes[1] && sizes[1] <= sizes[2] && chip_product(sizes) <= chip->pod_chips;
}

/* Writes the topology that a name with so many chips stands for, the most compact one; returns
 * whether there is one. */
static bool sizes_of_count(const pod_chip *chip, int64_t count, int32_t sizes[3])
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    if (count < 1 || count > chip->pod_chips)
        return false;
    if (chip->torus_rank == 2) {
        for (int32_t a = 1; (int64_t)a * a <= count; a *= 2)
            if (count % a == 0 && flat_exists(chip, a, (int32_t)(count / a))) {
                sizes[0] = a;
                sizes[1] = (int32_t)(count / a);
                return true;
            }
        return false;
    }
    if (count < 64) {
        const int32_t small[3] = {2, count < 32 ? 2 : 4, count < 16 ? (int32_t)(count / 4) : 4};
        memcpy(sizes, small, sizeof small);
        return chip_product(small) == count && deep_exists(chip, small);
    }
    if (count % 64 != 0)
        return false;
    const int32_t cubes = (int32_t)(count / 64);
    int32_t best = 0;
    for (int32_t a = 1; a * a * a <= cubes; a++)
        for (int32_t b = a; cubes % a == 0 && a * b * b <= cubes; b++) {
            const int32_t c = cubes / a / b, found[3] = {4 * a, 4 * b, 4 * c};
            if (a * b * c != cubes || !deep_exists(chip, found))
                continue;
            if (best == 0 || a + b + c < best) {
                best = a + b + c;
                memcpy(sizes, found, sizeof found);
            }
        }
    return best > 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

static int32_t number_of(const pod_chip *chip, int64_t count)
{
    return (int32_t)(chip->name_counts_cores ? count * chip->cores : count);
}

static void write_sizes(const int32_t *sizes, int32_t rank, char text[POD_SLICE_NAME_SIZE])
{
    if (rank == 2)
        snprintf(text, POD_SLICE_NAME_SIZE, "%dx%d", sizes[0], sizes[1]);
    else
        snprintf(text, POD_SLICE_NAME_SIZE, "%dx%dx%d", sizes[0], sizes[1], sizes[2]);
}

/* 3D: all axes wrap when every one is made of whole cubes, none otherwise. v5e and v6e: an axis as
 * long as the pod's. v2 and v3: the full pod. */
static bool axis_wraps(const pod_chip *chip, const int32_t sizes[3], int32_t axis)
{
    if (chip->torus_rank == 3)
        return sizes[0] % 4 == 0 && sizes[1] % 4 == 0 && sizes[2] % 4 == 0;
    if (axis >= 2)
        return false;
    if (chip->name_counts_cores)
        return sizes[0] == chip->pod_sizes[0] && sizes[1] == chip->pod_sizes[1];
    return sizes[axis] == chip->pod_sizes[axis];
}

static void make(const pod_chip *chip, const int32_t sizes[3], pod_slice *slice)
{
    *slice = (pod_slice){.chip = chip, .rank = chip->torus_rank, .chips = chip_product(sizes)};
    for (int32_t i = 0; i < 3; i++) {
        slice->sizes[i] = sizes[i];
        slice->wraps[i] = axis_wraps(chip, sizes, i);
    }
    assert(slice->chips > 0 && slice->chips <= chip->pod_chips);
    slice->number = number_of(chip, slice->chips);
    slice->cores = slice->chips * chip->cores;
    slice->devices = slice->chips * chip->devices;
    slice->hosts = pod_part_count(slice->chips, chip->host_chips);
    slice->can_twist =
        slice->rank == 3 && sizes[0] >= 4 && sizes[2] == 2 * sizes[0] && (sizes[1] == sizes[0] || sizes[1] == sizes[2]);
    write_sizes(sizes, slice->rank, slice->topology);
    snprintf(slice->name, sizeof slice->name, "%s-%d", chip->name, slice->number);
}

size_t pod_slice_list(const pod_chip *chip, pod_slice *slices, size_t capacity)
{
    size_t found = 0;
    /* below one cube, or in 2D: powers of two; then whole cubes */
    for (int64_t count = 1; chip && count <= chip->pod_chips;
         count += chip->torus_rank == 3 && count >= 64 ? 64 : count) {
        int32_t sizes[3];
        if (!sizes_of_count(chip, count, sizes))
            continue;
        if (found < capacity)
            make(chip, sizes, &slices[found]);
        found++;
    }
    return found;
}

/* ---- finding --------------------------------------------------------------------------------- */

static pod_status no_generation(const char *name, size_t length, pod_error *error)
{
    char names[POD_CHIP_NAMES_SIZE];
    return pod_error_set(error, POD_ERROR_NOT_FOUND, "there is no TPU generation '%.*s'; there are %s",
                         (int)(length < 40 ? length : 40), name, pod_chip_names("and", names));
}

/* Writes the names (or topologies) of up to two slices below and two above so many chips. */
static void write_nearest(const pod_chip *chip, int64_t count, bool topologies, char *text, size_t size)
{
    int64_t nearby[4] = {0, 0, 0, 0}; /* chips: two below, two above */
    for (int64_t n = 1; n <= chip->pod_chips; n++) {
        int32_t sizes[3];
        if (n >= 64 && chip->torus_rank == 3 && n % 64 != 0)
            continue;
        if (!sizes_of_count(chip, n, sizes))
            continue;
        if (n <= count) {
            nearby[0] = nearby[1];
            nearby[1] = n;
        } else if (nearby[2] == 0) {
            nearby[2] = n;
        } else if (nearby[3] == 0) {
            nearby[3] = n;
        }
    }
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < 4; i++) {
        int32_t sizes[3];
        char topology[POD_SLICE_NAME_SIZE];
        if (nearby[i] == 0 || !sizes_of_count(chip, nearby[i], sizes) || length >= size)
            continue;
        write_sizes(sizes, chip->torus_rank, topology);
        const int written = topologies
                                ? snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", topology)
                                : snprintf(text + length, size - length, "%s%s-%d (%s)", length > 0 ? ", " : "",
                                           chip->name, number_of(chip, nearby[i]), topology);
        length += written > 0 ? (size_t)written : 0;
    }
}

/* Reads a positive number of at most nine digits; returns what follows, or NULL. */
static const char *read_number(const char *text, int32_t *number)
{
    int digits = 0;
    for (*number = 0; *text >= '0' && *text <= '9' && digits < 9; text++, digits++)
        *number = *number * 10 + (*text - '0');
    return digits > 0 && (*text < '0' || *text > '9') ? text : NULL;
}

static pod_status find_topology(const pod_chip *chip, const char *text, pod_slice *slice, pod_error *error)
{
    int32_t sizes[3] = {1, 1, 1}, rank = 0;
    const char *rest = text;
    while (rest && rank < 3) {
        rest = read_number(rest, &sizes[rank++]);
        if (!rest || *rest != 'x')
            break;
        rest++;
    }
    if (!rest || *rest != '\0' || rank < 2)
        return pod_error_set(error, POD_ERROR_NOT_FOUND,
                             "'%.40s' is no topology: write the chips along each axis, such as %s", text,
                             chip->torus_rank == 2 ? "4x4" : "2x2x4");
    return pod_slice_from_sizes(chip, sizes, rank, slice, error);
}

pod_status pod_slice_find(const char *name, pod_slice *slice, pod_error *error)
{
    const char *text = name ? name : "";
    const pod_chip *chip = pod_chip_find(text);
    *slice = (pod_slice){0};
    return chip ? pod_slice_find_of(chip, text, slice, error) : no_generation(text, strcspn(text, "-:"), error);
}

pod_status pod_slice_find_of(const pod_chip *chip, const char *name, pod_slice *slice, pod_error *error)
{
    *slice = (pod_slice){0};
    const char *text = name ? name : "";
    const size_t length = strcspn(text, "-:");
    if (!chip)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a slice needs a chip");
    if (text[length] == ':')
        return find_topology(chip, text + length + 1, slice, error);
    if (text[length] == '\0') {
        (void)pod_slice_list(chip, slice, 1);
        return POD_OK;
    }
    int32_t number, sizes[3];
    const char *rest = read_number(text + length + 1, &number);
    if (!rest || *rest != '\0') {
        /* "v4-2x2x4", as some tools write it */
        if (strchr(text + length, 'x'))
            return find_topology(chip, text + length + 1, slice, error);
        return pod_error_set(error, POD_ERROR_NOT_FOUND,
                             "'%.40s' is no slice: write a generation and a number, such as "
                             "\"v3-8\", or a topology, such as \"v3:4x4\"",
                             text);
    }
    const int64_t count = chip->name_counts_cores ? number / chip->cores : number;
    const bool whole = !chip->name_counts_cores || number % chip->cores == 0;
    if (whole && sizes_of_count(chip, count, sizes)) {
        make(chip, sizes, slice);
        return POD_OK;
    }
    char nearest[160];
    write_nearest(chip, count, false, nearest, sizeof nearest);
    return pod_error_set(error, POD_ERROR_NOT_FOUND, "there is no %s-%d (the number counts %s); the nearest are %s",
                         chip->name, number, chip->name_counts_cores ? "cores" : "chips", nearest);
}

pod_status pod_slice_of_devices(const pod_chip *chip, int64_t devices, pod_slice *slice, pod_error *error)
{
    char name[2 * POD_SLICE_NAME_SIZE];
    const int64_t number = chip->name_counts_cores ? devices * (chip->cores / chip->devices) : devices;
    snprintf(name, sizeof name, "%s-%lld", chip->name, (long long)number);
    return pod_slice_find_of(chip, name, slice, error);
}

pod_status pod_slice_from_sizes(const pod_chip *chip, const int32_t *sizes, int32_t rank, pod_slice *slice,
                                pod_error *error)
{
    *slice = (pod_slice){0};
    if (!chip || !sizes || rank < 2 || rank > 3)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a slice needs a chip and 2 or 3 sizes, not %d", (int)rank);
    int32_t sorted[3] = {1, 1, 1};
    int64_t count = 1;
    bool fits = true;
    for (int32_t i = 0; i < rank; i++) {
        fits = fits && sizes[i] >= 1 && sizes[i] <= LONGEST_AXIS;
        count *= sizes[i] < LONGEST_AXIS ? sizes[i] : LONGEST_AXIS;
        int32_t place = i;
        for (; place > 0 && sorted[place - 1] > sizes[i]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = sizes[i];
    }
    if (rank == 3 && sorted[0] == 1) { /* 2x2x1 */
        memmove(sorted, sorted + 1, 2 * sizeof sorted[0]);
        sorted[2] = 1;
    }
    fits = fits && (rank <= chip->torus_rank || sorted[2] == 1);
    if (fits && (chip->torus_rank == 2 ? flat_exists(chip, sorted[0], sorted[1]) : deep_exists(chip, sorted))) {
        make(chip, sorted, slice);
        return POD_OK;
    }
    char given[40], nearest[160];
    int length = snprintf(given, sizeof given, "%d", (int)sizes[0]);
    for (int32_t i = 1; i < rank && length > 0; i++)
        length += snprintf(given + length, sizeof given - (size_t)length, "x%d", (int)sizes[i]);
    write_nearest(chip, count, true, nearest, sizeof nearest);
    return pod_error_set(error, POD_ERROR_NOT_FOUND, "there is no slice of %s of %s chips; the nearest are %s",
                         chip->name, given, nearest);
}

/* ---- links ----------------------------------------------------------------------------------- */

void pod_slice_place(const pod_slice *slice, int64_t index, int32_t place[3])
{
    for (int i = 0; i < 3; i++) {
        place[i] = (int32_t)(index % slice->sizes[i]);
        index /= slice->sizes[i];
    }
}

int64_t pod_slice_index(const pod_slice *slice, const int32_t place[3])
{
    return place[0] + (int64_t)slice->sizes[0] * (place[1] + (int64_t)slice->sizes[1] * place[2]);
}

int32_t pod_slice_neighbours(const pod_slice *slice, int64_t index, int64_t *neighbours)
{
    int32_t place[3], count = 0;
    pod_slice_place(slice, index, place);
    for (int axis = 0; axis < 3; axis++) {
        for (int step = -1; step <= 1; step += 2) {
            int32_t other[3] = {place[0], place[1], place[2]};
            const int32_t size = slice->sizes[axis];
            other[axis] += step;
            if (slice->wraps[axis])
                other[axis] = (other[axis] + size) % size;
            if (other[axis] < 0 || other[axis] >= size || other[axis] == place[axis])
                continue;
            const int64_t found = pod_slice_index(slice, other);
            int32_t at = count; /* keep them ascending, each once */
            while (at > 0 && neighbours[at - 1] > found)
                at--;
            if (at > 0 && neighbours[at - 1] == found)
                continue;
            memmove(neighbours + at + 1, neighbours + at, (size_t)(count - at) * sizeof neighbours[0]);
            neighbours[at] = found;
            count++;
        }
    }
    return count;
}

int64_t pod_slice_hops(const pod_slice *slice, int64_t from, int64_t to)
{
    int32_t a[3], b[3];
    int64_t hops = 0;
    pod_slice_place(slice, from, a);
    pod_slice_place(slice, to, b);
    for (int i = 0; i < 3; i++) {
        const int32_t ahead = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
        const int32_t around = slice->sizes[i] - ahead;
        hops += slice->wraps[i] && around < ahead ? around : ahead;
    }
    return hops;
}

int64_t pod_slice_diameter(const pod_slice *slice)
{
    int64_t hops = 0;
    for (int i = 0; i < 3; i++)
        hops += slice->wraps[i] ? slice->sizes[i] / 2 : slice->sizes[i] - 1;
    return hops;
}

int64_t pod_slice_bisection_links(const pod_slice *slice)
{
    int64_t fewest = 0;
    for (int i = 0; i < 3; i++) {
        if (slice->sizes[i] < 2)
            continue;
        const int64_t links = slice->chips / slice->sizes[i] * (slice->wraps[i] ? 2 : 1);
        if (fewest == 0 || links < fewest)
            fewest = links;
    }
    return fewest;
}
