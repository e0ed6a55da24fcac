import Foundation
import MoyaCore

/// Checks of a target that send no request. Each function is one check, and returns the problems
/// that it finds.
enum OfflineChecks {
    typealias Subject = CatalogSubject

    // MARK: The request

    /// Checks that the target has a request, and that its URL is plausible.
    static func request<Target>(_ subject: Subject<Target>) -> [TargetProblem] {
        switch subject.outcome {
        case .failure(.parameterEncoding), .failure(.encodableMapping): return []
        case .failure(let error):
            let texts = [error.errorDescription, error.recoverySuggestion].compactMap { $0 }
            return [subject.problem(.endpoint, texts.joined(separator: " "))]
        case .success(let request): return urlProblems(of: request, subject)
        }
    }

    private static func urlProblems<Target>(
        of request: URLRequest, _ subject: Subject<Target>
    ) -> [TargetProblem] {
        guard let url = request.url else {
            return [subject.problem(.endpoint, "Its request has no URL after the plugins.")]
        }
        var found: [TargetProblem] = []
        func report(_ reason: String, isWarning: Bool = false) {
            found.append(subject.problem(.endpoint, reason, isWarning: isWarning))
        }
        if !["http", "https"].contains(url.scheme?.lowercased()) {
            report("Its URL is neither http nor https. Check the target's baseURL.")
        }
        if url.host?.isEmpty ?? true { report("Its URL has no host. Check its baseURL.") }
        let decoded = url.absoluteString.removingPercentEncoding ?? url.absoluteString
        if decoded.contains("Optional(") {
            report("Its URL contains the text \"Optional(…)\". Unwrap the value.")
        }
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        if path.contains("//") {
            report(
                "Its path has an empty segment. Check for an empty value in it.", isWarning: true)
        }
        if subject.target.path.contains("?"), subject.endpoint.url.contains("%3F") {
            report(
                "Its path has a \"?\", which is sent as %3F, not as the start of a query. Put "
                    + "the values into the task: .requestParameters or .requestQuery.")
        }
        if decoded.contains("{") {
            report("Its URL contains a brace. Is a placeholder left in it?", isWarning: true)
        }
        return found
    }

    // MARK: The task

    /// Checks that the task can be encoded, and that a GET or HEAD request has no body.
    static func task<Target>(_ subject: Subject<Target>) -> [TargetProblem] {
        func problem(_ reason: String) -> [TargetProblem] { [subject.problem(.task, reason)] }
        switch subject.outcome {
        case .failure(.parameterEncoding(let error)):
            return problem("Its parameters cannot be encoded: \(error.localizedDescription)")
        case .failure(.encodableMapping(let error)):
            return problem("Its body cannot be encoded: \(error.localizedDescription)")
        case .failure: return []
        case .success(let request):
            guard ["GET", "HEAD"].contains(request.httpMethod ?? "GET"),
                !(request.httpBody ?? Data()).isEmpty
            else { return [] }
            return problem(
                "It is a \(request.httpMethod ?? "GET") with a body, which servers and proxies may "
                    + "reject or ignore (RFC 9110, section 9.3.1), and URLSession on Apple "
                    + "platforms does not send. Put the values into the query, or leave this check "
                    + "out with omitting(.task).")
        }
    }

    // MARK: The sample

    /// Checks that the sample data is a response that the target expects.
    static func sample<Target>(_ subject: Subject<Target>) -> [TargetProblem] {
        guard let sample = subject.sample else { return [] }
        func problem(_ reason: String, isWarning: Bool = false) -> [TargetProblem] {
            [subject.problem(.sample, reason, isWarning: isWarning)]
        }
        let expectation = subject.entry.expectation
        let hasNoBody =
            [204, 205, 304].contains(sample.statusCode) || subject.endpoint.method == .head
        if hasNoBody, !sample.data.isEmpty {
            return problem(
                "Its sample has \(sample.data.count) bytes, but responses to HEAD, and those with "
                    + "the status 204, 205 or 304, have no body.",
                isWarning: true)
        }
        // The sample of an error response need not match the expected body.
        guard !hasNoBody, subject.target.validationType.accepts(sample.statusCode) else {
            return []
        }
        if sample.data.isEmpty, let error = encodingError(ofSampleIn: subject) {
            return problem("Its sample cannot be encoded: \(error)")
        }
        if expectation.wantsBody == true, sample.data.isEmpty {
            return problem(
                "Its sample data is empty, where \(expectation) is expected. Fill in sampleData.")
        }
        return expectation.mismatch(in: sample).map { problem("Its sample data \($0)") } ?? []
    }

    /// Returns the error of encoding the target's sample value. `nil` if it can be encoded, and for
    /// targets without a sample value.
    private static func encodingError<Target>(ofSampleIn subject: Subject<Target>) -> (any Error)? {
        let target = RequestContext(target: subject.target).target
        guard let sampled = target as? any SampledTarget else { return nil }
        do {
            _ = try subject.coders.encoder(for: nil).encode(sampled.sample)
            return nil
        } catch {
            return error
        }
    }

    // MARK: The validation

    /// Checks that the validation accepts the sample's status, and not every status.
    static func validation<Target>(_ subject: Subject<Target>) -> [TargetProblem] {
        let type = subject.target.validationType
        var found: [TargetProblem] = []
        func report(_ reason: String, isWarning: Bool = false) {
            found.append(subject.problem(.validation, reason, isWarning: isWarning))
        }
        if case .customCodes(let codes) = type {
            if codes.isEmpty {
                report(
                    "Its list of status codes is empty, which accepts every status. List codes, "
                        + "or use .none.")
            }
            for code in codes where !(200...599).contains(code) {
                report(
                    "It accepts the status \(code), which no final response has. Use 200 to 599.")
            }
        }
        if let status = subject.sample?.statusCode, !type.accepts(status) {
            report(
                "Its sample has the status \(status), which its validation refuses.",
                isWarning: true)
        }
        if type == .none, subject.entry.expectation.wantsBody == true {
            report(
                "Its validation accepts every status, so an error page would be taken for "
                    + "\(subject.entry.expectation). Use .successCodes.", isWarning: true)
        }
        return found
    }
}
