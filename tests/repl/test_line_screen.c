/* What is seen of an entry: widths, wrapping, windows, resizing; and that painting differences shows what painting all
 * does. */

#include "editor_setup.h"

#include <locale.h>

#include "base/random.h"
#include "editor/screen.h"

TEST(widths_are_those_of_a_terminal)
{
    static const struct {
        uint32_t first, last;
        int width;
    } known[] = {
        {0x20, 0x7E, 1},       {0xA0, 0x2FF, 1},        {0x300, 0x36F, 0},     {0x391, 0x3A1, 1},   /* Greek */
        {0x1100, 0x115F, 2},   {0x1160, 0x11FF, 0},     {0x200B, 0x200F, 0},   {0x2500, 0x257F, 1}, /* boxes */
        {0x3041, 0x3096, 2},   {0x4E00, 0x9FA5, 2},     {0xAC00, 0xD7A3, 2},   {0xE000, 0xF8FF, 1}, /* private */
        {0xFE00, 0xFE0F, 0},   {0xFF01, 0xFF5E, 2},     {0x1F600, 0x1F64F, 2}, {0x20000, 0x2A6D6, 2},
        {0x3FF00, 0x3FFFD, 2}, {UTF8_BAD, UTF8_BAD, 1}, {0xE0100, 0xE01EE, 0}, /* musl counts the next */
    };
    const char *before = setlocale(LC_CTYPE, NULL);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (uint32_t code = known[i].first;; code++) {
            if (utf8_width(code) != known[i].width)
                FAIL("U+%04X has width %d, not %d", (unsigned)code, utf8_width(code), known[i].width);
            if (code == known[i].last)
                break;
        }
    ASSERT_TEXT(before, setlocale(LC_CTYPE, NULL));
}

/* Writes a character, at most 4 bytes; returns how many. */
static size_t encode(uint32_t code, char *text)
{
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        text[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    text[0] = (char)((0xF00 >> length & 0xF0) | code);
    return length;
}

TEST(what_is_encoded_is_decoded)
{
    for (uint32_t code = 0; code < 0x110000; code++) {
        char text[4];
        uint32_t again;
        if (code >= 0xD800 && code < 0xE000)
            continue;
        const size_t size = encode(code, text);
        ASSERT_EQ(size, utf8_decode(text, size, &again));
        ASSERT_EQ(code, again);
        for (size_t cut = 1; cut < size; cut++) {
            ASSERT_EQ(1, utf8_decode(text, cut, &again));
            ASSERT_EQ(UTF8_BAD, again);
        }
    }
    static const char *const bad[] = {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xFF"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t code;
        ASSERT_EQ(1, utf8_decode(bad[i], strlen(bad[i]), &code));
        ASSERT_EQ(UTF8_BAD, code);
    }
}

static void check_row(const editor_setup *setup, size_t row, const char *text)
{
    ASSERT_TEXT(text, model_row(&setup->screen, row));
}

TEST(a_line_wraps_at_the_edge_and_a_wide_character_is_not_divided)
{
    editor_setup setup;
    setup_begin(&setup, &(line_settings){0}, 20, 10);
    setup_type(&setup, "123456789012345678"); /* with the prompt: a full row */
    check_row(&setup, 0, "> 123456789012345678");
    ASSERT_EQ(1, setup.screen.row);
    ASSERT_EQ(0, setup.screen.column);
    setup_type(&setup, "9\001");
    check_row(&setup, 1, "9");
    ASSERT_EQ(0, setup.screen.row);
    ASSERT_EQ(2, setup.screen.column);
    setup_type(&setup, "\005\02512345678901234567\xE6\x97\xA5"); /* one column is free: it needs two */
    check_row(&setup, 0, "> 12345678901234567");
    check_row(&setup, 1, "\xE6\x97\xA5");
    ASSERT_EQ(2, setup.screen.column);
    setup_type(&setup, "\002");
    ASSERT_EQ(1, setup.screen.row);
    ASSERT_EQ(0, setup.screen.column);
    setup_type(&setup, "\025"
                       "e\xCC\x81\t\001\033[C"); /* a mark takes no column; Tab at the start indents */
    ASSERT_EQ(3, setup.screen.column);
    line_editor_free(setup.editor);
}

TEST(what_is_no_text_is_made_visible)
{
    editor_setup setup;
    setup_begin(&setup, &(line_settings){0}, 80, 10);
    setup_type(&setup, "\033[200~a\033b\x07"
                       "c\xFFz\tq\xE2\x80\xAE\xC2\x9B\033[201~");
    check_row(&setup, 0, "> a^[b^Gc\xEF\xBF\xBDz    q\xEF\xBF\xBD\xEF\xBF\xBD");
    line_editor_free(setup.editor);
}

TEST(an_entry_taller_than_the_screen_is_seen_around_the_cursor)
{
    editor_setup setup;
    setup_begin(&setup, &(line_settings){0}, 20, 4);
    setup_type(&setup, "1\033\r2\033\r3\033\r4\033\r5\033\r6");
    check_row(&setup, 0, ">> 3");
    check_row(&setup, 3, ">> 6");
    setup_type(&setup, "\033[A\033[A\033[A\033[A");
    check_row(&setup, 0, ">> 2");
    check_row(&setup, 3, ">> 5");
    ASSERT_EQ(0, setup.screen.row);
    setup_type(&setup, "\033[A");
    check_row(&setup, 0, "> 1");
    setup_type(&setup, "\r");
    line_editor_begin(setup.editor, "> ", ">> ");
    setup_show(&setup);
    check_row(&setup, 3, ">");
    check_row(&setup, 2, ">> 6");
    line_editor_free(setup.editor);
}

TEST(others_may_write_while_the_entry_is_hidden)
{
    editor_setup setup;
    size_t size;
    setup_begin(&setup, &(line_settings){0}, 40, 10);
    setup_type(&setup, "one\033\rtwo\033[D");
    line_editor_hide(setup.editor);
    const char *bytes = line_editor_output(setup.editor, &size);
    model_write(&setup.screen, bytes, size);
    check_row(&setup, 0, "");
    check_row(&setup, 1, "");
    model_write(&setup.screen, "above\r\n", 7);
    setup_show(&setup);
    check_row(&setup, 0, "above");
    check_row(&setup, 1, "> one");
    check_row(&setup, 2, ">> two");
    ASSERT_EQ(5, setup.screen.column);
    line_editor_free(setup.editor);
}

TEST(a_prompt_stands_in_a_line_of_its_own)
{
    editor_setup setup;
    setup_begin(&setup, &(line_settings){0}, 40, 10);
    setup_type(&setup, "x\r");
    model_write(&setup.screen, "no newline", 10);
    line_editor_begin(setup.editor, "> ", ">> ");
    setup_show(&setup);
    check_row(&setup, 1, "no newline");
    check_row(&setup, 2, ">");
    line_editor_free(setup.editor);
}

TEST(without_colours_there_are_none)
{
    size_t size;
    for (int colours = 0; colours < 2; colours++) {
        line_editor *editor = line_editor_new(&(line_settings){.colours = colours});
        line_editor_begin(editor, "\033[1m> \033[m", ">> ");
        ASSERT_EQ(LINE_GOES_ON, line_editor_feed(editor, "local x = ({ 'a', 12 })", 23, &size));
        line_editor_paint(editor);
        const char *bytes = line_editor_output(editor, &size);
        bool found = false;
        for (size_t i = 0; i + 1 < size; i++)
            if (bytes[i] == '\033' && bytes[i + 1] == '[') {
                for (i += 2; bytes[i] < 0x40; i++)
                    continue;
                found = found || bytes[i] == 'm';
            }
        ASSERT_EQ(colours, found);
        line_editor_free(editor);
    }
}

/* ---- random keys ---- */

static size_t random_key(pod_random_stream *random, char *keys)
{
    static const char *const list[] = {
        "a",
        "b",
        " ",
        "(",
        ")",
        "'",
        "end",
        "\xC3\xA9",
        "\xE6\x97\xA5",
        "e\xCC\x81",
        "\xF0\x9F\x98\x80",
        "--",
        "12",
        "\033[A",
        "\033[B",
        "\033[C",
        "\033[D",
        "\033[H",
        "\033[F",
        "\033\r",
        "\177",
        "\004x",
        "\001",
        "\005",
        "\013",
        "\025",
        "\027",
        "\031",
        "\033y",
        "\033b",
        "\033f",
        "\033d",
        "\024",
        "\037",
        "\033_",
        "\033u",
        "\022a",
        "\007",
        "\t",
        "\033[Z",
        "\r",
        "\033[200~x\ny\xE6\x97\xA5\033[201~",
        "\014",
        "\033p",
        "\xFF",
        "\021\033",
        "\033<",
        "long words that fill a row of the screen, and more of them",
    };
    const char *key = list[pod_random_below(random, sizeof list / sizeof list[0])];
    memcpy(keys, key, strlen(key));
    return strlen(key);
}

/* Takes away what is there and paints all: it must look the same. */
static void check_whole_painting(editor_setup *setup, uint64_t seed, int step)
{
    static screen_model before;
    size_t size;
    before = setup->screen;
    line_editor_hide(setup->editor);
    setup_show(setup);
    for (size_t row = 0; row < before.rows; row++) {
        char text[MODEL_COLUMNS * 32];
        strcpy(text, model_row(&before, row));
        if (strcmp(text, model_row(&setup->screen, row)) != 0)
            FAIL("seed %llu, step %d, row %zu was \"%s\", and is \"%s\"", (unsigned long long)seed, step, row, text,
                 model_row(&setup->screen, row));
    }
    (void)line_editor_text(setup->editor, &size);
    ASSERT_EQ(before.row, setup->screen.row);
    ASSERT_EQ(before.column, setup->screen.column);
}

TEST(painting_what_differs_shows_what_painting_all_does)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        pod_random_stream random;
        editor_setup setup;
        const line_settings settings = {.colours = seed % 2 == 1, .most_bytes = 400};
        pod_random_stream_init(&random, seed, 0);
        setup_begin(&setup, &settings, 8 + (size_t)pod_random_below(&random, 60), 60);
        for (int step = 0; step < 100; step++) {
            char keys[200];
            const size_t size = random_key(&random, keys);
            setup_type_bytes(&setup, keys, size);
            if (setup.outcome == LINE_GOES_ON) {
                check_whole_painting(&setup, seed, step);
            } else {
                line_editor_begin(setup.editor, "> ", ">> ");
                setup_show(&setup);
            }
        }
        line_editor_free(setup.editor);
    }
}

/* ---- what others write ---- */

/* The rows above the entry are those of a terminal that got the text alone. */
static void check_above(editor_setup *setup, const screen_model *alone, uint64_t seed, int step)
{
    char text[MODEL_COLUMNS * 32];
    const size_t rows = alone->row + (model_row(alone, alone->row)[0] != '\0');
    for (size_t row = 0; row < rows; row++) {
        strcpy(text, model_row(alone, row));
        if (strcmp(text, model_row(&setup->screen, row)) != 0)
            FAIL("seed %llu, step %d, row %zu is \"%s\", and was written as \"%s\"", (unsigned long long)seed, step,
                 row, model_row(&setup->screen, row), text);
    }
    const char *entry = model_row(&setup->screen, rows);
    if (entry[0] != '>' && entry[0] != '(')
        FAIL("seed %llu, step %d: the entry begins with \"%s\"", (unsigned long long)seed, step, entry);
}

static void print_above(editor_setup *setup, screen_model *alone, const char *text)
{
    size_t size;
    line_editor_print(setup->editor, text, strlen(text));
    const char *bytes = line_editor_output(setup->editor, &size);
    model_write(&setup->screen, bytes, size);
    for (; *text != '\0'; text++) { /* as the terminal's driver hands it on */
        const size_t length = *text == '\n' ? 0 : strcspn(text, "\n");
        model_write(alone, length > 0 ? text : "\r\n", length > 0 ? length : 2);
        text += length > 0 ? length - 1 : 0;
    }
    setup_show(setup);
}

TEST(what_others_write_stands_above_whole_and_in_order)
{
    static const char *const pieces[] = {"a line\n",
                                         "a part",
                                         "\r37 %",
                                         "\xE6\x97\xA5\xE6\x9C\xAC\xE6\x97\xA5\n",
                                         "\033[31mred",
                                         "\033[m\n",
                                         "two\nlines",
                                         "\n",
                                         "a line that is longer than some of the terminals are wide\n"};
    for (uint64_t seed = 0; seed < 100; seed++) {
        pod_random_stream random;
        editor_setup setup;
        static screen_model alone;
        const line_settings settings = {.colours = seed % 2 == 1, .most_bytes = 60};
        const size_t columns = 24 + (size_t)pod_random_below(&random, 60);
        pod_random_stream_init(&random, seed, 0);
        setup_begin(&setup, &settings, columns, MODEL_ROWS);
        model_begin(&alone, columns, MODEL_ROWS);
        for (int step = 0; step < 60 && alone.row < MODEL_ROWS / 2; step++) {
            char keys[200] = "";
            const size_t size = random_key(&random, keys);
            if (pod_random_below(&random, 3) == 0)
                print_above(&setup, &alone, pieces[pod_random_below(&random, sizeof pieces / sizeof pieces[0])]);
            else if (strchr("\r\004\014", keys[0]) == NULL) /* no entry ends, and nothing clears the screen */
                setup_type_bytes(&setup, keys, size);
            check_above(&setup, &alone, seed, step);
            check_whole_painting(&setup, seed, step);
        }
        line_editor_free(setup.editor);
    }
}

TEST(what_is_written_in_pieces_is_the_same_text)
{
    static const char text[] =
        "a\tb\xC3\xA9\n\033[1;31mred\033[0m, \xF0\x9F\x98\x80\b\a\r\n\033]0;title\007end\xFF\xC2\x9B\n";
    editor_setup setup;
    size_t size;
    setup_begin(&setup, &(line_settings){0}, 40, 10);
    for (size_t i = 0; i < sizeof text - 1; i++) {
        line_editor_print(setup.editor, text + i, 1);
        if (i < 30) { /* the title is not for the model of a terminal */
            const char *bytes = line_editor_output(setup.editor, &size);
            char kept[4096];
            size_t to = 0;
            for (size_t k = 0; k < size; k++)
                if (bytes[k] != '\b' && bytes[k] != '\a')
                    kept[to++] = bytes[k];
            model_write(&setup.screen, kept, to);
        }
    }
    check_row(&setup, 0, "a       b\xC3\xA9");
    check_row(&setup, 1, "red, \xF0\x9F\x98\x80");
    const char *bytes = line_editor_output(setup.editor, &size);
    ASSERT(strstr(bytes, "\033]0;title\007") != NULL);
    ASSERT(strstr(bytes, "end\xEF\xBF\xBD\xEF\xBF\xBD\r\n") != NULL);
    line_editor_free(setup.editor);
}

TEST(letters_beyond_ascii_are_whole_where_there_are_colours)
{
    editor_setup setup;
    setup_begin(&setup, &(line_settings){.colours = true}, 40, 10);
    setup_type(&setup, "gr\xC3\xB6\xC3\x9F"
                       "e = \xE6\x97\xA5");
    check_row(&setup, 0,
              "> gr\xC3\xB6\xC3\x9F"
              "e = \xE6\x97\xA5");
    line_editor_free(setup.editor);
}

/* All that is painted of a view on a screen that knows its text. */
static void paint_anew(screen *on, const screen_view *view, byte_string *painted)
{
    screen_clear(on);
    on->out.size = 0;
    ASSERT(screen_paint(on, view));
    painted->size = 0;
    ASSERT(byte_string_add(painted, on->out.data, on->out.size));
}

/* Texts long enough that places in them are remembered: after each change the window is as without. */
TEST(what_is_remembered_of_a_long_entry_changes_nothing_that_is_seen)
{
    static const char *const pieces[] = {"x = 1\n",
                                         "local y = 'text'\n",
                                         "--[[",
                                         "]]",
                                         "\n",
                                         "\"",
                                         "[==[ long\n",
                                         "]==]",
                                         "f({ 2, 3 })\n",
                                         "-- comment\n",
                                         "\xE6\x97\xA5 ",
                                         "a_long_name_and_more_of_it = { }\n"};
    const size_t piece_count = sizeof pieces / sizeof pieces[0];
    for (uint64_t seed = 0; seed < 20; seed++) {
        static char text[200000];
        size_t size = 0;
        pod_random_stream random;
        screen kept = {0};
        byte_string seen = {0}, expected = {0};
        pod_random_stream_init(&random, seed, 0);
        while (size < 60000)
            size += (size_t)sprintf(text + size, "%s", pieces[pod_random_below(&random, seed % 2 ? 2 : piece_count)]);
        screen_resize(&kept, 20 + (size_t)pod_random_below(&random, 80), 10);
        screen_view view = {.prompt = "> ", .more = ">> ", .text = text, .colours = true, .chosen = SIZE_MAX};
        for (int step = 0; step < 60; step++) {
            const char *piece = pieces[pod_random_below(&random, piece_count)];
            const size_t length = strlen(piece), at = (size_t)pod_random_below(&random, size);
            memmove(text + at + length, text + at, size - at);
            memcpy(text + at, piece, length);
            size += length;
            view.size = size;
            view.unchanged = at;
            view.cursor = step % 3 == 0 ? at : step % 3 == 1 ? size : (size_t)pod_random_below(&random, size);
            paint_anew(&kept, &view, &seen);
            screen fresh = {0};
            screen_resize(&fresh, kept.columns, kept.height);
            fresh.first = kept.first;
            paint_anew(&fresh, &view, &expected);
            if (seen.size != expected.size || memcmp(seen.data, expected.data, seen.size) != 0)
                FAIL("seed %d, step %d: what is seen differs", (int)seed, step);
            screen_free(&fresh);
        }
        screen_free(&kept);
        byte_string_free(&seen);
        byte_string_free(&expected);
    }
}

TEST_MAIN(RUN(what_others_write_stands_above_whole_and_in_order); RUN(what_is_written_in_pieces_is_the_same_text);
          RUN(letters_beyond_ascii_are_whole_where_there_are_colours);
          RUN(what_is_remembered_of_a_long_entry_changes_nothing_that_is_seen); RUN(widths_are_those_of_a_terminal);
          RUN(what_is_encoded_is_decoded); RUN(a_line_wraps_at_the_edge_and_a_wide_character_is_not_divided);
          RUN(what_is_no_text_is_made_visible); RUN(an_entry_taller_than_the_screen_is_seen_around_the_cursor);
          RUN(others_may_write_while_the_entry_is_hidden); RUN(a_prompt_stands_in_a_line_of_its_own);
          RUN(without_colours_there_are_none); RUN(painting_what_differs_shows_what_painting_all_does))
