#ifndef POD_BASE_DECIMAL_H
#define POD_BASE_DECIMAL_H

/*
 * decimal - floating-point numbers as text and back, with a point whatever the host's locale is. Lint finds code that
 * has printf or strtod do it, which look at the locale. Digits of integers are read here, too.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POD_NUMBER_TEXT_SIZE 40

/* Writes the shortest decimal that reads back as the same double: "0.1", "1e+30", "inf", "nan". Returns `text`. */
const char *pod_number_text(double value, char text[POD_NUMBER_TEXT_SIZE]);

/* The same for a value that is an f32: "0.1", not "0.10000000149011612". */
const char *pod_number_text_f32(float value, char text[POD_NUMBER_TEXT_SIZE]);

/* Writes it with `digits` digits at most, 1 to 17. Returns `text`. */
const char *pod_number_text_short(double value, int digits, char text[POD_NUMBER_TEXT_SIZE]);

/* Reads a whole text as a number: decimal digits with a point and an exponent, "inf", "infinity" or "nan" in any case.
 * False where it is none or has more than 127 characters. */
bool pod_number_read(const char *text, size_t length, double *value);

/* Reads digits up to the end or what is none, as a negative number if told so, and moves *at behind those it took.
 * False where there are none or the number does not fit. */
bool pod_digits_read(const char **at, const char *end, bool negative, int64_t *value);

#endif
