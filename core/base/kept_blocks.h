#ifndef POD_BASE_KEPT_BLOCKS_H
#define POD_BASE_KEPT_BLOCKS_H

/*
 * kept_blocks - large blocks that were freed, for who asks for one of their size next: results of a program are such.
 * Systems clear the pages that they give, which takes as long as writing results does, and allocators give blocks back
 * to them that are larger than some 32 MiB.
 */

#include <stdatomic.h>
#include <stddef.h>

#define POD_LARGE_BLOCK ((size_t)4 << 20)
#define POD_MOST_KEPT   ((size_t)128 << 20) /* bytes */
#define POD_KEPT_PLACES 4

/* Begins as zeros: with none. */
typedef struct pod_kept_blocks {
    atomic_flag busy; /* guards the rest */
    struct {
        void *block; /* of malloc(); NULL: none */
        size_t size;
    } places[POD_KEPT_PLACES];
    size_t bytes; /* of all */
    unsigned oldest;
} pod_kept_blocks;

/* Takes a block of exactly this size, with whatever is in it; NULL where there is none. Any thread may call. */
void *pod_kept_blocks_take(pod_kept_blocks *kept, size_t size);

/* Frees a block, or keeps it in the place of older ones. Any thread may call. */
void pod_kept_blocks_free(pod_kept_blocks *kept, void *block, size_t size);

/* Frees all. */
void pod_kept_blocks_end(pod_kept_blocks *kept);

#endif
