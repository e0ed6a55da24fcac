import Foundation
import MoyaMockServer
import MoyaTesting

extension SeededGenerator {
    /// Splits `data` into pieces of random size.
    mutating func pieces(of data: Data) -> [Data] {
        var rest = data
        var pieces: [Data] = []
        let most = [1, 7, 100, max(1, data.count)].randomElement(using: &self) ?? 1
        while !rest.isEmpty {
            let count = Int.random(in: 1...most, using: &self)
            pieces.append(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

extension RawServer {
    /// A server that responds to each request with `answer`, called with the request's path, in
    /// pieces of random size. The connection stays open for the next request, unless the response
    /// has `Connection: close`.
    static func inPieces(
        _ generator: SeededGenerator, _ answer: @escaping @Sendable (Substring) -> Data
    ) throws -> RawServer {
        try RawServer { connection in
            var generator = generator
            while true {
                let head = connection.read(until: "\r\n\r\n")
                let words = String(decoding: head, as: UTF8.self).split(separator: " ")
                guard words.count > 2 else { return }
                let bytes = answer(words[1].dropFirst())
                for piece in generator.pieces(of: bytes) { connection.write(piece) }
                if bytes.range(of: Data("Connection: close".utf8)) != nil { return }
            }
        }
    }
}

/// The end marker of a body (RFC 9112, section 6.3).
enum BodyEnd: String, CaseIterable, Sendable {
    case length, chunks, close

    /// A 200 response with `fields`, each with its line break, and `body`.
    func response(_ fields: String, _ body: Data) -> Data {
        let head = "HTTP/1.1 200 OK\r\n" + fields
        return switch self {
        case .length: Data("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        case .chunks:
            Data("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)
                + (body.isEmpty
                    ? Data() : Data("\(String(body.count, radix: 16))\r\n".utf8) + body)
                + Data((body.isEmpty ? "0\r\n\r\n" : "\r\n0\r\n\r\n").utf8)
        case .close: Data("\(head)Connection: close\r\n\r\n".utf8) + body
        }
    }
}
