import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends one request over a transport.
struct Exchange {
    private let order: Order
    private let transport: any Transport

    init(_ order: Order, _ transport: any Transport) {
        self.order = order
        self.transport = transport
    }

    /// Sends the request and returns the response or the error.
    func result() async -> Result {
        let start = DispatchTime.now().uptimeNanoseconds
        var result = Result()
        do {
            let response = try await transport.send(request())
            result.body = try await body(of: response)
            result.status = response.head.statusCode
            result.fields = response.head.fields.count
            result.trailers = response.trailers.count
        } catch {
            result.body = nil
            result.domain = (error as NSError).domain
            result.code = (error as NSError).code
            result.message = (error as NSError).localizedDescription
            result.cause = ((error as NSError).userInfo[NSUnderlyingErrorKey]).map { "\($0)" }
        }
        result.seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        return result
    }

    private func request() -> TransportRequest {
        var request = URLRequest(url: order.url)
        request.httpMethod = order.method
        if order.method == "POST" { request.httpBody = Data("question".utf8) }
        let credential =
            order.hasCredential
            ? URLCredential(user: "user", password: "password", persistence: .none) : nil
        return TransportRequest(request, destination: destination, credential: credential)
    }

    private var destination: ResponseDestination {
        switch order.destination {
        case .memory: .memory(limit: Transports.memoryLimit)
        case .file: .file(file)
        case .stream: .stream
        }
    }

    private var file: URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    }

    private func body(of response: TransportResponse) async throws -> Data {
        switch response.body {
        case .data(let data): return data
        case .file(let url):
            defer { try? FileManager.default.removeItem(at: url) }
            return try Data(contentsOf: url)
        case .stream(let stream):
            var data = Data()
            for try await chunk in stream where data.count <= Transports.memoryLimit {
                data += chunk
            }
            return data
        }
    }
}
