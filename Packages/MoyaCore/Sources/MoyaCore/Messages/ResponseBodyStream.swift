import Foundation

/// The body of a response as it arrives, in chunks of any size.
///
/// The transport buffers at most a few hundred KiB that have not been read. Ending the iteration,
/// cancelling the task or releasing the stream ends the exchange.
///
/// ```swift
/// for try await chunk in stream { try file.write(contentsOf: chunk) }
/// ```
///
/// Iterate once, from one task. The iterator throws the error of the exchange, or
/// `URLError(.cancelled)` after a cancel.
public struct ResponseBodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// Ends the exchange when the stream is released.
    fileprivate final class Reader: Sendable {
        let writer: ResponseBodyWriter
        init(_ writer: ResponseBodyWriter) { self.writer = writer }
        deinit { writer.cancel() }
    }

    private let reader: Reader

    /// Creates a stream of the bytes that a transport writes to `writer`. Create one stream for
    /// each writer.
    public init(_ writer: ResponseBodyWriter) {
        reader = Reader(writer)
    }

    /// Creates a stream of data in memory. For layers and stubs.
    public init(_ data: Data) {
        let writer = ResponseBodyWriter(resume: {}, stop: {})
        if !data.isEmpty { _ = data.withUnsafeBytes { writer.offer($0) } }
        writer.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
        reader = Reader(writer)
    }

    /// The trailer fields (RFC 9110, section 6.5). `nil` until the body has ended.
    public var trailers: [HeaderField]? { reader.writer.ending?.trailers }

    /// The durations and byte counts of the exchange. `nil` until the body has ended.
    public var metrics: TransportMetrics? { reader.writer.ending?.metrics }

    /// Ends the exchange.
    public func cancel() { reader.writer.cancel() }

    /// Calls `action` once: with the trailers and metrics after the last byte, or with the error.
    /// For layers that need to know when an exchange ends.
    ///
    /// An action that captures the stream prevents the exchange from ending when its reader
    /// releases the stream.
    public func whenEnded(
        _ action: @escaping @Sendable (Result<ResponseBodyWriter.Ending, any Error>) -> Void
    ) {
        reader.writer.whenOver(action)
    }

    /// Ends the body with the error of `deadline` when that passes.
    ///
    /// - Parameter url: The URL of the request, for the error.
    func end(at deadline: RequestDeadline, url: URL?) {
        // The timer does not retain the stream, whose release ends the exchange.
        let timer = Task { [writer = reader.writer] in
            try await deadline.clock.timeout(after: deadline.remaining)
            writer.cancel(throwing: deadline.error(url: url))
        }
        whenEnded { _ in timer.cancel() }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(scope: Scope(reader)) }

    /// Ends the exchange when the iterator is released.
    fileprivate final class Scope {
        let reader: Reader
        init(_ reader: Reader) { self.reader = reader }
        deinit { reader.writer.cancel() }
    }

    /// Iterates over the chunks of the body as they arrive.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let scope: Scope

        public mutating func next() async throws -> Data? {
            try await scope.reader.writer.next()
        }
    }
}

extension ResponseBodyStream {
    /// Reads the whole body, which may have at most `limit` bytes.
    ///
    /// - Throws: `URLError(.dataLengthExceedsMaximum)`; the error of the exchange.
    public func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await chunk in self {
            guard chunk.count <= limit - data.count else {
                throw URLError.bodyTooLarge(limit: limit)
            }
            data.append(chunk)
        }
        return data
    }

    /// Reads at most `limit` bytes of a rejected response's body, for at most `seconds` seconds.
    /// Errors end the data early.
    func beginning(_ limit: Int, within seconds: TimeInterval = 5) async -> Data {
        let patience = Task {
            try await SystemClock.system.sleep(for: seconds)
            cancel()
        }
        defer { patience.cancel() }
        var data = Data()
        do {
            for try await chunk in self {
                data.append(chunk.prefix(limit - data.count))
                if data.count == limit { break }
            }
        } catch {
            // The caller reports the status code. An incomplete body does not change it.
        }
        return data
    }
}
