#ifndef POD_BASE_POISON_H
#define POD_BASE_POISON_H

/* poison - what ASan is told of memory that nobody may use; without ASan it is told nothing. */

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)   ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

#endif
