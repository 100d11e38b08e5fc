#ifndef EXCHANGE_READ_H
#define EXCHANGE_READ_H

/* exchange_read - StableHLO that has to be read. */

#include "test.h"

#include "moonpod/exchange.h"

static pod_context *context;
static pod_error error;

static pod_exchange_module *read(const char *text)
{
    pod_exchange_module *module;
    ASSERT_OK(pod_exchange_read(context, text, strlen(text), "step.mlir", &module, &error));
    ASSERT_OK(pod_graph_verify(pod_exchange_graph(module), &error));
    return module;
}

#endif
