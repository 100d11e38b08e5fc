/* test_host_files - files that a host reads and writes by functions of its own: below the one folder of a context, also
 * while somebody puts a symbolic link in the place of a folder. */

#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "moonpod/formats.h"
#include "test_path.h"

static pod_context *context;
static pod_error error;
static char base[200];

static void make_path(char *path, const char *name)
{
    snprintf(path, 400, "%s/%s", base, name);
}

static void put(const char *name, const char *text)
{
    char path[400];
    make_path(path, name);
    FILE *file = fopen(path, "w");
    ASSERT(file);
    fputs(text, file);
    fclose(file);
}

static bool is_there(const char *name)
{
    char path[400];
    struct stat about;
    make_path(path, name);
    return stat(path, &about) == 0;
}

static void make_folder(const char *name)
{
    char path[400];
    make_path(path, name);
    ASSERT_EQ(0, mkdir(path, 0700));
}

static void begin(void)
{
    char path[400];
    test_path(base, sizeof base, "host-files");
    ASSERT_EQ(0, mkdir(base, 0700));
    make_folder("root");
    make_folder("root/d");
    make_folder("outside");
    put("root/d/x", "in");
    put("outside/x", "out");
    make_path(path, "root/l");
    ASSERT_EQ(0, symlink("../outside", path));
    make_path(path, "root");
    ASSERT_OK(pod_context_new(&(pod_context_options){.threads = 1, .files = path}, &context, &error));
}

static void end(void)
{
    char command[300];
    pod_context_release(context);
    snprintf(command, sizeof command, "rm -r '%s'", base);
    ASSERT_EQ(0, system(command));
}

/* What a file holds, "" where it cannot be opened. */
static const char *content(const char *name)
{
    static char text[32];
    int file;
    text[0] = '\0';
    if (pod_open_file(context, name, "r", &file, &error) != POD_OK)
        return text;
    const ssize_t size = read(file, text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    close(file);
    return text;
}

TEST(files_are_opened_renamed_and_deleted_below_the_folder)
{
    int file;
    begin();
    ASSERT_OK(pod_open_file(context, "a", "w", &file, &error));
    ASSERT_EQ(3, write(file, "one", 3));
    close(file);
    ASSERT_OK(pod_open_file(context, "a", "ab", &file, &error));
    ASSERT_EQ(3, write(file, "two", 3));
    close(file);
    ASSERT_TEXT("onetwo", content("a"));
    ASSERT_OK(pod_move_file(context, "a", "d/b", &error));
    ASSERT_TEXT("onetwo", content("d/b"));
    ASSERT_EQ(POD_ERROR_NOT_FOUND, pod_open_file(context, "a", "r", &file, &error));
    ASSERT_EQ(POD_ERROR_NOT_FOUND, pod_remove_file(context, "a", &error));
    ASSERT_EQ(POD_ERROR_IO, pod_remove_file(context, "d", &error)); /* is not empty */
    ASSERT_OK(pod_remove_file(context, "d/b", &error));
    ASSERT_OK(pod_remove_file(context, "d/x", &error));
    ASSERT_OK(pod_remove_file(context, "d/", &error));
    ASSERT_OK(pod_make_folder(context, "e/f/", &error));
    ASSERT_OK(pod_make_folder(context, "e/f", &error));
    put("root/e/f/u.1a.part", "");
    put("root/e/f/u.1x.part", "");
    ASSERT_OK(pod_remove_unfinished(context, "e/f/u", &error));
    ASSERT(!is_there("root/e/f/u.1a.part") && is_there("root/e/f/u.1x.part"));
    ASSERT_EQ(POD_ERROR_IO, pod_make_folder(context, "l/m", &error));
    ASSERT_EQ(POD_ERROR_IO, pod_make_folder(context, "e/f/u.1x.part", &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_open_file(context, "a", "r+", &file, &error));
    ASSERT_EQ(POD_ERROR_IO, pod_open_file(context, "l/x", "r", &file, &error));
    ASSERT_EQ(POD_ERROR_IO, pod_open_file(context, "../outside/x", "r", &file, &error));
    ASSERT_EQ(POD_ERROR_IO, pod_remove_file(context, "l/x", &error));
    ASSERT_EQ(POD_ERROR_IO, pod_move_file(context, "l/x", "y", &error));
    ASSERT(is_there("outside/x"));
    end();
}

/* ---- somebody who changes places of a folder and a link ---- */

static atomic_bool over, swap_failed;

/* Moves a thing to a name. A folder that was made there meanwhile, as of d/m/n where d was away, goes elsewhere. */
static bool place(const char *from, const char *to)
{
    static int moved;
    char name[32], away[400];
    if (rename(from, to) == 0)
        return true;
    if (errno != EISDIR && errno != EEXIST && errno != ENOTEMPTY)
        return false;
    snprintf(name, sizeof name, "root/away%d", moved++);
    make_path(away, name);
    return rename(to, away) == 0 && place(from, to);
}

static void *swap(void *argument)
{
    char folder[400], link[400], kept[400], file[400], target[400];
    (void)argument;
    make_path(folder, "root/d");
    make_path(link, "root/l");
    make_path(kept, "root/t");
    make_path(file, "root/k");
    make_path(target, "outside/k");
    while (!atomic_load(&over)) {
        if (rename(folder, kept) != 0 || !place(link, folder) || rename(folder, link) != 0 || !place(kept, folder)) {
            atomic_store(&swap_failed, true);
            break;
        }
        (void)!symlink(target, file); /* where nobody has written it meanwhile */
        usleep(20);
        (void)!unlink(file);
    }
    return NULL;
}

TEST(no_link_leads_out_that_comes_in_between)
{
    const int tries = getenv("MOONPOD_LONG") ? 200000 : 4000;
    int opened = 0, file;
    pthread_t thread;
    begin();
    put("outside/y", "out");
    put("outside/u.1a.part", "out");
    atomic_store(&over, false);
    ASSERT_EQ(0, pthread_create(&thread, NULL, swap, NULL));
    for (int i = 0; i < tries; i++) {
        const char *text = content("d/x");
        ASSERT(strcmp(text, "out") != 0);
        opened += strcmp(text, "in") == 0;
        if (i % 100 != 0) /* the others wait for the disk */
            continue;
        if (pod_open_file(context, "d/z", "w", &file, &error) == POD_OK)
            close(file);
        (void)!pod_move_file(context, "d/z", "d/w", &error);
        (void)!pod_remove_file(context, "d/y", &error);
        (void)!pod_file_write(context, "d/v", "v", 1, &error);
        (void)!pod_file_write(context, "k", "k", 1, &error);
        (void)!pod_make_folder(context, "d/m/n", &error);
        (void)!pod_remove_unfinished(context, "d/u", &error);
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    ASSERT(!atomic_load(&swap_failed));
#if defined(__linux__)
    ASSERT(is_there("outside/y") && is_there("outside/u.1a.part"));
    ASSERT(!is_there("outside/z") && !is_there("outside/w") && !is_there("outside/v"));
    ASSERT(!is_there("outside/k") && !is_there("outside/m"));
#endif
    ASSERT(opened > 0);
    printf("%d of %d reads found the folder\n", opened, tries);
    end();
}

/* ---- a system without openat2(): Linux before 5.6, qemu-user ---- */

#if defined(__linux__)
/* From now on to the end of the process. False: the system takes no filter. */
static bool take_openat2_away(void)
{
    struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#endif

TEST(a_system_without_openat2_keeps_to_the_folder_too)
{
#if defined(__linux__)
    if (!take_openat2_away())
        printf("# openat2() cannot be taken away: %s\n", strerror(errno));
#endif
    files_are_opened_renamed_and_deleted_below_the_folder();
    no_link_leads_out_that_comes_in_between();
}

TEST_MAIN(RUN(files_are_opened_renamed_and_deleted_below_the_folder); RUN(no_link_leads_out_that_comes_in_between);
          RUN(a_system_without_openat2_keeps_to_the_folder_too))
