import Foundation

/// The body of a response while it arrives, in pieces of any size.
///
/// The transport reads no further than a few hundred KiB ahead of you. Leaving the loop, cancelling the task
/// or letting go of the stream ends the exchange.
///
/// ```swift
/// for try await chunk in stream { try file.write(contentsOf: chunk) }
/// ```
///
/// Read it once, from one task. The loop throws what the exchange failed with, `URLError(.cancelled)`
/// after a cancel.
public struct ResponseBodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// Ends the exchange when the stream is released.
    fileprivate final class Reader: Sendable {
        let writer: ResponseBodyWriter
        init(_ writer: ResponseBodyWriter) { self.writer = writer }
        deinit { writer.cancel() }
    }

    private let reader: Reader

    /// A body whose bytes a transport writes into `writer`. One stream for each writer.
    public init(_ writer: ResponseBodyWriter) {
        reader = Reader(writer)
    }

    /// A body that is there already. For layers and stubs.
    public init(_ data: Data) {
        let writer = ResponseBodyWriter(resume: {}, stop: {})
        if !data.isEmpty { _ = data.withUnsafeBytes { writer.offer($0) } }
        writer.finish(.success(.init(trailers: [], metrics: TransportMetrics())))
        reader = Reader(writer)
    }

    /// The fields after the body (RFC 9110, section 6.5). `nil` until the transport has received them.
    public var trailers: [HeaderField]? { reader.writer.ending?.trailers }

    /// Where the time went. `nil` until the transport has received the last byte.
    public var metrics: TransportMetrics? { reader.writer.ending?.metrics }

    /// Ends the exchange.
    public func cancel() { reader.writer.cancel() }

    /// Calls `action` once, when the last byte has arrived or with what went wrong. For layers that have to
    /// know how long an exchange lasts. An action that holds the stream keeps it from ending with its last reader.
    public func whenOver(_ action: @escaping @Sendable ((any Error)?) -> Void) {
        reader.writer.whenOver { outcome in
            if case .failure(let error) = outcome { action(error) } else { action(nil) }
        }
    }

    /// Calls `action` once, as ``whenOver(_:)``, with trailers and metrics after the last byte. An action does not need the
    /// stream for them, so that the exchange still ends with its last reader.
    public func whenEnded(
        _ action: @escaping @Sendable (Result<ResponseBodyWriter.Ending, any Error>) -> Void
    ) {
        reader.writer.whenOver(action)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(scope: Scope(reader)) }

    /// Ends the exchange when the loop is left.
    fileprivate final class Scope {
        let reader: Reader
        init(_ reader: Reader) { self.reader = reader }
        deinit { reader.writer.cancel() }
    }

    /// Walks the pieces of the body as they arrive.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let scope: Scope

        public mutating func next() async throws -> Data? {
            try await scope.reader.writer.next()
        }
    }
}

extension ResponseBodyStream {
    /// The whole body, if it has at most `limit` bytes.
    ///
    /// - Throws: `URLError(.dataLengthExceedsMaximum)`; what the exchange failed with.
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

    /// As much of the body of a refused response as there is room for and as arrived.
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
            // The status is the news. A body that broke off does not change it.
        }
        return data
    }
}
