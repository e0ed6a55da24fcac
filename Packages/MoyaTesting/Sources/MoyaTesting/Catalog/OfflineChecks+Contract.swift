import Foundation
import MoyaCore

extension OfflineChecks {
    /// Compares the request and a response with the OpenAPI document.
    static func contract<Target>(
        _ subject: Subject<Target>, _ document: OpenAPIDocument, _ answer: Response
    ) -> [TargetProblem] {
        guard let request = subject.request, let url = request.url else { return [] }
        var whole = TransportRequest(request)
        // The body of an upload is made when it is sent.
        if case .upload = subject.endpoint.task.body {
            whole.body = .stream(RequestBodyStream { AsyncStream<Data> { $0.finish() } })
        }
        let found =
            document.problems(with: whole)
            + document.problems(
                method: request.httpMethod ?? "GET", url: url, status: answer.statusCode,
                contentType: answer.header("Content-Type"), body: answer.data)
        var reported: Set<String> = []
        return found.filter { reported.insert($0).inserted }
            .map { subject.problem(.contract, $0) }
    }
}
