#ifndef POD_BASE_ARENA_APART_H
#define POD_BASE_ARENA_APART_H

/*
 * arena_apart - for tests: while it is true, arenas take each block from the host by itself, so that each may fail.
 * False from the start; set by one thread, while no other has an arena.
 */

#include <stdbool.h>

extern bool pod_arenas_apart;

#endif
