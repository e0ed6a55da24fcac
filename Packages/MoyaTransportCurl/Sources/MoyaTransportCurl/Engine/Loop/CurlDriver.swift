#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// Runs libcurl: handles its callbacks and orders the steps of the loop. Decisions are made by the
/// components it holds. Used on the loop's thread only.
///
/// Properties that are used several times in each request are `@exclusivity(unchecked)`, here and
/// in the types that belong to the driver. The run-time check took a twentieth of a request.
/// libcurl calls back into the driver, so do not call libcurl while such a property is being
/// modified.
final class CurlDriver {
    let configuration: CurlTransport.Configuration
    let context: HandleContext
    let poller: Poller
    let inbox: Locked<Inbox<CurlLoop.Command>>
    /// Names the host that a connection counts for.
    let hostKeys: HostKeys
    let jobs = JobQueue<UnownedJob>()

    /// The clock's time when it was last read, in nanoseconds. Reading it costs more than most of
    /// its uses.
    var now = LoopClock.now()
    var isRunning = true
    @exclusivity(unchecked) var multi: MultiHandle
    @exclusivity(unchecked) var handles = HandlePool<CurlHandle>()
    @exclusivity(unchecked) var queue: ConnectionQueue<Transfer>
    @exclusivity(unchecked) var descriptors = DescriptorBudget<Transfer>()
    @exclusivity(unchecked) var timers = TimerHeap<Transfer>()
    @exclusivity(unchecked) var idleConnections: IdleConnections
    @exclusivity(unchecked) var failedLookups = FailedLookups()
    @exclusivity(unchecked) var forgottenAddresses = ForgottenAddresses()
    @exclusivity(unchecked) var lostWakes = LostWakes()
    /// Work for when neither libcurl nor a job is running.
    @exclusivity(unchecked) var agenda = Agenda()

    init(
        _ configuration: CurlTransport.Configuration, _ inbox: Locked<Inbox<CurlLoop.Command>>,
        shareOf count: Int, options: OptionCheck
    ) throws {
        self.configuration = configuration
        self.inbox = inbox
        hostKeys = HostKeys(configuration)
        let limit = configuration.connectionLimit
        queue = ConnectionQueue(
            total: limit > 0 ? max(1, limit / count) : 0,
            perHost: max(0, configuration.maxConnectionsPerHost))
        idleConnections = IdleConnections(
            // The upper bound exceeds any descriptor limit, and leaves room for additions.
            limit: min(max(1, configuration.maxIdleConnections / count), 1 << 24),
            keptFor: configuration.maxIdleConnections > 0
                ? CurlHandle.seconds(configuration.idleTimeout) : nil)
        multi = MultiHandle(options)
        #if os(Linux)
        poller = try EpollPoller(waker: .event())
        #else
        poller = try PollPoller()
        #endif
        do {
            context = try HandleContext(configuration, options: options)
        } catch {
            poller.tearDown()
            throw error
        }
        context.driver = self
        do {
            try openMulti()
        } catch {
            context.release()
            poller.tearDown()
            throw error
        }
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlDriver? {
        pointer.map { Unmanaged<CurlDriver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The number of transfers, running or queued.
    var load: Int { handles.active.count + descriptors.waitingCount + queue.waitingCount }

    /// libcurl is about to close `socket`.
    func willClose(_ socket: curl_socket_t) {
        idleConnections.noteClosed()
        forgottenAddresses.noteClosed(socket)
        poller.forget(socket)
    }
}

/// Work that the loop defers until neither libcurl nor a job is running.
struct Agenda {
    /// Transfers to start.
    var ready = SwapBuffer<Transfer>()
    /// Continuations of finished transfers, to resume.
    var finished: [UnsafeContinuation<Void, Never>] = []
    /// The commands taken from the inbox. The array is swapped with the inbox's, so that the
    /// storage is reused.
    var commands: [CurlLoop.Command] = []
}
#endif
