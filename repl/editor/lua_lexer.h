#ifndef MOONPOD_REPL_LUA_LEXER_H
#define MOONPOD_REPL_LUA_LEXER_H

/* lua_lexer - words of Lua in a text that may be incomplete or wrong: for colours, brackets, indentation and to know
 * where in the text the cursor is. It never fails. */

#include <stdbool.h>
#include <stddef.h>

typedef enum lua_word_kind {
    LUA_WORD_SPACE,
    LUA_WORD_NAME,
    LUA_WORD_KEYWORD,
    LUA_WORD_NUMBER,
    LUA_WORD_STRING,
    LUA_WORD_COMMENT,
    LUA_WORD_SIGN, /* operators, brackets: one byte each */
    LUA_WORD_OTHER /* what Lua does not know */
} lua_word_kind;

typedef struct lua_word {
    size_t start, end;
    lua_word_kind kind;
    bool open;    /* a string or comment that goes on at the end of the text, or a string that its line cuts off */
    size_t inner; /* of strings: where their text begins */
} lua_word;

/* The word that begins at `at` < size. */
lua_word lua_word_at(const char *text, size_t size, size_t at);

/* How many blocks and brackets a word opens (1), closes (-1), or neither (0). `else` and `elseif`: 0. */
int lua_word_depth(const char *text, const lua_word *word);

/* Whether a line that begins with this word stands one step further to the left than what is in the block. */
bool lua_word_goes_back(const char *text, const lua_word *word);

/* The word that a text ends in, or one that begins at its end. */
lua_word lua_last_word(const char *text, size_t size);

/* How many blocks and brackets the part from..to of a text leaves open, counting none that it closes and did not open;
 * `else` leaves one open at least. */
int lua_depth(const char *text, size_t size, size_t from, size_t to);

/* The bracket that belongs to the one at or right before `cursor`; false where there is none. */
bool lua_matching_bracket(const char *text, size_t size, size_t cursor, size_t *match);

#endif
