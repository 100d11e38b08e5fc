/* The line editor, fed with any bytes: what a terminal sends, in pieces of any size, with resizing between. What it
 * holds stays bounded, its cursor stays within the text, and what it writes is what a terminal can show. */

#include "fuzz.h"

#include <string.h>

#include "editor/line_editor.h"
#include "editor/utf8.h"

enum { MOST_TEXT = 20000 };

static const char *const seeds[] = {
    "print(1 + 1)\rfor i = 1, 2 do\r  x()\rend;\r\033[A\033[A\033[1;5D\027\031\033y",
    "\033[200~> a = 1\n>> 2\nfoo\n\033[201~\022al\022\177\005x\r",
    "h\xC3\xA9 \xE6\x97\xA5\xE6\x9C\xAC e\xCC\x81 \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB\033[D\177\024\033u",
    "pr\t\t\t\033[Z(\x15\037\033_\021\033\030\005\014\033<\033>\033p\033n\033[6~",
};

/* The first byte of an input says which editor it is for: bits of colours and of what is whole. */
static void write_seeds(pod_context *context)
{
    (void)context;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        char input[512];
        for (int kind = 0; kind < 4; kind++) {
            input[0] = (char)('0' + kind);
            input[1] = (char)(7 + kind);
            strcpy(input + 2, seeds[i]);
            fuzz_put(input, strlen(input));
        }
    }
}

static bool is_whole(void *user, const char *text, size_t size)
{
    (void)user;
    return size > 0 && text[size - 1] == ';';
}

static void complete(void *user, const line_question *question, line_candidates *to)
{
    (void)user;
    const size_t start = question->cursor > 2 ? question->cursor - 2 : 0;
    line_candidates_add(to, start, "print", 5, "writes");
    line_candidates_add(to, start, "pr\xC3\xA9sent", 8, NULL);
}

/* No byte but printable UTF-8, line ends and sequences of the kinds that the painter knows. */
static void check_output(line_editor *editor)
{
    size_t size;
    const char *bytes = line_editor_output(editor, &size);
    for (size_t i = 0; i < size;) {
        uint32_t code;
        i += utf8_decode(bytes + i, size - i, &code);
        if (code == 0x1B) {
            if (i >= size || bytes[i] != '[')
                fuzz_die("editor", "an escape that is no sequence was written");
            for (i++; i < size && (bytes[i] == ';' || (bytes[i] >= '0' && bytes[i] <= '9')); i++)
                continue;
            if (i >= size || strchr("ABCHJKm", bytes[i]) == NULL)
                fuzz_die("editor", "an unknown sequence was written");
            i++;
        } else if (code == UTF8_BAD || (code < 0x20 && code != '\r' && code != '\n') || (code >= 0x7F && code < 0xA0)) {
            fuzz_die("editor", "a byte was written that is no text");
        }
    }
}

static void show(line_editor *editor)
{
    size_t size;
    line_editor_paint(editor);
    check_output(editor);
    (void)line_editor_text(editor, &size);
    if (size > MOST_TEXT)
        fuzz_die("editor", "the text is longer than it may be");
}

static void read_keys(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    (void)context;
    if (size < 2)
        return;
    const line_settings settings = {.colours = bytes[0] & 1,
                                    .most_bytes = MOST_TEXT,
                                    .is_whole = bytes[0] & 4 ? NULL : is_whole,
                                    .complete = complete};
    line_editor *editor = line_editor_new(&settings);
    if (editor == NULL)
        fuzz_die("editor", "there is no memory");
    unsigned piece = bytes[1];
    line_editor_begin(editor, "> ", ">> ");
    for (size_t at = 2; at < size;) {
        size_t taken, wanted = 1 + piece % 61;
        piece = piece * 1103515245u + 12345u;
        wanted = wanted < size - at ? wanted : size - at;
        line_outcome outcome = line_editor_feed(editor, (const char *)bytes + at, wanted, &taken);
        if (taken == 0 || taken > wanted)
            fuzz_die("editor", "it took no bytes, or more than there were");
        at += taken;
        if (piece % 5 == 0 && outcome == LINE_GOES_ON) { /* with sequences of others, which are not looked at */
            line_editor_print(editor, (const char *)bytes + at - taken, taken);
            (void)line_editor_output(editor, &wanted);
        }
        if (piece % 7 == 0 && outcome == LINE_GOES_ON && line_editor_waits(editor))
            outcome = line_editor_idle(editor);
        if (size < 4096 || piece % 16 == 0)
            show(editor);
        if (piece % 31 == 0)
            line_editor_resize(editor, piece / 64 % 100, piece / 8192 % 40);
        if (outcome == LINE_ENTERED || outcome == LINE_ENDED || outcome == LINE_INTERRUPTED) {
            show(editor);
            line_editor_begin(editor, "> ", ">> ");
        }
    }
    line_editor_drop(editor);
    show(editor);
    line_editor_free(editor);
}

const fuzz_target fuzz_editors[] = {{"editor", write_seeds, read_keys}, {0}};
