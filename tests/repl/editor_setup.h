#ifndef MOONPOD_TESTS_EDITOR_SETUP_H
#define MOONPOD_TESTS_EDITOR_SETUP_H

/* editor_setup - a line editor that is fed, and the screen that it is seen on. */

#include "editor/line_editor.h"
#include "screen_model.h"

typedef struct editor_setup {
    line_editor *editor;
    screen_model screen;
    line_outcome outcome;
} editor_setup;

/* Takes what the editor wrote to the screen. */
__attribute__((unused)) static void setup_show(editor_setup *setup)
{
    size_t size;
    line_editor_paint(setup->editor);
    const char *bytes = line_editor_output(setup->editor, &size);
    model_write(&setup->screen, bytes, size);
}

__attribute__((unused)) static void setup_begin(editor_setup *setup, const line_settings *settings, size_t columns,
                                                size_t rows)
{
    setup->editor = line_editor_new(settings);
    ASSERT(setup->editor != NULL);
    line_editor_resize(setup->editor, columns, rows);
    model_begin(&setup->screen, columns, rows);
    setup->outcome = LINE_GOES_ON;
    line_editor_begin(setup->editor, "> ", ">> ");
    size_t size;
    const char *bytes = line_editor_output(setup->editor, &size); /* of the entry that was begun first */
    model_write(&setup->screen, bytes, size);
    setup_show(setup);
}

/* Feeds keys; those behind an outcome begin the next entry. */
__attribute__((unused)) static void setup_type_bytes(editor_setup *setup, const char *keys, size_t size)
{
    while (size > 0) {
        size_t taken;
        setup->outcome = line_editor_feed(setup->editor, keys, size, &taken);
        keys += taken;
        size -= taken;
        if (setup->outcome != LINE_GOES_ON && size > 0) {
            setup_show(setup);
            line_editor_begin(setup->editor, "> ", ">> ");
        }
    }
    if (line_editor_waits(setup->editor))
        setup->outcome = line_editor_idle(setup->editor);
    setup_show(setup);
}

__attribute__((unused)) static void setup_type(editor_setup *setup, const char *keys)
{
    setup_type_bytes(setup, keys, strlen(keys));
}

__attribute__((unused)) static const char *setup_text(const editor_setup *setup)
{
    static char text[65536];
    size_t size;
    const char *bytes = line_editor_text(setup->editor, &size);
    ASSERT(size < sizeof text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

#endif
