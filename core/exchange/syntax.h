#ifndef POD_EXCHANGE_SYNTAX_H
#define POD_EXCHANGE_SYNTAX_H

/*
 * syntax - a StableHLO module as it stands in the text: functions, regions, ops and values, in the
 * pretty and in the generic form alike. What the ops mean is not looked at (see translate.h).
 *
 * Everything lies in one arena and points into the text. Values are numbered in the order of their
 * definition, so those of a region and of all within are a range of numbers. */

#include "base/arena.h"
#include "exchange/lexer.h"
#include "exchange/syntax_names.h"
#include "moonpod/chip.h"

/* Regions within regions: more is refused. */
#define POD_SYNTAX_MOST_DEPTH 60

/* An array's type, or that of something that is none (a token, a tuple): element is then 0. */
typedef struct pod_syntax_type {
    pod_element element;
    pod_dtype dtype; /* of the element, or a stand-in */
    bool foreign;    /* dtype is a stand-in */
    pod_shape shape;
} pod_syntax_type;

/* Returns whether two types are the same. */
static inline bool pod_exchange_same_type(const pod_syntax_type *a, const pod_syntax_type *b)
{
    return a->element == b->element && pod_shape_equal(&a->shape, &b->shape);
}

typedef enum pod_value_kind {
    POD_VALUE_WORD,       /* text: true, GT, b, i32 ... */
    POD_VALUE_INTEGER,    /* integer, text */
    POD_VALUE_NUMBER,     /* text */
    POD_VALUE_TEXT,       /* text without quotes */
    POD_VALUE_SYMBOL,     /* text: what follows '@' */
    POD_VALUE_LIST,       /* children: [..], array<..>; also `[0] x [1]` and `[..]x[..]->[..]` */
    POD_VALUE_DICTIONARY, /* children with keys: {..} */
    POD_VALUE_DENSE,      /* text: what is between < and >; type */
    POD_VALUE_RESOURCE,   /* text: the name of dense_resource<..>; type */
    POD_VALUE_RAW         /* text: #..<..>, types and the rest, as they stand */
} pod_value_kind;

typedef struct pod_syntax_value {
    pod_value_kind kind;
    const char *at; /* where it stands */
    pod_span key;   /* in a dictionary */
    pod_span text;
    int64_t integer;
    pod_syntax_type type;
    struct pod_syntax_value *first, *last, *next;
    size_t count; /* of children */
} pod_syntax_value;

typedef struct pod_syntax_op pod_syntax_op;

typedef struct pod_syntax_region {
    uint32_t first_value, end_value; /* all that is defined in it, arguments first */
    uint32_t argument_count;
    pod_syntax_op *first, *last;
} pod_syntax_region;

struct pod_syntax_op {
    pod_syntax_op *next;
    pod_span name; /* "stablehlo.add" */
    const char *at;
    uint32_t line;
    uint32_t *operands;
    uint32_t operand_count;
    uint32_t first_result, result_count;
    pod_syntax_value attributes; /* a dictionary */
    pod_syntax_value words;      /* a list of the bare words of the pretty form */
    pod_span symbol;             /* the first @name of the pretty form */
    pod_span label;              /* the quoted name of a composite */
    pod_span extra;              /* the text of attributes and words, to tell ops apart */
    pod_span location;           /* what loc(..) holds */
    pod_syntax_region *regions;
    uint32_t region_count, region_capacity;
};

typedef struct pod_syntax_function {
    struct pod_syntax_function *next;
    pod_span name;
    const char *at;
    bool is_public;
    pod_syntax_region body;
    uint32_t depth;                         /* of the calls that are being translated: not 0 within itself */
    pod_syntax_value **argument_attributes; /* one an argument; NULL where there are none */
    pod_span *argument_names, *argument_locations;
    uint32_t result_count;
    pod_syntax_type *results;
    pod_syntax_value **result_attributes;
} pod_syntax_function;

typedef struct pod_syntax_module pod_syntax_module;
struct pod_argument_list;

struct pod_syntax_module {
    pod_arena arena;
    pod_lexer lexer;
    /* pod_exchange_parse_region(), for the regions of ops. */
    bool (*parse_region)(pod_syntax_module *module, const struct pod_argument_list *arguments,
                         pod_syntax_region *region);
    pod_span name;
    pod_syntax_value attributes;
    pod_syntax_function *functions, *last_function;
    pod_syntax_names function_names;
    pod_syntax_type *values; /* by number */
    uint32_t value_count, value_capacity;
    pod_syntax_names alias_names; /* what '#name = ..' or a resource section defines: spans of text */
    pod_syntax_names *names;      /* while reading */
    int depth;                    /* of regions and values within each other */
    int dictionaries;             /* that are being read: in them a number may have ': type' behind it */
};

/* Reads a text, which stays borrowed by the module. The module is cleared with pod_exchange_syntax_clear()
 * whether this succeeds or not; false when the lexer has failed. */
bool pod_exchange_syntax_read(pod_syntax_module *module, pod_context *context, const char *file, const char *text,
                              size_t length, pod_error *error);

void pod_exchange_syntax_clear(pod_syntax_module *module);

/* Finds a child by its key; NULL when there is none. */
const pod_syntax_value *pod_exchange_syntax_find(const pod_syntax_value *dictionary, const char *key);

/* Finds the first function of a name; NULL where there is none. */
pod_syntax_function *pod_exchange_syntax_find_function(const pod_syntax_module *module, pod_span name);

/* Finds what an alias or a resource is; false when it is not defined. */
bool pod_exchange_syntax_find_alias(const pod_syntax_module *module, pod_span name, pod_span *text);

/* ---- parts, for the files of this folder ----------------------------------------------------- */

/* Keeps the error that there is no memory; returns false. */
bool pod_exchange_syntax_no_memory(pod_syntax_module *module);

/* Reads a type: tensor<..>, a token, a tuple or the like. */
bool pod_exchange_parse_type(pod_syntax_module *module, pod_syntax_type *type);

/* Reads a value of an attribute. */
bool pod_exchange_parse_value(pod_syntax_module *module, pod_syntax_value *value);

/* Reads a dictionary {..}, of which children are added to those there. `close` is what ends it. */
bool pod_exchange_parse_dictionary(pod_syntax_module *module, pod_syntax_value *dictionary, const char *open,
                                   const char *close);

/* Reads "<{..}>" if it comes next; children are added. */
bool pod_exchange_parse_properties(pod_syntax_module *module, pod_syntax_value *dictionary);

/* Reads a value of its own from a part of the text, such as what a RAW holds. */
bool pod_exchange_parse_span(pod_syntax_module *module, pod_span span, pod_syntax_value *value);

/* Makes a value in the arena; NULL when there is no memory. */
pod_syntax_value *pod_exchange_syntax_new_value(pod_syntax_module *module);

/* Adds a child behind those of a list, or with a key behind those of a dictionary. */
void pod_exchange_syntax_append(pod_syntax_value *list, pod_syntax_value *child);
void pod_exchange_syntax_add(pod_syntax_value *dictionary, pod_span key, pod_syntax_value *child);

/* Types in the order of the text, with what stands in {..} behind them. */
typedef struct pod_type_list {
    pod_syntax_type *types;
    pod_syntax_value **attributes; /* one a type; NULL where it has none */
    uint32_t count, capacity;
} pod_type_list;

/* Reads "T" or "(T {..}, ..)". */
bool pod_exchange_parse_type_or_types(pod_syntax_module *module, pod_type_list *list);

/* Reads "T, .." up to what is no comma. */
bool pod_exchange_parse_types(pod_syntax_module *module, pod_type_list *list);

/* Reads `loc(..)` if it comes next. */
bool pod_exchange_parse_location(pod_syntax_module *module, pod_span *location);

/* Defines `count` values of one name: "%0" or "%0#0", "%0#1" ... */
bool pod_exchange_syntax_define(pod_syntax_module *module, pod_span name, const pod_syntax_type *types, uint32_t count);

/* Arguments of a function or a block, in order. */
typedef struct pod_argument_list {
    pod_span *names, *locations;
    pod_type_list types;
    uint32_t capacity;
} pod_argument_list;

/* Reads "(%a: T {..} loc(..), ..)" without defining the names. */
bool pod_exchange_parse_arguments(pod_syntax_module *module, pod_argument_list *list);

/* Defines arguments. */
bool pod_exchange_define_arguments(pod_syntax_module *module, const pod_argument_list *list);

/* Reads the ops of a region up to and with its '}'. The names of arguments given here, or else by
 * the block's label, are seen within only. `arguments` may be NULL. */
bool pod_exchange_parse_region(pod_syntax_module *module, const pod_argument_list *arguments,
                               pod_syntax_region *region);

/* Makes room in an array of the arena for one more; `capacity` is doubled. NULL: no memory. */
void *pod_exchange_syntax_grow(pod_syntax_module *module, void *items, uint32_t count, uint32_t *capacity, size_t size);

#endif
