import Foundation
import MoyaMockServer
import MoyaInternals
import MoyaTestSupport
import MoyaTesting

import MoyaCore

/// A proxy for tests that forwards bytes to 127.0.0.1.
final class Tunnel: Sendable {
    enum Kind {
        /// HTTP `CONNECT`. With a challenge, responds with 407 until `Proxy-Authorization` begins
        /// with `expecting`.
        case connect(challenge: String? = nil, expecting: String = "")
        /// HTTP `CONNECT`, refused with this status line.
        case refusal(String)
        case socks4
        /// SOCKS 5, with this user name and password if given (RFC 1929).
        case socks5(user: String? = nil, password: String = "")
    }

    private struct Seen {
        var firstBytes = ""
        var heads: [String] = []
        var addressType: UInt8 = 0
    }

    private let server: RawServer
    private let seen: Locked<Seen>

    /// - Parameter limit: The number of bytes that reach the server before the tunnel is reset.
    init(_ kind: Kind, limit: Int = .max) throws {
        let seen = Locked(Seen())
        self.seen = seen
        server = try RawServer { client in
            let port: Int?
            switch kind {
            case .connect(let challenge, let expected):
                port = Self.takeConnect(client, seen, challenge, expected)
            case .refusal(let status):
                _ = client.read(until: "\r\n\r\n")
                client.write("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
                port = nil
            case .socks4: port = Self.takeSOCKS4(client, seen)
            case .socks5(let user, let password):
                port = Self.takeSOCKS(client, seen, user.map { ($0, password) })
            }
            guard let port, let far = try? RawClient(port: port) else { return }
            Self.pump(client, far, limit)
        }
    }

    var url: URL { server.url }
    /// The last request for a tunnel, as text.
    var firstBytes: String { seen.withLock(\.firstBytes) }
    /// The heads of all requests for a tunnel.
    var heads: [String] { seen.withLock(\.heads) }
    /// The address type in a SOCKS request: 1 for an address, 3 for a name.
    var addressType: UInt8 { seen.withLock(\.addressType) }

    func stop() { server.stop() }

    private static func takeConnect(
        _ client: RawServer.Connection, _ seen: Locked<Seen>, _ challenge: String?,
        _ expected: String
    ) -> Int? {
        while true {
            let request = String(decoding: client.read(until: "\r\n\r\n"), as: UTF8.self)
            if request.isEmpty { return nil }
            seen.withLock {
                $0.firstBytes = request
                $0.heads.append(request)
            }
            if let challenge, !request.contains("Proxy-Authorization: \(expected)") {
                client.write(
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
                )
                continue
            }
            client.write("HTTP/1.1 200 Connected\r\nX-Tunnel: yes\r\n\r\n")
            return request.split(separator: " ").dropFirst().first?.split(separator: ":").last
                .flatMap { Int($0) }
        }
    }

    /// Handles a SOCKS 4 or 4a request. A SOCKS 4a request has an address of the form 0.0.0.x,
    /// followed by the host name.
    private static func takeSOCKS4(_ client: RawServer.Connection, _ seen: Locked<Seen>) -> Int? {
        let request = client.read()
        guard request.count > 8, request[0] == 4, request[1] == 1 else { return nil }
        let isNamed = request[4..<7].allSatisfy { $0 == 0 } && request[7] != 0
        seen.withLock { $0.addressType = isNamed ? 3 : 1 }
        client.write(Data([0, 0x5A, 0, 0, 0, 0, 0, 0]))
        return Int(request[2]) << 8 | Int(request[3])
    }

    /// Handles a SOCKS 5 request (RFC 1928), with RFC 1929 if a user is expected.
    private static func takeSOCKS(
        _ client: RawServer.Connection, _ seen: Locked<Seen>, _ login: (String, String)?
    ) -> Int? {
        let methods = client.read().dropFirst(2)
        if let (user, password) = login {
            guard methods.contains(2) else { return nil }
            client.write(Data([5, 2]))
            let expected =
                [1, UInt8(user.utf8.count)] + Array(user.utf8)
                + [UInt8(password.utf8.count)] + Array(password.utf8)
            let isRight = client.read() == Data(expected)
            client.write(Data([1, isRight ? 0 : 1]))
            guard isRight else { return nil }
        } else {
            client.write(Data([5, 0]))
        }
        let request = client.read()
        guard request.count > 7 else { return nil }
        seen.withLock { $0.addressType = request[3] }
        client.write(Data([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        let port = request.suffix(2)
        return port.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Forwards bytes in both directions until one of them ends.
    static func pump(_ client: RawServer.Connection, _ far: RawClient, _ limit: Int = .max) {
        var sent = 0
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while true {
                let data = far.read()
                if data.isEmpty || !client.write(data) { break }
            }
            done.signal()
        }
        while true {
            let data = client.read()
            sent += data.count
            if sent > limit { client.resetAtEnd() }
            if data.isEmpty || sent > limit || !far.write(data) { break }
        }
        far.shutDown()
        done.wait()
        far.close()
    }
}
