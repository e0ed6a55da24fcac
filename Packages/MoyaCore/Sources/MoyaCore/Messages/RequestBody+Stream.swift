import Foundation
import MoyaInternals

extension RequestBody {
    /// Returns the body as a stream: data in memory as one chunk, a file in chunks that are read as
    /// they are sent, off the cooperative thread pool. `nil` without a body. For transports.
    ///
    /// - Throws: `URLError` if the file cannot be read or the stream's length is negative.
    public func makeStream() throws -> RequestBodyStream? {
        switch self {
        case .none: return nil
        case .data(let data):
            return RequestBodyStream(length: Int64(data.count)) {
                AsyncStream { pieces in
                    pieces.yield(data)
                    pieces.finish()
                }
            }
        case .file(let url):
            let length = try UploadFile.size(of: url)
            return RequestBodyStream(length: length) { FilePieces(url: url) }
        case .stream(let stream):
            if let length = stream.length, length < 0 {
                throw URLError(
                    .requestBodyStreamExhausted,
                    "The length of the body's stream is \(length), but must be 0 or more.",
                    url: nil)
            }
            return stream
        }
    }
}

/// The content of a file, in chunks.
private struct FilePieces: AsyncSequence {
    typealias Element = Data

    let url: URL

    func makeAsyncIterator() -> Iterator { Iterator(url: url) }

    struct Iterator: AsyncIteratorProtocol {
        let url: URL
        var handle: FileHandle?

        mutating func next() async throws -> Data? {
            let (opened, data) = try await DiskWork.perform { [url, handle] in
                let opened = try handle ?? FileHandle(forReadingFrom: url)
                return (opened, try opened.read(upToCount: 256 << 10))
            }
            handle = opened
            return data.flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}
