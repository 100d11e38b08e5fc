/* CSV: how rows are taken apart, and what numbers are. */

#include "file_cases.h"

#include "formats/csv.h"

static pod_context *context;

/* Spells the rows of the file: "a|b / c|d", or the message of the failure. */
static const char *spell(const char *content, char separator, char text[1024])
{
    pod_csv *csv;
    const pod_csv_field *fields;
    pod_error error;
    pod_status status;
    size_t count, length = 0;
    write_file(content, strlen(content));
    text[0] = '\0';
    ASSERT_OK(pod_format_csv_open(context, path, POD_COMPRESSION_NONE, separator, &csv, &error));
    while ((status = pod_format_csv_next(csv, &fields, &count, &error)) == POD_OK)
        for (size_t i = 0; i < count; i++)
            length += (size_t)snprintf(text + length, 1024 - length, "%s%s",
                                       i > 0        ? "|"
                                       : length > 0 ? " / "
                                                    : "",
                                       fields[i].text);
    pod_format_csv_close(csv);
    return status == POD_END ? text : strcpy(text, error.message);
}

TEST(rows_follow_rfc_4180)
{
    char text[1024];
    ASSERT_TEXT("a|b / 1|2", spell("a,b\n1,2\n", ',', text));
    ASSERT_TEXT("a|b / 1|2", spell("\xef\xbb\xbf"
                                   "a,b\r\n1,2",
                                   ',', text));
    ASSERT_TEXT("a,b|c\"d / e\nf|", spell("\"a,b\",\"c\"\"d\"\r\n\"e\nf\",\n", ',', text));
    ASSERT_TEXT("a / b", spell("a\n\n\r\n\nb\n\n", ',', text));
    ASSERT_TEXT("a,b|c", spell("a,b\tc", '\t', text));
    ASSERT_TEXT("||", spell(",,\n", ',', text));
    ASSERT_TEXT("a\"b", spell("a\"b\n", ',', text));
    ASSERT_TEXT("", spell("", ',', text));
}

TEST(damaged_rows_are_told_by_number)
{
    char text[1024];
    ASSERT_CONTAINS("row 2: a quoted field does not end", spell("a\n\"b", ',', text));
    ASSERT_CONTAINS("row 3: a quoted field goes on behind its quote", spell("a\n\nb\n\"c\"d", ',', text));
}

TEST(rows_may_be_longer_than_a_block)
{
    enum { LONG = 40000 };
    static char content[2 * LONG + 8];
    pod_csv *csv;
    const pod_csv_field *fields;
    pod_error error;
    size_t count;
    memset(content, 'x', LONG);
    content[LONG] = ',';
    memset(content + LONG + 1, 'y', LONG);
    write_file(content, strlen(content));
    ASSERT_OK(pod_format_csv_open(context, path, POD_COMPRESSION_NONE, ',', &csv, &error));
    ASSERT_OK(pod_format_csv_next(csv, &fields, &count, &error));
    ASSERT_EQ(2, count);
    ASSERT_EQ(LONG, fields[0].size);
    ASSERT_EQ(LONG, fields[1].size);
    ASSERT_EQ('y', fields[1].text[LONG - 1]);
    ASSERT_EQ(POD_END, pod_format_csv_next(csv, &fields, &count, &error));
    pod_format_csv_close(csv);
    pod_format_csv_close(NULL);
}

static bool is_double(const char *text, double *value)
{
    return pod_format_csv_read_double(&(pod_csv_field){text, strlen(text)}, value);
}

static bool is_integer(const char *text, int64_t *value)
{
    return pod_format_csv_read_int64(&(pod_csv_field){text, strlen(text)}, value);
}

TEST(rows_without_an_end_are_bounded)
{
    enum { FIELDS = 65536, LONGEST = 1 << 26 };
    char *content = malloc(LONGEST + 3), text[1024];
    pod_csv *csv;
    const pod_csv_field *fields;
    pod_error error;
    size_t count;
    memset(content, ',', FIELDS);
    content[FIELDS - 1] = '\0';
    write_file(content, FIELDS - 1);
    ASSERT_OK(pod_format_csv_open(context, path, POD_COMPRESSION_NONE, ',', &csv, &error));
    ASSERT_OK(pod_format_csv_next(csv, &fields, &count, &error));
    ASSERT_EQ(FIELDS, count);
    pod_format_csv_close(csv);
    content[FIELDS - 1] = ',';
    content[FIELDS] = '\0';
    ASSERT_CONTAINS("row 1: the row has too many fields", spell(content, ',', text));
    memset(content, 'a', LONGEST + 2);
    content[0] = '"';
    content[LONGEST + 2] = '\0';
    ASSERT_CONTAINS("row 1: the row is too long; is a quote missing?", spell(content, ',', text));
    free(content);
}

TEST(numbers_are_decimal_and_whole)
{
    double number;
    int64_t integer;
    ASSERT(is_double(" 1.5e-3\t", &number));
    ASSERT_NUMBER(0.0015, number);
    ASSERT(is_double("-.5", &number) && is_double("inf", &number) && is_double("NaN", &number));
    ASSERT(!is_double("", &number) && !is_double("1,5", &number) && !is_double("0x10", &number));
    ASSERT(!is_double("1 2", &number) && !is_double("--1", &number) && !is_double("e", &number));
    ASSERT(is_integer(" -9223372036854775808 ", &integer));
    ASSERT_EQ(INT64_MIN, integer);
    ASSERT(is_integer("+7", &integer) && integer == 7);
    ASSERT(!is_integer("9223372036854775808", &integer) && !is_integer("1.0", &integer));
    ASSERT(!is_integer("", &integer) && !is_integer("-", &integer));
}

static pod_status read_rows(pod_context *poor, pod_error *error)
{
    pod_csv *csv;
    const pod_csv_field *fields;
    size_t count;
    pod_status status = pod_format_csv_open(poor, path, POD_COMPRESSION_NONE, ',', &csv, error);
    if (status != POD_OK)
        return status;
    while (status == POD_OK)
        status = pod_format_csv_next(csv, &fields, &count, error);
    pod_format_csv_close(csv);
    return status == POD_END ? POD_OK : status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    static char content[2000];
    for (size_t i = 0; i + 1 < sizeof content; i++)
        content[i] = i % 3 == 2 ? ',' : 'x';
    write_file(content, strlen(content));
    every_allocation_may_fail(read_rows);
}

TEST_MAIN(context = test_context(NULL); choose_path("csv"); RUN(rows_follow_rfc_4180);
          RUN(damaged_rows_are_told_by_number); RUN(rows_may_be_longer_than_a_block);
          RUN(rows_without_an_end_are_bounded); RUN(numbers_are_decimal_and_whole);
          RUN(every_allocation_may_fail_without_a_leak); unlink(path); pod_context_release(context))
