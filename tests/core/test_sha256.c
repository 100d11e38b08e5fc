/* SHA-256 against the examples of FIPS 180-4 and NIST's. */

#include "base/sha256.h"
#include "test.h"

static void digest_of(const char *text, size_t piece, char hex[2 * POD_SHA256_SIZE + 1])
{
    pod_sha256 hash;
    unsigned char digest[POD_SHA256_SIZE];
    const size_t size = strlen(text);
    pod_sha256_begin(&hash);
    for (size_t at = 0; at < size; at += piece)
        pod_sha256_add(&hash, text + at, size - at < piece ? size - at : piece);
    pod_sha256_end(&hash, digest);
    for (int i = 0; i < POD_SHA256_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

TEST(digests_are_those_of_the_standard)
{
    static const struct {
        const char *text, *digest;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
         "mnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t piece = 1; piece < 130; piece += 7) {
            char hex[2 * POD_SHA256_SIZE + 1];
            digest_of(cases[i].text, piece, hex);
            ASSERT_TEXT(cases[i].digest, hex);
        }
}

TEST(a_million_letters)
{
    pod_sha256 hash;
    unsigned char digest[POD_SHA256_SIZE];
    char letters[1000];
    memset(letters, 'a', sizeof letters);
    pod_sha256_begin(&hash);
    for (int i = 0; i < 1000; i++)
        pod_sha256_add(&hash, letters, sizeof letters);
    pod_sha256_end(&hash, digest);
    ASSERT_EQ(0xcd, digest[0]);
    ASSERT_EQ(0xc7, digest[1]);
    ASSERT_EQ(0xd0, digest[31]);
}

TEST_MAIN(RUN(digests_are_those_of_the_standard); RUN(a_million_letters))
