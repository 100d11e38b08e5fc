/* The history's file: entries whole, once, of several sessions at the same time. */

#include "../core/test.h"
#include "../core/test_path.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "editor/history_file.h"

static char folder[64], path[128];

static void begin_folder(void)
{
    test_path(folder, sizeof folder, "history");
    ASSERT_EQ(0, mkdir(folder, 0700));
    snprintf(path, sizeof path, "%s/state/moonpod/history", folder);
}

static void end_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ASSERT_EQ(0, system(command));
}

static void check_entry(const line_history *of, size_t number, const char *text)
{
    ASSERT(number < of->count);
    ASSERT_TEXT(text, of->entries[number].text);
    ASSERT_EQ(strlen(text), of->entries[number].size);
}

TEST(entries_come_back_whole_and_once)
{
    begin_folder();
    static const char *const entries[] = {"one",   "for i = 1, 2 do\n  print(i)\nend", "a\\nb \\ c", "one", "\\",
                                          "\n\n x"};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        ASSERT(history_file_add(path, entries[i], strlen(entries[i])));
    line_history read = {0};
    history_file_read(path, &read);
    ASSERT_EQ(5, read.count);
    check_entry(&read, 0, entries[1]);
    check_entry(&read, 1, entries[2]);
    check_entry(&read, 2, "one");
    check_entry(&read, 3, "\\");
    check_entry(&read, 4, "\n\n x");
    history_free(&read);
    struct stat file, above;
    ASSERT_EQ(0, stat(path, &file));
    ASSERT_EQ(0600, file.st_mode & 0777);
    *strrchr(path, '/') = '\0';
    ASSERT_EQ(0, stat(path, &above));
    ASSERT_EQ(0700, above.st_mode & 0777);
    end_folder();
}

TEST(sessions_at_the_same_time_lose_nothing)
{
    enum { SESSIONS = 4, ENTRIES = 300 };
    begin_folder();
    pid_t children[SESSIONS];
    fflush(stdout);
    for (int session = 0; session < SESSIONS; session++) {
        children[session] = fork();
        if (children[session] == 0) {
            for (int i = 0; i < ENTRIES; i++) {
                char text[64];
                line_history again = {0};
                const int size = snprintf(text, sizeof text, "session %d\nentry %d", session, i);
                if (!history_file_add(path, text, (size_t)size))
                    _exit(1);
                (void)history_file_add(path, "again and again", 15); /* so that the file is written anew */
                if (i % 50 == 0)
                    history_file_read(path, &again);
                history_free(&again);
            }
            _exit(0);
        }
    }
    for (int session = 0; session < SESSIONS; session++) {
        int status;
        ASSERT_EQ(children[session], waitpid(children[session], &status, 0));
        ASSERT_EQ(0, status);
    }
    line_history read = {0};
    history_file_read(path, &read);
    ASSERT_EQ(SESSIONS * ENTRIES + 1, read.count);
    int next[SESSIONS] = {0};
    for (size_t i = 0; i < read.count; i++) {
        int session, entry;
        if (sscanf(read.entries[i].text, "session %d\nentry %d", &session, &entry) == 2)
            ASSERT_EQ(next[session]++, entry); /* each in its order */
    }
    history_free(&read);
    end_folder();
}

TEST(a_file_of_what_came_again_is_written_anew)
{
    begin_folder();
    line_history read = {0};
    struct stat before, after;
    for (int i = 0; i < 400; i++)
        ASSERT(history_file_add(path, i % 2 ? "one" : "two", 3));
    ASSERT_EQ(0, stat(path, &before));
    history_file_read(path, &read);
    ASSERT_EQ(2, read.count);
    ASSERT_EQ(0, stat(path, &after));
    ASSERT_EQ(8, after.st_size);
    ASSERT_EQ(0600, after.st_mode & 0777);
    history_free(&read);
    end_folder();
}

TEST(a_line_that_was_broken_off_harms_no_other)
{
    begin_folder();
    ASSERT(history_file_add(path, "one", 3));
    FILE *file = fopen(path, "a");
    ASSERT(file != NULL && fputs("torn", file) >= 0 && fclose(file) == 0);
    ASSERT(history_file_add(path, "two", 3));
    line_history read = {0};
    history_file_read(path, &read);
    ASSERT_EQ(3, read.count);
    check_entry(&read, 0, "one");
    check_entry(&read, 2, "two");
    history_free(&read);
    end_folder();
}

TEST(what_is_no_file_of_ours_is_none)
{
    line_history read = {0};
    history_file_read("/dev/null", &read);
    history_file_read("/no/such/file", &read);
    history_file_read(P_tmpdir, &read);
    ASSERT_EQ(0, read.count);
    ASSERT(!history_file_add("/dev/null/x", "a", 1));
    ASSERT(!history_file_add("/dev/null", "a", 1));
    history_free(&read);
}

TEST(the_path_is_where_the_environment_says)
{
    char found[64];
    unsetenv("MOONPOD_HISTORY");
    setenv("XDG_STATE_HOME", "/state", 1);
    setenv("HOME", "/home/a", 1);
    ASSERT(history_file_path(found, sizeof found));
    ASSERT_TEXT("/state/moonpod/history", found);
    unsetenv("XDG_STATE_HOME");
    ASSERT(history_file_path(found, sizeof found));
    ASSERT_TEXT("/home/a/.local/state/moonpod/history", found);
    ASSERT(!history_file_path(found, 10));
    setenv("MOONPOD_HISTORY", "/elsewhere", 1);
    ASSERT(history_file_path(found, sizeof found));
    ASSERT_TEXT("/elsewhere", found);
    setenv("MOONPOD_HISTORY", "off", 1);
    ASSERT(!history_file_path(found, sizeof found));
    unsetenv("MOONPOD_HISTORY");
    unsetenv("HOME");
    ASSERT(!history_file_path(found, sizeof found));
}

TEST(ten_thousand_entries_are_kept_and_read_fast)
{
    begin_folder();
    ASSERT(history_file_add(path, "first", 5));
    FILE *file = fopen(path, "a");
    ASSERT(file != NULL);
    for (int i = 0; i < 15000; i++)
        fprintf(file, "entry %d\n", i % 12000);
    ASSERT(fclose(file) == 0);
    line_history read = {0};
    history_file_read(path, &read);
    ASSERT_EQ(HISTORY_ENTRIES, read.count);
    check_entry(&read, read.count - 1, "entry 2999");
    history_free(&read);
    end_folder();
}

TEST_MAIN(RUN(entries_come_back_whole_and_once); RUN(sessions_at_the_same_time_lose_nothing);
          RUN(a_file_of_what_came_again_is_written_anew); RUN(a_line_that_was_broken_off_harms_no_other);
          RUN(what_is_no_file_of_ours_is_none); RUN(the_path_is_where_the_environment_says);
          RUN(ten_thousand_entries_are_kept_and_read_fast))
