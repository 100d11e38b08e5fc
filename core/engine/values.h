#ifndef POD_ENGINE_VALUES_H
#define POD_ENGINE_VALUES_H

/* values - what a program keeps in memory, for profiles. What lies in threads' blocks, which fit their caches, is none
 * of it. */

#include "moonpod/profile.h"
#include "program/compiled.h"

/* Fills values[], which has one for each of the program's slots, and returns how many there are. */
size_t pod_run_values(const pod_program *program, pod_profile_value *values);

#endif
