import Foundation
import MoyaCore

/// A multipart form as the body of a request.
public struct MultipartUpload: UploadBody {
    /// The form.
    public let form: MultipartFormData

    /// For tasks put together by hand: `RequestTask.uploadMultipartFormData(_:)` makes the usual one.
    public init(_ form: MultipartFormData) {
        self.form = form
    }

    /// Looks at every part and makes a body that reads them while it is sent. Sets `Content-Type`, whatever it was:
    /// it has to name the boundary.
    ///
    /// - Throws: ``MultipartFormError`` for a form without parts, a method that carries none, or a part that cannot be
    ///   sent; ``FileTransferError`` for such a file.
    public func makeBody(for request: inout URLRequest) throws -> RequestBody {
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        guard method.supportsMultipart else { throw MultipartFormError.method(method.rawValue) }
        let plan = try MultipartPlan(form)
        request.setValue(plan.boundary.contentType("form-data"), forHTTPHeaderField: "Content-Type")
        let body = plan.body
        guard plan.isReplayable else {
            return .stream(RequestBodyStream(length: body.length, once: body))
        }
        var stream = RequestBodyStream(length: body.length) { body }
        if body.isThere { stream.makeReader = { SegmentedBody.Reader(body) } }
        return .stream(stream)
    }
}
