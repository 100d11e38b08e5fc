#ifndef POD_TESTS_FUZZ_H
#define POD_TESTS_FUZZ_H

/*
 * fuzz - what a target is: a reader that gets any bytes, and what makes well-formed ones. Whatever the input,
 * nothing may crash, hang, leak, take much memory or trip a sanitizer; a target itself calls fuzz_die() where
 * a promise does not hold. A file fuzz_NAME.c defines an array of targets, which fuzz_main.c lists.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

/* The most bytes of an input. */
#define FUZZ_MOST 65536

typedef struct fuzz_target {
    const char *name;
    void (*write)(pod_context *context); /* makes well-formed inputs: files at fuzz_path, or fuzz_put() */
    void (*read)(pod_context *context);  /* reads fuzz_path */
} fuzz_target;

/* The file that targets read and write. */
extern char fuzz_path[];

/* Ends the process: a promise does not hold. */
void fuzz_die(const char *target, const char *what) __attribute__((noreturn));

/* Reads fuzz_path into FUZZ_MOST bytes; returns how many it has. */
size_t fuzz_load(unsigned char *bytes);

/* Writes fuzz_path: one of the target's well-formed inputs. */
void fuzz_put(const void *bytes, size_t size);

extern const fuzz_target fuzz_formats[], fuzz_inputs[], fuzz_array_types[], fuzz_modules[], fuzz_exported[],
    fuzz_editors[], fuzz_messages[], fuzz_services[];

#endif
