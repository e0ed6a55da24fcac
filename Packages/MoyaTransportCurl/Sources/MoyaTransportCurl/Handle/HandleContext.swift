#if CURL
import CMoyaCurl
import Foundation

/// What the easy handles of one loop share. Lives on the loop's thread, and outlives every handle and connection.
final class HandleContext {
    let configuration: CurlTransport.Configuration
    /// Whether some hosts' certificates are checked in another way than others'.
    let judgesHosts: Bool
    let options: OptionCheck
    let watchdog: StallWatchdog
    /// Hears of closed sockets. Owns the context, and so outlives it.
    unowned(unsafe) var socketOwner: (any SocketOwner)?
    /// The cookies of every transfer, where they are kept.
    @exclusivity(unchecked) var cookies: CookieJar?
    /// Addresses that stand in for the name system's.
    private(set) var hostOverrides: UnsafeMutablePointer<curl_slist>?
    /// Header fields that a proxy gets.
    private(set) var proxyFields: UnsafeMutablePointer<curl_slist>?
    /// Whether a handle is being closed, with the lookups that libcurl has made for it.
    var isClosingHandle = false

    // Guards against what servers may do with connections.
    @exclusivity(unchecked) var evaluated = EvaluatedConnections()
    @exclusivity(unchecked) var closingConnections = ClosingConnections()
    @exclusivity(unchecked) var handshakes = HandshakeLimit()
    @exclusivity(unchecked) var sockets = SocketsByEndpoints()

    /// - Throws: What libcurl refuses, and `POSIXError` where the system has no thread left.
    init(_ configuration: CurlTransport.Configuration, options: OptionCheck) throws {
        self.configuration = configuration
        self.options = options
        let tls = configuration.tls
        judgesHosts = !tls.pinnedKeys.isEmpty || !tls.dangerouslyUnverifiedHosts.isEmpty
        watchdog = try StallWatchdog()
        do {
            cookies = try CookieJar(configuration.cookies, options: options)
            hostOverrides = try configuration.network.makeOverrides()
            proxyFields = try configuration.proxy.makeFields()
        } catch {
            release()
            throw (error as? EasyHandle.OptionError)?.cause ?? error
        }
    }

    /// Gives back what libcurl holds, once there is no handle and no connection left.
    func release() {
        cookies = nil
        curl_slist_free_all(hostOverrides)
        curl_slist_free_all(proxyFields)
        (hostOverrides, proxyFields) = (nil, nil)
        watchdog.stop()
    }

    /// libcurl has opened `socket` for `handle`.
    func open(_ socket: curl_socket_t, for handle: CurlHandle) {
        evaluated.open(socket, by: handle.client?.isEvaluated == true ? handle : nil)
        watchdog.open(socket)
        watchdog.noteProgress()
    }

    /// libcurl closes `socket`.
    func close(_ socket: curl_socket_t) -> Int32 {
        socketOwner?.willClose(socket)
        watchdog.close(socket)
        sockets.remove(socket)
        evaluated.close(socket)
        return closeDescriptor(socket)
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> HandleContext? {
        pointer.map { Unmanaged<HandleContext>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Watches the sockets of connections.
protocol SocketOwner: AnyObject {
    /// libcurl is about to close `socket`.
    func willClose(_ socket: curl_socket_t)
}

private let closeDescriptor: @Sendable (Int32) -> Int32 = { close($0) }
#endif
