/* wait - what the commands of the service do while its threads work. */

#include "moonpod/service.h"

#include <errno.h>
#include <unistd.h>

void pod_service_wait(bool input)
{
    char bytes[64];
    if (!input) {
        (void)pause();
        return;
    }
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR))
            return;
    }
}
