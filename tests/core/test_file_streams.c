/* Files as streams: full disks, folders that are seen onto the disk, pipes, interrupts, and what may be unpacked. */

#include "file_cases.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <zlib.h>

#include "formats/picture.h"
#include "formats/reader.h"
#include "formats/writer.h"
#include "moonpod/data.h"

static pod_context *context;

/* ---- writing ---- */

static int synced_files, synced_folders;

/* Stands before the system's, which libuv would call. */
__attribute__((visibility("default"))) int fsync(int file);
int fsync(int file)
{
    struct stat kind;
    if (fstat(file, &kind) == 0)
        *(S_ISDIR(kind.st_mode) ? &synced_folders : &synced_files) += 1;
    return (int)syscall(SYS_fsync, file);
}

TEST(a_whole_file_and_its_name_are_seen_onto_the_disk)
{
    pod_record_writer *writer;
    pod_error error;
    ASSERT_OK(pod_record_writer_open(context, path, NULL, &writer, &error));
    ASSERT_OK(pod_record_writer_write(writer, "abc", 3, &error));
    synced_files = synced_folders = 0;
    ASSERT_OK(pod_record_writer_close(writer, &error));
    ASSERT_EQ(1, synced_files);
    ASSERT_EQ(1, synced_folders);
    ASSERT_OK(pod_move_file(context, path, path, &error));
    ASSERT_EQ(2, synced_folders);
}

TEST(a_name_without_a_folder_is_in_this_one)
{
    pod_error error;
    char here[256];
    ASSERT(getcwd(here, sizeof here) != NULL);
    ASSERT_EQ(0, chdir(P_tmpdir));
    const char *name = strrchr(path, '/') + 1;
    synced_folders = 0;
    const pod_status status = pod_move_file(context, name, name, &error);
    ASSERT_EQ(0, chdir(here));
    ASSERT_OK(status);
    ASSERT_EQ(1, synced_folders);
    ASSERT_FAILS(POD_ERROR_IO, "/nowhere/at/all: cannot give the file this name",
                 pod_move_file(context, path, "/nowhere/at/all", &error));
}

/* Files of this process may have so many bytes: as on a disk that is full behind them. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &limit));
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
}

/* Files whose names begin with that of the test's file. */
static int count_files(void)
{
    char command[128];
    int count = -1;
    snprintf(command, sizeof command, "ls %s* 2>/dev/null | wc -l", path);
    FILE *list = popen(command, "r");
    ASSERT(list != NULL && fscanf(list, "%d", &count) == 1);
    pclose(list);
    return count;
}

static void fill_a_disk(const char *compression)
{
    static char noise[100000];
    pod_record_writer *writer;
    pod_error error, later;
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof noise; i++, state = state * 6364136223846793005u + 1442695040888963407u)
        noise[i] = (char)(state >> 56);
    remove(path);
    ASSERT_OK(pod_record_writer_open(context, path, compression, &writer, &error));
    limit_files(200000);
    pod_status status = POD_OK;
    for (int i = 0; i < 20 && status == POD_OK; i++)
        status = pod_record_writer_write(writer, noise, sizeof noise, &error);
    limit_files(RLIM_INFINITY); /* there is room again, but what could not be written is missing */
    ASSERT_EQ(POD_ERROR_IO, status);
    ASSERT_CONTAINS("cannot write", error.message);
    ASSERT_EQ(POD_ERROR_IO, pod_record_writer_write(writer, "more", 4, &later));
    ASSERT_EQ(0, strcmp(error.message, later.message));
    ASSERT_EQ(POD_ERROR_IO, pod_record_writer_close(writer, &later));
    ASSERT_EQ(0, strcmp(error.message, later.message));
    ASSERT_EQ(0, count_files());
}

TEST(a_file_on_a_full_disk_is_not_published_later)
{
    signal(SIGXFSZ, SIG_IGN);
    fill_a_disk(NULL);
    fill_a_disk("gzip");
    fill_a_disk("zlib");
}

TEST(a_file_that_cannot_get_its_name_leaves_nothing)
{
    pod_record_writer *writer;
    pod_error error;
    char inside[80];
    remove(path);
    ASSERT_EQ(0, mkdir(path, 0700)); /* a folder with something in it stands where the file is to be */
    snprintf(inside, sizeof inside, "%s/x", path);
    ASSERT_EQ(0, mkdir(inside, 0700));
    ASSERT_OK(pod_record_writer_open(context, path, NULL, &writer, &error));
    ASSERT_EQ(POD_ERROR_IO, pod_record_writer_close(writer, &error));
    ASSERT_EQ(0, rmdir(inside));
    ASSERT_EQ(0, rmdir(path));
    ASSERT_EQ(0, count_files());
}

/* ---- pipes and interrupts ---- */

static void make_pipe(void)
{
    remove(path);
    ASSERT_EQ(0, mkfifo(path, 0600));
}

static void *interrupt_soon(void *unused)
{
    usleep(100000);
    pod_context_interrupt(context);
    return unused;
}

static void *write_slowly(void *unused)
{
    const int file = open(path, O_WRONLY);
    for (int i = 0; file >= 0 && i < 3; i++) {
        usleep(20000);
        if (write(file, "line\n", 5) != 5)
            break;
    }
    close(file);
    return unused;
}

static pod_dataset *lines_of_path(void)
{
    const char *paths[] = {path};
    const pod_files_options options = {.kind = POD_FILE_LINES};
    pod_dataset *lines;
    pod_error error;
    ASSERT_OK(pod_dataset_files(context, paths, 1, &options, &lines, &error));
    return lines;
}

TEST(a_pipe_is_read_as_it_is_written)
{
    pod_dataset_iterator *iterator;
    pod_buffer *line;
    pthread_t writer;
    pod_error error;
    make_pipe();
    pod_dataset *lines = lines_of_path();
    ASSERT_EQ(0, pthread_create(&writer, NULL, write_slowly, NULL));
    ASSERT_OK(pod_dataset_iterator_open(lines, NULL, &iterator, &error));
    for (int i = 0; i < 3; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &line, &error));
        ASSERT_EQ(0, memcmp("line", pod_buffer_data(line), 4));
        pod_buffer_release(line);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &line, &error));
    pthread_join(writer, NULL);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(lines);
}

/* Waits for a pipe that nobody writes to, on this thread or behind a prefetch, until the interrupt comes. */
static void wait_for_interrupt(bool prefetched)
{
    pod_dataset_iterator *iterator;
    pod_buffer *line;
    pthread_t thread;
    pod_error error;
    make_pipe();
    pod_dataset *lines = lines_of_path(), *all = lines;
    if (prefetched)
        ASSERT_OK(pod_dataset_prefetch(lines, 2, &all, &error));
    ASSERT_OK(pod_dataset_iterator_open(all, NULL, &iterator, &error));
    ASSERT_EQ(0, pthread_create(&thread, NULL, interrupt_soon, NULL));
    ASSERT_EQ(POD_ERROR_INTERRUPTED, pod_dataset_iterator_next(iterator, &line, &error));
    ASSERT_CONTAINS("interrupted", error.message);
    pthread_join(thread, NULL);
    ASSERT(pod_context_clear_interrupt(context));
    pod_dataset_iterator_close(iterator);
    if (prefetched)
        pod_dataset_release(all);
    pod_dataset_release(lines);
}

TEST(an_interrupt_ends_the_wait_for_a_pipe)
{
    wait_for_interrupt(false);
    wait_for_interrupt(true);
}

TEST(an_iterator_that_waits_for_a_pipe_closes)
{
    pod_dataset_iterator *iterator;
    pod_dataset *lines, *both, *inputs[2], *prefetched;
    pod_error error;
    size_t ready;
    make_pipe();
    lines = lines_of_path();
    ASSERT_OK(pod_dataset_prefetch(lines, 2, &prefetched, &error));
    ASSERT_OK(pod_dataset_range(context, 0, 3, 1, &inputs[0], &error));
    inputs[1] = prefetched;
    ASSERT_OK(pod_dataset_zip(inputs, 2, &both, &error));
    ASSERT_OK(pod_dataset_iterator_open(both, NULL, &iterator, &error));
    pthread_t thread;
    ASSERT_EQ(0, pthread_create(&thread, NULL, interrupt_soon, NULL));
    ASSERT_EQ(POD_ERROR_INTERRUPTED, pod_dataset_iterator_prepare(iterator, 1, &ready, &error));
    pthread_join(thread, NULL);
    ASSERT(pod_context_clear_interrupt(context));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(both);
    pod_dataset_release(inputs[0]);
    pod_dataset_release(prefetched);
    pod_dataset_release(lines);
}

TEST(an_interrupt_ends_an_endless_pass)
{
    pod_dataset *one, *endless, *none;
    pod_dataset_iterator *iterator;
    pod_buffer *element;
    pthread_t thread;
    pod_error error;
    ASSERT_OK(pod_dataset_range(context, 0, 1, 1, &one, &error));
    ASSERT_OK(pod_dataset_repeat(one, -1, &endless, &error));
    ASSERT_OK(pod_dataset_skip(endless, INT64_MAX, &none, &error));
    ASSERT_OK(pod_dataset_iterator_open(none, NULL, &iterator, &error));
    ASSERT_EQ(0, pthread_create(&thread, NULL, interrupt_soon, NULL));
    ASSERT_EQ(POD_ERROR_INTERRUPTED, pod_dataset_iterator_next(iterator, &element, &error));
    pthread_join(thread, NULL);
    ASSERT(pod_context_clear_interrupt(context));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(none);
    pod_dataset_release(endless);
    pod_dataset_release(one);
}

/* ---- what may be unpacked ---- */

static void write_packed(const void *bytes, size_t size)
{
    gzFile file = gzopen(path, "wb9");
    ASSERT(file != NULL && gzwrite(file, bytes, (unsigned)size) == (int)size);
    ASSERT_EQ(Z_OK, gzclose(file));
}

TEST(a_packed_record_is_bounded_by_the_application)
{
    pod_record_writer *writer;
    pod_record_reader *reader;
    const void *record;
    size_t size;
    pod_error error;
    char *zeros = calloc(1, 3 << 20);
    for (int packed = 0; packed < 2; packed++) {
        ASSERT_OK(pod_record_writer_open(context, path, packed ? "gzip" : NULL, &writer, &error));
        ASSERT_OK(pod_record_writer_write(writer, zeros, 3 << 20, &error));
        ASSERT_OK(pod_record_writer_close(writer, &error));
        pod_context_set_unpacked_bytes(context, 1 << 20);
        ASSERT_OK(pod_record_reader_open(context, path, "auto", &reader, &error));
        if (packed)
            ASSERT_FAILS(POD_ERROR_MEMORY, "a record has more than the 1048576 bytes that may be unpacked at once",
                         pod_record_reader_next(reader, &record, &size, &error));
        else
            ASSERT_OK(pod_record_reader_next(reader, &record, &size, &error));
        pod_record_reader_close(reader);
        pod_context_set_unpacked_bytes(context, 0);
        ASSERT_OK(pod_record_reader_open(context, path, "auto", &reader, &error));
        ASSERT_OK(pod_record_reader_next(reader, &record, &size, &error));
        ASSERT_EQ(3 << 20, size);
        pod_record_reader_close(reader);
    }
    free(zeros);
}

TEST(packed_lines_and_arrays_are_bounded)
{
    pod_dataset_iterator *iterator;
    pod_buffer *line, *array;
    pod_error error;
    unsigned char idx[8 + 70000] = {0, 0, 8, 1, 0, 1, 0x11, 0x70};
    char text[70000];
    memset(text, 'a', sizeof text);
    write_packed(text, sizeof text);
    pod_context_set_unpacked_bytes(context, 50000);
    const char *paths[] = {path};
    const pod_files_options options = {.kind = POD_FILE_LINES, .compression = "gzip"};
    pod_dataset *lines;
    ASSERT_OK(pod_dataset_files(context, paths, 1, &options, &lines, &error));
    ASSERT_OK(pod_dataset_iterator_open(lines, NULL, &iterator, &error));
    ASSERT_FAILS(POD_ERROR_MEMORY, "a line has more than the 50000 bytes",
                 pod_dataset_iterator_next(iterator, &line, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(lines);
    write_packed(idx, sizeof idx);
    ASSERT_FAILS(POD_ERROR_MEMORY, "more than the 50000 bytes", pod_idx_read(context, path, &array, &error));
    pod_context_set_unpacked_bytes(context, 0);
    ASSERT_OK(pod_idx_read(context, path, &array, &error));
    pod_buffer_release(array);
}

TEST(what_a_device_gives_is_bounded)
{
    const char *paths[] = {"/dev/zero"};
    const pod_files_options options = {.kind = POD_FILE_LINES};
    pod_dataset_iterator *iterator;
    pod_dataset *lines;
    pod_buffer *line;
    pod_error error;
    pod_context_set_unpacked_bytes(context, 1 << 20);
    ASSERT_OK(pod_dataset_files(context, paths, 1, &options, &lines, &error));
    ASSERT_OK(pod_dataset_iterator_open(lines, NULL, &iterator, &error));
    ASSERT_FAILS(POD_ERROR_MEMORY, "/dev/zero: a line has more than the 1048576 bytes",
                 pod_dataset_iterator_next(iterator, &line, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(lines);
    pod_context_set_unpacked_bytes(context, 0);
}

/* A record of nothing, or none at all, would be a wrong answer. */
TEST(what_needs_the_size_of_a_file_refuses_a_device)
{
    const char *paths[] = {"/dev/zero"}, *const said = "/dev/zero is a pipe or a device: its size is not known";
    const pod_files_options options = {.kind = POD_FILE_PIECES, .record_bytes = 4};
    pod_dataset_iterator *iterator;
    pod_dataset *records;
    pod_buffer *record;
    pod_buffer_list arrays;
    pod_error error;
    ASSERT_OK(pod_dataset_files(context, paths, 1, &options, &records, &error));
    ASSERT_OK(pod_dataset_iterator_open(records, NULL, &iterator, &error));
    ASSERT_FAILS(POD_ERROR_FORMAT, said, pod_dataset_iterator_next(iterator, &record, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(records);
    ASSERT_FAILS(POD_ERROR_FORMAT, said, pod_safetensors_read(context, paths[0], &arrays, &error));
}

/* ---- places in large pictures ---- */

/* Bytes that end where memory ends. */
static unsigned char *at_a_guard(size_t size, unsigned char **block, size_t *mapped)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page * page;
    *mapped = pages + page;
    *block = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT(*block != MAP_FAILED);
    ASSERT_EQ(0, mprotect(*block + pages, page, PROT_NONE));
    return *block + pages - size;
}

TEST(a_resize_of_millions_of_rows_stays_inside)
{
    const int64_t rows = 5424240, larger = 9097382;
    const pod_pixels from = {POD_U8, rows, 1, 1}, to = {POD_F32, larger, 1, 1};
    unsigned char *block;
    size_t mapped;
    unsigned char *pixels = at_a_guard((size_t)rows, &block, &mapped);
    memset(pixels, 7, (size_t)rows);
    float *result = malloc((size_t)larger * sizeof *result);
    for (int method = POD_RESIZE_BILINEAR; method <= POD_RESIZE_NEAREST; method++) {
        pod_format_image_resize_pixels(&from, pixels, &to, result, (pod_image_resize)method);
        for (int64_t i = 0; i < larger; i++)
            ASSERT(result[i] == 7);
    }
    free(result);
    ASSERT_EQ(0, munmap(block, mapped));
}

TEST_MAIN(context = test_context(NULL); choose_path("streams"); RUN(a_whole_file_and_its_name_are_seen_onto_the_disk);
          RUN(a_name_without_a_folder_is_in_this_one); RUN(a_file_on_a_full_disk_is_not_published_later);
          RUN(a_file_that_cannot_get_its_name_leaves_nothing); RUN(a_pipe_is_read_as_it_is_written);
          RUN(an_interrupt_ends_the_wait_for_a_pipe); RUN(an_iterator_that_waits_for_a_pipe_closes);
          RUN(an_interrupt_ends_an_endless_pass); RUN(a_packed_record_is_bounded_by_the_application);
          RUN(packed_lines_and_arrays_are_bounded); RUN(what_a_device_gives_is_bounded);
          RUN(what_needs_the_size_of_a_file_refuses_a_device); RUN(a_resize_of_millions_of_rows_stays_inside);
          remove(path); pod_context_release(context);)
