#ifndef COUNT_THREADS_H
#define COUNT_THREADS_H

/* count_threads - how many threads this process has. A thread that was joined is listed until the system is done with
 * it, which takes as long as a busy machine likes: who expects a number waits for it. */

#include <dirent.h>
#include <uv.h>

#include "test.h"

#define THREADS_PATIENCE 60000000000u /* nanoseconds: only where the number never comes */

/* Entries of a folder, such as /proc/self/task. */
__attribute__((unused)) static int count_entries(const char *path)
{
    DIR *folder = opendir(path);
    ASSERT(folder);
    int count = 0;
    for (const struct dirent *one; (one = readdir(folder));)
        count += one->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* Waits until there are so many threads at most; returns how many there are. */
__attribute__((unused)) static int count_threads(int expected)
{
    const uint64_t began = uv_hrtime();
    int count = count_entries("/proc/self/task");
    while (count > expected && uv_hrtime() - began < THREADS_PATIENCE) {
        uv_sleep(1);
        count = count_entries("/proc/self/task");
    }
    return count;
}

#endif
