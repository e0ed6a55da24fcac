import Foundation

/// A response whose body is read as it arrives.
///
/// ```swift
/// let response = try await provider.stream(.events)
/// for try await chunk in response { … }
/// ```
///
/// Ending the iteration, cancelling the task or releasing the response cancels the request. Iterate
/// once, from one task. The iterator throws ``MoyaError``, with a response that has the head but no
/// body.
public struct StreamingResponse: AsyncSequence, Sendable {
    public typealias Element = Data

    /// Status, header fields and final URL.
    public let head: ResponseHead
    /// The request as first sent, before redirects.
    public let request: URLRequest?
    /// The body as the transport returned it. Its iterator throws the transport's errors.
    public let body: ResponseBodyStream
    /// The coders of the target, otherwise of the provider. They decode the body after
    /// ``collect(upTo:)``, and the values in it.
    public let coders: Coders
    /// The error for a status code that the target's validation rejects. ``body`` is the part of
    /// the response's body that is in the error then.
    var rejection: MoyaError?

    /// The status code (RFC 9110, section 15).
    public var statusCode: Int { head.statusCode }
    /// The response head as a Foundation type, created on first access.
    public var response: HTTPURLResponse? { head.urlResponse }

    /// Returns the value of the header field `name`, compared without regard to case. Values of
    /// several fields are joined with a comma.
    public func header(_ name: String) -> String? { head.value(for: name) }

    /// Cancels the request.
    public func cancel() { body.cancel() }

    public func makeAsyncIterator() -> Iterator {
        Iterator(inner: body.makeAsyncIterator(), head: head, request: request)
    }

    /// Iterates over the chunks of the body as they arrive.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var inner: ResponseBodyStream.Iterator
        fileprivate let head: ResponseHead
        fileprivate let request: URLRequest?

        public mutating func next() async throws -> Data? {
            do {
                return try await inner.next()
            } catch {
                throw MoyaError(
                    wrapping: error, Response(TransportResponse(head: head), request: request))
            }
        }
    }
}

extension StreamingResponse {
    /// Returns the error for a status code that the caller cannot use: that of the target's
    /// validation, or one with the first MiB of the body, which it reads. Plugins do not `process`
    /// the latter.
    public func refusal() async -> MoyaError {
        if let rejection { return rejection }
        let data = await body.beginning(1 << 20)
        let response = Response(
            TransportResponse(
                head: head, body: .data(data), metrics: body.metrics ?? TransportMetrics()),
            request: request, coders: coders)
        return .underlying(MoyaError.statusCode(response), response)
    }

    /// Reads the whole body and returns the response.
    ///
    /// - Parameter limit: Maximum size of the body, in bytes.
    /// - Throws: ``MoyaError``: with `URLError(.dataLengthExceedsMaximum)` for a larger body,
    ///   otherwise with the error of the transport.
    public func collect(
        upTo limit: Int = ResponseDestination.defaultMemoryLimit
    ) async throws -> Response {
        do {
            let data = try await body.collect(upTo: limit)
            let answer = TransportResponse(
                head: head, body: .data(data), metrics: body.metrics ?? TransportMetrics(),
                trailers: body.trailers ?? [])
            return Response(answer, request: request, coders: coders)
        } catch {
            throw MoyaError(
                wrapping: error, Response(TransportResponse(head: head), request: request))
        }
    }
}
