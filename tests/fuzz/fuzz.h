#ifndef POD_TESTS_FUZZ_H
#define POD_TESTS_FUZZ_H

/*
 * fuzz - what a target has: it is one file, fuzz_NAME.c, that defines both of these. The function
 * has libFuzzer's signature, so a target also links with -fsanitize=fuzzer; tests/fuzz/run links it
 * with fuzz_main.c, which mutates the seeds. Whatever the input, nothing may crash, leak or trip a
 * sanitizer; the target itself calls abort() where a promise does not hold.
 */

#include <stddef.h>
#include <stdint.h>

/* Well-formed inputs, NUL-terminated; the list ends with NULL. */
extern const char *const fuzz_seeds[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
