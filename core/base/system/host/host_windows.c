/* host_windows - see host_system.h. */

#ifdef _WIN32

#include "base/system/host/host_system.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
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

static UINT input_page, output_page;

static void give_back_console(void)
{
    (void)SetConsoleCP(input_page);
    (void)SetConsoleOutputCP(output_page);
}

void pod_host_begin(void)
{
    for (int stream = 0; stream <= 2; stream++) {
        const intptr_t handle = _get_osfhandle(stream);
        if (handle == -1 || handle == -2)
            (void)_open("NUL", stream == 0 ? _O_WRONLY : _O_RDONLY);
    }
    input_page = GetConsoleCP();
    output_page = GetConsoleOutputCP();
    if (input_page != 0 && SetConsoleCP(CP_UTF8) && SetConsoleOutputCP(CP_UTF8))
        (void)atexit(give_back_console);
    for (int stream = 1; stream <= 2; stream++) /* the C library would take bytes for letters */
        if (pod_host_is_terminal(stream))
            (void)_setmode(stream, _O_BINARY);
}

const char *pod_host_home(void)
{
    const char *home = getenv("HOME");
    return home != NULL ? home : getenv("USERPROFILE");
}

bool pod_host_is_named(int file, const char *path)
{
    BY_HANDLE_FILE_INFORMATION opened, named;
    const HANDLE other = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                     OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (other == INVALID_HANDLE_VALUE)
        return false;
    const bool known =
        GetFileInformationByHandle((HANDLE)_get_osfhandle(file), &opened) && GetFileInformationByHandle(other, &named);
    (void)CloseHandle(other);
    return known && opened.nFileIndexLow == named.nFileIndexLow && opened.nFileIndexHigh == named.nFileIndexHigh &&
           opened.dwVolumeSerialNumber == named.dwVolumeSerialNumber;
}

bool pod_host_is_absolute(const char *path)
{
    return path != NULL && (*path == '/' || *path == '\\' || (*path != '\0' && path[1] == ':'));
}

void pod_host_use_slashes(char *path)
{
    for (; *path != '\0'; path++)
        if (*path == '\\')
            *path = '/';
}

/* Characters of two columns: of East Asia, and pictures. */
static const uint32_t wide[][2] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},  {0x23e9, 0x23ec}, {0x25fd, 0x25fe}, {0x2614, 0x2615},   {0x2648, 0x2653},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},  {0x2753, 0x2755}, {0x2795, 0x2797}, {0x2b1b, 0x2b1c},   {0x2e80, 0x303e},
    {0x3041, 0x33ff},   {0x3400, 0x4dbf},  {0x4e00, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},  {0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

int pod_host_width(uint32_t character)
{
    WORD kinds = 0;
    const wchar_t unit = (wchar_t)character;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (character >= wide[i][0] && character <= wide[i][1])
            return 2;
    if ((character >= 0x200b && character <= 0x200f) || (character >= 0xfe00 && character <= 0xfe0f))
        return 0;
    if (character < 0x10000 && GetStringTypeW(CT_CTYPE3, &unit, 1, &kinds) && (kinds & C3_NONSPACING) != 0)
        return 0;
    return 1;
}

#endif
