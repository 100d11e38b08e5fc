/* host_windows - see host_system.h. */

#ifdef _WIN32

#include "base/system/host/host_system.h"

#include <io.h>
#include <windows.h>

uint64_t pod_host_nanoseconds(void)
{
    LARGE_INTEGER ticks, second;
    (void)QueryPerformanceCounter(&ticks);
    (void)QueryPerformanceFrequency(&second);
    const uint64_t all = (uint64_t)ticks.QuadPart, each = (uint64_t)second.QuadPart;
    return all / each * 1000000000u + all % each * 1000000000u / each;
}

bool pod_host_is_terminal(int file)
{
    DWORD mode;
    return file >= 0 && file <= 2 && GetConsoleMode((HANDLE)_get_osfhandle(file), &mode);
}

int pod_host_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO about;
    return GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &about)
               ? about.srWindow.Right - about.srWindow.Left + 1
               : 0;
}

bool pod_host_path_of(int file, char *path, size_t size)
{
    const DWORD length = GetFinalPathNameByHandleA((HANDLE)_get_osfhandle(file), path, (DWORD)size, 0);
    return length > 0 && length < size;
}

void pod_host_close(int file)
{
    (void)_close(file);
}

#endif
