#ifndef POD_COMPILE_SCHEDULER_H
#define POD_COMPILE_SCHEDULER_H

/*
 * scheduler - what is known of the instructions of a function while schedule.c gives them phases and groups and
 * arrange.c writes these down: which depend on each other, and how the groups can be cut.
 */

#include "compile/schedule.h"

#define POD_NONE UINT32_MAX

typedef struct pod_group_member {
    uint32_t group;      /* it is in */
    uint32_t next;       /* instruction of the group */
    uint32_t successors; /* first in scheduler.edges */
} pod_group_member;

/* A grid of rows. */
typedef struct pod_row_cut {
    int64_t rows, unit;
} pod_row_cut;

/* Different grids that a group may have. */
#define POD_GROUP_CUTS 16

/* A group while others may join it. */
typedef struct pod_open_group {
    uint32_t phase;
    uint32_t first, last; /* instructions, linked by member.next */
    uint32_t count;
    int64_t parts;
    int64_t units; /* of the instruction that has the fewest by itself */
    pod_row_cut cuts[POD_GROUP_CUTS];
    uint32_t cut_count;
    double cost;
    uint32_t mark; /* 1 + the instruction for which it was last counted */
    bool serial;
} pod_open_group;

typedef struct pod_dependence {
    uint32_t to, next;
    int64_t parts; /* common to both ends; 1: none */
} pod_dependence;

/* Who last wrote a slot, and who has read it since. */
typedef struct pod_slot_accesses {
    uint32_t writer, writer_at; /* instruction, place among its slots */
    uint32_t readers;           /* first in scheduler.readers */
    uint32_t mark;              /* 1 + first instruction of the group that counted it last */
} pod_slot_accesses;

typedef struct pod_slot_reader {
    uint32_t instruction, at, next;
} pod_slot_reader;

typedef struct pod_scheduler {
    pod_lowered *function;
    pod_group_member *members;
    pod_open_group *groups;
    uint32_t *parents; /* of each group: sets of those that are one, see base/sets.h */
    uint32_t group_count;
    pod_slot_accesses *accesses; /* of each slot */
    pod_slot_reader *readers;
    uint32_t reader_count;
    pod_dependence *edges;
    uint32_t edge_count, edge_room;
    uint32_t print_phase; /* of the last print */
    uint32_t meet_phase;  /* of the last instruction in which ranks meet */
    uint32_t fail_phase;  /* the first in which everything that may fail is done */
    bool failed;
} pod_scheduler;

/* The group, and the phase, that an instruction is in by now. */
uint32_t pod_compile_group_of(const pod_scheduler *s, uint32_t instruction);
uint32_t pod_compile_phase_of(const pod_scheduler *s, uint32_t instruction);

/* Parts of a unit: so many that every instruction's unit divides its rows. */
int64_t pod_compile_unit_parts(const pod_open_group *g, int64_t parts);

/* Returns whether the instructions of a group can be cut into so many parts, of which units have at least `unit` (that
 * of the group, where none is given), for as many threads as before. */
bool pod_compile_can_cut_by(const pod_open_group *g, int64_t parts, int64_t unit);
bool pod_compile_can_cut(const pod_open_group *g, int64_t parts);

/* Makes one group of two of a phase, cut into so many parts; returns its number. */
uint32_t pod_compile_join_groups(pod_scheduler *s, uint32_t first, uint32_t second, int64_t parts);

/* Makes a group of one instruction; returns its number. */
uint32_t pod_compile_new_group(pod_scheduler *s, uint32_t index, uint32_t phase);

/* Writes down phases and groups. False when there is no memory. */
bool pod_compile_arrange(const pod_scheduler *s, pod_function *made);

#endif
