/* SPDX-License-Identifier: MIT
 *
 * A program that is started as a GPU process and does nothing but write to its standard error:
 *
 *     writing_process TEXT TIMES
 *
 * once its owner has said something, and end with status 7. Without a text it closes its standard error, and
 * waits for its end.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/descriptors.h"

int main(int argc, char **argv)
{
    struct pollfd said = {.fd = AG_SOCKET_DESCRIPTOR, .events = POLLIN};
    poll(&said, 1, -1);
    if (argc != 3) {
        close(STDERR_FILENO);
        for (;;)
            pause();
    }
    const unsigned long long times = strtoull(argv[2], NULL, 10);
    for (unsigned long long i = 0; i < times; i++)
        if (write(STDERR_FILENO, argv[1], strlen(argv[1])) != (ssize_t)strlen(argv[1]))
            return 1;
    return 7;
}
