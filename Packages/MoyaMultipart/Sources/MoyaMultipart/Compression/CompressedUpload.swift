import Foundation
import MoyaCore

/// The body of a task, compressed.
public struct CompressedUpload: UploadBody {
    /// What is compressed.
    public let body: RequestTask.Body
    /// In which format.
    public let coding: ContentCoding
    /// How small it gets, and how long that takes.
    public let level: CompressionLevel
    /// A body with fewer bytes than this is sent as it is.
    public let minimumSize: Int

    /// The largest body in memory that is compressed before it is sent. Larger ones are while they are sent.
    private static let largestInMemory = 1 << 20

    /// For tasks put together by hand: `RequestTask.compressed(_:level:minimumSize:)` makes the usual ones.
    ///
    /// - Parameter minimumSize: In bytes. A body of unknown length is compressed whatever this is.
    public init(
        _ body: RequestTask.Body, coding: ContentCoding = .gzip,
        level: CompressionLevel = .default, minimumSize: Int = 1_024
    ) {
        self.body = body
        self.coding = coding
        self.level = level
        self.minimumSize = minimumSize
    }

    /// Makes the body, and one that is compressed of it. Sets `Content-Encoding`. A request that has one already keeps
    /// its body as it is.
    ///
    /// - Throws: `MoyaError` for values that cannot be encoded; what an upload throws; ``CompressionError``.
    public func makeBody(for request: inout URLRequest) throws -> RequestBody {
        let plain = try body.encode(for: &request)
        guard request.value(forHTTPHeaderField: "Content-Encoding") == nil,
            let compressed = try compress(plain)
        else { return plain }
        request.setValue(coding.rawValue, forHTTPHeaderField: "Content-Encoding")
        // It was that of the plain body.
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        return compressed
    }

    /// `nil` for a body that stays as it is.
    private func compress(_ plain: RequestBody) throws -> RequestBody? {
        switch plain {
        case .none: return nil
        case .data(let data):
            guard data.count >= max(minimumSize, 1) else { return nil }
            guard data.count > Self.largestInMemory else {
                let deflater = try Deflater(coding, level: level)
                return .data(try deflater.compress(data) + deflater.finish())
            }
            return .stream(compress([.bytes(data)]))
        case .file(let file):
            let size = try LocalFile(file, .default).size
            guard size >= max(minimumSize, 1) else { return nil }
            return .stream(compress([.file(file, size)]))
        case .stream(let stream):
            if let length = stream.length, length < minimumSize { return nil }
            return .stream(compress(stream))
        }
    }

    private func compress(_ segments: [BodySegment]) -> RequestBodyStream {
        compress(RequestBodyStream { SegmentedBody(segments) })
    }

    private func compress(_ plain: RequestBodyStream) -> RequestBodyStream {
        let compressed = CompressedBody(plain: plain, coding: coding, level: level)
        var stream =
            plain.isReplayable
            ? RequestBodyStream { compressed } : RequestBodyStream(once: compressed)
        stream.trailers = plain.trailers
        return stream
    }
}

extension CompressedUpload {
    public static func == (left: Self, right: Self) -> Bool {
        left.coding == right.coding && left.level == right.level
            && left.minimumSize == right.minimumSize && left.body.key == right.body.key
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(coding)
        hasher.combine(body.key)
    }
}

/// What tells a body from others.
private enum BodyKey: Hashable {
    case encoded(url: URL?, headers: [String: String]?, body: Data?)
    case upload(AnyHashable)
    case invalid
}

extension RequestTask.Body {
    /// The body, after it has added to `request` what it needs.
    fileprivate func encode(for request: inout URLRequest) throws -> RequestBody {
        switch self {
        case .none: return RequestBody.none
        case .data(let data): return .data(data)
        case .upload(let upload): return try upload.makeBody(for: &request)
        case .encodable(let value, let encoder):
            let data: Data
            do {
                data = try encoder.encode(value)
            } catch {
                throw MoyaError.encodableMapping(error)
            }
            if request.value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(encoder.contentType, forHTTPHeaderField: "Content-Type")
            }
            return .data(data)
        case .parameters(let parameters, let encoding):
            do {
                request = try encoding.encode(request, with: parameters)
            } catch {
                throw MoyaError.parameterEncoding(error)
            }
            defer { request.httpBody = nil }
            return request.httpBody.map(RequestBody.data) ?? RequestBody.none
        }
    }

    fileprivate var key: BodyKey {
        if case .upload(let upload) = self { return .upload(AnyHashable(upload)) }
        // A POST, so that parameters are in the body wherever they can be.
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = "POST"
        guard let body = try? encode(for: &request) else { return .invalid }
        var data: Data?
        if case .data(let encoded) = body { data = encoded }
        return .encoded(url: request.url, headers: request.allHTTPHeaderFields, body: data)
    }
}
