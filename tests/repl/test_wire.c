/* Messages of the Jupyter kernel as frames: signatures against RFC 4231, and strings of JSON. */

#include "../core/test.h"

#include "editor/utf8.h"
#include "json_text.h"
#include "wire.h"

static void hex_of(const unsigned char *bytes, char *hex)
{
    for (int i = 0; i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

/* RFC 4231, 4.2, 4.3, 4.4, 4.7 and 4.8. */
TEST(signatures_are_those_of_the_standard)
{
    static char many[131], fives[50];
    memset(many, 0xaa, sizeof many);
    memset(fives, 0xdd, sizeof fives);
    static const char high[] = "\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b";
    static const char longer[] = "This is a test using a larger than block-size key and a larger than block-size data. "
                                 "The key needs to be hashed before being used by the HMAC algorithm.";
    const struct {
        wire_frame key, text;
        const char *digest;
    } cases[] = {
        {{high, 20}, {"Hi There", 8}, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {{"Jefe", 4},
         {"what do ya want for nothing?", 28},
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {{many, 20}, {fives, 50}, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {{many, 131},
         {"Test Using Larger Than Block-Size Key - Hash Key First", 54},
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {{many, 131}, {longer, sizeof longer - 1}, "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t cut = 0; cut <= cases[i].text.size; cut += 7) {
            unsigned char digest[32];
            char hex[65];
            const wire_frame parts[] = {{cases[i].text.bytes, cut},
                                        {cases[i].text.bytes + cut, cases[i].text.size - cut}};
            wire_hmac(cases[i].key, parts, 2, digest);
            hex_of(digest, hex);
            ASSERT_TEXT(cases[i].digest, hex);
        }
}

TEST(only_whole_and_signed_messages_are_read)
{
    static const wire_frame key = {"key", 3}, none = {"", 0};
    wire_frame part[WIRE_PARTS] = {{"{1}", 3}, {"{2}", 3}, {"{3}", 3}, {"{4}", 3}};
    char signature[WIRE_SIGNATURE];
    wire_frame frames[] = {{"a", 1}, {"b", 1}, wire_delimiter, {signature, wire_sign(key, part, signature)},
                           part[0],  part[1],  part[2],        part[3],
                           {"x", 1}};
    wire_message message;
    ASSERT(wire_read(frames, 9, key, &message) == NULL && message.identities == 2);
    ASSERT(message.part[WIRE_CONTENT].bytes == part[3].bytes);
    ASSERT(wire_read(frames, 7, key, &message) != NULL);
    ASSERT(wire_read(frames, 2, key, &message) != NULL);
    ASSERT(wire_read(frames, 0, key, &message) != NULL);
    signature[63] ^= 1;
    ASSERT(wire_read(frames, 9, key, &message) != NULL);
    ASSERT(wire_read(frames, 9, none, &message) == NULL);
}

TEST(a_signature_is_remembered_until_many_others_have_come)
{
    enum { SENT = 4 * WIRE_SEEN_PLACES * WIRE_SEEN_EACH, SAFE = WIRE_SEEN_PLACES * WIRE_SEEN_EACH / 2 };
    static wire_seen seen;
    static char signatures[SENT][WIRE_SIGNATURE];
    static const wire_frame key = {"key", 3};
    int known = 0;
    for (int i = 0; i < SENT; i++) {
        char text[16];
        const wire_frame part[WIRE_PARTS] = {{text, (size_t)snprintf(text, sizeof text, "%d", i)}};
        ASSERT(wire_sign(key, part, signatures[i]) == WIRE_SIGNATURE);
        ASSERT(wire_remember(&seen, signatures[i]));
        if (i % 1000 == 0 && i >= SAFE) /* neither the last one nor one of long ago is new */
            ASSERT(!wire_remember(&seen, signatures[i]) && !wire_remember(&seen, signatures[i - SAFE]));
    }
    for (int i = 0; i < SENT / 2; i++)
        known += !wire_remember(&seen, signatures[i]);
    ASSERT(known == 0); /* memory is bounded */
}

TEST(bytes_become_strings_of_json)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"", "\"\""},
        {"a\"\\\n\t\r\b\f\x01\x0b\x7f/", "\"a\\\"\\\\\\n\\t\\r\\b\\f\\u0001\\u000b\x7f/\""},
        {"\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xE2\x82\xAC\xF0\x9F\x98\x80\""},
        {"\xFFz\xE2\x82", "\"\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xED\xA0\x80\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[JSON_TEXT_ROOM(32) + 1];
        text[json_text_write(text, cases[i].bytes, strlen(cases[i].bytes))] = '\0';
        ASSERT_TEXT(cases[i].text, text);
    }
    ASSERT(utf8_is_cut("\xE2\x82", 2) && !utf8_is_cut("\xE2z", 2));
}

TEST_MAIN(RUN(signatures_are_those_of_the_standard); RUN(only_whole_and_signed_messages_are_read);
          RUN(a_signature_is_remembered_until_many_others_have_come); RUN(bytes_become_strings_of_json))
