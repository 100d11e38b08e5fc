/* own_chip - whether a chip that somebody describes could be one. */

#include "base/sizes.h"
#include "moonpod/chip.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/decimal.h"
#include "chip/element.h"

#define MOST_BYTES ((int64_t)1 << 53) /* a whole number in Lua and JSON */
#define MOST_RATE  1e21               /* a second */
#define LANES      128                /* tiles are of 8 x 128 words: see layout.c */
#define SUBLANES   8
#define MOST_CHIPS 65536
#define MOST_AXIS  256

/* A field, what it is and what it may be. */
typedef struct whole {
    const char *name;
    int64_t value, least, most;
} whole;

static pod_status check_whole(const whole *rows, size_t count, pod_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].least == rows[i].most && rows[i].value != rows[i].least)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s must be %lld, not %lld", rows[i].name,
                                 (long long)rows[i].least, (long long)rows[i].value);
        if (rows[i].value < rows[i].least || rows[i].value > rows[i].most)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s must be from %lld to %lld, not %lld", rows[i].name,
                                 (long long)rows[i].least, (long long)rows[i].most, (long long)rows[i].value);
    }
    return POD_OK;
}

typedef struct rate {
    const char *name;
    double value;
    bool needed;
} rate;

static pod_status check_rates(const rate *rows, size_t count, pod_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const double value = rows[i].value;
        if (rows[i].needed && value == 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s must be more than 0", rows[i].name);
        char most[POD_NUMBER_TEXT_SIZE], given[POD_NUMBER_TEXT_SIZE];
        if (!(value == 0 || (value >= 1 && value <= MOST_RATE)))
            return pod_error_set(error, POD_ERROR_ARGUMENT, "%s must be a number from 1 to %s a second%s, not %s",
                                 rows[i].name, pod_number_text(MOST_RATE, most),
                                 rows[i].needed ? "" : ", or 0 where it is not known",
                                 pod_number_text_short(value, 6, given));
    }
    return POD_OK;
}

static pod_status check_name(const pod_chip *chip, pod_error *error)
{
    const char *name = chip->name ? chip->name : "";
    const size_t length = strlen(name);
    bool fits = length > 0 && length < POD_CHIP_NAME_SIZE && name[0] >= 'a' && name[0] <= 'z';
    for (size_t i = 0; i < length; i++)
        fits = fits && ((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9'));
    if (!fits)
        return pod_error_set(
            error, POD_ERROR_ARGUMENT,
            "name must be a letter and up to %d letters and digits, all in lower case, as \"v9x\"; not "
            "'%.40s'",
            POD_CHIP_NAME_SIZE - 2, name);
    if (pod_chip_find(name))
        return pod_error_set(error, POD_ERROR_ARGUMENT, "name '%s' is that of a generation; take another", name);
    if (strcmp(name, "local") == 0 || strcmp(name, "cpu") == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "name '%s' says that there is no chip; take another", name);
    if (!chip->slice_prefix || !chip->product)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "slice_prefix and product are texts; one is NULL");
    char names[POD_CHIP_NAMES_SIZE];
    const pod_chip *base = chip->based_on ? pod_chip_find(chip->based_on) : NULL;
    if (!chip->based_on)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "based_on is missing: the generation whose rules of compiling the chip is planned by: %s",
                             pod_chip_names("or", names));
    if (!base || strcmp(base->name, chip->based_on) != 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "there is no generation '%.40s' that the chip could be based_on; there are %s",
                             chip->based_on, pod_chip_names("and", names));
    return POD_OK;
}

/* 2D: a square whose side is a power of two, as slices double in turn. 3D: whole cubes of 4 x 4 x 4. */
static pod_status check_torus(const pod_chip *chip, pod_error *error)
{
    const int32_t *sizes = chip->pod_sizes, rank = chip->torus_rank;
    bool fits = rank == 2 || rank == 3;
    int64_t chips = 1;
    for (int32_t i = 0; fits && i < rank; i++) {
        const bool is_whole = rank == 3 ? sizes[i] % 4 == 0 : sizes[i] == sizes[0] && (sizes[i] & (sizes[i] - 1)) == 0;
        fits = sizes[i] >= 4 && sizes[i] <= MOST_AXIS && is_whole && (rank == 2 || i == 0 || sizes[i] >= sizes[i - 1]);
        chips *= sizes[i];
    }
    if (!fits)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "pod_shape must be two equal sizes, a power of two from 4 to %d, or three ascending "
                             "multiples of 4",
                             MOST_AXIS);
    if (rank == 2 && sizes[2] != 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "pod_shape has no third axis; its size must be 1");
    int64_t host = 1;
    for (int32_t i = 0; i < 3; i++) {
        if (chip->host_sizes[i] < 1 || chip->host_sizes[i] > (i < rank ? sizes[i] : 1))
            return pod_error_set(error, POD_ERROR_ARGUMENT, "host_shape must be sizes from 1 to those of pod_shape");
        host *= chip->host_sizes[i];
    }
    const whole rows[] = {
        {"pod_chips", chip->pod_chips, 4, chips < MOST_CHIPS ? chips : MOST_CHIPS},
        {"chips_per_host", chip->host_chips, host, host},
    };
    return check_whole(rows, sizeof rows / sizeof rows[0], error);
}

static pod_status check_cores(const pod_chip *chip, pod_error *error)
{
    const whole rows[] = {
        {"cores", chip->cores, 1, 64},
        {"devices", chip->devices, 1, chip->cores},
        {"mxus_per_core", chip->mxus_per_core, 1, 1024},
        {"mxu_size", chip->mxu_size, 8, 4096},
        {"lanes", chip->lanes, LANES, LANES},
        {"sublanes", chip->sublanes, SUBLANES, SUBLANES},
        {"clock_mhz", chip->clock_mhz, 0, 100000},
        {"sparse_cores", chip->sparse_cores, 0, 1024},
        {"links", chip->links, 0, 64},
        {"layout_rows", chip->layout_rows, 1, 2},
    };
    const pod_status status = check_whole(rows, sizeof rows / sizeof rows[0], error);
    if (status == POD_OK && chip->devices != 1 && chip->devices != chip->cores)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "devices must be 1 (all cores as one) or %d (each core is one), not %d", (int)chip->cores,
                             (int)chip->devices);
    return status;
}

static pod_status check_memory(const pod_chip *chip, pod_error *error)
{
    const whole rows[] = {
        {"hbm_bytes", chip->hbm_bytes, 1 << 20, MOST_BYTES},
        {"hbm_limit_bytes", chip->hbm_limit_bytes, 1 << 20, chip->hbm_bytes / chip->devices},
        {"hbm_reserved_bytes", chip->hbm_reserved_bytes, 0, chip->hbm_bytes / chip->devices - chip->hbm_limit_bytes},
        {"vmem_bytes", chip->vmem_bytes, 1 << 10, MOST_BYTES},
        {"smem_bytes", chip->smem_bytes, 0, MOST_BYTES},
        {"cmem_bytes", chip->cmem_bytes, 0, MOST_BYTES},
    };
    return check_whole(rows, sizeof rows / sizeof rows[0], error);
}

pod_status pod_chip_check(const pod_chip *chip, pod_error *error)
{
    if (!chip)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "there is no chip to check");
    const rate rates[] = {
        {"bf16_flops", chip->bf16_flops, true},
        {"int8_ops", chip->int8_ops, false},
        {"int4_ops", chip->int4_ops, false},
        {"fp8_flops", chip->fp8_flops, false},
        {"hbm_bytes_per_second", chip->hbm_bytes_per_second, true},
        {"link_bytes_per_second", chip->link_bytes_per_second, chip->links > 0},
        {"link_usable_per_second", chip->link_usable_per_second, chip->links > 0},
        {"pcie_bytes_per_second", chip->pcie_bytes_per_second, false},
        {"network_bytes_per_second", chip->network_bytes_per_second, false},
    };
    pod_status status = check_name(chip, error);
    if (status == POD_OK)
        status = check_cores(chip, error);
    if (status == POD_OK)
        status = check_memory(chip, error);
    if (status == POD_OK)
        status = check_rates(rates, sizeof rates / sizeof rates[0], error);
    return status == POD_OK ? check_torus(chip, error) : status;
}
