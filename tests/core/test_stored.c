/* Numbers, texts and shapes of stored programs: what is read is what was written, to the last byte, and no more. */

#include "store/stored.h"
#include "test.h"

static pod_context *context;
static pod_arena memory;

static pod_stored writer(void)
{
    return (pod_stored){.context = context, .writes = true};
}

static pod_stored reader(const pod_stored *written, size_t size)
{
    return (pod_stored){.context = context, .memory = &memory, .bytes = written->bytes, .size = size};
}

static void clear(pod_stored *s)
{
    pod_free(context, s->bytes);
    pod_arena_clear(&memory);
}

static const char *read_text(const pod_stored *written, size_t size, bool *failed)
{
    pod_stored s = reader(written, size);
    const char *text = pod_store_text(&s, NULL);
    *failed = s.failed;
    return text;
}

TEST(a_text_may_be_the_last_thing)
{
    pod_stored s = writer();
    bool failed;
    pod_store_text(&s, "the last");
    ASSERT_TEXT("the last", read_text(&s, s.size, &failed));
    ASSERT(!failed);
    for (size_t size = 0; size < s.size; size++) {
        ASSERT(!read_text(&s, size, &failed));
        ASSERT(failed);
    }
    clear(&s);
}

TEST(texts_are_none_or_empty_or_long)
{
    static char longest[65537];
    memset(longest, 'x', sizeof longest - 1);
    bool failed;
    pod_stored s = writer();
    pod_store_text(&s, NULL);
    ASSERT(!read_text(&s, s.size, &failed) && !failed);
    s.size = 0;
    pod_store_text(&s, "");
    ASSERT_TEXT("", read_text(&s, s.size, &failed));
    s.size = 0;
    pod_store_text(&s, longest);
    ASSERT(s.failed);
    s.failed = false;
    s.size = 0;
    longest[65535] = '\0';
    pod_store_text(&s, longest);
    ASSERT(!s.failed);
    ASSERT_TEXT(longest, read_text(&s, s.size, &failed));
    clear(&s);
}

TEST(numbers_come_back)
{
    pod_stored s = writer();
    for (uint32_t i = 0; i < 3000; i++) { /* more than one block of memory */
        pod_store_u8(&s, (uint8_t)i);
        pod_store_bool(&s, i % 3 == 0);
        pod_store_u32(&s, i * 2654435761u);
        pod_store_i32(&s, -(int32_t)i);
        pod_store_u64(&s, UINT64_MAX - i);
        pod_store_i64(&s, INT64_MIN + i);
        pod_store_f64(&s, 1.0 / (1 + i));
    }
    ASSERT(!s.failed);
    pod_stored r = reader(&s, s.size);
    for (uint32_t i = 0; i < 3000; i++) {
        ASSERT_EQ((uint8_t)i, pod_store_u8(&r, 0));
        ASSERT_EQ(i % 3 == 0, pod_store_bool(&r, false));
        ASSERT_EQ(i * 2654435761u, pod_store_u32(&r, 0));
        ASSERT_EQ(-(int32_t)i, pod_store_i32(&r, 0));
        ASSERT(pod_store_u64(&r, 0) == UINT64_MAX - i);
        ASSERT(pod_store_i64(&r, 0) == INT64_MIN + i);
        ASSERT_NUMBER(1.0 / (1 + i), pod_store_f64(&r, 0));
    }
    ASSERT(!r.failed && r.at == r.size);
    ASSERT_EQ(0, pod_store_u8(&r, 7));
    ASSERT(r.failed);
    clear(&s);
}

TEST(counts_fit_what_follows)
{
    pod_stored s = writer();
    pod_store_count(&s, 3, 8);
    for (int i = 0; i < 3; i++)
        pod_store_u64(&s, 1);
    for (int less = 0; less < 2; less++) {
        pod_stored r = reader(&s, s.size - (size_t)less);
        ASSERT_EQ(less ? 0 : 3, pod_store_count(&r, 0, 8));
        ASSERT_EQ(less, r.failed);
    }
    clear(&s);
}

TEST(numbers_have_an_end)
{
    pod_stored s = writer();
    pod_store_below(&s, 4, 5);
    pod_stored r = reader(&s, s.size), again = r;
    ASSERT_EQ(4, pod_store_below(&r, 0, 5));
    ASSERT(!r.failed);
    pod_store_below(&again, 0, 4);
    ASSERT(again.failed);
    clear(&s);
}

/* Attributes with every field set, each to something else. */
static pod_attributes all_attributes(void)
{
    pod_attributes a = {.dtype = POD_BF16,
                        .axis = -2,
                        .count = 77,
                        .comparison = POD_COMPARE_GE,
                        .reduction = POD_REDUCE_ASSIGN,
                        .flag = true,
                        .seed = 1ull << 63,
                        .name = "name"};
    int32_t next = 1;
    pod_axes *axes[] = {&a.axes, &a.lhs_batch, &a.rhs_batch, &a.lhs_contract, &a.rhs_contract};
    a.shape.rank = a.window.rank = 2;
    a.shape.dims[0] = 5;
    a.shape.dims[1] = 1ll << 40;
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        axes[i]->count = 1 + (int32_t)i % 3;
        for (int32_t j = 0; j < axes[i]->count; j++)
            axes[i]->axes[j] = next++;
    }
    for (int i = 0; i < POD_MAX_RANK; i++) {
        a.low[i] = -next++;
        a.high[i] = next++;
        a.step[i] = next++;
    }
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        a.window.size[i] = next++;
        a.window.stride[i] = next++;
        a.window.pad_low[i] = next++;
        a.window.pad_high[i] = next++;
        a.window.dilation[i] = next++;
    }
    a.window.groups = next++;
    for (size_t i = 0; i < sizeof a.values / sizeof *a.values; i++)
        a.values[i] = 0.5 * next++;
    return a;
}

TEST(attributes_come_back)
{
    pod_stored s = writer();
    pod_attributes all = all_attributes(), read = {0};
    pod_store_attributes(&s, &all);
    pod_stored r = reader(&s, s.size);
    pod_store_attributes(&r, &read);
    ASSERT(!r.failed && r.at == r.size);
    ASSERT_TEXT("name", read.name);
    ASSERT_EQ(all.lhs_contract.axes[0], read.lhs_contract.axes[0]);
    pod_stored again = writer();
    pod_store_attributes(&again, &read);
    ASSERT(again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
    pod_free(context, again.bytes);
    clear(&s);
}

static size_t taken_by(size_t count, size_t size)
{
    size_t bytes = count * size;
    return bytes > 0 ? (bytes + 15) / 16 * 16 : 16;
}

/* A program is as large read as it was written: each of its parts is made once. */
TEST(what_is_read_takes_the_memory_of_its_parts)
{
    enum { SLOTS = 3 };
    const pod_shape shape = {2, {4, 5}};
    pod_slot slots[SLOTS];
    pod_function function = {0};
    for (int i = 0; i < SLOTS; i++)
        slots[i] = (pod_slot){.shape = &shape, .dtype = POD_F32, .bytes = 80, .kind = POD_SLOT_ARENA};
    pod_program written = {.context = context, .slots = slots, .slot_count = SLOTS, .function = &function};
    pod_program made = {.context = context};
    const pod_places none = {0};
    pod_stored s = writer();
    pod_store_program(&s, &written, &none);
    ASSERT(!s.failed);
    pod_stored r = reader(&s, s.size);
    pod_store_program(&r, &made, &none);
    ASSERT(!r.failed && r.at == r.size);
    ASSERT_EQ(SLOTS, made.slot_count);
    ASSERT(pod_shape_equal(&shape, made.slots[SLOTS - 1].shape) && made.slots[0].bytes == 80);
    const size_t lists = 3 * taken_by(0, 1); /* of instructions, groups and phases */
    ASSERT_EQ(taken_by(SLOTS, sizeof(pod_slot)) + SLOTS * taken_by(1, sizeof shape) + taken_by(1, sizeof function) +
                  lists,
              memory.bytes);
    clear(&s);
}

static void prepare(void)
{
    context = test_context(NULL);
    pod_arena_init(&memory, context);
}

TEST_MAIN(prepare(); RUN(a_text_may_be_the_last_thing); RUN(texts_are_none_or_empty_or_long); RUN(numbers_come_back);
          RUN(counts_fit_what_follows); RUN(numbers_have_an_end); RUN(attributes_come_back);
          RUN(what_is_read_takes_the_memory_of_its_parts); pod_context_release(context))
