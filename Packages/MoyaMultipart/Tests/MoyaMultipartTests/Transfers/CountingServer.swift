import CMoyaZlib
import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer

/// Server that accepts uploads of any size and records only the length and CRC-32 of each.
final class CountingServer: Sendable {
    struct Received: Sendable, Equatable {
        var count = 0
        var checksum: UInt = crc32(0, nil, 0)

        mutating func add(_ data: Data) {
            count += data.count
            data.withUnsafeBytes { bytes in
                guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
                checksum = UInt(crc32(uLong(checksum), base, uInt(bytes.count)))
            }
        }
    }

    private let server: RawServer
    /// Bodies that arrived completely.
    let received = Locked<[Received]>([])

    init() throws {
        server = try RawServer { [received] connection in
            let bytes = connection.read(until: "\r\n\r\n")
            guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return }
            let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
            let field = head.components(separatedBy: "content-length: ").dropFirst().first
            guard let length = field.flatMap({ Int($0.prefix(while: \.isNumber)) }) else { return }
            if head.contains("expect: 100-continue") {
                connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            }
            var body = Received()
            body.add(Data(bytes[end.upperBound...]))
            while body.count < length {
                let piece = connection.read()
                guard !piece.isEmpty else { return }
                body.add(piece)
            }
            received.withLock { $0.append(body) }
            connection.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            connection.halfClose()
        }
    }

    deinit { server.stop() }

    var url: URL { server.url }
}

extension CountingServer.Received {
    /// Adds the content of a file.
    mutating func add(contentsOf file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { add(piece) }
    }
}
