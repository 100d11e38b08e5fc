/* scope - stops what runs before a consumer on other threads. */

#include "input/stage.h"

pod_status pod_input_scope_open(pod_scope *scope, pod_scope *parent, void (*wake)(void *context), void *wake_context,
                                pod_error *error)
{
    *scope = (pod_scope){.parent = parent, .wake = wake, .wake_context = wake_context};
    int failure = uv_mutex_init(&scope->mutex);
    if (failure != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a mutex: %s", uv_strerror(failure));
    if (parent == NULL)
        return POD_OK;
    uv_mutex_lock(&parent->mutex);
    scope->next = parent->children;
    parent->children = scope;
    atomic_store(&scope->cancelled, atomic_load(&parent->cancelled));
    uv_mutex_unlock(&parent->mutex);
    return POD_OK;
}

void pod_input_scope_close(pod_scope *scope)
{
    pod_scope *parent = scope->parent;
    if (parent != NULL) {
        uv_mutex_lock(&parent->mutex);
        pod_scope **link = &parent->children;
        while (*link != scope)
            link = &(*link)->next;
        *link = scope->next;
        uv_mutex_unlock(&parent->mutex);
    }
    uv_mutex_destroy(&scope->mutex);
}

void pod_input_scope_cancel(pod_scope *scope)
{
    uv_mutex_lock(&scope->mutex);
    atomic_store(&scope->cancelled, true);
    for (pod_scope *child = scope->children; child != NULL; child = child->next)
        pod_input_scope_cancel(child);
    if (scope->wake != NULL)
        scope->wake(scope->wake_context);
    uv_mutex_unlock(&scope->mutex);
}

void pod_input_scope_revive(pod_scope *scope)
{
    uv_mutex_lock(&scope->mutex);
    atomic_store(&scope->cancelled, false);
    for (pod_scope *child = scope->children; child != NULL; child = child->next)
        pod_input_scope_revive(child);
    uv_mutex_unlock(&scope->mutex);
}

/* ---- gates ---- */

#define CONDITIONS 3
#define ALL        (CONDITIONS + 2) /* the mutex before them, the scope behind */

static void wake_gate(void *context)
{
    pod_gate *gate = context;
    uv_mutex_lock(&gate->mutex);
    for (int i = 0; i < CONDITIONS; i++)
        uv_cond_broadcast(&gate->conditions[i]);
    uv_mutex_unlock(&gate->mutex);
}

pod_status pod_input_gate_open(pod_gate *gate, pod_scope *parent, pod_error *error)
{
    int failure = uv_mutex_init(&gate->mutex);
    gate->opened = failure == 0;
    for (int i = 0; failure == 0 && i < CONDITIONS; i++) {
        failure = uv_cond_init(&gate->conditions[i]);
        gate->opened += failure == 0;
    }
    if (failure != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a queue: %s", uv_strerror(failure));
    const pod_status status = pod_input_scope_open(&gate->scope, parent, wake_gate, gate, error);
    gate->opened += status == POD_OK;
    return status;
}

void pod_input_gate_close(pod_gate *gate)
{
    if (gate->opened == ALL)
        pod_input_scope_close(&gate->scope);
    for (int i = 0; i < CONDITIONS && i + 1 < gate->opened; i++)
        uv_cond_destroy(&gate->conditions[i]);
    if (gate->opened > 0)
        uv_mutex_destroy(&gate->mutex);
}
