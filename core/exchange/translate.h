#ifndef POD_EXCHANGE_TRANSLATE_H
#define POD_EXCHANGE_TRANSLATE_H

/*
 * translate - from what stands in the text to nodes. Each op of StableHLO has a reader in the table
 * of op_readers.c; what no reader can say with the op table becomes an opaque node. */

#include "exchange/module.h"
#include "exchange/syntax.h"
#include "graph/build.h"

typedef struct pod_call pod_call;
typedef struct pod_reader_row pod_reader_row;

/* What a reader says. */
typedef enum pod_outcome {
    POD_READ,       /* results are set */
    POD_NOT_KNOWN,  /* translator->reason tells why: an opaque node will stand for it */
    POD_PLACED,     /* the same, but all is known that counts for memory: it reads its operands from there and
                     * writes its results */
    POD_BY_ELEMENT, /* the same of an op that computes each element of its result from one of each operand */
    POD_READ_FAILED /* the lexer has the error */
} pod_outcome;

typedef struct pod_translator {
    pod_context *context;
    pod_exchange_module *module;
    pod_syntax_module *syntax;
    pod_graph *graph; /* that nodes are added to: main's or a region's */
    pod_node **nodes; /* of the function that is being read, by number of value - first_value */
    uint32_t *stamps; /* the last capture that a value was met in */
    uint32_t first_value, end_value, stamp;
    uint32_t depth;     /* of calls within calls */
    uint64_t ops;       /* translated so far, bodies as often as they are called */
    int64_t barriers;   /* joined barriers so far */
    const char *scope;  /* of the call that is being read; NULL in the first function */
    const char *reason; /* why the last reader gave up */
    /* pod_exchange_read_op() and pod_exchange_find_op_reader(): readers know the translator, which knows them by these
     * alone. */
    pod_outcome (*read_op)(pod_call *call);
    const pod_reader_row *(*find_reader)(pod_span name);
} pod_translator;

/* An op with its operands as nodes. A reader sets one node a result. */
struct pod_call {
    pod_translator *translator;
    pod_graph *graph;
    const pod_syntax_op *op;
    pod_node **inputs;
    pod_node **results;
    pod_op code; /* of the reader's row */
};

typedef pod_outcome (*pod_op_reader)(pod_call *call);

/* What elements an op is read for. */
typedef enum pod_reader_elements {
    POD_READER_NUMBERS, /* those that are computed with */
    POD_READER_ANY,     /* also others, such as complex numbers */
    POD_READER_EACH     /* numbers; each element of the result is computed from one of each operand */
} pod_reader_elements;

/* How many operands and results an op has that its reader knows; `otherwise` says what is wrong with others. */
typedef struct pod_reader_arity {
    uint32_t fewest, most, results;
    const char *otherwise;
} pod_reader_arity;

/* A row of the table of readers. */
struct pod_reader_row {
    pod_span name; /* without its dialect */
    pod_op_reader read;
    pod_op code; /* for readers of many ops; else -1 */
    pod_reader_elements elements;
    pod_reader_arity arity;
};

/* Finds the reader of an op by its whole name; NULL when there is none. */
const pod_reader_row *pod_exchange_find_op_reader(pod_span name);

/* Reads an op by its marks or the table; what neither knows becomes an opaque node. */
pod_outcome pod_exchange_read_op(pod_call *call);

/* Reads an op by a row, if it has as many operands and results as that knows. */
pod_outcome pod_exchange_read_by_row(pod_call *call, const pod_reader_row *row);

/* Translates the function into module->graph. False when the lexer has failed. */
bool pod_exchange_translate(pod_translator *translator, pod_syntax_function *function);

/* ---- for the readers ------------------------------------------------------------------------- */

/* Gives up on an op: an opaque node will stand for it. */
pod_outcome pod_exchange_not_known(pod_call *call, const char *reason);

/* Makes an opaque node for an op that a reader said POD_NOT_KNOWN (it is then listed among the unknown
 * ones), POD_PLACED or POD_BY_ELEMENT of. */
pod_outcome pod_exchange_read_opaque(pod_call *call, pod_outcome outcome);

/* Lists the axes of a gather's result that its windows have, those that it looks up by first, each in their order. */
void pod_exchange_list_windows(pod_call *call, pod_axes *axes);

/* A name without its dialect: "add" of "stablehlo.add". */
pod_span pod_exchange_bare_name(pod_span name);

/* Keeps an error at the op. */
pod_outcome pod_exchange_read_fail(pod_call *call, pod_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Finds an attribute by its name in the pretty or the generic form (which may be NULL). */
const pod_syntax_value *pod_exchange_call_attribute(const pod_call *call, const char *pretty, const char *generic);

/* Type of an operand or a result as written. */
const pod_syntax_type *pod_exchange_call_operand_type(const pod_call *call, uint32_t index);
const pod_syntax_type *pod_exchange_call_result_type(const pod_call *call, uint32_t index);

/* Lists the types of the results, for pod_free(); NULL when the lexer has failed: there is no memory. */
pod_value_type *pod_exchange_call_result_types(const pod_call *call);

/* Sets the only result. */
pod_outcome pod_exchange_call_result(pod_call *call, pod_node *node);

/* Sets all results from a node with that many. */
pod_outcome pod_exchange_call_results(pod_call *call, pod_node *node);

/* Sets the only result to an op of the table applied to nodes. */
pod_outcome pod_exchange_call_give(pod_call *call, pod_op op, pod_node *const *inputs, size_t count,
                                   const pod_attributes *attributes);

/* Applies an op of the table to nodes. */
pod_node *pod_exchange_call_apply(pod_call *call, pod_op op, pod_node *const *inputs, size_t count,
                                  const pod_attributes *attributes);

/* Reads the integers of a list, a dense constant or an array into `values`; returns how many, or -1
 * when it is none or has more than `most`. Absent (NULL) is an empty list. */
int pod_exchange_value_integers(pod_translator *translator, const pod_syntax_value *value, int64_t *values, int most);

/* The same as axes; false when it is no list of at most POD_MAX_RANK axes. */
bool pod_exchange_value_axes(pod_translator *translator, const pod_syntax_value *value, pod_axes *axes);

/* Reads `count` numbers, each of which is `otherwise` where the value is absent (NULL); false for another number of
 * them. */
bool pod_exchange_value_sizes(pod_translator *translator, const pod_syntax_value *value, int count, int64_t otherwise,
                              int64_t *sizes);

/* Reads one integer; false when it is none. */
bool pod_exchange_value_integer(const pod_syntax_value *value, int64_t *integer);

/* Reads what `#stablehlo.gather<a = .., b = ..>` holds into a table; false when it is nothing such. */
bool pod_exchange_value_struct(pod_translator *translator, const pod_syntax_value *value, pod_syntax_value *table);

/* The word that a value is, also in "#stablehlo<precision HIGHEST>"; empty when it is none. */
pod_span pod_exchange_value_word(pod_translator *translator, const pod_syntax_value *value);

/* Reads an attribute that is a truth value; `otherwise` when it is absent. */
bool pod_exchange_value_flag(pod_translator *translator, const pod_syntax_value *value, bool otherwise);

/* Translates ops of a region into translator->graph, whose arguments have nodes; results[i] become
 * what the region returns, of which there must be `count`. */
bool pod_exchange_translate_region(pod_translator *translator, const pod_syntax_region *region, pod_node **results,
                                   uint32_t count);

/* Translates the function of this name into the place of the call; its operands are the call's. */
bool pod_exchange_translate_function(pod_call *call, pod_span name);

/* Makes a graph of that function; NULL when the lexer has failed. */
pod_graph *pod_exchange_translate_function_graph(pod_call *call, pod_span name);

/* Keeps a quoted text with its escapes undone; NULL when the lexer has failed. */
const char *pod_exchange_keep_text(pod_translator *translator, pod_span text);

/* Makes a graph of a region: its parameters are the region's arguments (types from the text), then
 * `captured` values of the graph around it; its outputs are the `count` values that it returns and,
 * with `pass`, the captured parameters again. NULL when the lexer has failed. */
pod_graph *pod_exchange_translate_closure(pod_translator *translator, const pod_syntax_region *region,
                                          const uint32_t *captures, uint32_t captured, uint32_t count, bool pass);

/* The same for a body that is made by a function, and has no arguments of its own. */
typedef bool (*pod_body_maker)(pod_translator *translator, void *context, pod_node **results);
pod_graph *pod_exchange_make_closure(pod_translator *translator, const uint32_t *captures, uint32_t captured,
                                     pod_body_maker make, void *context, uint32_t count);

/* Sets the node of a value. */
void pod_exchange_translator_set(pod_translator *translator, uint32_t value, pod_node *node);
pod_node *pod_exchange_translator_get(const pod_translator *translator, uint32_t value);

/* Lists the values defined outside that the regions of an op read, each once. NULL when there is no
 * memory; freed with pod_free(). */
uint32_t *pod_exchange_find_captures(pod_translator *translator, const pod_syntax_op *op, uint32_t *count);

/* Makes a constant of a dense value; NULL when the lexer has failed. */
pod_node *pod_exchange_translate_constant(pod_call *call, const pod_syntax_value *value, const pod_syntax_type *type);

/* Reads the elements of a dense value as its type has them. On success *splat tells whether
 * `elements` holds one that is repeated; it is the caller's, to end with pod_free(). */
bool pod_exchange_read_dense(pod_translator *translator, const pod_syntax_value *value, const pod_syntax_type *type,
                             void **elements, bool *splat);

/* What a region of two arguments gives: an op of the table applied to both, POD_FOLD_SECOND for the
 * second itself, or POD_FOLD_OTHER. */
#define POD_FOLD_OTHER  (-1)
#define POD_FOLD_SECOND (-2)
pod_op pod_exchange_region_fold(pod_translator *translator, const pod_syntax_region *region);

/* Returns whether folding a scalar with a value leaves the value as it is. */
bool pod_exchange_is_identity(pod_op fold, const pod_node *start);

/* The op of the table that an elementwise op of two operands is by its name; -1 when there is none. */
pod_op pod_exchange_find_binary(const pod_translator *translator, pod_span name, pod_dtype dtype);

/* Returns the highest precision that is asked for either operand. */
pod_precision pod_exchange_call_precision(const pod_call *call);

/* True for two operands of one type that is multiplied with; else the call was given up on. */
bool pod_exchange_call_is_product(pod_call *call);

/* Reads the properties of an op of the table from a call (properties.c). Fails where they are not as the op needs them.
 */
pod_outcome pod_exchange_read_properties(pod_call *call, pod_op op, pod_attributes *attributes);

/* ---- modules whose arrays are divided among devices by hand, as by shard_map and pmap (localize.c) -------- */

/* How an array passes between the whole and one device's part of it. */
typedef enum pod_passage {
    POD_PASSAGE_NONE,  /* the op is no such */
    POD_PASSAGE_NOTE,  /* notes of shardings: the results are the operands */
    POD_PASSAGE_ENTER, /* a call that makes the part of the whole */
    POD_PASSAGE_LEAVE, /* a call that makes the whole of parts */
    POD_PASSAGE_BODY   /* sdy.manual_computation: enters by its region's arguments, leaves by its return */
} pod_passage;

pod_passage pod_exchange_passage_of(const pod_syntax_op *op);

/* Gives arguments and results of a function the types that one device has of them, where all that the
 * function does with whole arrays is to divide them and to join them; it is left as it is otherwise.
 * *local tells which. False when there is no memory, which the lexer has as its error. */
bool pod_exchange_localize(pod_syntax_module *module, pod_syntax_function *function, bool *local);

/* ---- what loc(..) says of an op: a place in the user's source and a path of names (location.c) ------------- */

/* Sets location and scope of the nodes that come of an op. */
void pod_exchange_translate_location(pod_translator *translator, const pod_syntax_op *op);

/* Returns the scope of the body of a function that is called by an op; NULL when there is no
 * memory, which the graph then tells. */
const char *pod_exchange_call_scope(pod_translator *translator, const pod_syntax_op *op, pod_span callee);

/* Finds the first name that a location gives; false when it gives none. */
bool pod_exchange_location_name(const pod_syntax_module *module, pod_span location, pod_span *name);

/* ---- marks (marked.c) ------------------------------------------------------------------------ */

/* Returns whether the writer gave an op attributes from which the node is made again. */
bool pod_exchange_is_marked(const pod_call *call);

/* Makes the node that the attributes tell. */
pod_outcome pod_exchange_read_marked(pod_call *call);

/* ---- readers --------------------------------------------------------------------------------- */

pod_outcome pod_exchange_read_plain(pod_call *call);
pod_outcome pod_exchange_read_binary(pod_call *call);

#define X(name, reader, ...) pod_outcome pod_exchange_read_##reader(pod_call *call);
#include "exchange/op_readers.def"
#undef X

#endif
