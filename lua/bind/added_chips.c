/* added_chips - chips as plain tables, and those that a state was told of beside the generations. */

#include "bind.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* In the registry: { [name] = chip, [1 ...] = chip }, userdata that are never changed nor taken out again. */
#define ADDED      "moonpod.added_chips"
#define MOST_ADDED 256

typedef struct added_chip {
    pod_chip chip;
    char name[POD_CHIP_NAME_SIZE];
    char product[96];
} added_chip;

/* ---- fields
 * --------------------------------------------------------------------------------------- */

typedef enum field_kind { INT32, INT64, RATE } field_kind;

/* A number of a chip. What is 0 may mean that it is not known: then it is nil. */
typedef struct field {
    const char *name;
    field_kind kind;
    bool is_known;
    size_t offset;
} field;

#define FIELD(name, kind, is_known)                                                                                    \
    {                                                                                                                  \
#name, kind, is_known, offsetof(pod_chip, name)                                                                \
    }

static const field fields[] = {
    FIELD(cores, INT32, true),
    FIELD(devices, INT32, true),
    FIELD(mxus_per_core, INT32, true),
    FIELD(mxu_size, INT32, true),
    FIELD(lanes, INT32, true),
    FIELD(sublanes, INT32, true),
    FIELD(clock_mhz, INT32, false),
    FIELD(bf16_flops, RATE, false),
    FIELD(int8_ops, RATE, false),
    FIELD(int4_ops, RATE, false),
    FIELD(fp8_flops, RATE, false),
    FIELD(hbm_bytes, INT64, true),
    FIELD(hbm_limit_bytes, INT64, true),
    FIELD(hbm_reserved_bytes, INT64, false),
    FIELD(hbm_bytes_per_second, RATE, false),
    FIELD(vmem_bytes, INT64, true),
    FIELD(smem_bytes, INT64, true),
    FIELD(cmem_bytes, INT64, true),
    FIELD(sparse_cores, INT32, true),
    FIELD(links, INT32, true),
    FIELD(link_bytes_per_second, RATE, false),
    FIELD(link_usable_per_second, RATE, false),
    FIELD(pod_chips, INT64, true),
    FIELD(pcie_bytes_per_second, RATE, false),
    FIELD(network_bytes_per_second, RATE, false),
    FIELD(layout_rows, INT32, true),
};

static void *place_of(pod_chip *chip, const field *of)
{
    return (char *)chip + of->offset;
}

static void push_field(lua_State *L, const pod_chip *chip, const field *of)
{
    pod_chip copy = *chip;
    const void *place = place_of(&copy, of);
    double rate = 0;
    int64_t whole = 0;
    int32_t small = 0;
    if (of->kind == RATE)
        memcpy(&rate, place, sizeof rate);
    else if (of->kind == INT64)
        memcpy(&whole, place, sizeof whole);
    else
        memcpy(&small, place, sizeof small);
    if (rate == 0 && whole == 0 && small == 0 && !of->is_known)
        return;
    if (of->kind == RATE)
        lua_pushnumber(L, rate);
    else
        pod_lua_push_int64(L, whole + small);
    lua_setfield(L, -2, of->name);
}

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_sizes(lua_State *L, const char *name, const int32_t *sizes, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        pod_lua_push_int64(L, sizes[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

static void push_chip(lua_State *L, const pod_chip *chip)
{
    lua_createtable(L, 0, 40);
    set_text(L, "name", chip->name);
    set_text(L, "product", chip->product);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        push_field(L, chip, &fields[i]);
    pod_lua_push_int64(L, chip->torus_rank);
    lua_setfield(L, -2, "torus_rank");
    set_sizes(L, "pod_shape", chip->pod_sizes, chip->torus_rank);
    pod_lua_push_int64(L, chip->host_chips);
    lua_setfield(L, -2, "chips_per_host");
    set_sizes(L, "host_shape", chip->host_sizes, chip->torus_rank);
    set_text(L, "name_counts", chip->name_counts_cores ? "cores" : "chips");
    lua_pushboolean(L, chip->packs_below_bytes);
    lua_setfield(L, -2, "packs_below_bytes");
    set_text(L, "based_on", chip->based_on); /* nil of a generation */
}

/* ---- chips that were added
 * ------------------------------------------------------------------------ */

/* Pushes the table of them. */
static void push_added(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, ADDED);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, ADDED);
}

/* The chip that was added under the name that a text begins with; NULL for none. */
static const pod_chip *find_added(lua_State *L, const char *text)
{
    push_added(L);
    lua_pushlstring(L, text, strcspn(text, "-:"));
    lua_rawget(L, -2);
    const added_chip *found = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return found ? &found->chip : NULL;
}

static const pod_chip *find(lua_State *L, const char *name)
{
    const pod_chip *chip = pod_chip_find(name);
    return chip ? chip : find_added(L, name);
}

pod_status pod_lua_find_slice(lua_State *L, const char *name, pod_slice *slice, pod_error *error)
{
    const pod_chip *chip = find_added(L, name);
    return chip ? pod_slice_find_of(chip, name, slice, error) : pod_slice_find(name, slice, error);
}

const pod_chip *pod_lua_check_chip(lua_State *L, int index)
{
    const char *name = pod_lua_check_text(L, index);
    const pod_chip *chip = find(L, name);
    pod_slice slice;
    pod_error error;
    if (!chip || strpbrk(name, "-:")) /* a slice's name: it must be one */
        pod_lua_check(L, pod_lua_find_slice(L, name, &slice, &error), &error);
    return chip;
}

/* chips() -> {chip...}: the generations, oldest first, then those that were added */
static int chips(lua_State *L)
{
    const int count = (int)pod_chip_count();
    lua_settop(L, 0);
    lua_createtable(L, count, 0); /* 1 */
    for (int i = 0; i < count; i++) {
        push_chip(L, pod_chip_at((size_t)i));
        lua_rawseti(L, 1, i + 1);
    }
    push_added(L); /* 2 */
    const int added = (int)pod_lua_length(L, 2);
    for (int i = 1; i <= added; i++) {
        lua_rawgeti(L, 2, i);
        const added_chip *one = lua_touserdata(L, -1);
        push_chip(L, &one->chip);
        lua_rawseti(L, 1, count + i);
        lua_pop(L, 1);
    }
    lua_settop(L, 1);
    return 1;
}

/* chip_name(text) -> the chip's name, or nil */
static int chip_name(lua_State *L)
{
    const pod_chip *chip = find(L, pod_lua_check_text(L, 1));
    lua_pushstring(L, chip ? chip->name : NULL);
    return 1;
}

/* ---- adding
 * --------------------------------------------------------------------------------------- */

/* Pushes a field of the table at `index`; false, with nothing pushed, where it is nil. */
static bool get(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    if (!lua_isnil(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

static void read_field(lua_State *L, int index, const field *of, pod_chip *chip)
{
    if (!get(L, index, of->name))
        return;
    void *place = place_of(chip, of);
    if (of->kind == RATE) {
        const double value = pod_lua_check_number(L, -1, of->name);
        memcpy(place, &value, sizeof value);
    } else if (of->kind == INT64) {
        const int64_t value = pod_lua_check_any(L, -1, of->name);
        memcpy(place, &value, sizeof value);
    } else {
        const int32_t value = (int32_t)pod_lua_check_within(L, -1, of->name, 0, INT32_MAX);
        memcpy(place, &value, sizeof value);
    }
    lua_pop(L, 1);
}

/* Reads two or three sizes; returns how many, 0 where there are none, and their product. */
static int32_t read_sizes(lua_State *L, int index, const char *name, int32_t sizes[3], int64_t *product)
{
    if (!get(L, index, name))
        return 0;
    const size_t count = lua_istable(L, -1) ? pod_lua_length(L, -1) : 0;
    if (count < 2 || count > 3)
        luaL_error(L, "%s must be an array of two or three sizes", name);
    sizes[2] = 1;
    *product = 1;
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (int)i + 1);
        sizes[i] = (int32_t)pod_lua_check_within(L, -1, name, 1, 65536);
        *product *= sizes[i];
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return (int32_t)count;
}

/* Numbers that follow from others are not taken from the base where those are given. */
static void forget_dependent(lua_State *L, int index, pod_chip *chip)
{
    if (get(L, index, "hbm_bytes")) {
        lua_pop(L, 1);
        chip->hbm_reserved_bytes = 0;
        if (!get(L, index, "hbm_limit_bytes"))
            luaL_error(L, "hbm_limit_bytes is missing: with hbm_bytes goes what of them a program on one device may "
                          "use");
        lua_pop(L, 1);
    }
    if (get(L, index, "bf16_flops")) {
        lua_pop(L, 1);
        chip->int8_ops = chip->int4_ops = chip->fp8_flops = 0;
    }
    if (get(L, index, "link_bytes_per_second")) {
        if (lua_type(L, -1) == LUA_TNUMBER)
            chip->link_usable_per_second = pod_lua_to_number(L, -1);
        lua_pop(L, 1);
    }
}

static void read_torus(lua_State *L, int index, pod_chip *chip)
{
    int64_t product;
    const int32_t rank = read_sizes(L, index, "pod_shape", chip->pod_sizes, &product);
    if (rank > 0) {
        chip->torus_rank = rank;
        chip->pod_chips = product;
    }
    const int32_t host_rank = read_sizes(L, index, "host_shape", chip->host_sizes, &product);
    if (host_rank > 0)
        chip->host_chips = (int32_t)(product < INT32_MAX ? product : INT32_MAX);
    if ((host_rank > 0 || rank > 0) && host_rank != 0 && host_rank != chip->torus_rank)
        luaL_error(L, "host_shape must have as many sizes as pod_shape: %d", (int)chip->torus_rank);
}

static const char *const counted[] = {"cores", "chips", NULL};

/* Pushes a userdata with the chip that the table at `index` describes. */
static const added_chip *push_described(lua_State *L, int index)
{
    pod_error error;
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getfield(L, index, "name"); /* the texts stay on the stack while they are used */
    lua_getfield(L, index, "based_on");
    lua_getfield(L, index, "product");
    const char *name = lua_tostring(L, -3), *base_name = lua_tostring(L, -2), *product = lua_tostring(L, -1);
    if (!name)
        luaL_error(L, "name is missing: what the chip is called, as \"v9x\"");
    const pod_chip *base = base_name ? pod_chip_find(base_name) : NULL;
    if (!base || strcmp(base->name, base_name) != 0) { /* says which there are */
        const pod_chip nothing = {.name = name, .slice_prefix = name, .product = name, .based_on = base_name};
        pod_lua_check(L, pod_chip_check(&nothing, &error), &error);
    }
    added_chip *made = pod_lua_newuserdata(L, sizeof *made);
    memset(made, 0, sizeof *made);
    made->chip = *base;
    snprintf(made->name, sizeof made->name, "%s", name);
    snprintf(made->product, sizeof made->product, "%.40s, a chip of its user's (rules of %s)", product ? product : name,
             base->name);
    made->chip.name = made->chip.slice_prefix = strlen(name) < sizeof made->name ? made->name : name;
    made->chip.product = made->product;
    made->chip.based_on = base->name;
    forget_dependent(L, index, &made->chip);
    read_torus(L, index, &made->chip);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        read_field(L, index, &fields[i], &made->chip);
    if (get(L, index, "name_counts")) {
        made->chip.name_counts_cores = pod_lua_check_name(L, -1, "name_counts", counted) == 0;
        lua_pop(L, 1);
    }
    if (get(L, index, "packs_below_bytes")) {
        made->chip.packs_below_bytes = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    pod_lua_check(L, pod_chip_check(&made->chip, &error), &error);
    lua_replace(L, -4);
    lua_pop(L, 2);
    return made;
}

static bool are_alike(const added_chip *a, const added_chip *b)
{
    pod_chip other = b->chip;
    if (strcmp(a->product, b->product) != 0)
        return false;
    other.name = a->chip.name;
    other.slice_prefix = a->chip.slice_prefix;
    other.product = a->chip.product;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        pod_chip left = a->chip, right = other;
        const size_t size = fields[i].kind == INT32 ? sizeof(int32_t) : sizeof(int64_t);
        if (memcmp(place_of(&left, &fields[i]), place_of(&right, &fields[i]), size) != 0)
            return false;
    }
    return a->chip.based_on == other.based_on && a->chip.torus_rank == other.torus_rank &&
           memcmp(a->chip.pod_sizes, other.pod_sizes, sizeof other.pod_sizes) == 0 &&
           memcmp(a->chip.host_sizes, other.host_sizes, sizeof other.host_sizes) == 0 &&
           a->chip.name_counts_cores == other.name_counts_cores && a->chip.packs_below_bytes == other.packs_below_bytes;
}

/* Pushes a table like that of the chips that were added, to add more to. Returns how many it has. */
static int push_copy(lua_State *L)
{
    push_added(L);
    const int count = (int)pod_lua_length(L, -1);
    lua_createtable(L, count + 1, count + 1);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -2, i);
        const added_chip *one = lua_touserdata(L, -1);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, one->name);
        lua_rawseti(L, -2, i);
    }
    lua_remove(L, -2);
    return count;
}

/* add_chips({description...}): all of them, or none where one is refused. A chip that is there already, just so, is not
 * added again. */
static int add_chips(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    int count = push_copy(L); /* 2 */
    for (int i = 1; i <= (int)pod_lua_length(L, 1); i++) {
        lua_rawgeti(L, 1, i);                          /* 3 */
        const added_chip *made = push_described(L, 3); /* 4 */
        lua_getfield(L, 2, made->name);                /* 5 */
        const added_chip *there = lua_touserdata(L, 5);
        if (there && !are_alike(there, made))
            luaL_error(L, "there is a chip '%s' already, with other numbers, and reports name it: take another name",
                       made->name);
        if (!there) {
            if (count == MOST_ADDED)
                luaL_error(L, "there may be %d chips of one's own, not more", MOST_ADDED);
            lua_pushvalue(L, 4);
            lua_setfield(L, 2, made->name);
            lua_pushvalue(L, 4);
            lua_rawseti(L, 2, ++count);
        }
        lua_settop(L, 2);
    }
    lua_setfield(L, LUA_REGISTRYINDEX, ADDED);
    return 0;
}

static const luaL_Reg functions[] = {
    {"chips", chips}, {"chip_name", chip_name}, {"add_chips", add_chips}, {NULL, NULL}};

void pod_lua_open_chips(lua_State *L)
{
    pod_lua_set_functions(L, functions);
}
