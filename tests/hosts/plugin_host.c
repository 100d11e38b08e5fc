/*
 * A host that opens a Lua state, loads the module, trains, and closes it, over and over: closing a state unloads the
 * module and the library. Looks whether that leaves threads, open files, mappings or memory behind.
 *
 *     plugin_host CYCLES
 */

#include <dirent.h>
#include <lualib.h>
#include <moonpod_lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char script[] =
    "pod.device.configure { threads = 4 }\n"
    "local model = pod.models.sequential { pod.layers.dense(64, { activation = 'relu', input_shape = { 64 } }),\n"
    "  pod.layers.dense(8) }\n"
    "model:compile { optimizer = 'adam', loss = 'mse' }\n"
    "model:fit(pod.random.normal { 256, 64 }, pod.random.normal { 256, 8 }, { batch_size = 64, verbose = 0 })\n";

static int entries(const char *folder)
{
    int count = -2; /* "." and ".." */
    DIR *directory = opendir(folder);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* A thread that was joined is listed until the system is done with it: waits until there are so many at most. */
static int threads_left(int expected)
{
    int count = entries("/proc/self/task");
    for (int i = 0; i < 60000 && count > expected; i++) {
        usleep(1000);
        count = entries("/proc/self/task");
    }
    return count;
}

static long resident_kilobytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int is_mapped(const char *name)
{
    char line[4096];
    int found = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, file) != NULL)
        found = found || strstr(line, name) != NULL;
    fclose(file);
    return found;
}

static void cycle(void)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    int status = pod_open(L);
    if (status == 0) {
        lua_setglobal(L, "pod");
        status = luaL_dostring(L, script);
    }
    if (status != 0) {
        printf("%s\n", lua_tostring(L, -1));
        exit(1);
    }
    lua_close(L);
}

int main(int argc, char **argv)
{
    const int cycles = argc > 1 ? atoi(argv[1]) : 10, warm = cycles / 5 + 5;
    int threads = 0, files = 0;
    long memory = 0;
    for (int i = 0; i < warm + cycles; i++) {
        cycle();
        if (i == warm - 1) {
            threads = threads_left(1);
            files = entries("/proc/self/fd");
            memory = resident_kilobytes();
        }
    }
    const int more_threads = threads_left(threads) - threads, more_files = entries("/proc/self/fd") - files;
    const long more = resident_kilobytes() - memory;
    printf("%d cycles: %d more threads, %d more files, %ld KiB more resident of %ld; the module is %s\n", cycles,
           more_threads, more_files, more, memory,
           is_mapped("moonpod/core.so") || is_mapped("libmoonpod") ? "still there" : "unloaded");
    return more_threads != 0 || more_files != 0 || is_mapped("moonpod/core.so") || is_mapped("libmoonpod") ||
           more > 4096 + cycles;
}
