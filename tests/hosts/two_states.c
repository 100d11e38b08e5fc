/* Two Lua states of one process, each with the module: they train side by side, and one outlives the other. */

#include <lualib.h>
#include <moonpod_lua.h>
#include <stdio.h>
#include <string.h>

static int passed, failed;

static void check(int holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("failed: %s\n", what);
}

static const char script[] = "local seed = ...\n"
                             "pod.random.set_seed(seed)\n"
                             "model = model or pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }\n"
                             "if not trained then model:compile { optimizer = 'sgd', loss = 'mse' } end\n"
                             "local x = pod.tensor { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 0, 0 } }\n"
                             "local y = pod.tensor { { 2 }, { 3 }, { 5 }, { 0 } }\n"
                             "for _ = 1, 3 do trained = model:train_on_batch(x, y) end\n"
                             "return (table.concat(model:predict(x):reshape { -1 }:totable(), ' '))\n";

static const char *train(lua_State *L, int seed)
{
    lua_settop(L, 0);
    if (luaL_loadstring(L, script) == 0) {
        lua_pushinteger(L, seed);
        if (lua_pcall(L, 1, 1, 0) == 0)
            return lua_tostring(L, -1);
    }
    printf("failed: %s\n", lua_tostring(L, -1));
    failed++;
    return "";
}

static lua_State *open_state(void)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    check(pod_open(L) == 0, "pod_open");
    if (lua_type(L, -1) == LUA_TSTRING)
        printf("%s\n", lua_tostring(L, -1));
    lua_setglobal(L, "pod");
    return L;
}

int main(void)
{
    char first[256], again[256];
    lua_State *bare = luaL_newstate();
    check(pod_open(bare) != 0 && strstr(lua_tostring(bare, -1), "luaL_openlibs") != NULL, "a state without require");
    lua_close(bare);

    lua_State *a = open_state(), *b = open_state();
    snprintf(first, sizeof first, "%s", train(a, 1));
    check(strcmp(train(b, 1), first) == 0, "the same seed gives the same in both");
    snprintf(again, sizeof again, "%s", train(a, 1));
    check(strcmp(again, first) != 0, "training went on");
    check(strcmp(train(b, 1), again) == 0, "and so it did in the other");
    lua_close(a);
    check(train(b, 2)[0] != '\0', "one outlives the other");
    check(pod_open(b) == 0 && lua_type(b, -1) == LUA_TTABLE, "a second call gives the table");
    lua_close(b);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
