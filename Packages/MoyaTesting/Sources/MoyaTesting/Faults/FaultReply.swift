import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a flow gets for a request, in place of a server's response.
public struct FaultReply: Sendable {
    enum Kind: Sendable {
        case response(status: Int, fields: [HeaderField], data: Data)
        case failure(any Error)
        case silence
    }

    var kind: Kind
    /// Seconds before the first byte.
    var delay: TimeInterval = 0
    var cut: Cut?

    /// Where a body ends before its end.
    struct Cut: Sendable {
        let count: Int
        let code: URLError.Code
    }

    /// A response with this status code, these header fields and this body.
    public static func response(
        _ status: Int, headers: [String: String] = [:], data: Data = Data()
    ) -> FaultReply {
        let fields = headers.sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
        return FaultReply(kind: .response(status: status, fields: fields, data: data))
    }

    /// No response: the exchange fails with `URLError(code)`.
    public static func failure(_ code: URLError.Code) -> FaultReply {
        FaultReply(kind: .failure(URLError(code)))
    }

    /// No response, ever: the request times out or is cancelled.
    public static var silence: FaultReply { FaultReply(kind: .silence) }

    /// The status code, where there is a response.
    public var statusCode: Int? {
        if case .response(let status, _, _) = kind { status } else { nil }
    }

    /// The body, where there is a response.
    public var data: Data? {
        if case .response(_, _, let data) = kind { data } else { nil }
    }

    /// The same response with another body, its header fields as they are.
    public func replacingBody(with data: Data) -> FaultReply {
        guard case .response(let status, let fields, _) = kind else { return self }
        var reply = self
        reply.kind = .response(status: status, fields: fields, data: data)
        return reply
    }

    /// The same reply, `seconds` later.
    public func delayed(by seconds: TimeInterval) -> FaultReply {
        var reply = self
        reply.delay += seconds
        return reply
    }

    /// The same response up to `count` bytes of its body, and then the exchange fails.
    public func cutOff(
        afterBytes count: Int, with code: URLError.Code = .networkConnectionLost
    ) -> FaultReply {
        var reply = self
        reply.cut = Cut(count: max(0, count), code: code)
        return reply
    }
}

extension FaultReply {
    /// What a transport has answered with, in memory.
    init(_ response: TransportResponse) async throws {
        let data: Data =
            switch response.body {
            case .data(let data): data
            case .file(let url): try Data(contentsOf: url)
            case .stream(let stream): try await stream.collect(upTo: .max)
            }
        let head = response.head
        self.init(kind: .response(status: head.statusCode, fields: head.fields, data: data))
    }

    /// The stub that a ``StubTransport`` answers a request for `url` with. Failures name the URL, as those of transports do.
    func stub(for url: URL?) -> Stub {
        var stub: Stub
        switch kind {
        case .response(let status, let fields, let data):
            stub = fields.reduce(.response(status, data: data)) { $0.header($1.name, $1.value) }
        case .failure(let error as URLError) where error.failingURL == nil:
            var userInfo = error.userInfo
            userInfo[NSURLErrorFailingURLErrorKey] = url
            stub = .failure(URLError(error.code, userInfo: userInfo))
        case .failure(let error): stub = .failure(error)
        case .silence: stub = .silence
        }
        if let cut { stub = stub.cutOff(afterBytes: cut.count, with: cut.code) }
        return delay > 0 ? stub.delayed(by: delay) : stub
    }

    /// Everything that a flow can tell this reply by.
    var signature: String {
        var text =
            switch kind {
            case .response(let status, let fields, let data):
                "\(status) \(fields.map { "\($0.name):\($0.value)" }) \(data.signature)"
            case .failure(let error):
                "failure \((error as NSError).domain) \((error as NSError).code)"
            case .silence: "silence"
            }
        if let cut { text += " cut \(cut.count) \(cut.code.rawValue)" }
        if delay > 0 { text += " after \(delay)" }
        return text
    }

    /// A few words for a report.
    var summary: String {
        var text: String
        switch kind {
        case .response(let status, _, let data):
            text = data.isEmpty ? "\(status)" : "\(status), \(data.count) bytes"
        case .failure(let error): text = Self.name(of: error)
        case .silence: text = "no response"
        }
        if let cut { text += ", cut off after \(cut.count) (\(Self.name(of: URLError(cut.code))))" }
        return text
    }

    static func name(of error: any Error) -> String {
        guard let code = (error as? URLError)?.code else { return "\(type(of: error))" }
        return code.sourceName ?? "URLError \(code.rawValue)"
    }
}

extension Data {
    /// A body as text: JSON with its keys in order, and a long body as its length and a hash.
    var signature: String {
        guard count <= 2000 else { return "\(count) bytes \(hashOfAllBytes)" }
        if let first, "{[".utf8.contains(first),
            let json = try? JSONSerialization.jsonObject(with: self),
            let sorted = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
        {
            return String(decoding: sorted, as: UTF8.self)
        }
        return String(data: self, encoding: .utf8) ?? base64EncodedString()
    }

    /// `hashValue` leaves out what is beyond the first bytes. Not a word of hexadecimal digits, which would count as an
    /// identifier (see ``RunSignature``).
    private var hashOfAllBytes: String {
        var hasher = Hasher()
        withUnsafeBytes { hasher.combine(bytes: $0) }
        return String(hasher.finalize(), radix: 36)
    }
}

extension URLError.Code {
    /// The code as it is written in Swift, for those that faults use.
    var sourceName: String? {
        let names: [URLError.Code: String] = [
            .badServerResponse: "badServerResponse", .cancelled: "cancelled",
            .cannotConnectToHost: "cannotConnectToHost", .cannotFindHost: "cannotFindHost",
            .cannotParseResponse: "cannotParseResponse",
            .dataLengthExceedsMaximum: "dataLengthExceedsMaximum",
            .httpTooManyRedirects: "httpTooManyRedirects",
            .networkConnectionLost: "networkConnectionLost",
            .notConnectedToInternet: "notConnectedToInternet",
            .secureConnectionFailed: "secureConnectionFailed",
            .serverCertificateUntrusted: "serverCertificateUntrusted", .timedOut: "timedOut",
        ]
        return names[self]
    }
}
