import Foundation

/// Knows which driver's thread runs.
enum LoopThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Fails only when a process has used up its thousand keys. Then no thread is a loop's, and
        // everything goes through the inbox.
        pthread_key_create(&key, nil)
        return key
    }()

    /// Says that the calling thread is `driver`'s, which outlives it.
    static func belongs(to driver: CurlDriver) {
        pthread_setspecific(key, Unmanaged.passUnretained(driver).toOpaque())
    }

    /// Keeps SIGPIPE from ending the process: OpenSSL writes to connections that the peer has closed in a way
    /// that raises it, and libcurl, told to leave signals alone, leaves that one alone as well. Blocked on
    /// this thread, it concerns nobody else.
    static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    static func isThread(of driver: CurlDriver) -> Bool {
        pthread_getspecific(key) == Unmanaged.passUnretained(driver).toOpaque()
    }
}
