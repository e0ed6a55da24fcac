// The upper limit for clients built on libcurl: its multi interface on epoll, with one thread and
// reused easy handles.
//
//   bench-limit URL --requests N --in-flight N [--warm-up N] [--ca FILE]
//               [--download FILE | --upload FILE] [--keep 1] [--fresh 1]
//
// With --keep, a socket that libcurl no longer watches stays registered with epoll until it is
// closed, or becomes ready while libcurl does not watch it.
// With --fresh, each request gets a new easy handle.
// Stores header and body of every response, as a client must, and prints one line of JSON.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    char *bytes;
    size_t count, capacity;
} buffer;

typedef struct {
    CURL *easy;
    buffer head, body;
    FILE *file;
    int64_t started;
} slot;

static struct {
    const char *url, *ca, *download, *upload;
    long requests, in_flight, warm_up, keep, fresh;
} options = {.requests = 10000, .in_flight = 64, .warm_up = -1};

static CURLM *multi;
static int epoll;
static long timeout_ms = -1;
static long started, finished, failed;
static int64_t *latencies;

static void die(const char *what) {
    fprintf(stderr, "bench-limit: %s\n", what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000
        + ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

static long peak_kib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static bool append(buffer *buffer, const char *bytes, size_t count, size_t guess) {
    if (buffer->count + count > buffer->capacity) {
        size_t capacity = buffer->capacity * 2;
        if (capacity < buffer->count + count) capacity = buffer->count + count;
        if (capacity < guess) capacity = guess;
        char *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *user) {
    return append(&((slot *)user)->head, bytes, size * count, 512) ? size * count : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
    slot *slot = user;
    if (options.download) return fwrite(bytes, size, count, slot->file);
    curl_off_t length = 0;
    curl_easy_getinfo(slot->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    size_t guess = length > 0 && length < 1 << 20 ? (size_t)length : 0;
    return append(&slot->body, bytes, size * count, guess) ? size * count : 0;
}

static size_t on_read(char *bytes, size_t size, size_t count, void *user) {
    return fread(bytes, size, count, ((slot *)user)->file);
}

// With --keep: the events that epoll watches, by descriptor, and whether libcurl no longer watches
// the socket.
static struct {
    uint32_t events;
    bool is_resting;
} watched[1 << 16];

static int watch(curl_socket_t socket, int what) {
    if (socket >= 1 << 16) die("too many descriptors");
    watched[socket].is_resting = what == CURL_POLL_REMOVE;
    if (what == CURL_POLL_REMOVE) return 0;
    uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    if (watched[socket].events == events) return 0;
    struct epoll_event event = {.events = events, .data.fd = socket};
    epoll_ctl(epoll, watched[socket].events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    watched[socket].events = events;
    return 0;
}

static void forget(curl_socket_t socket) {
    if (watched[socket].events) epoll_ctl(epoll, EPOLL_CTL_DEL, socket, NULL);
    watched[socket].events = 0;
}

static int on_close(void *user, curl_socket_t socket) {
    (void)user;
    forget(socket);
    return close(socket);
}

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *user, void *known) {
    (void)easy;
    (void)user;
    if (options.keep) return watch(socket, what);
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    struct epoll_event event = {.data.fd = socket};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    epoll_ctl(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(multi, socket, &multi);
    return 0;
}

static int on_timer(CURLM *handle, long milliseconds, void *user) {
    (void)handle;
    (void)user;
    timeout_ms = milliseconds;
    return 0;
}

static void start(slot *slot) {
    slot->head.count = 0;
    slot->body = (buffer){0};
    if (options.download) {
        slot->file = fopen(options.download, "wb");
        // Unbuffered: the pieces from libcurl are large enough.
        if (slot->file) setvbuf(slot->file, NULL, _IONBF, 0);
    }
    if (options.upload) slot->file = fopen(options.upload, "rb");
    slot->started = now();
    started++;
    if (curl_multi_add_handle(multi, slot->easy) != CURLM_OK) die("cannot add a handle");
}

static void prepare(slot *slot) {
    CURL *easy = slot->easy = curl_easy_init();
    if (!easy) die("out of memory");
    curl_easy_setopt(easy, CURLOPT_URL, options.url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "bench");
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, slot);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
    if (options.keep) curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    if (strncmp(options.url, "https", 5) == 0) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    if (options.ca) curl_easy_setopt(easy, CURLOPT_CAINFO, options.ca);
    if (options.download) curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 256L << 10);
    if (options.upload) {
        struct stat status;
        if (stat(options.upload, &status) != 0) die("cannot read the file to upload");
        static struct curl_slist no_expect = {"Expect:", NULL};
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, &no_expect);
        curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
        curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(easy, CURLOPT_READDATA, slot);
    }
}

static void finish(CURLMsg *message, long total) {
    slot *slot = NULL;
    long status = 0;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &slot);
    curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
    if (message->data.result != CURLE_OK || status / 100 != 2) {
        if (failed++ == 0)
            fprintf(stderr, "bench-limit: %s, status %ld\n", curl_easy_strerror(message->data.result), status);
    }
    if (slot->file) fclose(slot->file);
    slot->file = NULL;
    free(slot->body.bytes);
    if (latencies) latencies[finished] = now() - slot->started;
    finished++;
    curl_multi_remove_handle(multi, message->easy_handle);
    if (options.fresh) {
        curl_easy_cleanup(slot->easy);
        prepare(slot);
    }
    if (started < total) start(slot);
}

static void run(slot *slots, long total) {
    started = finished = 0;
    long first = options.in_flight < total ? options.in_flight : total;
    for (long index = 0; index < first; index++) start(&slots[index]);
    struct epoll_event events[256];
    while (finished < total) {
        int count = epoll_wait(epoll, events, 256, timeout_ms < 0 ? 1000 : (int)timeout_ms);
        int running = 0;
        for (int index = 0; index < count; index++) {
            int bits = (events[index].events & EPOLLIN ? CURL_CSELECT_IN : 0)
                | (events[index].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
                | (events[index].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
            int descriptor = events[index].data.fd;
            if (options.keep && watched[descriptor].is_resting)
                forget(descriptor);
            else
                curl_multi_socket_action(multi, descriptor, bits, &running);
        }
        if (count <= 0 || timeout_ms == 0) {
            timeout_ms = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left)))
            if (message->msg == CURLMSG_DONE) finish(message, total);
    }
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void read_options(int count, char **arguments) {
    if (count < 2) die("usage: bench-limit URL [--requests N] [--in-flight N] ...");
    options.url = arguments[1];
    for (int index = 2; index + 1 < count; index += 2) {
        const char *name = arguments[index], *value = arguments[index + 1];
        if (strcmp(name, "--requests") == 0) options.requests = atol(value);
        else if (strcmp(name, "--in-flight") == 0) options.in_flight = atol(value);
        else if (strcmp(name, "--warm-up") == 0) options.warm_up = atol(value);
        else if (strcmp(name, "--ca") == 0) options.ca = value;
        else if (strcmp(name, "--keep") == 0) options.keep = atol(value);
        else if (strcmp(name, "--fresh") == 0) options.fresh = atol(value);
        else if (strcmp(name, "--download") == 0) options.download = value;
        else if (strcmp(name, "--upload") == 0) options.upload = value;
        else die("unknown option");
    }
    if (options.warm_up < 0) options.warm_up = options.in_flight * 2;
}

int main(int count, char **arguments) {
    read_options(count, arguments);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    epoll = epoll_create1(EPOLL_CLOEXEC);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, options.in_flight + 16);
    // Before the handles are created, as in the other clients.
    long idle = peak_kib();
    slot *slots = calloc((size_t)options.in_flight, sizeof(slot));
    for (long index = 0; index < options.in_flight; index++) prepare(&slots[index]);
    run(slots, options.warm_up);

    latencies = calloc((size_t)options.requests, sizeof(int64_t));
    int64_t wall_start = now(), cpu_start = cpu();
    run(slots, options.requests);
    int64_t wall = now() - wall_start, busy = cpu() - cpu_start;
    qsort(latencies, (size_t)options.requests, sizeof(int64_t), ascending);
    printf("{\"requests\": %ld, \"failed\": %ld, \"wall\": %.6f, \"cpu\": %.6f, \"p50\": %.6f, \"p99\": %.6f, "
           "\"peak_kib\": %ld, \"idle_kib\": %ld}\n",
        options.requests, failed, wall / 1e9, busy / 1e9, latencies[options.requests / 2] / 1e9,
        latencies[options.requests * 99 / 100] / 1e9, peak_kib(), idle);
    return failed ? 1 : 0;
}
