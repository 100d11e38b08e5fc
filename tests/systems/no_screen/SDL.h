#ifndef SDL_H
#define SDL_H

/* SDL - in the place of SDL2 where it is not built for: what examples/embed_frames/frames.c calls, without a window. */

#include <stdint.h>
#include <time.h>
#include <windows.h>

#undef CLOCK_THREAD_CPUTIME_ID /* mingw has its clock in another library */

enum { SDL_INIT_VIDEO, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOW_SHOWN, SDL_RENDERER_SOFTWARE, SDL_QUIT };

typedef uint32_t Uint32;
typedef struct SDL_Window SDL_Window;
typedef struct SDL_Renderer SDL_Renderer;

typedef struct SDL_Rect {
    int x, y, w, h;
} SDL_Rect;

typedef struct SDL_Event {
    int type;
} SDL_Event;

#define SDL_Init(what)                                            0
#define SDL_GetError()                                            ""
#define SDL_CreateWindow(title, x, y, width, height, how)         ((SDL_Window *)1)
#define SDL_CreateRenderer(window, index, how)                    ((SDL_Renderer *)1)
#define SDL_DestroyRenderer(renderer)                             ((void)0)
#define SDL_DestroyWindow(window)                                 ((void)(window))
#define SDL_Quit()                                                ((void)0)
#define SDL_SetRenderDrawColor(renderer, red, green, blue, alpha) ((void)(renderer))
#define SDL_RenderClear(renderer)                                 ((void)0)
#define SDL_RenderFillRect(renderer, rectangle)                   ((void)(rectangle))
#define SDL_RenderPresent(renderer)                               ((void)0)
#define SDL_PollEvent(event)                                      ((event)->type = 0)
#define SDL_Delay(milliseconds)                                   Sleep(milliseconds)

static inline uint64_t SDL_GetPerformanceCounter(void)
{
    LARGE_INTEGER ticks;
    (void)QueryPerformanceCounter(&ticks);
    return (uint64_t)ticks.QuadPart;
}

static inline uint64_t SDL_GetPerformanceFrequency(void)
{
    LARGE_INTEGER second;
    (void)QueryPerformanceFrequency(&second);
    return (uint64_t)second.QuadPart;
}

#endif
