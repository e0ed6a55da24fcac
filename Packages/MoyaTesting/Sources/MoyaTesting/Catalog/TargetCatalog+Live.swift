import Foundation
import MoyaCore

extension TargetCatalog {
    /// Sends every target, and looks at the answers: is the status allowed, is the body what is expected?
    ///
    /// What changes something on the server is sent as well: choose with ``filter(_:)``.
    ///
    /// ```swift
    /// let report = await catalog.filter { $0.method == .get }.checkLive(with: provider, at: staging)
    /// ```
    ///
    /// - Parameters:
    ///   - provider: Sends the requests, plugins and all.
    ///   - baseURL: Takes the place of the targets' own base URLs.
    ///   - concurrency: How many requests are under way at once.
    ///   - statusCodes: What is allowed where a target's validation allows everything.
    ///   - document: What the API says about itself. The answers are held against it.
    /// - Returns: The report. Cancelling the task cancels the requests, which then are problems.
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
            guard let document, let response else { return row }
            // By the target's own URL: the document does not know the base URL.
            return row.checked(
                response,
                OfflineChecks.contract(CatalogSubject(entry, provider), document, response))
        }
        return report
    }

    /// What cannot go to `baseURL` goes nowhere: its own host may be the one that people use.
    private func refusal(
        of entry: Entry, _ provider: MoyaProvider<Target>, at baseURL: URL
    ) -> CatalogReport.Row? {
        let subject = CatalogSubject(entry, provider)
        let own = entry.target.baseURL
        guard subject.endpoint.moved(from: own, to: baseURL) == nil else { return nil }
        var row = self.row(for: entry, subject)
        row.findings = [
            subject.problem(
                .live,
                "It was not sent: its URL does not begin with its baseURL "
                    + "\(Redaction.default.redact(url: own)), so it cannot be sent to another.")
        ]
        return row
    }

    private func row<Subject>(
        for entry: Entry, _ subject: CatalogSubject<Subject>
    ) -> CatalogReport.Row {
        var row = CatalogReport.Row(entry.description)
        row.method = subject.endpoint.method.rawValue
        row.url = subject.shownURL
        row.expectation = entry.expectation.description
        row.checks = [.live]
        return row
    }

    private func row(
        for entry: Entry, with provider: MoyaProvider<Target>, _ statusCodes: Range<Int>
    ) async -> (CatalogReport.Row, Response?) {
        let subject = CatalogSubject(entry, provider)
        var row = self.row(for: entry, subject)
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
            if entry.target.validationType.allowsAll, !statusCodes.contains(response.statusCode) {
                return "The answer is \(response.statusCode), and allowed are "
                    + "\(statusCodes.lowerBound) to \(statusCodes.upperBound - 1)"
                    + excerpt(of: response)
            }
            // Delivered to a file: there is nothing to decode in memory.
            guard response.fileURL == nil else { return nil }
            return entry.expectation.mismatch(in: response).map {
                "The body of the answer \($0.hasSuffix(".") ? String($0.dropLast()) : $0)"
                    + excerpt(of: response)
            }
        }
    }

    /// How the body begins, with what is secret in it masked.
    private static func excerpt(of response: Response) -> String {
        let data = Redaction.default.redact(body: response.data.prefix(2000))
        let text = String(decoding: data, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { return "." }
        return text.count > 160 ? ": \(text.prefix(160))…" : ": \(text)"
    }
}

extension CatalogReport.Row {
    /// The same row with what a comparison with the document found.
    fileprivate func checked(_ response: Response, _ findings: [TargetProblem]) -> Self {
        guard response.fileURL == nil else { return self }
        var row = self
        row.checks.append(.contract)
        row.findings += findings
        return row
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension ValidationType {
    fileprivate var allowsAll: Bool {
        switch self {
        case .none: true
        case .customCodes(let codes): codes.isEmpty
        case .successCodes, .successAndRedirectCodes: false
        }
    }
}

extension MoyaProvider {
    /// The same provider, whose requests go to `base`.
    fileprivate func based(at base: URL) -> MoyaProvider<Target> {
        MoyaProvider(
            endpointClosure: { target in
                let endpoint = self.endpoint(target)
                // What is no URL is not sent.
                return endpoint.moved(from: target.baseURL, to: base) ?? endpoint.at(url: "")
            },
            requestClosure: requestClosure, stubClosure: stubClosure, transport: transport,
            plugins: plugins, coders: coders)
    }
}

extension Endpoint {
    /// `nil` where the URL is not one below `old`.
    fileprivate func moved(from old: URL, to new: URL) -> Endpoint? {
        let start = old.absoluteString
        guard url.hasPrefix(start) else { return nil }
        let rest = url.dropFirst(start.count)
        // Not where a name goes on: "https://api.test" begins "https://api.test.example", too.
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
    /// What `transform` makes of the elements, in their order, with at most `limit` at work at once.
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
