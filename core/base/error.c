#include "base/error.h"

#include <stdio.h>
#include <string.h>

const char *pod_status_name(pod_status status)
{
    switch (status) {
#define X(name, value, text)                                                                                           \
    case name:                                                                                                         \
        return #name;
        POD_STATUS_LIST(X)
#undef X
    }
    return "POD_ERROR_?";
}

const char *pod_status_text(pod_status status)
{
    switch (status) {
#define X(name, value, text)                                                                                           \
    case name:                                                                                                         \
        return text;
        POD_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

int pod_version(void)
{
    return POD_VERSION_MAJOR * 10000 + POD_VERSION_MINOR * 100 + POD_VERSION_PATCH;
}

/* Ends a cut text before a character of which only a part is left. */
static void drop_partial_character(char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && length - start < 4 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    if (wanted > length - start)
        text[start - 1] = '\0';
}

pod_status pod_error_set_va(pod_error *error, pod_status status, const char *format, va_list arguments)
{
    if (!error)
        return status;
    error->status = status;
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    if (length < 0)
        error->message[0] = '\0';
    else if ((size_t)length >= sizeof error->message)
        drop_partial_character(error->message, sizeof error->message - 1);
    return status;
}

pod_status pod_error_set(pod_error *error, pod_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pod_error_set_va(error, status, format, arguments);
    va_end(arguments);
    return status;
}

pod_status pod_error_prepend(pod_error *error, const char *format, ...)
{
    if (!error)
        return POD_OK;
    char tail[POD_ERROR_MESSAGE_SIZE];
    memcpy(tail, error->message, sizeof tail);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (length < 0)
        length = 0;
    size_t used = (size_t)length < sizeof error->message ? (size_t)length : sizeof error->message - 1;
    size_t room = sizeof error->message - 1 - used;
    size_t rest = strlen(tail);
    size_t kept = rest < room ? rest : room;
    memcpy(error->message + used, tail, kept);
    error->message[used + kept] = '\0';
    if (kept < rest)
        drop_partial_character(error->message, used + kept);
    return error->status;
}
