#ifndef POD_BASE_SYSTEM_HOST_SYSTEM_H
#define POD_BASE_SYSTEM_HOST_SYSTEM_H

/* host_system - what the module of Lua and the executable ask a system for, which is linked beside the library: its
 * names are not exported. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef _WIN32
#include <poll.h>
#include <signal.h>
#include <time.h>
#endif

#ifdef __APPLE__
#define st_mtim st_mtimespec /* of struct stat: POSIX's name, and theirs */
#endif

/* Nanoseconds that have passed since some moment, never going back. */
uint64_t pod_host_nanoseconds(void);

/* Whether a person looks at an open file of C's numbers. */
bool pod_host_is_terminal(int file);

/* Columns of the terminal that standard output is; 0: none, or not known. */
int pod_host_columns(void);

/* Writes a path that opens a file of pod_open_file() once more, whatever has its name by then where the system has such
 * paths; false where there is none. */
bool pod_host_path_of(int file, char *path, size_t size);

void pod_host_close(int file);

#ifndef _WIN32
/* As ppoll(), which not every system has. Negative numbers of files are passed over. */
int pod_host_poll(struct pollfd *files, size_t count, const struct timespec *time, const sigset_t *signals);

/* Makes a pipe that child processes do not have; false where there is none. */
bool pod_host_pipe(int ends[2]);
#endif

/* ---- the executable ---- */

#ifdef _WIN32
#define POD_HOST_ENDING ".dll" /* of modules in C */
#else
#define POD_HOST_ENDING ".so"
#endif
#define POD_HOST_MODULE "?" POD_HOST_ENDING

/* At the start of the process: takes the standard streams that whoever started it has closed: else the first file that
 * is opened would get what is printed. Reading and writing them fails as before. A console has UTF-8, until the process
 * ends. */
void pod_host_begin(void);

/* The folder of a person's own files; NULL where it is not known. */
const char *pod_host_home(void);

/* Whether a path leads to an open file. */
bool pod_host_is_named(int file, const char *path);

/* Whether a path does not begin where the process is; NULL does not. */
bool pod_host_is_absolute(const char *path);

/* Columns of a terminal that a character takes, of any behind 0x300; below 0 where that is not known. */
int pod_host_width(uint32_t character);

/* Makes a path one whose parts a '/' parts. */
void pod_host_use_slashes(char *path);

#endif
