// A reference client: libcurl with a new handle and a new connection for each request.
//
//   fuzz-reference CA-FILE
//
// Reads lines "METHOD WAY URL". Prints a line of JSON for each: status, body in hexadecimal and
// Content-Encoding, or libcurl's error.
#include <ctype.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LIMIT (4 << 20)
#define CODINGS 4096

typedef struct {
    unsigned char *bytes;
    size_t count;
} buffer;

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
    buffer *body = user;
    if (body->count + count > LIMIT) return 0;
    memcpy(body->bytes + body->count, bytes, count);
    body->count += count;
    return size * count;
}

// Joins the values of Content-Encoding. Keeps letters, digits, commas and hyphens, which need no
// escaping in JSON.
static size_t on_header(char *bytes, size_t size, size_t count, void *user) {
    char *coding = user;
    static const char name[] = "content-encoding:";
    if (strncmp(bytes, "HTTP/", 5) == 0) coding[0] = 0;
    if (count > sizeof(name) && strncasecmp(bytes, name, sizeof(name) - 1) == 0) {
        size_t used = strlen(coding);
        if (used) coding[used++] = ',';
        for (size_t index = sizeof(name) - 1; index < count && used < CODINGS - 1; index++)
            if (isalnum((unsigned char)bytes[index]) || bytes[index] == ',' || bytes[index] == '-')
                coding[used++] = bytes[index];
        coding[used] = 0;
    }
    return size * count;
}

static void answer(const char *certificates, const char *method, const char *way, const char *url) {
    CURL *easy = curl_easy_init();
    buffer body = {.bytes = malloc(LIMIT)};
    char coding[CODINGS] = "";
    if (!easy || !body.bytes) exit(1);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 2000L);
    curl_easy_setopt(easy, CURLOPT_CAINFO, certificates);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, coding);
    if (strcmp(method, "HEAD") == 0) curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    if (strcmp(method, "POST") == 0) curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "question");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
        strcmp(way, "h2c") == 0 ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS);
    CURLcode result = curl_easy_perform(easy);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK) {
        printf("{\"error\": \"%s\"}\n", curl_easy_strerror(result));
    } else {
        printf("{\"status\": %ld, \"coding\": \"%s\", \"body\": \"", status, coding);
        for (size_t index = 0; index < body.count; index++) printf("%02x", body.bytes[index]);
        printf("\"}\n");
    }
    fflush(stdout);
    free(body.bytes);
    curl_easy_cleanup(easy);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    char method[16], way[16], url[512];
    while (scanf("%15s %15s %511s", method, way, url) == 3) answer(arguments[1], method, way, url);
    return 0;
}
