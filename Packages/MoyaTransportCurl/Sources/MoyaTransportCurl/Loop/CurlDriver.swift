import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// libcurl's multi interface and the transfers it carries. Lives on the loop's thread.
///
/// What is looked at several times for each request is `@exclusivity(unchecked)`, here and in what belongs to the
/// driver: to check each time that no change is under way took a twentieth of a request. libcurl calls back into the
/// driver, so it must not be called within the change of such a property.
final class CurlDriver {
    let configuration: CurlTransport.Configuration
    /// Whether some hosts' certificates are looked at in another way than others'.
    let judgesHosts: Bool
    let poller: any Poller
    let watchdog: StallWatchdog
    /// `nil` where it had to be given up, until the next transfer begins. See ``giveUpMulti(_:)``.
    @exclusivity(unchecked) var multi: UnsafeMutableRawPointer?
    let inbox: Locked<CurlLoop.Inbox>
    /// The time at the last look, in nanoseconds. Looking costs more than most of what it is for.
    var now = LoopClock.now()
    /// When libcurl wants to be called without an event. `nil` is never.
    var timer: UInt64?
    /// When the time of the first transfer may be up. Never late, sometimes early.
    var nextCheck = UInt64.max
    var isRunning = true
    /// Whether a handle goes, and what libcurl does for it by itself with it.
    var isClosingHandle = false

    /// Pieces of tasks that are ready to run, and who runs them. A job keeps its executor alive.
    @exclusivity(unchecked) var jobs: [UnownedJob] = []
    var runJob: ((UnownedJob) -> Void)?
    /// Whether a task runs, and so nobody is inside libcurl.
    var isRunningJob = false
    /// Swapped with the inbox's, so that neither has to grow again.
    @exclusivity(unchecked) var commands: [CurlLoop.Command] = []
    @exclusivity(unchecked) var spareJobs: [UnownedJob] = []

    /// The cookies of every transfer, where they are kept.
    @exclusivity(unchecked) var cookies: CookieJar?
    /// Addresses that stand in for the name system's.
    private(set) var hostOverrides: UnsafeMutablePointer<curl_slist>?
    /// Header fields that a proxy gets.
    private(set) var proxyFields: UnsafeMutablePointer<curl_slist>?

    /// Connections whose certificates an evaluator has accepted, or is about to see.
    @exclusivity(unchecked) var connections = EvaluatedConnections()
    /// TLS connections whose end is the end of a response's body.
    @exclusivity(unchecked) var closingConnections = ClosingConnections()

    /// What the connections' TLS handshakes have read.
    @exclusivity(unchecked) var handshakes = HandshakeLimit()
    /// The sockets of the open connections, where libcurl has to be kept from reading what no request has asked for.
    @exclusivity(unchecked) var sockets = SocketsByEndpoints()
    /// Names that could not be resolved, as `host:port`, until libcurl has forgotten that.
    @exclusivity(unchecked) var failedNames: Set<String> = []

    @exclusivity(unchecked) var active: [CurlHandle] = []
    @exclusivity(unchecked) var idle: [CurlHandle] = []
    @exclusivity(unchecked) var admission: Admission<Transfer>
    /// Transfers that wait for a descriptor.
    @exclusivity(unchecked) var postponed: [Transfer] = []
    /// Transfers whose turn has come, until the loop is not inside of anything else.
    @exclusivity(unchecked) var ready: [Transfer] = []
    @exclusivity(unchecked) var spareReady: [Transfer] = []
    /// Who is to be woken when the loop has done what there was to do.
    @exclusivity(unchecked) var askers: [UnsafeContinuation<Void, Never>] = []
    /// Secure origins whose connections carry many transfers at once, as far as is known.
    var sharing: Set<String> = []
    /// How many of those that wait for a connection have been cancelled.
    var goneCount = 0
    /// How many connections may be open. 0 is no limit.
    let connectionLimit: Int
    /// What counts as one host.
    let hostKeys: HostKeys
    /// How many idle connections may stay.
    let idleLimit: Int
    /// Whether a connection that may be broken is among the idle ones.
    var hasBrokenConnection = false
    /// Whether transfers need the descriptors of the idle connections.
    var mustCloseIdle = false
    /// When a transfer that has been put off is begun again.
    var retryDue: UInt64 = 0
    /// From which descriptor on they are left to the rest of the process.
    var descriptorCeiling: Int32
    /// How many transfers ask for a name.
    var nameCount = 0
    /// When a connection may have been idle for too long.
    var idleDue = UInt64.max
    /// How many connections have been closed.
    var closedCount = 0

    init(
        _ configuration: CurlTransport.Configuration, _ inbox: Locked<CurlLoop.Inbox>,
        shareOf count: Int
    ) throws {
        self.configuration = configuration
        let tls = configuration.tls
        judgesHosts = !tls.pinnedKeys.isEmpty || !tls.dangerouslyUnverifiedHosts.isEmpty
        self.inbox = inbox
        connectionLimit =
            configuration.connectionLimit > 0 ? max(1, configuration.connectionLimit / count) : 0
        descriptorCeiling = Self.makeDescriptorCeiling()
        hostKeys = HostKeys(configuration)
        // More than a process may open, and little enough to be added to.
        idleLimit = min(max(1, configuration.maxIdleConnections / count), 1 << 24)
        admission = Admission(
            total: connectionLimit, perOrigin: max(0, configuration.maxConnectionsPerHost))
        #if os(Linux)
            poller = try EpollPoller()
        #else
            poller = try PollPoller()
        #endif
        do {
            watchdog = try StallWatchdog()
        } catch {
            poller.tearDown()
            throw error
        }
        do {
            try openMulti()
            cookies = try CookieJar(configuration.cookies)
            hostOverrides = try configuration.network.makeOverrides()
            proxyFields = try configuration.proxy.makeFields()
        } catch {
            cookies = nil
            curl_multi_cleanup(multi)
            curl_slist_free_all(hostOverrides)
            poller.tearDown()
            watchdog.stop()
            throw (error as? EasyHandle.OptionError)?.cause ?? error
        }
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlDriver? {
        pointer.map { Unmanaged<CurlDriver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// How many transfers there are.
    var load: Int { active.count + postponed.count + admission.waitingCount }
}
