/*
 * terminal_windows - terminal.h and diverted.h for the console of Windows, which knows the escape sequences of other
 * terminals since Windows 10. Keys come as records in UTF-16; what a key without a letter sends elsewhere is written
 * here, as not every console does it.
 */

#ifdef _WIN32

#include "windows/posix_windows.h"

#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "diverted.h"
#include "editor/byte_string.h"

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static DWORD input_before, output_before; /* the console's modes */
static bool raw;                          /* terminal_begin() was called */
static bool resized;
static wchar_t half; /* the first of two units of a letter, 0: none */
static byte_string typed;

static HANDLE input(void)
{
    return GetStdHandle(STD_INPUT_HANDLE);
}

/* The console's own handle, wherever standard output leads. */
static HANDLE console(void)
{
    return (HANDLE)_get_osfhandle(diverted_terminal());
}

static bool has_word(const char *name, const char *word)
{
    const char *value = getenv(name);
    return value != NULL && (word != NULL ? strcmp(value, word) == 0 : value[0] != '\0');
}

/* Whether the console takes escape sequences, from now on. */
static bool takes_sequences(void)
{
    DWORD mode;
    const HANDLE output = console();
    return isatty(1) && GetConsoleMode(output, &mode) &&
           SetConsoleMode(output, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool terminal_can_edit(void)
{
    return isatty(0) && isatty(1) && !has_word("TERM", "dumb") && takes_sequences();
}

bool terminal_has_colours(terminal_colours asked)
{
    if (asked != COLOURS_AUTO)
        return asked == COLOURS_ALWAYS;
    return !has_word("NO_COLOR", NULL) && !has_word("TERM", "dumb") && takes_sequences();
}

static void end_at_exit(void)
{
    if (raw)
        terminal_end();
}

static bool set_input(bool signals)
{
    const DWORD mode = ENABLE_WINDOW_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT;
    return SetConsoleMode(input(), signals ? mode | ENABLE_PROCESSED_INPUT : mode) ||
           SetConsoleMode(input(), signals ? ENABLE_WINDOW_INPUT | ENABLE_PROCESSED_INPUT : ENABLE_WINDOW_INPUT);
}

bool terminal_begin(void)
{
    static bool is_known;
    if (!is_known)
        is_known = atexit(end_at_exit) == 0;
    if (!GetConsoleMode(input(), &input_before) || !GetConsoleMode(console(), &output_before) || !takes_sequences() ||
        !set_input(false))
        return false;
    raw = true;
    (void)ResetEvent(pod_press_event()); /* of before */
    diverted_begin();
    diverted_write(paste_on, sizeof paste_on - 1);
    return true;
}

void terminal_end(void)
{
    diverted_write(paste_off, sizeof paste_off - 1);
    diverted_end();
    (void)SetConsoleMode(input(), input_before);
    (void)SetConsoleMode(console(), output_before);
    raw = false;
}

void terminal_signals(bool on)
{
    (void)set_input(on);
}

/* The system does not tell while a thread works. */
void terminal_watch(void (*tell)(bool there_is))
{
    if (tell != NULL)
        tell(false);
}

void terminal_stop_process(void)
{
}

void terminal_size(size_t *columns, size_t *rows)
{
    CONSOLE_SCREEN_BUFFER_INFO about;
    *columns = 80;
    *rows = 24;
    if (GetConsoleScreenBufferInfo(console(), &about) && about.srWindow.Right > about.srWindow.Left) {
        *columns = (size_t)(about.srWindow.Right - about.srWindow.Left + 1);
        *rows = (size_t)(about.srWindow.Bottom - about.srWindow.Top + 1);
    }
}

/* ---- keys --------------------------------------------------------------------------------------------- */

/* What a key without a letter sends: its last character, and the number before it where it has one. */
static bool sequence_of(WORD key, char *last, int *number)
{
    static const struct {
        WORD key;
        char last;
        int number;
    } keys[] = {{VK_UP, 'A', 1},  {VK_DOWN, 'B', 1},   {VK_RIGHT, 'C', 1},  {VK_LEFT, 'D', 1},  {VK_HOME, 'H', 1},
                {VK_END, 'F', 1}, {VK_INSERT, '~', 2}, {VK_DELETE, '~', 3}, {VK_PRIOR, '~', 5}, {VK_NEXT, '~', 6}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].key == key) {
            *last = keys[i].last;
            *number = keys[i].number;
            return true;
        }
    return false;
}

static void add_sequence(const KEY_EVENT_RECORD *of, char last, int number)
{
    char text[16];
    const DWORD held = of->dwControlKeyState;
    const int with = 1 + ((held & SHIFT_PRESSED) != 0) + 2 * ((held & (LEFT_ALT_PRESSED | RIGHT_ALT_PRESSED)) != 0) +
                     4 * ((held & (LEFT_CTRL_PRESSED | RIGHT_CTRL_PRESSED)) != 0);
    if (with > 1)
        (void)snprintf(text, sizeof text, "\033[%d;%d%c", number, with, last);
    else if (number > 1)
        (void)snprintf(text, sizeof text, "\033[%d%c", number, last);
    else
        (void)snprintf(text, sizeof text, "\033[%c", last);
    (void)byte_string_add_text(&typed, text);
}

static void add_letter(const KEY_EVENT_RECORD *of)
{
    wchar_t units[2] = {of->uChar.UnicodeChar, 0};
    int count = 1;
    char text[8];
    const DWORD held = of->dwControlKeyState;
    const bool is_alt = (held & LEFT_ALT_PRESSED) != 0 && (held & (LEFT_CTRL_PRESSED | RIGHT_CTRL_PRESSED)) == 0;
    if (IS_HIGH_SURROGATE(units[0])) {
        half = units[0];
        return;
    }
    if (IS_LOW_SURROGATE(units[0]) && half != 0) {
        units[1] = units[0];
        units[0] = half;
        count = 2;
    }
    half = 0;
    if (of->wVirtualKeyCode == VK_BACK && units[0] == 8)
        units[0] = 0x7f;
    const int size = WideCharToMultiByte(CP_UTF8, 0, units, count, text, sizeof text, NULL, NULL);
    if (is_alt)
        (void)byte_string_add(&typed, "\033", 1);
    if (size > 0)
        (void)byte_string_add(&typed, text, (size_t)size);
}

static void add_key(const KEY_EVENT_RECORD *of)
{
    char last;
    int number;
    const bool is_typed_number = of->wVirtualKeyCode == VK_MENU && of->uChar.UnicodeChar != 0; /* Alt and digits */
    if (!of->bKeyDown && !is_typed_number)
        return;
    for (int i = 0; i < of->wRepeatCount; i++) {
        if (of->wVirtualKeyCode == VK_TAB && (of->dwControlKeyState & SHIFT_PRESSED) != 0)
            (void)byte_string_add_text(&typed, "\033[Z");
        else if (of->uChar.UnicodeChar != 0)
            add_letter(of);
        else if (sequence_of(of->wVirtualKeyCode, &last, &number))
            add_sequence(of, last, number);
        else if (of->wVirtualKeyCode == VK_SPACE || of->wVirtualKeyCode == '2') /* with Ctrl: NUL */
            (void)byte_string_add(&typed, "", (of->dwControlKeyState & (LEFT_CTRL_PRESSED | RIGHT_CTRL_PRESSED)) != 0);
    }
}

/* Takes the records that are there. */
static void take_records(void)
{
    INPUT_RECORD records[64];
    DWORD count;
    while (GetNumberOfConsoleInputEvents(input(), &count) && count > 0 &&
           ReadConsoleInputW(input(), records, 64, &count))
        for (DWORD i = 0; i < count; i++) {
            if (records[i].EventType == KEY_EVENT)
                add_key(&records[i].Event.KeyEvent);
            else if (records[i].EventType == WINDOW_BUFFER_SIZE_EVENT)
                resized = true;
        }
}

long terminal_read(char *bytes, size_t size)
{
    const size_t count = typed.size < size ? typed.size : size;
    memcpy(bytes, typed.data, count);
    (void)byte_string_splice(&typed, 0, count, NULL, 0);
    return (long)count;
}

/* ---- what others write ----------------------------------------------------------------------------------- */

static int pipe_ends[2] = {-1, -1};
static int kept[2] = {-1, -1}; /* standard output and standard error as they were; -1: not diverted */
static volatile bool is_on;
static SRWLOCK lock = SRWLOCK_INIT;
static HANDLE arrived;
static byte_string written, taken;

/* Takes what is in the pipe; nobody waits for more. */
static void drain(void)
{
    char bytes[8192];
    DWORD there;
    const HANDLE source = (HANDLE)_get_osfhandle(pipe_ends[0]);
    while (PeekNamedPipe(source, NULL, 0, NULL, &there, NULL) && there > 0) {
        const int got = _read(pipe_ends[0], bytes, there < sizeof bytes ? there : sizeof bytes);
        if (got <= 0)
            return;
        (void)byte_string_add(&written, bytes, (size_t)got);
    }
}

/* Looks once in a while, so that a pipe that is full stops nobody for long. */
static DWORD WINAPI read_meanwhile(void *nothing)
{
    enum { EACH = 10 }; /* milliseconds */
    (void)nothing;
    for (;; Sleep(EACH)) {
        if (!is_on)
            continue;
        AcquireSRWLockExclusive(&lock);
        drain();
        if (written.size > 0)
            (void)SetEvent(arrived);
        ReleaseSRWLockExclusive(&lock);
    }
}

static bool open_pipe(void)
{
    if (pipe_ends[0] >= 0)
        return true;
    arrived = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (arrived == NULL || _pipe(pipe_ends, 65536, _O_BINARY | _O_NOINHERIT) != 0)
        return false;
    const HANDLE reader = CreateThread(NULL, 0, read_meanwhile, NULL, 0, NULL);
    if (reader != NULL)
        return CloseHandle(reader);
    (void)_close(pipe_ends[0]);
    (void)_close(pipe_ends[1]);
    pipe_ends[0] = pipe_ends[1] = -1;
    return false;
}

void diverted_begin(void)
{
    fflush(stdout);
    fflush(stderr);
    if (is_on || !open_pipe())
        return;
    for (int i = 0; i < 2; i++) {
        kept[i] = isatty(i + 1) ? _dup(i + 1) : -1;
        if (kept[i] >= 0)
            (void)_dup2(pipe_ends[1], i + 1);
    }
    is_on = true;
}

int diverted_terminal(void)
{
    return is_on && kept[0] >= 0 ? kept[0] : 1;
}

void diverted_write(const char *bytes, size_t size)
{
    (void)byte_string_write(diverted_terminal(), bytes, size);
}

void diverted_end(void)
{
    size_t size;
    if (!is_on)
        return;
    fflush(stdout);
    fflush(stderr);
    const char *bytes = diverted_take(&size);
    for (int i = 0; i < 2; i++)
        if (kept[i] >= 0) {
            (void)_dup2(kept[i], i + 1);
            (void)_close(kept[i]);
            kept[i] = -1;
        }
    is_on = false;
    diverted_write(bytes, size);
}

const char *diverted_take(size_t *size)
{
    const byte_string before = taken;
    AcquireSRWLockExclusive(&lock);
    if (pipe_ends[0] >= 0)
        drain();
    taken = written;
    written = before;
    written.size = 0;
    ReleaseSRWLockExclusive(&lock);
    *size = taken.size;
    return taken.data != NULL ? taken.data : "";
}

/* ---- waiting ---------------------------------------------------------------------------------------------- */

/* What there is at once. */
static terminal_event look(void)
{
    take_records();
    if (typed.size > 0)
        return TERMINAL_INPUT;
    if (resized) {
        resized = false;
        return TERMINAL_RESIZED;
    }
    return TERMINAL_NOTHING;
}

terminal_event terminal_wait(int milliseconds)
{
    const HANDLE ends[] = {pod_press_event(), input(), arrived};
    const ULONGLONG began = GetTickCount64();
    if (!isatty(0)) /* lines of a pipe are waited for by who reads them */
        return TERMINAL_INPUT;
    for (;;) {
        const terminal_event event = raw ? look() : TERMINAL_NOTHING;
        if (event != TERMINAL_NOTHING)
            return event;
        const ULONGLONG passed = GetTickCount64() - began;
        const DWORD left = milliseconds < 0 ? INFINITE : passed < (ULONGLONG)milliseconds ? milliseconds - passed : 0;
        switch (WaitForMultipleObjects(is_on ? 3 : 2, ends, FALSE, left)) {
        case WAIT_OBJECT_0:
            return TERMINAL_SIGNAL;
        case WAIT_OBJECT_0 + 1:
            if (!raw)
                return TERMINAL_INPUT;
            break;
        case WAIT_OBJECT_0 + 2:
            return TERMINAL_OUTPUT;
        default:
            return TERMINAL_NOTHING;
        }
    }
}

#endif
