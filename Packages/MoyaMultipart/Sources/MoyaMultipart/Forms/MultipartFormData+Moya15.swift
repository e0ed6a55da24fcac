import Foundation
import MoyaCore

// In the releases 15.0.0 to 15.0.3 of Moya, a `MultipartFormData` is a part and a form is an array
// of parts. Here, as in later versions of Moya, `MultipartFormData` is the form. Code for those
// releases therefore creates forms of one part, and the tasks below join an array of forms into one
// form.

extension MultipartFormData {
    /// Creates a form with a single part, as code for Moya 15.0 expects.
    @available(
        *, deprecated,
        message: "use `MultipartFormBodyPart(provider:name:fileName:mimeType:)` instead"
    )
    public init(
        provider: FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil
    ) {
        self.init(parts: [
            MultipartFormBodyPart(
                provider: provider, name: name, fileName: fileName, mimeType: mimeType)
        ])
    }

    /// Source of the single part's bytes. The form itself, as ``FormDataProvider/mixed(_:)``,
    /// unless it has exactly one part.
    @available(*, deprecated, message: "use `parts` instead")
    public var provider: FormDataProvider { single?.provider ?? .mixed(self) }

    /// Name of the single part. Empty unless the form has exactly one part.
    @available(*, deprecated, message: "use `parts` instead")
    public var name: String { single?.name ?? "" }

    /// File name of the single part. `nil` unless the form has exactly one part.
    @available(*, deprecated, message: "use `parts` instead")
    public var fileName: String? { single?.fileName }

    /// Media type of the single part. `nil` unless the form has exactly one part.
    @available(*, deprecated, message: "use `parts` instead")
    public var mimeType: String? { single?.mimeType }

    private var single: MultipartFormBodyPart? { parts.count == 1 ? parts[0] : nil }

    /// Joins the parts of `forms`, in order. The file manager and the boundary are those of the
    /// first form.
    fileprivate init(joining forms: [MultipartFormData]) {
        self.init(
            fileManager: forms.first?.fileManager ?? .default, boundary: forms.first?.boundary,
            parts: forms.flatMap(\.parts))
    }
}

extension RequestTask {
    /// Uploads a multipart form made of Moya 15.0's parts: see
    /// ``MultipartFormData/init(provider:name:fileName:mimeType:)``.
    @available(*, deprecated, message: "use `uploadMultipartFormData(_:)` instead")
    public static func uploadMultipart(_ parts: [MultipartFormData]) -> RequestTask {
        .uploadMultipart(MultipartUpload(MultipartFormData(joining: parts)))
    }

    /// Uploads a multipart form made of Moya 15.0's parts, with parameters in the query.
    @available(
        *, deprecated, message: "use `uploadCompositeMultipartFormData(_:urlParameters:)` instead"
    )
    @preconcurrency
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormData], urlParameters: Parameters
    ) -> RequestTask {
        .uploadCompositeMultipart(
            MultipartUpload(MultipartFormData(joining: parts)), urlParameters: urlParameters)
    }
}

/// Multipart form, by the name of Moya's alias for Alamofire's `MultipartFormData`.
@available(*, deprecated, renamed: "MultipartFormData")
public typealias RequestMultipartFormData = MultipartFormData

extension Moya {
    public typealias MultipartFormBodyPart = MoyaMultipart.MultipartFormBodyPart
    public typealias MultipartFormData = MoyaMultipart.MultipartFormData
    @available(*, deprecated, renamed: "MultipartFormData")
    public typealias RequestMultipartFormData = MoyaMultipart.RequestMultipartFormData
}
