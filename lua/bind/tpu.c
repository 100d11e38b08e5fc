/* tpu - graphs lowered for a chip: what they take of its memory, as tables and as reports. */

#include "bind.h"

#include <moonpod/advise.h>
#include <moonpod/tpu.h>

#include <stdlib.h>

#define POD_LUA_PLAN "moonpod.tpu_plan"

/* What a box points to. */
typedef struct lowered {
    pod_tpu_plan *plan;
    pod_memory_facts *facts;
    pod_context *context; /* shared */
    int graph;            /* reference to the graph's userdata, which the plan borrows from */
} lowered;

static const lowered *check_plan(lua_State *L)
{
    lowered **box = luaL_checkudata(L, 1, POD_LUA_PLAN);
    const lowered *plan = *box;
    luaL_argcheck(L, plan && plan->facts, 1, "the plan is closed");
    lua_rawgeti(L, LUA_REGISTRYINDEX, plan->graph);
    pod_graph *const *graph = lua_touserdata(L, -1);
    lua_pop(L, 1);
    luaL_argcheck(L, graph && *graph, 1, "the graph of the plan is closed");
    return plan;
}

static void end(void *content)
{
    lowered *plan = content;
    if (plan->context)
        pod_memory_facts_free(plan->context, plan->facts);
    pod_tpu_plan_free(plan->plan);
    pod_context_release(plan->context);
    free(plan);
}

static int plan_close(lua_State *L)
{
    lowered **box = luaL_checkudata(L, 1, POD_LUA_PLAN);
    lowered *plan = *box;
    *box = NULL;
    const int graph = plan ? plan->graph : LUA_NOREF;
    if (pod_lua_end(L, end, plan)) /* else the graph is kept, as the plan is */
        luaL_unref(L, LUA_REGISTRYINDEX, graph);
    return 0;
}

/* Reads the array of flags at `index` (nil: none) into a block that stays on the stack; NULL for nil. */
static const bool *check_donated(lua_State *L, int index, size_t count)
{
    if (lua_isnil(L, index)) {
        lua_pushnil(L);
        return NULL;
    }
    luaL_checktype(L, index, LUA_TTABLE);
    bool *flags = pod_lua_new_array(L, count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, index, i + 1);
        flags[i] = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    return flags;
}

static int32_t option(lua_State *L, int index, const char *name)
{
    if (lua_isnoneornil(L, index))
        return 0;
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getfield(L, index, name);
    const int64_t value = lua_isnil(L, -1) ? 0 : pod_lua_check_within(L, -1, name, 0, 100000);
    lua_pop(L, 1);
    return (int32_t)value;
}

/* tpu_lower(context, graph, chip, {name = , donated = {boolean a parameter...}, partitions = }?) -> plan */
static int lower(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_graph *graph = pod_lua_check_graph(L, 2);
    const pod_chip *chip = pod_lua_check_chip(L, 3);
    pod_tpu_options options = {0};
    const char *name = NULL;
    pod_error error;
    lua_settop(L, 4);
    if (!lua_isnil(L, 4)) {
        luaL_checktype(L, 4, LUA_TTABLE);
        lua_getfield(L, 4, "name"); /* 5 */
        name = pod_lua_optional_text(L, 5, NULL);
        lua_getfield(L, 4, "donated"); /* 6 */
        options.donated = check_donated(L, 6, pod_graph_parameter_count(graph));
        options.partitions = option(L, 4, "partitions");
    }
    lowered **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, POD_LUA_PLAN);
    lowered *plan = *box = calloc(1, sizeof *plan);
    if (!plan)
        return luaL_error(L, "no memory for a plan");
    plan->graph = LUA_NOREF;
    lua_pushvalue(L, 2);
    plan->graph = luaL_ref(L, LUA_REGISTRYINDEX);
    pod_lua_check(L, pod_tpu_lower(graph, chip, &options, &plan->plan, &error), &error);
    plan->context = pod_context_retain(context);
    pod_lua_check(L, pod_memory_facts_new(context, plan->plan, graph, name, &plan->facts, &error), &error);
    return 1;
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

static void set_integer(lua_State *L, const char *name, int64_t value)
{
    pod_lua_push_int64(L, value);
    lua_setfield(L, -2, name);
}

/* NULL stays nil. */
static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

/* Sets margin, miss, kept_programs, doubt and kinds, an array of names, of the table on top. */
static void push_certainty(lua_State *L, const pod_tpu_certainty *certainty)
{
    int count = 0;
    lua_pushnumber(L, certainty->margin);
    lua_setfield(L, -2, "margin");
    lua_pushnumber(L, certainty->miss);
    lua_setfield(L, -2, "miss");
    set_integer(L, "kept_programs", certainty->kept);
    set_text(L, "doubt", certainty->doubt);
    lua_createtable(L, POD_TPU_PROGRAM_KINDS, 0);
    for (uint32_t kind = 0; kind < POD_TPU_PROGRAM_KINDS; kind++)
        if (certainty->kinds & 1u << kind) {
            lua_pushstring(L, pod_tpu_program_kind_name((pod_tpu_program_kind)kind));
            lua_rawseti(L, -2, ++count);
        }
    lua_setfield(L, -2, "kinds");
}

/* plan:memory() -> table with the fields of pod_tpu_memory, chip and verdict */
static int plan_memory(lua_State *L)
{
    static const char *const verdicts[] = {"fits", "does_not_fit", "cannot_say"};
    const pod_memory_facts *facts = check_plan(L)->facts;
    const pod_tpu_memory *memory = &facts->memory;
    const pod_layout_bytes held = pod_memory_held(facts);
    lua_createtable(L, 0, 20);
    set_text(L, "name", facts->name);
    set_text(L, "chip", facts->chip->name);
    set_text(L, "verdict", verdicts[facts->verdict]);
    set_integer(L, "argument_bytes", memory->argument_bytes);
    set_integer(L, "output_bytes", memory->output_bytes);
    set_integer(L, "alias_bytes", memory->alias_bytes);
    set_integer(L, "temp_bytes", memory->temp_bytes);
    set_integer(L, "need_bytes", memory->need_bytes);
    set_integer(L, "limit_bytes", memory->limit_bytes);
    set_integer(L, "reserved_bytes", memory->reserved_bytes);
    set_integer(L, "peak_unpadded_bytes", memory->peak.unpadded);
    set_integer(L, "peak_padded_bytes", memory->peak.padded);
    set_integer(L, "peak_step", memory->peak_step + 1);
    set_integer(L, "fragmentation_bytes", memory->fragmentation_bytes);
    set_integer(L, "on_chip_bytes", memory->on_chip_bytes);
    set_integer(L, "held_unpadded_bytes", held.unpadded);
    set_integer(L, "held_padded_bytes", held.padded);
    push_certainty(L, &facts->certainty);
    return 1;
}

static void push_buffer(lua_State *L, const pod_memory_facts *facts, const pod_tpu_buffer *buffer)
{
    static const char *const uses[] = {"argument", "output", "temporary", "constant"};
    char text[POD_ARRAY_TYPE_TEXT_SIZE], reason[POD_LAYOUT_REASON_SIZE];
    lua_createtable(L, 0, 20);
    set_text(L, "name", buffer->name);
    set_text(L, "use", uses[buffer->use]);
    set_text(L, "op", buffer->op);
    set_text(L, "location", buffer->location);
    set_text(L, "scope", buffer->scope);
    set_text(L, "argument", pod_memory_argument_name(facts, buffer));
    set_integer(L, "node", buffer->node);
    set_text(L, "type", pod_array_type_format(&buffer->type, text));
    set_text(L, "dtype", pod_element_name(buffer->type.element));
    pod_lua_push_shape(L, &buffer->type.shape);
    lua_setfield(L, -2, "shape");
    set_text(L, "layout", pod_layout_format(&buffer->type.layout, text));
    set_text(L, "reason", pod_memory_reason(facts, buffer, reason));
    set_integer(L, "unpadded_bytes", buffer->bytes.unpadded);
    set_integer(L, "padded_bytes", buffer->bytes.padded);
    set_integer(L, "first_step", buffer->first_step + 1);
    set_integer(L, "last_step", buffer->last_step + 1);
    if (buffer->offset >= 0)
        set_integer(L, "offset", buffer->offset);
    lua_pushboolean(L, buffer->on_chip);
    lua_setfield(L, -2, "on_chip");
    if (buffer->alias >= 0)
        set_integer(L, "alias", buffer->alias + 1);
    lua_pushboolean(L, pod_memory_lives(facts, buffer, facts->memory.peak_step));
    lua_setfield(L, -2, "at_peak");
}

/* plan:buffers() -> {buffer...}: arguments, outputs, temporaries by their first step; steps and aliases
 * count from 1 */
static int plan_buffers(lua_State *L)
{
    const pod_memory_facts *facts = check_plan(L)->facts;
    lua_createtable(L, (int)facts->buffer_count, 0);
    for (size_t i = 0; i < facts->buffer_count; i++) {
        push_buffer(L, facts, facts->buffers[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* plan:curve() -> {unpadded = {bytes a step...}, padded = {...}}: what is held and what lives */
static int plan_curve(lua_State *L)
{
    const pod_memory_facts *facts = check_plan(L)->facts;
    const pod_layout_bytes held = pod_memory_held(facts);
    const int count = (int)facts->step_count;
    lua_createtable(L, 0, 2);
    lua_createtable(L, count, 0);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        const pod_layout_bytes *live = &facts->steps[i]->live;
        pod_lua_push_int64(L, held.unpadded + live->unpadded);
        lua_rawseti(L, -3, i + 1);
        pod_lua_push_int64(L, held.padded + live->padded);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -3, "padded");
    lua_setfield(L, -2, "unpadded");
    return 1;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

static pod_memory_options check_options(lua_State *L, int index)
{
    return (pod_memory_options){.largest = (size_t)option(L, index, "largest"),
                                .width = option(L, index, "width"),
                                .height = option(L, index, "height")};
}

/* plan:report("today" | "error", {largest = }?) -> text */
static int plan_report(lua_State *L)
{
    static const char *const names[] = {"today", "error", NULL};
    static const pod_memory_form forms[] = {POD_MEMORY_TODAY, POD_MEMORY_ERROR};
    const lowered *plan = check_plan(L);
    const pod_memory_form form = forms[pod_lua_check_name(L, 2, "form", names)];
    const pod_memory_options options = check_options(L, 3);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    pod_error error;
    pod_lua_check(L, pod_memory_report(plan->context, plan->facts, form, &options, &text->text, &error), &error);
    return pod_lua_push_text(L, text);
}

/* plan:verdict() -> text */
static int plan_verdict(lua_State *L)
{
    const lowered *plan = check_plan(L);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    pod_error error;
    pod_lua_check(L, pod_memory_verdict(plan->context, plan->facts, &text->text, &error), &error);
    return pod_lua_push_text(L, text);
}

/* plan:viewer({width = , height = }?) -> text */
static int plan_viewer(lua_State *L)
{
    const lowered *plan = check_plan(L);
    const pod_memory_options options = check_options(L, 2);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    pod_error error;
    pod_lua_check(L, pod_memory_viewer(plan->context, plan->facts, &options, &text->text, &error), &error);
    return pod_lua_push_text(L, text);
}

/* plan:svg(path?) -> text where no path is given */
static int plan_svg(lua_State *L)
{
    const lowered *plan = check_plan(L);
    const char *path = pod_lua_optional_text(L, 2, NULL);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    pod_error error;
    if (path) {
        pod_lua_check(L, pod_memory_save_svg(plan->context, plan->facts, path, &error), &error);
        return 0;
    }
    pod_lua_check(L, pod_memory_svg(plan->context, plan->facts, &text->text, &error), &error);
    return pod_lua_push_text(L, text);
}

/* plan:html(path?) -> text where no path is given */
static int plan_html(lua_State *L)
{
    const lowered *plan = check_plan(L);
    const char *path = pod_lua_optional_text(L, 2, NULL);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    pod_error error;
    if (path) {
        pod_lua_check(L, pod_memory_save_html(plan->context, plan->facts, path, &error), &error);
        return 0;
    }
    pod_lua_check(L, pod_memory_html(plan->context, plan->facts, &text->text, &error), &error);
    return pod_lua_push_text(L, text);
}

static int plan_tostring(lua_State *L)
{
    const lowered *plan = *(lowered **)luaL_checkudata(L, 1, POD_LUA_PLAN);
    if (plan && plan->facts)
        lua_pushfstring(L, "moonpod.tpu_plan (%s on %s)", plan->facts->name, plan->facts->chip->name);
    else
        lua_pushliteral(L, "moonpod.tpu_plan (closed)");
    return 1;
}

static const luaL_Reg plan_methods[] = {{"memory", plan_memory}, {"buffers", plan_buffers}, {"curve", plan_curve},
                                        {"report", plan_report}, {"verdict", plan_verdict}, {"viewer", plan_viewer},
                                        {"svg", plan_svg},       {"html", plan_html},       {NULL, NULL}};

void pod_lua_open_tpu(lua_State *L)
{
    pod_lua_new_metatable(L, POD_LUA_PLAN, plan_methods, plan_close, plan_tostring);
    pod_lua_push_function(L, lower);
    lua_setfield(L, -2, "tpu_lower");
}
