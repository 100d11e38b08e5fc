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
    " mode INTEGER, sharding INTEGER, size INTEGER, lanes INTEGER, end INTEGER, owner INTEGER);"                       \
    "CREATE TABLE IF NOT EXISTS rounds(job INTEGER, round INTEGER, lane INTEGER, next INTEGER, end INTEGER,"           \
    " PRIMARY KEY(job, round, lane)) WITHOUT ROWID;"                                                                   \
    "CREATE TABLE IF NOT EXISTS lanes(job INTEGER, lane INTEGER, worker INTEGER, address TEXT,"                        \
    " PRIMARY KEY(job, lane)) WITHOUT ROWID;"                                                                          \
    "CREATE TABLE IF NOT EXISTS given(job INTEGER, round INTEGER, split INTEGER, consumer INTEGER, request INTEGER,"   \
    " worker INTEGER, PRIMARY KEY(job, round, split)) WITHOUT ROWID;"                                                  \
    "CREATE INDEX IF NOT EXISTS hands ON given(consumer);"

/* What is asked, in the order of the enumeration. */
static const char *const texts[] = {
    "BEGIN IMMEDIATE",
    "COMMIT",
    "ROLLBACK",
    "SELECT id, pipeline, mode, sharding, size, lanes, end FROM jobs WHERE name = ?1",
    "INSERT INTO jobs(name, pipeline, mode, sharding, size, lanes, end, owner, id) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)",
    "SELECT mode, end, owner, lanes FROM jobs WHERE id = ?1",
    "DELETE FROM rounds WHERE job = ?1 AND round <> ?2",
    "DELETE FROM given WHERE job = ?1 AND round <> ?2",
    "INSERT OR IGNORE INTO rounds(job, round, lane, next, end) VALUES(?1, ?2, ?4, ?5, ?3)",
    "UPDATE rounds SET end = ?3 WHERE job = ?1 AND round = ?2 AND (end < 0 OR end > ?3)",
    "SELECT next, end FROM rounds WHERE job = ?1 AND round = ?2 AND lane = ?3",
    "UPDATE rounds SET next = next + ?4 WHERE job = ?1 AND round = ?2 AND lane = ?3",
    "DELETE FROM given WHERE job = ?1 AND round = ?2 AND split = ?3",
    "UPDATE given SET consumer = -1 WHERE job = ?1 AND round = ?2 AND split = ?3",
    "SELECT split FROM given WHERE job = ?1 AND round = ?2 AND consumer = ?3 AND request = ?4",
    "SELECT min(split) FROM given WHERE job = ?1 AND round = ?2 AND consumer = 0 AND split % ?4 = ?3",
    "SELECT split FROM given WHERE job = ?1 AND round = ?2 AND worker = ?3",
    "INSERT OR REPLACE INTO given(job, round, split, consumer, request, worker) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    "SELECT count(*) FROM given WHERE job = ?1 AND round = ?2 AND consumer >= 0 AND consumer <> ?3",
    "SELECT count(*) FROM rounds WHERE job = ?1 AND round = ?2 AND (end < 0 OR next < end)",
    "SELECT lane FROM lanes WHERE job = ?1 AND worker = ?2",
    "SELECT lane FROM lanes WHERE job = ?1 AND address = ?2",
    "SELECT worker FROM lanes WHERE job = ?1 AND lane = ?2",
    "INSERT OR REPLACE INTO lanes(job, lane, worker, address) VALUES(?1, ?2, ?3, ?4)",
    "UPDATE given SET consumer = 0 WHERE consumer = ?1",
    "DELETE FROM given WHERE job IN (SELECT id FROM jobs WHERE owner = ?1)",
    "DELETE FROM rounds WHERE job IN (SELECT id FROM jobs WHERE owner = ?1)",
    "DELETE FROM lanes WHERE job IN (SELECT id FROM jobs WHERE owner = ?1)",
    "DELETE FROM jobs WHERE owner = ?1",
    "DELETE FROM given WHERE job = ?1",
    "DELETE FROM rounds WHERE job = ?1",
    "DELETE FROM lanes WHERE job = ?1",
    "DELETE FROM jobs WHERE id = ?1",
    "SELECT DISTINCT consumer FROM given WHERE consumer > 0 UNION SELECT owner FROM jobs WHERE owner > 0",
    "SELECT id FROM jobs",
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
    COUNT_LANES,
    FIND_LANE,
    FIND_LANE_OF_ADDRESS,
    LOOK_AT_LANE,
    TAKE_LANE,
    FREE_SPLITS,
    DROP_SPLITS_OF,
    DROP_ROUNDS_OF,
    DROP_LANES_OF,
    DROP_JOBS_OF,
    DROP_SPLITS,
    DROP_ROUNDS,
    DROP_LANES,
    DROP_JOB,
    LIST_CONSUMERS,
    LIST_JOBS,
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
        const int64_t wanted[] = {job->mode, job->sharding, job->split_size, job->lanes, job->end};
        bool same = is_text(statement, 1, job->pipeline);
        for (int i = 0; i < (int)(sizeof wanted / sizeof wanted[0]); i++)
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
    sqlite3_stmt *statement = bind(
        self, ADD_JOB, NUMBERS(0, 0, job->mode, job->sharding, job->split_size, job->lanes, job->end, job->owner, own));
    (void)pod_sqlite.bind_text(statement, 1, job->name, -1, SQLITE_STATIC);
    (void)pod_sqlite.bind_text(statement, 2, job->pipeline, -1, SQLITE_STATIC);
    status = pod_sqlite.step(statement) == SQLITE_DONE ? POD_OK : failed(self, error);
    (void)pod_sqlite.reset(statement);
    return status == POD_OK ? find_job(self, job, id, error) : status;
}

/* ---- lanes ---- */

typedef struct job_row {
    int64_t mode, end, owner, lanes;
} job_row;

static int64_t stride_of(const job_row *job)
{
    return job->lanes > 0 ? job->lanes : 1;
}

static pod_status take_lane(pod_ledger *self, const pod_asking *asking, int64_t lane, pod_error *error)
{
    sqlite3_stmt *statement = bind(self, TAKE_LANE, NUMBERS(asking->job, lane, asking->worker));
    (void)pod_sqlite.bind_text(statement, 4, asking->address != NULL ? asking->address : "", -1, SQLITE_STATIC);
    const pod_status status = pod_sqlite.step(statement) == SQLITE_DONE ? POD_OK : failed(self, error);
    (void)pod_sqlite.reset(statement);
    return status;
}

/* Finds the lane that a worker of this address had; POD_END: none. */
static pod_status find_lane_of_address(pod_ledger *self, const pod_asking *asking, int64_t *lane, pod_error *error)
{
    if (asking->address == NULL)
        return POD_END;
    sqlite3_stmt *statement = bind(self, FIND_LANE_OF_ADDRESS, NUMBERS(asking->job));
    (void)pod_sqlite.bind_text(statement, 2, asking->address, -1, SQLITE_STATIC);
    const int outcome = pod_sqlite.step(statement);
    if (outcome == SQLITE_ROW)
        *lane = pod_sqlite.column_int64(statement, 0);
    (void)pod_sqlite.reset(statement);
    return outcome == SQLITE_ROW ? POD_OK : outcome == SQLITE_DONE ? POD_END : failed(self, error);
}

/* Finds a lane that nobody has, or whose worker is not there: the one that the consumer says, or the first; POD_END:
 * none. */
static pod_status find_free_lane(pod_ledger *self, const pod_asking *asking, const job_row *job, int64_t *lane,
                                 pod_error *error)
{
    const bool says = asking->lane >= 0 && asking->lane < job->lanes;
    for (int64_t i = says ? -1 : 0; i < job->lanes; i++) {
        int64_t worker;
        *lane = i < 0 ? asking->lane : i;
        const pod_status status = look(self, LOOK_AT_LANE, NUMBERS(asking->job, *lane), &worker, 1, error);
        if (status < 0)
            return status;
        if (status == POD_END || !asking->is_there(asking->dispatcher, worker))
            return POD_OK;
    }
    return POD_END;
}

/* Finds the lane of the worker that is asked for, or gives it one; -1: there is none for it. */
static pod_status choose_lane(pod_ledger *self, const pod_asking *asking, const job_row *job, int64_t *lane,
                              pod_error *error)
{
    *lane = job->lanes > 0 ? -1 : 0;
    if (job->lanes == 0 || asking->worker == 0)
        return POD_OK;
    int64_t found;
    pod_status status = look(self, FIND_LANE, NUMBERS(asking->job, asking->worker), &found, 1, error);
    if (status == POD_END) {
        status = find_lane_of_address(self, asking, &found, error);
        if (status == POD_END)
            status = find_free_lane(self, asking, job, &found, error);
        if (status == POD_OK)
            status = take_lane(self, asking, found, error);
    }
    if (status == POD_OK)
        *lane = found;
    return status == POD_END ? POD_OK : status;
}

/* ---- splits ---- */

/* Begins a round where it is not known: each lane with its first split, or where the consumer says that its own job
 * was. */
static pod_status add_round(pod_ledger *self, const pod_asking *asking, const job_row *job, pod_error *error)
{
    const int64_t id = asking->job, round = asking->round;
    int64_t row[2];
    pod_status status = look(self, LOOK_AT_ROUND, NUMBERS(id, round, 0), row, 2, error);
    if (status != POD_END)
        return status;
    if (asking->next_count != (size_t)stride_of(job))
        return pod_error_set(error, POD_ERROR_VALUE, "a consumer says of other lanes than its job has");
    status = POD_OK;
    for (int64_t lane = 0; status == POD_OK && lane < stride_of(job); lane++) {
        const int64_t next = job->owner > 0 ? asking->nexts[lane] : lane;
        if (next < 0 || next % stride_of(job) != lane)
            return pod_error_set(error, POD_ERROR_VALUE, "a consumer says of a split that is not of its lane");
        status = run(self, ADD_ROUND, NUMBERS(id, round, job->end, lane, next), error);
    }
    return status;
}

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
        status = add_round(self, asking, job, error);
    if (status == POD_OK && asking->end >= 0)
        status = run(self, END_ROUND, NUMBERS(id, round, asking->end), error);
    for (size_t i = 0; status == POD_OK && i < done_count; i++)
        status = run(self, keeps ? KEEP_DONE : DROP_SPLIT, NUMBERS(id, round, done[i]), error);
    return status;
}

/* Chooses a split that is not in anybody's hand; POD_END: there is none. */
static pod_status choose(pod_ledger *self, const pod_asking *asking, const job_row *job, pod_answer *answer,
                         pod_error *error)
{
    int64_t row[2];
    const int64_t id = asking->job, round = asking->round, lane = answer->lane;
    pod_status status;
    if (lane < 0)
        return POD_END;
    if (job->mode == POD_SERVICE_PARALLEL) {
        status = look(self, FIND_OF_WORKER, NUMBERS(id, round, asking->worker), &answer->split, 1, error);
        if (status != POD_END) /* the worker's pass was given */
            return status == POD_OK ? POD_END : status;
    } else {
        status = look(self, FIND_FREE, NUMBERS(id, round, lane, stride_of(job)), &answer->split, 1, error);
        if (status != POD_END)
            return status;
    }
    status = look(self, LOOK_AT_ROUND, NUMBERS(id, round, lane), row, 2, error);
    if (status == POD_OK && row[1] >= 0 && row[0] >= row[1])
        return POD_END;
    answer->split = row[0];
    return status == POD_OK ? run(self, COUNT_SPLIT, NUMBERS(id, round, lane, stride_of(job)), error) : status;
}

/* Counts what is not done yet, and not for this worker. */
static pod_status count_others(pod_ledger *self, const pod_asking *asking, const job_row *job, int64_t *others,
                               pod_error *error)
{
    const int64_t id = asking->job, round = asking->round;
    int64_t lanes = 0;
    pod_status status = look(self, COUNT_OTHERS, NUMBERS(id, round, asking->consumer), others, 1, error);
    if (status == POD_OK && job->lanes > 0)
        status = look(self, COUNT_LANES, NUMBERS(id, round), &lanes, 1, error);
    *others += lanes;
    return status;
}

static pod_status give(pod_ledger *self, const pod_asking *asking, const int64_t *done, size_t done_count,
                       pod_answer *answer, pod_error *error)
{
    const int64_t id = asking->job, round = asking->round;
    job_row job;
    int64_t row[4] = {0};
    pod_status status = look(self, LOOK_AT_JOB, NUMBERS(id), row, 4, error);
    job = (job_row){row[0], row[1], row[2], row[3]};
    if (status == POD_END || (status == POD_OK && job.owner > 0 && job.owner != asking->consumer))
        return pod_error_set(error, POD_ERROR_NOT_FOUND, "the dispatcher knows no such job");
    if (status == POD_OK)
        status = note(self, asking, &job, done, done_count, error);
    if (status == POD_OK)
        status = choose_lane(self, asking, &job, &answer->lane, error);
    if (status == POD_OK)
        status =
            look(self, FIND_REQUEST, NUMBERS(id, round, asking->consumer, asking->request), &answer->split, 1, error);
    if (status != POD_END)
        return status;
    status = choose(self, asking, &job, answer, error);
    if (status == POD_OK)
        return run(self, GIVE, NUMBERS(id, round, answer->split, asking->consumer, asking->request, asking->worker),
                   error);
    answer->split = POD_NO_SPLIT;
    return status == POD_END ? count_others(self, asking, &job, &answer->others, error) : status;
}

pod_status pod_service_ledger_ask(pod_ledger *self, const pod_asking *asking, const int64_t *done, size_t done_count,
                                  pod_answer *answer, pod_error *error)
{
    *answer = (pod_answer){POD_NO_SPLIT, 0, -1};
    pod_status status = run(self, BEGIN, NULL, 0, error);
    if (status != POD_OK)
        return status;
    return finish(self, give(self, asking, done, done_count, answer, error), error);
}

/* ---- consumers ---- */

/* Runs questions about one number, all or none. */
static pod_status run_all(pod_ledger *self, const int *questions, size_t count, int64_t number, pod_error *error)
{
    pod_status status = run(self, BEGIN, NULL, 0, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; status == POD_OK && i < count; i++)
        status = run(self, questions[i], NUMBERS(number), error);
    return finish(self, status, error);
}

pod_status pod_service_ledger_forget(pod_ledger *self, int64_t consumer, pod_error *error)
{
    static const int questions[] = {DROP_SPLITS_OF, DROP_ROUNDS_OF, DROP_LANES_OF, DROP_JOBS_OF, FREE_SPLITS};
    return run_all(self, questions, sizeof questions / sizeof questions[0], consumer, error);
}

pod_status pod_service_ledger_drop(pod_ledger *self, int64_t job, pod_error *error)
{
    static const int questions[] = {DROP_SPLITS, DROP_ROUNDS, DROP_LANES, DROP_JOB};
    return run_all(self, questions, sizeof questions / sizeof questions[0], job, error);
}

static pod_status visit(pod_ledger *self, int question, void (*fn)(void *context, int64_t id), void *context,
                        pod_error *error)
{
    sqlite3_stmt *statement = bind(self, question, NULL, 0);
    int outcome;
    while ((outcome = pod_sqlite.step(statement)) == SQLITE_ROW)
        fn(context, pod_sqlite.column_int64(statement, 0));
    const pod_status status = outcome == SQLITE_DONE ? POD_OK : failed(self, error);
    (void)pod_sqlite.reset(statement);
    return status;
}

pod_status pod_service_ledger_visit(pod_ledger *self, void (*consumer)(void *context, int64_t id),
                                    void (*job)(void *context, int64_t id), void *context, pod_error *error)
{
    const pod_status status = visit(self, LIST_CONSUMERS, consumer, context, error);
    return status == POD_OK ? visit(self, LIST_JOBS, job, context, error) : status;
}
