/* vi's command mode: counts, operators d c y with motions, and what stands alone. `.` plays the keys of the last change
 * again. */

#include "editor/line_state.h"

#include <string.h>

#include "editor/lua_lexer.h"
#include "editor/motions.h"
#include "editor/utf8.h"

#define TEXT(editor) (editor)->text.bytes.data, (editor)->text.bytes.size

enum { MOST_COUNT = 9999, MOST_RECORDED = 256 * sizeof(key_event) };

/* ---- where motions go ---- */

typedef struct vi_goal {
    size_t at;
    bool inclusive, lines, failed;
} vi_goal;

/* The count-th place of a character in the line, as f, F, t and T go. */
static vi_goal find_character(const line_editor *editor, char how, char wanted, unsigned count)
{
    const char *text = editor->text.bytes.data;
    const size_t size = editor->text.bytes.size, cursor = editor->text.cursor;
    const bool back = how == 'F' || how == 'T';
    const size_t start = motion_line_start(text, size, cursor), end = motion_line_end(text, size, cursor);
    size_t at = cursor;
    for (unsigned found = 0; found < count;) {
        if (back ? at <= start : at + 1 >= end)
            return (vi_goal){.failed = true};
        at = back ? at - 1 : at + 1;
        found += text[at] == wanted;
    }
    if (how == 't')
        at = utf8_previous(text, size, at);
    if (how == 'T')
        at = utf8_next(text, size, at);
    return (vi_goal){at, !back, false, at == cursor && how != 't' && how != 'T'};
}

static vi_goal go_by_words(const line_editor *editor, char key, unsigned count)
{
    size_t at = editor->text.cursor;
    const motion_words words = key < 'a' ? WORDS_BIG : WORDS_VI;
    const char small = (char)(key | 0x20);
    for (unsigned i = 0; i < count; i++)
        at = small == 'w'   ? motion_word_next(TEXT(editor), at, words)
             : small == 'b' ? motion_word_back(TEXT(editor), at, words)
                            : motion_word_last(TEXT(editor), at, words);
    return (vi_goal){.at = at, .inclusive = small == 'e'};
}

static vi_goal go_by_lines(line_editor *editor, int step, unsigned count)
{
    vi_goal goal = {.at = editor->text.cursor, .lines = true, .failed = true};
    if (editor->last_act != ACT_VERTICAL)
        editor->column = motion_column(TEXT(editor), goal.at);
    while (count-- > 0 && motion_vertical(TEXT(editor), &goal.at, step, editor->column))
        goal.failed = false;
    return goal;
}

static vi_goal go_by_characters(const line_editor *editor, int step, unsigned count)
{
    size_t at = editor->text.cursor;
    const size_t start = motion_line_start(TEXT(editor), at), end = motion_line_end(TEXT(editor), at);
    while (count-- > 0 && (step < 0 ? at > start : at < end))
        at = step < 0 ? utf8_previous(TEXT(editor), at) : utf8_next(TEXT(editor), at);
    return (vi_goal){.at = at};
}

/* Where a motion goes; failed where the key is none. */
static vi_goal goal_of(line_editor *editor, uint32_t key, unsigned count)
{
    const size_t cursor = editor->text.cursor;
    size_t match;
    switch (key) {
    case 'h':
    case KEY_LEFT:
    case KEY_BACKSPACE:
        return go_by_characters(editor, -1, count);
    case 'l':
    case ' ':
    case KEY_RIGHT:
        return go_by_characters(editor, 1, count);
    case 'j':
    case KEY_DOWN:
        return go_by_lines(editor, 1, count);
    case 'k':
    case KEY_UP:
        return go_by_lines(editor, -1, count);
    case 'w':
    case 'W':
    case 'b':
    case 'B':
    case 'e':
    case 'E':
        return go_by_words(editor, (char)key, count);
    case '0':
    case KEY_HOME:
        return (vi_goal){.at = motion_line_start(TEXT(editor), cursor)};
    case '^':
        return (vi_goal){.at = motion_line_text(TEXT(editor), cursor)};
    case '$':
    case KEY_END:
        return (vi_goal){.at = motion_line_end(TEXT(editor), cursor)};
    case 'G':
        return (vi_goal){.at = editor->text.bytes.size, .lines = true};
    case '%':
        if (lua_matching_bracket(TEXT(editor), cursor, &match))
            return (vi_goal){.at = match, .inclusive = true};
        return (vi_goal){.failed = true};
    case ';':
        return find_character(editor, editor->vi.find, editor->vi.found, count);
    case ',':
        return find_character(editor, (char)(editor->vi.find ^ 0x20), editor->vi.found, count);
    default:
        return (vi_goal){.failed = true};
    }
}

/* ---- changes ---- */

static void begin_insert(line_editor *editor)
{
    editor->vi.command = false;
    edit_text_end_typing(&editor->text);
}

/* In command mode the cursor stands on a character, not behind the line. */
static void stay_in_line(line_editor *editor)
{
    edit_text *text = &editor->text;
    if (text->cursor > motion_line_start(TEXT(editor), text->cursor) &&
        text->cursor == motion_line_end(TEXT(editor), text->cursor))
        text->cursor = utf8_previous(TEXT(editor), text->cursor);
}

/* An operator from the cursor to where a motion goes. */
static void operate(line_editor *editor, char operator_key, vi_goal goal)
{
    size_t from = editor->text.cursor, to = goal.at;
    if (from > to) {
        const size_t swapped = from;
        from = to;
        to = swapped;
    }
    if (goal.lines) {
        from = motion_line_start(TEXT(editor), from);
        to = motion_line_end(TEXT(editor), to);
        to += operator_key != 'c' && to < editor->text.bytes.size;
    } else if (goal.inclusive) {
        to = utf8_next(TEXT(editor), to);
    }
    kill_ring_add(&editor->kills, editor->text.bytes.data + from, to - from);
    if (goal.lines &&
        (to == from || editor->text.bytes.data[to - 1] != '\n')) { /* the last line: it is one all the same */
        if (to > from)
            kill_ring_extend(&editor->kills, "\n", 1, true);
        from -= operator_key == 'd' && from > 0;
    }
    if (operator_key == 'y')
        editor->text.cursor = goal.lines && goal.at >= editor->text.cursor ? editor->text.cursor : from;
    else
        (void)edit_text_replace(&editor->text, from, to - from, NULL, 0);
    if (operator_key == 'c')
        begin_insert(editor);
}

/* vi's word motion under c stops at the word's end. */
static void operate_by_motion(line_editor *editor, uint32_t key, unsigned count)
{
    const char operator_key = editor->vi.operator_key;
    editor->vi.operator_key = '\0';
    vi_goal goal;
    if (key == (uint32_t)operator_key) {
        goal = (vi_goal){.at = editor->text.cursor, .lines = true};
        for (unsigned i = 1; i < count; i++)
            (void)motion_vertical(TEXT(editor), &goal.at, 1, 0);
    } else if (operator_key == 'c' && (key == 'w' || key == 'W')) {
        goal = (vi_goal){.at = editor->text.cursor};
        for (unsigned i = 0; i < count; i++)
            goal.at = motion_word_end(TEXT(editor), goal.at, key == 'w' ? WORDS_VI : WORDS_BIG);
    } else {
        goal = goal_of(editor, key, count);
    }
    if (!goal.failed)
        operate(editor, operator_key, goal);
}

/* Where so many characters from the cursor on end, in its line; the number of them. */
static unsigned characters_end(const line_editor *editor, unsigned count, size_t *end)
{
    const size_t line_end = motion_line_end(TEXT(editor), editor->text.cursor);
    unsigned found = 0;
    *end = editor->text.cursor;
    for (; found < count && *end < line_end; found++)
        *end = utf8_next(TEXT(editor), *end);
    return found;
}

static void replace_characters(line_editor *editor, const key_event *event, unsigned count)
{
    edit_text *text = &editor->text;
    byte_string made = {0};
    size_t end;
    for (unsigned i = characters_end(editor, count, &end); i > 0; i--)
        (void)byte_string_add(&made, event->text, event->size);
    (void)edit_text_replace(text, text->cursor, end - text->cursor, made.data, made.size);
    text->cursor = utf8_previous(TEXT(editor), text->cursor);
    byte_string_free(&made);
}

static void change_cases(line_editor *editor, unsigned count)
{
    edit_text *text = &editor->text;
    byte_string made = {0};
    size_t end;
    (void)characters_end(editor, count, &end);
    (void)byte_string_add(&made, text->bytes.data + text->cursor, end - text->cursor);
    for (size_t i = 0; i < made.size; i++)
        if ((made.data[i] | 0x20) >= 'a' && (made.data[i] | 0x20) <= 'z')
            made.data[i] ^= 0x20;
    (void)edit_text_replace(text, text->cursor, made.size, made.data, made.size);
    byte_string_free(&made);
}

/* Puts whole lines below or above this one. */
static void put_lines(line_editor *editor, const byte_string *kill, bool below)
{
    edit_text *text = &editor->text;
    const size_t size = kill->size - 1; /* its newline stands where it is needed */
    if (below) {
        const size_t end = motion_line_end(TEXT(editor), text->cursor);
        if (edit_text_replace(text, end, 0, "\n", 1) && edit_text_replace(text, end + 1, 0, kill->data, size))
            text->cursor = end + 1;
    } else {
        const size_t start = motion_line_start(TEXT(editor), text->cursor);
        if (edit_text_replace(text, start, 0, kill->data, size + 1))
            text->cursor = start;
    }
}

static void put(line_editor *editor, bool behind, unsigned count)
{
    edit_text *text = &editor->text;
    const byte_string *kill = &editor->kills.texts[0];
    const bool lines = kill->size > 0 && kill->data[kill->size - 1] == '\n';
    edit_text_begin_group(text);
    if (!lines && behind && text->cursor < motion_line_end(TEXT(editor), text->cursor))
        text->cursor = utf8_next(TEXT(editor), text->cursor);
    for (unsigned i = 0; i < count && i < 100; i++)
        if (lines)
            put_lines(editor, kill, behind);
        else
            (void)edit_text_replace(text, text->cursor, 0, kill->data, kill->size);
    edit_text_end_group(text);
    if (!lines)
        text->cursor = utf8_previous(TEXT(editor), text->cursor);
}

static void open_line(line_editor *editor, bool below)
{
    edit_text *text = &editor->text;
    text->cursor = below ? motion_line_end(TEXT(editor), text->cursor) : motion_line_start(TEXT(editor), text->cursor);
    line_insert(editor, "\n", 1);
    text->cursor -= !below;
    begin_insert(editor);
}

static void insert_at(line_editor *editor, char key)
{
    edit_text *text = &editor->text;
    if (key == 'I')
        text->cursor = motion_line_text(TEXT(editor), text->cursor);
    else if (key == 'A')
        text->cursor = motion_line_end(TEXT(editor), text->cursor);
    else if (key == 'a' && text->cursor < motion_line_end(TEXT(editor), text->cursor))
        text->cursor = utf8_next(TEXT(editor), text->cursor);
    begin_insert(editor);
}

/* ---- keys ---- */

/* Commands that stand for an operator with a motion: x is dl. */
static bool take_short(line_editor *editor, uint32_t key, unsigned count)
{
    static const struct {
        char key, operator_key, motion;
    } shorts[] = {{'x', 'd', 'l'}, {'X', 'd', 'h'}, {'s', 'c', 'l'}, {'S', 'c', 'c'},
                  {'D', 'd', '$'}, {'C', 'c', '$'}, {'Y', 'y', 'y'}};
    for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++)
        if ((uint32_t)shorts[i].key == key) {
            editor->vi.operator_key = shorts[i].operator_key;
            operate_by_motion(editor, (uint32_t)shorts[i].motion, count);
            return true;
        }
    return false;
}

/* Plays the keys of the last change again. */
static void replay(line_editor *editor)
{
    line_vi_state *vi = &editor->vi;
    byte_string keys = {0};
    if (vi->replaying || !byte_string_add(&keys, vi->last.data, vi->last.size))
        return;
    vi->replaying = true;
    for (size_t i = 0; i + sizeof(key_event) <= keys.size; i += sizeof(key_event)) {
        key_event event;
        memcpy(&event, keys.data + i, sizeof event);
        (void)line_editor_act(editor, &event);
    }
    vi->replaying = false;
    byte_string_free(&keys);
}

void line_vi_note(line_editor *editor, const key_event *event, size_t version)
{
    line_vi_state *vi = &editor->vi;
    if (vi->record.size > MOST_RECORDED || !byte_string_add(&vi->record, event, sizeof *event))
        return;
    vi->changed = vi->changed || editor->text.version != version;
    if (!vi->command || vi->count > 0 || vi->operator_key != '\0' || vi->waiting != '\0')
        return; /* the command goes on */
    const bool repeats = event->code == 'u' || event->code == '.' || event->code == (KEY_CONTROL | 'r');
    if (vi->changed && !repeats) {
        const byte_string before = vi->last;
        vi->last = vi->record;
        vi->record = before;
    }
    vi->record.size = 0;
    vi->changed = false;
}

/* Keys that are commands of their own; false where the key is none. */
static bool take_command(line_editor *editor, const key_event *event, unsigned count)
{
    const uint32_t key = event->code;
    if (take_short(editor, key, count))
        return true;
    switch (key) {
    case 'i':
    case 'I':
    case 'a':
    case 'A':
        insert_at(editor, (char)key);
        return true;
    case 'o':
    case 'O':
        open_line(editor, key == 'o');
        return true;
    case 'p':
    case 'P':
        put(editor, key == 'p', count);
        return true;
    case '~':
        change_cases(editor, count);
        return true;
    case 'u':
        (void)edit_text_undo(&editor->text);
        return true;
    case KEY_CONTROL | 'r':
        (void)edit_text_redo(&editor->text);
        return true;
    case '.':
        replay(editor);
        return true;
    case '/':
    case '?':
        line_search_begin(editor, -1);
        return true;
    default:
        return false;
    }
}

/* A motion without an operator: up and down go into the history, too. */
static bool take_motion(line_editor *editor, uint32_t key, unsigned count)
{
    const vi_goal goal = goal_of(editor, key, count);
    const bool vertical = key == 'j' || key == 'k' || key == KEY_UP || key == KEY_DOWN;
    if (!goal.failed)
        editor->text.cursor = goal.at;
    else if (vertical)
        line_recall(editor, key == 'k' || key == KEY_UP ? -1 : 1, false);
    if (vertical)
        editor->act = goal.failed ? ACT_RECALL : ACT_VERTICAL;
    return !goal.failed || vertical;
}

/* The key behind f, F, t, T, r or g. */
static void take_awaited(line_editor *editor, const key_event *event, unsigned count)
{
    const char how = editor->vi.waiting;
    editor->vi.waiting = '\0';
    vi_goal goal = {.failed = true};
    if (how == 'g' && event->code == 'g') {
        goal = (vi_goal){.lines = true};
    } else if (how == 'r' && event->size > 0) {
        replace_characters(editor, event, count);
    } else if (how != 'g' && event->size == 1) {
        editor->vi.find = how;
        editor->vi.found = event->text[0];
        goal = find_character(editor, how, event->text[0], count);
    }
    const char operator_key = editor->vi.operator_key;
    editor->vi.operator_key = '\0';
    if (goal.failed)
        return;
    if (operator_key != '\0')
        operate(editor, operator_key, goal);
    else
        editor->text.cursor = goal.at;
}

/* Takes a digit of a count. */
static bool take_digit(line_vi_state *vi, uint32_t key)
{
    if (key < '0' || key > '9' || (key == '0' && vi->count == 0) || vi->waiting != '\0')
        return false;
    vi->count = vi->count * 10 + (key - '0');
    vi->count = vi->count > MOST_COUNT ? MOST_COUNT : vi->count;
    return true;
}

static void escape(line_editor *editor)
{
    edit_text *text = &editor->text;
    edit_text_end_typing(text);
    if (!editor->vi.command && text->cursor > motion_line_start(TEXT(editor), text->cursor))
        text->cursor = utf8_previous(TEXT(editor), text->cursor);
    editor->vi.command = true;
    editor->vi.count = editor->vi.outer_count = 0;
    editor->vi.operator_key = editor->vi.waiting = '\0';
}

line_outcome line_vi_take(line_editor *editor, const key_event *event)
{
    line_vi_state *vi = &editor->vi;
    const uint32_t key = event->code;
    if (key == KEY_ESCAPE) {
        escape(editor);
        return LINE_GOES_ON;
    }
    if (take_digit(vi, key))
        return LINE_GOES_ON;
    if (vi->waiting == '\0' && (key == 'f' || key == 'F' || key == 't' || key == 'T' || key == 'r' || key == 'g')) {
        vi->waiting = (char)key;
        return LINE_GOES_ON;
    }
    if (vi->operator_key == '\0' && vi->waiting == '\0' && (key == 'd' || key == 'c' || key == 'y')) {
        vi->operator_key = (char)key;
        vi->outer_count = vi->count;
        vi->count = 0;
        return LINE_GOES_ON;
    }
    const unsigned own = vi->count > 0 ? vi->count : 1, outer = vi->outer_count > 0 ? vi->outer_count : 1;
    const unsigned count = own * outer > MOST_COUNT ? MOST_COUNT : own * outer;
    vi->count = vi->outer_count = 0;
    bool taken = true;
    if (vi->waiting != '\0')
        take_awaited(editor, event, count);
    else if (vi->operator_key != '\0')
        operate_by_motion(editor, key, count);
    else
        taken = take_command(editor, event, count) || take_motion(editor, key, count);
    /* Keys of control mean what they mean elsewhere; letters that are no commands mean nothing. */
    const line_outcome outcome = taken || event->size > 0 ? LINE_GOES_ON : line_keys_take(editor, event);
    if (vi->command)
        stay_in_line(editor);
    return outcome;
}
