import Foundation
import MoyaCore

extension TargetCatalog {
    /// Sends every target and checks the responses: whether the status is allowed, and whether the
    /// body is as expected.
    ///
    /// Also sends requests that change data on the server: exclude them with ``filter(_:)``.
    ///
    /// ```swift
    /// let readOnly = catalog.filter { $0.method == .get }
    /// let report = await readOnly.checkLive(with: provider, at: staging)
    /// ```
    ///
    /// - Parameters:
    ///   - provider: Provider that sends the requests, with its plugins.
    ///   - baseURL: Base URL that replaces the base URLs of the targets. `nil` keeps them.
    ///   - concurrency: Maximum number of requests in flight.
    ///   - statusCodes: Allowed status codes for targets whose validation allows every status.
    ///   - document: OpenAPI document to compare the responses with.
    /// - Returns: The report. Cancelling the task cancels the requests, which the report then lists
    ///   as problems.
    public func checkLive(
        with provider: MoyaProvider<Target>, at baseURL: URL? = nil, concurrency: Int = 4,
        allowing statusCodes: Range<Int> = 200..<400, against document: OpenAPIDocument? = nil
    ) async -> CatalogReport {
        let sender = baseURL.map { provider.based(at: $0) } ?? provider
        let place = baseURL.map { Redaction.default.redact(url: $0) } ?? "live"
        var report = CatalogReport(title: name, subtitle: place)
        report.rows = await entries.concurrentMap(limit: concurrency) { entry in
            if let baseURL, let row = refusal(of: entry, provider, at: baseURL) { return row }
            let (row, response) = await row(for: entry, with: sender, statusCodes)
            // A body in a file is not compared.
            guard let document, let response, response.fileURL == nil else { return row }
            var compared = row
            compared.checks.append(.contract)
            // With the target's own URL, because the document does not have `baseURL`.
            let subject = CatalogSubject(entry, provider)
            compared.findings += OfflineChecks.contract(subject, document, response)
            return compared
        }
        return report
    }

    /// Returns a row with a problem for a target that cannot be moved to `baseURL`. Such a target
    /// is not sent: its original host may be the production server.
    private func refusal(
        of entry: Entry, _ provider: MoyaProvider<Target>, at baseURL: URL
    ) -> CatalogReport.Row? {
        let subject = CatalogSubject(entry, provider)
        let own = entry.target.baseURL
        guard subject.endpoint.moved(from: own, to: baseURL) == nil else { return nil }
        var row = CatalogReport.Row(subject)
        row.checks = [.live]
        row.findings = [
            subject.problem(
                .live,
                "It was not sent: its URL does not begin with its baseURL "
                    + "\(Redaction.default.redact(url: own)), so it cannot be sent to another.")
        ]
        return row
    }

    private func row(
        for entry: Entry, with provider: MoyaProvider<Target>, _ statusCodes: Range<Int>
    ) async -> (CatalogReport.Row, Response?) {
        let subject = CatalogSubject(entry, provider)
        var row = CatalogReport.Row(subject)
        row.checks = [.live]
        let start = DispatchTime.now().uptimeNanoseconds
        let result: Result<Response, MoyaError>
        do {
            result = .success(try await provider.request(entry.target))
        } catch {
            result = .failure(MoyaError(wrapping: error))
        }
        row.duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let response = (try? result.get()) ?? result.failure?.response
        row.status = response?.statusCode
        row.byteCount = response?.data.count
        row.metrics = response?.metrics
        if let reason = Self.problem(with: result, of: entry, statusCodes) {
            row.findings = [subject.problem(.live, reason)]
        }
        return (row, response)
    }

    private static func problem(
        with result: Result<Response, MoyaError>, of entry: Entry, _ statusCodes: Range<Int>
    ) -> String? {
        switch result {
        case .failure(.underlying(MoyaError.statusCode(let response), _)),
            .failure(.statusCode(let response)):
            return "The answer is \(response.statusCode), which its validation refuses"
                + excerpt(of: response)
        case .failure(let error):
            return "There is no answer: \(error.localizedDescription)"
        case .success(let response):
            let allowsAll = entry.target.validationType.statusCodes.isEmpty
            if allowsAll, !statusCodes.contains(response.statusCode) {
                return "The answer is \(response.statusCode), and allowed are "
                    + "\(statusCodes.lowerBound) to \(statusCodes.upperBound - 1)"
                    + excerpt(of: response)
            }
            // A body in a file is not decoded.
            guard response.fileURL == nil else { return nil }
            return entry.expectation.mismatch(in: response).map {
                "The body of the answer \($0.hasSuffix(".") ? String($0.dropLast()) : $0)"
                    + excerpt(of: response)
            }
        }
    }

    /// Returns the first 160 characters of the body, with secrets masked.
    private static func excerpt(of response: Response) -> String {
        let data = Redaction.default.redact(body: response.data, upTo: 2000)
        let text = String(decoding: data, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { return "." }
        return text.count > 160 ? ": \(text.prefix(160))…" : ": \(text)"
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension MoyaProvider {
    /// Returns a provider that sends the same requests to `base`.
    fileprivate func based(at base: URL) -> MoyaProvider<Target> {
        MoyaProvider(
            endpointClosure: { target in
                let endpoint = self.endpoint(target)
                // The empty URL is invalid, so that the request fails and is not sent.
                return endpoint.moved(from: target.baseURL, to: base) ?? endpoint.at(url: "")
            },
            requestClosure: requestClosure, stubClosure: stubClosure, transport: transport,
            plugins: plugins, coders: coders)
    }
}

extension Endpoint {
    /// Returns this endpoint moved to `new`. `nil` if its URL does not begin with `old`.
    fileprivate func moved(from old: URL, to new: URL) -> Endpoint? {
        let start = old.absoluteString
        guard url.hasPrefix(start) else { return nil }
        let rest = url.dropFirst(start.count)
        // The prefix must end at a separator: "https://api.test" is also a prefix of
        // "https://api.test.example".
        guard start.hasSuffix("/") || rest.isEmpty || "/?#".contains(rest.prefix(1)) else {
            return nil
        }
        var base = new.absoluteString
        if base.hasSuffix("/"), rest.hasPrefix("/") { base.removeLast() }
        let needsSlash = !base.hasSuffix("/") && !rest.isEmpty && !"/?#".contains(rest.prefix(1))
        return at(url: base + (needsSlash ? "/" : "") + rest)
    }

    fileprivate func at(url: String) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: httpHeaderFields, timeoutInterval: timeoutInterval,
            cachePolicy: cachePolicy)
    }
}

extension Array where Element: Sendable {
    /// Returns the results of `transform` in the order of the elements. At most `limit` calls run
    /// concurrently.
    fileprivate func concurrentMap<Value: Sendable>(
        limit: Int, _ transform: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            var values: [Int: Value] = [:]
            for (index, element) in enumerated() {
                if index >= Swift.max(1, limit), let (done, value) = await group.next() {
                    values[done] = value
                }
                group.addTask { (index, await transform(element)) }
            }
            for await (done, value) in group { values[done] = value }
            return indices.compactMap { values[$0] }
        }
    }
}
