/* The line editor, fed with the bytes of keys. */

#include "editor_setup.h"

#define UP          "\033[A"
#define DOWN        "\033[B"
#define LEFT        "\033[D"
#define RIGHT       "\033[C"
#define PASTE(text) "\033[200~" text "\033[201~"

typedef struct key_case {
    const char *keys, *text;
} key_case;

static void check_cases(const key_case *cases, size_t count, const line_settings *settings)
{
    for (size_t i = 0; i < count; i++) {
        editor_setup setup;
        setup_begin(&setup, settings, 80, 24);
        setup_type(&setup, cases[i].keys);
        const char *text = setup_text(&setup);
        if (strcmp(text, cases[i].text) != 0)
            FAIL("keys %zu, \"%s\": the text is \"%s\", expected \"%s\"", i, cases[i].keys, text, cases[i].text);
        line_editor_free(setup.editor);
    }
}

#define CHECK(cases, settings) check_cases(cases, sizeof cases / sizeof cases[0], settings)

TEST(keys_of_emacs_move_and_change)
{
    static const key_case cases[] = {
        {"abc\001x", "xabc"},          /* Ctrl-A */
        {"abc\001\005x", "abcx"},      /* Ctrl-E */
        {"abc" LEFT LEFT "x", "axbc"}, /* by characters */
        {"h\xC3\xA9\xE6\x97\xA5" LEFT LEFT "x", "hx\xC3\xA9\xE6\x97\xA5"},
        {"e\xCC\x81z" LEFT LEFT "x", "xe\xCC\x81z"},                /* over a letter with its mark */
        {"e\xCC\x81\177z", "z"},                                    /* both go */
        {"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB\177z", "z"}, /* joined */
        {"one two\033bx", "one xtwo"},                              /* Alt-B */
        {"one two\001\033fx", "onex two"},                          /* Alt-F */
        {"one two\033[1;5Dx", "one xtwo"},                          /* Ctrl-Left */
        {"one two\001\033[1;5Cx", "onex two"},                      /* Ctrl-Right */
        {"one two\001\013", ""},                                    /* Ctrl-K */
        {"one two\027x", "one x"},                                  /* Ctrl-W */
        {"one two\025x", "x"},                                      /* Ctrl-U */
        {"a.b c.d\033\177x", "a.b c.x"},                            /* Alt-Backspace */
        {"one two\001\033dx", "x two"},                             /* Alt-D */
        {"one two\027\027\031", "one two"},                         /* two cuts, one yank */
        {"one two\027\001\013\031\031", "one one "},
        {"one\025two\025\031\033y", "one"},   /* Alt-Y */
        {"ab\024", "ba"},                     /* Ctrl-T */
        {"one two\001\033u\033c", "ONE Two"}, /* Alt-U, Alt-C */
        {"ONE\001\033l", "one"},              /* Alt-L */
        {"abc\001\004", "bc"},                /* Ctrl-D */
        {"abc\001\033[3~", "bc"},             /* Delete */
        {"abc\001\033[4~x\033[1~y", "yabcx"}, /* End, Home */
        {"abc\037", ""},                      /* Ctrl-_: what was typed is one change */
        {"abc" LEFT "x\037", "abc"},
        {"abc\025\037", "abc"},
        {"abc\025\037\037\033_", "abc"}, /* undone twice, made once again */
        {"abc\030\025", ""},             /* Ctrl-X Ctrl-U */
        {"a\021\001b", "a\001b"},        /* Ctrl-Q Ctrl-A */
        {"a\033\rb", "a\nb"},            /* Alt-Enter */
        {"ab\033\rcd" UP "x", "abx\ncd"},
        {"abcd\033\rc" UP "x" DOWN "y", "axbcd\ncy"},
        {"ab\033\rcd\013\001\177x", "abxcd"},
        {"a\033[99~b\033Oc", "ab"},   /* sequences that mean nothing */
        {"a\xFF\xC3z", "a\xFF\xC3z"}, /* no UTF-8: kept as it is */
        {"a\xC3\033[Dz", "az\xC3"},
    };
    CHECK(cases, &(line_settings){0});
}

/* Feeds pieces, at '|' none for as long as the editor waits. */
static void type_pieces(editor_setup *setup, const char *pieces)
{
    for (; *pieces != '\0'; pieces++) {
        size_t taken = 0;
        if (*pieces == '|')
            setup->outcome = line_editor_idle(setup->editor);
        while (*pieces != '|' && taken == 0) /* a byte may be given again */
            setup->outcome = line_editor_feed(setup->editor, pieces, 1, &taken);
        if (setup->outcome == LINE_ENTERED)
            line_editor_begin(setup->editor, "> ", ">> ");
    }
}

TEST(a_key_that_comes_in_pieces_is_a_key)
{
    static const struct {
        const char *pieces, *expected;
    } cases[] = {
        {"ab\033|[Dx", "axb"}, /* the Escape was a key alone meanwhile */
        {"ab\033|[1;5Dx", "xab"}, {"ab\033|OHx", "xab"},
        {"one\r\033|[A", "one"},  {"ab\033||[Dx", "ab[Dx"}, /* too late: it was typed */
        {"ab\033|[|Dx", "ab[Dx"}, {"ab\033|[x", "ab[x"},
        {"ab\033|O|x", "abOx"},   {"ab\033|[12345|x", "ab[12345x"},
        {"ab\033|Out", "abOut"},  {"ab\033|[1\001x", "xab[1"},
        {"ab\033|c", "abc"},      {"ab\033[|Dx", "abDx"}, /* begun and broken off */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        editor_setup setup;
        setup_begin(&setup, &(line_settings){0}, 40, 10);
        type_pieces(&setup, cases[i].pieces);
        ASSERT_TEXT(cases[i].expected, setup_text(&setup));
        line_editor_free(setup.editor);
    }
}

static bool ends_in_semicolon(void *user, const char *text, size_t size)
{
    (void)user;
    return size > 0 && text[size - 1] == ';';
}

TEST(lines_are_begun_until_the_entry_is_whole_and_indented_as_blocks_are)
{
    const line_settings settings = {.is_whole = ends_in_semicolon};
    editor_setup setup;
    setup_begin(&setup, &settings, 40, 10);
    setup_type(&setup, "for i = 1, 2 do\rif x then\ry()\relse\rz { \r1 }\rend\rend;\r");
    ASSERT_EQ(LINE_ENTERED, setup.outcome);
    ASSERT_TEXT("for i = 1, 2 do\n  if x then\n    y()\n  else\n    z { \n      1 }\n    end\n  end;",
                setup_text(&setup));
    line_editor_free(setup.editor);
    setup_begin(&setup, &settings, 40, 10);
    setup_type(&setup, "f(function()\rx()\rend)\r;\r");
    ASSERT_TEXT("f(function()\n  x()\nend)\n;", setup_text(&setup));
    ASSERT_TEXT(">> end)", model_row(&setup.screen, 2));
    line_editor_free(setup.editor);
}

TEST(entries_end_by_their_keys)
{
    static const struct {
        const char *keys;
        line_outcome outcome;
    } cases[] = {{"a\r", LINE_ENTERED},       {"a\n", LINE_ENTERED},     {"\004", LINE_ENDED},
                 {"a\003", LINE_INTERRUPTED}, {"a\032", LINE_SUSPENDED}, {"a\030\005", LINE_EXTERNAL},
                 {"a\004", LINE_GOES_ON}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        editor_setup setup;
        setup_begin(&setup, &(line_settings){0}, 80, 24);
        setup_type(&setup, cases[i].keys);
        ASSERT_EQ(cases[i].outcome, setup.outcome);
        line_editor_free(setup.editor);
    }
}

TEST(entries_are_recalled_whole_and_once)
{
    static const key_case cases[] = {
        {"one\rtwo\r" UP, "two"},
        {"one\rtwo\r" UP UP, "one"},
        {"one\rtwo\r" UP UP UP, "one"},
        {"one\rtwo\rnew" UP UP DOWN DOWN, "new"},
        {"one\rtwo\rone\r" UP UP, "two"}, /* "one" is there once */
        {"one\rtwo\rone\r" UP UP UP, "two"},
        {"a\033\rb\rtwo\r" UP UP, "a\nb"},
        {"a = 1\rb = 2\ra = 3\ra\033p", "a = 3"},
        {"a = 1\rb = 2\ra = 3\ra\033p\033p", "a = 1"},
        {"a = 1\rb = 2\ra = 3\ra\033p\033p\033n", "a = 3"},
        {"one\rtwo\r\033<", "one"},
        {"one\rtwo\rx\033<\033>", "x"},
        {"  \r\rone\r" UP UP, "one"}, /* empty entries are none */
    };
    CHECK(cases, &(line_settings){0});
}

TEST(a_search_finds_what_is_typed_and_goes_on)
{
    static const key_case cases[] = {
        {"alpha = 1\rbeta = 2\ralpha = 3\r\022alp", "alpha = 3"},
        {"alpha = 1\rbeta = 2\ralpha = 3\r\022alp\022", "alpha = 1"},
        {"alpha = 1\rbeta = 2\ralpha = 3\r\022alp\022\023", "alpha = 3"},
        {"alpha = 1\rbeta = 2\r\022alpx", "alpha = 1"}, /* failed: what was found stays */
        {"alpha = 1\rbeta = 2\r\022alpx\177", "alpha = 1"},
        {"alpha = 1\rbeta = 2\rnew\022alp\007", "new"},         /* Ctrl-G */
        {"alpha = 1\rbeta = 2\r\020x\022alp\007", "beta = 2x"}, /* of an entry that was recalled, and changed */
        {"alpha = 1\rbeta = 2\r\022alp\005x", "alpha = 1x"},    /* another key ends it and does what it does */
        {"alpha = 1\rbeta = 2\r\022alp" RIGHT "x", "alpha = 1x"},
        {"a\xC3\xA9 = 1\rbeta = 2\r\022\xC3\xA9", "a\xC3\xA9 = 1"},
    };
    CHECK(cases, &(line_settings){0});
    editor_setup setup;
    setup_begin(&setup, &(line_settings){0}, 80, 24);
    setup_type(&setup, "alpha = 1\rbeta\r\022lph");
    ASSERT_TEXT("(reverse-i-search)`lph': alpha = 1", model_row(&setup.screen, 2));
    setup_type(&setup, "x");
    ASSERT_TEXT("(failed reverse-i-search)`lphx': alpha = 1", model_row(&setup.screen, 2));
    line_editor_free(setup.editor);
}

TEST(what_is_pasted_runs_nothing_and_loses_our_prompts)
{
    static const key_case cases[] = {
        {PASTE("one\ntwo") "x", "one\ntwox"},
        {PASTE("one\r\ntwo\r"), "one\ntwo"},
        {PASTE("\ta\n  b\n"), "\ta\n  b"}, /* nothing is indented */
        {PASTE("> a = 1\n>> + 2\n3\n> b\n"), "a = 1\n+ 2\nb"},
        {PASTE("    > f(\n    >>   1)\n    1\n"), "f(\n  1)"},
        {PASTE("> f(\n>>\n>> 1)"), "f(\n\n1)"},
        {"x = [[\033\r" PASTE("> quoted") "]]", "x = [[\n> quoted]]"},
        {PASTE("a > b"), "a > b"},
        {PASTE("a\033[31mb\033[201c"), "a\033[31mb\033[201c"}, /* sequences are text */
        {"a" PASTE("b") "\037", "a"},
        {"a" PASTE(""), "a"},
    };
    CHECK(cases, &(line_settings){0});
}

TEST(an_entry_has_a_most_of_bytes)
{
    editor_setup setup;
    setup_begin(&setup, &(line_settings){.most_bytes = 100}, 80, 24);
    for (int i = 0; i < 30; i++)
        setup_type(&setup, "abcdefghij");
    ASSERT_EQ(100, strlen(setup_text(&setup)));
    setup_type(&setup, "\001\013\031\031\031");
    ASSERT_EQ(100, strlen(setup_text(&setup)));
    line_editor_free(setup.editor);
}

static void complete_names(void *user, const line_question *question, line_candidates *to)
{
    static const char *const names[] = {"print", "printf", "pairs", "select"};
    size_t start = question->cursor;
    while (start > 0 && question->text[start - 1] >= 'a' && question->text[start - 1] <= 'z')
        start--;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !question->in_comment; i++)
        if (strncmp(names[i], question->text + start, question->cursor - start) == 0)
            line_candidates_add(to, start, names[i], strlen(names[i]), user);
}

TEST(tab_completes_and_shows_what_there_is)
{
    static const key_case cases[] = {
        {"x = se\t(", "x = select("},
        {"pr\tx", "printx"}, /* what they have in common */
        {"p\t\t", "print"},
        {"p\t\t\t", "printf"},
        {"p\t\t\t\t", "pairs"},
        {"p\t\033[Z", "pairs"},
        {"p\t\t\t\t\t", "print"}, /* around */
        {"\tx", "  x"},           /* at the start of a line */
        {"zz\tx", "zzx"},
        {"-- se\t", "-- se"},
        {"'se\t", "'select"},
        {"p\t\007x", "px"}, /* Ctrl-G ends the menu */
    };
    CHECK(cases, &(line_settings){.complete = complete_names});
    editor_setup setup;
    setup_begin(&setup, &(line_settings){.complete = complete_names, .user = "helps"}, 80, 24);
    setup_type(&setup, "p\t");
    ASSERT_TEXT("> p", model_row(&setup.screen, 0));
    ASSERT_TEXT("print   helps", model_row(&setup.screen, 1));
    ASSERT_TEXT("pairs   helps", model_row(&setup.screen, 3));
    setup_type(&setup, "x");
    ASSERT_TEXT("> px", model_row(&setup.screen, 0));
    ASSERT_TEXT("", model_row(&setup.screen, 1));
    line_editor_free(setup.editor);
}

TEST(a_hint_is_shown_and_taken)
{
    static const key_case cases[] = {
        {"x = alpha + 1\rx =" RIGHT, "x ="}, /* not shown yet */
    };
    CHECK(cases, &(line_settings){.colours = true});
    editor_setup setup;
    setup_begin(&setup, &(line_settings){.colours = true}, 80, 24);
    setup_type(&setup, "x = alpha + 1\r");
    line_editor_begin(setup.editor, "> ", ">> ");
    setup_type(&setup, "x =");
    ASSERT_TEXT("> x = alpha + 1", model_row(&setup.screen, 1));
    ASSERT_TEXT("x =", setup_text(&setup));
    setup_type(&setup, "\033f");
    ASSERT_TEXT("x = alpha", setup_text(&setup));
    setup_type(&setup, RIGHT);
    ASSERT_TEXT("x = alpha + 1", setup_text(&setup));
    line_editor_free(setup.editor);
}

/* As many bytes as there is room for may end within a character, in any of its bytes. */
TEST(a_hint_has_whole_characters)
{
    for (int before = 2; before < 7; before++) {
        char keys[1024];
        int size = snprintf(keys, sizeof keys, "%.*s", before, "xxxxxx");
        for (int i = 0; i < 200; i++)
            size += snprintf(keys + size, sizeof keys - (size_t)size, i % 2 ? "\xE6\x97\xA5" : "\xF0\x9F\x98\x80");
        snprintf(keys + size, sizeof keys - (size_t)size, "\r");
        editor_setup setup;
        setup_begin(&setup, &(line_settings){.colours = true}, 80, 24);
        setup_type(&setup, keys);
        line_editor_begin(setup.editor, "> ", ">> ");
        setup_type(&setup, "xx");
        setup_type(&setup, RIGHT);
        const char *text = setup_text(&setup);
        const size_t taken = strlen(text);
        ASSERT(taken > 500 && taken < (size_t)size && memcmp(text, keys, taken) == 0);
        ASSERT(((unsigned char)keys[taken] & 0xC0) != 0x80);
        line_editor_free(setup.editor);
    }
}

TEST(bytes_may_come_one_by_one)
{
    static const char keys[] = "h\xC3\xA9" PASTE("\xE6\x97\xA5\nx") "\033[1;5D"
                                                                    "z\033b\033[3~";
    editor_setup whole, single;
    setup_begin(&whole, &(line_settings){0}, 80, 24);
    setup_begin(&single, &(line_settings){0}, 80, 24);
    setup_type(&whole, keys);
    for (size_t i = 0; i + 1 < sizeof keys; i++) {
        size_t taken;
        ASSERT_EQ(LINE_GOES_ON, line_editor_feed(single.editor, keys + i, 1, &taken));
        ASSERT_EQ(1, taken);
        line_editor_paint(single.editor);
    }
    char text[100];
    strcpy(text, setup_text(&whole));
    ASSERT_TEXT(text, setup_text(&single));
    line_editor_free(whole.editor);
    line_editor_free(single.editor);
}

TEST_MAIN(RUN(keys_of_emacs_move_and_change); RUN(a_key_that_comes_in_pieces_is_a_key);
          RUN(lines_are_begun_until_the_entry_is_whole_and_indented_as_blocks_are); RUN(entries_end_by_their_keys);
          RUN(entries_are_recalled_whole_and_once); RUN(a_search_finds_what_is_typed_and_goes_on);
          RUN(what_is_pasted_runs_nothing_and_loses_our_prompts); RUN(an_entry_has_a_most_of_bytes);
          RUN(tab_completes_and_shows_what_there_is); RUN(a_hint_is_shown_and_taken); RUN(a_hint_has_whole_characters);
          RUN(bytes_may_come_one_by_one))
