#ifndef POD_STORE_STORED_H
#define POD_STORE_STORED_H

/*
 * stored - compiled programs as bytes, so that a later process compiles nothing.
 *
 * One function a part of a program both writes and reads it (pod_store_u32() and so on write the value that
 * they are given, or return the one that is read), so that the two cannot differ.
 *
 * What is read is not trusted. verify_*.c prove, before a program is run, that it touches no memory but
 * its own (verify.h): each number of a slot, register, instruction or group is in range, and the farthest element that
 * an instruction reads or writes lies within the slot. Sizes of scratch are computed anew. What is written
 * goes through the same proof, so that a rule which a good program breaks is found where it is made.
 */

#include "base/sha256.h"
#include "program/compiled.h"
#include "graph/node.h"

/* ---- bytes ------------------------------------------------------------------------------------------ */

typedef struct pod_stored {
    pod_context *context;
    pod_arena *memory;    /* reading: of what is made */
    unsigned char *bytes; /* writing: grows, and is the caller's to pod_free(); reading: borrowed */
    size_t size, room;
    size_t at; /* reading */
    bool writes;
    bool failed; /* no memory, or the bytes make no sense; what is read from then on is zero */
} pod_stored;

void pod_store_bytes(pod_stored *s, void *bytes, size_t size);
uint8_t pod_store_u8(pod_stored *s, uint8_t value);
bool pod_store_bool(pod_stored *s, bool value);
uint32_t pod_store_u32(pod_stored *s, uint32_t value);
int32_t pod_store_i32(pod_stored *s, int32_t value);
uint64_t pod_store_u64(pod_stored *s, uint64_t value);
int64_t pod_store_i64(pod_stored *s, int64_t value);
double pod_store_f64(pod_stored *s, double value);

/* A number below `end`: reading another one fails. */
uint32_t pod_store_below(pod_stored *s, uint32_t value, uint32_t end);

/* How many things follow, each of `bytes` at least: reading more than there is room for fails. */
uint32_t pod_store_count(pod_stored *s, uint32_t count, size_t bytes);

/* A text, which may be NULL; reading makes a copy. */
const char *pod_store_text(pod_stored *s, const char *text);

void pod_store_shape(pod_stored *s, pod_shape *shape);
void pod_store_attributes(pod_stored *s, pod_attributes *attributes);

/* Room for what is read; NULL, and failed, when there is none. Writing: returns `array`. */
void *pod_store_array(pod_stored *s, const void *array, size_t count, size_t size);

/* What a part's pointer becomes: what was read, NULL after a failure. Writing: what was written, also after a failure,
 * as the program that is written is in use. */
static inline void *pod_store_kept(const pod_stored *s, const void *part)
{
    return s->failed && !s->writes ? NULL : (void *)part;
}

/* ---- places in the source ------------------------------------------------------------------------------ */

/* The different places in the source, and scopes, that a graph's nodes name, in the order of nodes. Programs keep
 * numbers instead of the places themselves, so that they are found again after lines have moved. */
typedef struct pod_places {
    pod_arena *memory;  /* borrowed */
    const char **texts; /* borrowed from the graph */
    uint32_t count, room;
    uint32_t *buckets; /* number + 1 */
    uint32_t mask;
} pod_places;

#define POD_PLACE_NONE UINT32_MAX

/* Returns the number of a place, or POD_PLACE_NONE. */
uint32_t pod_store_places_find(const pod_places *places, const char *text);

/* ---- programs -------------------------------------------------------------------------------------------- */

/* A hash of the sources and the compiler that this library is built from; the build makes its file. */
extern const char pod_build_id[];

typedef struct pod_program_key {
    unsigned char bytes[POD_SHA256_SIZE];
} pod_program_key;

/* What a stored program is made for. */
typedef struct pod_stored_target {
    const pod_graph *graph;
    const pod_compile_options *options;
    pod_program_key key;
    pod_places places;
    uint64_t most_bytes; /* that a program for this graph may need for itself */
} pod_stored_target;

/* Fills in the target for a graph: the key is the same exactly for graphs, options, kernels and builds of the
 * library that give the same program. False when there is no memory. */
bool pod_store_target_make(pod_stored_target *target, pod_context *context, pod_arena *memory, const pod_graph *graph,
                           const pod_compile_options *options);

/* Writes or reads a program: slots, functions, literals. Signatures are the graph's. */
void pod_store_program(pod_stored *s, pod_program *program, const pod_places *places);

/* One instruction with its regions, by stored_instruction.c and stored_program.c. */
typedef struct pod_stored_part {
    pod_stored *stored;
    const pod_places *places;
    const pod_kernels *kernels;
    uint32_t depth; /* of regions */
    /* That of a function, for the regions of instructions. */
    pod_function *(*store_function)(const struct pod_stored_part *part, pod_function *function);
} pod_stored_part;

void pod_store_instruction(const pod_stored_part *part, pod_instruction *one);

/* The table entry that a step's function is, as a number for storing: POD_BLOCK_CODES when it is none. */
#define POD_BLOCK_CODES (POD_BLOCK_OP_COUNT * POD_CLASS_COUNT + POD_CLASS_COUNT * POD_CLASS_COUNT)
uint32_t pod_store_block_code(const pod_kernels *kernels, pod_block_function function);

/* The function with this code, below POD_BLOCK_CODES; NULL where the table has none. */
pod_block_function pod_store_block_of_code(const pod_kernels *kernels, uint32_t code);

/* ---- the cache -------------------------------------------------------------------------------------------- */

/* Whether programs are kept on disk. */
bool pod_store_cache_is_on(const pod_context *context);

/* Counts a program that was compiled, not loaded. */
void pod_store_cache_count_compiled(pod_context *context);

/* Tries to load the program of a target; NULL when there is none that is good. */
pod_program *pod_store_cache_load(pod_context *context, const pod_stored_target *target);

/* Keeps a program that was compiled for a target. A failure is logged. */
void pod_store_cache_store(pod_program *program, const pod_stored_target *target);

/* A file's content as a program, and back: pod_program_cache_*() with the file left out. The bytes of
 * pod_store_to_bytes() are the caller's, to end with pod_free(); NULL when there is no memory or the
 * program cannot be stored; *what says why. */
unsigned char *pod_store_to_bytes(pod_program *program, const pod_stored_target *target, size_t *size,
                                  const char **what);
pod_program *pod_store_from_bytes(pod_context *context, const pod_stored_target *target, const unsigned char *bytes,
                                  size_t size, const char **what);

#endif
