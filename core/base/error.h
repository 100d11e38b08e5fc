#ifndef POD_BASE_ERROR_H
#define POD_BASE_ERROR_H

/* error - fills in a caller's pod_error. */

#include <stdarg.h>

#include "moonpod/status.h"

/* Writes status and message (cut at a character's border when it is too long) and returns the
 * status, so that it can stand after `return`. `error` may be NULL. */
pod_status pod_error_set(pod_error *error, pod_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with the arguments of the caller's own `...`. */
pod_status pod_error_set_va(pod_error *error, pod_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Puts text before the message that is there ("layer 'dense_1': ") and returns the status. */
pod_status pod_error_prepend(pod_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
