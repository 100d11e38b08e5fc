#ifndef POD_FORMATS_PICKLE_H
#define POD_FORMATS_PICKLE_H

/*
 * pickle - Python's pickles, as far as data sets are written as such: whole numbers, texts, lists, tuples, dictionaries
 * and NumPy's arrays. A pickle is a program; here it can make these and nothing else. Of names it may use those that
 * arrays are made with, and they are values like others: nothing is looked up, and nothing is called.
 *
 *     pod_pickle pickle = {.context = context, .path = path, .bytes = bytes, .size = size};
 *     status = pod_format_pickle_run(&pickle, &value, &error);
 *     ... pod_format_pickle_arrays(&pickle, value, "data", &list, &error) ...
 *     pod_format_pickle_clear(&pickle);
 */

#include "formats/array_file.h"

typedef enum pod_pickle_kind {
    POD_PICKLE_NONE,
    POD_PICKLE_MARK,
    POD_PICKLE_TEXT, /* of bytes or of characters */
    POD_PICKLE_LIST,
    POD_PICKLE_TUPLE,
    POD_PICKLE_DICT,        /* its items are keys and values by turns */
    POD_PICKLE_RECONSTRUCT, /* the function that begins an array */
    POD_PICKLE_NDARRAY,     /* the class of arrays */
    POD_PICKLE_DTYPE_CLASS,
    POD_PICKLE_DTYPE, /* a type: its text is NumPy's code */
    POD_PICKLE_ARRAY
} pod_pickle_kind;

/* A whole number, or an object of the pickle, by its place. False and true are 0 and 1, as in Python. */
typedef int64_t pod_pickle_value;

typedef struct pod_pickle_object {
    pod_pickle_kind kind;
    const char *text; /* borrowed of the bytes */
    size_t size;      /* of the text */
    pod_pickle_value *items;
    size_t count, room;
    pod_pickle_value state; /* what arrays and types are completed with: a tuple; NONE: nothing yet */
} pod_pickle_object;

typedef struct pod_pickle {
    pod_context *context; /* borrowed, as are the path, for messages, and the bytes */
    const char *path;
    const unsigned char *bytes;
    size_t size, at;
    pod_pickle_value *stack, *memo;
    size_t depth, stack_room, remembered, memo_room;
    pod_pickle_object *objects;
    size_t object_count, object_room;
} pod_pickle;

/* Runs the pickle and gives what it makes. The pickle is the caller's to clear also where this fails. */
POD_CHECKED pod_status pod_format_pickle_run(pod_pickle *pickle, pod_pickle_value *value, pod_error *error);
void pod_format_pickle_clear(pod_pickle *pickle);

/* Refuses a pickle, at the place that was read last. */
pod_status pod_format_pickle_refuse(const pod_pickle *pickle, const char *what, pod_error *error);

/* Returns whether a value is a number, and which. */
bool pod_format_pickle_number(pod_pickle_value value, int64_t *number);

/* Returns the object that a value is, where it is of that kind, else NULL. Until the next is made. */
const pod_pickle_object *pod_format_pickle_object(const pod_pickle *pickle, pod_pickle_value value,
                                                  pod_pickle_kind kind);

/* Adds the arrays of a value to a list: an array and a list of numbers (int64) by the name; those of a dictionary by
 * "name/key", where what holds texts is left out; an array of lists of numbers as two, all numbers one behind the other
 * (int64), and how many each list has ("name.lengths"). */
POD_CHECKED pod_status pod_format_pickle_arrays(const pod_pickle *pickle, pod_pickle_value value, const char *name,
                                                pod_buffer_list *list, pod_error *error);

/* All of it: reads `size` bytes that come next of a reader, and adds their arrays to a list. */
POD_CHECKED pod_status pod_format_pickle_read(pod_context *context, pod_reader *reader, uint64_t size, const char *name,
                                              pod_buffer_list *list, pod_error *error);

#endif
