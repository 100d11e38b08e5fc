#ifndef MOONPOD_TESTS_SCREEN_MODEL_H
#define MOONPOD_TESTS_SCREEN_MODEL_H

/* screen_model - what a terminal shows after the bytes that it got: as much of one as the line editor asks for. What is
 * not known ends the test. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/test.h"
#include "editor/utf8.h"

enum { MODEL_COLUMNS = 200, MODEL_ROWS = 60 };

typedef struct screen_model {
    size_t columns, rows, row, column;
    bool wraps; /* the next character begins a row */
    char cells[MODEL_ROWS][MODEL_COLUMNS][32];
} screen_model;

__attribute__((unused)) static void model_begin(screen_model *model, size_t columns, size_t rows)
{
    memset(model, 0, sizeof *model);
    model->columns = columns;
    model->rows = rows;
}

static void model_feed_line(screen_model *model)
{
    if (++model->row < model->rows)
        return;
    model->row = model->rows - 1;
    memmove(model->cells[0], model->cells[1], (model->rows - 1) * sizeof model->cells[0]);
    memset(model->cells[model->rows - 1], 0, sizeof model->cells[0]);
}

static void model_put(screen_model *model, const char *bytes, size_t size, uint32_t code)
{
    const size_t width = (size_t)utf8_width(code);
    if (width == 0) { /* onto the character before */
        const size_t at = model->wraps || model->column == 0 ? model->column : model->column - 1;
        char *cell = model->cells[model->row][at];
        const size_t length = strlen(cell);
        if (length + size < sizeof model->cells[0][0])
            memcpy(cell + length, bytes, size);
        return;
    }
    if (model->wraps || model->column + width > model->columns) {
        model->wraps = false;
        model->column = 0;
        model_feed_line(model);
    }
    memset(model->cells[model->row][model->column], 0, width * sizeof model->cells[0][0]);
    memcpy(model->cells[model->row][model->column], bytes, size);
    if (width == 2)
        model->cells[model->row][model->column + 1][0] = '\001'; /* the other half */
    model->column += width;
    if (model->column == model->columns) {
        model->column--;
        model->wraps = true;
    }
}

static void model_erase(screen_model *model, size_t row, size_t from)
{
    memset(model->cells[row][from], 0, (model->columns - from) * sizeof model->cells[0][0]);
}

static void model_sequence(screen_model *model, char final, const char *numbers)
{
    const size_t number = numbers[0] >= '0' && numbers[0] <= '9' ? (size_t)atol(numbers) : 1;
    if (final == 'm' || (numbers[0] == '?' && (final == 'h' || final == 'l')))
        return;
    model->wraps = false;
    if (final == 'A')
        model->row -= number > model->row ? model->row : number;
    else if (final == 'B')
        model->row = model->row + number < model->rows ? model->row + number : model->rows - 1;
    else if (final == 'C')
        model->column = model->column + number < model->columns ? model->column + number : model->columns - 1;
    else if (final == 'H')
        model->row = model->column = 0;
    else if (final == 'K' || final == 'J')
        model_erase(model, model->row, numbers[0] == '2' ? 0 : model->column);
    else
        FAIL("the terminal got ESC [ %s %c", numbers, final);
    for (size_t row = numbers[0] == '2' ? 0 : model->row + 1; final == 'J' && row < model->rows; row++)
        model_erase(model, row, 0);
}

__attribute__((unused)) static void model_write(screen_model *model, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t code;
        const size_t length = utf8_decode(bytes + i, size - i, &code);
        if (code == '\r') {
            model->column = 0;
            model->wraps = false;
        } else if (code == '\n') {
            model_feed_line(model);
            model->wraps = false;
        } else if (code == 0x1B) {
            char numbers[32] = "";
            size_t k = i + 2;
            ASSERT(i + 2 < size && bytes[i + 1] == '[');
            while (k < size && bytes[k] < 0x40 && k - i - 2 < sizeof numbers - 1) {
                numbers[k - i - 2] = bytes[k];
                k++;
            }
            ASSERT(k < size);
            model_sequence(model, bytes[k], numbers);
            i = k;
        } else {
            ASSERT(code != UTF8_BAD && code >= 0x20 && !(code >= 0x7F && code < 0xA0));
            model_put(model, bytes + i, length, code);
        }
        i += length;
    }
}

/* A row as text, without spaces at its end. */
__attribute__((unused)) static const char *model_row(const screen_model *model, size_t row)
{
    static char text[MODEL_COLUMNS * 32];
    size_t size = 0, last = 0;
    for (size_t column = 0; column < model->columns; column++) {
        const char *cell = model->cells[row][column];
        if (cell[0] == '\001')
            continue;
        const size_t length = cell[0] != '\0' ? strlen(cell) : 1;
        memcpy(text + size, cell[0] != '\0' ? cell : " ", length);
        size += length;
        if (cell[0] != '\0' && strcmp(cell, " ") != 0)
            last = size;
    }
    text[last] = '\0';
    return text;
}

#endif
