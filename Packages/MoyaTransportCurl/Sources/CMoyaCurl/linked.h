// Functions of an OpenSSL that is linked into the program statically, where dlsym does not find them.
// A weak reference links nothing: it is null if neither the program nor a loaded library has the
// function.
#ifndef MOYA_CURL_LINKED_H
#define MOYA_CURL_LINKED_H

#include <stddef.h>

#ifdef __ELF__
#include <string.h>

#define MOYA_FUNCTIONS(use) \
    use(GENERAL_NAMES_free) \
    use(OPENSSL_init_crypto) \
    use(OPENSSL_sk_num) \
    use(OPENSSL_sk_value) \
    use(OpenSSL_version) \
    use(SSL_CIPHER_standard_name) \
    use(SSL_CTX_ctrl) \
    use(SSL_CTX_get_verify_mode) \
    use(SSL_CTX_set_msg_callback) \
    use(SSL_CTX_set_verify) \
    use(SSL_get0_alpn_selected) \
    use(SSL_get0_verified_chain) \
    use(SSL_get_SSL_CTX) \
    use(SSL_get_current_cipher) \
    use(SSL_get_peer_cert_chain) \
    use(SSL_get_shutdown) \
    use(SSL_get_verify_result) \
    use(SSL_get_version) \
    use(SSL_pending) \
    use(X509_STORE_CTX_get_current_cert) \
    use(X509_STORE_CTX_get_error_depth) \
    use(X509_STORE_CTX_set_error) \
    use(X509_get_ext_d2i) \
    use(i2d_X509)

// Names of their own, because another module of the program may declare the real ones.
#define MOYA_DECLARE(name) extern void moya_linked_##name(void) __asm__(#name) __attribute__((weak));
MOYA_FUNCTIONS(MOYA_DECLARE)
#undef MOYA_DECLARE

static inline void *moya_linked_function(const char *name) {
#define MOYA_COMPARE(each) if (strcmp(name, #each) == 0) return (void *)moya_linked_##each;
    MOYA_FUNCTIONS(MOYA_COMPARE)
#undef MOYA_COMPARE
    return NULL;
}
#undef MOYA_FUNCTIONS
#else
static inline void *moya_linked_function(const char *name) {
    (void)name;
    return NULL;
}
#endif

#endif
