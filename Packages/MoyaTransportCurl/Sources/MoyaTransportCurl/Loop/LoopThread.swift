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

    static func isThread(of driver: CurlDriver) -> Bool {
        pthread_getspecific(key) == Unmanaged.passUnretained(driver).toOpaque()
    }
}
