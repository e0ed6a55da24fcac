import Foundation
import MoyaCore

/// Multipart form as the body of a request.
public struct MultipartUpload: UploadBody {
    /// Form to upload.
    public let form: MultipartFormData

    /// Creates an upload for a custom task. `RequestTask.uploadMultipartFormData(_:)` is the usual
    /// way.
    public init(_ form: MultipartFormData) {
        self.form = form
    }

    /// Validates every part and returns a body that reads the parts while it is sent. Replaces the
    /// request's `Content-Type`, because that field has to name the boundary.
    ///
    /// - Throws: ``MultipartFormError`` for a form without parts, an invalid part, or a method
    ///   without `supportsMultipart`; ``FileTransferError`` for a file that cannot be read.
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
