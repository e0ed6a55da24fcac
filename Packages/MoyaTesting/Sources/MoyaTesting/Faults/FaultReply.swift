import Foundation
import MoyaCore
import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reply to a request of an explored flow, in place of the server's response.
public struct FaultReply: Sendable {
    enum Kind: Sendable {
        case response(status: Int, fields: [HeaderField], data: Data)
        case failure(any Error)
        case silence
    }

    var kind: Kind
    /// Seconds before the first byte.
    var delay: TimeInterval = 0
    /// Position at which the body breaks off, and the error that follows.
    var cut: (count: Int, code: URLError.Code)?

    /// A response with this status code, these header fields and this body.
    public static func response(
        _ status: Int, headers: [String: String] = [:], data: Data = Data()
    ) -> FaultReply {
        let fields = headers.sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
        return FaultReply(kind: .response(status: status, fields: fields, data: data))
    }

    /// A failure: the exchange throws `URLError(code)`.
    public static func failure(_ code: URLError.Code) -> FaultReply {
        FaultReply(kind: .failure(URLError(code)))
    }

    /// No response: the request waits until it times out or is cancelled.
    public static var silence: FaultReply { FaultReply(kind: .silence) }

    /// Status code of the response. `nil` for a failure and for silence.
    public var statusCode: Int? {
        if case .response(let status, _, _) = kind { status } else { nil }
    }

    /// Body of the response. `nil` for a failure and for silence.
    public var data: Data? {
        if case .response(_, _, let data) = kind { data } else { nil }
    }

    /// Returns this response with another body. The header fields, `Content-Length` included, stay
    /// unchanged.
    func replacingBody(with data: Data) -> FaultReply {
        guard case .response(let status, let fields, _) = kind else { return self }
        var reply = self
        reply.kind = .response(status: status, fields: fields, data: data)
        return reply
    }

    /// Returns this reply, delayed by `seconds` more.
    public func delayed(by seconds: TimeInterval) -> FaultReply {
        var reply = self
        reply.delay += seconds
        return reply
    }

    /// Returns this response, cut off: the exchange fails with `URLError(code)` after `count` bytes
    /// of the body.
    public func cutOff(
        afterBytes count: Int, with code: URLError.Code = .networkConnectionLost
    ) -> FaultReply {
        var reply = self
        reply.cut = (count: max(0, count), code: code)
        return reply
    }
}

extension FaultReply {
    /// Copies the response of a transport and reads its body into memory.
    ///
    /// - Throws: Errors of reading the file or the stream of the body.
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

    /// Returns the stub with which a ``StubTransport`` answers a request for `url`. A `URLError`
    /// without a URL gets this URL, as errors of transports have one.
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

    /// Text that identifies this reply: two replies with equal text look the same to the flow.
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

    /// Description in a few words, for a report.
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
    /// The body as text: JSON with sorted keys, and a body over 2000 bytes as its length and a
    /// hash.
    var signature: String { count <= 2000 ? sortedText : "\(count) bytes \(hashOfAllBytes)" }

    /// The whole body as text: JSON with sorted keys.
    var sortedText: String {
        if let first, "{[".utf8.contains(first),
            let json = try? JSONSerialization.jsonObject(with: self),
            let sorted = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
        {
            return String(decoding: sorted, as: UTF8.self)
        }
        return String(data: self, encoding: .utf8) ?? base64EncodedString()
    }

    /// Hash of the whole body: `hashValue` of `Data` covers only the first bytes. Written in base
    /// 36, because ``RunSignature`` takes long hexadecimal words for random identifiers.
    private var hashOfAllBytes: String {
        var hasher = Hasher()
        withUnsafeBytes { hasher.combine(bytes: $0) }
        return String(hasher.finalize(), radix: 36)
    }
}

extension URLError.Code {
    /// Name of the code in Swift source. `nil` for codes that no predefined fault uses.
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
