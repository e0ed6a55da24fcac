import Foundation
import MoyaInternals

/// A provider's requests in flight whose responses equal requests can share.
typealias Inflights = SharedRequests<RequestKey<InflightContext>, Result<Response, MoyaError>>

/// What has to be equal, besides the requests, for requests to share a response.
struct InflightContext: Hashable {
    /// The endpoint of the first request, for `inflightRequests`. Not compared: equal requests that
    /// join it may have another endpoint.
    let endpoint: Endpoint
    let upload: Endpoint.Upload?
    let validation: ValidationType
    /// A layer may add a token for this scheme.
    let authorization: AuthorizationType?
    let isStubbed: Bool

    static func == (lhs: InflightContext, rhs: InflightContext) -> Bool {
        lhs.upload == rhs.upload && lhs.validation == rhs.validation
            && lhs.authorization == rhs.authorization && lhs.isStubbed == rhs.isStubbed
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(upload)
    }
}

extension Endpoint {
    /// Returns the key that equal requests share, or `nil` if the response cannot be shared, such
    /// as a file.
    ///
    /// The key is made from the request after the plugins' `prepare`: a plugin may add the token of
    /// one user, and the response belongs to that user.
    ///
    /// - Parameters:
    ///   - original: The request before the upload body added its header fields.
    ///   - authorization: The scheme that a layer may add a token for.
    func inflightKey(
        of prepared: URLRequest, made original: URLRequest, _ validation: ValidationType,
        _ authorization: AuthorizationType?, isStubbed: Bool
    ) -> RequestKey<InflightContext>? {
        guard let delivery = task.delivery as? MemoryDelivery, task.redirectPolicy.isDefault else {
            return nil
        }
        var request = prepared
        var upload: Upload?
        if case .upload(let body) = task.body {
            upload = Upload(body: body)
            // A multipart form's `Content-Type` contains a random boundary. `upload` identifies the
            // body instead.
            request.setValue(
                original.value(forHTTPHeaderField: "Content-Type"),
                forHTTPHeaderField: "Content-Type")
        }
        let context = InflightContext(
            endpoint: self, upload: upload, validation: validation, authorization: authorization,
            isStubbed: isStubbed)
        return RequestKey(
            request, body: prepared.httpBody, limit: delivery.limit, context: context)
    }
}
