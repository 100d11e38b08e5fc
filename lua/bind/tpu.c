/* tpu - graphs lowered for a chip: what they take of its memory, as tables and as reports. */

#include "graph_access.h"

#include <moonpod/advise.h>
#include <moonpod/project.h>
#include <moonpod/tpu.h>

#include <stdlib.h>

/* What a box, which keeps { the graph's userdata }, points to. */
typedef struct lowered {
    pod_tpu_plan *plan;
    pod_memory_facts *facts;
    pod_context *context; /* shared */
    pod_compiled_memory compiled;
    pod_projection *projection; /* the last that was asked for */
} lowered;

static void end(void *content)
{
    lowered *plan = content;
    if (plan->context)
        pod_memory_facts_free(plan->context, plan->facts);
    pod_projection_free(plan->projection);
    pod_tpu_plan_free(plan->plan);
    pod_context_release(plan->context);
    free(plan);
}

static void describe(lua_State *L, void *content)
{
    const lowered *plan = content;
    lua_pushfstring(L, "%s on %s", plan->facts->name, plan->facts->chip->name);
}

static const pod_lua_kind plan_kind = {"moonpod.tpu_plan", "plan", .end = end, .describe = describe};

/* The plan borrows from its graph. */
static lowered *check_plan(lua_State *L)
{
    lowered *plan = pod_lua_check_open(L, 1, &plan_kind);
    pod_lua_push_kept_table(L, 1);
    lua_rawgeti(L, -1, 1);
    pod_graph *const *graph = lua_touserdata(L, -1);
    lua_pop(L, 2);
    luaL_argcheck(L, graph && *graph, 1, "the graph of the plan is closed");
    return plan;
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

/* tpu_lower(context, graph, chip, {name = , donated = {boolean a parameter...}, partitions = , undivided = ,
 * devices = , compiled = what compiled_memory() has said}?) -> plan */
static int lower(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_graph *graph = pod_lua_check_graph(L, 2);
    const pod_chip *chip = pod_lua_check_chip(L, 3);
    pod_tpu_options options = {0};
    const char *name = NULL;
    const size_t parameters = pod_graph_parameter_count(graph), outputs = pod_graph_output_count(graph);
    pod_compiled_memory compiled = {0};
    bool is_compiled = false;
    lua_settop(L, 4);
    if (!lua_isnil(L, 4)) {
        luaL_checktype(L, 4, LUA_TTABLE);
        lua_getfield(L, 4, "name"); /* 5 */
        name = pod_lua_optional_text(L, 5, NULL);
        lua_getfield(L, 4, "donated"); /* 6 */
        options.donated = pod_lua_check_flags(L, 6, parameters);
        options.partitions = option(L, 4, "partitions");
        options.devices = option(L, 4, "devices");
        lua_getfield(L, 4, "undivided"); /* stands behind what the flags are kept in */
        options.undivided = pod_lua_optional_text(L, lua_gettop(L), NULL);
        lua_getfield(L, 4, "compiled");
        is_compiled = !lua_isnil(L, -1);
        if (is_compiled)
            compiled = pod_lua_check_compiled(L, lua_gettop(L));
    }
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, 1);
    lowered **box = pod_lua_newuserdata_with_table(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, plan_kind.name);
    lowered *plan = *box = calloc(1, sizeof *plan);
    if (!plan)
        return luaL_error(L, "no memory for a plan");
    pod_lua_check_counts(L, graph, parameters, outputs);
    pod_lua_check(L, pod_tpu_lower(graph, chip, &options, &plan->plan, error), error);
    plan->context = pod_context_retain(context);
    pod_lua_check(L, pod_memory_facts_new(context, plan->plan, graph, name, &plan->facts, error), error);
    plan->compiled = compiled;
    if (is_compiled)
        pod_memory_facts_use_compiled(plan->facts, &plan->compiled);
    return 1;
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* Sets margin, margin_below, miss, kept_programs, doubt and kinds, an array of names, of the table on top. */
static void push_certainty(lua_State *L, const pod_tpu_certainty *certainty)
{
    int count = 0;
    pod_lua_set_number(L, "margin", certainty->margin);
    pod_lua_set_number(L, "margin_below", certainty->margin_below);
    pod_lua_set_integer(L, "margin_bytes", certainty->margin_bytes);
    pod_lua_set_number(L, "miss", certainty->miss);
    pod_lua_set_integer(L, "kept_programs", certainty->kept);
    pod_lua_set_text(L, "doubt", certainty->doubt);
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
#define MEMORY(member) POD_LUA_FIELD(pod_tpu_memory, member)
    static const pod_lua_field fields[] = {
        MEMORY(argument_bytes),
        MEMORY(output_bytes),
        MEMORY(alias_bytes),
        MEMORY(temp_bytes),
        MEMORY(need_bytes),
        MEMORY(limit_bytes),
        MEMORY(reserved_bytes),
        MEMORY(fragmentation_bytes),
        MEMORY(on_chip_bytes),
        MEMORY(relieved_bytes),
        MEMORY(computed_again),
        MEMORY(least_bytes),
        {0},
    };
    static const char *const verdicts[] = {"fits", "does_not_fit", "cannot_say"};
    const pod_memory_facts *facts = check_plan(L)->facts;
    const pod_tpu_memory *memory = &facts->memory;
    const pod_layout_bytes held = pod_memory_held(facts);
    lua_createtable(L, 0, 24);
    pod_lua_set_text(L, "name", facts->name);
    pod_lua_set_text(L, "chip", facts->chip->name);
    pod_lua_set_text(L, "verdict", verdicts[facts->verdict]);
    pod_lua_set_fields(L, memory, fields);
    pod_lua_set_integer(L, "peak_unpadded_bytes", memory->peak.unpadded);
    pod_lua_set_integer(L, "peak_padded_bytes", memory->peak.padded);
    pod_lua_set_integer(L, "peak_step", memory->peak_step + 1);
    pod_lua_set_integer(L, "held_unpadded_bytes", held.unpadded);
    pod_lua_set_integer(L, "held_padded_bytes", held.padded);
    push_certainty(L, &facts->certainty);
    return 1;
}

static void push_buffer(lua_State *L, const void *from, size_t index)
{
#define BUFFER(member) POD_LUA_FIELD(pod_tpu_buffer, member)
    static const pod_lua_field fields[] = {
        BUFFER(name), BUFFER(op), BUFFER(location), BUFFER(scope), BUFFER(node), BUFFER(on_chip), {0},
    };
    static const char *const uses[] = {"argument", "output", "temporary", "constant"};
    char text[POD_ARRAY_TYPE_TEXT_SIZE], reason[POD_LAYOUT_REASON_SIZE];
    const pod_memory_facts *facts = from;
    const pod_tpu_buffer *buffer = facts->buffers[index];
    lua_createtable(L, 0, 24);
    pod_lua_set_fields(L, buffer, fields);
    pod_lua_set_text(L, "use", uses[buffer->use]);
    pod_lua_set_text(L, "argument", pod_memory_argument_name(facts, buffer));
    pod_lua_set_text(L, "type", pod_array_type_format(&buffer->type, text));
    pod_lua_set_text(L, "dtype", pod_element_name(buffer->type.element));
    pod_lua_set_shape(L, "shape", &buffer->type.shape);
    pod_lua_set_text(L, "layout", pod_layout_format(&buffer->type.layout, text));
    pod_lua_set_text(L, "reason", pod_memory_reason(facts, buffer, reason));
    pod_lua_set_integer(L, "unpadded_bytes", buffer->bytes.unpadded);
    pod_lua_set_integer(L, "padded_bytes", buffer->bytes.padded);
    pod_lua_set_integer(L, "first_step", buffer->first_step + 1);
    pod_lua_set_integer(L, "last_step", buffer->last_step + 1);
    if (buffer->offset >= 0)
        pod_lua_set_integer(L, "offset", buffer->offset);
    if (buffer->alias >= 0)
        pod_lua_set_integer(L, "alias", buffer->alias + 1);
    pod_lua_set_boolean(L, "at_peak", pod_memory_lives(facts, buffer, facts->memory.peak_step));
}

/* plan:buffers() -> {buffer...}: arguments, outputs, temporaries by their first step; steps and aliases
 * count from 1 */
static int plan_buffers(lua_State *L)
{
    const pod_memory_facts *facts = check_plan(L)->facts;
    pod_lua_push_array(L, facts->buffer_count, push_buffer, facts);
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

/* ---- time ---------------------------------------------------------------------------------------------- */

static void push_kernel(lua_State *L, const void *from, size_t index)
{
#define COST(member) POD_LUA_FIELD(pod_tpu_cost, member)
    static const pod_lua_field fields[] = {
        COST(name),          COST(op),        COST(location),      COST(scope),           COST(times),
        COST(product_flops), COST(mxu_flops), COST(other_flops),   COST(transcendentals), COST(padding),
        COST(bytes),         COST(hbm_bytes), COST(counted_bytes), COST(exchanged_bytes), {0},
    };
    const pod_kernel_time *kernel = (const pod_kernel_time *)from + index;
    lua_createtable(L, 0, 20);
    pod_lua_set_fields(L, kernel->cost, fields);
    pod_lua_set_integer(L, "step", kernel->cost->step + 1);
    pod_lua_set_text(L, "bound", pod_bound_name(kernel->bound));
    pod_lua_set_text(L, "exchange", pod_tpu_exchange_name(kernel->cost->exchange));
    pod_lua_set_number(L, "seconds", kernel->seconds);
    pod_lua_set_number(L, "estimated_seconds", kernel->estimated);
    pod_lua_set_number(L, "mxu_seconds", kernel->mxu);
    pod_lua_set_number(L, "vector_seconds", kernel->vector);
    pod_lua_set_number(L, "hbm_seconds", kernel->hbm);
    pod_lua_set_number(L, "on_chip_seconds", kernel->on_chip);
    pod_lua_set_number(L, "links_seconds", kernel->links);
    pod_lua_set_number(L, "launch_seconds", kernel->launch);
}

/* A number of options; 0 where it is not given. */
static double number_option(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    const double value = lua_isnil(L, -1) ? 0 : pod_lua_check_number(L, -1, name);
    lua_pop(L, 1);
    return value;
}

/* What a projection is asked for. */
typedef struct asked_times {
    pod_project_options options;
    pod_slice slice;
    bool without_kernels;
} asked_times;

/* The slice is named by its devices, or by its name. */
static void check_asked(lua_State *L, const pod_chip *chip, asked_times *asked, pod_error *error)
{
    *asked = (asked_times){0};
    if (lua_isnoneornil(L, 2))
        return;
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_getfield(L, 2, "slice");
    if (lua_type(L, -1) == LUA_TNUMBER)
        pod_lua_check(
            L, pod_slice_of_devices(chip, pod_lua_check_within(L, -1, "slice", 1, 1 << 20), &asked->slice, error),
            error);
    else if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "option 'slice' must be a name or a number of devices, not a %s", luaL_typename(L, -1));
    else if (!lua_isnil(L, -1))
        pod_lua_check(L, pod_lua_find_slice(L, pod_lua_check_text(L, -1), &asked->slice, error), error);
    asked->options.slice = lua_isnil(L, -1) ? NULL : &asked->slice;
    lua_getfield(L, 2, "without_kernels");
    asked->without_kernels = lua_toboolean(L, -1);
    lua_getfield(L, 2, "known_alone");
    asked->options.known_alone = lua_toboolean(L, -1);
    lua_pop(L, 3);
    asked->options.infeed_bytes = number_option(L, 2, "infeed_bytes");
    asked->options.input_seconds = number_option(L, 2, "input_seconds");
    asked->options.steps_per_execution = option(L, 2, "steps_per_execution");
}

/* The fields of a projection and bounds = {name = seconds}. */
static void push_projection(lua_State *L, const pod_projection *projection)
{
#define FIELD(member) POD_LUA_FIELD(pod_projection, member)
    static const pod_lua_field fields[] = {
        FIELD(product_flops), FIELD(other_flops),  FIELD(transcendentals), FIELD(bytes),
        FIELD(hbm_bytes),     FIELD(copied_bytes), FIELD(counted_copies),  FIELD(cycles_per_second),
        FIELD(peak_flops),    FIELD(mfu_low),      FIELD(mfu_high),        {0},
    };
    lua_createtable(L, 0, 18);
    pod_lua_set_fields(L, projection, fields);
    pod_lua_set_text(L, "chip", projection->chip->name);
    pod_lua_set_number(L, "device_seconds", projection->device);
    pod_lua_set_number(L, "exchange_seconds", projection->exchanges);
    pod_lua_set_number(L, "input_seconds", projection->input);
    pod_lua_set_number(L, "host_seconds", projection->host);
    pod_lua_set_number(L, "low_seconds", projection->low);
    pod_lua_set_number(L, "high_seconds", projection->high);
    pod_lua_set_text(L, "bound", pod_bound_name(projection->bound));
    lua_createtable(L, 0, POD_BOUNDS);
    for (int i = 0; i < POD_BOUNDS; i++)
        pod_lua_set_number(L, pod_bound_name((pod_bound)i), projection->bounds[i]);
    lua_setfield(L, -2, "bounds");
}

/* Projects anew, as the table at 2 asks; the plan keeps what comes of it. */
static pod_status project(lua_State *L, lowered *plan, asked_times *asked, pod_error *error)
{
    check_asked(L, pod_tpu_plan_chip(plan->plan), asked, error);
    pod_projection_free(plan->projection);
    return pod_project(plan->context, plan->plan, &asked->options, &plan->projection, error);
}

/* plan:projection({slice = its name or number of devices, infeed_bytes = , input_seconds = , steps_per_execution = ,
 * without_kernels = boolean, known_alone = boolean}?) -> table with what push_projection says and kernels, the longest
 * first; nil and why where the plan leaves out what takes time */
static int plan_projection(lua_State *L, pod_error *error)
{
    lowered *plan = check_plan(L);
    asked_times asked;
    const pod_status status = project(L, plan, &asked, error);
    if (status == POD_ERROR_UNSUPPORTED) {
        lua_pushnil(L);
        lua_pushstring(L, error->message);
        return 2;
    }
    pod_lua_check(L, status, error);
    push_projection(L, plan->projection);
    pod_lua_set_text(L, "name", plan->facts->name);
    if (!asked.without_kernels) {
        pod_lua_push_array(L, plan->projection->kernel_count, push_kernel, plan->projection->kernels);
        lua_setfield(L, -2, "kernels");
    }
    return 1;
}

/* plan:write_xplane(what projection() was asked for, path) */
static int plan_write_xplane(lua_State *L, pod_error *error)
{
    lowered *plan = check_plan(L);
    asked_times asked;
    pod_lua_check(L, project(L, plan, &asked, error), error);
    return pod_projection_write_xplane(plan->context, plan->projection, plan->facts, pod_lua_check_text(L, 3), error);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

static pod_memory_options check_options(lua_State *L, int index)
{
    return (pod_memory_options){.largest = (size_t)option(L, index, "largest"),
                                .width = option(L, index, "width"),
                                .height = option(L, index, "height")};
}

/* plan:report("today" | "error", {largest = }?) -> text */
static int plan_report(lua_State *L, pod_error *error)
{
    static const char *const names[] = {"today", "error", NULL};
    static const pod_memory_form forms[] = {POD_MEMORY_TODAY, POD_MEMORY_ERROR};
    const lowered *plan = check_plan(L);
    const pod_memory_form form = forms[pod_lua_check_name(L, 2, "form", names)];
    const pod_memory_options options = check_options(L, 3);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    return pod_lua_push_text(L, text,
                             pod_memory_report(plan->context, plan->facts, form, &options, &text->text, error));
}

/* plan:verdict() -> text */
static int plan_verdict(lua_State *L, pod_error *error)
{
    const lowered *plan = check_plan(L);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    return pod_lua_push_text(L, text, pod_memory_verdict(plan->context, plan->facts, &text->text, error));
}

/* plan:viewer({width = , height = }?) -> text */
static int plan_viewer(lua_State *L, pod_error *error)
{
    const lowered *plan = check_plan(L);
    const pod_memory_options options = check_options(L, 2);
    pod_lua_text *text = pod_lua_new_text(L, plan->context);
    return pod_lua_push_text(L, text, pod_memory_viewer(plan->context, plan->facts, &options, &text->text, error));
}

static const pod_lua_function plan_methods[] = {{"memory", .plain = plan_memory},
                                                {"buffers", .plain = plan_buffers},
                                                {"curve", .plain = plan_curve},
                                                {"report", .failing = plan_report},
                                                {"projection", .failing = plan_projection},
                                                {"write_xplane", .failing = plan_write_xplane},
                                                {"verdict", .failing = plan_verdict},
                                                {"viewer", .failing = plan_viewer},
                                                {0}};

static const pod_lua_function functions[] = {{"tpu_lower", .failing = lower}, {0}};

const pod_lua_part pod_lua_tpu_part = {.functions = functions, .kind = &plan_kind, .methods = plan_methods};
