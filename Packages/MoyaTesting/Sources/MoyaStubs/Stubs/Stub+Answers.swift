import Foundation
import MoyaCore

extension Stub {
    /// A response with this status code, these header fields and this body.
    public static func response(
        _ status: Int = 200, headers: [String: String] = [:], data: Data = Data()
    ) -> Stub {
        .response(status, headers: headers, body: .data(data))
    }

    /// A response with `text` in UTF-8.
    public static func text(
        _ text: String, status: Int = 200, headers: [String: String] = [:]
    ) -> Stub {
        .response(
            status, type: "text/plain; charset=utf-8", headers: headers,
            body: .data(Data(text.utf8)))
    }

    /// A response with `value` as JSON.
    ///
    /// - Throws: What encoding throws.
    public static func json(
        _ value: some Encodable, status: Int = 200, headers: [String: String] = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> Stub {
        .response(
            status, type: "application/json", headers: headers,
            body: .data(try encoder.encode(value)))
    }

    /// A response with `value` as JSON, for literals with values of several types: `.json(["id": 5, "title": "x"])`.
    ///
    /// - Throws: An `EncodingError` for a number that is not finite.
    public static func json(
        _ value: JSONValue, status: Int = 200, headers: [String: String] = [:]
    ) throws -> Stub {
        try json(value, status: status, headers: headers, encoder: JSONEncoder())
    }

    /// A response with the bytes of a local file, which is read when a request comes. Its `Content-Type` follows from
    /// the file's extension, where that is a common one.
    ///
    /// A file that cannot be read fails the request with a ``StubFileError``.
    public static func file(
        _ url: URL, status: Int = 200, headers: [String: String] = [:]
    ) -> Stub {
        .response(
            status, type: StubFile.type(ofExtension: url.pathExtension), headers: headers,
            body: .file(url))
    }

    /// A response with the bytes of a resource: `.resource("user.json", in: .module)`.
    ///
    /// - Throws: ``StubFileError`` where the bundle has none of that name. It says which ones there are.
    public static func resource(
        _ name: String, in bundle: Bundle, subdirectory: String? = nil, status: Int = 200,
        headers: [String: String] = [:]
    ) throws -> Stub {
        let file = try StubFile.find(name, in: bundle, subdirectory: subdirectory)
        return .file(file, status: status, headers: headers)
    }

    /// The target's own sample data.
    public static func sampleData(status: Int = 200) -> Stub {
        .response(status, body: .sampleData)
    }

    /// The same answer as an `Endpoint` gives with `sample`.
    public static func sampleResponse(_ sample: EndpointSampleResponse) -> Stub {
        switch sample {
        case .networkResponse(let status, let data): .response(status, data: data)
        case .response(let response, let data):
            Stub(.head({ ResponseHead(response, fallbackURL: $0) }, data))
        case .networkError(let error): .failure(error)
        }
    }

    /// No response: the exchange fails with `error`. An `NSError` of `NSURLErrorDomain` becomes the `URLError` that it
    /// is on Apple's platforms.
    public static func failure(_ error: any Error) -> Stub {
        let bridged = error as NSError
        // Failable on some platforms alone, so its type is spelled out.
        let code: URLError.Code? = URLError.Code(rawValue: bridged.code)
        guard !(error is URLError), bridged.domain == NSURLErrorDomain, let code else {
            return Stub(.failure(error))
        }
        return Stub(.failure(URLError(code, userInfo: bridged.userInfo)))
    }

    /// No response: the exchange fails as a network does, with `URLError(code)`.
    public static func failure(_ code: URLError.Code) -> Stub {
        Stub(.failure(URLError(code)))
    }

    /// No response, ever: the request times out or is cancelled.
    public static var silence: Stub { Stub(.silence) }

    /// The answer that `respond` makes of the request. What it throws fails the exchange.
    public static func computed(
        _ respond: @escaping @Sendable (TransportRequest) async throws -> Stub
    ) -> Stub {
        Stub(.computed(respond))
    }

    private static func response(
        _ status: Int, type: String? = nil, headers: [String: String] = [:], body: StubBody
    ) -> Stub {
        var fields = headers.sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
        if let type, fields.values(for: "Content-Type").isEmpty {
            fields.insert(HeaderField(name: "Content-Type", value: type), at: 0)
        }
        return Stub(.response(status: status, fields: fields, body: body))
    }
}
