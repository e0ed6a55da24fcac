import Foundation
import MoyaInternals

/// Writes a response's body to its destination, in memory or in a file. For transports.
///
/// ```swift
/// var sink = try await ResponseBodySink(request)
/// while let bytes = try await connection.read() { try await sink.write(bytes) }
/// response.body = try await sink.finish()
/// ```
///
/// Call ``discard()`` after an error. File operations run on a global queue, off the cooperative
/// thread pool. For a streamed body, use a ``ResponseBodyWriter``.
public struct ResponseBodySink: Sendable {
    private let limit: Int
    private let url: URL?
    private var data = Data()
    private var file: (file: NewFile, url: URL)?

    /// Creates a sink, and the file if the destination is a file. A streamed destination is treated
    /// as memory.
    ///
    /// - Throws: `URLError(.cannotCreateFile)`, also if the file exists.
    public init(_ request: TransportRequest) async throws {
        url = request.urlRequest.url
        switch request.destination {
        case .memory(let limit): self.limit = limit
        case .file(let url):
            limit = 0
            file = (try await DiskWork.perform { try NewFile(url) }, url)
        case .stream: limit = ResponseDestination.defaultMemoryLimit
        }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: `URLError(.dataLengthExceedsMaximum)` if the body exceeds the limit of its
    ///   destination in memory; `URLError(.cannotWriteToFile)`, for example if the disk is full.
    public mutating func write(_ bytes: Data) async throws {
        if let (file, url) = file {
            let written = try await DiskWork.perform {
                var file = file
                try file.write(bytes)
                return file
            }
            self.file = (written, url)
        } else {
            guard bytes.count <= limit - data.count else {
                throw URLError.bodyTooLarge(limit: limit, url: url)
            }
            data.append(bytes)
        }
    }

    /// Closes the file and returns the whole body.
    ///
    /// - Throws: `URLError(.cannotCloseFile)`: some file systems report a full disk only on close.
    public mutating func finish() async throws -> ResponseBody {
        guard let (file, url) = file else { return .data(data) }
        self.file = nil
        try await DiskWork.perform {
            var file = file
            try file.finish()
        }
        return .file(url)
    }

    /// Removes the file, unless ``finish()`` was called.
    public mutating func discard() async {
        guard let (file, _) = file else { return }
        self.file = nil
        await DiskWork.perform {
            var file = file
            file.discard()
        }
    }
}
