/*
 * timing - see timing.h. The optimised program is a message of xla/service/hlo.proto, within one of
 * HloModuleProtoWithConfig; what is read of it:
 *
 *     HloModuleProto       3 computations, 6 number of the entry
 *     HloComputationProto  2 instructions, 5 number, 6 number of the one that is its result
 *     HloInstructionProto  1 name, 2 opcode, 7 metadata (4 line), 35 number, 36 numbers of operands, 38 those of
 *                          computations that it calls, 43 what the backend notes: text of JSON, with
 *                          "estimated_cycles" of kernels and "known_trip_count" of loops */

#define _GNU_SOURCE /* memmem() */
#include "timing.h"

#include "base/context.h"
#include "formats/protobuf.h"

#include <string.h>

enum { MODULE = 1 };
enum { COMPUTATIONS = 3, ENTRY = 6 };
enum { INSTRUCTIONS = 2, COMPUTATION_ID = 5, RESULT = 6 };
enum { NAME = 1, OPCODE = 2, METADATA = 7, LINE = 4, ID = 35, OPERANDS = 36, CALLED = 38, NOTES = 43 };
enum { DEEPEST = 16, MOST_NUMBERS = 32, FOLLOWED = 8, FARTHEST = 6 };

typedef struct computation {
    uint64_t id, result;
    pod_wire content;
} computation;

/* Numbers of others; of more than there is room for the first ones. */
typedef struct numbers {
    uint64_t list[MOST_NUMBERS];
    int count;
} numbers;

/* An instruction's fields, as they lie in the message. */
typedef struct instruction {
    pod_wire name, opcode, notes;
    int32_t line;
    uint64_t id;
    numbers operands, called;
} instruction;

typedef struct module {
    computation *list;
    size_t count;
    uint64_t entry;
    pod_compiled_time *time;
    pod_error *error;
} module;

static bool is_text(const pod_wire *content, const char *text)
{
    const size_t size = strlen(text);
    return (size_t)(content->end - content->at) == size && memcmp(content->at, text, size) == 0;
}

/* Reads the number behind a key: "estimated_cycles":"9557824". Returns 0 where there is none. */
static double read_note(const pod_wire *notes, const char *key)
{
    const unsigned char *at = notes->at ? memmem(notes->at, (size_t)(notes->end - notes->at), key, strlen(key)) : NULL;
    double number = 0;
    for (at = at ? at + strlen(key) : notes->end; at < notes->end && *at >= '0' && *at <= '9'; at++)
        number = 10 * number + (*at - '0');
    return number;
}

static pod_status read_line(pod_wire metadata, int32_t *line, pod_error *error)
{
    pod_wire_field field;
    pod_status status;
    while ((status = pod_format_wire_next(&metadata, &field, error)) == POD_OK)
        if (field.number == LINE && field.type == POD_WIRE_VARINT && field.value <= INT32_MAX)
            *line = (int32_t)field.value;
    return status == POD_END ? POD_OK : status;
}

static pod_status read_numbers(numbers *read, pod_wire_field *field, pod_error *error)
{
    pod_status status = POD_OK;
    if (field->type == POD_WIRE_VARINT && read->count < MOST_NUMBERS)
        read->list[read->count++] = field->value;
    while (status == POD_OK && field->type == POD_WIRE_LENGTH && field->content.at < field->content.end &&
           read->count < MOST_NUMBERS)
        status = pod_format_wire_varint(&field->content, &read->list[read->count++], error);
    return status;
}

static pod_status read_instruction(pod_wire from, instruction *read, pod_error *error)
{
    pod_wire_field field;
    pod_status status;
    *read = (instruction){.line = 0};
    while ((status = pod_format_wire_next(&from, &field, error)) == POD_OK) {
        if (field.number == CALLED || field.number == OPERANDS)
            status = read_numbers(field.number == CALLED ? &read->called : &read->operands, &field, error);
        else if (field.type == POD_WIRE_VARINT && field.number == ID)
            read->id = field.value;
        else if (field.type == POD_WIRE_LENGTH && field.number == METADATA)
            status = read_line(field.content, &read->line, error);
        else if (field.type == POD_WIRE_LENGTH && field.number == NAME)
            read->name = field.content;
        else if (field.type == POD_WIRE_LENGTH && field.number == OPCODE)
            read->opcode = field.content;
        else if (field.type == POD_WIRE_LENGTH && field.number == NOTES)
            read->notes = field.content;
        if (status != POD_OK)
            return status;
    }
    return status == POD_END ? POD_OK : status;
}

/* A computation; an empty one where there is none of that number. */
static computation find(const module *m, uint64_t id)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].id == id)
            return m->list[i];
    return (computation){.content = {.what = "program"}};
}

/* Reads the next instruction of a computation; POD_END at its end. */
static pod_status next_instruction(const module *m, pod_wire *content, instruction *read)
{
    pod_wire_field field;
    pod_status status;
    while ((status = pod_format_wire_next(content, &field, m->error)) == POD_OK)
        if (field.number == INSTRUCTIONS && field.type == POD_WIRE_LENGTH)
            return read_instruction(field.content, read, m->error);
    return status;
}

/* The line of the first convolution that a computation has or calls; 0: there is none. */
static int32_t find_product(const module *m, uint64_t id, int depth)
{
    pod_wire content = find(m, id).content;
    instruction read;
    while (depth < DEEPEST && next_instruction(m, &content, &read) == POD_OK) {
        if (is_text(&read.opcode, "convolution") || is_text(&read.opcode, "dot"))
            return read.line;
        for (int i = 0; i < read.called.count; i++) {
            const int32_t line = find_product(m, read.called.list[i], depth + 1);
            if (line)
                return line;
        }
    }
    return 0;
}

static int32_t find_line(const module *m, uint64_t within, const instruction *of, int depth);

/* The line of an instruction by its number in a computation. */
static int32_t line_by_number(const module *m, uint64_t within, uint64_t id, int depth)
{
    pod_wire content = find(m, within).content;
    instruction read;
    while (depth < FARTHEST && next_instruction(m, &content, &read) == POD_OK)
        if (read.id == id)
            return find_line(m, within, &read, depth + 1);
    return 0;
}

/* The line of an instruction of a computation; of one that has lost it the line of what it computes, or else of what
 * it is computed from. 0: there is none. */
static int32_t find_line(const module *m, uint64_t within, const instruction *of, int depth)
{
    int32_t line = of->line;
    if (!line && is_text(&of->opcode, "fusion") && of->called.count > 0)
        line = line_by_number(m, of->called.list[0], find(m, of->called.list[0]).result, depth);
    for (int i = 0; i < of->operands.count && i < FOLLOWED && !line; i++)
        line = line_by_number(m, within, of->operands.list[i], depth);
    return line;
}

static bool has(const numbers *list, uint64_t number)
{
    for (int i = 0; i < list->count; i++)
        if (list->list[i] == number)
            return true;
    return false;
}

/* The line of the first instruction of a computation that reads one of it: of copies of arguments, that have none. */
static int32_t line_of_reader(const module *m, uint64_t within, uint64_t id, int depth)
{
    pod_wire content = find(m, within).content;
    instruction read;
    int32_t line = 0;
    while (line == 0 && depth < FARTHEST && next_instruction(m, &content, &read) == POD_OK)
        if (has(&read.operands, id)) {
            line = read.called.count > 0 ? find_product(m, read.called.list[0], 0) : 0;
            line = line ? line : read.line;
            line = line ? line : line_of_reader(m, within, read.id, depth + 1);
        }
    return line;
}

static void keep(const module *m, uint64_t within, const instruction *read, double cycles)
{
    pod_compiled_time *time = m->time;
    int at = time->count < POD_COMPILED_LONGEST ? time->count++ : POD_COMPILED_LONGEST;
    if (at == POD_COMPILED_LONGEST && time->longest[at - 1].cycles >= cycles)
        return;
    pod_compiled_kernel kernel = {.cycles = cycles};
    size_t size = read->name.at ? (size_t)(read->name.end - read->name.at) : 0;
    size = size < sizeof kernel.name ? size : sizeof kernel.name - 1;
    if (size > 0)
        memcpy(kernel.name, read->name.at, size);
    const int32_t product = read->called.count > 0 ? find_product(m, read->called.list[0], 0) : 0;
    kernel.line = product ? product : find_line(m, within, read, 0);
    kernel.line = kernel.line ? kernel.line : line_of_reader(m, within, read->id, 0);
    for (; at > 0 && (at == POD_COMPILED_LONGEST || time->longest[at - 1].cycles < cycles); at--)
        if (at < POD_COMPILED_LONGEST)
            time->longest[at] = time->longest[at - 1];
    time->longest[at] = kernel;
}

/* What is no kernel: it takes no time, or runs beside kernels. */
static bool is_free(const instruction *read)
{
    static const char *const names[] = {"parameter",  "constant",   "tuple",       "get-tuple-element",
                                        "bitcast",    "copy-start", "copy-done",   "async-start",
                                        "async-done", "after-all",  "slice-start", "slice-done"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_text(&read->opcode, names[i]))
            return true;
    return false;
}

static pod_status add_up(const module *m, uint64_t id, double times, int depth)
{
    pod_wire content = find(m, id).content;
    instruction read;
    pod_status status;
    while ((status = next_instruction(m, &content, &read)) == POD_OK) {
        const double cycles = read_note(&read.notes, "\"estimated_cycles\":\"");
        if (is_text(&read.opcode, "while") && read.called.count > 0 && depth < DEEPEST) {
            const double turns = read_note(&read.notes, "\"known_trip_count\":{\"n\":\"");
            m->time->loops += !(turns > 0);
            status = add_up(m, read.called.list[0], times * (turns > 0 ? turns : 1), depth + 1); /* its body */
            if (status != POD_OK)
                return status;
        } else if (cycles > 0) {
            m->time->cycles += times * cycles;
            m->time->kernels++;
            keep(m, id, &read, times * cycles);
        } else if (!is_free(&read)) {
            m->time->without++;
        }
    }
    return status == POD_END ? POD_OK : status;
}

static pod_status read_computation(pod_wire content, computation *to, pod_error *error)
{
    pod_wire_field field;
    pod_status status;
    *to = (computation){.content = content};
    while ((status = pod_format_wire_next(&content, &field, error)) == POD_OK)
        if (field.number == COMPUTATION_ID && field.type == POD_WIRE_VARINT)
            to->id = field.value;
        else if (field.number == RESULT && field.type == POD_WIRE_VARINT)
            to->result = field.value;
    return status == POD_END ? POD_OK : status;
}

/* Lists the computations; `m->list` has room for as many as there are. Without a list they are counted. */
static pod_status list_computations(module *m, pod_wire from)
{
    pod_wire_field field;
    pod_status status;
    m->count = 0;
    while ((status = pod_format_wire_next(&from, &field, m->error)) == POD_OK) {
        if (field.number == ENTRY && field.type == POD_WIRE_VARINT)
            m->entry = field.value;
        if (field.number != COMPUTATIONS || field.type != POD_WIRE_LENGTH)
            continue;
        if (m->list) {
            status = read_computation(field.content, &m->list[m->count], m->error);
            if (status != POD_OK)
                return status;
        }
        m->count++;
    }
    return status == POD_END ? POD_OK : status;
}

static pod_status read_program(pod_context *context, const void *code, size_t size, pod_compiled_time *time,
                               pod_error *error)
{
    module m = {.time = time, .error = error};
    pod_wire from = {code, code, (const unsigned char *)code + size, "program"}, content = {.what = NULL};
    pod_wire_field field;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &field, error)) == POD_OK)
        if (field.number == MODULE && field.type == POD_WIRE_LENGTH)
            content = field.content;
    if (status != POD_END || content.what == NULL)
        return status == POD_END ? pod_error_set(error, POD_ERROR_STATE, "the compiler's program has no module")
                                 : status;
    status = list_computations(&m, content);
    if (status != POD_OK)
        return status;
    m.list = pod_allocate(context, (m.count + 1) * sizeof *m.list);
    if (!m.list)
        return pod_error_memory(error, "the compiler's program", m.count * sizeof *m.list);
    status = list_computations(&m, content);
    return status == POD_OK ? add_up(&m, m.entry, 1, 0) : status;
}

static void read_cost(const pod_pjrt_cost *cost, const char *name, double *number)
{
    for (size_t i = 0; i < cost->count; i++) {
        const pod_pjrt_named *value = &cost->values[i];
        if (value->type == POD_PJRT_VALUE_FLOAT && value->name_size == strlen(name) &&
            memcmp(value->name, name, value->name_size) == 0)
            *number = (double)value->value.real;
    }
}

pod_status pod_pjrt_read_times(pod_context *context, const pod_pjrt_plugin *plugin, void *executable,
                               pod_compiled_time *time, pod_error *error)
{
    pod_pjrt_program program = {.head = POD_PJRT_HEAD(program)};
    pod_pjrt_optimized optimized = {.head = POD_PJRT_HEAD(optimized), .executable = executable, .program = &program};
    pod_status status = pod_pjrt_do(plugin, POD_PJRT_Executable_OptimizedProgram, &optimized, error);
    if (status != POD_OK)
        return status;
    program.code = pod_allocate(context, program.code_size + 1);
    if (!program.code)
        return pod_error_memory(error, "the compiler's program", program.code_size);
    status = pod_pjrt_do(plugin, POD_PJRT_Executable_OptimizedProgram, &optimized, error);
    if (status == POD_OK)
        status = read_program(context, program.code, program.code_size, time, error);
    if (status == POD_ERROR_FORMAT)
        status = error->status = POD_ERROR_STATE; /* it is the compiler that is to blame, not the caller's module */
    if (status != POD_OK)
        return status;
    pod_pjrt_cost cost = {.head = POD_PJRT_HEAD(cost), .executable = executable};
    status = pod_pjrt_do(plugin, POD_PJRT_Executable_GetCostAnalysis, &cost, error);
    if (status != POD_OK)
        return status;
    read_cost(&cost, "flops", &time->flops);
    read_cost(&cost, "bytes accessed", &time->bytes);
    read_cost(&cost, "transcendentals", &time->transcendentals);
    return POD_OK;
}
