#include "base/thread.h"

#include "base/context_parts.h"

static pod_context *account_of(pod_context *context)
{
    pod_context *root = pod_context_root(context);
    return root->account ? root->account : root;
}

int pod_threads_take(pod_context *context, int wanted)
{
    pod_context *account = account_of(context);
    int taken = atomic_load(&account->other_threads), got = pod_system_has_threads() ? wanted : 0;
    do {
        const int left = account->all_threads - 1 - taken;
        if (account->all_threads > 0 && left < wanted)
            got = left > 0 ? left : 0;
    } while (!atomic_compare_exchange_weak(&account->other_threads, &taken, taken + got));
    return got;
}

void pod_threads_give_back(pod_context *context, int count)
{
    atomic_fetch_sub(&account_of(context)->other_threads, count);
}
