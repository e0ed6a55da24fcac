import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension OfflineChecks {
    /// Compares the request and the sample with what the API says about itself.
    static func contract<Target>(
        _ subject: Subject<Target>, _ document: OpenAPIDocument
    ) -> [TargetProblem] {
        guard let request = subject.request, let url = request.url, let sample = subject.sample
        else { return [] }
        return document.problems(
            method: request.httpMethod ?? "GET", url: url, status: sample.statusCode,
            contentType: sample.response?.value(forHTTPHeaderField: "Content-Type"),
            body: sample.data
        )
        .map { subject.problem(.contract, $0) }
    }
}
