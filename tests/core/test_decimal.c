/* Numbers as text and back: against strtoll() and strtod(), on random texts. */

#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/decimal.h"
#include "base/random.h"

enum { TEXTS = 300000, LONGEST = 40 };

static size_t below(pod_random_stream *random, size_t count)
{
    return (size_t)pod_random_below(random, count);
}

/* Digits near the ends of what fits, zeros before them, anything behind them. */
static size_t write_integer(pod_random_stream *random, char text[LONGEST])
{
    static const char *const edges[] = {"9223372036854775807", "9223372036854775808", "922337203685477580",
                                        "18446744073709551616", "0"};
    static const char letters[] = "0123456789+-. e";
    size_t size = 0;
    if (below(random, 3) == 0)
        for (size_t zeros = below(random, 4); zeros > 0; zeros--)
            text[size++] = '0';
    if (below(random, 2) == 0) {
        const char *edge = edges[below(random, sizeof edges / sizeof *edges)];
        memcpy(text + size, edge, strlen(edge));
        size += strlen(edge);
        if (below(random, 2) == 0)
            text[size - 1 - below(random, 2) % size] = (char)('0' + below(random, 10));
    }
    for (size_t more = below(random, 2) == 0 ? 0 : below(random, 12); more > 0; more--)
        text[size++] = letters[below(random, below(random, 2) == 0 ? 10 : sizeof letters - 1)];
    return size;
}

/* Bytes behind which nothing may be read. */
static char *exact_copy(const char *text, size_t size)
{
    char *copy = malloc(size + (size == 0));
    ASSERT(copy != NULL);
    memcpy(copy, text, size);
    return copy;
}

TEST(digits_are_read_as_strtoll_reads_them)
{
    pod_random_stream random;
    size_t read = 0, too_large = 0;
    pod_random_stream_init(&random, 7, 1);
    for (int i = 0; i < TEXTS; i++) {
        char text[LONGEST], signed_text[LONGEST + 2];
        const size_t size = write_integer(&random, text);
        size_t digits = 0;
        while (digits < size && text[digits] >= '0' && text[digits] <= '9')
            digits++;
        const bool negative = below(&random, 2) == 0;
        snprintf(signed_text, sizeof signed_text, "%s%.*s", negative ? "-" : "", (int)digits, text);
        errno = 0;
        const int64_t wanted = strtoll(signed_text, NULL, 10);
        const bool fits = digits > 0 && errno == 0;
        char *copy = exact_copy(text, size);
        const char *at = copy;
        int64_t value;
        const bool ok = pod_digits_read(&at, copy + size, negative, &value);
        if (ok != fits || (fits && (value != wanted || at != copy + digits)) || at < copy || at > copy + digits)
            FAIL("'%.*s', negative %d: %d, %" PRId64 " at %td; strtoll: %d, %" PRId64, (int)size, text, negative, ok,
                 value, at - copy, fits, wanted);
        read += ok;
        too_large += digits > 0 && !ok;
        free(copy);
    }
    ASSERT(read > TEXTS / 4 && too_large > TEXTS / 20);
}

/* Letters of numbers in any order, most of which are none; each third a number that was written. */
static size_t write_real(pod_random_stream *random, char text[LONGEST])
{
    static const char letters[] = "0123456789+-.eEinfINFatyATY";
    static const char *const forms[] = {"%.*g", "%.*e", "%.*f"};
    if (below(random, 3) == 0) {
        const int exponent = (int)below(random, 640) - 320;
        char number[400];
        snprintf(number, sizeof number, forms[below(random, 3)], (int)below(random, 18),
                 ((double)below(random, 2000001) - 1e6) * pow(10, exponent));
        snprintf(text, LONGEST, "%.*s", LONGEST - 1, number);
        return strlen(text);
    }
    const size_t size = below(random, 10);
    for (size_t i = 0; i < size; i++)
        text[i] = letters[below(random, below(random, 3) == 0 ? sizeof letters - 1 : 15)];
    return size;
}

TEST(reals_are_read_as_strtod_reads_them)
{
    pod_random_stream random;
    size_t read = 0;
    pod_random_stream_init(&random, 8, 1);
    for (int i = 0; i < TEXTS; i++) {
        char text[LONGEST + 1], back[POD_NUMBER_TEXT_SIZE], *end;
        const size_t size = write_real(&random, text);
        text[size] = '\0';
        const double wanted = strtod(text, &end);
        const bool whole = size > 0 && end == text + size;
        char *copy = exact_copy(text, size);
        double value, again;
        const bool ok = pod_number_read(copy, size, &value);
        free(copy);
        if (ok != whole || (whole && memcmp(&value, &wanted, sizeof value) != 0))
            FAIL("'%s': %d, %.17g; strtod: %d, %.17g", text, ok, value, whole, wanted);
        if (!ok)
            continue;
        read++;
        pod_number_text(value, back);
        ASSERT(pod_number_read(back, strlen(back), &again));
        ASSERT(again == value || (value != value && again != again));
    }
    ASSERT(read > TEXTS / 4);
}

TEST_MAIN(RUN(digits_are_read_as_strtoll_reads_them); RUN(reals_are_read_as_strtod_reads_them))
