/* A host with threads of its own, each with states of Lua side by side, each with an allocator that gives 3 MB:
 * trainings come to their end and predict the same, and where the memory is less an error of Lua says so. */

#include <lauxlib.h>
#include <lualib.h>
#include <moonpod_lua.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, STATES = 3, MEMORY = 3000000, TEXT = 512 };

typedef struct account {
    size_t held, most;
} account;

static void *resize(void *context, void *pointer, size_t old_size, size_t new_size)
{
    account *of = context;
    const size_t old = pointer != NULL ? old_size : 0;
    if (new_size > old && of->held + new_size - old > of->most)
        return NULL;
    void *block = NULL;
    if (new_size == 0)
        free(pointer);
    else if ((block = realloc(pointer, new_size)) == NULL)
        return NULL;
    of->held += new_size - old;
    return block;
}

static int open_all(lua_State *L)
{
    luaL_openlibs(L);
    if (pod_open(L) != 0)
        return lua_error(L);
    lua_getglobal(L, "dofile");
    lua_pushstring(L, getenv("MOONPOD_TASK"));
    lua_call(L, 1, 1);
    lua_setglobal(L, "task");
    if (luaL_dostring(L, "model, run = task.begin()") != 0)
        return lua_error(L);
    return 0;
}

/* A slice, protected; leaves whether there is more. */
static int step(lua_State *L)
{
    if (luaL_dostring(L, "return run:step { ms = 1 }") != 0)
        return lua_error(L);
    return 1;
}

static int tell(lua_State *L)
{
    if (luaL_dostring(L, "return task.tell(model, run)") != 0)
        return lua_error(L);
    return 1;
}

static int call(lua_State *L, lua_CFunction function, int results)
{
    lua_settop(L, 0);
    lua_pushcfunction(L, function);
    return lua_pcall(L, 0, results, 0);
}

static void keep_text(lua_State *L, char text[TEXT])
{
    const char *found = lua_tostring(L, -1);
    (void)snprintf(text, TEXT, "%s", found != NULL ? found : "(no text)");
}

typedef struct work {
    size_t memory;
    char text[STATES][TEXT];
    size_t left; /* bytes that are held when all is closed */
} work;

/* Trains in some states in turn. */
static void *train(void *argument)
{
    work *of = argument;
    account accounts[STATES];
    lua_State *states[STATES];
    int going = 0;
    for (int i = 0; i < STATES; i++) {
        accounts[i] = (account){0, of->memory};
        states[i] = lua_newstate(resize, &accounts[i]);
        (void)snprintf(of->text[i], TEXT, "no state");
        if (states[i] != NULL && call(states[i], open_all, 0) == LUA_OK) {
            of->text[i][0] = '\0';
            going++;
        } else if (states[i] != NULL) {
            keep_text(states[i], of->text[i]);
        }
    }
    while (going > 0)
        for (int i = 0; i < STATES; i++) {
            if (of->text[i][0] != '\0')
                continue;
            const int status = call(states[i], step, 1);
            if (status == LUA_OK && lua_toboolean(states[i], -1))
                continue;
            if (status == LUA_OK)
                (void)call(states[i], tell, 1);
            keep_text(states[i], of->text[i]);
            going--;
        }
    for (int i = 0; i < STATES; i++) {
        if (states[i] != NULL)
            lua_close(states[i]);
        of->left += accounts[i].held;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static work works[THREADS];
    pthread_t threads[THREADS];
    int same = 0, refused = 0;
    size_t left = 0;
    if (argc != 2)
        return 2;
    for (int i = 0; i < THREADS; i++) {
        works[i].memory = MEMORY;
        if (pthread_create(&threads[i], NULL, train, &works[i]) != 0)
            return 2;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        left += works[i].left;
        for (int j = 0; j < STATES; j++) {
            same += strcmp(works[i].text[j], argv[1]) == 0;
            if (strcmp(works[i].text[j], argv[1]) != 0)
                printf("thread %d, state %d: %s\n", i, j, works[i].text[j]);
        }
    }
    static work small;
    for (small.memory = 20000; small.memory < MEMORY; small.memory += 150000) {
        (void)train(&small);
        for (int j = 0; j < STATES; j++)
            refused += strstr(small.text[j], "memory") != NULL || strcmp(small.text[j], "no state") == 0;
    }
    left += small.left;
    printf("%d of %d states: %s\n%d states without memory said so\n%zu bytes left\n", same, THREADS * STATES, argv[1],
           refused, left);
    return same == THREADS * STATES && left == 0 ? 0 : 1;
}
