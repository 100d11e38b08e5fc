#ifndef FILE_CASES_H
#define FILE_CASES_H

/* file_cases - what the tests of file formats share: one file in /tmp that each test fills. */

#include "test.h"

#include <unistd.h>

#include "moonpod/formats.h"
#include "test_path.h"

static char path[64];

__attribute__((unused)) static void write_file(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ASSERT(file != NULL && fwrite(bytes, 1, size, file) == size);
    ASSERT_EQ(0, fclose(file));
}

/* Reads the file into `bytes` and returns its size. */
__attribute__((unused)) static size_t read_file(void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    ASSERT(file != NULL);
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

/* Takes hexadecimal digits, and spaces between them, apart; returns the number of bytes. */
__attribute__((unused)) static size_t from_hex(const char *hex, unsigned char *bytes)
{
    size_t size = 0;
    for (; *hex != '\0'; hex += hex[0] == ' ' ? 1 : 2) {
        unsigned value;
        if (*hex != ' ' && sscanf(hex, "%2x", &value) == 1)
            bytes[size++] = (unsigned char)value;
    }
    return size;
}

__attribute__((unused)) static void expect_bytes(const char *hex, const void *bytes, size_t size)
{
    unsigned char expected[512];
    char found[1100];
    const size_t expected_size = from_hex(hex, expected);
    for (size_t i = 0; i < size && i < 512; i++)
        snprintf(found + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
    found[size < 512 ? 2 * size : 1024] = '\0';
    if (expected_size != size || memcmp(expected, bytes, size) != 0)
        FAIL("the bytes are %s, expected %s", found, hex);
}

__attribute__((unused)) static void expect_file(const char *hex)
{
    unsigned char bytes[512];
    const size_t size = read_file(bytes, sizeof bytes);
    expect_bytes(hex, bytes, size);
}

static void choose_path(const char *name)
{
    test_path(path, sizeof path, name);
}

#endif
