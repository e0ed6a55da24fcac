import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A URL that is written out in a test.
public func url(_ text: String) -> URL {
    URL(string: text) ?? URL(fileURLWithPath: "/not-a-url")
}

extension TransportRequest {
    /// A request with a timeout long enough for a slow machine.
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
            request, body: body, destination: destination, progress: progress, target: target)
    }
}

extension TransportResponse {
    /// A response in memory, for tests.
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

    /// The body as text, in memory or in a file.
    public var text: String {
        switch body {
        case .data(let data): String(decoding: data, as: UTF8.self)
        case .file(let url): (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        case .stream: ""
        }
    }
}

/// The code of the `URLError` that `operation` throws, or `nil`.
public func urlErrorCode<Value>(_ operation: () async throws -> Value) async -> URLError.Code? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return (error as? URLError)?.code
    }
}

/// The error that `operation` throws, or `nil`.
public func thrown<Value>(_ operation: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error
    }
}
