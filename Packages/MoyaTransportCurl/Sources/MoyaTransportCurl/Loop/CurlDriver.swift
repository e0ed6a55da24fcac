#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// Drives libcurl: what it calls back, and the order of things. What there is to decide, its components decide. Lives on the
/// loop's thread.
///
/// What is looked at several times for each request is `@exclusivity(unchecked)`, here and in what belongs to the
/// driver: to check each time that no change is under way took a twentieth of a request. libcurl calls back into the
/// driver, so it must not be called within the change of such a property.
final class CurlDriver: TransferHost, SocketOwner {
    let configuration: CurlTransport.Configuration
    let context: HandleContext
    let poller: any Poller
    let inbox: Locked<Inbox<CurlLoop.Command>>
    /// What counts as one host.
    let hostKeys: HostKeys

    /// The time at the last look, in nanoseconds. Looking costs more than most of what it is for.
    var now = LoopClock.now()
    var isRunning = true
    @exclusivity(unchecked) var multi: MultiHandle
    @exclusivity(unchecked) var jobs = JobQueue()
    /// Whether a task runs, and so the thread is not inside libcurl.
    var isRunningJob = false
    @exclusivity(unchecked) var handles = HandlePool()
    @exclusivity(unchecked) var queue: ConnectionQueue<Transfer>
    @exclusivity(unchecked) var descriptors = DescriptorBudget<Transfer>()
    @exclusivity(unchecked) var timers = TimerHeap<Transfer>()
    @exclusivity(unchecked) var idleConnections: IdleConnections
    @exclusivity(unchecked) var failedLookups = FailedLookups()
    /// What is to be done when the loop is not inside of anything else.
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
            // More than a process may open, and little enough to be added to.
            limit: min(max(1, configuration.maxIdleConnections / count), 1 << 24),
            keptFor: configuration.maxIdleConnections > 0
                ? CurlHandle.seconds(configuration.idleTimeout) : nil)
        multi = MultiHandle(options)
        #if os(Linux)
        poller = try EpollPoller()
        #else
        poller = try PollPoller()
        #endif
        do {
            context = try HandleContext(configuration, options: options)
        } catch {
            poller.tearDown()
            throw error
        }
        context.socketOwner = self
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

    /// Number of transfers.
    var load: Int { handles.active.count + descriptors.waitingCount + queue.waitingCount }

    func willClose(_ socket: curl_socket_t) {
        idleConnections.noteClosed()
        poller.forget(socket)
    }
}

/// What a loop has put off until it is not inside of anything else.
struct Agenda {
    /// Transfers that begin.
    var ready = SwapBuffer<Transfer>()
    /// Senders to resume: their transfers are over.
    var finished: [UnsafeContinuation<Void, Never>] = []
    /// What has been taken out of the inbox. Swapped with the inbox's, so that neither has to grow again.
    var commands: [CurlLoop.Command] = []
}
#endif
