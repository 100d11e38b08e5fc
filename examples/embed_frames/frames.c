/*
 * A game of 60 frames a second in which a small policy learns while it plays: no Lua, and no thread but this one.
 *
 * A ball falls, a paddle goes left, stays or goes right. Each frame the policy chooses, the frame is drawn by SDL, and
 * a slice of the training is done: pod_run_step_for() goes on where the last frame broke off, also within a step. What
 * is learned is how much nearer to the ball each move brings the paddle, in situations drawn by chance; so the weights
 * do not depend on how long a frame took, and policy.lua ends with the same bits. At the end it prints how far frames
 * went over their budget, also by the time that the processor was theirs, how often the ball was caught at first and at
 * last, and a hash of the weights.
 *
 *     cc frames.c $(pkg-config --cflags --libs moonpod sdl2) -lm -o frames
 *     SDL_VIDEODRIVER=dummy ./frames 3600 2000 4     # frames, epochs, milliseconds of a slice; without a screen
 */

#include <SDL.h>
#include <math.h>
#include <moonpod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    INPUTS = 2,
    HIDDEN = 128,
    MOVES = 3,
    BATCH = 256,
    BATCHES = 16, /* of an epoch */
    WEIGHTS = 6,
    VARIABLES = 2 * WEIGHTS
};
enum { WIDTH = 320, HEIGHT = 240, PADDLE = 40, SPEED = 5, FALL = 4 };

#define FRAME_SECONDS (1.0 / 60)

static void fail(const char *what, const char *message)
{
    fprintf(stderr, "%s: %s\n", what, message);
    exit(1);
}

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        pod_error error;                                                                                               \
        if ((call) != POD_OK)                                                                                          \
            fail(#call, error.message);                                                                                \
    } while (0)

static double now(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

/* Seconds of the processor that this thread has had: what the clock shows beyond them the machine gave to others. */
static double worked(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
        return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
#endif
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Park and Miller's generator: its products are whole numbers that doubles hold, in Lua as well. */
static double next_random(double *state)
{
    *state = fmod(*state * 16807, 2147483647);
    return *state / 2147483647;
}

/* ---- the policy ---- */

typedef struct policy {
    pod_program *step, *choose;
    pod_run *run;                         /* NULL once it is over */
    pod_buffer *arguments[VARIABLES + 2]; /* weights, their momenta; the infeed gives the batch */
    pod_buffer *seen[BATCHES], *gains[BATCHES];
    pod_buffer *row, *scores; /* of one situation */
    int64_t fed, steps;
} policy;

static const pod_shape weight_shapes[WEIGHTS] = {{2, {INPUTS, HIDDEN}}, {1, {HIDDEN}},        {2, {HIDDEN, HIDDEN}},
                                                 {1, {HIDDEN}},         {2, {HIDDEN, MOVES}}, {1, {MOVES}}};
static const pod_shape one_row = {2, {1, INPUTS}}, one_score = {2, {1, MOVES}};
static const pod_shape rows = {2, {BATCH, INPUTS}}, row_gains = {2, {BATCH, MOVES}};

static pod_node *forward(pod_graph *graph, pod_node *x, pod_node *const weights[WEIGHTS])
{
    for (int i = 0; i < WEIGHTS; i += 2) {
        x = pod_graph_add(graph, pod_graph_matmul(graph, x, weights[i]), weights[i + 1]);
        if (i + 2 < WEIGHTS)
            x = pod_graph_tanh(graph, x);
    }
    return x;
}

/* One step of gradient descent with momentum on the mean of squared errors. */
static pod_program *compile_step(pod_context *context)
{
    pod_graph *graph;
    pod_program *program;
    pod_node *state[VARIABLES], *gradients[WEIGHTS], *updated[VARIABLES];
    TRY(pod_graph_new(context, "step", &graph, &error));
    for (int i = 0; i < VARIABLES; i++)
        state[i] = pod_graph_parameter(graph, POD_F32, &weight_shapes[i % WEIGHTS], "state");
    pod_node *x = pod_graph_parameter(graph, POD_F32, &rows, "seen");
    pod_node *y = pod_graph_parameter(graph, POD_F32, &row_gains, "gains");
    pod_node *miss = pod_graph_subtract(graph, y, forward(graph, x, state));
    pod_node *losses = pod_graph_mean(graph, pod_graph_multiply(graph, miss, miss), &(pod_axes){1, {1}}, false);
    pod_node *loss = pod_graph_divide(graph, pod_graph_reduce(graph, "reduce_sum", losses, NULL, false),
                                      pod_graph_scalar(graph, POD_F32, BATCH, NULL));
    TRY(pod_graph_gradient(graph, loss, NULL, state, WEIGHTS, gradients, &error));
    for (int i = 0; i < WEIGHTS; i++) {
        pod_node *keep = pod_graph_scalar(graph, POD_F32, 0.9, &weight_shapes[i]);
        pod_node *rate = pod_graph_scalar(graph, POD_F32, 0.05, &weight_shapes[i]);
        updated[WEIGHTS + i] = pod_graph_subtract(graph, pod_graph_multiply(graph, state[WEIGHTS + i], keep),
                                                  pod_graph_multiply(graph, gradients[i], rate));
        updated[i] = pod_graph_add(graph, state[i], updated[WEIGHTS + i]);
    }
    for (size_t i = 0; i < VARIABLES; i++) {
        pod_graph_add_output(graph, updated[i]);
        pod_graph_set_alias(graph, i, i);
    }
    TRY(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

static pod_program *compile_choice(pod_context *context)
{
    pod_graph *graph;
    pod_program *program;
    pod_node *weights[WEIGHTS];
    TRY(pod_graph_new(context, "choose", &graph, &error));
    for (int i = 0; i < WEIGHTS; i++)
        weights[i] = pod_graph_parameter(graph, POD_F32, &weight_shapes[i], "weight");
    pod_graph_add_output(graph, forward(graph, pod_graph_parameter(graph, POD_F32, &one_row, "seen"), weights));
    TRY(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

/* Where the ball and the paddle are, and how much nearer to the ball each move brings the paddle. */
static void fill_situations(pod_buffer *seen, pod_buffer *gains, double *random)
{
    float *x = pod_buffer_data(seen), *y = pod_buffer_data(gains);
    for (int i = 0; i < BATCH; i++) {
        const double ball = next_random(random) * WIDTH, paddle = next_random(random) * WIDTH;
        x[i * INPUTS] = (float)(ball / WIDTH - 0.5);
        x[i * INPUTS + 1] = (float)(paddle / WIDTH - 0.5);
        for (int move = 0; move < MOVES; move++) {
            const double to = fmin(WIDTH, fmax(0, paddle + SPEED * (move - 1)));
            y[i * MOVES + move] = (float)((fabs(ball - paddle) - fabs(ball - to)) / SPEED);
        }
    }
}

static pod_status feed(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    policy *self = context;
    (void)count, (void)error;
    slots[0] = pod_buffer_retain(self->seen[self->fed % BATCHES]);
    slots[1] = pod_buffer_retain(self->gains[self->fed % BATCHES]);
    self->fed++;
    return POD_OK;
}

/* Everything is compiled, and all memory taken, before the first frame. */
static void open_policy(pod_context *context, policy *self, int epochs)
{
    double random = 20240;
    memset(self, 0, sizeof *self);
    self->step = compile_step(context);
    self->choose = compile_choice(context);
    for (int i = 0; i < VARIABLES; i++)
        TRY(pod_buffer_new(context, POD_F32, &weight_shapes[i % WEIGHTS], &self->arguments[i], &error));
    for (int i = 0; i < WEIGHTS; i += 2) {
        float *values = pod_buffer_data(self->arguments[i]);
        const int64_t count = pod_shape_elements(&weight_shapes[i]);
        for (int64_t j = 0; j < count; j++)
            values[j] = (float)((2 * next_random(&random) - 1) / sqrt((double)weight_shapes[i].dims[0]));
    }
    for (int i = 0; i < BATCHES; i++) {
        TRY(pod_buffer_new(context, POD_F32, &rows, &self->seen[i], &error));
        TRY(pod_buffer_new(context, POD_F32, &row_gains, &self->gains[i], &error));
        fill_situations(self->seen[i], self->gains[i], &random);
    }
    TRY(pod_buffer_new(context, POD_F32, &one_row, &self->row, &error));
    TRY(pod_buffer_new(context, POD_F32, &one_score, &self->scores, &error));
    const pod_infeed infeed = {.next = feed, .context = self};
    const pod_run_options options = {
        .steps = (int64_t)epochs * BATCHES, .infeed = &infeed, .infeed_first = VARIABLES, .infeed_count = 2};
    TRY(pod_run_begin(self->step, self->arguments, &options, &self->run, &error));
}

static void close_policy(policy *self)
{
    pod_run_end(self->run);
    for (int i = 0; i < VARIABLES; i++)
        pod_buffer_release(self->arguments[i]);
    for (int i = 0; i < BATCHES; i++) {
        pod_buffer_release(self->seen[i]);
        pod_buffer_release(self->gains[i]);
    }
    pod_buffer_release(self->row);
    pod_buffer_release(self->scores);
    pod_program_free(self->step);
    pod_program_free(self->choose);
}

/* The move that promises most. A step may be under way: then some weights are those behind it already, which is good
 * enough to play with. */
static int choose(policy *self, double ball, double paddle)
{
    pod_buffer *arguments[WEIGHTS + 1], *results[1] = {NULL};
    memcpy(arguments, self->arguments, WEIGHTS * sizeof *arguments);
    arguments[WEIGHTS] = self->row;
    float *row = pod_buffer_data(self->row);
    row[0] = (float)(ball / WIDTH - 0.5);
    row[1] = (float)(paddle / WIDTH - 0.5);
    const pod_run_options options = {.steps = 1, .result_buffers = &self->scores};
    TRY(pod_program_run(self->choose, arguments, results, &options, NULL, &error));
    pod_buffer_release(results[0]);
    const float *scores = pod_buffer_data(self->scores);
    int best = 0;
    for (int i = 1; i < MOVES; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}

/* Goes on for so many seconds; 0: to the end. */
static void train(policy *self, double seconds)
{
    pod_error error;
    pod_run_report report;
    if (self->run == NULL)
        return;
    const pod_status status = pod_run_step_for(self->run, (uint64_t)(seconds * 1e9), &report, &error);
    self->steps = report.steps;
    if (status == POD_END) {
        pod_run_end(self->run);
        self->run = NULL;
    } else if (status != POD_OK)
        fail("pod_run_step_for", error.message);
}

/* A number for all bits of the weights, as policy.lua has it. */
static uint32_t hash_of(const policy *self)
{
    uint64_t hash = 1;
    for (int i = 0; i < WEIGHTS; i++) {
        const unsigned char *bytes = pod_buffer_data(self->arguments[i]);
        const size_t count = (size_t)pod_shape_elements(&weight_shapes[i]) * sizeof(float);
        for (size_t j = 0; j < count; j++)
            hash = (hash * 257 + bytes[j]) % 4294967291u;
    }
    return (uint32_t)hash;
}

/* ---- the game ---- */

typedef struct game {
    double ball_x, ball_y, paddle, random;
    int caught[2], fallen[2]; /* in the first and the second half */
} game;

static void drop_ball(game *self)
{
    self->ball_x = next_random(&self->random) * WIDTH;
    self->ball_y = 0;
}

/* One frame: the policy moves, the ball falls. */
static void play(game *self, policy *player, int half)
{
    const int move = choose(player, self->ball_x, self->paddle);
    self->paddle = fmin(WIDTH, fmax(0, self->paddle + SPEED * (move - 1)));
    self->ball_y += FALL;
    if (self->ball_y >= HEIGHT) {
        self->caught[half] += fabs(self->ball_x - self->paddle) < PADDLE / 2.0;
        self->fallen[half]++;
        drop_ball(self);
    }
}

static void draw(SDL_Renderer *renderer, const game *self)
{
    const SDL_Rect ball = {(int)self->ball_x - 4, (int)self->ball_y - 4, 8, 8};
    const SDL_Rect paddle = {(int)self->paddle - PADDLE / 2, HEIGHT - 8, PADDLE, 8};
    SDL_SetRenderDrawColor(renderer, 16, 16, 32, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 240, 200, 80, 255);
    SDL_RenderFillRect(renderer, &ball);
    SDL_RenderFillRect(renderer, &paddle);
    SDL_RenderPresent(renderer);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How far frames went over a budget, in milliseconds. */
typedef struct overs {
    double *budget, *work, *frame; /* over that of the training by the clock, by the processor's time, of the frame */
} overs;

static void print_times(double *over, int frames)
{
    qsort(over, (size_t)frames, sizeof *over, compare);
    printf(" worst %.3f ms, p99 %.3f ms\n", over[frames - 1], over[(int)(0.99 * (frames - 1))]);
}

static void run(SDL_Renderer *renderer, policy *player, int frames, double slice)
{
    game state = {.paddle = WIDTH / 2.0, .random = 1};
    double *all = calloc(3 * (size_t)frames, sizeof *all);
    const overs over = {all, all + frames, all + 2 * frames};
    if (all == NULL)
        fail("run", "there is no memory");
    drop_ball(&state);
    double due = now();
    int trained = 0;
    for (int i = 0; i < frames; i++) {
        SDL_Event event;
        while (SDL_PollEvent(&event))
            if (event.type == SDL_QUIT)
                frames = i + 1;
        play(&state, player, i >= frames / 2);
        draw(renderer, &state);
        const double trained_from = now(), work_from = worked();
        trained += player->run != NULL;
        train(player, slice);
        const double ended = now();
        over.budget[i] = fmax(0, ended - trained_from - slice) * 1e3;
        over.work[i] = fmax(0, worked() - work_from - slice) * 1e3;
        due += FRAME_SECONDS;
        over.frame[i] = fmax(0, ended - due) * 1e3;
        if (ended < due)
            SDL_Delay((Uint32)((due - ended) * 1e3));
        else
            due = ended;
    }
    printf("%d frames, %lld steps of training in %d of them\n", frames, (long long)player->steps, trained);
    printf("over the training budget of %g ms:", slice * 1e3);
    print_times(over.budget, frames);
    printf("of that while the processor was ours:");
    print_times(over.work, frames);
    printf("over the frame of %.3f ms:", FRAME_SECONDS * 1e3);
    print_times(over.frame, frames);
    printf("caught %d of %d in the first half, %d of %d in the second\n", state.caught[0], state.fallen[0],
           state.caught[1], state.fallen[1]);
    train(player, 0); /* what the frames had no time for */
    printf("%lld steps in all\nweights %08x\n", (long long)player->steps, (unsigned)hash_of(player));
    free(all);
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 3600, epochs = argc > 2 ? atoi(argv[2]) : 2000;
    const double slice = (argc > 3 ? atof(argv[3]) : 4) / 1e3;
    if (frames < 2 || epochs < 1 || slice < 1e-6)
        fail("usage", "frames [number of frames, at least 2] [epochs] [milliseconds of a slice]");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        fail("SDL_Init", SDL_GetError());
    SDL_Window *window = SDL_CreateWindow("Moonpod learns", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, WIDTH,
                                          HEIGHT, SDL_WINDOW_SHOWN);
    SDL_Renderer *renderer = window != NULL ? SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE) : NULL;
    if (renderer == NULL)
        fail("SDL", SDL_GetError());
    const pod_context_options options = {.threads = 1};
    pod_context *context;
    policy player;
    TRY(pod_context_new(&options, &context, &error));
    open_policy(context, &player, epochs);
    run(renderer, &player, frames, slice);
    close_policy(&player);
    pod_context_release(context);
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
