/*
 * moonpod - runs Lua scripts and interactive sessions: all that lua(1) does, with the module `moonpod` at hand. Flags,
 * their order, environment variables, `arg` and exit codes are lua(1)'s.
 */

#include "base/system/host/host_system.h"
#include "interrupt.h"
#include "paths.h"
#include "script_profile.h"
#include "session.h"
#include "startup.h"
#include "trouble.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <moonpod.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

typedef struct options {
    bool interactive, version, no_environment, execute, help, long_version;
    editor_options talk;
    const char *profile; /* the folder for the script's profile, or NULL */
    int script;          /* index of the script in argv; argc when there is none */
} options;

/* moonpod NAME ...: what it does is a Lua function of the words after it, which returns the exit code. */
static const struct {
    const char *name, *module, *words, *does;
    const char *first; /* a word before the others; NULL: none */
} commands[] = {
    {"advise", "moonpod.advisor.command", "FILE [--chip v3] ...", "what a StableHLO program takes of a TPU", NULL},
    {"explain", "moonpod.advisor.explain_command", "[FILE]", "what messages of XLA, JAX, TensorFlow mean", NULL},
    {"--install-kernel", "moonpod.notebook.install", "[--user | ...]", "tells Jupyter of moonpod-kernel", NULL},
    {"data-dispatcher", "moonpod.data.service_command", "[--state FILE] ...", "the data service: who has which part",
     "data-dispatcher"},
    {"data-keys", "moonpod.data.service_command", "new FOLDER", "the data service: keys for its machines", "data-keys"},
    {"data-worker", "moonpod.data.service_command", "--dispatcher ADDRESS ...", "the data service: runs pipelines",
     "data-worker"},
    {"doctor", "moonpod.session.doctor", "", "what this machine has that Moonpod uses, and what is missing", NULL},
    {"port", "moonpod.port.command", "FILE.py", "a Keras script in Lua", NULL},
    {"notebook", "moonpod.notebook.command", "run|convert|new ...", "runs notebooks: .ipynb, .nb.lua", NULL},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *to)
{
    fputs("usage: moonpod [options] [script [args]]\n", to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "       moonpod %s %-22s %s\n", commands[i].name, commands[i].words, commands[i].does);
    fputs("  -e stat     execute string 'stat'\n"
          "  -i          enter interactive mode after executing 'script'; %help there lists commands\n"
          "  -l mod      require library 'mod' into global 'mod'\n"
          "  -l g=mod    require library 'mod' into global 'g'\n"
          "  -v          show version information\n"
          "  -E          ignore environment variables, and ~/.config/moonpod/init.lua, with which sessions begin\n"
          "  -W          turn warnings on\n"
          "  --color=when  colours in a session: auto, always or never (auto heeds NO_COLOR and TERM=dumb)\n"
          "  --profile dir  record where the script's time goes, and write that into a folder\n"
          "  --plain     read plain lines in a session, for screen readers: nothing is drawn\n"
          "  -h, --help  show this text\n"
          "  --version   show versions, one a line\n"
          "  --          stop handling options\n"
          "  -           stop handling options and execute stdin\n",
          to);
}

static void print_version(void)
{
    printf("Moonpod %d.%d.%d, %s\n", POD_VERSION_MAJOR, POD_VERSION_MINOR, POD_VERSION_PATCH, LUA_RELEASE);
}

/* What multiplies matrices, as `moonpod doctor` says it; the line is left out where the modules are not found. */
static void print_blas(lua_State *L)
{
    if (paths_push_function(L, "moonpod.session.blas", "text") && lua_pcall(L, 0, 1, 0) == LUA_OK &&
        lua_isstring(L, -1))
        printf("blas %s\n", lua_tostring(L, -1));
}

static void print_versions(lua_State *L)
{
    const int version = pod_version();
    printf("moonpod %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
    printf("lua %s.%s\n", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR, LUA_VERSION_RELEASE);
    printf("libuv %s\n", uv_version_string());
    print_blas(L);
}

/* At the end of the process: output that could not be written is a failure, whatever else there was. */
static void check_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "moonpod: the output could not be written%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    _exit(EXIT_FAILURE);
}

static bool read_colours(const char *given, terminal_colours *colours)
{
    static const struct {
        const char *word;
        terminal_colours colours;
    } words[] = {{"=auto", COLOURS_AUTO}, {"=always", COLOURS_ALWAYS}, {"=never", COLOURS_NEVER}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(given, words[i].word) == 0) {
            *colours = words[i].colours;
            return true;
        }
    return false;
}

/* The command that the first word names; COMMANDS: none. */
static size_t find_command(int argc, char **argv)
{
    size_t found = 0;
    while (found < COMMANDS && (argc < 2 || strcmp(argv[1], commands[found].name) != 0))
        found++;
    return found;
}

/* Reads the flags; false when one is wrong. */
static bool read_options(int argc, char **argv, options *given)
{
    int i;
    for (i = 1; i < argc && argv[i][0] == '-' && find_command(argc, argv) == COMMANDS; i++) {
        const char *flag = argv[i];
        if (strcmp(flag, "--") == 0) {
            i++;
            break;
        }
        if (flag[1] == '\0') /* "-": a script on standard input */
            break;
        if (strcmp(flag, "--help") == 0 || strcmp(flag, "-h") == 0) {
            given->help = true;
        } else if (strcmp(flag, "--version") == 0) {
            given->long_version = true;
        } else if (strncmp(flag, "--color", 7) == 0) {
            if (!read_colours(flag + 7, &given->talk.colours)) {
                fprintf(stderr, "moonpod: '%s': write --color=auto, --color=always or --color=never\n", flag);
                return false;
            }
        } else if (strcmp(flag, "--plain") == 0) {
            given->talk.plain = true;
        } else if (strcmp(flag, "--profile") == 0) {
            if (++i >= argc || argv[i][0] == '-') {
                fputs("moonpod: '--profile' needs a folder: moonpod --profile DIR script.lua\n", stderr);
                return false;
            }
            given->profile = argv[i];
        } else if (strcmp(flag, "-E") == 0) {
            given->no_environment = true;
        } else if (strcmp(flag, "-i") == 0) {
            given->interactive = given->version = true;
        } else if (strcmp(flag, "-v") == 0) {
            given->version = true;
        } else if (strcmp(flag, "-W") == 0) {
            continue;
        } else if (flag[1] == 'e' || flag[1] == 'l') {
            given->execute = given->execute || flag[1] == 'e';
            if (flag[2] == '\0' && (++i >= argc || argv[i][0] == '-')) {
                fprintf(stderr, "moonpod: '%s' needs argument\n", flag);
                return false;
            }
        } else {
            fprintf(stderr, "moonpod: unrecognized option '%s'\n", flag);
            return false;
        }
    }
    given->script = i;
    return true;
}

/* The global table `arg`: the script is at 0, its arguments after it, what stands before it at negative places. */
static void set_arguments(lua_State *L, int argc, char **argv, int script)
{
    if (script == argc)
        script = 0;
    lua_createtable(L, argc - script, script + 1);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - script);
    }
    lua_setglobal(L, "arg");
}

/* -l mod or -l global=mod */
static int run_require(lua_State *L, const char *text)
{
    const char *equals = strchr(text, '=');
    lua_pushlstring(L, text, equals != NULL ? (size_t)(equals - text) : strlen(text)); /* the global's name */
    lua_getglobal(L, "require");
    lua_pushstring(L, equals != NULL ? equals + 1 : text);
    const int status = session_call(L, 1, 1);
    if (status == LUA_OK)
        lua_setglobal(L, lua_tostring(L, -2));
    (void)session_report(L, status);
    lua_pop(L, 1);
    return status;
}

/* Executes -e, -l and -W in their order. */
static int run_flags(lua_State *L, char **argv, int end)
{
    for (int i = 1; i < end; i++) {
        const char kind = argv[i][1];
        if (argv[i][0] != '-' || argv[i][1] == '-')
            continue;
        if (kind == 'W') {
            lua_warning(L, "@on", 0);
        } else if (kind == 'e' || kind == 'l') {
            const char *text = argv[i] + 2;
            if (text[0] == '\0')
                text = argv[++i];
            const int status = kind == 'e' ? startup_run_text(L, text, "=(command line)") : run_require(L, text);
            if (status != LUA_OK)
                return status;
        }
    }
    return LUA_OK;
}

/* Calls the command of a module with words, of which `first` comes before the others unless it is NULL. */
static int run_command(lua_State *L, const char *module, const char *first, int argc, char **argv)
{
    lua_getglobal(L, "require");
    lua_pushstring(L, module);
    if (session_report(L, session_call(L, 1, 1)) != LUA_OK)
        return EXIT_FAILURE;
    luaL_checkstack(L, argc + 1, "too many arguments");
    if (first != NULL)
        lua_pushstring(L, first);
    for (int i = 0; i < argc; i++)
        lua_pushstring(L, argv[i]);
    if (session_report(L, session_call(L, argc + (first != NULL), 1)) != LUA_OK)
        return EXIT_FAILURE;
    return (int)lua_tointeger(L, -1);
}

static bool is_notebook(const char *path)
{
    static const char ending[] = ".ipynb";
    const size_t length = strlen(path);
    return length > sizeof ending - 1 && strcmp(path + length - (sizeof ending - 1), ending) == 0;
}

/* A notebook in the place of a script is run, and what its cells print and show is printed. */
static int run_script(lua_State *L, int argc, char **argv, int script)
{
    if (is_notebook(argv[script])) {
        const int code = run_command(L, "moonpod.notebook.command", "run", argc - script, argv + script);
        return code == EXIT_SUCCESS ? LUA_OK : LUA_ERRRUN;
    }
    const char *path = argv[script];
    if (strcmp(path, "-") == 0 && strcmp(argv[script - 1], "--") != 0)
        path = NULL; /* standard input */
    int status = luaL_loadfile(L, path);
    if (status == LUA_OK) {
        lua_getglobal(L, "arg");
        if (!lua_istable(L, -1)) {
            lua_pop(L, 1);
            fputs("moonpod: 'arg' is not a table\n", stderr);
            return LUA_ERRRUN;
        }
        const int count = (int)luaL_len(L, -1);
        luaL_checkstack(L, count + 3, "too many arguments to script");
        for (int i = 1; i <= count; i++)
            lua_rawgeti(L, -i, i); /* the table sinks by one with each push */
        lua_remove(L, -(count + 1));
        status = session_call(L, count, 0);
    }
    return session_report(L, status);
}

typedef struct invocation {
    int argc;
    char **argv;
    options given;
} invocation;

static void talk(lua_State *L, const options *given)
{
    if (!given->no_environment)
        startup_run_own_file(L);
    session_talk(L, &given->talk);
}

/* All of the program in a protected call; returns the exit code, and nothing where something failed. */
static int run_all(lua_State *L)
{
    invocation *call = lua_touserdata(L, 1);
    const options *given = &call->given;
    if (given->no_environment) {
        lua_pushboolean(L, 1);
        lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
    }
    luaL_openlibs(L);
    paths_add(L);
    const bool plain = given->script == call->argc && !given->execute && !given->version;
    const bool talks = given->interactive || (plain && isatty(STDIN_FILENO) != 0);
    startup_set_host(L, terminal_has_colours(given->talk.colours), talks);
    if (given->long_version) {
        print_versions(L);
        lua_pushinteger(L, EXIT_SUCCESS);
        return 1;
    }
    interrupt_prepare(L);
    profile_catch_signal();
    if (given->profile != NULL)
        profile_begin(L, given->profile);
    trouble_prepare(L);
    session_offer_module(L);
    set_arguments(L, call->argc, call->argv, given->script);
    lua_gc(L, LUA_GCGEN, 0, 0);
    const size_t command = find_command(call->argc, call->argv);
    if (command < COMMANDS) {
        lua_pushinteger(
            L, run_command(L, commands[command].module, commands[command].first, call->argc - 2, call->argv + 2));
        return 1;
    }
    if (given->version)
        print_version();
    if (!given->no_environment && startup_run_init(L) != LUA_OK)
        return 0;
    if (run_flags(L, call->argv, given->script) != LUA_OK)
        return 0;
    if (given->script < call->argc && run_script(L, call->argc, call->argv, given->script) != LUA_OK &&
        !given->interactive)
        return 0;
    if (given->interactive) {
        talk(L, given);
    } else if (plain) {
        if (talks) {
            print_version();
            puts("?name helps, Tab completes, %help lists commands, Ctrl-D ends");
            talk(L, given);
        } else if (startup_run_file(L, NULL) != LUA_OK) {
            return 0;
        }
    }
    lua_pushinteger(L, EXIT_SUCCESS);
    return 1;
}

int main(int argc, char **argv)
{
    invocation call = {argc, argv, {0}};
    pod_host_begin();
    atexit(check_output);
    signal(SIGXFSZ, SIG_IGN); /* a file that is larger than may be is an error of the write */
    if (!read_options(argc, argv, &call.given)) {
        print_usage(stderr);
        return EXIT_FAILURE;
    }
    if (call.given.help) {
        print_usage(stdout);
        return EXIT_SUCCESS;
    }
    lua_State *L = luaL_newstate();
    if (L == NULL) {
        fputs("moonpod: cannot create a state: not enough memory\n", stderr);
        return EXIT_FAILURE;
    }
    lua_pushcfunction(L, run_all);
    lua_pushlightuserdata(L, &call);
    const int status = lua_pcall(L, 1, 1, 0);
    int code = status == LUA_OK && lua_isinteger(L, -1) ? (int)lua_tointeger(L, -1) : EXIT_FAILURE;
    session_report(L, status);
    if (!profile_end(L))
        code = EXIT_FAILURE;
    lua_close(L);
    return code;
}
