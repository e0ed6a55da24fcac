import Foundation
import MoyaInternals

/// The requests of a provider that others may join.
typealias Inflights = SharedRequests<RequestKey<InflightContext>, Result<Response, MoyaError>>

/// What a response depends on besides what is sent as data.
struct InflightContext: Hashable {
    /// Of the first request. Others that join may have an equal one.
    let endpoint: Endpoint
    let upload: Endpoint.Upload?
    let validation: ValidationType
    let isStubbed: Bool

    static func == (lhs: InflightContext, rhs: InflightContext) -> Bool {
        lhs.upload == rhs.upload && lhs.validation == rhs.validation
            && lhs.isStubbed == rhs.isStubbed
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(upload)
    }
}

extension PreparedRequest {
    /// What equal requests are found by. `nil` where the response is one caller's alone: a file, for example.
    ///
    /// Taken of the request as the plugins left it: a token that one of them put in is one user's, and so is the response.
    ///
    /// - Parameter original: The request before an upload's body has added to it.
    func inflightKey(of original: URLRequest) -> RequestKey<InflightContext>? {
        let task = pipeline.endpoint.task
        guard let delivery = task.delivery as? MemoryDelivery, task.redirectPolicy.isDefault else {
            return nil
        }
        var request = urlRequest
        var upload: Endpoint.Upload?
        if case .upload(let body) = task.body {
            upload = Endpoint.Upload(body: body)
            // An upload's own has the boundary of a form in it, which is another one each time. The body says it all.
            request.setValue(
                original.value(forHTTPHeaderField: "Content-Type"),
                forHTTPHeaderField: "Content-Type")
        }
        return RequestKey(
            request, body: urlRequest.httpBody, limit: delivery.limit,
            context: InflightContext(
                endpoint: pipeline.endpoint, upload: upload,
                validation: pipeline.target.validationType,
                isStubbed: pipeline.transport is SampleTransport))
    }
}
