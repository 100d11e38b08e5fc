/* Array types, layouts and names of slices, from any bytes: refused or read, and what is read is
 * written back the same and measured without overflow. */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <moonpod/chip.h>

static const char *const seeds[] = {
    "s32[29360128,10]{1,0:T(8,128)}",
    "f32[128,256,896,18]{0,3,2,1:T(8,128)}",
    "bf16[1,2,3,4,5,6,7,8]{7,6,5,4,3,2,1,0:T(8,128)(2,1)S(1)}",
    "s4[64,256]{1,0:T(64,128)(8,1)E(4)}",
    "f8e4m3b11fnuz[9223372036854775807]{0:T(1024)(128)(4,1)}",
    "pred[]{:T(512)}",
    "{0,1:T(8,128)E(32)S(1)}",
    "c128[0,9223372036854775807]",
    "v3-32",
    "v4:4x4x16",
    "v5litepod-8",
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_type(const pod_array_type *type)
{
    char first[POD_ARRAY_TYPE_TEXT_SIZE], second[POD_ARRAY_TYPE_TEXT_SIZE];
    char reason[POD_LAYOUT_REASON_SIZE], size[POD_BYTES_TEXT_SIZE];
    pod_array_type again;
    pod_layout_bytes bytes;
    pod_error error;
    pod_array_type_format(type, first);
    demand(pod_array_type_parse(first, strlen(first), &again, &error) == POD_OK);
    demand(strcmp(first, pod_array_type_format(&again, second)) == 0);
    if (type->has_layout && pod_layout_measure(type->element, &type->shape, &type->layout, &bytes, &error) == POD_OK) {
        demand(bytes.unpadded >= 0 && bytes.padded >= bytes.unpadded);
        pod_bytes_format(bytes.padded, size);
        pod_expansion_format(&bytes, size);
    }
    for (size_t i = 0; i < pod_chip_count(); i++)
        for (int policy = POD_LAYOUT_COMPACT; policy <= POD_LAYOUT_ROW_MAJOR; policy++) {
            const pod_chip *chip = pod_chip_at(i);
            pod_layout layout;
            demand(pod_layout_choose(chip, type->element, &type->shape, (pod_layout_policy)policy, &layout, &error) ==
                   POD_OK);
            if (pod_layout_measure(type->element, &type->shape, &layout, &bytes, &error) == POD_OK)
                demand(bytes.unpadded >= 0 && bytes.padded >= bytes.unpadded);
            else
                demand(bytes.padded == 0);
            pod_layout_reason(chip, type->element, &type->shape, (pod_layout_policy)policy, NULL, &layout, reason);
        }
}

static void read_text(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    pod_array_type type;
    pod_layout layout;
    pod_slice slice;
    pod_error error;
    if (pod_array_type_parse(text, size, &type, &error) == POD_OK)
        check_type(&type);
    else
        demand(error.message[0] != '\0' && type.element == POD_ELEMENT_NONE);
    if (pod_layout_parse(text, size, &layout, &error) == POD_OK) {
        char written[POD_LAYOUT_TEXT_SIZE];
        pod_layout_format(&layout, written);
        demand(pod_layout_parse(written, strlen(written), &layout, &error) == POD_OK);
    }
    if (size < 64 && !memchr(data, '\0', size)) {
        char name[64];
        memcpy(name, data, size);
        name[size] = '\0';
        if (pod_slice_find(name, &slice, &error) == POD_OK)
            demand(slice.chips > 0 && pod_slice_hops(&slice, 0, slice.chips - 1) >= 0);
    }
}

static void read_array_type(pod_context *context)
{
    static uint8_t bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    uint8_t *exact = malloc(size > 0 ? size : 1); /* what reads past its end is caught */
    (void)context;
    memcpy(exact, bytes, size);
    read_text(exact, size);
    free(exact);
}

static void write_array_types(pod_context *context)
{
    (void)context;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        fuzz_put(seeds[i], strlen(seeds[i]));
}

const fuzz_target fuzz_array_types[] = {
    {"array_type", write_array_types, read_array_type},
    {0},
};
