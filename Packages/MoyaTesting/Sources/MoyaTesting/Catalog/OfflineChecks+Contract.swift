import Foundation
import MoyaCore

extension OfflineChecks {
    /// Compares the request and a response with the OpenAPI document.
    static func contract<Target>(
        _ subject: Subject<Target>, _ document: OpenAPIDocument, _ answer: Response
    ) -> [TargetProblem] {
        guard let request = subject.request, let url = request.url else { return [] }
        return document.problems(
            method: request.httpMethod ?? "GET", url: url, status: answer.statusCode,
            contentType: answer.header("Content-Type"), body: answer.data
        )
        .map { subject.problem(.contract, $0) }
    }
}
