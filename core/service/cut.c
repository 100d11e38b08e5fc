/* cut - see cut.h. */

#include "service/cut.h"

#include <stdio.h>

#include "base/decimal.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Bytes a second that the link gives; 0: it is not what others wait for. It is where both ends wait for each other. */
static double link_of(const pod_cut_measurement *measured)
{
    const bool waits = measured->waited > measured->seconds / 2;
    const bool held = measured->held + measured->idle > measured->seconds * measured->workers / 2;
    return waits && held ? measured->bytes / measured->seconds : 0;
}

/* Seconds an element by a cut. */
static double seconds_of(const pod_cut *cut, double workers, double link, double demand, pod_cut_limit *limit)
{
    const double there = cut->there / workers, way = link > 0 ? cut->bytes / link : 0, here = demand + cut->here;
    *limit = way > there && way > here ? POD_LIMIT_LINK : there > here ? POD_LIMIT_WORKERS : POD_LIMIT_CONSUMER;
    return larger(there, larger(way, here));
}

pod_cut_choice pod_service_cut_choose(const pod_cut *cuts, size_t count, size_t now,
                                      const pod_cut_measurement *measured)
{
    pod_cut_choice choice = {.cut = now};
    if (!(measured->elements > 0) || !(measured->seconds > 0) || !(measured->workers > 0))
        return choice;
    const double link = link_of(measured);
    const double takes = (measured->seconds - measured->waited) / measured->elements - cuts[now].here;
    const double demand = larger(takes, 0);
    pod_cut_limit limit;
    choice.rate = measured->bytes / measured->seconds;
    choice.before = choice.then = seconds_of(&cuts[now], measured->workers, link, demand, &choice.limit);
    for (size_t i = 0; i < count; i++) {
        const double seconds = seconds_of(&cuts[i], measured->workers, link, demand, &limit);
        if (seconds * POD_CUT_GAIN < choice.before && seconds < choice.then) {
            choice.cut = i;
            choice.then = seconds;
        }
    }
    return choice;
}

/* ---- saying ---- */

static const char *const limits[] = {
    [POD_LIMIT_CONSUMER] = "this process is what takes longest",
    [POD_LIMIT_WORKERS] = "the workers are what takes longest",
    [POD_LIMIT_LINK] = "the link is what takes longest",
};

static long long rounded(double value)
{
    return value < 1e15 ? (long long)(value + 0.5) : 0;
}

/* A number with one digit behind the point, whatever the locale. */
static void write_tenths(double value, char text[POD_NUMBER_TEXT_SIZE])
{
    const long long tenths = rounded(value * 10);
    (void)snprintf(text, POD_NUMBER_TEXT_SIZE, "%lld.%lld", tenths / 10, tenths % 10);
}

void pod_service_cut_explain(const pod_cut_choice *choice, const pod_cut *cuts, size_t now, const char *stages,
                             char *text, size_t size)
{
    char before[POD_NUMBER_TEXT_SIZE], then[POD_NUMBER_TEXT_SIZE], rate[POD_NUMBER_TEXT_SIZE];
    write_tenths(choice->before * 1e6, before);
    write_tenths(choice->then * 1e6, then);
    write_tenths(choice->rate * 1e-6, rate);
    const char *what = stages[0] != '\0' ? stages : "no stage", *runs = stages[0] != '\0' ? "run" : "runs";
    if (choice->cut == now)
        (void)snprintf(text, size, "%s %s here: %s, and no other cut is faster by a quarter", what, runs,
                       limits[choice->limit]);
    else
        (void)snprintf(text, size,
                       "%s %s here since %s: %s us an element instead of %s, %lld bytes on the way instead of %lld (%s "
                       "MB/s came)",
                       what, runs, limits[choice->limit], then, before, rounded(cuts[choice->cut].bytes),
                       rounded(cuts[now].bytes), rate);
}

void pod_service_cut_explain_return(const char *stages, bool moved_here, double tried, double before, char *text,
                                    size_t size)
{
    char there[POD_NUMBER_TEXT_SIZE], then[POD_NUMBER_TEXT_SIZE];
    write_tenths(tried * 1e6, there);
    write_tenths(before * 1e6, then);
    (void)snprintf(text, size, "%s moved %s and back: %s us an element there, %s before", stages,
                   moved_here ? "here" : "to the workers", there, then);
}
