import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Transport that serves a file with range requests, and the tus protocol, without a network.
final class TransferServer: Transport {
    private struct State {
        var uploads: [String: (length: Int, data: Data)] = [:]
    }

    let film: Data
    private let state = Locked(State())

    init(film: Data) { self.film = film }

    /// Bytes of each upload, complete or not.
    var uploads: [Data] { state.withLock { $0.uploads.values.map(\.data) } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.urlRequest.url?.path ?? ""
        switch request.urlRequest.httpMethod {
        case "POST" where path == "/files": return try create(request)
        case "HEAD": return try offset(request, path)
        case "PATCH": return try append(request, path)
        case "GET" where path == "/film": return try part(request)
        default: return try .test(request, 404, body: "")
        }
    }

    private func part(_ request: TransportRequest) throws -> TransportResponse {
        let range = request.urlRequest.value(forHTTPHeaderField: "Range")
            .flatMap { $0.wholeMatch(of: /bytes=(\d+)-(\d*)/) }
        let fields = [
            HeaderField(name: "ETag", value: "\"1\""), .init(name: "Accept-Ranges", value: "bytes"),
        ]
        let condition = request.urlRequest.value(forHTTPHeaderField: "If-Range")
        guard let range, condition == nil || condition == "\"1\"", let first = Int(range.1) else {
            return try answer(request, 200, fields, film)
        }
        guard first < film.count else {
            let all = HeaderField(name: "Content-Range", value: "bytes */\(film.count)")
            return try answer(request, 416, fields + [all], Data())
        }
        let last = min(Int(range.2) ?? film.count - 1, film.count - 1)
        let part = HeaderField(name: "Content-Range", value: "bytes \(first)-\(last)/\(film.count)")
        return try answer(request, 206, fields + [part], film[first...last])
    }

    private func create(_ request: TransportRequest) throws -> TransportResponse {
        let length = request.urlRequest.value(forHTTPHeaderField: "Upload-Length").flatMap {
            Int($0)
        }
        guard let length else { return try answer(request, 400, [], Data()) }
        let path = state.withLock { state in
            let path = "/files/\(state.uploads.count + 1)"
            state.uploads[path] = (length, Data())
            return path
        }
        return try answer(request, 201, [HeaderField(name: "Location", value: path)], Data())
    }

    private func offset(_ request: TransportRequest, _ path: String) throws -> TransportResponse {
        guard let upload = state.withLock({ $0.uploads[path] }) else {
            return try answer(request, 404, [], Data())
        }
        let fields = [
            HeaderField(name: "Upload-Offset", value: "\(upload.data.count)"),
            HeaderField(name: "Upload-Length", value: "\(upload.length)"),
        ]
        return try answer(request, 200, fields, Data())
    }

    private func append(_ request: TransportRequest, _ path: String) throws -> TransportResponse {
        let body =
            switch request.body {
            case .data(let data): data
            case .file(let url): try Data(contentsOf: url)
            default: Data()
            }
        let offset = request.urlRequest.value(forHTTPHeaderField: "Upload-Offset").flatMap {
            Int($0)
        }
        let end = state.withLock { state -> Int? in
            guard let count = state.uploads[path]?.data.count, count == offset else { return nil }
            state.uploads[path]?.data.append(body)
            return count + body.count
        }
        guard let end else { return try answer(request, 409, [], Data()) }
        return try answer(
            request, 204, [HeaderField(name: "Upload-Offset", value: "\(end)")], Data())
    }

    private func answer(
        _ request: TransportRequest, _ status: Int, _ fields: [HeaderField], _ data: Data
    ) throws -> TransportResponse {
        let url = request.urlRequest.url ?? url("https://films.test")
        let version = HeaderField(name: "Tus-Resumable", value: "1.0.0")
        let head = ResponseHead(statusCode: status, url: url, fields: fields + [version])
        return TransportResponse(head: head, body: .data(data))
    }
}
