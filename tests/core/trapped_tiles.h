#ifndef TRAPPED_TILES_H
#define TRAPPED_TILES_H

#include <stdbool.h>

/* Gives the process AMX: the CPU's where it has it, else by catching SIGILL from now on. False if neither can be had. */
bool pod_trap_tiles(void);

#endif
