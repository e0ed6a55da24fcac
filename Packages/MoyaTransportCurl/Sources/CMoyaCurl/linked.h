// Tables of the functions of libraries that libcurl uses, looked up at run time: libcurl may be
// built without them. A table is null if one of its functions is missing.
#ifndef MOYA_CURL_LINKED_H
#define MOYA_CURL_LINKED_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// A pointer to a type of such a library, whose headers may be missing.
typedef struct moya_object moya_object;

// `use` gets the type of the result, the name and the arguments. The types have to match the
// library's declarations, except for pointers.
#define MOYA_OPENSSL(use) \
    use(void, GENERAL_NAMES_free, (moya_object *_Nonnull names)) \
    use(int, OPENSSL_sk_num, (moya_object *_Nonnull stack)) \
    use(moya_object *_Nullable, OPENSSL_sk_value, (moya_object *_Nonnull stack, int index)) \
    use(const char *_Nullable, OpenSSL_version, (int kind)) \
    use(const char *_Nullable, SSL_CIPHER_standard_name, (moya_object *_Nonnull cipher)) \
    use(long, SSL_CTX_ctrl, \
        (void *_Nonnull context, int command, long number, void *_Nullable pointer)) \
    use(int, SSL_CTX_get_verify_mode, (void *_Nonnull context)) \
    use(void, SSL_CTX_set_msg_callback, \
        (void *_Nonnull context, moya_message_callback _Nullable callback)) \
    use(void, SSL_CTX_set_verify, \
        (void *_Nonnull context, int mode, moya_verify_callback _Nullable callback)) \
    use(void, SSL_get0_alpn_selected, \
        (moya_object *_Nonnull connection, const unsigned char *_Nullable *_Nonnull name, \
         unsigned *_Nonnull length)) \
    use(moya_object *_Nullable, SSL_get0_verified_chain, (moya_object *_Nonnull connection)) \
    use(void *_Nullable, SSL_get_SSL_CTX, (moya_object *_Nonnull connection)) \
    use(moya_object *_Nullable, SSL_get_current_cipher, (moya_object *_Nonnull connection)) \
    use(moya_object *_Nullable, SSL_get_peer_cert_chain, (moya_object *_Nonnull connection)) \
    use(int, SSL_get_shutdown, (moya_object *_Nonnull connection)) \
    use(long, SSL_get_verify_result, (moya_object *_Nonnull connection)) \
    use(const char *_Nullable, SSL_get_version, (moya_object *_Nonnull connection)) \
    use(int, SSL_pending, (moya_object *_Nonnull connection)) \
    use(moya_object *_Nullable, X509_STORE_CTX_get_current_cert, \
        (moya_object *_Nonnull verification)) \
    use(int, X509_STORE_CTX_get_error_depth, (moya_object *_Nonnull verification)) \
    use(void, X509_STORE_CTX_set_error, (moya_object *_Nonnull verification, int error)) \
    use(moya_object *_Nullable, X509_get_ext_d2i, \
        (moya_object *_Nonnull certificate, int kind, int *_Nullable isCritical, \
         int *_Nullable index)) \
    use(int, i2d_X509, \
        (moya_object *_Nonnull certificate, unsigned char *_Nullable *_Nullable output))

typedef void (*moya_message_callback)(int, int, int, const void *_Nullable, size_t,
    moya_object *_Nullable, void *_Nullable);
typedef int (*moya_verify_callback)(int, moya_object *_Nullable);

#define MOYA_BROTLI(use) \
    use(moya_object *_Nullable, BrotliDecoderCreateInstance, \
        (void *_Nullable allocate, void *_Nullable release, void *_Nullable user)) \
    use(int, BrotliDecoderDecompressStream, \
        (moya_object *_Nonnull state, void *_Nonnull available, void *_Nonnull input, \
         void *_Nonnull room, void *_Nonnull output, void *_Nullable total)) \
    use(void, BrotliDecoderDestroyInstance, (moya_object *_Nonnull state))

#define MOYA_ZSTANDARD(use) \
    use(size_t, ZSTD_DCtx_setParameter, (moya_object *_Nonnull stream, int parameter, int value)) \
    use(moya_object *_Nullable, ZSTD_createDStream, (void)) \
    use(size_t, ZSTD_decompressStream, \
        (moya_object *_Nonnull stream, void *_Nonnull output, void *_Nonnull input)) \
    use(size_t, ZSTD_freeDStream, (moya_object *_Nonnull stream)) \
    use(const char *_Nonnull, ZSTD_getErrorName, (size_t code)) \
    use(unsigned, ZSTD_isError, (size_t code))

#define MOYA_FIELD(result, name, arguments) result (*_Nonnull name) arguments;
typedef struct { MOYA_OPENSSL(MOYA_FIELD) } moya_openssl;
typedef struct { MOYA_BROTLI(MOYA_FIELD) } moya_brotli;
typedef struct { MOYA_ZSTANDARD(MOYA_FIELD) } moya_zstandard;
#undef MOYA_FIELD

// Defines a function that returns a table, filled once by `find`. The process's handle is never
// closed.
#define MOYA_TABLE(type, function, list, find) \
    static inline const type *_Nullable function(void) { \
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; \
        static type table; \
        static int isFilled = 0, isWhole = 1; \
        pthread_mutex_lock(&lock); \
        if (!isFilled) { \
            void *process = dlopen(NULL, RTLD_LAZY); \
            (void)process; \
            list(find) \
            isFilled = 1; \
        } \
        int result = isWhole; \
        pthread_mutex_unlock(&lock); \
        return result ? &table : NULL; \
    }

#define MOYA_FIND_LOADED(result, name, arguments) { \
        void *found = process ? dlsym(process, #name) : NULL; \
        table.name = (result (*) arguments)found; \
        if (!found) isWhole = 0; \
    }
MOYA_TABLE(moya_openssl, moya_openssl_loaded, MOYA_OPENSSL, MOYA_FIND_LOADED)
MOYA_TABLE(moya_brotli, moya_brotli_loaded, MOYA_BROTLI, MOYA_FIND_LOADED)
MOYA_TABLE(moya_zstandard, moya_zstandard_loaded, MOYA_ZSTANDARD, MOYA_FIND_LOADED)
#undef MOYA_FIND_LOADED

// An OpenSSL that is linked into the program statically, where dlsym does not find it.
//
// A weak reference links nothing: it is null if neither the program nor a loaded library has the
// function. The names are others than OpenSSL's, because another module of the program may declare
// those.
#ifdef __ELF__
#define MOYA_DECLARE(result, name, arguments) \
    extern result moya_linked_##name arguments __asm__(#name) __attribute__((weak));
MOYA_OPENSSL(MOYA_DECLARE)
MOYA_DECLARE(int, OPENSSL_init_crypto, (uint64_t options, const void *_Nullable settings))
#undef MOYA_DECLARE

#define MOYA_FIND_LINKED(result, name, arguments) \
    table.name = moya_linked_##name; \
    if (!moya_linked_##name) isWhole = 0;
MOYA_TABLE(moya_openssl, moya_openssl_linked, MOYA_OPENSSL, MOYA_FIND_LINKED)
#undef MOYA_FIND_LINKED
#else
static inline const moya_openssl *_Nullable moya_openssl_linked(void) { return NULL; }
#endif
#undef MOYA_TABLE

// Makes OpenSSL keep its memory when the process exits. Has no effect if other code has initialized
// it before.
static inline void moya_keep_openssl_at_exit(void) {
    const uint64_t withoutAtExit = 0x80000; // OPENSSL_INIT_NO_ATEXIT
    typedef int (*initialize)(uint64_t, const void *_Nullable);
    void *process = dlopen(NULL, RTLD_LAZY);
    initialize loaded = process ? (initialize)dlsym(process, "OPENSSL_init_crypto") : NULL;
    if (loaded) loaded(withoutAtExit, NULL);
#ifdef __ELF__
    initialize linked = moya_linked_OPENSSL_init_crypto;
    if (linked) linked(withoutAtExit, NULL);
#endif
}

#endif
