import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Compressed request body.
struct CompressedUpload: UploadBody {
    /// Body to compress.
    let body: RequestTask.Body
    /// Compression format.
    let coding: ContentCoding
    /// Trade-off between size and time.
    let level: CompressionLevel
    /// Minimum size in bytes. A smaller body is sent uncompressed.
    let minimumSize: Int

    /// Largest body in memory that is compressed before it is sent, in bytes. Larger bodies are
    /// compressed while they are sent.
    private static let largestInMemory = 1 << 20

    /// - Parameter minimumSize: Minimum size in bytes. A body of unknown length is always
    ///   compressed.
    init(
        _ body: RequestTask.Body, coding: ContentCoding = .gzip,
        level: CompressionLevel = .default, minimumSize: Int = 1_024
    ) {
        self.body = body
        self.coding = coding
        self.level = level
        self.minimumSize = minimumSize
    }

    /// Encodes the body, compresses it and sets `Content-Encoding`. If the request already has a
    /// `Content-Encoding`, or the body is smaller than `minimumSize`, the body stays
    /// uncompressed.
    ///
    /// - Throws: `MoyaError` for values that cannot be encoded; errors of a nested upload;
    ///   ``FileTransferError``; `CompressionError`.
    func makeBody(for request: inout URLRequest) throws -> RequestBody {
        let plain = try body.encode(for: &request)
        guard request.value(forHTTPHeaderField: "Content-Encoding") == nil,
            let compressed = try compress(plain)
        else { return plain }
        request.setValue(coding.rawValue, forHTTPHeaderField: "Content-Encoding")
        // The length was that of the uncompressed body.
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        return compressed
    }

    /// Returns the compressed body, or `nil` if the body stays as it is.
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
    /// Whether both uploads compress equal bodies with equal settings.
    static func == (left: Self, right: Self) -> Bool {
        left.coding == right.coding && left.level == right.level
            && left.minimumSize == right.minimumSize && left.body.key == right.body.key
    }

    /// Hashes the coding and the body.
    func hash(into hasher: inout Hasher) {
        hasher.combine(coding)
        hasher.combine(body.key)
    }
}

extension CompressedUpload: WrappedBodyUpload {
    func encoded(by coders: Coders, contentType: String?) -> CompressedUpload {
        CompressedUpload(
            body.encoded(by: coders, contentType: contentType), coding: coding, level: level,
            minimumSize: minimumSize)
    }
}

/// Identity of a body, for comparison.
private enum BodyKey: Hashable {
    case encoded(url: URL?, headers: [String: String]?, body: Data?)
    case upload(AnyHashable)
    case invalid
}

extension RequestTask.Body {
    /// Encodes the body, and adds its query and header fields to `request`.
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
        // POST: encodings then put parameters into the body, if they can.
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = "POST"
        guard let body = try? encode(for: &request) else { return .invalid }
        var data: Data?
        if case .data(let encoded) = body { data = encoded }
        return .encoded(url: request.url, headers: request.allHTTPHeaderFields, body: data)
    }
}
