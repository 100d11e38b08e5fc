/*
 * lua_compiled - the modules of lua/moonpod as bytecode, which saves Lua from reading their texts anew in each process.
 *
 * cmake/compile_modules.lua writes one file of them, which lies beside this module in C and nowhere else: bytecode that
 * somebody else wrote could do anything to the process. It is read by the very interpreter that wrote it, and a module
 * only while its text has not changed since. Else modules come from their texts.
 *
 * The file begins with "moonpod modules HEAD ALL INTERPRETER", then has a line for each module, in the order of names:
 * "NAME FILE SIZE OFFSET LENGTH SOURCE". HEAD is the size of these lines, ALL that of the file, SIZE that of the
 * module's text. What lies at OFFSET is what string.dump() gave for it, LENGTH bytes without the name of the text and
 * the number in front of it, which belong SOURCE bytes behind the beginning.
 */

#define _GNU_SOURCE /* dladdr(), RTLD_DEFAULT */
#include "bind.h"

#ifdef POD_WITHOUT_COMPILED_MODULES

const pod_lua_part pod_lua_compiled_part = {0};

#else

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/host/host_system.h"

#define FILE_NAME "modules.luac"
#define LONGEST   512      /* bytes of a line, with its end */

typedef struct {
    struct stat file; /* as it was when it was found */
    size_t head;      /* bytes of it that follow; 0 when closed */
    char data[];      /* and a NUL */
} compiled_modules;

typedef struct {
    char file[LONGEST];
    size_t size, offset, length, source;
} compiled_module;

/* What lua_load() gets: pieces of text, one after the other. */
typedef struct {
    const char *text[4];
    size_t size[4];
    int next;
} pieces;

static int compiled_close(lua_State *L)
{
    compiled_modules *modules = luaL_checkudata(L, 1, "moonpod.compiled");
    modules->head = 0;
    return 0;
}

static const pod_lua_kind compiled_kind = {"moonpod.compiled", "file of modules",
                                           .place = offsetof(compiled_modules, head), .close = compiled_close};

/* Puts what names the interpreter that runs, down to its release, on an empty stack: nil where that is not known. */
static void push_interpreter(lua_State *L)
{
    const char *release = dlsym(RTLD_DEFAULT, "lua_ident"); /* which LuaJIT does not have */
    if (release) {
        lua_pushstring(L, release);
        return;
    }
    lua_getglobal(L, "jit");
    if (lua_istable(L, 1)) {
        lua_getfield(L, 1, "version");
        lua_getfield(L, 1, "arch");
        if (lua_isstring(L, 2) && lua_isstring(L, 3))
            lua_pushfstring(L, "%s %s", lua_tostring(L, 2), lua_tostring(L, 3));
        else
            lua_pushnil(L);
        lua_replace(L, 1);
    }
    lua_settop(L, 1);
}

/* The path of the file beside the library that this is in; false where that is not known. */
static bool find_path(char path[PATH_MAX])
{
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)&compiled_close, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    const int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    return snprintf(path, PATH_MAX, "%.*s" FILE_NAME, folder, info.dli_fname) < PATH_MAX;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Reads a part of the file. False where it is not there, not so long or, where is_seen, no longer the one that was
 * seen; else tells which that is. The file is not held open: a process may have many states of Lua. */
static bool read_part(struct stat *seen, bool is_seen, size_t offset, size_t size, char *bytes)
{
    char path[PATH_MAX];
    struct stat about = {0};
    const int file = find_path(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    bool is_read = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && (!is_seen || is_same(&about, seen));
    while (is_read && size > 0) {
        const ssize_t count = pread(file, bytes, size, (off_t)offset);
        is_read = count > 0;
        bytes += is_read ? count : 0;
        offset += is_read ? (size_t)count : 0;
        size -= is_read ? (size_t)count : 0;
    }
    close(file);
    *seen = about;
    return is_read;
}

/* Reads the first line: that of a file of this size which the interpreter of this name has written? */
static bool read_first_line(const char *line, const struct stat *file, const char *name, size_t *head)
{
    size_t all = 0;
    int behind = 0;
    return sscanf(line, "moonpod modules %zu %zu %n", head, &all, &behind) == 2 && behind > 0 &&
           all == (size_t)file->st_size && *head <= all && strncmp(line + behind, name, strlen(name)) == 0 &&
           line[(size_t)behind + strlen(name)] == '\n';
}

/* compiled_modules() -> compiled, or nil where there are none that this interpreter has written; and what names it, or
 * nil */
static int module_compiled_modules(lua_State *L)
{
    char line[LONGEST] = "";
    struct stat seen = {0};
    size_t head = 0;
    lua_settop(L, 0);
    push_interpreter(L);
    if (lua_isstring(L, 1) && read_part(&seen, false, 0, sizeof line - 1, line) &&
        read_first_line(line, &seen, lua_tostring(L, 1), &head)) {
        compiled_modules *modules = pod_lua_newuserdata(L, sizeof *modules + head + 1);
        modules->head = 0;
        pod_lua_setmetatable(L, compiled_kind.name);
        modules->file = seen;
        if (read_part(&seen, true, 0, head, modules->data)) {
            modules->data[head] = '\0';
            modules->head = head;
        } else {
            lua_pushnil(L);
        }
    } else {
        lua_pushnil(L);
    }
    lua_pushvalue(L, 1);
    return 2;
}

/* Returns the line of the head that begins with a key, a name and a blank; NULL: there is none. */
static const char *find_line(const compiled_modules *modules, const char *key, size_t length)
{
    const char *low = strchr(modules->data, '\n'), *high = modules->data + modules->head;
    while (low && high - low > 1) { /* it begins behind a line's end from low on, before high */
        const char *middle = low + (high - low) / 2;
        while (*middle != '\n' && middle > low)
            middle--;
        const int order = strncmp(key, middle + 1, length);
        if (order == 0)
            return middle + 1;
        if (order < 0)
            high = middle;
        else
            low = strchr(middle + 1, '\n');
    }
    return NULL;
}

/* Finds what the head says of a module. */
static bool find_module(const compiled_modules *modules, const char *name, compiled_module *module)
{
    char key[LONGEST];
    const int length = snprintf(key, sizeof key, "%s ", name);
    if (length >= (int)sizeof key)
        return false;
    const char *line = find_line(modules, key, (size_t)length);
    const char *end = line ? strchr(line, '\n') : NULL;
    const size_t all = (size_t)modules->file.st_size;
    int last = -1;
    return end &&
           sscanf(line + length, "%511s %zu %zu %zu %zu%n", module->file, &module->size, &module->offset,
                  &module->length, &module->source, &last) == 5 &&
           line + length + last == end && module->offset <= all && module->length <= all - module->offset &&
           module->source <= module->length;
}

static const char *read_piece(lua_State *L, void *context, size_t *size)
{
    pieces *from = context;
    (void)L;
    if (from->next == 4)
        return NULL;
    *size = from->size[from->next];
    return from->text[from->next++];
}

/* Writes the size of a name as string.dump() does, and returns how many bytes that takes. */
static size_t write_size(char text[10], size_t size)
{
    size_t count = 0;
#if LUA_VERSION_NUM >= 504 /* seven bits a byte, the highest first, the last marked, and an empty one more */
    char backwards[10];
    size++;
    do {
        backwards[count] = (char)((size & 0x7f) | (count == 0 ? 0x80 : 0));
        count++;
        size >>= 7;
    } while (size > 0);
    for (size_t i = 0; i < count; i++)
        text[i] = backwards[count - 1 - i];
#else                      /* of LuaJIT: the lowest first, all but the last marked */
    do {
        text[count++] = (char)((size & 0x7f) | (size > 0x7f ? 0x80 : 0));
        size >>= 7;
    } while (size > 0);
#endif
    return count;
}

/* compiled:load(name, folder) -> the chunk of a module whose texts lie below a folder (a path that ends in "/"), or nil
 * where its text has changed, there is none, or this interpreter cannot load it */
static int compiled_load(lua_State *L)
{
    const compiled_modules *modules = luaL_checkudata(L, 1, compiled_kind.name);
    const char *name = pod_lua_check_text(L, 2), *folder = pod_lua_check_text(L, 3);
    compiled_module module;
    struct stat text;
    if (modules->head == 0 || !find_module(modules, name, &module))
        return 0;
    lua_pushfstring(L, "@%s%s", folder, module.file);
    size_t size;
    const char *source = lua_tolstring(L, -1, &size);
    if (stat(source + 1, &text) != 0 || (size_t)text.st_size != module.size ||
        text.st_mtim.tv_sec > modules->file.st_mtim.tv_sec ||
        (text.st_mtim.tv_sec == modules->file.st_mtim.tv_sec && text.st_mtim.tv_nsec > modules->file.st_mtim.tv_nsec))
        return 0;
    char number[10];
    struct stat seen = modules->file;
    char *chunk = malloc(module.length + 1); /* Lua need not collect it; lua_load() returns whatever happens */
    if (!chunk || !read_part(&seen, true, module.offset, module.length, chunk)) {
        free(chunk);
        return 0;
    }
    pieces from = {{chunk, number, source, chunk + module.source},
                   {module.source, write_size(number, size), size, module.length - module.source},
                   0};
#if LUA_VERSION_NUM >= 502
    const int status = lua_load(L, read_piece, &from, source, "b");
#else
    const int status = lua_load(L, read_piece, &from, source);
#endif
    free(chunk);
    if (status == LUA_ERRSYNTAX) /* no bytecode of this interpreter, though it has the name: its text serves */
        return 0;
    return status == LUA_OK ? 1 : lua_error(L);
}

static const pod_lua_function compiled_methods[] = {{"load", .plain = compiled_load}, {0}};
static const pod_lua_function compiled_functions[] = {{"compiled_modules", .plain = module_compiled_modules}, {0}};

const pod_lua_part pod_lua_compiled_part = {
    .functions = compiled_functions, .kind = &compiled_kind, .methods = compiled_methods};

#endif
