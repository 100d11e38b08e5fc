#include "editor/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the terminal's cursor ---- */

static void add_move(screen *on, size_t count, char direction)
{
    char sequence[32];
    if (count > 0) {
        snprintf(sequence, sizeof sequence, "\033[%zu%c", count, direction);
        (void)byte_string_add_text(&on->out, sequence);
    }
}

/* Goes to a row of what is painted, or of what will be; `there` rows are on the terminal. */
static void move_to_row(screen *on, size_t row, size_t *there)
{
    if (row < on->at_row) {
        add_move(on, on->at_row - row, 'A');
    } else {
        const size_t last = *there > 0 ? *there - 1 : 0, inside = row < last ? row : last;
        if (inside > on->at_row)
            add_move(on, inside - on->at_row, 'B');
        for (size_t i = inside > on->at_row ? inside : on->at_row; i < row; i++)
            (void)byte_string_add_text(&on->out, "\r\n");
    }
    on->at_row = row;
    *there = row + 1 > *there ? row + 1 : *there;
}

static void move_to(screen *on, size_t row, size_t column, size_t *there)
{
    move_to_row(on, row, there);
    (void)byte_string_add_text(&on->out, "\r");
    add_move(on, column, 'C');
    on->at_column = column;
}

/* ---- what stands below ---- */

static size_t lines_of(const char *text, size_t size)
{
    size_t lines = size > 0;
    for (size_t i = 0; i + 1 < size; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Writes rows of what stands below, the chosen piece marked. */
static void write_below(screen_pen *pen, const screen_view *view, size_t lines)
{
    const char *text = view->below;
    size_t at = 0;
    pen->clips = true;
    for (size_t line = 0; line < lines; line++) {
        const char *newline = memchr(text + at, '\n', view->below_size - at);
        const size_t end = newline != NULL ? (size_t)(newline - text) : view->below_size;
        size_t marked = view->chosen >= at && view->chosen < end ? view->chosen : end, behind = marked;
        while (behind < end && !(text[behind] == ' ' && behind + 1 < end && text[behind + 1] == ' '))
            behind++;
        screen_pen_write(pen, text + at, marked - at);
        pen->style = STYLE_CHOSEN;
        screen_pen_write(pen, text + marked, behind - marked);
        pen->style = STYLE_PLAIN;
        screen_pen_write(pen, text + behind, end - behind);
        screen_pen_newline(pen);
        at = end + 1;
    }
}

/* ---- painting ---- */

static void free_rows(screen_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        byte_string_free(&rows[i].bytes);
    free(rows);
}

/* Writes the rows that differ from those that are there, and takes away those that are there no more. */
static void write_differences(screen *on, const screen_row *rows, size_t count)
{
    size_t there = on->count;
    for (size_t i = 0; i < count; i++) {
        const byte_string *now = &rows[i].bytes, *before = i < on->count ? &on->rows[i].bytes : NULL;
        if (before != NULL && before->size == now->size &&
            (now->size == 0 || memcmp(before->data, now->data, now->size) == 0))
            continue;
        move_to(on, i, 0, &there);
        (void)byte_string_add(&on->out, now->data, now->size);
        if (rows[i].width < on->columns)
            (void)byte_string_add_text(&on->out, "\033[K");
    }
    if (on->count > count) {
        move_to(on, count, 0, &there);
        (void)byte_string_add_text(&on->out, "\033[J");
    }
}

/* The first row of the window: it moves no further than it must. */
static void move_window(screen *on, const entry_place *place, size_t shown)
{
    if (on->first > place->row)
        on->first = place->row;
    if (place->row >= on->first + shown)
        on->first = place->row - shown + 1;
    if (on->first + shown > place->rows)
        on->first = place->rows - shown;
}

bool screen_paint(screen *on, const screen_view *view)
{
    entry_place place = {0};
    screen_pen measure = {.columns = on->columns};
    entry_marks_forget(&on->marks, view->unchanged);
    entry_pen_measure(&measure, view, &place);
    size_t below = view->below != NULL ? lines_of(view->below, view->below_size) : 0;
    size_t shown = place.rows;
    if (shown + below > on->height) {
        const size_t least = place.rows < (on->height + 1) / 2 ? place.rows : (on->height + 1) / 2;
        below = below < on->height - least ? below : on->height - least;
        shown = place.rows < on->height - below ? place.rows : on->height - below;
    }
    move_window(on, &place, shown);
    screen_row *rows = calloc(shown + below + 1, sizeof *rows);
    if (rows == NULL)
        return false;
    screen_pen pen = {.rows = rows, .first = on->first, .count = shown, .columns = on->columns};
    pen.colours = view->colours;
    entry_pen_write(&pen, view, &on->marks);
    pen = (screen_pen){.rows = rows + shown, .count = below, .columns = on->columns, .colours = view->colours};
    write_below(&pen, view, below);
    write_differences(on, rows, shown + below);
    free_rows(on->rows, on->count);
    on->rows = rows;
    on->count = shown + below;
    on->most = on->count > on->most ? on->count : on->most;
    size_t there = on->count;
    move_to(on, place.row - on->first, place.column, &there);
    return true;
}

/* What was painted is on the screen no more, or not the screen's any more. */
static void forget_rows(screen *on)
{
    free_rows(on->rows, on->count);
    on->rows = NULL;
    on->count = on->at_row = on->at_column = on->first = 0;
}

void screen_clear(screen *on)
{
    size_t there = on->count;
    if (on->count > 0) {
        move_to(on, 0, 0, &there);
        (void)byte_string_add_text(&on->out, "\033[J");
    }
    forget_rows(on);
}

void screen_print(screen *on, const char *bytes, size_t size)
{
    const size_t first = on->first, back = above_text_rows(&on->above);
    screen_clear(on);
    if (back > 0 && back + on->most <= on->height) {
        add_move(on, back, 'A');
        (void)byte_string_add_text(&on->out, "\033[J");
        above_text_again(&on->above, on->columns, &on->out);
    } else {
        above_text_end_line(&on->above);
    }
    above_text_write(&on->above, bytes, size, on->columns, &on->out);
    above_text_rest(&on->above, on->columns, &on->out);
    on->first = first;
    on->most = 0;
}

void screen_leave(screen *on)
{
    size_t there = on->count;
    if (on->count > 0) {
        move_to(on, on->count - 1, 0, &there);
        (void)byte_string_add_text(&on->out, "\r\n");
    }
    forget_rows(on);
}

void screen_begin(screen *on)
{
    above_text_end(&on->above);
    above_text_begin_row(on->columns, &on->out);
}

/* Terminals that become narrower break rows that are too long; the cursor stays on its character. */
void screen_resize(screen *on, size_t columns, size_t height)
{
    size_t above = 0;
    columns = columns < 2 ? 2 : columns > 10000 ? 10000 : columns;
    height = height < 1 ? 1 : height > 10000 ? 10000 : height;
    if (on->count > 0) {
        for (size_t i = 0; i < on->at_row; i++)
            above += on->rows[i].width > columns ? (on->rows[i].width + columns - 1) / columns : 1;
        above += on->at_column / columns;
        above = above < height ? above : height - 1;
        add_move(on, above, 'A');
        (void)byte_string_add_text(&on->out, "\r\033[J");
        forget_rows(on);
    }
    above_text_end_line(&on->above);
    on->columns = columns;
    on->height = height;
}

void screen_free(screen *ended)
{
    free_rows(ended->rows, ended->count);
    entry_marks_free(&ended->marks);
    above_text_free(&ended->above);
    byte_string_free(&ended->out);
    *ended = (screen){0};
}
