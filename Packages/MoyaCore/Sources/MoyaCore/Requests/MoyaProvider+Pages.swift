import Foundation

extension MoyaProvider {
    /// Returns the decoded pages of a list. `next` returns the target of the next page.
    ///
    /// ```swift
    /// let pages = provider.pages(of: .search("x", page: 1), as: Found.self) { target, found in
    ///     found.nextPage.map { .search("x", page: $0) }
    /// }
    /// for try await found in pages { … }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: Maximum number of pages to request. A longer list fails with ``PageError``.
    ///   - next: Returns the target of the next page, or `nil` after the last page. A target that
    ///     was requested before fails with ``PageError``.
    public func pages<Value: Decodable & Sendable>(
        of target: Target, as type: Value.Type, limit: Int = 1000,
        next: @escaping @Sendable (Target, Value) throws -> Target?
    ) -> PageSequence<Value> {
        pages(
            target, limit, in: { $0 },
            decode: { try $1.decode(Value.self, using: self.coders(for: $0)) },
            next: next)
    }

    /// Returns the decoded pages of a list. Each page has a link with the relation `next` (RFC
    /// 8288) to the next page.
    ///
    /// The next page is requested with the plugins, and with the method and header fields that the
    /// endpoint of `target` has then, without conditional and range fields (`If-None-Match`,
    /// `Range`), which apply only to the first page.
    /// In a subclass that overrides `request`, only the first page is requested through the
    /// override.
    ///
    /// - Parameter limit: Maximum number of pages to request. A longer list fails with
    ///   ``PageError``, as does a link to another origin or to a page that was requested before.
    public func pages<Value: Decodable & Sendable>(
        of target: Target, as type: Value.Type, limit: Int = 1000
    ) -> PageSequence<Value> {
        linkedPages(of: target, limit: limit).decoding { response in
            try response.decode(Value.self, using: self.coders(for: target))
        }
    }
}

extension MoyaProvider where Target: ResponseTarget {
    /// Returns the decoded pages of a list. `next` returns the target of the next page.
    ///
    /// ```swift
    /// let pages = provider.pages(of: Search("x"), next: { $1.nextPage.map($0.page) })
    /// for try await found in pages { … }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: Maximum number of pages to request. A longer list fails with ``PageError``.
    ///   - next: Returns the target of the next page, or `nil` after the last page. A target that
    ///     was requested before fails with ``PageError``.
    public func pages(
        of target: Target, limit: Int = 1000,
        next: @escaping @Sendable (Target, Target.Response) throws -> Target?
    ) -> PageSequence<Target.Response> {
        pages(
            target, limit, in: { $0 }, decode: { try self.value(of: $0, in: $1) }, next: next)
    }

    /// Returns the decoded pages of a list. Each page has a link with the relation `next` (RFC
    /// 8288) to the next page.
    ///
    /// The next page is requested with the plugins, and with the method and header fields that the
    /// endpoint of `target` has then, without conditional and range fields (`If-None-Match`,
    /// `Range`), which apply only to the first page.
    /// In a subclass that overrides `request`, only the first page is requested through the
    /// override.
    ///
    /// - Parameter limit: Maximum number of pages to request. A longer list fails with
    ///   ``PageError``, as does a link to another origin or to a page that was requested before.
    public func pages(of target: Target, limit: Int = 1000) -> PageSequence<Target.Response> {
        linkedPages(of: target, limit: limit).decoding { try self.value(of: target, in: $0) }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns the decoded pages of a list. `next` returns the target of the next page.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of pages to request. A longer list fails with ``PageError``.
    ///   - next: Returns the target of the next page, or `nil` after the last page. A target that
    ///     was requested before fails with ``PageError``.
    public func pages<Typed: ResponseTarget>(
        of target: Typed, limit: Int = 1000,
        next: @escaping @Sendable (Typed, Typed.Response) throws -> Typed?
    ) -> PageSequence<Typed.Response> {
        pages(
            target, limit, in: { MultiTarget($0) },
            decode: { try self.value(of: $0, in: $1) }, next: next)
    }

    /// Returns the decoded pages of a list. Each page has a link with the relation `next` (RFC
    /// 8288) to the next page.
    ///
    /// The next page is requested with the plugins, and with the method and header fields that the
    /// endpoint of `target` has then, without conditional and range fields (`If-None-Match`,
    /// `Range`), which apply only to the first page.
    /// In a subclass that overrides `request`, only the first page is requested through the
    /// override.
    ///
    /// - Parameter limit: Maximum number of pages to request. A longer list fails with
    ///   ``PageError``, as does a link to another origin or to a page that was requested before.
    public func pages<Typed: ResponseTarget>(
        of target: Typed, limit: Int = 1000
    ) -> PageSequence<Typed.Response> {
        linkedPages(of: MultiTarget(target), limit: limit)
            .decoding { try self.value(of: target, in: $0) }
    }
}

extension MoyaProvider {
    /// Returns pages whose successors `next` determines.
    private func pages<Asked: TargetType, Value>(
        _ target: Asked, _ limit: Int, in wrap: @escaping @Sendable (Asked) -> Target,
        decode: @escaping @Sendable (Asked, Response) throws -> Value,
        next: @escaping @Sendable (Asked, Value) throws -> Asked?
    ) -> PageSequence<Value> {
        @Sendable func request(_ asked: Asked) -> PageSequence<Value>.Request {
            let target = wrap(asked)
            return .init(endpoint: self.endpoint(target)) {
                let response = try await self.request(target)
                let value = try decode(asked, response)
                let following = Result { try next(asked, value).map(request) }
                return .init(
                    element: value, next: following.mapError { MoyaError(wrapping: $0, response) })
            }
        }
        return PageSequence(first: request(target), limit: limit)
    }

    /// Returns pages that link to their successors, undecoded.
    @_spi(MoyaInternals)
    public func linkedPages(of target: Target, limit: Int) -> PageSequence<Response> {
        // Identifies the pages. Each request has a new endpoint, which has the current token.
        let list = endpoint(target)
        @Sendable func request(
            _ page: Endpoint,
            _ send: @escaping @Sendable () async throws -> (response: Response, sent: Endpoint)
        ) -> PageSequence<Response>.Request {
            .init(endpoint: page) {
                let (response, sent) = try await send()
                let next = sent.next(in: response).map { url in
                    url.map { url in
                        request(list.page(at: url)) {
                            let endpoint = self.endpoint(target)
                            try endpoint.checkPage(at: url, after: sent)
                            let response = try await self.response(
                                to: target, using: endpoint.page(at: url))
                            return (response, endpoint)
                        }
                    }
                }
                return .init(element: response, next: next)
            }
        }
        let first = request(list) {
            let endpoint = self.endpoint(target)
            return (try await self.request(target), endpoint)
        }
        return PageSequence(first: first, limit: limit)
    }
}

extension Endpoint {
    /// Returns the URL that `response`, the response to this endpoint's request, links to as its
    /// next page.
    fileprivate func next(in response: Response) -> Result<URL?, MoyaError> {
        guard let next = response.link("next")?.withoutFragment else { return .success(nil) }
        guard method.isSafe else {
            return .failure(.underlying(PageError.notSafe(method), response))
        }
        guard let origin = response.request?.url, next.hasSameOrigin(as: origin),
            !next.hasUserInfo
        else { return .failure(.underlying(PageError.otherOrigin(next), response)) }
        return .success(next)
    }

    /// Throws if this endpoint has another origin than `previous`, whose response links to `url`:
    /// its header fields may be secrets of its origin. Throws for a method that is not safe, too.
    fileprivate func checkPage(at url: URL, after previous: Endpoint) throws(MoyaError) {
        guard method.isSafe else { throw .underlying(PageError.notSafe(method), nil) }
        guard let own = URL(string: self.url), let other = URL(string: previous.url),
            own.hasSameOrigin(as: other)
        else { throw .underlying(PageError.otherOrigin(url), nil) }
    }

    /// Returns this endpoint with the URL of another page of its list.
    fileprivate func page(at url: URL) -> Endpoint {
        // The link contains the whole query.
        var task = task
        task.query = .none
        if case .parameters = task.body { task.body = .none }
        let fields = httpHeaderFields?.filter { name, _ in
            !Self.fieldsOfOnePage.contains(name.lowercased())
        }
        return Endpoint(
            url: url.absoluteString, sampleResponseClosure: sampleResponseClosure,
            method: method, task: task, httpHeaderFields: fields,
            timeoutInterval: timeoutInterval, cachePolicy: cachePolicy)
    }

    /// Conditional and range fields, which apply to a single resource (RFC 9110, sections 13.1 and
    /// 14.2).
    private static let fieldsOfOnePage: Set = [
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "range",
    ]
}

extension URL {
    /// The URL without its fragment, which is not sent and names no other page (RFC 3986, section
    /// 3.5).
    fileprivate var withoutFragment: URL? {
        URL(string: String(absoluteString.prefix { $0 != "#" }))
    }
}
