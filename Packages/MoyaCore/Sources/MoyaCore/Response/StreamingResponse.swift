import Foundation

/// A response whose body is read while it arrives.
///
/// ```swift
/// let response = try await provider.stream(.events)
/// for try await chunk in response { … }
/// ```
///
/// Leaving the loop, cancelling the task or letting go of the response ends the exchange. Read it once, from
/// one task. The loop throws ``MoyaError``, with a response in it that has the head and no body.
public struct StreamingResponse: AsyncSequence, Sendable {
    public typealias Element = Data

    /// Status, header fields and final URL.
    public let head: ResponseHead
    /// The request as it was sent first, before any redirect.
    public let request: URLRequest?
    /// The body as the transport gives it. Its loop throws the transport's errors.
    public let body: ResponseBodyStream
    /// What decodes the body, once it has been collected.
    let coders: Coders

    /// The status code (RFC 9110, section 15).
    public var statusCode: Int { head.statusCode }
    /// The head of the response as Foundation's type. Made when it is first asked for.
    public var response: HTTPURLResponse? { head.urlResponse }

    /// The value of the header field `name`, whatever its case. Several fields of that name are
    /// joined with a comma.
    public func header(_ name: String) -> String? { head.value(for: name) }

    /// Ends the exchange.
    public func cancel() { body.cancel() }

    public func makeAsyncIterator() -> Iterator {
        Iterator(inner: body.makeAsyncIterator(), head: head, request: request)
    }

    /// Walks the pieces of the body as they arrive.
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
    /// The error for a status that is not accepted, with the body's first MiB.
    func refusal() async -> MoyaError {
        let data = await body.beginning(1 << 20)
        let response = Response(
            TransportResponse(head: head, body: .data(data)), request: request, coders: coders)
        return .underlying(MoyaError.statusCode(response), response)
    }

    /// The response, once its whole body has arrived.
    ///
    /// - Parameter limit: The most bytes the body may have.
    /// - Throws: ``MoyaError`` with `URLError(.dataLengthExceedsMaximum)` for a larger one; what the exchange
    ///   failed with.
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
