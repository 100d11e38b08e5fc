/* The line editor where memory runs out: nothing crashes or leaks, and the text stays one that was typed. The linker
 * puts the functions here in front of the C library's (--wrap). */

#include "editor_setup.h"

#include "base/random.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);
char *__wrap_strdup(const char *text);

static bool refusing;
static pod_random_stream refusals;
static long refused;

static bool refuses(void)
{
    const bool refuse = refusing && pod_random_below(&refusals, 3) == 0;
    refused += refuse;
    return refuse;
}

void *__wrap_malloc(size_t size)
{
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return refuses() ? NULL : __real_realloc(pointer, size);
}

char *__wrap_strdup(const char *text)
{
    return refuses() ? NULL : __real_strdup(text);
}

static void complete(void *user, const line_question *question, line_candidates *to)
{
    (void)user;
    line_candidates_add(to, question->cursor, "one", 3, "a help");
    line_candidates_add(to, question->cursor, "other", 5, NULL);
}

TEST(nothing_is_lost_but_what_there_was_no_memory_for)
{
    static const char keys[] = "for i = 1, 2 do\033\rprint(i)\033b\013\031\031\033y\037\037\033_\033\rend o\t\t\t\r"
                               "\033[A\033[A\022pri\022\007\033[200~> a\n>> b\nc\033[201~\033u\024\027\025\031\r";
    for (uint64_t seed = 0; seed < 500; seed++) {
        size_t size, taken;
        const line_settings settings = {.colours = true, .complete = complete};
        pod_random_stream_init(&refusals, seed, 0);
        refusing = seed % 10 == 0;
        line_editor *editor = line_editor_new(&settings);
        refusing = false;
        if (editor == NULL)
            continue;
        line_editor_begin(editor, "> ", ">> ");
        for (size_t at = 0; at < sizeof keys - 1; at += taken) {
            const size_t piece = sizeof keys - 1 - at < 7 ? sizeof keys - 1 - at : 7;
            refusing = true;
            const line_outcome outcome = line_editor_feed(editor, keys + at, piece, &taken);
            line_editor_paint(editor);
            (void)line_editor_output(editor, &size);
            if (outcome == LINE_ENTERED)
                line_editor_begin(editor, "> ", ">> ");
            refusing = false;
            const char *text = line_editor_text(editor, &size);
            for (size_t i = 0; i < size; i++)
                ASSERT(text[i] != '\033' && text[i] != '\r');
        }
        /* With memory there again it works as ever. */
        line_editor_set_text(editor, "", 0);
        ASSERT_EQ(LINE_GOES_ON, line_editor_feed(editor, "\033i", seed % 4 == 0 ? 2 : 0, &taken));
        ASSERT_EQ(LINE_ENTERED, line_editor_feed(editor, "x = 1\r", 6, &taken));
        ASSERT(memcmp("x = 1", line_editor_text(editor, &size), 5) == 0);
        ASSERT_EQ(5, size);
        line_editor_free(editor);
    }
    ASSERT(refused > 1000);
}

TEST_MAIN(RUN(nothing_is_lost_but_what_there_was_no_memory_for))
