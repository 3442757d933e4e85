/* An echo server, the floor under all others: `echo lines` or `echo websocket`. One thread, level-
 * triggered epoll, one read and one write per message. It trusts its clients: no timeouts, no
 * fragments, no limits but the buffer.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 1 << 17, EVENTS = 256, CLIENTS = 1 << 16, HEADER = 14 };

typedef struct {
    unsigned char *rest; /* the beginning of a message whose end is not here yet */
    size_t size;
    int shaken; /* hands, as WebSockets do */
} Client;

static Client clients[CLIENTS];
static unsigned char room[ROOM], answer[ROOM + HEADER];
static int websocket;

static uint32_t roll(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void sha1_block(uint32_t h[5], const unsigned char *p) {
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 80; i++) w[i] = roll(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d
                   : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t t = roll(a, 5) + f + e + k + w[i];
        e = d, d = c, c = roll(b, 30), b = a, a = t;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

/* The answer to a key of 24 letters: base64 of the SHA-1 of the key and RFC 6455's constant. */
static void accept_key(const char *key, char out[29]) {
    static const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    unsigned char text[128] = {0}, hash[21] = {0};
    memcpy(text, key, 24);
    memcpy(text + 24, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", 36);
    text[60] = 0x80;
    text[126] = 60 * 8 >> 8, text[127] = (unsigned char)(60 * 8);
    sha1_block(h, text);
    sha1_block(h, text + 64);
    for (int i = 0; i < 20; i++) hash[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
    for (int i = 0; i < 7; i++) {
        uint32_t three = (uint32_t)hash[3 * i] << 16 | hash[3 * i + 1] << 8 | hash[3 * i + 2];
        for (int j = 0; j < 4; j++) out[4 * i + j] = digits[three >> (18 - 6 * j) & 63];
    }
    out[27] = '=', out[28] = 0;
}

static size_t shake_hands(int fd, Client *client, size_t size) {
    static const char *word = "Sec-WebSocket-Key: ";
    unsigned char *end = memmem(room, size, "\r\n\r\n", 4);
    char *key = memmem(room, size, word, strlen(word)), reply[200], accepted[29];
    if (!end || !key) return 0;
    accept_key(key + strlen(word), accepted);
    int length = snprintf(reply, sizeof reply,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n", accepted);
    client->shaken = 1;
    return send(fd, reply, (size_t)length, MSG_NOSIGNAL) < 0 ? 0 : (size_t)(end + 4 - room);
}

/* Echo the line at `text`; returns its size, or 0 if its end is missing. */
static size_t echo_line(int fd, const unsigned char *text, size_t size) {
    const unsigned char *end = memchr(text, '\n', size);
    if (!end) return 0;
    size_t whole = (size_t)(end + 1 - text);
    return send(fd, text, whole, MSG_NOSIGNAL) < 0 ? 0 : whole;
}

static size_t echo_frame(int fd, const unsigned char *frame, size_t size) {
    if (size < 2) return 0;
    size_t length = frame[1] & 0x7f, at = 2;
    if (length == 126) {
        if (size < 4) return 0;
        length = (size_t)frame[2] << 8 | frame[3];
        at = 4;
    }
    if (size < at + 4 + length) return 0;
    memcpy(answer, frame, at);
    answer[1] &= 0x7f; /* a server does not mask */
    for (size_t i = 0; i < length; i++) answer[at + i] = frame[at + 4 + i] ^ frame[at + i % 4];
    return send(fd, answer, at + length, MSG_NOSIGNAL) < 0 ? 0 : at + 4 + length;
}

static int serve(int fd, Client *client) {
    size_t size = client->size, at = 0, whole;
    if (size) memcpy(room, client->rest, size);
    ssize_t got = recv(fd, room + size, ROOM - size, 0);
    if (got <= 0) return -1;
    size += (size_t)got;
    if (websocket && !client->shaken) at = shake_hands(fd, client, size);
    if (!websocket || client->shaken)
        while ((whole = (websocket ? echo_frame : echo_line)(fd, room + at, size - at))) at += whole;
    client->rest = realloc(client->rest, size - at + 1);
    client->size = size - at;
    memcpy(client->rest, room + at, client->size);
    return 0;
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0), watched = epoll_create1(0);
    struct epoll_event events[EVENTS], event = {.events = EPOLLIN, .data.fd = listener};
    websocket = count > 1 && !strcmp(words[1], "websocket");
    if (bind(listener, (void *)&address, size) || listen(listener, 1024)) return 1;
    getsockname(listener, (void *)&address, &size);
    epoll_ctl(watched, EPOLL_CTL_ADD, listener, &event);
    printf("echo ready on tcp://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(watched, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) {
                fd = accept(listener, NULL, NULL);
                if (fd < 0 || fd >= CLIENTS) return 1;
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                event.data.fd = fd;
                epoll_ctl(watched, EPOLL_CTL_ADD, fd, &event);
            } else if (serve(fd, &clients[fd])) {
                free(clients[fd].rest);
                clients[fd] = (Client){0};
                close(fd);
            }
        }
    }
}
