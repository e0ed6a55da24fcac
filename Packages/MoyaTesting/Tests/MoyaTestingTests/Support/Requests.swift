import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportRequest {
    static func test(
        _ method: String = "GET", _ address: String = "https://host.test/path",
        headers: [String: String] = [:], body: RequestBody = .none,
        destination: ResponseDestination = .memory(), timeout: TimeInterval = 120,
        target: (any TargetType)? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> TransportRequest {
        let url = URL(string: address) ?? URL(fileURLWithPath: "/not-a-url")
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return TransportRequest(
            request, body: body, destination: destination, progress: progress, target: target)
    }
}

extension TransportResponse {
    /// The body as text, wherever it is.
    var text: String {
        get throws {
            switch body {
            case .data(let data): String(decoding: data, as: UTF8.self)
            case .file(let url): String(decoding: try Data(contentsOf: url), as: UTF8.self)
            case .stream: ""
            }
        }
    }
}

/// Keeps reports of progress.
final class ProgressLog: Sendable {
    private let reports = Locked<[TransferProgress]>([])

    @Sendable func note(_ progress: TransferProgress) {
        reports.withLock { $0.append(progress) }
    }

    var sent: [Int64] { reports.withLock { $0.map(\.bytesSent) } }
    var received: [Int64] { reports.withLock { $0.map(\.bytesReceived) } }
    var last: TransferProgress? { reports.withLock { $0.last } }
}
