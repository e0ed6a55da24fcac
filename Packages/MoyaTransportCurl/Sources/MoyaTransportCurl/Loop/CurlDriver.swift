import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// libcurl's multi interface and the transfers it carries. Lives on the loop's thread.
final class CurlDriver {
    let configuration: CurlTransport.Configuration
    let poller: any Poller
    let multi: UnsafeMutableRawPointer
    let inbox: Locked<CurlLoop.Inbox>
    /// The time at the last look, in nanoseconds. Looking costs more than most of what it is for.
    var now = Clock.now()
    /// When libcurl wants to be called without an event. `nil` is never.
    var timer: UInt64?
    /// When the time of the first transfer may be up. Never late, sometimes early.
    var nextCheck = UInt64.max
    var isRunning = true

    /// Pieces of tasks that are ready to run, and who runs them. A job keeps its executor alive.
    var jobs: [UnownedJob] = []
    var runJob: ((UnownedJob) -> Void)?
    /// Whether a task runs, and so nobody is inside libcurl.
    var isRunningJob = false
    /// Swapped with the inbox's, so that neither has to grow again.
    var commands: [CurlLoop.Command] = []
    var spareJobs: [UnownedJob] = []

    /// The cookies of every transfer, where they are kept.
    private(set) var cookies: CookieJar?
    /// Addresses that stand in for the name system's.
    private(set) var hostOverrides: UnsafeMutablePointer<curl_slist>?

    /// Connections whose certificates an evaluator has accepted.
    var trusted: Set<TrustedConnection> = []

    private(set) var active: [CurlHandle] = []
    private var idle: [CurlHandle] = []
    private var admission: Admission<Transfer>
    /// Transfers for which the process had no descriptor left, until another one ends.
    private var postponed: [Transfer] = []

    /// How many handles are kept for reuse whatever there is to do. Each holds a few KiB. Under load there may be
    /// as many as are in use: to make them anew for each request costs time, and leaves the memory in pieces.
    private static let leastIdleHandles = 256

    init(
        _ configuration: CurlTransport.Configuration, _ inbox: Locked<CurlLoop.Inbox>,
        shareOf count: Int
    ) throws {
        self.configuration = configuration
        self.inbox = inbox
        let limit = configuration.connectionLimit / count
        admission = Admission(total: limit, perOrigin: max(0, configuration.maxConnectionsPerHost))
        #if os(Linux)
            poller = try EpollPoller()
        #else
            poller = try PollPoller()
        #endif
        guard let multi = curl_multi_init() else {
            poller.tearDown()
            throw CurlError(CURLE_OUT_OF_MEMORY)
        }
        self.multi = UnsafeMutableRawPointer(multi)
        do {
            try set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerHost)
            try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, limit)
            try set(CURLMOPT_MAXCONNECTS, configuration.maxIdleConnections)
            try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
            cookies = try CookieJar(configuration.cookies)
            hostOverrides = try configuration.network.makeOverrides()
        } catch {
            cookies = nil
            curl_multi_cleanup(multi)
            poller.tearDown()
            throw error
        }
    }

    private func set(_ option: CURLMoption, _ value: Int) throws {
        let code = moya_multi_set_long(multi, option, max(0, value))
        guard code == CURLM_OK else { throw CurlError(code) }
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlDriver? {
        pointer.map { Unmanaged<CurlDriver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// How many transfers there are.
    var load: Int { active.count + admission.waitingCount }

    // MARK: Beginnings

    /// Starts `transfer` as soon as it may have a connection.
    func start(_ transfer: Transfer) {
        guard isRunning, !transfer.isCancelled else {
            return transfer.finish(.failure(URLError(.cancelled)))
        }
        guard admission.isLimited, hasConnectionOfItsOwn(transfer) else { return begin(transfer) }
        transfer.isCounted = true
        if admission.enterFreely() { return begin(transfer) }
        transfer.started = now
        let origin = origin(of: transfer)
        transfer.origin = origin
        if admission.enter(transfer, for: origin) {
            begin(transfer)
        } else {
            nextCheck = min(nextCheck, transfer.waitingDue(configuration))
        }
    }

    /// Whether `transfer` cannot share a connection. Those that can are counted by libcurl, which alone
    /// knows whether they do.
    private func hasConnectionOfItsOwn(_ transfer: Transfer) -> Bool {
        switch configuration.httpVersion {
        case .http1: true
        case .http2PriorKnowledge: false
        case .automatic, .http3: transfer.url?.scheme?.lowercased() == "http"
        }
    }

    private func origin(of transfer: Transfer) -> String {
        let url = transfer.url
        return "\(url?.scheme?.lowercased() ?? "")://\(url?.host ?? ""):\(url?.port ?? 0)"
    }

    private func begin(_ transfer: Transfer) {
        guard let handle = idle.popLast() ?? CurlHandle(driver: self) else {
            let error = URLError(
                CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: transfer.url)
            return giveUp(transfer, error)
        }
        do {
            try transfer.configure(handle)
            let code = curl_multi_add_handle(multi, handle.easy.raw)
            guard code == CURLM_OK else { throw CurlError(code) }
        } catch {
            giveBack(handle)
            return giveUp(transfer, error)
        }
        handle.index = active.count
        active.append(handle)
        transfer.started = now
        transfer.lastActivity = now
        nextCheck = min(nextCheck, transfer.due(configuration).time)
    }

    private func giveUp(_ transfer: Transfer, _ error: any Error) {
        transfer.finish(.failure(error))
        leave(transfer)
    }

    // MARK: Ends

    func cancel(_ transfer: Transfer) {
        transfer.isCancelled = true
        end(transfer, with: URLError(.cancelled))
    }

    /// Ends a transfer that is under way or waits for a connection. Does nothing to one that is over.
    func end(_ transfer: Transfer, with error: any Error) {
        if let handle = transfer.handle {
            release(handle)
            giveUp(transfer, error)
        } else {
            // Where it waits, it is passed over when its turn comes.
            transfer.isCancelled = true
            transfer.finish(.failure(error))
        }
    }

    func finishWhatIsDone() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle else {
                continue
            }
            guard let handle = CurlHandle.of(raw), let transfer = handle.transfer else { continue }
            let code = moya_message_result(message)
            if isForWantOfDescriptors(code, transfer) {
                release(handle)
                transfer.startOver()
                postponed.append(transfer)
                continue
            }
            if transfer.failure is UnjudgedConnection, transfer.unjudgedCount < 3 {
                release(handle)
                transfer.startOver()
                transfer.unjudgedCount += 1
                begin(transfer)
                continue
            }
            let result = transfer.result(code, of: handle)
            release(handle)
            transfer.finish(result)
            leave(transfer)
        }
    }

    /// Whether a transfer failed only because the process has every descriptor it may have, and another transfer
    /// is going to free one.
    private func isForWantOfDescriptors(_ code: CURLcode, _ transfer: Transfer) -> Bool {
        guard code != CURLE_OK, active.count > 1, !transfer.isCancelled else { return false }
        if transfer.lacksDescriptor { return true }
        // The resolver does not say why it failed.
        guard code == CURLE_COULDNT_RESOLVE_HOST else { return false }
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard probe >= 0 else { return errno == EMFILE || errno == ENFILE }
        close(probe)
        return false
    }

    /// Lets the next ones in, now that `transfer` is over.
    private func leave(_ transfer: Transfer) {
        resumePostponed()
        free(transfer)
    }

    private func resumePostponed() {
        while !postponed.isEmpty {
            let next = postponed.removeFirst()
            guard next.isCancelled else { return begin(next) }
            free(next)
        }
    }

    /// Hands `transfer`'s connection on, where it is counted.
    private func free(_ transfer: Transfer) {
        guard transfer.isCounted else { return }
        transfer.isCounted = false
        var origin = transfer.origin
        while let next = admission.leave(origin) {
            guard next.element.isCancelled else { return begin(next.element) }
            origin = next.origin
            next.element.isCounted = false
        }
    }

    private func release(_ handle: CurlHandle) {
        let last = active.removeLast()
        if last !== handle {
            active[handle.index] = last
            last.index = handle.index
        }
        _ = curl_multi_remove_handle(multi, handle.easy.raw)
        giveBack(handle)
    }

    private func giveBack(_ handle: CurlHandle) {
        handle.clear()
        idle.append(handle)
        while idle.count > max(Self.leastIdleHandles, active.count) { idle.removeLast() }
    }

    // MARK: Time

    /// Ends every transfer whose time is up.
    func checkTimes() {
        nextCheck = .max
        for transfer in active.compactMap(\.transfer) {
            let due = transfer.due(configuration)
            if due.time > now {
                nextCheck = min(nextCheck, due.time)
            } else {
                end(transfer, with: transfer.timeout(due.1))
            }
        }
        guard admission.isLimited || !postponed.isEmpty else { return }
        for transfer in postponed + admission.waiting where !transfer.isCancelled {
            let due = transfer.waitingDue(configuration)
            if due > now {
                nextCheck = min(nextCheck, due)
            } else {
                end(transfer, with: transfer.timeout(.waiting))
            }
        }
    }

    /// Cancels everything and gives back what libcurl holds.
    func tearDown() {
        let late = inbox.withLock { inbox in
            inbox.isOver = true
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for transfer in postponed + admission.waiting { end(transfer, with: URLError(.cancelled)) }
        for transfer in active.compactMap(\.transfer) { end(transfer, with: URLError(.cancelled)) }
        for case .start(let transfer) in late { transfer.finish(.failure(URLError(.cancelled))) }
        for case .run(let job) in late { jobs.append(job) }
        for case .perform(let work) in late { work(nil) }
        idle = []
        cookies?.save()
        cookies = nil
        curl_multi_cleanup(multi)
        curl_slist_free_all(hostOverrides)
        poller.tearDown()
        // What the ends above have made ready, and whatever it starts, still gets to an end.
        while !jobs.isEmpty, runJob != nil { runJobs() }
    }
}
