#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

/// An easy handle for one transfer at a time, and what its callbacks need.
///
/// Lives on the loop's thread. To set every option again for each request costs a tenth of a whole
/// exchange, so where libcurl allows it (`HandleReuse.swift`) the options stay while the next request is of the same kind. See
/// ``HandleProfile``.
final class CurlHandle {
    var easy: EasyHandle
    /// Outlives the handle.
    unowned(unsafe) let context: HandleContext
    /// What it carries.
    var client: (any HandleClient)?
    /// What its options are set for. `nil` while none is set.
    @exclusivity(unchecked) var profile: HandleProfile?
    /// Whether it carries no other transfer: its options are not what its profile says, or libcurl has taken the
    /// host for cookies from a request's Host field, and keeps it for as long as the handle lives.
    var isSpent = false
    /// Whether the bound on the speed is lifted.
    var isUnbound = false
    /// The sockets that have been opened for its transfer.
    @exclusivity(unchecked) var openedSockets: [curl_socket_t] = []
    /// Its place among the active ones.
    var index = 0
    /// The header fields of the request.
    @exclusivity(unchecked) var requestHeaders = HeaderList()
    /// The header lines of the response, as they came.
    @exclusivity(unchecked) var head = RawBytes()
    /// Where libcurl writes what went wrong.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// `nil` when the memory is used up.
    init?(_ context: HandleContext) {
        guard let raw = curl_easy_init() else { return nil }
        easy = EasyHandle(raw: raw, options: context.options)
        self.context = context
        errorText.pointee = 0
    }

    deinit {
        context.isClosingHandle = true
        curl_easy_cleanup(easy.raw)
        context.isClosingHandle = false
        requestHeaders.deallocate()
        head.deallocate()
        errorText.deallocate()
    }

    var error: String { String(cString: errorText) }

    /// Forgets what belonged to the last transfer.
    func clear() {
        if client?.isEvaluated == true { context.evaluated.forget(self) }
        client = nil
        errorText.pointee = 0
        openedSockets.removeAll(keepingCapacity: true)
        requestHeaders.removeAll()
        // The memory for an uncommonly large head is not kept.
        if head.count > 16 << 10 { head.deallocate() } else { head.removeAll() }
    }

    /// Closes a connection over QUIC whose transfer ends before its time. libcurl would let it lie until the next
    /// transfer: the server hears of the end only then, and what was lost on the way before holds that transfer up.
    func leaveQUIC() {
        switch context.configuration.httpVersion {
        case .http3, .http3Only: leaveConnection()
        case .automatic, .http1, .http2PriorKnowledge: break
        }
    }

    /// Has libcurl close the connection when the transfer ends, unless others use it. By itself it does that only
    /// where no request could use it again.
    func leaveConnection() {
        isSpent = true
        // Where that is refused, the connection lies.
        try? easy.set(CURLOPT_FORBID_REUSE, true)
    }

    /// The handle that libcurl knows as `easy`.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlHandle? {
        guard let easy else { return nil }
        var user: UnsafeMutableRawPointer?
        _ = moya_easy_get_pointer(easy, CURLINFO_PRIVATE, &user)
        return from(user)
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlHandle? {
        pointer.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does `body` for what libcurl calls back about, once for each header line and piece of a body. The loop holds the handle
    /// while libcurl works on it, so that no reference has to be counted each time.
    static func withClient<Result>(
        _ pointer: UnsafeMutableRawPointer?, _ body: (any HandleClient) -> Result
    ) -> Result? {
        pointer.flatMap { pointer in
            Unmanaged<CurlHandle>.fromOpaque(pointer)._withUnsafeGuaranteedRef { handle in
                handle.client.map { client in
                    handle.context.watchdog.outside { body(client) }
                }
            }
        }
    }
}

/// What a handle carries. Answers libcurl's callbacks, on the loop's thread.
protocol HandleClient: AnyObject {
    /// Takes one header line. `false` stops libcurl.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool
    /// Takes a piece of the body. Returns how many bytes were taken, or the number by which libcurl pauses.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int
    /// Takes a piece of the body in its framing.
    func receiveFramed(_ bytes: UnsafeRawBufferPointer)

    /// Fills `buffer` with the next bytes of the request's body. Returns how many there are, or the number by which libcurl
    /// pauses or aborts.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int
    /// Begins the body anew, for a challenge or after the connection broke down. `false` where that cannot be done.
    func seek(_ offset: Int64) -> Bool
    /// Makes the list of the fields after the request's body. `false` stops libcurl.
    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool

    /// Whether the request may be begun. libcurl begins it again after a challenge, and where a connection that was kept
    /// breaks down before it is answered.
    func mayBegin(on endpoints: ConnectionEndpoints) -> Bool
    /// Whether the connection's certificates have to be evaluated.
    var isEvaluated: Bool { get }
    /// Whether a request may be written to the connection between these.
    func isTrusted(_ endpoints: ConnectionEndpoints) -> Bool

    /// Whether a name may be looked up, which takes descriptors.
    func mayLookUpName() -> Bool
    /// Whether a socket may be kept, or has to be left to the rest of the process.
    func mayKeep(_ socket: curl_socket_t) -> Bool
    /// The system has no descriptor left.
    func noteLackOfDescriptors()
    /// What an earlier connection has answered says nothing of the one that begins now.
    func noteNewConnection()
}
#endif
