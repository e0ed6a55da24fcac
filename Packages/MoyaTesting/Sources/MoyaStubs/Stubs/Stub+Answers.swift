import Foundation
import MoyaCore

extension Stub {
    /// A response with this status code, these header fields and this body.
    public static func response(
        _ status: Int = 200, headers: [String: String] = [:], data: Data = Data()
    ) -> Stub {
        .response(status, headers: headers, body: .data(data))
    }

    /// A response with `text`, encoded as UTF-8.
    public static func text(
        _ text: String, status: Int = 200, headers: [String: String] = [:]
    ) -> Stub {
        .response(
            status, type: "text/plain; charset=utf-8", headers: headers,
            body: .data(Data(text.utf8)))
    }

    /// A response with `value`, encoded as JSON by the `Coders` of the target or the provider when
    /// a request arrives.
    ///
    /// - Throws: Nothing: a value that cannot be encoded fails the request. All forms of `json` are
    ///   called with `try`.
    public static func json(
        _ value: some Encodable & Sendable, status: Int = 200, headers: [String: String] = [:]
    ) throws -> Stub {
        .response(status, type: "application/json", headers: headers, body: .json(value))
    }

    /// A response with `value`, encoded as JSON immediately: with an encoder of its own, or for a
    /// type that is not `Sendable`.
    ///
    /// - Parameter encoder: `nil` uses the `Coders` of the request in a `respond` closure, and a
    ///   plain `JSONEncoder` elsewhere, because the request is not known yet.
    /// - Throws: Errors of the encoder.
    public static func json(
        _ value: some Encodable, status: Int = 200, headers: [String: String] = [:],
        encoder: JSONEncoder? = nil
    ) throws -> Stub {
        let encoder: any BodyEncoder = encoder ?? Coders.ofSamples.encoder(for: "application/json")
        return .response(
            status, type: "application/json", headers: headers,
            body: .data(try encoder.encode(value)))
    }

    /// A response with a JSON literal: `.json(["id": 5, "title": "x"])`. Its names and values are
    /// those of the literal, whatever the coders of the request are.
    ///
    /// - Throws: An `EncodingError` for a number that is not finite.
    public static func json(
        _ value: JSONValue, status: Int = 200, headers: [String: String] = [:]
    ) throws -> Stub {
        try json(value, status: status, headers: headers, encoder: JSONEncoder())
    }

    /// A response with the contents of a local file, which is read when a request arrives. Sets
    /// `Content-Type` for common file extensions.
    ///
    /// If the file cannot be read, the request fails with an error that names the file and the
    /// reason.
    public static func file(
        _ url: URL, status: Int = 200, headers: [String: String] = [:]
    ) -> Stub {
        .response(
            status, type: StubFile.type(ofExtension: url.pathExtension), headers: headers,
            body: .file(url))
    }

    /// A response with the contents of a resource: `.resource("user.json", in: .module)`.
    ///
    /// - Throws: An error that lists the existing resources if the bundle does not have the
    ///   resource.
    public static func resource(
        _ name: String, in bundle: Bundle, subdirectory: String? = nil, status: Int = 200,
        headers: [String: String] = [:]
    ) throws -> Stub {
        let file = try StubFile.find(name, in: bundle, subdirectory: subdirectory)
        return .file(file, status: status, headers: headers)
    }

    /// A response with the target's sample data.
    public static func sampleData(status: Int = 200) -> Stub {
        .response(status, body: .sampleData)
    }

    /// The answer that an `Endpoint` with `sample` gives.
    public static func sampleResponse(_ sample: EndpointSampleResponse) -> Stub {
        switch sample {
        case .networkResponse(let status, let data): .response(status, data: data)
        case .response(let response, let data):
            Stub(.response({ ResponseHead(response, fallbackURL: $0) }, .data(data)))
        case .networkError(let error): .failure(error)
        }
    }

    /// A failure: the exchange throws `error`. An `NSError` of `NSURLErrorDomain` becomes a
    /// `URLError`, as on Apple platforms.
    public static func failure(_ error: any Error) -> Stub {
        let bridged = error as NSError
        // The initializer is failable only on some platforms: the explicit type compiles on all of
        // them.
        let code: URLError.Code? = URLError.Code(rawValue: bridged.code)
        guard !(error is URLError), bridged.domain == NSURLErrorDomain, let code else {
            return Stub(.failure(error))
        }
        return Stub(.failure(URLError(code, userInfo: bridged.userInfo)))
    }

    /// A failure: the exchange throws `URLError(code)`.
    public static func failure(_ code: URLError.Code) -> Stub {
        Stub(.failure(URLError(code)))
    }

    /// No response: the request waits until it times out or is cancelled.
    public static var silence: Stub { Stub(.silence) }

    /// The answer that `respond` returns for the request. An error of `respond` fails the exchange.
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
        return Stub(
            .response(
                { [fields] in ResponseHead(statusCode: status, url: $0, fields: fields) }, body))
    }
}
