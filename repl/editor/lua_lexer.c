#include "editor/lua_lexer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "editor/byte_string.h"
#include "editor/utf8.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether a word is one of those in a list that begins and ends with a space. */
static bool is_word(const char *text, const lua_word *word, const char *list)
{
    const size_t length = word->end - word->start;
    for (const char *at = list; (at = strchr(at, ' ')) != NULL && at[1] != '\0'; at++)
        if (strncmp(at + 1, text + word->start, length) == 0 && at[1 + length] == ' ')
            return true;
    return false;
}

static const char keywords[] = " and break do else elseif end false for function goto if in local nil not or repeat "
                               "return then true until while ";
static const char ends[] = " end until elseif else ";

/* The level of a long bracket at `at`, as [[ is 0 and [==[ is 2; -1 where there is none. */
static long long_level(const char *text, size_t size, size_t at)
{
    size_t i = at + 1;
    while (i < size && text[i] == '=')
        i++;
    return i < size && text[at] == '[' && text[i] == '[' ? (long)(i - at - 1) : -1;
}

/* Ends a word behind the closing long bracket. */
static void skip_long(const char *text, size_t size, lua_word *word, size_t at, long level)
{
    word->inner = at + (size_t)level + 2;
    for (size_t i = word->inner; i < size; i++) {
        const char *found = memchr(text + i, ']', size - i);
        if (found == NULL)
            break;
        i = (size_t)(found - text);
        size_t k = i + 1;
        while (k < size && text[k] == '=')
            k++;
        if (k < size && text[k] == ']' && (long)(k - i - 1) == level) {
            word->end = k + 1;
            return;
        }
        i = k - 1;
    }
    word->end = size;
    word->open = true;
}

static void skip_quoted(const char *text, size_t size, lua_word *word)
{
    const char quote = text[word->start];
    size_t i = word->inner = word->start + 1;
    while (i < size && text[i] != quote && text[i] != '\n') {
        if (text[i] == '\\' && i + 1 < size && text[i + 1] == 'z') { /* skips the line's end, too */
            i += 2;
            while (i < size && is_space(text[i]))
                i++;
        } else {
            i += text[i] == '\\' && i + 1 < size ? 2 : 1;
        }
    }
    word->open = i >= size || text[i] != quote;
    word->end = word->open ? i : i + 1;
}

static void skip_comment(const char *text, size_t size, lua_word *word)
{
    const size_t at = word->start + 2;
    const long level = at < size ? long_level(text, size, at) : -1;
    word->kind = LUA_WORD_COMMENT;
    if (level >= 0) {
        skip_long(text, size, word, at, level);
        return;
    }
    const char *newline = memchr(text + word->start, '\n', size - word->start);
    word->end = newline != NULL ? (size_t)(newline - text) : size;
    word->open = newline == NULL;
}

static void skip_number(const char *text, size_t size, lua_word *word)
{
    size_t i = word->start;
    while (i < size && (is_letter(text[i]) || is_digit(text[i]) || text[i] == '.' ||
                        ((text[i] == '-' || text[i] == '+') && strchr("eEpP", text[i - 1]) != NULL)))
        i++;
    word->end = i;
}

lua_word lua_word_at(const char *text, size_t size, size_t at)
{
    lua_word word = {.start = at, .end = at + 1, .kind = LUA_WORD_SIGN};
    const char c = text[at], next = at + 1 < size ? text[at + 1] : '\0';
    if (is_space(c)) {
        word.kind = LUA_WORD_SPACE;
        while (word.end < size && is_space(text[word.end]))
            word.end++;
    } else if (is_letter(c)) {
        while (word.end < size && (is_letter(text[word.end]) || is_digit(text[word.end])))
            word.end++;
        word.kind = is_word(text, &word, keywords) ? LUA_WORD_KEYWORD : LUA_WORD_NAME;
    } else if (is_digit(c) || (c == '.' && is_digit(next))) {
        word.kind = LUA_WORD_NUMBER;
        skip_number(text, size, &word);
    } else if (c == '"' || c == '\'') {
        word.kind = LUA_WORD_STRING;
        skip_quoted(text, size, &word);
    } else if (c == '-' && next == '-') {
        skip_comment(text, size, &word);
    } else if (c == '[' && long_level(text, size, at) >= 0) {
        word.kind = LUA_WORD_STRING;
        skip_long(text, size, &word, at, long_level(text, size, at));
    } else if (c == '\0' || strchr("+-*/%^#&~|<>=(){}[];:,.", c) == NULL) {
        word.kind = LUA_WORD_OTHER;
        word.end = utf8_next(text, size, at);
    }
    return word;
}

int lua_word_depth(const char *text, const lua_word *word)
{
    if (word->kind == LUA_WORD_SIGN)
        return strchr("({[", text[word->start]) != NULL ? 1 : strchr(")}]", text[word->start]) != NULL ? -1 : 0;
    if (word->kind != LUA_WORD_KEYWORD)
        return 0;
    return (int)is_word(text, word, " function do then repeat else ") - (int)is_word(text, word, ends);
}

bool lua_word_goes_back(const char *text, const lua_word *word)
{
    return word->kind == LUA_WORD_SIGN ? lua_word_depth(text, word) < 0
                                       : word->kind == LUA_WORD_KEYWORD && is_word(text, word, ends);
}

lua_word lua_last_word(const char *text, size_t size)
{
    lua_word word = {.start = size, .end = size};
    for (size_t at = 0; at < size; at = word.end)
        word = lua_word_at(text, size, at);
    return word;
}

int lua_depth(const char *text, size_t size, size_t from, size_t to)
{
    int depth = 0;
    for (size_t at = 0; at < to;) {
        const lua_word word = lua_word_at(text, size, at);
        const int change = at >= from ? lua_word_depth(text, &word) : 0;
        depth = depth + change < 0 ? 0 : depth + change;
        if (at >= from && depth == 0 && change == 0 && lua_word_goes_back(text, &word)) /* else */
            depth = 1;
        at = word.end;
    }
    return depth;
}

/* Goes through the text until the bracket at `wanted` has found the other one. */
static bool match_at(const char *text, size_t size, size_t wanted, size_t *match)
{
    size_t *open_places = NULL, count = 0, capacity = 0;
    bool found = false, going = true;
    for (size_t at = 0; at < size && going;) {
        const lua_word word = lua_word_at(text, size, at);
        const int depth = word.kind == LUA_WORD_SIGN ? lua_word_depth(text, &word) : 0;
        if (depth > 0) {
            going = byte_string_grow(&open_places, &capacity, count, sizeof *open_places);
            if (going)
                open_places[count++] = at;
        } else if (depth < 0) {
            const size_t open = count > 0 ? open_places[--count] : SIZE_MAX;
            const char *const pair = open != SIZE_MAX ? strchr("(){}[]", text[open]) : NULL;
            found = pair != NULL && pair[1] == text[at] && (open == wanted || at == wanted);
            going = !found && at != wanted && open != wanted;
            *match = open == wanted ? at : open;
        }
        at = word.end;
    }
    free(open_places);
    return found;
}

bool lua_matching_bracket(const char *text, size_t size, size_t cursor, size_t *match)
{
    for (size_t back = 0; back < 2 && cursor >= back; back++) {
        const size_t at = cursor - back;
        if (at < size && text[at] != '\0' && strchr("(){}[]", text[at]) != NULL)
            if (match_at(text, size, at, match))
                return true;
    }
    return false;
}
