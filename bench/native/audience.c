/* Reads streams of events and counts what comes, until it is killed.
 *
 * It must cost little, because it shares a core with the load whose times are taken: so everything
 * that has come is read at once, and an event is recognised without being looked at otherwise.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 1 << 18, EVENTS = 256, LONGEST_MARK = 64 };

typedef struct {
    uint64_t heard; /* marks, in all streams together */
    uint64_t bytes;
    uint64_t ended; /* streams */
} Counts;

typedef struct {
    size_t size;
    char text[LONGEST_MARK]; /* the end of what was read: a mark may be cut anywhere */
} Rest;

static uint64_t count(const char *text, size_t size, const char *mark, size_t mark_size) {
    uint64_t found = 0;
    const char *end = text + size;
    while ((text = memmem(text, (size_t)(end - text), mark, mark_size))) {
        found++;
        text += mark_size;
    }
    return found;
}

/* Read one stream; 0 once it has ended. */
static int hear(int fd, Rest *rest, const char *mark, size_t mark_size, volatile Counts *counts) {
    static char room[ROOM];
    memcpy(room, rest->text, rest->size);
    ssize_t got = recv(fd, room + rest->size, ROOM - rest->size, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 1;
    if (got <= 0) return 0;
    size_t size = rest->size + (size_t)got;
    counts->heard += count(room, size, mark, mark_size);
    counts->bytes += (uint64_t)got;
    rest->size = size < mark_size ? size : mark_size - 1; /* too short for another mark */
    memmove(rest->text, room + size - rest->size, rest->size);
    return 1;
}

/* Read these streams for ever; 1 if that is not possible. */
int attend(const int32_t *fds, uint32_t readers, const char *mark, volatile Counts *counts) {
    struct epoll_event events[EVENTS];
    size_t mark_size = strlen(mark);
    Rest *rests = calloc(readers ? readers : 1, sizeof *rests);
    int watched = epoll_create1(0);
    if (!rests || watched < 0 || mark_size > LONGEST_MARK) return 1;
    for (uint32_t i = 0; i < readers; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        if (epoll_ctl(watched, EPOLL_CTL_ADD, fds[i], &event)) return 1;
    }
    for (;;) {
        int found = epoll_wait(watched, events, EVENTS, -1);
        for (int i = 0; i < found; i++) {
            uint32_t reader = events[i].data.u32;
            if (hear(fds[reader], &rests[reader], mark, mark_size, counts)) continue;
            counts->ended++;
            epoll_ctl(watched, EPOLL_CTL_DEL, fds[reader], NULL);
        }
    }
}
