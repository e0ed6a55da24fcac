import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// libcurl's multi interface and the sockets it waits for. Lives on the loop's thread.
final class CurlDriver {
    private let multi: OpaquePointer
    private let inbox: Locked<CurlLoop.Inbox>
    private let poller: any Poller
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var idleHandles: [UnsafeMutableRawPointer] = []
    /// When libcurl wants to be called without an event, in nanoseconds. `nil` is never.
    private var timer: UInt64?
    /// When the first transfer may have stood still for too long. Never late, sometimes early.
    private var nextIdleCheck = UInt64.max
    private var isRunning = true

    /// Handles kept for reuse. Each holds a few KiB.
    private static let maxIdleHandles = 256

    var waker: Waker { poller.waker }

    init(_ configuration: CurlTransport.Configuration, _ inbox: Locked<CurlLoop.Inbox>) throws {
        self.inbox = inbox
        #if os(Linux)
            poller = try EpollPoller()
        #else
            poller = try PollPoller()
        #endif
        guard let multi = curl_multi_init() else {
            poller.tearDown()
            throw CurlError(CURLE_OUT_OF_MEMORY)
        }
        self.multi = OpaquePointer(multi)
        do {
            try set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerHost)
            try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maxConnections)
            try set(CURLMOPT_MAXCONNECTS, configuration.maxIdleConnections)
            try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        } catch {
            curl_multi_cleanup(multi)
            poller.tearDown()
            throw error
        }
    }

    private var rawMulti: UnsafeMutableRawPointer { UnsafeMutableRawPointer(multi) }

    private func set(_ option: CURLMoption, _ value: Int) throws {
        let code = moya_multi_set_long(rawMulti, option, max(0, value))
        guard code == CURLM_OK else { throw CurlError(code) }
    }

    // MARK: The loop

    /// Runs until it is told to stop, then gives everything back.
    func run() {
        listenToCurl()
        while isRunning {
            takeCommands()
            let timeout = isRunning ? millisecondsToWait() : 0
            poller.wait(milliseconds: timeout) { descriptor, bits in
                act(descriptor, bits)
            }
            inbox.withLock { $0.isAsleep = false }
            let now = Self.now()
            if let timer, timer <= now {
                self.timer = nil
                act(CURL_SOCKET_TIMEOUT, 0)
            }
            finishWhatIsDone()
            if nextIdleCheck <= now { endWhatStandsStill(now) }
        }
        tearDown()
    }

    private func listenToCurl() {
        // libcurl keeps the pointer for as long as `multi` lives, which is less long than `self` does.
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = moya_multi_set_pointer(rawMulti, CURLMOPT_SOCKETDATA, me)
        _ = moya_multi_set_pointer(rawMulti, CURLMOPT_TIMERDATA, me)
        _ = moya_multi_set_socket_callback(rawMulti) { easy, socket, what, user, _ in
            CurlDriver.from(user)?.socketChanged(socket, what, of: easy)
            return 0
        }
        _ = moya_multi_set_timer_callback(rawMulti) { _, milliseconds, user in
            CurlDriver.from(user)?.timerChanged(milliseconds)
            return 0
        }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlDriver? {
        pointer.map { Unmanaged<CurlDriver>.fromOpaque($0).takeUnretainedValue() }
    }

    private func socketChanged(
        _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?
    ) {
        switch what {
        case CURL_POLL_REMOVE:
            // libcurl tells us that a socket is closed once its connection stands. One that is still
            // connecting, or the resolver's own, is closed behind our back.
            if let easy, active[easy]?.hasStandingConnection == true {
                poller.rest(socket)
            } else {
                poller.forget(socket)
            }
        default:
            poller.watch(
                socket, reading: what & CURL_POLL_IN != 0, writing: what & CURL_POLL_OUT != 0)
        }
    }

    private func timerChanged(_ milliseconds: Int) {
        timer = milliseconds < 0 ? nil : Self.now() + UInt64(milliseconds) * 1_000_000
    }

    private func act(_ socket: curl_socket_t, _ bits: Int32) {
        var running: Int32 = 0
        _ = curl_multi_socket_action(rawMulti, socket, bits, &running)
    }

    private func millisecondsToWait() -> Int32 {
        let hasWork = inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return !inbox.commands.isEmpty
        }
        if hasWork { return 0 }
        let due = min(timer ?? .max, nextIdleCheck)
        guard due != .max else { return -1 }
        let now = Self.now()
        // Rounded up: waking too early would only mean to wait again.
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    static func now() -> UInt64 {
        DispatchTime.now().uptimeNanoseconds
    }

    // MARK: Commands

    private func takeCommands() {
        let commands = inbox.withLock { inbox in
            defer { inbox.commands.removeAll(keepingCapacity: true) }
            return inbox.commands
        }
        for command in commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer): cancel(transfer)
            case .stop: isRunning = false
            }
        }
    }

    private func start(_ transfer: Transfer) {
        guard !transfer.isCancelled else { return transfer.finish(.failure(URLError(.cancelled))) }
        guard let handle = idleHandles.popLast() ?? curl_easy_init() else {
            let url = transfer.request.urlRequest.url
            return transfer.finish(
                .failure(URLError(CURLE_OUT_OF_MEMORY, detail: "", verification: 0, url: url)))
        }
        do {
            let easy = EasyHandle(raw: handle)
            try transfer.configure(easy)
            try easy.set(
                CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(self).toOpaque())
            try easy.check(
                CURLOPT_CLOSESOCKETFUNCTION,
                moya_easy_set_close_callback(handle) { driver, socket in
                    CurlDriver.from(driver)?.poller.forget(socket)
                    return close(socket)
                })
            let code = curl_multi_add_handle(rawMulti, handle)
            guard code == CURLM_OK else { throw CurlError(code) }
        } catch {
            giveBack(handle)
            return transfer.finish(.failure(error))
        }
        active[handle] = transfer
        transfer.lastActivity = Self.now()
        if let allowance = transfer.idleAllowance {
            nextIdleCheck = min(nextIdleCheck, transfer.lastActivity &+ allowance)
        }
    }

    private func cancel(_ transfer: Transfer) {
        transfer.isCancelled = true
        end(transfer, with: URLError(.cancelled))
    }

    private func end(_ transfer: Transfer, with error: URLError) {
        guard let handle = transfer.handle else { return }
        release(handle)
        transfer.finish(.failure(error))
    }

    // MARK: Ends

    private func finishWhatIsDone() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(rawMulti, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = active[handle]
            else { continue }
            let result = transfer.result(moya_message_result(message), EasyHandle(raw: handle))
            release(handle)
            transfer.finish(result)
        }
    }

    private func endWhatStandsStill(_ now: UInt64) {
        nextIdleCheck = .max
        for transfer in active.values {
            guard let allowance = transfer.idleAllowance else { continue }
            let due = transfer.lastActivity &+ allowance
            if due > now {
                nextIdleCheck = min(nextIdleCheck, due)
            } else {
                let seconds = Double(allowance) / 1e9
                end(
                    transfer,
                    with: URLError(
                        .timedOut, "Nothing moved for \(seconds) seconds.",
                        url: transfer.request.urlRequest.url,
                        cause: CurlError(CURLE_OPERATION_TIMEDOUT)))
            }
        }
    }

    private func release(_ handle: UnsafeMutableRawPointer) {
        active[handle] = nil
        _ = curl_multi_remove_handle(rawMulti, handle)
        giveBack(handle)
    }

    private func giveBack(_ handle: UnsafeMutableRawPointer) {
        guard idleHandles.count < Self.maxIdleHandles else { return curl_easy_cleanup(handle) }
        // Forgets every option, so that nothing of one request reaches the next. Connections belong to
        // the multi handle and stay.
        curl_easy_reset(handle)
        idleHandles.append(handle)
    }

    private func tearDown() {
        for transfer in Array(active.values) { end(transfer, with: URLError(.cancelled)) }
        takeLateTransfers()
        for handle in idleHandles { curl_easy_cleanup(handle) }
        curl_multi_cleanup(rawMulti)
        poller.tearDown()
    }

    /// Transfers submitted before the command to stop have been started by now. Nothing comes after.
    private func takeLateTransfers() {
        for case .start(let transfer) in inbox.withLock({ $0.commands }) {
            transfer.finish(.failure(URLError(.cancelled)))
        }
    }
}
