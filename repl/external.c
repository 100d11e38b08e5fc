#define _GNU_SOURCE /* mkostemps() */
#include "external.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_EDITED = 8 << 20 };

static bool write_text(int file, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(file, text, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        text += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

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
static bool read_text(const char *path, char **text, size_t *size)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    *size = 0;
    *text = NULL;
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size >= 0 && about.st_size <= MOST_EDITED)
        *text = malloc((size_t)about.st_size + 1);
    while (*text != NULL && *size < (size_t)about.st_size) {
        const ssize_t got = read(file, *text + *size, (size_t)about.st_size - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        *size += (size_t)got;
    }
    if (file >= 0)
        close(file);
    while (*size > 0 && ((*text)[*size - 1] == '\n' || (*text)[*size - 1] == '\r'))
        --*size;
    return *text != NULL;
}

bool external_edit(const char *text, size_t size, char **edited, size_t *edited_size)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (snprintf(path, sizeof path, "%s/moonpod-XXXXXX.lua", folder != NULL && folder[0] == '/' ? folder : "/tmp") >=
        (int)sizeof path)
        return false;
    const int file = mkostemps(path, 4, O_CLOEXEC);
    if (file < 0)
        return false;
    bool done = write_text(file, text, size) && write_text(file, "\n", 1);
    done = close(file) == 0 && done && run_editor(path) && read_text(path, edited, edited_size);
    (void)unlink(path);
    return done;
}
