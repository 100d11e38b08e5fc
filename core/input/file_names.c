#include "input/file_names.h"

#include <string.h>
#include <uv.h>

#include "base/error.h"
#include "base/growth.h"
#include "base/system/system.h"
#include "moonpod/formats.h"

static pod_status no_memory(pod_error *error)
{
    return pod_error_set(error, POD_ERROR_MEMORY, "there is no memory for the names of files");
}

static pod_status keep(pod_file_names *found, const char *name, pod_error *error)
{
    if (!pod_arena_grow(&found->arena, &found->names, &found->room, found->count + 1,
                        (pod_growth){sizeof *found->names, .first = 64}))
        return no_memory(error);
    found->names[found->count++] = name;
    return POD_OK;
}

/* Returns `length` bytes of a, then b, in the arena. */
static char *join(pod_file_names *found, const char *a, size_t length, const char *b)
{
    const size_t more = strlen(b);
    char *text = pod_arena_allocate(&found->arena, length + more + 1);
    if (text == NULL)
        return NULL;
    memcpy(text, a, length);
    memcpy(text + length, b, more);
    return text;
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* Returns whether nothing is there: not that it cannot be told. */
static bool is_absent(int result)
{
    return result == UV_ENOENT || result == UV_ENOTDIR || result == UV_ELOOP;
}

/* Keeps a whole path if it is there; where it ends in "/", if it is a folder. */
static pod_status keep_if_there(pod_file_names *found, const char *path, pod_error *error)
{
    uv_fs_t request;
    char *located;
    const pod_status status = pod_locate_file(found->arena.context, path, &located, error);
    if (status != POD_OK)
        return status;
    int result = uv_fs_lstat(NULL, &request, located, NULL); /* with a "/" behind it, a link is followed */
    uv_fs_req_cleanup(&request);
    pod_free(found->arena.context, located);
    if (result == 0)
        return keep(found, path, error);
    if (is_absent(result))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_IO, "%s: cannot look for it: %s", path, uv_strerror(result));
}

static pod_status match(pod_file_names *found, const char *prefix, const char *pattern, pod_error *error);

/* Matches the entries of the folder `prefix` with the first part of a pattern, `rest` being what comes behind that. */
static pod_status match_entries(pod_file_names *found, const char *prefix, const char *part, const char *rest,
                                pod_error *error)
{
    uv_fs_t request;
    uv_dirent_t entry;
    char *located;
    pod_status status = pod_locate_file(found->arena.context, *prefix != '\0' ? prefix : ".", &located, error);
    if (status != POD_OK)
        return status;
    const int count = uv_fs_scandir(NULL, &request, located, 0, NULL);
    pod_free(found->arena.context, located);
    if (count < 0 && !is_absent(count))
        status = pod_error_set(error, POD_ERROR_IO, "%s: cannot list the folder: %s", *prefix != '\0' ? prefix : ".",
                               uv_strerror(count));
    /* To the end also after a failure: libuv keeps the last entry where it was not asked for one more. */
    while (count > 0 && uv_fs_scandir_next(&request, &entry) == 0) {
        const int result = status == POD_OK ? pod_system_match(part, entry.name) : UV_ENOENT;
        if (result == UV_ENOENT)
            continue;
        char *path = result == 0 ? join(found, prefix, strlen(prefix), entry.name) : NULL;
        if (path == NULL)
            status = no_memory(error);
        else
            status = *rest != '\0' ? match(found, path, rest, error) : keep(found, path, error);
    }
    uv_fs_req_cleanup(&request);
    return status;
}

static bool has_wildcard(const char *part)
{
    for (; *part != '\0'; part++) {
        if (*part == '\\' && part[1] != '\0')
            part++;
        else if (strchr("*?[", *part) != NULL)
            return true;
    }
    return false;
}

static void drop_backslashes(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '\\' && from[1] != '\0')
            from++;
        *to++ = *from;
    }
    *to = '\0';
}

/* Adds what matches `pattern` below `prefix`, which is there; the pattern may begin with slashes. */
static pod_status match(pod_file_names *found, const char *prefix, const char *pattern, pod_error *error)
{
    const size_t slashes = strspn(pattern, "/"), length = strcspn(pattern + slashes, "/");
    const char *rest = pattern + slashes + length;
    char *folder = join(found, prefix, strlen(prefix), "/");
    char *part = join(found, pattern + slashes, length, "");
    if (folder == NULL || part == NULL)
        return no_memory(error);
    if (slashes == 0)
        folder[strlen(prefix)] = '\0';
    if (has_wildcard(part))
        return match_entries(found, folder, part, rest, error);
    drop_backslashes(part);
    char *path = join(found, folder, strlen(folder), part);
    if (path == NULL)
        return no_memory(error);
    return *rest != '\0' ? match(found, path, rest, error) : keep_if_there(found, path, error);
}

/* ---- braces -------------------------------------------------------------------------------------------- */

/* Returns the end of a part between braces: the first of the characters `ends` outside of braces within it. */
static const char *end_of_part(const char *text, const char *ends)
{
    int depth = 0;
    for (; *text != '\0'; text++) {
        if (depth == 0 && strchr(ends, *text) != NULL)
            return text;
        if (*text == '\\' && text[1] != '\0')
            text++;
        else if (*text == '{')
            depth++;
        else if (*text == '}')
            depth--;
    }
    return NULL;
}

pod_status pod_input_file_names_add(pod_file_names *found, const char *pattern, pod_error *error)
{
    const char *open = end_of_part(pattern, "{");
    while (open != NULL && open[1] == '}') /* stands for itself */
        open = end_of_part(open + 2, "{");
    const char *close = open != NULL ? end_of_part(open + 1, "}") : NULL;
    if (close == NULL)
        return match(found, "", pattern, error);
    pod_status status = POD_OK;
    for (const char *part = open + 1; status == POD_OK && part <= close;) {
        const char *end = end_of_part(part, ",}");
        char *head = join(found, pattern, (size_t)(open - pattern), "");
        char *middle = join(found, part, (size_t)(end - part), close + 1);
        char *one = head != NULL && middle != NULL ? join(found, head, strlen(head), middle) : NULL;
        status = one != NULL ? pod_input_file_names_add(found, one, error) : no_memory(error);
        part = end + 1;
    }
    return status;
}
