import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaStubs

extension TargetCatalog {
    /// Checks every target without sending a request: whether its request can be made, whether its
    /// sample data matches the expected body, and whether it has probable mistakes.
    /// ``CatalogCheck`` lists the checks.
    ///
    /// - Parameters:
    ///   - provider: Provider whose endpoints and plugins make the requests. `nil` uses the default
    ///     endpoints and no plugins.
    ///   - document: OpenAPI document of the API. `nil` skips the check ``CatalogCheck/contract``.
    public func check(
        with provider: MoyaProvider<Target>? = nil, against document: OpenAPIDocument? = nil
    ) -> CatalogReport {
        // Sends no request, so the transport does not matter.
        let provider = provider ?? MoyaProvider(transport: StubTransport())
        let subjects = entries.map { CatalogSubject($0, provider) }
        var report = CatalogReport(title: name, subtitle: "offline")
        report.rows = subjects.map { row(for: $0, document) }
        for (index, found) in OfflineChecks.duplicates(among: subjects)
        where !omitted.contains(.duplicates) {
            report.rows[index].findings.append(found)
        }
        report.general = coverage()
        return report
    }

    private func row(
        for subject: CatalogSubject<Target>, _ document: OpenAPIDocument?
    ) -> CatalogReport.Row {
        var row = CatalogReport.Row(subject)
        row.status = subject.sample?.statusCode
        row.byteCount = subject.sample?.data.count
        var findings =
            OfflineChecks.request(subject) + OfflineChecks.task(subject)
            + OfflineChecks.sample(subject) + OfflineChecks.validation(subject)
            + OfflineChecks.secrets(subject)
        if let document, let sample = subject.sample {
            findings += OfflineChecks.contract(subject, document, sample)
        }
        row.findings = findings.filter { !omitted.contains($0.check) }
        row.checks = CatalogCheck.offline.filter { check in
            switch check {
            case _ where omitted.contains(check): false
            case .contract: document != nil && subject.request != nil
            case .sample: subject.sample != nil
            case .task, .secrets, .duplicates: subject.request != nil
            default: true
            }
        }
        return row
    }

    private func coverage() -> [TargetProblem] {
        guard !omitted.contains(.coverage) else { return [] }
        let remedy =
            Target.self is any ListedTarget.Type
            ? "Give the case an example of its parameters, in its attribute if it has one "
                + "(@GET(…, example: [\"name\": value])), or add a target of it"
            : "Add one"
        return missingCases.map { name in
            TargetProblem(
                target: "\(Target.self).\(name)", check: .coverage,
                reason: "The catalog has no target of this case, so nothing is known about it. "
                    + "\(remedy), or leave this check out with omitting(.coverage).")
        }
    }
}

extension CatalogReport.Row {
    init<Target>(_ subject: CatalogSubject<Target>) {
        self.init(
            target: subject.name, method: subject.endpoint.method.rawValue, url: subject.shownURL,
            expectation: subject.entry.expectation.description)
    }
}

/// A target during the checks, with its endpoint and its request.
struct CatalogSubject<Target: TargetType> {
    let entry: TargetCatalog<Target>.Entry
    let endpoint: Endpoint
    /// The coders of the target, otherwise of the provider.
    let coders: Coders
    /// The request after all plugins, or the error of making it.
    let outcome: Result<URLRequest, MoyaError>
    /// The sample response. `nil` if the endpoint's sample is an error.
    let sample: Response?

    init(_ entry: TargetCatalog<Target>.Entry, _ provider: MoyaProvider<Target>) {
        self.entry = entry
        let target = entry.target
        coders = provider.coders(for: target)
        endpoint = Coders.$ofSamples.withValue(coders) { provider.endpoint(target) }
        do {
            var request = try endpoint.urlRequest()
            if case .upload(let body) = endpoint.task.body {
                request = try Self.adding(body, to: request)
            }
            outcome = .success(provider.preparing(request, for: target))
        } catch {
            outcome = .failure(MoyaError(wrapping: error))
        }
        sample = Self.sample(of: endpoint, coders)
    }

    var target: Target { entry.target }
    var name: String { entry.description }
    var request: URLRequest? { try? outcome.get() }

    /// URL of the request with secrets masked. Empty for an invalid URL, because it may contain
    /// secrets.
    var shownURL: String {
        (request?.url ?? URL(string: endpoint.url)).map(Redaction.default.redact(url:)) ?? ""
    }

    func problem(
        _ check: CatalogCheck, _ reason: String, isWarning: Bool = false
    ) -> TargetProblem {
        TargetProblem(target: name, check: check, isWarning: isWarning, reason: reason)
    }

    private static func sample(of endpoint: Endpoint, _ coders: Coders) -> Response? {
        switch Coders.$ofSamples.withValue(coders, operation: endpoint.sampleResponseClosure) {
        case .networkResponse(let status, let data):
            Response(statusCode: status, data: data, coders: coders)
        case .response(let head, let data):
            Response(
                statusCode: head.statusCode, data: data, response: head, coders: coders)
        case .networkError: nil
        }
    }

    private static func adding(
        _ body: any UploadBody, to request: URLRequest
    ) throws(MoyaError) -> URLRequest {
        var request = request
        do {
            if case .file(let url) = try body.makeBody(for: &request),
                !FileManager.default.isReadableFile(atPath: url.path)
            {
                throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
            }
            return request
        } catch {
            throw .encodableMapping(error)
        }
    }
}
