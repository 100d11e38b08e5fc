/* added_chips - chips as plain tables, and those that a state was told of beside the generations. */

#include "bind.h"

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

/* Numbers of a chip. */
#define CHIP(member) POD_LUA_FIELD(pod_chip, member)
static const pod_lua_field fields[] = {
    CHIP(cores),
    CHIP(devices),
    CHIP(mxus_per_core),
    CHIP(mxu_size),
    CHIP(lanes),
    CHIP(sublanes),
    CHIP(hbm_bytes),
    CHIP(hbm_limit_bytes),
    CHIP(vmem_bytes),
    CHIP(smem_bytes),
    CHIP(cmem_bytes),
    CHIP(sparse_cores),
    CHIP(links),
    CHIP(pod_chips),
    CHIP(layout_rows),
    CHIP(packs_below_bytes),
    {0},
};

/* Those of which 0 means that they are not known: then they are nil. */
static const pod_lua_field known_fields[] = {
    CHIP(clock_mhz),
    CHIP(bf16_flops),
    CHIP(int8_ops),
    CHIP(int4_ops),
    CHIP(fp8_flops),
    CHIP(hbm_reserved_bytes),
    CHIP(hbm_bytes_per_second),
    CHIP(link_bytes_per_second),
    CHIP(link_usable_per_second),
    CHIP(pcie_bytes_per_second),
    CHIP(network_bytes_per_second),
    {0},
};

static void push_chip(lua_State *L, const pod_chip *chip)
{
    lua_createtable(L, 0, 40);
    pod_lua_set_text(L, "name", chip->name);
    pod_lua_set_text(L, "product", chip->product);
    pod_lua_set_fields(L, chip, fields);
    pod_lua_set_known_fields(L, chip, known_fields);
    pod_lua_set_integer(L, "torus_rank", chip->torus_rank);
    pod_lua_set_sizes(L, "pod_shape", chip->pod_sizes, chip->torus_rank);
    pod_lua_set_integer(L, "chips_per_host", chip->host_chips);
    pod_lua_set_sizes(L, "host_shape", chip->host_sizes, chip->torus_rank);
    pod_lua_set_text(L, "name_counts", chip->name_counts_cores ? "cores" : "chips");
    pod_lua_set_text(L, "based_on", chip->based_on); /* nil of a generation */
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
    lua_getfield(L, LUA_REGISTRYINDEX, ADDED);
    if (lua_isnil(L, -1)) { /* no finaliser has made one, for which there was memory to take */
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, ADDED);
        return;
    }
    lua_remove(L, -2);
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
    pod_lua_read_fields(L, index, &made->chip, fields);
    pod_lua_read_fields(L, index, &made->chip, known_fields);
    if (get(L, index, "name_counts")) {
        made->chip.name_counts_cores = pod_lua_check_name(L, -1, "name_counts", counted) == 0;
        lua_pop(L, 1);
    }
    pod_lua_check(L, pod_chip_check(&made->chip, &error), &error);
    lua_replace(L, -4);
    lua_pop(L, 2);
    return made;
}

static bool are_alike(const added_chip *a, const added_chip *b)
{
    if (strcmp(a->product, b->product) != 0 || !pod_lua_fields_equal(&a->chip, &b->chip, fields) ||
        !pod_lua_fields_equal(&a->chip, &b->chip, known_fields))
        return false;
    const pod_chip *one = &a->chip, *other = &b->chip;
    return one->based_on == other->based_on && one->torus_rank == other->torus_rank &&
           memcmp(one->pod_sizes, other->pod_sizes, sizeof other->pod_sizes) == 0 &&
           memcmp(one->host_sizes, other->host_sizes, sizeof other->host_sizes) == 0 &&
           one->name_counts_cores == other->name_counts_cores;
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
    const int before = push_copy(L); /* 2 */
    int count = before;
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
    push_added(L);
    if ((int)pod_lua_length(L, 3) != before) /* a finaliser did: those are kept for as long as the state lives */
        return luaL_error(L, "other chips were added meanwhile");
    lua_settop(L, 2);
    lua_setfield(L, LUA_REGISTRYINDEX, ADDED);
    return 0;
}

static const pod_lua_function functions[] = {
    {"chips", .plain = chips}, {"chip_name", .plain = chip_name}, {"add_chips", .plain = add_chips}, {0}};

const pod_lua_part pod_lua_chips_part = {.functions = functions};
