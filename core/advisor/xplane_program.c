/* xplane_program - programs as XProf's memory viewer and graph viewer read them: see xplane.h and
 * openxla/xla, service/hlo.proto. */

#include "advisor/xplane.h"
#include "advisor/profile_output.h"
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of fields. */
enum { MODULE = 1, BUFFER_ASSIGNMENT = 3 }; /* of HloProto */
enum { NAME = 1, ENTRY_NAME = 2, COMPUTATIONS = 3, PROGRAM_SHAPE = 4, NUMBER = 5, ENTRY = 6, SCHEDULE = 7 };
enum { INSTRUCTIONS = 2, COMPUTATION_SHAPE = 4, ROOT = 6 }; /* of a computation; its name and number as a module's */
enum { OPCODE = 2, SHAPE = 3, METADATA = 7, PARAMETER = 9, TARGET = 28, INSTRUCTION_NUMBER = 35, OPERANDS = 36 };
enum { OP_TYPE = 1, OP_NAME = 2, SOURCE_FILE = 3, SOURCE_LINE = 4 }; /* of metadata */
enum { ELEMENT_TYPE = 2, DIMENSIONS = 3, PARTS = 4, LAYOUT = 5, U8 = 6, TUPLE = 13 };
enum { LOGICAL_BUFFERS = 1, ALLOCATIONS = 3, HEAP_TRACES = 4 };
enum { ENTRY_NUMBER = 1, KEY = 1, VALUE = 2 };

#define ENTRY_TEXT "main"
#define NONE       SIZE_MAX

/* For each op the buffers that it makes, and those that it is the last to read. */
typedef struct chains {
    size_t *made, *read;           /* of each op the first one */
    size_t *next_made, *next_read; /* of each buffer the next one */
} chains;

/* Numbers of instructions: of arguments first, then of ops, then of the root. */
static int64_t op_number(const pod_xplane_program *program, size_t op)
{
    return (int64_t)(program->buffer_count + op + 1);
}

static int64_t root_number(const pod_xplane_program *program)
{
    return op_number(program, program->op_count);
}

/* So many bytes. */
static void put_bytes_shape(pod_text *to, unsigned field, uint64_t bytes)
{
    const size_t shape = pod_format_open_message(to, field);
    pod_format_put_integer(to, ELEMENT_TYPE, U8);
    pod_format_put_integer(to, DIMENSIONS, (int64_t)bytes);
    const size_t layout = pod_format_open_message(to, LAYOUT);
    pod_format_put_integer(to, 1, 0); /* from minor to major */
    pod_format_close_message(to, layout);
    pod_format_close_message(to, shape);
}

static size_t open_tuple(pod_text *to, unsigned field)
{
    const size_t shape = pod_format_open_message(to, field);
    pod_format_put_integer(to, ELEMENT_TYPE, TUPLE);
    return shape;
}

/* What all arguments are and what the program gives: nothing, as its root has it. */
static void put_program_shape(pod_text *to, unsigned field, const pod_xplane_program *program)
{
    const size_t shape = pod_format_open_message(to, field);
    for (size_t i = 0; i < program->buffer_count; i++)
        if (program->buffers[i].use == POD_XPLANE_ARGUMENT)
            put_bytes_shape(to, 1, program->buffers[i].unpadded);
    pod_format_close_message(to, open_tuple(to, 2));
    for (size_t i = 0; i < program->buffer_count; i++)
        if (program->buffers[i].use == POD_XPLANE_ARGUMENT)
            pod_format_put_text(to, 3, "");
    pod_format_close_message(to, shape);
}

static size_t open_instruction(pod_text *to, const char *name, const char *opcode, int64_t number)
{
    const size_t instruction = pod_format_open_message(to, INSTRUCTIONS);
    pod_advise_output_put_clean(to, NAME, name);
    pod_format_put_text(to, OPCODE, opcode);
    pod_format_put_integer(to, INSTRUCTION_NUMBER, number);
    return instruction;
}

static void put_metadata(pod_text *to, const pod_xplane_op *op)
{
    char file[512] = "";
    if (op->location)
        pod_advise_output_clean(op->location, file, sizeof file);
    char *colon = strrchr(file, ':');
    const size_t metadata = pod_format_open_message(to, METADATA);
    pod_format_put_text(to, OP_TYPE, op->category);
    if (op->layer)
        pod_advise_output_put_clean(to, OP_NAME, op->layer);
    if (colon) {
        *colon = '\0';
        pod_format_put_text(to, SOURCE_FILE, file);
        pod_format_put_integer(to, SOURCE_LINE, strtol(colon + 1, NULL, 10));
    }
    pod_format_close_message(to, metadata);
}

static void put_op(pod_text *to, const pod_xplane_program *program, const chains *of, size_t index)
{
    const pod_xplane_op *op = &program->ops[index];
    const size_t instruction = open_instruction(to, op->name, "custom-call", op_number(program, index));
    const size_t shape = open_tuple(to, SHAPE);
    for (size_t i = of->made[index]; i != NONE; i = of->next_made[i])
        put_bytes_shape(to, PARTS, program->buffers[i].unpadded);
    pod_format_close_message(to, shape);
    put_metadata(to, op);
    pod_format_put_text(to, TARGET, op->category);
    for (size_t i = of->read[index]; i != NONE; i = of->next_read[i])
        pod_format_put_integer(to, OPERANDS, op_number(program, program->buffers[i].op));
    pod_format_close_message(to, instruction);
}

static void put_computation(pod_text *to, const pod_xplane_program *program, const chains *of)
{
    int64_t parameter = 0;
    const size_t computation = pod_format_open_message(to, COMPUTATIONS);
    pod_format_put_text(to, NAME, ENTRY_TEXT);
    pod_format_put_integer(to, NUMBER, ENTRY_NUMBER);
    pod_format_put_integer(to, ROOT, root_number(program));
    put_program_shape(to, COMPUTATION_SHAPE, program);
    for (size_t i = 0; i < program->buffer_count; i++) {
        char name[32];
        if (program->buffers[i].use != POD_XPLANE_ARGUMENT)
            continue;
        snprintf(name, sizeof name, "argument.%lld", (long long)parameter);
        const size_t instruction = open_instruction(to, name, "parameter", (int64_t)i + 1);
        put_bytes_shape(to, SHAPE, program->buffers[i].unpadded);
        pod_format_put_integer(to, PARAMETER, parameter++);
        if (program->buffers[i].name) {
            const size_t metadata = pod_format_open_message(to, METADATA);
            pod_advise_output_put_clean(to, OP_NAME, program->buffers[i].name);
            pod_format_close_message(to, metadata);
        }
        pod_format_close_message(to, instruction);
    }
    for (size_t i = 0; i < program->op_count; i++)
        put_op(to, program, of, i);
    const size_t root = open_instruction(to, "end", "tuple", root_number(program));
    pod_format_close_message(to, open_tuple(to, SHAPE));
    pod_format_close_message(to, root);
    pod_format_close_message(to, computation);
}

static void put_schedule(pod_text *to, const pod_xplane_program *program)
{
    const size_t schedule = pod_format_open_message(to, SCHEDULE), entry = pod_format_open_message(to, 1);
    pod_format_put_integer(to, KEY, ENTRY_NUMBER);
    const size_t sequence = pod_format_open_message(to, VALUE);
    for (size_t i = 0; i < program->buffer_count; i++)
        if (program->buffers[i].use == POD_XPLANE_ARGUMENT)
            pod_format_put_integer(to, 1, (int64_t)i + 1);
    for (size_t i = 0; i <= program->op_count; i++)
        pod_format_put_integer(to, 1, op_number(program, i));
    pod_format_close_message(to, sequence);
    pod_format_close_message(to, entry);
    pod_format_close_message(to, schedule);
}

static void put_module(pod_text *to, const pod_xplane_program *program, const chains *of)
{
    const size_t module = pod_format_open_message(to, MODULE);
    pod_advise_output_put_clean(to, NAME, program->name);
    pod_format_put_text(to, ENTRY_NAME, ENTRY_TEXT);
    pod_format_put_integer(to, NUMBER, (int64_t)program->number);
    pod_format_put_integer(to, ENTRY, ENTRY_NUMBER);
    put_program_shape(to, PROGRAM_SHAPE, program);
    put_computation(to, program, of);
    put_schedule(to, program);
    pod_format_close_message(to, module);
}

static void put_logical_buffer(pod_text *to, const pod_xplane_program *program, size_t index, int64_t place)
{
    enum { BUFFER_NUMBER = 1, SIZE = 2, DEFINED_AT = 3, SHAPE_INDEX = 3, DEFINED_BY = 4 };
    const pod_xplane_buffer *buffer = &program->buffers[index];
    const size_t message = pod_format_open_message(to, LOGICAL_BUFFERS);
    pod_format_put_integer(to, BUFFER_NUMBER, (int64_t)index + 1);
    pod_format_put_integer(to, SIZE, (int64_t)buffer->bytes);
    const size_t at = pod_format_open_message(to, DEFINED_AT);
    pod_format_put_integer(to, DEFINED_BY, place < 0 ? (int64_t)index + 1 : op_number(program, buffer->op));
    if (place >= 0)
        pod_format_put_integer(to, SHAPE_INDEX, place);
    pod_format_close_message(to, at);
    pod_format_close_message(to, message);
}

static void put_logical_buffers(pod_text *to, const pod_xplane_program *program, const chains *of)
{
    for (size_t i = 0; i < program->buffer_count; i++)
        if (program->buffers[i].use == POD_XPLANE_ARGUMENT)
            put_logical_buffer(to, program, i, -1);
    for (size_t op = 0; op < program->op_count; op++) {
        int64_t place = 0;
        for (size_t i = of->made[op]; i != NONE; i = of->next_made[i])
            put_logical_buffer(to, program, i, place++);
    }
}

/* Fields of an allocation. */
enum { INDEX = 1, SIZE = 2, IS_PARAMETER = 5, PARAMETER_NUMBER = 6, LIVE_OUT = 7, ASSIGNED = 9 };

static void put_assigned(pod_text *to, const pod_xplane_program *program, size_t index, uint64_t offset)
{
    const size_t assigned = pod_format_open_message(to, ASSIGNED);
    pod_format_put_integer(to, 1, (int64_t)index + 1);
    pod_format_put_integer(to, 2, (int64_t)offset);
    pod_format_put_integer(to, 3, (int64_t)program->buffers[index].bytes);
    pod_format_close_message(to, assigned);
}

/* Arguments and outputs have memory of their own, temporaries one block, which comes first. */
static void put_allocations(pod_text *to, const pod_xplane_program *program)
{
    int64_t number = 0, parameter = 0;
    uint64_t size = program->temporary_bytes;
    const size_t block = pod_format_open_message(to, ALLOCATIONS);
    pod_format_put_integer(to, INDEX, number++);
    for (size_t i = 0; i < program->buffer_count; i++) {
        const pod_xplane_buffer *buffer = &program->buffers[i];
        if (buffer->use != POD_XPLANE_TEMPORARY)
            continue;
        put_assigned(to, program, i, buffer->offset);
        size = buffer->offset + buffer->bytes > size ? buffer->offset + buffer->bytes : size;
    }
    pod_format_put_integer(to, SIZE, (int64_t)size);
    pod_format_close_message(to, block);
    for (size_t i = 0; i < program->buffer_count; i++) {
        const pod_xplane_buffer *buffer = &program->buffers[i];
        if (buffer->use == POD_XPLANE_TEMPORARY)
            continue;
        const size_t own = pod_format_open_message(to, ALLOCATIONS);
        pod_format_put_integer(to, INDEX, number++);
        pod_format_put_integer(to, SIZE, (int64_t)buffer->bytes);
        pod_format_put_integer(to, buffer->use == POD_XPLANE_ARGUMENT ? IS_PARAMETER : LIVE_OUT, 1);
        if (buffer->use == POD_XPLANE_ARGUMENT)
            pod_format_put_integer(to, PARAMETER_NUMBER, parameter++);
        put_assigned(to, program, i, 0);
        pod_format_close_message(to, own);
    }
}

/* Of the heap's trace: from when to when a buffer lives. */
static void put_heap_event(pod_text *to, const pod_xplane_program *program, size_t op, size_t buffer, bool frees)
{
    enum { KIND = 1, BUFFER = 2, COMPUTATION_NAME = 3, INSTRUCTION_NAME = 4, FREE = 1 };
    const size_t event = pod_format_open_message(to, 1);
    if (frees)
        pod_format_put_integer(to, KIND, FREE);
    pod_format_put_integer(to, BUFFER, (int64_t)buffer + 1);
    pod_format_put_text(to, COMPUTATION_NAME, ENTRY_TEXT);
    pod_advise_output_put_clean(to, INSTRUCTION_NAME, program->ops[op].name);
    pod_format_close_message(to, event);
}

static void put_heap(pod_text *to, const pod_xplane_program *program, const chains *of)
{
    enum { WHOLE_MODULE = 2 };
    const size_t trace = pod_format_open_message(to, HEAP_TRACES);
    for (size_t op = 0; op < program->op_count; op++) {
        for (size_t i = of->made[op]; i != NONE; i = of->next_made[i])
            if (program->buffers[i].use == POD_XPLANE_TEMPORARY)
                put_heap_event(to, program, op, i, false);
        for (size_t i = of->made[op]; i != NONE; i = of->next_made[i])
            if (program->buffers[i].use == POD_XPLANE_TEMPORARY && program->buffers[i].last <= op)
                put_heap_event(to, program, op, i, true);
        for (size_t i = of->read[op]; i != NONE; i = of->next_read[i])
            put_heap_event(to, program, op, i, true);
    }
    pod_format_put_integer(to, WHOLE_MODULE, 1);
    pod_format_close_message(to, trace);
}

/* The chains of what ops make and read last; what an op alone has is no operand. */
static void link_buffers(const pod_xplane_program *program, const chains *of)
{
    for (size_t i = 0; i < program->op_count; i++)
        of->made[i] = of->read[i] = NONE;
    for (size_t i = program->buffer_count; i > 0; i--) {
        const pod_xplane_buffer *buffer = &program->buffers[i - 1];
        if (buffer->use == POD_XPLANE_ARGUMENT)
            continue;
        of->next_made[i - 1] = of->made[buffer->op];
        of->made[buffer->op] = i - 1;
        if (buffer->use != POD_XPLANE_TEMPORARY || buffer->last <= buffer->op)
            continue;
        of->next_read[i - 1] = of->read[buffer->last];
        of->read[buffer->last] = i - 1;
    }
}

void pod_advise_xplane_put_program(pod_text *to, const pod_xplane_program *program)
{
    const size_t ops = program->op_count, buffers = program->buffer_count;
    size_t *block = pod_allocate_zeroed(to->context, 2 * (ops + buffers) + 1, sizeof *block);
    if (!block) {
        to->failed = true;
        return;
    }
    const chains of = {block, block + ops, block + 2 * ops, block + 2 * ops + buffers};
    link_buffers(program, &of);
    put_module(to, program, &of);
    const size_t assignment = pod_format_open_message(to, BUFFER_ASSIGNMENT);
    put_logical_buffers(to, program, &of);
    put_allocations(to, program);
    put_heap(to, program, &of);
    pod_format_close_message(to, assignment);
    pod_free(to->context, block);
}
