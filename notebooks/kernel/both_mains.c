/* both_mains - see both_mains.h: `moonpod kernel FILE` is the kernel, which --install-kernel names to Jupyter. */

#include "both_mains.h"

#include <stdbool.h>
#include <string.h>

int main(int argc, char **argv)
{
    const bool is_kernel = argc > 1 && strcmp(argv[1], "kernel") == 0;
    return is_kernel ? main_of_kernel(argc - 1, argv + 1) : main_of_session(argc, argv);
}
