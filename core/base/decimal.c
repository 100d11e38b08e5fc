/* decimal - see decimal.h. */

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

#define LONGEST 128

/* The decimal point of the locale may be another character, or several. */
static const char *const digits_and_sign = "+-0123456789";

/* Makes the locale's point one point: it is all that stands between two digits and is no exponent. */
static void set_point(char *text)
{
    char *point = text + strspn(text, digits_and_sign);
    if (*point == '\0' || *point == 'e')
        return;
    char *rest = point + strcspn(point, "0123456789");
    *point = '.';
    memmove(point + 1, rest, strlen(rest) + 1);
}

const char *pod_number_text_short(double value, int digits, char text[POD_NUMBER_TEXT_SIZE])
{
    if (isnan(value))
        return strcpy(text, "nan");
    if (isinf(value))
        return strcpy(text, value < 0 ? "-inf" : "inf");
    snprintf(text, POD_NUMBER_TEXT_SIZE, "%.*g", digits, value);
    set_point(text);
    return text;
}

const char *pod_number_text(double value, char text[POD_NUMBER_TEXT_SIZE])
{
    double back;
    for (int digits = 1; digits <= 17; digits++) {
        pod_number_text_short(value, digits, text);
        if (pod_number_read(text, strlen(text), &back) && back == value)
            break;
    }
    return text;
}

const char *pod_number_text_f32(float value, char text[POD_NUMBER_TEXT_SIZE])
{
    double back;
    for (int digits = 1; digits <= 9; digits++) {
        pod_number_text_short((double)value, digits, text);
        if (pod_number_read(text, strlen(text), &back) && (float)back == value)
            break;
    }
    return text;
}

/* Puts the locale's point into the place of the point of a text. False where that has no room. */
static bool localize(char text[LONGEST], char *point)
{
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    const size_t width = strlen(half) - 2;
    if (strlen(text) - 1 + width >= LONGEST)
        return false;
    memmove(point + width, point + 1, strlen(point + 1) + 1);
    memcpy(point, half + 1, width);
    return true;
}

bool pod_number_read(const char *text, size_t length, double *value)
{
    char copy[LONGEST];
    char *end;
    if (length == 0 || length >= LONGEST)
        return false;
    for (size_t i = 0; i < length; i++) /* no hexadecimal, no other locale's point */
        if (text[i] == '\0' || strchr("0123456789+-.eEinfINFatyATY", text[i]) == NULL)
            return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    if (*end == '.' || (end == copy && strchr(copy, '.') != NULL)) { /* which is no point of this locale */
        if (!localize(copy, strchr(copy, '.')))
            return false;
        *value = strtod(copy, &end);
    }
    return end != copy && *end == '\0';
}

bool pod_digits_read(const char **at, const char *end, bool negative, int64_t *value)
{
    const char *first = *at;
    *value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (pod_multiply_overflows(*value, (int64_t)10, value) ||
            pod_add_overflows(*value, (int64_t)(negative ? '0' - **at : **at - '0'), value))
            return false;
    return *at > first;
}
