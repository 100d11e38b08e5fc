/* Tiled layouts: against the compiler's answers, printed reports, and a tiler that counts. */

#include "test.h"

#include "moonpod/chip.h"

/* ---- helpers ---- */

static pod_shape shape_of(const char *sizes)
{
    pod_shape shape = {0};
    for (const char *at = sizes; *at; at++) {
        char *end;
        shape.dims[shape.rank++] = strtoll(at, &end, 10);
        at = end;
        if (!*at)
            break;
    }
    return shape;
}

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* ---- what the compiler answered ---- */

typedef struct golden {
    const char *chip, *type, *sizes, *layout;
    int64_t bytes;
} golden;

static const golden layouts[] = {
#define LAYOUT(chip, type, sizes, layout, bytes) {chip, type, sizes, layout, bytes},
#define PARAMETER(chip, type, sizes, layout, bytes)
#include "../golden/tpu_layouts.def"
#undef LAYOUT
#undef PARAMETER
};

static const golden parameters[] = {
#define LAYOUT(chip, type, sizes, layout, bytes)
#define PARAMETER(chip, type, sizes, layout, bytes) {chip, type, sizes, layout, bytes},
#include "../golden/tpu_layouts.def"
#undef LAYOUT
#undef PARAMETER
};

static void check_golden(const golden *row, bool whole_type)
{
    pod_error error;
    pod_array_type type = {.element = pod_element_from_name(row->type), .has_layout = true};
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    pod_layout_bytes bytes;
    type.shape = shape_of(row->sizes);
    ASSERT_EQ(POD_OK, pod_layout_choose(pod_chip_find(row->chip), type.element, &type.shape, POD_LAYOUT_COMPACT,
                                        &type.layout, &error));
    ASSERT_TEXT(row->layout, whole_type ? pod_array_type_format(&type, text) : pod_layout_format(&type.layout, text));
    ASSERT_EQ(POD_OK, pod_layout_measure(type.element, &type.shape, &type.layout, &bytes, &error));
    ASSERT_EQ(row->bytes, bytes.padded);
}

TEST(default_layouts_are_the_compilers)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        check_golden(&layouts[i], false);
    ASSERT_EQ(877, (int)(sizeof layouts / sizeof layouts[0]));
}

TEST(arguments_of_compiled_programs_take_the_same_bytes)
{
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        check_golden(&parameters[i], true);
    ASSERT_EQ(419, (int)(sizeof parameters / sizeof parameters[0]));
}

/* ---- what reports printed ---- */

TEST(reports_of_2021_are_reproduced_from_their_text)
{
    static const struct {
        const char *text, *unpadded, *padded, *extra, *ratio;
    } rows[] = {
        {"s32[29360128,10]{1,0:T(8,128)}", "1.09G", "14.00G", "12.91G", "12.8x"},
        {"f32[128,256,896,18]{0,3,2,1:T(8,128)}", "1.97G", "2.62G", "672.00M", "1.3x"},
        {"s32[8388608,8,4]{2,1,0:T(8,128)}", "1.00G", "32.00G", "31.00G", "32.0x"},
        {"f32[4,256,256,256]{3,0,2,1:T(4,128)}", "256.00M", "256.00M", "0B", "1.0x"},
        {"f32[128,3]{1,0:T(8,128)S(1)}", "1.5K", "64.0K", "62.5K", "42.7x"},
        {"f32[128,256,896,8]{0,3,2,1:T(8,128)}", "896.00M", "896.00M", "0B", "1.0x"},
        {"f32[1,1,8,18]{3,2,1,0:T(8,128)}", "576B", "4.0K", "3.4K", "7.1x"},
        {"f32[18]{0:T(256)}", "72B", "1.0K", "952B", "14.2x"},
        {"f32[8]{0:T(256)}", "32B", "1.0K", "992B", "32.0x"},
        {"f32[129,1024]{1,0:T(8,128)}", "516.0K", "544.0K", "28.0K", "1.1x"},
        {"f32[129,1024]{0,1:T(8,128)}", "516.0K", "1.00M", "508.0K", "2.0x"},
        {"pred[8,128]{1,0:T(8,128)E(32)}", "1.0K", "4.0K", "3.0K", "4.0x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_array_type type;
        pod_error error;
        pod_layout_bytes bytes;
        char text[POD_ARRAY_TYPE_TEXT_SIZE], size[POD_BYTES_TEXT_SIZE];
        ASSERT_EQ(POD_OK, pod_array_type_parse(rows[i].text, strlen(rows[i].text), &type, &error));
        ASSERT_TEXT(rows[i].text, pod_array_type_format(&type, text));
        ASSERT_EQ(POD_OK, pod_layout_measure(type.element, &type.shape, &type.layout, &bytes, &error));
        ASSERT_TEXT(rows[i].unpadded, pod_bytes_format(bytes.unpadded, size));
        ASSERT_TEXT(rows[i].padded, pod_bytes_format(bytes.padded, size));
        ASSERT_TEXT(rows[i].extra, pod_bytes_format(bytes.padded - bytes.unpadded, size));
        ASSERT_TEXT(rows[i].ratio, pod_expansion_format(&bytes, size));
    }
}

TEST(rows_lie_side_by_side_where_that_is_asked_for)
{
    static const struct {
        pod_layout_policy policy;
        const char *sizes, *layout;
    } rows[] = {
        {POD_LAYOUT_ROW_MAJOR, "29360128,10", "{1,0:T(8,128)}"},
        {POD_LAYOUT_COMPACT, "29360128,10", "{0,1:T(8,128)}"},
        {POD_LAYOUT_ROW_MAJOR, "8388608,8,4", "{2,1,0:T(8,128)}"},
        {POD_LAYOUT_ROW_MAJOR, "1,1,8,18", "{3,2,1,0:T(8,128)}"},
        {POD_LAYOUT_ROW_MAJOR, "18", "{0:T(256)}"},
        {POD_LAYOUT_ROW_MAJOR, "128,3", "{1,0:T(8,128)}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const pod_shape shape = shape_of(rows[i].sizes);
        pod_layout layout;
        pod_error error;
        char text[POD_LAYOUT_TEXT_SIZE], reason[POD_LAYOUT_REASON_SIZE];
        ASSERT_EQ(POD_OK,
                  pod_layout_choose(pod_chip_find("v3"), POD_ELEMENT_F32, &shape, rows[i].policy, &layout, &error));
        ASSERT_TEXT(rows[i].layout, pod_layout_format(&layout, text));
        ASSERT(strlen(pod_layout_reason(pod_chip_find("v3"), POD_ELEMENT_F32, &shape, rows[i].policy, NULL, &layout,
                                        reason)) > 10);
    }
}

TEST(a_reason_says_what_is_padded_and_what_else_there_was)
{
    const pod_shape shape = {2, {1024, 10}};
    const pod_chip *chip = pod_chip_find("v3");
    pod_layout layout;
    pod_error error;
    char reason[POD_LAYOUT_REASON_SIZE];
    ASSERT_EQ(POD_OK, pod_layout_choose(chip, POD_ELEMENT_F32, &shape, POD_LAYOUT_COMPACT, &layout, &error));
    ASSERT_TEXT("the fewest bytes, row-major on ties; axis 0 (1024) in lanes, exact; axis 1 (10) "
                "in sublanes, padded to 16; row-major takes 512.0K",
                pod_layout_reason(chip, POD_ELEMENT_F32, &shape, POD_LAYOUT_COMPACT, NULL, &layout, reason));
    ASSERT_EQ(POD_OK, pod_layout_choose(chip, POD_ELEMENT_F32, &shape, POD_LAYOUT_ROW_MAJOR, &layout, &error));
    ASSERT_TEXT("as given; axis 1 (10) in lanes, padded to 128; axis 0 (1024) in sublanes, exact; "
                "the least padded order takes 64.0K",
                pod_layout_reason(chip, POD_ELEMENT_F32, &shape, POD_LAYOUT_ROW_MAJOR, "as given", &layout, reason));
}

/* ---- a tiler that counts ---- */

typedef struct counted {
    int64_t rows, padded;
    int32_t i, j;
} counted;

/* The table of tile rows, by width of the storage. */
static int64_t table_rows(int gen, int bits, int64_t d)
{
    if (gen <= 3)
        return bits >= 32 ? (d <= 2 ? 2 : d <= 4 ? 4 : 8) : bits == 16 ? (d <= 4 ? 4 : 8) : 8;
    if (bits >= 32)
        return d <= 1 ? 1 : d <= 2 ? 2 : d <= 4 ? 4 : 8;
    if (bits == 16)
        return d <= 2 ? 2 : d <= 4 ? 4 : 8;
    if (bits == 8)
        return d % 32 == 0 ? 32 : d <= 4 ? 4 : 8;
    if (bits == 4)
        return d % 64 == 0 ? 64 : 8;
    return d % 128 == 0 ? 128 : 16;
}

static int64_t count_up(int64_t size, int64_t tile)
{
    int64_t sum = 0;
    while (sum < size)
        sum += tile;
    return sum;
}

static counted count_tiles(int gen, int bits, const pod_shape *shape)
{
    counted best = {0, -1, 0, 0};
    for (int32_t i = shape->rank - 1; i >= 0; i--)
        for (int32_t j = shape->rank - 1; j >= 0; j--) {
            if (i == j)
                continue;
            const int64_t rows = table_rows(gen, bits, shape->dims[j]);
            int64_t padded = count_up(shape->dims[i], 128) * count_up(shape->dims[j], rows);
            for (int32_t axis = 0; axis < shape->rank; axis++)
                padded *= axis == i || axis == j ? 1 : shape->dims[axis];
            if (best.padded < 0 || padded < best.padded)
                best = (counted){rows, padded, i, j};
        }
    return best;
}

static pod_shape random_shape(uint64_t *state)
{
    static const int64_t usual[] = {1,  2,  3,   4,   5,   7,   8,   9,   10,   16,   18,   32,
                                    64, 96, 100, 127, 128, 129, 256, 512, 1000, 1024, 1025, 2048};
    pod_shape shape = {0};
    int64_t product = 1;
    shape.rank = (int32_t)(next_random(state) % 9);
    for (int32_t i = 0; i < shape.rank; i++) {
        const uint64_t kind = next_random(state) % 8;
        shape.dims[i] = kind < 4   ? usual[next_random(state) % (sizeof usual / sizeof usual[0])]
                        : kind < 7 ? (int64_t)(next_random(state) % 40)
                                   : (int64_t)(next_random(state) % 1500);
        if (product > 1 << 26) /* padded at most 128 * 64 times, of 16 bytes */
            shape.dims[i] = 1 + (int64_t)(next_random(state) % 3);
        product *= shape.dims[i];
    }
    return shape;
}

TEST(random_shapes_agree_with_a_tiler_that_counts)
{
    uint64_t state = 1;
    for (size_t c = 0; c < pod_chip_count(); c++)
        for (int e = POD_ELEMENT_NONE + 1; e < POD_ELEMENT_END; e++)
            for (int n = 0; n < 1000; n++) {
                const pod_chip *chip = pod_chip_at(c);
                const int gen = chip->name[1] - '0';
                const pod_shape shape = random_shape(&state);
                const int whole = pod_element_bits((pod_element)e);
                int bits = whole > 32 ? 32 : whole;
                if (bits < 8 && gen <= 3)
                    bits = 8;
                const int stored = whole > 32 ? whole : bits;
                pod_layout layout;
                pod_layout_bytes bytes;
                pod_error error;
                ASSERT_EQ(POD_OK, pod_layout_choose(chip, (pod_element)e, &shape, POD_LAYOUT_COMPACT, &layout, &error));
                ASSERT_EQ(POD_OK, pod_layout_measure((pod_element)e, &shape, &layout, &bytes, &error));
                if (shape.rank < 2) {
                    const int64_t size = shape.rank == 0 ? 1 : shape.dims[0];
                    const int64_t lines = count_up(size, 128) / 128;
                    /* wide enough for the array, but no wider than eight lines */
                    int64_t tile = (gen <= 3 ? 2 : 1) * (bits < 32 ? 32 / bits : 1);
                    while (tile < 8 && tile < lines)
                        tile += tile;
                    ASSERT_EQ(tile * 128, layout.tiles[0].dims[0]);
                    ASSERT_EQ(count_up(size, tile * 128) * stored / 8, bytes.padded);
                    continue;
                }
                const counted want = count_tiles(gen, bits, &shape);
                ASSERT_EQ(want.padded * stored / 8, bytes.padded);
                ASSERT_EQ(want.i, layout.minor_to_major[0]);
                ASSERT_EQ(want.j, layout.minor_to_major[1]);
                ASSERT_EQ(want.rows, layout.tiles[0].dims[0]);
            }
}

/* ---- addresses ---- */

TEST(an_index_is_what_xlas_page_on_tiles_says)
{
    const pod_shape shape = {2, {3, 5}};
    const pod_layout layout = {.rank = 2, .minor_to_major = {1, 0}, .tile_count = 1, .tiles = {{2, {2, 2}}}};
    const int64_t place[] = {2, 3};
    int64_t index;
    pod_error error;
    ASSERT_EQ(POD_OK, pod_layout_index(&shape, &layout, place, &index, &error));
    ASSERT_EQ(17, index);
    ASSERT_EQ(POD_ERROR_VALUE, pod_layout_index(&shape, &layout, (const int64_t[]){3, 0}, &index, &error));
    ASSERT_CONTAINS("axis 0", error.message);
}

TEST(every_element_has_a_place_of_its_own_within_the_padded_bytes)
{
    static const char *const types[] = {
        "f32[5,3,9]{1,2,0:T(4,128)}",       "bf16[17,130]{1,0:T(8,128)(2,1)}",
        "s8[40,130]{0,1:T(8,128)(4,1)}",    "bf16[1300]{0:T(1024)(128)(2,1)}",
        "s8[64,5,3]{0,1,2:T(32,128)(4,1)}", "f32[7,5]{1,0}",
        "f32[3,4]{1,0:T(2,2,2)}",           "f32[]{:T(256)}",
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        pod_array_type type;
        pod_error error;
        pod_layout_bytes bytes;
        ASSERT_EQ(POD_OK, pod_array_type_parse(types[t], strlen(types[t]), &type, &error));
        ASSERT_EQ(POD_OK, pod_layout_measure(type.element, &type.shape, &type.layout, &bytes, &error));
        const int64_t padded = bytes.padded * 8 / pod_element_bits(type.element);
        bool *seen = calloc((size_t)padded, sizeof *seen);
        int64_t place[POD_MAX_RANK] = {0};
        for (int64_t n = 0, axis = 0; n < pod_shape_elements(&type.shape); n++) {
            int64_t index;
            ASSERT_EQ(POD_OK, pod_layout_index(&type.shape, &type.layout, place, &index, &error));
            ASSERT(index >= 0 && index < padded && !seen[index]);
            seen[index] = true;
            for (axis = type.shape.rank - 1; axis >= 0; axis--) {
                if (++place[axis] < type.shape.dims[axis])
                    break;
                place[axis] = 0;
            }
        }
        free(seen);
    }
}

TEST(two_rows_of_16_bits_share_a_word)
{
    const char *text = "bf16[16,128]{1,0:T(8,128)(2,1)}";
    pod_array_type type;
    pod_error error;
    int64_t index;
    ASSERT_EQ(POD_OK, pod_array_type_parse(text, strlen(text), &type, &error));
    ASSERT_EQ(POD_OK, pod_layout_index(&type.shape, &type.layout, (const int64_t[]){1, 5}, &index, &error));
    ASSERT_EQ(11, index);
}

/* ---- edges ---- */

TEST(empty_arrays_take_nothing)
{
    const pod_shape shape = {3, {4, 0, INT64_MAX}};
    pod_layout layout;
    pod_layout_bytes bytes;
    pod_error error;
    char text[POD_LAYOUT_TEXT_SIZE];
    ASSERT_EQ(POD_OK,
              pod_layout_choose(pod_chip_find("v4"), POD_ELEMENT_BF16, &shape, POD_LAYOUT_COMPACT, &layout, &error));
    ASSERT_TEXT("{2,1,0:T(2,128)(2,1)}", pod_layout_format(&layout, text));
    ASSERT_EQ(POD_OK, pod_layout_measure(POD_ELEMENT_BF16, &shape, &layout, &bytes, &error));
    ASSERT_EQ(0, bytes.unpadded);
    ASSERT_EQ(0, bytes.padded);
    ASSERT_TEXT("1.0x", pod_expansion_format(&bytes, text));
}

TEST(sizes_past_63_bits_are_refused)
{
    static const struct {
        pod_shape shape;
        pod_status status;
    } rows[] = {
        {{2, {(int64_t)1 << 40, (int64_t)1 << 40}}, POD_ERROR_SHAPE},
        {{1, {INT64_MAX}}, POD_ERROR_SHAPE},
        {{2, {INT64_MAX, 1}}, POD_ERROR_SHAPE},
        {{1, {((int64_t)1 << 61) - 1024}}, POD_OK},
        {{1, {(int64_t)1 << 61}}, POD_ERROR_SHAPE},
        {{8, {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, 9}}, POD_ERROR_SHAPE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_layout layout;
        pod_layout_bytes bytes;
        pod_error error;
        char reason[POD_LAYOUT_REASON_SIZE];
        ASSERT_EQ(POD_OK, pod_layout_choose(pod_chip_find("v3"), POD_ELEMENT_F32, &rows[i].shape, POD_LAYOUT_COMPACT,
                                            &layout, &error));
        ASSERT_EQ(rows[i].status, pod_layout_measure(POD_ELEMENT_F32, &rows[i].shape, &layout, &bytes, &error));
        if (rows[i].status != POD_OK)
            ASSERT_EQ(0, bytes.padded);
        ASSERT(strlen(pod_layout_reason(pod_chip_find("v3"), POD_ELEMENT_F32, &rows[i].shape, POD_LAYOUT_COMPACT, NULL,
                                        &layout, reason)) > 0);
    }
}

TEST(what_is_no_array_is_refused)
{
    const pod_chip *chip = pod_chip_find("v3");
    const pod_shape good = {2, {4, 4}}, negative = {1, {-1}}, deep = {9, {1}};
    pod_layout layout;
    pod_layout_bytes bytes;
    pod_error error;
    ASSERT_EQ(POD_ERROR_ARGUMENT,
              pod_layout_choose(chip, POD_ELEMENT_F32, &negative, POD_LAYOUT_COMPACT, &layout, &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_layout_choose(chip, POD_ELEMENT_F32, &deep, POD_LAYOUT_COMPACT, &layout, &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT,
              pod_layout_choose(chip, POD_ELEMENT_NONE, &good, POD_LAYOUT_COMPACT, &layout, &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_layout_choose(NULL, POD_ELEMENT_F32, &good, POD_LAYOUT_COMPACT, &layout, &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT,
              pod_layout_tile(chip, POD_ELEMENT_F32, &good, (const int32_t[]){1, 1}, &layout, &error));
    ASSERT_CONTAINS("once", error.message);
    ASSERT_EQ(POD_OK, pod_layout_tile(chip, POD_ELEMENT_F32, &good, (const int32_t[]){0, 1}, &layout, &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_layout_measure(POD_ELEMENT_F32, &(pod_shape){1, {4}}, &layout, &bytes, &error));
    layout.tiles[0].dims[0] = 0;
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_layout_measure(POD_ELEMENT_F32, &good, &layout, &bytes, &error));
    layout.tile_count = 9;
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_layout_measure(POD_ELEMENT_F32, &good, &layout, &bytes, &error));
}

/* ---- text ---- */

TEST(malformed_texts_are_refused_with_the_place)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "element type"},
        {"f33[2]", "element type"},
        {"f32", "'['"},
        {"f32[", "size of an axis"},
        {"f32[2", "',' or ']'"},
        {"f32[2,]", "size of an axis"},
        {"f32[-1]", "size of an axis"},
        {"f32[<=4]", "size of an axis"},
        {"f32[9223372036854775808]", "size of an axis"},
        {"f32[1,1,1,1,1,1,1,1,1]", "at most 8 axes"},
        {"f32[2,3]{1,0", "',', ':' or '}'"},
        {"f32[2,3]{1,1}", "each axis once"},
        {"f32[2,3]{0}", "as many axes"},
        {"f32[2,3]{2,0}", "each axis once"},
        {"f32[2,3]{1,0:}", "before this"},
        {"f32[2,3]{1,0:T}", "'('"},
        {"f32[2,3]{1,0:T()}", "sizes before this"},
        {"f32[2,3]{1,0:T(0,128)}", "not 0"},
        {"f32[2,3]{1,0:T(8,128)}x", "nothing more"},
        {"f32[2,3]{1,0:T(8,128)(1)(1)(1)(1)}", "at most 4 tiles"},
        {"f32[2,3]{1,0:E(0)}", "bits of an element"},
        {"f32[2,3]{1,0:S(999)}", "memory space"},
        {"f32[2,3]{1,0:T(*,128)}", "size of a tile"},
        {"(f32[2], f32[3])", "element type"},
        {"f32[2]\n{0}", "'{'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pod_array_type type;
        pod_error error;
        ASSERT_EQ(POD_ERROR_FORMAT, pod_array_type_parse(rows[i].text, strlen(rows[i].text), &type, &error));
        ASSERT_CONTAINS(rows[i].message, error.message);
        ASSERT_EQ(POD_ELEMENT_NONE, type.element);
    }
}

TEST(texts_are_read_and_written_both_ways)
{
    static const char *const texts[] = {
        "f32[]",
        "f32[]{:T(256)}",
        "pred[8]{0:T(1024)(128)(4,1)}",
        "s4[64,256]{1,0:T(64,128)(8,1)E(4)}",
        "f32[2,3]{1,0:S(1)}",
        "f8e4m3b11fnuz[1,2,3,4,5,6,7,8]{7,6,5,4,3,2,1,0:T(8,128)(4,1)S(1)}",
        "c128[0,3]{0,1}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pod_array_type type;
        pod_error error;
        char text[POD_ARRAY_TYPE_TEXT_SIZE];
        ASSERT_EQ(POD_OK, pod_array_type_parse(texts[i], strlen(texts[i]), &type, &error));
        ASSERT_TEXT(texts[i], pod_array_type_format(&type, text));
    }
    pod_layout layout;
    pod_error error;
    char text[POD_LAYOUT_TEXT_SIZE];
    ASSERT_EQ(POD_OK, pod_layout_parse(" { 0, 1 : T(8,128) }", 20, &layout, &error));
    ASSERT_TEXT("{0,1:T(8,128)}", pod_layout_format(&layout, text));
    ASSERT_EQ(POD_ERROR_FORMAT, pod_layout_parse("0,1", 3, &layout, &error));
}

TEST(sizes_print_as_xla_prints_them)
{
    static const struct {
        int64_t bytes;
        const char *text;
    } rows[] = {
        {0, "0B"},
        {1023, "1023B"},
        {1024, "1.0K"},
        {282624, "276.0K"},
        {1048575, "1024.0K"},
        {1048576, "1.00M"},
        {704643072, "672.00M"},
        {2818572288, "2.62G"},
        {15032385536, "14.00G"},
        {16624123904, "15.48G"},
        {(int64_t)1 << 42, "4.00T"},
        {INT64_MAX, "8.00E"},
        {-2048, "-2.0K"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[POD_BYTES_TEXT_SIZE];
        ASSERT_TEXT(rows[i].text, pod_bytes_format(rows[i].bytes, text));
    }
}

TEST_MAIN(RUN(default_layouts_are_the_compilers); RUN(arguments_of_compiled_programs_take_the_same_bytes);
          RUN(reports_of_2021_are_reproduced_from_their_text); RUN(rows_lie_side_by_side_where_that_is_asked_for);
          RUN(a_reason_says_what_is_padded_and_what_else_there_was); RUN(random_shapes_agree_with_a_tiler_that_counts);
          RUN(an_index_is_what_xlas_page_on_tiles_says);
          RUN(every_element_has_a_place_of_its_own_within_the_padded_bytes); RUN(two_rows_of_16_bits_share_a_word);
          RUN(empty_arrays_take_nothing); RUN(sizes_past_63_bits_are_refused); RUN(what_is_no_array_is_refused);
          RUN(malformed_texts_are_refused_with_the_place); RUN(texts_are_read_and_written_both_ways);
          RUN(sizes_print_as_xla_prints_them))
