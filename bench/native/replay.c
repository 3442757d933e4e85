/* Replays prepared messages over connections that stand already, and takes the time.
 *
 * Peers form groups (the two players of a match; a single peer for an echo). A group has a script:
 * a list of steps, each a peer and what it says. Whoever is to say step k may do so as soon as it
 * has heard k messages, since every peer of a group hears one message per step. The time of a step
 * runs until its last other peer has heard it (or the peer itself, if it is alone).
 *
 * Closed loop: a step follows as soon as it may. Open loop: steps of all groups in turn become due
 * at a fixed rate, and their time runs from when they were due, whether they could be sent or not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 18, EVENTS = 512, RING = 64, MASK_BYTES = 4, LARGEST_MESSAGE = 1 << 16 };
static const int64_t SECOND = 1000000000;
static const int64_t PATIENCE = 10 * SECOND;

typedef struct {
    uint32_t peer; /* within the group */
    uint32_t size;
    const char *tail; /* what follows the peer's own head */
} Step;

typedef struct {
    const Step *steps;
    uint64_t distinct; /* steps there are; they are repeated if more are wanted */
    uint64_t count;    /* steps to be played */
} Script;

typedef struct {
    int32_t fd;
    uint32_t head_size;
    const char *head; /* how all that this peer says begins, with its ids */
} Peer;

typedef struct {
    const Peer *peers;
    const Script *const *scripts; /* one per group */
    uint32_t groups;
    uint32_t group_size;
    int32_t websocket; /* or else one message per line */
    uint32_t marker_size;
    const char *marker; /* how every message of the server must begin */
    double rate;        /* steps per second of all groups together; 0: closed loop */
    double seconds;     /* no more steps after that */
    uint64_t room;      /* for times */
    uint32_t *times;    /* taken by the steps, in units of 0.1 microseconds */
    /* results */
    uint64_t *said; /* steps, by each group */
    uint64_t steps;
    uint64_t strange; /* messages that did not begin with the marker */
    double elapsed;
} Order;

typedef struct {
    uint64_t heard;
    char *rest; /* the beginning of a message whose end is not here yet */
    size_t rest_size;
    uint32_t group, place;
} Ear;

typedef struct {
    uint64_t said, allowed;
    int64_t began[RING];
} Group;

typedef struct {
    Order *order;
    Ear *ears;
    Group *groups;
    int64_t start, now;
    uint64_t due;     /* number of the next step in an open loop */
    uint64_t waiting; /* messages that are still to come */
    uint64_t complete;
    int stopped;
    uint32_t chance;
    char room[ROOM];
} Run;

static int64_t clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

static size_t put_header(Run *run, unsigned char *out, size_t size, unsigned char **mask) {
    size_t at = 0;
    out[at++] = 0x81;
    if (size < 126) {
        out[at++] = 0x80 | (unsigned char)size;
    } else {
        out[at++] = 0x80 | 126;
        out[at++] = (unsigned char)(size >> 8);
        out[at++] = (unsigned char)size;
    }
    run->chance = run->chance * 1664525u + 1013904223u;
    memcpy(out + at, &run->chance, MASK_BYTES);
    *mask = out + at;
    return at + MASK_BYTES;
}

/* Mask in words; the last one may reach beyond the text, where there is room. */
static void hide(unsigned char *text, size_t size, const unsigned char *mask) {
    uint64_t word, key;
    memcpy(&key, mask, MASK_BYTES);
    memcpy((char *)&key + MASK_BYTES, mask, MASK_BYTES);
    for (size_t i = 0; i < size; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        word ^= key;
        memcpy(text + i, &word, sizeof word);
    }
}

static int say(Run *run, const Peer *peer, const Step *step) {
    static _Thread_local unsigned char message[LARGEST_MESSAGE + 16];
    unsigned char *mask = NULL;
    size_t size = peer->head_size + step->size;
    if (size > LARGEST_MESSAGE - 1) return -1;
    size_t at = run->order->websocket ? put_header(run, message, size, &mask) : 0;
    unsigned char *text = message + at;
    memcpy(text, peer->head, peer->head_size);
    memcpy(text + peer->head_size, step->tail, step->size);
    if (mask)
        hide(text, size, mask);
    else
        text[size++] = '\n';
    return send(peer->fd, message, at + size, MSG_NOSIGNAL) == (ssize_t)(at + size) ? 0 : -1;
}

/* Let a group say its next step, if its speaker has heard enough and it is time. */
static int go_on(Run *run, uint32_t number) {
    Order *order = run->order;
    Group *group = &run->groups[number];
    const Script *script = order->scripts[number];
    if (run->stopped || group->said >= script->count || group->said >= group->allowed) return 0;
    const Step *step = &script->steps[group->said % script->distinct];
    uint32_t speaker = number * order->group_size + step->peer;
    if (run->ears[speaker].heard < group->said) return 0;
    int64_t due = order->rate > 0
        ? run->start + (int64_t)((double)(group->said * order->groups + number) / order->rate * 1e9)
        : run->now;
    group->began[group->said % RING] = due;
    group->said++;
    run->waiting += order->group_size;
    return say(run, &order->peers[speaker], step);
}

static int heard(Run *run, Ear *ear, const char *text, size_t size) {
    Order *order = run->order;
    Group *group = &run->groups[ear->group];
    const Script *script = order->scripts[ear->group];
    if (size < order->marker_size || memcmp(text, order->marker, order->marker_size)) {
        order->strange++;
        return -1;
    }
    uint64_t number = ear->heard++;
    run->waiting--;
    uint32_t speaker = script->steps[number % script->distinct].peer;
    uint32_t witness = order->group_size - 1;
    if (witness && witness == speaker) witness--;
    if (ear->place == witness) {
        int64_t taken = run->now - group->began[number % RING];
        if (order->steps < order->room) order->times[order->steps] = (uint32_t)(taken / 100);
        order->steps++;
    }
    if (ear->heard == script->count) run->complete++;
    return go_on(run, ear->group);
}

/* The size of the message at `text` with its frame, or 0 if it is not complete. */
static size_t cut(const Order *order, const char *text, size_t size, size_t *from, size_t *length) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (!order->websocket) {
        const char *end = memchr(text, '\n', size);
        *from = 0;
        *length = end ? (size_t)(end - text) : 0;
        return end ? *length + 1 : 0;
    }
    if (size < 2) return 0;
    *from = 2;
    *length = bytes[1] & 0x7f;
    if (*length == 126) {
        *from = 4;
        if (size < 4) return 0;
        *length = (size_t)bytes[2] << 8 | bytes[3];
    } else if (*length == 127) {
        *from = 10;
        *length = 0;
        if (size < 10) return 0;
        for (int i = 2; i < 10; i++) *length = *length << 8 | bytes[i];
    }
    return size < *from + *length ? 0 : *from + *length;
}

static int keep(Ear *ear, const char *text, size_t size) {
    free(ear->rest);
    ear->rest = NULL;
    ear->rest_size = size;
    if (!size) return 0;
    ear->rest = malloc(size);
    if (!ear->rest) return -1;
    memcpy(ear->rest, text, size);
    return 0;
}

static int hear(Run *run, uint32_t number) {
    Ear *ear = &run->ears[number];
    size_t size = ear->rest_size, at = 0, from, length, whole;
    if (size) memcpy(run->room, ear->rest, size);
    ssize_t got = recv(run->order->peers[number].fd, run->room + size, ROOM - size, 0);
    if (got < 0 && errno == EAGAIN) return 0;
    if (got <= 0) return -1;
    size += (size_t)got;
    run->now = clock_now();
    while ((whole = cut(run->order, run->room + at, size - at, &from, &length))) {
        int control = run->order->websocket && run->room[at] & 0x08;
        if (!control && heard(run, ear, run->room + at + from, length)) return -1;
        at += whole;
    }
    return keep(ear, run->room + at, size - at);
}

/* In an open loop: allow what is due; returns the nanoseconds until the next step is. */
static int64_t allow_due(Run *run, int *failed) {
    Order *order = run->order;
    if (order->rate <= 0) return SECOND;
    for (;;) {
        int64_t due = run->start + (int64_t)((double)run->due / order->rate * 1e9);
        if (due > run->now) return due - run->now;
        uint32_t number = (uint32_t)(run->due % order->groups);
        run->groups[number].allowed = run->due / order->groups + 1;
        run->due++;
        *failed |= go_on(run, number);
    }
}

static int play(Run *run, int watched) {
    Order *order = run->order;
    struct epoll_event events[EVENTS];
    uint64_t everybody = (uint64_t)order->groups * order->group_size;
    int64_t last = run->now = run->start = clock_now();
    int64_t end = run->start + (int64_t)(order->seconds * 1e9);
    int failed = 0;
    for (uint32_t g = 0; order->rate <= 0 && g < order->groups; g++) failed |= go_on(run, g);
    while (!failed && run->complete < everybody && !(run->stopped && !run->waiting)) {
        int64_t wait = run->stopped ? SECOND : allow_due(run, &failed);
        struct timespec pause = {wait / SECOND, wait % SECOND};
        int count = epoll_pwait2(watched, events, EVENTS, &pause, NULL);
        run->now = clock_now();
        for (int i = 0; i < count && !failed; i++) failed = hear(run, events[i].data.u32);
        if (count > 0) last = run->now;
        if (run->now > end) run->stopped = 1;
        if (run->now - last > PATIENCE) failed = 1;
    }
    order->elapsed = (double)(clock_now() - run->start) / 1e9;
    return failed;
}

/* Play all scripts; 0 if every message came that had to come. */
int replay(Order *order) {
    uint32_t count = order->groups * order->group_size;
    Run *run = calloc(1, sizeof *run);
    int watched = epoll_create1(0), failed = watched < 0 || !run;
    if (failed) return 1;
    run->order = order;
    run->chance = 1;
    run->ears = calloc(count, sizeof *run->ears);
    run->groups = calloc(order->groups, sizeof *run->groups);
    prctl(PR_SET_TIMERSLACK, 1);
    for (uint32_t i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        run->ears[i].group = i / order->group_size;
        run->ears[i].place = i % order->group_size;
        failed |= epoll_ctl(watched, EPOLL_CTL_ADD, order->peers[i].fd, &event);
    }
    for (uint32_t g = 0; g < order->groups; g++)
        run->groups[g].allowed = order->rate > 0 ? 0 : UINT64_MAX;
    if (!failed) failed = play(run, watched);
    for (uint32_t i = 0; i < count; i++) free(run->ears[i].rest);
    for (uint32_t g = 0; g < order->groups; g++) order->said[g] = run->groups[g].said;
    free(run->ears);
    free(run->groups);
    free(run);
    close(watched);
    return failed;
}
