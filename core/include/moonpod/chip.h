#ifndef MOONPOD_CHIP_H
#define MOONPOD_CHIP_H

/*
 * chip - what TPUs are made of and how arrays lie in their memory: chips, slices, tiled layouts.
 *
 * Tables and arithmetic only: nothing here needs a context, allocates or keeps state, and every
 * function may be called from any thread.
 *
 *     const pod_chip *chip = pod_chip_find("v3");
 *     pod_shape shape = {2, {1024, 10}};
 *     pod_layout layout;
 *     pod_layout_bytes bytes;
 *     char text[POD_LAYOUT_TEXT_SIZE];
 *     int64_t index, place[] = {130, 9};
 *     pod_element element = pod_element_from_dtype(POD_F32);
 *     pod_layout_choose(chip, element, &shape, POD_LAYOUT_COMPACT, &layout, &error);
 *     pod_layout_measure(element, &shape, &layout, &bytes, &error);
 *     pod_layout_format(&layout, text); // "{0,1:T(8,128)}", bytes.padded is 65536
 *     pod_layout_index(&shape, &layout, place, &index, &error); // element (130, 9) lies there
 *
 * Sources: XLA's docs/tiled_layout.md for notation and addresses. For chips Google's pages on each TPU
 * version, and the papers on v2/v3 (CACM 2020) and v4 (ISCA 2023). For default layouts, and the memory
 * a program may use, the TPU compiler's own answers.
 */

#include "moonpod/tensor.h"

POD_BEGIN_C

/* ---- chips --------------------------------------------------------------------------------------
 */

/* One generation. Numbers are per chip unless their name says otherwise; 0 stands for "has none" or
 * "not published". A core is a TensorCore; a device is what a program runs on: a core, or the two
 * cores of a chip joined as one (v4, v5p: a megacore). */
typedef struct pod_chip {
    const char *name;         /* "v3" */
    const char *slice_prefix; /* what names of slices start with: "v3", "v5litepod", "tpu7x" */
    const char *product;      /* "TPU v5e", "TPU v6e (Trillium)" */

    int32_t cores, devices;
    int32_t mxus_per_core, mxu_size; /* each mxu_size x mxu_size multipliers */
    int32_t lanes, sublanes;         /* of a vector register */
    int32_t clock_mhz;
    double bf16_flops, int8_ops, int4_ops, fp8_flops; /* peak a second */

    int64_t hbm_bytes;          /* as built */
    int64_t hbm_limit_bytes;    /* what a program on one device may use, as the compiler says */
    int64_t hbm_reserved_bytes; /* what the system keeps of a device's memory, where printed */
    double hbm_bytes_per_second;
    int64_t vmem_bytes, smem_bytes; /* a core's */
    int64_t cmem_bytes;
    int32_t sparse_cores;

    int32_t links;                   /* interconnect links */
    double link_bytes_per_second;    /* of a link, one way, as the vendor says */
    double link_usable_per_second;   /* the same as measured: use it for times */
    int32_t torus_rank;              /* 2 or 3 */
    int32_t pod_sizes[3];            /* chips of a full pod along each axis; 1 past torus_rank */
    int64_t pod_chips;               /* of the largest slice that one program may have */
    int32_t host_chips;              /* chips of a host */
    int32_t host_sizes[3];           /* how they lie in the torus */
    double pcie_bytes_per_second;    /* host to chip, one way */
    double network_bytes_per_second; /* of a host, to other hosts outside of the torus */
    bool name_counts_cores;          /* the number in a slice's name: cores, or else chips */
    int32_t layout_rows;             /* fewest rows of a tile, in 32-bit words: 2 up to v3, else 1 */
    bool packs_below_bytes;          /* 4-bit elements take half a byte; else a whole one */
    const char *based_on;            /* of a chip that is not of the table: see pod_chip_check(); else NULL */
} pod_chip;

/* Returns how many generations there are. */
POD_API size_t pod_chip_count(void);

/* Returns the generation at `index`, oldest first; NULL past the last. */
POD_API const pod_chip *pod_chip_at(size_t index);

/* Finds a generation by a name for it ("v5e", "v5litepod", "tpu7x") or by the name of one of its
 * slices ("v3-8"), whose number is not looked at; NULL when there is none such. */
POD_API const pod_chip *pod_chip_find(const char *name);

#define POD_CHIP_NAME_SIZE 13

/* Checks a chip of one's own: a copy of a generation with another name and numbers, whose based_on is the generation's
 * name. It is planned for by that generation's rules of compiling, with its own numbers. It and its texts are the
 * caller's and stay in place while slices, plans and reports that were made of it are in use:
 *
 *     pod_chip chip = *pod_chip_find("v5e");
 *     chip.name = chip.slice_prefix = "v9x";
 *     chip.based_on = "v5e";
 *     chip.hbm_bytes = (int64_t)64 << 30;
 *     chip.hbm_limit_bytes = (int64_t)63 << 30;
 *     status = pod_chip_check(&chip, &error); // then pod_tpu_lower(graph, &chip, ...)
 *
 * Fails with POD_ERROR_ARGUMENT and a message that names the field. Refused are names that are taken or are not of
 * lower-case letters and digits, memory that a chip has not, rates of 0, and tori that no slices can be cut from. */
POD_API POD_CHECKED pod_status pod_chip_check(const pod_chip *chip, pod_error *error);

/* ---- slices -------------------------------------------------------------------------------------
 */

#define POD_SLICE_NAME_SIZE 24

/* Chips that one program runs on. Chips count from 0 with the first axis fastest. */
typedef struct pod_slice {
    const pod_chip *chip;
    char name[POD_SLICE_NAME_SIZE];     /* "v3-32", "v5e-8", "v4-128" */
    char topology[POD_SLICE_NAME_SIZE]; /* "4x4", "2x2x1" */
    int32_t number;                     /* the one in the name */
    int32_t rank;                       /* 2 or 3 */
    int32_t sizes[3];                   /* chips along each axis; 1 past rank */
    bool wraps[3];                      /* the ends of the axis are linked */
    int64_t chips, cores, devices, hosts;
    bool can_twist; /* n x n x 2n or n x 2n x 2n of at least 4: the torus can be twisted */
} pod_slice;

/* Finds a slice by its name ("v3-32", "v5litepod-8"), by generation and topology ("v4:2x2x4"), or a
 * generation's smallest by its name alone ("v3"). Fails with POD_ERROR_NOT_FOUND and a message that
 * names the nearest that exist. */
POD_API POD_CHECKED pod_status pod_slice_find(const char *name, pod_slice *slice, pod_error *error);

/* Finds a slice of a chip of one's own in the same way: of `name` counts what follows "-" or ":". */
POD_API POD_CHECKED pod_status pod_slice_find_of(const pod_chip *chip, const char *name, pod_slice *slice,
                                                 pod_error *error);

/* Finds the slice that has so many devices, the most compact one. Fails as pod_slice_find(). */
POD_API POD_CHECKED pod_status pod_slice_of_devices(const pod_chip *chip, int64_t devices, pod_slice *slice,
                                                    pod_error *error);

/* Makes the slice of a topology: 2 or 3 sizes, in any order for 3 axes. Fails as pod_slice_find().
 */
POD_API POD_CHECKED pod_status pod_slice_from_sizes(const pod_chip *chip, const int32_t *sizes, int32_t rank,
                                                    pod_slice *slice, pod_error *error);

/* Writes the generation's slices that have a name, smallest first, at most `capacity` of them, and
 * returns how many there are. `slices` is the caller's and may be NULL for a capacity of 0. */
POD_API size_t pod_slice_list(const pod_chip *chip, pod_slice *slices, size_t capacity);

/* Writes the place of a chip along each axis. The index must be below slice->chips. */
POD_API void pod_slice_place(const pod_slice *slice, int64_t index, int32_t place[3]);

/* Returns the index of the chip at a place. */
POD_API int64_t pod_slice_index(const pod_slice *slice, const int32_t place[3]);

/* Writes the chips that a chip is linked with, ascending and each once, and returns how many: 0 to
 * 6. `neighbours` has room for 6. */
POD_API int32_t pod_slice_neighbours(const pod_slice *slice, int64_t index, int64_t *neighbours);

/* Returns the fewest links between two chips. */
POD_API int64_t pod_slice_hops(const pod_slice *slice, int64_t from, int64_t to);

/* Returns the most hops between any two chips. */
POD_API int64_t pod_slice_diameter(const pod_slice *slice);

/* Returns the fewest links that a cut into two halves crosses; 0 for a single chip. */
POD_API int64_t pod_slice_bisection_links(const pod_slice *slice);

/* ---- element types ------------------------------------------------------------------------------
 */

/* X(enumerator, its pod_dtype, long name, XLA's name, bits an element, parts). Elements of 64 bits
 * and complex ones are stored as `parts` arrays of bits / parts each. */
#define POD_ELEMENT_LIST(X)                                                                                            \
    X(POD_ELEMENT_PRED, POD_BOOL, "bool", "pred", 8, 1)                                                                \
    X(POD_ELEMENT_S2, POD_DTYPE_NONE, "int2", "s2", 2, 1)                                                              \
    X(POD_ELEMENT_S4, POD_DTYPE_NONE, "int4", "s4", 4, 1)                                                              \
    X(POD_ELEMENT_S8, POD_S8, "int8", "s8", 8, 1)                                                                      \
    X(POD_ELEMENT_S16, POD_S16, "int16", "s16", 16, 1)                                                                 \
    X(POD_ELEMENT_S32, POD_S32, "int32", "s32", 32, 1)                                                                 \
    X(POD_ELEMENT_S64, POD_S64, "int64", "s64", 64, 2)                                                                 \
    X(POD_ELEMENT_U2, POD_DTYPE_NONE, "uint2", "u2", 2, 1)                                                             \
    X(POD_ELEMENT_U4, POD_DTYPE_NONE, "uint4", "u4", 4, 1)                                                             \
    X(POD_ELEMENT_U8, POD_U8, "uint8", "u8", 8, 1)                                                                     \
    X(POD_ELEMENT_U16, POD_U16, "uint16", "u16", 16, 1)                                                                \
    X(POD_ELEMENT_U32, POD_U32, "uint32", "u32", 32, 1)                                                                \
    X(POD_ELEMENT_U64, POD_U64, "uint64", "u64", 64, 2)                                                                \
    X(POD_ELEMENT_F4E2M1FN, POD_DTYPE_NONE, "float4_e2m1fn", "f4e2m1fn", 4, 1)                                         \
    X(POD_ELEMENT_F8E3M4, POD_DTYPE_NONE, "float8_e3m4", "f8e3m4", 8, 1)                                               \
    X(POD_ELEMENT_F8E4M3, POD_DTYPE_NONE, "float8_e4m3", "f8e4m3", 8, 1)                                               \
    X(POD_ELEMENT_F8E4M3B11FNUZ, POD_DTYPE_NONE, "float8_e4m3b11fnuz", "f8e4m3b11fnuz", 8, 1)                          \
    X(POD_ELEMENT_F8E4M3FN, POD_DTYPE_NONE, "float8_e4m3fn", "f8e4m3fn", 8, 1)                                         \
    X(POD_ELEMENT_F8E4M3FNUZ, POD_DTYPE_NONE, "float8_e4m3fnuz", "f8e4m3fnuz", 8, 1)                                   \
    X(POD_ELEMENT_F8E5M2, POD_DTYPE_NONE, "float8_e5m2", "f8e5m2", 8, 1)                                               \
    X(POD_ELEMENT_F8E5M2FNUZ, POD_DTYPE_NONE, "float8_e5m2fnuz", "f8e5m2fnuz", 8, 1)                                   \
    X(POD_ELEMENT_F8E8M0FNU, POD_DTYPE_NONE, "float8_e8m0fnu", "f8e8m0fnu", 8, 1)                                      \
    X(POD_ELEMENT_F16, POD_F16, "float16", "f16", 16, 1)                                                               \
    X(POD_ELEMENT_BF16, POD_BF16, "bfloat16", "bf16", 16, 1)                                                           \
    X(POD_ELEMENT_F32, POD_F32, "float32", "f32", 32, 1)                                                               \
    X(POD_ELEMENT_F64, POD_F64, "float64", "f64", 64, 2)                                                               \
    X(POD_ELEMENT_C64, POD_DTYPE_NONE, "complex64", "c64", 64, 2)                                                      \
    X(POD_ELEMENT_C128, POD_DTYPE_NONE, "complex128", "c128", 128, 4)

/* XLA's element types: those of pod_dtype and the ones that are only measured here. */
typedef enum pod_element {
    POD_ELEMENT_NONE, /* zero: not given */
#define X(enumerator, dtype, long_name, xla_name, bits, parts) enumerator,
    POD_ELEMENT_LIST(X)
#undef X
        POD_ELEMENT_END
} pod_element;

/* Returns the element type of a dtype; POD_ELEMENT_NONE for POD_DTYPE_NONE. */
POD_API pod_element pod_element_from_dtype(pod_dtype dtype);

/* Finds a type by its long or XLA's name; POD_ELEMENT_NONE when there is none such. */
POD_API pod_element pod_element_from_name(const char *name);

/* Returns the long name ("float32"); "none" for POD_ELEMENT_NONE. */
POD_API const char *pod_element_name(pod_element element);

/* Returns XLA's name ("f32"); "none" for POD_ELEMENT_NONE. */
POD_API const char *pod_element_xla_name(pod_element element);

/* Returns the bits of one element; 0 for POD_ELEMENT_NONE. */
POD_API int32_t pod_element_bits(pod_element element);

/* ---- layouts ------------------------------------------------------------------------------------
 */

#define POD_MAX_TILES 4

/* The last `rank` axes of what it tiles are cut into blocks of these sizes, outermost first; what
 * is no multiple is padded. */
typedef struct pod_tile {
    int32_t rank; /* 1 to POD_MAX_RANK */
    int64_t dims[POD_MAX_RANK];
} pod_tile;

/* How an array lies in memory: "{0,1:T(8,128)(2,1)}". Each tile cuts what the one before it left.
 */
typedef struct pod_layout {
    int32_t rank;
    int32_t minor_to_major[POD_MAX_RANK]; /* axes, the one whose elements are adjacent first */
    int32_t tile_count;                   /* 0: not tiled, no padding */
    pod_tile tiles[POD_MAX_TILES];
    int32_t element_bits; /* E(n): storage of an element; 0: the type's own, at least 8 */
    int32_t memory_space; /* S(n): 0 is HBM, 1 the on-chip vector memory */
} pod_layout;

/* Which axes become minor. */
typedef enum pod_layout_policy {
    /* The fewest bytes, row-major on ties: arguments, results and most temporaries of today's
     * compiler. */
    POD_LAYOUT_COMPACT,
    /* The last axis is minor, whatever that costs. */
    POD_LAYOUT_ROW_MAJOR
} pod_layout_policy;

/* Chooses the layout of an array. Fails with POD_ERROR_ARGUMENT for a shape or a type that is none.
 * Sizes may be too large for any memory: pod_layout_measure() tells.
 *
 *     pack = 32 / bits, at least 1 (of 64-bit elements each 32-bit part; below 8 bits up to v3: 8)
 *     rows(d) = the least of p, 2p, 4p ... that is at least min(d, 8); p = pack * layout_rows
 *               from v4 on, bytes and less: 8 * pack where d is a multiple of that
 *     rank 0, 1: tile T(128 * t), t = the least of p, 2p ... that is at least min(ceil(n / 128), 8)
 *     else T(rows(second minor), 128); then (pack,1) where pack > 1 */
POD_API POD_CHECKED pod_status pod_layout_choose(const pod_chip *chip, pod_element element, const pod_shape *shape,
                                                 pod_layout_policy policy, pod_layout *layout, pod_error *error);

/* Tiles an array whose order of axes is given (shape->rank of them, minor first) as the chip does.
 * Fails with POD_ERROR_ARGUMENT when they are no permutation. */
POD_API POD_CHECKED pod_status pod_layout_tile(const pod_chip *chip, pod_element element, const pod_shape *shape,
                                               const int32_t *minor_to_major, pod_layout *layout, pod_error *error);

typedef struct pod_layout_bytes {
    int64_t unpadded; /* elements times their storage */
    int64_t padded;   /* with all tiles full */
} pod_layout_bytes;

/* Measures an array in a layout. Fails with POD_ERROR_SHAPE past 2^63 - 1 bytes and with
 * POD_ERROR_ARGUMENT for a layout that does not fit the shape; *bytes is then zero. */
POD_API POD_CHECKED pod_status pod_layout_measure(pod_element element, const pod_shape *shape, const pod_layout *layout,
                                                  pod_layout_bytes *bytes, pod_error *error);

/* Finds where an element lies, counted in elements of storage from the array's start. `place` has
 * shape->rank indices. Fails as pod_layout_measure(), and with POD_ERROR_VALUE for a place outside
 * of the shape. */
POD_API POD_CHECKED pod_status pod_layout_index(const pod_shape *shape, const pod_layout *layout, const int64_t *place,
                                                int64_t *index, pod_error *error);

#define POD_LAYOUT_REASON_SIZE 320

/* Writes in a sentence why the layout is what it is: what lies in lanes and sublanes, what that is
 * padded to, and what another choice would take. `given` says who chose the order or the tiles where
 * that was not the policy ("as given"); else NULL. Returns `text`. */
POD_API const char *pod_layout_reason(const pod_chip *chip, pod_element element, const pod_shape *shape,
                                      pod_layout_policy policy, const char *given, const pod_layout *layout,
                                      char text[POD_LAYOUT_REASON_SIZE]);

/* ---- text ---------------------------------------------------------------------------------------
 */

/* An array in XLA's notation: "s32[29360128,10]{1,0:T(8,128)}". */
typedef struct pod_array_type {
    pod_element element;
    pod_shape shape;
    bool has_layout; /* an order of axes was given; without tiles layout.tile_count is 0 */
    pod_layout layout;
} pod_array_type;

/* Reads an array type; the layout, or only its tiles, may be missing. Blanks between the parts are
 * skipped. Fails with POD_ERROR_FORMAT and a message that points at the place. */
POD_API POD_CHECKED pod_status pod_array_type_parse(const char *text, size_t length, pod_array_type *type,
                                                    pod_error *error);

/* Reads a layout of its own: "{0,1:T(8,128)}" or "{0,1}". Fails as pod_array_type_parse(). */
POD_API POD_CHECKED pod_status pod_layout_parse(const char *text, size_t length, pod_layout *layout, pod_error *error);

#define POD_LAYOUT_TEXT_SIZE     1024
#define POD_ARRAY_TYPE_TEXT_SIZE (POD_LAYOUT_TEXT_SIZE + 256)

/* Writes "{0,1:T(8,128)(2,1)}", NUL-terminated, and returns `text`. */
POD_API const char *pod_layout_format(const pod_layout *layout, char text[POD_LAYOUT_TEXT_SIZE]);

/* Writes "f32[128,18]{1,0:T(8,128)}", without the layout where the type has none; returns `text`.
 */
POD_API const char *pod_array_type_format(const pod_array_type *type, char text[POD_ARRAY_TYPE_TEXT_SIZE]);

#define POD_BYTES_TEXT_SIZE 24

/* Writes a size as XLA prints it: "512B", "64.0K", "672.00M", "14.00G". Whole units are divided off
 * by 1024 with the rest dropped, the last division is exact, ties go to even. Returns `text`. */
POD_API const char *pod_bytes_format(int64_t bytes, char text[POD_BYTES_TEXT_SIZE]);

/* Writes padded / unpadded as XLA prints it: "12.8x"; "1.0x" where both are zero. Returns `text`.
 */
POD_API const char *pod_expansion_format(const pod_layout_bytes *bytes, char text[POD_BYTES_TEXT_SIZE]);

POD_END_C

#endif
