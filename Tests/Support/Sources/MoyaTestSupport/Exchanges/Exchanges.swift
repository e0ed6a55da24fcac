import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Returns the URL of a literal in a test.
public func url(_ text: String) -> URL {
    URL(string: text) ?? URL(fileURLWithPath: "/not-a-url")
}

extension TransportRequest {
    /// Creates a request with a timeout of 120 s, long enough for a slow machine.
    public static func test(
        _ method: String = "GET", _ address: String = "http://host.test/path",
        headers: [String: String] = [:], body: RequestBody = .none,
        destination: ResponseDestination = .memory(), timeout: TimeInterval = 120,
        target: (any TargetType)? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> TransportRequest {
        var request = URLRequest(url: url(address), timeoutInterval: timeout)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return TransportRequest(
            request, body: body, destination: destination, progress: progress,
            context: RequestContext(target: target))
    }
}

extension TransportResponse {
    /// Creates a response with a body in memory.
    public static func test(
        _ request: TransportRequest, _ status: Int = 200, _ headers: [String: String] = [:],
        body: String = "answer"
    ) throws -> TransportResponse {
        let fields = headers.sorted { $0.key < $1.key }.map { HeaderField(name: $0, value: $1) }
        let head = ResponseHead(
            statusCode: status, url: request.urlRequest.url ?? url("http://host.test"),
            fields: fields)
        return TransportResponse(head: head, body: .data(Data(body.utf8)))
    }

    /// The body as text, from memory or its file. Empty for a stream.
    public var text: String {
        switch body {
        case .data(let data): String(decoding: data, as: UTF8.self)
        case .file(let url): (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        case .stream: ""
        }
    }
}

/// Returns the code of the `URLError` that `operation` throws, or `nil`.
public func urlErrorCode<Value>(_ operation: () async throws -> Value) async -> URLError.Code? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return (error as? URLError)?.code
    }
}

/// Returns the error that `operation` throws, or `nil`.
public func thrown<Value>(_ operation: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error
    }
}
