/*
 * program_bytes - a compiled program as the content of a file:
 *
 *     "MOONPODP"  u32 format  u32 checksum of all that follows  u64 bytes that follow
 *     key (32 bytes)  slots, functions  literals
 */

#include "store/stored.h"
#include "store/verify.h"

#include "formats/crc32c.h"

#include <string.h>

#define MAGIC       "MOONPODP"
#define FORMAT      1
#define HEADER_SIZE 24

static bool is_good(const pod_program *program, const pod_stored_target *target, pod_arena *scratch, const char **what)
{
    pod_verifier v = {.program = program, .options = target->options, .scratch = scratch};
    if (pod_graph_new(program->context, "kernels", &v.graph, NULL) != POD_OK)
        return false;
    bool good = pod_store_verify_program(&v);
    pod_graph_free(v.graph);
    if (!good)
        *what = v.what;
    return good;
}

/* Whether what a program wants to allocate can be what its graph needs. */
static bool is_modest(const pod_program *program, const pod_stored_target *target, const char **what)
{
    uint64_t most = target->most_bytes;
    bool modest = program->arena_bytes <= most && program->literal_bytes <= most && program->scratch_bytes <= most &&
                  program->block_bytes <= most;
    if (!modest)
        *what = "it needs more memory than its graph";
    return modest;
}

/* ---- writing -------------------------------------------------------------------------------------------- */

static void put_header(pod_stored *s)
{
    uint32_t format = FORMAT, checksum;
    uint64_t rest = s->size - HEADER_SIZE;
    memcpy(s->bytes, MAGIC, 8);
    memcpy(s->bytes + 8, &format, 4);
    memcpy(s->bytes + 16, &rest, 8);
    checksum = pod_format_crc32c(s->bytes + 16, s->size - 16);
    memcpy(s->bytes + 12, &checksum, 4);
}

unsigned char *pod_store_to_bytes(pod_program *program, const pod_stored_target *target, size_t *size,
                                  const char **what)
{
    unsigned char header[HEADER_SIZE] = {0};
    pod_program_key key = target->key;
    pod_arena scratch;
    pod_arena_init(&scratch, program->context);
    *what = "there is no memory for it";
    bool good = is_good(program, target, &scratch, what) && is_modest(program, target, what);
    pod_arena_clear(&scratch);
    if (!good)
        return NULL;
    pod_stored s = {.context = program->context, .writes = true};
    pod_store_bytes(&s, header, sizeof header);
    pod_store_bytes(&s, key.bytes, sizeof key.bytes);
    pod_store_program(&s, program, &target->places);
    pod_store_bytes(&s, program->literals, program->literal_bytes);
    if (s.failed) {
        pod_free(s.context, s.bytes);
        return NULL;
    }
    put_header(&s);
    *size = s.size;
    return s.bytes;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static bool header_is_good(const pod_stored_target *target, const unsigned char *bytes, size_t size, const char **what)
{
    uint32_t format, checksum;
    uint64_t rest;
    *what = "it is damaged";
    if (size < HEADER_SIZE + sizeof target->key.bytes || memcmp(bytes, MAGIC, 8) != 0)
        return false;
    memcpy(&format, bytes + 8, 4);
    memcpy(&checksum, bytes + 12, 4);
    memcpy(&rest, bytes + 16, 8);
    if (rest != size - HEADER_SIZE || checksum != pod_format_crc32c(bytes + 16, size - 16))
        return false;
    *what = "it is another program's";
    return format == FORMAT && memcmp(bytes + HEADER_SIZE, target->key.bytes, sizeof target->key.bytes) == 0;
}

static bool read_program(pod_stored *s, pod_program *program, const pod_stored_target *target, const char **what)
{
    *what = "it makes no sense";
    pod_store_program(s, program, &target->places);
    if (s->failed || program->literal_bytes != s->size - s->at || !is_modest(program, target, what))
        return false;
    pod_arena scratch;
    pod_arena_init(&scratch, program->context);
    bool good = is_good(program, target, &scratch, what);
    pod_arena_clear(&scratch);
    *what = good ? "there is no memory for it" : *what;
    if (!good || !pod_program_take_memory(program))
        return false;
    pod_store_bytes(s, program->literals, program->literal_bytes);
    return pod_program_finish(program) && is_modest(program, target, what);
}

pod_program *pod_store_from_bytes(pod_context *context, const pod_stored_target *target, const unsigned char *bytes,
                                  size_t size, const char **what)
{
    if (!header_is_good(target, bytes, size, what))
        return NULL;
    *what = "there is no memory for it";
    pod_program *program = pod_program_begin(context, target->graph, NULL);
    if (!program)
        return NULL;
    pod_stored s = {.context = context,
                    .memory = &program->memory,
                    .size = size,
                    .bytes = (unsigned char *)bytes,
                    .at = HEADER_SIZE + sizeof target->key.bytes};
    if (pod_kernel_choose_family(pod_context_isa(context), &program->kernels, NULL) == POD_OK &&
        read_program(&s, program, target, what)) {
        program->stats.from_cache = true;
        return program;
    }
    pod_program_discard(program);
    return NULL;
}
