#include "exchange/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/context.h"
#include "base/error.h"

void pod_exchange_lexer_begin(pod_lexer *lexer, const char *file, const char *text, size_t length, pod_error *error)
{
    *lexer = (pod_lexer){
        .file = file, .begin = text, .at = text, .end = text + length, .line_at = text, .line = 1, .error = error};
}

pod_lexer pod_exchange_lexer_enter(pod_lexer *lexer, pod_span part)
{
    const pod_lexer outer = *lexer;
    lexer->at = part.text;
    lexer->end = part.text + part.length;
    return outer;
}

void pod_exchange_lexer_leave(pod_lexer *lexer, pod_lexer outer)
{
    outer.failed = lexer->failed;
    *lexer = outer;
}

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t count_lines(const char *from, const char *to)
{
    uint32_t lines = 0;
    while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
        lines++;
        from++;
    }
    return lines;
}

uint32_t pod_exchange_lexer_line(pod_lexer *lexer, const char *at)
{
    if (at > lexer->line_at) {
        lexer->line += count_lines(lexer->line_at, at);
        lexer->line_at = at;
    }
    return lexer->line;
}

uint32_t pod_exchange_lexer_column(const pod_lexer *lexer, const char *at)
{
    const char *start = at;
    while (start > lexer->begin && start[-1] != '\n')
        start--;
    return (uint32_t)(at - start) + 1;
}

bool pod_exchange_lexer_fail(pod_lexer *lexer, const char *at, pod_status status, const char *format, ...)
{
    char message[POD_ERROR_MESSAGE_SIZE];
    va_list arguments;
    if (lexer->failed)
        return false;
    lexer->failed = true;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    pod_error_set(lexer->error, status, "%s:%u:%u: %s", lexer->file, 1 + count_lines(lexer->begin, at),
                  pod_exchange_lexer_column(lexer, at), message);
    return false;
}

bool pod_exchange_lexer_goes_on(pod_lexer *lexer, const char *at, const pod_context *context)
{
    return !pod_context_is_interrupted(context) ||
           pod_exchange_lexer_fail(lexer, at, POD_ERROR_INTERRUPTED, "interrupted");
}

bool pod_exchange_lexer_expected(pod_lexer *lexer, const char *what)
{
    char found[24];
    size_t length = 0;
    char next = pod_exchange_lexer_peek(lexer);
    if (lexer->failed)
        return false;
    if (next == '\0' && lexer->at >= lexer->end)
        return pod_exchange_lexer_fail(lexer, lexer->at, POD_ERROR_FORMAT, "the text ends where %s is expected", what);
    while (length + 1 < sizeof found && lexer->at + length < lexer->end && lexer->at[length] > ' ' &&
           lexer->at[length] < 127) {
        found[length] = lexer->at[length];
        length++;
    }
    found[length] = '\0';
    return pod_exchange_lexer_fail(lexer, lexer->at, POD_ERROR_FORMAT, "%s is expected, not '%s'", what, found);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int pod_exchange_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool pod_exchange_is_word_character(char c)
{
    return is_letter(c) || is_digit(c) || c == '.' || c == '$';
}

bool pod_exchange_span_is(pod_span span, const char *text)
{
    return strlen(text) == span.length && (span.length == 0 || memcmp(span.text, text, span.length) == 0);
}

bool pod_exchange_span_among(pod_span span, const char *const *texts)
{
    while (*texts && !pod_exchange_span_is(span, *texts))
        texts++;
    return *texts != NULL;
}

char pod_exchange_lexer_peek(pod_lexer *lexer)
{
    if (lexer->failed)
        return '\0';
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '/' && lexer->end - lexer->at > 1 && lexer->at[1] == '/') {
            const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
            lexer->at = newline ? newline : lexer->end;
        } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            lexer->at++;
        } else {
            return c;
        }
    }
    return '\0';
}

bool pod_exchange_lexer_accept(pod_lexer *lexer, const char *token)
{
    size_t length = strlen(token);
    if (pod_exchange_lexer_peek(lexer) != token[0] || (size_t)(lexer->end - lexer->at) < length ||
        memcmp(lexer->at, token, length) != 0)
        return false;
    lexer->at += length;
    return true;
}

bool pod_exchange_lexer_expect(pod_lexer *lexer, const char *token)
{
    char quoted[16];
    if (pod_exchange_lexer_accept(lexer, token))
        return true;
    snprintf(quoted, sizeof quoted, "'%s'", token);
    return pod_exchange_lexer_expected(lexer, quoted);
}

bool pod_exchange_lexer_word(pod_lexer *lexer, pod_span *word)
{
    const char *start;
    if (!is_letter(pod_exchange_lexer_peek(lexer)))
        return false;
    start = lexer->at;
    while (lexer->at < lexer->end && pod_exchange_is_word_character(*lexer->at))
        lexer->at++;
    *word = (pod_span){start, (size_t)(lexer->at - start)};
    return true;
}

bool pod_exchange_lexer_at_word(pod_lexer *lexer)
{
    return is_letter(pod_exchange_lexer_peek(lexer));
}

bool pod_exchange_lexer_accept_word(pod_lexer *lexer, const char *word)
{
    pod_span found;
    pod_exchange_lexer_peek(lexer);
    const char *before = lexer->at;
    if (!pod_exchange_lexer_word(lexer, &found))
        return false;
    if (pod_exchange_span_is(found, word))
        return true;
    lexer->at = before;
    return false;
}

bool pod_exchange_lexer_name(pod_lexer *lexer, pod_span *name)
{
    const char *start = lexer->at;
    if (lexer->failed)
        return false;
    if (start < lexer->end && *start == '"' && start > lexer->begin && start[-1] == '@')
        return pod_exchange_lexer_text(lexer, name);
    while (lexer->at < lexer->end && (pod_exchange_is_word_character(*lexer->at) || *lexer->at == '-')) {
        if (*lexer->at == '-' && lexer->at + 1 < lexer->end && lexer->at[1] == '>')
            break;
        lexer->at++;
    }
    *name = (pod_span){start, (size_t)(lexer->at - start)};
    return name->length > 0 || pod_exchange_lexer_expected(lexer, "a name");
}

bool pod_exchange_lexer_text(pod_lexer *lexer, pod_span *text)
{
    if (pod_exchange_lexer_peek(lexer) != '"')
        return pod_exchange_lexer_expected(lexer, "a quoted text");
    const char *start = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"')
        lexer->at += *lexer->at == '\\' && lexer->end - lexer->at > 1 ? 2 : 1;
    if (lexer->at >= lexer->end)
        return pod_exchange_lexer_fail(lexer, start - 1, POD_ERROR_FORMAT, "this text has no closing '\"'");
    *text = (pod_span){start, (size_t)(lexer->at - start)};
    lexer->at++;
    return true;
}

bool pod_exchange_lexer_number(pod_lexer *lexer, pod_span *number)
{
    char first = pod_exchange_lexer_peek(lexer);
    const char *start = lexer->at;
    if (first != '-' && first != '+' && !is_digit(first))
        return pod_exchange_lexer_expected(lexer, "a number");
    lexer->at++;
    while (lexer->at < lexer->end) {
        char c = *lexer->at, before = lexer->at[-1];
        bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
        if (!is_digit(c) && !is_letter(c) && c != '.' && !sign)
            break;
        lexer->at++;
    }
    *number = (pod_span){start, (size_t)(lexer->at - start)};
    return true;
}

bool pod_exchange_span_integer(pod_span span, int64_t *value)
{
    const bool negative = span.length > 0 && span.text[0] == '-';
    size_t at = negative || (span.length > 0 && span.text[0] == '+');
    *value = 0;
    if (at == span.length)
        return false;
    for (; at < span.length; at++) {
        const int digit = span.text[at] - '0';
        if (!is_digit(span.text[at]) || pod_multiply_overflows(*value, 10, value) ||
            pod_add_overflows(*value, negative ? -digit : digit, value))
            return false;
    }
    return true;
}

bool pod_exchange_lexer_integer(pod_lexer *lexer, int64_t *value)
{
    pod_exchange_lexer_peek(lexer);
    const char *start = lexer->at;
    pod_exchange_lexer_accept(lexer, "-");
    *value = 0;
    if (lexer->at >= lexer->end || !is_digit(*lexer->at)) {
        lexer->at = lexer->failed ? lexer->at : start;
        return pod_exchange_lexer_expected(lexer, "an integer");
    }
    while (lexer->at < lexer->end && is_digit(*lexer->at))
        lexer->at++;
    return pod_exchange_span_integer((pod_span){start, (size_t)(lexer->at - start)}, value) ||
           pod_exchange_lexer_fail(lexer, start, POD_ERROR_FORMAT, "this integer does not fit 64 bits");
}

/* The bracket that closes this one; 0 when it is none. */
static char closing(char c)
{
    static const char brackets[] = "()[]{}<>";
    for (size_t i = 0; i < sizeof brackets - 1; i += 2)
        if (brackets[i] == c)
            return brackets[i + 1];
    return '\0';
}

#define MOST_OPEN 256

bool pod_exchange_lexer_balanced(pod_lexer *lexer, pod_span *span)
{
    char open[MOST_OPEN];
    int depth = 0;
    pod_exchange_lexer_peek(lexer);
    const char *start = lexer->at;
    while (!lexer->failed && lexer->at < lexer->end) {
        char c = *lexer->at;
        pod_span text;
        if (c == '"') {
            if (!pod_exchange_lexer_text(lexer, &text))
                return false;
            continue;
        }
        lexer->at++;
        if (c == '-' && lexer->at < lexer->end && *lexer->at == '>') {
            lexer->at++;
        } else if (closing(c)) {
            if (depth == MOST_OPEN)
                return pod_exchange_lexer_fail(lexer, lexer->at - 1, POD_ERROR_FORMAT,
                                               "brackets are nested more than %d deep", MOST_OPEN);
            open[depth++] = closing(c);
        } else if (depth > 0 && c == open[depth - 1]) {
            depth--;
        } else if (c == ')' || c == ']' || c == '}') {
            return pod_exchange_lexer_fail(lexer, lexer->at - 1, POD_ERROR_FORMAT,
                                           "this bracket closes none that is open");
        }
        if (depth == 0) {
            *span = (pod_span){start, (size_t)(lexer->at - start)};
            return true;
        }
    }
    return pod_exchange_lexer_fail(lexer, start, POD_ERROR_FORMAT, "this bracket is not closed");
}
