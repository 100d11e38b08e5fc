#ifndef MOONPOD_H
#define MOONPOD_H

/*
 * moonpod - all public headers: one line to write, several short ones to read.
 */

#include "moonpod/status.h"
#include "moonpod/tensor.h"
#include "moonpod/graph.h"
#include "moonpod/builders.h"
#include "moonpod/replicate.h"
#include "moonpod/ranks.h"
#include "moonpod/program.h"
#include "moonpod/profile.h"
#include "moonpod/image.h"
#include "moonpod/data.h"
#include "moonpod/service.h"
#include "moonpod/formats.h"
#include "moonpod/events.h"
#include "moonpod/chip.h"
#include "moonpod/compatibility.h"
#include "moonpod/exchange.h"
#include "moonpod/exported.h"
#include "moonpod/compiler.h"
#include "moonpod/tpu.h"
#include "moonpod/advise.h"
#include "moonpod/project.h"

#endif
