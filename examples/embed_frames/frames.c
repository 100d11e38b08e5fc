/*
 * A game of 60 frames a second in which a small policy learns while it plays: no Lua, and no thread but this one.
 *
 * A ball falls, a paddle goes left, stays or goes right. Each frame the policy chooses, the frame is drawn by SDL, and
 * what is left of the frame's budget trains: steps of the compiled program, as many as fit. Rewards are what the move
 * gained; a step is one of policy gradients over moves of the past. At the end it prints how far frames went over their
 * budget, and how often the ball was caught at first and at last.
 *
 *     cc frames.c $(pkg-config --cflags --libs moonpod sdl2) -lm -o frames
 *     SDL_VIDEODRIVER=dummy ./frames 3600        # frames; without a screen
 */

#include <SDL.h>
#include <math.h>
#include <moonpod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INPUTS = 3,
    HIDDEN = 32,
    MOVES = 3,
    BATCH = 64,
    MEMORY = 4096,
    WEIGHTS = 4,
    SLOTS = 3 * WEIGHTS,
    MOST_STEPS = 8
};
enum { WIDTH = 320, HEIGHT = 240, PADDLE = 40, SPEED = 5, FALL = 4 };

#define FRAME_SECONDS (1.0 / 60)
#define TRAIN_SECONDS 0.004 /* of a frame */

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

static double next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

/* ---- the policy ---- */

typedef struct policy {
    pod_program *step, *choose;
    pod_buffer *arguments[SLOTS + 4]; /* weights with Adam's averages, the step's number, then the batch */
    pod_buffer *seen, *scores;        /* of one row */
    double step_seconds;              /* what a step took, at most of late */
    int64_t steps;
} policy;

static const pod_shape weight_shapes[WEIGHTS] = {
    {2, {INPUTS, HIDDEN}}, {1, {HIDDEN}}, {2, {HIDDEN, MOVES}}, {1, {MOVES}}};
static const pod_shape scalar = {0, {0}}, one_row = {2, {1, INPUTS}}, one_score = {2, {1, MOVES}};
static const pod_shape rows = {2, {BATCH, INPUTS}}, row_values = {1, {BATCH}};

static pod_node *forward(pod_graph *graph, pod_node *x, pod_node *const weights[WEIGHTS])
{
    pod_node *hidden = pod_graph_add(graph, pod_graph_matmul(graph, x, weights[0]), weights[1]);
    hidden = pod_graph_tanh(graph, hidden);
    return pod_graph_add(graph, pod_graph_matmul(graph, hidden, weights[2]), weights[3]);
}

/* What Adam makes of the weights and their averages, in their order. */
static void add_updates(pod_graph *graph, pod_node *const state[SLOTS], pod_node *t, pod_node *const gradients[WEIGHTS])
{
    pod_node *one = pod_graph_scalar(graph, POD_F32, 1, NULL);
    pod_node *b1 = pod_graph_power(graph, pod_graph_scalar(graph, POD_F32, 0.9, NULL), t);
    pod_node *b2 = pod_graph_power(graph, pod_graph_scalar(graph, POD_F32, 0.999, NULL), t);
    pod_node *alpha = pod_graph_divide(graph, pod_graph_sqrt(graph, pod_graph_subtract(graph, one, b2)),
                                       pod_graph_subtract(graph, one, b1));
    alpha = pod_graph_multiply(graph, alpha, pod_graph_scalar(graph, POD_F32, 0.003, NULL));
    const pod_attributes adam = {.values = {0.9, 0.999, 1e-7}};
    pod_node *updated[SLOTS];
    for (int i = 0; i < WEIGHTS; i++) {
        pod_node *all = pod_graph_composite(
            graph, "adam", (pod_node *[]){state[i], state[WEIGHTS + i], state[2 * WEIGHTS + i], gradients[i], alpha}, 5,
            &adam);
        for (int j = 0; j < 3; j++)
            updated[j * WEIGHTS + i] = pod_graph_result(graph, all, (size_t)j);
    }
    for (size_t i = 0; i < SLOTS; i++) {
        pod_graph_add_output(graph, updated[i]);
        pod_graph_set_alias(graph, i, i);
    }
    pod_graph_add_output(graph, t);
    pod_graph_set_alias(graph, SLOTS, SLOTS);
}

static pod_program *compile_step(pod_context *context)
{
    pod_graph *graph;
    pod_program *program;
    pod_node *state[SLOTS], *gradients[WEIGHTS];
    TRY(pod_graph_new(context, "step", &graph, &error));
    for (int i = 0; i < SLOTS; i++)
        state[i] = pod_graph_parameter(graph, POD_F32, &weight_shapes[i % WEIGHTS], "state");
    pod_node *step = pod_graph_parameter(graph, POD_F32, &scalar, "step");
    pod_node *x = pod_graph_parameter(graph, POD_F32, &rows, "seen");
    pod_node *moves = pod_graph_parameter(graph, POD_S32, &row_values, "moves");
    pod_node *rewards = pod_graph_parameter(graph, POD_F32, &row_values, "rewards");
    pod_node *logits = forward(graph, x, state);
    pod_node *losses =
        pod_graph_composite(graph, "sparse_softmax_cross_entropy", (pod_node *[]){logits, moves}, 2, NULL);
    losses = pod_graph_multiply(graph, losses, rewards);
    pod_node *loss = pod_graph_divide(graph, pod_graph_reduce(graph, "reduce_sum", losses, NULL, false),
                                      pod_graph_scalar(graph, POD_F32, BATCH, NULL));
    TRY(pod_graph_gradient(graph, loss, NULL, state, WEIGHTS, gradients, &error));
    add_updates(graph, state, pod_graph_add(graph, step, pod_graph_scalar(graph, POD_F32, 1, NULL)), gradients);
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

/* Everything is compiled, and all memory taken, before the first frame. */
static void open_policy(pod_context *context, policy *self)
{
    memset(self, 0, sizeof *self);
    self->step = compile_step(context);
    self->choose = compile_choice(context);
    for (int i = 0; i < SLOTS; i++)
        TRY(pod_buffer_new(context, POD_F32, &weight_shapes[i % WEIGHTS], &self->arguments[i], &error));
    TRY(pod_buffer_new(context, POD_F32, &scalar, &self->arguments[SLOTS], &error));
    TRY(pod_buffer_new(context, POD_F32, &rows, &self->arguments[SLOTS + 1], &error));
    TRY(pod_buffer_new(context, POD_S32, &row_values, &self->arguments[SLOTS + 2], &error));
    TRY(pod_buffer_new(context, POD_F32, &row_values, &self->arguments[SLOTS + 3], &error));
    TRY(pod_buffer_new(context, POD_F32, &one_row, &self->seen, &error));
    TRY(pod_buffer_new(context, POD_F32, &one_score, &self->scores, &error));
    for (int i = 0; i < WEIGHTS; i += 2) {
        float *values = pod_buffer_data(self->arguments[i]);
        const int64_t count = pod_shape_elements(&weight_shapes[i]);
        for (int64_t j = 0; j < count; j++)
            values[j] = (float)((2 * next_random() - 1) / sqrt((double)weight_shapes[i].dims[0]));
    }
}

static void close_policy(policy *self)
{
    for (int i = 0; i < SLOTS + 4; i++)
        pod_buffer_release(self->arguments[i]);
    pod_buffer_release(self->seen);
    pod_buffer_release(self->scores);
    pod_program_free(self->step);
    pod_program_free(self->choose);
}

/* Draws a move by the policy's probabilities. */
static int choose(policy *self, const float seen[INPUTS])
{
    pod_buffer *arguments[WEIGHTS + 1], *results[1] = {NULL};
    memcpy(arguments, self->arguments, WEIGHTS * sizeof *arguments);
    arguments[WEIGHTS] = self->seen;
    memcpy(pod_buffer_data(self->seen), seen, INPUTS * sizeof *seen);
    const pod_run_options options = {.steps = 1, .result_buffers = &self->scores};
    TRY(pod_program_run(self->choose, arguments, results, &options, NULL, &error));
    pod_buffer_release(results[0]);
    const float *scores = pod_buffer_data(self->scores);
    double weights[MOVES], sum = 0;
    for (int i = 0; i < MOVES; i++)
        sum += weights[i] = exp(scores[i] - fmaxf(scores[0], fmaxf(scores[1], scores[2])));
    double drawn = next_random() * sum;
    for (int i = 0; i < MOVES - 1; i++)
        if ((drawn -= weights[i]) < 0)
            return i;
    return MOVES - 1;
}

/* What was seen, done and gained in the frames before: a ring. */
typedef struct memory {
    float seen[MEMORY][INPUTS], rewards[MEMORY];
    int32_t moves[MEMORY];
    int64_t count;
} memory;

static void fill_batch(policy *self, const memory *past)
{
    float *x = pod_buffer_data(self->arguments[SLOTS + 1]), *rewards = pod_buffer_data(self->arguments[SLOTS + 3]);
    int32_t *moves = pod_buffer_data(self->arguments[SLOTS + 2]);
    const int64_t recent = past->count < 512 ? past->count : 512;
    for (int i = 0; i < BATCH; i++) {
        const int64_t at = (past->count - 1 - (int64_t)(next_random() * (double)recent)) % MEMORY;
        memcpy(x + (size_t)i * INPUTS, past->seen[at], sizeof past->seen[at]);
        rewards[i] = past->rewards[at];
        moves[i] = past->moves[at];
    }
}

/* Trains until `deadline`: begins no step that would not end before it. More steps than a few over the same memories
 * would make the policy too sure of itself. */
static void train(policy *self, const memory *past, double deadline)
{
    const pod_run_options options = {.steps = 1};
    pod_buffer *results[SLOTS + 1] = {NULL};
    self->step_seconds *= 0.98; /* a step that the system held up is no measure for ever */
    double begun = now();
    for (int i = 0; i < MOST_STEPS && past->count >= BATCH && begun + self->step_seconds < deadline; i++) {
        fill_batch(self, past);
        TRY(pod_program_run(self->step, self->arguments, results, &options, NULL, &error));
        const double ended = now(), took = ended - begun;
        self->step_seconds = took > self->step_seconds ? took : 0.98 * self->step_seconds + 0.02 * took;
        self->steps++;
        begun = ended;
    }
}

/* ---- the game ---- */

typedef struct game {
    double ball_x, ball_y, paddle;
    int caught[2], fallen[2]; /* in the first and the second half */
} game;

static void drop_ball(game *self)
{
    self->ball_x = next_random() * WIDTH;
    self->ball_y = 0;
}

/* One frame: the policy moves, the ball falls. */
static void play(game *self, policy *player, memory *past, int half)
{
    const int64_t at = past->count % MEMORY;
    float *seen = past->seen[at];
    seen[0] = (float)(self->ball_x / WIDTH - 0.5);
    seen[1] = (float)(self->paddle / WIDTH - 0.5);
    seen[2] = (float)(self->ball_y / HEIGHT);
    const int move = choose(player, seen);
    const double before = fabs(self->ball_x - self->paddle);
    self->paddle = fmin(WIDTH, fmax(0, self->paddle + SPEED * (move - 1)));
    past->rewards[at] = (float)((before - fabs(self->ball_x - self->paddle)) / SPEED);
    past->moves[at] = move;
    past->count++;
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

static void run(SDL_Renderer *renderer, policy *player, int frames)
{
    static memory past;
    game state = {.paddle = WIDTH / 2.0};
    double *over = calloc((size_t)frames, sizeof *over), *late = calloc((size_t)frames, sizeof *late);
    if (over == NULL || late == NULL)
        fail("run", "there is no memory");
    drop_ball(&state);
    double due = now();
    for (int i = 0; i < frames; i++) {
        SDL_Event event;
        while (SDL_PollEvent(&event))
            if (event.type == SDL_QUIT)
                frames = i + 1;
        play(&state, player, &past, i >= frames / 2);
        draw(renderer, &state);
        const double trained_from = now(), deadline = trained_from + TRAIN_SECONDS;
        train(player, &past, deadline);
        const double ended = now();
        over[i] = fmax(0, ended - deadline) * 1e3;
        due += FRAME_SECONDS;
        late[i] = fmax(0, ended - due) * 1e3;
        if (ended < due)
            SDL_Delay((Uint32)((due - ended) * 1e3));
        else
            due = ended;
    }
    qsort(over, (size_t)frames, sizeof *over, compare);
    qsort(late, (size_t)frames, sizeof *late, compare);
    const int p99 = (int)(0.99 * (frames - 1));
    printf("%d frames, %lld steps of training\n", frames, (long long)player->steps);
    printf("over the training budget of %g ms: worst %.3f ms, p99 %.3f ms\n", TRAIN_SECONDS * 1e3, over[frames - 1],
           over[p99]);
    printf("over the frame of %.3f ms: worst %.3f ms, p99 %.3f ms\n", FRAME_SECONDS * 1e3, late[frames - 1], late[p99]);
    printf("caught %d of %d in the first half, %d of %d in the second\n", state.caught[0], state.fallen[0],
           state.caught[1], state.fallen[1]);
    free(over);
    free(late);
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 3600;
    if (frames < 2)
        fail("usage", "frames [number of frames, at least 2]");
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
    open_policy(context, &player);
    run(renderer, &player, frames);
    close_policy(&player);
    pod_context_release(context);
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
