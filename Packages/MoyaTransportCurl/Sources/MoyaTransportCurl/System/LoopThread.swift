#if CURL
import CMoyaCurl
import Foundation

/// Starts threads for loops, and identifies the loop of the current thread.
enum LoopThread {
    /// Thread-local key for the thread's runner. `nil` if the process has no key left: then
    /// no thread counts as a loop's, and every command goes through the inbox.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private final class Work {
        let perform: () -> Void

        init(_ perform: @escaping () -> Void) { self.perform = perform }
    }

    /// Starts a detached thread that runs `work`. Foundation's `Thread` does not report that the
    /// system refused a thread.
    ///
    /// - Throws: `POSIXError` if the system cannot create a thread.
    static func start(named name: String = "moya.curl", _ work: @escaping () -> Void) throws {
        let box = Unmanaged.passRetained(
            Work {
                // Debuggers and `ps` show the name.
                Thread.current.name = name
                work()
            })
        let code = moya_start_thread(
            { work in
                work.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().perform() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw POSIXError(.init(rawValue: code) ?? .EAGAIN)
        }
    }

    /// Marks the calling thread as that of `runner`, which outlives the thread.
    static func setCurrent(_ runner: AnyObject) {
        if let key { pthread_setspecific(key, Unmanaged.passUnretained(runner).toOpaque()) }
    }

    /// Whether the calling thread is that of `runner`.
    static func isThread(of runner: AnyObject) -> Bool {
        key.flatMap { pthread_getspecific($0) } == Unmanaged.passUnretained(runner).toOpaque()
    }

    /// Blocks SIGPIPE on this thread. OpenSSL writes to connections that the peer has closed with
    /// calls that raise it, and libcurl with `CURLOPT_NOSIGNAL` does not ignore it. Other threads
    /// are not affected.
    static func blockSIGPIPE() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// The loops' monotonic clock.
enum LoopClock {
    /// Nanoseconds since an arbitrary fixed time.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Converts `seconds` to nanoseconds. `nil`, meaning no timeout, for 0, negative and non-finite
    /// values, and from 1e9 on.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64? {
        seconds > 0 && seconds < 1e9 ? UInt64(seconds * 1e9) : nil
    }
}
#endif
