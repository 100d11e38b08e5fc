#define _GNU_SOURCE /* mkostemps() */
#include "external.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "editor/byte_string.h"

enum { MOST_EDITED = 8 << 20 };

/* Runs the editor by the shell, so that $EDITOR may have arguments. */
static bool run_editor(const char *path)
{
    const char *command = getenv("VISUAL");
    if (command == NULL || command[0] == '\0')
        command = getenv("EDITOR");
    if (command == NULL || command[0] == '\0')
        command = "vi";
    char line[4096];
    if (snprintf(line, sizeof line, "%s \"$1\"", command) >= (int)sizeof line)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, "sh", path, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Reads what the editor left: it may have put another file in the place of ours. */
static bool read_text(const char *path, byte_string *text)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool read = file >= 0 && byte_string_read(text, file, MOST_EDITED);
    if (file >= 0)
        close(file);
    while (read && text->size > 0 && (text->data[text->size - 1] == '\n' || text->data[text->size - 1] == '\r'))
        text->size--;
    return read;
}

bool external_edit(const char *text, size_t size, byte_string *edited)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (snprintf(path, sizeof path, "%s/moonpod-XXXXXX.lua", folder != NULL && folder[0] == '/' ? folder : "/tmp") >=
        (int)sizeof path)
        return false;
    const int file = mkostemps(path, 4, O_CLOEXEC);
    if (file < 0)
        return false;
    bool done = byte_string_write(file, text, size) && byte_string_write(file, "\n", 1);
    done = close(file) == 0 && done && run_editor(path) && read_text(path, edited);
    (void)unlink(path);
    return done;
}
