#if CURL
import Foundation

/// Starts threads for loops, and knows which loop's thread runs.
enum LoopThread {
    /// `nil` when the process has used up its thousand keys. Then no thread is a loop's, and everything goes through
    /// the inbox.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private final class Work {
        let name: String
        let perform: () -> Void

        init(_ name: String, _ perform: @escaping () -> Void) {
            self.name = name
            self.perform = perform
        }
    }

    /// Starts a thread that does `work`. Foundation's does not say when the system refuses one.
    ///
    /// - Throws: `POSIXError`.
    static func start(named name: String = "moya.curl", _ work: @escaping () -> Void) throws {
        let work = Unmanaged.passRetained(Work(name, work))
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, nil, { LoopThread.perform($0) }, work.toOpaque())
        #else
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil, { $0.flatMap(LoopThread.perform) }, work.toOpaque())
        #endif
        guard code == 0 else {
            work.release()
            throw POSIXError(.init(rawValue: code) ?? .EAGAIN)
        }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }

    private static func perform(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let work = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
        // Shown by the system's tools.
        Thread.current.name = work.name
        work.perform()
        return nil
    }

    /// Says that the calling thread is that of `driver`, which outlives it.
    static func belongs(to driver: AnyObject) {
        if let key { pthread_setspecific(key, Unmanaged.passUnretained(driver).toOpaque()) }
    }

    /// Keeps SIGPIPE from ending the process: OpenSSL writes to connections that the peer has closed in a way
    /// that raises it, and libcurl, told to leave signals alone, leaves that one alone as well. Blocked on
    /// this thread, it concerns no other thread.
    static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    static func isThread(of driver: AnyObject) -> Bool {
        guard let key else { return false }
        return pthread_getspecific(key) == Unmanaged.passUnretained(driver).toOpaque()
    }
}
#endif
