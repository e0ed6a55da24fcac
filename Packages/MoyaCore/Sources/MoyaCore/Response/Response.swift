import Foundation

/// The response to a request.
public final class Response: Sendable {
    /// The status code (RFC 9110, section 15).
    public let statusCode: Int
    /// The body. Empty if it was delivered to a file or is a stream.
    public let data: Data
    /// The request as first sent, before redirects.
    public let request: URLRequest?
    /// Status, header fields and final URL, as the transport returned them.
    public let head: ResponseHead?
    /// The file that contains the body, if it was delivered to a file.
    public let fileURL: URL?
    /// The durations and byte counts of the request.
    public let metrics: TransportMetrics?
    /// The trailer fields (RFC 9110, section 6.5). Empty if there were none or the transport
    /// ignores them. For a stream, available after ``StreamingResponse/collect(upTo:)``.
    public let trailers: [HeaderField]

    /// The coders of the target, otherwise of the provider that sent the request: see
    /// ``decode(_:using:)``. ``Coders/json`` for a response created without a provider.
    public let coders: Coders

    private let givenResponse: HTTPURLResponse?

    /// The response head as a Foundation type, created on first access. On Linux, names in
    /// `allHeaderFields` have Foundation's capitalization (`Etag`); ``header(_:)`` ignores case.
    public var response: HTTPURLResponse? { givenResponse ?? head?.urlResponse }

    /// Creates a response, for tests and stubs. Without `response` it has no header fields.
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
        case .data(let data): (self.data, fileURL) = (data, nil)
        case .file(let url): (data, fileURL) = (Data(), url)
        case .stream: (data, fileURL) = (Data(), nil)
        }
    }

    /// Returns the value of the header field `name`, compared without regard to case. Values of
    /// several fields are joined with a comma.
    public func header(_ name: String) -> String? {
        head?.value(for: name)
    }
}

extension Response: Equatable {
    /// Compares status code, body and head: the final URL and the header fields, whose names are
    /// compared without regard to case. Requests are not compared.
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
