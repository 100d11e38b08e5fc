/* external_windows - external.h for Windows. */

#ifdef _WIN32

#include "windows/posix_windows.h"

#include "external.h"

#include <process.h>
#include <stdlib.h>
#include <uv.h>

#include "editor/byte_string.h"

enum { MOST_EDITED = 8 << 20 };

static bool run_editor(const char *path)
{
    const char *command = getenv("VISUAL");
    char line[8192];
    if (command == NULL || command[0] == '\0')
        command = getenv("EDITOR");
    if (command == NULL || command[0] == '\0')
        command = "notepad";
    return snprintf(line, sizeof line, "%s \"%s\"", command, path) < (int)sizeof line && system(line) == 0;
}

static bool read_text(const char *path, byte_string *text)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_BINARY);
    const bool read = file >= 0 && byte_string_read(text, file, MOST_EDITED);
    if (file >= 0)
        close(file);
    while (read && text->size > 0 && (text->data[text->size - 1] == '\n' || text->data[text->size - 1] == '\r'))
        text->size--;
    return read;
}

bool external_edit(const char *text, size_t size, byte_string *edited)
{
    char folder[2048], path[4096];
    size_t room = sizeof folder;
    static unsigned count;
    if (uv_os_tmpdir(folder, &room) != 0 ||
        snprintf(path, sizeof path, "%s/moonpod-%d-%u.lua", folder, getpid(), count++) >= (int)sizeof path)
        return false;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_BINARY, 0600);
    if (file < 0)
        return false;
    bool done = byte_string_write(file, text, size) && byte_string_write(file, "\n", 1);
    done = close(file) == 0 && done && run_editor(path) && read_text(path, edited);
    (void)unlink(path);
    return done;
}

#endif
