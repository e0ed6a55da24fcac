import MoyaCore

extension RequestTask {
    /// Uploads a multipart form, whose parts are read while they are sent.
    ///
    /// A part that is missing or cannot be read fails the request before anything is sent. `Content-Length` is sent
    /// where every part knows its length; otherwise the body goes in chunks.
    public static func uploadMultipartFormData(_ formData: MultipartFormData) -> RequestTask {
        RequestTask(body: .upload(MultipartUpload(formData)))
    }

    /// Uploads a multipart form, with parameters in the query.
    @preconcurrency
    public static func uploadCompositeMultipartFormData(
        _ formData: MultipartFormData, urlParameters: Parameters
    ) -> RequestTask {
        RequestTask(
            body: .upload(MultipartUpload(formData)),
            query: .parameters(urlParameters, encoding: .queryString))
    }

    /// Uploads a multipart form of these parts.
    @available(*, deprecated, message: "use `uploadMultipartFormData(_:)` instead")
    @_disfavoredOverload  // Of a literal that may be either, Moya 15's own is the one.
    public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> RequestTask {
        uploadMultipartFormData(MultipartFormData(parts: parts))
    }

    /// Uploads a multipart form of these parts, with parameters in the query.
    @available(
        *, deprecated, message: "use `uploadCompositeMultipartFormData(_:urlParameters:)` instead"
    )
    @_disfavoredOverload
    @preconcurrency
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart], urlParameters: Parameters
    ) -> RequestTask {
        uploadCompositeMultipartFormData(
            MultipartFormData(parts: parts), urlParameters: urlParameters)
    }
}
