// Swift cannot call variadic C functions, so there is a function for each type of argument.
#ifndef MOYA_CURL_SHIM_H
#define MOYA_CURL_SHIM_H

#ifdef __APPLE__
#include <TargetConditionals.h>
#endif

// Among Apple's systems only macOS has libcurl.
#if !defined(__APPLE__) || TARGET_OS_OSX

#include <curl/curl.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <zlib.h>

#include "linked.h"

#ifdef __linux__
// Glibc's Swift module lacks these.
#include <sys/epoll.h>
#include <sys/eventfd.h>

// The flags are an enumeration in glibc, and macros in musl and Bionic. These functions have one
// type.
static inline uint32_t moya_epoll_in(void) { return EPOLLIN; }
static inline uint32_t moya_epoll_out(void) { return EPOLLOUT; }
static inline uint32_t moya_epoll_broken(void) { return EPOLLERR | EPOLLHUP; }
static inline uint32_t moya_epoll_edge(void) { return EPOLLET; }
#endif

// C libraries declare pthread_t as a number, a pointer or a structure.
static inline int moya_start_thread(void *(*perform)(void *), void *argument) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, perform, argument);
    if (code == 0) pthread_detach(thread);
    return code;
}

// Opens a socket that child processes do not inherit. Some systems cannot set the flag when the
// socket is opened.
static inline int moya_open_socket(int family, int kind, int protocol) {
#ifdef SOCK_CLOEXEC
    return socket(family, kind | SOCK_CLOEXEC, protocol);
#else
    int descriptor = socket(family, kind, protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

// The limit on open descriptors. -1 if it is unknown.
static inline int64_t moya_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

static inline CURLcode moya_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode moya_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode moya_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

// `value` points to a variable of the type that `info` requires.
static inline CURLcode moya_easy_get(CURL *easy, CURLINFO info, void *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode moya_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode moya_multi_set_pointer(
    CURLM *multi, CURLMoption option, const void *value) {
    return curl_multi_setopt(multi, option, value);
}

// Swift imports the message's union as an opaque pointer.
static inline CURLcode moya_message_result(const CURLMsg *message) {
    return message->data.result;
}

static inline CURLcode moya_easy_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

// libcurl 7.85 replaced the bit masks of protocols by text.
static inline CURLcode moya_easy_allow_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// The option that moya_easy_allow_only_http sets. Newer headers deprecate the bit mask.
static inline CURLoption moya_protocols_option(void) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return CURLOPT_PROTOCOLS_STR;
#else
    return CURLOPT_PROTOCOLS;
#endif
}

// Without CURLOPT_QUICK_EXIT, a transfer that ends during a lookup waits for the system's resolver.
static inline CURLcode moya_easy_leave_resolver(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

// HTTP/3 is older than CURL_HTTP_VERSION_3ONLY, which needs libcurl 7.88.
static inline long moya_http_version_3_only(void) {
#if LIBCURL_VERSION_NUM >= 0x075800
    return CURL_HTTP_VERSION_3ONLY;
#else
    return 31;
#endif
}

// The certificate file and folder that libcurl was built with. libcurl before 7.84 does not report
// them.
static inline CURLcode moya_easy_get_authorities(CURL *easy, const char **file, const char **folder) {
#if LIBCURL_VERSION_NUM >= 0x075400
    CURLcode code = curl_easy_getinfo(easy, CURLINFO_CAINFO, file);
    return code != CURLE_OK ? code : curl_easy_getinfo(easy, CURLINFO_CAPATH, folder);
#else
    (void)easy; (void)file; (void)folder;
    return CURLE_UNKNOWN_OPTION;
#endif
}

static inline long moya_auth_mask(int basic, int digest, int negotiate) {
    return (long)((basic ? CURLAUTH_BASIC : 0) | (digest ? CURLAUTH_DIGEST : 0) | (negotiate ? CURLAUTH_NEGOTIATE : 0));
}

// With a single scheme in the mask libcurl would send the credential without a challenge. This bit
// prevents that.
static inline long moya_auth_when_asked(long mask) {
    return (long)((unsigned long)mask | CURLAUTH_ONLY);
}

static inline CURLSHcode moya_share_set_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

// Swift's Synchronization module needs macOS 15.
static inline void moya_atomic_store(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

static inline uint64_t moya_atomic_load(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static inline size_t moya_read_abort(void) { return CURL_READFUNC_ABORT; }
static inline size_t moya_read_pause(void) { return CURL_READFUNC_PAUSE; }
static inline size_t moya_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline curl_version_info_data *moya_version_info(void) { return curl_version_info(CURLVERSION_NOW); }
static inline CURLcode moya_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
#endif
