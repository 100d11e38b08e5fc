/* JSON: how a text is walked through, what texts and integers are, and where a malformed one is refused. */

#include <string.h>

#include "test.h"

#include "formats/json.h"

static pod_context *context;

/* Takes a value, whose kind its first character tells. */
static pod_status walk(pod_json *json, pod_error *error)
{
    int64_t number;
    char *text;
    bool more;
    const char first = json->at < json->end ? *json->at : '\0';
    if (first != '{' && first != '[' && first != '"')
        return pod_format_json_read_int64(json, &number, error);
    if (first == '"') {
        const pod_status status = pod_format_json_read_text(json, &text, error);
        pod_free(context, text);
        return status;
    }
    pod_status status = pod_format_json_enter(json, first, error);
    while (status == POD_OK && (status = pod_format_json_next(json, &more, error)) == POD_OK && more) {
        if (first == '{') {
            status = pod_format_json_read_key(json, &text, error);
            pod_free(context, text);
        }
        if (status == POD_OK)
            status = walk(json, error);
    }
    return status;
}

/* Walks through a text of one value: OK, or the message of what is wrong with it. */
static const char *walked(const char *text, pod_error *error)
{
    pod_json json;
    pod_format_json_begin(&json, context, text, strlen(text));
    *error = (pod_error){0};
    pod_status status = walk(&json, error);
    if (status == POD_OK)
        status = pod_format_json_end(&json, error);
    return status == POD_OK ? "OK" : error->message;
}

/* Reads a text; "REFUSED" where it is none. */
static const char *read(const char *text, char found[64])
{
    pod_json json;
    pod_error error;
    char *characters;
    pod_format_json_begin(&json, context, text, strlen(text));
    if (pod_format_json_read_text(&json, &characters, &error) != POD_OK)
        return "REFUSED";
    snprintf(found, 64, "%s", characters);
    pod_free(context, characters);
    return found;
}

TEST(values_are_walked_through)
{
    static const char *const values[] = {"0",
                                         "-1",
                                         "\"a\"",
                                         "[]",
                                         "{}",
                                         "[1,[2,{\"a\":[3]} ] ,\"]\"]",
                                         "{\"a\" :{\"b\":{}}\n,\"c\":[4,5] ,\t\"d\":\"}\"} \r\n"};
    pod_error error;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ASSERT_TEXT("OK", walked(values[i], &error));
}

TEST(malformed_texts_are_refused_at_their_offset)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "offset 0: an integer is expected"},
        {"-", "offset 1: an integer is expected"},
        {"01", "an integer is expected"},
        {"true", "offset 0: an integer is expected"},
        {"1 2", "offset 2: the text goes on after its value"},
        {"[1 2]", "offset 3: a comma or the end of the object or array is expected"},
        {"{1: 2}", "offset 1: a text is expected"},
        {"{\"a\" 2}", "offset 5: a colon is expected"},
        {"\"a", "offset 2: a text does not end"},
        {"\"a\nb\"", "offset 2: a text holds a control character"},
        {"\"\\x\"", "a text holds a malformed escape"},
        {"\"\\", "a text holds a malformed escape"},
        {"\"\xc3(\"", "offset 1: a text is not UTF-8"},
        {"\"\xed\xa0\x80\"", "offset 1: a text is not UTF-8"},     /* half of a pair */
        {"\"\xe0\x80\xaf\"", "offset 1: a text is not UTF-8"},     /* longer than it need be */
        {"\"\xf4\x90\x80\x80\"", "offset 1: a text is not UTF-8"}, /* beyond the last character */
    };
    pod_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ASSERT_CONTAINS(cases[i].message, walked(cases[i].text, &error));
}

TEST(what_is_asked_for_must_come)
{
    pod_json json;
    pod_error error;
    pod_format_json_begin(&json, context, " []", 3);
    ASSERT_FAILS(POD_ERROR_FORMAT, "offset 1: an object is expected", pod_format_json_enter(&json, '{', &error));
    pod_format_json_begin(&json, context, "{}", 2);
    ASSERT_FAILS(POD_ERROR_FORMAT, "offset 0: an array is expected", pod_format_json_enter(&json, '[', &error));
}

TEST(depth_is_bounded)
{
    char text[2 * POD_JSON_MOST_DEPTH + 3] = {0};
    pod_error error;
    memset(text, '[', POD_JSON_MOST_DEPTH);
    memset(text + POD_JSON_MOST_DEPTH, ']', POD_JSON_MOST_DEPTH);
    ASSERT_TEXT("OK", walked(text, &error));
    memset(text, '[', POD_JSON_MOST_DEPTH + 1);
    memset(text + POD_JSON_MOST_DEPTH + 1, ']', POD_JSON_MOST_DEPTH + 1);
    ASSERT_CONTAINS("values are nested too deeply", walked(text, &error));
}

TEST(escapes_become_characters)
{
    char found[64];
    ASSERT_TEXT("\"\\/\b\f\n\r\t", read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", found));
    ASSERT_TEXT("A\xc3\xa9\xe2\x82\xac", read("\"\\u0041\\u00e9\\u20AC\"", found));
    ASSERT_TEXT("\xf0\x9f\x98\x80", read("\"\\ud83d\\ude00\"", found));
    static const char *const refused[] = {
        "\"\\u0000\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ude00\"", "\"\\ud83d\"", "\"\\ud83d\\u0041\"", "7"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ASSERT_TEXT("REFUSED", read(refused[i], found));
}

TEST(integers_are_exact_or_refused)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"0", 0}, {"-12", -12}, {"9223372036854775807", INT64_MAX}, {" -9223372036854775808", INT64_MIN}};
    static const char *const refused[] = {"1.0", "1e2", "x", "9223372036854775808", "-9223372036854775809"};
    pod_json json;
    pod_error error;
    int64_t value;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pod_format_json_begin(&json, context, cases[i].text, strlen(cases[i].text));
        ASSERT_OK(pod_format_json_read_int64(&json, &value, &error));
        ASSERT_EQ(cases[i].value, value);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pod_format_json_begin(&json, context, refused[i], strlen(refused[i]));
        ASSERT_FAILS(POD_ERROR_FORMAT, i < 3 ? "an integer is expected" : "an integer does not fit 64 bits",
                     pod_format_json_read_int64(&json, &value, &error));
    }
}

TEST_MAIN(context = test_context(NULL); RUN(values_are_walked_through);
          RUN(malformed_texts_are_refused_at_their_offset); RUN(what_is_asked_for_must_come); RUN(depth_is_bounded);
          RUN(escapes_become_characters); RUN(integers_are_exact_or_refused); pod_context_release(context))
