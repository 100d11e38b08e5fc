#ifndef POD_REPLICATE_FORMS_H
#define POD_REPLICATE_FORMS_H

/*
 * The forms that a value of one core takes when all cores are computed at once.
 *
 * With a global batch of `rows` rows on `replicas` cores a core has at most ceil(rows / replicas)
 * rows. Shards are consecutive rows: full ones first, then a short one, then empty ones. So the
 * global array is the first rows of the shards laid one behind the other.
 *
 * Several ranks (processes) have as many replicas each, in order. A graph is of one rank then: `joined` and `stacked`
 * are of its replicas and rows, sums over replicas are its own, and what needs those of all is asked of the others
 * (replicate_ranks.c). What is uniform is so on all ranks.
 */

#include "graph/axis_ways.h"

/* How the rows lie over the replicas. */
typedef struct pod_shards {
    int64_t replicas; /* of this rank */
    int64_t rows;     /* of all of them; 0 when no parameter is split */
    int64_t chunk;    /* rows of a core's shapes; 0 when no parameter is split */
    int64_t full;     /* rows of a full shard: as many, but where a core was traced for two and has one: then an axis of
                       * rows is none of those of size 1, and what lies behind the one is padding */
    bool even;        /* every shard is full, on all ranks (or nothing is split) */
    bool mapping;     /* the replicas are elements that a function is mapped over: nothing is joined,
                       * and collectives stay what they are */
    int64_t ranks, all_replicas, all_rows; /* of all ranks together; 1, and as above, where there is one */
    int64_t first_replica, first_row;      /* of this rank, among all */
} pod_shards;

typedef enum pod_form_kind {
    POD_FORM_UNIFORM, /* one value, the same on every replica */
    POD_FORM_JOINED,  /* the shards one behind the other along an axis, true rows only */
    POD_FORM_STACKED  /* a leading axis of one value a replica; short shards are padded */
} pod_form_kind;

/* The form of one value. Axes are those of the core's value, without the replica axis. */
typedef struct pod_form {
    pod_form_kind kind;
    int32_t axis;               /* joined: the axis */
    int64_t multiplier;         /* joined: entries of that axis a row */
    int64_t rows[POD_MAX_RANK]; /* stacked: entries a row of axes that run over the shard's rows, so
                                 * that entries beyond a short shard's rows count for nothing; 0 for
                                 * other axes */
    uint32_t repeated;          /* uniform: bit k tells that all entries along axis k are equal, so
                                 * that the value can be made longer along k */
} pod_form;

/* The forms without details: nothing repeated, no axis that runs over rows. */
#define POD_UNIFORM_FORM              ((pod_form){.kind = POD_FORM_UNIFORM})
#define POD_STACKED_FORM              ((pod_form){.kind = POD_FORM_STACKED})
#define POD_JOINED_FORM(along, a_row) ((pod_form){.kind = POD_FORM_JOINED, .axis = (along), .multiplier = (a_row)})

/* Returns whether two forms are the same; what is repeated is not looked at. */
bool pod_replicate_form_equal(const pod_form *a, const pod_form *b);

/* Returns whether a joined value of the given core's shape is, element by element, also one joined
 * along `axis` with `multiplier` entries a row: with one row a core, an axis and those of size 1
 * before it cannot be told apart; rows of no entries are told along their own axis alone. */
bool pod_replicate_form_same_rows(const pod_form *form, int32_t axis, int64_t multiplier, const pod_shape *shape);

/* Returns the form that values of both forms can be brought to: uniform before joined before
 * stacked. */
pod_form pod_replicate_form_merge(const pod_form *a, const pod_form *b);

/* Writes for each axis of a value the entries a row, 0 for axes that do not run over rows. */
void pod_replicate_form_rows(const pod_form *form, int64_t rows[POD_MAX_RANK]);

/* Returns whether any axis of a value runs over rows. */
bool pod_replicate_form_has_rows(const pod_form *form);

/* Returns the number of replicas that have rows, of this rank and of all. */
int64_t pod_replicate_shards_nonempty(const pod_shards *shards);
int64_t pod_replicate_shards_all_nonempty(const pod_shards *shards);

/* Returns the true rows of replica `replica` of this rank. */
int64_t pod_replicate_shards_length(const pod_shards *shards, int64_t replica);

#endif
