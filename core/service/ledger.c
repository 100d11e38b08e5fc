/* ledger - see ledger.h. */

#include "service/ledger.h"

#include <string.h>

#include "base/context.h"
#include "service/endpoint.h"

/* In the place of a consumer, a split has 0 where it is free again and -1 where it is done and kept, as its worker's.
 */

#define SCHEMA                                                                                                         \
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"                                                              \
    "CREATE TABLE IF NOT EXISTS jobs(id INTEGER PRIMARY KEY, name TEXT UNIQUE, pipeline TEXT,"                         \
    " mode INTEGER, sharding INTEGER, size INTEGER, end INTEGER, owner INTEGER);"                                      \
    "CREATE TABLE IF NOT EXISTS rounds(job INTEGER, round INTEGER, next INTEGER, end INTEGER,"                         \
    " PRIMARY KEY(job, round)) WITHOUT ROWID;"                                                                         \
    "CREATE TABLE IF NOT EXISTS given(job INTEGER, round INTEGER, split INTEGER, consumer INTEGER, request INTEGER,"   \
    " worker INTEGER, PRIMARY KEY(job, round, split)) WITHOUT ROWID;"                                                  \
    "CREATE INDEX IF NOT EXISTS hands ON given(consumer);"

/* What is asked, in the order of the enumeration. */
static const char *const texts[] = {
    "BEGIN IMMEDIATE",
    "COMMIT",
    "ROLLBACK",
    "SELECT id, pipeline, mode, sharding, size, end FROM jobs WHERE name = ?1",
    "INSERT INTO jobs(name, pipeline, mode, sharding, size, end, owner, id) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    "SELECT mode, end, owner FROM jobs WHERE id = ?1",
    "DELETE FROM rounds WHERE job = ?1 AND round <> ?2",
    "DELETE FROM given WHERE job = ?1 AND round <> ?2",
    "INSERT OR IGNORE INTO rounds(job, round, next, end) VALUES(?1, ?2, ?4, ?3)",
    "UPDATE rounds SET end = ?3 WHERE job = ?1 AND round = ?2 AND (end < 0 OR end > ?3)",
    "SELECT next, end FROM rounds WHERE job = ?1 AND round = ?2",
    "UPDATE rounds SET next = next + 1 WHERE job = ?1 AND round = ?2",
    "DELETE FROM given WHERE job = ?1 AND round = ?2 AND split = ?3",
    "UPDATE given SET consumer = -1 WHERE job = ?1 AND round = ?2 AND split = ?3",
    "SELECT split FROM given WHERE job = ?1 AND round = ?2 AND consumer = ?3 AND request = ?4",
    "SELECT min(split) FROM given WHERE job = ?1 AND round = ?2 AND consumer = 0",
    "SELECT split FROM given WHERE job = ?1 AND round = ?2 AND worker = ?3",
    "INSERT OR REPLACE INTO given(job, round, split, consumer, request, worker) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    "SELECT count(*) FROM given WHERE job = ?1 AND round = ?2 AND consumer > 0 AND consumer <> ?3",
    "UPDATE given SET consumer = 0 WHERE consumer = ?1",
    "DELETE FROM given WHERE job IN (SELECT id FROM jobs WHERE owner = ?1)",
    "DELETE FROM rounds WHERE job IN (SELECT id FROM jobs WHERE owner = ?1)",
    "DELETE FROM jobs WHERE owner = ?1",
    "SELECT DISTINCT consumer FROM given WHERE consumer > 0 UNION SELECT owner FROM jobs WHERE owner > 0",
};

enum {
    BEGIN,
    COMMIT,
    ROLLBACK,
    FIND_JOB,
    ADD_JOB,
    LOOK_AT_JOB,
    DROP_OLD_ROUNDS,
    DROP_OLD_SPLITS,
    ADD_ROUND,
    END_ROUND,
    LOOK_AT_ROUND,
    COUNT_SPLIT,
    DROP_SPLIT,
    KEEP_DONE,
    FIND_REQUEST,
    FIND_FREE,
    FIND_OF_WORKER,
    GIVE,
    COUNT_OTHERS,
    FREE_SPLITS,
    DROP_SPLITS_OF,
    DROP_ROUNDS_OF,
    DROP_JOBS_OF,
    LIST_CONSUMERS,
    QUESTIONS
};

struct pod_ledger {
    pod_context *context; /* borrowed */
    sqlite3 *file;
    sqlite3_stmt *questions[QUESTIONS];
};

static pod_status failed(pod_ledger *self, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_IO, "the dispatcher's state: %s",
                         self->file != NULL ? pod_sqlite.errmsg(self->file) : "it cannot be opened");
}

/* ---- questions ---- */

/* Binds the numbers of a question, from ?1 on. */
static sqlite3_stmt *bind(pod_ledger *self, int question, const int64_t *numbers, int count)
{
    sqlite3_stmt *statement = self->questions[question];
    (void)pod_sqlite.reset(statement);
    for (int i = 0; i < count; i++)
        (void)pod_sqlite.bind_int64(statement, i + 1, numbers[i]);
    return statement;
}

/* Does what gives no rows. */
static pod_status run(pod_ledger *self, int question, const int64_t *numbers, int count, pod_error *error)
{
    sqlite3_stmt *statement = bind(self, question, numbers, count);
    const int outcome = pod_sqlite.step(statement);
    const pod_status status = outcome == SQLITE_DONE || outcome == SQLITE_ROW ? POD_OK : failed(self, error);
    (void)pod_sqlite.reset(statement);
    return status;
}

/* Reads the numbers of one row; POD_END: there is none. */
static pod_status look(pod_ledger *self, int question, const int64_t *numbers, int count, int64_t *columns, int width,
                       pod_error *error)
{
    sqlite3_stmt *statement = bind(self, question, numbers, count);
    const int outcome = pod_sqlite.step(statement);
    pod_status status = outcome == SQLITE_ROW ? POD_OK : outcome == SQLITE_DONE ? POD_END : failed(self, error);
    for (int i = 0; status == POD_OK && i < width; i++)
        columns[i] = pod_sqlite.column_int64(statement, i);
    if (status == POD_OK && pod_sqlite.column_text(statement, 0) == NULL) /* min() of nothing */
        status = POD_END;
    (void)pod_sqlite.reset(statement);
    return status;
}

#define NUMBERS(...) (const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* Ends what BEGIN began: all of it, or nothing. */
static pod_status finish(pod_ledger *self, pod_status status, pod_error *error)
{
    if (status == POD_OK)
        status = run(self, COMMIT, NULL, 0, error);
    if (status != POD_OK)
        (void)run(self, ROLLBACK, NULL, 0, NULL);
    return status;
}

/* ---- opening ---- */

pod_status pod_service_ledger_open(pod_context *context, const char *path, pod_ledger **ledger, pod_error *error)
{
    pod_ledger *self = pod_allocate_zeroed(context, 1, sizeof *self);
    *ledger = NULL;
    if (self == NULL)
        return pod_error_memory(error, "a dispatcher's state", sizeof *self);
    self->context = context;
    pod_status status = POD_OK;
    if (pod_sqlite.open_v2(path != NULL ? path : ":memory:", &self->file,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        status = failed(self, error);
    if (status == POD_OK) {
        (void)pod_sqlite.busy_timeout(self->file, 10000);
        if (pod_sqlite.exec(self->file, SCHEMA, NULL, NULL, NULL) != SQLITE_OK)
            status = failed(self, error);
    }
    for (int i = 0; status == POD_OK && i < QUESTIONS; i++)
        if (pod_sqlite.prepare_v2(self->file, texts[i], -1, &self->questions[i], NULL) != SQLITE_OK)
            status = failed(self, error);
    if (status != POD_OK && path != NULL)
        pod_error_prepend(error, "%s: ", path);
    if (status == POD_OK)
        *ledger = self;
    else
        pod_service_ledger_close(self);
    return status;
}

void pod_service_ledger_close(pod_ledger *self)
{
    if (self == NULL)
        return;
    for (int i = 0; i < QUESTIONS; i++)
        (void)pod_sqlite.finalize(self->questions[i]);
    (void)pod_sqlite.close_v2(self->file);
    pod_free(self->context, self);
}

/* ---- jobs ---- */

static bool is_text(sqlite3_stmt *statement, int column, const char *text)
{
    const unsigned char *has = pod_sqlite.column_text(statement, column);
    return has != NULL && strcmp((const char *)has, text) == 0;
}

/* Finds a job of a name; POD_END: there is none. */
static pod_status find_job(pod_ledger *self, const pod_job *job, int64_t *id, pod_error *error)
{
    sqlite3_stmt *statement = bind(self, FIND_JOB, NULL, 0);
    (void)pod_sqlite.bind_text(statement, 1, job->name, -1, SQLITE_STATIC);
    const int outcome = pod_sqlite.step(statement);
    pod_status status = outcome == SQLITE_ROW ? POD_OK : outcome == SQLITE_DONE ? POD_END : failed(self, error);
    if (status == POD_OK) {
        const int64_t wanted[] = {job->mode, job->sharding, job->split_size, job->end};
        bool same = is_text(statement, 1, job->pipeline);
        for (int i = 0; i < 4; i++)
            same = same && pod_sqlite.column_int64(statement, 2 + i) == wanted[i];
        *id = pod_sqlite.column_int64(statement, 0);
        if (!same)
            status =
                pod_error_set(error, POD_ERROR_VALUE,
                              "the job '%.100s' is of another pipeline, or divided otherwise: consumers that share "
                              "a job have the same; give this one another job_name",
                              job->name);
    }
    (void)pod_sqlite.reset(statement);
    return status;
}

pod_status pod_service_ledger_join(pod_ledger *self, const pod_job *job, int64_t *id, pod_error *error)
{
    pod_status status = find_job(self, job, id, error);
    if (status != POD_END)
        return status;
    /* a number that no other dispatcher has given: consumers of one that was here before may still ask */
    const int64_t own = pod_service_draw_id();
    sqlite3_stmt *statement =
        bind(self, ADD_JOB, NUMBERS(0, 0, job->mode, job->sharding, job->split_size, job->end, job->owner, own));
    (void)pod_sqlite.bind_text(statement, 1, job->name, -1, SQLITE_STATIC);
    (void)pod_sqlite.bind_text(statement, 2, job->pipeline, -1, SQLITE_STATIC);
    status = pod_sqlite.step(statement) == SQLITE_DONE ? POD_OK : failed(self, error);
    (void)pod_sqlite.reset(statement);
    return status == POD_OK ? find_job(self, job, id, error) : status;
}

/* ---- splits ---- */

typedef struct job_row {
    int64_t mode, end, owner;
} job_row;

/* Notes what a consumer tells with its question. */
static pod_status note(pod_ledger *self, const pod_asking *asking, const job_row *job, const int64_t *done,
                       size_t done_count, pod_error *error)
{
    const int64_t id = asking->job, round = asking->round;
    const bool keeps = job->mode == POD_SERVICE_PARALLEL;
    pod_status status = POD_OK;
    if (job->owner > 0) { /* nobody else is in another round */
        status = run(self, DROP_OLD_ROUNDS, NUMBERS(id, round), error);
        if (status == POD_OK)
            status = run(self, DROP_OLD_SPLITS, NUMBERS(id, round), error);
    }
    if (status == POD_OK)
        status = run(self, ADD_ROUND, NUMBERS(id, round, job->end, job->owner > 0 ? asking->next : 0), error);
    if (status == POD_OK && asking->end >= 0)
        status = run(self, END_ROUND, NUMBERS(id, round, asking->end), error);
    for (size_t i = 0; status == POD_OK && i < done_count; i++)
        status = run(self, keeps ? KEEP_DONE : DROP_SPLIT, NUMBERS(id, round, done[i]), error);
    return status;
}

/* Chooses a split that is not in anybody's hand; POD_END: there is none. */
static pod_status choose(pod_ledger *self, const pod_asking *asking, const job_row *job, int64_t *split,
                         pod_error *error)
{
    int64_t row[2];
    const int64_t id = asking->job, round = asking->round;
    pod_status status;
    if (job->mode == POD_SERVICE_PARALLEL) {
        status = look(self, FIND_OF_WORKER, NUMBERS(id, round, asking->worker), split, 1, error);
        if (status != POD_END) /* the worker's pass was given */
            return status == POD_OK ? POD_END : status;
    } else {
        status = look(self, FIND_FREE, NUMBERS(id, round), split, 1, error);
        if (status != POD_END)
            return status;
    }
    status = look(self, LOOK_AT_ROUND, NUMBERS(id, round), row, 2, error);
    if (status == POD_OK && row[1] >= 0 && row[0] >= row[1])
        return POD_END;
    *split = row[0];
    return status == POD_OK ? run(self, COUNT_SPLIT, NUMBERS(id, round), error) : status;
}

static pod_status give(pod_ledger *self, const pod_asking *asking, const int64_t *done, size_t done_count,
                       int64_t *split, int64_t *others, pod_error *error)
{
    const int64_t id = asking->job, round = asking->round;
    job_row job;
    int64_t row[3] = {0};
    pod_status status = look(self, LOOK_AT_JOB, NUMBERS(id), row, 3, error);
    job = (job_row){row[0], row[1], row[2]};
    if (status == POD_END || (status == POD_OK && job.owner > 0 && job.owner != asking->consumer))
        return pod_error_set(error, POD_ERROR_NOT_FOUND, "the dispatcher knows no such job");
    if (status == POD_OK)
        status = note(self, asking, &job, done, done_count, error);
    if (status == POD_OK)
        status = look(self, FIND_REQUEST, NUMBERS(id, round, asking->consumer, asking->request), split, 1, error);
    if (status != POD_END)
        return status;
    status = choose(self, asking, &job, split, error);
    if (status == POD_OK)
        return run(self, GIVE, NUMBERS(id, round, *split, asking->consumer, asking->request, asking->worker), error);
    *split = POD_NO_SPLIT;
    if (status == POD_END)
        status = look(self, COUNT_OTHERS, NUMBERS(id, round, asking->consumer), others, 1, error);
    return status;
}

pod_status pod_service_ledger_ask(pod_ledger *self, const pod_asking *asking, const int64_t *done, size_t done_count,
                                  int64_t *split, int64_t *others, pod_error *error)
{
    *split = POD_NO_SPLIT;
    *others = 0;
    pod_status status = run(self, BEGIN, NULL, 0, error);
    if (status != POD_OK)
        return status;
    return finish(self, give(self, asking, done, done_count, split, others, error), error);
}

/* ---- consumers ---- */

pod_status pod_service_ledger_forget(pod_ledger *self, int64_t consumer, pod_error *error)
{
    static const int questions[] = {DROP_SPLITS_OF, DROP_ROUNDS_OF, DROP_JOBS_OF, FREE_SPLITS};
    pod_status status = run(self, BEGIN, NULL, 0, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; status == POD_OK && i < sizeof questions / sizeof questions[0]; i++)
        status = run(self, questions[i], NUMBERS(consumer), error);
    return finish(self, status, error);
}

pod_status pod_service_ledger_consumers(pod_ledger *self, void (*visit)(void *context, int64_t consumer), void *context,
                                        pod_error *error)
{
    sqlite3_stmt *statement = bind(self, LIST_CONSUMERS, NULL, 0);
    int outcome;
    while ((outcome = pod_sqlite.step(statement)) == SQLITE_ROW)
        visit(context, pod_sqlite.column_int64(statement, 0));
    const pod_status status = outcome == SQLITE_DONE ? POD_OK : failed(self, error);
    (void)pod_sqlite.reset(statement);
    return status;
}
