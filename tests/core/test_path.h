#ifndef POD_TESTS_TEST_PATH_H
#define POD_TESTS_TEST_PATH_H

#include <stdio.h>
#include <unistd.h>

/* Writes the path of a temporary file of this process. */
static inline void test_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, P_tmpdir "/moonpod-%s-%ld", name, (long)getpid());
}

#endif
