import MoyaCore

extension RequestTask {
    /// Uploads a multipart form. Its parts are read while they are sent.
    ///
    /// A missing or unreadable part fails the request before anything is sent. The request has a
    /// `Content-Length` if the length of every part is known, and uses chunked transfer coding
    /// otherwise.
    public static func uploadMultipartFormData(_ formData: MultipartFormData) -> RequestTask {
        .uploadMultipartFormData(MultipartUpload(formData))
    }

    /// Uploads a multipart form, with parameters in the query.
    @preconcurrency
    public static func uploadCompositeMultipartFormData(
        _ formData: MultipartFormData, urlParameters: Parameters
    ) -> RequestTask {
        .uploadCompositeMultipartFormData(
            MultipartUpload(formData), urlParameters: urlParameters)
    }

    /// Uploads a multipart form with the given parts.
    @available(*, deprecated, message: "use `uploadMultipartFormData(_:)` instead")
    @_disfavoredOverload  // An array literal resolves to Moya 15's overload.
    public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> RequestTask {
        .uploadMultipart(MultipartUpload(MultipartFormData(parts: parts)))
    }

    /// Uploads a multipart form with the given parts, and with parameters in the query.
    @available(
        *, deprecated, message: "use `uploadCompositeMultipartFormData(_:urlParameters:)` instead"
    )
    @_disfavoredOverload
    @preconcurrency
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart], urlParameters: Parameters
    ) -> RequestTask {
        .uploadCompositeMultipart(
            MultipartUpload(MultipartFormData(parts: parts)), urlParameters: urlParameters)
    }
}
