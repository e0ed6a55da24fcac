import Foundation

/// The pages of a list, requested one after another as they are read.
///
/// ```swift
/// for try await page in provider.pages(of: ListIssues()) { print(page.count) }
/// ```
///
/// Requests a page only when the iterator is advanced. Each iterator starts at the first page.
/// After the pages that were read, the iterator throws ``MoyaError``:
/// ``MoyaError/underlying(_:_:)`` with a ``PageError`` for a list that exceeds its limit, repeats a
/// page or continues at another origin, or the error of the `next` closure.
public struct PageSequence<Element: Sendable>: AsyncSequence, Sendable {
    struct Page: Sendable {
        let element: Element
        /// The request of the next page. `nil` for the last page.
        let next: Result<Request?, MoyaError>
    }

    /// The request of a page.
    struct Request: Sendable {
        /// Identifies the page.
        let endpoint: Endpoint
        let load: @Sendable () async throws -> Page

        func decoding<Value>(
            _ decode: @escaping @Sendable (Element) throws -> Value
        ) -> PageSequence<Value>.Request {
            .init(endpoint: endpoint) {
                let page = try await load()
                return .init(
                    element: try decode(page.element), next: page.next.map { $0?.decoding(decode) })
            }
        }
    }

    let first: Request
    let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(limit: limit, next: .success(first))
    }

    /// Returns the pages with `decode` applied to each. An error of `decode` ends the sequence.
    @_spi(MoyaInternals)
    public func decoding<Value: Sendable>(
        _ decode: @escaping @Sendable (Element) throws -> Value
    ) -> PageSequence<Value> {
        PageSequence<Value>(first: first.decoding(decode), limit: limit)
    }

    /// Requests the pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let limit: Int
        fileprivate var next: Result<Request?, MoyaError>
        fileprivate var requested: Set<Endpoint> = []

        public mutating func next() async throws -> Element? {
            let following = next
            next = .success(nil)
            guard let request = try following.get() else { return nil }
            guard requested.count < limit else {
                throw MoyaError.underlying(PageError.limit(limit), nil)
            }
            guard requested.insert(request.endpoint).inserted else {
                let url = try? request.endpoint.urlRequest().url
                throw MoyaError.underlying(PageError.repeated(url), nil)
            }
            do {
                let page = try await request.load()
                next = page.next
                return page.element
            } catch {
                // Overrides in a subclass may throw errors of other types.
                throw MoyaError(wrapping: error)
            }
        }
    }
}

/// The reason why a list of pages ended early.
public enum PageError: Error, Sendable, Equatable {
    /// The list has more pages than the limit.
    case limit(Int)
    /// The next page, at this URL, has been requested before. `nil` if its endpoint has no valid
    /// URL.
    case repeated(URL?)
    /// The link to the next page has another origin than the page, or contains a user name or
    /// password.
    case otherOrigin(URL)
    /// The response links to a next page, but the request's method is not safe (RFC 9110, section
    /// 9.2.1).
    case notSafe(Method)
}

extension PageError: LocalizedError, CustomStringConvertible {
    /// The problem and its solution, with secrets in URLs masked.
    public var description: String {
        switch self {
        case .limit(let limit):
            "The list has more than \(limit) pages. If that is expected, pass a higher limit to "
                + "pages(of:limit:)."
        case .repeated(let url):
            "The next page\(url.map { ", \(Self.masked($0))," } ?? "") has been read already, so "
                + "the list would never end. Check the server's next links, or the next closure."
        case .otherOrigin(let url):
            "The next page, \(Self.masked(url)), has another origin than the page that links to "
                + "it, or contains a user name or password. It was not requested, because its "
                + "header fields may contain secrets. To request it, pass a next closure."
        case .notSafe(let method):
            "pages(of:) follows links only after GET and other safe methods, not \(method). Pass a "
                + "next closure."
        }
    }

    public var errorDescription: String? { description }

    private static func masked(_ url: URL) -> String { Redaction.default.redact(url: url) }
}
