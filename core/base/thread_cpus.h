#ifndef POD_BASE_THREAD_CPUS_H
#define POD_BASE_THREAD_CPUS_H

/* thread_cpus - keeps threads that meet at barriers on CPUs of their own. A scheduler that finds another program's
 * thread on one of two CPUs may leave both of ours on the other, where they are as fast as one. */

#include <stdbool.h>
#include <stdint.h>

#define POD_CPUS_LIMIT 1024

/* Which CPUs a thread may use. */
typedef struct pod_cpus {
    int count; /* 0: the system does not say, or has more than POD_CPUS_LIMIT */
    uint64_t bits[POD_CPUS_LIMIT / 64];
} pod_cpus;

/* Those of the calling thread. */
void pod_cpus_find(pod_cpus *cpus);

/* The number of the CPU that comes `after` places behind that numbered `first`, in a circle of all of `cpus`. */
int pod_cpus_next(const pod_cpus *cpus, int first, int after);

/* The number of the CPU that the calling thread runs on; negative where the system does not say. */
int pod_cpus_current(void);

/* Keeps the calling thread on the CPU of this number, or on any of `cpus` where it is negative. What the system refuses
 * leaves the thread where it is. */
void pod_thread_keep_on(const pod_cpus *cpus, int cpu);

#endif
