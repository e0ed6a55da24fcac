import Foundation

/// The pages of a list, requested one after the other while a loop reads them.
///
/// ```swift
/// for try await page in provider.pages(of: ListIssues()) { print(page.count) }
/// ```
///
/// The next request is made when the loop asks for the next page; leaving the loop makes no more. Each loop starts with the
/// first page. After the pages that could be read, the loop throws ``MoyaError``: with a ``PageError`` in
/// ``MoyaError/underlying(_:_:)`` for a list that would not end or that goes on elsewhere, and with the error of the closure
/// that says what comes next where that throws one.
public struct PageSequence<Element: Sendable>: AsyncSequence, Sendable {
    struct Page: Sendable {
        let element: Element
        /// The request of the next page. `nil` for the last page.
        let next: Result<Request?, MoyaError>
    }

    /// What has to be sent for a page.
    struct Request: Sendable {
        /// Tells one page from the others.
        let endpoint: Endpoint
        let load: @Sendable () async throws -> Page
    }

    let first: Request
    let limit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(limit: limit, next: .success(first))
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
                // The overrides of a subclass may throw others.
                throw MoyaError(wrapping: error)
            }
        }
    }
}

/// Why a list of pages did not come to its end.
public enum PageError: Error, Sendable, Equatable {
    /// The list has more pages than this limit.
    case limit(Int)
    /// The next page, at this URL, has been requested before. `nil` where its endpoint has no URL.
    case repeated(URL?)
    /// The link to the next page has another origin than the page with the link, or a user name or password.
    case otherOrigin(URL)
    /// A response has a link to a next page, but its request had this method, which is not safe (RFC 9110,
    /// section 9.2.1).
    case notSafe(Method)
}

extension PageError: LocalizedError, CustomStringConvertible {
    /// What was wrong and what to do about it, with secrets in URLs masked.
    public var description: String {
        switch self {
        case .limit(let limit):
            "The list has more than \(limit) pages. Where that is right, raise the limit of "
                + "pages(of:limit:)."
        case .repeated(let url):
            "The next page\(url.map { ", \(Self.masked($0))," } ?? "") has been read already, so "
                + "the list has no end."
        case .otherOrigin(let url):
            "The next page is at \(Self.masked(url)), which is not the origin that the first "
                + "request was for. Its header fields may be secrets and are not sent there."
        case .notSafe(let method):
            "The links of a response to \(method) lead to no next page. Say what comes next in a "
                + "closure."
        }
    }

    public var errorDescription: String? { description }

    private static func masked(_ url: URL) -> String { Redaction.default.redact(url: url) }
}
