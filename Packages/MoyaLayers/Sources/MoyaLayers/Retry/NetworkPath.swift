import Foundation
import MoyaCore

#if canImport(Network)
    import Network
#endif

/// A path of this machine to the network: a route to addresses that are not local.
///
/// A path is no proof that a server can be reached. On Apple platforms it is `NWPathMonitor`'s,
/// elsewhere a default route of IPv4 or IPv6 in the kernel's table.
public enum NetworkPath {
    /// Waits until there is a network path. Returns at once if there is one.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public static func wait() async throws {
        #if canImport(Network)
            let (paths, continuation) = AsyncStream.makeStream(of: Bool.self)
            let monitor = NWPathMonitor()
            // Called with the current path at first.
            monitor.pathUpdateHandler = { continuation.yield($0.status == .satisfied) }
            monitor.start(queue: DispatchQueue(label: "MoyaLayers.NetworkPath"))
            defer { monitor.cancel() }
            for await isSatisfied in paths where isSatisfied { return }
            throw CancellationError()
        #else
            // A look at the routes takes some microseconds, and only while a request waits. A
            // netlink socket would report changes, but containers and Android may forbid it.
            while !hasRoute {
                try await Task.sleep(nanoseconds: 1_000_000_000)
            }
        #endif
    }

    #if !canImport(Network)
        /// Whether the kernel has a route to addresses that are not local. Sends nothing: the
        /// addresses are those for documentation (RFC 5737, RFC 3849), and connecting a UDP socket
        /// only looks up the route.
        static var hasRoute: Bool {
            var v4 = sockaddr_in()
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = in_port_t(9).bigEndian
            inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr)
            var v6 = sockaddr_in6()
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = in_port_t(9).bigEndian
            inet_pton(AF_INET6, "2001:db8::1", &v6.sin6_addr)
            return canConnect(v4, AF_INET) || canConnect(v6, AF_INET6)
        }

        private static func canConnect(_ address: some Any, _ family: Int32) -> Bool {
            #if canImport(Glibc)
                let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            #else
                let kind = SOCK_DGRAM | SOCK_CLOEXEC
            #endif
            let descriptor = socket(family, kind, 0)
            // Without a descriptor the routes are unknown, and the request is sent.
            guard descriptor >= 0 else { return errno != EAFNOSUPPORT }
            defer { close(descriptor) }
            return withUnsafeBytes(of: address) { bytes in
                let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                return connect(descriptor, pointer, socklen_t(bytes.count)) == 0
            }
        }
    #endif
}
