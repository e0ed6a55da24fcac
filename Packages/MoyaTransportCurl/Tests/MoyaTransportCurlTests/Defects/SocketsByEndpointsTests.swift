import CMoyaCurl
import Foundation
import Testing

@testable import MoyaTransportCurl

/// The socket of a connection, which libcurl before 8.0 does not report.
@Suite struct SocketsByEndpointsTests {
    /// A socket bound to a free port of 127.0.0.1.
    private func boundSocket() throws -> curl_socket_t {
        let socket = makeSocket(AF_INET)
        var address = sockaddr_in(loopback: 0)
        try #require(address.asSystemAddress { bind(socket, $0, $1) } == 0)
        return socket
    }

    private func endpoints(of socket: curl_socket_t, to port: Int32) throws -> ConnectionEndpoints {
        ConnectionEndpoints(
            local: try #require(ConnectionEndpoints.Address(localAddressOf: socket)),
            remote: ConnectionEndpoints.Address("127.0.0.1", port))
    }

    @Test func `a connection's socket is found by its local address among those opened`() throws {
        let opened = [try boundSocket(), try boundSocket()]
        defer { for socket in opened { close(socket) } }
        var sockets = SocketsByEndpoints()
        let (first, second) = (
            try endpoints(of: opened[0], to: 1), try endpoints(of: opened[1], to: 1)
        )
        sockets.add(first, among: opened)
        #expect(sockets[first] == opened[0])
        #expect(sockets[second] == nil)
        sockets.add(second, among: [opened[0]])
        #expect(sockets[second] == nil)
        sockets.add(second, among: opened)
        #expect(sockets[second] == opened[1])
    }

    @Test func `a closed socket no longer belongs to its connection`() throws {
        let socket = try boundSocket()
        defer { close(socket) }
        var sockets = SocketsByEndpoints()
        let endpoints = try endpoints(of: socket, to: 1)
        sockets.add(endpoints, among: [socket])
        sockets.remove(socket)
        #expect(sockets[endpoints] == nil)
        sockets.remove(socket)
        #expect(sockets[endpoints] == nil)
    }

    @Test func `a socket of a new connection no longer belongs to an earlier connection`() throws {
        let socket = try boundSocket()
        defer { close(socket) }
        var sockets = SocketsByEndpoints()
        let (old, new) = (try endpoints(of: socket, to: 1), try endpoints(of: socket, to: 2))
        sockets.add(old, among: [socket])
        sockets.add(new, among: [socket])
        #expect(sockets[old] == nil)
        #expect(sockets[new] == socket)
    }

    @Test func `a closed socket does not remove the later socket of equal endpoints`() throws {
        let old = try boundSocket()
        let new = dup(old)
        defer { for socket in [old, new] { close(socket) } }
        var sockets = SocketsByEndpoints()
        let endpoints = try endpoints(of: old, to: 1)
        sockets.add(endpoints, among: [old])
        sockets.add(endpoints, among: [new])
        sockets.remove(old)
        #expect(sockets[endpoints] == new)
    }
}
