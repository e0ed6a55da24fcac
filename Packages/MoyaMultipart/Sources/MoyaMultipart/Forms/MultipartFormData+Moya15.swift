import Foundation
import MoyaCore

// In the releases 15.0.0 to 15.0.3 of Moya, a `MultipartFormData` is one part and a form is an array of them. Here it
// is the form, as in Moya after them. So what was one part is a form of one part, and an array of forms becomes one.

extension MultipartFormData {
    /// A form of this one part, which is what Moya 15 makes by this name.
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

    /// Where the bytes of the one part come from. The form itself, where it has none or several.
    @available(*, deprecated, message: "use `parts` instead")
    public var provider: FormDataProvider { single?.provider ?? .mixed(self) }

    /// The name of the one part. Empty, where the form has none or several.
    @available(*, deprecated, message: "use `parts` instead")
    public var name: String { single?.name ?? "" }

    /// The file name of the one part.
    @available(*, deprecated, message: "use `parts` instead")
    public var fileName: String? { single?.fileName }

    /// The media type of the one part.
    @available(*, deprecated, message: "use `parts` instead")
    public var mimeType: String? { single?.mimeType }

    private var single: MultipartFormBodyPart? { parts.count == 1 ? parts[0] : nil }

    /// The parts of all these forms, in order. The first one says the rest.
    fileprivate init(joining forms: [MultipartFormData]) {
        self.init(
            fileManager: forms.first?.fileManager ?? .default, boundary: forms.first?.boundary,
            parts: forms.flatMap(\.parts))
    }
}

extension RequestTask {
    /// Uploads a multipart form of these parts, as Moya 15 has them: see
    /// ``MultipartFormData/init(provider:name:fileName:mimeType:)``.
    @available(*, deprecated, message: "use `uploadMultipartFormData(_:)` instead")
    public static func uploadMultipart(_ parts: [MultipartFormData]) -> RequestTask {
        uploadMultipartFormData(MultipartFormData(joining: parts))
    }

    /// Uploads a multipart form of these parts, as Moya 15 has them, with parameters in the query.
    @available(
        *, deprecated, message: "use `uploadCompositeMultipartFormData(_:urlParameters:)` instead"
    )
    @preconcurrency
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormData], urlParameters: Parameters
    ) -> RequestTask {
        uploadCompositeMultipartFormData(
            MultipartFormData(joining: parts), urlParameters: urlParameters)
    }
}

/// A multipart form, by the name that Moya has for Alamofire's.
@available(*, deprecated, renamed: "MultipartFormData")
public typealias RequestMultipartFormData = MultipartFormData
