import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

/// Server of a file of 400,000 bytes with two connections: it refuses the first two requests for
/// the third and fourth quarter. A request for the whole file receives 60,000 bytes at first, and
/// the rest when the other quarters have arrived.
final class CrowdedServer: Sendable {
    /// Bytes that the client has received, as far as it has reported them.
    private struct Client: Sendable {
        let byteCount = Locked<Int64>(0)
        let reports = DispatchSemaphore(value: 0)
        let othersAreThere = DispatchSemaphore(value: 0)
        let refusals = DispatchSemaphore(value: 0)

        func waitUntil(has count: Int64) {
            while byteCount.withLock({ $0 }) < count { reports.wait() }
        }
    }

    private let client = Client()
    private let server: RawServer

    init(_ data: Data, status: Int) throws {
        let (client, refused) = (client, Locked(0))
        server = try RawServer { connection in
            let request = String(decoding: connection.read(until: "\r\n\r\n"), as: UTF8.self)
            guard let range = Self.range(in: request) else {
                return Self.sendWhole(data, over: connection, to: client)
            }
            if range.lowerBound < 200_000 {
                Self.sendSecondQuarter(data, over: connection, to: client)
            } else if refused.withLock({ refused in
                refused += 1
                return refused <= 2
            }) {
                connection.write(Self.head(status, 0))
                connection.halfClose()
                client.refusals.signal()
            } else {
                connection.write(Self.head(206, range.count, range) + data[range])
            }
        }
    }

    deinit {
        for _ in 1...2 { client.refusals.signal() }
        clientHas(.max)
        server.stop()
    }

    var target: Transfer { Transfer(baseURL: server.url, path: "/file", task: .requestPlain) }

    /// Records the number of bytes that the client has received.
    func clientHas(_ count: Int64) {
        client.byteCount.withLock { $0 = count }
        client.reports.signal()
        if count >= 360_000 { client.othersAreThere.signal() }
    }

    private static func sendWhole(
        _ data: Data, over connection: RawServer.Connection, to client: Client
    ) {
        connection.write(head(200, data.count) + data.prefix(60_000))
        // Bounded: a client that notices its refusals only after the second quarter has only this
        // connection left, and requests the rest when it ends.
        _ = client.othersAreThere.wait(timeout: .now() + 60)
        connection.write(data.dropFirst(60_000))
    }

    /// Sends the second quarter after both refusals, in small pieces, so that the client notices
    /// the refusals meanwhile.
    private static func sendSecondQuarter(
        _ data: Data, over connection: RawServer.Connection, to client: Client
    ) {
        for _ in 1...2 { client.refusals.wait() }
        connection.write(head(206, 100_000, 100_000...199_999))
        for start in stride(from: 0, to: 100_000, by: 500) {
            client.waitUntil(has: 60_000 + Int64(start))
            connection.write(data[(100_000 + start)..<(100_500 + start)])
        }
    }

    private static func head(_ status: Int, _ length: Int, _ range: ClosedRange<Int>? = nil) -> Data
    {
        var head = "HTTP/1.1 \(status) Status\r\nConnection: close\r\nAccept-Ranges: bytes\r\n"
        head += "ETag: \"one\"\r\nContent-Length: \(length)\r\n"
        if let range {
            head += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound)/400000\r\n"
        }
        return Data((head + "\r\n").utf8)
    }

    private static func range(in request: String) -> ClosedRange<Int>? {
        let field = request.lowercased().components(separatedBy: "\r\nrange: bytes=")
            .dropFirst().first
        let ends = field?.prefix { $0 != "\r\n" }.split(separator: "-").compactMap { Int($0) } ?? []
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[0]...ends[1]
    }
}
