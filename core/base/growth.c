/* growth - see growth.h. */

#include "base/checked.h"
#include "base/growth.h"

#include <string.h>

/* Returns the room to take: twice what there is, within bounds. */
static size_t larger_room(size_t room, size_t needed, const pod_growth *growth)
{
    size_t wanted = room == 0 ? growth->first : room > SIZE_MAX / 2 ? SIZE_MAX : 2 * room;
    if (growth->most > 0 && wanted > growth->most)
        wanted = growth->most;
    return wanted > needed ? wanted : needed;
}

pod_status pod_grow(pod_context *context, void *items, size_t *room, size_t needed, pod_growth growth, pod_error *error)
{
    if (needed <= *room)
        return POD_OK;
    const size_t wanted = larger_room(*room, needed, &growth);
    size_t bytes;
    void *block;
    memcpy(&block, items, sizeof block);
    if (pod_multiply_overflows(wanted, growth.item, &bytes))
        return pod_error_memory(error, growth.what, SIZE_MAX);
    block = pod_reallocate(context, block, bytes);
    if (!block)
        return pod_error_memory(error, growth.what, bytes);
    memcpy(items, &block, sizeof block);
    *room = wanted;
    return POD_OK;
}

bool pod_arena_grow(pod_arena *arena, void *items, uint32_t *room, size_t needed, pod_growth growth)
{
    if (needed <= *room)
        return true;
    if (growth.most == 0)
        growth.most = UINT32_MAX - 1;
    const size_t wanted = larger_room(*room, needed, &growth);
    void *block, *larger = wanted < UINT32_MAX ? pod_arena_array(arena, wanted, growth.item) : NULL;
    if (!larger)
        return false;
    memcpy(&block, items, sizeof block);
    if (*room > 0)
        memcpy(larger, block, *room * growth.item);
    memcpy(items, &larger, sizeof larger);
    *room = (uint32_t)wanted;
    return true;
}
