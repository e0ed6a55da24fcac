import Foundation

/// The response to a request.
public final class Response: Sendable {
    /// The status code (RFC 9110, section 15).
    public let statusCode: Int
    /// The body. Empty where it was delivered to a file or is read as a stream.
    public let data: Data
    /// The request as it was sent first, before any redirect.
    public let request: URLRequest?
    /// Status, header fields and final URL, as the transport gave them.
    public let head: ResponseHead?
    /// The file the body was delivered to.
    public let fileURL: URL?
    /// Where the time went.
    public let metrics: TransportMetrics?
    /// The fields that came after the body (RFC 9110, section 6.5). Empty where there were none, or where the
    /// transport passes them over. Those of a stream are here once it has been collected.
    public let trailers: [HeaderField]

    /// The coders of the provider that made the request: see ``decode(_:using:)``.
    public let coders: Coders

    private let givenResponse: HTTPURLResponse?

    /// The head of the response as Foundation's type. Made when it is first asked for. On Linux, `allHeaderFields` has names in
    /// Foundation's own case (`Etag`): ``header(_:)`` finds them in any.
    public var response: HTTPURLResponse? { givenResponse ?? head?.urlResponse }

    /// A response made by hand, for tests and stubs. Without a `response` it has no header fields.
    public init(
        statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil,
        coders: Coders = .json
    ) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        givenResponse = response
        head = response.flatMap { response in
            (response.url ?? request?.url).map { ResponseHead(response, fallbackURL: $0) }
        }
        fileURL = nil
        metrics = nil
        trailers = []
        self.coders = coders
    }

    init(_ answer: TransportResponse, request: URLRequest?, coders: Coders = .json) {
        self.coders = coders
        statusCode = answer.head.statusCode
        head = answer.head
        metrics = answer.metrics
        trailers = answer.trailers
        self.request = request
        givenResponse = nil
        switch answer.body {
        case .data(let data):
            self.data = data
            fileURL = nil
        case .file(let url):
            data = Data()
            fileURL = url
        case .stream:
            data = Data()
            fileURL = nil
        }
    }

    /// The value of the header field `name`, whatever its case. Several fields of that name are
    /// joined with a comma.
    public func header(_ name: String) -> String? {
        head?.value(for: name)
    }
}

extension Response: Equatable {
    /// Status code, body and head are the same: the final URL and the header fields, whatever the case of their names. The
    /// request is not looked at.
    public static func == (lhs: Response, rhs: Response) -> Bool {
        lhs === rhs
            || lhs.statusCode == rhs.statusCode && lhs.data == rhs.data
                && lhs.fileURL == rhs.fileURL && hasEqualHeads(lhs, rhs)
    }

    private static func hasEqualHeads(_ lhs: Response, _ rhs: Response) -> Bool {
        guard let left = lhs.head, let right = rhs.head else {
            return lhs.head == nil && rhs.head == nil && lhs.givenResponse == rhs.givenResponse
        }
        return left.isEqual(to: right)
    }
}

extension Response: CustomDebugStringConvertible {
    /// The status code and the size of the body.
    public var description: String {
        "Status Code: \(statusCode), Data Length: \(data.count)"
    }

    public var debugDescription: String { description }
}
