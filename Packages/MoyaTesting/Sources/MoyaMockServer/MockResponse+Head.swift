import Foundation
import MoyaCore
import MoyaInternals

extension MockResponse {
    /// 256 KiB of the pattern of ``Body/pattern(byteCount:)``.
    static let patternPiece: Data = {
        var data = Data((0...255).map { UInt8($0) })
        while data.count < 256 << 10 { data += data }
        return data
    }()

    /// Maximum number of body bytes to send.
    var bodyLimit: Int { max(0, truncateBody ?? .max) }

    /// Whether the response has no body (RFC 9112, section 6.3).
    func isBodiless(for request: MockRequest) -> Bool {
        request.method == "HEAD" || hasNoLength || status == 304
    }

    /// Whether the end of the connection marks the end of the body.
    private var endsByClosing: Bool {
        switch body {
        case .none, .untilClose: true
        case .data, .chunked, .pattern: false
        }
    }

    /// Returns what happens to an HTTP/1.1 connection after this response.
    func end(answering request: MockRequest, clientWantsClose: Bool) -> End {
        guard case .keepAlive = end else { return end }
        let endsByClosing = endsByClosing && !isBodiless(for: request)
        return clientWantsClose || endsByClosing ? .close : .keepAlive
    }

    /// Whether the status allows no `Content-Length` (RFC 9110, section 8.6).
    private var hasNoLength: Bool { status == 204 || (100..<200).contains(status) }

    /// The body in HTTP/1.1 framing: chunked if there are trailers.
    var framedBody: Body {
        guard !trailers.isEmpty, case .data(let data) = body else { return body }
        return .chunked([data])
    }

    var isChunked: Bool { if case .chunked = framedBody { true } else { false } }

    /// Returns `bytes` of the body as HTTP/1.1 frames them: as a chunk if the body is chunked (RFC
    /// 9112, section 7.1).
    func framed(_ bytes: Data) -> Data {
        guard isChunked else { return bytes }
        return Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8)
    }

    /// The last chunk and the trailer section, which end a chunked body.
    var lastChunk: Data { Data(("0\r\n" + Self.lines(trailers) + "\r\n").utf8) }

    /// The informational responses that precede this response.
    var informationalHeads: Data {
        let heads = informational.map { response in
            let reason = ReasonPhrase.standard(for: response.status) ?? "Mock"
            return "HTTP/1.1 \(response.status) \(reason)\r\n\(Self.lines(response.headers))\r\n"
        }
        return Data(heads.joined().utf8)
    }

    private static func lines(_ fields: [HeaderField]) -> String {
        fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    }

    /// Status line and header section.
    func head(closing end: End, _ layout: FieldLayout? = nil) -> Data {
        let reason = reason ?? ReasonPhrase.standard(for: status) ?? "Mock"
        var fields = headers
        if let framingField { fields.append(framingField) }
        if case .close = end, truncateBody == nil {
            fields.append(HeaderField(name: "Connection", value: "close"))
        }
        var layout = layout
        let lines = layout?.lines(fields) ?? Self.lines(fields)
        return Data("HTTP/1.1 \(status) \(reason)\r\n\(lines)\r\n".utf8)
    }

    private var framingField: HeaderField? {
        isChunked ? HeaderField(name: "Transfer-Encoding", value: "chunked") : lengthField
    }

    /// `Content-Length`. `nil` if the length is unknown or the status allows no such field.
    var lengthField: HeaderField? {
        // A handler may set another length on purpose.
        guard !hasNoLength, headers.values(for: "Content-Length").isEmpty else { return nil }
        let count: Int
        switch framedBody {
        case .none, .chunked, .untilClose: return nil
        case .data(let data): count = data.count
        case .pattern(let byteCount): count = byteCount
        }
        return HeaderField(name: "Content-Length", value: "\(count)")
    }
}
