/* Pickles and tar archives: the arrays of Keras' data sets are read, all else is refused, whatever is cut or damaged.
 */

#include "data_cases.h"
#include "file_cases.h"

#include "base/context.h"
#include "formats/pickle.h"
#include "pickle_cases.h"

static pod_context *context;

static pod_status read_bytes(pod_context *from, const void *bytes, size_t size, pod_buffer_list *list, pod_error *error)
{
    pod_reader *reader;
    *list = (pod_buffer_list){.context = from};
    pod_status status = pod_format_reader_open_memory(from, "some.pickle", bytes, size, &reader, error);
    if (status == POD_OK) {
        status = pod_format_pickle_read(from, reader, size, "it", list, error);
        pod_format_reader_close(reader);
    }
    if (status != POD_OK)
        pod_buffer_list_clear(list);
    return status;
}

TEST(dictionaries_and_lists_are_read)
{
    static const int64_t labels[] = {7, 300, -1, (int64_t)1 << 33}, words[] = {1, 2, 3, 4}, lengths[] = {3, 1};
    pod_buffer_list list;
    pod_error error;
    ASSERT_OK(read_bytes(context, pickled_dictionary, sizeof pickled_dictionary - 1, &list, &error));
    ASSERT_EQ(2, list.count);
    ASSERT_TEXT("it/data", list.entries[0].name);
    ASSERT(pod_shape_equal(&(pod_shape){2, {2, 3}}, pod_buffer_shape(list.entries[0].buffer)));
    ASSERT_EQ(0, memcmp("\1\2\3\4\5\6", pod_buffer_data(list.entries[0].buffer), 6));
    ASSERT_TEXT("it/labels", list.entries[1].name);
    ASSERT_EQ(0, memcmp(labels, pod_buffer_data(list.entries[1].buffer), sizeof labels));
    pod_buffer_list_clear(&list);
    ASSERT_OK(read_bytes(context, pickled_lists, sizeof pickled_lists - 1, &list, &error));
    ASSERT_EQ(2, list.count);
    ASSERT_TEXT("it", list.entries[0].name);
    ASSERT_EQ(0, memcmp(words, pod_buffer_data(list.entries[0].buffer), sizeof words));
    ASSERT_TEXT("it.lengths", list.entries[1].name);
    ASSERT_EQ(0, memcmp(lengths, pod_buffer_data(list.entries[1].buffer), sizeof lengths));
    pod_buffer_list_clear(&list);
}

TEST(what_is_cut_or_damaged_ends_with_a_message)
{
    static const struct {
        const char *bytes;
        size_t size;
    } whole[] = {{pickled_dictionary, sizeof pickled_dictionary - 1}, {pickled_lists, sizeof pickled_lists - 1}};
    char bytes[512];
    pod_buffer_list list;
    pod_error error;
    for (size_t which = 0; which < 2; which++) {
        for (size_t size = 0; size < whole[which].size; size++)
            ASSERT_FAILS(POD_ERROR_FORMAT, "some.pickle", read_bytes(context, whole[which].bytes, size, &list, &error));
        for (size_t at = 0; at < whole[which].size; at++)
            for (int byte = 0; byte < 256; byte++) {
                memcpy(bytes, whole[which].bytes, whole[which].size);
                bytes[at] = (char)byte;
                if (read_bytes(context, bytes, whole[which].size, &list, &error) == POD_OK)
                    pod_buffer_list_clear(&list);
                else
                    ASSERT(error.message[0] != '\0');
            }
    }
}

static void expect_refusal(pod_status status, const char *part, const char *bytes, size_t size)
{
    pod_buffer_list list;
    pod_error error;
    const uint64_t before = pod_context_memory(context).current_bytes;
    ASSERT_FAILS(status, part, read_bytes(context, bytes, size, &list, &error));
    ASSERT_EQ(before, pod_context_memory(context).current_bytes);
}

#define REFUSED(status, part, bytes) expect_refusal(status, part, bytes, sizeof bytes - 1)

TEST(what_would_run_code_is_refused)
{
    REFUSED(POD_ERROR_UNSUPPORTED, "the pickle wants 'os.system' at offset", "cos\nsystem\n(S'id'\ntR.");
    REFUSED(POD_ERROR_UNSUPPORTED, "the pickle wants 'builtins.eval'",
            "\x80\x04\x8c\x08"
            "builtins\x8c\x04"
            "eval\x93.");
    REFUSED(POD_ERROR_UNSUPPORTED, "the opcode 0x69 at offset 0", "ios\nsystem\n.");
    REFUSED(POD_ERROR_UNSUPPORTED, "the opcode 0x81", "\x80\x02N)\x81.");
    REFUSED(POD_ERROR_UNSUPPORTED, "the opcode 0x82", "\x80\x02\x82\x01.");
    REFUSED(POD_ERROR_FORMAT, "something is called that makes no array", "cnumpy\nndarray\n)R.");
    REFUSED(POD_ERROR_FORMAT, "something is called that makes no array", "cnumpy\ndtype\nK\x01\x85R.");
    REFUSED(POD_ERROR_FORMAT, "what is completed is no array",
            "]K\x01\x85"
            "b.");
}

TEST(what_stands_nowhere_is_refused)
{
    REFUSED(POD_ERROR_FORMAT, "a mark is missing", "K\x01t.");
    REFUSED(POD_ERROR_FORMAT, "a value is missing", "(\x85.");
    REFUSED(POD_ERROR_FORMAT, "a value is missing", ".");
    REFUSED(POD_ERROR_FORMAT, "nothing is remembered by that number", "h\x05.");
    REFUSED(POD_ERROR_FORMAT, "to be remembered", "]r\xff\xff\xff\x7f.");
    REFUSED(POD_ERROR_FORMAT, "values are added to what is no list",
            "N(K\x01"
            "e.");
    REFUSED(POD_ERROR_FORMAT, "values are added to what is no list", "](K\x01K\x02u.");
    REFUSED(POD_ERROR_FORMAT, "a later protocol", "\x80\x06].");
    REFUSED(POD_ERROR_FORMAT, "it ends here", "T\xff\xff\xff\x7fx.");
    REFUSED(POD_ERROR_FORMAT, "it ends here", "\x8e\xff\xff\xff\xff\xff\xff\xff\xffx.");
    REFUSED(POD_ERROR_FORMAT, "a number is too large", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.");
    REFUSED(POD_ERROR_FORMAT, "it holds no array", "K\x01.");
    REFUSED(POD_ERROR_FORMAT, "something else than whole numbers", "](K\x01]e.");
    REFUSED(POD_ERROR_FORMAT, "an array is not complete",
            "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n\x85"
            "R.");
}

/* A list that holds itself, and one list many times: few bytes that would become many. */
TEST(few_bytes_do_not_become_many)
{
    enum { TIMES = 60, ROWS_SIZE = 23 };
    char bytes[2048];
    size_t size = sizeof pickled_lists - 1 - ROWS_SIZE; /* up to the list of lists */
    memcpy(bytes, pickled_lists, size);
    char *rows = strchr(memchr(bytes, 'C', size), 'K') + 3; /* those that the array says it has */
    ASSERT_EQ(2, *rows);
    *rows = TIMES;
    size += (size_t)snprintf(bytes + size, sizeof bytes - size, "](](");
    memset(bytes + size, '\x88', TIMES);
    size += TIMES;
    memcpy(bytes + size, "eq\x14", 3);
    size += 3;
    for (int i = 1; i < TIMES; i++, size += 2)
        memcpy(bytes + size, "h\x14", 2);
    memcpy(bytes + size, "etb.", 4);
    expect_refusal(POD_ERROR_FORMAT, "lists are there more than once", bytes, size + 4);
    REFUSED(POD_ERROR_FORMAT, "something else than whole numbers",
            "]q\x00h\x00"
            "a.");
    char *many = malloc(3 << 20);
    ASSERT(many != NULL);
    memset(many, ']', 3 << 20);
    const uint64_t before = pod_context_memory(context).current_bytes;
    expect_refusal(POD_ERROR_UNSUPPORTED, "more than 1048576 objects", many, 3 << 20);
    ASSERT(pod_context_memory(context).peak_bytes - before < (uint64_t)300 << 20);
    free(many);
}

/* ---- tar ---- */

/* Adds a member: its header and its data, padded. Returns where the next goes. */
static size_t add_member(unsigned char *to, const char *name, char kind, const void *data, size_t size)
{
    unsigned sum = 0;
    memset(to, 0, 512 + (size + 511) / 512 * 512);
    memcpy(to, name, strlen(name));
    snprintf((char *)to + 124, 12, "%011o", (unsigned)size);
    memset(to + 148, ' ', 8);
    to[156] = (unsigned char)kind;
    for (int i = 0; i < 512; i++)
        sum += to[i];
    snprintf((char *)to + 148, 7, "%06o", sum);
    if (size > 0)
        memcpy(to + 512, data, size);
    return 512 + (size + 511) / 512 * 512;
}

static unsigned char archive[8192];
static const char *const members[] = {"set/train", "set/test"};

static pod_status read_archive(pod_context *from, size_t count, pod_buffer_list *list, pod_error *error)
{
    return pod_tar_read_pickles(from, path, &(pod_tar_wanted){members, count, list}, error);
}

static size_t make_archive(void)
{
    size_t size = add_member(archive, "set/", '5', NULL, 0);
    size += add_member(archive + size, "../../etc/passwd", '0', "x", 1);
    size += add_member(archive + size, "set/test", '2', NULL, 0); /* a link of that name is no file */
    size += add_member(archive + size, "set/test", '0', pickled_dictionary, sizeof pickled_dictionary - 1);
    size += add_member(archive + size, "set/train", '0', pickled_lists, sizeof pickled_lists - 1);
    memset(archive + size, 0, 1024);
    return size + 1024;
}

TEST(members_of_archives_are_read_where_they_lie)
{
    pod_buffer_list list;
    pod_error error;
    write_file(archive, make_archive());
    ASSERT_OK(read_archive(context, 2, &list, &error));
    ASSERT_EQ(4, list.count);
    ASSERT_TEXT("set/test/data", list.entries[0].name);
    ASSERT_TEXT("set/train.lengths", list.entries[3].name);
    pod_buffer_list_clear(&list);
}

TEST(archives_that_are_cut_damaged_or_of_others_are_refused)
{
    pod_buffer_list list;
    pod_error error;
    const size_t size = make_archive();
    for (size_t cut = 0; cut + 1024 < size; cut += 37) {
        write_file(archive, cut);
        ASSERT(read_archive(context, 2, &list, &error) != POD_OK && strstr(error.message, path) != NULL);
    }
    archive[3] ^= 1;
    write_file(archive, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "a header has not its checksum", read_archive(context, 2, &list, &error));
    size_t other = add_member(archive, "set/test", '0', pickled_dictionary, sizeof pickled_dictionary - 1);
    write_file(archive, other);
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, "no member 'set/train'", read_archive(context, 2, &list, &error));
    other += add_member(archive + other, "set/test", '0', pickled_dictionary, sizeof pickled_dictionary - 1);
    write_file(archive, other);
    ASSERT_FAILS(POD_ERROR_FORMAT, "a member is there twice", read_archive(context, 2, &list, &error));
    other = add_member(archive, "set/train", '0', "cos\nsystem\n.", 12);
    write_file(archive, other);
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "member 'set/train': ", read_archive(context, 1, &list, &error));
    add_member(archive, "set/train", '0', "", 0);
    memcpy(archive + 124, "77777777777", 11);
    write_file(archive, 512);
    ASSERT(read_archive(context, 1, &list, &error) != POD_OK);
}

/* ---- the rest ---- */

TEST(orders_are_those_of_numpy)
{
    /* r = RandomState(113); r.shuffle(a := arange(6)); r.shuffle(b := arange(5)) */
    static const int64_t counts[] = {6, 5}, wanted[] = {1, 0, 3, 2, 4, 5, 3, 0, 1, 4, 2};
    int64_t order[11];
    pod_numpy_orders(113, counts, 2, order);
    for (int i = 0; i < 11; i++)
        ASSERT_EQ(wanted[i], order[i]);
}

static pod_status read_all(pod_context *poor, pod_error *error)
{
    pod_buffer_list list;
    const pod_status status = read_archive(poor, 2, &list, error);
    if (status == POD_OK)
        pod_buffer_list_clear(&list);
    return status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    write_file(archive, make_archive());
    every_allocation_may_fail(read_all);
}

TEST_MAIN(context = test_context(NULL); choose_path("pickle"); RUN(dictionaries_and_lists_are_read);
          RUN(what_is_cut_or_damaged_ends_with_a_message); RUN(what_would_run_code_is_refused);
          RUN(what_stands_nowhere_is_refused); RUN(few_bytes_do_not_become_many);
          RUN(members_of_archives_are_read_where_they_lie); RUN(archives_that_are_cut_damaged_or_of_others_are_refused);
          RUN(orders_are_those_of_numpy); RUN(every_allocation_may_fail_without_a_leak); unlink(path);
          pod_context_release(context))
