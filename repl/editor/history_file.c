#include "editor/history_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/host/host_system.h"
#include "editor/byte_string.h"

bool history_file_path(char *path, size_t size)
{
    const char *given = getenv("MOONPOD_HISTORY"), *state = getenv("XDG_STATE_HOME"), *home = pod_host_home();
    int length = -1;
    if (given != NULL)
        length = given[0] == '\0' || strcmp(given, "off") == 0 ? -1 : snprintf(path, size, "%s", given);
    else if (pod_host_is_absolute(state))
        length = snprintf(path, size, "%s/moonpod/history", state);
    else if (pod_host_is_absolute(home))
        length = snprintf(path, size, "%s/.local/state/moonpod/history", home);
    return length >= 0 && (size_t)length < size;
}

/* Makes the folders above a file, each its owner's alone. */
static void make_folders(const char *path)
{
    char folder[4096];
    if (strlen(path) >= sizeof folder)
        return;
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(folder, 0700);
        *slash = '/';
    }
}

/* Opens the file and locks it; -1 where that fails. A session that writes the file anew puts another in its place, so
 * what was locked must still be what the path names. */
static int open_locked(const char *path, int flags)
{
    for (int tries = 0; tries < 100; tries++) {
        struct stat opened;
        const int file = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0600);
        if (file < 0)
            return -1;
        while (flock(file, LOCK_EX) != 0)
            if (errno != EINTR) {
                close(file);
                return -1;
            }
        if (fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode)) {
            close(file);
            return -1;
        }
        if (pod_host_is_named(file, path))
            return file;
        close(file);
    }
    return -1;
}

static bool add_line(byte_string *to, const char *text, size_t size)
{
    bool added = true;
    for (size_t i = 0; i < size && added;) {
        size_t plain = i;
        while (plain < size && text[plain] != '\n' && text[plain] != '\\')
            plain++;
        added = byte_string_add(to, text + i, plain - i);
        if (plain < size)
            added = added && byte_string_add(to, text[plain] == '\n' ? "\\n" : "\\\\", 2);
        i = plain + 1;
    }
    return added && byte_string_add(to, "\n", 1);
}

/* Makes of a line in place what was written; returns its size. */
static size_t restore(char *line, size_t size)
{
    size_t to = 0;
    for (size_t i = 0; i < size; i++) {
        if (line[i] == '\\' && i + 1 < size)
            line[to++] = line[++i] == 'n' ? '\n' : line[i];
        else
            line[to++] = line[i];
    }
    return to;
}

/* The end of a file, at most HISTORY_BYTES of it. */
static bool read_end(int file, byte_string *bytes)
{
    const off_t size = lseek(file, 0, SEEK_END);
    const off_t start = size > HISTORY_BYTES ? size - HISTORY_BYTES : 0;
    if (size < 0 || lseek(file, start, SEEK_SET) < 0 || !byte_string_read(bytes, file, 2 * HISTORY_BYTES))
        return false;
    if (start > 0) { /* the first line is cut */
        const char *newline = memchr(bytes->data, '\n', bytes->size);
        byte_string_splice(bytes, 0, newline != NULL ? (size_t)(newline - bytes->data) + 1 : bytes->size, NULL, 0);
    }
    return true;
}

typedef struct history_line {
    char *text;
    size_t size;
    bool last; /* of those that are equal */
} history_line;

/* Finds the lines that end, and makes of them what was written. A last one without its newline was broken off. */
static size_t find_lines(byte_string *bytes, history_line *lines)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes->size;) {
        char *line = bytes->data + i, *newline = memchr(line, '\n', bytes->size - i);
        if (newline == NULL)
            break;
        if (lines != NULL)
            lines[count] = (history_line){line, restore(line, (size_t)(newline - line)), true};
        i = (size_t)(newline - bytes->data) + 1;
        count++;
    }
    return count;
}

static size_t hash_of(const history_line *line)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < line->size; i++)
        hash = (hash ^ (unsigned char)line->text[i]) * 1099511628211u;
    return (size_t)(hash ^ hash >> 32);
}

/* Marks the lines that come again later. `table` has room for twice as many, and is all zeros; `mask` is its size less
 * one. */
static void mark_repeated(history_line *lines, size_t count, size_t *table, size_t mask)
{
    for (size_t i = count; i-- > 0;) {
        size_t place = hash_of(&lines[i]) & mask;
        for (; table[place] != 0 && lines[i].last; place = (place + 1) & mask) {
            const history_line *later = &lines[table[place] - 1];
            lines[i].last = later->size != lines[i].size || memcmp(later->text, lines[i].text, later->size) != 0;
        }
        if (lines[i].last)
            table[place] = i + 1;
    }
}

/* Adds each entry once, at its last place; returns how many lines there were. */
static size_t add_entries(byte_string *bytes, line_history *to)
{
    const size_t count = find_lines(bytes, NULL);
    size_t places = 16, wanted = 0;
    while (places < 2 * count)
        places *= 2;
    history_line *lines = calloc(count + 1, sizeof *lines);
    size_t *table = calloc(places, sizeof *table);
    if (lines != NULL && table != NULL) {
        find_lines(bytes, lines);
        mark_repeated(lines, count, table, places - 1);
        for (size_t i = 0; i < count; i++)
            wanted += lines[i].last;
        for (size_t i = 0; i < count; i++)
            if (lines[i].last && wanted-- <= HISTORY_ENTRIES)
                history_append(to, lines[i].text, lines[i].size);
    }
    free(table);
    free(lines);
    return count;
}

/* Puts a file with these entries in the place of the one that is locked. */
static void write_anew(const char *path, const line_history *of)
{
    char name[4096];
    byte_string all = {0};
    bool whole = snprintf(name, sizeof name, "%s.%ld.part", path, (long)getpid()) < (int)sizeof name;
    for (size_t i = 0; i < of->count && whole; i++)
        whole = add_line(&all, of->entries[i].text, of->entries[i].size);
    const int file = whole ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (file >= 0) {
        whole = byte_string_write(file, all.data, all.size) && fsync(file) == 0;
        whole = close(file) == 0 && whole;
        if (!whole || rename(name, path) != 0)
            (void)unlink(name);
    }
    byte_string_free(&all);
}

void history_file_read(const char *path, line_history *to)
{
    byte_string bytes = {0};
    const int file = open_locked(path, O_RDONLY);
    if (file < 0)
        return;
    if (read_end(file, &bytes)) {
        const size_t before = to->count, lines = add_entries(&bytes, to);
        struct stat all;
        if (before == 0 && fstat(file, &all) == 0 && (lines > 2 * to->count + 100 || all.st_size > HISTORY_BYTES))
            write_anew(path, to);
    }
    byte_string_free(&bytes);
    close(file);
}

/* Whether what is in the file, of `size` bytes, ends in a whole line. */
static bool ends_whole(int file, off_t size)
{
    char last = '\n';
    return size <= 0 || pread(file, &last, 1, size - 1) != 1 || last == '\n';
}

bool history_file_add(const char *path, const char *text, size_t size)
{
    byte_string line = {0};
    make_folders(path);
    const int file = open_locked(path, O_RDWR | O_CREAT | O_APPEND);
    if (file < 0)
        return false;
    const off_t end = lseek(file, 0, SEEK_END);
    bool added = end >= 0 && (ends_whole(file, end) || byte_string_add(&line, "\n", 1)) && add_line(&line, text, size);
    if (added && !byte_string_write(file, line.data, line.size)) { /* the disk is full: no part of an entry stays */
        (void)!ftruncate(file, end);
        added = false;
    }
    byte_string_free(&line);
    return close(file) == 0 && added;
}
